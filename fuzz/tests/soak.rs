//! Memory does not grow: over random programs, one after the other in one VM with little room for
//! code, and over hundreds of VMs. `VERDIGRIS_SOAK_PROGRAMS=100000` makes a campaign of the first.

use fuzz::language::Language;
use fuzz::languages::tlc::Tlc;
use fuzz::tape::{self, Tape};
use std::sync::{Mutex, PoisonError};
use tlc::image::Image;
use tlc::machine::{Machine, load};
use verdigris::{Options, Stats};

/// The tests of this file run one at a time, since they measure the process.
static ALONE: Mutex<()> = Mutex::new(());

/// How many programs run, unless the environment says otherwise.
const PROGRAMS: u64 = 450;

/// How much more memory the process may have in the end than after the first third: what the
/// system's allocator does not give back at once.
const SLACK: usize = 6 << 20;

/// The parameters: everything is compiled, and there is room for a few programs. The heaps are so
/// small that they are as large as they get within the first third: garbage that has become old
/// stays until there is much of it.
const JIT: &str = "threshold=2,trace_eagerness=2,loop_longevity=100,code_budget=96k,heap_limit=2m";

/// Bytes of memory that the process occupies, where the system says so.
fn resident_bytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}

fn machine(jit: &str) -> Machine {
    let options = Options::parse(jit).unwrap_or_else(|error| panic!("{error}"));
    Machine::new(options, 200).unwrap_or_else(|error| panic!("{error}"))
}

/// Programs without end.
fn programs() -> impl Iterator<Item = Image> {
    let program = |number| {
        let bytes = tape::bytes("soak", 1, number);
        load(
            Tlc.program(&mut Tape::new(&bytes)).text.as_bytes(),
            "soak.tlc",
        )
        .ok()
    };
    (0..).filter_map(program)
}

/// Whether a program stopped because its heap or its stack was used up, which depends on the JIT.
fn used_up(error: Option<&str>) -> bool {
    error.is_some_and(|error| error.contains("used up"))
}

/// The counts of a soak.
#[derive(Default)]
struct Soak {
    programs: u64,
    traces: u64,
    bridges: u64,
    freed: u64,
    evicted: u64,
    machines: u64,
    most_code: u64,
}

impl Soak {
    fn add(&mut self, stats: &Stats) {
        self.machines += 1;
        self.traces += stats.traces;
        self.bridges += stats.bridges;
        self.freed += stats.freed;
        self.evicted += stats.evicted;
        self.most_code = self.most_code.max(stats.machine_code_bytes);
    }
}

#[test]
fn memory_does_not_grow_with_the_programs_that_were_run() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let count = std::env::var("VERDIGRIS_SOAK_PROGRAMS");
    let count = count.map_or(PROGRAMS, |text| text.parse().expect("a number of programs"));
    let mut all = programs();
    let (mut soak, mut early, mut late) = (Soak::default(), 0, 0);
    let (plain, mut compiled) = (machine("off,heap_limit=2m"), machine(JIT));
    while soak.programs < count {
        let image = all.next().expect("there is no end of programs");
        let expected = plain.run(&image, &[40], true);
        let found = compiled.run(&image, &[40], true);
        soak.programs += 1;
        let stopped = used_up(found.error.as_deref());
        if !stopped && !used_up(expected.error.as_deref()) {
            assert_eq!(found, expected, "{}", String::from_utf8_lossy(&image.code));
        }
        if stopped {
            // A VM whose heap was used up may stay stopped.
            soak.add(&compiled.vm().stats());
            compiled = machine(JIT);
        }
        match (resident_bytes(), soak.programs * 3 / count) {
            (Some(bytes), 0) => early = early.max(bytes),
            (Some(bytes), 2..) => late = late.max(bytes),
            _ => {}
        }
    }
    let alive = compiled.vm().stats().alive;
    soak.add(&compiled.vm().stats());
    println!(
        "{} programs, {} traces, {} bridges, {} freed, {} evicted, {} machines, {} bytes of code at most; \
         {early} bytes resident in the first third, {late} in the last; {alive:?}",
        soak.programs,
        soak.traces,
        soak.bridges,
        soak.freed,
        soak.evicted,
        soak.machines,
        soak.most_code,
    );
    assert!(soak.evicted > 0, "there is more code than room for it");
    assert!(late <= early + SLACK, "{early} bytes have become {late}");
    assert!(alive.trees <= 300, "{alive:?}");
    assert!(alive.cells <= 400 && alive.pinned <= 4000, "{alive:?}");
}

/// Makes as many VMs on four threads, lets each compile a loop, and drops it.
fn come_and_go(vms: usize, images: &[Image]) {
    let one = |n: usize| {
        let machine = machine("threshold=2,trace_eagerness=2");
        let outcome = machine.run(&images[n % images.len()], &[12], true);
        assert!(outcome.error.is_none(), "{outcome}");
        assert!(machine.vm().stats().traces > 0);
    };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let vms = (0..vms).filter(move |n| n % 4 == thread);
            scope.spawn(move || vms.for_each(one));
        }
    });
}

#[test]
fn hundreds_of_vms_leave_nothing_behind() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let plain = machine("off");
    let runs = |image: &Image| plain.run(image, &[12], true).error.is_none();
    let images: Vec<Image> = programs().filter(runs).take(10).collect();
    come_and_go(50, &images);
    let before = resident_bytes();
    come_and_go(400, &images);
    let after = resident_bytes();
    println!("{before:?} bytes resident after 50 VMs, {after:?} after 450");
    if let (Some(before), Some(after)) = (before, after) {
        assert!(
            after <= before + SLACK,
            "{before} bytes have become {after}"
        );
    }
}
