//! Functions as Rust sees them, of Lua and of Rust.

use super::callback::{self, Callback};
use super::raw::RawArgs;
use super::state::Inner;
use super::{Error, FromLuaMulti, IntoLuaMulti, Lua, MultiValue, Result};
use crate::dump;
use crate::value::{Closure, Native, Value as Guest};
use std::fmt;
use std::rc::Rc;
use verdigris::prelude::*;

/// A function. The handle keeps it alive.
#[derive(Clone)]
pub struct Function {
    pub(super) inner: Rc<Inner>,
    held: Held,
}

#[derive(Clone)]
enum Held {
    OfLua(Root<Gc<Closure>>),
    Native(Root<Gc<Native>>),
}

impl Function {
    pub(crate) fn new(inner: &Rc<Inner>, function: Guest) -> Result<Function> {
        let held = match function {
            Guest::Function(closure) => Held::OfLua(Root::new(closure)),
            Guest::Native(native) => Held::Native(Root::new(native)),
            other => {
                return Err(Error::from_lua(
                    crate::native::check::type_of(other),
                    "function",
                ));
            }
        };
        Ok(Function {
            inner: inner.clone(),
            held,
        })
    }

    pub(crate) fn of_callback(inner: &Rc<Inner>, callback: Rc<Callback>) -> Result<Function> {
        inner.enter(|_| Function::new(inner, Guest::Native(inner.native(callback))))?
    }

    pub(crate) fn guest(&self) -> Guest {
        match &self.held {
            Held::OfLua(closure) => Guest::Function(closure.get()),
            Held::Native(native) => Guest::Native(native.get()),
        }
    }

    /// The bytes of `string.dump`, from which [`Lua::load`] makes it again; without lines and names
    /// if that is wanted. None if it is no function of a program.
    ///
    /// # Errors
    /// If the machine cannot be entered.
    pub fn dump(&self, strip: bool) -> Result<Option<Vec<u8>>> {
        self.inner.enter(|_| match self.guest() {
            Guest::Function(closure) => dump::dump(closure.proto, strip),
            _ => None,
        })
    }

    /// Calls it.
    ///
    /// # Errors
    /// The error that it ends with, with a traceback; and if an argument or a result does not fit.
    ///
    /// # Panics
    /// If a Rust function that it calls does: the panic goes on here.
    pub fn call<R: FromLuaMulti>(&self, args: impl IntoLuaMulti) -> Result<R> {
        let inner = &self.inner;
        inner.enter(|world| {
            let lua = inner.lua();
            let args = args.into_returned(&lua)?.0.list();
            let results = inner.call(world, self.guest(), args)?;
            R::from_args(RawArgs::results(results), &lua)
        })?
    }

    /// A function that calls this one with these arguments in front of its own.
    ///
    /// # Errors
    /// If an argument cannot be one of Lua.
    pub fn bind(&self, args: impl IntoLuaMulti) -> Result<Function> {
        let lua = self.inner.lua();
        let bound = args.into_lua_multi(&lua)?;
        let function = self.clone();
        lua.create_function(move |_, args: MultiValue| {
            let all: MultiValue = bound.iter().cloned().chain(args).collect();
            function.call::<MultiValue>(all)
        })
    }
}

/// Whether they are the same function.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
            && crate::compare::raw_equal(self.guest(), other.guest())
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.held {
            Held::OfLua(closure) => super::value::shown(f, "function", closure),
            Held::Native(native) => super::value::shown(f, "function", native),
        }
    }
}

impl Lua {
    /// A function of Lua that calls one of Rust. It is dropped when the program has it no more.
    ///
    /// The function may call Lua, and may be called again by what it calls. Its error is an error
    /// of the program, see [`Error`]; a panic ends the program, and goes on behind the call from
    /// Rust.
    ///
    /// # Errors
    /// If there is too little memory.
    pub fn create_function<A: FromLuaMulti, R: IntoLuaMulti>(
        &self,
        f: impl Fn(&Lua, A) -> Result<R> + 'static,
    ) -> Result<Function> {
        Function::of_callback(self.inner(), callback::plain(f))
    }

    /// The same for a function that changes what it has captured. Called by what it calls itself,
    /// it is [`Error::RecursiveCallback`].
    ///
    /// # Errors
    /// If there is too little memory.
    pub fn create_function_mut<A: FromLuaMulti, R: IntoLuaMulti>(
        &self,
        f: impl FnMut(&Lua, A) -> Result<R> + 'static,
    ) -> Result<Function> {
        Function::of_callback(self.inner(), callback::mutable(f))
    }
}
