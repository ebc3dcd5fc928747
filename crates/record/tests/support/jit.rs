//! The JIT in miniature. Whatever is traced, bridged or forced to fail, the outcome is that of the
//! blackhole interpreter alone.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use verdigris_heap::{Context, Panicked, class_word_of, exec_call, exec_data, result_word};
use verdigris_jitcode::{Insn, Pc, Unit};
use verdigris_ops::{ClassId, Ty};
use verdigris_record::{Pins, Recorded, Targets, TraceEnd, TraceLimits, trace_bridge, trace_loop};
use verdigris_resume::{FrameStack, Scratch, Stop, blackhole, rebuild};
use verdigris_trace::{
    Arg, Descr, Opcode, PendingStore, RecordedTrace, Resume, SnapshotId, Src, TargetId,
    VirtualInfo, VirtualKind,
};

/// How a run ended, as text.
pub type Outcome = String;

/// The next action.
enum Next {
    MergePoint(Vec<u64>),
    /// Run a piece from its start.
    Piece(usize, Vec<u64>),
    Done(Outcome),
}

/// A recorded trace, and the bridges of its guards.
struct Piece {
    trace: RecordedTrace,
    bridges: RefCell<HashMap<usize, usize>>,
    failures: RefCell<HashMap<usize, u32>>,
}

/// Options of the tests.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Passes through a merge point before it is traced.
    pub threshold: u32,
    /// Failures of a guard before it is bridged.
    pub bridge_after: u32,
    /// One in so many guards fails although it holds; 0 for none.
    pub force: u64,
    /// When a guard fails, its objects are copied and its stores undone, so that resume data has to
    /// bring both back.
    pub disturb: bool,
    pub limits: TraceLimits,
}

pub struct Jit<'a> {
    ctx: *mut Context,
    unit: &'a Unit,
    options: Options,
    pieces: RefCell<Vec<Rc<Piece>>>,
    loops: RefCell<HashMap<Vec<u64>, usize>>,
    counts: RefCell<HashMap<Vec<u64>, u32>>,
    pins: RefCell<Vec<Pins>>,
    random: Cell<u64>,
    /// How often what happened, so that a test can see that it tests something.
    pub stats: RefCell<HashMap<&'static str, u32>>,
}

impl Targets for Jit<'_> {
    fn lookup(&self, greens: &[u64]) -> Option<TargetId> {
        let piece = *self.loops.borrow().get(greens)?;
        Some(TargetId::from_u32(piece as u32 + 1))
    }

    fn segment(&self, greens: &[u64]) -> Option<TargetId> {
        self.lookup(greens)
    }
}

impl<'a> Jit<'a> {
    pub fn new(ctx: *mut Context, unit: &'a Unit, options: Options, seed: u64) -> Self {
        Jit {
            ctx,
            unit,
            options,
            pieces: RefCell::default(),
            loops: RefCell::default(),
            counts: RefCell::default(),
            pins: RefCell::default(),
            random: Cell::new(seed | 1),
            stats: RefCell::default(),
        }
    }

    fn random(&self, below: u64) -> u64 {
        let mut x = self.random.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.random.set(x);
        x % below
    }

    fn note(&self, what: &'static str) {
        *self.stats.borrow_mut().entry(what).or_default() += 1;
    }

    /// Runs until the portal returns or panics. `state` is greens and reds.
    pub fn run(&self, state: Vec<u64>) -> Outcome {
        let mut next = Next::MergePoint(state);
        loop {
            next = match next {
                Next::MergePoint(state) => self.merge_point(state),
                Next::Piece(piece, args) => self.evaluate(piece, args),
                Next::Done(outcome) => return outcome,
            }
        }
    }

    fn greens(&self) -> usize {
        match &self.unit.portal().insns[self.unit.merge_point.0 as usize] {
            Insn::MergePoint { greens, .. } => greens.len(),
            _ => unreachable!(),
        }
    }

    fn merge_point(&self, state: Vec<u64>) -> Next {
        let (greens, reds) = state.split_at(self.greens());
        if let Some(&piece) = self.loops.borrow().get(greens) {
            return Next::Piece(piece, reds.to_vec());
        }
        let mut counts = self.counts.borrow_mut();
        let count = counts.entry(greens.to_vec()).or_default();
        *count += 1;
        if *count <= self.options.threshold {
            drop(counts);
            return self.stop(one_step(self.ctx, self.unit, &state));
        }
        *count = 0;
        drop(counts);
        self.note("trace");
        // SAFETY: the state is one of the portal's.
        let recorded =
            unsafe { trace_loop(self.ctx, self.unit, greens, reds, self, self.options.limits) };
        self.recorded(recorded, |jit, piece| {
            jit.loops.borrow_mut().insert(greens.to_vec(), piece);
        })
    }

    /// Keeps a trace; `attach` is called if it belongs where tracing started.
    fn recorded(&self, recorded: Recorded, attach: impl FnOnce(&Self, usize)) -> Next {
        let Recorded { trace, end, pins } = recorded;
        if matches!(
            end,
            TraceEnd::Loop { .. }
                | TraceEnd::JumpTo { .. }
                | TraceEnd::Cut { .. }
                | TraceEnd::Finish(_)
        ) {
            let piece = self.pieces.borrow().len();
            let (bridges, failures) = Default::default();
            self.pieces.borrow_mut().push(Rc::new(Piece {
                trace,
                bridges,
                failures,
            }));
            self.pins.borrow_mut().push(pins);
            match &end {
                TraceEnd::Loop { state, .. } => {
                    self.note(if matches!(end, TraceEnd::Loop { cut: true, .. }) {
                        "cut"
                    } else {
                        "loop"
                    });
                    let greens = state[..self.greens()].to_vec();
                    self.loops.borrow_mut().insert(greens, piece);
                }
                _ => attach(self, piece),
            }
        }
        match end {
            TraceEnd::Loop { state, .. } => Next::MergePoint(state),
            TraceEnd::JumpTo { state, .. } => {
                self.note("jump");
                Next::MergePoint(state)
            }
            TraceEnd::Cut { state } => {
                self.note("segment");
                Next::MergePoint(state)
            }
            TraceEnd::Finish(words) => {
                self.note("finish");
                Next::Done(format!("return {}", words[0] as i64))
            }
            TraceEnd::Panicked(payload) => Next::Done(panic_text(payload)),
            TraceEnd::Aborted { frames, .. } => {
                self.note("abort");
                // SAFETY: the frames are those of the tracer.
                self.stop(unsafe { blackhole(self.ctx, self.unit, frames, &()) })
            }
            TraceEnd::Exhausted => Next::Done("exhausted".to_owned()),
            TraceEnd::Lost => Next::Done("lost".to_owned()),
        }
    }

    fn stop(&self, stop: Stop) -> Next {
        match stop {
            Stop::MergePoint(state) => Next::MergePoint(state),
            other => Next::Done(outcome(other)),
        }
    }

    /// Runs a trace until it is left.
    fn evaluate(&self, piece: usize, args: Vec<u64>) -> Next {
        let code = self.pieces.borrow()[piece].clone();
        let trace = &code.trace;
        // SAFETY: released when this function returns.
        let mut values = unsafe { Scratch::new(self.ctx, trace.types.len()) };
        let mut args = args;
        loop {
            for (&input, &arg) in trace.inputs.iter().zip(&args) {
                values.set(input.as_u32() as usize, arg);
            }
            args = match self.iteration(piece, &code, &mut values) {
                Ok(args) => args,
                Err(next) => return next,
            };
        }
    }

    /// Runs a trace once; the reds if it jumps back to its start.
    fn iteration(
        &self,
        piece: usize,
        code: &Piece,
        values: &mut Scratch,
    ) -> Result<Vec<u64>, Next> {
        let trace = &code.trace;
        let mut panicked = false;
        for (n, op) in trace.ops().iter().enumerate() {
            let words: Vec<u64> = op.args().iter().map(|arg| word(values, arg)).collect();
            let result = match op.opcode() {
                // SAFETY: the trace is a good one, and its inputs are right.
                Opcode::Data(data) => unsafe {
                    exec_data(self.ctx, &self.unit.descrs, data, &words, op.descr().raw())
                        .map_err(|_| Next::Done("exhausted".to_owned()))?
                },
                Opcode::Call => {
                    let info = &self.unit.descrs.fns[op.function()];
                    // SAFETY: as above.
                    match unsafe { exec_call(self.ctx, info, &words) } {
                        Ok(word) => word,
                        Err(Panicked) => {
                            panicked = true;
                            0
                        }
                    }
                }
                Opcode::MergePoint => 0,
                Opcode::Finish => {
                    let word = words.first().copied().unwrap_or(0);
                    return Err(Next::Done(format!("return {}", word as i64)));
                }
                Opcode::Close => return Ok(words),
                Opcode::Jump => {
                    let piece = op.label().as_u32() as usize - 1;
                    return Err(Next::Piece(piece, words));
                }
                Opcode::Label => unreachable!("recorded traces have no labels"),
                Opcode::GuardNoPanic if panicked => {
                    // SAFETY: the context is alive.
                    let payload = unsafe { (*self.ctx).take_payload() }.unwrap();
                    return Err(Next::Done(panic_text(payload)));
                }
                guard => {
                    // SAFETY: as above.
                    let holds = unsafe { self.holds(guard, &words, op.descr()) };
                    let force = self.options.force;
                    let forced = force != 0 && self.random(force) == 0;
                    if !holds || forced {
                        self.note(if holds { "forced" } else { "failed" });
                        return Err(self.failed(piece, code, n, op.snapshot().unwrap(), values));
                    }
                    0
                }
            };
            for (n, value) in op.definitions().enumerate() {
                // SAFETY: of several results there has just been a call.
                let word = unsafe { result_word(self.ctx, result, n) };
                values.set(value.as_u32() as usize, word);
            }
        }
        unreachable!("the last operation leaves the trace")
    }

    /// # Safety
    /// The words are the guard's arguments.
    unsafe fn holds(&self, guard: Opcode, words: &[u64], descr: Descr) -> bool {
        match guard {
            Opcode::GuardTrue => words[0] != 0,
            Opcode::GuardFalse => words[0] == 0,
            Opcode::GuardValue => words[0] == words[1],
            Opcode::GuardClass => {
                let class = &self.unit.descrs.classes[descr.class()];
                // SAFETY: the caller's promise.
                unsafe { class_word_of(words[0]) == class.word }
            }
            Opcode::GuardNoPanic | Opcode::GuardNotExhausted | Opcode::GuardRoom => true,
            Opcode::Leave => false,
            _ => unreachable!(),
        }
    }

    /// A guard has failed: run its bridge, make one, or go through the blackhole.
    fn failed(
        &self,
        piece: usize,
        code: &Piece,
        n: usize,
        snapshot: SnapshotId,
        values: &Scratch,
    ) -> Next {
        let mut resume = resume_data(&code.trace, snapshot);
        let mut exit: Vec<u64> = resume
            .fail_args
            .iter()
            .map(|&v| values.get(v.as_u32() as usize))
            .collect();
        if let Some(&bridge) = code.bridges.borrow().get(&n) {
            return Next::Piece(bridge, exit);
        }
        let mut failures = code.failures.borrow_mut();
        let count = failures.entry(n).or_default();
        *count += 1;
        if *count > self.options.bridge_after {
            drop(failures);
            self.note("bridge");
            let types: Vec<Ty> = resume
                .fail_args
                .iter()
                .map(|&v| code.trace.types[v])
                .collect();
            let limits = self.options.limits;
            // SAFETY: the resume data is the trace's own.
            let recorded =
                unsafe { trace_bridge(self.ctx, self.unit, &resume, &types, &exit, self, limits) };
            return self.recorded(recorded, |jit, bridge| {
                jit.pieces.borrow()[piece]
                    .bridges
                    .borrow_mut()
                    .insert(n, bridge);
            });
        }
        drop(failures);
        // SAFETY: released when this function returns.
        let mut kept = unsafe { Scratch::new(self.ctx, exit.len()) };
        if self.options.disturb {
            self.disturb(&code.trace, &mut resume, &mut exit, &mut kept);
        }
        // SAFETY: the resume data is the trace's own, or says the same in another way.
        unsafe {
            let exit = Scratch::holding(self.ctx, &exit);
            let frames = match rebuild(self.ctx, self.unit, &resume, exit.words()) {
                Ok(frames) => frames,
                Err(_) => return Next::Done("exhausted".to_owned()),
            };
            self.stop(blackhole(self.ctx, self.unit, frames, &()))
        }
    }

    /// Turns integers that were handed over into virtuals, and stores to arrays into delayed ones.
    /// References that only a delayed store has are in `kept`, for the collector.
    fn disturb(
        &self,
        trace: &RecordedTrace,
        resume: &mut Resume,
        exit: &mut [u64],
        kept: &mut Scratch,
    ) {
        let descrs = &self.unit.descrs;
        let int = descrs.class_by_name("Int").unwrap();
        let slots = descrs.class_by_name("Slots").unwrap();
        for n in 0..resume.fail_args.len() {
            if trace.types[resume.fail_args[n]] != Ty::Ref || exit[n] == 0 {
                continue;
            }
            // SAFETY: live references are objects or null.
            let class = unsafe { class_word_of(exit[n]) };
            if class == descrs.classes[int].word {
                self.note("virtual");
                self.make_virtual(int, n, resume, exit);
            } else if class == descrs.classes[slots].word {
                self.note("delayed");
                kept.set(n, self.delay_store(slots, n, resume, exit));
            }
        }
    }

    /// An immutable object is handed over by its contents. (Nothing in the guest language tells the
    /// copy from it.)
    fn make_virtual(&self, int: ClassId, n: usize, resume: &mut Resume, exit: &mut [u64]) {
        let descrs = &self.unit.descrs;
        let field = descrs.field_by_name("Int.value").unwrap();
        let op = verdigris_ops::DataOp::GetFieldI;
        // SAFETY: the object is an `Int`.
        let value = unsafe { exec_data(self.ctx, descrs, op, &[exit[n]], field.as_u32()) }.unwrap();
        let value = Src::Const(verdigris_trace::Const::Int(value as i64));
        let new = Src::Virtual(resume.virtuals.len() as u16);
        resume.virtuals.push(VirtualInfo {
            class: int,
            kind: VirtualKind::Struct {
                fields: vec![(field, value)],
            },
        });
        let regs = resume.frames.srcs_mut();
        for src in regs.filter(|src| **src == Src::Fail(n as u16)) {
            *src = new;
        }
        exit[n] = 0xDEAD;
    }

    /// An item is overwritten, to be stored again from resume data. Answers the item.
    fn delay_store(&self, slots: ClassId, n: usize, resume: &mut Resume, exit: &[u64]) -> u64 {
        use verdigris_ops::DataOp::{GetItemR, SetItemR};
        let (descrs, descr) = (&self.unit.descrs, slots.as_u32());
        let index = self.random(4);
        // SAFETY: the array has four slots.
        let (item, other) = unsafe {
            let item = |index| exec_data(self.ctx, descrs, GetItemR, &[exit[n], index], descr);
            (item(index).unwrap(), item((index + 1) % 4).unwrap())
        };
        // SAFETY: as above.
        unsafe { exec_data(self.ctx, descrs, SetItemR, &[exit[n], index, other], descr) }.unwrap();
        resume.pending.push(PendingStore::Item {
            array: Src::Fail(n as u16),
            class: slots,
            index: index as u32,
            value: Src::Const(verdigris_trace::Const::Ref(item)),
        });
        item
    }
}

fn word(values: &Scratch, val: Arg) -> u64 {
    match val {
        Arg::Ref(value) => values.get(value.as_u32() as usize),
        Arg::Const(constant) => constant.word(),
    }
}

/// The resume data of a snapshot: every value is handed over.
fn resume_data(trace: &RecordedTrace, snapshot: SnapshotId) -> Resume {
    let mut resume = Resume::default();
    let outwards = |id: &SnapshotId| trace.snapshot(*id).parent;
    let inwards: Vec<_> = std::iter::successors(Some(snapshot), outwards).collect();
    for id in inwards.into_iter().rev() {
        let frame = trace.snapshot(id);
        let mut regs = Vec::new();
        for (reg, val) in frame.regs() {
            let src = match val {
                Arg::Const(constant) => Src::Const(constant),
                Arg::Ref(value) => {
                    let known = resume.fail_args.iter().position(|&v| v == value);
                    let n = known.unwrap_or(resume.fail_args.len());
                    if known.is_none() {
                        resume.fail_args.push(value);
                    }
                    Src::Fail(n as u16)
                }
            };
            regs.push((reg, src));
        }
        resume.frames.push_inner(frame.code, frame.pc, regs);
    }
    resume
}

/// From behind the merge point to the next one, by the blackhole interpreter.
pub fn one_step(ctx: *mut Context, unit: &Unit, state: &[u64]) -> Stop {
    let Insn::MergePoint { greens, reds } = &unit.portal().insns[unit.merge_point.0 as usize]
    else {
        unreachable!()
    };
    // SAFETY: the context is current, the state one of the portal's.
    unsafe {
        let mut frames = FrameStack::new(ctx);
        let frame = frames.push(unit.portal, unit.portal());
        frame.pc = Pc(unit.merge_point.0 + 1);
        for (&reg, &word) in greens.iter().chain(reds).zip(state) {
            frame.set(reg, word);
        }
        blackhole(ctx, unit, frames, &())
    }
}

/// The blackhole interpreter alone.
pub fn reference(ctx: *mut Context, unit: &Unit, mut state: Vec<u64>) -> Outcome {
    loop {
        match one_step(ctx, unit, &state) {
            Stop::MergePoint(next) => state = next,
            other => return outcome(other),
        }
    }
}

fn outcome(stop: Stop) -> Outcome {
    match stop {
        Stop::MergePoint(_) => unreachable!(),
        Stop::Return(words) => format!("return {}", words[0] as i64),
        Stop::Panic(payload) => panic_text(payload),
        Stop::Exhausted => "exhausted".to_owned(),
    }
}

/// The message of a panic.
pub fn panic_text(payload: Box<dyn Any + Send>) -> Outcome {
    match payload.downcast::<String>() {
        Ok(text) => format!("panic {text}"),
        Err(payload) => format!("panic {}", payload.downcast::<&'static str>().unwrap()),
    }
}
