//! Fields of userdata. In: getters, setters. Out: the functions of Rust behind `__index` and
//! `__newindex`. Invariant: a getter comes before a method, a method before the type's own index.

use crate::embed::callback::Callback;
use crate::embed::raw::{RawArgs, RawReturned, Slot};
use crate::embed::{Error, Lua, Table};
use crate::table;
use crate::value::{Value as Guest, list2};
use std::collections::HashMap;
use std::rc::Rc;

/// The accessor of a field.
fn accessor(fields: &HashMap<Vec<u8>, Rc<Callback>>, key: Guest) -> Option<&Rc<Callback>> {
    match key {
        Guest::Str(name) => fields.get(name.as_bytes()),
        _ => None,
    }
}

/// What `__index` does.
pub(super) fn indexed(
    getters: HashMap<Vec<u8>, Rc<Callback>>,
    methods: Table,
    otherwise: Option<Rc<Callback>>,
) -> Rc<Callback> {
    Rc::new(move |lua: &Lua, args: RawArgs| {
        let key = args.at(1).0;
        if let Some(getter) = accessor(&getters, key) {
            return getter(lua, args);
        }
        let method = table::get(methods.root.get(), key);
        match &otherwise {
            Some(otherwise) if method.is_nil() => otherwise(lua, args),
            _ => Ok(RawReturned::one(Slot(method))),
        }
    })
}

/// What `__newindex` does.
pub(super) fn new_indexed(
    setters: HashMap<Vec<u8>, Rc<Callback>>,
    name: &'static str,
    otherwise: Option<Rc<Callback>>,
) -> Rc<Callback> {
    Rc::new(move |lua: &Lua, args: RawArgs| {
        let key = args.at(1).0;
        if let Some(setter) = accessor(&setters, key) {
            let value = list2(args.at(0).0, args.at(2).0);
            return setter(lua, RawArgs::arguments(crate::value::arguments(value)));
        }
        match &otherwise {
            Some(otherwise) => otherwise(lua, args),
            None => Err(Error::runtime(format_args!(
                "attempt to set field '{}' of {name}",
                match key {
                    Guest::Str(key) => key.text(),
                    _ => "?".to_string(),
                }
            ))),
        }
    })
}
