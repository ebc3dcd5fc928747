//! `eval`, `exec`, `compile`, `globals`, `locals`, and `vars` and `dir` of where they are called.
//! In: arguments. Out: results.

use super::given::Given;
use super::names::*;
use super::{collect, sorting};
use crate::compile::entry::Part;
use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Namespace, Value, text};
use crate::heap::world::{class_of, intern, type_name};
use crate::plain::bytes;
use crate::plain::codec::{Encoding, decode};
use crate::plain::fault;
use crate::run::objects::{attribute, evaluate, import, special};
use verdigris::prelude::*;

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
            let (module, _) = evaluate::scope(given.world, "globals")?;
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
    let (module, locals) = evaluate::scope(given.world, given.name())?;
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
        Value::Instance(own) if own.map.get().class.name.as_str() == "code" => {
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
            let (module, own) = evaluate::scope(world, name)?;
            if locals.is_none() {
                known_locals = own;
            }
            (module, None)
        }
        (Value::Dict(dict), _) => (evaluate::module_of(world, dict), Some(dict)),
        (_, Value::Instance(own)) if own.map.get().class.name.as_str() == "Globals" => {
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
    if let (Some(namespace), Value::Dict(to)) = (namespace, instance::plain(locals)) {
        evaluate::take_names_back(world, namespace, to)?;
    }
    match given.id {
        EVAL => made,
        _ => made.map(|_| Value::None),
    }
}

/// Local variables as a namespace.
fn namespace(given: Given, locals: Value) -> Result<Option<Gc<Namespace>>, Thrown> {
    let world = given.world;
    match instance::plain(locals) {
        Value::None => Ok(None),
        Value::Namespace(namespace) => Ok(Some(namespace)),
        Value::Dict(dict) => Ok(Some(evaluate::namespace_of(world, dict))),
        _ => match collect::mapping_of(world, locals, given.depth)? {
            Some(dict) if given.id == EVAL => Ok(Some(evaluate::namespace_of(world, dict))),
            Some(_) => Err(given.missing("'exec()' with locals that are no dict")),
            None => {
                let class = type_name(world, locals);
                let message = match given.id {
                    EVAL => "locals must be a mapping".to_string(),
                    _ => format!("locals must be a mapping or None, not {class}"),
                };
                Err(given.type_error(&message))
            }
        },
    }
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

/// The names of the attributes of an instance of a program's class, or of such a class, in no
/// order; `None` of other values.
///
/// # Errors
/// What its `__dir__` raises.
pub fn attributes(given: Given, value: Value) -> Result<Option<Value>, Thrown> {
    let world = given.world;
    let class = match value {
        Value::Instance(own) => own.map.get().class,
        Value::Class(class) => class,
        _ => return Ok(None),
    };
    let hook = class::lookup(class_of(world, value), intern(world, "__dir__"));
    if !hook.is_unbound() {
        let nothing = crate::run::call::nothing();
        return crate::run::call::method(world, hook, value, nothing, given.depth).map(Some);
    }
    if class.builtin || class.layout != crate::heap::world::classes::OBJECT {
        return Ok(None);
    }
    let made = verdigris::List::new();
    OF_OBJECTS.iter().for_each(|name| made.push(text(name)));
    let order = class.order.get();
    for n in 0..order.len() {
        if order[n].builtin {
            continue;
        }
        made.push(text("__module__"));
        let slots = order[n].slots;
        (0..slots.len()).for_each(|n| made.push(text(slots[n].as_str())));
        let names = order[n].namespace.keys();
        for n in 0..names.len() {
            if names.at(n).as_str() != "__qualname__" {
                made.push(text(names.at(n).as_str()));
            }
        }
    }
    if class.has_dict {
        made.push(text("__dict__"));
        made.push(text("__weakref__"));
    }
    if let Value::Instance(own) = value {
        let dict = instance::own_names(own);
        (0..dict.len()).for_each(|n| made.push(dict.at(n)));
    }
    Ok(Some(Value::List(made)))
}
