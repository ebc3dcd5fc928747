//! Code, functions, frames and modules. In, out: what calls work on. Invariant: code is immutable;
//! a frame belongs to one activation, or to a generator, which is entered again with it.

use crate::heap::class::Class;
use crate::heap::dict::Dict;
use crate::heap::places;
use crate::heap::site::Site;
use crate::heap::value::{Namespace, Registers, Tuple, Value, Variable};
use crate::heap::world::World;
use crate::library::PREFIX;
use verdigris::{Map, Str, prelude::*, we_are_jitted};

/// Compiled code of a function, class body, or module.
#[gc]
pub struct Code {
    /// The instructions; see [`crate::bytecode::opcode`].
    pub code: GcArray<u64>,
    /// The constants.
    pub consts: GcArray<Value>,
    /// The names of attributes and variables.
    pub names: GcArray<Gc<Str>>,
    /// The globals.
    pub globals: GcArray<Gc<Global>>,
    /// The keywords of calls.
    pub keywords: GcArray<Gc<Keywords>>,
    /// The functions in it.
    pub protos: GcArray<Gc<Code>>,
    /// Where closures of it take their shared variables from: twice the number of a register, or
    /// twice that of a variable of the function around it and 1.
    pub captures: GcArray<u32>,
    /// What it is known by where the program notes its place; see [`crate::heap::places`].
    pub number: usize,
    /// How many parameters can be given by position.
    pub params: usize,
    /// How many of them by position only.
    pub positional_only: usize,
    /// How many can be given by keyword only.
    pub keyword_only: usize,
    /// Whether there is `*args`.
    pub star: bool,
    /// Whether there is `**kwargs`.
    pub double_star: bool,
    /// The names of variables; the parameters come first.
    pub locals: GcArray<Gc<Str>>,
    /// The names of the variables that its functions share with it from around it.
    pub free: GcArray<Gc<Str>>,
    /// How many registers there are.
    pub registers: usize,
    /// What catches exceptions, the innermost first: first pc, pc behind the last, target,
    /// register.
    pub handlers: GcArray<u32>,
    /// What calls make: [`PLAIN`] if they run it.
    pub kind: usize,
    /// The line where it begins.
    pub first_line: usize,
    /// The line of each instruction.
    pub lines: GcArray<u32>,
    /// From where to where in the text each instruction comes.
    pub places: GcArray<u32>,
    /// Its name.
    pub name: Gc<Str>,
    /// Its name with those of what is around it.
    pub qualname: Gc<Str>,
    /// Its documentation, or `None`.
    pub doc: Value,
    /// Its module.
    pub module: Gc<Module>,
    /// The world that it belongs to.
    pub world: Gc<World>,
    /// Loops over what it yields or returns; see [`crate::run::call::consume`].
    pub loops: GcArray<Cell<Value>>,
    /// What the interpreter alone remembers for each instruction.
    pub sites: GcArray<Cell<Option<Gc<Site>>>>,
}

/// Code that calls run.
pub const PLAIN: usize = 0;
/// Code that calls make a generator of.
pub const GENERATOR: usize = 1;
/// Code that calls make a coroutine of.
pub const COROUTINE: usize = 2;
/// Code that calls make an asynchronous generator of.
pub const ASYNC_GENERATOR: usize = 3;
/// Code that calls make a generator of which can be awaited: that of `types.coroutine`.
pub const ITERABLE_COROUTINE: usize = 4;

/// How many loops over what code yields there are.
pub const LOOPS: usize = 7;

/// The names of the last arguments of a call.
#[gc]
pub struct Keywords {
    /// The names.
    pub names: GcArray<Gc<Str>>,
}

/// A module.
#[gc]
pub struct Module {
    /// Its name.
    pub name: Gc<Str>,
    /// The name of its file, or nothing if it is builtin.
    pub file: Gc<Str>,
    /// Its text.
    pub source: Gc<Str>,
    /// Its globals.
    pub globals: Gc<Map<Gc<Str>, Gc<Global>>>,
}

impl Module {
    /// Whether it is a part of the library.
    pub fn is_library(&self) -> bool {
        self.file.is_empty() || self.file.as_str().starts_with(PREFIX)
    }
}

/// A global variable, or a builtin. Those that do not change, such as functions and classes, are
/// constants for compiled code; one that is written again is a place in memory.
#[gc]
pub struct Global {
    /// Its name.
    pub name: Gc<Str>,
    /// Its value.
    pub value: Cell<Value>,
    /// The same, as long as `varies` is not set.
    pub constant: Quasi<Value>,
    /// Whether it has been written often.
    pub varies: Quasi<bool>,
    /// How often it was written before it began to vary.
    pub writes: Cell<i64>,
    /// The builtin of this name.
    pub builtin: Option<Gc<Global>>,
}

/// How often a function or class may be written before compiled code takes it for a variable. Data
/// is one from its second value on.
const MAX_WRITES: i64 = 3;

/// The same code again, of any kind, which is compiled apart from the other.
pub fn with_kind(code: Gc<Code>, kind: usize) -> Gc<Code> {
    let made = Gc::new(Code {
        number: places::number(code.world.codes),
        code: code.code,
        consts: code.consts,
        names: code.names,
        globals: code.globals,
        keywords: code.keywords,
        protos: code.protos,
        captures: code.captures,
        params: code.params,
        positional_only: code.positional_only,
        keyword_only: code.keyword_only,
        star: code.star,
        double_star: code.double_star,
        locals: code.locals,
        free: code.free,
        registers: code.registers,
        handlers: code.handlers,
        kind,
        first_line: code.first_line,
        lines: code.lines,
        places: code.places,
        name: code.name,
        qualname: code.qualname,
        doc: code.doc,
        module: code.module,
        world: code.world,
        loops: GcArray::new(code.loops.len(), Value::Unbound),
        sites: GcArray::new(code.sites.len(), None),
    });
    places::begin(code.world.codes, made);
    made
}

impl Global {
    /// A global without a value.
    pub fn new(name: Gc<Str>, builtin: Option<Gc<Global>>) -> Gc<Global> {
        Gc::new(Global {
            name,
            value: Cell::new(Value::Unbound),
            constant: Quasi::new(Value::Unbound),
            varies: Quasi::new(false),
            writes: Cell::new(0),
            builtin,
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
    let is_code = matches!(
        value,
        Value::Function(_) | Value::Native(_) | Value::Class(_)
    );
    let is_redefined = !is_code && !global.value.get().is_unbound();
    global.value.set(value);
    global.writes.set(global.writes.get() + 1);
    if is_redefined || global.writes.get() > MAX_WRITES {
        global.varies.set(true);
    } else {
        global.constant.set(value);
    }
}

/// The tag of the arrays of shared variables.
pub struct InClosure;

/// The shared variables of a function.
pub type Closure = GcArray<Cell<Gc<Variable>>, InClosure>;

/// A function of a program.
#[gc]
pub struct Function {
    /// Its code.
    pub code: Gc<Code>,
    /// The defaults of its last parameters by position.
    pub defaults: Cell<Tuple>,
    /// The defaults of parameters by keyword: a dict, or `None`.
    pub keyword_defaults: Cell<Value>,
    /// The variables that it shares.
    pub closure: Closure,
    /// Its annotations: a dict, or `None`.
    pub annotations: Cell<Value>,
    /// What a program has given it.
    pub attributes: Cell<Option<Gc<Attributes>>>,
}

impl Function {
    /// A function of code that takes nothing, such as that of a module.
    pub fn of_body(code: Gc<Code>) -> Gc<Function> {
        Gc::new(Function {
            code,
            defaults: Cell::new(code.world.no_items),
            keyword_defaults: Cell::new(Value::None),
            closure: Closure::from_slice(&[]),
            annotations: Cell::new(Value::None),
            attributes: Cell::new(None),
        })
    }
}

/// What a program has given a function.
#[gc]
pub struct Attributes {
    /// Its `__dict__`.
    pub own: Gc<Dict>,
    /// The special attributes that were written, by their names.
    pub special: Gc<Namespace>,
}

/// A builtin function or method.
#[gc]
pub struct Native {
    /// Which; see [`crate::run::native`].
    pub id: usize,
    /// Its name.
    pub name: Gc<Str>,
    /// The class that it is a method of.
    pub class: Option<Gc<Class>>,
    /// Whether it is a method that an operator or a statement calls.
    pub is_special: bool,
    /// Whether it calls no function of the program, or hardly ever one.
    pub is_leaf: bool,
}

/// A function with its first argument.
#[gc]
pub struct BoundMethod {
    /// The function.
    pub function: Value,
    /// The argument.
    pub object: Value,
}

/// An activation of a function.
#[gc]
pub struct Frame {
    /// The function.
    pub function: Gc<Function>,
    /// Its registers.
    pub registers: Registers,
}

/// Where an instruction is in the program, for people.
pub fn location(pc: usize, code: Gc<Code>) -> Location {
    Location::new()
        .file(code.module.file.as_str())
        .line(code.lines[pc])
        .function(code.qualname.as_str())
}
