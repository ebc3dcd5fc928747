//! The steps by which a method is found. In: items and a call. Out: the functions that are reached.
//! Invariant under test: each step is taken where rustc takes it. Another step would reach another
//! function, for which there is an implementation as well.

use expect_test::{Expect, expect};
use verdigris_front::{check_source, print};

/// A type and a trait; the tests implement methods of one name for both.
const ITEMS: &str = "
#[derive(Clone, Copy)] struct Num(i64);
trait Tr { fn m(self) -> i64; }
trait Shared { fn m(&self) -> i64; }
trait Unique { fn m(&mut self) -> i64; }
";

/// What the call of a method in `body` reaches, without the portal; or what is wrong with it.
fn check(items: &str, body: &str, expect: Expect) {
    let text = format!(
        "use verdigris::prelude::*;\n{ITEMS}\n{items}
#[portal]
fn run(x: i64) -> i64 {{
    loop {{
        merge_point!(greens = [], reds = [x]);
        return {body};
    }}
}}
"
    );
    let shown = match check_source(&[("main.rs", &text)]) {
        Ok(program) => print(&program),
        Err(diagnostics) => format!("{diagnostics}\n"),
    };
    let mut in_portal = false;
    let mut rest = String::new();
    for line in shown.lines() {
        in_portal |= line.starts_with("portal ");
        if !in_portal {
            rest += &format!("{line}\n");
        }
        in_portal &= line != "}";
    }
    expect.assert_eq(&rest);
}

#[test]
fn a_value_is_taken_as_it_is_before_a_reference_to_it() {
    check(
        "impl Num { fn m(&self) -> i64 { 1 } } impl Tr for Num { fn m(self) -> i64 { 2 } }",
        "Num(x).m()",
        expect![[r#"
            func Num::m(self: Num) -> i64 {
                2i64
            }
        "#]],
    );
}

#[test]
fn a_shared_reference_comes_before_a_unique_one() {
    check(
        "impl Num { fn m(&mut self) -> i64 { 1 } } impl Shared for Num { fn m(&self) -> i64 { 2 } }",
        "{ let mut n = Num(x); n.m() }",
        expect![[r#"
            func Num::m(self: Num) -> i64 {
                2i64
            }
        "#]],
    );
}

#[test]
fn a_unique_reference_comes_last() {
    check(
        "impl Unique for Num { fn m(&mut self) -> i64 { self.0 += 1; self.0 } }",
        "{ let mut n = Num(x); n.m() }",
        expect![[r#"
            func Num::m(&mut self: Num) -> i64 {
                self.0 = (self.0 + 1i64)
                self.0
            }
        "#]],
    );
}

#[test]
fn a_type_comes_before_traits_at_one_step() {
    check(
        "impl Num { fn m(&self) -> i64 { 1 } } impl Shared for Num { fn m(&self) -> i64 { 2 } }",
        "Num(x).m()",
        expect![[r#"
            func Num::m(self: Num) -> i64 {
                1i64
            }
        "#]],
    );
}

#[test]
fn a_pointer_to_the_heap_is_followed() {
    check(
        "#[gc] struct Thing { n: i64 } impl Shared for Thing { fn m(&self) -> i64 { self.n } }",
        "Gc::new(Thing { n: x }).m()",
        expect![[r#"
            class Thing { n: i } = crate::__vd_class_Thing
            func Thing::m(self: Gc<Thing>) -> i64 {
                self.n
            }
        "#]],
    );
}

#[test]
fn an_array_is_a_slice_too() {
    check(
        "trait First { fn first(&mut self) -> i64; }
         impl First for &[i64; 2] { fn first(&mut self) -> i64 { 9 } }",
        "{ let a = [x, 1]; match a.first() { Some(n) => *n, None => 0 } }",
        expect![[r#"
            error[VD0055]: it is not clear which `first` is meant: [i64; 2]'s own and First
              --> main.rs:14:42
               |
            14 |         return { let a = [x, 1]; match a.first() { Some(n) => *n, None => 0 } };
               |                                          ^^^^^
               |
               = help: write `Trait::first(..)` or `Type::first(..)`
               = note: `verdigris error VD0055` says more
        "#]],
    );
}

#[test]
fn a_parameter_may_stand_for_a_reference() {
    check(
        "trait Any { fn m(self) -> i64; } impl<T: Clone> Any for T { fn m(self) -> i64 { 3 } }
         impl Num { fn m(&self) -> i64 { 1 } }
         fn of(n: &Num) -> i64 { n.m() }",
        "of(&Num(x))",
        expect![[r#"
            func of(n: Num) -> i64 {
                Num::m(n)
            }
            func Num::m(self: Num) -> i64 {
                1i64
            }
        "#]],
    );
    // The same method is found for a value, where it comes before a reference to that.
    check(
        "trait Any { fn m(self) -> i64; } impl<T: Clone> Any for T { fn m(self) -> i64 { 3 } }
         impl Num { fn m(&self) -> i64 { 1 } }
         fn of(n: Num) -> i64 { n.m() }",
        "of(Num(x))",
        expect![[r#"
            func of(n: Num) -> i64 {
                Num::m(n)
            }
            func Num::m(self: Num) -> i64 {
                3i64
            }
        "#]],
    );
}

#[test]
fn a_parameter_has_nothing_of_its_own() {
    check(
        "impl Num { fn m(&self) -> i64 { 1 } } impl Shared for Num { fn m(&self) -> i64 { 2 } }
         fn of<T: Shared>(n: T) -> i64 { n.m() }",
        "of(Num(x))",
        expect![[r#"
            func of::<Num>(n: Num) -> i64 {
                Num::m(n)
            }
            func Num::m(self: Num) -> i64 {
                2i64
            }
        "#]],
    );
}

#[test]
fn two_traits_at_one_step_are_refused() {
    check(
        "trait Other { fn m(&self) -> i64; }
         impl Other for Num { fn m(&self) -> i64 { 1 } } impl Shared for Num { fn m(&self) -> i64 { 2 } }",
        "Num(x).m()",
        expect![[r#"
            error[VD0055]: it is not clear which `m` is meant: Shared and Other
              --> main.rs:14:23
               |
            14 |         return Num(x).m();
               |                       ^
               |
               = help: write `Trait::m(..)` or `Type::m(..)`
               = note: `verdigris error VD0055` says more
        "#]],
    );
}
