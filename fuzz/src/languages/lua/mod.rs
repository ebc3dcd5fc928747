//! Lua: values that are held by value, tables, metatables, closures, multiple results. In: a tape.
//! Out: a program with a hot loop in `main`, which prints what it computes: of all constructs, or
//! with places that see many classes, shapes, functions and types. Invariant: as in the generator.

mod keep;
mod original;

use self::original::FILE;
use crate::language::{DEPTH, KEEPER_DEPTH, Keeper, Language, Program, run_both};
use fuzz_tape::Tape;
use generate_lua::polymorphic;
use verdigris::Options;
use verdigris_lua::machine::{Machine, load};
use verdigris_testing::{Outcome, Run};

/// The message of a program that catches that its heap is used up.
const NO_MEMORY: &str = "not enough memory";

/// How many times as long polymorphic programs run where the amount of code is bounded: code that
/// grows with the turns shows then.
const LONGER: i64 = 8;

/// The language.
pub struct Lua;

impl Language for Lua {
    fn name(&self) -> &'static str {
        "lua"
    }

    fn comment(&self) -> &'static str {
        "--"
    }

    fn program(&self, tape: &mut Tape<'_>) -> Program {
        let (text, turns) = match tape.chance(1, 4) {
            false => {
                let turns = 16 + tape.within(0i64, 30);
                (generate_lua::program(tape), turns)
            }
            true => {
                let turns = tape.pick(&[10, 20, 60, 150, 400]);
                (polymorphic::program(tape), turns)
            }
        };
        Program {
            text,
            args: vec![turns],
        }
    }

    fn run(&self, program: &Program, _: &str, options: Options) -> Result<Run, String> {
        let loaded = load(program.text.as_bytes(), FILE)?;
        let machine = Machine::new(options, DEPTH)?;
        let args: Vec<String> = program.args.iter().map(i64::to_string).collect();
        let done = machine.run(&loaded, &args, true);
        Ok(Run {
            outcome: Outcome {
                output: done.output,
                error: done.error,
            },
            stats: machine.vm().stats(),
            traces: machine.vm().traces(),
        })
    }

    fn command(&self, file: &str, program: &Program, _: &str, jit: &str) -> String {
        let turns = program.args.first().unwrap_or(&0);
        format!("verdigris-lua --max-depth {DEPTH} --jit {jit} {file} {turns}")
    }

    fn catches(&self, program: &Program) -> bool {
        // The call around everything prints what it catches.
        let catches = |line: &str| line.contains("pcall") && !line.contains("pcall(main,");
        program.text.lines().any(catches)
    }

    fn used_up(&self, outcome: &Outcome) -> bool {
        let error = outcome.error.as_ref();
        error.is_some_and(|error| error.contains("used up")) || outcome.output.contains(NO_MEMORY)
    }

    fn began(&self, stopped: &Outcome, whole: &Outcome) -> bool {
        let until = stopped
            .output
            .find(NO_MEMORY)
            .unwrap_or(stopped.output.len());
        let lines = stopped.output[..until].rfind('\n').map_or(0, |end| end + 1);
        whole.output.starts_with(&stopped.output[..lines])
    }

    fn original(&self, program: &Program) -> Option<Outcome> {
        original::run(program)
    }

    fn comparable(&self, outcome: &Outcome) -> Outcome {
        original::comparable(outcome)
    }

    fn lengthened(&self, program: &Program) -> Option<Program> {
        polymorphic::is_one(&program.text).then(|| Program {
            args: program.args.iter().map(|turns| turns * LONGER).collect(),
            ..program.clone()
        })
    }

    fn keeper(&self) -> Option<Keeper> {
        Some(Keeper {
            write: keep::program,
            next: ("local s = 0 for i = 1, 100 do s = s + i end print(s)", &[]),
            run: |programs, options| {
                let machine = Machine::new(options, KEEPER_DEPTH)?;
                run_both(programs, |program| {
                    let args: Vec<String> = program.args.iter().map(i64::to_string).collect();
                    let done = machine.run(&load(program.text.as_bytes(), "limits")?, &args, true);
                    Ok((done.output, done.error))
                })
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::on_stack;
    use fuzz_tape as tape;

    #[test]
    fn programs_are_programs() {
        for number in 0..150 {
            let bytes = tape::bytes("lua", 3, number);
            let text = Lua.program(&mut Tape::new(&bytes)).text;
            let loaded = load(text.as_bytes(), FILE);
            assert!(loaded.is_ok(), "{:?}\n{text}", loaded.err());
        }
    }

    #[test]
    fn programs_do_what_the_original_does() {
        for number in 0..60 {
            let bytes = tape::bytes("original", 1, number);
            let program = Lua.program(&mut Tape::new(&bytes));
            let Some(original) = Lua.original(&program) else {
                return;
            };
            let off = Options::parse("off").expect("it is an option");
            let run = on_stack(|| Lua.run(&program, "", off).expect("it is a program"));
            let (ours, theirs) = (Lua.comparable(&run.outcome), Lua.comparable(&original));
            assert_eq!(ours, theirs, "{}", program.text);
        }
    }

    #[test]
    fn polymorphic_programs_have_no_errors() {
        for number in 0..60 {
            let bytes = tape::bytes("polymorphic", 2, number);
            let program = Program {
                text: polymorphic::program(&mut Tape::new(&bytes)),
                args: vec![60],
            };
            let off = Options::parse("off").expect("it is an option");
            let run = on_stack(|| Lua.run(&program, "", off).expect("it is a program"));
            assert_eq!(run.outcome.error, None, "{}", program.text);
            assert!(Lua.lengthened(&program).is_some());
        }
    }

    #[test]
    fn the_smallest_is_short() {
        let text = Lua.program(&mut Tape::new(&[])).text;
        assert!(text.lines().count() < 30, "{text}");
    }
}
