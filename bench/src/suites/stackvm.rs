//! The loops of the stack machine against the same loops in Rust. In: three programs: integers,
//! floats, lists. Out: seconds of the interpreter, of the JIT (compilation included: the machine
//! reads a program whenever it runs it), and of a Rust program that makes the same checks:
//! overflow, division by zero, bounds, and the type of each item of a list. Processor time; the
//! least of interleaved runs gives the ratios. Invariant: both sides compute the same result.

use crate::measure::interleave::{Contestant, Race, Repeat, Run, least, rounds, single, timed};
use crate::measure::record::Record;
use crate::measure::text::{align, ratio, row, seconds};
use crate::settings::Settings;
use std::hint::black_box;
use verdigris::Options;

/// A program, how large it is for the JIT and for the interpreter, and the same in Rust.
struct Program {
    name: &'static str,
    text: &'static str,
    n: i64,
    interpreted: i64,
    rust: fn(i64) -> Option<String>,
}

static PROGRAMS: [Program; 3] = [
    Program {
        name: "sum",
        text: include_str!("../../../examples/stackvm/programs/sum.svm"),
        n: 200_000_000,
        interpreted: 2_000_000,
        rust: |n| sum(n).map(|sum| sum.to_string()),
    },
    Program {
        name: "floats",
        text: include_str!("../../../examples/stackvm/programs/floats.svm"),
        n: 200_000_000,
        interpreted: 2_000_000,
        rust: |n| floats(n).map(|x| format!("{x:?}")),
    },
    Program {
        name: "lists",
        text: include_str!("../../../examples/stackvm/programs/lists.svm"),
        n: 300_000,
        interpreted: 2_000,
        rust: |n| lists(n).map(|sum| sum.to_string()),
    },
];

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or the results differ.
pub fn run(args: &Repeat, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut rows = vec![row([
        "program",
        "n",
        "interp",
        "jit",
        "rust",
        "interp/jit",
        "jit/rust",
    ])];
    let race = |program: &'static Program| {
        let n = match settings.quick {
            true => program.interpreted / 100,
            false => program.n,
        };
        let interpreted = n.min(program.interpreted);
        let contestants: Vec<Contestant> = vec![
            single("interp", move || {
                let off = Options::parse("off").map_err(|error| error.to_string())?;
                let run = measured(program, interpreted, off)?;
                Ok(run.scaled(n as f64 / interpreted as f64))
            }),
            single("jit-cold", move || measured(program, n, args.jit.clone())),
            single("rust", move || {
                timed(|| (program.rust)(black_box(n)).ok_or("the Rust program fails".to_string()))
            }),
        ];
        Race::new(program.name, n, contestants)
    };
    let runs = if settings.quick { 1 } else { args.runs };
    let records = rounds("stackvm", runs, PROGRAMS.iter().map(race).collect())?;
    for new in records.chunk_by(|a, b| a.benchmark == b.benchmark) {
        let times = ["interp", "jit-cold", "rust"].map(|system| least(new, system));
        let mut cells = vec![new[0].benchmark.clone(), new[0].n.to_string()];
        cells.extend(times.map(|time| time.map_or("-".to_string(), seconds)));
        cells.push(ratio(times[0], times[1]));
        cells.push(ratio(times[1], times[2]));
        rows.push(cells);
    }
    println!("{}", align(&rows));
    println!("the interpreter's seconds are those of a smaller n, scaled");
    Ok(records)
}

/// The first run in a VM.
fn measured(program: &Program, n: i64, options: Options) -> Result<Run, String> {
    let vm = stackvm::machine(options).map_err(|error| error.to_string())?;
    let answer = || stackvm::answer(&vm, program.text, &[n]).map_err(|error| error.to_string());
    timed(answer)
}

#[inline(never)]
fn sum(n: i64) -> Option<i64> {
    let (mut sum, mut i) = (0i64, 0i64);
    while i < n {
        sum = sum.checked_add(i.checked_mul(i)?.checked_rem(7)?)?;
        i = i.checked_add(1)?;
    }
    Some(sum)
}

#[inline(never)]
fn floats(n: i64) -> Option<f64> {
    let (mut x, mut i) = (0.5, 0i64);
    while i < n {
        x = 3.75 * x * (1.0 - x);
        i = i.checked_add(1)?;
    }
    Some(x)
}

/// An item of a list. All but one kind are there only so that the type of each item has to be
/// checked, as in the guest program.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "the other kinds are never made")]
enum Value {
    Nil,
    Int(i64),
    Float(f64),
    List(usize),
}

#[inline(never)]
fn lists(n: i64) -> Option<i64> {
    let mut items: Vec<Value> = Vec::new();
    (0..1000).for_each(|i| items.push(Value::Int(i)));
    let mut items = black_box(items);
    let (mut sum, mut turn) = (0i64, 0i64);
    while turn < n {
        let mut i = 0i64;
        while i < items.len() as i64 {
            let Value::Int(item) = *items.get(i as usize)? else {
                return None;
            };
            sum = sum.checked_add(item)?;
            *items.get_mut(i as usize)? = Value::Int(item.checked_add(1)?);
            i = i.checked_add(1)?;
        }
        turn = turn.checked_add(1)?;
    }
    Some(sum)
}
