//! CPython's modules of the same names as those of the library. In: modules and names. Out: what
//! the library's module lacks and the other one has. Invariants: the folder of a CPython is looked
//! for once, and only when something would not be found otherwise; a module that cannot be loaded
//! from there has nothing, and is not tried again.

use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::function::Module;
use crate::heap::places;
use crate::heap::value::{Value, text};
use crate::heap::world::{World, classes, intern};
use crate::library::{self, PREFIX};
use crate::run::items::keys;
use crate::run::objects::import;
use crate::stdlib;
use verdigris::{Str, prelude::*};

/// The folder of CPython's modules where those are looked for that are nowhere else, if there is
/// one and it is wanted. It is looked for once.
pub fn fallback(world: Gc<World>) -> Option<String> {
    if world.fallback.get().is_unbound() {
        let found = stdlib::found();
        world
            .fallback
            .set(found.map_or(Value::None, |folder| text(&folder)));
        world.lacks_fallback.set(world.fallback.get().is_none());
    }
    match world.fallback.get() {
        Value::Str(folder) => Some(folder.as_str().to_string()),
        _ => None,
    }
}

/// What a module of the library lacks, if CPython's module of the same name has it.
///
/// # Errors
/// What is no `Exception`, such as an interrupt: a module that cannot be loaded has nothing.
pub fn complement(
    world: Gc<World>,
    module: Gc<Module>,
    name: Gc<Str>,
    depth: i64,
) -> Result<Option<Value>, Thrown> {
    if name.as_str().starts_with("__") {
        return Ok(None);
    }
    let found = match counterpart(world, module, depth)? {
        Some(other) => other.globals.get(name).map(|global| global.get()),
        None => None,
    };
    let found = found.filter(|value| !value.is_unbound());
    if let Some(value) = found {
        import::set(world, module, name.as_str(), value);
    }
    Ok(found)
}

/// CPython's module of the name of one of the library, if it can be loaded.
fn counterpart(
    world: Gc<World>,
    module: Gc<Module>,
    depth: i64,
) -> Result<Option<Gc<Module>>, Thrown> {
    let own = module.name.as_str();
    let is_ours = module.file.as_str().starts_with(PREFIX) && !library::stays(own);
    if !is_ours || own.contains('.') {
        return Ok(None);
    }
    let Some(folder) = fallback(world) else {
        return Ok(None);
    };
    let key = text(&format!("{PREFIX}{own}> of CPython"));
    let other = match keys::get(world, world.modules, key, depth)? {
        Value::Unbound => {
            let Some(code) = import::in_folder(world, &folder, own)? else {
                return Ok(None);
            };
            let other = Value::Module(code.module);
            keys::put(world, world.modules, key, other, depth)?;
            match import::run(code, places::below(world, depth)) {
                Ok(()) => other,
                Err(thrown) => {
                    keys::put(world, world.modules, key, Value::None, depth)?;
                    let class = thrown.map.get().class;
                    if !class::derives(class, world.classes[classes::EXCEPTION]) {
                        return Err(thrown);
                    }
                    Value::None
                }
            }
        }
        known => known,
    };
    Ok(match other {
        Value::Module(other) => Some(other),
        _ => None,
    })
}

/// What `import *` of a module of the library takes from CPython's module of that name.
///
/// # Errors
/// As [`complement`].
pub fn rest_of_all(
    world: Gc<World>,
    to: Gc<Module>,
    module: Gc<Module>,
    depth: i64,
) -> Result<(), Thrown> {
    let Some(other) = counterpart(world, module, depth)? else {
        return Ok(());
    };
    let value_of = |module: Gc<Module>, name: Gc<Str>| {
        let global = module.globals.get(name);
        global.map_or(Value::Unbound, |global| global.get())
    };
    let listed = value_of(other, intern(world, "__all__"));
    for name in import::texts_of(world, listed, depth).unwrap_or_default() {
        let name = intern(world, &name);
        let value = value_of(other, name);
        if value_of(module, name).is_unbound() && !value.is_unbound() {
            import::set(world, to, name.as_str(), value);
        }
    }
    Ok(())
}
