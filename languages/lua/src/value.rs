//! The values of the language and the heap classes behind them. The types that
//! everything works on. Invariant: what a program cannot change is a plain field, so that the JIT
//! reads it when it compiles; a [`Value`] is held by value everywhere.

use crate::fault::{Fault, Left};
use crate::shape::Shape;
use crate::shape_tree::Tree;
use crate::site::Sites;
use crate::string::LuaStr;
use crate::table::{Fields, Items, Table};
use verdigris::{Map, prelude::*, we_are_jitted};

/// A value.
///
/// Lists, shared variables, globals and searches are not for programs: they are in registers and
/// tables only where the compiler and [`crate::table`] put them.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// `nil`
    Nil,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string.
    Str(Gc<LuaStr>),
    /// A table.
    Table(Gc<Table>),
    /// A function written in Lua.
    Function(Gc<Closure>),
    /// A function of the library.
    Native(Gc<Native>),
    /// An open or closed file.
    File(Gc<File>),
    /// A search in a string, for the library alone.
    Search(Gc<Search>),
    /// Several values: varargs, or what an open call has returned.
    Many(Values),
    /// A variable that closures share.
    Shared(Gc<Variable>),
    /// In the table of globals: where the value is.
    Global(Gc<Global>),
    /// A thread.
    Thread(Gc<Thread>),
    /// A value of the program that embeds the machine.
    Host(Gc<Host>),
}

// A tag and a word.
const _: () = assert!(size_of::<Cell<Value>>() == 16);

/// The tag of frames and lists of values.
pub struct InFrame;

/// The registers of a frame, or a list of arguments or results. Only its own activation sees a
/// frame, and while that waits for it, a function of `debug` or a hook.
pub type Values = GcArray<Register<Value>, InFrame>;

/// The tag of the arrays of captured values.
pub struct InClosure;

/// The values that a closure has copied. Never written after the closure was made.
pub type Captured = GcArray<Cell<Value>, InClosure>;

/// The shared variables of a closure.
pub type Shared = GcArray<Cell<Gc<Variable>>>;

/// A variable that closures share, because it changes after they have captured it.
#[gc]
pub struct Variable {
    /// Its value.
    pub value: Cell<Value>,
}

/// What the functions of a chunk have been compiled from.
#[gc]
pub struct ChunkText {
    /// The text.
    pub text: Gc<LuaStr>,
    /// The number that its main function has, or would have if it were here.
    pub first: i64,
    /// Whether lines and names are gone.
    pub stripped: bool,
}

/// A function of a program.
#[gc]
pub struct Proto {
    /// The instructions; see [`crate::opcode`].
    pub code: GcArray<u64>,
    /// The integer constants.
    pub ints: GcArray<i64>,
    /// The float constants.
    pub floats: GcArray<f64>,
    /// The string constants.
    pub strings: GcArray<Gc<LuaStr>>,
    /// The globals that it names.
    pub globals: GcArray<Gc<Global>>,
    /// The shapes of the tables that its constructors make.
    pub shapes: GcArray<Gc<Shape>>,
    /// The functions in it.
    pub protos: GcArray<Gc<Proto>>,
    /// From where a closure copies values; see [`crate::compile`].
    pub value_sources: GcArray<u32>,
    /// From where a closure takes shared variables.
    pub shared_sources: GcArray<u32>,
    /// The names of the variables that closures of it copy, and then of those that they share.
    pub upvalues: GcArray<Gc<LuaStr>>,
    /// How many parameters it has.
    pub params: usize,
    /// Whether it takes more arguments: the register behind the parameters holds them.
    pub vararg: bool,
    /// How many registers it has.
    pub slots: usize,
    /// Its place in the order of all functions: a tail call to one that is not before it may be a
    /// loop.
    pub number: usize,
    /// Whether it is a part of the library, which has no lines.
    pub builtin: bool,
    /// Its text, unless it is a part of the library.
    pub chunk: Option<Gc<ChunkText>>,
    /// The registers of `<close>` variables: for each the pc from which it is to be closed, the pc
    /// up to which, the register.
    pub closers: GcArray<u32>,
    /// The line of each instruction.
    pub lines: GcArray<u32>,
    /// What messages call the operands of each instruction: two numbers of names, in 16 bits each,
    /// 0 for none.
    pub operands: GcArray<u32>,
    /// These names.
    pub names: GcArray<Gc<LuaStr>>,
    /// The file, or what else the text is called.
    pub file: Gc<LuaStr>,
    /// The same as messages show it.
    pub short: Gc<LuaStr>,
    /// The same with the mark of what it is.
    pub source: Gc<LuaStr>,
    /// The line where it begins.
    pub line: u32,
    /// The line where it ends.
    pub end_line: u32,
    /// Its local variables, for `debug`, if it has any and is none of the library's.
    pub locals: Option<Gc<Locals>>,
    /// Its name, for people.
    pub name: Gc<LuaStr>,
    /// The world that it belongs to.
    pub world: Gc<World>,
    /// One register: the registers that calls in the interpreter have left for the next ones, or
    /// nil. It is written by each call, and a register has no barrier.
    pub spare: Values,
    /// What the interpreter remembers of fields, if it is executed often.
    pub sites: Cell<Option<Sites>>,
    /// How often that was missing.
    pub misses: Cell<usize>,
}

/// The local variables of a function.
#[gc]
pub struct Locals {
    /// Where they are; see [`crate::native::locals`].
    pub places: GcArray<u32>,
    /// Their names, in the order of their declarations.
    pub names: GcArray<Gc<LuaStr>>,
}

/// Where an instruction is in the program.
pub fn location(pc: usize, proto: Gc<Proto>) -> Location {
    let function = match (proto.line, proto.name.len()) {
        (0, _) => "main chunk".to_string(),
        (line, 0) => format!("function at line {line}"),
        _ => proto.name.text(),
    };
    let location = Location::new().file(proto.file.text()).function(function);
    // What the compiler adds is for the instructions behind it.
    let mut lines = proto.lines.as_slice()[pc..].iter();
    match lines.find(|&&line| line > 0) {
        None => location.offset(pc),
        Some(&line) => location.line(line),
    }
}

/// The line of an instruction, as programs see it: -1 if it has none.
pub fn line_of(proto: Gc<Proto>, pc: usize) -> i64 {
    match proto.lines[pc] {
        0 => -1,
        line => line.into(),
    }
}

/// A function value.
#[gc]
pub struct Closure {
    /// Its code.
    pub proto: Gc<Proto>,
    /// Its copied values.
    pub values: Captured,
    /// The variables that it shares.
    pub shared: Shared,
}

/// A function of the library, or of the program that embeds the machine.
#[gc]
pub struct Native {
    /// Which; see [`crate::native`]. From [`crate::native::names::COUNT`] on it is the embedder's.
    pub id: usize,
}

/// A value of the program that embeds the machine: userdata.
#[gc]
pub struct Host {
    /// Its number in [`crate::embed`].
    pub key: usize,
    /// Its metatable.
    pub meta: Gc<Table>,
}

/// A thread of the program: a coroutine, or the program's own.
#[gc]
pub struct Thread {
    /// The number of the coroutine; 0 for the program's own thread.
    pub number: Cell<u64>,
    /// While it does not run, the message handler of its innermost protected call; while it does,
    /// that of the thread that has resumed it.
    pub handler: Cell<Value>,
    /// The error that it has ended with.
    pub fault: Cell<Option<Gc<Fault>>>,
    /// Whether it is being closed.
    pub closing: Cell<bool>,
    /// How many threads are within each other where it was resumed.
    pub nested: Cell<usize>,
    /// As `handler`, for [`World::host_depth`].
    pub host_depth: Cell<i64>,
    /// While it does not run, its [`World::active`].
    pub active: Cell<Option<Gc<Active>>>,
}

impl Thread {
    /// A thread without a coroutine.
    pub fn new() -> Gc<Thread> {
        Gc::new(Thread {
            number: Cell::new(0),
            handler: Cell::new(Value::Nil),
            fault: Cell::new(None),
            closing: Cell::new(false),
            nested: Cell::new(0),
            host_depth: Cell::new(0),
            active: Cell::new(None),
        })
    }
}

/// An activation, where it has called something.
#[gc]
pub struct Active {
    /// Its function.
    pub closure: Gc<Closure>,
    /// Its registers. Compiled code has them in memory only for programs that look at variables.
    pub registers: Cell<Option<Values>>,
    /// How deep it is.
    pub depth: i64,
    /// The instruction that calls.
    pub pc: Cell<usize>,
    /// What that calls: nil for a metamethod, true for a hook.
    pub callee: Cell<Value>,
    /// The activation around it.
    pub caller: Option<Gc<Active>>,
    /// Whether it is in the place of one that has called it by a tail call.
    pub is_tail: bool,
}

/// The tag of the arrays of bytes that a search has made.
pub struct InOutput;

/// Bytes that a search has made, with room for more.
pub type Output = GcArray<Cell<u8>, InOutput>;

/// A search in a string that goes on from match to match: what `gmatch` and `gsub` have between two
/// steps.
#[gc]
pub struct Search {
    /// The string that is searched.
    pub subject: Gc<LuaStr>,
    /// The pattern.
    pub pattern: Gc<LuaStr>,
    /// Whether `^` is an anchor.
    pub anchors: bool,
    /// Where the next match may begin.
    pub place: Cell<usize>,
    /// Where it must not end, and 1: where the last one has ended. 0 if there was none.
    pub barred: Cell<usize>,
    /// Where the last match has begun.
    pub start: Cell<usize>,
    /// Up to where the subject has been copied to the result.
    pub copied: Cell<usize>,
    /// The result so far.
    pub made: Cell<Option<Output>>,
    /// How long it is.
    pub len: Cell<usize>,
}

/// A file of a program.
#[gc]
pub struct File {
    /// Its number in [`crate::stream`]; negative if it is closed.
    pub stream: Cell<i64>,
}

/// A global variable. Those that do not change, such as functions, are constants for compiled code;
/// one that is written again and again is a place in memory.
#[gc]
pub struct Global {
    /// Its name.
    pub name: Gc<LuaStr>,
    /// Its value.
    pub value: Cell<Value>,
    /// The same, as long as `varies` is not set.
    pub constant: Quasi<Value>,
    /// Whether it has been written often.
    pub varies: Quasi<bool>,
    /// How often it was written before it began to vary.
    pub writes: Cell<i64>,
}

/// How often a global may be written before compiled code takes it for a variable. Data is one from
/// its second value on: what a program makes a second time, such as a table in each of its runs, it
/// will make again. Functions may be redefined.
const MAX_WRITES: i64 = 3;

impl Global {
    /// A global that is nil.
    pub fn new(name: Gc<LuaStr>) -> Gc<Global> {
        Gc::new(Global {
            name,
            value: Cell::new(Value::Nil),
            constant: Quasi::new(Value::Nil),
            varies: Quasi::new(false),
            writes: Cell::new(0),
        })
    }

    /// Its value.
    #[inline(always)]
    pub fn get(&self) -> Value {
        if we_are_jitted() && !self.varies.get() {
            return self.constant.get();
        }
        self.value.get()
    }
}

/// Writes a global.
#[inline(always)]
pub fn set_global(global: Gc<Global>, value: Value) {
    if global.varies.get() {
        global.value.set(value);
    } else {
        define(global, value);
    }
}

/// Writes a global that is a constant so far.
#[opaque]
pub fn define(global: Gc<Global>, value: Value) {
    let is_function = matches!(value, Value::Function(_) | Value::Native(_));
    let is_redefined = !is_function && !global.value.get().is_nil();
    global.value.set(value);
    global.writes.set(global.writes.get() + 1);
    if is_redefined || global.writes.get() > MAX_WRITES {
        global.varies.set(true);
    } else {
        global.constant.set(value);
    }
}

/// The program's hook, and where it was called.
#[gc]
pub struct Hooks {
    /// The function, or nil.
    pub hook: Cell<Value>,
    /// What it is called for.
    pub mask: Cell<i64>,
    /// After how many instructions it is called too; 0 for never.
    pub every: Cell<i64>,
    /// How many of them are left.
    pub left: Cell<i64>,
    /// Whether it runs: then it is not called.
    pub runs: Cell<bool>,
    /// The function that it was called in: nil if it does not run.
    pub function: Cell<Value>,
    /// Where in it.
    pub pc: Cell<usize>,
    /// Its registers, or nil if it is the library's.
    pub frame: Cell<Value>,
}

impl Hooks {
    /// No hook.
    pub fn new() -> Gc<Hooks> {
        Gc::new(Hooks {
            hook: Cell::new(Value::Nil),
            mask: Cell::new(0),
            every: Cell::new(0),
            left: Cell::new(0),
            runs: Cell::new(false),
            function: Cell::new(Value::Nil),
            pc: Cell::new(0),
            frame: Cell::new(Value::Nil),
        })
    }
}

/// The tag of the array of strings of one byte.
pub struct InCharacters;

/// The strings of one byte, as far as there are any.
pub type Characters = GcArray<Cell<Option<Gc<LuaStr>>>, InCharacters>;

/// The data that all functions of a machine share.
#[gc]
pub struct World {
    /// The table of globals.
    pub globals: Gc<Table>,
    /// The metatable of strings.
    pub strings: Gc<Table>,
    /// The names of metamethods and types; see [`crate::meta`].
    pub names: GcArray<Gc<LuaStr>>,
    /// Every string that a program text or the library names, to make them one object.
    pub interned: Gc<Table>,
    /// The strings of one byte, by that byte, as far as they have been needed.
    pub characters: Characters,
    /// No values.
    pub nothing: Values,
    /// No fields of a table.
    pub no_fields: Fields,
    /// No items of a table.
    pub no_items: Items,
    /// No variables of a closure.
    pub no_variables: Shared,
    /// The shape of a table without fields.
    pub empty_shape: Gc<Shape>,
    /// The shape of tables whose metatable is not their shape's, and which have no fields.
    pub loose_shape: Gc<Shape>,
    /// The function `next`.
    pub next: Gc<Native>,
    /// The iterator of `ipairs`.
    pub ipairs_next: Gc<Native>,
    /// The functions of the library that are written in Lua; see [`crate::native::names`].
    pub library: Values,
    /// The function that calls `debug.getinfo` or `debug.traceback`, or nil.
    pub here: Cell<Value>,
    /// Where in it.
    pub here_pc: Cell<usize>,
    /// Its registers, if it asks for its local variables.
    pub here_frame: Cell<Value>,
    /// The functions that an error has left which a message handler is handling.
    pub left: Cell<Option<Gc<Left>>>,
    /// The metatable of files.
    pub files: Gc<Table>,
    /// The file that `io.read` reads.
    pub input: Cell<Value>,
    /// The file that `io.write` writes.
    pub output: Cell<Value>,
    /// The iterator of `utf8.codes`.
    pub utf8_next: Gc<Native>,
    /// The same for code points up to 2^31.
    pub utf8_next_lax: Gc<Native>,
    /// The fault of an exhausted heap, which is made while there is room for it. No activation
    /// changes it, since it has no place.
    pub no_memory: Gc<Fault>,
    /// The message handler of the innermost protected call; nil if it has none.
    pub handler: Cell<Value>,
    /// The program's own thread.
    pub main: Gc<Thread>,
    /// The thread that runs, unless it is the program's own.
    pub running: Cell<Option<Gc<Thread>>>,
    /// The metatables that shapes know, with the trees of these shapes.
    pub trees: Gc<Map<Gc<Table>, Gc<Tree>>>,
    /// How many functions have been loaded.
    pub functions: Cell<usize>,
    /// How many calls can be within each other.
    pub max_depth: i64,
    /// Whether the program sees what is collected; see [`crate::collected`].
    pub collects: Quasi<bool>,
    /// The turns of loops until it looks at that next; see [`crate::finalize`].
    pub turns: Cell<i64>,
    /// Whether something looks at the program while it runs; see [`crate::watch`].
    pub watched: Quasi<bool>,
    /// Whether that, or calls are noted.
    pub looks: Quasi<bool>,
    /// Whether calls are noted; see [`crate::levels`].
    pub tracked: Quasi<bool>,
    /// Whether they are noted with the registers, in compiled code too.
    pub keeps_registers: Quasi<bool>,
    /// The innermost activation of the thread that runs that has been noted.
    pub active: Cell<Option<Gc<Active>>>,
    /// Whether the program is to be interrupted.
    pub interrupted: Cell<bool>,
    /// The hook.
    pub hooks: Gc<Hooks>,
    /// How deep the embedder's function that runs was called; 0 if none runs.
    pub host_depth: Cell<i64>,
    /// The thread that cannot yield, since its native stack has entered another machine.
    pub held: Cell<Option<Gc<Thread>>>,
}

/// The results of a call: the first, and if there is not exactly one, all of them.
#[value]
#[derive(Clone, Copy)]
pub struct Returned {
    /// The first result; nil if there is none.
    pub first: Value,
    /// All results, unless there is exactly one.
    pub all: Option<Values>,
}

/// One result.
#[inline(always)]
pub fn one(value: Value) -> Returned {
    Returned {
        first: value,
        all: None,
    }
}

/// One string, for native code.
pub fn text(bytes: &[u8]) -> Returned {
    one(Value::Str(LuaStr::new(bytes)))
}

/// No results.
#[inline]
pub fn nothing(world: Gc<World>) -> Returned {
    Returned {
        first: Value::Nil,
        all: Some(world.nothing),
    }
}

/// These results.
#[inline(always)]
pub fn several(values: Values) -> Returned {
    Returned {
        first: if !values.is_empty() {
            values[0].get()
        } else {
            Value::Nil
        },
        all: Some(values),
    }
}

impl Returned {
    /// All results as a list.
    #[inline(always)]
    pub fn list(self) -> Values {
        match self.all {
            Some(values) => values,
            None => list1(self.first),
        }
    }
}

/// A list of one value.
#[inline(always)]
pub fn list1(a: Value) -> Values {
    let list = Values::new(1, Value::Nil);
    list[0].set(a);
    list
}

/// A list of two values.
#[inline(always)]
pub fn list2(a: Value, b: Value) -> Values {
    let list = Values::new(2, Value::Nil);
    list[0].set(a);
    list[1].set(b);
    list
}

/// A list of three values.
#[inline(always)]
pub fn list3(a: Value, b: Value, c: Value) -> Values {
    let list = Values::new(3, Value::Nil);
    list[0].set(a);
    list[1].set(b);
    list[2].set(c);
    list
}

/// The arguments of a call: `count` registers from `first` on.
#[value]
#[derive(Clone, Copy)]
pub struct Args {
    /// The registers.
    pub values: Values,
    /// The first argument.
    pub first: usize,
    /// How many there are.
    pub count: usize,
}

impl Args {
    /// An argument; nil if it is not there.
    #[inline(always)]
    pub fn at(self, index: usize) -> Value {
        if index < self.count {
            self.values[self.first + index].get()
        } else {
            Value::Nil
        }
    }
}

/// These values as arguments.
#[inline(always)]
pub fn arguments(values: Values) -> Args {
    Args {
        values,
        first: 0,
        count: values.len(),
    }
}

impl Value {
    /// Whether a condition with this value holds.
    #[inline(always)]
    pub fn truth(self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    /// Whether it is nil.
    #[inline(always)]
    pub fn is_nil(self) -> bool {
        matches!(self, Value::Nil)
    }
}
