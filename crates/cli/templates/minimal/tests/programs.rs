//! What programs do. In: texts. Out: what they print and their errors, which are the same under all
//! settings of the JIT.

mod common;

use common::agreed;

#[test]
fn expressions() {
    assert_eq!(agreed("print 2 + 3 * 4 - 10 / 3 % 2"), "13\n");
    assert_eq!(agreed("print (2 + 3) * -4"), "-20\n");
    assert_eq!(agreed("print 1 < 2 print 2 >= 3 print 4 != 4"), "1\n0\n0\n");
    assert_eq!(
        agreed("print 9223372036854775807 + 1"),
        "-9223372036854775808\n"
    );
}

#[test]
fn loops_and_conditions() {
    let text = "i = 0 even = 0
        while i < 100 { if i % 2 == 0 { even = even + i } else if i > 97 { print i } i = i + 1 }
        print even";
    assert_eq!(agreed(text), "99\n2450\n");
}

#[test]
fn a_value_may_be_assigned_to_a_variable_of_its_own_expression() {
    let text = "a = 3 i = 0 while i < 50 { a = (a * 7 + a) % 1000 + (a - 1) i = i + 1 } print a";
    assert_eq!(agreed(text), agreed(&text.replace("(a - 1)", "a - 1")));
}

#[test]
fn errors_name_their_line() {
    let text = "i = 10\nwhile 1 {\n print 100 / i\n i = i - 5\n}";
    assert_eq!(agreed(text), "10\n20\nerror: 3: division by zero\n");
    assert_eq!(agreed("x = 1\nprint y"), "error: 2: `y` has no value\n");
    assert_eq!(
        agreed("while 1 {"),
        "error: 1: expected a statement, found the end\n"
    );
    assert_eq!(agreed("x = 1 ?"), "error: 1: `?` means nothing here\n");
    assert_eq!(
        agreed("x = 99999999999999999999"),
        "error: 1: this integer is too large\n"
    );
    let deep = format!("print {}1", "(".repeat(100_000));
    assert_eq!(agreed(&deep), "error: 1: this is nested too deeply\n");
    let long = format!("print 1{}", " + 1".repeat(100_000));
    assert_eq!(agreed(&long), "error: 1: this is nested too deeply\n");
}
