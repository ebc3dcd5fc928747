//! Variables: the globals of modules, the names of class bodies, and what functions share. In:
//! places and names. Out: variables and values. Invariant: a global has one object from when it was
//! named first.

use super::function::{Global, Module};
use super::value::{Value, Variable};
use super::world::World;
use verdigris::{Str, prelude::*, readonly};

/// A global of a module, if it has been named.
#[readonly]
pub fn module_global(module: Gc<Module>, name: Gc<Str>) -> Option<Gc<Global>> {
    module.globals.get(name)
}

/// A global of a module, which is made if there is none.
#[opaque]
pub fn global_of(world: Gc<World>, module: Gc<Module>, name: Gc<Str>) -> Gc<Global> {
    if let Some(global) = module.globals.get(name) {
        return global;
    }
    let global = Global::new(name, world.builtins.get(name));
    module.globals.insert(name, global);
    global
}

/// The shared variable in a register.
#[inline(always)]
pub fn variable(value: Value) -> Gc<Variable> {
    match value {
        Value::Cell(variable) => variable,
        _ => unreachable!(),
    }
}

/// A name in the namespace of a class body; `Unbound` if it is not there.
#[opaque]
pub fn in_namespace(namespace: Value, name: Gc<Str>) -> Value {
    match namespace {
        Value::Namespace(all) => all.get(name).unwrap_or(Value::Unbound),
        _ => Value::Unbound,
    }
}

/// Gives a name in the namespace of a class body a value.
#[opaque]
pub fn store_name(namespace: Value, name: Gc<Str>, value: Value) {
    if let Value::Namespace(all) = namespace {
        all.insert(name, value);
    }
}

/// Removes a name from the namespace of a class body. Whether it was there.
#[opaque]
pub fn delete_name(namespace: Value, name: Gc<Str>) -> bool {
    match namespace {
        Value::Namespace(all) => all.remove(name).is_some(),
        _ => false,
    }
}
