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
        let mut words = [0; 3];
        let mut vals = [Val::NULL; 3];
        let mut constant = true;
        for (n, &arg) in args.iter().enumerate() {
            let known = self.operand(code, arg);
            words[n] = known.word;
            vals[n] = known.val;
            constant &= known.is_const();
        }
        let word = self.execute(op, &words[..args.len()], descr)?;
        let known = match op.ret() {
            Some(ty) if constant && self.folds(op, descr) => self.constant(ty, word),
            _ => self.record_data(op, &vals[..args.len()], descr, word),
        };
        if let Some(dst) = dst {
            self.set(dst, known);
        }
        self.next();
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

    /// Records a data operation whose result has this word.
    pub fn record_data(&mut self, op: DataOp, args: &[Val], descr: u32, word: u64) -> Known {
        self.record(Opcode::Data(op), args, descr, op.ret(), word)
    }
}
