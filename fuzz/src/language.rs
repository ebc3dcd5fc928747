//! A language as the fuzzer sees it. In: a tape, or a program. Out: a program, or what it did.
//! Invariant: every program that a language makes ends, whatever it does.

use fuzz_tape::Tape;
use std::fmt::Display;
use verdigris::{Options, Vm};
use verdigris_testing::{Outcome, Run, next};

/// A program with what it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its text in the syntax of its language.
    pub text: String,
    /// Its arguments.
    pub args: Vec<i64>,
}

/// A language with a JIT. Implement this, and name it in
/// [`crate::registry::LANGUAGES`].
pub trait Language: Sync {
    /// Its name, on the command line and in files.
    fn name(&self) -> &'static str;

    /// The start of a comment up to the end of the line.
    fn comment(&self) -> &'static str;

    /// The ways to run a program that are not the JIT's, by name. Under the first, without the JIT,
    /// it does what is right.
    fn variants(&self) -> &'static [&'static str] {
        &[""]
    }

    /// A program that ends. Its first argument, if it has one, says how often its main loop goes
    /// around.
    fn program(&self, tape: &mut Tape<'_>) -> Program;

    /// Runs a program. The output is followed by the heap: what outlives the run and can be looked
    /// at, also after an error. The caller's machine stack has [`STACK`] bytes.
    ///
    /// # Errors
    /// If the text is no program. (A generator may make programs that are too large for their
    /// language, as long as they are few.)
    fn run(&self, program: &Program, variant: &str, options: Options) -> Result<Run, String>;

    /// The command by which a person runs a program in a file, for messages.
    fn command(&self, file: &str, program: &Program, variant: &str, jit: &str) -> String;

    /// The outcome of a program in another implementation of the language, where there is one and
    /// it is installed.
    fn original(&self, _: &Program) -> Option<Outcome> {
        None
    }

    /// The outcome of a program, without what is known to be wrong in the original.
    fn comparable(&self, outcome: &Outcome) -> Outcome {
        outcome.clone()
    }

    /// Whether a program stopped because its heap or its stack was used up. When that happens
    /// depends on the JIT.
    fn used_up(&self, outcome: &Outcome) -> bool {
        let error = outcome.error.as_ref();
        error.is_some_and(|error| error.contains("used up"))
    }

    /// Whether a program may catch that its memory is used up, and do something else then.
    fn catches(&self, _: &Program) -> bool {
        false
    }

    /// The same program running for longer, if the amount of code for it is bounded, see
    /// [`crate::growth`].
    fn lengthened(&self, _: &Program) -> Option<Program> {
        None
    }

    /// Programs that keep objects, for the campaign `limits`.
    fn keeper(&self) -> Option<Keeper> {
        None
    }

    /// Whether a run that used up its heap had printed until then what the other one printed.
    fn began(&self, stopped: &Outcome, whole: &Outcome) -> bool {
        whole.output.starts_with(&stopped.output)
    }
}

/// How a language writes and runs programs that keep objects.
pub struct Keeper {
    /// Writes a program that keeps something this many times.
    pub write: fn(&mut Tape<'_>, i64) -> Program,
    /// The program that runs next on the same machine, which needs little memory, and its
    /// arguments.
    pub next: (&'static str, &'static [i64]),
    /// Runs both on one machine.
    pub run: fn([&Program; 2], Options) -> Result<[Outcome; 2], String>,
}

/// How deep the calls of a [`Keeper`]'s programs may be.
pub const KEEPER_DEPTH: i64 = 10_000;

/// Runs the programs of a [`Keeper`] one after the other.
///
/// # Errors
/// If the first one cannot be loaded.
///
/// # Panics
/// If the second one cannot be loaded.
pub fn run_both(
    programs: [&Program; 2],
    run: impl Fn(&Program) -> Result<(String, Option<String>), String>,
) -> Result<[Outcome; 2], String> {
    let run = |program| run(program).map(|(output, error)| Outcome { output, error });
    let first = run(programs[0])?;
    let again = || run(programs[1]).unwrap_or_else(|error| panic!("{error}"));
    Ok([first, next(again)])
}

/// How many calls a program may have within each other, in languages that count them.
pub const DEPTH: i64 = 200;

/// Bytes of machine stack that programs run on: enough for [`DEPTH`] calls of an interpreter in
/// each other.
pub const STACK: usize = 256 << 20;

/// Runs `f` on a thread with a machine stack of [`STACK`] bytes.
///
/// # Panics
/// If `f` does, or there is no such thread.
pub fn on_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        let thread = builder.spawn_scoped(scope, f).expect("a thread");
        match thread.join() {
            Ok(result) => result,
            Err(payload) => std::panic::resume_unwind(payload),
        }
    })
}

/// The outcome of a VM that was entered with the result `entered`: output and error, or why it was
/// left.
pub fn run_of(vm: &Vm, entered: Result<(String, Option<String>), impl Display>) -> Run {
    let (output, error) = match entered {
        Ok(done) => done,
        Err(stopped) => (String::new(), Some(stopped.to_string())),
    };
    Run {
        outcome: Outcome { output, error },
        stats: vm.stats(),
        traces: vm.traces(),
    }
}
