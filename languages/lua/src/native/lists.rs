//! The functions of `table`. In: arguments. Out: values. Invariant: adding and removing at the end
//! of a plain table is a store in traced code; everything that moves many items is done outside of
//! it.

use super::check;
use crate::access;
use crate::fault::Fault;
use crate::table;
use crate::value::{Args, Returned, Value, World, nothing, one};
use verdigris::prelude::*;

/// `table.insert(t, value)`
#[inline]
pub fn push(world: Gc<World>, id: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    let t = check::table(id, args, 0)?;
    let value = args.at(1);
    if table::metatable(t).is_none() && !value.is_nil() {
        table::append(t, value);
    } else {
        let Value::Int(len) = access::length(world, args.at(0), depth)? else {
            return super::outside(world, id, args, depth);
        };
        access::set(
            world,
            args.at(0),
            Value::Int(len.wrapping_add(1)),
            value,
            depth,
        )?;
    }
    Ok(nothing(world))
}

/// `table.remove(t)`
#[inline]
pub fn pop(world: Gc<World>, id: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    let t = check::table(id, args, 0)?;
    let len = table::border(t);
    if table::metatable(t).is_none() && len > 0 {
        let value = table::get_int(t, len);
        table::set_int(t, len, Value::Nil);
        return Ok(one(value));
    }
    super::outside(world, id, args, depth)
}
