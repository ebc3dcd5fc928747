//! Values as they are handed over between the interpreter and Rust, without roots. Invariant: they
//! are on the stack alone, where the collector sees them, and only while the machine is entered.

use super::{Error, Lua, Result, Value};
use crate::native::check;
use crate::value::{Args, Returned, Value as Guest, Values, arguments, one, several};

/// A value.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Slot(pub(crate) Guest);

impl Slot {
    /// The same for people who keep it.
    pub(crate) fn value(self, lua: &Lua) -> Result<Value> {
        Value::from_guest(self.0, lua.inner())
    }

    /// The name of its type.
    pub(crate) fn type_name(self) -> &'static str {
        check::type_of(self.0)
    }
}

/// Arguments or results.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct RawArgs {
    args: Args,
    /// How many arguments are in front of them; `None` for results.
    base: Option<usize>,
}

impl RawArgs {
    /// The arguments of a function.
    pub(crate) fn arguments(args: Args) -> RawArgs {
        RawArgs {
            args,
            base: Some(0),
        }
    }

    /// What a function has returned.
    pub(crate) fn results(results: Returned) -> RawArgs {
        RawArgs {
            args: arguments(results.list()),
            base: None,
        }
    }

    pub(crate) fn len(self) -> usize {
        self.args.count
    }

    /// One of them; nil if it is not there.
    pub(crate) fn at(self, index: usize) -> Slot {
        Slot(self.args.at(index))
    }

    /// Those from one on.
    pub(crate) fn rest(self, from: usize) -> RawArgs {
        RawArgs {
            args: crate::native::rest(self.args, from),
            base: self.base.map(|base| base + from),
        }
    }

    /// What an error about one of them says.
    pub(crate) fn blame(self, index: usize, error: Error) -> Error {
        let error = match error {
            Error::FromLua {
                to, message: None, ..
            } if index >= self.args.count && self.base.is_some() => {
                Error::from_lua("no value", &to)
            }
            error => error,
        };
        match self.base {
            Some(base) => Error::BadArgument {
                position: base + index + 1,
                cause: error.into(),
            },
            None => error,
        }
    }
}

/// What a function gives: results for the program, or arguments that Rust calls one with.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct RawReturned(pub(crate) Returned);

impl RawReturned {
    /// One value.
    pub(crate) fn one(slot: Slot) -> RawReturned {
        RawReturned(one(slot.0))
    }

    /// A list.
    pub(crate) fn several(values: Values) -> RawReturned {
        RawReturned(several(values))
    }
}
