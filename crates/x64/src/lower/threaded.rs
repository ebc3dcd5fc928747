//! Code that places of the guest program share. In: a record, which has what differs between them.
//! Out: loads from it, and jumps to the code that another record names. Invariant: the parameters
//! of code that a record names are where the threaded convention puts them, whatever the code, and
//! so is the frame: its size is for that code to set.
//!
//! Source: "Two-level Just-in-Time Compilation with One Interpreter and One Engine" (2022), where
//! threaded code is calls of handlers; here the end of each is a jump to the next.

use crate::asm::{Gpr, Mem};
use crate::file::{PRESERVED, Slots, registers};
use crate::lower::{Lower, slot_number};
use crate::names::*;
use crate::values::Loc;
use verdigris_ops::Ty;
use verdigris_trace::{Arg, OptimisedOp};

/// So many parameters are in registers, so that operations have some.
const MOST: [usize; 2] = [6, 8];

/// A word of a record.
pub(crate) fn word(record: Gpr, n: usize) -> Mem {
    Mem::At(record, 8 * n as i32)
}

/// Where code that a record names takes parameters of these types: the first ones in registers that
/// calls leave as they are.
pub(crate) fn convention(types: impl Iterator<Item = Ty>) -> Vec<Loc> {
    let general = registers(false);
    let mut free = [general, registers(true)];
    let mut left = MOST;
    let mut slots = Slots::default();
    let places = types.map(|ty| {
        let file = usize::from(ty == Ty::Float);
        if left[file] == 0 {
            return slots.take();
        }
        left[file] -= 1;
        let liked = free[file] & PRESERVED;
        let among = if liked != 0 { liked } else { free[file] };
        let loc = among.trailing_zeros();
        free[file] &= !(1 << loc);
        Loc(loc as u16)
    });
    places.collect()
}

impl Lower<'_> {
    /// A word of a record.
    pub(crate) fn hole(&mut self, op: OptimisedOp<'_>) {
        let result = op.result().expect("a hole has a result");
        let n = op.args().constant(1).expect("a checked hole has a number");
        let n = n.word() as usize;
        let record = self.file().gpr(op.arg(0));
        let file = &mut self.work.file;
        match self.links.trace.types[result] {
            Ty::Float => {
                let reg = file.define_xmm(result);
                file.asm.reg_rm(&MOVSD_LOAD, reg.0, word(record, n));
            }
            _ => {
                let reg = file.define_gpr(result);
                file.asm.reg_rm(&MOV, reg.0, word(record, n));
            }
        }
    }

    /// Goes on in the code that the record names.
    pub(crate) fn thread(&mut self, args: &[Arg]) {
        let types = args.iter().map(|&arg| self.links.trace.ty(arg));
        let convention = convention(types);
        let slots = convention.iter().filter(|loc| loc.is_slot());
        let deepest = slots.map(|&slot| 8 * (slot_number(slot) + 1)).max();
        self.min_frame = self.min_frame.max(deepest.unwrap_or(0));
        let work = &mut *self.work;
        for (&arg, &to) in args.iter().zip(&convention) {
            let from = work.file.place(arg);
            work.moves.add(from, to);
        }
        work.moves.emit(&mut work.file.asm);
        let record = crate::file::as_gpr(convention[0]);
        work.file.asm.only_rm(&JUMP, 4, word(record, 0));
    }
}
