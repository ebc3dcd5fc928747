//! The machine: a VM with Lua on it, on a native stack that is large enough. In: parameters, a
//! program, arguments. Out: output, and errors as text. Invariant: whatever the program does, the
//! outcome is a value; a program that calls too deeply gets the interpreter's own error at the
//! depth that was asked for, not an accident of the native stack.

use crate::chunk::CompiledChunk;
use crate::chunk_name::ChunkName;
use crate::collected;
use crate::compile;
use crate::dict;
use crate::fault::{self, Fault};
use crate::finalize;
use crate::host;
use crate::interned;
use crate::interp;
use crate::lexer;
use crate::load;
use crate::meta;
use crate::native::names::{self, NAMES};
use crate::native::{self, modules, outside};
use crate::output;
use crate::session::{Session, Setup};
use crate::shape::{self, Role};
use crate::shape_tree;
use crate::stream;
use crate::string::LuaStr;
use crate::table::{self, Fields, Items, Table};
use crate::value::{
    Closure, Hooks, Native, Returned, Shared, Thread, Value, Values, World, arguments, set_global,
};
use std::fmt;
use std::rc::Rc;
use verdigris::{Map, prelude::*};

/// How many calls can be within each other, unless the user says otherwise.
pub const MAX_DEPTH: i64 = 150_000;

/// Bytes of native stack for each call. Guest calls are calls of the interpreter, of compiled code,
/// or of the blackhole, whose frames are larger than this crate can know.
pub const STACK_PER_CALL: usize = 8 << 10;

/// Bytes of native stack beside those: what the system, the tracer and the compiler use.
pub const STACK_BASE: usize = 32 << 20;

/// Bytes of native stack for each coroutine, of which it costs what it touches.
pub const COROUTINE_STACK: usize = 64 << 20;

/// Bytes that a program's heap may grow to, unless the options say otherwise.
pub const HEAP_LIMIT: usize = 4 << 30;

/// The part of the library that is written in Lua.
const LIBRARY: &str = include_str!("library.lua");

/// The outcome of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Its output, if it was captured.
    pub output: String,
    /// Why it was aborted, if it was.
    pub error: Option<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.output)?;
        match &self.error {
            None => Ok(()),
            Some(error) => writeln!(f, "{error}"),
        }
    }
}

/// A program that has been compiled.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    chunk: CompiledChunk<'static>,
    /// The name of its file, as messages show it.
    pub file: String,
}

/// Compiles a text, or a function that was dumped. Its name is that of a file, or with `=` in front
/// of it any name.
///
/// # Errors
/// The first error, as `file:line: message`.
pub fn load(text: &[u8], file: &str) -> Result<Program, String> {
    let chunk = CompiledChunk::compile(lexer::program_of(text), chunk_name(file), false)?;
    Ok(Program {
        chunk: chunk.into_owned(),
        file: file.to_string(),
    })
}

fn chunk_name(file: &str) -> ChunkName {
    match file.strip_prefix('=') {
        Some(_) => ChunkName::new(file.as_bytes()),
        None => ChunkName::file(file),
    }
}

/// Runs `f` on a thread whose stack has room for calls of this depth. Machines belong to the thread
/// that makes them, so `f` makes its own.
///
/// # Errors
/// If the system does not give a stack of this size.
///
/// # Panics
/// If `f` does.
pub fn on_stack<R: Send>(max_depth: i64, f: impl FnOnce() -> R + Send) -> Result<R, String> {
    native_stack().run(max_depth, f)
}

/// How many calls can be within each other by default: [`MAX_DEPTH`], or fewer if the addresses of
/// the process are limited.
pub fn default_depth() -> i64 {
    native_stack().depth_within_limit(MAX_DEPTH)
}

// Named here and not by `use`: what functions of this module may do is read off their source, and a
// crate that the translator cannot read may do anything.
fn native_stack() -> language_support::stack::NativeStack {
    language_support::stack::NativeStack {
        name: "lua",
        per_call: STACK_PER_CALL,
        base: STACK_BASE,
    }
}

/// A VM for Lua.
pub struct Machine {
    vm: Rc<Vm>,
    max_depth: i64,
}

impl Machine {
    /// A machine with these options. The heap is bounded by [`HEAP_LIMIT`], or by the parameter
    /// `heap_limit`.
    ///
    /// # Errors
    /// If the VM cannot be made; see [`Vm::new`].
    pub fn new(mut options: Options, max_depth: i64) -> Result<Machine, String> {
        if options.heap.limit == verdigris::HeapOptions::default().limit {
            options.heap.limit = HEAP_LIMIT;
        }
        options.coroutine_stack.get_or_insert(COROUTINE_STACK);
        let vm = Vm::new(crate::jit::program(), options).map_err(|error| error.to_string())?;
        Ok(Machine {
            vm: Rc::new(vm),
            max_depth,
        })
    }

    /// The VM alone.
    pub(crate) fn into_vm(self) -> Rc<Vm> {
        self.vm
    }

    /// The VM, for its statistics and traces.
    pub fn vm(&self) -> &Vm {
        &self.vm
    }

    /// Runs a program with arguments.
    pub fn run(&self, program: &Program, args: &[String], capture: bool) -> Outcome {
        output::begin(capture);
        let result = self.enter(program, args, |loaded| loaded.run());
        let output = output::finish();
        let error = result.and_then(|result| result).err();
        let cannot_write = |error: &std::io::Error| format!("cannot write the output: {error}");
        Outcome {
            error: error.or(output.as_ref().err().map(cannot_write)),
            output: String::from_utf8_lossy(&output.unwrap_or_default()).into_owned(),
        }
    }

    /// Loads a program in a new world and hands it to `f`, which may run it many times: the JIT
    /// keeps what it compiled, globals keep what they hold.
    ///
    /// # Errors
    /// If the heap or the native stack is used up.
    pub fn enter<R: Unpin>(
        &self,
        program: &Program,
        args: &[String],
        f: impl FnOnce(&Loaded) -> R,
    ) -> Result<R, String> {
        host::begin(&self.vm);
        let entered = self.vm.try_enter(|| {
            let setup = Setup::program(&chunk_name(&program.file).long, args);
            let world = new_world(self.max_depth, &setup);
            let closure = load::function(world, &program.chunk, None);
            let values = Values::new(args.len(), Value::Nil);
            for (n, arg) in args.iter().enumerate() {
                values[n].set(Value::Str(LuaStr::new(arg.as_bytes())));
            }
            let result = f(&Loaded {
                world,
                closure,
                args: values,
            });
            finalize::end(world);
            result
        });
        collected::forget();
        host::end();
        entered.map_err(|stopped| format!("{}: {stopped}", chunk_name(&program.file).short))
    }
}

impl Machine {
    /// Makes a new world for a session, whose output goes to standard output. An interrupt of the
    /// VM is an error of its programs.
    ///
    /// # Errors
    /// If the heap or the native stack is used up, or if standard output cannot be written.
    pub fn session<R: Unpin>(
        &self,
        setup: &Setup,
        f: impl FnOnce(&Session) -> R,
    ) -> Result<R, String> {
        output::begin(false);
        host::begin(&self.vm);
        let entered = self.vm.try_enter(|| {
            let world = new_world(self.max_depth, setup);
            let session = Session::new(world);
            self.vm.on_interrupt(Some(Rc::new(session.interrupter())));
            let result = f(&session);
            finalize::end(world);
            result
        });
        self.vm.on_interrupt(None);
        collected::forget();
        host::end();
        let written = output::finish();
        let result = entered.map_err(|stopped| stopped.to_string())?;
        written.map_err(|error| format!("cannot write the output: {error}"))?;
        Ok(result)
    }
}

/// A program in the heap of the VM that has been entered. It stays where the collector sees it: on
/// the stack.
pub struct Loaded {
    world: Gc<World>,
    closure: Gc<Closure>,
    args: Values,
}

impl Loaded {
    /// Runs the program.
    ///
    /// # Errors
    /// The error that it ends with, as text.
    pub fn run(&self) -> Result<(), String> {
        match call(self.closure, self.args) {
            Ok(_) => Ok(()),
            Err(fault) => Err(outside::message_text(self.world, fault.value.get())),
        }
    }

    /// The text of a global variable, for an embedder that looks at what a program has left.
    pub fn global(&self, name: &str) -> String {
        let value = table::get_str(
            self.world.globals,
            interned::string(self.world, name.as_bytes()),
        );
        outside::to_text(self.world, value, 0).map_or_else(|_| "?".to_string(), |text| text.text())
    }
}

fn call(closure: Gc<Closure>, args: Values) -> Result<Returned, Gc<Fault>> {
    let registers = crate::call::enter(closure.proto, arguments(args));
    interp::run(closure.proto, closure, registers, 1)
}

/// A world with the library in it.
pub(crate) fn new_world(max_depth: i64, setup: &Setup) -> Gc<World> {
    let no_fields = Fields::new(0, Value::Nil);
    let no_items = Items::new(0, Value::Nil);
    let empty_shape = shape_tree::root_of(shape_tree::new(None, false), Role::Nothing);
    let loose = shape_tree::new(None, true);
    let fixed = shape::root(loose, Role::Many, true);
    let globals = table::make(fixed, no_fields, no_items);
    globals.dict.set(Some(dict::new(true)));
    let names: RootVec<Gc<LuaStr>> = RootVec::new();
    for name in meta::NAMES {
        names.push(LuaStr::new(name.as_bytes()));
    }
    let native_of = |id: usize| Gc::new(Native { id });
    let world = Gc::new(World {
        globals,
        strings: table::make(empty_shape, no_fields, no_items),
        names: names.to_array(),
        interned: table::make(empty_shape, no_fields, no_items),
        characters: GcArray::new(1 << u8::BITS, None),
        nothing: Values::new(0, Value::Nil),
        no_fields,
        no_items,
        no_variables: Shared::from_slice(&[]),
        empty_shape,
        loose_shape: shape_tree::root_of(loose, Role::Nothing),
        next: native_of(names::NEXT),
        ipairs_next: native_of(names::IPAIRS_NEXT),
        here: Cell::new(Value::Nil),
        here_pc: Cell::new(0),
        here_frame: Cell::new(Value::Nil),
        left: Cell::new(None),
        files: table::make(empty_shape, no_fields, no_items),
        input: Cell::new(native::io::file(stream::STDIN)),
        output: Cell::new(native::io::file(stream::STDOUT)),
        utf8_next: native_of(names::UTF8_NEXT),
        utf8_next_lax: native_of(names::UTF8_NEXT_LAX),
        library: Values::new(names::IN_LUA, Value::Nil),
        no_memory: fault::no_memory(),
        handler: Cell::new(Value::Nil),
        main: Thread::new(),
        running: Cell::new(None),
        trees: Map::new(),
        functions: Cell::new(0),
        // A call of the library adds its share to the depth before it is looked at.
        max_depth: max_depth.min(i64::MAX / 2),
        collects: Quasi::new(false),
        turns: Cell::new(0),
        watched: Quasi::new(false),
        looks: Quasi::new(false),
        tracked: Quasi::new(false),
        keeps_registers: Quasi::new(false),
        active: Cell::new(None),
        interrupted: Cell::new(false),
        hooks: Hooks::new(),
        host_depth: Cell::new(0),
        held: Cell::new(None),
    });
    for name in names.iter() {
        dict::insert(
            table::dict_of(world.interned),
            Value::Str(name),
            Value::Bool(true),
        );
    }
    install(world);
    let arg = table::empty(world);
    for (index, text) in &setup.arg {
        let value = Value::Str(LuaStr::new(text.as_bytes()));
        table::set(world, arg, Value::Int(*index), value);
    }
    set(world, "arg", Value::Table(arg));
    let path = modules::default_path(&setup.script, setup.ignores_environment);
    let package = module(world, "package");
    field(
        world,
        package,
        "path",
        Value::Str(LuaStr::new(path.as_bytes())),
    );
    // Before any other queue, so that what a finalizer of the program refers to goes after it.
    collected::begin(world);
    world
}

fn set(world: Gc<World>, name: &str, value: Value) {
    set_global(
        table::global(world, interned::string(world, name.as_bytes())),
        value,
    );
}

fn field(world: Gc<World>, t: Gc<Table>, name: &str, value: Value) {
    table::set_str(t, interned::string(world, name.as_bytes()), value);
}

/// The table of a part of the library, which is made if there is none.
fn module(world: Gc<World>, name: &str) -> Gc<Table> {
    let key = interned::string(world, name.as_bytes());
    if let Value::Table(t) = table::get_str(world.globals, key) {
        return t;
    }
    let t = table::empty(world);
    set(world, name, Value::Table(t));
    t
}

/// Defines what files have beside the functions of the library.
fn install_files(world: Gc<World>, methods: Gc<Table>) {
    let io = module(world, "io");
    field(world, io, "stdin", world.input.get());
    field(world, io, "stdout", world.output.get());
    field(world, io, "stderr", native::io::file(stream::STDERR));
    let function = |id: usize| Value::Native(Gc::new(Native { id }));
    field(world, world.files, "__index", Value::Table(methods));
    field(
        world,
        world.files,
        "__name",
        Value::Str(LuaStr::new(b"FILE*")),
    );
    field(
        world,
        world.files,
        "__tostring",
        function(names::FILE_TOSTRING),
    );
    field(world, world.files, "__close", function(names::FILE_DONE));
    field(world, world.files, "__gc", function(names::FILE_DONE));
}

/// The part of the library that is written in Lua, as a function that defines it.
#[inline(never)]
fn load_library(world: Gc<World>) -> Gc<Closure> {
    // Each machine does this, so the text has no errors: what may be lacking is memory.
    let code = compile::text(LIBRARY.as_bytes(), "library", false);
    let code = code.unwrap_or_else(|_| verdigris::HeapExhausted::raise());
    load::library(world, &code, &ChunkName::new(b"=[C]"))
}

/// Defines the functions of the library.
fn install(world: Gc<World>) {
    let methods = table::empty(world);
    for (id, &(place, name)) in NAMES.iter().enumerate() {
        let function = Value::Native(match id {
            names::NEXT => world.next,
            names::IPAIRS_NEXT => world.ipairs_next,
            _ => Gc::new(Native { id }),
        });
        match place {
            "" => set(world, name, function),
            "-" => {}
            "FILE*" => field(world, methods, name, function),
            _ => field(world, module(world, place), name, function),
        }
    }
    install_files(world, methods);
    let math = module(world, "math");
    let pattern = Value::Str(LuaStr::new(native::utf8::CHAR_PATTERN));
    field(world, module(world, "utf8"), "charpattern", pattern);
    field(world, math, "pi", Value::Float(std::f64::consts::PI));
    field(world, math, "huge", Value::Float(f64::INFINITY));
    field(world, math, "maxinteger", Value::Int(i64::MAX));
    field(world, math, "mininteger", Value::Int(i64::MIN));
    set(world, "_VERSION", Value::Str(LuaStr::new(b"Lua 5.4")));
    set(world, "_G", Value::Table(world.globals));
    let package = module(world, "package");
    field(world, package, "preload", Value::Table(table::empty(world)));
    field(world, package, "cpath", Value::Str(LuaStr::new(b"")));
    field(
        world,
        package,
        "config",
        Value::Str(LuaStr::new(b"/\n;\n?\n!\n-\n")),
    );
    let loaded = table::empty(world);
    for name in [
        "math",
        "string",
        "table",
        "io",
        "os",
        "package",
        "utf8",
        "debug",
        "coroutine",
        "_G",
    ] {
        let key = interned::string(world, name.as_bytes());
        table::set(
            world,
            loaded,
            Value::Str(key),
            table::get_str(world.globals, key),
        );
    }
    field(world, package, "loaded", Value::Table(loaded));
    field(
        world,
        world.strings,
        "__index",
        Value::Table(module(world, "string")),
    );
    let library = load_library(world);
    let given = [
        names::SORT_PLAIN,
        names::ERROR,
        names::RAWEQUAL,
        names::SEARCH_STEP,
        names::SEARCH_NEXT,
        names::SEARCH_FINISH,
        names::TYPE,
        names::PCALL,
        names::TABLE_CONCAT,
        names::LOAD,
        names::LOADFILE,
        names::PACKAGE_SEARCHPATH,
        names::LINE,
        names::TABLE_UNPACK,
        names::COROUTINE_WRAPPED,
    ];
    let args = Values::new(given.len() + 1, Value::Table(package));
    for (n, id) in given.into_iter().enumerate() {
        args[n].set(Value::Native(Gc::new(Native { id })));
    }
    match call(library, args) {
        Ok(results) => {
            let functions = results.list();
            for n in 0..names::IN_LUA {
                world.library[n].set(functions[n].get());
            }
        }
        Err(fault) => {
            let message = outside::message_text(world, fault.value.get());
            panic!("the library does not start: {message}")
        }
    }
}
