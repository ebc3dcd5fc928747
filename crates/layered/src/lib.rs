//! Traces for hosts whose code cannot be changed once it is made: the CLI, WebAssembly, the JVM. In
//! come optimised traces, out come methods, which a [`MethodHost`] makes, and what decides at run
//! time where they go on. Source: section 6 of "Automatic Generation of JIT Compilers for Dynamic
//! Languages in .NET" (Ancona, Bolz, Cuni, Rigo, 2009), which calls it JIT layering: the host
//! compiles the methods once more. Decision 29 has the alternatives.
//!
//! # Methods, blocks and links
//!
//! A trace becomes one [`Method`], or several if it has more operations than the host likes. Each
//! section of the trace is a block. A [`MethodBlockId`] has 32 bits: the number of a method above
//! the number of a block in it. A link between two blocks of a method is *internal*: a jump, with
//! the arguments in local variables. Any other link is *external*: the block writes its arguments
//! to the [`InputArgs`] and returns the id of the next block. The *dispatcher* reads the id, calls
//! the method that holds the block, and that switches to the block. The ids of the method
//! [`MethodNumber::ENGINE`] leave compiled code.
//!
//! # What grows
//!
//! Machine code sends a guard to a bridge by writing to memory that the guard's jump reads, or to
//! the jump. Here each guard has a [`Switch`], which is data: it searches its arms for the value
//! that came, and without an arm says that the guard leaves to the engine. A bridge is another
//! method, and one more arm. So is `guard_not_invalidated`: the switch says whether it holds. The
//! methods that were there stay as they are, and nothing else has to know of the new one. What is
//! replaced or invalidated loses its arm, and its method is dropped when no activation can be in
//! it.
//!
//! A number is used again when no method that lives links to it, so a link to a method that was
//! forgotten never leads to another one.
//!
//! # Hosts
//!
//! [`StrictHost`] is the first: it interprets methods, as the oracle does traces and by the same
//! definitions (`crates/backend/src/interpret.rs`), and has no way to write to one. So all tests
//! prove that the design needs none. What a host that makes code is given:
//!
//! * [`Method::steps`]: data operations, calls and guards of a block in order, with the types of
//!   their values, as the backends for machine code lower them. [`Method::descrs`] has the layouts
//!   of objects, and the addresses of thunks.
//! * [`MethodStep::Guard`] with its [`GuardLink`], and [`BlockEnd`]: all ways out of a block.
//! * [`MethodStep::Call`]: the thunk to call; the guard that says what to keep meanwhile; the code
//!   to call instead while there is some ([`Surroundings::call_code`]).
//! * the conventions of `crates/backend`: write barriers, the exit buffer, panics and exhaustion,
//!   which guards ask for, and [`MethodBlockId::OUT_OF_MEMORY`].
//!
//! **The CLI**, in this process, by Mono, is `crates/cil`. A method is a `DynamicMethod` that
//! begins with the instruction `switch` on the block number. Values are local variables of the
//! types `int64`, `float64` and `native int`: objects are not the CLI's, so nothing is cast and
//! the host's collector sees none of them, and they stay where Verdigris' own looks, in registers
//! and frames on the stack of the thread. Fields, the cursor and the exit buffer are read and
//! written by `ldind` and `stind` at addresses, thunks called by `calli`. A switch is asked by a
//! call of a function of that crate, since its arms move; the flags of guards are read where
//! [`Switch`] has them, and slots where [`InputArgs::starts`] says. What it costs is in decision
//! 30: compiling, and not emission, is what the host takes, so it is for code that is entered
//! often.
//!
//! **WebAssembly.** A method is a module with one function, which shares the memory of the program
//! and is instantiated when it is made. It begins with `br_table` in a loop, since there is no
//! jump: an internal link sets the block number and goes round. `InputArgs` and the arms of
//! switches lie in the linear memory. The instances stand in a table by their method numbers:
//! `call_indirect` calls them, and `return_call_indirect` in the place of a return to the
//! dispatcher. Forgetting a method clears its place in the table.

#![warn(clippy::undocumented_unsafe_blocks)]
#![deny(unsafe_code)]

mod block_id;
mod dispatcher;
mod host;
mod input_args;
mod lower;
mod method;
mod numbers;
mod strict;
mod switch;
mod text;

pub use block_id::{MethodBlockId, MethodNumber};
pub use host::{MadeMethod, MethodHost, Surroundings};
pub use input_args::{ArgPlace, InputArgs};
pub use method::{BlockEnd, DirectCall, GuardLink, Link, Method, MethodBlock, MethodStep};
pub use strict::StrictHost;
pub use switch::Switch;

use crate::dispatcher::{Dispatcher, Guard, Label, MethodEntry, Registration};
use crate::lower::{Draft, Lowering, first_test};
use crate::numbers::{Lease, Numbers};
use crate::switch::FirstTest;
use std::rc::Rc;
use verdigris_backend::{
    Backend, BackendError, CompileOutput, Entry, Env, Section, bridge_sections, loop_sections,
};
use verdigris_ops::{Descrs, Ty};
use verdigris_trace::{GuardId, OptimisedTrace, TargetId};

/// The backend, with a host.
pub struct Layered<H> {
    host: H,
    dispatcher: Rc<Dispatcher>,
    numbers: Numbers,
    /// The descriptors, copied once: methods run without an [`Env`].
    descrs: Rc<Descrs>,
    forced: bool,
}

impl Default for Layered<StrictHost> {
    fn default() -> Layered<StrictHost> {
        Layered::new(StrictHost::default())
    }
}

/// A trace that has been made into methods which are not known yet.
struct Unit {
    methods: Vec<NewMethod>,
    text: Option<String>,
}

/// A method that has been made, and what is to be known of it.
struct NewMethod {
    made: Rc<dyn MadeMethod>,
    lease: Rc<Lease>,
    links: Vec<Rc<Lease>>,
    labels: Vec<(TargetId, MethodBlockId, Rc<[Ty]>)>,
    switches: Vec<Rc<Switch>>,
    first_test: Option<FirstTest>,
}

impl<H: MethodHost> Layered<H> {
    /// A backend that has these methods made.
    pub fn new(host: H) -> Layered<H> {
        Layered {
            host,
            dispatcher: Rc::default(),
            numbers: Numbers::new(),
            descrs: Rc::default(),
            forced: false,
        }
    }

    fn switch(&self, guard: GuardId) -> Option<Rc<Switch>> {
        let guards = self.dispatcher.guards.borrow();
        Some(Rc::clone(&guards.get(&guard)?.switch))
    }

    fn known(dispatcher: &Dispatcher) -> impl Fn(TargetId) -> Option<Box<[Ty]>> {
        |target| Some(dispatcher.labels.borrow().get(&target)?.types[..].into())
    }

    /// Lets the host make the methods of a trace.
    fn make(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
        sections: &[Section<'_>],
    ) -> Result<Unit, BackendError> {
        if *self.descrs != *env.descrs {
            self.descrs = Rc::new(env.descrs.clone());
        }
        let lowering = Lowering {
            env,
            descrs: &self.descrs,
            trace: &Rc::new(trace.clone()),
            sections,
            labels: &self.dispatcher.labels.borrow(),
            forced: self.forced,
        };
        let drafts = lowering.methods(&self.numbers, self.host.most_operations())?;
        let text = drafts.iter().map(|draft| draft.method.to_string());
        let text = env.dump_ir.then(|| text.collect());
        let host = &mut self.host;
        let args = &self.dispatcher.args;
        let methods = drafts.into_iter().map(|draft| {
            reserve(args, &draft.method);
            NewMethod::new(host, draft)
        });
        let methods = methods.collect::<Result<_, _>>()?;
        Ok(Unit { methods, text })
    }

    /// Makes the methods known. Returns the first one, with the test that it starts with, and what
    /// is to be said of the compilation.
    fn publish(&mut self, unit: Unit) -> (Rc<Registration>, Option<FirstTest>, CompileOutput) {
        let dispatcher = &self.dispatcher;
        let mut first = None;
        for new in unit.methods {
            let method = dispatcher.register(new.lease, new.links, new.made);
            for (target, block, types) in new.labels {
                let label = Label {
                    block,
                    types,
                    method: Rc::clone(&method),
                };
                dispatcher.labels.borrow_mut().insert(target, label);
            }
            for switch in new.switches {
                let bridge = None;
                let id = switch.guard();
                let guard = Guard { switch, bridge };
                dispatcher.guards.borrow_mut().insert(id, guard);
            }
            first.get_or_insert((method, new.first_test));
        }
        let (method, test) = first.expect("a trace has a section");
        let output = CompileOutput {
            ir: unit.text,
            ..CompileOutput::default()
        };
        (method, test, output)
    }

    /// Gives a guard another bridge, or none. The method that it had is dropped when nothing can be
    /// running it.
    fn set_bridge(&self, guard: GuardId, bridge: Option<Rc<Registration>>) {
        let mut guards = self.dispatcher.guards.borrow_mut();
        let Some(guard) = guards.get_mut(&guard) else {
            return;
        };
        let old = std::mem::replace(&mut guard.bridge, bridge);
        self.dispatcher.retired.add(old);
    }
}

impl NewMethod {
    fn new(host: &mut impl MethodHost, draft: Draft) -> Result<NewMethod, BackendError> {
        let Draft {
            method,
            lease,
            links,
        } = draft;
        let labels = (0..).zip(method.blocks()).filter_map(|(number, block)| {
            let id = MethodBlockId::new(method.number(), number);
            Some((block.label?, id, method.types(&block.params).collect()))
        });
        Ok(NewMethod {
            labels: labels.collect(),
            switches: method.switches.values().map(Rc::clone).collect(),
            first_test: first_test(&method),
            made: host.make(method)?,
            lease,
            links,
        })
    }
}

/// Makes room for the arguments of all links to and from a method.
fn reserve(args: &InputArgs, method: &Method) {
    for block in method.blocks() {
        args.reserve(method.types(&block.params));
        if let BlockEnd::Thread(values) = &block.end {
            args.reserve(values.iter().map(|&value| method.trace().ty(value)));
        }
    }
    for switch in method.switches.values() {
        args.reserve(switch.types().iter().copied());
    }
}

impl<H: MethodHost> Backend for Layered<H> {
    fn name(&self) -> &'static str {
        self.host.name()
    }

    fn compile_loop(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        self.dispatcher.retired.free();
        let sections = loop_sections(env.descrs, trace, &Self::known(&self.dispatcher))?;
        let unit = self.make(env, trace, &sections)?;
        let (_, _, output) = self.publish(unit);
        Ok(output)
    }

    fn compile_bridge(
        &mut self,
        env: &Env<'_>,
        guard: GuardId,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        self.dispatcher.retired.free();
        let Some(switch) = self.switch(guard) else {
            return Err(BackendError(format!(
                "the guard {guard} has not been compiled"
            )));
        };
        let types = switch.types().iter().copied();
        let sections = bridge_sections(
            env.descrs,
            trace,
            &Self::known(&self.dispatcher),
            guard,
            types,
        )?;
        let unit = self.make(env, trace, &sections)?;
        let (method, test, output) = self.publish(unit);
        // A guard that has still to fail must not be passed by.
        let test = test.filter(|_| !self.forced);
        switch.attach(MethodBlockId::new(method.lease.number, 0), test.as_ref());
        self.set_bridge(guard, Some(method));
        Ok(output)
    }

    fn entry(&self, target: TargetId) -> Option<Rc<dyn Entry>> {
        let label = self.dispatcher.labels.borrow().get(&target)?.clone();
        Some(Rc::new(MethodEntry {
            dispatcher: Rc::clone(&self.dispatcher),
            label,
        }))
    }

    fn thread_word(&self, target: TargetId) -> u64 {
        let labels = self.dispatcher.labels.borrow();
        labels.get(&target).map_or(0, |label| label.block.word())
    }

    fn invalidate(&mut self, checks: &[GuardId], bridge_of: Option<GuardId>) {
        for switch in checks.iter().filter_map(|&check| self.switch(check)) {
            switch.invalidate();
        }
        if let Some(guard) = bridge_of
            && let Some(switch) = self.switch(guard)
        {
            switch.detach();
            self.set_bridge(guard, None);
        }
    }

    #[allow(unsafe_code)]
    unsafe fn free(&mut self, targets: &[TargetId], guards: &[GuardId]) {
        let mut known = self.dispatcher.guards.borrow_mut();
        for guard in guards.iter().filter_map(|guard| known.remove(guard)) {
            guard.switch.detach();
        }
        let mut labels = self.dispatcher.labels.borrow_mut();
        targets
            .iter()
            .for_each(|target| drop(labels.remove(target)));
    }

    fn force_guard_failures(&mut self) {
        self.forced = true;
    }

    fn code_bytes(&self) -> usize {
        0
    }
}
