//! Promotion and virtual structures as the 2007 paper works through them: the code that the paper
//! prints, one case per value, compiled exactly once.
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), sections 2.3 and 2.4.
//! The paper patches a switch; here a case is a guard on a value, and the next case is a bridge
//! from that guard.

use expect_test::expect;
use std::collections::HashMap;
use verdigris_ops::{Descrs, eval};
use verdigris_opt::{Optimised, Optimiser, Passes};
use verdigris_trace::{
    Arg, Opcode, OptimisedTrace, RecordedTrace, parse, parse_descrs, print, verify,
};
use verdigris_traces::NoObjects;

fn descrs() -> Descrs {
    let text = "
        class W_IntObject { intval: int imm }
        fn print(int) opaque
    ";
    parse_descrs(text).expect("the descriptors parse")
}

/// A recorded trace.
fn recorded(descrs: &Descrs, text: &str) -> RecordedTrace {
    let trace = parse(descrs, text).unwrap_or_else(|e| panic!("{e:?}"));
    verify(descrs, &trace).unwrap_or_else(|e| panic!("recorded: {e:?}"));
    trace
}

/// The optimised form of a trace.
fn optimised(passes: Passes, text: &str) -> String {
    let descrs = descrs();
    let trace = recorded(&descrs, text);
    let done = Optimiser::new(passes).optimise_loop(&trace, None, &descrs, &mut NoObjects);
    let done = done.expect("the trace is consistent");
    verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("optimised: {e:?}"));
    print(&descrs, &done.trace)
}

/// The switch of section 2.3 as it grows: `b = a / 10; c = promote(b); d = c + 5; print d`. A case
/// is a guard on a value; the next case is a bridge from it.
struct Switch {
    descrs: Descrs,
    optimiser: Optimiser,
    cases: Vec<Optimised>,
}

/// How a run of one piece of code ended.
enum Ran {
    Printed(i64),
    /// The guard of this number failed with these fail arguments.
    Failed(usize, Vec<u64>),
}

impl Switch {
    /// The code for the first value of `b`.
    fn new(b: i64) -> Switch {
        let descrs = descrs();
        let mut optimiser = Optimiser::new(Passes::all());
        let text = format!("[i0] i1 = int_div(i0, 10) {}", Switch::rest("i1", b));
        let trace = recorded(&descrs, &text);
        let first = optimiser
            .optimise_loop(&trace, None, &descrs, &mut NoObjects)
            .expect("the trace is consistent");
        Switch {
            descrs,
            optimiser,
            cases: vec![first],
        }
    }

    /// What the interpreter does from the promotion on. A guard that fails continues at the
    /// promotion.
    fn rest(name: &str, b: i64) -> String {
        format!(
            "guard_value({name}, {b}) @ 0:1 r0={name}
            i9 = int_add({name}, 5)
            call(i9) print
            guard_no_panic() @ 0:2 r0={name} r1=i9
            finish()"
        )
    }

    /// "`continue_compilation`": one more case, a bridge from a guard of the last one.
    fn grow(&mut self, guard: usize, b: i64) {
        let trace = recorded(&self.descrs, &format!("[i0] {}", Switch::rest("i0", b)));
        let last = self.cases.last().expect("there is a first case");
        let facts = &last.guard_knowledge[guard];
        let case = self
            .optimiser
            .optimise_bridge(&trace, facts, None, &self.descrs, &mut NoObjects)
            .expect("the bridge is consistent");
        self.cases.push(case);
    }

    /// Runs the code for a value of `a`, and compiles what is missing; gives what was printed.
    fn run(&mut self, a: i64) -> i64 {
        let mut inputs = vec![a as u64];
        let mut case = 0;
        loop {
            match run_piece(&self.cases[case].trace, &inputs) {
                Ran::Printed(d) => return d,
                Ran::Failed(guard, fail_args) => {
                    if case + 1 == self.cases.len() {
                        self.grow(guard, fail_args[0] as i64);
                    }
                    inputs = fail_args;
                    case += 1;
                }
            }
        }
    }

    fn text(&self, case: usize) -> String {
        let trace = &self.cases[case].trace;
        verify(&self.descrs, trace).unwrap_or_else(|e| panic!("optimised: {e:?}"));
        print(&self.descrs, trace)
    }
}

/// Executes one piece of straight-line code that prints once.
fn run_piece(trace: &OptimisedTrace, inputs: &[u64]) -> Ran {
    let mut values: HashMap<_, u64> = trace.inputs.iter().copied().zip(inputs.to_vec()).collect();
    let mut printed = None;
    let mut guards = 0;
    for op in trace.ops().iter() {
        let args: Vec<u64> = op
            .args()
            .iter()
            .map(|arg| match arg {
                Arg::Const(c) => c.word(),
                Arg::Ref(v) => values[&v],
            })
            .collect();
        match op.opcode() {
            Opcode::Label | Opcode::Finish | Opcode::GuardNoPanic => {}
            Opcode::GuardValue if args[0] == args[1] => {}
            Opcode::GuardValue => {
                let fail_args = op.fail_args().iter().map(|v| values[v]).collect();
                return Ran::Failed(guards, fail_args);
            }
            Opcode::Call => printed = Some(args[0] as i64),
            Opcode::Data(data) => {
                let word = eval(data, &args).expect("only arithmetic is here");
                values.extend(op.result().map(|v| (v, word)));
            }
            other => panic!("{} is not of this example", other.name()),
        }
        guards += usize::from(op.opcode().is_guard());
    }
    Ran::Printed(printed.expect("the code prints"))
}

#[test]
fn promotion_folds_what_follows_for_each_value() {
    // "Assuming that the first run-time value taken by r1 is, say, 42": the division stays, the
    // addition is folded.
    let mut switch = Switch::new(4);
    assert_eq!(switch.run(42), 9);
    expect![[r#"
        [i0]
        label L0(i0)
        i1 = int_div(i0, 10)
        guard_value(i1, 4)
          -> [i1]
          @ 0:1 r0=i1
        call(9) print
        guard_no_panic()
          -> []
          @ 0:2 r0=4 r1=9
        finish()
    "#]]
    .assert_eq(&switch.text(0));
    // Another value: one more comparison and one more call, and nothing of the division.
    assert_eq!(switch.run(71), 12);
    expect![[r#"
        [i0]
        guard_value(i0, 7)
          -> [i0]
          @ 0:1 r0=i0
        call(12) print
        guard_no_panic()
          -> []
          @ 0:2 r0=7 r1=12
        finish()
    "#]]
    .assert_eq(&switch.text(1));
}

#[test]
fn each_value_is_compiled_exactly_once() {
    let mut switch = Switch::new(4);
    // "This run and all following runs in which r1 is between 40 and 49": one case.
    for a in 40..50 {
        assert_eq!(switch.run(a), 9);
        assert_eq!(switch.cases.len(), 1);
    }
    let mut seen = vec![4];
    let values = [71, 42, -35, 79, 0, 9, -9, 71, -30];
    for a in values.into_iter().chain([i64::MAX, i64::MIN, i64::MAX]) {
        let b = a / 10;
        assert_eq!(switch.run(a), b.wrapping_add(5), "{a}");
        if !seen.contains(&b) {
            seen.push(b);
        }
        assert_eq!(switch.cases.len(), seen.len(), "{a}");
    }
}

/// Section 2.4: on integers, `a + b + c` takes three type checks, not four.
#[test]
fn a_sum_of_three_takes_three_type_checks() {
    let text = "
        [p0, p1, p2]
        guard_class(p0) W_IntObject @ 0:1 r0=p0 r1=p1 r2=p2
        guard_class(p1) W_IntObject @ 0:1 r0=p0 r1=p1 r2=p2
        i3 = getfield_i(p0) W_IntObject.intval
        i4 = getfield_i(p1) W_IntObject.intval
        i5 = int_add(i3, i4)
        p6 = new() W_IntObject
        setfield_i(p6, i5) W_IntObject.intval
        guard_class(p6) W_IntObject @ 0:2 r0=p6 r1=p2
        guard_class(p2) W_IntObject @ 0:2 r0=p6 r1=p2
        i7 = getfield_i(p6) W_IntObject.intval
        i8 = getfield_i(p2) W_IntObject.intval
        i9 = int_add(i7, i8)
        p10 = new() W_IntObject
        setfield_i(p10, i9) W_IntObject.intval
        finish(p10)
    ";
    let virtuals = Passes::parse("virtuals").expect("a pass");
    let result = optimised(Passes::all(), text);
    assert_eq!(optimised(virtuals, text), result);
    expect![[r#"
        [p0, p1, p2]
        label L0(p0, p1, p2)
        guard_class(p0) W_IntObject
          -> [p0, p1, p2]
          @ 0:1 r0=p0 r1=p1 r2=p2
        guard_class(p1) W_IntObject
          -> [p0, p1, p2]
          @ 0:1 r0=p0 r1=p1 r2=p2
        i3 = getfield_i(p0) W_IntObject.intval
        i4 = getfield_i(p1) W_IntObject.intval
        i5 = int_add(i3, i4)
        guard_class(p2) W_IntObject
          -> [p2, i5]
          v0 = W_IntObject{intval: i5}
          @ 0:2 r0=v0 r1=p2
        i6 = getfield_i(p2) W_IntObject.intval
        i7 = int_add(i5, i6)
        p8 = new() W_IntObject
        setfield_i(p8, i7) W_IntObject.intval
        finish(p8)
    "#]]
    .assert_eq(&result);
}
