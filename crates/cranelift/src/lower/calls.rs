//! Residual calls by their thunks, with the arguments in registers or in memory.
//!
//! The collector sees arguments during the call. A panic waits in the context for the guard behind
//! the call.

use crate::compiler::{WORD, clif_type, signature, trusted, trusted_cast};
use crate::lower::state::Lower;
use cranelift_codegen::ir::{Inst, InstBuilder, SigRef, StackSlotData, StackSlotKind, Value};
use smallvec::SmallVec;
use std::mem::offset_of;
use verdigris_heap::Context;
use verdigris_ops::{FnInfo, FnKind, Ty};
use verdigris_trace::OptimisedOp;

impl Lower<'_, '_> {
    /// Lowers a residual call. Returns whether it has also lowered the guard behind it.
    pub(crate) fn call(&mut self, op: OptimisedOp<'_>, next: Option<OptimisedOp<'_>>) -> bool {
        let info = &self.links.descrs.fns[op.function()];
        let Some(callee) = self.callee(info, op) else {
            self.call_thunk(info, op);
            return false;
        };
        let guard = next.and_then(|next| self.guard_of_call(next, op));
        let done = guard.is_some();
        let results = self.call_portal(info, op, callee, guard);
        for (value, &result) in op.definitions().zip(&results) {
            self.define(value, result);
        }
        done
    }

    fn call_thunk(&mut self, info: &FnInfo, op: OptimisedOp<'_>) {
        if info.kind == FnKind::Conditional {
            return self.call_conditionally(info, op);
        }
        let call = match info.thunk {
            0 => self.call_in_memory(info, op),
            _ => self.call_in_registers(info, op),
        };
        let Some(result) = op.result() else { return };
        let first = self.b.inst_results(call)[0];
        let first = match (info.thunk != 0 && info.ret.len() == 1, info.ret[0]) {
            // All but a single result of a thunk comes as a word.
            (false, Ty::Float) => {
                let float = clif_type(Ty::Float);
                self.b.ins().bitcast(float, trusted_cast(), first)
            }
            _ => first,
        };
        self.define(result, first);
        if op.definitions().len() == 1 {
            return;
        }
        let context = self.context();
        for (n, value) in op.definitions().enumerate().skip(1) {
            let place = (offset_of!(Context, results) + 8 * n) as i32;
            let ty = clif_type(self.trace.types[value]);
            let word = self.b.ins().load(ty, trusted(), context, place);
            self.define(value, word);
        }
    }

    /// A call without results that is made if the first argument is not 0.
    fn call_conditionally(&mut self, info: &FnInfo, op: OptimisedOp<'_>) {
        // Arguments may be used behind the call too, so they are computed in front of the branch.
        for arg in op.args().iter() {
            self.value(arg);
        }
        let test = self.truth(op.arg(0));
        let (call, done) = (self.cold_block(), self.b.create_block());
        self.b.ins().brif(test, call, &[], done, &[]);
        self.b.switch_to_block(call);
        match info.thunk {
            0 => self.call_in_memory(info, op),
            _ => self.call_in_registers(info, op),
        };
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
    }

    fn call_in_registers(&mut self, info: &FnInfo, op: OptimisedOp<'_>) -> Inst {
        let id = op.function();
        let signature = match self.calls.get(&id) {
            Some(&signature) => signature,
            None => {
                let params = info.params.iter().map(|&ty| clif_type(ty));
                let params = std::iter::once(WORD).chain(params);
                let ret = match info.ret[..] {
                    [] => None,
                    [ty] => Some(clif_type(ty)),
                    _ => Some(WORD),
                };
                let signature = signature(self.links.native, params, ret);
                let signature = self.b.import_signature(signature);
                self.calls.insert(id, signature);
                signature
            }
        };
        let mut args: SmallVec<[Value; 12]> = SmallVec::new();
        args.push(self.address(info.target as u64));
        args.extend(op.args().iter().map(|arg| self.value(arg)));
        let thunk = self.address(info.thunk as u64);
        self.b.ins().call_indirect(signature, thunk, &args)
    }

    /// A call with the arguments in this function's frame, where the collector sees them.
    pub(crate) fn call_in_memory(&mut self, info: &FnInfo, op: OptimisedOp<'_>) -> Inst {
        let bytes = 8 * op.args().len() as u32;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        let slot = self.b.create_sized_stack_slot(data);
        for (n, arg) in op.args().iter().enumerate() {
            let value = self.value(arg);
            self.b.ins().stack_store(WORD, value, slot, 8 * n as i32);
        }
        let signature = self.runtime_signature(2);
        let target = self.address(info.target as u64);
        let args = self.b.ins().stack_addr(WORD, slot, 0);
        let invoke = self.address(info.invoke as u64);
        self.b
            .ins()
            .call_indirect(signature, invoke, &[target, args])
    }

    /// The signature of a runtime function from words to a word.
    pub(crate) fn runtime_signature(&mut self, params: usize) -> SigRef {
        if let Some(known) = self.runtime[params] {
            return known;
        }
        let words = std::iter::repeat_n(WORD, params);
        let signature = signature(self.links.native, words, Some(WORD));
        let signature = self.b.import_signature(signature);
        self.runtime[params] = Some(signature);
        signature
    }
}
