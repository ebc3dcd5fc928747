//! `eval`, `exec`, `compile`, `globals`, `locals`, and `vars` and `dir` of where they are called.
//! In: arguments. Out: results.

use super::given::Given;
use super::names::*;
use super::{collect, sorting};
use crate::compile::entry::Part;
use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Value, text};
use crate::heap::world::{class_of, classes, intern, type_name};
use crate::plain::bytes;
use crate::plain::codec::{Encoding, decode};
use crate::plain::fault;
use crate::run::objects::{attribute, evaluate, import, special};

type Outcome = Result<Value, Thrown>;

/// The module of the library that has what is a class here.
const LIBRARY: &str = "_evaluate";

/// Calls such a function.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Outcome {
    match given.id {
        GLOBALS => {
            let (module, _) = evaluate::scope(given.world, "globals", given.depth)?;
            globals(given, Value::Module(module))
        }
        LOCALS => locals(given),
        EVAL | EXEC => run(given),
        COMPILE => compile(given),
        _ => {
            let (Value::Module(module), Value::Str(name)) = (given.at(0), given.at(1)) else {
                return match given.at(0) {
                    Value::Module(module) => Ok(evaluate::names_of(module)),
                    _ => Err(given.type_error("a module is needed")),
                };
            };
            let name = intern(given.world, name.as_str());
            let global = module
                .globals
                .get(name)
                .map_or(Value::Unbound, |global| global.get());
            match global {
                Value::Unbound => Err(fault::no_key(given.world, given.at(1))),
                value => Ok(value),
            }
        }
    }
}

/// The globals of a module as a mapping.
///
/// # Errors
/// What importing the library raises.
pub fn globals(given: Given, module: Value) -> Outcome {
    import::call(given.world, LIBRARY, "globals_of", &[module], given.depth)
}

/// `locals()`, and `vars()` without an argument.
///
/// # Errors
/// That it was called by another name.
pub fn locals(given: Given) -> Outcome {
    let (module, locals) = evaluate::scope(given.world, given.name(), given.depth)?;
    match locals {
        Value::Namespace(namespace) => Ok(Value::Dict(special::as_dict(namespace))),
        Value::None => globals(given, Value::Module(module)),
        locals => Ok(locals),
    }
}

/// `dir()`
///
/// # Errors
/// That it was called by another name.
pub fn names(given: Given) -> Outcome {
    let list = collect::list_of(given.world, locals(given)?, given.depth)?;
    sorting::sort(given, list)?;
    Ok(Value::List(list))
}

/// A text to be run, the name of its file, and what it is to be.
struct Written {
    text: String,
    file: String,
    part: Part,
}

fn written(given: Given, source: Value) -> Result<Option<Written>, Thrown> {
    let world = given.world;
    let part = |name: &str| attribute::get(world, source, intern(world, name), given.depth);
    let here = Part {
        is_expression: given.id == EVAL,
        ..Part::default()
    };
    let (text, file, mode) = match instance::plain(source) {
        Value::Str(text) => (text.as_str().to_string(), "<string>".to_string(), here),
        Value::Bytes(_) | Value::ByteArray(_) => {
            let data = bytes::of(&source).unwrap_or_default();
            let text = decode(world, &data, Encoding::Utf8, "strict")?;
            (text, "<string>".to_string(), here)
        }
        Value::Instance(own) if own.map.get().class.name_text() == "code" => {
            let (Value::Str(text), Value::Str(file)) = (part("_source")?, part("co_filename")?)
            else {
                return Ok(None);
            };
            let own = Part {
                is_expression: part("_is_expression")? == Value::Bool(true),
                is_single: part("_is_single")? == Value::Bool(true),
                ..Part::default()
            };
            (text.as_str().to_string(), file.as_str().to_string(), own)
        }
        _ => return Ok(None),
    };
    let text = if mode.is_expression {
        text.trim_start_matches([' ', '\t']).to_string()
    } else {
        text
    };
    Ok(Some(Written {
        text,
        file,
        part: mode,
    }))
}

fn run(given: Given) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    let name = given.name();
    let scope = world.scope.get();
    world.scope.set(Value::None);
    let Some(written) = written(given, given.at(0))? else {
        let message = format!("{name}() arg 1 must be a string, bytes or code object");
        return Err(given.type_error(&message));
    };
    let or_none = |value: Value| {
        if value.is_unbound() {
            Value::None
        } else {
            value
        }
    };
    let (globals, locals) = (or_none(given.at(1)), or_none(given.at(2)));
    let mut known_locals = locals;
    let (module, dict) = match (instance::plain(globals), globals) {
        (Value::None, _) => {
            world.scope.set(scope);
            let (module, own) = evaluate::scope(world, name, depth)?;
            if locals.is_none() {
                known_locals = own;
            }
            (module, None)
        }
        (Value::Dict(dict), _) => (evaluate::module_of(world, dict), Some(dict)),
        (_, Value::Instance(own)) if own.map.get().class.name_text() == "Globals" => {
            match attribute::get(world, globals, intern(world, "_module"), depth)? {
                Value::Module(module) => (module, None),
                _ => return Err(given.type_error("globals must be a dict")),
            }
        }
        _ => {
            let class = type_name(world, globals);
            let message = match given.id {
                EVAL => "globals must be a dict".to_string(),
                _ => format!("exec() globals must be a dict, not {class}"),
            };
            return Err(given.type_error(&message));
        }
    };
    if known_locals == globals {
        known_locals = Value::None;
    }
    let namespace = namespace(given, known_locals)?;
    let place = (module, namespace);
    let Written { text, file, part } = written;
    let made = evaluate::run(world, &text, &file, part, place, depth);
    if let Some(dict) = dict {
        evaluate::take_back(world, module, dict)?;
    }
    match given.id {
        EVAL => made,
        _ => made.map(|_| Value::None),
    }
}

/// Local variables as a namespace: `None` if they are the globals.
fn namespace(given: Given, locals: Value) -> Outcome {
    let world = given.world;
    let is_mapping = match instance::plain(locals) {
        Value::None | Value::Namespace(_) | Value::Dict(_) => true,
        _ => {
            let getter = world.names[crate::heap::world::names::GETITEM];
            !class::lookup(class_of(world, locals), getter).is_unbound()
        }
    };
    if is_mapping {
        return Ok(locals);
    }
    let class = type_name(world, locals);
    let message = match given.id {
        EVAL => "locals must be a mapping".to_string(),
        _ => format!("locals must be a mapping or None, not {class}"),
    };
    Err(given.type_error(&message))
}

/// `compile(source, filename, mode)`
fn compile(given: Given) -> Outcome {
    let allowed = [
        "source",
        "filename",
        "mode",
        "flags",
        "dont_inherit",
        "optimize",
    ];
    given.check_keywords(&allowed)?;
    let (world, depth) = (given.world, given.depth);
    let source = given.named(0, "source");
    let Some(written) = written(given, source)? else {
        let message = "compile() arg 1 must be a string, bytes or AST object";
        return Err(given.type_error(message));
    };
    let (Value::Str(file), Value::Str(mode)) = (given.named(1, "filename"), given.named(2, "mode"))
    else {
        return Err(given.missing("'compile()' without the name of a file and a mode"));
    };
    if !matches!(given.named(3, "flags"), Value::Unbound | Value::Int(0)) {
        return Err(given.missing("'compile()' with flags"));
    }
    let (is_expression, is_single) = match mode.as_str() {
        "eval" => (true, false),
        "exec" => (false, false),
        "single" => (false, true),
        _ => {
            let message = "compile() mode must be 'exec', 'eval' or 'single'";
            return Err(given.value_error(message));
        }
    };
    let trimmed = match is_expression {
        true => written.text.trim_start_matches([' ', '\t']),
        false => &written.text,
    };
    let part = Part {
        is_expression,
        is_single,
        ..Part::default()
    };
    evaluate::check(world, trimmed, file.as_str(), part)?;
    let args = [
        text(trimmed),
        Value::Str(file),
        Value::Bool(is_expression),
        Value::Bool(is_single),
    ];
    import::call(world, LIBRARY, "code", &args, depth)
}

/// What `dir` shows of objects of any class.
const OF_OBJECTS: [&str; 24] = [
    "__class__",
    "__delattr__",
    "__dir__",
    "__doc__",
    "__eq__",
    "__format__",
    "__ge__",
    "__getattribute__",
    "__getstate__",
    "__gt__",
    "__hash__",
    "__init__",
    "__init_subclass__",
    "__le__",
    "__lt__",
    "__ne__",
    "__new__",
    "__reduce__",
    "__reduce_ex__",
    "__repr__",
    "__setattr__",
    "__sizeof__",
    "__str__",
    "__subclasshook__",
];

/// The names of the attributes of a value, in no order.
///
/// # Errors
/// What its `__dir__` raises.
pub fn attributes(given: Given, value: Value) -> Outcome {
    let world = given.world;
    let hook = class::lookup(class_of(world, value), intern(world, "__dir__"));
    if !hook.is_unbound() {
        let nothing = crate::run::call::nothing();
        return crate::run::call::method(world, hook, value, nothing, given.depth);
    }
    names_of(given, value)
}

/// What functions have beside their own attributes and those of all objects.
const OF_FUNCTIONS: [&str; 11] = [
    "__annotations__",
    "__closure__",
    "__code__",
    "__defaults__",
    "__dict__",
    "__globals__",
    "__kwdefaults__",
    "__module__",
    "__name__",
    "__qualname__",
    "__builtins__",
];

/// What `object.__dir__` and `type.__dir__` return.
///
/// # Errors
/// What asking the object for its dict raises.
pub fn names_of(given: Given, value: Value) -> Outcome {
    let world = given.world;
    let class = match value {
        Value::Class(class) => class,
        other => class_of(world, other),
    };
    let made = verdigris::List::new();
    let add = |name: &str| made.push(text(name));
    OF_OBJECTS.iter().for_each(|name| add(name));
    let order = class.order.get();
    for n in 0..order.len() {
        let own = special::entries(order[n]);
        for entry in crate::plain::entries(own) {
            let key = own.keys.get()[entry].get();
            let is_module = matches!(key, Value::Str(name) if name.as_str() == "__module__");
            if !(is_module && order[n].builtin) {
                made.push(key);
            }
        }
    }
    let parts: &[&str] = match class.layout {
        classes::INT | classes::BOOL => &["real", "imag", "numerator", "denominator"],
        classes::FLOAT | classes::COMPLEX => &["real", "imag"],
        classes::RANGE | classes::SLICE => &["start", "stop", "step"],
        _ => &[],
    };
    parts.iter().for_each(|name| add(name));
    match value {
        Value::Instance(own) => {
            let names = instance::own_names(own);
            (0..names.len()).for_each(|n| made.push(names.at(n)));
        }
        Value::Function(_) => {
            OF_FUNCTIONS.iter().for_each(|name| add(name));
            let own = attribute::get(world, value, intern(world, "__dict__"), given.depth)?;
            let own = collect::list_of(world, own, given.depth)?;
            (0..own.len()).for_each(|n| made.push(own.at(n)));
        }
        Value::Method(method) => {
            let names = names_of(given, method.function)?;
            let names = collect::list_of(world, names, given.depth)?;
            (0..names.len()).for_each(|n| made.push(names.at(n)));
            add("__self__");
            add("__func__");
        }
        _ => {}
    }
    Ok(Value::List(made))
}
