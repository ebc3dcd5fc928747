//! The start of code behind a guard that has failed. In: the guard's resume data. Out: a way with
//! the frames there. Invariant: the first operations make the objects and do the stores that the
//! code in front of the guard had put off; the optimiser puts them off again.

use crate::sabotage::Sabotage;
use crate::state::path::Path;
use smallvec::SmallVec;
use std::convert::Infallible;
use verdigris_jitcode::{CodeId, Insn, Pc, Unit};
use verdigris_ops::{DataOp, Ty};
use verdigris_opt::{GuardKnowledge, OpenSection};
use verdigris_trace::{Arg, Const, Descr, Opcode, Resume, VirtualMaker, revive};

/// Where compiled code was left.
pub struct FailedGuard<'a> {
    /// How to rebuild the frames.
    pub resume: &'a Resume,
    /// What the optimiser knew there.
    pub facts: &'a GuardKnowledge,
    /// The types of the fail arguments, and their values this time: what was promoted there is one
    /// of them.
    pub types: &'a [Ty],
    /// See `types`.
    pub words: &'a [u64],
    /// With how many values that has been compared already.
    pub compared: u32,
}

/// The way that goes on where a guard has failed.
pub(crate) fn path(unit: &Unit, left: &FailedGuard<'_>, section: Box<OpenSection>) -> Path {
    let resume = left.resume;
    let mut way = Path::new(section);
    for frame in resume.frames.iter().rev() {
        way.push_frame(unit, CodeId::from_u32(frame.code));
        way.goto(Pc(frame.pc));
    }
    let mut pushing = Pushing(&mut way);
    let Ok(revived) = revive(&unit.descrs, resume, &mut pushing, &[]);
    for (depth, frame) in resume.frames.iter().rev().enumerate() {
        let code = &unit.codes[CodeId::from_u32(frame.code)];
        for &(reg, src) in frame.regs {
            let value = revived.value(&mut pushing, src);
            let value = pushing.as_type(value, code.regs[usize::from(reg)]);
            pushing.0.frames[depth].regs[usize::from(reg)] = value;
        }
    }
    let inputs = way.section.trace.inputs.clone();
    way.compared = left.compared;
    way.allocates |= left.facts.has_made_objects();
    way.arrived = Some(inputs.into_iter().zip(left.words.iter().copied()).collect());
    // A guard on a green has failed: where the guest program is may be the header of a loop.
    let insn = &way.code(unit).insns[way.pc().0 as usize];
    way.pending = matches!(insn, Insn::MergePoint { .. }) && way.frames.len() == 1;
    way
}

/// Pushes each step on the way's trace.
struct Pushing<'w>(&'w mut Path);

impl Pushing<'_> {
    fn push(&mut self, op: DataOp, args: &[Arg], descr: Descr) -> Arg {
        let typed = args.iter().zip(op.params());
        let args: SmallVec<[Arg; 3]> = typed.map(|(&arg, &ty)| self.as_type(arg, ty)).collect();
        let trace = &mut self.0.section.trace;
        match op.ret() {
            Some(ty) => Arg::Ref(trace.push_def(Opcode::Data(op), &args, descr, ty)),
            None => {
                trace.push(Opcode::Data(op), &args, descr);
                Arg::NULL
            }
        }
    }

    /// A value for a place of this type: where the place holds a word of a value, the guard may
    /// have handed over what the word is.
    fn as_type(&mut self, value: Arg, ty: Ty) -> Arg {
        let trace = &mut self.0.section.trace;
        match DataOp::word_from(trace.ty(value)) {
            Some(cast) if ty == Ty::Word => {
                Arg::Ref(trace.push_def(Opcode::Data(cast), &[value], Descr::None, ty))
            }
            _ => value,
        }
    }
}

impl VirtualMaker for Pushing<'_> {
    type Value = Arg;
    type Error = Infallible;

    fn fail_arg(&mut self, n: u16) -> Arg {
        Arg::Ref(self.0.section.trace.inputs[usize::from(n)])
    }

    fn constant(&mut self, constant: Const) -> Arg {
        Arg::Const(constant)
    }

    fn make(&mut self, op: DataOp, args: &[Arg], descr: Descr) -> Result<Arg, Infallible> {
        self.0.allocates = true;
        Ok(self.push(op, args, descr))
    }

    fn store(&mut self, op: DataOp, args: &[Arg], descr: Descr) -> Result<(), Infallible> {
        if op.params().last() == Some(&Ty::Int) && Sabotage::LoseStore.is_on() {
            return Ok(());
        }
        self.push(op, args, descr);
        Ok(())
    }
}
