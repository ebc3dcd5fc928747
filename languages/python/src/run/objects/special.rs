//! Attributes that are no entries of namespaces: names, documentation, parts of exceptions and
//! generators. In: objects and names. Out: values, or the exception that there is no such
//! attribute. Invariant: what is asked for in loops is found before it comes to this.

use crate::heap::class::{Class, opened};
use crate::heap::dict::{self, Dict};
use crate::heap::exception::{Thrown, Traceback};
use crate::heap::function::{Module, set_global};
use crate::heap::hashing;
use crate::heap::instance::{self, Instance};
use crate::heap::places;
use crate::heap::value::{
    Accessor, GETSET, Namespace, Super, Tuple, Value, new_text, text, text_of,
};
use crate::heap::variables;
use crate::heap::world::{World, class_of, classes, names};
use crate::plain::fault;
use crate::run::call::generator;
use crate::run::objects::{attribute, counterpart, evaluate, import, introspect};
use crate::run::{call, native};
use verdigris::{Str, prelude::*};

/// An attribute of anything that has no entry for it.
#[opaque]
pub fn get(world: Gc<World>, object: Value, name: Gc<Str>, depth: i64) -> Result<Value, Thrown> {
    let wanted = name.as_str();
    if wanted == "__class__" {
        return Ok(Value::Class(class_of(world, object)));
    }
    let found = match object {
        Value::Class(class) => of_class(world, class, name, depth)?,
        Value::Function(function) => introspect::of_function(world, function, name, depth)?,
        Value::Native(native) => introspect::of_native(native, wanted),
        Value::Method(method) => match wanted {
            "__self__" => Some(method.object),
            "__func__" if !matches!(method.function, Value::Native(_)) => Some(method.function),
            "__get__" | "__call__" | "__dict__" | "__class_getitem__" => None,
            _ if native::of_objects(world, name).is_some() => None,
            _ => return attribute::get(world, method.function, name, depth),
        },
        Value::Accessor(accessor) => introspect::of_accessor(world, accessor, name, depth)?,
        Value::Code(code) => introspect::of_code(code, wanted),
        Value::Frame(frame) => introspect::of_frame(world, frame, wanted, depth)?,
        Value::Cell(_) => introspect::of_cell(world, object, wanted)?,
        Value::Module(module) => match wanted {
            "__name__" => Some(Value::Str(text_of(module.name))),
            "__file__" if !module.file.is_empty() => Some(Value::Str(text_of(module.file))),
            "__dict__" => Some(introspect::globals(world, module, depth)?),
            "stdin" if module.name.as_str() == "sys" => {
                Some(import::call(world, "io", "_standard_input", &[], depth)?)
            }
            _ => of_module(world, module, name, depth)?,
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
            "gi_code" => Some(Value::Code(generator.code)),
            "gi_frame" => Some(evaluate::frame_of(generator)),
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
            "tb_next" => Some(visible(traceback.next.get())),
            "tb_lasti" => Some(Value::Int(traceback.pc as i64 * 2)),
            "tb_frame" => {
                let frame = places::view(traceback.code, traceback.pc, None);
                Some(Value::Frame(frame))
            }
            _ => None,
        },
        _ => match part_of_number(object, wanted) {
            Value::Unbound => None,
            part => Some(part),
        },
    };
    if let Some(value) = found {
        return Ok(value);
    }
    if let Some(method) = native::of_objects(world, name)
        && !matches!(object, Value::Class(_))
    {
        return attribute::bound(world, method, object, depth);
    }
    // These are there for all, if they are documented at all.
    if wanted == "__doc__" && !matches!(object, Value::Module(_)) {
        return Ok(Value::None);
    }
    match is_lacking(world, object, wanted) {
        true => Err(fault::missing(
            world,
            &format!("'{wanted}' of builtin objects"),
        )),
        false => Err(fault::no_attribute(world, object, name)),
    }
}

/// An attribute of a module that is none of its globals.
fn of_module(
    world: Gc<World>,
    module: Gc<Module>,
    name: Gc<Str>,
    depth: i64,
) -> Result<Option<Value>, Thrown> {
    let rest = match module.name.as_str() {
        "sys" if module.file.is_empty() => "_sys",
        "time" if module.file.is_empty() => "_time",
        "math" if module.file.is_empty() => "_math",
        "builtins" if import::LATE_BUILTINS.contains(&name.as_str()) => import::OF_BUILTINS,
        _ => "",
    };
    if !rest.is_empty() {
        // What of these modules is written in Python.
        let rest = import::by_name(world, rest, false, depth)?;
        if let Value::Module(rest) = rest
            && let Some(global) = rest.globals.get(name)
            && !global.get().is_unbound()
        {
            let own = variables::global_of(world, module, name);
            set_global(own, global.get());
            return Ok(Some(global.get()));
        }
        return Ok(None);
    }
    let hook = module.globals.get(world.names[names::GETATTR]);
    match hook.map(|global| global.get()) {
        Some(hook) if !hook.is_unbound() => {
            let args = call::one(Value::Str(text_of(name)));
            call::value(world, hook, args, places::below(world, depth)).map(Some)
        }
        _ => counterpart::complement(world, module, name, depth),
    }
}

/// What some builtin objects have in CPython, and none here: it would be wrong to say that there is
/// no such attribute.
const LACKING: [&str; 7] = [
    "__getformat__",
    "__basicsize__",
    "__itemsize__",
    "__dictoffset__",
    "__weakrefoffset__",
    "__length_hint__",
    "__alloc__",
];

/// What numbers have in CPython, and not here.
const LACKING_NUMBERS: [&str; 6] = [
    "__ceil__",
    "__divmod__",
    "__floor__",
    "__rdivmod__",
    "__round__",
    "__trunc__",
];

fn is_lacking(world: Gc<World>, object: Value, name: &str) -> bool {
    let class = match object {
        Value::Class(class) => class,
        other => class_of(world, other),
    };
    let is_number = [classes::INT, classes::FLOAT].contains(&class.layout);
    class.builtin
        && !matches!(object, Value::Module(_))
        && (LACKING.contains(&name) || is_number && LACKING_NUMBERS.contains(&name))
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
    let is_meta = crate::heap::class::derives(class, world.classes[classes::TYPE]);
    let of_types = match is_meta {
        true => world.of_types.get(key),
        false if class.layout == classes::BASE_EXCEPTION => native::of_exceptions(world, key),
        false => None,
    };
    if let Some(own) = of_types.or_else(|| native::of_objects(world, key)) {
        return match own {
            Value::Accessor(method) => {
                let class = Value::Class(class);
                attribute::class_method(world, method.get, class, depth).map(Some)
            }
            _ => Ok(Some(own)),
        };
    }
    let of_type = world.classes[classes::TYPE].namespace.get(key);
    if let Some(method) = of_type.or(world.of_types.get(key)) {
        return attribute::bound(world, method, Value::Class(class), depth).map(Some);
    }
    Ok(Some(match name {
        "__name__" => Value::Str(text_of(class.name.get())),
        "__qualname__" => Value::Str(text_of(class.qualname.get())),
        "__module__" => Value::Str(text_of(class.module.get())),
        "__doc__" => Value::None,
        "__base__" => match class.bases.get().as_slice() {
            [] => Value::None,
            bases => {
                let is_best = |base: &&Gc<Class>| base.layout == class.layout;
                Value::Class(*bases.iter().find(is_best).unwrap_or(&bases[0]))
            }
        },
        "__flags__" => {
            // What CPython calls heap type, base type, abstract.
            let is_abstract = class.is_abstract.get();
            Value::Int(i64::from(!class.builtin) << 9 | 1 << 10 | i64::from(is_abstract) << 20)
        }
        "__text_signature__" if class.builtin => Value::None,
        "__bases__" => classes_as_tuple(class.bases.get()),
        "__mro__" => classes_as_tuple(class.order.get()),
        "__dict__" => {
            let all = Value::Dict(entries(class));
            import::call(world, "_proxy", "mappingproxy", &[all], depth)?
        }
        _ => return Ok(None),
    }))
}

/// The entries of a class, with those that all classes have.
pub fn entries(class: Gc<Class>) -> Gc<Dict> {
    let made = dict::new();
    let add = |name: &str, value: Value| {
        let key = new_text(name);
        dict::add(made, Value::Str(key), hashing::of_text(key.data), value);
    };
    add("__module__", Value::Str(text_of(class.module.get())));
    let keys = class.namespace.keys();
    for n in 0..keys.len() {
        let (name, value) = (keys.at(n), class.namespace.get(keys.at(n)));
        if !matches!(name.as_str(), "__module__" | "__qualname__") {
            add(name.as_str(), opened(value.unwrap_or(Value::Unbound)));
        }
    }
    let is_first = class.has_dict
        && !class
            .bases
            .get()
            .as_slice()
            .iter()
            .any(|base| base.has_dict);
    for name in ["__dict__", "__weakref__"] {
        if is_first {
            add(name, descriptor(GETSET, name, class));
        }
    }
    if dict::find_text(made, "__doc__").is_unbound() {
        add("__doc__", Value::None);
    }
    made
}

/// What stands in a class for an attribute of its instances.
pub fn descriptor(kind: usize, name: &str, class: Gc<Class>) -> Value {
    Value::Accessor(Gc::new(Accessor {
        kind,
        get: text(name),
        set: Value::Class(class),
        delete: Value::None,
        doc: Cell::new(Value::None),
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
///
/// # Errors
/// What asking the builtin object raises that it has.
#[opaque]
pub fn of_instance(
    world: Gc<World>,
    object: Gc<Instance>,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    let class = object.map.get().class;
    let found = own_part(world, object, class, name);
    if !found.is_unbound() {
        return Ok(found);
    }
    if let Value::Accessor(inner) = object.native
        && let Some(value) = introspect::of_accessor(world, inner, name, depth)?
    {
        return Ok(value);
    }
    let method = match object.native {
        Value::Exc(_) => native::of_exceptions(world, name),
        _ => None,
    };
    match method.or_else(|| native::of_objects(world, name)) {
        Some(method) => attribute::bound(world, method, Value::Instance(object), depth),
        None => Ok(Value::Unbound),
    }
}

fn own_part(world: Gc<World>, object: Gc<Instance>, class: Gc<Class>, name: Gc<Str>) -> Value {
    match name.as_str() {
        "__class__" => Value::Class(class),
        "__dict__" if class.has_dict => {
            instance::to_dict(object);
            Value::Dict(instance::dict_of(object))
        }
        "__doc__" | "__weakref__" => Value::None,
        "__module__" => Value::Str(text_of(class.module.get())),
        wanted => match object.native {
            Value::Exc(exc) => match wanted {
                "args" => exc.args.get(),
                "__cause__" => exc.cause.get(),
                "__context__" => exc.context.get(),
                "__suppress_context__" => Value::Bool(exc.suppress.get()),
                "__traceback__" => visible(exc.traceback.get()),
                "value" if is_of(world, class, classes::STOP_ITERATION) => {
                    crate::run::call::generator::stop_value(object)
                }
                "code" if is_of(world, class, classes::SYSTEM_EXIT) => exit_code(exc.args.get()),
                "name" | "path" if is_of(world, class, classes::IMPORT_ERROR) => Value::None,
                "errno" if is_of(world, class, classes::OS_ERROR) => of_error(exc.args.get(), 0),
                "strerror" if is_of(world, class, classes::OS_ERROR) => of_error(exc.args.get(), 1),
                "encoding" | "object" | "start" | "end" | "reason"
                    if is_of(world, class, classes::UNICODE_DECODE_ERROR)
                        || is_of(world, class, classes::UNICODE_ENCODE_ERROR) =>
                {
                    let names = ["encoding", "object", "start", "end", "reason"];
                    let n = names.iter().position(|known| *known == wanted);
                    part_of(exc.args.get(), n.unwrap_or_default())
                }
                "filename" if is_of(world, class, classes::OS_ERROR) => part_of(exc.args.get(), 2),
                "filename2" if is_of(world, class, classes::OS_ERROR) => Value::None,
                "message" if is_of(world, class, classes::BASE_EXCEPTION_GROUP) => {
                    part_of(exc.args.get(), 0)
                }
                "exceptions" if is_of(world, class, classes::BASE_EXCEPTION_GROUP) => {
                    match part_of(exc.args.get(), 1) {
                        Value::List(all) => {
                            Value::Tuple(native::collect::tuple_of_list(world, all))
                        }
                        all => all,
                    }
                }
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

/// The first place of a traceback that is no part of the library, or `None`.
pub fn visible(traceback: Option<Gc<Traceback>>) -> Value {
    let mut next = traceback;
    while let Some(place) = next {
        if !place.code.module.is_library() {
            return Value::Traceback(place);
        }
        next = place.next.get();
    }
    Value::None
}

/// An argument of an exception, or `None`.
fn part_of(args: Value, n: usize) -> Value {
    match args {
        Value::Tuple(args) if n < args.len() => args[n].get(),
        _ => Value::None,
    }
}

/// The number of an error of the system, or what it is called, if it was made with both.
fn of_error(args: Value, n: usize) -> Value {
    match args {
        Value::Tuple(all) if all.len() >= 2 => part_of(args, n),
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

/// The attribute of a `super()` object that is none of the classes behind it.
#[opaque]
pub fn of_super(
    world: Gc<World>,
    object: Gc<Super>,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    let inner = object.object;
    let is_of_class = matches!(inner, Value::Class(class) if Gc::ptr_eq(class, object.start));
    let method = match inner {
        Value::Instance(own) if matches!(own.native, Value::Exc(_)) => {
            native::of_exceptions(world, name)
        }
        Value::Class(_) if !is_of_class => world.of_types.get(name),
        _ => None,
    };
    match (
        name.as_str(),
        method.or_else(|| native::of_objects(world, name)),
    ) {
        ("__init_subclass__", Some(Value::Accessor(method))) => {
            let class = Value::Class(object.start);
            attribute::class_method(world, method.get, class, depth)
        }
        ("__new__", _) => Ok(native::plain_new(world)),
        ("__class__", _) => Ok(Value::Class(world.classes[classes::SUPER])),
        ("__thisclass__", _) => Ok(Value::Class(object.class)),
        ("__self__", _) => Ok(inner),
        ("__self_class__", _) => Ok(Value::Class(object.start)),
        (_, Some(method)) if is_of_class => Ok(attribute::unwrapped(method)),
        (_, Some(method)) => attribute::bound(world, method, inner, depth),
        (wanted, None) => {
            let message = format!("'super' object has no attribute '{wanted}'");
            Err(fault::new(world, classes::ATTRIBUTE_ERROR, &message))
        }
    }
}
