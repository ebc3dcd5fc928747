//! Calls from native code into the guest. In: a native loop that calls a function of the frame
//! language with each of its numbers: one that answers it at once, and one that has a loop of its
//! own. Out: nanoseconds per call of the interpreter and of the JIT (compilation included), and of
//! what native code does for a call beside the call, which is in both: it makes a frame and a boxed
//! number. Processor time; the least of interleaved runs. Invariant: interpreter and JIT compute
//! the same sum.

use crate::measure::interleave::{Contestant, Race, Repeat, Run, least, rounds, single, timed};
use crate::measure::record::Record;
use crate::measure::text::{align, row};
use crate::settings::Settings;
use frames::{ADD, CONST, Code, LOAD, LOOP, Machine, RETURN, STORE, SUB, call, prepare};
use verdigris::{Gc, Options, Vm};

/// Calls in a run.
const CALLS: i64 = 10_000_000;

/// The interpreter makes so much fewer.
const FEWER: i64 = 5;

/// The native function's result for a number.
type Call = fn(Gc<Machine>, Gc<Code>, i64) -> i64;

/// The callee, with a number up to 15.
static FUNCTIONS: [(&str, &[u8]); 2] = [
    ("returns at once", &[LOAD, 0, RETURN, 0]),
    (
        "up to 15 turns",
        &[
            CONST, 0, STORE, 1, LOAD, 1, ADD, 0, STORE, 1, LOAD, 0, SUB, 1, STORE, 0, LOOP, 4,
            LOAD, 1, RETURN, 0,
        ],
    ),
];

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or the results differ.
pub fn run(args: &Repeat, settings: &Settings) -> Result<Vec<Record>, String> {
    let (calls, runs) = match settings.quick {
        true => (CALLS / 1000, 1),
        false => (CALLS, args.runs),
    };
    let jit = &args.jit;
    let race = |&(name, ops): &(&'static str, &'static [u8])| {
        let contestants: Vec<Contestant> = vec![
            single("interp", move || {
                let off = Options::parse("off").map_err(|error| error.to_string())?;
                Ok(measured(call, ops, calls / FEWER, off)?.scaled(FEWER as f64))
            }),
            single("jit-cold", move || measured(call, ops, calls, jit.clone())),
            single("frame", move || {
                let run = measured(prepare, ops, calls, jit.clone())?;
                Ok(Run {
                    result: None,
                    ..run
                })
            }),
        ];
        Race::new(name, calls, contestants)
    };
    let records = rounds("entries", runs, FUNCTIONS.iter().map(race).collect())?;
    let mut rows = vec![row(["called function", "interp ns", "jit ns", "frame ns"])];
    for new in records.chunk_by(|a, b| a.benchmark == b.benchmark) {
        let cell = |system| {
            least(new, system).map_or("-".to_string(), |seconds| {
                format!("{:.1}", seconds * 1e9 / calls as f64)
            })
        };
        rows.push(vec![
            new[0].benchmark.clone(),
            cell("interp"),
            cell("jit-cold"),
            cell("frame"),
        ]);
    }
    println!("{}", align(&rows));
    println!("the interpreter's times are those of fewer calls");
    Ok(records)
}

/// A run in a VM of its own.
fn measured(make: Call, ops: &[u8], calls: i64, options: Options) -> Result<Run, String> {
    let vm = Vm::new(frames::program(), options).map_err(|error| error.to_string())?;
    vm.enter(|| {
        let machine = frames::machine(&[(ops.to_vec(), 2)]);
        let main = machine.functions[0];
        timed(|| {
            let results = (0..calls).map(|n| make(machine, main, n & 15));
            Ok(results.fold(0i64, i64::wrapping_add))
        })
    })
}
