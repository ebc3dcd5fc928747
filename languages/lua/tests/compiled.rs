//! What is compiled: in: programs that are hot. Out: the operations of the loops' bodies, and how many loops and bridges there are.
//! Invariant under test: a loop of numbers works in registers, calls included; field access is a guard on the shape and a load.

mod common;

use common::{guest, program};
use expect_test::expect;
use verdigris_testing::compiled;

fn summary(text: &str) -> String {
    let run = compiled(guest(&program(text), &[]), "");
    assert_eq!(run.outcome.error, None);
    run.summary()
}

/// Bodies that are too long to list.
fn digest(text: &str) -> String {
    let run = compiled(guest(&program(text), &[]), "");
    assert_eq!(run.outcome.error, None);
    run.digest()
}

#[test]
fn a_loop_of_integers_works_in_registers() {
    let text = "local s = 0 for i = 1, 20000 do s = s + i end print(s)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn a_loop_of_floats_works_in_registers() {
    let text = "local x = 0.5 for i = 1, 20000 do x = x * 0.5 + 1.5 end print(x)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        float_mul float_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn a_global_that_does_not_change_is_a_constant() {
    let text = "by = 2 local s = 0 for i = 1, 20000 do s = s + by end print(s)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn a_field_is_a_load() {
    let text = "local p = {x = 1, y = 2} for i = 1, 20000 do p.x = p.x + p.y end print(p.x)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn a_method_is_looked_into() {
    let text = "local C = {} C.__index = C
        function C:add(d) self.n = self.n + d end
        local o = setmetatable({n = 0}, C)
        for i = 1, 20000 do o:add(i) end print(o.n)";
    expect![[r#"
        loops 1, other traces 0, bridges 0, aborts 0: operations 29, guards 8, calls 0, new 0, reads 8, writes 2
    "#]]
    .assert_eq(&digest(text));
}

#[test]
fn an_item_is_a_load() {
    let text = "local t, s = {}, 0 for i = 1, 20000 do t[i] = i end for i = 1, 20000 do s = s + t[i] end print(s)";
    expect![[r#"
        loops 2, bridges 0, aborts 0
        int_add uint_lt guard_false int_eq guard_true int_le guard_false setitem_i word_from_int setitem_w int_add int_lt guard_true int_add jump L1
        int_add uint_lt guard_true int_lt guard_true getitem_i getitem_w int_is_zero guard_false guard_value int_from_word int_add int_lt guard_true int_add jump L3
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn a_protected_call_is_looked_into() {
    let text = "local function f(x) return x + 1 end
        local s = 0 for i = 1, 20000 do local ok, v = pcall(f, i) s = s + v end print(s)";
    expect![[r#"
        loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
    "#]]
    .assert_eq(&digest(text));
}
