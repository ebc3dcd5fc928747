//! Attributes that are no entries of namespaces: names, documentation, parts of exceptions and
//! generators. In: objects and names. Out: values, or the exception that there is no such
//! attribute. Invariant: what is asked for in loops is found before it comes to this.

use crate::heap::class::Class;
use crate::heap::exception::{self, Thrown};
use crate::heap::function::BoundMethod;
use crate::heap::hashing;
use crate::heap::instance::{self, Instance};
use crate::heap::value::{Namespace, PROPERTY, Super, Tuple, Value, text, text_of};
use crate::heap::world::{World, class_of, classes, names, type_name};
use crate::plain::fault;
use crate::run::call::generator;
use crate::run::items::keys;
use crate::run::objects::import;
use verdigris::{Str, prelude::*};

/// An attribute of anything that has no entry for it.
#[opaque]
pub fn get(world: Gc<World>, object: Value, name: Gc<Str>, _depth: i64) -> Result<Value, Thrown> {
    let wanted = name.as_str();
    if wanted == "__class__" {
        return Ok(Value::Class(class_of(world, object)));
    }
    let found = match object {
        Value::Class(class) => of_class(world, class, name, _depth)?,
        Value::Function(function) => {
            let own = function.attributes.get().and_then(|all| all.get(name));
            match (own, wanted) {
                (Some(value), _) => Some(value),
                (None, "__name__") => Some(Value::Str(text_of(function.code.name))),
                (None, "__qualname__") => Some(Value::Str(text_of(function.code.qualname))),
                (None, "__module__") => Some(Value::Str(text_of(function.code.module.name))),
                (None, "__doc__") => Some(function.code.doc),
                (None, "__defaults__") => Some(match function.defaults.len() {
                    0 => Value::None,
                    _ => Value::Tuple(function.defaults),
                }),
                (None, "__kwdefaults__") => Some(function.keyword_defaults),
                (None, "__dict__") => Some(Value::Dict(match function.attributes.get() {
                    Some(all) => as_dict(all),
                    None => crate::heap::dict::new(),
                })),
                (None, "__annotations__") => Some(match function.annotations {
                    Value::None => Value::Dict(crate::heap::dict::new()),
                    annotations => annotations,
                }),
                _ => None,
            }
        }
        Value::Native(native) => match wanted {
            "__name__" | "__qualname__" => Some(Value::Str(text_of(native.name))),
            "__doc__" => return Err(fault::missing(world, "'__doc__' of builtin functions")),
            _ => None,
        },
        Value::Method(method) => match wanted {
            "__self__" => Some(method.object),
            "__func__" => Some(method.function),
            _ => return get(world, method.function, name, _depth),
        },
        Value::Accessor(accessor) => match wanted {
            "fget" if accessor.kind == PROPERTY => Some(accessor.get),
            "fset" if accessor.kind == PROPERTY => Some(accessor.set),
            "fdel" if accessor.kind == PROPERTY => Some(accessor.delete),
            "__func__" | "__wrapped__" if accessor.kind != PROPERTY => Some(accessor.get),
            "__doc__" => return get(world, accessor.get, name, _depth),
            _ => None,
        },
        Value::Module(module) => match wanted {
            "__name__" => Some(Value::Str(text_of(module.name))),
            "__file__" if !module.file.is_empty() => Some(Value::Str(text_of(module.file))),
            "__dict__" => Some(import::call(
                world,
                "_evaluate",
                "globals_of",
                &[object],
                _depth,
            )?),
            "stdin" if module.name.as_str() == "sys" => {
                Some(import::call(world, "io", "_standard_input", &[], _depth)?)
            }
            _ => None,
        },
        Value::Range(range) => match wanted {
            "start" => Some(Value::Int(range.start)),
            "stop" => Some(Value::Int(range.stop)),
            "step" => Some(Value::Int(range.step)),
            _ => None,
        },
        Value::Slice(slice) => match wanted {
            "start" => Some(slice.start),
            "stop" => Some(slice.stop),
            "step" => Some(slice.step),
            _ => None,
        },
        Value::Generator(generator) => match wanted {
            "__name__" => Some(Value::Str(text_of(generator.code.name))),
            "__qualname__" => Some(Value::Str(text_of(generator.code.qualname))),
            "gi_running" => Some(Value::Bool(generator.runs.get())),
            "gi_suspended" => Some(Value::Bool(generator::is_suspended(generator))),
            "gi_yieldfrom" => Some(generator::asked(generator)),
            _ => None,
        },
        Value::Coroutine(coroutine) => match wanted {
            "__name__" => Some(Value::Str(text_of(coroutine.code.name))),
            "__qualname__" => Some(Value::Str(text_of(coroutine.code.qualname))),
            "cr_running" => Some(Value::Bool(coroutine.runs.get())),
            "cr_suspended" => Some(Value::Bool(generator::is_suspended(coroutine))),
            "cr_await" => Some(generator::asked(coroutine)),
            "cr_origin" => Some(Value::None),
            _ => None,
        },
        Value::AsyncGenerator(own) => match wanted {
            "__name__" => Some(Value::Str(text_of(own.code.name))),
            "__qualname__" => Some(Value::Str(text_of(own.code.qualname))),
            "ag_running" => Some(Value::Bool(own.awaited.get())),
            "ag_await" => Some(generator::asked(own)),
            _ => None,
        },
        Value::Traceback(traceback) => match wanted {
            "tb_lineno" => Some(Value::Int(i64::from(traceback.code.lines[traceback.pc]))),
            "tb_next" => Some(traceback.next.map_or(Value::None, Value::Traceback)),
            "tb_frame" => return Err(fault::missing(world, "'tb_frame'")),
            _ => None,
        },
        _ => match part_of_number(object, wanted) {
            Value::Unbound => None,
            part => Some(part),
        },
    };
    found.ok_or_else(|| {
        let is_special = wanted.starts_with("__") && wanted.ends_with("__");
        let is_builtin = match object {
            Value::Class(class) => class.builtin,
            Value::Module(_) => false,
            _ => true,
        };
        // CPython may have it, so it would be wrong to say that there is no such attribute.
        match is_special && is_builtin && !is_known(object, wanted) {
            true => fault::missing(world, &format!("'{wanted}' of builtin objects")),
            false => fault::no_attribute(world, object, name),
        }
    })
}

/// Names that libraries ask for, and that no builtin object has.
const ABSENT: [&str; 8] = [
    "__copy__",
    "__deepcopy__",
    "__isabstractmethod__",
    "__dataclass_fields__",
    "__dataclass_params__",
    "__origin__",
    "__args__",
    "__fspath__",
];

/// Whether it is known that builtin objects have no special attribute of this name, or that this
/// one has none.
fn is_known(object: Value, name: &str) -> bool {
    let number = names::NAMES.iter().position(|&known| known == name);
    let is_code = matches!(
        object,
        Value::Function(_) | Value::Native(_) | Value::Method(_) | Value::Accessor(_)
    );
    match number {
        Some(names::GET | names::SET | names::DELETE | names::CALL) => !is_code,
        // Iterators have these.
        Some(names::ITER | names::NEXT | names::LENGTH_HINT) => !matches!(
            object,
            Value::Iter(_) | Value::View(_) | Value::Generator(_)
        ),
        Some(names::LEN | names::CONTAINS | names::REVERSED) => !matches!(object, Value::View(_)),
        Some(names::BOOL..=names::ABS) => true,
        Some(names::ENTER | names::EXIT | names::MISSING | names::MRO_ENTRIES) => true,
        Some(names::MATCH_ARGS | names::WRAPPED | names::SET_NAME | names::GETATTR) => true,
        Some(names::AWAIT..=names::AEXIT) => true,
        Some(names::DICT) => !is_code && !matches!(object, Value::Module(_)),
        Some(_) => false,
        None => ABSENT.contains(&name),
    }
}

/// The entries of a namespace as a dict of its own.
pub fn as_dict(namespace: Gc<Namespace>) -> Gc<crate::heap::dict::Dict> {
    let made = crate::heap::dict::new();
    let keys = namespace.keys();
    for n in 0..keys.len() {
        let name = keys.at(n);
        let value = namespace.get(name).unwrap_or(Value::Unbound);
        let key = Value::Str(text_of(name));
        let value = crate::heap::class::opened(value);
        crate::heap::dict::add(made, key, hashing::of_text(name), value);
    }
    made
}

/// An attribute of a class that neither it nor its metaclass has an entry for.
fn of_class(
    world: Gc<World>,
    class: Gc<Class>,
    key: Gc<Str>,
    depth: i64,
) -> Result<Option<Value>, Thrown> {
    let name = key.as_str();
    let is_exception = class.layout == classes::BASE_EXCEPTION;
    if is_exception && let Some(own) = crate::run::native::unbound_of_exception(world, name) {
        return Ok(Some(own));
    }
    if let Some(own) = crate::run::native::unbound_of_object(world, name) {
        return Ok(Some(own));
    }
    let of_type = world.classes[classes::TYPE].namespace.get(key);
    if let Some(Value::Native(native)) = of_type {
        return Ok(Some(Value::Method(Gc::new(BoundMethod {
            function: Value::Native(native),
            object: Value::Class(class),
        }))));
    }
    Ok(Some(match name {
        "__name__" => Value::Str(text_of(class.name)),
        "__qualname__" => Value::Str(text_of(class.qualname)),
        "__module__" => Value::Str(text_of(class.module)),
        "__doc__" if !class.builtin => Value::None,
        "__bases__" => classes_as_tuple(class.bases),
        "__mro__" => classes_as_tuple(class.order.get()),
        "__dict__" => {
            let all = as_dict(class.namespace);
            let module = text("__module__");
            keys::put(world, all, module, Value::Str(text_of(class.module)), depth)?;
            import::call(
                world,
                "types",
                "MappingProxyType",
                &[Value::Dict(all)],
                depth,
            )?
        }
        _ => return Ok(None),
    }))
}

/// Classes as a tuple.
pub fn classes_as_tuple(all: GcArray<Gc<Class>>) -> Value {
    let tuple = Tuple::new(all.len(), Value::Unbound);
    for n in 0..all.len() {
        tuple[n].set(Value::Class(all[n]));
    }
    Value::Tuple(tuple)
}

/// An attribute that an instance has beside its own ones and those of its class; `Unbound` if it
/// has none.
#[opaque]
pub fn of_instance(world: Gc<World>, object: Gc<Instance>, name: Gc<Str>) -> Value {
    let class = object.map.get().class;
    match name.as_str() {
        "__class__" => Value::Class(class),
        "__dict__" if class.has_dict => {
            instance::to_dict(object);
            Value::Dict(instance::dict_of(object))
        }
        "__doc__" => Value::None,
        "__module__" => Value::Str(text_of(class.module)),
        wanted => match object.native {
            Value::Exc(exc) => match wanted {
                "args" => exc.args.get(),
                "__cause__" => exc.cause.get(),
                "__context__" => exc.context.get(),
                "__suppress_context__" => Value::Bool(exc.suppress.get()),
                "__traceback__" => exc.traceback.get().map_or(Value::None, Value::Traceback),
                "value" if is_of(world, class, classes::STOP_ITERATION) => {
                    crate::run::call::generator::stop_value(object)
                }
                "code" if is_of(world, class, classes::SYSTEM_EXIT) => exit_code(exc.args.get()),
                "name" | "path" if is_of(world, class, classes::IMPORT_ERROR) => Value::None,
                "errno" if is_of(world, class, classes::OS_ERROR) => part_of(exc.args.get(), 0),
                "strerror" if is_of(world, class, classes::OS_ERROR) => part_of(exc.args.get(), 1),
                "encoding" | "object" | "start" | "end" | "reason"
                    if is_of(world, class, classes::UNICODE_DECODE_ERROR)
                        || is_of(world, class, classes::UNICODE_ENCODE_ERROR) =>
                {
                    let names = ["encoding", "object", "start", "end", "reason"];
                    let n = names.iter().position(|known| *known == wanted);
                    part_of(exc.args.get(), n.unwrap_or_default())
                }
                "filename" if is_of(world, class, classes::OS_ERROR) => Value::None,
                _ => Value::Unbound,
            },
            inner => part_of_number(inner, wanted),
        },
    }
}

/// What a number has beside its methods; `Unbound` if there is no such thing, or it is none.
fn part_of_number(number: Value, wanted: &str) -> Value {
    match (number, wanted) {
        (Value::Int(_) | Value::Bool(_) | Value::Big(_), "real" | "numerator") => number,
        (Value::Int(_) | Value::Bool(_) | Value::Big(_), "imag") => Value::Int(0),
        (Value::Int(_) | Value::Bool(_) | Value::Big(_), "denominator") => Value::Int(1),
        (Value::Float(_), "real") => number,
        (Value::Float(_), "imag") => Value::Float(0.0),
        (Value::Complex(z), "real") => Value::Float(z.re),
        (Value::Complex(z), "imag") => Value::Float(z.im),
        _ => Value::Unbound,
    }
}

/// An argument of an exception, or `None`.
fn part_of(args: Value, n: usize) -> Value {
    match args {
        Value::Tuple(args) if n < args.len() => args[n].get(),
        _ => Value::None,
    }
}

/// What a program exits with: nothing, one argument, or all of them.
pub fn exit_code(args: Value) -> Value {
    match args {
        Value::Tuple(args) => match args.len() {
            0 => Value::None,
            1 => args[0].get(),
            _ => Value::Tuple(args),
        },
        other => other,
    }
}

fn is_of(world: Gc<World>, class: Gc<Class>, number: usize) -> bool {
    crate::heap::class::derives(class, world.classes[number])
}

/// Writes an attribute of an instance that is no entry: whether it is such a one.
#[inline]
pub fn set_on_instance(
    world: Gc<World>,
    object: Gc<Instance>,
    name: Gc<Str>,
    value: Value,
) -> Result<bool, Thrown> {
    match object.native {
        Value::Exc(_) => set_on_exception(world, object, name, value),
        _ => {
            if Gc::ptr_eq(name, world.names[names::CLASS]) {
                return Err(no_class_change(world));
            }
            Ok(false)
        }
    }
}

#[opaque]
fn no_class_change(world: Gc<World>) -> Thrown {
    fault::missing(world, "assignment to '__class__'")
}

#[opaque]
fn set_on_exception(
    world: Gc<World>,
    object: Gc<Instance>,
    name: Gc<Str>,
    value: Value,
) -> Result<bool, Thrown> {
    let exc = exception::part(object);
    match name.as_str() {
        "args" => match value {
            Value::Tuple(_) => exc.args.set(value),
            _ => return Err(fault::missing(world, "'args' that are no tuple")),
        },
        "__cause__" => {
            exc.cause.set(value);
            exc.suppress.set(true);
        }
        "__context__" => exc.context.set(value),
        "__suppress_context__" => exc.suppress.set(matches!(value, Value::Bool(true))),
        "__traceback__" => match value {
            Value::None => exc.traceback.set(None),
            Value::Traceback(traceback) => exc.traceback.set(Some(traceback)),
            _ => {
                let message = "__traceback__ must be a traceback or None";
                return Err(fault::type_error(world, message));
            }
        },
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes an attribute of something that is no instance.
#[opaque]
pub fn set(world: Gc<World>, object: Value, name: Gc<Str>, value: Value) -> Result<(), Thrown> {
    match object {
        Value::Function(function) => {
            let all = function.attributes.get().unwrap_or_else(|| {
                let all = Namespace::new();
                function.attributes.set(Some(all));
                all
            });
            all.insert(name, value);
            Ok(())
        }
        Value::Class(class) => {
            let (name, class) = (name.as_str(), class.name.as_str());
            let message = format!("cannot set '{name}' attribute of immutable type '{class}'");
            Err(fault::type_error(world, &message))
        }
        _ => Err(fault::no_attribute(world, object, name)),
    }
}

/// The attribute of a `super()` object that is none of the classes behind it.
#[opaque]
pub fn of_super(world: Gc<World>, object: Gc<Super>, name: Gc<Str>) -> Result<Value, Thrown> {
    let wanted = name.as_str();
    if let Value::Instance(instance) = object.object {
        // What every object has.
        let id = crate::run::native::of_object(world, instance, wanted);
        if let Some(native) = id {
            return Ok(native);
        }
    }
    if wanted == "__init_subclass__" || wanted == "__init__" {
        return Ok(crate::run::native::nothing(world));
    }
    if wanted == "__new__" {
        return Ok(crate::run::native::plain_new(world));
    }
    let message = format!("'super' object has no attribute '{wanted}'");
    Err(fault::new(world, classes::ATTRIBUTE_ERROR, &message))
}

/// A class whose instances have slots alone has none of this name.
#[opaque]
pub fn no_slot(world: Gc<World>, object: Value, name: Gc<Str>, found: Value) -> Thrown {
    if found.is_unbound() {
        return fault::no_attribute(world, object, name);
    }
    let (class, name) = (type_name(world, object), name.as_str());
    let message = format!("'{class}' object attribute '{name}' is read-only");
    fault::new(world, classes::ATTRIBUTE_ERROR, &message)
}

/// A property cannot be read.
#[opaque]
pub fn no_getter(world: Gc<World>, object: Value) -> Thrown {
    let message = format!(
        "property of '{}' object has no getter",
        type_name(world, object)
    );
    fault::new(world, classes::ATTRIBUTE_ERROR, &message)
}

/// A property cannot be written.
#[opaque]
pub fn no_setter(world: Gc<World>, object: Value, name: Gc<Str>) -> Thrown {
    let (class, name) = (type_name(world, object), name.as_str());
    let message = format!("property '{name}' of '{class}' object has no setter");
    fault::new(world, classes::ATTRIBUTE_ERROR, &message)
}

/// A property cannot be deleted.
#[opaque]
pub fn no_deleter(world: Gc<World>, object: Value, name: Gc<Str>) -> Thrown {
    let (class, name) = (type_name(world, object), name.as_str());
    let message = format!("property '{name}' of '{class}' object has no deleter");
    fault::new(world, classes::ATTRIBUTE_ERROR, &message)
}

/// An attribute that is not there cannot be deleted.
pub fn not_deleted(world: Gc<World>, object: Value, name: Gc<Str>) -> Thrown {
    match object {
        Value::Instance(_) => {
            let name = text(name.as_str());
            fault::with(world.classes[classes::ATTRIBUTE_ERROR], name)
        }
        _ => fault::no_attribute(world, object, name),
    }
}

/// An object is for no `with`.
#[opaque]
pub fn no_context(world: Gc<World>, object: Value, name: Gc<Str>) -> Thrown {
    let what = match name.as_str() {
        "__enter__" => fault::NO_CONTEXT,
        "__aenter__" => fault::NO_ASYNC_CONTEXT,
        "__aexit__" => fault::NO_AEXIT,
        _ => fault::NO_EXIT,
    };
    fault::about(world, what, object)
}
