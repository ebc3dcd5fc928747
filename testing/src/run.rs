//! What a guest program did. In: a VM and something to run on it. Out: its output and error, and
//! what the VM did. Invariant: a panic of the guest is an error as any other; what it says of a
//! place in the source is left out, for compiled code has none.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris::{KeptTrace, Stats, Vm};

/// A run as a user of the language sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The program's output or result.
    pub output: String,
    /// Why it did not go on.
    pub error: Option<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.output)?;
        match &self.error {
            None => Ok(()),
            Some(error) => write!(f, "error: {error}"),
        }
    }
}

impl<T: fmt::Display, E: fmt::Display> From<Result<T, E>> for Outcome {
    fn from(result: Result<T, E>) -> Outcome {
        match result {
            Ok(output) => Outcome {
                output: output.to_string(),
                error: None,
            },
            Err(error) => Outcome {
                output: String::new(),
                error: Some(error.to_string()),
            },
        }
    }
}

/// A run of a guest program.
#[derive(Clone, Debug)]
pub struct Run {
    /// The outcome for the user.
    pub outcome: Outcome,
    /// The VM's statistics.
    pub stats: Stats,
    /// The traces compiled, in the order of compilation, if the options asked to keep them.
    pub traces: Vec<KeptTrace>,
}

impl Run {
    /// Runs `program`, which uses this VM. A panic is an error.
    pub fn on<O: Into<Outcome>>(vm: &Vm, program: impl FnOnce() -> O) -> Run {
        let result = catch_unwind(AssertUnwindSafe(program));
        let outcome = match result {
            Ok(outcome) => outcome.into(),
            Err(payload) => Outcome {
                output: String::new(),
                error: Some(format!("panicked: {}", message(payload.as_ref()))),
            },
        };
        Run {
            outcome,
            stats: vm.stats(),
            traces: vm.traces(),
        }
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    let string = payload.downcast_ref::<String>().map(String::as_str);
    text.or(string).unwrap_or("with no text")
}
