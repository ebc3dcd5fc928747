//! Iteration. In: iterables and iterators. Out: items; `Unbound` at the end. Invariant: an iterator
//! over a builtin object is an [`Iter`], whose kind is constant in compiled code, and which is not
//! made at all in a loop that keeps it to itself.

use crate::heap::class;
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::value::{Iter, Range, Value, pair};
use crate::heap::world::{World, class_of, classes, names};
use crate::plain::fault;
use crate::plain::string;
use crate::run::call;
use crate::run::call::awaiter;
use crate::run::call::generator;
use crate::run::items::more_iterators;
use verdigris::prelude::*;

/// Over the numbers of a range: `at` is the next one, `end` how many are left.
pub const RANGE: usize = 0;
/// Over a list: `at` is the next place.
pub const LIST: usize = 1;
/// Over a tuple.
pub const TUPLE: usize = 2;
/// Over the characters of a string: `at` in characters, `end` in bytes.
pub const STR: usize = 3;
/// Over the keys of a dict: `at` is an entry, `end` how many there were.
pub const DICT_KEYS: usize = 4;
/// Over its values.
pub const DICT_VALUES: usize = 5;
/// Over pairs of both.
pub const DICT_ITEMS: usize = 6;
/// Over a set.
pub const SET: usize = 7;
/// Over bytes.
pub const BYTES: usize = 8;
/// Over bytes that can be changed.
pub const BYTEARRAY: usize = 9;
/// `enumerate`: `source` is an iterator, `at` the number.
pub const ENUMERATE: usize = 10;
/// `zip`: `source` is a tuple of iterators, `other` whether they have to be equally long.
pub const ZIP: usize = 11;
/// `map`: the same, and a function.
pub const MAP: usize = 12;
/// `filter`: an iterator, and a function.
pub const FILTER: usize = 13;
/// `reversed` of a list, a tuple or a string: `at` is the next place and 1.
pub const REVERSED: usize = 14;
/// `__getitem__` with 0, 1, ..
pub const SEQUENCE: usize = 15;
/// `iter(function, end)`
pub const CALLABLE: usize = 16;
/// `__await__` of a coroutine: `source` is it; see [`crate::run::call::awaiter`] for the rest.
pub const COROUTINE_WRAPPER: usize = 17;
/// `asend` and `__anext__` of an asynchronous generator.
pub const ASEND: usize = 18;
/// `athrow` and `aclose` of one.
pub const ATHROW: usize = 19;

/// A new iterator.
#[inline]
pub fn new(kind: usize, source: Value, other: Value, at: i64, end: i64, step: i64) -> Value {
    Value::Iter(Gc::new(Iter {
        kind,
        source: Cell::new(source),
        other,
        at: Cell::new(at),
        end: Cell::new(end),
        step,
    }))
}

/// How many numbers there are from one on in steps to before another.
#[inline]
pub fn count(start: i64, stop: i64, step: i64) -> i64 {
    if step > 0 && start < stop {
        return (stop.wrapping_sub(start).wrapping_sub(1) as u64 / step as u64) as i64 + 1;
    }
    if step < 0 && start > stop {
        let down = (step.wrapping_neg()) as u64;
        return (start.wrapping_sub(stop).wrapping_sub(1) as u64 / down) as i64 + 1;
    }
    0
}

/// Whether how many numbers a range has fits into 64 bits, whatever its step is.
#[inline]
pub fn is_narrow(start: i64, stop: i64) -> bool {
    start == 0 || is_half(start) && is_half(stop)
}

/// Whether the difference of two such numbers fits into 64 bits.
#[inline]
fn is_half(x: i64) -> bool {
    x.wrapping_add(1 << 62) >= 0
}

/// How many numbers a range has.
#[inline]
pub fn range_len(range: Gc<Range>) -> i64 {
    count(range.start, range.stop, range.step)
}

/// Whether a value can be iterated over.
pub fn is_iterable(world: Gc<World>, value: Value) -> bool {
    match value {
        Value::Instance(_) | Value::Class(_) => {
            let class = class_of(world, value);
            [names::ITER, names::GETITEM]
                .iter()
                .any(|&name| !class::lookup(class, world.names[name]).is_unbound())
        }
        Value::Str(_) | Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Set(_) => true,
        Value::FrozenSet(_) | Value::View(_) | Value::Range(_) | Value::Iter(_) => true,
        Value::Generator(_) | Value::Bytes(_) | Value::ByteArray(_) => true,
        _ => false,
    }
}

/// `iter(value)`
///
/// # Errors
/// A `TypeError` if it cannot be iterated over.
#[inline]
pub fn start(world: Gc<World>, value: Value, depth: i64) -> Result<Value, Thrown> {
    let none = Value::None;
    match value {
        Value::Range(range) => {
            let count = range_len(range);
            Ok(new(RANGE, none, none, range.start, count, range.step))
        }
        Value::List(_) => Ok(new(LIST, value, none, 0, 0, 1)),
        Value::Tuple(_) => Ok(new(TUPLE, value, none, 0, 0, 1)),
        Value::Str(_) => Ok(new(STR, value, none, 0, 0, 1)),
        Value::Dict(dict) => Ok(new(DICT_KEYS, value, none, 0, dict.live.get() as i64, 1)),
        Value::Set(set) | Value::FrozenSet(set) => Ok(new(
            SET,
            Value::Dict(set),
            none,
            0,
            set.live.get() as i64,
            1,
        )),
        Value::View(view) => {
            let kind = DICT_KEYS + promote(view.kind);
            let count = view.dict.live.get() as i64;
            Ok(new(kind, Value::Dict(view.dict), none, 0, count, 1))
        }
        Value::Iter(_) | Value::Generator(_) => Ok(value),
        Value::Instance(_) | Value::Class(_) => of_object(world, value, depth),
        Value::Bytes(_) => Ok(new(BYTES, value, none, 0, 0, 1)),
        Value::ByteArray(_) => Ok(new(BYTEARRAY, value, none, 0, 0, 1)),
        _ => Err(fault::about(world, fault::NOT_ITERABLE, value)),
    }
}

#[inline]
fn of_object(world: Gc<World>, value: Value, depth: i64) -> Result<Value, Thrown> {
    let class = class_of(world, value);
    let found = class::lookup(class, world.names[names::ITER]);
    match found {
        Value::Unbound => {
            let items = class::lookup(class, world.names[names::GETITEM]);
            if items.is_unbound() {
                return Err(fault::about(world, fault::NOT_ITERABLE, value));
            }
            Ok(new(SEQUENCE, value, items, 0, 0, 1))
        }
        Value::None => Err(fault::about(world, fault::NOT_ITERABLE, value)),
        _ => {
            let made = call::method(world, found, value, call::nothing(), depth)?;
            let is_iterator = match made {
                Value::Iter(_) | Value::Generator(_) => true,
                Value::Instance(_) => {
                    let class = class_of(world, made);
                    !class::lookup(class, world.names[names::NEXT]).is_unbound()
                }
                _ => false,
            };
            if !is_iterator {
                return Err(fault::about(world, fault::ITER_RETURNED, made));
            }
            Ok(made)
        }
    }
}

/// The next item; `Unbound` if there is none.
///
/// # Errors
/// What the iterator raises, but no `StopIteration`.
#[inline]
pub fn next(world: Gc<World>, iterator: Value, depth: i64) -> Result<Value, Thrown> {
    match iterator {
        Value::Iter(iter) => of_iter(world, iter, depth),
        Value::Generator(generator) => {
            let sent = generator::resume(world, generator, Value::None, Value::None, depth)?;
            Ok(if sent.done {
                Value::Unbound
            } else {
                sent.value
            })
        }
        Value::Instance(_) => {
            let found = class::lookup(class_of(world, iterator), world.names[names::NEXT]);
            if found.is_unbound() {
                return Err(fault::about(world, fault::NOT_ITERATOR, iterator));
            }
            match call::method(world, found, iterator, call::nothing(), depth) {
                Ok(value) => Ok(value),
                Err(thrown) => {
                    let class = crate::heap::instance::class(thrown);
                    if class::derives(class, world.classes[classes::STOP_ITERATION]) {
                        return Ok(Value::Unbound);
                    }
                    Err(thrown)
                }
            }
        }
        _ => Err(fault::about(world, fault::NOT_ITERATOR, iterator)),
    }
}

/// The next item.
///
/// # Errors
/// What the iterator raises, and a `StopIteration` if there is no item.
#[inline]
pub fn next_or_stop(world: Gc<World>, iterator: Value, depth: i64) -> Result<Value, Thrown> {
    match iterator {
        Value::Instance(_) => {
            let found = class::lookup(class_of(world, iterator), world.names[names::NEXT]);
            if found.is_unbound() {
                return Err(fault::about(world, fault::NOT_ITERATOR, iterator));
            }
            call::method(world, found, iterator, call::nothing(), depth)
        }
        Value::Generator(generator) => {
            let sent = generator::resume(world, generator, Value::None, Value::None, depth)?;
            if sent.done {
                return Err(fault::stop(world, sent.value));
            }
            Ok(sent.value)
        }
        Value::Iter(iter) if promote(iter.kind) >= COROUTINE_WRAPPER => {
            let sent = awaiter::send(world, iter, Value::None, depth)?;
            if sent.done {
                return Err(fault::stop(world, sent.value));
            }
            Ok(sent.value)
        }
        _ => {
            let value = next(world, iterator, depth)?;
            if value.is_unbound() {
                return Err(fault::stop(world, Value::None));
            }
            Ok(value)
        }
    }
}

#[inline]
fn of_iter(world: Gc<World>, iter: Gc<Iter>, depth: i64) -> Result<Value, Thrown> {
    let kind = promote(iter.kind);
    match kind {
        RANGE..=BYTEARRAY => of_builtin(world, kind, iter),
        ENUMERATE => {
            if let Value::Iter(inner) = iter.source.get() {
                let inner_kind = promote(inner.kind);
                if inner_kind <= BYTEARRAY {
                    let item = of_builtin(world, inner_kind, inner)?;
                    return Ok(numbered(iter, item));
                }
            }
            if let Value::Generator(inner) = iter.source.get() {
                let sent = generator::resume(world, inner, Value::None, Value::None, depth)?;
                let item = if sent.done {
                    Value::Unbound
                } else {
                    sent.value
                };
                return Ok(numbered(iter, item));
            }
            more_iterators::next(world, iter, depth)
        }
        ZIP => {
            // The commonest case: two builtin objects.
            if let Value::Tuple(all) = iter.source.get()
                && all.len() == 2
                && let (Value::Iter(a), Value::Iter(b)) = (all[0].get(), all[1].get())
                && iter.other == Value::Bool(false)
            {
                let (kind_a, kind_b) = (promote(a.kind), promote(b.kind));
                if kind_a <= BYTEARRAY && kind_b <= BYTEARRAY {
                    let x = of_builtin(world, kind_a, a)?;
                    if x.is_unbound() {
                        return Ok(x);
                    }
                    let y = of_builtin(world, kind_b, b)?;
                    if y.is_unbound() {
                        return Ok(y);
                    }
                    return Ok(pair(x, y));
                }
            }
            more_iterators::next(world, iter, depth)
        }
        REVERSED => {
            let at = iter.at.get();
            if at <= 0 {
                return Ok(Value::Unbound);
            }
            iter.at.set(at - 1);
            match iter.source.get() {
                Value::List(list) if (at as usize) <= list.len() => Ok(list.at(at as usize - 1)),
                Value::Tuple(tuple) => Ok(tuple[at as usize - 1].get()),
                Value::Str(text) => Ok(string::at(world, text, at as usize - 1)),
                Value::Bytes(bytes) => Ok(Value::Int(bytes.at(at as usize - 1) as i64)),
                Value::ByteArray(bytes) if (at as usize) <= bytes.len() => {
                    Ok(Value::Int(bytes.at(at as usize - 1) as i64))
                }
                _ => more_iterators::next(world, iter, depth),
            }
        }
        _ => more_iterators::next(world, iter, depth),
    }
}

/// An item of `enumerate`.
#[inline]
fn numbered(iter: Gc<Iter>, item: Value) -> Value {
    if item.is_unbound() {
        return item;
    }
    let number = iter.at.get();
    iter.at.set(number.wrapping_add(1));
    pair(Value::Int(number), item)
}

/// The next item of an iterator that asks nothing of others.
#[inline]
fn of_builtin(world: Gc<World>, kind: usize, iter: Gc<Iter>) -> Result<Value, Thrown> {
    let at = iter.at.get();
    match kind {
        RANGE => {
            let left = iter.end.get();
            if left <= 0 {
                return Ok(Value::Unbound);
            }
            iter.end.set(left - 1);
            iter.at.set(at.wrapping_add(iter.step));
            Ok(Value::Int(at))
        }
        LIST => {
            if let Value::List(list) = iter.source.get() {
                if (at as usize) < list.len() {
                    iter.at.set(at + 1);
                    return Ok(list.at(at as usize));
                }
                // It has ended for good, also if the list grows.
                iter.source.set(Value::Unbound);
            }
            Ok(Value::Unbound)
        }
        TUPLE => {
            if let Value::Tuple(tuple) = iter.source.get()
                && (at as usize) < tuple.len()
            {
                iter.at.set(at + 1);
                return Ok(tuple[at as usize].get());
            }
            Ok(Value::Unbound)
        }
        STR => {
            if let Value::Str(text) = iter.source.get()
                && (at as usize) < text.chars
            {
                iter.at.set(at + 1);
                return Ok(string::at(world, text, at as usize));
            }
            Ok(Value::Unbound)
        }
        BYTES => {
            if let Value::Bytes(bytes) = iter.source.get()
                && (at as usize) < bytes.len()
            {
                iter.at.set(at + 1);
                return Ok(Value::Int(bytes.at(at as usize) as i64));
            }
            Ok(Value::Unbound)
        }
        BYTEARRAY => {
            if let Value::ByteArray(bytes) = iter.source.get() {
                if (at as usize) < bytes.len() {
                    iter.at.set(at + 1);
                    return Ok(Value::Int(bytes.at(at as usize) as i64));
                }
                iter.source.set(Value::Unbound);
            }
            Ok(Value::Unbound)
        }
        _ => {
            let Value::Dict(dict) = iter.source.get() else {
                return Ok(Value::Unbound);
            };
            if dict.live.get() as i64 != iter.end.get() {
                let what = if kind == SET {
                    fault::SET_CHANGED
                } else {
                    fault::DICT_CHANGED
                };
                return Err(fault::simple(world, what));
            }
            let entry = dict::next(dict, at as usize);
            if entry >= dict.used.get() {
                iter.source.set(Value::Unbound);
                return Ok(Value::Unbound);
            }
            iter.at.set(entry as i64 + 1);
            if kind == DICT_VALUES {
                return Ok(dict.values.get()[entry].get());
            }
            let key = dict.keys.get()[entry].get();
            if kind == DICT_ITEMS {
                return Ok(pair(key, dict.values.get()[entry].get()));
            }
            Ok(key)
        }
    }
}
