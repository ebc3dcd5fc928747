//! The state of a profile: turns raw samples into stacks of places. Nothing here runs guest code;
//! the objects among the greens of places are pinned.
//!
//! The activations are a list of *levels*, each with an address in its native frame. The end of an
//! activation of the interpreter is not reported, so levels whose frames are gone are dropped when
//! a level above them is added. A sample belongs to the levels above its stack pointer. (A function
//! that has returned counts as long as no level is added and its caller is in a native function
//! whose frame reaches as far down.)

use crate::code::roots::Pins;
use crate::observe::profile::code_map::{At, CodeFrame, CodeMap, Inlined, PlaceId, Region};
use crate::observe::profile::passed_places::Passed;
use crate::policy::phase_clock::Phase;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;
use verdigris_backend::journal::CodeEvent;
use verdigris_heap::{Activations, Signals, hash_greens};
use verdigris_ops::Ty;
use verdigris_profile::{
    CompiledCode, Mark, MarkKind, Profile, ProfileFrame, RawSample, Running, Sample, Sampler,
    SamplerError, StackId, Watched,
};
use verdigris_report::{Activity, CompilerKind, SourcePos};

/// Places of the VM's own work.
const OWN: [&str; 6] = [
    "(leaving compiled code)",
    "(tracing)",
    "(optimising)",
    "(compiling)",
    "(collecting)",
    "(other places)",
];

/// The phase of the first of them: [`Phase::Leaving`].
const FIRST_PHASE: usize = 3;

const COLLECTING: PlaceId = 4;
const OTHERS: PlaceId = 5;

/// Set in the state of a sample while the collector is at work.
const IS_COLLECTING: u8 = 0x80;

/// The state that a sampler reads.
struct Seen {
    signals: Arc<Signals>,
    phase: Arc<AtomicU8>,
    /// Where the outermost compiled code was entered; 0 if none was.
    code_end: Arc<AtomicUsize>,
}

impl Watched for Seen {
    fn state(&self) -> u8 {
        let phase = self.phase.load(Ordering::Relaxed);
        match self.signals.is_collecting() {
            true => phase | IS_COLLECTING,
            false => phase,
        }
    }

    fn stack_end(&self) -> usize {
        self.code_end.load(Ordering::Relaxed)
    }

    fn raise(&self) {
        self.signals.raise_sample();
    }
}

/// An activation of the interpreter, or compiled code that native code has entered.
#[derive(Clone, Copy)]
struct Level {
    /// An address in its native frame, which is the same as long as it runs.
    frame: usize,
    kind: Kind,
    /// The JIT's phase when it began: the index of a [`Phase`].
    phase: u8,
    /// The stack of this level and those around it, if a sample has needed it, and they are all of
    /// the interpreter.
    stack: Option<StackId>,
}

impl Level {
    fn new(frame: usize, kind: Kind, phase: u8) -> Level {
        Level {
            frame,
            kind,
            phase,
            stack: None,
        }
    }

    fn is_code(&self) -> bool {
        matches!(self.kind, Kind::Code(_))
    }
}

#[derive(Clone, Copy)]
enum Kind {
    /// The interpreter, at the place where it was seen last.
    Interpreter(PlaceId),
    Code(CompilerKind),
}

/// Where the guest program is when samples are taken: an activation of the interpreter.
#[derive(Clone, Copy)]
pub(crate) struct Here {
    /// The frame of its level.
    pub(crate) frame: usize,
    pub(crate) place: PlaceId,
}

/// The merge point of the profiled portal, and how calls are noted there.
pub(crate) struct Noting<'a> {
    /// The types of the greens.
    pub(crate) greens: &'a [Ty],
    /// Where native code counts calls; null if it does not.
    pub(crate) counters: *mut u16,
}

/// The state of a profile.
pub(crate) struct Profiled {
    sampler: Sampler,
    /// Where the outermost compiled code was entered, for the sampler.
    code_end: Arc<AtomicUsize>,
    /// The JIT's phase.
    phase: Arc<AtomicU8>,
    /// The calls that native code has noted since the levels were brought up to date.
    pub(crate) activations: Rc<Activations>,
    /// Room for these.
    noted: RefCell<Vec<u64>>,
    levels: RefCell<Vec<Level>>,
    pub(crate) places: Passed,
    code: RefCell<CodeMap>,
    /// Where each guard is, for its bridge.
    guards: RefCell<FxHashMap<u32, Inlined>>,
    profile: RefCell<Profile>,
    /// The processor time at the last sample.
    cpu: Cell<Option<Duration>>,
    /// The seconds spent on making code when the last piece was made.
    spent: Cell<f64>,
    /// The number of entries of the VM that have not ended.
    depth: Cell<u32>,
    /// Whether the next entry of code continues one that a sample has interrupted.
    continues: Cell<bool>,
}

/// The levels of a native stack that is left, and where compiled code was entered on it first.
#[derive(Default)]
pub(crate) struct ParkedLevels {
    levels: Vec<Level>,
    code_end: usize,
}

/// Removes the levels that have been added since, when dropped.
pub(crate) struct Inside<'a> {
    profiled: &'a Profiled,
    levels: usize,
    is_outermost: bool,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        // Native code has noted nothing since the entry but what was called from there.
        self.profiled.activations.clear();
        self.profiled.levels.borrow_mut().truncate(self.levels);
        if self.is_outermost {
            self.profiled.code_end.store(0, Ordering::Relaxed);
        }
    }
}

/// The time in which samples are taken. Those that are left at its end are taken then.
pub(crate) struct Sampled<'a> {
    profiled: &'a Profiled,
    _running: Running<'a>,
}

impl Drop for Sampled<'_> {
    fn drop(&mut self) {
        self.profiled.depth.set(self.profiled.depth.get() - 1);
        self.profiled.take(None);
    }
}

impl Profiled {
    /// Starts a profile of the VM of this thread.
    ///
    /// # Errors
    /// If another one is being profiled.
    pub(crate) fn new(
        interval: Option<Duration>,
        signals: &Arc<Signals>,
        phase: &Arc<AtomicU8>,
        noting: Noting<'_>,
        pins: Pins,
    ) -> Result<Profiled, SamplerError> {
        let code_end = Arc::<AtomicUsize>::default();
        let seen = Seen {
            signals: Arc::clone(signals),
            phase: Arc::clone(phase),
            code_end: Arc::clone(&code_end),
        };
        let stack = verdigris_heap::thread_stack().unwrap_or(0..0);
        Ok(Profiled {
            sampler: Sampler::start(interval, stack, Box::new(seen))?,
            code_end,
            phase: Arc::clone(phase),
            activations: Rc::new(Activations::new(noting.greens.len(), noting.counters)),
            noted: RefCell::default(),
            levels: RefCell::default(),
            places: Passed::new(noting.greens, OWN.len(), OTHERS, pins),
            code: RefCell::default(),
            guards: RefCell::default(),
            profile: RefCell::new(Profile::new(interval)),
            cpu: Cell::new(None),
            spent: Cell::new(0.0),
            depth: Cell::new(0),
            continues: Cell::new(false),
        })
    }

    /// The VM is entered: samples are taken from now on.
    pub(crate) fn run(&self) -> Sampled<'_> {
        if self.depth.replace(self.depth.get() + 1) == 0 {
            self.activations.clear();
            self.levels.borrow_mut().clear();
        }
        Sampled {
            profiled: self,
            _running: self.sampler.run(),
        }
    }

    /// Takes a sample now.
    pub(crate) fn sample(&self) {
        self.sampler.sample();
    }

    /// Goes on with the levels of another native stack. Returns those of the current one.
    pub(crate) fn exchange(&self, other: ParkedLevels) -> ParkedLevels {
        self.catch_up();
        ParkedLevels {
            levels: self.levels.replace(other.levels),
            code_end: self.code_end.swap(other.code_end, Ordering::Relaxed),
        }
    }

    /// Adds the levels that native code has noted. Must be called before the phase changes in which
    /// they began.
    pub(crate) fn catch_up(&self) {
        let mut noted = self.noted.borrow_mut();
        noted.clear();
        self.activations.take(&mut noted);
        for entry in noted.chunks_exact(1 + self.places.greens()) {
            let (frame, greens) = (entry[0] as usize, &entry[1..]);
            let place = self.places.number(hash_greens(greens), greens);
            self.add(Here { frame, place });
        }
    }

    /// The interpreter is at a merge point: of a new activation, or of one that is known.
    pub(crate) fn arrive(&self, here: Here) {
        self.catch_up();
        self.add(here);
    }

    fn add(&self, here: Here) {
        let mut levels = self.levels.borrow_mut();
        while levels.last().is_some_and(|last| last.frame <= here.frame) {
            levels.pop();
        }
        let kind = Kind::Interpreter(here.place);
        levels.push(Level::new(here.frame, kind, self.phase_index()));
    }

    fn phase_index(&self) -> u8 {
        self.phase.load(Ordering::Relaxed)
    }

    /// Native code with a frame around this address enters compiled code, until what this gives is
    /// dropped.
    pub(crate) fn enter_code(&self, compiler: CompilerKind, address: usize) -> Inside<'_> {
        self.catch_up();
        let mut levels = self.levels.borrow_mut();
        while levels.last().is_some_and(|last| last.frame <= address) {
            levels.pop();
        }
        levels.push(Level::new(
            address,
            Kind::Code(compiler),
            self.phase_index(),
        ));
        let is_outermost = self.code_end.load(Ordering::Relaxed) == 0;
        if is_outermost {
            self.code_end.store(address, Ordering::Relaxed);
        }
        Inside {
            profiled: self,
            levels: levels.len() - 1,
            is_outermost,
        }
    }

    /// The entry of code that comes next continues one that a sample has interrupted.
    pub(crate) fn interrupt_entry(&self) {
        self.continues.set(true);
    }

    /// Whether this entry of code does, once.
    pub(crate) fn continues_entry(&self) -> bool {
        self.continues.take()
    }

    /// Notes changes of machine code.
    pub(crate) fn note_code(
        &self,
        events: &[CodeEvent],
        compiler: CompilerKind,
        places: &Rc<[Inlined]>,
    ) {
        self.code.borrow_mut().note(events, compiler, places);
    }

    /// Notes where a guard is.
    pub(crate) fn note_guard(&self, guard: u32, inlined: &Inlined) {
        self.guards.borrow_mut().insert(guard, Rc::clone(inlined));
    }

    /// Where a guard is.
    pub(crate) fn guard(&self, guard: u32) -> Option<Inlined> {
        self.guards.borrow().get(&guard).cloned()
    }

    /// Forgets guards whose code is freed.
    pub(crate) fn forget_guards(&self, guards: impl Iterator<Item = u32>) {
        let mut known = self.guards.borrow_mut();
        guards.for_each(|guard| drop(known.remove(&guard)));
    }

    /// Notes a piece of code; `spent` are the seconds spent on making code so far.
    pub(crate) fn made(&self, title: &str, spent: f64) {
        let took = spent - self.spent.replace(spent);
        self.profile.borrow_mut().made.push(CompiledCode {
            title: title.to_owned(),
            at: self.sampler.elapsed(),
            took: Duration::from_secs_f64(took.max(0.0)),
        });
    }

    /// Notes that something has happened.
    pub(crate) fn mark(&self, kind: MarkKind, title: String) {
        self.profile.borrow_mut().marks.push(Mark {
            kind,
            title,
            at: self.sampler.elapsed(),
            until: None,
        });
    }

    /// What was marked last with this kind has ended.
    pub(crate) fn end_mark(&self, kind: MarkKind) {
        let marks = &mut self.profile.borrow_mut().marks;
        if let Some(mark) = marks.iter_mut().rev().find(|mark| mark.kind == kind) {
            mark.until = Some(self.sampler.elapsed());
        }
    }

    /// Takes the samples that wait. `here` is where the interpreter has come to since.
    pub(crate) fn take(&self, here: Option<Here>) {
        self.catch_up();
        self.sampler.take(|raw| {
            let (stack, activity) = self.stack(&raw, here);
            let cpu = raw.cpu.and_then(|now| now.checked_sub(self.cpu.get()?));
            self.cpu.set(raw.cpu);
            self.profile.borrow_mut().samples.push(Sample {
                at: raw.at,
                cpu,
                weight: raw.weight,
                activity,
                stack,
            });
        });
        clear_dead_stack();
    }

    /// The stack that a sample was found in, and what the VM was doing.
    fn stack(&self, raw: &RawSample<'_>, here: Option<Here>) -> (Option<StackId>, Activity) {
        let mut levels = self.levels.borrow_mut();
        // Without registers it is not known which levels have ended since.
        let sp = raw.machine.map_or(0, |m| m.sp);
        let live = levels.partition_point(|level| level.frame as u64 >= sp);
        let levels = &mut levels[..live];
        let mut profile = self.profile.borrow_mut();
        let (known, outer) = known_stack(levels, &mut profile);
        let frames = self.frames(levels, known, raw, here);
        let activity = frames
            .first()
            .map_or(Activity::Interpreter, |frame| frame.activity);
        (profile.stack_in(outer, frames.into_iter().rev()), activity)
    }

    /// The frames of these levels but the first `known`, innermost first.
    fn frames(
        &self,
        levels: &[Level],
        known: usize,
        raw: &RawSample<'_>,
        here: Option<Here>,
    ) -> Vec<ProfileFrame> {
        let mut frames = Vec::new();
        frames.extend(own_frame(raw.state, levels.last().map(|last| last.phase)));
        let sp = raw.machine.map_or(0, |m| m.sp);
        let mut from = sp;
        let mut at = raw.machine.map(|m| At { pc: m.pc, fp: m.fp });
        // The activation that has entered compiled code is where that is.
        let mut continued: Option<Option<CompilerKind>> = None;
        for (n, level) in levels.iter().enumerate().skip(known).rev() {
            let until = level.frame as u64;
            match level.kind {
                Kind::Code(compiler) => {
                    let region = Region {
                        base: sp,
                        words: raw.stack,
                        from,
                        until,
                    };
                    let compiled = self.code.borrow().frames(region, at);
                    continued = Some(push_compiled(&mut frames, &compiled, compiler));
                }
                Kind::Interpreter(seen) => {
                    let is_innermost = n + 1 == levels.len();
                    let now = here.filter(|h| is_innermost && h.frame == level.frame);
                    let place = now.map_or(seen, |here| here.place);
                    match continued.take() {
                        None => frames.push(ProfileFrame {
                            place,
                            activity: Activity::Interpreter,
                        }),
                        Some(Some(compiler)) => frames.push(ProfileFrame {
                            place,
                            activity: compiler.activity(),
                        }),
                        Some(None) => {}
                    }
                }
            }
            (from, at) = (until, None);
        }
        frames
    }

    /// The profile so far. `describe` says where the greens of a place are.
    pub(crate) fn profile(&self, mut describe: impl FnMut(&[u64]) -> SourcePos) -> Profile {
        let mut profile = self.profile.borrow().clone();
        profile.places = OWN.map(SourcePos::words).to_vec();
        // `describe` may run guest code, which may come to new places.
        let all = self.places.all();
        (profile.places).extend(all.iter().map(|greens| describe(greens)));
        profile
    }
}

/// Overwrites the stack below the caller's frame: the return addresses that were read from a sample
/// would look like activations in frames with unused slots.
#[inline(never)]
fn clear_dead_stack() {
    std::hint::black_box([0u64; 512]);
}

/// The outermost levels whose stack does not depend on the sample, since neither they nor the next
/// ones are code: how many there are, and that stack. It is looked for once for each level, however
/// many samples find it there.
fn known_stack(levels: &mut [Level], profile: &mut Profile) -> (usize, Option<StackId>) {
    // The innermost level may have come further since.
    let last = levels.len().saturating_sub(1);
    let mut known = last;
    let mut stack = None;
    while known > 0 {
        stack = levels[known - 1].stack.filter(|_| !levels[known].is_code());
        if stack.is_some() {
            break;
        }
        known -= 1;
    }
    while known < last && !levels[known + 1].is_code() {
        let Kind::Interpreter(place) = levels[known].kind else {
            break;
        };
        let activity = Activity::Interpreter;
        stack = profile.stack_in(stack, [ProfileFrame { place, activity }]);
        levels[known].stack = stack;
        known += 1;
    }
    (known, stack)
}

/// Adds the frames of compiled code, innermost first. Returns the compiler of the outermost frame
/// if its place is not known.
fn push_compiled(
    frames: &mut Vec<ProfileFrame>,
    compiled: &[CodeFrame],
    entered: CompilerKind,
) -> Option<CompilerKind> {
    for CodeFrame { compiler, inlined } in compiled {
        let places = inlined.iter().flat_map(|inlined| inlined.iter().rev());
        frames.extend(places.map(|&place| ProfileFrame {
            place,
            activity: compiler.activity(),
        }));
    }
    match compiled.last() {
        None => Some(entered),
        Some(outermost) if outermost.inlined.as_ref().is_none_or(|i| i.is_empty()) => {
            Some(outermost.compiler)
        }
        Some(_) => None,
    }
}

/// The frame of the VM's own work, if it is at work: the JIT, unless a level has begun meanwhile,
/// or the collector.
fn own_frame(state: u8, began_in: Option<u8>) -> Option<ProfileFrame> {
    if state & IS_COLLECTING != 0 {
        return Some(ProfileFrame {
            place: COLLECTING,
            activity: Activity::Collecting,
        });
    }
    let phases = [
        (Phase::Leaving, Activity::Leaving),
        (Phase::Tracing, Activity::Tracing),
        (Phase::Optimising, Activity::Optimising),
        (Phase::Compiling, Activity::Compiling),
    ];
    let (phase, activity) =
        (phases.into_iter()).find(|(phase, _)| phase.index() == usize::from(state))?;
    let place = (phase.index() - FIRST_PHASE) as PlaceId;
    (began_in != Some(state)).then_some(ProfileFrame { place, activity })
}
