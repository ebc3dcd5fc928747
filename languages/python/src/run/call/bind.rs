//! Arguments to parameters. In: a function and arguments. Out: registers. Invariant: where the
//! number of arguments and the names of keywords are constants, so is what is done with them.

use crate::heap::class::Class;
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::function::{Code, Function, Keywords};
use crate::heap::hashing;
use crate::heap::value::{Registers, Tuple, Value, text_of};
use crate::heap::world::{World, classes};
use crate::plain::fault;
use crate::run::call::{Args, copied};
use verdigris::{Str, is_constant, look_inside_iff, prelude::*};

/// The registers of a function that is called with these arguments.
///
/// # Errors
/// A `TypeError` if they do not fit.
#[inline]
pub fn enter(
    world: Gc<World>,
    code: Gc<Code>,
    function: Gc<Function>,
    args: Args,
) -> Result<Registers, Thrown> {
    let registers = Registers::new(code.registers, Value::Unbound);
    let is_simple = code.keyword_only == 0 && !code.star && !code.double_star;
    if is_simple && args.count == code.params && args.keywords.is_none() {
        copy(registers, args, args.count);
        return Ok(registers);
    }
    if bind(world, code, function, registers, args) {
        return Ok(registers);
    }
    Err(refused(world, code, function, copied(args), args.keywords))
}

#[unroll_safe]
#[inline]
fn copy(registers: Registers, args: Args, count: usize) {
    for n in 0..count {
        registers[n].set(args.values[args.first + n].get());
    }
}

fn is_known(
    _world: Gc<World>,
    code: Gc<Code>,
    _function: Gc<Function>,
    _registers: Registers,
    args: Args,
) -> bool {
    is_constant(args.count) && is_constant(code)
}

/// Puts arguments of all kinds, and defaults, in registers. Whether they fit.
#[look_inside_iff(is_known)]
#[inline(never)]
fn bind(
    world: Gc<World>,
    code: Gc<Code>,
    function: Gc<Function>,
    registers: Registers,
    args: Args,
) -> bool {
    let (params, positional) = (code.params, args.positional());
    let mut next = params + code.keyword_only;
    if positional > params && !code.star {
        return false;
    }
    let direct = if positional < params {
        positional
    } else {
        params
    };
    copy(registers, args, direct);
    if code.star {
        registers[next].set(Value::Tuple(rest(world, args, direct, positional)));
        next += 1;
    }
    if code.double_star {
        registers[next].set(Value::Dict(dict::new()));
    }
    if let Some(keywords) = args.keywords {
        for n in 0..keywords.names.len() {
            let name = keywords.names[n];
            let value = args.values[args.first + positional + n].get();
            let place = parameter(code, name);
            if place >= 0 {
                if !registers[place as usize].get().is_unbound() {
                    return false;
                }
                registers[place as usize].set(value);
            } else if code.double_star {
                put(registers[next].get(), name, value);
            } else {
                return false;
            }
        }
    }
    let defaults = function.defaults.get();
    for n in direct..params {
        if registers[n].get().is_unbound() {
            let count = promote(defaults.len());
            if n + count < params {
                return false;
            }
            registers[n].set(defaults[n + count - params].get());
        }
    }
    for n in params..params + code.keyword_only {
        if registers[n].get().is_unbound() {
            let value = keyword_default(function, code.locals[n]);
            if value.is_unbound() {
                return false;
            }
            registers[n].set(value);
        }
    }
    true
}

/// The arguments from one on as a tuple.
#[unroll_safe]
#[inline]
fn rest(world: Gc<World>, args: Args, from: usize, to: usize) -> Tuple {
    if from == to {
        return world.no_items;
    }
    let tuple = Tuple::new(to - from, Value::Unbound);
    for n in from..to {
        tuple[n - from].set(args.values[args.first + n].get());
    }
    tuple
}

/// The register of a parameter that can be given by keyword, or -1.
///
/// Elidable: names do not change.
#[elidable]
fn parameter(code: Gc<Code>, name: Gc<Str>) -> i64 {
    let all = code.params + code.keyword_only;
    let names = &code.locals.as_slice()[..all];
    let found = names
        .iter()
        .skip(code.positional_only)
        .position(|&known| Gc::ptr_eq(known, name) || known.same(name));
    found.map_or(-1, |n| (n + code.positional_only) as i64)
}

#[opaque]
fn put(dict: Value, name: Gc<Str>, value: Value) {
    if let Value::Dict(dict) = dict {
        let key = Value::Str(text_of(name));
        dict::add(dict, key, hashing::of_text(name), value);
    }
}

/// The default of a parameter by keyword; `Unbound` if there is none.
#[opaque]
fn keyword_default(function: Gc<Function>, name: Gc<Str>) -> Value {
    let Value::Dict(dict) = function.keyword_defaults.get() else {
        return Value::Unbound;
    };
    let found = dict::find(dict, Value::Str(text_of(name)), hashing::of_text(name));
    match found {
        0.. => dict.values.get()[found as usize].get(),
        _ => Value::Unbound,
    }
}

/// A class whose instances take no arguments was called with some.
#[opaque]
pub fn takes_no_arguments(world: Gc<World>, class: Gc<Class>) -> Thrown {
    let message = format!("{}() takes no arguments", class.name_text());
    fault::type_error(world, &message)
}

/// Why arguments do not fit.
#[opaque]
fn refused(
    world: Gc<World>,
    code: Gc<Code>,
    function: Gc<Function>,
    values: Registers,
    keywords: Option<Gc<Keywords>>,
) -> Thrown {
    let message = reason(code, function, values, keywords);
    fault::new(world, classes::TYPE_ERROR, &message)
}

fn reason(
    code: Gc<Code>,
    function: Gc<Function>,
    values: Registers,
    keywords: Option<Gc<Keywords>>,
) -> String {
    let name = crate::run::objects::introspect::qualified(code.world, function);
    let given = keywords.map(|keywords| names_of(keywords.names));
    let given = given.unwrap_or_default();
    let named: Vec<&str> = given.iter().map(String::as_str).collect();
    let positional = values.len() - named.len();
    let all_locals = names_of(code.locals);
    let locals: Vec<&str> = all_locals.iter().map(String::as_str).collect();
    let (params, defaults) = (code.params, function.defaults.get().len());
    let all = params + code.keyword_only;
    // What is given by keyword comes first in CPython, too.
    for (n, keyword) in named.iter().enumerate() {
        let is_known = locals[code.positional_only..all].contains(keyword);
        let is_given = locals[..positional.min(params)].contains(keyword);
        if is_known && (is_given || named[..n].contains(keyword)) {
            return format!("{name}() got multiple values for argument '{keyword}'");
        }
        if !is_known && !code.double_star {
            let only: Vec<&str> = (named.iter().copied())
                .filter(|k| locals[..code.positional_only].contains(k))
                .collect();
            if !only.is_empty() {
                return format!(
                    "{name}() got some positional-only arguments passed as keyword arguments: '{}'",
                    only.join(", ")
                );
            }
            return format!("{name}() got an unexpected keyword argument '{keyword}'");
        }
    }
    if positional > params && !code.star {
        return too_many(code, function, positional, &named);
    }
    let missing = |names: &[&str], kind: &str| {
        let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
        let listed = match quoted.as_slice() {
            [one] => one.clone(),
            [one, two] => format!("{one} and {two}"),
            [others @ .., last] => format!("{}, and {last}", others.join(", ")),
            [] => String::new(),
        };
        let plural = if names.len() == 1 { "" } else { "s" };
        let count = names.len();
        format!("{name}() missing {count} required {kind} argument{plural}: {listed}")
    };
    let begin = positional.min(params);
    let required = &locals[begin..params.saturating_sub(defaults).max(begin)];
    let absent: Vec<&str> = (required.iter().copied())
        .filter(|name| !named.contains(name))
        .collect();
    if !absent.is_empty() {
        return missing(&absent, "positional");
    }
    let absent: Vec<&str> = (params..all)
        .filter(|&n| keyword_default(function, code.locals[n]).is_unbound())
        .map(|n| locals[n])
        .filter(|name| !named.contains(name))
        .collect();
    missing(&absent, "keyword-only")
}

/// Copies of names, for messages.
fn names_of(names: GcArray<Gc<Str>>) -> Vec<String> {
    let names = names.as_slice().iter();
    names.map(|name| name.as_str().to_string()).collect()
}

fn too_many(code: Gc<Code>, function: Gc<Function>, positional: usize, named: &[&str]) -> String {
    let name = crate::run::objects::introspect::qualified(code.world, function);
    let (params, defaults) = (code.params, function.defaults.get().len());
    let takes = match defaults {
        0 => format!("{params}"),
        _ => format!("from {} to {params}", params - defaults),
    };
    let plural = if params == 1 && defaults == 0 {
        ""
    } else {
        "s"
    };
    let only = &names_of(code.locals)[params..params + code.keyword_only];
    let given = only
        .iter()
        .filter(|name| named.contains(&name.as_str()))
        .count();
    if given > 0 {
        let plural_given = if positional == 1 { "" } else { "s" };
        let plural_only = if given == 1 { "" } else { "s" };
        return format!(
            "{name}() takes {takes} positional argument{plural} but {positional} positional \
             argument{plural_given} (and {given} keyword-only argument{plural_only}) were given"
        );
    }
    let was = if positional == 1 { "was" } else { "were" };
    format!("{name}() takes {takes} positional argument{plural} but {positional} {was} given")
}
