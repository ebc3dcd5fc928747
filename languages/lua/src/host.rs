//! The host's part of the library: time, random numbers, the size of the heap. Numbers. Invariant:
//! all of it belongs to one thread, as a machine does.

use crate::output::{self, Sink};
use crate::stream::{self, Stream};
use rustix::time::{ClockId, clock_gettime};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verdigris::{Vm, prelude::*};

/// What belongs to a machine that is not entered at the moment: the parts of this module, open
/// files and the output.
pub struct State {
    collector: Tuning,
    random: [u64; 4],
    warnings: bool,
    vm: Option<Rc<Vm>>,
    streams: Vec<Option<Stream>>,
    /// Where output goes.
    pub sink: Option<Sink>,
}

impl State {
    /// That of a new machine, which prints to this sink.
    pub fn new(vm: &Rc<Vm>, sink: Sink) -> State {
        State {
            collector: TUNING,
            random: seeded(0, 0),
            warnings: false,
            vm: Some(vm.clone()),
            streams: stream::standard(),
            sink: Some(sink),
        }
    }

    /// Exchanges it with that of the thread: the machine is entered, or left again.
    pub fn exchange_with_thread(&mut self) {
        self.collector = COLLECTOR.replace(self.collector);
        self.random = RANDOM.replace(self.random);
        self.warnings = WARNINGS.replace(self.warnings);
        self.vm = VM.replace(self.vm.take());
        self.streams = stream::replace(std::mem::take(&mut self.streams));
        self.sink = output::replace(self.sink.take());
    }

    /// Writes what waits in the open files, and closes them.
    pub fn close_files(&mut self) {
        stream::close_all(std::mem::take(&mut self.streams));
        self.vm = None;
    }
}

/// What the program has told the collector.
#[derive(Clone, Copy)]
pub struct Tuning {
    /// Whether it is to run.
    pub running: bool,
    /// Whether it is to be generational.
    pub generational: bool,
    /// How long it is to wait.
    pub pause: i64,
    /// How much it is to do.
    pub step_multiplier: i64,
}

const TUNING: Tuning = Tuning {
    running: true,
    generational: true,
    pause: 200,
    step_multiplier: 100,
};

thread_local! {
    static COLLECTOR: Cell<Tuning> = const { Cell::new(TUNING) };
    static RANDOM: Cell<[u64; 4]> = const { Cell::new([0; 4]) };
    static WARNINGS: Cell<bool> = const { Cell::new(false) };
    static VM: RefCell<Option<Rc<Vm>>> = const { RefCell::new(None) };
    static AT_EXIT: RefCell<Option<AtExit>> = const { RefCell::new(None) };
}

/// What is done before a program ends the process.
type AtExit = Box<dyn FnOnce(&Vm)>;

/// From now on the size of the heap is that of this machine.
pub fn begin(vm: &Rc<Vm>) {
    VM.set(Some(vm.clone()));
    seed(0, 0);
    COLLECTOR.set(TUNING);
    set_warnings(false);
    stream::begin();
}

/// The machine is done.
pub fn end() {
    stream::end();
    VM.set(None);
}

/// A program that ends the process on this thread does this before, with the VM that it runs in.
pub fn at_exit(action: impl FnOnce(&Vm) + 'static) {
    AT_EXIT.set(Some(Box::new(action)));
}

/// Ends the process.
pub fn exit(status: i32) -> ! {
    let vm = VM.with_borrow(Option::clone);
    if let (Some(vm), Some(action)) = (vm, AT_EXIT.take()) {
        action(&vm);
    }
    std::process::exit(status)
}

/// What the collector was told.
pub fn tuning() -> Tuning {
    COLLECTOR.get()
}

/// Tells the collector something; what it was told before.
pub fn tune(change: impl FnOnce(&mut Tuning)) -> Tuning {
    let old = COLLECTOR.get();
    let mut new = old;
    change(&mut new);
    COLLECTOR.set(new);
    old
}

/// Whether warnings are shown.
pub fn warnings() -> bool {
    WARNINGS.get()
}

/// Shows warnings from now on, or does not.
pub fn set_warnings(shown: bool) {
    WARNINGS.set(shown);
}

/// Bytes that the heap uses.
pub fn heap_bytes() -> u64 {
    VM.with_borrow(|vm| vm.as_ref().map_or(0, |vm| vm.stats().heap.heap_bytes))
}

/// Seconds of processor time of this thread, in steps of nanoseconds.
pub fn clock() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Begins a sequence of random numbers; the same seed gives the same sequence.
pub fn seed(first: u64, second: u64) {
    RANDOM.set(seeded(first, second));
}

fn seeded(first: u64, second: u64) -> [u64; 4] {
    let mut state = [first, 0xff, second, 0];
    for _ in 0..16 {
        step(&mut state);
    }
    state
}

/// The next random word: xoshiro256**, as in the original.
#[opaque(writes())]
pub fn random() -> u64 {
    let mut state = RANDOM.get();
    let word = step(&mut state);
    RANDOM.set(state);
    word
}

/// A random number up to this one: the least mask that covers it is tried until what it leaves is
/// small enough, as in the original.
#[opaque(writes())]
pub fn random_up_to(word: u64, limit: u64) -> u64 {
    let mask = u64::MAX.checked_shr(limit.leading_zeros()).unwrap_or(0);
    let mut found = word & mask;
    while found > limit {
        found = random() & mask;
    }
    found
}

fn step(state: &mut [u64; 4]) -> u64 {
    let result = state[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
    let shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = state[3].rotate_left(45);
    result
}
