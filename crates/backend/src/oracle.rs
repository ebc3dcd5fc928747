//! The oracle: a backend that interprets traces, by the definition of each operation. It is the
//! plainest thing that can be right; machine code must agree with it on results, effects and the
//! words at every exit.
//!
//! Values live in the context's shadow stack, where the collector finds them. Nothing of the oracle
//! is borrowed while an operation runs: code may be compiled, attached and entered from residual
//! calls.

#![allow(unsafe_code)]

use crate::interface::{Backend, BackendError, COUNT, CodeExit, CompileOutput, Entry, Env};
use crate::sections::{Section, SectionEnd, bridge_sections, loop_sections};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use verdigris_heap::{
    Context, Suspended, class_word_of, exec_call, exec_data_beyond, mark_kept, result_word,
    vd_has_room,
};
use verdigris_ops::{DataOp, Descrs, Ty};
use verdigris_trace::{Arg, GuardId, Opcode, OptimisedOp, OptimisedTrace, Src, TargetId, ValRef};

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
        if !trace
            .inputs
            .iter()
            .map(|&v| trace.types[v])
            .eq(from.types.iter().copied())
        {
            return Err(BackendError(format!(
                "the bridge's inputs are not the fail arguments of {guard}"
            )));
        }
        let sections = bridge_sections(env.descrs, trace, &Self::known(&self.state))?;
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
    let frame = unsafe { Frame::new(ctx, code.trace.types.len()) };
    for (&param, &word) in code.params.iter().zip(&*words) {
        frame.set(param, word);
    }
    let mut machine = Machine {
        ctx,
        code,
        frame,
        state: 0,
    };
    let ops = code.trace.ops().slice(code.ops.clone());
    for (n, op) in ops.iter().enumerate() {
        let next = ops.get(n + 1);
        let keeps = next.filter(|next| next.opcode() == Opcode::GuardNotForced);
        // SAFETY: the arguments have the types that the operation wants, which was checked.
        let step = unsafe {
            match keeps {
                Some(guard) => machine.keeping_call(op, guard),
                None => machine.op(op),
            }
        };
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
    frame: Frame,
    /// The state of the last call's record of kept values.
    state: u64,
}

impl Machine<'_> {
    /// Does one operation.
    ///
    /// # Safety
    /// As [`Entry::run`]; the operation belongs to the code.
    unsafe fn op(&mut self, op: OptimisedOp<'_>) -> Step {
        let args: SmallVec<[u64; 12]> = op.args().iter().map(|v| self.word(v)).collect();
        match op.opcode() {
            // SAFETY: the arguments have the types that the operation wants.
            Opcode::Data(data) => unsafe { self.data(data, op, &args) },
            // SAFETY: as above.
            Opcode::Call => unsafe { self.call(op, &args) },
            Opcode::MergePoint => Step::Next,
            Opcode::Hole => {
                // SAFETY: the code is entered with a record that is as long.
                let word = unsafe { record_word(args[0], args[1] as usize).read() };
                let result = op.result().expect("a hole has a result");
                self.frame.set(result, word);
                Step::Next
            }
            // SAFETY: as above.
            _ => match unsafe { self.holds(op, &args) } && !self.forced(op) {
                true => Step::Next,
                false => Step::Leave,
            },
        }
    }

    /// # Safety
    /// The arguments have the types that the operation wants.
    unsafe fn data(&mut self, data: DataOp, op: OptimisedOp<'_>, args: &[u64]) -> Step {
        // SAFETY: the caller's promise.
        let Ok(word) = (unsafe {
            exec_data_beyond(self.ctx, &self.code.descrs, data, args, op.descr().raw())
        }) else {
            return Step::OutOfMemory;
        };
        if let Some(result) = op.result() {
            self.frame.set(result, word);
        }
        Step::Next
    }

    /// # Safety
    /// The arguments have the types of the function's parameters.
    unsafe fn call(&mut self, op: OptimisedOp<'_>, args: &[u64]) -> Step {
        let info = &self.code.descrs.fns[op.function()];
        // A panic leaves its mark in the context, where the guard behind the call looks.
        // SAFETY: the caller's promise.
        let first = unsafe { exec_call(self.ctx, info, args) }.unwrap_or(0);
        for (n, result) in op.definitions().enumerate() {
            // SAFETY: the call has just been made.
            self.frame
                .set(result, unsafe { result_word(self.ctx, first, n) });
        }
        Step::Next
    }

    /// A call during which virtualizable places are kept, as the guard behind it says.
    ///
    /// # Safety
    /// As [`Machine::op`].
    unsafe fn keeping_call(&mut self, op: OptimisedOp<'_>, guard: OptimisedOp<'_>) -> Step {
        let resume = guard.resume().expect("it is a guard");
        let value = |n: u16| self.frame.get(resume.fail_args[usize::from(n)]);
        let words: Vec<u64> = resume.kept_args().into_iter().map(value).collect();
        for &object in &resume.kept {
            let object = match object {
                Src::Fail(n) => value(n),
                Src::Const(constant) => constant.word(),
                Src::Virtual(_) => unreachable!("what is kept exists"),
            };
            // SAFETY: the value is a live object.
            unsafe { mark_kept(object) };
        }
        let ctx = self.ctx;
        // SAFETY: the context is current; the record lies on the shadow stack, where the collector
        // finds its words, until the call is over.
        unsafe {
            let mark = (*ctx).shadow_mark();
            let head = size_of::<Suspended>() / size_of::<u64>();
            let record = (*ctx).shadow_alloc(head + words.len()).cast::<Suspended>();
            record.write(Suspended {
                outer: (*ctx).suspended,
                guard: u64::from(self.guard(guard).0.as_u32()),
                state: 0,
            });
            for (n, word) in words.into_iter().enumerate() {
                record.add(1).cast::<u64>().add(n).write(word);
            }
            (*ctx).suspended = record;
            let step = self.op(op);
            (*ctx).suspended = (*record).outer;
            self.state = (*record).state;
            (*ctx).shadow_release(mark);
            step
        }
    }

    /// Whether a guard holds.
    ///
    /// # Safety
    /// The argument of `guard_class` is an object.
    unsafe fn holds(&self, op: OptimisedOp<'_>, args: &[u64]) -> bool {
        match op.opcode() {
            Opcode::GuardTrue => args[0] != 0,
            Opcode::GuardFalse => args[0] == 0,
            Opcode::Leave => false,
            Opcode::GuardValue | Opcode::GuardSame => args[0] == args[1],
            Opcode::GuardClass => {
                let class = &self.code.descrs.classes[op.class()];
                // SAFETY: the caller's promise.
                class.word == unsafe { class_word_of(args[0]) }
            }
            Opcode::GuardNotInvalidated => !self.guard(op).1.invalid.get(),
            // SAFETY: the context is current, and the word lives as long.
            Opcode::GuardNoSignal => unsafe { (*(*self.ctx).signal).load(Ordering::Relaxed) == 0 },
            // SAFETY: the argument is a record, whose count only compiled code changes.
            Opcode::GuardCount => unsafe {
                let count = record_word(args[0], COUNT);
                count.write(count.read().wrapping_sub(1));
                count.read() != 0
            },
            // SAFETY: the context is current.
            Opcode::GuardNotExhausted => unsafe { !(*self.ctx).is_exhausted() },
            Opcode::GuardRoom => {
                let class = op.class();
                let stride = self.code.descrs.item(class).1.stride;
                // SAFETY: the context is current, and the item size is the class's.
                args[0] <= self.code.descrs.unasked_len(class)
                    || unsafe { vd_has_room(self.ctx, u64::from(stride), args[0]) != 0 }
            }
            Opcode::GuardNotForced if self.state & Suspended::TAKEN != 0 => false,
            // SAFETY: the context is current; no other reference to its fields lives now.
            _ => unsafe { (*self.ctx).panicked == 0 },
        }
    }

    /// Whether a guard has to fail although it holds. One that leads to a side of its region
    /// cannot: there it is known that it does not.
    fn forced(&self, op: OptimisedOp<'_>) -> bool {
        op.side().is_none() && self.guard(op).1.forced.get()
    }

    fn guard(&self, op: OptimisedOp<'_>) -> (GuardId, &Rc<Guard>) {
        let id = op.guard().expect("a checked guard has an identity");
        (id, &self.code.guards[&id])
    }

    /// Hands the fail arguments to a side of the region, to the bridge or, through the exit buffer,
    /// to Rust.
    fn leave(&self, op: OptimisedOp<'_>, words: &mut SmallVec<[u64; 16]>) -> Next {
        if let Some(target) = op.side() {
            words.clear();
            words.extend(op.fail_args().iter().map(|&v| self.frame.get(v)));
            return Next::Jump(target);
        }
        let (id, guard) = self.guard(op);
        guard.forced.set(false);
        if op.opcode() == Opcode::GuardNotForced {
            // SAFETY: the context is current; no other reference to its fields lives now.
            unsafe { (*self.ctx).resumed = self.state };
        }
        words.clear();
        words.extend(op.fail_args().iter().map(|&v| self.frame.get(v)));
        if let Some(bridge) = guard.bridge.borrow().clone() {
            return Next::Bridge(bridge);
        }
        for (n, &word) in words.iter().enumerate() {
            self.set_exit(n, word);
        }
        Next::CodeExit(CodeExit::Guard(id))
    }

    fn end(&self, words: &mut SmallVec<[u64; 16]>) -> Next {
        match &self.code.end {
            SectionEnd::Finish(values) => {
                for (n, &value) in values.iter().enumerate() {
                    self.set_exit(n, self.word(value));
                }
                let first = values.first().map_or(0, |&v| self.word(v));
                Next::CodeExit(CodeExit::Finish(first))
            }
            SectionEnd::Jump(target, args) => {
                let args: SmallVec<[u64; 16]> = args.iter().map(|&v| self.word(v)).collect();
                *words = args;
                Next::Jump(*target)
            }
            SectionEnd::Thread(args) => {
                *words = args.iter().map(|&v| self.word(v)).collect();
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

    fn word(&self, value: Arg) -> u64 {
        match value {
            Arg::Const(constant) => constant.word(),
            Arg::Ref(value) => self.frame.get(value),
        }
    }
}

/// A word of a record.
fn record_word(record: u64, n: usize) -> *mut u64 {
    std::ptr::with_exposed_provenance_mut::<u64>(record as usize).wrapping_add(n)
}

/// The values of one section, in memory that the collector scans.
struct Frame {
    ctx: *mut Context,
    mark: usize,
    values: *mut u64,
    len: usize,
}

impl Frame {
    /// # Safety
    /// The context is current and outlives the frame; frames are dropped in reverse order.
    unsafe fn new(ctx: *mut Context, len: usize) -> Frame {
        // SAFETY: the caller's promise.
        unsafe {
            let mark = (*ctx).shadow_mark();
            let values = (*ctx).shadow_alloc(len);
            Frame {
                ctx,
                mark,
                values,
                len,
            }
        }
    }

    fn get(&self, value: ValRef) -> u64 {
        assert!(value.index() < self.len);
        // SAFETY: the frame has `len` words, zeroed when they were allocated.
        unsafe { self.values.add(value.index()).read() }
    }

    fn set(&self, value: ValRef, word: u64) {
        assert!(value.index() < self.len);
        // SAFETY: the frame has `len` words.
        unsafe { self.values.add(value.index()).write(word) };
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        // SAFETY: the context outlives the frame.
        unsafe { (*self.ctx).shadow_release(self.mark) };
    }
}
