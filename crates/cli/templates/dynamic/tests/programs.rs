//! What programs do. In: texts. Out: what they print and their errors, which are the same under all
//! settings of the JIT.

mod common;

use common::{SETTINGS, agreed, run, said};

#[test]
fn expressions() {
    assert_eq!(agreed("print 2 + 3 * 4 - 10 / 3 % 2"), "13\n");
    assert_eq!(
        agreed("print 1 / 2.0 print 3.0 print -2.5"),
        "0.5\n3.0\n-2.5\n"
    );
    assert_eq!(agreed("print \"ab\" + \"c\" == \"abc\""), "true\n");
    assert_eq!(
        agreed("print \"a\" < \"b\" print 1 == 1.0 print 1 == \"1\""),
        "true\ntrue\nfalse\n"
    );
    assert_eq!(
        agreed("print nil or 1 and 2 print false and 1"),
        "2\nfalse\n"
    );
    assert_eq!(
        agreed("fn f(a) { return a } print f print f == f"),
        "<f>\ntrue\n"
    );
}

#[test]
fn conditions_and_loops() {
    let text = "let i = 0 let even = 0
        while i < 100 { if i % 2 == 0 { even = even + i } else if i > 97 { print i } i = i + 1 }
        print even";
    assert_eq!(agreed(text), "99\n2450\n");
}

#[test]
fn a_variable_may_be_assigned_what_is_computed_of_it() {
    let text = "let a = nil let i = 0 while i < 50 { a = i > 3 and a or i i = i + 1 } print a";
    assert_eq!(agreed(text), "3\n");
}

#[test]
fn closures_share_variables() {
    let text = "fn pair() {
            let n = 0
            let add = fn(by) { n = n + by return n }
            return fn(by) { return add(by) + n }
        }
        let one = pair() let other = pair() let i = 0
        while i < 40 { one(1) i = i + 1 }
        print one(1) print other(1)";
    assert_eq!(agreed(text), "82\n2\n");
}

#[test]
fn each_turn_of_a_loop_has_variables_of_its_own() {
    let text = "let first = nil let i = 0
        while i < 30 { let n = i let get = fn() { return n } if i == 0 { first = get } n = n + 1 i = i + 1 }
        print first()";
    assert_eq!(agreed(text), "1\n");
}

#[test]
fn types_may_change_in_a_loop() {
    let text = "let a = 1 let i = 0
        while i < 60 { if i == 20 { a = a + 0.5 } if i == 40 { a = \"text\" } else { if i < 40 { a = a + i } } i = i + 1 }
        print a";
    assert_eq!(agreed(text), "text\n");
}

#[test]
fn errors_name_their_line() {
    assert_eq!(
        agreed("let a = 1\nprint a + nil"),
        "error: 2: `+` is not for an integer and nil\n"
    );
    assert_eq!(agreed("print -\"a\""), "error: 1: `-` is not for a text\n");
    assert_eq!(
        agreed("let i = 5\nwhile true {\n i = i - 1\n 100 / i\n}"),
        "error: 4: division by zero\n"
    );
    assert_eq!(
        agreed("let f = 1\nf()"),
        "error: 2: an integer cannot be called\n"
    );
    assert_eq!(
        agreed("fn f(a) { }\nf(1, 2)"),
        "error: 2: `f` takes 1 arguments, 2 were given\n"
    );
}

#[test]
fn runaway_recursion_is_an_error() {
    let text = "fn f(n) {\n return f(n + 1) + 1\n}\nf(0)";
    // All settings but the last: a collection at every allocation would look through all calls each
    // time.
    for jit in &SETTINGS[..5] {
        let expected = "error: 2: too many calls within each other\n";
        assert_eq!(said(&run(text, jit)), expected, "--jit {jit}");
    }
}

#[test]
fn faulty_texts_are_refused() {
    assert_eq!(
        agreed("let x = 1\nprint y"),
        "error: 2: there is no variable `y`\n"
    );
    assert_eq!(
        agreed("while true {"),
        "error: 1: expected an expression, found the end\n"
    );
    assert_eq!(agreed("1 = 2"), "error: 1: this cannot be assigned to\n");
    assert_eq!(
        agreed("let if = 2"),
        "error: 1: expected a name, found `if`\n"
    );
    assert_eq!(
        agreed("print \"abc"),
        "error: 1: this text has no end in its line\n"
    );
    assert_eq!(agreed("print ?"), "error: 1: `?` means nothing here\n");
    let deep = format!("print {}1", "(".repeat(100_000));
    assert_eq!(agreed(&deep), "error: 1: this is nested too deeply\n");
    let long = format!("print 1{}", " + 1".repeat(100_000));
    assert_eq!(agreed(&long), "error: 1: this is nested too deeply\n");
}
