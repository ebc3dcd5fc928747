//! Calls of functions: by their thunks, with the arguments in memory, or of code in their place.
//!
//! `calli` has managed signatures, for which Mono makes a plain call by the convention of the
//! processor: with unmanaged ones it would make a wrapper that tells Mono where the thread is. A
//! panic waits in the context for the guard behind the call.

use crate::activation::{CallSite, call_code};
use crate::code::{Kind, Signature};
use crate::instructions::*;
use crate::locals::kind_of;
use crate::lower::state::{Kinds, Lower};
use std::mem::offset_of;
use std::rc::Rc;
use verdigris_heap::Context;
use verdigris_layered::DirectCall;
use verdigris_ops::{FnInfo, FnKind};
use verdigris_trace::OptimisedOp;

impl<'m> Lower<'m> {
    /// Lowers a call, which goes to code while there is some for `callee`.
    pub(super) fn call(&mut self, op: OptimisedOp<'m>, callee: Option<DirectCall>) {
        let info = &self.descrs().fns[op.function()];
        if let Some(callee) = callee {
            return self.call_code(op, info, callee);
        }
        if info.kind != FnKind::Conditional {
            return self.call_thunk(op, info);
        }
        // A call without results that is made if the first argument is not 0.
        let done = self.code.label();
        self.value(op.arg(0));
        self.code.branch(BRFALSE, done);
        self.call_thunk(op, info);
        self.code.bind(done);
    }

    fn call_thunk(&mut self, op: OptimisedOp<'m>, info: &FnInfo) {
        if info.thunk == 0 {
            self.args_to_memory(op);
            self.address(info.target as u64);
            self.memory_address(0);
            self.call_runtime(info.invoke, 2);
            self.code.op(CONV_U8);
            return self.results(op, true);
        }
        self.address(info.target as u64);
        op.args().iter().for_each(|arg| self.value(arg));
        let params = info.params.iter().map(|&ty| kind_of(ty));
        let params: Kinds = std::iter::once(Kind::Address).chain(params).collect();
        let ret = match info.ret[..] {
            [] => None,
            [ty] => Some(kind_of(ty)),
            // The first of several comes as a word.
            _ => Some(Kind::Int),
        };
        self.address(info.thunk as u64);
        self.calli(Signature {
            params: params.as_slice().into(),
            ret,
        });
        self.results(op, info.ret.len() > 1);
    }

    fn call_code(&mut self, op: OptimisedOp<'m>, info: &'m FnInfo, callee: DirectCall) {
        let site = Rc::new(CallSite::new(callee, info));
        let address = site.address();
        self.sites.push(site);
        self.args_to_memory(op);
        self.code.ops(&[LDARG_1, LDARG_2]);
        self.address(address);
        self.memory_address(0);
        self.call_runtime(call_code as *const () as usize, 4);
        self.code.op(CONV_U8);
        self.results(op, true);
    }

    fn args_to_memory(&mut self, op: OptimisedOp<'m>) {
        for (n, arg) in op.args().iter().enumerate() {
            self.memory_address(8 * n);
            self.word(arg);
            self.code.op(STIND_I8);
        }
    }

    /// Pushes the address of a place in the memory of the frame.
    pub(super) fn memory_address(&mut self, offset: usize) {
        let memory = self.memory_local.expect("calls that need memory have some");
        self.code.variable(LDLOC, memory);
        self.offset(offset);
    }

    /// Takes the results of a call, of which the first is on the stack, as a word or as it is. The
    /// others are in the context.
    fn results(&mut self, op: OptimisedOp<'m>, as_word: bool) {
        let info = &self.descrs().fns[op.function()];
        for (n, value) in op.definitions().enumerate() {
            let ty = self.method.ty(value);
            match n {
                0 if as_word => self.of_word(ty),
                0 => {}
                _ => {
                    self.context_word(offset_of!(Context, results) + 8 * n);
                    self.of_word(ty);
                }
            }
            self.define(value);
        }
        // What is called by `invoke` returns a word in any case.
        let leaves_word = as_word || !info.ret.is_empty();
        if op.definitions().len() == 0 && leaves_word {
            self.code.op(POP);
        }
    }
}
