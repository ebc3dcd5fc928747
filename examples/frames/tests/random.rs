//! Random functions with somebody who looks at their frames, changes them, and calls further functions. In: seeds. Out: the same
//! results under every setting of the JIT that is fast enough.

use frames::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use verdigris::{Gc, Options, Vm};
use verdigris_testing::{PASSES, Run, SETTINGS, agree_under, compiled, for_each};

/// Locals of every function; the last one counts.
const LOCALS: usize = 4;
const COUNT: u8 = LOCALS as u8 - 1;

/// A generator of numbers.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn local(&mut self) -> u8 {
        self.below(LOCALS as u64 - 1) as u8
    }
}

/// A function that sets its locals, and goes around a loop so many times. It calls functions with greater numbers only.
fn function(rng: &mut Rng, number: u8, functions: u8, turns: u8) -> Vec<u8> {
    let mut ops = Vec::new();
    for n in 1..COUNT {
        ops.extend([CONST, rng.below(9) as u8, STORE, n]);
    }
    ops.extend([CONST, turns, STORE, COUNT]);
    let start = ops.len() as u8;
    for _ in 0..2 + rng.below(9) {
        let op = match rng.below(14) {
            0 | 1 => [LOAD, rng.local()],
            2 | 3 => [STORE, rng.local()],
            4 | 5 => [ADD, rng.local()],
            6 => [SUB, rng.below(5) as u8],
            7 => [PEEK, rng.local()],
            8 => [POKE, rng.local()],
            9 => [FIND, rng.local()],
            10 => [OUTER, rng.local()],
            11 if number + 1 < functions => [
                CALL,
                number + 1 + rng.below(u64::from(functions - number - 1)) as u8,
            ],
            12 if number + 1 < functions => [NEST, functions - 1],
            _ => [LOOK, rng.below(200) as u8],
        };
        ops.extend(op);
    }
    ops.extend([
        LOAD,
        COUNT,
        SUB,
        1,
        STORE,
        COUNT,
        LOOP,
        start,
        LOAD,
        rng.local(),
        RETURN,
        0,
    ]);
    ops
}

/// What somebody does depends on what they are asked and on what they see.
fn somebody(machine: Gc<Machine>, n: u8) -> i64 {
    let looks = machine.looks.get();
    let turn = (looks as u64).wrapping_mul(u64::from(n) + 1) >> 1;
    let top = machine.top.get();
    match (n % 8, top) {
        (0, _) => instructions(machine)
            .iter()
            .fold(0, |all, &at| 31 * all + at as i64),
        (1, _) => local(
            machine,
            (turn % 3) as usize,
            (turn % LOCALS as u64) as usize,
        ),
        (2, Some(top)) if turn.is_multiple_of(5) => {
            let old = local(machine, 0, 1);
            let value = old % 1000 + looks;
            top.locals[1].set(Some(Gc::new(Num { value })));
            old
        }
        (3, Some(top)) => match top.back {
            Some(back) if turn.is_multiple_of(3) => {
                back.locals[2].set(top.locals[1].get());
                looks
            }
            _ => -looks,
        },
        // The number itself goes from one place to another: who makes it twice is found out.
        (4, Some(top)) => {
            let num = top.locals[0].get();
            top.locals[2].set(num);
            match (top.locals[2].get(), num) {
                (Some(a), Some(b)) => i64::from(Gc::ptr_eq(a, b)),
                _ => 2,
            }
        }
        (5, Some(top)) => {
            let same = |a: Option<Gc<Num>>, b: Option<Gc<Num>>| match (a, b) {
                (Some(a), Some(b)) => Gc::ptr_eq(a, b),
                _ => false,
            };
            i64::from(same(top.locals[0].get(), top.locals[1].get()))
        }
        _ => 3,
    }
}

fn guest(seed: u64) -> impl Fn(Options) -> Run {
    let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let functions: Vec<(Vec<u8>, usize)> = (0..3)
        .map(|n| (function(&mut rng, n, 3, [60, 5, 4][usize::from(n)]), LOCALS))
        .collect();
    move |options| {
        let vm = Vm::new(program(), options).expect("a VM");
        Run::on(&vm, || {
            vm.enter(|| {
                let machine = machine(&functions);
                let main = machine.functions[0];
                let result = with_somebody(Box::new(somebody), || call(machine, main, 7));
                Ok::<_, String>(format!("{result} {}", machine.looks.get()))
            })
        })
    }
}

#[test]
fn everybody_sees_the_same() {
    let (forced, finished) = (AtomicU64::new(0), AtomicU64::new(0));
    let seeds: Vec<u64> = (0..150).collect();
    for_each(&seeds, |&seed| {
        let fast = SETTINGS.iter().chain(PASSES).filter(|s| !s.slow);
        match agree_under(fast, guest(seed)) {
            Ok(outcome) => finished.fetch_add(u64::from(outcome.error.is_none()), Relaxed),
            Err(difference) => panic!("seed {seed}: {difference}"),
        };
        let run = compiled(guest(seed), "threshold=3,trace_eagerness=3");
        forced.fetch_add(run.stats.forced, Relaxed);
    });
    let (forced, finished) = (forced.into_inner(), finished.into_inner());
    assert!(forced > 1000, "compiled code was asked only {forced} times");
    assert!(finished > 100, "only {finished} programs end well");
}
