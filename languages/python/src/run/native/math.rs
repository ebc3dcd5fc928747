//! The module `math`. In: arguments. Out: results. Invariant: results are those of the C library's
//! functions, which Rust calls as well.

use super::collect;
use super::given::Given;
use super::names::*;
use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::hashing::mantissa_and_exponent;
use crate::heap::instance;
use crate::heap::value::{Value, pair};
use crate::heap::world::{classes, intern, type_name};
use crate::plain::bigint;
use crate::plain::fault;
use crate::plain::number;
use crate::run::call;
use crate::run::operators::arith;
use verdigris::List;

type Outcome = Result<Value, Thrown>;

/// Calls such a function.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Outcome {
    given.check_keywords(match given.id {
        MATH_ISCLOSE => &["rel_tol", "abs_tol"],
        MATH_PROD => &["start"],
        _ => &[],
    })?;
    let (world, depth) = (given.world, given.depth);
    match given.id {
        MATH_FLOOR | MATH_CEIL | MATH_TRUNC => return whole(given),
        MATH_GCD | MATH_LCM => return divisors(given),
        MATH_ISQRT => {
            let value = collect::index(world, given.at(0), depth)?;
            if collect::sign(value) < 0 {
                return Err(given.value_error("isqrt() argument must be nonnegative"));
            }
            return Ok(bigint::isqrt(value));
        }
        MATH_FACTORIAL => {
            let n = given.int(given.at(0))?;
            if n < 0 {
                return Err(given.value_error("factorial() not defined for negative values"));
            }
            let mut product = Value::Int(1);
            for factor in 2..=n {
                product = arith::mul(world, product, Value::Int(factor), depth)?;
            }
            return Ok(product);
        }
        MATH_COMB => {
            let (n, k) = (given.int(given.at(0))?, given.int(given.at(1))?);
            if n < 0 || k < 0 {
                let which = if n < 0 { "n" } else { "k" };
                let message = format!("{which} must be a non-negative integer");
                return Err(given.value_error(&message));
            }
            let mut result = Value::Int(i64::from(k <= n));
            for step in 1..=k.min(n - k).max(0) {
                result = arith::mul(world, result, Value::Int(n - step + 1), depth)?;
                result = arith::floor_div(world, result, Value::Int(step), depth)?;
            }
            return Ok(result);
        }
        MATH_PROD => {
            let all = collect::list_of(world, given.at(0), depth)?;
            let mut product = match given.keyword("start") {
                Value::Unbound => Value::Int(1),
                start => start,
            };
            for n in 0..all.len() {
                product = arith::mul(world, product, all.at(n), depth)?;
            }
            return Ok(product);
        }
        MATH_FSUM => return precise_sum(given),
        MATH_LOG | MATH_LOG2 | MATH_LOG10 => return logarithm(given),
        MATH_LDEXP => {
            let (x, n) = (given.float(0)?, given.int(given.at(1))?);
            return finite(given, scaled(x, n), x.is_finite());
        }
        MATH_HYPOT => {
            let mut sum = 0.0f64;
            for n in 0..given.count() {
                sum = sum.hypot(given.float(n)?);
            }
            return Ok(Value::Float(sum));
        }
        _ => {}
    }
    of_floats(given)
}

fn scaled(x: f64, n: i64) -> f64 {
    let mut made = x;
    let mut left = n.clamp(-3000, 3000);
    while left != 0 {
        let step = left.clamp(-500, 500);
        made *= 2f64.powi(step as i32);
        left -= step;
    }
    made
}

fn of_floats(given: Given) -> Outcome {
    let x = given.float(0)?;
    let domain = || given.value_error("math domain error");
    let made = match given.id {
        MATH_SQRT if x < 0.0 => return Err(domain()),
        MATH_SQRT => x.sqrt(),
        MATH_SIN | MATH_COS | MATH_TAN if x.is_infinite() => return Err(domain()),
        MATH_SIN => x.sin(),
        MATH_COS => x.cos(),
        MATH_TAN => x.tan(),
        MATH_ASIN | MATH_ACOS if x.abs() > 1.0 => return Err(domain()),
        MATH_ASIN => x.asin(),
        MATH_ACOS => x.acos(),
        MATH_ATAN => x.atan(),
        MATH_ATAN2 => x.atan2(given.float(1)?),
        MATH_EXP => return finite(given, x.exp(), x.is_finite()),
        MATH_EXPM1 => return finite(given, x.exp_m1(), x.is_finite()),
        MATH_SINH => return finite(given, x.sinh(), x.is_finite()),
        MATH_COSH => return finite(given, x.cosh(), x.is_finite()),
        MATH_TANH => x.tanh(),
        MATH_LOG1P if x <= -1.0 => return Err(domain()),
        MATH_LOG1P => x.ln_1p(),
        MATH_ASINH => asinh(x),
        MATH_ACOSH if x < 1.0 => return Err(domain()),
        MATH_ACOSH => acosh(x),
        MATH_ATANH if x.abs() >= 1.0 => return Err(domain()),
        MATH_ATANH => atanh(x),
        MATH_POW => {
            let y = given.float(1)?;
            if x == 0.0 && y < 0.0 || x < 0.0 && x.is_finite() && y.is_finite() && y.fract() != 0.0
            {
                return Err(domain());
            }
            return finite(given, x.powf(y), x.is_finite() && y.is_finite());
        }
        MATH_FABS => x.abs(),
        MATH_FMOD => {
            let y = given.float(1)?;
            if y == 0.0 || x.is_infinite() {
                return Err(domain());
            }
            x % y
        }
        MATH_DEGREES => x * (180.0 / std::f64::consts::PI),
        MATH_RADIANS => x * (std::f64::consts::PI / 180.0),
        MATH_ISNAN => return Ok(Value::Bool(x.is_nan())),
        MATH_ISINF => return Ok(Value::Bool(x.is_infinite())),
        MATH_ISFINITE => return Ok(Value::Bool(x.is_finite())),
        MATH_COPYSIGN => x.copysign(given.float(1)?),
        MATH_MODF => {
            let fraction = if x.is_infinite() {
                0.0f64.copysign(x)
            } else {
                x.fract()
            };
            return Ok(pair(Value::Float(fraction), Value::Float(x.trunc())));
        }
        MATH_FREXP => {
            let (mantissa, exponent) = mantissa_and_exponent(x.abs());
            let mantissa = Value::Float(mantissa.copysign(x));
            return Ok(pair(mantissa, Value::Int(i64::from(exponent))));
        }
        _ => {
            let y = given.float(1)?;
            let tolerance = |name: &str, default: f64| match given.keyword(name) {
                Value::Unbound => Ok(default),
                value => collect::float(given.world, value, given.depth),
            };
            let (relative, absolute) = (tolerance("rel_tol", 1e-9)?, tolerance("abs_tol", 0.0)?);
            if relative < 0.0 || absolute < 0.0 {
                return Err(given.value_error("tolerances must be non-negative"));
            }
            let difference = (x - y).abs();
            let is_close = x == y
                || x.is_finite()
                    && y.is_finite()
                    && difference <= (relative * x.abs().max(y.abs())).max(absolute);
            return Ok(Value::Bool(is_close));
        }
    };
    Ok(Value::Float(made))
}

/// A result that is only infinite if an argument was.
fn finite(given: Given, made: f64, was_finite: bool) -> Outcome {
    if made.is_infinite() && was_finite {
        let message = "math range error";
        return Err(fault::new(given.world, classes::OVERFLOW_ERROR, message));
    }
    Ok(Value::Float(made))
}

fn whole(given: Given) -> Outcome {
    let world = given.world;
    let value = number::without_bool(given.at(0));
    if let Value::Int(_) | Value::Big(_) = value {
        return Ok(value);
    }
    if let Value::Instance(own) = value {
        let name = intern(world, &format!("__{}__", given.name()));
        let hook = class::lookup(own.map.get().class, name);
        if !hook.is_unbound() {
            return call::method(world, hook, value, call::nothing(), given.depth);
        }
        if given.id == MATH_TRUNC && instance::plain(value) == value {
            let class = type_name(world, value);
            let message = format!("type {class} doesn't define __trunc__ method");
            return Err(given.type_error(&message));
        }
    }
    let x = collect::float(world, value, given.depth)?;
    if x.is_nan() {
        return Err(given.value_error("cannot convert float NaN to integer"));
    }
    if x.is_infinite() {
        let message = "cannot convert float infinity to integer";
        return Err(fault::new(world, classes::OVERFLOW_ERROR, message));
    }
    Ok(bigint::of_float(match given.id {
        MATH_FLOOR => x.floor(),
        MATH_CEIL => x.ceil(),
        _ => x.trunc(),
    }))
}

fn divisors(given: Given) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    let is_gcd = given.id == MATH_GCD;
    let mut result = Value::Int(i64::from(!is_gcd));
    for n in 0..given.count() {
        let value = collect::index(world, given.at(n), depth)?;
        let value = if collect::sign(value) < 0 {
            bigint::negated(value)
        } else {
            value
        };
        let (mut a, mut b) = (result, value);
        while collect::sign(b) != 0 {
            (a, b) = (b, arith::modulo(world, a, b, depth)?);
        }
        result = if is_gcd {
            a
        } else if collect::sign(a) == 0 {
            Value::Int(0)
        } else {
            let part = arith::floor_div(world, result, a, depth)?;
            arith::mul(world, part, value, depth)?
        };
    }
    Ok(result)
}

fn logarithm(given: Given) -> Outcome {
    let log = |value: Value| -> Result<f64, Thrown> {
        let value = number::without_bool(value);
        if let Value::Big(_) = value
            && bigint::to_float(value).is_none()
        {
            return Err(given.missing("the logarithm of an integer beyond floats"));
        }
        let x = collect::float(given.world, value, given.depth)?;
        if x <= 0.0 {
            return Err(given.value_error("math domain error"));
        }
        Ok(match given.id {
            MATH_LOG2 => x.log2(),
            MATH_LOG10 => x.log10(),
            _ => x.ln(),
        })
    };
    let made = log(given.at(0))?;
    match given.at(1) {
        Value::Unbound => Ok(Value::Float(made)),
        base => {
            let base = log(base)?;
            if base == 0.0 {
                return Err(fault::simple(given.world, fault::FLOAT_DIVISION));
            }
            Ok(Value::Float(made / base))
        }
    }
}

/// The sum without the loss of digits: partial sums that do not overlap.
///
/// Source: "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
/// Shewchuk, 1997.
fn precise_sum(given: Given) -> Outcome {
    let all: verdigris::prelude::Gc<List<Value>> =
        collect::list_of(given.world, given.at(0), given.depth)?;
    let mut parts: Vec<f64> = Vec::new();
    for n in 0..all.len() {
        let mut x = collect::float(given.world, all.at(n), given.depth)?;
        if !x.is_finite() {
            return Err(given.missing("'math.fsum()' of infinities"));
        }
        let mut kept = 0;
        for m in 0..parts.len() {
            let mut y = parts[m];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                parts[kept] = low;
                kept += 1;
            }
            x = high;
        }
        parts.truncate(kept);
        parts.push(x);
    }
    // The largest parts first, and the rounding right where two halves meet.
    let mut rest = parts.iter().rev().copied();
    let mut sum = rest.next().unwrap_or(0.0);
    let mut low = 0.0;
    let mut below = 0.0;
    while let Some(y) = rest.next() {
        let x = sum;
        sum = x + y;
        low = y - (sum - x);
        if low != 0.0 {
            below = rest.next().unwrap_or(0.0);
            break;
        }
    }
    if low < 0.0 && below < 0.0 || low > 0.0 && below > 0.0 {
        let y = low * 2.0;
        let x = sum + y;
        if y == x - sum {
            sum = x;
        }
    }
    Ok(Value::Float(sum))
}

/// Above this, the square of a number and 1 is the square.
const LARGE: f64 = (1u64 << 28) as f64;

/// The inverse of `sinh`; as fdlibm has it, to the last bit.
fn asinh(x: f64) -> f64 {
    let size = x.abs();
    if !x.is_finite() || size < 1.0 / LARGE {
        return x;
    }
    let square = x * x;
    let made = match size {
        _ if size > LARGE => size.ln() + std::f64::consts::LN_2,
        _ if size > 2.0 => (2.0 * size + 1.0 / ((square + 1.0).sqrt() + size)).ln(),
        _ => (size + square / (1.0 + (1.0 + square).sqrt())).ln_1p(),
    };
    made.copysign(x)
}

/// The inverse of `cosh` of what is not below 1.
fn acosh(x: f64) -> f64 {
    match x {
        _ if x >= LARGE => x.ln() + std::f64::consts::LN_2,
        _ if x > 2.0 => (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln(),
        _ => {
            let above = x - 1.0;
            (above + (2.0 * above + above * above).sqrt()).ln_1p()
        }
    }
}

/// The inverse of `tanh` of what is between -1 and 1.
fn atanh(x: f64) -> f64 {
    let size = x.abs();
    if x.is_nan() || size < 1.0 / LARGE {
        return x;
    }
    let twice = size + size;
    let made = match size < 0.5 {
        true => 0.5 * (twice + twice * size / (1.0 - size)).ln_1p(),
        false => 0.5 * (twice / (1.0 - size)).ln_1p(),
    };
    made.copysign(x)
}
