//! What programs can ask of functions, code, activations and descriptors, and what of it they can
//! change. In: objects and names of attributes. Out: values. Invariant: what compiled code uses of
//! a function is in its fields; everything else that a program gives one is in a dict.

use crate::bytecode::opcode;
use crate::heap::dict::{self, Dict};
use crate::heap::exception::Thrown;
use crate::heap::function::{self, Attributes, Code, Function, Module, Native};
use crate::heap::places::FrameView;
use crate::heap::value::{
    Accessor, GETSET, MEMBER, Namespace, PROPERTY, Tuple, Value, text, text_of,
};
use crate::heap::world::{World, classes, intern, interned, type_name};
use crate::plain::fault;
use crate::run::items::keys;
use crate::run::objects::{attribute, import};
use verdigris::{List, Str, prelude::*};

/// What an attribute is; `None` if there is no such attribute.
type Found = Result<Option<Value>, Thrown>;

/// An attribute of a function.
///
/// # Errors
/// What importing the library raises.
pub fn of_function(world: Gc<World>, function: Gc<Function>, name: Gc<Str>, depth: i64) -> Found {
    let code = function.code;
    if let Some(given) = function.attributes.get() {
        let own = keys::get(world, given.own, Value::Str(text_of(name)), depth)?;
        if !own.is_unbound() {
            return Ok(Some(own));
        }
        if let Some(value) = given.special.get(name) {
            return Ok(Some(value));
        }
    }
    Ok(Some(match name.as_str() {
        "__name__" => Value::Str(text_of(code.name)),
        "__qualname__" => Value::Str(text_of(code.qualname)),
        "__module__" => Value::Str(text_of(code.module.name)),
        "__doc__" => code.doc,
        "__code__" => Value::Code(code),
        "__defaults__" => match function.defaults.get() {
            none if none.is_empty() => Value::None,
            defaults => Value::Tuple(defaults),
        },
        "__kwdefaults__" => function.keyword_defaults.get(),
        "__dict__" => Value::Dict(given_to(function).own),
        "__annotations__" => {
            if function.annotations.get().is_none() {
                function.annotations.set(Value::Dict(dict::new()));
            }
            function.annotations.get()
        }
        "__closure__" => match code.free.len() {
            0 => Value::None,
            count => {
                let cells = Tuple::new(count, Value::Unbound);
                for n in 0..count {
                    cells[n].set(Value::Cell(function.closure[n].get()));
                }
                Value::Tuple(cells)
            }
        },
        "__globals__" => globals(world, code.module, depth)?,
        _ => return Ok(None),
    }))
}

/// The name of a function as it is shown.
pub fn qualified(world: Gc<World>, function: Gc<Function>) -> String {
    if let Some(given) = function.attributes.get()
        && let Some(Value::Str(name)) = given.special.get(intern(world, "__qualname__"))
    {
        return name.as_str().to_string();
    }
    function.code.qualname.as_str().to_string()
}

/// What a program has given a function, or will.
fn given_to(function: Gc<Function>) -> Gc<Attributes> {
    function.attributes.get().unwrap_or_else(|| {
        let given = Gc::new(Attributes {
            own: dict::new(),
            special: Namespace::new(),
        });
        function.attributes.set(Some(given));
        given
    })
}

/// Writes an attribute of a function.
///
/// # Errors
/// A `TypeError` if it cannot have this value.
pub fn set_on_function(
    world: Gc<World>,
    function: Gc<Function>,
    name: Gc<Str>,
    value: Value,
) -> Result<(), Thrown> {
    let refused = |text: &str| Err(fault::type_error(world, text));
    match (name.as_str(), value) {
        ("__name__" | "__qualname__", Value::Str(_)) | ("__doc__" | "__module__", _) => {
            given_to(function).special.insert(name, value);
        }
        ("__name__", _) => return refused("__name__ must be set to a string object"),
        ("__qualname__", _) => return refused("__qualname__ must be set to a string object"),
        ("__defaults__", Value::Tuple(defaults)) => function.defaults.set(defaults),
        ("__defaults__", Value::None) => function.defaults.set(world.no_items),
        ("__defaults__", _) => return refused("__defaults__ must be set to a tuple object"),
        ("__kwdefaults__", Value::Dict(_) | Value::None) => function.keyword_defaults.set(value),
        ("__kwdefaults__", _) => return refused("__kwdefaults__ must be set to a dict object"),
        ("__annotations__", Value::Dict(_) | Value::None) => function.annotations.set(value),
        ("__annotations__", _) => return refused("__annotations__ must be set to a dict object"),
        ("__dict__", Value::Dict(own)) => {
            let special = given_to(function).special;
            function
                .attributes
                .set(Some(Gc::new(Attributes { own, special })));
        }
        ("__dict__", _) => {
            let class = type_name(world, value);
            let message = format!("__dict__ must be set to a dictionary, not a '{class}'");
            return Err(fault::type_error(world, &message));
        }
        ("__code__", _) => return Err(fault::missing(world, "assignment to '__code__'")),
        ("__globals__" | "__closure__", _) => {
            let class = classes::ATTRIBUTE_ERROR;
            return Err(fault::new(world, class, "readonly attribute"));
        }
        _ => put(world, given_to(function).own, name, value)?,
    }
    Ok(())
}

/// Removes an attribute of a function. Whether there was one.
///
/// # Errors
/// None: names have hashes.
pub fn delete_on_function(
    world: Gc<World>,
    function: Gc<Function>,
    name: Gc<Str>,
) -> Result<bool, Thrown> {
    let own = given_to(function).own;
    let was = keys::remove(world, own, Value::Str(text_of(name)), 0)?;
    Ok(!was.is_unbound())
}

fn put(world: Gc<World>, to: Gc<Dict>, name: Gc<Str>, value: Value) -> Result<(), Thrown> {
    keys::put(world, to, Value::Str(text_of(name)), value, 0)
}

/// The globals of a module as a mapping.
///
/// # Errors
/// What importing the library raises.
pub fn globals(world: Gc<World>, module: Gc<Module>, depth: i64) -> Result<Value, Thrown> {
    import::call(
        world,
        "_evaluate",
        "globals_of",
        &[Value::Module(module)],
        depth,
    )
}

fn tuple(items: impl Iterator<Item = Value>) -> Value {
    let all = List::new();
    items.for_each(|item| all.push(item));
    let made = Tuple::new(all.len(), Value::Unbound);
    (0..all.len()).for_each(|n| made[n].set(all.at(n)));
    Value::Tuple(made)
}

fn names(all: &[Gc<Str>]) -> Value {
    tuple(all.iter().map(|&name| Value::Str(text_of(name))))
}

/// Whether code is that of a function.
pub fn is_function(code: Gc<Code>) -> bool {
    let first = code.locals.as_slice().first();
    let is_class = first.is_some_and(|name| name.as_str() == ".namespace");
    code.name.as_str() != "<module>" && !is_class
}

/// The flags of code, as CPython numbers them.
fn flags(code: Gc<Code>) -> i64 {
    let is_nested = code.qualname.as_str().contains("<locals>");
    let all = [
        (is_function(code), 0x3),
        (code.star, 0x4),
        (code.double_star, 0x8),
        (is_nested, 0x10),
        (code.kind == function::GENERATOR, 0x20),
        (code.kind == function::COROUTINE, 0x80),
        (code.kind == function::ITERABLE_COROUTINE, 0x120),
        (code.kind == function::ASYNC_GENERATOR, 0x200),
    ];
    all.iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, flag)| flag)
        .sum()
}

/// The variables of code that its functions share: those whose registers are made cells of.
fn shared(code: Gc<Code>) -> Vec<usize> {
    let words = code.code.as_slice().iter();
    let made = words.filter(|&&word| opcode::op(word) == opcode::NEW_CELL);
    made.map(|&word| opcode::a(word)).collect()
}

/// An attribute of code.
pub fn of_code(code: Gc<Code>, name: &str) -> Option<Value> {
    let number = |n: usize| Value::Int(n as i64);
    let params = code.params + code.keyword_only;
    let parameters = params + usize::from(code.star) + usize::from(code.double_star);
    let locals = code.locals.as_slice();
    Some(match name {
        "co_name" => Value::Str(text_of(code.name)),
        "co_qualname" => Value::Str(text_of(code.qualname)),
        "co_filename" => Value::Str(text_of(code.module.file)),
        "co_firstlineno" => number(code.first_line),
        "co_argcount" => number(code.params),
        "co_posonlyargcount" => number(code.positional_only),
        "co_kwonlyargcount" => number(code.keyword_only),
        "co_flags" => Value::Int(flags(code)),
        "co_stacksize" => number(code.registers),
        "co_nlocals" | "co_varnames" => {
            let shared = shared(code);
            let is_own = |n: usize, name: &str| {
                n < parameters || !shared.contains(&n) && (!name.starts_with('.') || name == ".0")
            };
            let own = (locals.iter().enumerate()).filter(|(n, name)| is_own(*n, name.as_str()));
            let own = own.map(|(_, &name)| Value::Str(text_of(name)));
            match name {
                "co_nlocals" => number(own.count()),
                _ => tuple(own),
            }
        }
        "co_cellvars" => {
            let shared = shared(code);
            let own = locals
                .iter()
                .enumerate()
                .filter(|(n, _)| shared.contains(n));
            tuple(own.map(|(_, &name)| Value::Str(text_of(name))))
        }
        "co_freevars" => names(code.free.as_slice()),
        "co_names" => {
            let globals = code.globals.as_slice().iter().map(|global| global.name);
            let all = globals.chain(code.names.as_slice().iter().copied());
            tuple(all.map(|name| Value::Str(text_of(name))))
        }
        "co_consts" => {
            let doc = is_function(code).then_some(code.doc);
            let all = code.consts.as_slice().iter().copied();
            let protos = code
                .protos
                .as_slice()
                .iter()
                .map(|&proto| Value::Code(proto));
            tuple(doc.into_iter().chain(all).chain(protos))
        }
        _ => return None,
    })
}

/// An attribute of an activation.
///
/// # Errors
/// That its local variables are not known.
pub fn of_frame(world: Gc<World>, frame: Gc<FrameView>, name: &str, depth: i64) -> Found {
    let code = frame.code;
    Ok(Some(match name {
        "f_code" => Value::Code(code),
        "f_lineno" => Value::Int(i64::from(code.lines[frame.pc])),
        "f_lasti" => Value::Int(frame.pc as i64 * 2),
        "f_back" => frame.back.map_or(Value::None, Value::Frame),
        "f_trace" => Value::None,
        "f_globals" => globals(world, code.module, depth)?,
        "f_builtins" => {
            let module = import::by_name(world, "builtins", false, depth)?;
            attribute::get(world, module, intern(world, "__dict__"), depth)?
        }
        "f_locals" => match frame.locals {
            Value::Unbound if !is_function(code) => globals(world, code.module, depth)?,
            Value::Unbound => return Err(fault::missing(world, "'f_locals' of a function")),
            locals => locals,
        },
        _ => return Ok(None),
    }))
}

/// An attribute of a builtin function or method.
pub fn of_native(native: Gc<Native>, name: &str) -> Option<Value> {
    let place = crate::run::native::names::NATIVES[native.id].0;
    let module = match place {
        "" => "builtins",
        place => place,
    };
    Some(match (name, native.class) {
        ("__name__", _) => Value::Str(text_of(native.name)),
        ("__qualname__", None) => Value::Str(text_of(native.name)),
        ("__qualname__", Some(class)) => {
            let (class, name) = (class.qualname_text(), native.name.as_str());
            text(&format!("{class}.{name}"))
        }
        ("__doc__" | "__text_signature__", _) => Value::None,
        ("__objclass__", Some(class)) => Value::Class(class),
        ("__module__", None) => text(module),
        ("__self__", None) => Value::None,
        _ => return None,
    })
}

/// An attribute of a property, static or class method, or slot.
///
/// # Errors
/// What its function raises when it is asked.
pub fn of_accessor(world: Gc<World>, accessor: Gc<Accessor>, name: Gc<Str>, depth: i64) -> Found {
    let kind = accessor.kind;
    let of_part = |part: Value| match attribute::get(world, part, name, depth) {
        Ok(value) => crate::run::operators::truth::of(world, value, depth),
        Err(_) => Ok(false),
    };
    Ok(match name.as_str() {
        "fget" if kind == PROPERTY => Some(accessor.get),
        "fset" if kind == PROPERTY => Some(accessor.set),
        "fdel" if kind == PROPERTY => Some(accessor.delete),
        "__isabstractmethod__" if kind != MEMBER && kind != GETSET => {
            let mut holds = false;
            for part in [accessor.get, accessor.set, accessor.delete] {
                holds |= !part.is_none() && of_part(part)?;
            }
            Some(Value::Bool(holds))
        }
        "__doc__" if !accessor.doc.get().is_none() => Some(accessor.doc.get()),
        "__doc__" if accessor.get.is_none() => Some(Value::None),
        "__name__" | "__qualname__" if kind == MEMBER || kind == GETSET => Some(accessor.get),
        "__objclass__" if kind == MEMBER || kind == GETSET => Some(accessor.set),
        "__doc__" if kind == MEMBER || kind == GETSET => Some(Value::None),
        "__doc__" => Some(attribute::get(world, accessor.get, name, depth)?),
        "__func__" | "__wrapped__" if kind != PROPERTY => Some(accessor.get),
        "__name__" | "__qualname__" | "__module__" | "__annotations__" if kind != PROPERTY => {
            Some(attribute::get(world, accessor.get, name, depth)?)
        }
        _ => None,
    })
}

/// An attribute of a shared variable.
///
/// # Errors
/// A `ValueError` if it has no value.
pub fn of_cell(world: Gc<World>, value: Value, name: &str) -> Found {
    match (value, name) {
        (Value::Cell(variable), "cell_contents") => match variable.value.get() {
            Value::Unbound => Err(fault::value_error(world, "Cell is empty")),
            value => Ok(Some(value)),
        },
        _ => Ok(None),
    }
}

/// A slot, or `__dict__` and the like, of an object.
///
/// # Errors
/// That it has no value.
#[opaque]
pub fn member(world: Gc<World>, accessor: Gc<Accessor>, object: Value) -> Result<Value, Thrown> {
    let Value::Str(name) = accessor.get else {
        unreachable!("a slot has a name");
    };
    let name = interned(world, name.data);
    if let Value::Instance(own) = object {
        if accessor.kind == GETSET {
            let found = super::special::of_instance(world, own, name, 0)?;
            if !found.is_unbound() {
                return Ok(found);
            }
        }
        let found = crate::heap::instance::get(own, name);
        if !found.is_unbound() {
            return Ok(found);
        }
    }
    Err(fault::no_attribute(world, object, name))
}
