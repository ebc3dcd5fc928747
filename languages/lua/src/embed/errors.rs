//! Errors of the embedder's side. In: what went wrong, in Lua or in Rust. Out: one type for both.
//! Invariant: an error of a Rust function that goes through Lua code comes out as the same error,
//! with a traceback; an error value of Lua that goes through Rust code comes back as the same
//! value.

use super::thrown::Thrown;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

/// The result of what can fail in a machine.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong. Errors are cheap to clone, and may go to other threads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The text of a chunk is no Lua.
    Syntax {
        /// What is wrong, and where.
        message: String,
        /// Whether more text could make it right: a dialogue reads on then.
        incomplete: bool,
    },
    /// A program has failed. [`Error::runtime`] makes one for a Rust function to return.
    Runtime(RuntimeError),
    /// The memory limit is reached.
    Memory,
    /// The program was interrupted from outside. No `pcall` catches that.
    Interrupted,
    /// The program has executed as many instructions as it may. No `pcall` catches that.
    OutOfInstructions,
    /// An error of a Rust function, as [`Error::external`] has made it.
    External(Arc<dyn StdError + Send + Sync>),
    /// An error that a Rust function has returned to Lua code, which did not catch it.
    Callback {
        /// The error.
        cause: Arc<Error>,
        /// Where the function was called.
        traceback: String,
    },
    /// A value of Lua is not what Rust asks for.
    FromLua {
        /// The type of the value.
        from: &'static str,
        /// What is wanted.
        to: String,
        /// What is wrong, if it is not the type.
        message: Option<String>,
    },
    /// A value of Rust cannot be one of Lua.
    ToLua {
        /// The type of the value.
        from: &'static str,
        /// What is wrong.
        message: String,
    },
    /// An argument of a Rust function is wrong.
    BadArgument {
        /// Which, from 1 on.
        position: usize,
        /// What is wrong with it.
        cause: Arc<Error>,
    },
    /// A function made by [`Lua::create_function_mut`](super::Lua::create_function_mut) has been
    /// called while it runs.
    RecursiveCallback,
    /// Userdata is used while it is borrowed as mutable.
    UserDataBorrow,
    /// Userdata is to be changed while it is borrowed.
    UserDataBorrowMut,
    /// The Rust value of userdata was taken out of it.
    UserDataTaken,
    /// A thread cannot be resumed.
    ThreadNotResumable,
    /// A coroutine was closed while it waited in a Rust function. That function should return the
    /// error.
    ThreadClosed,
    /// A handle was given to another machine than its own.
    WrongLua,
    /// The machine of a handle is gone.
    LuaDropped,
    /// The machine cannot be made with these options.
    Options(String),
    /// A value could not be serialised or deserialised.
    #[cfg(feature = "serde")]
    Serde(String),
    /// An error with a text in front.
    WithContext {
        /// The text.
        context: String,
        /// The error.
        cause: Arc<Error>,
    },
}

/// An error of a program: what `error` was called with, or what the language says.
#[derive(Clone, Debug)]
pub struct RuntimeError {
    pub(crate) message: String,
    pub(crate) traceback: Option<String>,
    pub(crate) thrown: Thrown,
}

impl RuntimeError {
    /// The message, with the place where Lua adds one. An error value that is no string has its
    /// `__tostring`, or its type.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The functions that were active, one on each line, as `debug.traceback` has them.
    pub fn traceback(&self) -> Option<&str> {
        self.traceback.as_deref()
    }
}

impl fmt::Display for RuntimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        shown(f, self.traceback())
    }
}

impl Error {
    /// An error for a Rust function to return. Lua code sees a string, with the place of the call
    /// in front, as it does when a function of the library fails.
    pub fn runtime(message: impl fmt::Display) -> Error {
        Error::Runtime(RuntimeError {
            message: message.to_string(),
            traceback: None,
            thrown: Thrown::InRust,
        })
    }

    /// Any error, for a Rust function to return. Lua code sees an object whose text is that of the
    /// error, and what calls Lua gets the error itself: as the source of an [`Error::Callback`],
    /// and by [`Error::downcast_ref`].
    pub fn external(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        let error = error.into();
        match error.downcast::<Error>() {
            Ok(error) => *error,
            Err(error) => Error::External(error.into()),
        }
    }

    /// The error of Rust with this type that the error comes from.
    pub fn downcast_ref<E: StdError + 'static>(&self) -> Option<&E> {
        match self {
            Error::External(error) => error.downcast_ref(),
            _ => self.cause()?.downcast_ref(),
        }
    }

    /// The error that this one comes from, or itself.
    pub fn root_cause(&self) -> &Error {
        self.cause().map_or(self, Error::root_cause)
    }

    /// The functions that were active, if that is known.
    pub fn traceback(&self) -> Option<&str> {
        match self {
            Error::Runtime(error) => error.traceback(),
            Error::Callback { traceback, .. } => Some(traceback),
            _ => self.cause()?.traceback(),
        }
    }

    fn cause(&self) -> Option<&Error> {
        match self {
            Error::Callback { cause, .. }
            | Error::BadArgument { cause, .. }
            | Error::WithContext { cause, .. } => Some(cause),
            _ => None,
        }
    }

    /// An error about a value of this type.
    pub(crate) fn from_lua(from: &'static str, to: &str) -> Error {
        Error::FromLua {
            from,
            to: to.to_string(),
            message: None,
        }
    }

    /// The same, with what is wrong.
    pub(crate) fn from_lua_because(
        from: &'static str,
        to: &str,
        message: impl fmt::Display,
    ) -> Error {
        Error::FromLua {
            from,
            to: to.to_string(),
            message: Some(message.to_string()),
        }
    }

    /// The error that a native stack is used up.
    pub(crate) fn stack_overflow() -> Error {
        Error::Runtime(RuntimeError {
            message: "stack overflow".to_string(),
            traceback: None,
            thrown: Thrown::Text,
        })
    }
}

/// A traceback below a message, if the format asks for it by `{:#}`.
fn shown(f: &mut fmt::Formatter<'_>, traceback: Option<&str>) -> fmt::Result {
    match traceback {
        Some(traceback) if f.alternate() => write!(f, "\n{traceback}"),
        _ => Ok(()),
    }
}

/// The text of an error is its message; `{:#}` shows the traceback below.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax { message, .. } => f.write_str(message),
            Error::Runtime(error) => error.fmt(f),
            Error::Memory => f.write_str("not enough memory"),
            Error::Interrupted => f.write_str("interrupted"),
            Error::OutOfInstructions => f.write_str("too many instructions"),
            Error::External(error) => error.fmt(f),
            Error::Callback { cause, traceback } => {
                write!(f, "{cause}")?;
                shown(f, Some(traceback))
            }
            Error::FromLua {
                message: Some(message),
                ..
            } => f.write_str(message),
            Error::FromLua { from, to, .. } => write!(f, "{to} expected, got {from}"),
            Error::ToLua { from, message } => write!(f, "no value of Lua for {from}: {message}"),
            Error::BadArgument { position, cause } => {
                write!(f, "bad argument #{position} to '?' ({cause})")
            }
            Error::RecursiveCallback => f.write_str("a mutable function is called while it runs"),
            Error::UserDataBorrow => f.write_str("userdata is used while it is being changed"),
            Error::UserDataBorrowMut => f.write_str("userdata is changed while it is being used"),
            Error::UserDataTaken => f.write_str("the value of the userdata was taken out"),
            Error::ThreadNotResumable => f.write_str("the thread cannot be resumed"),
            Error::ThreadClosed => f.write_str("the coroutine was closed"),
            Error::WrongLua => f.write_str("a value of one machine is used in another"),
            Error::LuaDropped => f.write_str("the machine has been dropped"),
            Error::Options(message) => f.write_str(message),
            #[cfg(feature = "serde")]
            Error::Serde(message) => f.write_str(message),
            Error::WithContext { context, cause } => write!(f, "{context}: {cause}"),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Error::External(error) => error.source(),
            Error::Callback { cause, .. } => match &**cause {
                Error::External(error) => Some(&**error),
                cause => Some(cause),
            },
            _ => self.cause().map(|cause| cause as &(dyn StdError + 'static)),
        }
    }
}

/// Adds a text in front of errors.
pub trait ErrorContext<T> {
    /// The same with a text in front, if it is an error.
    ///
    /// # Errors
    /// The error.
    fn context(self, context: impl fmt::Display) -> Result<T>;
}

impl<T, E: Into<Box<dyn StdError + Send + Sync>>> ErrorContext<T> for std::result::Result<T, E> {
    fn context(self, context: impl fmt::Display) -> Result<T> {
        self.map_err(|error| Error::WithContext {
            context: context.to_string(),
            cause: Arc::new(Error::external(error)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_go_to_other_threads() {
        fn check<T: Send + Sync + 'static>() {}
        check::<Error>();
    }

    #[test]
    fn an_error_is_not_wrapped_twice() {
        let text = "x".parse::<i32>().unwrap_err();
        let error = Error::external(Error::external(text.clone()));
        assert_eq!(error.downcast_ref(), Some(&text));
        let error = Err::<(), _>(error).context("reading").unwrap_err();
        assert_eq!(error.to_string(), "reading: invalid digit found in string");
        assert_eq!(error.downcast_ref(), Some(&text));
        assert!(matches!(error.root_cause(), Error::External(_)));
    }
}
