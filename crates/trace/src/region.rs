//! Regions: joins a trace and a bridge behind one of its guards into one trace with a side section.

use crate::descr::Descr;
use crate::exits::{Exit, ExitId};
use crate::table::{OpRefers, Opcode};
use crate::trace::OptimisedTrace;
use crate::value::{Arg, TargetId, ValRef};
use verdigris_ops::Ty;

impl OptimisedTrace {
    /// Makes the code behind a guard a part of this trace: from now on the guard goes to a
    /// section with this label, to which no other code jumps, and `rest` is that section, with
    /// those that it has behind it. The inputs of `rest` are the guard's fail arguments.
    pub fn absorb(&mut self, exit: ExitId, target: TargetId, mut rest: OptimisedTrace) {
        let args = self.exits[exit].args().into();
        self.exits[exit] = Exit::Side { target, args };
        let first = rest
            .ops
            .first()
            .copied()
            .filter(|op| op.opcode == Opcode::Label);
        let base = self.types.len() as u32;
        let shift = |v: &ValRef| ValRef::from_u32(v.as_u32() + base);
        match first {
            // A loop: its label defines the inputs, and others may jump there.
            Some(label) => {
                let types: Vec<Ty> = rest.inputs.iter().map(|&v| rest.types[v]).collect();
                let params: Vec<ValRef> = types.iter().map(|&ty| rest.value(ty)).collect();
                let params: Vec<ValRef> = params.iter().map(shift).collect();
                self.push_label(target, &params, &[]);
                let args: Vec<Arg> = params.into_iter().map(Arg::Ref).collect();
                let entry = Descr::of_row(OpRefers::Label, label.refers);
                self.push(Opcode::Jump, &args, entry);
            }
            None => {
                let params: Vec<ValRef> = rest.inputs.iter().map(shift).collect();
                self.push_label(target, &params, &[]);
            }
        }
        self.append(rest);
    }
}
