//! The heap types: TLC's values, its classes, its frames and its code. The
//! classes that the interpreter works on. Invariant: every value is one [`Obj`]; integers are
//! boxed, as in the paper; what the guest program cannot change is a plain field, so that the JIT
//! may read it at compile time.

use verdigris::prelude::*;

/// An integer.
#[gc]
pub struct IntObj {
    /// Its value; arithmetic wraps.
    pub value: i64,
}

/// Nil: the empty list.
#[gc]
pub struct NilObj {}

/// A pair.
#[gc]
pub struct Cons {
    /// First half.
    pub car: Obj,
    /// Second half: the rest of a list.
    pub cdr: Obj,
}

/// An object.
#[gc]
pub struct Instance {
    /// Its class.
    pub shape: Gc<Shape>,
    /// Its attributes, in the order of the class.
    pub attrs: Attrs,
}

/// A value.
#[object(Obj)]
#[derive(Clone, Copy)]
pub enum ObjKind {
    /// An integer.
    Int(Gc<IntObj>),
    /// Nil.
    Nil(Gc<NilObj>),
    /// A pair.
    Cons(Gc<Cons>),
    /// An object.
    Instance(Gc<Instance>),
}

/// Tag of the arrays that are operand stacks.
pub struct OnStack;

/// Tag of the arrays that are attributes.
pub struct InInstance;

/// Tag of the arrays that are arguments.
pub struct InFrame;

/// An operand stack.
pub type Stack = GcArray<Register<Obj>, OnStack>;

/// The attributes of an object.
pub type Attrs = GcArray<Cell<Obj>, InInstance>;

/// The arguments of a frame; there is at least one.
pub type Args = GcArray<Cell<Obj>, InFrame>;

/// A class: attributes and methods by number of their name.
#[gc]
pub struct Shape {
    /// The name of each attribute.
    pub attrs: GcArray<i64>,
    /// The name of each method.
    pub methods: GcArray<i64>,
    /// Where each method starts.
    pub targets: GcArray<i64>,
}

/// A loaded program.
#[gc]
pub struct Code {
    /// The bytecode.
    pub bytes: GcArray<u8>,
    /// The classes that `NEW` refers to.
    pub shapes: GcArray<Gc<Shape>>,
    /// The one nil.
    pub nil: Obj,
    /// How many frames there may be at once.
    pub max_depth: i64,
    /// Where it comes from.
    pub source: Gc<Source>,
}

/// Where the code of a program comes from, for people.
#[gc]
pub struct Source {
    /// The file.
    pub file: GcArray<u8>,
    /// The pcs from which on there is another line, in their order.
    pub line_starts: GcArray<u32>,
    /// These lines, 0 if unknown.
    pub lines: GcArray<u32>,
    /// The pcs of labels, in their order.
    pub label_starts: GcArray<u32>,
    /// The labels, one behind the other. The library has a `Str` for this; who names that has all
    /// its methods in the crate, and the translator goes by names where a function is outside of
    /// the subset, as `list::same` is.
    pub labels: GcArray<u8>,
    /// Where each of them ends there.
    pub label_ends: GcArray<u32>,
}

/// A part of a text in bytes.
fn text(bytes: GcArray<u8>, from: usize, to: usize) -> String {
    String::from_utf8_lossy(&bytes.as_slice()[from..to]).into_owned()
}

/// Where the instruction at pc comes from; its label is the last one in front of it.
pub fn location(pc: usize, code: Gc<Code>) -> Location {
    let source = code.source;
    let last = |starts: GcArray<u32>| {
        let behind = starts
            .as_slice()
            .partition_point(|&start| start as usize <= pc);
        behind.checked_sub(1)
    };
    let location = Location::new()
        .file(text(source.file, 0, source.file.len()))
        .offset(pc);
    let location = match last(source.line_starts).map(|n| source.lines[n]) {
        Some(line) if line > 0 => location.line(line),
        _ => location,
    };
    match last(source.label_starts) {
        Some(n) => {
            let from = n
                .checked_sub(1)
                .map_or(0, |n| source.label_ends[n] as usize);
            let label = text(source.labels, from, source.label_ends[n] as usize);
            location.function(label)
        }
        None => location,
    }
}

/// A frame. The stack of the running frame is in a local variable of the interpreter; that of the
/// caller is here.
#[gc]
pub struct Frame {
    /// The caller; `None` in the main frame.
    pub back: Option<Gc<Frame>>,
    /// Where the caller continues.
    pub return_pc: usize,
    /// How many values the caller's stack holds.
    pub return_sp: usize,
    /// The caller's stack; in the main frame its own.
    pub return_stack: Stack,
    /// The arguments; in a method the receiver is the first.
    pub args: Args,
    /// How many frames are below this one.
    pub depth: i64,
}

/// A new integer.
#[inline(always)]
pub fn int(value: i64) -> Obj {
    Obj::from(Gc::new(IntObj { value }))
}

/// The name of a type in messages.
pub fn type_name(value: Obj) -> &'static str {
    match value.kind() {
        ObjKind::Int(_) => "an integer",
        ObjKind::Nil(_) => "nil",
        ObjKind::Cons(_) => "a list",
        ObjKind::Instance(_) => "an object",
    }
}

/// An empty stack with room for what most programs need.
#[inline(always)]
pub fn new_stack(nil: Obj) -> Stack {
    Stack::new(8, nil)
}

/// The number of an attribute in a class.
#[elidable]
pub fn find_attr(shape: Gc<Shape>, name: i64) -> Option<usize> {
    position(shape.attrs, name)
}

/// The pc of a method of a class.
#[elidable]
pub fn find_method(shape: Gc<Shape>, name: i64) -> Option<i64> {
    position(shape.methods, name).map(|index| shape.targets[index])
}

fn position(names: GcArray<i64>, name: i64) -> Option<usize> {
    (0..names.len()).find(|&index| names[index] == name)
}
