//! Makes CIL of a method: a local variable for each value that is needed for longer than until the
//! next operation, the blocks in order, and behind them the ways out, which are rarely taken.
//!
//! The parameters of a method are the number of a block, the context, and its [`Activation`]. The
//! values that the collector has to find are addresses of objects in variables of the type `native
//! int`. Mono has each in a register or in the frame as long as it is needed; calls save the
//! registers on the same stack.
//!
//! [`Activation`]: crate::activation::Activation

mod alloc;
mod calls;
mod compare;
mod data;
mod exits;
mod guards;
mod memory;
mod state;
mod suspended;
mod uses;
mod values;

use crate::activation::CallSite;
use crate::code::{Body, Label};
use crate::instructions::*;
use crate::lower::state::Lower;
use crate::lower::uses::{ResultPlace, Uses, is_forced};
use std::rc::Rc;
use verdigris_backend::{BackendError, MAX_FRAME};
use verdigris_layered::{Method, MethodBlock, MethodStep};
use verdigris_trace::{Opcode, OptimisedOp};

/// Bytes of a frame besides what variables and the memory for calls take: saved registers, and what
/// Mono spills.
const FRAME_REST: usize = 2 << 10;

/// A method as CIL, and what it refers to by address.
pub(crate) struct Lowered {
    pub(crate) body: Body,
    pub(crate) sites: Vec<Rc<CallSite>>,
}

/// Makes CIL of a method.
///
/// # Errors
/// If its frame would be too large.
pub(crate) fn lower(method: &Method) -> Result<Lowered, BackendError> {
    let mut lower = Lower::new(method);
    lower.entry();
    for number in 0..method.blocks().len() {
        lower.block(number);
    }
    lower.cold();
    lower.finish()
}

impl<'m> Lower<'m> {
    /// What is done first: makes the memory of the frame, and goes to the block that is wanted.
    fn entry(&mut self) {
        if let Some(local) = self.memory_local {
            self.code.short(self.memory.bytes() as i32);
            self.code.op(CONV_I);
            self.code.op(LOCALLOC);
            self.code.variable(STLOC, local);
        }
        let count = self.method.blocks().len();
        let labels: Vec<Label> = (0..count).map(|_| self.code.label()).collect();
        if count > 1 {
            self.code.op(LDARG_0);
            self.code.switch(&labels[..count - 1]);
        }
        for number in (0..count).rev() {
            self.code.bind(labels[number]);
            self.load_params(number);
            let (_, body) = self.blocks[number];
            self.code.branch(BR, body);
        }
    }

    fn block(&mut self, number: usize) {
        let block: &'m MethodBlock = &self.method.blocks()[number];
        let steps: Vec<MethodStep<'m>> = self.method.steps(block).collect();
        let forced = steps.iter().any(|step| match step {
            MethodStep::Guard(_, link) => is_forced(link),
            _ => false,
        });
        self.uses = Uses::new(&steps, &block.end, forced);
        self.barriers.clear();
        self.locals.release_all();
        let (params, body) = self.blocks[number].clone();
        for (&param, local) in block.params.iter().zip(params) {
            self.locals.hold(local);
            self.locals.place(param, local);
        }
        for &param in &block.params {
            if !self.uses.is_used(param) {
                self.locals.release(param);
            }
        }
        self.code.bind(body);
        for (n, step) in steps.into_iter().enumerate() {
            self.result_place = self.uses.results[n];
            self.step(step);
            for value in std::mem::take(&mut self.uses.last[n]) {
                self.locals.release(value);
            }
        }
        self.end(&block.end);
        self.state = None;
    }

    fn step(&mut self, step: MethodStep<'m>) {
        match step {
            MethodStep::Compute(op) => {
                self.barriers.pass(op);
                self.compute(op);
            }
            MethodStep::Call { op, keeps, callee } => {
                self.barriers.pass(op);
                match keeps {
                    Some(guard) => self.keeping_call(op, guard, callee),
                    None => self.call(op, callee),
                }
            }
            MethodStep::Guard(op, link) => {
                self.barriers.pass(op);
                self.guard(op, link);
            }
        }
    }

    fn compute(&mut self, op: OptimisedOp<'m>) {
        match op.opcode() {
            Opcode::Data(_) if self.result_place == ResultPlace::Branch => self.pending = Some(op),
            Opcode::Data(data) if data.is_pure() => self.pure(data, op),
            Opcode::Data(data) => self.heap(data, op),
            _ => self.hole(op),
        }
    }

    /// The code, the variables and what it refers to.
    fn finish(self) -> Result<Lowered, BackendError> {
        let (code, max_stack) = self.code.finish();
        let values = self.locals.len() + max_stack;
        if 8 * values + self.memory.bytes() + FRAME_REST > MAX_FRAME {
            return Err(BackendError(format!(
                "a method would have a frame with {values} values, for which {MAX_FRAME} bytes are not enough: lower trace_limit"
            )));
        }
        Ok(Lowered {
            body: Body {
                code,
                max_stack,
                locals: self.locals.kinds(),
                signatures: self.signatures,
            },
            sites: self.sites,
        })
    }
}
