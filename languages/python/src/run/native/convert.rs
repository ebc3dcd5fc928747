//! Making instances of builtin classes. In: a class and arguments. Out: an instance.

use super::given::Given;
use super::new_bytes;
use super::to_number::{float, integer};
use super::{builtins, collect};
use crate::heap::class::{self, Class};
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::function::{BoundMethod, Closure, Function, set_global};
use crate::heap::instance;
use crate::heap::value::{self, Accessor, Range, Slice, Super, Tuple, Value, Variable, text};
use crate::heap::variables;
use crate::heap::world::{class_of, classes, intern, names, type_name};
use crate::run::call;
use crate::run::items::iterate;
use crate::run::items::keys;
use crate::run::objects::{import, types};
use crate::run::operators::truth;
use crate::run::text::show;
use verdigris::{List, prelude::*};

type Outcome = Result<Value, Thrown>;

/// Calls a builtin class.
///
/// # Errors
/// What that raises.
pub fn make(class: Gc<Class>, given: Given) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    let name = class.name_text();
    let takes_keywords = [
        classes::DICT,
        classes::INT,
        classes::STR,
        classes::ENUMERATE,
        classes::ZIP,
        classes::PROPERTY,
        classes::TYPE,
        classes::BYTES,
        classes::BYTEARRAY,
        classes::COMPLEX,
        classes::FUNCTION,
    ];
    if given.args.keywords.is_some() && !takes_keywords.contains(&class.layout) {
        return Err(given.type_error(&format!("{name}() takes no keyword arguments")));
    }
    let most = match class.layout {
        classes::OBJECT => 0,
        classes::RANGE | classes::SLICE | classes::TYPE => 3,
        classes::STR | classes::BYTES | classes::BYTEARRAY => 3,
        classes::INT | classes::COMPLEX | classes::ENUMERATE | classes::FILTER | classes::SUPER => {
            2
        }
        classes::PROPERTY => 4,
        classes::FUNCTION => 5,
        classes::METHOD | classes::MODULE => 2,
        classes::ZIP | classes::MAP => usize::MAX,
        _ => 1,
    };
    if given.count() > most {
        let message = match (class.layout, most) {
            (classes::OBJECT, _) => format!("{name}() takes no arguments"),
            (classes::INT | classes::STR | classes::COMPLEX, _)
            | (classes::BYTES | classes::BYTEARRAY, _) => format!(
                "{name}() takes at most {most} arguments ({} given)",
                given.count()
            ),
            (_, 1) => format!("{name} expected at most 1 argument, got {}", given.count()),
            _ => format!(
                "{name} expected at most {most} arguments, got {}",
                given.count()
            ),
        };
        return Err(given.type_error(&message));
    }
    let a = given.at(0);
    match class.layout {
        classes::OBJECT => Ok(Value::Instance(crate::heap::instance::new(
            class,
            Value::None,
        ))),
        classes::TYPE => types::called(given, class),
        classes::NONE => Ok(Value::None),
        classes::INT => integer(given, a),
        classes::BOOL => match a {
            Value::Unbound => Ok(Value::Bool(false)),
            _ => Ok(Value::Bool(truth::of(world, a, depth)?)),
        },
        classes::FLOAT => float(given, a),
        classes::STR => match a {
            Value::Unbound if given.args.count == 0 => Ok(Value::Str(world.empty)),
            _ if given.args.count > 1 || a.is_unbound() => {
                given.check_keywords(&["object", "encoding", "errors"])?;
                match given.args.count {
                    1 if !given.keyword("object").is_unbound() => {
                        Ok(text(&show::text(world, given.keyword("object"), depth)?))
                    }
                    _ => new_bytes::decoded(given),
                }
            }
            _ => Ok(text(&show::text(world, a, depth)?)),
        },
        classes::BYTES => new_bytes::fixed(given),
        classes::BYTEARRAY => new_bytes::changing(given),
        classes::COMPLEX => new_bytes::number(given),
        classes::LIST => match a {
            Value::Unbound => Ok(Value::List(List::new())),
            _ => Ok(Value::List(collect::list_of(world, a, depth)?)),
        },
        classes::TUPLE => match a {
            Value::Unbound => Ok(Value::Tuple(world.no_items)),
            Value::Tuple(_) => Ok(a),
            _ => {
                let list = collect::list_of(world, a, depth)?;
                Ok(Value::Tuple(collect::tuple_of_list(world, list)))
            }
        },
        classes::DICT => dictionary(given, a),
        classes::SET => match a {
            Value::Unbound => Ok(Value::Set(dict::new())),
            _ => Ok(Value::Set(collect::set_of(world, a, depth)?)),
        },
        classes::FROZENSET => match a {
            Value::Unbound => Ok(Value::FrozenSet(dict::new())),
            Value::FrozenSet(_) => Ok(a),
            _ => Ok(Value::FrozenSet(collect::set_of(world, a, depth)?)),
        },
        classes::RANGE => range(given),
        classes::SLICE => {
            let (start, stop, step) = match given.count() {
                0 => return Err(given.type_error("slice expected at least 1 argument, got 0")),
                1 => (Value::None, a, Value::None),
                2 => (a, given.at(1), Value::None),
                _ => (a, given.at(1), given.at(2)),
            };
            Ok(Value::Slice(Gc::new(Slice { start, stop, step })))
        }
        classes::PROPERTY => {
            given.check_keywords(&["fget", "fset", "fdel", "doc"])?;
            let part = |n, name| match given.named(n, name) {
                Value::Unbound => Value::None,
                part => part,
            };
            Ok(Value::Accessor(Gc::new(Accessor {
                kind: value::PROPERTY,
                get: part(0, "fget"),
                set: part(1, "fset"),
                delete: part(2, "fdel"),
                doc: Cell::new(part(3, "doc")),
            })))
        }
        classes::CELL => Ok(Value::Cell(Gc::new(Variable {
            value: Cell::new(a),
        }))),
        classes::FUNCTION => function(given),
        classes::METHOD => match (given.at(1), builtins::is_callable(given, a)) {
            (Value::Unbound, _) => {
                let message = format!("method expected 2 arguments, got {}", given.count());
                Err(given.type_error(&message))
            }
            (_, false) => Err(given.type_error("first argument must be callable")),
            (Value::None, _) => Err(given.type_error("self must not be None")),
            (object, _) => Ok(Value::Method(Gc::new(BoundMethod {
                function: a,
                object,
            }))),
        },
        classes::MODULE => {
            let name = given.text(0)?;
            let made = import::new_module(world, name.as_str(), "", "");
            let doc = match given.at(1) {
                Value::Unbound => Value::None,
                doc => doc,
            };
            let global = variables::global_of(world, made, intern(world, "__doc__"));
            set_global(global, doc);
            Ok(Value::Module(made))
        }
        classes::STATICMETHOD => method(given, value::STATIC),
        classes::CLASSMETHOD => method(given, value::CLASS),
        classes::SUPER => super_of(given),
        classes::ENUMERATE => {
            given.check_keywords(&["iterable", "start"])?;
            let source = iterate::start(world, given.named(0, "iterable"), depth)?;
            let start = match given.named(1, "start") {
                Value::Unbound => 0,
                start => given.int(start)?,
            };
            Ok(iterate::new(
                iterate::ENUMERATE,
                source,
                Value::None,
                start,
                0,
                1,
            ))
        }
        classes::ZIP => {
            given.check_keywords(&["strict"])?;
            let strict = match given.keyword("strict") {
                Value::Unbound => false,
                strict => truth::of(world, strict, depth)?,
            };
            let all = Value::Tuple(iterators(given, 0)?);
            let strict = Value::Bool(strict);
            Ok(iterate::new(iterate::ZIP, all, strict, 0, 0, 1))
        }
        classes::MAP => {
            if given.count() < 2 {
                return Err(given.type_error("map() must have at least two arguments."));
            }
            let all = iterators(given, 1)?;
            Ok(iterate::new(iterate::MAP, Value::Tuple(all), a, 0, 0, 1))
        }
        classes::FILTER => {
            if given.count() < 2 {
                let message = format!("filter expected 2 arguments, got {}", given.count());
                return Err(given.type_error(&message));
            }
            let source = iterate::start(world, given.at(1), depth)?;
            Ok(iterate::new(iterate::FILTER, source, a, 0, 0, 1))
        }
        classes::REVERSED => reversed(given, a),
        _ => Err(given.type_error(&format!("cannot create '{name}' instances"))),
    }
}

fn method(given: Given, kind: usize) -> Outcome {
    if given.count() != 1 {
        let name = ["", "staticmethod", "classmethod"][kind];
        let message = format!("{name} expected 1 argument, got {}", given.count());
        return Err(given.type_error(&message));
    }
    Ok(value::accessor(kind, given.at(0)))
}

/// `FunctionType(code, globals, name, argdefs, closure)`
fn function(given: Given) -> Outcome {
    given.check_keywords(&["code", "globals", "name", "argdefs", "closure"])?;
    let world = given.world;
    let Value::Code(code) = given.named(0, "code") else {
        return Err(given.type_error("function() argument 'code' must be code"));
    };
    let globals = given.named(1, "globals");
    let own = crate::run::objects::introspect::globals(world, code.module, given.depth)?;
    if !value::is(own, globals) {
        return Err(given.missing("a function with other globals than its code has"));
    }
    let cells = match given.named(4, "closure") {
        Value::Tuple(cells) => cells,
        _ => world.no_items,
    };
    if cells.len() != code.free.len() {
        let (wanted, got) = (code.free.len(), cells.len());
        let name = code.name.as_str();
        let message = format!("{name} requires closure of length {wanted}, not {got}");
        return Err(given.value_error(&message));
    }
    let made = Function::of_body(code);
    let mut closure = made.closure;
    for n in 0..cells.len() {
        let Value::Cell(cell) = cells[n].get() else {
            return Err(given.type_error("arg 5 (closure) expected cell"));
        };
        if n == 0 {
            closure = Closure::new(cells.len(), cell);
        }
        closure[n].set(cell);
    }
    let made = Gc::new(Function {
        code,
        defaults: Cell::new(match given.named(3, "argdefs") {
            Value::Tuple(defaults) => defaults,
            _ => world.no_items,
        }),
        keyword_defaults: Cell::new(Value::None),
        closure,
        annotations: Cell::new(Value::None),
        attributes: Cell::new(made.attributes.get()),
    });
    if let name @ Value::Str(_) = given.named(2, "name") {
        let key = intern(world, "__name__");
        crate::run::objects::introspect::set_on_function(world, made, key, name)?;
    }
    Ok(Value::Function(made))
}

fn super_of(given: Given) -> Outcome {
    let (Value::Class(class), object) = (given.at(0), given.at(1)) else {
        return Err(given.type_error("super() argument 1 must be a type"));
    };
    let start = match object {
        // One that is bound where it is found as an attribute.
        Value::Unbound | Value::None => {
            let start = class;
            let object = Value::None;
            return Ok(Value::Super(Gc::new(Super {
                class,
                object,
                start,
            })));
        }
        Value::Class(start) if class::derives(start, class) => start,
        other => class_of(given.world, other),
    };
    if !class::derives(start, class) {
        let message = "super(type, obj): obj must be an instance or subtype of type";
        return Err(given.type_error(message));
    }
    Ok(Value::Super(Gc::new(Super {
        class,
        object,
        start,
    })))
}

/// Iterators over arguments from one on.
fn iterators(given: Given, from: usize) -> Result<Tuple, Thrown> {
    let all = Tuple::new(given.count() - from, Value::Unbound);
    for n in from..given.count() {
        let argument = given.at(n);
        let iterator = iterate::start(given.world, argument, given.depth);
        let iterator = match iterator {
            Err(_) if from == 0 && !iterate::is_iterable(given.world, argument) => {
                let class = type_name(given.world, argument);
                let message = format!("'{class}' object is not iterable");
                return Err(given.type_error(&message));
            }
            other => other?,
        };
        all[n - from].set(iterator);
    }
    Ok(all)
}

fn reversed(given: Given, a: Value) -> Outcome {
    let world = given.world;
    let own = class::lookup(class_of(world, a), world.names[names::REVERSED]);
    let a = match own {
        Value::Unbound => instance::plain(a),
        _ => a,
    };
    let len = match a {
        Value::List(list) => list.len(),
        Value::Tuple(tuple) => tuple.len(),
        Value::Str(text) => text.chars,
        Value::Bytes(bytes) => bytes.len(),
        Value::ByteArray(bytes) => bytes.len(),
        Value::Range(range) => {
            let count = iterate::range_len(range);
            let last = range.start + (count - 1) * range.step;
            let none = Value::None;
            return Ok(iterate::new(
                iterate::RANGE,
                none,
                none,
                last,
                count,
                -range.step,
            ));
        }
        Value::Dict(_) | Value::View(_) => {
            let list = collect::list_of(world, a, given.depth)?;
            let len = list.len() as i64;
            return Ok(iterate::new(
                iterate::REVERSED,
                Value::List(list),
                Value::None,
                len,
                0,
                1,
            ));
        }
        _ if !own.is_unbound() => {
            return call::method(world, own, a, call::nothing(), given.depth);
        }
        Value::Instance(_) => {
            let found = class::lookup(class_of(world, a), world.names[names::LEN]);
            let items = class::lookup(class_of(world, a), world.names[names::GETITEM]);
            if found.is_unbound() || items.is_unbound() {
                return Err(not_reversible(given, a));
            }
            let len = call::method(world, found, a, call::nothing(), given.depth)?;
            given.int(len)? as usize
        }
        _ => return Err(not_reversible(given, a)),
    };
    Ok(iterate::new(
        iterate::REVERSED,
        a,
        Value::None,
        len as i64,
        0,
        1,
    ))
}

fn not_reversible(given: Given, a: Value) -> Thrown {
    let name = type_name(given.world, a);
    given.type_error(&format!("'{name}' object is not reversible"))
}

fn range(given: Given) -> Outcome {
    if given.count() == 0 {
        return Err(given.type_error("range expected at least 1 argument, got 0"));
    }
    let number = |n: usize| match collect::index(given.world, given.at(n), given.depth)? {
        Value::Int(x) => Ok(Some(x)),
        _ => Ok(None),
    };
    let parts = match given.count() {
        1 => [Some(0), number(0)?, Some(1)],
        2 => [number(0)?, number(1)?, Some(1)],
        _ => [number(0)?, number(1)?, number(2)?],
    };
    if parts[2] == Some(0) {
        return Err(given.value_error("range() arg 3 must not be zero"));
    }
    if let [Some(start), Some(stop), Some(step)] = parts
        && iterate::is_narrow(start, stop)
    {
        return Ok(Value::Range(Gc::new(Range { start, stop, step })));
    }
    let all = [given.at(0), given.at(1), given.at(2)];
    let all = &all[..given.count().min(all.len())];
    import::call(given.world, "_ranges", "wide", all, given.depth)
}

fn dictionary(given: Given, a: Value) -> Outcome {
    let made = dict::new();
    if !a.is_unbound() {
        collect::add_pairs(given.world, made, a, given.depth)?;
    }
    add_keywords(given, made)?;
    Ok(Value::Dict(made))
}

/// Adds the arguments by keyword to a dict.
///
/// # Errors
/// None: names have hashes.
pub fn add_keywords(given: Given, made: Gc<dict::Dict>) -> Result<(), Thrown> {
    if let Some(keywords) = given.args.keywords {
        for (n, &name) in keywords.names.as_slice().iter().enumerate() {
            let key = Value::Str(value::text_of(name));
            let value = given.args.at(given.count() + n);
            keys::put(given.world, made, key, value, given.depth)?;
        }
    }
    Ok(())
}
