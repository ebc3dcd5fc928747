//! Parser and compiler. In: texts. Out: messages, or what the program prints. Invariant under test:
//! a fault is named with its place, and what binds how is as the grammar says.

use expect_test::{Expect, expect};
use objmodel::machine::{MAX_DEPTH, Machine, Stage, load};
use verdigris::Options;

/// The faults of a program.
fn check_faults(source: &str, expected: Expect) {
    let faults = load(source.as_bytes(), "p").expect_err("the program is wrong");
    expected.assert_eq(&(faults + "\n"));
}

/// The output of a program.
fn check(source: &str, expected: Expect) {
    let image = load(source.as_bytes(), "p").unwrap_or_else(|faults| panic!("{faults}"));
    let options = Options::parse("off").expect("it is understood");
    let machine = Machine::new(options, Stage::default(), MAX_DEPTH).expect("it can be made");
    expected.assert_eq(&machine.run(&image, &[], true).to_string());
}

#[test]
fn operators_bind_as_usual() {
    check(
        "print 2 + 3 * 4, (2 + 3) * 4, 10 - 3 - 2, 100 / 10 / 2, -2 * 3, - - 5, 7 % 4 * 2;
         print 1 + 1 == 2, 1 < 2 and 2 < 1, not 1 == 2, not 1 and 2, 0 or not 0, 1 or 2 and 0;
         print nil == 0, 5 and \"yes\", nil or \"no\", 0 and x_is_not_evaluated();
         def x_is_not_evaluated() { print \"evaluated\"; }",
        expect![[r#"
            14 20 5 5 -6 5 6
            1 0 1 0 1 1
            0 yes no 0
        "#]],
    );
}

#[test]
fn a_variable_belongs_to_its_function() {
    check(
        "x = 1;
         def f(y) { x = y; if 0 { z = 1; } return z; }
         print f(5), x;
         class C { def m(x) { self.x = x; x = 7; return self.x; } }
         c = new C; print c.m(3), x;",
        expect![[r#"
            nil 1
            3 1
        "#]],
    );
}

#[test]
fn arguments_are_evaluated_from_left_to_right() {
    check(
        "class C { n = 0; def next() { self.n = self.n + 1; return self.n; } def show(a, b, c) { print a, b, c; } }
         c = new C;
         c.show(c.next(), c.next(), c.next());
         print c.next() - c.next() * c.next();",
        expect![[r#"
            1 2 3
            -26
        "#]],
    );
}

#[test]
fn new_calls_init_if_it_has_arguments_in_parentheses() {
    check(
        "class A { x = 0; def init() { self.x = 1; return 9; } }
         print (new A).x, (new A()).x, new A();
         class B { kind = A; }
         b = new B;
         print (new b.kind()).x, new B.kind;",
        expect![[r#"
            0 1 <A>
            1 <A>
        "#]],
    );
}

#[test]
fn classes_are_there_before_their_statement_and_empty() {
    check(
        "c = new Late; print c; c.early = 1; print c.early;
         class Late { x = 5; }
         print c.x;
         if 1 { def Late.y() { return self.x; } }
         print c.y();
         print c.z;",
        expect![[r#"
            <Late>
            1
            5
            5
            p:6:17: an instance of `Late` has no attribute `z`
            status 1
        "#]],
    );
}

#[test]
fn faults_of_the_syntax() {
    for (source, expected) in [
        (
            "x = ;",
            expect![[r#"
            p:1:5: expected an expression, found `;`
        "#]],
        ),
        (
            "print 1",
            expect![[r#"
            p:1:8: expected `;`, found the end of the program
        "#]],
        ),
        (
            "while 1 { x = 1;",
            expect![[r#"
            p:1:17: expected `}`, found the end of the program
        "#]],
        ),
        (
            "f(1 2);",
            expect![[r#"
            p:1:5: expected `,` or `)`, found `2`
        "#]],
        ),
        (
            "f() = 3;",
            expect![[r#"
            p:1:5: only a variable or an attribute can be assigned
        "#]],
        ),
        (
            "1 < 2 < 3;",
            expect![[r#"
            p:1:7: comparisons do not chain: use `and` between them
        "#]],
        ),
        (
            "class C { x; }",
            expect![[r#"
            p:1:12: expected `=`, found `;`
        "#]],
        ),
        (
            "class C { print 1; }",
            expect![[r#"
            p:1:11: expected `def`, an attribute or `}`, found `print`
        "#]],
        ),
        (
            "class { }",
            expect![[r#"
            p:1:7: expected the name of a class, found `{`
        "#]],
        ),
        (
            "def self() { }",
            expect![[r#"
            p:1:5: expected the name of a function
        "#]],
        ),
        (
            "def f(a, 1) { }",
            expect![[r#"
            p:1:10: expected the name of a parameter, found `1`
        "#]],
        ),
        (
            "x.1;",
            expect![[r#"
            p:1:3: expected the name of an attribute, found `1`
        "#]],
        ),
        (
            "new 5;",
            expect![[r#"
            p:1:5: expected a name, found `5`
        "#]],
        ),
        (
            "print 9223372036854775808;",
            expect![[r#"
            p:1:7: 9223372036854775808 does not fit in 64 bits
        "#]],
        ),
        (
            "x = 1; args n;",
            expect![[r#"
            p:1:8: `args` stands first in a program
        "#]],
        ),
        (
            "}",
            expect![[r#"
            p:1:1: expected an expression, found `}`
        "#]],
        ),
    ] {
        check_faults(source, expected);
    }
}

#[test]
fn all_faults_of_meaning_are_reported_in_order() {
    check_faults(
        "args C, a;
class C { x = y; }
def f() { return a; }
def f(p, p) { return q; }
class f { }
break;
while 1 { class D { } }
if 1 { def g() { continue; } }
def h(C) { self.x = self; D = 1; f = 2; print z; }
def C.m() { return a; }
",
        expect![[r#"
            p:1:6: `C` is a class, so no variable can have that name
            p:2:15: unknown name `y`
            p:3:18: unknown name `a`: it is a variable of the main program, which functions do not see
            p:4:1: `f` is already the name of a function
            p:5:1: `f` is already the name of a function
            p:6:1: `break` stands in a loop
            p:7:11: the class `D` has to stand at the top level of the program
            p:8:8: the function `g` has to stand at the top level of the program
            p:9:7: `C` is a class, so no variable can have that name
            p:9:12: `self` stands in a method
            p:9:21: `self` stands in a method
            p:9:34: `f` is a function, so no variable can have that name
            p:9:47: unknown name `z`
            p:10:20: unknown name `a`: it is a variable of the main program, which functions do not see
        "#]],
    );
}

#[test]
fn what_is_too_deep_or_too_large_is_a_fault() {
    let deep = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(5000), close.repeat(5000))
    };
    for source in [
        format!("x = {};", deep("(", "1", ")")),
        format!("x = {};", deep("-", "x", "")),
        format!("x = {};", deep("not ", "x", "")),
        format!("x = {};", deep("x.y(", "1", ")")),
        format!("x = 1{};", "+1".repeat(5000)),
        format!("x = x{};", ".y".repeat(5000)),
        deep("if 1 { ", "", "}"),
        deep("if 1 { } else ", "if 1 { }", ""),
        deep("def C.m() { ", "", "}"),
    ] {
        let faults = load(source.as_bytes(), "p").expect_err("it is too deep");
        assert!(
            faults.contains("nested more than 250 levels deep"),
            "{faults}"
        );
    }
    let many = |n: usize, item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<String>();
    for (source, message) in [
        (
            many(300, &|n| format!("x{n} = 1;\n")),
            "at most 255 variables",
        ),
        (
            format!("f({}1); def f() {{ }}", "1,".repeat(300)),
            "the number of arguments is at most 255",
        ),
        (
            format!("print {}1;", "1,".repeat(300)),
            "the number of arguments is at most 255",
        ),
        (
            format!("def f({}b) {{ }}", many(250, &|n| format!("a{n},"))),
            "at most 200 parameters",
        ),
        (
            format!("while 1 {{ {} }}", "print 1;\n".repeat(15_000)),
            "the program is too large",
        ),
        (
            many(70_000, &|n| format!("print {n};\n")),
            "the program is too large",
        ),
    ] {
        let faults = load(source.as_bytes(), "p").expect_err("it is too large");
        assert!(faults.contains(message), "{faults}");
    }
}

#[test]
fn the_largest_functions_work() {
    let assignments: String = (0..254).map(|n| format!("x{n} = {n};")).collect();
    let sum: String = (0..127).map(|n| format!("+ x{}", 2 * n)).collect();
    check(
        &format!("{assignments} print x0 {sum};"),
        expect![[r#"
        16002
    "#]],
    );
    let params: Vec<String> = (0..200).map(|n| format!("p{n}")).collect();
    let args: Vec<String> = (0..200).map(|n| n.to_string()).collect();
    let (params, args) = (params.join(","), args.join(","));
    check(
        &format!("def f({params}) {{ return p0 + p1 * 1000 + p199 * 1000000; }} print f({args});"),
        expect![[r#"
            199001000
        "#]],
    );
}

/// Code whose jumps lead beyond what a byte can say, up to near the limit.
#[test]
fn long_jumps_work() {
    let body = "x = x + 1;\n".repeat(4_000);
    check(
        &format!("x = 0; i = 0; while i < 3 {{ {body} i = i + 1; }} print x;"),
        expect![[r#"
            12000
        "#]],
    );
}
