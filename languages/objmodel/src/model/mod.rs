//! The object model: what attributes and methods are. In: objects and names. Out: values.
//! Invariant: the stage, which is fixed when a program is loaded and folds away in traces, decides
//! how fast a lookup is, never what it finds.
//!
//! An attribute is looked up in the instance and then in its class, as in the running example of
//! the 2011 paper on runtime feedback (section 2.4). The stages are the paper's: [`dicts`] is
//! figure 2, [`maps`] figure 4, [`versions`] figure 6. The class of an instance's heap object says
//! how its attributes are kept; the stage says it of new instances, and of classes.

pub mod dicts;
pub mod maps;
pub mod versions;

use crate::object::{Class, Model, Obj, ObjKind};
use crate::trap::Trap;
use verdigris::prelude::*;

/// Instances and classes have dictionaries.
pub const DICT: u8 = 0;
/// Instances have maps.
pub const MAPS: u8 = 1;
/// Instances have maps, and classes have versions.
pub const VERSIONS: u8 = 2;

/// An attribute of an object: its own, or else that of its class.
#[inline(always)]
pub fn getattr(model: Gc<Model>, object: Obj, name: i64) -> Result<Obj, Trap> {
    let (own, class) = match object.kind() {
        ObjKind::DictInstance(instance) => (dicts::getfield(instance, name), instance.class),
        ObjKind::MapInstance(instance) => (maps::getfield(instance, name), instance.class),
        ObjKind::Class(class) => (None, class),
        _ => return Err(Trap::NoAttributes(object, name)),
    };
    match own {
        Some(value) => Ok(value),
        None => find_method(model, class, name).ok_or(Trap::Attribute(object, name)),
    }
}

/// A method or attribute of a class, if it has it.
#[inline(always)]
fn find_method(model: Gc<Model>, class: Gc<Class>, name: i64) -> Option<Obj> {
    match model.stage {
        VERSIONS => versions::find_method(class, name),
        _ => dicts::find_method(class, name),
    }
}

/// Writes an attribute of an instance, or a method or attribute of a class.
#[inline(always)]
pub fn setattr(model: Gc<Model>, object: Obj, name: i64, value: Obj) -> Result<(), Trap> {
    match object.kind() {
        ObjKind::DictInstance(instance) => dicts::write_attribute(instance, name, value),
        ObjKind::MapInstance(instance) => maps::write_attribute(model, instance, name, value),
        ObjKind::Class(class) => match model.stage {
            VERSIONS => versions::write_method(class, name, value),
            _ => dicts::write_method(class, name, value),
        },
        _ => return Err(Trap::NoAttributes(object, name)),
    }
    Ok(())
}

/// A new instance of a class.
#[inline(always)]
pub fn instantiate(model: Gc<Model>, class: Obj) -> Result<Obj, Trap> {
    match class.kind() {
        ObjKind::Class(class) => Ok(match model.stage {
            DICT => Obj::from(dicts::instantiate(class)),
            _ => Obj::from(maps::instantiate(model, class)),
        }),
        _ => Err(Trap::NoClass(class)),
    }
}
