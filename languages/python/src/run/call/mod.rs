//! Calls. In: a callee and arguments. Out: a result, or an exception. Invariants: arguments are
//! copied to the callee's registers, without a list in between; a call of a function of the program
//! is a call of the portal, one level deeper.

pub mod awaiter;
pub mod bind;
pub mod consume;
pub mod generator;

use crate::heap::class::{self, Class};
use crate::heap::exception::{self, Thrown};
use crate::heap::function::{Code, Frame, Function, Keywords, PLAIN};
use crate::heap::instance;
use crate::heap::places;
use crate::heap::value::{Registers, STATIC, Tuple, Value};
use crate::heap::world::{World, class_of, classes, names};
use crate::plain::fault;
use crate::run::interp::{self, Left};
use crate::run::interrupt;
use crate::run::native;
use crate::run::objects::{attribute, finalize};
use verdigris::{is_constant, look_inside_iff, prelude::*};

/// Arguments: registers from `first` on. The last ones are given by keyword if there are keywords.
#[value]
#[derive(Clone, Copy)]
pub struct Args {
    /// Where they are.
    pub values: Registers,
    /// The first.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// The names of the last ones.
    pub keywords: Option<Gc<Keywords>>,
}

impl Args {
    /// An argument; `Unbound` if it was not given.
    #[inline]
    pub fn at(self, n: usize) -> Value {
        if n < self.count {
            self.values[self.first + n].get()
        } else {
            Value::Unbound
        }
    }

    /// How many were given by position.
    #[inline]
    pub fn positional(self) -> usize {
        match self.keywords {
            None => self.count,
            Some(keywords) => self.count - keywords.names.len(),
        }
    }
}

/// All of an array as arguments by position.
#[inline]
pub fn plain(values: Registers) -> Args {
    Args {
        values,
        first: 0,
        count: values.len(),
        keywords: None,
    }
}

/// One argument.
#[inline]
pub fn one(a: Value) -> Args {
    let values = Registers::new(1, Value::Unbound);
    values[0].set(a);
    plain(values)
}

/// Two arguments.
#[inline]
pub fn two(a: Value, b: Value) -> Args {
    let values = Registers::new(2, Value::Unbound);
    values[0].set(a);
    values[1].set(b);
    plain(values)
}

/// Three arguments.
#[inline]
pub fn three(a: Value, b: Value, c: Value) -> Args {
    let values = Registers::new(3, Value::Unbound);
    values[0].set(a);
    values[1].set(b);
    values[2].set(c);
    plain(values)
}

/// Registers as arguments; `keywords` is 0, or the number of their names and 1.
#[inline(always)]
pub fn from_registers(
    code: Gc<Code>,
    values: Registers,
    first: usize,
    count: usize,
    keywords: usize,
) -> Args {
    let keywords = match keywords {
        0 => None,
        n => Some(code.keywords[n - 1]),
    };
    Args {
        values,
        first,
        count,
        keywords,
    }
}

/// A tuple, and a dict or `None`, as arguments.
#[opaque]
fn lists(world: Gc<World>, positional: Value, named: Value) -> (Registers, Option<Gc<Keywords>>) {
    let items = match positional {
        Value::Tuple(items) => items,
        _ => world.no_items,
    };
    let has_named = matches!(named, Value::Dict(dict) if dict.live.get() > 0);
    let (Value::Dict(dict), true) = (named, has_named) else {
        let values = Registers::new(items.len(), Value::Unbound);
        for n in 0..items.len() {
            values[n].set(items[n].get());
        }
        return (values, None);
    };
    let values = Registers::new(items.len() + dict.live.get(), Value::Unbound);
    for n in 0..items.len() {
        values[n].set(items[n].get());
    }
    let names = RootVec::new();
    let mut entry = crate::heap::dict::next(dict, 0);
    while entry < dict.used.get() {
        if let Value::Str(name) = dict.keys.get()[entry].get() {
            values[items.len() + names.len()].set(dict.values.get()[entry].get());
            names.push(crate::heap::world::interned(world, name.data));
        }
        entry = crate::heap::dict::next(dict, entry + 1);
    }
    let names = names.to_array();
    (values, Some(Gc::new(Keywords { names })))
}

/// How many items of a tuple become arguments in compiled code, which is made for their number.
const FEW: usize = 8;

/// The same as [`Args`].
#[inline]
pub fn from_lists(world: Gc<World>, positional: Value, named: Value) -> Args {
    if let (Value::Tuple(items), Value::None) = (positional, named)
        && items.len() <= FEW
    {
        return few(items, promote(items.len()));
    }
    let (values, keywords) = lists(world, positional, named);
    Args {
        values,
        first: 0,
        count: values.len(),
        keywords,
    }
}

fn is_few(_items: Tuple, count: usize) -> bool {
    is_constant(count)
}

#[look_inside_iff(is_few)]
#[inline(never)]
fn few(items: Tuple, count: usize) -> Args {
    let values = Registers::new(count, Value::Unbound);
    for n in 0..count {
        values[n].set(items[n].get());
    }
    plain(values)
}

fn is_known(args: Args, _first: Value) -> bool {
    is_constant(args.count)
}

/// The arguments with another one before them.
#[look_inside_iff(is_known)]
#[inline(never)]
pub fn with_first(args: Args, first: Value) -> Args {
    let values = Registers::new(args.count + 1, Value::Unbound);
    values[0].set(first);
    for n in 0..args.count {
        values[n + 1].set(args.values[args.first + n].get());
    }
    Args {
        values,
        first: 0,
        count: args.count + 1,
        keywords: args.keywords,
    }
}

fn count_is_known(args: Args) -> bool {
    is_constant(args.count)
}

/// The arguments as an array of their own.
#[look_inside_iff(count_is_known)]
#[inline(never)]
pub fn copied(args: Args) -> Registers {
    let values = Registers::new(args.count, Value::Unbound);
    for n in 0..args.count {
        values[n].set(args.values[args.first + n].get());
    }
    values
}

/// Calls a value.
#[inline]
pub fn value(world: Gc<World>, callee: Value, args: Args, depth: i64) -> Result<Value, Thrown> {
    match callee {
        Value::Function(function) => self::function(world, function, args, depth),
        Value::Native(callee) => native::call(world, promote(callee), args, depth),
        Value::Class(class) => {
            let class = promote(class);
            if let Some(meta) = class.meta
                && let Value::Function(hook) = class::lookup(meta, world.names[names::CALL])
            {
                return self::function(world, hook, with_first(args, callee), depth);
            }
            make(world, class, args, depth)
        }
        Value::Method(method) => {
            let args = with_first(args, method.object);
            simple(world, method.function, args, depth)
        }
        Value::Instance(instance) => {
            let class = instance::class(instance);
            let found = class::lookup(class, world.names[names::CALL]);
            if found.is_unbound() {
                return Err(fault::about(world, fault::NOT_CALLABLE, callee));
            }
            method(world, found, callee, args, depth)
        }
        Value::Accessor(accessor) if promote(accessor).kind == STATIC => {
            simple(world, promote(accessor).get, args, depth)
        }
        _ => Err(fault::about(world, fault::NOT_CALLABLE, callee)),
    }
}

/// Calls what is mostly a function.
#[inline]
fn simple(world: Gc<World>, callee: Value, args: Args, depth: i64) -> Result<Value, Thrown> {
    match callee {
        Value::Function(function) => self::function(world, function, args, depth),
        Value::Native(callee) => native::call(world, promote(callee), args, depth),
        _ => outside(world, callee, copied(args), args.keywords, depth),
    }
}

/// Calls a value from a call that the JIT does not look into.
#[opaque]
pub fn outside(
    world: Gc<World>,
    callee: Value,
    values: Registers,
    keywords: Option<Gc<Keywords>>,
    depth: i64,
) -> Result<Value, Thrown> {
    let mut args = plain(values);
    args.keywords = keywords;
    value(world, callee, args, places::below(world, depth))
}

/// Calls what a class has under a special name, with the object that it was found for.
#[inline]
pub fn method(
    world: Gc<World>,
    found: Value,
    object: Value,
    args: Args,
    depth: i64,
) -> Result<Value, Thrown> {
    match found {
        Value::Function(_) | Value::Native(_) => {
            simple(world, found, with_first(args, object), depth)
        }
        _ => {
            let bound = attribute::bound(world, found, object, depth)?;
            simple(world, bound, args, depth)
        }
    }
}

/// Calls a method of a descriptor, which is mostly a function.
#[inline]
pub fn method_of_descriptor(
    world: Gc<World>,
    found: Value,
    descriptor: Value,
    args: Args,
    depth: i64,
) -> Result<Value, Thrown> {
    simple(world, found, with_first(args, descriptor), depth)
}

/// Calls a function of the program.
#[inline]
pub fn function(
    world: Gc<World>,
    function: Gc<Function>,
    args: Args,
    depth: i64,
) -> Result<Value, Thrown> {
    let code = promote(function.code);
    if world.interrupted.get() {
        return Err(interrupt::taken(world));
    }
    if depth >= world.limit.get() {
        return Err(fault::simple(world, fault::RECURSION));
    }
    let registers = bind::enter(world, code, function, args)?;
    let frame = Gc::new(Frame {
        function,
        registers,
    });
    if code.kind != PLAIN {
        return Ok(generator::new(code, frame));
    }
    match interp::run(code, 0, frame, depth + 1)? {
        Left::Returned(value) => Ok(value),
        Left::Yielded(..) => unreachable!(),
    }
}

/// Calls a class: makes an instance.
#[inline]
pub fn make(world: Gc<World>, class: Gc<Class>, args: Args, depth: i64) -> Result<Value, Thrown> {
    if class.builtin {
        if class.layout == classes::BASE_EXCEPTION {
            return exception_of(world, class, args, depth);
        }
        return native::make(world, class, args, depth);
    }
    if class.is_abstract.get() {
        return Err(abstract_class(world, class));
    }
    let maker = class::lookup(class, world.names[names::NEW]);
    let object = match maker {
        Value::Unbound => plain_instance(world, class, args, depth)?,
        _ => {
            let all = with_first(args, Value::Class(class));
            let made = simple(world, attribute::unwrapped(maker), all, depth)?;
            match made {
                Value::Instance(instance) if class::derives(instance::class(instance), class) => {
                    made
                }
                Value::Class(_) if class::derives(class_of(world, made), class) => made,
                _ => return Ok(made),
            }
        }
    };
    if class.finalizes.get() {
        finalize::watch(world, object, depth)?;
    }
    let init = class::lookup(class, world.names[names::INIT]);
    if init.is_unbound() {
        let takes_all = class.layout == classes::BASE_EXCEPTION || !maker.is_unbound();
        if args.count > 0 && !takes_all {
            return Err(bind::takes_no_arguments(world, class));
        }
        return Ok(object);
    }
    let result = method(world, init, object, args, depth)?;
    if !result.is_none() {
        return Err(fault::about(world, fault::INIT_RETURNED, result));
    }
    Ok(object)
}

/// A class has methods that a class that derives from it has to define.
#[opaque]
fn abstract_class(world: Gc<World>, class: Gc<Class>) -> Thrown {
    let found = class::lookup(class, world.names[names::ABSTRACT]);
    let mut missing = Vec::new();
    if let Value::Set(all) | Value::FrozenSet(all) = found {
        for entry in crate::plain::entries(all) {
            if let Value::Str(name) = all.keys.get()[entry].get() {
                missing.push(name.as_str().to_string());
            }
        }
    }
    missing.sort();
    let plural = if missing.len() == 1 { "" } else { "s" };
    let (name, missing) = (class.name_text(), missing.join(", "));
    let message =
        format!("Can't instantiate abstract class {name} with abstract method{plural} {missing}");
    fault::type_error(world, &message)
}

/// An instance before its `__init__`.
#[inline]
fn plain_instance(
    world: Gc<World>,
    class: Gc<Class>,
    args: Args,
    depth: i64,
) -> Result<Value, Thrown> {
    if class.layout == classes::BASE_EXCEPTION {
        return plain_exception(world, class, args, depth);
    }
    Ok(Value::Instance(instance::new(class, Value::None)))
}

/// An exception before its `__init__`. A group looks at what it is made of.
#[inline]
fn plain_exception(
    world: Gc<World>,
    class: Gc<Class>,
    args: Args,
    depth: i64,
) -> Result<Value, Thrown> {
    if class::derives(class, world.classes[classes::BASE_EXCEPTION_GROUP]) {
        return native::exceptions::group(world, class, as_tuple(args), depth);
    }
    Ok(Value::Instance(exception::make(class, as_tuple(args))))
}

/// The arguments by position as a tuple.
#[look_inside_iff(count_is_known)]
#[inline(never)]
pub fn as_tuple(args: Args) -> Tuple {
    let count = args.positional();
    let tuple = Tuple::new(count, Value::Unbound);
    for n in 0..count {
        tuple[n].set(args.values[args.first + n].get());
    }
    tuple
}

/// An instance of a builtin exception.
#[inline]
fn exception_of(
    world: Gc<World>,
    class: Gc<Class>,
    args: Args,
    depth: i64,
) -> Result<Value, Thrown> {
    if args.keywords.is_some() {
        return native::exceptions::with_keywords(world, class, copied(args), args.keywords, depth);
    }
    plain_exception(world, class, args, depth)
}

/// The items of a tuple as registers, for native code.
pub fn plain_tuple(tuple: Tuple) -> Registers {
    let values = Registers::new(tuple.len(), Value::Unbound);
    for n in 0..tuple.len() {
        values[n].set(tuple[n].get());
    }
    values
}

/// No arguments.
#[inline]
pub fn nothing() -> Args {
    plain(Registers::new(0, Value::Unbound))
}
