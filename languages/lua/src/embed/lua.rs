//! The machine as Rust sees it.

use super::callback;
use super::options::{LuaOptions, StdLib};
use super::state::{Inner, Owner};
use super::{Error, Result, Table};
use crate::host;
use crate::interned;
use crate::machine::{self, Machine};
use crate::output::Sink;
use crate::session::Setup;
use crate::table;
use crate::value::{Value, World, set_global};
use crate::watch;
use std::fmt;
use std::rc::Rc;
use verdigris::{CollectScope, InterruptHandle, Vm, collect_garbage, prelude::*, stack_room};

/// A Lua machine: its memory, its global variables, its compiled code.
///
/// It belongs to the thread that makes it; any number of them can be there at once, and call each
/// other. A clone is the same machine, and when the last one is dropped, the machine ends: Rust
/// values in it are dropped, and the handles that are left give [`Error::LuaDropped`]. What a
/// function of Rust is given as its first argument does not own the machine, so it may be gone
/// behind its call; a clone of it does.
///
/// ```
/// use verdigris_lua::{Lua, Result};
///
/// fn main() -> Result<()> {
///     let lua = Lua::new();
///     let double = lua.create_function(|_, n: i64| Ok(2 * n))?;
///     lua.globals().set("double", double)?;
///     assert_eq!(lua.load("double(20) + 2").eval::<i64>()?, 42);
///     Ok(())
/// }
/// ```
pub struct Lua {
    inner: Rc<Inner>,
    /// None for functions of Rust that the machine calls.
    owner: Option<Rc<Owner>>,
}

/// Bytes of the native stack for each call, by which the default for the depth of calls is chosen.
/// Where calls need more, the end of the stack is the limit.
const STACK_PER_CALL: usize = 1 << 10;

/// The least depth of calls.
const MIN_DEPTH: i64 = 200;

impl Lua {
    /// A machine with the default options.
    ///
    /// # Panics
    /// If the system refuses the memory for it.
    pub fn new() -> Lua {
        match Lua::with(LuaOptions::new()) {
            Ok(lua) => lua,
            Err(error) => panic!("no Lua: {error}"),
        }
    }

    /// A machine for programs that are not trusted: they see no files, no commands, no environment
    /// and no `debug`. [`LuaOptions`] bounds their memory and their instructions, and
    /// [`Lua::interrupt_handle`] their time.
    ///
    /// # Panics
    /// As [`Lua::new`].
    pub fn sandboxed() -> Lua {
        match Lua::with(LuaOptions::new().libraries(StdLib::SANDBOX)) {
            Ok(lua) => lua,
            Err(error) => panic!("no Lua: {error}"),
        }
    }

    /// A machine with these options.
    ///
    /// # Errors
    /// [`Error::Options`] if the machine cannot be made with them, [`Error::Memory`] if they leave
    /// too little memory.
    pub fn with(options: LuaOptions) -> Result<Lua> {
        let machine = Machine::new(options.vm, 0).map_err(Error::Options)?;
        let vm = machine.into_vm();
        let sink = match options.output {
            Some(writer) => Sink::Writer(Some(writer)),
            None => Sink::Shared,
        };
        let state = host::State::new(&vm, sink);
        let libraries = options.libraries.unwrap_or(StdLib::ALL);
        let setup = Setup {
            ignores_environment: !libraries.contains(StdLib::PACKAGE),
            ..Setup::default()
        };
        let max_depth = options.max_depth;
        let (inner, owner) = Inner::create(vm, state, || {
            let room = (stack_room() / STACK_PER_CALL) as i64;
            let depth = max_depth.map_or(room.min(machine::MAX_DEPTH), i64::from);
            let world = machine::new_world(depth.max(MIN_DEPTH), &setup);
            restrict(world, libraries);
            world
        })?;
        let lua = Lua {
            inner,
            owner: Some(owner),
        };
        if options.instructions > 0 {
            lua.set_instruction_limit(Some(options.instructions))?;
        }
        Ok(lua)
    }

    /// The machine for those who need not own it.
    pub(crate) fn borrowed(inner: Rc<Inner>) -> Lua {
        Lua { inner, owner: None }
    }

    pub(crate) fn inner(&self) -> &Rc<Inner> {
        &self.inner
    }

    /// The table of global variables.
    ///
    /// # Panics
    /// If the machine has been dropped.
    pub fn globals(&self) -> Table {
        let globals = self
            .inner
            .enter(|world| Table::new(&self.inner, world.globals));
        globals.expect("the machine is there")
    }

    /// Runs `f` with the machine entered, which makes many small operations on tables faster than
    /// each of them for itself.
    ///
    /// # Errors
    /// The error of `f`, and that of the machine if it stops meanwhile.
    pub fn enter<R>(&self, f: impl FnOnce(&Lua) -> Result<R>) -> Result<R> {
        self.inner.enter(|_| f(self))?
    }

    /// Frees what the program has no more. Rust values in it are dropped before this returns.
    ///
    /// # Errors
    /// If the machine is gone.
    pub fn collect_garbage(&self) -> Result<()> {
        self.inner.enter(|_| {
            collect_garbage(CollectScope::All);
            self.inner.bury();
        })
    }

    /// The bytes that objects take.
    ///
    /// # Errors
    /// If the machine is gone.
    pub fn used_memory(&self) -> Result<u64> {
        Ok(self.inner.vm()?.stats().heap.heap_bytes)
    }

    /// A handle with which any thread can end what the machine runs: the call from Rust is
    /// [`Error::Interrupted`] then, which no `pcall` catches. It stops at the next call of a
    /// function or the next turn of a loop; a function of Rust has to return first. One that comes
    /// while nothing runs ends what runs next, unless [`Lua::clear_interrupt`] is called before.
    ///
    /// Loops that are compiled look for it from the first call of this on.
    ///
    /// # Errors
    /// If the machine is gone.
    pub fn interrupt_handle(&self) -> Result<InterruptHandle> {
        Ok(self.inner.vm()?.interrupt_handle())
    }

    /// Takes back an interrupt that has not been noticed yet.
    ///
    /// # Errors
    /// If the machine is gone.
    pub fn clear_interrupt(&self) -> Result<()> {
        self.inner.vm()?.clear_interrupt();
        Ok(())
    }

    /// Bounds the instructions that each call from Rust into Lua may execute from now on, calls of
    /// Rust functions and back included; `None` for any number. One that needs more is
    /// [`Error::OutOfInstructions`], which no `pcall` catches.
    ///
    /// It counts by a hook, as `debug.sethook` has it, so nothing is compiled while there is a
    /// limit. A limit on time, by [`Lua::interrupt_handle`], costs much less.
    ///
    /// # Errors
    /// If the machine is gone.
    pub fn set_instruction_limit(&self, limit: Option<u64>) -> Result<()> {
        let limit = limit.unwrap_or(0);
        self.inner.enter(|world| {
            let hook = match limit {
                0 => Value::Nil,
                _ => Value::Native(self.inner.native(callback::out_of_instructions())),
            };
            let every = i64::try_from(limit).unwrap_or(i64::MAX);
            self.inner.instructions.set(limit);
            watch::change_hook(world, hook, 0, every);
        })
    }

    /// The VM, for its statistics, traces and explanations.
    ///
    /// # Errors
    /// If the machine is gone.
    pub fn vm(&self) -> Result<Rc<Vm>> {
        self.inner.vm()
    }
}

/// Removes the parts of the library that the machine is not to have.
fn restrict(world: Gc<World>, libraries: StdLib) {
    let nil_field = |t: Value, name: &str| {
        if let Value::Table(t) = t {
            table::set_str(t, interned::string(world, name.as_bytes()), Value::Nil);
        }
    };
    let global = |name: &str| table::global(world, interned::string(world, name.as_bytes()));
    for (place, name) in libraries.left_out() {
        match place {
            "" => set_global(global(name), Value::Nil),
            "-" | "FILE*" => {}
            _ => nil_field(global(place).get(), name),
        }
    }
    let package = global("package").get();
    for name in libraries.tables_left_out() {
        if let Value::Table(package) = package {
            let loaded = interned::string(world, b"loaded");
            nil_field(table::get_str(package, loaded), name);
        }
        set_global(global(name), Value::Nil);
    }
    set_global(global("arg"), Value::Nil);
}

impl Default for Lua {
    fn default() -> Lua {
        Lua::new()
    }
}

/// The same machine.
impl Clone for Lua {
    fn clone(&self) -> Lua {
        Lua {
            inner: self.inner.clone(),
            owner: self.inner.owner(),
        }
    }
}

impl fmt::Debug for Lua {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let owns = self.owner.is_some();
        f.debug_struct("Lua")
            .field("number", &self.inner.number)
            .field("owns", &owns)
            .finish()
    }
}
