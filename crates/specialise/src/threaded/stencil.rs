//! Stencils: the code of one instruction of the guest program, made once for all places that have
//! it. In: the greens of one such place. Out: code from that merge point to the next one, which
//! reads what differs between places from a record, and a [`Decoder`] that finds what stands in the
//! records of others. Invariant: between two merge points, the code does what the interpreter does;
//! in front of a merge point, everything is in memory or among the reds.
//!
//! A place costs a record of some words, and no compilation. Calls of the guest program are left to
//! the runner, and a promotion does nothing: what it gives stays a red.
//!
//! Source: "Two-level Just-in-Time Compilation with One Interpreter and One Engine" (2022), section
//! 3, whose first tier is calls of handlers; these handlers are made of the interpreter's jitcode.
//! That code is made once, and constants are filled in for each use, is from "Copy-and-Patch
//! Compilation" (2021); here they are read and not copied.

use super::context::StencilContext;
use super::decode::{DecodeInput, Decoder};
use super::holes::Holes;
use crate::failed_guard::{self, FailedGuard};
use crate::limits::{LeaveReason, SpecialiseLimits};
use crate::portal::{state, types};
use crate::specialiser::{Specialised, Specialiser};
use crate::state::history::SpecialiserHistory;
use crate::state::path::Path;
use crate::step::flow::{Flow, PathEnd};
use crate::step::taken_arms::arm;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use verdigris_jitcode::{Insn, Reg, Unit};
use verdigris_ops::Ty;
use verdigris_opt::{Host, Optimised, Optimiser, TraceBuilder};
use verdigris_trace::{Arg, Const, Descr, Opcode};

/// The code of an instruction.
pub struct Stencil {
    /// The code. Its entry takes the record, then the reds.
    pub specialised: Specialised,
    /// What the places have in their records.
    pub decoder: Decoder,
}

/// Compiles the instruction at the place with these greens.
pub fn stencil(
    unit: &Unit,
    greens: &[u64],
    threading: StencilContext,
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
    limits: SpecialiseLimits,
) -> Stencil {
    let (specialiser, way, decoder) =
        begin(unit, greens, threading, history, optimiser, host, limits);
    done(specialiser.run(way), decoder)
}

/// The code of places that have none: it leaves at the merge point.
pub fn without_code(
    unit: &Unit,
    threading: StencilContext,
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
) -> Stencil {
    let greens = vec![0; state(unit).0.len()];
    let limits = SpecialiseLimits::default();
    let (mut specialiser, way, decoder) =
        begin(unit, &greens, threading, history, optimiser, host, limits);
    specialiser.leave(way, LeaveReason::Cold);
    done(specialiser.run_all(), decoder)
}

/// Code that goes on where a record says: its entry takes a record, then the reds.
pub fn entrance(unit: &Unit, optimiser: &mut Optimiser, host: &mut dyn Host) -> Optimised {
    let (_, reds) = state(unit);
    let mut inputs = vec![Ty::Int];
    inputs.extend(types(unit, reds));
    let (mut builder, mut section) = TraceBuilder::new(optimiser, &unit.descrs, host, &inputs);
    let args: Vec<Arg> = section
        .trace
        .inputs
        .iter()
        .map(|&input| Arg::Ref(input))
        .collect();
    section.trace.push(Opcode::Thread, &args, Descr::None);
    builder.thread(section);
    builder.done()
}

/// The specialiser of a stencil, with the first way at the merge point.
fn begin<'a>(
    unit: &'a Unit,
    greens: &[u64],
    threading: StencilContext,
    history: &'a mut SpecialiserHistory,
    optimiser: &'a mut Optimiser,
    host: &'a mut dyn Host,
    limits: SpecialiseLimits,
) -> (Specialiser<'a>, Path, Rc<RefCell<Decoder>>) {
    let (green, reds) = state(unit);
    let green_types = types(unit, green);
    let mut inputs = vec![Ty::Int];
    inputs.extend(types(unit, reds));
    let (builder, mut section) = TraceBuilder::new(optimiser, &unit.descrs, host, &inputs);
    section.place = Some(threading.number);
    let decoder = Rc::new(RefCell::new(Decoder::new(&green_types)));
    let mut way = Path::new(Box::new(section));
    way.push_frame(unit, unit.portal);
    way.top().pc = unit.merge_point;
    let inputs = way.section.trace.inputs.clone();
    way.holes = Some(Box::new(Holes::new(Rc::clone(&decoder), inputs[0])));
    for (n, ((&reg, &word), &ty)) in green.iter().zip(greens).zip(&green_types).enumerate() {
        way.top()
            .set_from(reg, Const::new(ty, word), Decoder::green(n));
    }
    for (&reg, &value) in reds.iter().zip(&inputs[1..]) {
        way.set(reg, Arg::Ref(value));
    }
    way.starts = true;
    let mut specialiser = Specialiser::new(unit, history, builder, limits);
    specialiser.threading = Some(threading);
    (specialiser, way, decoder)
}

fn done(specialised: Specialised, decoder: Rc<RefCell<Decoder>>) -> Stencil {
    // All ways are done, and they are the others that have it.
    let decoder =
        Rc::try_unwrap(decoder).map_or_else(|shared| shared.borrow().clone(), RefCell::into_inner);
    Stencil {
        specialised,
        decoder,
    }
}

/// Takes note of the arm that was taken where a stencil has been left. The next time that the
/// stencil is made, it is there. False if no arm was wanting.
pub fn learn(
    unit: &Unit,
    left: &FailedGuard<'_>,
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
    limits: SpecialiseLimits,
) -> bool {
    let (builder, section) =
        TraceBuilder::bridge(optimiser, &unit.descrs, host, left.facts, left.types);
    let way = failed_guard::path(unit, left, Box::new(section));
    let mut specialiser = Specialiser::new(unit, history, builder, limits);
    specialiser.take_arm(way);
    specialiser.learnt
}

impl Specialiser<'_> {
    /// Executes the instruction where a stencil has been left, and forgets what comes of it but for
    /// the arm that is taken.
    pub fn take_arm(&mut self, mut way: Path) {
        let code = way.code(self.unit);
        // The failure of the guard may have said what is decided by.
        let arm = match &code.insns[way.pc().0 as usize] {
            Insn::BranchFalse { cond, .. } => {
                let constant = way.operand(code, *cond).as_const();
                constant.map(|constant| usize::from(constant.word() != 0))
            }
            Insn::Switch { value, table } => {
                let table = &code.switches[usize::from(*table)];
                let constant = way.operand(code, *value).as_const();
                constant.map(|c| arm(table, c.word() as i64).unwrap_or(table.cases.len()))
            }
            Insn::ClassSwitch { value, table } => {
                let table = &code.switches[usize::from(*table)];
                let object = way.operand(code, *value);
                let class = self.builder.class_of(&mut way.section, object);
                class.and_then(|class| arm(table, class.as_u32().into()))
            }
            _ => None,
        };
        match (arm, way.branch_site()) {
            (Some(arm), Some(site)) => self.note_arm(site, arm),
            _ => drop(self.step(way)),
        }
    }

    /// A way of a stencil comes to a merge point.
    pub fn thread(&mut self, mut way: Path, greens: &[Reg], reds: &[Reg]) -> Flow {
        if way.frames.len() > 1 {
            return self.wait_for_others(way, &[greens, reds].concat());
        }
        if std::mem::take(&mut way.starts) {
            way.next();
            return ControlFlow::Continue(way);
        }
        let is_header = std::mem::take(&mut way.pending) || self.places.is_always_header();
        let pc = way.pc();
        if is_header {
            self.guard(&mut way, Opcode::GuardNoSignal, &[], Descr::None, pc);
        }
        if way.allocates {
            self.guard(&mut way, Opcode::GuardNotExhausted, &[], Descr::None, pc);
        }
        let next = self.record_of(&mut way, greens);
        if is_header {
            self.guard(&mut way, Opcode::GuardCount, &[next], Descr::None, pc);
        }
        let mut args: SmallVec<[Arg; 8]> = SmallVec::from_slice(&[next]);
        for &reg in reds {
            let sourced = way.sourced(reg);
            args.push(way.residual_of(sourced));
        }
        if self.advance(&mut way).is_err() {
            return ControlFlow::Break(PathEnd::Dead(way));
        }
        way.section.trace.push(Opcode::Thread, &args, Descr::None);
        self.builder.thread(*way.section);
        ControlFlow::Break(PathEnd::Done)
    }

    /// A way of a stencil has called the guest program, and leaves the rest to threaded code.
    pub fn call_thread(&mut self, mut way: Path) -> Flow {
        let (greens, reds) = state(self.unit);
        let pc = way.pc();
        let record = self.record_of(&mut way, greens);
        self.guard(&mut way, Opcode::GuardCount, &[record], Descr::None, pc);
        self.run_rest(way, greens, Some(record), reds)
    }

    /// The record of the place where a way is.
    fn record_of(&mut self, way: &mut Path, greens: &[Reg]) -> Arg {
        let values: SmallVec<[_; 4]> = greens.iter().map(|&reg| way.sourced(reg)).collect();
        let inputs: Option<SmallVec<[DecodeInput; 4]>> = values.iter().map(|v| v.input()).collect();
        let trace = &mut way.section.trace;
        match (&way.holes, inputs) {
            (Some(holes), Some(inputs)) => {
                let slot = holes.decoder.borrow_mut().successor(&inputs);
                let args = [Arg::Ref(holes.record), Arg::int(slot as i64)];
                Arg::Ref(trace.push_def(Opcode::Hole, &args, Descr::None, Ty::Int))
            }
            _ => {
                let args: SmallVec<[Arg; 4]> = values.iter().map(|&v| way.residual_of(v)).collect();
                let threading = self.threading.expect("only stencils have threads");
                let mut results =
                    (way.section.trace).push_call(threading.record_of, &args, &[Ty::Int]);
                Arg::Ref(results.next().expect("there is a result"))
            }
        }
    }
}
