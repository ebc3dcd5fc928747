//! Hosts of the optimiser: without objects, and with those of a model machine. In both, elidable
//! functions add their arguments.

use crate::model::Machine;
use verdigris_ops::{ClassId, DataOp, Descrs, FnId};
use verdigris_opt::Host;
use verdigris_trace::Descr;

/// A host for traces whose constants are integers and null: there is no object to look into, and
/// elidable functions add their arguments, for each of their results.
pub struct NoObjects;

impl Host for NoObjects {
    fn load(&mut self, op: DataOp, _: &[u64], _: Descr) -> u64 {
        panic!("{op} on a constant object")
    }

    fn call(&mut self, _: FnId, args: &[u64]) -> Option<Vec<u64>> {
        let sum = args.iter().copied().fold(0, u64::wrapping_add);
        Some(vec![sum, sum])
    }

    fn is_object(&mut self, _: u64) -> bool {
        false
    }

    fn class_of(&self, _: u64) -> Option<ClassId> {
        None
    }
}

/// A host that looks into a machine's heap; elidable functions add their arguments.
pub struct Looking<'a>(pub &'a Descrs, pub Machine);

impl Host for Looking<'_> {
    fn load(&mut self, op: DataOp, args: &[u64], descr: Descr) -> u64 {
        self.1.data(self.0, op, args, descr)
    }

    fn call(&mut self, _: FnId, args: &[u64]) -> Option<Vec<u64>> {
        let sum = args.iter().copied().fold(0, u64::wrapping_add);
        Some(vec![sum, sum])
    }

    /// What elidable functions give is a sum. A reference of the model is a small number, which is
    /// another word where the trace runs.
    fn is_object(&mut self, _: u64) -> bool {
        false
    }

    fn class_of(&self, object: u64) -> Option<ClassId> {
        Some(self.1.at(object).class)
    }
}
