//! Python: integers of any size, objects with maps, generators, exceptions. In: a tape. Out: a
//! program with a hot loop in `main`, which prints what it computes. Invariant: as in the
//! generator.

mod keep;
mod original;

use self::original::FILE;
use crate::language::{Keeper, Language, Program, run_both};
use fuzz_tape::Tape;
use verdigris::Options;
use verdigris_python::clock::Clock;
use verdigris_python::machine::{self, DEFAULT_DEPTH, Machine};
use verdigris_python::setup::Setup;
use verdigris_python::stdlib::StdlibChoice;
use verdigris_testing::{Outcome, Run};

/// The language.
pub struct Python;

/// What a program is started with.
fn setup(program: &Program) -> Setup {
    let args = program.args.iter().map(i64::to_string);
    Setup {
        arguments: [FILE.to_string()].into_iter().chain(args).collect(),
        folder: String::new(),
        stdlib: StdlibChoice::Off,
        limit: DEFAULT_DEPTH,
        clock: Clock::Virtual,
    }
}

/// The outcome of a program on a machine.
fn outcome(machine: &Machine, program: &Program, file: &str) -> Result<Outcome, String> {
    let loaded = machine::compile(program.text.as_bytes(), file)?;
    let done = machine.run(&loaded, &setup(program), true);
    Ok(Outcome {
        output: done.output,
        error: done.error,
    })
}

impl Language for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn comment(&self) -> &'static str {
        "#"
    }

    fn program(&self, tape: &mut Tape<'_>) -> Program {
        let turns = 16 + tape.within(0i64, 30);
        Program {
            text: generate_python::program(tape),
            args: vec![turns],
        }
    }

    fn run(&self, program: &Program, _: &str, options: Options) -> Result<Run, String> {
        let machine = Machine::new(options)?;
        let outcome = outcome(&machine, program, FILE)?;
        Ok(Run {
            outcome,
            stats: machine.vm().stats(),
            traces: machine.vm().traces(),
        })
    }

    fn command(&self, file: &str, program: &Program, _: &str, jit: &str) -> String {
        let turns = program.args.first().unwrap_or(&0);
        format!("verdigris-python --jit {jit} {file} {turns}")
    }

    fn original(&self, program: &Program) -> Option<Outcome> {
        original::run(program)
    }

    fn keeper(&self) -> Option<Keeper> {
        Some(Keeper {
            write: keep::program,
            next: ("print(sum([i for i in range(100)]))", &[]),
            run: |programs, options| {
                let machine = Machine::new(options)?;
                run_both(programs, |program| {
                    outcome(&machine, program, "limits").map(|done| (done.output, done.error))
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

    fn numbered(campaign: &str, number: u64) -> Program {
        let bytes = tape::bytes(campaign, 3, number);
        Python.program(&mut Tape::new(&bytes))
    }

    #[test]
    fn programs_are_programs() {
        for number in 0..150 {
            let text = numbered("python", number).text;
            let compiled = machine::compile(text.as_bytes(), FILE);
            assert!(compiled.is_ok(), "{:?}\n{text}", compiled.err());
        }
    }

    #[test]
    fn the_same_tape_gives_the_same_program() {
        for number in 0..20 {
            assert_eq!(numbered("python", number), numbered("python", number));
        }
    }

    #[test]
    fn programs_do_what_the_original_does() {
        for number in 0..60 {
            let program = numbered("original", number);
            let Some(original) = Python.original(&program) else {
                return;
            };
            let off = Options::parse("off").expect("it is an option");
            let run = on_stack(|| Python.run(&program, "", off).expect("it is a program"));
            assert_eq!(run.outcome, original, "{}", program.text);
        }
    }

    #[test]
    fn the_smallest_is_short() {
        let text = Python.program(&mut Tape::new(&[])).text;
        assert!(text.lines().count() < 30, "{text}");
    }
}
