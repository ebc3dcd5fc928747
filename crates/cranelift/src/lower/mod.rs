//! Lowers one section of a trace to one Cranelift function.
//!
//! The main line is a chain of blocks, each dominated by the one before, so a value may be computed
//! where it is first needed and used from then on. Cold blocks define nothing that others use.

use crate::compiler::{WORD, clif_type, trusted, trusted_cast};
use crate::debug_info;
use crate::enter::ExitDescr;
use crate::lower::state::{Entrance, ExitArg, ExitArgs, Goes, Lower, Slot};
use crate::trampolines::{RETURNED, exit_offset, label_signature, return_exit};
use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::immediates::Ieee64;
use cranelift_codegen::ir::{
    Block, BlockArg, InstBuilder, InstructionData, TrapCode, Value, ValueDef, types,
};
use smallvec::SmallVec;
use std::mem::offset_of;
use verdigris_backend::{COUNT, Section, SectionEnd};
use verdigris_heap::Context;
use verdigris_ops::{DataOp, Effect, Ty};
use verdigris_trace::{Arg, Const, Opcode, OptimisedOp, OptimisedOps, TargetId, ValRef};

mod alloc;
mod barrier;
mod calls;
mod data;
mod exits;
pub(crate) mod memory;
mod portal;
pub(crate) mod state;
mod suspended;

impl<'a, 'f> Lower<'a, 'f> {
    /// Builds the body.
    pub(crate) fn section(mut self, section: &Section<'a>, entrance: Entrance) {
        self.params(section, entrance);
        let header = self.header(section);
        if header.is_some() {
            self.carried = section.params;
        }
        self.main_line(section.ops, section.first);
        self.originate(section.last());
        self.end(section, header);
        self.cold_blocks();
    }

    /// The instructions from here on belong to this operation.
    fn originate(&mut self, op: u32) {
        if self.links.notes_ops {
            self.origin = debug_info::origin(op);
            self.b.set_srcloc(self.origin);
        }
    }

    /// Compiles operations, of which the first has this place in the trace.
    fn main_line(&mut self, ops: OptimisedOps<'_>, first: u32) {
        let mut n = 0;
        while let Some(op) = ops.get(n) {
            if !is_store(op) {
                self.addresses.clear();
            }
            self.barriers.pass(op);
            self.originate(first + n as u32);
            self.reserve(ops.skip_to(n));
            let next = ops.get(n + 1);
            match next.filter(|next| next.opcode() == Opcode::GuardNotForced) {
                Some(guard) => self.state = Some(self.keeping_call(op, guard)),
                None if op.opcode() == Opcode::Call => n += usize::from(self.call(op, next)),
                None => self.op(op),
            }
            n += 1;
        }
    }

    fn params(&mut self, section: &Section<'_>, entrance: Entrance) {
        let block = self.b.create_block();
        self.b.append_block_params_for_function_params(block);
        self.b.switch_to_block(block);
        let values: SmallVec<[Value; 16]> = self.b.block_params(block).into();
        let order: Vec<ValRef> = match entrance {
            Entrance::Label => section.params.to_vec(),
            Entrance::Bridge => {
                let types = section.param_types(self.trace);
                crate::trampolines::exit_order(&types, |n| section.params[n])
            }
        };
        let skipped = usize::from(entrance == Entrance::Bridge);
        for (&param, &value) in order.iter().zip(&values[skipped..]) {
            self.define(param, value);
        }
    }

    /// The block that the section's own jump goes back to, if it has one.
    fn header(&mut self, section: &Section<'_>) -> Option<Block> {
        match section.end {
            SectionEnd::Jump(target, _) if Some(target) == section.label => {}
            _ => return None,
        }
        let header = self.b.create_block();
        let args: Vec<Arg> = section.params.iter().map(|&v| Arg::Ref(v)).collect();
        self.jump_to(header, &args);
        self.b.switch_to_block(header);
        for &param in section.params {
            let value = self
                .b
                .append_block_param(header, clif_type(self.trace.types[param]));
            self.define(param, value);
        }
        Some(header)
    }

    fn jump_to(&mut self, block: Block, args: &[Arg]) {
        let args: SmallVec<[BlockArg; 16]> = args.iter().map(|&v| self.value(v).into()).collect();
        self.b.ins().jump(block, &args);
    }

    fn end(&mut self, section: &Section<'_>, header: Option<Block>) {
        match (&section.end, header) {
            (SectionEnd::Finish(values), _) => self.finish(values),
            // Nothing comes behind the guard, but the block that it would go on to has to end.
            (SectionEnd::Thread(args), _) => self.thread(args),
            (SectionEnd::Leave, _) => drop(self.b.ins().trap(TrapCode::unwrap_user(1))),
            (SectionEnd::Jump(_, args), Some(header)) => self.jump_to(header, args),
            (SectionEnd::Jump(target, args), None) => self.leave_to(*target, args),
        }
    }

    fn finish(&mut self, values: &[Arg]) {
        let context = self.context();
        let nothing = [Arg::int(0)];
        let values = if values.is_empty() { &nothing } else { values };
        let mut returned: SmallVec<[Value; 1 + RETURNED]> = SmallVec::new();
        returned.push(self.address(self.links.finish));
        for (n, &value) in values.iter().enumerate() {
            let word = self.raw(value);
            match n < RETURNED {
                true => returned.push(word),
                false => {
                    let place = exit_offset(n);
                    self.b.ins().store(trusted(), word, context, place);
                }
            }
        }
        return_exit(self.b, &returned);
    }

    /// Goes on in the code that a record names.
    fn thread(&mut self, args: &[Arg]) {
        let types: Vec<Ty> = args.iter().map(|&arg| self.trace.ty(arg)).collect();
        let args: SmallVec<[Value; 16]> = args.iter().map(|&v| self.value(v)).collect();
        let callee = self.b.ins().load(WORD, trusted(), args[0], 0);
        let signature = self.b.import_signature(label_signature(&types));
        self.b.ins().return_call_indirect(signature, callee, &args);
    }

    /// A word of a record.
    fn hole(&mut self, op: OptimisedOp<'_>) {
        let result = op.result().expect("a hole has a result");
        let n = op.args().constant(1).expect("a checked hole has a number");
        let n = n.word() as i32;
        let record = self.value(op.arg(0));
        let ty = clif_type(self.trace.types[result]);
        let value = self.b.ins().load(ty, trusted(), record, 8 * n);
        self.define(result, value);
    }

    /// Counts an arrival down. Returns the rest.
    fn count(&mut self, record: Arg) -> Value {
        let record = self.value(record);
        let at = 8 * COUNT as i32;
        let count = self.b.ins().load(WORD, trusted(), record, at);
        let left = self.b.ins().iadd_imm_s(count, -1);
        self.b.ins().store(trusted(), left, record, at);
        left
    }

    fn leave_to(&mut self, target: TargetId, args: &[Arg]) {
        let args: SmallVec<[Value; 16]> = args.iter().map(|&v| self.value(v)).collect();
        self.tail_call(target, &args);
    }

    /// Goes on at a label of another function.
    pub(crate) fn tail_call(&mut self, target: TargetId, args: &[Value]) {
        let places = &mut self.links.targets.iter();
        let place = places.find(|place| place.0 == target);
        let (_, place) = place.unwrap_or_else(|| panic!("the place of {target} is known"));
        let callee = match place.address {
            Some(address) => self.address(address as u64),
            None => {
                let cell = self.address(place.cell);
                self.b.ins().load(WORD, trusted(), cell, 0)
            }
        };
        let signature = self.b.import_signature(label_signature(&place.params));
        self.b.ins().return_call_indirect(signature, callee, args);
    }

    pub(crate) fn op(&mut self, op: OptimisedOp<'_>) {
        match op.opcode() {
            Opcode::Data(data) => {
                if let Some(result) = self.data(data, op) {
                    let value = op
                        .result()
                        .expect("a data operation with a value has a result");
                    self.slots[value] = result;
                }
            }
            Opcode::Call => {
                self.call(op, None);
            }
            Opcode::MergePoint => {}
            Opcode::Hole => self.hole(op),
            _ => self.guard(op),
        }
    }

    fn guard(&mut self, op: OptimisedOp<'_>) {
        let goes = match op.side() {
            Some(target) => Goes::Side(target),
            None => Goes::Out(self.count_guard()),
        };
        if op.opcode() == Opcode::GuardRoom {
            return self.guard_room(goes, op);
        }
        let (test, leaves_when) = match op.opcode() {
            Opcode::GuardNotInvalidated => (self.is_invalid(goes), true),
            Opcode::Leave => (self.int(1), true),
            Opcode::GuardNotForced => {
                let state = self
                    .state
                    .expect("it stands behind a call that keeps something");
                (self.is_forced(state), true)
            }
            _ => self.guard_test(op),
        };
        let known = match (op.opcode(), op.args().first()) {
            _ if self.links.forced => None,
            (Opcode::GuardTrue, Some(Arg::Ref(v))) => Some((v, 0)),
            (Opcode::GuardFalse, Some(Arg::Ref(v))) if self.slots[v].bit.is_some() => Some((v, 1)),
            _ => None,
        };
        let undone = self.undone(op);
        let args = self.exit_args(op.fail_args(), known, undone);
        self.leave_if(test, leaves_when, goes, args);
        if op.opcode() == Opcode::GuardNotForced {
            self.exits.hand_over_state(self.state);
        }
    }

    /// The index of the next guard.
    pub(crate) fn count_guard(&mut self) -> usize {
        self.next_guard += 1;
        self.next_guard - 1
    }

    /// The word that says whether a call has panicked.
    pub(crate) fn panicked(&mut self) -> Value {
        let context = self.context();
        let offset = offset_of!(Context, panicked) as i32;
        self.b.ins().load(WORD, trusted(), context, offset)
    }

    /// The word that says whether the trace has been invalidated.
    fn is_invalid(&mut self, goes: Goes) -> Value {
        let descr = self.descr(goes.out());
        (self.b.ins()).load(WORD, trusted(), descr, ExitDescr::INVALID)
    }

    /// The value that a guard tests, and whether the guard fails when it is not zero.
    fn guard_test(&mut self, op: OptimisedOp<'_>) -> (Value, bool) {
        match op.opcode() {
            Opcode::GuardTrue => (self.truth(op.arg(0)), false),
            Opcode::GuardFalse => (self.truth(op.arg(0)), true),
            Opcode::GuardValue => self.guard_value(op.arg(0), op.arg(1)),
            Opcode::GuardSame => {
                let (now, before) = (self.raw(op.arg(0)), self.raw(op.arg(1)));
                (self.b.ins().icmp(IntCC::Equal, now, before), false)
            }
            Opcode::GuardClass => {
                let class = &self.links.descrs.classes[op.class()];
                let object = self.value(op.arg(0));
                let word = self.b.ins().load(types::I32, trusted(), object, 0);
                let expected = i64::from(class.word);
                (self.b.ins().icmp_imm_s(IntCC::Equal, word, expected), false)
            }
            Opcode::GuardCount => (self.count(op.arg(0)), false),
            Opcode::GuardNoSignal => {
                let context = self.context();
                let offset = offset_of!(Context, signal) as i32;
                let word = self.b.ins().load(WORD, trusted(), context, offset);
                (self.b.ins().load(WORD, trusted(), word, 0), true)
            }
            Opcode::GuardNotExhausted => {
                let context = self.context();
                let offset = offset_of!(Context, exhausted) as i32;
                (self.b.ins().load(WORD, trusted(), context, offset), true)
            }
            _ => (self.panicked(), true),
        }
    }

    fn guard_value(&mut self, value: Arg, constant: Arg) -> (Value, bool) {
        let bit = value.as_ref().and_then(|v| self.slots[v].bit.expand());
        if let (Some(bit), Some(Const::Int(expected @ 0..=1))) = (bit, constant.as_const()) {
            return (bit, expected == 0);
        }
        let (left, right) = (self.raw(value), self.raw(constant));
        (self.b.ins().icmp(IntCC::Equal, left, right), false)
    }

    /// For a guard on the overflow of a sum: an operand that goes around the loop, which the exit
    /// gets back from the sum. So the sum can take its register.
    fn undone(&self, guard: OptimisedOp<'_>) -> Option<(ValRef, ExitArg)> {
        let test = guard.args().first()?.as_ref()?;
        let (of, op, [x, y], sum) = self.checked?;
        if of != self.slots[test].bit.expand()? || op != DataOp::IntAdd || x == y {
            return None;
        }
        let (x, y) = (x.as_ref()?, y.as_ref()?);
        let (carried, other) = match (self.carried.contains(&x), self.carried.contains(&y)) {
            (true, _) => (x, y),
            (_, true) => (y, x),
            _ => return None,
        };
        let other = self.slots[other].word.expand()?;
        Some((carried, ExitArg::Difference(sum, other)))
    }

    /// The values that an exit hands over. `known` is a value of which the failure itself tells
    /// what it is. A comparison that no operation has needed as a word so far is made again in the
    /// exit, so that the main line need not keep it.
    pub(crate) fn exit_args(
        &mut self,
        args: &[ValRef],
        known: Option<(ValRef, i64)>,
        undone: Option<(ValRef, ExitArg)>,
    ) -> ExitArgs {
        let mut values = ExitArgs::new();
        for floats in [false, true] {
            for &arg in args {
                if (self.trace.types[arg] == Ty::Float) != floats {
                    continue;
                }
                if let Some((value, exit_arg)) = undone
                    && value == arg
                {
                    values.push(exit_arg);
                    continue;
                }
                let slot = self.slots[arg];
                values.push(match (slot.word.expand(), slot.bit.expand()) {
                    _ if known.is_some_and(|known| known.0 == arg) => {
                        ExitArg::Word(known.map_or(0, |known| known.1))
                    }
                    (Some(word), _) => ExitArg::Value(word),
                    (None, Some(bit)) => ExitArg::Again(bit),
                    (None, None) => match slot.float.expand() {
                        Some(float) => ExitArg::Bits(float),
                        None => panic!("{arg} is defined before it is used"),
                    },
                });
            }
        }
        values
    }

    /// The word of a comparison of the main line.
    pub(crate) fn compare_again(&mut self, bit: Value) -> Value {
        let again = match self.comparison(bit) {
            Some(Comparison::Int(cond, [x, y])) => self.b.ins().icmp(cond, x, y),
            Some(Comparison::Float(cond, [x, y])) => self.b.ins().fcmp(cond, x, y),
            None => bit,
        };
        self.b.ins().uextend(WORD, again)
    }

    fn comparison(&self, bit: Value) -> Option<Comparison> {
        let dfg = &self.b.func.dfg;
        let ValueDef::Result(inst, 0) = dfg.value_def(bit) else {
            return None;
        };
        match dfg.insts[inst] {
            InstructionData::IntCompare { cond, args, .. } => Some(Comparison::Int(cond, args)),
            InstructionData::FloatCompare { cond, args, .. } => Some(Comparison::Float(cond, args)),
            _ => None,
        }
    }

    /// Defines a value.
    pub(crate) fn define(&mut self, value: ValRef, word: Value) {
        self.slots[value] = Slot::word(word);
    }

    /// The context: the pinned register.
    pub(crate) fn context(&mut self) -> Value {
        self.b.ins().get_pinned_reg(WORD)
    }

    /// An integer constant.
    pub(crate) fn int(&mut self, value: i64) -> Value {
        self.b.ins().iconst(WORD, value)
    }

    /// An address as a constant.
    pub(crate) fn address(&mut self, address: u64) -> Value {
        self.int(address as i64)
    }

    /// An argument as a word or a double.
    pub(crate) fn value(&mut self, value: Arg) -> Value {
        let value = match value {
            Arg::Const(Const::Int(word)) => return self.int(word),
            Arg::Const(Const::Ref(word)) => return self.address(word),
            Arg::Const(Const::Float(bits)) => {
                return self.b.ins().f64const(Ieee64::with_bits(bits));
            }
            Arg::Ref(value) => value,
        };
        let slot = self.slots[value];
        let word = match (slot.word.expand(), slot.bit.expand(), slot.float.expand()) {
            (Some(word), ..) => return word,
            (None, Some(bit), _) => self.b.ins().uextend(WORD, bit),
            (None, None, Some(float)) => self.b.ins().bitcast(WORD, trusted_cast(), float),
            (None, None, None) => panic!("{value} is defined before it is used"),
        };
        self.slots[value].word = word.into();
        word
    }

    /// The double that a word has the bits of, if the word was made from one.
    pub(crate) fn float_of_word(&self, value: Arg) -> Option<Value> {
        self.slots[value.as_ref()?].float.expand()
    }

    /// A word of a value as the double that it is.
    pub(crate) fn double_of(&mut self, word: Arg) -> Value {
        if let Some(float) = self.float_of_word(word) {
            return float;
        }
        let word = self.value(word);
        self.b.ins().bitcast(types::F64, trusted_cast(), word)
    }

    /// An argument as a word, a double as its bit pattern.
    pub(crate) fn raw(&mut self, value: Arg) -> Value {
        if let Arg::Const(constant) = value {
            return self.address(constant.word());
        }
        let plain = self.value(value);
        match self.trace.ty(value) {
            Ty::Float => self.b.ins().bitcast(WORD, trusted_cast(), plain),
            _ => plain,
        }
    }

    /// An argument for a test against zero: the truth value it comes from, or the word.
    pub(crate) fn truth(&mut self, value: Arg) -> Value {
        let bit = value.as_ref().and_then(|v| self.slots[v].bit.expand());
        bit.unwrap_or_else(|| self.value(value))
    }

    /// The 8-bit truth value that an argument extends, if it is the result of a comparison.
    pub(crate) fn bit(&self, value: Arg) -> Option<Value> {
        value.as_ref().and_then(|v| self.slots[v].bit.expand())
    }

    /// The opposite of a truth value. A comparison is made again the other way round, since only a
    /// comparison fuses with the branch that tests it.
    pub(crate) fn invert(&mut self, bit: Value) -> Value {
        match self.comparison(bit) {
            Some(Comparison::Int(cond, [x, y])) => self.b.ins().icmp(cond.complement(), x, y),
            Some(Comparison::Float(cond, [x, y])) => self.b.ins().fcmp(cond.complement(), x, y),
            None => self.b.ins().icmp_imm_s(IntCC::Equal, bit, 0),
        }
    }

    /// Remembers a result that was computed together with its overflow.
    pub(crate) fn remember_pair(&mut self, op: DataOp, args: [Arg; 2], value: Value) {
        self.pair = Some((op, args, value));
    }

    /// The result of this operation if it was computed together with its overflow.
    pub(crate) fn paired(&self, op: DataOp, args: [Arg; 2]) -> Option<Value> {
        let (known, of, value) = self.pair?;
        (known == op && of == args).then_some(value)
    }
}

fn is_store(op: OptimisedOp<'_>) -> bool {
    matches!(op.opcode(), Opcode::Data(data) if data.effect() == Effect::Write)
}

/// How a truth value was computed.
enum Comparison {
    Int(IntCC, [Value; 2]),
    Float(FloatCC, [Value; 2]),
}
