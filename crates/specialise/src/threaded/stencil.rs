//! Makes stencils: the code of one instruction of the guest program, from its merge point to the
//! next one.
//!
//! A position costs a record of some words, and no compilation. Calls of the guest program are left
//! to the runner, and a promotion does nothing: its result stays a red. In front of a merge point
//! everything is in memory or among the reds.
//!
//! Source: "Two-level Just-in-Time Compilation with One Interpreter and One Engine" (2022), section
//! 3, whose first tier calls handlers; here the handlers are made from the interpreter's jitcode.
//! As in "Copy-and-Patch Compilation" (2021), code is made once and constants are filled in; here
//! they are read instead of copied.

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
    /// Computes the records of positions.
    pub decoder: Decoder,
}

/// Compiles the instruction at the position with these greens.
pub fn stencil(
    unit: &Unit,
    greens: &[u64],
    context: StencilContext,
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
    limits: SpecialiseLimits,
) -> Stencil {
    let (specialiser, path, decoder) =
        begin(unit, greens, context, history, optimiser, host, limits);
    done(specialiser.run(path), decoder)
}

/// The code of positions that have none yet: leaves at the merge point.
pub fn without_code(
    unit: &Unit,
    context: StencilContext,
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
) -> Stencil {
    let greens = vec![0; state(unit).0.len()];
    let limits = SpecialiseLimits::default();
    let (mut specialiser, path, decoder) =
        begin(unit, &greens, context, history, optimiser, host, limits);
    specialiser.leave(path, LeaveReason::Cold);
    done(specialiser.run_all(), decoder)
}

/// Code that continues at a record's code: its entry takes the record, then the reds.
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

/// The specialiser of a stencil, with the first path at the merge point.
fn begin<'a>(
    unit: &'a Unit,
    greens: &[u64],
    context: StencilContext,
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
    section.place = Some(context.number);
    let decoder = Rc::new(RefCell::new(Decoder::new(&green_types)));
    let mut path = Path::new(Box::new(section));
    path.push_frame(unit, unit.portal);
    path.top().pc = unit.merge_point;
    let inputs = path.section.trace.inputs.clone();
    path.holes = Some(Box::new(Holes::new(Rc::clone(&decoder), inputs[0])));
    for (n, ((&reg, &word), &ty)) in green.iter().zip(greens).zip(&green_types).enumerate() {
        path.top()
            .set_from(reg, Const::new(ty, word), Decoder::green(n));
    }
    for (&reg, &value) in reds.iter().zip(&inputs[1..]) {
        path.set(reg, Arg::Ref(value));
    }
    path.starts = true;
    let mut specialiser = Specialiser::new(unit, history, builder, limits);
    specialiser.stencil = Some(context);
    (specialiser, path, decoder)
}

fn done(specialised: Specialised, decoder: Rc<RefCell<Decoder>>) -> Stencil {
    // The other owners were paths, which are done.
    let decoder =
        Rc::try_unwrap(decoder).map_or_else(|shared| shared.borrow().clone(), RefCell::into_inner);
    Stencil {
        specialised,
        decoder,
    }
}

/// Records the arm that was taken where a stencil was left, so that the stencil has it when it is
/// made the next time. Returns whether the arm is new.
pub fn learn(
    unit: &Unit,
    failed: &FailedGuard<'_>,
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
    limits: SpecialiseLimits,
) -> bool {
    let (builder, section) =
        TraceBuilder::bridge(optimiser, &unit.descrs, host, failed.facts, failed.types);
    let path = failed_guard::path(unit, failed, Box::new(section));
    let mut specialiser = Specialiser::new(unit, history, builder, limits);
    specialiser.take_arm(path);
    specialiser.learnt
}

impl Specialiser<'_> {
    /// Executes the instruction where a stencil was left, only to record the arm that it takes.
    pub fn take_arm(&mut self, mut path: Path) {
        let code = path.code(self.unit);
        // The failure of the guard may have made the operand known.
        let arm = match &code.insns[path.pc().0 as usize] {
            Insn::BranchFalse { cond, .. } => {
                let constant = path.operand(code, *cond).as_const();
                constant.map(|constant| usize::from(constant.word() != 0))
            }
            Insn::Switch { value, table } => {
                let table = &code.switches[usize::from(*table)];
                let constant = path.operand(code, *value).as_const();
                constant.map(|c| arm(table, c.word() as i64).unwrap_or(table.cases.len()))
            }
            Insn::ClassSwitch { value, table } => {
                let table = &code.switches[usize::from(*table)];
                let object = path.operand(code, *value);
                let class = self.builder.class_of(&mut path.section, object);
                class.and_then(|class| arm(table, class.as_u32().into()))
            }
            _ => None,
        };
        match (arm, path.branch_site()) {
            (Some(arm), Some(site)) => self.note_arm(site, arm),
            _ => drop(self.step(path)),
        }
    }

    /// Ends a path of a stencil at its next merge point.
    pub fn thread(&mut self, mut path: Path, greens: &[Reg], reds: &[Reg]) -> Flow {
        if path.frames.len() > 1 {
            return self.wait_for_others(path, &[greens, reds].concat());
        }
        if std::mem::take(&mut path.starts) {
            path.next();
            return ControlFlow::Continue(path);
        }
        let is_header = std::mem::take(&mut path.pending) || self.places.is_always_header();
        let pc = path.pc();
        if is_header {
            self.guard(&mut path, Opcode::GuardNoSignal, &[], Descr::None, pc);
        }
        if path.allocates {
            self.guard(&mut path, Opcode::GuardNotExhausted, &[], Descr::None, pc);
        }
        let next = self.record_of(&mut path, greens);
        if is_header {
            self.guard(&mut path, Opcode::GuardCount, &[next], Descr::None, pc);
        }
        let mut args: SmallVec<[Arg; 8]> = SmallVec::from_slice(&[next]);
        for &reg in reds {
            let sourced = path.sourced(reg);
            args.push(path.residual_of(sourced));
        }
        if self.advance(&mut path).is_err() {
            return ControlFlow::Break(PathEnd::Dead(path));
        }
        path.section.trace.push(Opcode::Thread, &args, Descr::None);
        self.builder.thread(*path.section);
        ControlFlow::Break(PathEnd::Done)
    }

    /// Leaves a call of the guest program to threaded code.
    pub fn call_thread(&mut self, mut path: Path) -> Flow {
        let (greens, reds) = state(self.unit);
        let pc = path.pc();
        let record = self.record_of(&mut path, greens);
        self.guard(&mut path, Opcode::GuardCount, &[record], Descr::None, pc);
        self.run_rest(path, greens, Some(record), reds)
    }

    /// The record of a path's position.
    fn record_of(&mut self, path: &mut Path, greens: &[Reg]) -> Arg {
        let values: SmallVec<[_; 4]> = greens.iter().map(|&reg| path.sourced(reg)).collect();
        let inputs: Option<SmallVec<[DecodeInput; 4]>> = values.iter().map(|v| v.input()).collect();
        let trace = &mut path.section.trace;
        match (&path.holes, inputs) {
            (Some(holes), Some(inputs)) => {
                let slot = holes.decoder.borrow_mut().successor(&inputs);
                let args = [Arg::Ref(holes.record), Arg::int(slot as i64)];
                Arg::Ref(trace.push_def(Opcode::Hole, &args, Descr::None, Ty::Int))
            }
            _ => {
                let args: SmallVec<[Arg; 4]> =
                    values.iter().map(|&v| path.residual_of(v)).collect();
                let context = self.stencil.expect("only stencils have threads");
                let mut results =
                    (path.section.trace).push_call(context.record_of, &args, &[Ty::Int]);
                Arg::Ref(results.next().expect("there is a result"))
            }
        }
    }
}
