//! What the command does with a machine: chunks one after the other in one world, modules, values
//! for people. In: texts, names. Out: results, and errors as text with a traceback. Invariant: an
//! error leaves the world as it is, so that the next chunk goes on with it.

use crate::chunk_name::ChunkName;
use crate::fault::Fault;
use crate::host;
use crate::interned;
use crate::lexer;
use crate::load;
use crate::native::names::{MESSAGE, REQUIRE};
use crate::native::{outside, traceback};
use crate::stream::{self, STDIN};
use crate::string::LuaStr;
use crate::table;
use crate::value::{Closure, Native, Returned, Value, Values, World, list1, set_global};
use crate::watch;
use std::io;
use verdigris::{ByteBuffer, prelude::*};

/// What a world begins with.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The file of the program, beside which modules are looked for.
    pub script: String,
    /// The entries of the table `arg`.
    pub arg: Vec<(i64, String)>,
    /// Whether the variables of the environment count for nothing.
    pub ignores_environment: bool,
}

impl Setup {
    /// That of a program with arguments.
    pub fn program(file: &str, args: &[String]) -> Setup {
        let rest = args.iter().enumerate();
        let rest = rest.map(|(n, arg)| (n as i64 + 1, arg.clone()));
        Setup {
            script: file.to_string(),
            arg: [(0, file.to_string())].into_iter().chain(rest).collect(),
            ignores_environment: false,
        }
    }
}

/// A world in the heap of the VM that has been entered. It stays where the collector sees it: on
/// the stack.
pub struct Session {
    world: Gc<World>,
}

/// A chunk that has been loaded. It stays on the stack.
pub struct Chunk(Gc<Closure>);

/// What a chunk has returned. It stays on the stack.
pub struct Results(Values);

impl Results {
    /// How many values they are.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl Session {
    pub(crate) fn new(world: Gc<World>) -> Session {
        Session { world }
    }

    /// What makes an interrupt an error of the program, when the VM comes to it.
    pub(crate) fn interrupter(&self) -> impl Fn() + 'static {
        let world = Root::new(self.world);
        move || watch::interrupt(world.get())
    }

    /// Loads a text. Its name begins with `@` if it is a file's, with `=` if it is any other.
    ///
    /// # Errors
    /// The first error of the text.
    pub fn load(&self, text: &[u8], name: &str) -> Result<Chunk, String> {
        let name = ChunkName::new(name.as_bytes());
        load::text(self.world, lexer::program_of(text), &name, None).map(Chunk)
    }

    /// Runs a chunk with arguments.
    ///
    /// # Errors
    /// The error that it ends with, with a traceback.
    pub fn run(&self, chunk: &Chunk, args: &[String]) -> Result<Results, String> {
        let values = Values::new(args.len(), Value::Nil);
        for (n, arg) in args.iter().enumerate() {
            values[n].set(Value::Str(LuaStr::new(arg.as_bytes())));
        }
        let handler = Value::Native(Gc::new(Native { id: MESSAGE }));
        self.guarded(Value::Function(chunk.0), values, handler)
            .map(|results| Results(results.list()))
    }

    /// Loads a module, and gives it to a global variable.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn require(&self, global: &str, module: &str) -> Result<(), String> {
        let name = list1(Value::Str(LuaStr::new(module.as_bytes())));
        let native = |id: usize| Value::Native(Gc::new(Native { id }));
        match self.guarded(native(REQUIRE), name, native(MESSAGE)) {
            Ok(results) => {
                let name = interned::string(self.world, global.as_bytes());
                set_global(table::global(self.world, name), results.first);
                Ok(())
            }
            Err(message) => Err(match message.rsplit_once("\n\t[C]: in ?") {
                Some((before, _)) => format!("{before}\n\t[C]: in function 'require'\n\t[C]: in ?"),
                None => message,
            }),
        }
    }

    /// Prints results as the program's `print` does.
    ///
    /// # Errors
    /// What is wrong with that function.
    pub fn print(&self, results: &Results) -> Result<(), String> {
        let print = self.global("print");
        self.guarded(print, results.0, Value::Nil)
            .map(|_| ())
            .map_err(|error| format!("error calling 'print' ({error})"))
    }

    fn guarded(&self, callee: Value, args: Values, handler: Value) -> Result<Returned, String> {
        let (first, count) = (0, args.len());
        outside::guarded(self.world, callee, args, first, count, handler, 0)
            .map_err(|fault| self.text_of(fault))
    }

    fn text_of(&self, fault: Gc<Fault>) -> String {
        outside::message_text(self.world, fault.value.get())
    }

    fn global(&self, name: &str) -> Value {
        let name = interned::string(self.world, name.as_bytes());
        table::get_str(self.world.globals, name)
    }

    /// The text of a global variable, unless it is nil.
    pub fn text(&self, name: &str) -> Option<String> {
        match self.global(name) {
            Value::Nil => None,
            value => outside::to_text(self.world, value, 0)
                .ok()
                .map(|text| text.text()),
        }
    }

    /// Whether the program's own warnings are shown.
    pub fn show_warnings(&self) {
        host::set_warnings(true);
    }

    /// The next line of standard input without its end, as `io.read` has it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_line(&self) -> io::Result<Option<String>> {
        let mut line = ByteBuffer::new();
        match stream::with(STDIN, |stream| stream.line(false, &mut line)) {
            Some(Ok(true)) => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
            Some(Err(error)) => Err(error),
            Some(Ok(false)) | None => Ok(None),
        }
    }

    /// The names that can follow a path: fields of the table that it leads to, by `__index` too, or
    /// globals if it is empty. Nothing of the program is called.
    pub fn names(&self, path: &[&str]) -> Vec<String> {
        let mut t = Some(Value::Table(self.world.globals));
        for name in path {
            let key = interned::string(self.world, name.as_bytes());
            t = t.and_then(|t| self.inherited(t, key));
        }
        let mut names = Vec::new();
        for _ in 0..MAX_INHERITED {
            let Some(value) = t else { break };
            if let Value::Table(fields) = value {
                traceback::each_string(fields, |key, value| {
                    if !value.is_nil() {
                        names.push(key.text());
                    }
                    true
                });
            }
            t = self.parent(value);
        }
        names.sort();
        names.dedup();
        names
    }

    fn inherited(&self, from: Value, key: Gc<LuaStr>) -> Option<Value> {
        let mut value = from;
        for _ in 0..MAX_INHERITED {
            if let Value::Table(t) = value {
                let found = table::content(table::get_str(t, key));
                if !found.is_nil() {
                    return Some(found);
                }
            }
            value = self.parent(value)?;
        }
        None
    }

    /// What `__index` of a value says.
    fn parent(&self, value: Value) -> Option<Value> {
        match crate::meta::handler(self.world, value, crate::meta::INDEX) {
            Value::Nil => None,
            parent => Some(parent),
        }
    }
}

/// How many tables `__index` may lead through.
const MAX_INHERITED: usize = 20;
