//! The strict host: it interprets methods, and proves that none has to be changed. A method is a
//! value behind a reference; there is no way to write to one, and making another one with the
//! number of one that lives is an error.

#![allow(unsafe_code)]

use crate::block_id::{MethodBlockId, MethodNumber};
use crate::host::{MadeMethod, MethodHost, Surroundings};
use crate::method::{BlockEnd, GuardLink, Link, Method, MethodBlock, MethodStep};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use verdigris_backend::BackendError;
use verdigris_backend::interpret::{Interpreter, record_word, residual_call};
use verdigris_heap::{Context, HeapExhausted};
use verdigris_ops::Ty;
use verdigris_trace::{Arg, OptimisedOp, ValRef};

/// The strict host.
pub struct StrictHost {
    most_operations: usize,
    has_tail_calls: bool,
    made: Rc<Made>,
}

/// The methods of a host that live.
type Made = RefCell<FxHashMap<MethodNumber, Weak<StrictMethod>>>;

impl Default for StrictHost {
    fn default() -> StrictHost {
        StrictHost {
            most_operations: 2000,
            has_tail_calls: false,
            made: Rc::default(),
        }
    }
}

impl StrictHost {
    /// A host whose methods have at most so many operations.
    pub fn with_most_operations(self, most_operations: usize) -> StrictHost {
        StrictHost {
            most_operations,
            ..self
        }
    }

    /// A host that goes from method to method itself, and returns to the dispatcher only for the
    /// engine's blocks.
    pub fn with_tail_calls(self) -> StrictHost {
        StrictHost {
            has_tail_calls: true,
            ..self
        }
    }
}

impl MethodHost for StrictHost {
    fn name(&self) -> &'static str {
        "layered"
    }

    fn most_operations(&self) -> usize {
        self.most_operations
    }

    fn make(&mut self, method: Method) -> Result<Rc<dyn MadeMethod>, BackendError> {
        let number = method.number();
        let mut made = self.made.borrow_mut();
        if made.get(&number).is_some_and(|m| m.strong_count() > 0) {
            return Err(BackendError(format!(
                "method {number} has been made, and cannot be changed"
            )));
        }
        let new = Rc::new(StrictMethod {
            method,
            others: self.has_tail_calls.then(|| Rc::clone(&self.made)),
        });
        made.insert(number, Rc::downgrade(&new));
        Ok(new)
    }
}

struct StrictMethod {
    method: Method,
    /// The methods that it can call in its place.
    others: Option<Rc<Made>>,
}

impl StrictMethod {
    /// The method that holds a block, if this one can call it.
    fn other(&self, block: MethodBlockId) -> Option<Rc<StrictMethod>> {
        self.others
            .as_ref()?
            .borrow()
            .get(&block.method())?
            .upgrade()
    }
}

impl MadeMethod for StrictMethod {
    unsafe fn call(
        &self,
        ctx: *mut Context,
        block: u16,
        outside: &dyn Surroundings,
    ) -> MethodBlockId {
        // SAFETY: the caller's promise.
        let mut next = unsafe { run(&self.method, ctx, block, outside) };
        while let Some(other) = self.other(next) {
            // SAFETY: the block that was left has written the arguments.
            next = unsafe { run(&other.method, ctx, next.block(), outside) };
        }
        next
    }
}

/// Where to go on after a block.
enum Next {
    /// In the same method, with these words.
    Block(u16, Vec<u64>),
    /// Elsewhere; the arguments are in the slots.
    Outside(MethodBlockId),
}

/// Runs a method from a block on until it is left.
///
/// # Safety
/// As [`MadeMethod::call`].
unsafe fn run(
    method: &Method,
    ctx: *mut Context,
    block: u16,
    outside: &dyn Surroundings,
) -> MethodBlockId {
    let mut block = &method.blocks()[usize::from(block)];
    let mut words: Vec<u64> = outside.args().read(method.types(&block.params)).collect();
    loop {
        // SAFETY: the context is current, and there is no safepoint before the words are there.
        let values = unsafe { Interpreter::new(ctx, method.descrs(), method.trace()) };
        for (&param, &word) in block.params.iter().zip(&words) {
            values.set(param, word);
        }
        let activation = Activation {
            ctx,
            method,
            outside,
            values,
        };
        // SAFETY: the caller's promise.
        match unsafe { activation.run(block) } {
            Next::Block(number, args) => {
                block = &method.blocks()[usize::from(number)];
                words = args;
            }
            Next::Outside(next) => return next,
        }
    }
}

/// An activation of a block.
struct Activation<'a> {
    ctx: *mut Context,
    method: &'a Method,
    outside: &'a dyn Surroundings,
    values: Interpreter<'a>,
}

impl<'a> Activation<'a> {
    /// # Safety
    /// As [`MadeMethod::call`].
    unsafe fn run(mut self, block: &'a MethodBlock) -> Next {
        for step in self.method.steps(block) {
            // SAFETY: the caller's promise; the operations have been checked.
            unsafe {
                match step {
                    MethodStep::Compute(op) => {
                        if let Err(HeapExhausted) = self.values.compute(op) {
                            return Next::Outside(MethodBlockId::OUT_OF_MEMORY);
                        }
                    }
                    MethodStep::Call { op, keeps, callee } => {
                        let outside = self.outside;
                        let call = |values: &mut Interpreter<'_>| {
                            values.call(op, |ctx, function, args| {
                                let direct = callee.and_then(|callee| {
                                    outside.call_code(ctx, callee, function, args)
                                });
                                direct.unwrap_or_else(|| residual_call(ctx, function, args))
                            });
                        };
                        match keeps {
                            Some(guard) => self.values.keeping(guard, call),
                            None => call(&mut self.values),
                        }
                    }
                    MethodStep::Guard(op, link) => {
                        if let Some(next) = self.guard(op, &link) {
                            return next;
                        }
                    }
                }
            }
        }
        self.end(&block.end)
    }

    /// Where to go if the guard fails.
    ///
    /// # Safety
    /// As [`Interpreter::holds`].
    unsafe fn guard(&self, op: OptimisedOp<'_>, link: &GuardLink<'_>) -> Option<Next> {
        let is_invalid = || match link {
            GuardLink::Side(_) => false,
            GuardLink::Switch(switch) => switch.is_invalid(),
        };
        // SAFETY: the caller's promise.
        let holds = unsafe { self.values.holds(op, is_invalid) };
        match link {
            GuardLink::Side(_) if holds => None,
            GuardLink::Side(link) => Some(self.go(*link, self.typed(op.fail_args()))),
            GuardLink::Switch(switch) if holds && !switch.is_forced() => None,
            GuardLink::Switch(switch) => {
                switch.has_failed();
                // SAFETY: the guard fails.
                unsafe { self.values.leave(op) };
                self.outside.args().write(self.typed(op.fail_args()));
                Some(Next::Outside(switch.next(self.outside.args())))
            }
        }
    }

    fn end(&self, end: &BlockEnd) -> Next {
        match end {
            BlockEnd::Goto(link, args) => self.go(*link, self.args(args)),
            BlockEnd::Finish(values) => {
                // SAFETY: the context is current; no other reference to its fields lives now.
                let exits = unsafe { &mut (*self.ctx).exits };
                exits[0] = 0;
                for (exit, &value) in exits.iter_mut().zip(values) {
                    *exit = self.values.word(value);
                }
                Next::Outside(MethodBlockId::FINISH)
            }
            BlockEnd::Thread(args) => {
                self.outside.args().write(self.args(args));
                let record = self.values.word(args[0]);
                // SAFETY: the first argument is a record, which begins with the id of a block.
                let word = unsafe { record_word(record, 0).read() };
                Next::Outside(MethodBlockId::from_word(word))
            }
            BlockEnd::Leave => unreachable!("`leave` does not hold"),
        }
    }

    /// Follows a link with these arguments.
    fn go(&self, link: Link, args: impl Iterator<Item = (Ty, u64)>) -> Next {
        match link {
            Link::Internal(block) => Next::Block(block, args.map(|(_, word)| word).collect()),
            Link::External(block) => {
                self.outside.args().write(args);
                Next::Outside(block)
            }
        }
    }

    fn typed(&self, values: &[ValRef]) -> impl Iterator<Item = (Ty, u64)> {
        values
            .iter()
            .map(|&value| (self.method.ty(value), self.values.get(value)))
    }

    fn args(&self, args: &[Arg]) -> impl Iterator<Item = (Ty, u64)> {
        let ty = |arg| self.method.trace().ty(arg);
        args.iter()
            .map(move |&arg| (ty(arg), self.values.word(arg)))
    }
}
