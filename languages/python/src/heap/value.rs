//! Values, and the heap classes behind them. In, out: the types that everything works on.
//! Invariant: what a program cannot change is a plain field, so that the JIT reads it when it
//! compiles; a [`Value`] is held by value everywhere.

use crate::heap::class::Class;
use crate::heap::dict::Dict;
use crate::heap::exception::{Exc, Traceback};
use crate::heap::function::{BoundMethod, Code, Frame, Function, Module, Native};
use crate::heap::instance::Instance;
use crate::heap::places::FrameView;
use crate::heap::weak::Weak;
use verdigris::{Bytes, List, Str, prelude::*};

/// A value.
///
/// Shared variables and namespaces are not for programs: they are in registers and namespaces only
/// where the compiler and [`crate::heap::class`] put them.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// No value: of a variable that has none, of an argument that was not given.
    Unbound,
    /// `None`
    None,
    /// `NotImplemented`
    NotImplemented,
    /// `...`
    Ellipsis,
    /// A boolean.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// A float.
    Float(f64),
    /// Any other integer.
    Big(Gc<Big>),
    /// A string.
    Str(Gc<Text>),
    /// A string of bytes.
    Bytes(Gc<Bytes>),
    /// Bytes that can be changed.
    ByteArray(Gc<List<u8>>),
    /// A complex number.
    Complex(Gc<Complex>),
    /// A list.
    List(Gc<List<Value>>),
    /// A tuple.
    Tuple(Tuple),
    /// A dict.
    Dict(Gc<Dict>),
    /// A set.
    Set(Gc<Dict>),
    /// A frozenset.
    FrozenSet(Gc<Dict>),
    /// What `keys()`, `values()` and `items()` of a dict return.
    View(Gc<View>),
    /// A range.
    Range(Gc<Range>),
    /// A slice.
    Slice(Gc<Slice>),
    /// An iterator over a builtin object.
    Iter(Gc<Iter>),
    /// A generator.
    Generator(Gc<Generator>),
    /// A coroutine: what a call of an `async` function returns.
    Coroutine(Gc<Generator>),
    /// An asynchronous generator.
    AsyncGenerator(Gc<Generator>),
    /// A function of a program.
    Function(Gc<Function>),
    /// A builtin function or method.
    Native(Gc<Native>),
    /// A function with its first argument.
    Method(Gc<BoundMethod>),
    /// A property, static method or class method.
    Accessor(Gc<Accessor>),
    /// What `super()` returns.
    Super(Gc<Super>),
    /// A class.
    Class(Gc<Class>),
    /// An instance of a class of a program, or an exception.
    Instance(Gc<Instance>),
    /// A module.
    Module(Gc<Module>),
    /// A traceback.
    Traceback(Gc<Traceback>),
    /// The code of a function.
    Code(Gc<Code>),
    /// An activation, as a program sees it.
    Frame(Gc<FrameView>),
    /// What a weak reference of the library holds.
    Weak(Gc<Weak>),
    /// The part of an exception that is not its attributes.
    Exc(Gc<Exc>),
    /// A shared variable.
    Cell(Gc<Variable>),
    /// The namespace of a class body.
    Namespace(Gc<Namespace>),
}

// A tag and a word.
const _: () = assert!(size_of::<Cell<Value>>() == 16);

/// Names with values, in the order in which they were added.
pub type Namespace = verdigris::Map<Gc<Str>, Value>;

/// The tag of frames and lists of arguments.
pub struct InFrame;

/// The registers of a frame, or a list of arguments.
pub type Registers = GcArray<Register<Value>, InFrame>;

/// The tag of tuples.
pub struct InTuple;

/// A tuple. Never written after it was filled.
pub type Tuple = GcArray<Cell<Value>, InTuple>;

/// A string, and how many characters it has: as many as bytes if it is ASCII.
#[gc]
pub struct Text {
    /// Its text.
    pub data: Gc<Str>,
    /// How many characters.
    pub chars: usize,
}

impl Text {
    /// The text, for native code.
    pub fn as_str(&self) -> &str {
        self.data.as_str()
    }
}

/// An integer that does not fit into 64 bits.
#[gc]
pub struct Big {
    /// Whether it is below 0.
    pub negative: bool,
    /// Its magnitude in words, the lowest first; the highest is not 0.
    pub words: GcArray<u64>,
}

/// A complex number.
#[gc]
pub struct Complex {
    /// Its real part.
    pub re: f64,
    /// Its imaginary part.
    pub im: f64,
}

/// A variable that functions share.
#[gc]
pub struct Variable {
    /// Its value.
    pub value: Cell<Value>,
}

/// A range.
#[gc]
pub struct Range {
    /// Where it begins.
    pub start: i64,
    /// Before what it ends.
    pub stop: i64,
    /// The step, which is not 0.
    pub step: i64,
}

/// A slice.
#[gc]
pub struct Slice {
    /// Where it begins, or `None`.
    pub start: Value,
    /// Before what it ends, or `None`.
    pub stop: Value,
    /// The step, or `None`.
    pub step: Value,
}

/// A view of a dict.
#[gc]
pub struct View {
    /// The dict.
    pub dict: Gc<Dict>,
    /// [`KEYS`], [`VALUES`] or [`ITEMS`].
    pub kind: usize,
}

/// Keys alone.
pub const KEYS: usize = 0;
/// Values alone.
pub const VALUES: usize = 1;
/// Tuples of both.
pub const ITEMS: usize = 2;

/// An iterator over a builtin object; see [`crate::run::items::iterate`].
#[gc]
pub struct Iter {
    /// What it does.
    pub kind: usize,
    /// What it goes over. `Unbound` once it has ended, where that can be seen.
    pub source: Cell<Value>,
    /// What else it needs: a function, an end.
    pub other: Value,
    /// Where it is.
    pub at: Cell<i64>,
    /// Where it ends, or how many there were.
    pub end: Cell<i64>,
    /// The step.
    pub step: i64,
}

/// A generator, coroutine or asynchronous generator. One that runs or has ended has [`NOWHERE`] in
/// `pc`.
#[gc]
pub struct Generator {
    /// Its code.
    pub code: Gc<Code>,
    /// Its frame.
    pub frame: Gc<Frame>,
    /// Where it goes on.
    pub pc: Cell<usize>,
    /// Whether it runs.
    pub runs: Cell<bool>,
    /// What it handles where it waits, or `None`.
    pub handled: Cell<Value>,
    /// Of an asynchronous generator: whether something awaits its next item.
    pub awaited: Cell<bool>,
    /// Of an asynchronous generator: whether it has ended or was closed.
    pub closed: Cell<bool>,
}

/// No instruction.
pub const NOWHERE: usize = usize::MAX;

/// A property, static method, class method or slot.
#[gc]
pub struct Accessor {
    /// [`PROPERTY`], [`STATIC`], [`CLASS`] or [`MEMBER`].
    pub kind: usize,
    /// The function, or what reads; of a slot its name.
    pub get: Value,
    /// What writes, or `None`.
    pub set: Value,
    /// What deletes, or `None`.
    pub delete: Value,
    /// What a property has been given as its documentation, or `None`.
    pub doc: Cell<Value>,
}

/// A static method, class method or slot.
pub fn accessor(kind: usize, get: Value) -> Value {
    Value::Accessor(Gc::new(Accessor {
        kind,
        get,
        set: Value::None,
        delete: Value::None,
        doc: Cell::new(Value::None),
    }))
}

/// A property.
pub const PROPERTY: usize = 0;
/// A static method.
pub const STATIC: usize = 1;
/// A class method.
pub const CLASS: usize = 2;
/// A slot of the instances of a class: an attribute of the class that stands for theirs. `get` is
/// its name, `set` the class.
pub const MEMBER: usize = 3;
/// The same of what all instances have, such as `__dict__`.
pub const GETSET: usize = 4;

/// What `super()` returns: attributes are those of the classes behind `class` in the order of the
/// class of `object`.
#[gc]
pub struct Super {
    /// The class.
    pub class: Gc<Class>,
    /// The object, or a class.
    pub object: Value,
    /// The class of the object, or the class itself.
    pub start: Gc<Class>,
}

impl Value {
    /// Whether there is no value.
    #[inline(always)]
    pub fn is_unbound(self) -> bool {
        matches!(self, Value::Unbound)
    }

    /// Whether it is `None`.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        matches!(self, Value::None)
    }

    /// Whether it is `NotImplemented`.
    #[inline(always)]
    pub fn is_not_implemented(self) -> bool {
        matches!(self, Value::NotImplemented)
    }
}

/// A string, for native code.
pub fn text(s: &str) -> Value {
    Value::Str(new_text(s))
}

/// The same as an object.
pub fn new_text(s: &str) -> Gc<Text> {
    Gc::new(Text {
        data: Str::new(s),
        chars: s.chars().count(),
    })
}

/// A string of these bytes, for native code.
pub fn bytes(data: &[u8]) -> Value {
    Value::Bytes(Bytes::new(data))
}

/// A complex number.
#[inline]
pub fn complex(re: f64, im: f64) -> Value {
    Value::Complex(Gc::new(Complex { re, im }))
}

/// A string of a name.
pub fn text_of(name: Gc<Str>) -> Gc<Text> {
    Gc::new(Text {
        data: name,
        chars: name.char_count(),
    })
}

/// A tuple of two.
#[inline]
pub fn pair(a: Value, b: Value) -> Value {
    let tuple = Tuple::new(2, Value::Unbound);
    tuple[0].set(a);
    tuple[1].set(b);
    Value::Tuple(tuple)
}

/// Whether two values are the same object. Numbers and strings are if they are equal.
#[inline]
pub fn is(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Str(a), Value::Str(b)) => Gc::ptr_eq(a, b) || a.data.same(b.data),
        (Value::Method(_), Value::Method(_)) => false,
        _ => a == b,
    }
}
