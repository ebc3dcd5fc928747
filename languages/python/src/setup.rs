//! A new world. In: what the command line says. Out: builtin classes, functions and modules.

use crate::heap::class::{self, Class, Plan};
use crate::heap::dict;
use crate::heap::function::{Global, Module, Native, define as set_constant};
use crate::heap::instance;
use crate::heap::value::{Namespace, Text, Tuple, Value, text};
use crate::heap::variables;
use crate::heap::world::{World, classes, intern, names};
use crate::run::items::keys;
use crate::run::native::names::{NATIVES, SLOT_REPR, TYPE_NEW};
use crate::run::native::slots;
use verdigris::{List, Map, Str, prelude::*};

/// What a program is started with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// `sys.argv`
    pub arguments: Vec<String>,
    /// The folder of the program, from which modules are imported.
    pub folder: String,
    /// The recursion limit.
    pub limit: i64,
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
        folder: Str::new(&setup.folder),
        arguments: Value::List(arguments),
    });
    install(world);
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
    let layout = match number >= classes::BASE_EXCEPTION {
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
    for number in classes::BASE_EXCEPTION..classes::CLASSES.len() {
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
    let stream = stream_class(world);
    for (id, &(place, name, ..)) in NATIVES.iter().enumerate() {
        let native = |class| {
            let name = intern(world, name);
            Value::Native(Gc::new(Native { id, name, class }))
        };
        match (place, class_of_place(place)) {
            ("", _) => builtin(world, name, native(None)),
            // These are found when they are asked for by `super()`.
            ("object", _) => {}
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

/// A special method of the builtin classes that have it.
fn slot(world: Gc<World>, id: usize, text: &str) {
    let name = intern(world, text);
    let number = id - SLOT_REPR + names::REPR;
    for class in 0..classes::BASE_EXCEPTION {
        let class_of_it = world.classes[class];
        if slots::has(class, number) {
            let class = Some(class_of_it);
            let native = Native { id, name, class };
            method(world, class_of_it, text, Value::Native(Gc::new(native)));
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
    Value::Accessor(Gc::new(crate::heap::value::Accessor {
        kind: crate::heap::value::STATIC,
        get: function,
        set: Value::None,
        delete: Value::None,
    }))
}

/// A method of a class that is called on the class.
fn from_keys(function: Value) -> Value {
    Value::Accessor(Gc::new(crate::heap::value::Accessor {
        kind: crate::heap::value::CLASS,
        get: function,
        set: Value::None,
        delete: Value::None,
    }))
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
        Value::Native(native) => Value::Native(Gc::new(Native {
            id: native.id,
            name: native.name,
            class: Some(changing),
        })),
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
    let changing = ["add", "remove", "discard", "pop", "clear", "update"];
    let keys = set.namespace.keys();
    for n in 0..keys.len() {
        let name = keys.at(n);
        if !changing.contains(&name.as_str())
            && let Some(function) = set.namespace.get(name)
        {
            frozen.namespace.insert(name, function);
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
    let float = Value::Float;
    in_module(world, "math", "pi", float(std::f64::consts::PI));
    in_module(world, "math", "e", float(std::f64::consts::E));
    in_module(world, "math", "tau", float(std::f64::consts::TAU));
    in_module(world, "math", "inf", float(f64::INFINITY));
    in_module(world, "math", "nan", float(f64::NAN));
    in_module(world, "sys", "argv", world.arguments);
    in_module(world, "sys", "maxsize", Value::Int(i64::MAX));
    in_module(world, "sys", "modules", Value::Dict(world.modules));
    in_module(world, "sys", "platform", text("linux"));
    in_module(world, "sys", "byteorder", text("little"));
    in_module(world, "sys", "version", text("3.11.0 (Verdigris)"));
    let version = Tuple::new(5, Value::Int(0));
    version[0].set(Value::Int(3));
    version[1].set(Value::Int(11));
    version[3].set(text("final"));
    in_module(world, "sys", "version_info", Value::Tuple(version));
    for (name, number) in [("stdout", 1), ("stderr", 2)] {
        let file = instance::new(stream, Value::Int(number));
        in_module(world, "sys", name, Value::Instance(file));
    }
}
