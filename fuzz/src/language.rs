//! What a language is to the fuzzer. In: a tape, or a program. Out: a program, or what it did.
//! Invariant: every program that a language makes ends, whatever it does.

use crate::tape::Tape;
use verdigris::Options;
use verdigris_testing::{Outcome, Run};

/// A program with what it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its text in the syntax of its language.
    pub text: String,
    /// Its arguments.
    pub args: Vec<i64>,
}

/// A language with a JIT. Implement this, and name it in [`crate::languages::ALL`]: that is all.
pub trait Language: Sync {
    /// Its name, on the command line and in files.
    fn name(&self) -> &'static str;

    /// What a comment up to the end of a line begins with.
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
    /// at, also after an error. Whoever calls this has a machine stack of [`STACK`] bytes.
    ///
    /// # Errors
    /// If the text is no program. (A generator may make programs that are too large for their
    /// language, as long as they are few.)
    fn run(&self, program: &Program, variant: &str, options: Options) -> Result<Run, String>;

    /// The command by which a person runs a program in a file, for messages.
    fn command(&self, file: &str, program: &Program, variant: &str, jit: &str) -> String;

    /// What another implementation of the language does with a program, where there is one and it
    /// is installed.
    fn original(&self, _: &Program) -> Option<Outcome> {
        None
    }

    /// What a program did, without what is known to be wrong in the original.
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

    /// Whether a run that used up its heap had printed until then what the other one printed.
    fn began(&self, stopped: &Outcome, whole: &Outcome) -> bool {
        whole.output.starts_with(&stopped.output)
    }
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
