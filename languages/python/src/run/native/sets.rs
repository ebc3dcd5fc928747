//! Methods of sets and frozensets. In: arguments. Out: results.

use super::collect;
use super::given::Given;
use super::names::*;
use crate::bytecode::opcode::{OP_AND, OP_OR, OP_SUB, OP_XOR};
use crate::heap::dict::{self, Dict};
use crate::heap::exception::Thrown;
use crate::heap::value::Value;
use crate::heap::world::classes;
use crate::plain;
use crate::plain::fault;
use crate::run::items::algebra;
use crate::run::items::keys;
use verdigris::prelude::*;

/// Calls such a method.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Result<Value, Thrown> {
    let (world, depth) = (given.world, given.depth);
    given.check_keywords(&[])?;
    let changes = matches!(
        given.id,
        SET_ADD | SET_REMOVE | SET_DISCARD | SET_POP | SET_CLEAR | SET_UPDATE | SET_INIT
    ) || given.id >= SET_DIFFERENCE_UPDATE;
    let own = match given.at(0) {
        Value::Set(set) => set,
        Value::FrozenSet(set) if !changes => set,
        _ => return Err(given.wrong_object()),
    };
    let same_kind = |made: Gc<Dict>| match given.at(0) {
        Value::FrozenSet(_) => Value::FrozenSet(made),
        _ => Value::Set(made),
    };
    let key = given.at(1);
    match given.id {
        SET_INIT => {
            dict::clear(own);
            if !key.is_unbound() {
                let all = collect::set_of(world, key, depth)?;
                algebra::add_all(world, own, all, true, depth)?;
            }
        }
        SET_ADD => keys::add(world, own, key, depth)?,
        SET_REMOVE => {
            if keys::remove(world, own, key, depth)?.is_unbound() {
                return Err(fault::no_key(world, key));
            }
        }
        SET_DISCARD => {
            keys::remove(world, own, key, depth)?;
        }
        SET_POP => {
            let entry = plain::entries(own).next();
            return match entry {
                Some(entry) => {
                    let found = own.keys.get()[entry].get();
                    dict::remove(own, entry);
                    Ok(found)
                }
                None => {
                    let message = "pop from an empty set";
                    Err(fault::new(world, classes::KEY_ERROR, message))
                }
            };
        }
        SET_CLEAR => dict::clear(own),
        SET_COPY => return Ok(same_kind(dict::copy(own))),
        SET_UPDATE => {
            for n in 1..given.count() {
                let other = collect::set_of(world, given.at(n), depth)?;
                algebra::add_all(world, own, other, false, depth)?;
            }
        }
        SET_DIFFERENCE_UPDATE | SET_INTERSECTION_UPDATE | SET_SYMMETRIC_DIFFERENCE_UPDATE => {
            let op = match given.id {
                SET_INTERSECTION_UPDATE => OP_AND,
                SET_DIFFERENCE_UPDATE => OP_SUB,
                _ => OP_XOR,
            };
            let mut made = dict::copy(own);
            for n in 1..given.count() {
                let other = collect::set_of(world, given.at(n), depth)?;
                made = algebra::set_operation(world, op, made, other, depth)?.unwrap_or(made);
            }
            dict::clear(own);
            algebra::add_all(world, own, made, false, depth)?;
        }
        SET_UNION | SET_INTERSECTION | SET_DIFFERENCE | SET_SYMMETRIC_DIFFERENCE => {
            let op = match given.id {
                SET_UNION => OP_OR,
                SET_INTERSECTION => OP_AND,
                SET_DIFFERENCE => OP_SUB,
                _ => OP_XOR,
            };
            let mut made = dict::copy(own);
            for n in 1..given.count() {
                let other = collect::set_of(world, given.at(n), depth)?;
                made = algebra::set_operation(world, op, made, other, depth)?.unwrap_or(made);
            }
            return Ok(same_kind(made));
        }
        _ => {
            let other = collect::set_of(world, key, depth)?;
            let holds = match given.id {
                SET_ISSUBSET => algebra::all_are(world, own, other, true, depth)?,
                SET_ISSUPERSET => algebra::all_are(world, other, own, true, depth)?,
                _ => algebra::all_are(world, own, other, false, depth)?,
            };
            return Ok(Value::Bool(holds));
        }
    }
    Ok(Value::None)
}
