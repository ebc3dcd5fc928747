//! Limits that keep the cost of a long trace proportional to its length, and what they cost a loop.
//! Beyond a bound a guard lists no more, and nothing is lost: a value beyond it costs its own
//! stores.

use crate::common::{check, optimised};
use expect_test::expect;
use verdigris_opt::Passes;
use verdigris_trace::{Opcode, OptimisedTrace};

fn passes(text: &str) -> Passes {
    Passes::parse(text).expect("known passes")
}

/// This many stores to different items of an array, and a guard behind them.
fn stores(most: &str, count: usize) -> OptimisedTrace {
    let stores: String = (0..count)
        .map(|index| format!("setitem_r(p0, {index}, p1) Stack\n"))
        .collect();
    let text = format!("[p0, p1, i2]\n{stores}guard_true(i2) @ 0:1 r0=p0\nfinish(i2)\n");
    optimised(passes(most), &text).1
}

/// The stores that the trace does before its guard, and those that the guard does.
fn done_and_delayed(trace: &OptimisedTrace) -> (usize, usize) {
    let guard = trace.ops().iter().position(|op| op.opcode().is_guard());
    let guard = guard.expect("the guard stays");
    let is_store = |opcode: Opcode| opcode.name().starts_with("setitem");
    let before = trace.ops().slice(0..guard).iter();
    let done = before.filter(|op| is_store(op.opcode()));
    let resume = trace.ops().at(guard).resume().expect("resume data");
    (done.count(), resume.pending.len())
}

#[test]
fn few_stores_are_all_delayed() {
    for count in [10, 100, 300] {
        assert_eq!(done_and_delayed(&stores("all", count)), (0, count));
    }
}

#[test]
fn a_guard_does_a_bounded_number_of_stores_and_the_trace_the_others() {
    // And a few that wait for a moment only.
    for (text, most) in [
        ("all", 512 + 8),
        ("all+delayed=7", 7 + 3),
        ("all+delayed=0", 0),
    ] {
        for count in [600, 1200] {
            let stores = stores(text, count);
            assert_eq!(done_and_delayed(&stores), (count - most, most));
        }
    }
}

#[test]
fn guards_that_have_listed_much_list_less() {
    // Every store has a guard.
    let listed = |count: usize| {
        let parts = (0..count).map(|n| {
            format!("setitem_r(p0, {n}, p1) Stack\ni{n}9 = int_gt(i2, {n})\nguard_true(i{n}9) @ 0:1 r0=p0\n")
        });
        let parts: String = parts.collect();
        let text = format!("[p0, p1, i2]\n{parts}finish(i2)\n");
        let (_, trace) = optimised(passes("all-guards-strengthen"), &text);
        let guards = trace.exits.values();
        let lists: Vec<usize> = guards
            .filter_map(|exit| Some(exit.resume()?.pending.len()))
            .collect();
        (lists.iter().copied().max(), lists.last().copied())
    };
    assert_eq!(listed(100), (Some(100), Some(100)));
    // 181 guards have listed 181 * 182 / 2 words.
    assert_eq!(listed(200), (Some(181), Some(32)));
    assert_eq!(listed(2000), (Some(181), Some(32)));
}

/// A loop that writes so many registers of a frame, values of three words, in each iteration, and
/// has a guard behind each.
fn registers(count: usize) -> String {
    let parts = (0..count).map(|n| {
        format!(
            "setitem_i(p0, {n}, 1) Unions
            i{n}1 = int_add(i1, {n})
            setitem_i(p0, {n}, i{n}1) Unions#1
            setitem_r(p0, {n}, null) Unions#2
            i{n}2 = int_ne(i1, {n}007)
            guard_true(i{n}2) @ 0:{n} r0=p0 r1=i1\n"
        )
    });
    let parts: String = parts.collect();
    format!("[p0, i1]\n{parts}i3 = int_sub(i1, 1)\njump(p0, i3)\n")
}

/// The stores in the body of a loop.
fn stores_in_body(passes: Passes, text: &str) -> usize {
    let (_, trace) = optimised(passes, text);
    let labels = trace
        .ops()
        .iter()
        .rposition(|op| op.opcode() == Opcode::Label);
    let body = trace.ops().skip_to(labels.expect("a label")).iter();
    body.filter(|op| op.opcode().name().starts_with("set"))
        .count()
}

#[test]
fn a_loop_that_writes_a_hundred_registers_stores_nothing() {
    cov_mark::check_count!(value_does_not_wait, 0);
    for count in [1, 6, 7, 24, 100] {
        assert_eq!(stores_in_body(Passes::all(), &registers(count)), 0);
    }
}

#[test]
fn the_next_register_costs_its_own_stores() {
    for most in [1, 6, 24] {
        let passes = passes(&format!("all+delayed={most}"));
        for more in [0, 1, 2, 10] {
            let text = registers(most + more);
            // Tag and reference are there already in every iteration but the first, and are stored
            // all the same.
            assert_eq!(stores_in_body(passes, &text), 3 * more, "{most}, {more}");
        }
    }
}

#[test]
fn a_register_that_does_not_fit_is_stored_when_it_is_written() {
    cov_mark::check!(value_does_not_wait);
    check(
        passes("all+delayed=1"),
        &registers(2),
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = int_ne(i1, 7)
            guard_true(i2)
              -> [p0, i1]
              p0.Unions[0] = 1
              p0.Unions#1[0] = i1
              p0.Unions#2[0] = null
              @ 0:0 r0=p0 r1=i1
            setitem_i(p0, 0, 1) Unions
            setitem_i(p0, 0, i1) Unions#1
            setitem_r(p0, 0, null) Unions#2
            i3 = int_add(i1, 1)
            i4 = int_ne(i1, 1007)
            guard_true(i4)
              -> [p0, i1, i3]
              p0.Unions[1] = 1
              p0.Unions#1[1] = i3
              p0.Unions#2[1] = null
              @ 0:1 r0=p0 r1=i1
            i5 = int_add(i1, -1)
            jump L1(p0, i5, i3)
            label L1(p6, i7, i8)
            setitem_i(p6, 0, 1) Unions
            setitem_i(p6, 0, i7) Unions#1
            setitem_r(p6, 0, null) Unions#2
            i9 = int_ne(i7, 7)
            guard_true(i9)
              -> [p6, i7, i8]
              p6.Unions[1] = 1
              p6.Unions#1[1] = i8
              p6.Unions#2[1] = null
              @ 0:0 r0=p6 r1=i7
            i10 = int_add(i7, 1)
            i11 = int_ne(i7, 1007)
            guard_true(i11)
              -> [p6, i7, i10]
              p6.Unions[1] = 1
              p6.Unions#1[1] = i10
              p6.Unions#2[1] = null
              @ 0:1 r0=p6 r1=i7
            i12 = int_add(i7, -1)
            jump L1(p6, i12, i10)
        "#]],
    );
}

#[test]
fn objects_are_made_before_the_first_word_of_a_value_is_stored() {
    const RECORDED: &str = "
        [p0, i1]
        guard_true(i1) @ 0:1 r0=p0
        p2 = new() Int
        setfield_i(p2, i1) Int.value
        setitem_i(p0, i1, 3) Unions
        setitem_i(p0, i1, 0) Unions#1
        setitem_r(p0, i1, p2) Unions#2
        p3 = new() Int
        setfield_i(p3, 7) Int.value
        setitem_i(p0, 5, 3) Unions
        setitem_i(p0, 5, 0) Unions#1
        setitem_r(p0, 5, p3) Unions#2
        call(p0) show
        guard_no_panic() @ 0:2 r0=p0
        finish()
        ";
    check(
        Passes::all(),
        RECORDED,
        expect![[r#"
        [p0, i1]
        label L0(p0, i1)
        guard_true(i1)
          -> [p0]
          @ 0:1 r0=p0
        p2 = new() Int
        setfield_i(p2, i1) Int.value
        setitem_i(p0, i1, 3) Unions
        setitem_i(p0, i1, 0) Unions#1
        setitem_r(p0, i1, p2) Unions#2
        p3 = new() Int
        setfield_i(p3, 7) Int.value
        setitem_i(p0, 5, 3) Unions
        setitem_i(p0, 5, 0) Unions#1
        setitem_r(p0, 5, p3) Unions#2
        call(p0) show
        guard_no_panic()
          -> [p0]
          @ 0:2 r0=p0
        finish()
    "#]],
    );
    // Where there is no room to wait, and where no store waits.
    let print = |text: &str| {
        let (descrs, trace) = optimised(passes(text), RECORDED);
        verdigris_trace::print(&descrs, &trace)
    };
    for other in ["all+delayed=0", "all-heap"] {
        assert_eq!(print(other), print("all"), "{other}");
    }
}

#[test]
fn a_word_that_somebody_may_see_brings_the_others() {
    // The tag is loaded through another reference; the item that was written first is stored first,
    // as a whole.
    check(
        Passes::all(),
        "
        [p0, p1, i2]
        setitem_i(p0, 2, 3) Unions
        setitem_i(p0, 2, 0) Unions#1
        p3 = new() Int
        setfield_i(p3, i2) Int.value
        setitem_r(p0, 2, p3) Unions#2
        setitem_i(p1, 2, 1) Unions
        setitem_i(p1, 2, i2) Unions#1
        setitem_r(p1, 2, null) Unions#2
        setitem_i(p0, 4, 0) Unions
        setitem_i(p0, 4, 0) Unions#1
        setitem_r(p0, 4, null) Unions#2
        i4 = getitem_i(p0, 2) Unions
        guard_true(i2) @ 0:2 r0=p0 r1=i4
        finish(i4)
        ",
        expect![[r#"
            [p0, p1, i2]
            label L0(p0, p1, i2)
            p3 = new() Int
            setfield_i(p3, i2) Int.value
            setitem_i(p0, 2, 3) Unions
            setitem_i(p0, 2, 0) Unions#1
            setitem_r(p0, 2, p3) Unions#2
            setitem_i(p1, 2, 1) Unions
            setitem_i(p1, 2, i2) Unions#1
            setitem_r(p1, 2, null) Unions#2
            i4 = getitem_i(p0, 2) Unions
            guard_true(i2)
              -> [p0, i4]
              p0.Unions[4] = 0
              p0.Unions#1[4] = 0
              p0.Unions#2[4] = null
              @ 0:2 r0=p0 r1=i4
            setitem_i(p0, 4, 0) Unions
            setitem_i(p0, 4, 0) Unions#1
            setitem_r(p0, 4, null) Unions#2
            finish(i4)
        "#]],
    );
}
