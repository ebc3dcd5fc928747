//! Pushing and popping: values, words, addresses and results, and calls of functions by their
//! addresses.

use crate::code::{Kind, Signature, signature_token};
use crate::instructions::*;
use crate::locals::Local;
use crate::lower::state::Lower;
use crate::lower::uses::ResultPlace;
use verdigris_ops::{Descrs, Ty};
use verdigris_trace::{Arg, Const, OptimisedOp, ValRef};

impl<'m> Lower<'m> {
    pub(super) fn descrs(&self) -> &'m Descrs {
        self.method.descrs()
    }

    pub(super) fn ty(&self, arg: Arg) -> Ty {
        self.method.trace().ty(arg)
    }

    /// Pushes an argument.
    pub(super) fn value(&mut self, arg: Arg) {
        match arg {
            Arg::Ref(value) if self.on_stack == Some(value) => self.on_stack = None,
            Arg::Ref(value) => {
                let local = self.locals.of(value);
                self.code.variable(LDLOC, local);
            }
            Arg::Const(Const::Int(value)) => self.code.int(value),
            Arg::Const(Const::Ref(address)) => self.address(address),
            Arg::Const(Const::Float(bits)) => self.code.float(bits),
        }
    }

    /// Pushes the word of an argument as an `int64`.
    pub(super) fn word(&mut self, arg: Arg) {
        if let Some(constant) = arg.as_const() {
            return self.code.int(constant.word() as i64);
        }
        self.value(arg);
        match self.ty(arg) {
            Ty::Int | Ty::Word => {}
            Ty::Ref => self.code.op(CONV_U8),
            Ty::Float => self.float_to_bits(),
        }
    }

    /// Turns the `int64` on the stack into a value of a type.
    pub(super) fn of_word(&mut self, ty: Ty) {
        match ty {
            Ty::Int | Ty::Word => {}
            Ty::Ref => self.code.op(CONV_I),
            Ty::Float => self.bits_to_float(),
        }
    }

    pub(super) fn float_to_bits(&mut self) {
        let bits = self.bits_local();
        self.code.variable(STLOC, bits);
        self.code.variable(LDLOCA, bits);
        self.code.op(CONV_I);
        self.code.op(LDIND_I8);
    }

    pub(super) fn bits_to_float(&mut self) {
        let bits = self.bits_local();
        let word = self.locals.take(Kind::Int);
        self.code.variable(STLOC, word);
        self.code.variable(LDLOCA, bits);
        self.code.op(CONV_I);
        self.code.variable(LDLOC, word);
        self.code.op(STIND_I8);
        self.code.variable(LDLOC, bits);
        self.locals.give_back(word);
    }

    pub(super) fn bits_local(&mut self) -> Local {
        match self.bits {
            Some(local) => local,
            None => {
                let local = self.locals.fresh(Kind::Float);
                self.bits = Some(local);
                local
            }
        }
    }

    /// Pushes an address as a `native int`.
    pub(super) fn address(&mut self, address: u64) {
        self.code.int(address as i64);
        self.code.op(CONV_I);
    }

    /// The address on the stack moves by this many bytes.
    pub(super) fn offset(&mut self, bytes: usize) {
        if bytes != 0 {
            self.code.short(bytes as i32);
            self.code.op(ADD);
        }
    }

    /// Pushes the address of a place in the context.
    pub(super) fn context_place(&mut self, offset: usize) {
        self.code.op(LDARG_1);
        self.offset(offset);
    }

    /// Pushes the `int64` that lies in the context.
    pub(super) fn context_word(&mut self, offset: usize) {
        self.context_place(offset);
        self.code.op(LDIND_I8);
    }

    /// The result of the operation is on the stack.
    pub(super) fn result(&mut self, op: OptimisedOp<'_>) {
        let result = op.result().expect("it has a result");
        match self.result_place {
            ResultPlace::Stack => self.on_stack = Some(result),
            _ => self.define(result),
        }
    }

    /// A value is on the stack, and is put in its variable.
    pub(super) fn define(&mut self, value: ValRef) {
        if !self.uses.is_used(value) {
            return self.code.op(POP);
        }
        let local = self.locals.define(value, self.method.ty(value));
        self.code.variable(STLOC, local);
    }

    /// The variable of a result that is computed there; none if the result is not needed.
    pub(super) fn result_local(&mut self, op: OptimisedOp<'_>) -> Option<Local> {
        let result = op.result().expect("it has a result");
        let used = self.uses.is_used(result);
        used.then(|| self.locals.define(result, self.method.ty(result)))
    }

    /// Calls the function at this address, whose arguments are on the stack.
    pub(super) fn call_address(&mut self, address: usize, params: &[Kind], ret: Option<Kind>) {
        let signature = Signature {
            params: params.into(),
            ret,
        };
        self.address(address as u64);
        self.calli(signature);
    }

    /// Calls the function whose address is on the stack behind its arguments.
    pub(super) fn calli(&mut self, signature: Signature) {
        let known = self.signatures.iter().position(|known| *known == signature);
        let number = known.unwrap_or_else(|| {
            self.signatures.push(signature.clone());
            self.signatures.len() - 1
        });
        self.code.call(&signature, signature_token(number));
    }
}
