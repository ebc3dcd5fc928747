//! Calls from Rust into Lua. In: what is called. Out: results, or an [`Error`] with a traceback.
//! Invariant: what Rust calls counts for the depth of calls as what the library calls does, and a
//! fault, used up memory or stack ends here, not in the caller.

use super::state::Inner;
use super::thrown::Thrown;
use super::userdata::Stored;
use super::{Error, Result, RuntimeError};
use crate::call;
use crate::fault::{self, Fault};
use crate::native::{coroutine, outside, traceback};
use crate::value::{Host, Returned, Thread, Value, Values, World, arguments};
use std::any::Any;
use std::rc::Rc;
use std::sync::Arc;
use verdigris::{ExhaustedError, prelude::*, protect};

/// While it exists, errors keep their tracebacks.
struct Handler {
    world: Gc<World>,
    outer: Value,
    thread: Option<Gc<Thread>>,
}

impl Handler {
    fn begin(world: Gc<World>, handler: Value) -> Handler {
        Handler {
            world,
            outer: world.handler.replace(handler),
            thread: world.running.get(),
        }
    }
}

impl Drop for Handler {
    fn drop(&mut self) {
        if coroutine::is_running(self.world, self.thread) {
            self.world.handler.set(self.outer);
        }
    }
}

impl Inner {
    /// Runs what may fail in Lua, given the depth of calls for it.
    ///
    /// # Errors
    /// The error that it ends with.
    pub(crate) fn protected<R>(
        &self,
        world: Gc<World>,
        f: impl FnOnce(i64) -> std::result::Result<R, Gc<Fault>>,
    ) -> Result<R> {
        let depth = call::depth_in_library(world, world.host_depth.get());
        let _handler = Handler::begin(world, self.tracer());
        let was_closing = coroutine::is_closing(world);
        let result = match protect(|| f(depth)) {
            Ok(result) => result,
            Err(ExhaustedError::Heap) => Err(world.no_memory),
            Err(ExhaustedError::Stack) => Err(fault::overflow()),
        };
        let fault = match result {
            Ok(result) => return Ok(result),
            Err(fault) => fault,
        };
        if was_closing != coroutine::is_closing(world) {
            return Err(Error::ThreadClosed);
        }
        if Gc::ptr_eq(fault, world.no_memory) {
            return Err(Error::Memory);
        }
        let traceback = self.traceback_of(world, fault);
        Err(self.error_of(world, fault.value.get(), traceback))
    }

    /// The functions that a fault has left. It is not asked for by a call of the handler, which
    /// might have no room: one that was called, for a variable that was closed, has kept it.
    fn traceback_of(&self, world: Gc<World>, fault: Gc<Fault>) -> Option<String> {
        let kept = self.traceback.take();
        if fault.handled.get() {
            return kept;
        }
        let outer = world.left.replace(fault.left.get());
        world.here.set(Value::Nil);
        let text = traceback::of_error(world, None);
        world.left.set(outer);
        Some(text)
    }

    /// Calls a value of the program.
    ///
    /// # Errors
    /// The error that the call ends with.
    pub(crate) fn call(&self, world: Gc<World>, callee: Value, args: Values) -> Result<Returned> {
        self.protected(world, |depth| {
            call::value(world, callee, arguments(args), depth)
        })
    }

    /// The error that an error value stands for.
    pub(crate) fn error_of(
        &self,
        world: Gc<World>,
        value: Value,
        traceback: Option<String>,
    ) -> Error {
        if let Value::Host(host) = value
            && let Some(error) = self.rust_error(host)
        {
            return match error {
                // It has come through Lua before; the innermost traceback says most.
                Error::Callback { .. } => error,
                error => Error::Callback {
                    cause: Arc::new(error),
                    traceback: traceback.unwrap_or_default(),
                },
            };
        }
        if let (Value::Str(said), Value::Str(text)) = (value, world.no_memory.value.get())
            && Gc::ptr_eq(said, text)
        {
            return Error::Memory;
        }
        let thrown = match value {
            Value::Str(text) if std::str::from_utf8(text.as_bytes()).is_ok() => Thrown::Text,
            _ => self.thrown.keep(self.number, value),
        };
        Error::Runtime(RuntimeError {
            message: outside::message_text(world, value),
            traceback,
            thrown,
        })
    }

    /// The error of Rust that userdata is.
    pub(crate) fn rust_error(&self, host: Gc<Host>) -> Option<Error> {
        let value: Rc<dyn Any> = self.hosts.borrow().get(host.key)?.clone();
        let stored = value.downcast_ref::<Stored<Error>>()?;
        stored.read().ok().map(|error| error.clone())
    }
}
