//! Data operations. In: an operation and its operands. Out: its result, folded if it depends on constants alone, else
//! recorded. Invariant: what is folded cannot change later: pure operations, and loads of what is immutable after construction
//! from objects that are constants (the translator writes an object's fields right behind its allocation, so no
//! constant is still under construction).

use crate::state::{Known, Recorder};
use crate::step::Halt;
use verdigris_heap::exec_data;
use verdigris_jitcode::{JitCode, Opnd, Reg};
use verdigris_ops::{ClassId, DataOp, Effect, FieldId};
use verdigris_trace::{Opcode, Val};

impl Recorder<'_> {
    /// Executes a data operation, and records it if it does not fold.
    pub fn data(
        &mut self,
        code: &JitCode,
        op: DataOp,
        args: &[Opnd],
        descr: u32,
        dst: Option<Reg>,
    ) -> Result<(), Halt> {
        let mut operands = [Known::NULL; 3];
        let mut words = [0; 3];
        for (n, &arg) in args.iter().enumerate() {
            operands[n] = self.operand(code, arg);
            words[n] = operands[n].word;
        }
        let operands = &operands[..args.len()];
        let constant = operands.iter().all(|known| known.is_const());
        let word = self.execute(op, &words[..args.len()], descr)?;
        let folded = op.ret().filter(|_| constant && self.folds(op, descr));
        let checked = self.limits.check_hints && self.relies_on_hint(op, descr);
        let recorded = match folded {
            Some(_) if !checked => None,
            _ => Some(self.record_data(op, operands, descr, word)),
        };
        let known = match (folded, recorded) {
            (Some(ty), _) => self.constant(ty, word),
            (None, Some(recorded)) => recorded,
            (None, None) => Known::NULL,
        };
        if let Some(dst) = dst {
            self.set(dst, known);
        }
        self.next();
        if let (true, Some(recorded)) = (checked, recorded) {
            self.check_same(&[(recorded.val, known.val)]);
        }
        if op == DataOp::Invalidate {
            let behind = self.frames.top().pc;
            self.guard(Opcode::GuardNotInvalidated, &[], 0, behind);
        }
        Ok(())
    }

    /// Executes a data operation.
    pub fn execute(&mut self, op: DataOp, words: &[u64], descr: u32) -> Result<u64, Halt> {
        // SAFETY: the unit is verified and linked (see `trace_loop`), and the words are the operands of this execution.
        let result = unsafe { exec_data(self.ctx, &self.unit.descrs, op, words, descr) };
        result.map_err(|_| Halt::Exhausted)
    }

    /// Whether the operation on constants gives a constant.
    fn folds(&self, op: DataOp, descr: u32) -> bool {
        use DataOp::*;
        let descrs = &self.unit.descrs;
        match op {
            GetFieldI | GetFieldR | GetFieldF => descrs.fields[FieldId::from_u32(descr)].immutable,
            GetItemI | GetItemR | GetItemF => descrs.item(ClassId::from_u32(descr)).2,
            ArrayLen => true,
            _ => op.effect() == Effect::Pure,
        }
    }

    /// Whether what a load gives is taken to be the same later because the program says so.
    fn relies_on_hint(&self, op: DataOp, descr: u32) -> bool {
        use DataOp::*;
        match op {
            GetFieldI | GetFieldR | GetFieldF => {
                let field = &self.unit.descrs.fields[FieldId::from_u32(descr)];
                field.immutable || field.quasi
            }
            GetItemI | GetItemR | GetItemF => self.folds(op, descr),
            _ => false,
        }
    }

    /// Records a data operation whose result has this word.
    pub fn record_data(&mut self, op: DataOp, args: &[Known], descr: u32, word: u64) -> Known {
        let mut vals = [Val::NULL; 3];
        for (val, known) in vals.iter_mut().zip(args) {
            *val = known.val;
        }
        let vals = &vals[..args.len()];
        let result = self.record(Opcode::Data(op), vals, descr, op.ret(), word);
        self.knowledge
            .data(&self.unit.descrs, op, args, descr, result);
        result
    }
}
