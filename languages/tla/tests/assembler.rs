//! The assembler and the verifier. In: texts, each wrong in one way, and one like it that is right.
//! Out: the line and what is wrong with it. Invariant under test: nothing that the interpreter
//! relies on is left unchecked.

use expect_test::{Expect, expect};
use tla::machine::load;

/// A fault in a text.
fn errors(text: &str) -> String {
    load(text, "p.tla").err().unwrap_or_default()
}

/// A text that is wrong, and its repaired form.
fn check(wrong: &str, expected: Expect, right: &str) {
    expected.assert_eq(&errors(wrong));
    assert_eq!(errors(right), "", "{right}");
}

/// A main function with these instructions.
fn main_of(body: &str) -> String {
    format!("main(1):\n{body}")
}

fn check_body(wrong: &str, expected: Expect, right: &str) {
    check(&main_of(wrong), expected, &main_of(right));
}

#[test]
fn functions() {
    check(
        "; nothing\n",
        expect!["p.tla:1: there is no function: begin one with `main(0):`"],
        "main(0):\nCONST_INT 1\nEXIT\n",
    );
    check(
        "CONST_INT 1\nmain(0):\nCONST_INT 1\nEXIT",
        expect!["p.tla:1: this is outside of a function: begin one with `main(0):`"],
        "main(0):\nCONST_INT 1\nEXIT",
    );
    check(
        "loop:\nmain(1):\nEXIT",
        expect!["p.tla:1: this is outside of a function: begin one with `main(0):`"],
        "main(1):\nloop:\nEXIT",
    );
    check(
        "main(1:\nEXIT\n",
        expect![[r#"
            p.tla:1: the head of a function is `name(2):`
            p.tla:2: this is outside of a function: begin one with `main(0):`"#]],
        "main(1):\nEXIT\n",
    );
    check(
        "main(256):\nEXIT\n",
        expect!["p.tla:1: `256` is no count up to 255"],
        "main(255):\nEXIT\n",
    );
    check(
        "1st(1):\nEXIT\n",
        expect![[r#"
            p.tla:1: `1st` is no name
            p.tla:2: this is outside of a function: begin one with `main(0):`"#]],
        "first(1):\nEXIT\n",
    );
    check(
        "main(1):\nEXIT\nmain(2):\nEXIT\n",
        expect!["p.tla:3: `main` is a function in line 1 already"],
        "main(1):\nEXIT\nother(2):\nEXIT\n",
    );
    check(
        "main(1):\n; empty\nf(1):\nEXIT\n",
        expect!["p.tla:1: `main` has no instruction"],
        "main(1):\nEXIT\nf(1):\nEXIT\n",
    );
}

#[test]
fn instructions_and_their_operands() {
    check_body(
        "FLY\nEXIT",
        expect!["p.tla:2: `FLY` is no instruction"],
        "DUP\nEXIT",
    );
    check_body(
        "DUP 1\nEXIT",
        expect!["p.tla:2: DUP has no operand, and `1` is there"],
        "DUP ; 1\nEXIT",
    );
    check_body(
        "CONST_INT\nEXIT",
        expect!["p.tla:2: CONST_INT needs an integer"],
        "CONST_INT -1\nEXIT",
    );
    check_body(
        "CONST_INT 9223372036854775808\nEXIT",
        expect!["p.tla:2: `9223372036854775808` is no integer of 64 bits"],
        "CONST_INT -9223372036854775808\nEXIT",
    );
    check_body(
        "NEWSTR text\nEXIT",
        expect!["p.tla:2: `text` is no text in quotes"],
        "NEWSTR \"te;xt\" ; a comment\nEXIT",
    );
    check_body(
        r#"NEWSTR "a"b""#,
        expect![[r#"p.tla:2: `"a"b"` is no text in quotes"#]],
        "NEWSTR \"a\\\"b\\\\\\n:\"\nEXIT",
    );
    check_body(
        "DUPN -1\nEXIT",
        expect!["p.tla:2: `-1` is no count up to 255"],
        "DUPN 0\nEXIT",
    );
}

#[test]
fn every_wrong_line_is_named() {
    expect![[r#"
        p.tla:2: `ONE` is no instruction
        p.tla:3: JUMP needs a label
        p.tla:5: `TWO` is no instruction"#]]
    .assert_eq(&errors("main(1):\nONE\nJUMP\nf(0):\nTWO\n"));
    expect![[r#"
        p.tla:2: ADD needs 2 values, and there are 1 on the stack
        p.tla:5: POP needs 1 values, and there are 0 on the stack"#]]
    .assert_eq(&errors("main(1):\nADD\nEXIT\nf(0):\nPOP\nEXIT\n"));
}

#[test]
fn jumps() {
    check_body(
        "JUMP nowhere\nEXIT",
        expect!["p.tla:2: there is no label `nowhere` in `main`"],
        "JUMP here\nhere:\nEXIT",
    );
    check(
        "main(1):\nJUMP there\nf(1):\nthere:\nEXIT",
        expect!["p.tla:2: there is no label `there` in `main`"],
        "main(1):\nJUMP there\nthere:\nEXIT\nf(1):\nthere:\nEXIT",
    );
    check_body(
        "a:\nEXIT\na:\nEXIT",
        expect!["p.tla:4: the label `a` is in line 2 already"],
        "a:\nEXIT\nb:\nEXIT",
    );
    check_body(
        "JUMP end\nend:",
        expect!["p.tla:3: behind the label `end` is no instruction"],
        "JUMP end\nend:\nEXIT",
    );
    check_body(
        "DUP",
        expect!["p.tla:2: control runs off the end of `main` behind this"],
        "DUP\nEXIT",
    );
    check_body(
        "DUP\nJUMP_IF end\nEXIT\nend:\nDUP\nPOP",
        expect!["p.tla:7: control runs off the end of `main` behind this"],
        "DUP\nJUMP_IF end\nEXIT\nend:\nDUP\nPOP\nEXIT",
    );
}

#[test]
fn heights() {
    check_body(
        "ADD\nEXIT",
        expect!["p.tla:2: ADD needs 2 values, and there are 1 on the stack"],
        "DUP\nADD\nEXIT",
    );
    check_body(
        "DUPN 1\nEXIT",
        expect!["p.tla:2: DUPN 1 needs 2 values, and there are 1 on the stack"],
        "DUP\nDUPN 1\nEXIT",
    );
    check_body(
        "PUTN 0\nEXIT",
        expect!["p.tla:2: PUTN 0 needs 2 values, and there are 1 on the stack"],
        "DUP\nPUTN 0\nEXIT",
    );
    check_body(
        "loop:\nDUP\nDUP\nJUMP_IF loop\nEXIT",
        expect!["p.tla:3: there are 1 values on the stack here, or 2 by another way"],
        "loop:\nDUP\nJUMP_IF loop\nEXIT",
    );
    check_body(
        "POP\nEXIT",
        expect!["p.tla:3: EXIT needs 1 values, and there are 0 on the stack"],
        "DUP\nPOP\nEXIT",
    );
    // What control never comes to is not asked about its height.
    check_body("EXIT\nADD", expect![""], "EXIT");
}

#[test]
fn calls() {
    let two = "\nEXIT\ntwo(2):\nDUP\nRET 2";
    check_body(
        &format!("CALL two{two}"),
        expect!["p.tla:2: `two` takes 2 values, and there are 1 on the stack"],
        &format!("DUP\nCALL two{two}"),
    );
    check_body(
        "CALL_JIT nobody\nEXIT",
        expect!["p.tla:2: there is no function `nobody`"],
        "CALL_JIT main\nEXIT",
    );
    check_body(
        "CALL_NORMAL\nEXIT",
        expect!["p.tla:2: CALL_NORMAL needs a function"],
        "CALL_NORMAL main\nEXIT",
    );
    check_body(
        "DUP\nRET 2",
        expect!["p.tla:3: RET 2 is in a function that takes 1 arguments"],
        "DUP\nRET 1",
    );
    check_body(
        "RET 1",
        expect![
            "p.tla:2: RET 1 needs the arguments and the result on the stack, 2 values, and there are 1"
        ],
        "DUP\nRET 1",
    );
    check_body(
        "DUP\nDUP\nRET 1",
        expect![
            "p.tla:4: RET 1 needs the arguments and the result on the stack, 2 values, and there are 3"
        ],
        "DUP\nDUP\nADD\nRET 1",
    );
}
