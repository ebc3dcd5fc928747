//! Threads of Lua, which are coroutines, as Rust sees them.

use super::raw::RawArgs;
use super::state::Inner;
use super::{Error, FromLuaMulti, Function, IntoLuaMulti, Lua, Result};
use crate::native::coroutine;
use crate::native::names::COROUTINE_CREATE;
use crate::value::{Thread as Guest, Value, arguments};
use std::fmt;
use std::rc::Rc;
use verdigris::prelude::*;

/// A coroutine. The handle keeps it alive.
#[derive(Clone)]
pub struct Thread {
    pub(super) inner: Rc<Inner>,
    pub(super) root: Root<Gc<Guest>>,
}

/// What a thread is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadStatus {
    /// It waits to be resumed.
    Resumable,
    /// It runs.
    Running,
    /// It waits for one that it has resumed.
    Normal,
    /// It has ended.
    Finished,
}

impl Thread {
    pub(crate) fn new(inner: &Rc<Inner>, thread: Gc<Guest>) -> Thread {
        Thread {
            inner: inner.clone(),
            root: Root::new(thread),
        }
    }

    /// Runs it until it yields or ends, and gives the values that it yields or returns. The first
    /// time it is given the arguments of its function, then what its `coroutine.yield` returns.
    ///
    /// # Errors
    /// The error that it ends with, without a traceback; [`Error::ThreadNotResumable`] if it does
    /// not wait for that.
    pub fn resume<R: FromLuaMulti>(&self, args: impl IntoLuaMulti) -> Result<R> {
        let inner = &self.inner;
        inner.enter(|world| {
            let lua = inner.lua();
            let args = args.into_returned(&lua)?.0.list();
            if self.status()? != ThreadStatus::Resumable {
                return Err(Error::ThreadNotResumable);
            }
            match coroutine::resume(world, self.root.get(), arguments(args)) {
                Ok(results) => R::from_args(RawArgs::results(results), &lua),
                Err(fault) => Err(inner.error_of(world, fault.value.get(), None)),
            }
        })?
    }

    /// What it is doing.
    ///
    /// # Errors
    /// If the machine is gone.
    pub fn status(&self) -> Result<ThreadStatus> {
        self.inner.enter(|world| {
            let Value::Str(name) = coroutine::shown_status(world, self.root.get()) else {
                return ThreadStatus::Finished;
            };
            match name.as_bytes() {
                b"suspended" => ThreadStatus::Resumable,
                b"running" => ThreadStatus::Running,
                b"normal" => ThreadStatus::Normal,
                _ => ThreadStatus::Finished,
            }
        })
    }
}

/// Whether they are the same thread.
impl PartialEq for Thread {
    fn eq(&self, other: &Thread) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner) && Gc::ptr_eq(self.root.get(), other.root.get())
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::value::shown(f, "thread", &self.root)
    }
}

impl Lua {
    /// A thread that runs a function.
    ///
    /// # Errors
    /// If there is too little memory, or if the function is another machine's.
    pub fn create_thread(&self, function: Function) -> Result<Thread> {
        let inner = self.inner();
        inner.enter(|world| {
            let function = super::Value::Function(function).into_guest(inner)?;
            match coroutine::create(world, COROUTINE_CREATE, function) {
                Ok(thread) => Ok(Thread::new(inner, thread)),
                Err(fault) => Err(inner.error_of(world, fault.value.get(), None)),
            }
        })?
    }
}
