//! Random well-typed traces with guards, loops and bridges. All backends leave at the same guards
//! with the same words and the same heap.

mod builder;
mod threaded_code;

use crate::vm::{Vm, check_all};
use builder::{Builder, Choices, EDGES, FLOATS, PARAMS};
use verdigris_backend::CodeExit;
use verdigris_heap::{HeapOptions, Stress};
use verdigris_ops::Ty;
use verdigris_trace::{
    Arg, Descr, GuardId, OnFailure, Opcode, OptimisedOp, OptimisedTrace, TargetId, ValRef,
};

/// A loop: one label, or two of which the first leads to the second. Also answers the guards that
/// test the fuel.
fn random_loop(
    vm: &Vm,
    choices: &mut Choices<'_>,
    guards: &mut u32,
    target: u32,
) -> (OptimisedTrace, Vec<u32>) {
    let mut b = Builder::new(vm, choices, guards);
    let sections = 1 + b.choices.below(2) as u32;
    for section in 0..sections {
        let defs: Vec<ValRef> = PARAMS.iter().map(|&ty| b.trace.value(ty)).collect();
        let less = b.begin_section(target + section, &defs, &[]);
        if section == 0 {
            b.trace.inputs = defs;
        }
        let len = 3 + b.choices.below(30);
        b.body(len);
        match b.choices.below(8) {
            0 if section + 1 == sections => {
                let value = b.int();
                b.trace.push(Opcode::Finish, &[value], Descr::None);
            }
            // Sometimes back to the first section, which is another function.
            1 => b.jump(target, Arg::Ref(less)),
            _ => b.jump(target + sections - 1, Arg::Ref(less)),
        }
    }
    (b.trace, b.last_guards)
}

/// A bridge that starts with the fail arguments of a guard, which have these types.
fn random_bridge(
    vm: &Vm,
    choices: &mut Choices<'_>,
    guards: &mut u32,
    types: &[Ty],
    targets: &[u32],
) -> OptimisedTrace {
    let mut b = Builder::new(vm, choices, guards);
    for (n, &ty) in types.iter().enumerate() {
        let value = b.trace.value(ty);
        b.trace.inputs.push(value);
        match (ty, n) {
            (Ty::Int, _) => b.ints.push(value),
            (Ty::Float, _) => b.floats.push(value),
            // The first four are an integer, a float, a node and an array.
            (Ty::Ref, 2) => b.nodes.push(value),
            (Ty::Ref, 3) => b.arrays.push(value),
            (Ty::Ref, _) => b.loose.push(value),
            (Ty::Word, _) => b.words.push((value, Ty::Int)),
        }
    }
    let fuel = b.ints[0];
    b.fuel = Some(fuel);
    // Some do nothing but leave again.
    let len = b.choices.below(21);
    b.body(len);
    match b.choices.below(6) {
        0 => b.guard_on(Opcode::Leave, &[], Descr::None),
        3.. if !targets.is_empty() => {
            let target = b.choices.pick(targets);
            b.jump(target, Arg::Ref(fuel));
        }
        _ => {
            let value = b.int();
            b.trace.push(Opcode::Finish, &[value], Descr::None);
        }
    }
    b.trace
}

/// Makes what is behind some guards of a trace a part of it. Adds the guards that must not lead
/// back to those that are known.
fn grow_region(
    vm: &Vm,
    choices: &mut Choices<'_>,
    guards: &mut u32,
    trace: &mut OptimisedTrace,
    targets: &[u32],
    last_guards: &mut Vec<u32>,
) {
    for side in 0..choices.below(4) as u32 {
        let can_have_side = |op: &OptimisedOp<'_>| {
            op.guard().is_some()
                && op.opcode().failing() == Some(OnFailure::Bridge)
                && op.opcode() != Opcode::Leave
        };
        let open: Vec<OptimisedOp<'_>> = trace.ops().iter().filter(can_have_side).collect();
        let Some(&guard) = open.get(choices.below(open.len().max(1))) else {
            return;
        };
        let id = guard.guard().map_or(0, GuardId::as_u32);
        let types: Vec<Ty> = guard.fail_args().iter().map(|&v| trace.types[v]).collect();
        let is_last = last_guards.contains(&id);
        let back = if is_last { &[] } else { targets };
        let first = *guards;
        let exit = guard.exit_id();
        let bridge = random_bridge(vm, choices, guards, &types, back);
        if is_last {
            last_guards.extend(first..*guards);
        }
        let label = targets.first().copied().unwrap_or(0) + SIDES + side;
        trace.absorb(
            exit.expect("it is a guard"),
            TargetId::from_u32(label),
            bridge,
        );
    }
}

/// The labels of sides have numbers from this one on, counted from their trace's first.
const SIDES: u32 = 1000;

/// How often a scenario enters compiled code.
const ROUNDS: usize = 8;

fn scenario(vm: &mut Vm, words: &[u32]) {
    let mut choices = Choices::new(words);
    let mut guards = 0;
    if choices.below(4) == 0 {
        vm.backend.force_guard_failures();
    }
    let (mut targets, mut last_guards) = (Vec::new(), Vec::new());
    for n in 0..1 + choices.below(2) as u32 {
        let (mut trace, mut last) = random_loop(vm, &mut choices, &mut guards, 10 * n);
        let labels = trace.ops().iter().filter(|op| op.opcode() == Opcode::Label);
        let own: Vec<u32> = labels.map(|op| op.label().as_u32()).collect();
        grow_region(vm, &mut choices, &mut guards, &mut trace, &own, &mut last);
        verdigris_trace::verify(&vm.descrs, &trace).unwrap();
        vm.compile_trace(&trace).unwrap();
        targets.extend(own);
        last_guards.extend(last);
    }
    for _ in 0..ROUNDS {
        let entry = choices.pick(&targets);
        let exit = enter_with_random_arguments(vm, &mut choices, entry);
        let CodeExit::Guard(guard) = exit else {
            continue;
        };
        let back = match last_guards.contains(&guard.as_u32()) {
            true => &[],
            false => &targets[..],
        };
        let first = guards;
        let types = vm.fail_types(guard).to_vec();
        let bridge = random_bridge(vm, &mut choices, &mut guards, &types, back);
        if back.is_empty() {
            last_guards.extend(first..guards);
        }
        verdigris_trace::verify(&vm.descrs, &bridge).unwrap();
        vm.bridge_trace(guard, &bridge).unwrap();
    }
}

fn enter_with_random_arguments(vm: &mut Vm, choices: &mut Choices<'_>, target: u32) -> CodeExit {
    let (args, objects) = random_arguments(vm, choices);
    let exit = vm.enter(target, &args);
    objects.iter().for_each(|&object| vm.note_object(object));
    exit
}

/// Arguments for [`PARAMS`], and the objects among them.
fn random_arguments(vm: &mut Vm, choices: &mut Choices<'_>) -> ([u64; PARAMS.len()], [u64; 2]) {
    let tail = vm.node(choices.pick(&EDGES), 0, 0.5);
    let node = vm.node(choices.pick(&EDGES), tail, choices.pick(&FLOATS));
    let items: Vec<u64> = (0..8).map(|_| choices.pick(&EDGES) as u64).collect();
    let array = vm.array("Ints", &items);
    let args = [
        choices.below(8) as u64,
        choices.pick(&EDGES) as u64,
        choices.pick(&EDGES) as u64,
        choices.pick(&FLOATS).to_bits(),
        choices.pick(&FLOATS).to_bits(),
        node,
        array,
        choices.pick(&EDGES) as u64,
    ];
    (args, [node, array])
}

/// Runs the scenario of these decisions, which are at least one, on all backends. Returns the log
/// of what happened.
///
/// # Panics
/// If they differ.
pub fn compare(decisions: &[u32], stress: Stress) -> String {
    check_all(stressed(stress), |vm| scenario(vm, decisions))
}

/// As [`compare`], for traces that records name, and that go on where records say.
///
/// # Panics
/// If they differ.
pub fn compare_threads(decisions: &[u32], stress: Stress) -> String {
    check_all(stressed(stress), |vm| {
        threaded_code::scenario(vm, decisions)
    })
}

fn stressed(stress: Stress) -> HeapOptions {
    HeapOptions {
        stress,
        ..HeapOptions::default()
    }
}
