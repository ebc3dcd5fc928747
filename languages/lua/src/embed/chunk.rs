//! Texts of programs. In: a text, what it is called, its environment. Out: a function.

use super::state::Inner;
use super::{Error, FromLuaMulti, Function, IntoLuaMulti, Lua, Result, Table, Value};
use crate::chunk_name::ChunkName;
use crate::load;
use crate::value::Value as Guest;
use std::rc::Rc;

/// A text that is to be run, by [`Lua::load`].
#[must_use = "a chunk does nothing until it is run"]
pub struct Chunk {
    inner: Rc<Inner>,
    text: Vec<u8>,
    name: Option<Vec<u8>>,
    environment: Option<Table>,
}

impl Lua {
    /// A text of a program, which is compiled when it is run.
    pub fn load(&self, text: impl AsRef<[u8]>) -> Chunk {
        Chunk {
            inner: self.inner().clone(),
            text: text.as_ref().to_vec(),
            name: None,
            environment: None,
        }
    }
}

impl Chunk {
    /// With a name for messages: `@name` if it is that of a file, `=name` if it is any other.
    /// Without a name messages show how the text begins.
    pub fn set_name(mut self, name: impl AsRef<[u8]>) -> Chunk {
        self.name = Some(name.as_ref().to_vec());
        self
    }

    /// With a table of its own for its global variables.
    pub fn set_environment(mut self, environment: Table) -> Chunk {
        self.environment = Some(environment);
        self
    }

    /// Runs it, whatever it returns.
    ///
    /// # Errors
    /// [`Error::Syntax`] if it is no Lua, and the error that it ends with.
    pub fn exec(self) -> Result<()> {
        self.call(())
    }

    /// Runs it, and gives what it returns. It may also be an expression.
    ///
    /// # Errors
    /// As [`Chunk::exec`], and if the results do not fit.
    pub fn eval<R: FromLuaMulti>(self) -> Result<R> {
        let expression = [b"return ", self.text.as_slice()].concat();
        match self.compiled(&expression) {
            Err(Error::Syntax { .. }) => self.compiled(&self.text)?.call(()),
            function => function?.call(()),
        }
    }

    /// Runs it with arguments, which are in `...`, and gives what it returns.
    ///
    /// # Errors
    /// As [`Chunk::eval`].
    pub fn call<R: FromLuaMulti>(self, args: impl IntoLuaMulti) -> Result<R> {
        self.into_function()?.call(args)
    }

    /// The function that runs it.
    ///
    /// # Errors
    /// [`Error::Syntax`] if it is no Lua.
    pub fn into_function(self) -> Result<Function> {
        self.compiled(&self.text)
    }

    fn compiled(&self, text: &[u8]) -> Result<Function> {
        let inner = &self.inner;
        let name = ChunkName::new(self.name.as_deref().unwrap_or(&self.text));
        inner.enter(|world| {
            let environment = match &self.environment {
                Some(table) => Some(Value::Table(table.clone()).into_guest(inner)?),
                None => None,
            };
            match load::text(world, text, &name, environment) {
                Ok(closure) => Function::new(inner, Guest::Function(closure)),
                Err(message) => Err(Error::Syntax {
                    incomplete: message.ends_with("<eof>"),
                    message,
                }),
            }
        })?
    }
}
