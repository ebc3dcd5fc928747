//! Random guest programs mean the same with and without the JIT: results, the guest's heap, and
//! panics. They are loops over straight-line code with skips, an inner loop, and calls of a second
//! loop, so that they always end.

use crate::guest::{BACKENDS, Guest, MESSAGE, Op, encode, load, program_with_tiers, run, vm};
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_engine::{BackendKind, Options, Tier, Vm};
use verdigris_heap::Gc;

/// A small generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

fn size(ops: &[Op]) -> u8 {
    encode(ops).len() as u8
}

/// An instruction that goes on with the next one.
fn simple(random: &mut Random) -> Op {
    match random.below(16) {
        0 => Op::AddA,
        1 => Op::Box,
        2 => Op::Keep,
        3 => Op::Peek,
        4 => Op::Bump,
        5 => Op::Publish,
        6 => Op::Fetch,
        7 => Op::Store,
        8 => Op::Load,
        9 => Op::StoreAt(random.below(4) as u8),
        10 => Op::LoadAt(random.below(4) as u8),
        11 => Op::Half,
        12 => Op::Pair,
        13 => Op::Total,
        14 => Op::Square,
        _ => Op::Promote,
    }
}

/// Straight-line code, some of it skipped under a condition.
fn block(random: &mut Random, len: u64) -> Vec<Op> {
    let mut ops = Vec::new();
    for _ in 0..len {
        if random.below(4) > 0 {
            ops.push(simple(random));
            continue;
        }
        let skipped: Vec<Op> = (0..1 + random.below(3)).map(|_| simple(random)).collect();
        let bytes = size(&skipped);
        ops.push(match random.below(3) {
            0 => Op::SkipEven(bytes),
            1 => Op::SkipZero(bytes),
            _ => Op::SkipNeg(bytes),
        });
        ops.extend(skipped);
    }
    ops
}

/// A loop that counts `a` down, with an inner loop or a call now and then; returns.
fn counting(random: &mut Random, start: u8, callee: Option<u8>) -> Vec<Op> {
    let mut ops = Vec::new();
    let (before, inside, after) = (random.below(4), 1 + random.below(5), random.below(4));
    ops.extend(block(random, before));
    match random.below(3) {
        0 => {
            ops.push(Op::SetC(random.below(9) as u8));
            let target = start + size(&ops);
            ops.extend(block(random, inside));
            ops.extend([Op::DecC, Op::LoopC(target)]);
        }
        1 => ops.extend(callee.map(Op::Call)),
        _ => ops.extend(block(random, inside)),
    }
    ops.extend(block(random, after));
    if random.below(6) == 0 {
        ops.push(Op::Fail);
    }
    ops.extend([Op::DecA, Op::LoopA(start), Op::Ret]);
    ops
}

/// A program: a short loop at the end, and one in front that may call it.
fn program(seed: u64) -> Vec<Op> {
    let caller = |callee| {
        let mut random = Random(seed * 2 + 1);
        random.below(1);
        (counting(&mut random, 0, Some(callee)), random)
    };
    let len = size(&caller(0).0);
    let (mut ops, mut random) = caller(len);
    ops.extend(counting(&mut random, len, None));
    ops
}

/// Everything that can be seen of a run.
fn observe(vm: &Vm, ops: &[Op], a: i64) -> Vec<i64> {
    vm.enter(|| {
        let guest = load(ops);
        let result = catch_unwind(AssertUnwindSafe(|| run(guest, 0, a)));
        let mut seen = vec![
            result.is_ok() as i64,
            result.unwrap_or(0),
            guest.total.get(),
        ];
        seen.extend((0..4).map(|n| guest.memory[n].get()));
        let mut node = guest.root.get();
        while let Some(here) = node {
            seen.push(here.n.get());
            node = here.next;
        }
        seen
    })
}

const SETTINGS: [&str; 16] = [
    "threshold=2,function_threshold=1,trace_eagerness=1,max_unroll_recursion=0,loop_longevity=1",
    "threshold=2,function_threshold=2,trace_eagerness=1",
    "threshold=4,function_threshold=4,trace_eagerness=3",
    "threshold=3,function_threshold=3,trace_eagerness=2,enable_opts=none",
    "threshold=3,function_threshold=3,trace_eagerness=2,fail_guards=1",
    "threshold=3,function_threshold=3,trace_eagerness=1,fail_guards=1,enable_opts=none",
    "threshold=2,function_threshold=2,trace_eagerness=1,stress=1",
    "threshold=2,function_threshold=2,trace_eagerness=1,loop_longevity=1,interruptible=1",
    "threshold=2,function_threshold=2,trace_eagerness=1,loop_longevity=3,code_budget=2k",
    "threshold=1,function_threshold=1,trace_eagerness=1,compiler=specialising",
    "threshold=2,function_threshold=3,trace_eagerness=2,compiler=both,fail_guards=1,max_unroll_recursion=0",
    "threshold=3,function_threshold=2,trace_eagerness=1,compiler=specialising,stress=1,interruptible=1,loop_longevity=1",
    "threshold=1,function_threshold=2,arm_eagerness=1,compiler=threaded",
    "threshold=3,function_threshold=1,compiler=threaded,fail_guards=1",
    "threshold=7,function_threshold=5,thread_threshold=2,trace_eagerness=2,shuffle_tiers=3",
    "threshold=5,function_threshold=5,thread_threshold=1,trace_eagerness=2,loop_longevity=1,code_budget=16k",
];

/// The settings above, or the one in the environment, to look into a failure.
fn settings() -> Vec<String> {
    match std::env::var("RANDOM_SETTING") {
        Ok(setting) => vec![setting],
        Err(_) => SETTINGS.map(str::to_string).to_vec(),
    }
}

/// Each place on one of the tiers, in loops and in their callees, whatever stands there.
fn some_tier(pc: usize, guest: Gc<Guest>) -> Tier {
    let tiers = [
        Tier::Specialised,
        Tier::Traced,
        Tier::Interpreter,
        Tier::Specialised,
        Tier::Traced,
        Tier::Any,
    ];
    tiers[(pc * 7 + guest.code.len()) % tiers.len()]
}

/// Each program under every second setting, with one of the backends: the next one has its turn
/// with the next setting, and with the next programs.
fn check(seeds: std::ops::Range<u64>, vm: fn(&str) -> Vm, backends: &[BackendKind]) {
    for seed in seeds {
        let ops = program(seed);
        let a = 20 + (seed % 30) as i64;
        let expected = observe(&vm("off"), &ops, a);
        let settings = settings();
        let turn = seed as usize % settings.len().min(2);
        for (number, setting) in settings.iter().enumerate().skip(turn).step_by(2) {
            let backend = &backends[(seed as usize / 2 + number) % backends.len()];
            let vm = vm(&format!("backend={backend},{setting}"));
            for round in 0..2 {
                let seen = observe(&vm, &ops, a);
                assert_eq!(
                    seen, expected,
                    "seed {seed}, {backend}, {setting}, round {round}: a = {a}, {ops:?}"
                );
            }
        }
    }
}

/// As many programs as the environment says, from where it says.
fn check_all(count: u64, vm: fn(&str) -> Vm, backends: &[BackendKind]) {
    std::panic::set_hook(Box::new(|info| {
        if info.payload_as_str() != Some(MESSAGE) {
            eprintln!("{info}");
        }
    }));
    let count = std::env::var("RANDOM_PROGRAMS").map_or(count, |n| n.parse().unwrap());
    let first = std::env::var("RANDOM_START").map_or(0, |n| n.parse().unwrap());
    check(first..first + count, vm, backends);
}

#[test]
fn random_programs_mean_the_same() {
    check_all(24, vm, &BACKENDS);
}

#[test]
fn random_programs_mean_the_same_on_all_tiers() {
    let vm = |params: &str| {
        let options = Options::parse(params).expect("parameters");
        Vm::new(program_with_tiers(some_tier), options).expect("a VM")
    };
    check_all(24, vm, &BACKENDS[..1]);
}
