//! Random threaded code: records that name each other in all ways, so what runs is a graph with
//! cycles, bounded by fuel. All code that a record may name takes the same parameters.

use super::builder::{Builder, Choices, EDGES, FLOATS, PARAMS};
use super::random_arguments;
use crate::vm::Vm;
use verdigris_ops::Ty;
use verdigris_trace::{Arg, Descr, Opcode, OptimisedTrace, ValRef};

/// The words of a record behind the address of its code and its count: two records, and what its
/// code uses.
const WORDS: [Ty; 10] = [
    Ty::Int,
    Ty::Int,
    Ty::Int,
    Ty::Int,
    Ty::Int,
    Ty::Int,
    Ty::Float,
    Ty::Float,
    Ty::Ref,
    Ty::Ref,
];

/// In front of [`WORDS`].
const HEAD: usize = 2;

/// How many of the words are records.
const RECORDS: usize = 2;

/// How often a scenario enters threaded code.
const ROUNDS: usize = 8;

/// A word of the record.
fn hole(b: &mut Builder<'_, '_>, record: ValRef, n: usize) -> ValRef {
    let args = [Arg::Ref(record), Arg::int((HEAD + n) as i64)];
    b.trace.push_def(Opcode::Hole, &args, Descr::None, WORDS[n])
}

/// Some words of the record that are no records. The last is a node, the one before it may be null.
fn some_holes(b: &mut Builder<'_, '_>, record: ValRef) {
    for _ in 0..b.choices.below(6) {
        let n = RECORDS + b.choices.below(WORDS.len() - RECORDS);
        let value = hole(b, record, n);
        match WORDS[n] {
            Ty::Int => b.ints.push(value),
            Ty::Float => b.floats.push(value),
            _ if n + 1 == WORDS.len() => b.nodes.push(value),
            _ => b.loose.push(value),
        }
    }
}

/// Values that are passed on behind [`PARAMS`], more than fit into registers.
fn more_params(choices: &mut Choices<'_>) -> Vec<Ty> {
    let mut more = vec![Ty::Int; choices.below(9)];
    more.extend(vec![Ty::Float; choices.below(9)]);
    more
}

/// A stencil: takes a record and parameters, and goes on at a record that this one names, or ends.
fn random_stencil(
    vm: &Vm,
    choices: &mut Choices<'_>,
    guards: &mut u32,
    (target, more): (u32, &[Ty]),
) -> OptimisedTrace {
    let mut b = Builder::new(vm, choices, guards);
    let record = b.trace.value(Ty::Int);
    let params: Vec<ValRef> = PARAMS.iter().map(|&ty| b.trace.value(ty)).collect();
    let others: Vec<ValRef> = more.iter().map(|&ty| b.trace.value(ty)).collect();
    let first = [&[record], &others[..]].concat();
    b.trace.inputs = [&first[..], &params].concat();
    let less = b.begin_section(target, &params, &first);
    for (&value, ty) in others.iter().zip(more) {
        match ty {
            Ty::Float => b.floats.push(value),
            _ => b.ints.push(value),
        }
    }
    for _ in 0..1 + b.choices.below(3) {
        some_holes(&mut b, record);
        let len = b.choices.below(8);
        b.body(len);
    }
    match b.choices.below(8) {
        0 => b.guard_on(Opcode::Leave, &[], Descr::None),
        1 => {
            let value = b.int();
            b.trace.push(Opcode::Finish, &[value], Descr::None);
        }
        n => {
            let next = hole(&mut b, record, n % RECORDS);
            let mut args = vec![Arg::Ref(next)];
            args.extend(more.iter().map(|ty| match ty {
                Ty::Float => b.float(),
                _ => b.int(),
            }));
            args.extend(b.arguments(Arg::Ref(less)));
            b.trace.push(Opcode::Thread, &args, Descr::None);
        }
    }
    b.trace
}

/// Compiles stencils, makes records, and enters them.
pub(super) fn scenario(vm: &mut Vm, words: &[u32]) {
    let mut choices = Choices::new(words);
    let mut guards = 0;
    if choices.below(4) == 0 {
        vm.backend.force_guard_failures();
    }
    let more = more_params(&mut choices);
    let stencils = 1 + choices.below(3) as u32;
    for target in 0..stencils {
        let trace = random_stencil(vm, &mut choices, &mut guards, (target, &more));
        verdigris_trace::verify(&vm.descrs, &trace).unwrap();
        vm.compile_stencil_trace(&trace).unwrap();
    }
    let mut records = Vec::new();
    for _ in 0..1 + choices.below(4) {
        let node = vm.node(choices.pick(&EDGES), 0, choices.pick(&FLOATS));
        vm.keep(node);
        let maybe = choices.pick(&[0, node]);
        let values: Vec<u64> = (WORDS.iter().enumerate())
            .map(|(n, ty)| match ty {
                Ty::Float => choices.pick(&FLOATS).to_bits(),
                Ty::Int => choices.pick(&EDGES) as u64,
                _ if n + 1 == WORDS.len() => node,
                _ => maybe,
            })
            .collect();
        let target = choices.below(stencils as usize) as u32;
        records.push((vm.record(target, 0, &values), target));
    }
    for &(record, _) in &records {
        for n in 0..RECORDS {
            let (next, _) = choices.pick(&records);
            vm.set_record_word(record, HEAD + n, next);
        }
    }
    for _ in 0..ROUNDS {
        let (record, target) = choices.pick(&records);
        let mut args = vec![record];
        args.extend(more.iter().map(|ty| match ty {
            Ty::Float => choices.pick(&FLOATS).to_bits(),
            _ => choices.pick(&EDGES) as u64,
        }));
        let (own, objects) = random_arguments(vm, &mut choices);
        args.extend(own);
        vm.enter(target, &args);
        objects.iter().for_each(|&object| vm.note_object(object));
    }
}
