//! The loops of the stack machine against the same loops in Rust. In: three programs: integers, floats, lists. Out: seconds
//! of the interpreter, of the JIT (second run in a VM), and of a Rust program that makes the same checks: overflow, division
//! by zero, bounds, and the type of each item of a list. Processor time; the least of interleaved runs gives the ratios.
//! Invariant: both sides compute the same result.

use crate::Settings;
use crate::clock::cpu_seconds;
use crate::record::Record;
use crate::text::{align, ratio, row, seconds};
use std::hint::black_box;
use verdigris::Options;

/// What `stackvm` takes.
#[derive(clap::Args)]
pub struct StackvmArgs {
    /// How often each is run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Parameters of the JIT.
    #[arg(long, default_value = "", value_parser = Options::parse)]
    jit: Options,
}

/// A program, how large it is for the JIT and for the interpreter, and the same in Rust.
struct Program {
    name: &'static str,
    text: &'static str,
    n: i64,
    interpreted: i64,
    rust: fn(i64) -> Option<String>,
}

const PROGRAMS: [Program; 3] = [
    Program {
        name: "sum",
        text: include_str!("../../examples/stackvm/programs/sum.svm"),
        n: 200_000_000,
        interpreted: 2_000_000,
        rust: |n| sum(n).map(|sum| sum.to_string()),
    },
    Program {
        name: "floats",
        text: include_str!("../../examples/stackvm/programs/floats.svm"),
        n: 200_000_000,
        interpreted: 2_000_000,
        rust: |n| floats(n).map(|x| format!("{x:?}")),
    },
    Program {
        name: "lists",
        text: include_str!("../../examples/stackvm/programs/lists.svm"),
        n: 300_000,
        interpreted: 2_000,
        rust: |n| lists(n).map(|sum| sum.to_string()),
    },
];

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or the results differ.
pub fn run(args: &StackvmArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut rows = vec![row([
        "program",
        "n",
        "interp",
        "jit",
        "rust",
        "interp/jit",
        "jit/rust",
    ])];
    let mut records = Vec::new();
    for program in &PROGRAMS {
        let (n, runs) = match settings.quick {
            true => (program.interpreted / 100, 1),
            false => (program.n, args.runs),
        };
        let (mut jit, mut rust) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            jit.push(jitted(program, n, &args.jit)?);
            let (seconds, result) = timed(|| (program.rust)(black_box(n)));
            let result = result.ok_or("the Rust program fails")?;
            rust.push((seconds, result));
        }
        if jit.iter().chain(&rust).any(|run| run.1 != rust[0].1) {
            return Err(format!(
                "{}: the JIT gives {}, Rust {}",
                program.name, jit[0].1, rust[0].1
            ));
        }
        let interp = interpreted(program, n.min(program.interpreted))? * n as f64
            / n.min(program.interpreted) as f64;
        let times = |runs: &[(f64, String)]| runs.iter().map(|run| run.0).collect::<Vec<_>>();
        let of = |system, runs: &[f64]| Record::new("stackvm", program.name, n, system, runs);
        let new = [
            of("interp", &[interp]),
            of("jit-warm", &times(&jit)),
            of("rust", &times(&rust)),
        ];
        let least = [0, 1, 2].map(|system| new[system].min);
        let mut cells = vec![program.name.to_string(), n.to_string()];
        cells.extend(least.map(seconds));
        cells.push(ratio(Some(least[0]), Some(least[1])));
        cells.push(ratio(Some(least[1]), Some(least[2])));
        rows.push(cells);
        records.extend(new);
    }
    println!("{}", align(&rows));
    println!("the interpreter's seconds are those of a smaller n, scaled");
    Ok(records)
}

fn timed<R>(f: impl FnOnce() -> R) -> (f64, R) {
    let begin = cpu_seconds();
    let result = f();
    (cpu_seconds() - begin, result)
}

/// The second run in a VM.
fn jitted(program: &Program, n: i64, options: &Options) -> Result<(f64, String), String> {
    let vm = stackvm::machine(options.clone()).map_err(|error| error.to_string())?;
    let answer = || stackvm::answer(&vm, program.text, &[n]).map_err(|error| error.to_string());
    answer()?;
    let (seconds, result) = timed(answer);
    Ok((seconds, result?))
}

fn interpreted(program: &Program, n: i64) -> Result<f64, String> {
    let off = Options::parse("off").map_err(|error| error.to_string())?;
    let vm = stackvm::machine(off).map_err(|error| error.to_string())?;
    let (seconds, result) = timed(|| stackvm::answer(&vm, program.text, &[n]));
    result.map_err(|error| error.to_string())?;
    Ok(seconds)
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

/// An item of a list. All but one kind are there only so that the type of each item has to be checked, as in the guest program.
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
