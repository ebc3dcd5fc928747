//! Heap classes of the language. The classes that the interpreter works on.
//! Invariant: every value is one [`Obj`]; what the guest program cannot change is a plain field, so
//! that the JIT may read it at compile time.

use verdigris::{List, Map, prelude::*};

/// An integer.
#[gc]
pub struct IntObj {
    /// Its value; arithmetic wraps.
    pub value: i64,
}

/// Nil.
#[gc]
pub struct NilObj {}

/// A text. Equal texts of a program are one object.
#[gc]
pub struct Text {
    /// Its number in the program.
    pub number: i64,
}

/// A function or method.
#[gc]
pub struct Function {
    /// Its number in the program.
    pub number: i64,
    /// Where its code begins.
    pub entry: usize,
    /// How many arguments it takes, without the receiver.
    pub arity: usize,
    /// The slot where its operand stack begins.
    pub bottom: usize,
    /// How many slots its frames have.
    pub slots: usize,
}

/// A class. Its methods and attributes are one thing: names with values.
#[gc]
pub struct Class {
    /// Its number in the program.
    pub number: i64,
    /// Its methods and attributes.
    pub methods: Gc<Dict>,
    /// Changes whenever `methods` does. Only the stage with versions looks at it: `None` when it no
    /// longer does.
    pub version: Cell<Option<Gc<Version>>>,
    /// How often an entry of `methods` was replaced on that stage.
    pub changes: Cell<i64>,
}

/// A dictionary from the numbers of names to values.
pub type Dict = Map<i64, Obj>;

/// The state of a class between two changes. Only its identity counts.
#[gc]
pub struct Version {}

/// An instance whose attributes are a dictionary.
#[gc]
pub struct DictInstance {
    /// Its class.
    pub class: Gc<Class>,
    /// Its attributes.
    pub attributes: Gc<Dict>,
}

/// Tag of the arrays that hold attributes.
pub struct InInstance;

/// The attributes that do not fit in the fields of an instance.
pub type Storage = GcArray<Cell<Obj>, InInstance>;

/// The layout of an instance: the layout before its last attribute was added, and that attribute.
#[gc]
pub struct ObjectMap {
    /// The map before; `None` in the empty map.
    pub back: Option<Gc<ObjectMap>>,
    /// The name of the last attribute; -1 in the empty map.
    pub name: i64,
    /// How many attributes there are; the last has the last index.
    pub len: usize,
    /// The maps that have one attribute more.
    pub transitions: Gc<List<Gc<ObjectMap>>>,
}

/// An instance whose attributes are in slots that its map assigns.
#[gc]
pub struct MapInstance {
    /// Its class.
    pub class: Gc<Class>,
    /// Its layout.
    pub map: Cell<Gc<ObjectMap>>,
    /// The attribute with index 0.
    pub value0: Cell<Obj>,
    /// The attribute with index 1.
    pub value1: Cell<Obj>,
    /// The attribute with index 2.
    pub value2: Cell<Obj>,
    /// The attribute with index 3.
    pub value3: Cell<Obj>,
    /// The attributes from index 4 on.
    pub storage: Cell<Storage>,
}

/// A value.
#[object(Obj)]
#[derive(Clone, Copy)]
pub enum ObjKind {
    /// An integer.
    Int(Gc<IntObj>),
    /// Nil.
    Nil(Gc<NilObj>),
    /// A text.
    Text(Gc<Text>),
    /// A function or method.
    Function(Gc<Function>),
    /// A class.
    Class(Gc<Class>),
    /// An instance whose attributes are a dictionary.
    DictInstance(Gc<DictInstance>),
    /// An instance whose attributes are in slots that its map assigns.
    MapInstance(Gc<MapInstance>),
}

/// The object model of a loaded program.
#[gc]
pub struct Model {
    /// [`DICT`](crate::model::DICT), [`MAPS`](crate::model::MAPS) or
    /// [`VERSIONS`](crate::model::VERSIONS).
    pub stage: u8,
    /// The map of an instance that has no attributes yet.
    pub empty_map: Gc<ObjectMap>,
    /// The storage of an instance whose attributes fit in its own slots.
    pub no_storage: Storage,
    /// The value of an unused slot.
    pub nil: Obj,
}

/// Tag of the arrays that are slots of frames.
pub struct InFrame;

/// The slots of a frame: receiver, parameters, other local variables, operand stack.
pub type Slots = GcArray<Register<Obj>, InFrame>;

/// A loaded program.
#[gc]
pub struct Code {
    /// The bytecode.
    pub bytes: GcArray<u8>,
    /// The constants.
    pub consts: GcArray<Obj>,
    /// The object model.
    pub model: Gc<Model>,
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
    /// The pcs from which on there is another place in the file, in their order.
    pub starts: GcArray<u32>,
    /// The lines of these places.
    pub lines: GcArray<u32>,
    /// Their columns.
    pub columns: GcArray<u32>,
    /// The pcs at which functions begin, in the order of the code.
    pub entries: GcArray<u32>,
    /// Their names, one behind the other.
    pub names: GcArray<u8>,
    /// Where each of them ends there.
    pub name_ends: GcArray<u32>,
}

/// A part of a text in bytes.
fn text(bytes: GcArray<u8>, from: usize, to: usize) -> String {
    String::from_utf8_lossy(&bytes.as_slice()[from..to]).into_owned()
}

/// Where the instruction at pc comes from.
pub fn location(pc: usize, code: Gc<Code>) -> Location {
    let source = code.source;
    let last = |starts: GcArray<u32>| {
        let behind = starts
            .as_slice()
            .partition_point(|&start| start as usize <= pc);
        behind.checked_sub(1)
    };
    let location = Location::new().file(text(source.file, 0, source.file.len()));
    let location = match last(source.starts) {
        Some(n) => location.line(source.lines[n]).column(source.columns[n]),
        None => location.offset(pc),
    };
    match last(source.entries) {
        Some(n) => {
            let from = n.checked_sub(1).map_or(0, |n| source.name_ends[n] as usize);
            let name = text(source.names, from, source.name_ends[n] as usize);
            location.function(name)
        }
        None => location,
    }
}

/// A frame.
#[gc]
pub struct Frame {
    /// The caller; `None` in the main program.
    pub back: Option<Gc<Frame>>,
    /// Where the caller continues.
    pub return_pc: usize,
    /// The caller's slot that gets the result.
    pub return_sp: usize,
    /// The slots.
    pub slots: Slots,
    /// How many frames are below this one.
    pub depth: i64,
}

/// A new integer.
#[inline(always)]
pub fn int(value: i64) -> Obj {
    Obj::from(Gc::new(IntObj { value }))
}
