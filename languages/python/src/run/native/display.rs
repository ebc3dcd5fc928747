//! How the dialogue shows values. In: the value of an expression. Out: its text on standard output.

use crate::heap::exception::Thrown;
use crate::heap::function::{Global, set_global};
use crate::heap::places;
use crate::heap::value::{Value, text};
use crate::heap::world::{World, classes, intern};
use crate::output;
use crate::plain::fault;
use crate::run::call;
use crate::run::items::keys;
use crate::run::objects::attribute;
use crate::run::text::show;
use verdigris::prelude::*;

/// Shows a value as `sys.displayhook` does.
///
/// # Errors
/// What that raises.
#[opaque]
pub fn show_value(world: Gc<World>, value: Value, depth: i64) -> Result<(), Thrown> {
    let system = keys::get(world, world.modules, text("sys"), depth)?;
    let hook = attribute::get(world, system, intern(world, "displayhook"), depth)
        .map_err(|_| fault::new(world, classes::RUNTIME_ERROR, "lost sys.displayhook"))?;
    call::value(world, hook, call::one(value), places::below(world, depth))?;
    Ok(())
}

/// `sys.displayhook(value)`: shows it, and keeps it in `_`.
///
/// # Errors
/// What its `__repr__` raises.
pub fn hook(world: Gc<World>, value: Value, depth: i64) -> Result<Value, Thrown> {
    if value.is_none() {
        return Ok(value);
    }
    let last = last(world);
    set_global(last, Value::None);
    let shown = show::repr(world, value, depth)?;
    output::write(&format!("{shown}\n"), false)
        .map_err(|error| fault::new(world, classes::OS_ERROR, &error.to_string()))?;
    set_global(last, value);
    Ok(Value::None)
}

/// The variable `_` of the builtins.
fn last(world: Gc<World>) -> Gc<Global> {
    let name = intern(world, "_");
    world.builtins.get(name).unwrap_or_else(|| {
        let made = Global::new(name, None);
        world.builtins.insert(name, made);
        made
    })
}
