//! The oracle: a backend that interprets traces, by the definition of each operation
//! ([`interpret`](crate::interpret)). It is the plainest thing that can be right; machine code must
//! agree with it on results, effects and the words at every exit.
//!
//! Nothing of the oracle is borrowed while an operation runs: code may be compiled, attached and
//! entered from residual calls.

#![allow(unsafe_code)]

use crate::interface::{Backend, BackendError, CodeExit, CompileOutput, Entry, Env};
use crate::interpret::{Interpreter, identity, keeping_guard, record_word, residual_call};
use crate::sections::{Section, SectionEnd, bridge_sections, loop_sections};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use verdigris_heap::{Context, HeapExhausted};
use verdigris_ops::{Descrs, Ty};
use verdigris_trace::{GuardId, Opcode, OptimisedOp, OptimisedTrace, TargetId, ValRef};

/// The interpreting backend.
#[derive(Default)]
pub struct Oracle {
    state: Rc<State>,
    forced: bool,
}

#[derive(Default)]
struct State {
    descrs: RefCell<Rc<Descrs>>,
    labels: RefCell<FxHashMap<TargetId, Rc<Code>>>,
    guards: RefCell<FxHashMap<GuardId, Rc<Guard>>>,
}

/// A section that can be run.
struct Code {
    trace: Rc<OptimisedTrace>,
    descrs: Rc<Descrs>,
    params: Vec<ValRef>,
    /// Where its operations stand in the trace.
    ops: Range<usize>,
    end: SectionEnd,
    /// Its guards.
    guards: FxHashMap<GuardId, Rc<Guard>>,
}

struct Guard {
    types: Box<[Ty]>,
    forced: Cell<bool>,
    /// It fails because its trace has been invalidated.
    invalid: Cell<bool>,
    bridge: RefCell<Option<Rc<Code>>>,
}

impl Oracle {
    /// An oracle that knows no traces.
    pub fn new() -> Oracle {
        Oracle::default()
    }

    fn known(state: &State) -> impl Fn(TargetId) -> Option<Box<[Ty]>> {
        |target| {
            state
                .labels
                .borrow()
                .get(&target)
                .map(|code| code.param_types())
        }
    }

    /// The descriptors, copied once: an entry runs without an [`Env`].
    fn descrs(&self, env: &Env<'_>) -> Rc<Descrs> {
        let mut descrs = self.state.descrs.borrow_mut();
        if **descrs != *env.descrs {
            *descrs = Rc::new(env.descrs.clone());
        }
        Rc::clone(&descrs)
    }

    /// Makes the sections known. Returns the code of the first one.
    fn define(&self, env: &Env<'_>, trace: &OptimisedTrace, sections: &[Section<'_>]) -> Rc<Code> {
        let descrs = self.descrs(env);
        let shared = Rc::new(trace.clone());
        let codes: Vec<Rc<Code>> = sections
            .iter()
            .map(|section| Rc::new(Code::new(&descrs, &shared, section, self.forced)))
            .collect();
        for (code, section) in codes.iter().zip(sections) {
            if let Some(target) = section.label {
                self.state
                    .labels
                    .borrow_mut()
                    .insert(target, Rc::clone(code));
            }
            let guards = code
                .guards
                .iter()
                .map(|(&id, guard)| (id, Rc::clone(guard)));
            self.state.guards.borrow_mut().extend(guards);
        }
        Rc::clone(&codes[0])
    }
}

impl Backend for Oracle {
    fn name(&self) -> &'static str {
        "oracle"
    }

    fn compile_loop(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        let sections = loop_sections(env.descrs, trace, &Self::known(&self.state))?;
        self.define(env, trace, &sections);
        Ok(CompileOutput::default())
    }

    fn compile_bridge(
        &mut self,
        env: &Env<'_>,
        guard: GuardId,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        let Some(from) = self.state.guards.borrow().get(&guard).cloned() else {
            return Err(BackendError(format!(
                "the guard {guard} has not been compiled"
            )));
        };
        let types = from.types.iter().copied();
        let sections = bridge_sections(env.descrs, trace, &Self::known(&self.state), guard, types)?;
        let code = self.define(env, trace, &sections);
        from.bridge.replace(Some(code));
        Ok(CompileOutput::default())
    }

    fn invalidate(&mut self, checks: &[GuardId], bridge_of: Option<GuardId>) {
        let guards = self.state.guards.borrow();
        for check in checks.iter().filter_map(|id| guards.get(id)) {
            check.invalid.set(true);
        }
        if let Some(from) = bridge_of.and_then(|id| guards.get(&id)) {
            from.bridge.replace(None);
        }
    }

    fn entry(&self, target: TargetId) -> Option<Rc<dyn Entry>> {
        let code = Rc::clone(self.state.labels.borrow().get(&target)?);
        Some(Rc::new(OracleEntry {
            state: Rc::clone(&self.state),
            code,
        }))
    }

    fn thread_word(&self, target: TargetId) -> u64 {
        let is_known = self.state.labels.borrow().contains_key(&target);
        // No record begins with a 0.
        u64::from(is_known) * (u64::from(target.as_u32()) + 1)
    }

    unsafe fn free(&mut self, targets: &[TargetId], guards: &[GuardId]) {
        // A chain of bridges is as long as the guest program makes it, so it is taken apart first.
        let mut bridges = Vec::new();
        for guard in guards {
            let guard = self.state.guards.borrow_mut().remove(guard);
            bridges.extend(guard.and_then(|guard| guard.bridge.take()));
        }
        let mut labels = self.state.labels.borrow_mut();
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

impl Code {
    fn new(
        descrs: &Rc<Descrs>,
        trace: &Rc<OptimisedTrace>,
        section: &Section<'_>,
        forced: bool,
    ) -> Code {
        let guards = section.ops.iter().filter_map(|op| {
            let types = op.fail_args().iter().map(|&v| trace.types[v]).collect();
            let guard = Guard {
                types,
                forced: Cell::new(forced),
                invalid: Cell::new(false),
                bridge: RefCell::default(),
            };
            Some((op.guard()?, Rc::new(guard)))
        });
        Code {
            trace: Rc::clone(trace),
            descrs: Rc::clone(descrs),
            params: section.params.to_vec(),
            ops: section.ops.range(),
            end: section.end.clone(),
            guards: guards.collect(),
        }
    }

    fn param_types(&self) -> Box<[Ty]> {
        self.params.iter().map(|&v| self.trace.types[v]).collect()
    }
}

struct OracleEntry {
    state: Rc<State>,
    code: Rc<Code>,
}

impl Entry for OracleEntry {
    unsafe fn run(&self, ctx: *mut Context, args: &[u64]) -> CodeExit {
        assert_eq!(
            args.len(),
            self.code.params.len(),
            "a label is entered with its own arguments"
        );
        let mut code = Rc::clone(&self.code);
        let mut words: SmallVec<[u64; 16]> = args.into();
        loop {
            // SAFETY: the caller's promise; jumps and bridges have been checked to fit.
            let next = match unsafe { run_section(ctx, &code, &mut words) } {
                Next::CodeExit(exit) => return exit,
                Next::Jump(target) => self.state.labels.borrow().get(&target).cloned(),
                Next::Bridge(bridge) => Some(bridge),
            };
            code = next.expect("a jump goes to a compiled label");
        }
    }
}

/// Where to go on after a section.
enum Next {
    CodeExit(CodeExit),
    Jump(TargetId),
    Bridge(Rc<Code>),
}

/// Runs a section with the words of its parameters, and leaves those of the next one's in their
/// place.
///
/// # Safety
/// As [`Entry::run`].
unsafe fn run_section(ctx: *mut Context, code: &Code, words: &mut SmallVec<[u64; 16]>) -> Next {
    // SAFETY: the context is current, and there is no safepoint before the words are in the frame.
    let values = unsafe { Interpreter::new(ctx, &code.descrs, &code.trace) };
    for (&param, &word) in code.params.iter().zip(&*words) {
        values.set(param, word);
    }
    let mut machine = Machine { ctx, code, values };
    let ops = code.trace.ops().slice(code.ops.clone());
    for (n, op) in ops.iter().enumerate() {
        // SAFETY: the arguments have the types that the operation wants, which was checked.
        let step = unsafe { machine.op(op, keeping_guard(ops.get(n + 1))) };
        match step {
            Step::Next => {}
            Step::OutOfMemory => return Next::CodeExit(CodeExit::OutOfMemory),
            Step::Leave => return machine.leave(op, words),
        }
    }
    machine.end(words)
}

enum Step {
    Next,
    Leave,
    OutOfMemory,
}

struct Machine<'a> {
    ctx: *mut Context,
    code: &'a Code,
    values: Interpreter<'a>,
}

impl Machine<'_> {
    /// Does one operation. If it is a call with a guard behind it that says what is kept meanwhile,
    /// this is the guard.
    ///
    /// # Safety
    /// As [`Entry::run`]; the operation belongs to the code.
    unsafe fn op(&mut self, op: OptimisedOp<'_>, keeps: Option<OptimisedOp<'_>>) -> Step {
        // SAFETY: the caller's promise; a call's arguments have the types of its function's
        // parameters.
        unsafe {
            if op.opcode() == Opcode::Call {
                let call = |values: &mut Interpreter<'_>| {
                    values.call(op, |ctx, info, args| residual_call(ctx, info, args));
                };
                match keeps {
                    Some(guard) => self.values.keeping(guard, call),
                    None => call(&mut self.values),
                }
                return Step::Next;
            }
            if op.opcode().is_guard() {
                return match self.values.holds(op, || self.guard(op).invalid.get()) {
                    true if !self.forced(op) => Step::Next,
                    _ => Step::Leave,
                };
            }
            match self.values.compute(op) {
                Ok(()) => Step::Next,
                Err(HeapExhausted) => Step::OutOfMemory,
            }
        }
    }

    /// Whether a guard has to fail although it holds. One that leads to a side of its region
    /// cannot: there it is known that it does not.
    fn forced(&self, op: OptimisedOp<'_>) -> bool {
        op.side().is_none() && self.guard(op).forced.get()
    }

    fn guard(&self, op: OptimisedOp<'_>) -> &Rc<Guard> {
        &self.code.guards[&identity(op)]
    }

    /// Hands the fail arguments to a side of the region, to the bridge or, through the exit buffer,
    /// to Rust.
    fn leave(&self, op: OptimisedOp<'_>, words: &mut SmallVec<[u64; 16]>) -> Next {
        words.clear();
        words.extend(op.fail_args().iter().map(|&v| self.values.get(v)));
        if let Some(target) = op.side() {
            return Next::Jump(target);
        }
        let guard = self.guard(op);
        guard.forced.set(false);
        // SAFETY: the guard does not hold.
        unsafe { self.values.leave(op) };
        if let Some(bridge) = guard.bridge.borrow().clone() {
            return Next::Bridge(bridge);
        }
        for (n, &word) in words.iter().enumerate() {
            self.set_exit(n, word);
        }
        Next::CodeExit(CodeExit::Guard(identity(op)))
    }

    fn end(&self, words: &mut SmallVec<[u64; 16]>) -> Next {
        match &self.code.end {
            SectionEnd::Finish(values) => {
                for (n, &value) in values.iter().enumerate() {
                    self.set_exit(n, self.values.word(value));
                }
                let first = values.first().map_or(0, |&v| self.values.word(v));
                Next::CodeExit(CodeExit::Finish(first))
            }
            SectionEnd::Jump(target, args) => {
                *words = args.iter().map(|&v| self.values.word(v)).collect();
                Next::Jump(*target)
            }
            SectionEnd::Thread(args) => {
                *words = args.iter().map(|&v| self.values.word(v)).collect();
                // SAFETY: the first argument is a record, which begins with the word of a label.
                let target = unsafe { record_word(words[0], 0).read() } - 1;
                Next::Jump(TargetId::from_u32(target as u32))
            }
            SectionEnd::Leave => unreachable!("`leave` does not hold"),
        }
    }

    fn set_exit(&self, n: usize, word: u64) {
        // SAFETY: the context is current; no other reference to its fields lives now.
        unsafe { (*self.ctx).exits[n] = word };
    }
}
