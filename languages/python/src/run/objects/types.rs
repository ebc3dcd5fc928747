//! Classes in the making. In: names, bases, bodies. Out: classes. Invariant: what a class inherits
//! is decided when it is made; it has what CPython's `type.__new__` gives it.

use crate::heap::class::{self, Class};
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::function::{Code, Frame, Function};
use crate::heap::hashing;
use crate::heap::value::{Namespace, Registers, Tuple, Value, text, text_of};
use crate::heap::world::{World, class_of, classes, intern, interned, names};
use crate::plain::{self, fault};
use crate::run::call;
use crate::run::interp::{self, Left};
use crate::run::items::keys;
use crate::run::native::collect;
use crate::run::native::convert;
use crate::run::native::given::Given;
use crate::run::objects::inherit::{self, Wanted};
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
    let depth = depth + 1;
    let bases = resolved(world, given, depth)?;
    let metaclass = match keywords {
        Value::Dict(keywords) => {
            let key = text("metaclass");
            keys::remove(world, keywords, key, depth)?
        }
        _ => Value::Unbound,
    };
    let code = function.code;
    let namespace = Namespace::new();
    let meta = match metaclass {
        Value::Unbound => metaclass_of(world, world.classes[classes::TYPE], bases)?,
        Value::Class(wanted) if class::derives(wanted, world.classes[classes::TYPE]) => {
            metaclass_of(world, wanted, bases)?
        }
        _ => return Err(fault::missing(world, "a metaclass that is no class")),
    };
    if !class::lookup(meta, world.names[names::PREPARE]).is_unbound() {
        return Err(fault::missing(world, "'__prepare__' of a metaclass"));
    }
    let cell = run_body(code, function, namespace, depth)?;
    let is_plain = Gc::ptr_eq(meta, world.classes[classes::TYPE]);
    let made = if is_plain {
        let qualname = code.qualname;
        let module = match namespace.get(world.names[names::MODULE]) {
            Some(Value::Str(text)) => interned(world, text.data),
            _ => code.module.name,
        };
        let wanted = Wanted {
            name,
            qualname,
            module,
            namespace,
            bases,
        };
        Value::Class(inherit::make(world, meta, wanted, keywords, depth)?)
    } else {
        let shown = dict::new();
        put(
            shown,
            names::NAMES[names::MODULE],
            Value::Str(text_of(code.module.name)),
        );
        put(
            shown,
            names::NAMES[names::QUALNAME],
            Value::Str(text_of(code.qualname)),
        );
        let all = namespace.keys();
        for n in 0..all.len() {
            let value = namespace.get(all.at(n)).unwrap_or(Value::Unbound);
            put(shown, all.at(n).as_str(), value);
        }
        let args = Tuple::new(3, Value::Unbound);
        args[0].set(Value::Str(text_of(name)));
        args[1].set(Value::Tuple(bases));
        args[2].set(Value::Dict(shown));
        let args = call::from_lists(world, Value::Tuple(args), keywords);
        call::value(world, Value::Class(meta), args, depth)?
    };
    if let Value::Cell(variable) = cell {
        variable.value.set(made);
    }
    Ok(made)
}

fn run_body(
    code: Gc<Code>,
    function: Gc<Function>,
    namespace: Gc<Namespace>,
    depth: i64,
) -> Result<Value, Thrown> {
    let registers = Registers::new(code.registers, Value::Unbound);
    registers[0].set(Value::Namespace(namespace));
    let frame = Gc::new(Frame {
        function,
        registers,
    });
    match interp::run(code, 0, frame, depth)? {
        Left::Returned(cell) => Ok(cell),
        Left::Yielded(..) => unreachable!("a class body does not yield"),
    }
}

fn put(dict: Gc<dict::Dict>, name: &str, value: Value) {
    let key = text(name);
    if let Value::Str(name) = key {
        dict::add(dict, key, hashing::of_text(name.data), value);
    }
}

/// The bases, where those that are no classes are replaced by what they stand for.
fn resolved(world: Gc<World>, given: Tuple, depth: i64) -> Result<Tuple, Thrown> {
    let is_object = |n: usize| matches!(given[n].get(), Value::Instance(_));
    if !(0..given.len()).any(is_object) {
        return Ok(given);
    }
    let all = List::new();
    for n in 0..given.len() {
        let base = given[n].get();
        let hook = class::lookup(class_of(world, base), world.names[names::MRO_ENTRIES]);
        match base {
            Value::Instance(_) if !hook.is_unbound() => {
                let args = call::one(Value::Tuple(given));
                let made = call::method(world, hook, base, args, depth)?;
                let made = collect::list_of(world, made, depth)?;
                (0..made.len()).for_each(|m| all.push(made.at(m)));
            }
            _ => all.push(base),
        }
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
    let (Value::Str(name), Value::Tuple(bases), Value::Dict(given_names)) =
        (given.at(0), given.at(1), given.at(2))
    else {
        return Err(given.type_error("type.__new__() arguments must be str, tuple and dict"));
    };
    let name = interned(world, name.data);
    let meta = metaclass_of(world, meta, bases)?;
    let namespace = Namespace::new();
    let (mut qualname, mut module) = (name, intern(world, "__main__"));
    for entry in plain::entries(given_names) {
        let value = given_names.values.get()[entry].get();
        let Value::Str(key) = given_names.keys.get()[entry].get() else {
            return Err(fault::missing(
                world,
                "a namespace with keys that are no strings",
            ));
        };
        let key = interned(world, key.data);
        match (key.as_str(), value) {
            ("__qualname__", Value::Str(text)) => qualname = interned(world, text.data),
            ("__module__", Value::Str(text)) => module = interned(world, text.data),
            _ => drop(namespace.insert(key, value)),
        }
    }
    let keywords = dict::new();
    convert::add_keywords(given, keywords)?;
    let wanted = Wanted {
        name,
        qualname,
        module,
        namespace,
        bases,
    };
    let class = inherit::make(world, meta, wanted, Value::Dict(keywords), depth)?;
    Ok(Value::Class(class))
}

fn is_meta(world: Gc<World>, class: Gc<Class>) -> bool {
    !Gc::ptr_eq(class, world.classes[classes::TYPE])
}
