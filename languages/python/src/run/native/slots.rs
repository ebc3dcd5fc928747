//! The special methods of builtin objects by their names: what `super().__getitem__(key)` and
//! `int.__add__` are, and what instances of classes that derive from builtin ones do. In: arguments,
//! the object itself in place of an instance that has it. Out: results; `NotImplemented` where an
//! operand is of another kind.

use super::given::Given;
use super::{builtins, collect, numbers, to_number};
use crate::bytecode::opcode::{
    CMP_EQ, CMP_NE, OP_ADD, OP_AND, OP_DIV, OP_MATMUL, OP_MOD, OP_MUL, OP_OR, OP_POW, OP_SHL,
    OP_SHR, OP_SUB, OP_XOR,
};
use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::instance::plain;
use crate::heap::value::{Value, text};
use crate::heap::world::{class_of, classes, names};
use crate::plain::bytes;
use crate::plain::fault;
use crate::plain::number::without_bool;
use crate::run::call;
use crate::run::items::hash;
use crate::run::items::iterate;
use crate::run::items::keys;
use crate::run::items::subscript;
use crate::run::native::names::SLOT_REPR;
use crate::run::operators::arith;
use crate::run::operators::compare;
use crate::run::operators::contains;
use crate::run::operators::truth;
use crate::run::text::format;
use crate::run::text::show;

type Outcome = Result<Value, Thrown>;

/// The builtin classes whose instances are what their arguments say, and that others can derive
/// from.
pub const DATA: [usize; 14] = [
    classes::INT,
    classes::FLOAT,
    classes::STR,
    classes::LIST,
    classes::TUPLE,
    classes::DICT,
    classes::SET,
    classes::FROZENSET,
    classes::BYTES,
    classes::BYTEARRAY,
    classes::COMPLEX,
    classes::PROPERTY,
    classes::STATICMETHOD,
    classes::CLASSMETHOD,
];

/// Whether instances of a builtin class have a special method: both by their numbers.
pub fn has(class: usize, name: usize) -> bool {
    use classes::*;
    let is_real = matches!(class, INT | FLOAT);
    let is_number = is_real || class == COMPLEX;
    let is_set = matches!(class, SET | FROZENSET);
    let is_ordered = matches!(class, STR | LIST | TUPLE | BYTES | BYTEARRAY);
    let is_container = is_set || is_ordered || matches!(class, DICT | RANGE);
    let is_view = matches!(class, DICT_KEYS..=DICT_ITEMS);
    let is_iterator = matches!(class, RANGE_ITERATOR..=ASYNC_GENERATOR_ATHROW);
    match name {
        names::ITER if is_view || is_iterator => true,
        names::NEXT => is_iterator,
        names::LEN if is_view => true,
        names::CONTAINS => is_container || matches!(class, DICT_KEYS | DICT_ITEMS),
        names::REPR | names::EQ | names::NE => is_number || is_container,
        names::STR => class == STR,
        names::FORMAT => is_number || class == STR,
        names::HASH => is_number || matches!(class, STR | BYTES | TUPLE | FROZENSET | RANGE),
        names::BOOL => is_number,
        names::LEN | names::ITER => is_container,
        names::GETITEM => is_ordered || matches!(class, DICT | RANGE),
        names::SETITEM | names::DELITEM => matches!(class, LIST | DICT | BYTEARRAY),
        names::NEG | names::POS | names::ABS => is_number,
        names::FLOAT | names::INT => is_real,
        names::INVERT | names::INDEX => class == INT,
        names::LT..=names::GE => is_real || is_ordered || is_set,
        names::ADD..=names::MATMUL => of_operator(class, name - names::ADD),
        names::RADD..=names::RMATMUL => match name - names::RADD {
            OP_ADD => is_number,
            OP_MOD => is_real || matches!(class, STR | BYTES | BYTEARRAY),
            op => of_operator(class, op),
        },
        names::IADD..=names::IMATMUL => match name - names::IADD {
            OP_ADD | OP_MUL => matches!(class, LIST | BYTEARRAY),
            OP_OR => matches!(class, SET | DICT),
            OP_AND | OP_XOR | OP_SUB => class == SET,
            _ => false,
        },
        _ => false,
    }
}

fn of_operator(class: usize, op: usize) -> bool {
    use classes::*;
    let is_set = matches!(class, SET | FROZENSET);
    let is_ordered = matches!(class, STR | LIST | TUPLE | BYTES | BYTEARRAY);
    match op {
        OP_ADD | OP_MUL => is_ordered || matches!(class, INT | FLOAT | COMPLEX),
        OP_SUB => is_set || matches!(class, INT | FLOAT | COMPLEX),
        OP_DIV | OP_POW => matches!(class, INT | FLOAT | COMPLEX),
        OP_AND | OP_XOR => is_set || class == INT,
        OP_OR => is_set || matches!(class, INT | DICT),
        OP_SHL | OP_SHR => class == INT,
        OP_MOD => matches!(class, INT | FLOAT | STR | BYTES | BYTEARRAY),
        OP_MATMUL => false,
        _ => matches!(class, INT | FLOAT),
    }
}

/// Calls such a method. `own` is the object as it was given.
///
/// # Errors
/// What it raises.
pub fn call(given: Given, own: Value) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    given.check_keywords(&[])?;
    let (a, b) = (given.at(0), plain(given.at(1)));
    let name = given.id - SLOT_REPR + names::REPR;
    match name {
        names::REPR => match a {
            // The class is named.
            Value::ByteArray(_) => {
                let shown = show::repr(world, a, depth)?;
                let class = class_of(world, own).name.get();
                Ok(text(&shown.replacen("bytearray", class.as_str(), 1)))
            }
            _ => Ok(text(&show::repr(world, a, depth)?)),
        },
        names::STR => Ok(text(&show::text(world, a, depth)?)),
        names::FORMAT => format::of(world, a, b, depth),
        names::HASH => Ok(Value::Int(hash::of(world, a, depth)?)),
        names::BOOL => Ok(Value::Bool(truth::of(world, a, depth)?)),
        names::LEN => builtins::length(given, a),
        names::ITER => iterate::start(world, a, depth),
        names::NEXT => iterate::next_or_stop(world, a, depth),
        names::GETITEM => item(given, own, a, given.at(1)),
        names::SETITEM => {
            subscript::set(world, a, given.at(1), given.at(2), depth)?;
            Ok(Value::None)
        }
        names::DELITEM => {
            subscript::delete(world, a, given.at(1), depth)?;
            Ok(Value::None)
        }
        names::CONTAINS => Ok(Value::Bool(contains::holds(world, a, given.at(1), depth)?)),
        names::NEG => arith::negate(world, a, depth),
        names::POS => arith::plus(world, a, depth),
        names::INVERT => arith::invert(world, a, depth),
        names::ABS => numbers::absolute(given, a),
        names::INT | names::INDEX => to_number::integer(given, a),
        names::FLOAT => Ok(Value::Float(collect::float(world, a, depth)?)),
        names::LT..=names::GE => {
            let op = name - names::LT;
            match is_comparable(op, a, b) {
                true => compare::value(world, op, a, b, depth),
                false => Ok(Value::NotImplemented),
            }
        }
        names::ADD..=names::MATMUL => binary(given, name - names::ADD, a, b),
        names::RADD..=names::RMATMUL => binary(given, name - names::RADD, b, a),
        _ => {
            let op = name - names::IADD;
            let made = arith::inplace(world, op, a, b, depth)?;
            // What was changed is still the object that it is in.
            Ok(if made == a { own } else { made })
        }
    }
}

/// `__getitem__`, with `__missing__` of classes that derive from `dict`.
fn item(given: Given, own: Value, object: Value, key: Value) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    let Value::Dict(dict) = object else {
        return subscript::get(world, object, plain(key), depth);
    };
    let found = keys::get(world, dict, key, depth)?;
    if !found.is_unbound() {
        return Ok(found);
    }
    let hook = class::lookup(class_of(world, own), world.names[names::MISSING]);
    if hook.is_unbound() {
        return Err(fault::no_key(world, key));
    }
    call::method(world, hook, own, call::one(key), depth)
}

fn is_number(value: Value) -> bool {
    matches!(
        value,
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_)
    )
}

fn is_set(value: Value) -> bool {
    matches!(value, Value::Set(_) | Value::FrozenSet(_))
}

/// Whether both are numbers of which one is complex.
fn is_complex(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Complex(_), Value::Complex(_)) => true,
        (Value::Complex(_), other) | (other, Value::Complex(_)) => is_number(other),
        _ => false,
    }
}

fn is_comparable(op: usize, a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Str(_), Value::Str(_))
        | (Value::List(_), Value::List(_))
        | (Value::Tuple(_), Value::Tuple(_)) => true,
        (Value::Dict(_), Value::Dict(_)) | (Value::Range(_), Value::Range(_)) => {
            matches!(op, CMP_EQ | CMP_NE)
        }
        _ if bytes::is(a) && bytes::is(b) => true,
        _ if is_complex(a, b) => matches!(op, CMP_EQ | CMP_NE),
        _ => is_number(a) && is_number(b) || is_set(a) && is_set(b),
    }
}

fn binary(given: Given, op: usize, a: Value, b: Value) -> Outcome {
    let is_int = |value| matches!(without_bool(value), Value::Int(_) | Value::Big(_));
    let is_fine = match (a, b) {
        (Value::Str(_) | Value::Bytes(_) | Value::ByteArray(_), _) if op == OP_MOD => true,
        _ if bytes::is(a) && bytes::is(b) => op == OP_ADD,
        _ if bytes::is(a) && is_int(b) || bytes::is(b) && is_int(a) => op == OP_MUL,
        _ if is_complex(a, b) => matches!(op, OP_ADD | OP_SUB | OP_MUL | OP_DIV | OP_POW),
        (Value::Str(_), Value::Str(_))
        | (Value::List(_), Value::List(_))
        | (Value::Tuple(_), Value::Tuple(_)) => op == OP_ADD,
        (Value::Str(_) | Value::List(_) | Value::Tuple(_), other)
        | (other, Value::Str(_) | Value::List(_) | Value::Tuple(_)) => {
            op == OP_MUL && is_int(other)
        }
        (Value::Dict(_), Value::Dict(_)) => op == OP_OR,
        _ if is_set(a) && is_set(b) => matches!(op, OP_SUB | OP_AND | OP_OR | OP_XOR),
        _ if is_int(a) && is_int(b) => op != OP_MATMUL,
        _ if is_number(a) && is_number(b) => {
            !matches!(op, OP_MATMUL | OP_AND | OP_OR | OP_XOR | OP_SHL | OP_SHR)
        }
        _ => false,
    };
    match is_fine {
        true => arith::binary(given.world, op, a, b, given.depth),
        false => Ok(Value::NotImplemented),
    }
}
