//! Calls. In: a callee and arguments. Out: results, or a fault. Invariants: the arguments are
//! copied to the callee's registers, without a list in between; a call of a guest function is a
//! call of the portal, one level deeper.

use crate::fault::{self, Fault};
use crate::interp;
use crate::meta;
use crate::native;
use crate::value::{
    Args, Closure, Native, Proto, Returned, Value, Values, World, arguments, list1, list2, list3,
};
use verdigris::{is_constant, look_inside_iff, prelude::*, we_are_jitted};

/// Calls a value from an instruction.
#[inline]
pub fn from_code(
    world: Gc<World>,
    callee: Value,
    args: Args,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    match callee {
        Value::Function(closure) => function(world, closure, args, depth),
        Value::Native(callee) => native(world, promote(callee).id, args, depth),
        _ => object(world, callee, args, depth),
    }
}

/// Calls a function of the library from an instruction.
#[inline]
pub fn native(world: Gc<World>, id: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    match native::call(world, id, args, depth) {
        Ok(results) => Ok(results),
        Err(fault) => Err(fault::leave_library(fault)),
    }
}

/// Calls a value from the library or for a metamethod.
#[inline]
pub fn value(
    world: Gc<World>,
    callee: Value,
    args: Args,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    match callee {
        Value::Function(closure) => function(world, closure, args, depth),
        Value::Native(callee) => {
            let list = copied(args);
            native_outside(world, callee, list, depth)
        }
        _ => object(world, callee, args, depth),
    }
}

/// Calls a function of the library, which the JIT does not look into.
#[opaque]
fn native_outside(
    world: Gc<World>,
    callee: Gc<Native>,
    args: Values,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    if depth >= world.max_depth {
        return Err(fault::library_overflow());
    }
    let depth = depth_in_library(world, depth);
    let result = native::call(world, callee.id, arguments(args), depth);
    if let Err(fault) = result {
        // Its place would be that of a function of the library, which has none.
        fault::in_library(fault, callee.id);
    }
    result
}

/// How many functions of the library may be active within each other, as in the reference.
const LIBRARY_CALLS: i64 = 200;

/// The depth of what a function of the library calls. Such a function takes a share of all the
/// depth there is: it may call itself without a function of the program in between, and needs more
/// of the machine's stack than one of these.
#[inline]
pub fn depth_in_library(world: Gc<World>, depth: i64) -> i64 {
    depth + world.max_depth / LIBRARY_CALLS + 1
}

/// Calls a function of the program.
#[inline]
pub fn function(
    world: Gc<World>,
    closure: Gc<Closure>,
    args: Args,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    let proto = promote(closure.proto);
    if depth >= world.max_depth {
        return Err(fault::overflow());
    }
    if !we_are_jitted() {
        return interpreted(proto, closure, args, depth);
    }
    let registers = enter(proto, args);
    interp::run(proto, closure, registers, depth + 1)
}

/// The interpreter's own way to call a function: with registers that an earlier call has left, so
/// that a call need not allocate. Only the activation that has ended can have seen them.
#[inline]
fn interpreted(
    proto: Gc<Proto>,
    closure: Gc<Closure>,
    args: Args,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    let spare = proto.spare;
    let Value::Many(registers) = spare[0].get() else {
        let registers = enter(proto, args);
        let result = interp::run(proto, closure, registers, depth + 1);
        leave(spare, registers);
        return result;
    };
    spare[0].set(registers[0].get());
    registers[0].set(Value::Nil);
    fill(proto, registers, args);
    let result = interp::run(proto, closure, registers, depth + 1);
    leave(spare, registers);
    result
}

/// Keeps registers for the next call, in a list through their first ones.
#[inline]
fn leave(spare: Values, registers: Values) {
    let all = registers.as_slice();
    let Some((first, others)) = all.split_first() else {
        return;
    };
    for register in others {
        register.set(Value::Nil);
    }
    first.set(spare[0].get());
    spare[0].set(Value::Many(registers));
}

/// The registers of a function that is called with these arguments.
#[inline]
pub fn enter(proto: Gc<Proto>, args: Args) -> Values {
    let registers = Values::new(proto.slots, Value::Nil);
    fill(proto, registers, args);
    registers
}

/// Puts arguments in the registers of a function, which hold nil.
#[unroll_safe]
#[inline]
fn fill(proto: Gc<Proto>, registers: Values, args: Args) {
    let params = proto.params;
    let count = if args.count < params {
        args.count
    } else {
        params
    };
    for n in 0..count {
        registers[n].set(args.values[args.first + n].get());
    }
    if proto.vararg {
        let more = if args.count > params {
            behind(args, params)
        } else {
            proto.world.nothing
        };
        registers[params].set(Value::Many(more));
    }
}

/// Whether a number of values is known, so that what is done for each of them can be a part of a
/// trace.
fn is_known(args: Args, _from: usize) -> bool {
    is_constant(args.count)
}

/// The arguments from one on as a list.
#[look_inside_iff(is_known)]
#[inline(never)]
pub fn behind(args: Args, from: usize) -> Values {
    let count = args.count.saturating_sub(from);
    let list = Values::new(count, Value::Nil);
    for n in 0..count {
        list[n].set(args.values[args.first + from + n].get());
    }
    list
}

/// The arguments as a list of their own, if they are not one already.
#[inline]
pub fn copied(args: Args) -> Values {
    if args.first == 0 && args.count == args.values.len() {
        args.values
    } else {
        behind(args, 0)
    }
}

fn both_known(args: Args, list: Values) -> bool {
    is_constant(args.count) && is_constant(list.len())
}

/// These arguments and then those of a list.
#[look_inside_iff(both_known)]
#[inline(never)]
pub fn joined(args: Args, list: Values) -> Values {
    let (count, more) = (args.count, list.len());
    let all = Values::new(count + more, Value::Nil);
    for n in 0..count {
        all[n].set(args.values[args.first + n].get());
    }
    for n in 0..more {
        all[count + n].set(list[n].get());
    }
    all
}

/// Calls with two arguments.
#[inline]
pub fn with_two(
    world: Gc<World>,
    callee: Value,
    a: Value,
    b: Value,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    value(world, callee, arguments(list2(a, b)), depth)
}

/// Calls with three arguments.
#[inline]
pub fn with_three(
    world: Gc<World>,
    callee: Value,
    a: Value,
    b: Value,
    c: Value,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    value(world, callee, arguments(list3(a, b, c)), depth)
}

/// Calls something that is no function: its `__call`, with itself as the first argument.
#[unroll_safe]
#[inline(never)]
fn object(world: Gc<World>, first: Value, given: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    let mut callee = first;
    let mut args = given;
    loop {
        let handler = meta::handler(world, callee, meta::CALL);
        let one = list1(callee);
        args = arguments(joined(arguments(one), copied(args)));
        match handler {
            Value::Function(closure) => return function(world, closure, args, depth),
            Value::Native(native) => return native_outside(world, native, copied(args), depth),
            Value::Nil => {
                // Messages have a name for the first callee alone.
                let operand = if callee == first { 1 } else { 0 };
                return Err(fault::wrong_type(world, fault::CALL, callee, operand));
            }
            _ => callee = handler,
        }
    }
}
