//! Frames that other code may look at. In: loops of the machine with such frames, which call a
//! closure that does not look, that looks where the functions are, that reads one place or four, or
//! that reads a variable. Out: seconds of the interpreter, of the JIT (compilation included), and
//! of the JIT when it keeps nothing across calls (`enable_opts=all-virtualizable`), which stores
//! the frame in front of each such call and loads from it behind. Processor time; the least of
//! interleaved runs gives the ratios. Invariant: both ways of the JIT compute the same result; the
//! interpreter, which is slow, runs a tenth of the turns.

use crate::measure::interleave::{Contestant, Race, Run, least, rounds, single, timed};
use crate::measure::record::Record;
use crate::measure::text::{align, ratio, row, seconds};
use crate::settings::Settings;
use frames::{ADD, CONST, LOAD, LOOK, LOOP, Machine, RETURN, STORE, SUB};
use verdigris::{Gc, Options, Vm};

/// The arguments of `frames`.
#[derive(clap::Args)]
pub struct FramesArgs {
    /// How often each is run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

/// A loop that adds up what it counts down from.
struct Program {
    name: &'static str,
    /// The instructions inside the loop.
    inside: &'static [u8],
    observer: fn(Gc<Machine>, u8) -> i64,
    n: i64,
}

static PROGRAMS: [Program; 6] = [
    Program {
        name: "no call",
        inside: &[],
        observer: |_, _| 0,
        n: 100_000_000,
    },
    Program {
        name: NAMED[0],
        inside: &[LOOK, 0],
        observer: |_, _| 0,
        n: 20_000_000,
    },
    Program {
        name: NAMED[1],
        inside: &[LOOK, 0],
        observer: |machine, _| i64::from(machine.top.get().is_some()),
        n: 20_000_000,
    },
    Program {
        name: NAMED[2],
        inside: &[LOOK, 0],
        observer: |machine, _| {
            let place = |machine: Gc<Machine>| machine.top.get().map_or(0, |f| f.at.get() as i64);
            place(machine) + place(machine)
        },
        n: 20_000_000,
    },
    Program {
        name: "where are we",
        inside: &[LOOK, 0],
        observer: |machine, _| frames::instructions(machine)[0] as i64,
        n: 5_000_000,
    },
    Program {
        name: "a variable",
        inside: &[LOOK, 0],
        observer: |machine, _| frames::local(machine, 0, 1),
        n: 5_000_000,
    },
];

/// What a look costs is told by these: a call with the frames kept, with one read by it, and with
/// four.
const NAMED: [&str; 3] = ["nobody looks", "one read", "four reads"];

const SYSTEMS: [(&str, &str); 3] = [
    ("interp", "off"),
    ("jit-cold", ""),
    ("nothing-kept", "enable_opts=all-virtualizable"),
];

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or the results differ.
pub fn run(args: &FramesArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut rows = vec![row([
        "program",
        "n",
        "interp",
        "jit",
        "nothing kept",
        "interp/jit",
        "nothing kept/jit",
    ])];
    let size = |program: &Program| match settings.quick {
        true => program.n / 10_000,
        false => program.n,
    };
    let race = |program: &'static Program| {
        let n = size(program);
        let contestant = |(system, jit): (&'static str, &'static str)| -> Contestant {
            let share = if jit == "off" { 10 } else { 1 };
            single(system, move || {
                Ok(measured(program, n / share, jit)?.scaled(share as f64))
            })
        };
        Race::new(
            program.name,
            n,
            SYSTEMS.into_iter().map(contestant).collect(),
        )
    };
    let runs = if settings.quick { 1 } else { args.runs };
    let records = rounds("frames", runs, PROGRAMS.iter().map(race).collect())?;
    for (program, new) in PROGRAMS.iter().zip(records.chunks(SYSTEMS.len())) {
        let times = SYSTEMS.map(|(system, _)| least(new, system));
        let mut cells = vec![program.name.to_string(), size(program).to_string()];
        cells.extend(times.map(|time| time.map_or("-".to_string(), seconds)));
        cells.push(ratio(times[0], times[1]));
        cells.push(ratio(times[2], times[1]));
        rows.push(cells);
    }
    println!("{}", align(&rows));
    println!("the interpreter's seconds are those of a tenth of n, scaled");
    for (program, new) in PROGRAMS.iter().zip(records.chunks(SYSTEMS.len())) {
        if NAMED.contains(&program.name)
            && let Some(time) = least(new, "jit-cold")
        {
            let turn = time * 1e9 / size(program) as f64;
            println!("{}: {turn:.1} ns per turn", program.name);
        }
    }
    Ok(records)
}

/// A run in a VM of its own, compilation included.
fn measured(program: &Program, n: i64, jit: &str) -> Result<Run, String> {
    let options = Options::parse(jit).map_err(|error| error.to_string())?;
    let vm = Vm::new(frames::program(), options).map_err(|error| error.to_string())?;
    let mut ops = vec![CONST, 0, STORE, 1, LOAD, 1, ADD, 0, STORE, 1];
    ops.extend(program.inside);
    ops.extend([LOAD, 0, SUB, 1, STORE, 0, LOOP, 4, LOAD, 1, RETURN, 0]);
    vm.enter(|| {
        let machine = frames::machine(&[(ops, 2)]);
        let main = machine.functions[0];
        let observer = Box::new(program.observer);
        timed(|| {
            Ok(frames::with_observer(observer, || {
                frames::call(machine, main, n)
            }))
        })
    })
}
