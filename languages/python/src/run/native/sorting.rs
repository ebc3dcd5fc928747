//! Sorting. In: a list, and the keywords `key` and `reverse`. Out: the list in order. Invariant:
//! equal items keep their order, also in reverse; comparisons are `<` of keys, and may call the
//! program.

use super::given::Given;
use crate::bytecode::opcode::CMP_LT;
use crate::heap::exception::Thrown;
use crate::heap::value::Value;
use crate::run::call;
use crate::run::call::consume;
use crate::run::operators::compare;
use crate::run::operators::truth;
use std::cmp::Ordering;
use verdigris::{List, prelude::*};

/// Below this, a run is sorted by insertion.
const RUN: usize = 16;

/// Sorts a list in place.
///
/// # Errors
/// What keys and comparisons raise.
pub fn sort(given: Given, list: Gc<List<Value>>) -> Result<(), Thrown> {
    let (world, depth) = (given.world, given.depth);
    let is_reverse = match given.keyword("reverse") {
        Value::Unbound => false,
        reverse => truth::of(world, reverse, depth)?,
    };
    // While it is sorted, the list is empty for everybody else.
    let items: Gc<List<Value>> = list.slice(0, list.len());
    let key = given.keyword("key");
    let mut keys: Gc<List<Value>> = items.slice(0, items.len());
    if let Value::List(all) = consume::mapped(world, key, Value::List(items), depth)? {
        keys = all;
    } else if !matches!(key, Value::Unbound | Value::None) {
        for n in 0..items.len() {
            keys.set(n, call::value(world, key, call::one(items.at(n)), depth)?);
        }
    }
    let mut order: Vec<usize> = (0..items.len()).collect();
    if is_reverse {
        order.reverse();
    }
    if let Some(sorted) = quickly(&keys, &order) {
        order = sorted;
    } else {
        let less =
            |a: usize, b: usize| compare::holds(world, CMP_LT, keys.at(a), keys.at(b), depth);
        merge_sort(&mut order, &less)?;
    }
    if is_reverse {
        order.reverse();
    }
    list.clear();
    for n in order {
        list.push(items.at(n));
    }
    Ok(())
}

/// The places of keys in their order, equal ones as they were, if all keys are integers, floats or
/// strings, so that comparing them calls nothing; `None` of others.
fn quickly(keys: &Gc<List<Value>>, order: &[usize]) -> Option<Vec<usize>> {
    let mut order = order.to_vec();
    let all = |fits: fn(Value) -> bool| order.iter().all(|&n| fits(keys.at(n)));
    if all(|key| matches!(key, Value::Int(_))) {
        let with_key = |&n: &usize| match keys.at(n) {
            Value::Int(x) => (x, n),
            _ => unreachable!("all are integers"),
        };
        let mut pairs: Vec<(i64, usize)> = order.iter().map(with_key).collect();
        pairs.sort_by_key(|&(key, _)| key);
        order = pairs.into_iter().map(|(_, n)| n).collect();
    } else if all(|key| matches!(key, Value::Str(_))) {
        order.sort_by(|&a, &b| match (keys.at(a), keys.at(b)) {
            (Value::Str(a), Value::Str(b)) => a.data.as_bytes().cmp(b.data.as_bytes()),
            _ => unreachable!("all are strings"),
        });
    } else if all(|key| matches!(key, Value::Float(x) if !x.is_nan())) {
        order.sort_by(|&a, &b| match (keys.at(a), keys.at(b)) {
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            _ => unreachable!("all are floats"),
        });
    } else {
        return None;
    }
    Some(order)
}

fn merge_sort(
    order: &mut [usize],
    less: &impl Fn(usize, usize) -> Result<bool, Thrown>,
) -> Result<(), Thrown> {
    if order.len() <= RUN {
        for n in 1..order.len() {
            let mut at = n;
            while at > 0 && less(order[at], order[at - 1])? {
                order.swap(at, at - 1);
                at -= 1;
            }
        }
        return Ok(());
    }
    let middle = order.len() / 2;
    merge_sort(&mut order[..middle], less)?;
    merge_sort(&mut order[middle..], less)?;
    if !less(order[middle], order[middle - 1])? {
        return Ok(());
    }
    let (left, right) = (order[..middle].to_vec(), order[middle..].to_vec());
    let (mut i, mut j) = (0, 0);
    for place in order.iter_mut() {
        let takes_right = i == left.len() || j < right.len() && less(right[j], left[i])?;
        if takes_right {
            *place = right[j];
            j += 1;
        } else {
            *place = left[i];
            i += 1;
        }
    }
    Ok(())
}
