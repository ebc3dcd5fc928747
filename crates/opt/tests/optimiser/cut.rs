//! Traces that were too long: they end where the recording was cut, and another goes on from there.

use crate::common::straight;
use expect_test::expect;

/// What follows gets objects that are not made, and stores that are not done.
#[test]
fn the_end_is_as_a_guard_that_never_holds() {
    straight(
        "
        [p0, i1]
        p2 = getfield_r(p0) Pair.first
        guard_class(p2) Int @ 0:1 r0=p0 r1=i1
        i3 = getfield_i(p2) Int.value
        i4 = int_add(i3, i1)
        p5 = new() Int
        setfield_i(p5, i4) Int.value
        setfield_r(p0, p5) Pair.first
        leave() @ 0:2 r0=p0 r1=i1
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            p2 = getfield_r(p0) Pair.first
            guard_class(p2) Int
              -> [p0, i1]
              @ 0:1 r0=p0 r1=i1
            i3 = getfield_i(p2) Int.value
            i4 = int_add(i3, i1)
            leave()
              -> [p0, i1, i4]
              v0 = Int{value: i4}
              p0.Pair.first = v0
              @ 0:2 r0=p0 r1=i1
        "#]],
    );
}

/// Nothing of what the trace did not need is done for its end.
#[test]
fn what_the_end_does_not_pass_on_is_dropped() {
    straight(
        "
        [p0, i1]
        i2 = int_mul(i1, 3)
        i3 = int_add(i2, 1)
        p4 = new() Int
        setfield_i(p4, i2) Int.value
        leave() @ 0:2 r0=p0 r1=i3
        ",
        expect![[r#"
            [p0, i1]
            label L0(p0, i1)
            i2 = int_mul(i1, 3)
            i3 = int_add(i2, 1)
            leave()
              -> [p0, i3]
              @ 0:2 r0=p0 r1=i3
        "#]],
    );
}
