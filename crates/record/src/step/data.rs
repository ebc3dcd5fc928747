//! Data operations: folded if they depend on constants alone, else recorded.
//!
//! Only what cannot change later is folded: pure operations, and loads of immutable fields from
//! objects that are constants. The translator writes an object's fields right behind its
//! allocation, so no constant is still under construction.

use crate::end::Halt;
use crate::state::recorder::Recorder;
use crate::state::value::TracedValue;
use verdigris_heap::{exec_data, exec_data_beyond};
use verdigris_jitcode::{JitCode, Opnd, Reg};
use verdigris_ops::{DataOp, Effect, Ty, eval};
use verdigris_trace::{Arg, Descr, Opcode};

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
        let mut operands = [TracedValue::NULL; 3];
        let mut words = [0; 3];
        for (n, &arg) in args.iter().enumerate() {
            operands[n] = self.operand(code, arg);
            words[n] = operands[n].word;
        }
        let operands = &operands[..args.len()];
        let constant = operands.iter().all(|known| known.is_const());
        // Most of an interpreter's work is about constants.
        if constant
            && let Some(ty) = op.ret().filter(|&ty| ty != Ty::Word)
            && let Some(word) = eval(op, &words[..args.len()])
        {
            let folded = self.constant(ty, word);
            if let Some(dst) = dst {
                self.set(dst, folded);
            }
            self.next();
            return Ok(());
        }
        let descr = Descr::of_data(op, descr);
        if op == DataOp::NewArray {
            self.ask_for_room(operands[0], descr);
        }
        let word = self.execute(op, &words[..args.len()], descr)?;
        let folded = self.folded_type(op, operands, descr, constant);
        let is_word = op.ret() == Some(Ty::Word);
        let checked = self.limits.check_hints && self.relies_on_hint(op, descr) && !is_word;
        let had = match (folded, &self.cache) {
            (None, Some(cache)) => cache.get(&self.unit.descrs, op, operands, descr, word),
            _ => None,
        };
        let recorded = match (folded, had) {
            (Some(_), _) if !checked => None,
            (_, Some(_)) => None,
            _ => Some(self.record_data(op, operands, descr, word)),
        };
        let known = match (folded, had.or(recorded)) {
            (Some(ty), _) => self.constant(ty, word),
            (None, Some(known)) => known,
            (None, None) => unreachable!("what does not fold is recorded, or was before"),
        };
        if is_word && constant && self.folds(op, descr) && !self.limits.check_hints {
            self.constant_words
                .extend(known.val.as_ref().map(|v| (v, word)));
        }
        if let Some(dst) = dst {
            self.set(dst, known);
        }
        self.next();
        if let (true, Some(recorded)) = (checked, recorded) {
            self.check_same(&[(recorded.val, known.val)]);
        }
        if op == DataOp::Invalidate {
            let behind = self.frames.top().pc;
            self.guard(Opcode::GuardNotInvalidated, &[], Descr::None, behind);
        }
        Ok(())
    }

    /// The type of the constant that an operation folds to. A cast of a constant word folds too:
    /// the program does it only where the value's tag has that type.
    fn folded_type(
        &self,
        op: DataOp,
        args: &[TracedValue],
        descr: Descr,
        constant: bool,
    ) -> Option<Ty> {
        let ty = op.ret().filter(|&ty| ty != Ty::Word)?;
        let is_constant_word = match (op.params(), args) {
            ([Ty::Word], [TracedValue { val, .. }]) => self.is_constant_word(*val),
            _ => false,
        };
        (is_constant_word || constant && self.folds(op, descr)).then_some(ty)
    }

    /// Whether this is a word that is the same each time.
    pub fn is_constant_word(&self, val: Arg) -> bool {
        let word = val.as_ref();
        word.is_some_and(|v| self.constant_words.contains_key(&v))
    }

    /// Guards in front of the allocation of a large array that there is room for it.
    fn ask_for_room(&mut self, len: TracedValue, descr: Descr) {
        let class = descr.class();
        let is_small = len.word <= self.unit.descrs.unasked_len(class);
        if !(len.is_const() && is_small) {
            let pc = self.frames.top().pc;
            self.guard(Opcode::GuardRoom, &[len.val], descr, pc);
        }
    }

    /// Executes an allocation that compiled code had left out, beyond the heap limit if necessary:
    /// the guest program cannot handle exhaustion here.
    pub fn execute_beyond(&mut self, op: DataOp, words: &[u64], descr: Descr) -> Result<u64, Halt> {
        // SAFETY: as in `execute`.
        let result =
            unsafe { exec_data_beyond(self.ctx, &self.unit.descrs, op, words, descr.raw()) };
        result.map_err(|_| Halt::Exhausted)
    }

    /// Executes a data operation.
    pub fn execute(&mut self, op: DataOp, words: &[u64], descr: Descr) -> Result<u64, Halt> {
        // SAFETY: the unit is verified and linked (see `trace_loop`), and the words are the
        // operands of this execution.
        let result = unsafe { exec_data(self.ctx, &self.unit.descrs, op, words, descr.raw()) };
        result.map_err(|_| Halt::Exhausted)
    }

    /// Whether the operation on constants gives a constant.
    fn folds(&self, op: DataOp, descr: Descr) -> bool {
        use DataOp::*;
        let descrs = &self.unit.descrs;
        match op {
            GetFieldI | GetFieldR | GetFieldF | GetFieldW => descrs.fields[descr.field()].immutable,
            GetItemI | GetItemR | GetItemF | GetItemW => descrs.item(descr.class()).2,
            ArrayLen | HasClass => true,
            _ => op.effect() == Effect::Pure,
        }
    }

    /// Whether a load is taken to give the same later because of a hint.
    fn relies_on_hint(&self, op: DataOp, descr: Descr) -> bool {
        use DataOp::*;
        match op {
            GetFieldI | GetFieldR | GetFieldF | GetFieldW => {
                let field = &self.unit.descrs.fields[descr.field()];
                field.immutable || field.quasi
            }
            GetItemI | GetItemR | GetItemF | GetItemW => self.folds(op, descr),
            HasClass => true,
            _ => false,
        }
    }

    /// Records a data operation whose result has this word.
    pub fn record_data(
        &mut self,
        op: DataOp,
        args: &[TracedValue],
        descr: Descr,
        word: u64,
    ) -> TracedValue {
        let mut vals = [Arg::NULL; 3];
        for (val, known) in vals.iter_mut().zip(args) {
            *val = known.val;
        }
        let vals = &vals[..args.len()];
        self.allocates |= op.effect() == Effect::Alloc;
        let result = self.record(Opcode::Data(op), vals, descr, op.ret(), word);
        self.knowledge
            .data(&self.unit.descrs, op, args, descr, result);
        if let Some(cache) = &mut self.cache {
            cache.recorded(&self.unit.descrs, op, args, descr, result);
        }
        result
    }
}
