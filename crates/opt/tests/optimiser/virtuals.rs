//! Objects that are not made: what goes with them, and what an exit or an escape makes of them.

use crate::common::{check, optimised, straight};
use expect_test::expect;
use verdigris_ops::DataOp;
use verdigris_opt::Passes;
use verdigris_trace::Opcode;

#[test]
fn a_virtual_that_does_not_escape_is_never_made() {
    straight(
        "
        [i0]
        p1 = new() Int
        setfield_i(p1, i0) Int.value
        guard_class(p1) Int @ 0:1 r0=p1
        i2 = getfield_i(p1) Int.value
        i3 = int_gt(i2, 5)
        guard_true(i3) @ 0:2 r0=p1
        finish(i2)
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            i1 = int_gt(i0, 5)
            guard_true(i1)
              -> [i0]
              v0 = Int{value: i0}
              @ 0:2 r0=v0
            finish(i0)
        "#]],
    );
}

#[test]
fn guards_of_virtuals_go_with_the_virtuals() {
    // Allocation removal alone: the class of p1 is known without a check; that of p0 is checked
    // twice, as recorded.
    let virtuals = Passes::parse("virtuals").expect("a pass");
    check(
        virtuals,
        "
        [p0]
        guard_class(p0) Int @ 0:1 r0=p0
        p1 = new() Int
        guard_class(p1) Int @ 0:2 r0=p0 r1=p1
        guard_class(p0) Int @ 0:3 r0=p0 r1=p1
        call(p1) show
        guard_no_panic() @ 0:4 r0=p0 r1=p1
        guard_class(p1) Int @ 0:5 r0=p0 r1=p1
        finish(p0)
        ",
        expect![[r#"
            [p0]
            label L0(p0)
            guard_class(p0) Int
              -> [p0]
              @ 0:1 r0=p0
            guard_class(p0) Int
              -> [p0]
              v0 = Int{}
              @ 0:3 r0=p0 r1=v0
            p1 = new() Int
            call(p1) show
            guard_no_panic()
              -> [p0, p1]
              @ 0:4 r0=p0 r1=p1
            guard_class(p1) Int
              -> [p0, p1]
              @ 0:5 r0=p0 r1=p1
            finish(p0)
        "#]],
    );
}

#[test]
fn fields_are_lifted_in_the_order_of_the_class() {
    straight(
        "
        [p0, i1]
        p2 = new() Node
        setfield_i(p2, i1) Node.value
        setfield_r(p2, p0) Node.next
        finish(p2)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            p2 = new() Node
            setfield_r(p2, p0) Node.next
            setfield_i(p2, i1) Node.value
            finish(p2)
        "#]],
    );
}

#[test]
fn a_cycle_is_lifted_as_a_whole() {
    // Two objects that refer to each other; storing one of them in an object that exists lifts
    // both.
    straight(
        "
        [p0, i1]
        p2 = new() Pair
        p3 = new() Pair
        setfield_r(p2, p3) Pair.first
        setfield_r(p3, p2) Pair.first
        setfield_r(p0, p2) Pair.first
        call() touch
        guard_no_panic() @ 0:1 r0=p0
        finish(p0)
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            p2 = new() Pair
            p3 = new() Pair
            setfield_r(p3, p2) Pair.first
            setfield_r(p2, p3) Pair.first
            setfield_r(p0, p2) Pair.first
            call() touch
            guard_no_panic()
              -> [p0]
              @ 0:1 r0=p0
            finish(p0)
        "#]],
    );
}

#[test]
fn a_cycle_in_an_exit_keeps_its_sharing() {
    straight(
        "
        [i0]
        p1 = new() Pair
        p2 = new() Pair
        setfield_r(p1, p2) Pair.first
        setfield_r(p2, p1) Pair.second
        setfield_r(p2, p2) Pair.first
        guard_true(i0) @ 0:1 r0=p1 r1=p2
        finish()
        ",
        expect![[r#"
            [i0]
            label L0(i0)
            guard_true(i0)
              -> []
              v0 = Pair{first: v1}
              v1 = Pair{first: v1, second: v0}
              @ 0:1 r0=v0 r1=v1
            finish()
        "#]],
    );
}

/// A long list of objects takes no more of the native stack than a short one.
#[test]
fn a_long_list_is_made_on_a_small_stack() {
    const LENGTH: usize = 6000;
    let links = (2..=LENGTH).map(|n| {
        let before = n - 1;
        format!("p{n} = new() Node\nsetfield_r(p{n}, p{before}) Node.next\n")
    });
    let text = format!(
        "[i0]\np1 = new() Node\n{}call(p{LENGTH}) show\nguard_no_panic() @ 0:4 r0=p{LENGTH}\nfinish(i0)",
        links.collect::<String>()
    );
    let made = || {
        let (_, trace) = optimised(Passes::all(), &text);
        let news = (trace.ops().iter()).filter(|op| op.opcode() == Opcode::Data(DataOp::New));
        news.count()
    };
    let count = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(512 << 10);
        let made = thread.spawn_scoped(scope, made).expect("a thread");
        made.join().expect("the list is made")
    });
    assert_eq!(count, LENGTH);
}
