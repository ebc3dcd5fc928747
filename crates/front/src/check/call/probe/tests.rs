//! The steps by which a method is found. In: items and a call. Out: the functions that are reached.
//! Invariant under test: each step is taken where rustc takes it; a mark in the front end says that
//! it was that step and no other.

use crate::print;
use crate::program::check_source_here;
use expect_test::{Expect, expect};

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
    let shown = match check_source_here(&[("main.rs", &text)]) {
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
    cov_mark::check!(receiver_is_taken_as_it_is);
    cov_mark::check_count!(shared_reference_is_added, 0);
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
    cov_mark::check!(shared_reference_is_added);
    cov_mark::check_count!(unique_reference_is_added, 0);
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
    cov_mark::check!(unique_reference_is_added);
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
    cov_mark::check!(own_method_before_those_of_traits);
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
    cov_mark::check!(pointer_is_followed);
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
    cov_mark::check!(array_becomes_a_slice);
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
    cov_mark::check!(parameter_may_stand_for_a_reference);
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
}

#[test]
fn a_parameter_has_nothing_of_its_own() {
    cov_mark::check!(parameter_has_nothing_of_its_own);
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
    cov_mark::check!(method_is_not_clear);
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
