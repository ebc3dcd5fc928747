//! Recorded traces, as text.

use crate::support::jit::panic_text;
use crate::support::{Guest, NoTargets, assemble, on_heap, take_log, unit};
use expect_test::{Expect, expect};
use verdigris_heap::Context;
use verdigris_jitcode::Unit;
use verdigris_ops::Ty;
use verdigris_record::{
    AbortReason, Recorded, Targets, TraceEnd, TraceLimits, trace_bridge, trace_loop,
};
use verdigris_resume::{Stop, blackhole};
use verdigris_trace::{TargetId, print_with};

/// Traces from pc 0 with this accumulator; the objects of the text are the program, its code, the
/// slots.
fn check(program: &str, acc: i64, expected: Expect) {
    check_from(program, 0, acc, &NoTargets, expected);
}

fn check_from(program: &str, pc: u64, acc: i64, targets: &dyn Targets, expected: Expect) {
    on_heap(false, |ctx| {
        let unit = unit();
        let guest = Guest::new(&assemble(program));
        let recorded = trace(ctx, unit, &guest, pc, acc, targets, TraceLimits::default());
        expected.assert_eq(&show(ctx, unit, &guest, recorded));
    });
}

fn trace(
    ctx: *mut Context,
    unit: &Unit,
    guest: &Guest,
    pc: u64,
    acc: i64,
    targets: &dyn Targets,
    limits: TraceLimits,
) -> Recorded {
    // SAFETY: the state is one of the portal's.
    unsafe {
        trace_loop(
            ctx,
            unit,
            &guest.greens(pc),
            &guest.reds(acc, 50),
            targets,
            limits,
        )
    }
}

fn show(ctx: *mut Context, unit: &Unit, guest: &Guest, recorded: Recorded) -> String {
    use verdigris_heap::Word;
    let mut objects = vec![guest.program.to_word(), guest.program.code.to_word()];
    let text = print_with(&unit.descrs, &recorded.trace, &mut objects);
    let end = match recorded.end {
        TraceEnd::Loop { state, cut } => {
            let cut = if cut { "cut, " } else { "" };
            format!(
                "loop: {cut}pc {}, acc {}, fuel {}",
                state[0], state[3] as i64, state[5]
            )
        }
        TraceEnd::JumpTo { target, state } => {
            format!("jump to {target}: pc {}, acc {}", state[0], state[3] as i64)
        }
        TraceEnd::Cut { state } => format!("cut: pc {}, acc {}", state[0], state[3] as i64),
        TraceEnd::Finish(words) => format!("finish {}", words[0] as i64),
        TraceEnd::Panicked(payload) => {
            // The trace of a call that panicked is dropped.
            return format!("panicked: {}\n", panic_text(payload));
        }
        TraceEnd::Aborted { reason, frames, .. } => {
            let at: Vec<String> = frames
                .frames()
                .iter()
                .map(|f| format!("{}:{}", unit.codes[f.code].name, f.pc.0))
                .collect();
            let at = at.join(" ");
            // SAFETY: the frames are those of the tracer.
            let stop = match unsafe { blackhole(ctx, unit, frames, &()) } {
                Stop::Panic(payload) => panic_text(payload),
                Stop::Return(words) => format!("return {}", words[0] as i64),
                Stop::MergePoint(state) => format!("merge point {}", state[0]),
                Stop::Exhausted => "exhausted".to_owned(),
            };
            return format!("aborted at {at}: {}; then {stop}\n", reason.name());
        }
        TraceEnd::Exhausted => "exhausted".to_owned(),
        TraceEnd::Lost => "lost".to_owned(),
    };
    format!("{text}{end}\n")
}

#[test]
fn the_dispatch_vanishes_from_a_straight_loop() {
    check(
        "fadd 0\n mask 255\n jump 0",
        9,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            f4 = int_to_float(i1)
            f5 = float_add(f2, f4)
            f6 = float_mul(f5, 0.5)
            merge_point(2, ref(0))
            i7 = int_and(i1, 255)
            merge_point(4, ref(0))
            guard_true(i7)
              @ 0:30 r0=6 r1=ref(0) r2=p0 r3=i7 r4=f6 r5=i3 r11=0
            i8 = int_sub(i3, 1)
            i9 = int_gt(i8, 0)
            guard_true(i9)
              @ 0:36 r0=0 r1=ref(0) r2=p0 r3=i7 r4=f6 r5=i8 r12=i9
            close(p0, i7, f6, i8)
            loop: pc 0, acc 9, fuel 49
        "#]],
    );
}

#[test]
fn calls_are_inlined_and_classes_guarded() {
    check(
        "add 0\n bump 2\n add 2\n jump 0",
        1,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            p4 = getitem_r(p0, 0) Slots
            guard_class(p4) Int
              @ 1:1 r0=p4 | 0:12 r0=2 r1=ref(0) r2=p0 r3=i1 r4=f2 r5=i3
            i5 = getfield_i(p4) Int.value
            i6 = int_add(i1, i5)
            merge_point(2, ref(0))
            p7 = getitem_r(p0, 2) Slots
            guard_class(p7) MutBox
              @ 2:1 r0=p0 r1=2 r2=i6 r3=p7 | 0:28 r0=4 r1=ref(0) r2=p0 r3=i6 r4=f2 r5=i3
            i8 = getfield_i(p7) MutBox.value
            i9 = int_add(i8, i6)
            setfield_i(p7, i9) MutBox.value
            merge_point(4, ref(0))
            i10 = int_add(i6, i9)
            merge_point(6, ref(0))
            guard_true(i10)
              @ 0:30 r0=8 r1=ref(0) r2=p0 r3=i10 r4=f2 r5=i3 r11=0
            i11 = int_sub(i3, 1)
            i12 = int_gt(i11, 0)
            guard_true(i12)
              @ 0:36 r0=0 r1=ref(0) r2=p0 r3=i10 r4=f2 r5=i11 r12=i12
            close(p0, i10, f2, i11)
            loop: pc 0, acc 13, fuel 49
        "#]],
    );
}

#[test]
fn new_objects_have_known_classes() {
    check(
        "store 1\n add 0\n storebox 1\n jump 0",
        1,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            p4 = new() Int
            setfield_i(p4, i1) Int.value
            setitem_r(p0, 1, p4) Slots
            merge_point(2, ref(0))
            p5 = getitem_r(p0, 0) Slots
            guard_class(p5) Int
              @ 1:1 r0=p5 | 0:12 r0=4 r1=ref(0) r2=p0 r3=i1 r4=f2 r5=i3
            i6 = getfield_i(p5) Int.value
            i7 = int_add(i1, i6)
            merge_point(4, ref(0))
            p8 = new() MutBox
            setfield_i(p8, i7) MutBox.value
            setfield_r(p8, p4) MutBox.other
            setitem_r(p0, 1, p8) Slots
            merge_point(6, ref(0))
            guard_true(i7)
              @ 0:30 r0=8 r1=ref(0) r2=p0 r3=i7 r4=f2 r5=i3 r11=0
            i9 = int_sub(i3, 1)
            i10 = int_gt(i9, 0)
            guard_true(i10)
              @ 0:36 r0=0 r1=ref(0) r2=p0 r3=i7 r4=f2 r5=i9 r12=i10
            guard_not_exhausted()
              @ 0:0 r0=0 r1=ref(0) r2=p0 r3=i7 r4=f2 r5=i9
            close(p0, i7, f2, i9)
            loop: pc 0, acc 4, fuel 49
        "#]],
    );
}

#[test]
fn a_promoted_value_is_a_constant_wherever_it_is() {
    check(
        "mask 3\n promote 0\n mix 5\n classify 0\n jump 0",
        6,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            i4 = int_and(i1, 3)
            merge_point(2, ref(0))
            guard_value(i4, 2)
              @ 0:56 r0=4 r1=ref(0) r2=p0 r3=i4 r4=f2 r5=i3
            merge_point(4, ref(0))
            merge_point(6, ref(0))
            merge_point(8, ref(0))
            i5 = int_sub(i3, 1)
            i6 = int_gt(i5, 0)
            guard_true(i6)
              @ 0:36 r0=0 r1=ref(0) r2=p0 r3=56 r4=f2 r5=i5 r12=i6
            close(p0, 56, f2, i5)
            loop: pc 0, acc 56, fuel 49
        "#]],
    );
}

#[test]
fn what_is_immutable_in_a_promoted_object_folds() {
    check(
        "fix 3\n fix 2\n jump 0",
        1,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            p4 = getitem_r(p0, 3) Slots
            guard_value(p4, ref(2))
              @ 0:83 r0=2 r1=ref(0) r2=p0 r3=i1 r4=f2 r5=i3 r14=p4
            i5 = int_add(i1, -1)
            merge_point(2, ref(0))
            p6 = getitem_r(p0, 2) Slots
            guard_value(p6, ref(3))
              @ 0:83 r0=4 r1=ref(0) r2=p0 r3=i5 r4=f2 r5=i3 r14=p6
            p7 = getfield_r(ref(3)) MutBox.other
            i8 = ptr_eq(p7, null)
            i9 = getfield_i(ref(3)) MutBox.value
            i10 = int_add(i9, i8)
            i11 = int_add(i5, i10)
            merge_point(4, ref(0))
            guard_true(i11)
              @ 0:30 r0=6 r1=ref(0) r2=p0 r3=i11 r4=f2 r5=i3 r11=0
            i12 = int_sub(i3, 1)
            i13 = int_gt(i12, 0)
            guard_true(i13)
              @ 0:36 r0=0 r1=ref(0) r2=p0 r3=i11 r4=f2 r5=i12 r12=i13
            close(p0, i11, f2, i12)
            loop: pc 0, acc 6, fuel 49
        "#]],
    );
}

#[test]
fn switches_guard_the_case_or_exclude_all() {
    check(
        "classify 0\n jump 0",
        5,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            guard_value(i1, 5)
              @ 3:0 r0=i1 | 0:66 r0=2 r1=ref(0) r2=p0 r4=f2 r5=i3
            merge_point(2, ref(0))
            i4 = int_sub(i3, 1)
            i5 = int_gt(i4, 0)
            guard_true(i5)
              @ 0:36 r0=0 r1=ref(0) r2=p0 r3=25 r4=f2 r5=i4 r12=i5
            close(p0, 25, f2, i4)
            loop: pc 0, acc 25, fuel 49
        "#]],
    );
    check(
        "classify 0\n jump 0",
        -7,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            i4 = int_eq(i1, -1)
            guard_false(i4)
              @ 3:0 r0=i1 | 0:66 r0=2 r1=ref(0) r2=p0 r4=f2 r5=i3
            i5 = int_eq(i1, 0)
            guard_false(i5)
              @ 3:0 r0=i1 | 0:66 r0=2 r1=ref(0) r2=p0 r4=f2 r5=i3
            i6 = int_eq(i1, 5)
            guard_false(i6)
              @ 3:0 r0=i1 | 0:66 r0=2 r1=ref(0) r2=p0 r4=f2 r5=i3
            i7 = int_lt(i1, 0)
            guard_true(i7)
              @ 3:6 r0=i1 r1=i7 | 0:66 r0=2 r1=ref(0) r2=p0 r4=f2 r5=i3
            i8 = int_neg(i1)
            merge_point(2, ref(0))
            guard_true(i8)
              @ 0:30 r0=4 r1=ref(0) r2=p0 r3=i8 r4=f2 r5=i3 r11=0
            i9 = int_sub(i3, 1)
            i10 = int_gt(i9, 0)
            guard_true(i10)
              @ 0:36 r0=0 r1=ref(0) r2=p0 r3=i8 r4=f2 r5=i9 r12=i10
            close(p0, i8, f2, i9)
            loop: pc 0, acc 7, fuel 49
        "#]],
    );
}

#[test]
fn residual_calls_are_followed_by_a_guard() {
    check(
        "mask 15\n log 2\n observe 2\n mix 9\n jump 0",
        6,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            i4 = int_and(i1, 15)
            merge_point(2, ref(0))
            i5 = call(i4, 2) log
            guard_no_panic()
              @ 0:53 r0=4 r1=ref(0) r2=p0 r3=i5 r4=f2 r5=i3
            merge_point(4, ref(0))
            p6 = getitem_r(p0, 2) Slots
            call(p6) observe
            guard_no_panic()
              @ 0:74 r0=6 r1=ref(0) r2=p0 r3=i5 r4=f2 r5=i3
            merge_point(6, ref(0))
            i7 = call(i5, 9) mix
            guard_no_panic()
              @ 0:55 r0=8 r1=ref(0) r2=p0 r3=i7 r4=f2 r5=i3
            merge_point(8, ref(0))
            guard_true(i7)
              @ 0:30 r0=10 r1=ref(0) r2=p0 r3=i7 r4=f2 r5=i3 r11=0
            i8 = int_sub(i3, 1)
            i9 = int_gt(i8, 0)
            guard_true(i9)
              @ 0:36 r0=0 r1=ref(0) r2=p0 r3=i7 r4=f2 r5=i8 r12=i9
            close(p0, i7, f2, i8)
            loop: pc 0, acc 232, fuel 49
        "#]],
    );
}

#[test]
fn recursion_is_inlined() {
    check(
        "mask 255\n rec 0\n jump 0",
        2,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            i4 = int_and(i1, 255)
            merge_point(2, ref(0))
            i5 = int_and(i4, 7)
            guard_true(i5)
              @ 4:0 r0=i5 | 0:69 r0=4 r1=ref(0) r2=p0 r3=i4 r4=f2 r5=i3
            i6 = int_sub(i5, 1)
            guard_true(i6)
              @ 4:0 r0=i6 | 4:2 r0=i5 | 0:69 r0=4 r1=ref(0) r2=p0 r3=i4 r4=f2 r5=i3
            i7 = int_sub(i6, 1)
            guard_false(i7)
              @ 4:0 r0=i7 | 4:2 r0=i6 | 4:2 r0=i5 | 0:69 r0=4 r1=ref(0) r2=p0 r3=i4 r4=f2 r5=i3
            i8 = int_add(i6, 0)
            i9 = int_add(i5, i8)
            i10 = int_add(i4, i9)
            merge_point(4, ref(0))
            guard_true(i10)
              @ 0:30 r0=6 r1=ref(0) r2=p0 r3=i10 r4=f2 r5=i3 r11=0
            i11 = int_sub(i3, 1)
            i12 = int_gt(i11, 0)
            guard_true(i12)
              @ 0:36 r0=0 r1=ref(0) r2=p0 r3=i10 r4=f2 r5=i11 r12=i12
            close(p0, i10, f2, i11)
            loop: pc 0, acc 5, fuel 49
        "#]],
    );
}

#[test]
fn the_trace_may_run_to_the_end() {
    check(
        "sub 3\n div 3\n ret",
        1,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            p4 = getitem_r(p0, 3) Slots
            guard_class(p4) Int
              @ 1:1 r0=p4 | 0:15 r0=2 r1=ref(0) r2=p0 r3=i1 r4=f2 r5=i3
            i5 = getfield_i(p4) Int.value
            i6 = int_sub(i1, i5)
            merge_point(2, ref(0))
            guard_true(i5)
              @ 0:44 r0=4 r1=ref(0) r2=p0 r3=i6 r4=f2 r5=i3 r12=i5
            i7 = int_eq(i5, -1)
            guard_true(i7)
              @ 0:46 r0=4 r1=ref(0) r2=p0 r3=i6 r4=f2 r5=i3 r7=i7 r12=i5
            i8 = int_eq(i6, -9223372036854775808)
            guard_false(i8)
              @ 0:48 r0=4 r1=ref(0) r2=p0 r3=i6 r4=f2 r5=i3 r7=i8 r12=i5
            i9 = int_div(i6, i5)
            merge_point(4, ref(0))
            finish(i9)
            finish -2
        "#]],
    );
}

#[test]
fn an_inner_loop_is_cut_out() {
    // The inner loop, at pc 4, counts down; the outer one starts at 0.
    check(
        "promote 0\n storebox 1\n store 0\n add 3\n jump 4\n const 3\n jump 0",
        3,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(4, ref(0))
            p4 = new() Int
            setfield_i(p4, i1) Int.value
            setitem_r(p0, 0, p4) Slots
            merge_point(6, ref(0))
            p5 = getitem_r(p0, 3) Slots
            guard_class(p5) Int
              @ 1:1 r0=p5 | 0:12 r0=8 r1=ref(0) r2=p0 r3=i1 r4=f2 r5=i3
            i6 = getfield_i(p5) Int.value
            i7 = int_add(i1, i6)
            merge_point(8, ref(0))
            guard_true(i7)
              @ 0:30 r0=10 r1=ref(0) r2=p0 r3=i7 r4=f2 r5=i3 r11=4
            i8 = int_sub(i3, 1)
            i9 = int_gt(i8, 0)
            guard_true(i9)
              @ 0:36 r0=4 r1=ref(0) r2=p0 r3=i7 r4=f2 r5=i8 r12=i9
            guard_not_exhausted()
              @ 0:0 r0=4 r1=ref(0) r2=p0 r3=i7 r4=f2 r5=i8
            close(p0, i7, f2, i8)
            loop: cut, pc 4, acc 1, fuel 48
        "#]],
    );
}

#[test]
fn a_header_met_once_leaves_nothing_behind() {
    // The inner loop is run through once, with an accumulator that is a constant at its header.
    check(
        "mask 1\n promote 0\n add 3\n jump 2\n const 1\n jump 0",
        2,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(2, ref(0))
            guard_value(i1, -1)
              @ 0:56 r0=4 r1=ref(0) r2=p0 r3=i1 r4=f2 r5=i3
            merge_point(4, ref(0))
            p4 = getitem_r(p0, 3) Slots
            guard_class(p4) Int
              @ 1:1 r0=p4 | 0:12 r0=6 r1=ref(0) r2=p0 r3=-1 r4=f2 r5=i3
            i5 = getfield_i(p4) Int.value
            i6 = int_add(-1, i5)
            merge_point(6, ref(0))
            guard_true(i6)
              @ 0:30 r0=8 r1=ref(0) r2=p0 r3=i6 r4=f2 r5=i3 r11=2
            i7 = int_sub(i3, 1)
            i8 = int_gt(i7, 0)
            guard_true(i8)
              @ 0:36 r0=2 r1=ref(0) r2=p0 r3=i6 r4=f2 r5=i7 r12=i8
            close(p0, i6, f2, i7)
            loop: cut, pc 2, acc -2, fuel 48
        "#]],
    );
    check(
        "const 1\n promote 0\n add 3\n jump 14\n const 7\n jump 6\n ret\n jump 0\n const 1\n jump 0",
        2,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            merge_point(2, ref(0))
            merge_point(4, ref(0))
            p4 = getitem_r(p0, 3) Slots
            guard_class(p4) Int
              @ 1:1 r0=p4 | 0:12 r0=6 r1=ref(0) r2=p0 r3=1 r4=f2 r5=i3
            i5 = getfield_i(p4) Int.value
            i6 = int_add(1, i5)
            merge_point(6, ref(0))
            guard_false(i6)
              @ 0:30 r0=8 r1=ref(0) r2=p0 r3=i6 r4=f2 r5=i3 r11=14
            merge_point(8, ref(0))
            merge_point(10, ref(0))
            i7 = int_sub(i3, 1)
            i8 = int_gt(i7, 0)
            guard_true(i8)
              @ 0:36 r0=6 r1=ref(0) r2=p0 r3=7 r4=f2 r5=i7 r12=i8
            merge_point(6, ref(0))
            merge_point(14, ref(0))
            i9 = int_sub(i7, 1)
            i10 = int_gt(i9, 0)
            guard_true(i10)
              @ 0:36 r0=0 r1=ref(0) r2=p0 r3=7 r4=f2 r5=i9 r12=i10
            close(p0, 7, f2, i9)
            loop: pc 0, acc 7, fuel 48
        "#]],
    );
}

#[test]
fn computed_jumps_promote_the_green() {
    check(
        "mask 2\n cjump 0\n ret",
        4,
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            i4 = int_and(i1, 2)
            merge_point(2, ref(0))
            i5 = int_and(i4, 3)
            i6 = int_shl(i5, 1)
            i7 = int_add(0, i6)
            i8 = int_sub(i3, 1)
            i9 = int_gt(i8, 0)
            guard_true(i9)
              @ 0:36 r0=i7 r1=ref(0) r2=p0 r3=i4 r4=f2 r5=i8 r12=i9
            guard_value(i7, 0)
              @ 0:0 r0=i7 r1=ref(0) r2=p0 r3=i4 r4=f2 r5=i8
            close(p0, i4, f2, i8)
            loop: pc 0, acc 0, fuel 49
        "#]],
    );
}

struct OneTarget(Vec<u64>);

impl Targets for OneTarget {
    fn lookup(&self, greens: &[u64]) -> Option<TargetId> {
        (greens[0] == self.0[0]).then(|| TargetId::from_u32(7))
    }
}

#[test]
fn a_compiled_loop_is_jumped_to() {
    let program = "mask 7\n jump 6\n ret\n const 2\n jump 6";
    check_from(
        program,
        0,
        12,
        &OneTarget(vec![6]),
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            i4 = int_and(i1, 7)
            merge_point(2, ref(0))
            guard_true(i4)
              @ 0:30 r0=4 r1=ref(0) r2=p0 r3=i4 r4=f2 r5=i3 r11=6
            merge_point(6, ref(0))
            merge_point(8, ref(0))
            i5 = int_sub(i3, 1)
            i6 = int_gt(i5, 0)
            guard_true(i6)
              @ 0:36 r0=6 r1=ref(0) r2=p0 r3=2 r4=f2 r5=i5 r12=i6
            jump L7(p0, 2, f2, i5)
              @ 0:0 r0=6 r1=ref(0) r2=p0 r3=2 r4=f2 r5=i5
            jump to L7: pc 6, acc 2
        "#]],
    );
}

struct OneSegment(OneTarget);

impl Targets for OneSegment {
    fn lookup(&self, _: &[u64]) -> Option<TargetId> {
        None
    }

    fn segment(&self, greens: &[u64]) -> Option<TargetId> {
        self.0.lookup(greens)
    }
}

/// A trace ends where another one goes on that was cut, although that is no loop's header; unless
/// traces are not cut.
#[test]
fn a_segment_is_joined_in_passing() {
    let end = |cut_traces| {
        on_heap(false, |ctx| {
            let program = assemble("fadd 0\n fadd 0\n mask 255\n jump 0");
            let (unit, guest) = (unit(), Guest::new(&program));
            let limits = TraceLimits {
                cut_traces,
                ..TraceLimits::default()
            };
            let segment = OneSegment(OneTarget(vec![4]));
            let recorded = trace(ctx, unit, &guest, 0, 9, &segment, limits);
            let text = show(ctx, unit, &guest, recorded);
            text.lines()
                .last()
                .expect("it says how it ends")
                .to_string()
        })
    };
    expect!["jump to L7: pc 4, acc 9"].assert_eq(&end(true));
    expect!["loop: pc 0, acc 9, fuel 49"].assert_eq(&end(false));
}

#[test]
fn panics_end_the_trace() {
    take_log();
    for (program, acc, end) in [
        ("log 0", 7, "panicked: panic the log does not like 7"),
        ("const 3\n mix 7", 0, "panicked: panic mixed up"),
        (
            "div 1",
            7,
            "aborted at run:80: panic in traced code; then panic attempt to divide by zero",
        ),
        (
            "const 1",
            7,
            "aborted at run:79: panic in traced code; then panic index out of bounds: \
             the len is 2 but the index is 2",
        ),
    ] {
        on_heap(false, |ctx| {
            let (unit, guest) = (unit(), Guest::new(&assemble(program)));
            let limits = TraceLimits::default();
            let recorded = trace(ctx, unit, &guest, 0, acc, &NoTargets, limits);
            assert_eq!(show(ctx, unit, &guest, recorded).trim_end(), end);
        });
    }
}

#[test]
fn limits_end_the_trace() {
    on_heap(false, |ctx| {
        let unit = unit();
        let program = "rec 0\n fadd 0\n fadd 0\n jump 0";
        type Limit = fn(&mut TraceLimits) -> &mut usize;
        let cases: [(Limit, usize, AbortReason); 4] = [
            (|l| &mut l.trace_limit, 5, AbortReason::TraceTooLong),
            (|l| &mut l.step_limit, 9, AbortReason::TooManySteps),
            (|l| &mut l.depth_limit, 2, AbortReason::TooDeep),
            (|l| &mut l.live_limit, 4, AbortReason::TooManyLiveValues),
        ];
        for (limit, most, expected) in cases {
            let mut limits = TraceLimits::default();
            *limit(&mut limits) = most;
            let guest = Guest::new(&assemble(program));
            match trace(ctx, unit, &guest, 0, 1, &NoTargets, limits).end {
                TraceEnd::Aborted { reason, frames, .. } => {
                    assert_eq!(reason, expected);
                    // The program goes on.
                    // SAFETY: the frames are those of the tracer.
                    let stop = unsafe { blackhole(ctx, unit, frames, &()) };
                    assert!(matches!(stop, Stop::MergePoint(_)));
                }
                _ => panic!("the trace should not end"),
            }
        }
    });
}

/// A trace that is too long ends at the next merge point, where the program goes on.
#[test]
fn a_trace_that_is_too_long_is_cut() {
    on_heap(false, |ctx| {
        let (unit, guest) = (
            unit(),
            Guest::new(&assemble("fadd 0\n fadd 0\n mask 255\n jump 0")),
        );
        let limits = TraceLimits {
            trace_limit: 4,
            cut_traces: true,
            ..TraceLimits::default()
        };
        let recorded = trace(ctx, unit, &guest, 0, 9, &NoTargets, limits);
        expect![[r#"
            [p0, i1, f2, i3]
            merge_point(0, ref(0))
            f4 = int_to_float(i1)
            f5 = float_add(f2, f4)
            f6 = float_mul(f5, 0.5)
            merge_point(2, ref(0))
            f7 = float_add(f6, f4)
            f8 = float_mul(f7, 0.5)
            leave()
              @ 0:0 r0=4 r1=ref(0) r2=p0 r3=i1 r4=f8 r5=i3
            cut: pc 4, acc 9
        "#]]
        .assert_eq(&show(ctx, unit, &guest, recorded));
    });
}

#[test]
fn bridges_make_virtuals_and_do_delayed_stores_first() {
    on_heap(true, |ctx| {
        use verdigris_heap::Word;
        let unit = unit();
        let guest = Guest::new(&assemble("add 1\n bump 2\n const 1\n jump 0"));
        // In `get`, at the class switch, with a virtual box in it; the box and an object are yet to
        // be stored.
        let text = "[p0, i1] guard_true(i1) -> [p0, i1]
            v0 = MutBox{value: i1, other: v1}
            v1 = Int{value: i1}
            p0.Slots[1] = v0
            v0.MutBox.value = 9
            @ 1:1 r0=v0 | 0:12 r0=2 r1=ref(0) r2=p0 r3=i1 r4=2.0 r5=5 finish()";
        let program = guest.program.to_word();
        let trace: verdigris_trace::OptimisedTrace =
            verdigris_trace::parse_with(&unit.descrs, text, &[program]).unwrap();
        verdigris_trace::verify(&unit.descrs, &trace).unwrap();
        let resume = trace.ops().at(0).resume().unwrap();
        let exit = [guest.slots.to_word(), 30];
        // SAFETY: the resume data is written for this unit.
        let recorded = unsafe {
            let types = [Ty::Ref, Ty::Int];
            trace_bridge(
                ctx,
                unit,
                resume,
                &types,
                &exit,
                &OneTarget(vec![0]),
                TraceLimits::default(),
            )
        };
        expect![[r#"
            [p0, i1]
            p2 = new() MutBox
            p3 = new() Int
            setfield_i(p2, i1) MutBox.value
            setfield_r(p2, p3) MutBox.other
            setfield_i(p3, i1) Int.value
            setitem_r(p0, 1, p2) Slots
            setfield_i(p2, 9) MutBox.value
            i4 = int_add(i1, 9)
            merge_point(2, ref(0))
            p5 = getitem_r(p0, 2) Slots
            guard_class(p5) MutBox
              @ 2:1 r0=p0 r1=2 r2=i4 r3=p5 | 0:28 r0=4 r1=ref(0) r2=p0 r3=i4 r4=2.0 r5=5
            i6 = getfield_i(p5) MutBox.value
            i7 = int_add(i6, i4)
            setfield_i(p5, i7) MutBox.value
            merge_point(4, ref(0))
            merge_point(6, ref(0))
            guard_not_exhausted()
              @ 0:0 r0=0 r1=ref(0) r2=p0 r3=1 r4=2.0 r5=4
            jump L7(p0, 1, 2.0, 4)
              @ 0:0 r0=0 r1=ref(0) r2=p0 r3=1 r4=2.0 r5=4
            jump to L7: pc 0, acc 1
        "#]]
        .assert_eq(&show(ctx, unit, &guest, recorded));
        expect!["3 [9 30] [44 null] -1"].assert_eq(&guest.show());
    });
}
