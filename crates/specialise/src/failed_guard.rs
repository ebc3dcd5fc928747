//! The path that starts behind a guard that has failed.
//!
//! Its first operations make the objects and do the stores that the code in front of the guard had
//! delayed; the optimiser delays them again.

use crate::sabotage::Sabotage;
use crate::state::path::Path;
use smallvec::SmallVec;
use std::convert::Infallible;
use std::rc::Rc;
use verdigris_jitcode::{CodeId, Insn, Pc, Unit};
use verdigris_ops::{DataOp, Ty};
use verdigris_opt::{GuardKnowledge, OpenSection};
use verdigris_trace::{Arg, Const, Descr, Opcode, Resume, VirtualMaker, revive};

/// A guard that has failed.
#[derive(Clone, Copy)]
pub struct FailedGuard<'a> {
    /// How to rebuild the frames.
    pub resume: &'a Resume,
    /// The optimiser's knowledge there.
    pub facts: &'a GuardKnowledge,
    /// The types of the fail arguments, among them the promoted value.
    pub types: &'a [Ty],
    /// The values of the fail arguments this time.
    pub words: &'a [u64],
    /// How many values the promoted one has been compared with already.
    pub compared: u32,
    /// Whether the promotion there is left out: what follows is compiled for any value.
    pub generalise: bool,
}

/// The path that goes on where a guard has failed.
pub(crate) fn path(unit: &Unit, failed: &FailedGuard<'_>, section: Box<OpenSection>) -> Path {
    let resume = failed.resume;
    let mut path = Path::new(section);
    for frame in resume.frames.iter().rev() {
        path.push_frame(unit, CodeId::from_u32(frame.code));
        path.goto(Pc(frame.pc));
    }
    let mut pushing = Pushing(&mut path);
    let Ok(revived) = revive(&unit.descrs, resume, &mut pushing, &[]);
    for (depth, frame) in resume.frames.iter().rev().enumerate() {
        let code = &unit.codes[CodeId::from_u32(frame.code)];
        for &(reg, src) in frame.regs {
            let value = revived.value(&mut pushing, src);
            let value = pushing.as_type(value, code.regs[usize::from(reg)]);
            pushing.0.frames[depth].regs[usize::from(reg)] = value;
        }
    }
    let inputs = path.section.trace.inputs.clone();
    path.compared = failed.compared;
    path.generalise = failed.generalise;
    path.allocates |= failed.facts.has_made_objects();
    let words = inputs.into_iter().zip(failed.words.iter().copied());
    path.arrived = Some(Rc::new(words.collect()));
    // A guard on a green has failed: where the guest program is may be the header of a loop.
    let insn = &path.code(unit).insns[path.pc().0 as usize];
    path.pending = matches!(insn, Insn::MergePoint { .. }) && path.frames.len() == 1;
    path
}

/// Pushes each step on the path's trace.
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

    /// Converts a value to the type of its place: where the place has the type word, the guard may
    /// have handed over an integer, reference or double.
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
