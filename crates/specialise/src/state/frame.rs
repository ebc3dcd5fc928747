//! A frame of the interpreter on a path. Registers that nothing has written hold a zero of their
//! type.

use crate::threaded::Green;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash, Hasher};
use std::rc::Rc;
use verdigris_jitcode::{CodeId, JitCode, Pc, Reg, Unit};
use verdigris_ops::Ty;
use verdigris_trace::{Arg, Const, SnapshotId, ValRef};

/// A hash of a position in the guest program, if it is known, and in the interpreter.
pub(crate) fn position(place: Option<u32>, frames: impl Iterator<Item = (CodeId, Pc)>) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    place.hash(&mut hasher);
    frames.for_each(|frame| frame.hash(&mut hasher));
    hasher.finish()
}

/// A frame.
pub(crate) struct PathFrame {
    pub code: CodeId,
    /// The instruction to execute; of an outer frame its call.
    pub pc: Pc,
    pub regs: Vec<Arg>,
    /// In a stencil, the position-dependent constants among them. Empty in other code.
    pub sources: Vec<Option<Green>>,
    /// In an activation of the portal, the greens of the last merge point. None in front of the
    /// first one, and in frames that a guard has resumed.
    pub greens: Option<Rc<[Const]>>,
    /// The greens of the first one, if it is inlined.
    pub first: Option<Rc<[Const]>>,
    /// The snapshot of it as an outer frame, if there is one in the section's trace.
    pub suspended: Option<SnapshotId>,
}

impl PathFrame {
    /// A frame at the start of a function.
    pub fn new(code: CodeId, jitcode: &JitCode) -> PathFrame {
        PathFrame {
            code,
            pc: Pc(0),
            regs: jitcode.regs.iter().map(|&ty| unset(ty)).collect(),
            sources: Vec::new(),
            greens: None,
            first: None,
            suspended: None,
        }
    }

    /// The registers that an outer frame needs behind its call, without the results.
    pub fn suspended_regs(&self, unit: &Unit) -> Vec<Reg> {
        let code = &unit.codes[self.code];
        let results = code.insns[self.pc.0 as usize].dsts();
        let live = code.live_at(Pc(self.pc.0 + 1)).iter();
        live.filter(|r| !results.contains(r)).copied().collect()
    }

    /// Whether it is an activation that may have begun with these greens. If a guard has been left
    /// in it, only the objects among its greens tell; they identify the guest function.
    pub fn may_have_begun(&self, greens: &[Const]) -> bool {
        match &self.first {
            Some(first) => **first == *greens,
            None => {
                let mut objects = greens.iter().filter(|green| green.ty() == Ty::Ref);
                objects.all(|&object| self.regs.contains(&Arg::Const(object)))
            }
        }
    }

    /// The frame with its values renamed. Values without a new name are not needed.
    pub fn renamed(&self, unit: &Unit, new: &FxHashMap<ValRef, Arg>) -> PathFrame {
        let code = &unit.codes[self.code];
        let regs = self.regs.iter().zip(&code.regs);
        let regs = regs.map(|(&value, &ty)| match value {
            Arg::Const(_) => value,
            Arg::Ref(v) => new.get(&v).copied().unwrap_or_else(|| unset(ty)),
        });
        PathFrame {
            code: self.code,
            pc: self.pc,
            regs: regs.collect(),
            sources: self.sources.clone(),
            greens: self.greens.clone(),
            first: self.first.clone(),
            suspended: None,
        }
    }
}

/// The content of a register before the jitcode writes it.
fn unset(ty: Ty) -> Arg {
    match ty {
        // There are no constants that are words of values.
        Ty::Word => Arg::int(0),
        ty => Arg::Const(Const::new(ty, 0)),
    }
}
