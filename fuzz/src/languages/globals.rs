//! The machine whose globals, functions and mode can be redefined: assumptions of compiled code,
//! and what ends them. In: a tape. Out: two programs, as text, of which the first can run the
//! second. Invariant: programs end. Each goes around one loop a few times; one that runs itself
//! anew counts so few turns meanwhile that it does not do so again.
//!
//! The example has no syntax of its own. Here a line `world` begins a program, and every other line
//! is an instruction with its operand. The first program runs three times in one VM, and between
//! the runs its embedder writes what it reads.

use crate::heap::{self, Look};
use crate::language::{Language, Program, run_of};
use crate::panics;
use ::globals::{Function, Global, Method, Mode, World};
use fuzz_tape::Tape;
use verdigris::{Gc, Options, Vm};
use verdigris_testing::Run;

/// The language.
pub struct Globals;

/// The instructions by their numbers.
const NAMES: [&str; 15] = [
    "GET", "SET", "CALL", "MODE", "TICK", "FLIP", "REDEFINE", "POKE", "ANY", "LOOP", "STOP",
    "NEST", "NEW", "INNER", "SKIP",
];

/// How many instructions of a loop may count turns. Who runs the program anew does so in every 30th
/// turn, for five rounds of the loop.
const TICKING: usize = 5;

/// How often the program runs in one VM.
const RUNS: usize = 3;

impl Language for Globals {
    fn name(&self) -> &'static str {
        "globals"
    }

    fn comment(&self) -> &'static str {
        "#"
    }

    fn program(&self, tape: &mut Tape<'_>) -> Program {
        let turns = 30 + tape.within(0i64, 90);
        let text = world(tape, true) + &world(tape, false);
        Program {
            text,
            args: vec![turns],
        }
    }

    fn run(&self, program: &Program, _: &str, options: Options) -> Result<Run, String> {
        let turns = program.args.first().copied().unwrap_or(0);
        let [outer, inner] = assemble(&program.text)?;
        let vm = Vm::new(globals::program(), options).map_err(|error| error.to_string())?;
        let entered = vm.try_enter(|| {
            let world = globals::around(&outer, globals::world(&inner));
            let mut acc = 0;
            let mut error = None;
            for run in 0..RUNS {
                match panics::guest(|| globals::run(world, acc, turns)) {
                    Ok(result) => acc = result,
                    Err(message) => error = Some(message),
                }
                redefine(world, run as i64, acc);
            }
            let left = heap::describe(&[Place::World(world)], look);
            (format!("{acc}\n{left}"), error)
        });
        Ok(run_of(&vm, entered))
    }

    fn command(&self, file: &str, _: &Program, _: &str, _: &str) -> String {
        format!("fuzz replay {file}")
    }
}

/// What the embedder writes behind a run.
fn redefine(world: Gc<World>, run: i64, acc: i64) {
    world.globals[2].value.set(acc & 7);
    if run == 1 {
        world.mode.set(Mode::Scaled(acc & 3));
        world.functions[1].method.set(Gc::new(Method {
            times: 1,
            add: acc & 15,
        }));
    }
}

/// A program that goes around a loop.
fn world(tape: &mut Tape<'_>, outer: bool) -> String {
    let mut text = "world 0\n".to_string();
    let mut ticking = 0;
    for _ in 0..2 + tape.below(9) {
        // An operand that there is, but for one in many.
        let wrong = tape.chance(1, 20);
        let (name, operand) = match tape.weighted(&[4, 1, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 2]) {
            0 => ("GET", tape.below(3)),
            1 => ("SET", tape.below(3)),
            2 => ("CALL", tape.below(2)),
            3 => ("MODE", 0),
            4 => ("TICK", 0),
            5 => ("FLIP", 1 + tape.below(6)),
            6 => ("REDEFINE", tape.pick(&[40, 3, 7, 15, 29, 100])),
            7 => ("POKE", tape.pick(&[40, 2, 7, 15, 29, 100])),
            8 => ("ANY", 0),
            9 if outer => ("NEST", 0),
            10 => ("NEW", 0),
            11 if outer => ("INNER", 1 + tape.below(5)),
            _ => ("SKIP", 0),
        };
        let operand = match name {
            "GET" | "SET" | "CALL" if wrong => 3,
            "REDEFINE" | "POKE" if wrong => 0,
            _ => operand,
        };
        ticking += usize::from(["TICK", "FLIP", "NEST"].contains(&name));
        match ticking <= TICKING {
            true => text += &format!("{name} {operand}\n"),
            false => text += "GET 0\n",
        }
    }
    text + "LOOP 0\nSTOP 0\n"
}

/// The two programs of a text.
fn assemble(text: &str) -> Result<[Vec<u8>; 2], String> {
    let mut worlds: Vec<Vec<u8>> = Vec::new();
    for line in text.lines() {
        let (name, operand) = line.split_once(' ').ok_or_else(|| format!("`{line}`?"))?;
        let operand: u8 = operand.parse().map_err(|_| format!("`{line}`?"))?;
        if name == "world" {
            worlds.push(Vec::new());
            continue;
        }
        let op = NAMES.iter().position(|known| *known == name);
        let op = op.ok_or_else(|| format!("`{name}` is no instruction"))?;
        let code = worlds.last_mut().ok_or("the text begins with `world`")?;
        code.extend([op as u8, operand]);
    }
    let count = worlds.len();
    <[Vec<u8>; 2]>::try_from(worlds).map_err(|_| format!("there are {count} programs, not two"))
}

/// A value or object that can be looked at.
#[derive(Clone, Copy)]
enum Place {
    World(Gc<World>),
    Global(Gc<Global>),
    Function(Gc<Function>),
    Method(Gc<Method>),
}

fn look(place: Place) -> Look<Place> {
    let (identity, label, parts) = match place {
        Place::World(world) => {
            let globals = (0..world.globals.len()).map(|n| Place::Global(world.globals[n]));
            let functions = (0..world.functions.len()).map(|n| Place::Function(world.functions[n]));
            let inner = world.inner.map(Place::World);
            (
                format!("{world:?}"),
                format!("world {:?} {}", world.mode.get(), world.turn.get()),
                globals.chain(functions).chain(inner).collect(),
            )
        }
        Place::Global(global) => {
            let label = format!("global {}", global.value.get());
            (format!("{global:?}"), label, Vec::new())
        }
        Place::Function(function) => (
            format!("{function:?}"),
            format!("function {}", function.calls.get()),
            vec![Place::Method(function.method.get())],
        ),
        Place::Method(method) => {
            let label = format!("x * {} + {}", method.times, method.add);
            (format!("{method:?}"), label, Vec::new())
        }
    };
    Look::Object {
        identity,
        label,
        parts,
    }
}
