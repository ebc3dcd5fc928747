//! The functions of `math`. In: arguments. Out: numbers. Invariant: what the manual says of
//! integers holds for integers, without a way through floats.

use super::check;
use super::names::{
    MATH_ABS, MATH_ACOS, MATH_ASIN, MATH_ATAN, MATH_CEIL, MATH_COS, MATH_DEG, MATH_EXP, MATH_FLOOR,
    MATH_FMOD, MATH_LOG, MATH_MAX, MATH_MIN, MATH_MODF, MATH_RAD, MATH_RANDOM, MATH_SIN, MATH_SQRT,
    MATH_TAN, MATH_TOINTEGER, MATH_TYPE, MATH_ULT,
};
use crate::arith;
use crate::compare;
use crate::fault::Fault;
use crate::host;
use crate::meta;
use crate::number;
use crate::value::{Args, Returned, Value, World, list2, one, several};
use verdigris::prelude::*;

/// Calls one of these functions.
#[inline]
pub fn call(world: Gc<World>, id: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    Ok(one(match id {
        MATH_ABS => match check::number(id, args, 0)? {
            Value::Int(i) => Value::Int(if i < 0 { i.wrapping_neg() } else { i }),
            other => Value::Float(arith::float(other).abs()),
        },
        MATH_FLOOR => match check::number(id, args, 0)? {
            Value::Int(i) => Value::Int(i),
            other => integral(arith::float(other).floor()),
        },
        MATH_CEIL => match check::number(id, args, 0)? {
            Value::Int(i) => Value::Int(i),
            other => integral(arith::float(other).ceil()),
        },
        MATH_SQRT => Value::Float(check::float(id, args, 0)?.sqrt()),
        MATH_SIN => Value::Float(check::float(id, args, 0)?.sin()),
        MATH_COS => Value::Float(check::float(id, args, 0)?.cos()),
        MATH_TAN => Value::Float(check::float(id, args, 0)?.tan()),
        MATH_ASIN => Value::Float(check::float(id, args, 0)?.asin()),
        MATH_ACOS => Value::Float(check::float(id, args, 0)?.acos()),
        MATH_ATAN => {
            let x = if args.at(1).is_nil() {
                1.0
            } else {
                check::float(id, args, 1)?
            };
            Value::Float(check::float(id, args, 0)?.atan2(x))
        }
        MATH_DEG => Value::Float(check::float(id, args, 0)? * (180.0 / std::f64::consts::PI)),
        MATH_RAD => Value::Float(check::float(id, args, 0)? * (std::f64::consts::PI / 180.0)),
        MATH_EXP => Value::Float(check::float(id, args, 0)?.exp()),
        MATH_LOG => {
            let x = check::float(id, args, 0)?;
            if args.at(1).is_nil() {
                return Ok(one(Value::Float(x.ln())));
            }
            let base = check::float(id, args, 1)?;
            Value::Float(if base == 2.0 {
                x.log2()
            } else if base == 10.0 {
                x.log10()
            } else {
                x.ln() / base.ln()
            })
        }
        MATH_FMOD => return remainder(id, args),
        MATH_MODF => {
            if let Value::Int(i) = args.at(0) {
                return Ok(several(list2(Value::Int(i), Value::Float(0.0))));
            }
            let x = check::float(id, args, 0)?;
            let whole = if x >= 0.0 { x.floor() } else { x.ceil() };
            let part = if x.is_infinite() { 0.0 } else { x - whole };
            return Ok(several(list2(integral(whole), Value::Float(part))));
        }
        MATH_MAX => return largest(world, id, args, depth),
        MATH_MIN => return least(world, id, args, depth),
        MATH_TOINTEGER => {
            let number = match args.at(0) {
                Value::Str(s) => arith::numeral(s),
                other => other,
            };
            match arith::to_integer(number) {
                Some(i) => Value::Int(i),
                None => {
                    check::present(id, args, 0)?;
                    Value::Nil
                }
            }
        }
        MATH_TYPE => {
            check::present(id, args, 0)?;
            match args.at(0) {
                Value::Int(_) => Value::Str(world.names[meta::TYPE_INTEGER]),
                Value::Float(_) => Value::Str(world.names[meta::TYPE_FLOAT]),
                _ => Value::Nil,
            }
        }
        MATH_ULT => {
            let (a, b) = (check::integer(id, args, 0)?, check::integer(id, args, 1)?);
            Value::Bool((a as u64) < b as u64)
        }
        _ => unreachable!(),
    }))
}

/// `math.random` with at most two arguments.
#[inline]
pub fn random(args: Args) -> Result<Returned, Gc<Fault>> {
    /// 2^-53
    const UNIT: f64 = 1.0 / 9_007_199_254_740_992.0;
    let word = host::random();
    if args.count == 0 {
        return Ok(one(Value::Float((word >> 11) as i64 as f64 * UNIT)));
    }
    let first = check::integer(MATH_RANDOM, args, 0)?;
    let (low, high) = if args.count == 2 {
        (first, check::integer(MATH_RANDOM, args, 1)?)
    } else if first == 0 {
        return Ok(one(Value::Int(word as i64)));
    } else {
        (1, first)
    };
    if low > high {
        return Err(check::failed(MATH_RANDOM, 0, check::INTERVAL));
    }
    let offset = host::random_up_to(word, high.wrapping_sub(low) as u64);
    Ok(one(Value::Int(low.wrapping_add(offset as i64))))
}

/// A float that has no fraction, as an integer if it can be one.
#[inline]
fn integral(value: f64) -> Value {
    match number::float_to_integer(value) {
        Some(i) => Value::Int(i),
        None => Value::Float(value),
    }
}

fn remainder(id: usize, args: Args) -> Result<Returned, Gc<Fault>> {
    let (a, b) = (check::number(id, args, 0)?, check::number(id, args, 1)?);
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        if b == 0 {
            return Err(check::failed(id, 1, check::ZERO));
        }
        return Ok(one(Value::Int(a.wrapping_rem(b))));
    }
    let rest = verdigris::library::remainder(arith::float(a), arith::float(b));
    Ok(one(Value::Float(rest)))
}

/// The largest by the operator `<`, whatever the arguments are.
#[unroll_safe]
fn largest(world: Gc<World>, id: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    check::present(id, args, 0)?;
    let mut best = args.at(0);
    for n in 1..args.count {
        let value = args.at(n);
        if compare::less(world, best, value, depth)? {
            best = value;
        }
    }
    Ok(one(best))
}

/// The least by the operator `<`, whatever the arguments are.
#[unroll_safe]
fn least(world: Gc<World>, id: usize, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    check::present(id, args, 0)?;
    let mut best = args.at(0);
    for n in 1..args.count {
        let value = args.at(n);
        if compare::less(world, value, best, depth)? {
            best = value;
        }
    }
    Ok(one(best))
}
