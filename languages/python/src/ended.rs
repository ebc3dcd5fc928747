//! How programs end. In: the exception that nothing has caught. Out: what is to be said of it, and
//! the exit status. Invariant: statuses are CPython's: that of `SystemExit`, 130 for an interrupt,
//! 1 for any other exception.

use crate::heap::class;
use crate::heap::exception::{Thrown, part};
use crate::heap::instance;
use crate::heap::value::Value;
use crate::heap::world::{World, classes, intern};
use crate::output;
use crate::run::objects::special;
use crate::run::text::{show, traceback};
use verdigris::prelude::*;

/// The status of what was interrupted, as shells show it: 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

/// How a program has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// What is to be said.
    pub error: Option<String>,
    /// The exit status.
    pub status: u8,
    /// Whether it has asked for the end of the process.
    leaves: bool,
}

impl Ended {
    /// It has come to its end.
    pub fn well() -> Ended {
        Ended {
            error: None,
            status: 0,
            leaves: false,
        }
    }

    /// It has failed, and that has been said.
    pub fn failed() -> Ended {
        Ended {
            error: None,
            status: 1,
            leaves: false,
        }
    }

    /// It has failed, and this is to be said.
    pub fn said(error: String) -> Ended {
        Ended {
            error: Some(error),
            status: 1,
            leaves: false,
        }
    }

    /// Whether it has asked for the end of the process.
    pub fn leaves(&self) -> bool {
        self.leaves
    }

    /// Says what is to be said, behind what the program has printed.
    pub fn show(&self) {
        if let Some(error) = &self.error {
            output::flush().ok();
            eprint!("{error}");
        }
    }
}

/// The end by an exception.
pub fn of(world: Gc<World>, thrown: Thrown) -> Ended {
    let is = |number: usize| class::derives(thrown.map.get().class, world.classes[number]);
    if !is(classes::SYSTEM_EXIT) {
        let status = match is(classes::KEYBOARD_INTERRUPT) {
            true => INTERRUPTED,
            false => 1,
        };
        let mut said = traceback::text(world, thrown);
        if is(classes::MODULE_NOT_FOUND_ERROR) {
            said += &about_module(world, thrown);
        }
        return Ended {
            error: Some(said),
            status,
            leaves: false,
        };
    }
    let (error, status) = match special::exit_code(part(thrown).args.get()) {
        Value::None => (None, 0),
        Value::Bool(code) => (None, u8::from(code)),
        Value::Int(code) => (None, code as u8),
        other => {
            let said = show::text(world, other, 0).unwrap_or_default();
            (Some(format!("{said}\n")), 1)
        }
    };
    Ended {
        error,
        status,
        leaves: true,
    }
}

/// What can be done about a module that was not found, or why nothing can be.
fn about_module(world: Gc<World>, thrown: Thrown) -> String {
    let name = match instance::get(thrown, intern(world, "name")) {
        Value::Str(name) => name.as_str().to_string(),
        _ => String::new(),
    };
    let note = match world.fallback.get() {
        _ if world.lacks_fallback.get() => {
            "the modules of Python's library that are not in this one are taken from the folder of \
             a CPython 3.11, and none was found: --stdlib DIR names one"
                .to_string()
        }
        Value::Str(_) if name.starts_with('_') => {
            format!("CPython has '{name}' in C, and it is not in this library")
        }
        _ => return String::new(),
    };
    format!("note: {note}\n")
}
