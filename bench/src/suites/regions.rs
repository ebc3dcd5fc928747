//! What it costs to go from a loop to code that was compiled for a failing guard, and back. In:
//! loops whose every iteration takes one of many ways, by the bits of a random number, with few and
//! with many values that go around. Out: nanoseconds per iteration of the loop with a bridge for
//! each guard, as the engine makes it, and of one region that has all of it, on both backends,
//! beside Rust. Invariant: both are made of the same operations, and all compute the same sum.

use crate::measure::interleave::{Contestant, Race, Repeat, Run, least, rounds, single, timed};
use crate::measure::record::Record;
use crate::measure::text::align;
use crate::settings::Settings;
use std::cell::RefCell;
use std::fmt::Write;
use verdigris_backend::{Backend, CodeExit};
use verdigris_heap::HeapOptions;
use verdigris_trace::{ExitId, TargetId};
use verdigris_traces::vm::{MACHINE_CODE, Vm, run_script};

/// Iterations in a run.
const ITERATIONS: i64 = 20_000_000;

/// The random number of an iteration is made from that of the one before by these.
const FACTOR: i64 = 6_364_136_223_846_793_005;
const SUMMAND: i64 = 1_442_695_040_888_963_407;

/// A loop: how many guards it has that fail every other time, and how many values go around that
/// only exits need.
#[derive(Clone, Copy)]
struct Loop {
    name: &'static str,
    guards: usize,
    carried: usize,
}

const LOOPS: [Loop; 4] = [
    Loop {
        name: "1 guard",
        guards: 1,
        carried: 0,
    },
    Loop {
        name: "1 guard, 20 values",
        guards: 1,
        carried: 20,
    },
    Loop {
        name: "8 guards",
        guards: 8,
        carried: 0,
    },
    Loop {
        name: "8 guards, 20 values",
        guards: 8,
        carried: 20,
    },
];

impl Loop {
    /// The values that go around: the count, the random number, the sum, and those that only exits
    /// need.
    fn values(self) -> Vec<String> {
        (0..3 + self.carried).map(|n| format!("i{n}")).collect()
    }

    /// The loop: its guards are `g0`, which ends it, and `g1` and so on.
    fn text(self) -> String {
        let width = 3 + self.carried;
        let params = self.values().join(", ");
        let others = self.values()[3..].iter().fold(String::new(), |mut out, v| {
            let _ = write!(out, ", {v}");
            out
        });
        let [count, random, made, test] = [width, width + 1, width + 2, width + 3];
        let mut text = format!(
            "[{params}]
             label L0({params})
             i{test} = int_gt(i0, 0)
             guard_true(i{test}) g0 -> [i2] @
             i{count} = int_sub(i0, 1)
             i{made} = int_mul(i1, {FACTOR})
             i{random} = int_add(i{made}, {SUMMAND})\n"
        );
        let (mut sum, mut next) = (2, test + 1);
        for n in 0..self.guards {
            let (shifted, bit, more) = (next, next + 1, next + 2);
            let _ = writeln!(
                text,
                "i{shifted} = int_shr(i{random}, {})
                 i{bit} = int_and(i{shifted}, 1)
                 guard_true(i{bit}) g{} -> [i{count}, i{random}, i{sum}{others}] @
                 i{more} = int_add(i{sum}, {})",
                40 + n,
                n + 1,
                n + 1
            );
            (sum, next) = (more, next + 3);
        }
        let _ = writeln!(text, "jump L0(i{count}, i{random}, i{sum}{others})");
        text
    }

    /// The code behind the guard `g1` and so on.
    fn bridge(self) -> String {
        let values = self.values();
        let others = &values[2..].join(", ").replacen("i2", "i99", 1);
        format!(
            "[{}]\ni99 = int_xor(i2, i1)\njump L0(i0, i1, {others})",
            values.join(", ")
        )
    }

    /// The loop and its bridges, one after the other.
    fn compile_apart(self, vm: &mut Vm) {
        vm.compile(&self.text());
        for n in 0..self.guards as u32 {
            vm.bridge(n + 1, &self.bridge());
        }
    }

    /// All of it as one region.
    fn compile_region(self, vm: &mut Vm) {
        let mut trace = vm.parse(&self.text(), &[]);
        for n in 0..self.guards as u32 {
            let bridge = vm.parse(&self.bridge(), &[]);
            trace.absorb(ExitId::from_u32(n + 1), TargetId::from_u32(n + 1), bridge);
        }
        let compiled = vm.compile_trace(&trace);
        compiled.unwrap_or_else(|error| panic!("{error}"));
    }

    /// The same in Rust.
    fn in_rust(self, iterations: i64) -> i64 {
        let (mut random, mut sum) = (1i64, 0i64);
        'iterations: for _ in 0..iterations {
            random = random.wrapping_mul(FACTOR).wrapping_add(SUMMAND);
            for n in 0..self.guards {
                if random >> (40 + n) & 1 == 0 {
                    sum ^= random;
                    continue 'iterations;
                }
                sum = sum.wrapping_add(n as i64 + 1);
            }
        }
        sum
    }

    /// The loop on one backend.
    fn run(
        self,
        make: fn() -> Box<dyn Backend>,
        compile: fn(Loop, &mut Vm),
        iterations: i64,
    ) -> Result<Run, String> {
        let done = RefCell::new(Err("it was not run".to_owned()));
        run_script(make(), HeapOptions::default(), &|vm| {
            compile(self, vm);
            let mut args = vec![iterations as u64, 1, 0];
            args.resize(3 + self.carried, 7);
            *done.borrow_mut() = timed(|| match vm.run(0, &args) {
                CodeExit::Guard(_) => Ok(vm.context.exits[0] as i64),
                other => Err(format!("the loop ended by {other:?}")),
            });
        });
        done.into_inner()
    }
}

/// Measures and prints the table.
///
/// # Errors
/// If the results differ.
pub fn run(args: &Repeat, settings: &Settings) -> Result<Vec<Record>, String> {
    let (iterations, runs) = match settings.quick {
        true => (ITERATIONS / 1000, 1),
        false => (ITERATIONS, args.runs),
    };
    let race = |&this: &Loop| {
        let mut contestants: Vec<Contestant> = vec![single("rust", move || {
            timed(|| Ok(this.in_rust(std::hint::black_box(iterations))))
        })];
        for (&make, [apart, region]) in MACHINE_CODE.iter().zip(SYSTEMS) {
            contestants.push(single(apart, move || {
                this.run(make, Loop::compile_apart, iterations)
            }));
            contestants.push(single(region, move || {
                this.run(make, Loop::compile_region, iterations)
            }));
        }
        Race::new(this.name, iterations, contestants)
    };
    let records = rounds("regions", runs, LOOPS.iter().map(race).collect())?;
    let systems = SYSTEMS.into_iter().rev().flatten().chain(["rust"]);
    let heads = ["ns per iteration"].into_iter().chain(systems.clone());
    let mut rows = vec![heads.map(str::to_owned).collect()];
    for new in records.chunk_by(|a, b| a.benchmark == b.benchmark) {
        let cell = |system| {
            least(new, system).map_or("-".to_string(), |seconds| {
                format!("{:.2}", seconds * 1e9 / iterations as f64)
            })
        };
        let cells = systems.clone().map(cell);
        rows.push(
            [new[0].benchmark.clone()]
                .into_iter()
                .chain(cells)
                .collect(),
        );
    }
    println!("{}", align(&rows));
    Ok(records)
}

/// The names of the backends of [`MACHINE_CODE`].
const SYSTEMS: [[&str; 2]; 2] = [
    ["cranelift-apart", "cranelift-region"],
    ["x64-apart", "x64-region"],
];
