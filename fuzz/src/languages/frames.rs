//! The machine with visible frames: virtualizable frames, and outside code that looks at
//! them, changes them, and is called from compiled code. In: a tape. Out: functions, as text.
//! Invariant: programs end. Each function goes around one loop a few times, and calls those behind
//! it only.
//!
//! The example has no syntax of its own. Here a line `function` begins a function, and every other
//! line is an instruction with its operand; `LOOP` goes back to the line `start` of its function.

use crate::heap::{self, Look};
use crate::language::{Language, Program, run_of};
use crate::panics;
use ::frames::{Frame, Machine, Num};
use fuzz_tape::Tape;
use verdigris::{Gc, Options, Vm};
use verdigris_testing::Run;

/// The language.
pub struct Frames;

/// Locals of every function; the last one counts.
const LOCALS: u8 = 4;
const COUNT: u8 = LOCALS - 1;

/// How often the loops of the functions go around, and how many functions there are.
const TURNS: [u8; 3] = [60, 5, 4];

/// The instructions by their numbers.
const NAMES: [&str; 14] = [
    "CONST", "LOAD", "STORE", "ADD", "SUB", "LOOP", "CALL", "RETURN", "LOOK", "PEEK", "POKE",
    "FIND", "NEST", "OUTER",
];

impl Language for Frames {
    fn name(&self) -> &'static str {
        "frames"
    }

    fn comment(&self) -> &'static str {
        "#"
    }

    fn program(&self, tape: &mut Tape<'_>) -> Program {
        let mut text = String::new();
        for (number, turns) in TURNS.into_iter().enumerate() {
            function(tape, &mut text, number, turns);
        }
        Program {
            text,
            args: vec![i64::from(TURNS[0])],
        }
    }

    fn run(&self, program: &Program, _: &str, options: Options) -> Result<Run, String> {
        let turns = program.args.first().copied().unwrap_or(0);
        let functions = assemble(
            &program.text,
            u8::try_from(turns).map_err(|e| e.to_string())?,
        )?;
        let vm = Vm::new(frames::program(), options).map_err(|error| error.to_string())?;
        let entered = vm.try_enter(|| {
            let machine = frames::machine(&functions);
            let main = machine.functions[0];
            let call = || frames::call(machine, main, 7);
            let run = || frames::with_observer(Box::new(observer), call);
            let (result, error) = match panics::guest(run) {
                Ok(result) => (result.to_string(), None),
                Err(message) => (String::new(), Some(message)),
            };
            let looks = machine.looks.get();
            let left = heap::describe(&[Place::Frame(machine.top.get())], look);
            (format!("{result} {looks}\n{left}"), error)
        });
        Ok(run_of(&vm, entered))
    }

    fn command(&self, file: &str, _: &Program, _: &str, _: &str) -> String {
        format!("fuzz replay {file}")
    }
}

/// A function that sets its locals, and goes around a loop.
fn function(tape: &mut Tape<'_>, text: &mut String, number: usize, turns: u8) {
    let mut line = |name: &str, operand: usize| *text += &format!("{name} {operand}\n");
    line("function", number);
    for local in 1..COUNT {
        // A local without a value is an error where it is read.
        if !tape.chance(1, 24) {
            line("CONST", tape.below(9));
            line("STORE", usize::from(local));
        }
    }
    let count = usize::from(COUNT);
    // The first function goes around as often as the argument says.
    line("CONST", if number == 0 { 0 } else { usize::from(turns) });
    line("STORE", count);
    line("start", 0);
    let behind = TURNS.len() - number - 1;
    for _ in 0..2 + tape.below(9) {
        match tape.weighted(&[2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]) {
            0 => line("LOAD", tape.below(count)),
            1 => line("STORE", tape.below(count)),
            2 => line("ADD", tape.below(count)),
            3 => line("SUB", tape.below(5)),
            4 => line("PEEK", tape.below(count)),
            5 => line("POKE", tape.below(count)),
            6 => line("FIND", tape.below(count)),
            7 => line("OUTER", tape.below(count)),
            8 if behind > 0 => line("CALL", number + 1 + tape.below(behind)),
            9 if behind > 0 => line("NEST", TURNS.len() - 1),
            _ => line("LOOK", tape.below(200)),
        }
    }
    line("LOAD", count);
    line("SUB", 1);
    line("STORE", count);
    line("LOOP", 0);
    line("LOAD", tape.below(count));
    line("RETURN", 0);
}

/// The functions of a text; the loop of the first one goes around this many times.
fn assemble(text: &str, turns: u8) -> Result<Vec<(Vec<u8>, usize)>, String> {
    let mut functions: Vec<(Vec<u8>, usize)> = Vec::new();
    let mut start = 0;
    for line in text.lines() {
        let (name, operand) = line.split_once(' ').ok_or_else(|| format!("`{line}`?"))?;
        let operand: u8 = operand.parse().map_err(|_| format!("`{line}`?"))?;
        if name == "function" {
            functions.push((Vec::new(), usize::from(LOCALS)));
            continue;
        }
        let first = functions.len() == 1;
        let (ops, _) = functions
            .last_mut()
            .ok_or("the text begins with `function`")?;
        let here = u8::try_from(ops.len()).map_err(|_| "a function is too long")?;
        match NAMES.iter().position(|known| *known == name) {
            _ if name == "start" => {
                start = here;
                if let (true, [.., frames::CONST, count, frames::STORE, COUNT]) =
                    (first, &mut ops[..])
                {
                    *count = turns.max(1);
                }
            }
            Some(op) if op as u8 == frames::LOOP => ops.extend([frames::LOOP, start]),
            Some(op) => ops.extend([op as u8, operand]),
            None => return Err(format!("`{name}` is no instruction")),
        }
    }
    Ok(functions)
}

/// The outside code acts on its argument and on what it sees.
fn observer(machine: Gc<Machine>, n: u8) -> i64 {
    let looks = machine.looks.get();
    let turn = (looks as u64).wrapping_mul(u64::from(n) + 1) >> 1;
    let top = machine.top.get();
    match (n % 8, top) {
        (0, _) => frames::instructions(machine)
            .iter()
            .fold(0, |all: i64, &at| {
                all.wrapping_mul(31).wrapping_add(at as i64)
            }),
        (1, _) => {
            let (steps, place) = (turn % 3, turn % u64::from(LOCALS));
            frames::local(machine, steps as usize, place as usize)
        }
        (2, Some(top)) if turn.is_multiple_of(5) => {
            let old = frames::local(machine, 0, 1);
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
            i64::from(same(top.locals[2].get(), num))
        }
        (5, Some(top)) => i64::from(same(top.locals[0].get(), top.locals[1].get())),
        // In the middle of a loop there is no value any more.
        (6, Some(top)) if looks == 40 => {
            top.locals[2].set(None);
            2
        }
        _ => 3,
    }
}

fn same(a: Option<Gc<Num>>, b: Option<Gc<Num>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Gc::ptr_eq(a, b),
        _ => false,
    }
}

/// A value or object that can be looked at.
#[derive(Clone, Copy)]
enum Place {
    Frame(Option<Gc<Frame>>),
    Num(Option<Gc<Num>>),
}

fn look(place: Place) -> Look<Place> {
    match place {
        Place::Frame(None) | Place::Num(None) => Look::Plain("none".to_string()),
        Place::Num(Some(num)) => Look::Object {
            identity: format!("{num:?}"),
            label: num.value.to_string(),
            parts: Vec::new(),
        },
        Place::Frame(Some(frame)) => {
            let locals = (0..frame.locals.len()).map(|n| Place::Num(frame.locals[n].get()));
            Look::Object {
                identity: format!("{frame:?}"),
                label: format!("frame of {} at {}", frame.code.ops.len(), frame.at.get()),
                parts: locals.chain([Place::Frame(frame.back)]).collect(),
            }
        }
    }
}
