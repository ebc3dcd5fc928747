//! Classes in the making. In: names, bases, bodies. Out: classes. Invariant: what a class inherits
//! is decided when it is made; it has what CPython's `type.__new__` gives it.

use crate::heap::class::{self, Class};
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::function::{Code, Frame, Function};
use crate::heap::instance;
use crate::heap::places;
use crate::heap::value::{Namespace, Registers, Tuple, Value, text, text_of};
use crate::heap::world::{World, class_of, classes, intern, interned, names, type_name};
use crate::plain::{self, fault};
use crate::run::call;
use crate::run::interp::{self, Left};
use crate::run::items::keys;
use crate::run::native::collect;
use crate::run::native::convert;
use crate::run::native::given::Given;
use crate::run::objects::inherit::{self, Wanted};
use crate::run::objects::{attribute, scope_names};
use verdigris::{List, Str, prelude::*};

/// A class statement: runs the body, which is a function, with a new namespace, and has the
/// metaclass make a class of it.
///
/// # Errors
/// What these raise.
#[opaque]
pub fn class(
    world: Gc<World>,
    name: Gc<Str>,
    body: Value,
    given: Value,
    keywords: Value,
    depth: i64,
) -> Result<Value, Thrown> {
    let (Value::Function(function), Value::Tuple(given)) = (body, given) else {
        unreachable!("the compiler has put them there");
    };
    let depth = places::below(world, depth);
    let bases = resolved(world, given, depth)?;
    let metaclass = match keywords {
        Value::Dict(keywords) => {
            let key = text("metaclass");
            keys::remove(world, keywords, key, depth)?
        }
        _ => Value::Unbound,
    };
    let code = function.code;
    let meta = match metaclass {
        Value::Unbound => {
            let plain = world.classes[classes::TYPE];
            Value::Class(metaclass_of(world, plain, bases)?)
        }
        Value::Class(wanted) if class::derives(wanted, world.classes[classes::TYPE]) => {
            Value::Class(metaclass_of(world, wanted, bases)?)
        }
        // Anything that can be called makes something of the body.
        other => other,
    };
    let orig_bases = match bases == given {
        true => Value::Unbound,
        false => Value::Tuple(given),
    };
    if meta == Value::Class(world.classes[classes::TYPE]) {
        let namespace = Namespace::new();
        if !orig_bases.is_unbound() {
            namespace.insert(intern(world, "__orig_bases__"), orig_bases);
        }
        let (qualname, module) = (code.qualname, code.module.name);
        namespace.insert(world.names[names::MODULE], name_in(world, code));
        namespace.insert(world.names[names::QUALNAME], Value::Str(text_of(qualname)));
        let cell = run_body(code, function, Value::Namespace(namespace), depth)?;
        let wanted = Wanted {
            name,
            qualname,
            module,
            namespace,
            bases,
            cell,
        };
        let made = inherit::make(world, world.classes[classes::TYPE], wanted, keywords, depth)?;
        return Ok(Value::Class(made));
    }
    let first = Tuple::new(2, Value::Unbound);
    first[0].set(Value::Str(text_of(name)));
    first[1].set(Value::Tuple(bases));
    let hook = match attribute::get(world, meta, world.names[names::PREPARE], depth) {
        Ok(hook) => hook,
        Err(thrown) => {
            let absent = world.classes[classes::ATTRIBUTE_ERROR];
            match class::derives(thrown.map.get().class, absent) {
                true => Value::Unbound,
                false => return Err(thrown),
            }
        }
    };
    let namespace = match hook {
        Value::Unbound => Value::Dict(dict::new()),
        _ => {
            let args = call::from_lists(world, Value::Tuple(first), keywords);
            call::value(world, hook, args, depth)?
        }
    };
    let put = |name: &str, value: Value| {
        scope_names::store(world, namespace, intern(world, name), value, depth)
    };
    put("__module__", name_in(world, code))?;
    put("__qualname__", Value::Str(text_of(code.qualname)))?;
    let cell = run_body(code, function, namespace, depth)?;
    if !orig_bases.is_unbound() {
        put("__orig_bases__", orig_bases)?;
    }
    if let Value::Cell(_) = cell {
        put("__classcell__", cell)?;
    }
    let args = Tuple::new(3, Value::Unbound);
    args[0].set(first[0].get());
    args[1].set(first[1].get());
    args[2].set(namespace);
    let args = call::from_lists(world, Value::Tuple(args), keywords);
    let made = call::value(world, meta, args, depth)?;
    if let (Value::Cell(variable), Value::Class(_)) = (cell, made)
        && variable.value.get().is_unbound()
    {
        variable.value.set(made);
    }
    Ok(made)
}

/// The global `__name__` where a class is defined.
fn name_in(world: Gc<World>, code: Gc<Code>) -> Value {
    let global = code.module.globals.get(world.names[names::NAME]);
    match global.map(|global| global.get()) {
        Some(Value::Unbound) | None => Value::Str(text_of(code.module.name)),
        Some(name) => name,
    }
}

fn run_body(
    code: Gc<Code>,
    function: Gc<Function>,
    namespace: Value,
    depth: i64,
) -> Result<Value, Thrown> {
    let registers = Registers::new(code.registers, Value::Unbound);
    registers[0].set(namespace);
    let frame = Gc::new(Frame {
        function,
        registers,
    });
    match interp::run(code, 0, frame, depth)? {
        Left::Returned(cell) => Ok(cell),
        Left::Yielded(..) => unreachable!("a class body does not yield"),
    }
}

/// The bases, where those that are no classes are replaced by what they stand for.
fn resolved(world: Gc<World>, given: Tuple, depth: i64) -> Result<Tuple, Thrown> {
    if (0..given.len()).all(|n| matches!(given[n].get(), Value::Class(_))) {
        return Ok(given);
    }
    let all = List::new();
    let mut is_changed = false;
    for n in 0..given.len() {
        let base = given[n].get();
        let hook = match base {
            Value::Class(_) => Value::Unbound,
            _ => attribute::get(world, base, world.names[names::MRO_ENTRIES], depth)
                .unwrap_or(Value::Unbound),
        };
        if hook.is_unbound() {
            all.push(base);
            continue;
        }
        is_changed = true;
        let made = call::value(world, hook, call::one(Value::Tuple(given)), depth)?;
        let Value::Tuple(made) = made else {
            let message = "__mro_entries__ must return a tuple";
            return Err(fault::type_error(world, message));
        };
        (0..made.len()).for_each(|m| all.push(made[m].get()));
    }
    if !is_changed {
        return Ok(given);
    }
    Ok(collect::tuple_of_list(world, all))
}

/// The metaclass of a class with these bases: that of them all that derives from all others.
fn metaclass_of(world: Gc<World>, wanted: Gc<Class>, bases: Tuple) -> Result<Gc<Class>, Thrown> {
    let mut best = wanted;
    for n in 0..bases.len() {
        let Value::Class(base) = bases[n].get() else {
            return Err(fault::missing(world, "a base that is no class"));
        };
        let meta = base.meta.unwrap_or(world.classes[classes::TYPE]);
        if class::derives(meta, best) {
            best = meta;
        } else if !class::derives(best, meta) {
            let message = "metaclass conflict: the metaclass of a derived class must be a \
                           (non-strict) subclass of the metaclasses of all its bases";
            return Err(fault::type_error(world, message));
        }
    }
    Ok(best)
}

/// `type(..)`, and calls of a metaclass that has no `__new__` of its own.
///
/// # Errors
/// What making the class raises.
pub fn called(given: Given, meta: Gc<Class>) -> Result<Value, Thrown> {
    let (world, depth) = (given.world, given.depth);
    if given.count() == 1 && given.args.keywords.is_none() && !is_meta(world, meta) {
        return Ok(Value::Class(class_of(world, given.at(0))));
    }
    if given.count() != 3 {
        return Err(given.type_error("type() takes 1 or 3 arguments"));
    }
    let (Value::Str(name), Value::Tuple(bases), Value::Dict(given_names)) = (
        instance::plain(given.at(0)),
        instance::plain(given.at(1)),
        instance::plain(given.at(2)),
    ) else {
        let wrong = |n: usize, wanted: &str| {
            let class = type_name(world, given.at(n));
            given.type_error(&format!(
                "type.__new__() argument {} must be {wanted}, not {class}",
                n + 1
            ))
        };
        return Err(
            match (instance::plain(given.at(0)), instance::plain(given.at(1))) {
                (Value::Str(_), Value::Tuple(_)) => wrong(2, "dict"),
                (Value::Str(_), _) => wrong(1, "tuple"),
                _ => wrong(0, "str"),
            },
        );
    };
    let name = interned(world, name.data);
    let is_class = |n: usize| matches!(bases[n].get(), Value::Class(_));
    if let Some(n) = (0..bases.len()).find(|&n| !is_class(n)) {
        let hook = attribute::get(
            world,
            bases[n].get(),
            world.names[names::MRO_ENTRIES],
            depth,
        );
        if hook.is_ok() {
            let message = "type() doesn't support MRO entry resolution; use types.new_class()";
            return Err(given.type_error(message));
        }
    }
    let best = metaclass_of(world, meta, bases)?;
    let maker = class::lookup(best, world.names[names::NEW]);
    if !Gc::ptr_eq(best, meta) && matches!(attribute::unwrapped(maker), Value::Function(_)) {
        return call::make(world, best, given.args, depth);
    }
    let meta = best;
    let namespace = Namespace::new();
    let module = match places::nearest(world, depth) {
        Some((code, _)) => code.module.name,
        None => intern(world, "__main__"),
    };
    let mut cell = Value::Unbound;
    for entry in plain::entries(given_names) {
        let value = given_names.values.get()[entry].get();
        let Value::Str(key) = instance::plain(given_names.keys.get()[entry].get()) else {
            return Err(fault::missing(
                world,
                "a namespace with keys that are no strings",
            ));
        };
        let key = interned(world, key.data);
        match (key.as_str(), value) {
            ("__classcell__", Value::Cell(_)) => cell = value,
            _ => drop(namespace.insert(key, value)),
        }
    }
    let keywords = dict::new();
    convert::add_keywords(given, keywords)?;
    let wanted = Wanted {
        name,
        qualname: name,
        module,
        namespace,
        bases,
        cell,
    };
    let class = inherit::make(world, meta, wanted, Value::Dict(keywords), depth)?;
    Ok(Value::Class(class))
}

fn is_meta(world: Gc<World>, class: Gc<Class>) -> bool {
    !Gc::ptr_eq(class, world.classes[classes::TYPE])
}
