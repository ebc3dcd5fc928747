//! `collectgarbage`. In: what the program asks for. Out: numbers and names. Invariant: what would
//! tune the collector is kept for those who ask, and changes nothing.
//!
//! Source: Lua 5.4 reference manual, section 6.1.

use super::check;
use super::names::COLLECTGARBAGE;
use crate::call;
use crate::fault::Fault;
use crate::finalize;
use crate::host;
use crate::string::LuaStr;
use crate::value::{Args, Returned, Value, Values, World, one};
use verdigris::{CollectScope, collect_garbage, prelude::*};

/// `collectgarbage`
///
/// It is called from the interpreter without much between: frames that are active keep what they
/// have forgotten, since the collector cannot know that.
#[opaque]
pub fn call(
    world: Gc<World>,
    values: Values,
    first: usize,
    count: usize,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    let args = Args {
        values,
        first,
        count,
    };
    let depth = call::depth_in_library(world, depth);
    let what = match args.at(0) {
        Value::Nil => "collect".to_string(),
        Value::Str(s) => s.text(),
        other => return Err(check::mismatch(COLLECTGARBAGE, 0, 1, other, true)),
    };
    Ok(one(match what.as_str() {
        // A finalizer has nothing to say here, and gets nothing.
        _ if finalize::is_finalizing() => Value::Nil,
        "count" => Value::Float(host::heap_bytes() as f64 / 1024.0),
        "collect" => {
            finalize::collect(world, depth);
            Value::Int(0)
        }
        "step" if world.collects.get() => {
            finalize::collect(world, depth);
            Value::Bool(true)
        }
        "step" => {
            collect_garbage(CollectScope::Young);
            Value::Bool(true)
        }
        // The collector decides itself when it is time; what it is told is kept for those who ask.
        "isrunning" => Value::Bool(host::tuning().running),
        "stop" | "restart" => {
            let running = what == "restart";
            host::tune(|tuning| tuning.running = running);
            Value::Int(0)
        }
        "incremental" | "generational" => {
            let generational = what == "generational";
            let old = host::tune(|tuning| tuning.generational = generational);
            let name = match old.generational {
                true => "generational",
                false => "incremental",
            };
            Value::Str(LuaStr::new(name.as_bytes()))
        }
        "setpause" => {
            let pause = check::integer_or(COLLECTGARBAGE, args, 1, 0)?;
            Value::Int(host::tune(|tuning| tuning.pause = pause).pause)
        }
        "setstepmul" => {
            let multiplier = check::integer_or(COLLECTGARBAGE, args, 1, 0)?;
            Value::Int(host::tune(|tuning| tuning.step_multiplier = multiplier).step_multiplier)
        }
        _ => {
            return Err(check::bad(
                COLLECTGARBAGE,
                0,
                &format!("invalid option '{what}'"),
            ));
        }
    }))
}
