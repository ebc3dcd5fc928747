//! The dispatcher: the loop that reads the id of the next block and calls the method that holds it.
//! In come a block and its arguments, out comes how compiled code was left. Source: section 6.3 of
//! the paper of 2009, where each graph's first method has it; here there is one for all, since a
//! trace may go on in any other.

#![allow(unsafe_code)]

use crate::block_id::{MethodBlockId, MethodNumber};
use crate::host::{MadeMethod, Surroundings};
use crate::input_args::InputArgs;
use crate::method::DirectCall;
use crate::numbers::Lease;
use crate::switch::Switch;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use verdigris_backend::{CodeExit, Entry, Retired};
use verdigris_heap::{Context, detector};
use verdigris_ops::{FnInfo, Ty};
use verdigris_trace::{GuardId, TargetId};

/// What is known of all methods. It outlives the backend while there are entries.
#[derive(Default)]
pub(crate) struct Dispatcher {
    /// The methods by their numbers.
    methods: RefCell<Vec<Option<Rc<dyn MadeMethod>>>>,
    pub(crate) args: InputArgs,
    pub(crate) labels: RefCell<FxHashMap<TargetId, Label>>,
    pub(crate) guards: RefCell<FxHashMap<GuardId, Guard>>,
    /// Methods of bridges that were replaced or invalidated.
    pub(crate) retired: Retired<Rc<Registration>>,
}

/// A compiled label.
#[derive(Clone)]
pub(crate) struct Label {
    pub(crate) block: MethodBlockId,
    /// The types of its parameters.
    pub(crate) types: Rc<[Ty]>,
    pub(crate) method: Rc<Registration>,
}

/// A compiled guard.
pub(crate) struct Guard {
    pub(crate) switch: Rc<Switch>,
    /// The method in which its bridge starts.
    pub(crate) bridge: Option<Rc<Registration>>,
}

/// The place of a method in the table of all, which ends when nothing leads to the method any more.
pub(crate) struct Registration {
    pub(crate) lease: Rc<Lease>,
    /// The numbers in its external links.
    _links: Vec<Rc<Lease>>,
    dispatcher: Weak<Dispatcher>,
}

impl Drop for Registration {
    fn drop(&mut self) {
        let Some(dispatcher) = self.dispatcher.upgrade() else {
            return;
        };
        let method = dispatcher.methods.borrow_mut()[self.lease.number.index()].take();
        drop(method);
    }
}

impl Dispatcher {
    /// Makes a method known, which has links to methods with these numbers.
    pub(crate) fn register(
        self: &Rc<Dispatcher>,
        lease: Rc<Lease>,
        links: Vec<Rc<Lease>>,
        method: Rc<dyn MadeMethod>,
    ) -> Rc<Registration> {
        let mut methods = self.methods.borrow_mut();
        let index = lease.number.index();
        if methods.len() <= index {
            methods.resize_with(index + 1, || None);
        }
        methods[index] = Some(method);
        Rc::new(Registration {
            lease,
            _links: links,
            dispatcher: Rc::downgrade(self),
        })
    }

    fn method(&self, number: MethodNumber) -> Option<Rc<dyn MadeMethod>> {
        self.methods.borrow().get(number.index())?.clone()
    }

    /// Runs from a block until an exit.
    ///
    /// # Safety
    /// As [`Entry::run`]; the slots hold the block's arguments.
    unsafe fn run(&self, ctx: *mut Context, block: MethodBlockId) -> CodeExit {
        let mut next = block;
        while next.method() != MethodNumber::ENGINE {
            let method = self.method(next.method());
            let method = method.unwrap_or_else(|| panic!("the method of {next} was forgotten"));
            // SAFETY: the caller's promise; the block that was left has written the arguments.
            next = unsafe { method.call(ctx, next.block(), self) };
        }
        // SAFETY: the context is current; no other reference to its fields lives now.
        let exits = unsafe { &mut (*ctx).exits };
        match next {
            MethodBlockId::FINISH => CodeExit::Finish(exits[0]),
            MethodBlockId::OUT_OF_MEMORY => CodeExit::OutOfMemory,
            _ => {
                let guard = self.args.guard().expect("a guard that leaves says so");
                let guards = self.guards.borrow();
                let types = guards[&guard].switch.types().iter().copied();
                for (exit, word) in exits.iter_mut().zip(self.args.read(types)) {
                    *exit = word;
                }
                CodeExit::Guard(guard)
            }
        }
    }
}

impl Surroundings for Dispatcher {
    fn args(&self) -> &InputArgs {
        &self.args
    }

    unsafe fn call_code(
        &self,
        ctx: *mut Context,
        callee: DirectCall,
        function: &FnInfo,
        args: &[u64],
    ) -> Option<u64> {
        let here = (&raw const callee).addr();
        // SAFETY: the word lives as long as the engine, and so do the limits of the context.
        let block = unsafe {
            let word = std::ptr::with_exposed_provenance::<u64>(callee.word as usize).read();
            let has_room = here > (*ctx).stack_limit && !(*ctx).is_shadow_full();
            MethodBlockId::from_word(Some(word).filter(|&word| word != 0 && has_room)?)
        };
        let types = function.params[callee.greens..].iter().copied();
        self.args
            .write(types.zip(args[callee.greens..].iter().copied()));
        // SAFETY: the code takes the reds; an engine that says where code is finishes its calls.
        unsafe {
            match self.run(ctx, block) {
                CodeExit::Finish(_) => {}
                exit => {
                    let finish = (*ctx).finish_call;
                    let finish = finish.expect("an engine finishes the calls of its code");
                    finish(ctx, (&raw const exit).cast());
                }
            }
            if (*ctx).panicked != 0 {
                return Some(0);
            }
            let results = function.ret.len();
            for n in 1..results {
                (*ctx).results[n] = (*ctx).exits[n];
            }
            Some(if results == 0 { 0 } else { (*ctx).exits[0] })
        }
    }
}

/// An entry of the layered backend.
pub(crate) struct MethodEntry {
    pub(crate) dispatcher: Rc<Dispatcher>,
    pub(crate) label: Label,
}

impl Entry for MethodEntry {
    unsafe fn run(&self, ctx: *mut Context, args: &[u64]) -> CodeExit {
        let types = &self.label.types;
        assert_eq!(
            args.len(),
            types.len(),
            "a label is entered with its own arguments"
        );
        let _active = self.dispatcher.retired.activation();
        // Lists of arguments are read before anything is collected, and old ones not at all.
        let _own = detector::own();
        let args = types.iter().copied().zip(args.iter().copied());
        self.dispatcher.args.write(args);
        // SAFETY: the caller's promise.
        unsafe { self.dispatcher.run(ctx, self.label.block) }
    }

    /// The id of the label's block, for direct calls by other methods.
    fn address(&self) -> usize {
        self.label.block.word() as usize
    }
}
