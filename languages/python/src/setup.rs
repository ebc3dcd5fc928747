//! A new world. In: what the command line says. Out: builtin classes, functions and modules.

use crate::clock::{self, Clock};
use crate::heap::class::{self, Class, Plan};
use crate::heap::dict;
use crate::heap::function::{Global, Module, define as set_constant};
use crate::heap::instance;
use crate::heap::places;
use crate::heap::value::{CLASS, Namespace, STATIC, Text, Tuple, Value, accessor, text};
use crate::heap::variables;
use crate::heap::world::{World, classes, intern, names};
use crate::run::items::keys;
use crate::run::native::names::{
    META_PREPARE, NATIVES, OBJECT_INIT_SUBCLASS, OBJECT_NEW, OBJECT_SUBCLASSHOOK, SLOT_REPR,
    TYPE_NEW,
};
use crate::run::native::{new_native, slots};
use crate::run::objects::{finalize, import};
use crate::stdlib::StdlibChoice;
use verdigris::{List, Map, Str, prelude::*};

/// What a program is started with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// `sys.argv`
    pub arguments: Vec<String>,
    /// The folder of the program, from which modules are imported.
    pub folder: String,
    /// What is made of the modules of a CPython that is installed.
    pub stdlib: StdlibChoice,
    /// The recursion limit.
    pub limit: i64,
    /// Its clocks.
    pub clock: Clock,
}

/// The builtin classes that are builtins by name, too.
const NAMED: [&str; 20] = [
    "object",
    "type",
    "int",
    "bool",
    "float",
    "str",
    "list",
    "tuple",
    "dict",
    "set",
    "frozenset",
    "range",
    "slice",
    "property",
    "staticmethod",
    "classmethod",
    "super",
    "enumerate",
    "zip",
    "map",
];

/// The others.
const NAMED_TOO: [&str; 5] = ["filter", "reversed", "bytes", "bytearray", "complex"];

/// Makes a world.
pub fn world(setup: &Setup) -> Gc<World> {
    let interned: Gc<Map<Gc<Str>, Gc<Str>>> = Map::new();
    let name_of = |name: &str| {
        let name = Str::new(name);
        interned.get_or_insert(name, name)
    };
    let names: RootVec<Gc<Str>> = RootVec::new();
    names::NAMES
        .iter()
        .for_each(|name| names.push(name_of(name)));
    let all: RootVec<Gc<Class>> = RootVec::new();
    for (number, name) in classes::CLASSES.iter().enumerate() {
        all.push(builtin_class(
            &all,
            number,
            name_of(name),
            name_of("builtins"),
        ));
    }
    let characters: RootVec<Gc<Text>> = RootVec::new();
    for code in 0..128u8 {
        let data = name_of(char::from(code).encode_utf8(&mut [0; 4]));
        characters.push(Gc::new(Text { data, chars: 1 }));
    }
    let arguments: Gc<List<Value>> = List::new();
    setup
        .arguments
        .iter()
        .for_each(|arg| arguments.push(text(arg)));
    let path: Gc<List<Value>> = List::new();
    path.push(text(&setup.folder));
    let preferred = match &setup.stdlib {
        StdlibChoice::Preferred(folder) => folder.as_str(),
        _ => "",
    };
    if !preferred.is_empty() {
        path.push(text(preferred));
    }
    let fallback = match setup.stdlib {
        StdlibChoice::Fallback => Value::Unbound,
        _ => Value::None,
    };
    let world = Gc::new(World {
        classes: all.to_array(),
        names: names.to_array(),
        interned,
        builtins: Map::new(),
        modules: dict::new(),
        handled: Cell::new(Value::None),
        scope: Cell::new(Value::None),
        empty: crate::heap::value::new_text(""),
        characters: characters.to_array(),
        no_items: Tuple::new(0, Value::Unbound),
        limit: Quasi::new(setup.limit),
        interrupted: Quasi::new(false),
        stdlib: Str::new(preferred),
        fallback: Cell::new(fallback),
        lacks_fallback: Cell::new(false),
        path,
        of_objects: Namespace::new(),
        of_types: Namespace::new(),
        places: places::none(),
        codes: places::no_codes(),
        exports: List::new(),
        threads: List::new(),
        arguments: Value::List(arguments),
    });
    install(world);
    clock::begin(setup.clock);
    finalize::begin();
    world
}

fn builtin_class(
    known: &RootVec<Gc<Class>>,
    number: usize,
    name: Gc<Str>,
    module: Gc<Str>,
) -> Gc<Class> {
    let bases: RootVec<Gc<Class>> = RootVec::new();
    if number > 0
        && let Some(base) = known.get(classes::base_of(number))
    {
        bases.push(base);
    }
    let is_exception = (classes::BASE_EXCEPTION..classes::CODE).contains(&number);
    if number == classes::EXCEPTION_GROUP
        && let Some(base) = known.get(classes::EXCEPTION)
    {
        bases.push(base);
    }
    let layout = match is_exception {
        true => classes::BASE_EXCEPTION,
        false => number,
    };
    let plan = Plan {
        name,
        qualname: name,
        module,
        namespace: Namespace::new(),
        bases: bases.to_array(),
        layout,
        builtin: true,
        meta: None,
        slots: None,
    };
    class::new(plan).expect("builtin classes have an order")
}

/// A builtin module.
fn module(world: Gc<World>, name: &str) -> Gc<Module> {
    let key = text(name);
    if let Ok(Value::Module(module)) = keys::get(world, world.modules, key, 0) {
        return module;
    }
    let made = Gc::new(Module {
        name: intern(world, name),
        file: Str::new(""),
        source: Str::new(""),
        globals: Map::new(),
    });
    // A string has a hash.
    let _ = keys::put(world, world.modules, key, Value::Module(made), 0);
    made
}

fn in_module(world: Gc<World>, name: &str, attribute: &str, value: Value) {
    let module = module(world, name);
    let global = variables::global_of(world, module, intern(world, attribute));
    set_constant(global, value);
}

fn builtin(world: Gc<World>, name: &str, value: Value) {
    let name = intern(world, name);
    let global = Global::new(name, None);
    set_constant(global, value);
    world.builtins.insert(name, global);
}

/// The number of the class that has the methods of a place.
fn class_of_place(place: &str) -> Option<usize> {
    match place {
        "generator" => Some(classes::GENERATOR),
        "BaseException" => Some(classes::BASE_EXCEPTION),
        _ => classes::CLASSES.iter().position(|&name| name == place),
    }
}

fn install(world: Gc<World>) {
    for name in NAMED.into_iter().chain(NAMED_TOO) {
        if let Some(number) = class_of_place(name) {
            builtin(world, name, Value::Class(world.classes[number]));
        }
    }
    for number in classes::BASE_EXCEPTION..classes::CODE {
        builtin(
            world,
            classes::CLASSES[number],
            Value::Class(world.classes[number]),
        );
    }
    for alias in ["EnvironmentError", "IOError"] {
        builtin(world, alias, Value::Class(world.classes[classes::OS_ERROR]));
    }
    builtin(world, "NotImplemented", Value::NotImplemented);
    builtin(world, "Ellipsis", Value::Ellipsis);
    builtin(world, "__debug__", Value::Bool(true));
    // What the dialogue has shown last.
    builtin(world, "_", Value::Unbound);
    // What is written in Python, and is there when a program asks for it.
    for name in import::LATE_BUILTINS {
        builtin(world, name, Value::Unbound);
    }
    let stream = stream_class(world);
    for (id, &(place, name, ..)) in NATIVES.iter().enumerate() {
        let native = |class| {
            let name = intern(world, name);
            Value::Native(new_native(id, name, class))
        };
        match (place, class_of_place(place)) {
            ("", _) => builtin(world, name, native(None)),
            // These are found when there is nothing else of the name.
            ("object", _) => {
                let class = Some(world.classes[classes::OBJECT]);
                let own = match id {
                    OBJECT_NEW => native(None),
                    OBJECT_SUBCLASSHOOK | OBJECT_INIT_SUBCLASS => from_keys(native(class)),
                    _ => native(class),
                };
                world.of_objects.insert(intern(world, name), own);
            }
            ("meta", _) => {
                let class = Some(world.classes[classes::TYPE]);
                let own = match id {
                    META_PREPARE => from_keys(native(class)),
                    _ => native(class),
                };
                world.of_types.insert(intern(world, name), own);
            }
            ("descriptor", _) => descriptor(world, name, native),
            ("slot", _) => slot(world, id, name),
            ("data", _) => {
                for number in slots::DATA {
                    let class = world.classes[number];
                    method(world, class, name, as_static(native(None)));
                }
            }
            ("type", _) if id == TYPE_NEW => {
                let class = world.classes[classes::TYPE];
                method(world, class, name, as_static(native(None)));
            }
            ("BaseException", _) if name.starts_with("__") => {}
            ("file", _) => method(world, stream, name, native(Some(stream))),
            ("math" | "sys" | "time" | "_verdigris", _) => {
                in_module(world, place, name, native(None))
            }
            (_, Some(number)) => {
                let class = world.classes[number];
                match name {
                    "fromkeys" | "fromhex" | "from_bytes" => {
                        method(world, class, name, from_keys(native(Some(class))));
                    }
                    "maketrans" => method(world, class, name, as_static(native(None))),
                    _ => method(world, class, name, native(Some(class))),
                }
                if number == classes::BYTES {
                    share_with_array(world, name);
                }
            }
            _ => {}
        }
    }
    share_with_frozen(world);
    modules(world, stream);
}

/// A method by which functions and the like are found in objects, or called.
fn descriptor(world: Gc<World>, name: &str, native: impl Fn(Option<Gc<Class>>) -> Value) {
    let functions = [
        classes::FUNCTION,
        classes::METHOD,
        classes::STATICMETHOD,
        classes::METHOD_DESCRIPTOR,
        classes::WRAPPER_DESCRIPTOR,
    ];
    let builtin = [classes::NATIVE, classes::METHOD_WRAPPER];
    let members = [
        classes::PROPERTY,
        classes::MEMBER_DESCRIPTOR,
        classes::GETSET_DESCRIPTOR,
    ];
    let all: Vec<usize> = match name {
        "__get__" => (functions.into_iter().chain(members))
            .chain([classes::CLASSMETHOD])
            .collect(),
        "__call__" => functions.into_iter().chain(builtin).collect(),
        _ => members.into(),
    };
    for number in all {
        let class = world.classes[number];
        method(world, class, name, native(Some(class)));
    }
}

/// A special method of the builtin classes that have it.
fn slot(world: Gc<World>, id: usize, text: &str) {
    let name = intern(world, text);
    let number = id - SLOT_REPR + names::REPR;
    for class in 0..classes::BASE_EXCEPTION {
        let class_of_it = world.classes[class];
        if slots::has(class, number) {
            let class = Some(class_of_it);
            let native = new_native(id, name, class);
            method(world, class_of_it, text, Value::Native(native));
        }
    }
    if number == names::HASH {
        for class in [classes::LIST, classes::DICT, classes::SET] {
            method(world, world.classes[class], text, Value::None);
        }
    }
}

/// A function that is not bound to what it is found in.
fn as_static(function: Value) -> Value {
    accessor(STATIC, function)
}

/// A method of a class that is called on the class.
fn from_keys(function: Value) -> Value {
    accessor(CLASS, function)
}

fn method(world: Gc<World>, class: Gc<Class>, name: &str, function: Value) {
    class.namespace.insert(intern(world, name), function);
}

/// Bytearrays have the methods of strings of bytes.
fn share_with_array(world: Gc<World>, name: &str) {
    let (fixed, changing) = (
        world.classes[classes::BYTES],
        world.classes[classes::BYTEARRAY],
    );
    let key = intern(world, name);
    let function = fixed.namespace.get(key).unwrap_or(Value::Unbound);
    let shared = match function {
        Value::Native(native) => Value::Native(new_native(native.id, native.name, Some(changing))),
        other => other,
    };
    changing.namespace.insert(key, shared);
}

/// Frozensets have the methods of sets that change nothing.
fn share_with_frozen(world: Gc<World>) {
    let (set, frozen) = (
        world.classes[classes::SET],
        world.classes[classes::FROZENSET],
    );
    let changing = [
        "add",
        "remove",
        "discard",
        "pop",
        "clear",
        "update",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
    ];
    let keys = set.namespace.keys();
    for n in 0..keys.len() {
        let name = keys.at(n);
        let is_shared = !changing.contains(&name.as_str()) && !frozen.namespace.contains(name);
        if is_shared && let Some(Value::Native(native)) = set.namespace.get(name) {
            let own = new_native(native.id, native.name, Some(frozen));
            frozen.namespace.insert(name, Value::Native(own));
        }
    }
}

/// The class of the standard streams.
fn stream_class(world: Gc<World>) -> Gc<Class> {
    let bases: RootVec<Gc<Class>> = RootVec::new();
    bases.push(world.classes[classes::OBJECT]);
    let plan = Plan {
        name: intern(world, "TextIOWrapper"),
        qualname: intern(world, "TextIOWrapper"),
        module: intern(world, "_io"),
        namespace: Namespace::new(),
        bases: bases.to_array(),
        layout: classes::OBJECT,
        builtin: true,
        meta: None,
        slots: None,
    };
    class::new(plan).expect("it has one base")
}

fn modules(world: Gc<World>, stream: Gc<Class>) {
    for (name, value) in [
        ("encoding", text("utf-8")),
        ("errors", text("strict")),
        ("mode", text("w")),
        ("newlines", Value::None),
        ("closed", Value::Bool(false)),
        ("line_buffering", Value::Bool(false)),
    ] {
        method(world, stream, name, value);
    }
    let float = Value::Float;
    in_module(world, "math", "pi", float(std::f64::consts::PI));
    in_module(world, "math", "e", float(std::f64::consts::E));
    in_module(world, "math", "tau", float(std::f64::consts::TAU));
    in_module(world, "math", "inf", float(f64::INFINITY));
    in_module(world, "math", "nan", float(f64::NAN));
    in_module(world, "sys", "argv", world.arguments);
    in_module(world, "sys", "maxsize", Value::Int(i64::MAX));
    in_module(world, "sys", "modules", Value::Dict(world.modules));
    in_module(world, "sys", "path", Value::List(world.path));
    let builtins = Gc::new(Module {
        name: intern(world, "builtins"),
        file: Str::new(""),
        source: Str::new(""),
        globals: world.builtins,
    });
    // A string has a hash.
    let _ = keys::put(
        world,
        world.modules,
        text("builtins"),
        Value::Module(builtins),
        0,
    );
    in_module(world, "sys", "platform", text("linux"));
    in_module(world, "sys", "byteorder", text("little"));
    in_module(world, "sys", "version", text("3.11.0 (Verdigris) [Rust]"));
    for (name, number) in [("stdout", 1), ("stderr", 2)] {
        let file = instance::new(stream, Value::Int(number));
        let shown = text(&format!("<{name}>"));
        instance::set(file, intern(world, "name"), shown);
        in_module(world, "sys", &format!("__{name}__"), Value::Instance(file));
        in_module(world, "sys", name, Value::Instance(file));
    }
}
