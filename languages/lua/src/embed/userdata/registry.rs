//! The metatables of userdata. In: what a type adds. Out: a metatable for each type and machine.
//! Invariant: methods are entries of a table that compiled code looks into; a function of Rust is
//! asked only if the type has fields of its own, or an index metamethod.

use super::any::{name_of, stored};
use super::fields::{indexed, new_indexed};
use super::{MetaMethod, UserData, UserDataMethods};
use crate::embed::callback::{self, Callback};
use crate::embed::raw::{RawArgs, Slot};
use crate::embed::state::Inner;
use crate::embed::{
    AnyUserData, Bytes, Error, FromLua, FromLuaMulti, IntoLua, IntoLuaMulti, Lua, Result, Table,
    Value,
};
use crate::interned;
use crate::table;
use crate::value::{Value as Guest, World};
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::rc::Rc;
use verdigris::prelude::*;

/// A value that is made for a machine.
type Made = Box<dyn FnOnce(&Lua) -> Result<Value>>;

/// What a type adds.
pub(crate) struct Registry<T> {
    methods: BTreeMap<String, Rc<Callback>>,
    events: HashMap<MetaMethod, Rc<Callback>>,
    values: BTreeMap<String, Made>,
    pub(super) getters: HashMap<Vec<u8>, Rc<Callback>>,
    pub(super) setters: HashMap<Vec<u8>, Rc<Callback>>,
    of: PhantomData<fn(T)>,
}

impl<T: 'static> Registry<T> {
    pub(crate) fn new() -> Registry<T> {
        Registry {
            methods: BTreeMap::new(),
            events: HashMap::new(),
            values: BTreeMap::new(),
            getters: HashMap::new(),
            setters: HashMap::new(),
            of: PhantomData,
        }
    }

    /// The metatable.
    fn metatable(self, lua: &Lua, world: Gc<World>) -> Result<Table> {
        let inner = lua.inner();
        let methods = lua.create_table()?;
        for (name, value) in self.values {
            methods.raw_set(name, value(lua)?)?;
        }
        let set = |table: &Table, name: &str, callback: Rc<Callback>| {
            let key = Slot(Guest::Str(interned::string(world, name.as_bytes())));
            let native = Guest::Native(inner.native(callback));
            table::set(world, table.root.get(), key.0, native);
        };
        for (name, callback) in self.methods {
            set(&methods, &name, callback);
        }
        let meta = lua.create_table()?;
        let mut events = self.events;
        let index = events.remove(&MetaMethod::Index);
        if self.getters.is_empty() && index.is_none() {
            meta.raw_set(MetaMethod::Index.name(), &methods)?;
        } else {
            let index = indexed(self.getters, methods, index);
            set(&meta, MetaMethod::Index.name(), index);
        }
        let new_index = events.remove(&MetaMethod::NewIndex);
        if !self.setters.is_empty() || new_index.is_some() {
            let new_index = new_indexed(self.setters, name_of::<T>(), new_index);
            set(&meta, MetaMethod::NewIndex.name(), new_index);
        }
        for (event, callback) in events {
            set(&meta, event.name(), callback);
        }
        meta.raw_set("__name", name_of::<T>())?;
        meta.raw_set("__metatable", false)?;
        Ok(meta)
    }
}

impl Inner {
    /// The metatable of the userdata of a type, which is made if there is none.
    pub(crate) fn meta_of<T: UserData>(
        self: &Rc<Self>,
        world: Gc<World>,
    ) -> Result<Gc<table::Table>> {
        self.meta_with(world, |registry| {
            T::add_fields(registry);
            T::add_methods(registry);
        })
    }

    /// That of the errors of Rust.
    pub(crate) fn meta_of_errors(self: &Rc<Self>, world: Gc<World>) -> Result<Gc<table::Table>> {
        self.meta_with(world, add_error)
    }

    fn meta_with<T: 'static>(
        self: &Rc<Self>,
        world: Gc<World>,
        add: impl FnOnce(&mut Registry<T>),
    ) -> Result<Gc<table::Table>> {
        if let Some(known) = self.types.borrow().get(&TypeId::of::<T>()) {
            return Ok(known.get());
        }
        let mut registry = Registry::new();
        add(&mut registry);
        let meta = registry.metatable(&self.lua(), world)?.root.get();
        let root = Root::new(meta);
        self.types.borrow_mut().insert(TypeId::of::<T>(), root);
        Ok(meta)
    }
}

/// The value that a method is called on, and what is behind it.
pub(super) fn this(lua: &Lua, args: RawArgs) -> Result<(Rc<dyn Any>, RawArgs)> {
    let found = match args.at(0).0 {
        Guest::Host(host) => lua.inner().hosts.borrow().get(host.key).cloned(),
        _ => None,
    };
    // Anything but a value of Rust is of no type of Rust.
    Ok((found.unwrap_or_else(|| Rc::new(())), args.rest(1)))
}

/// An error about the value that a method is called on.
pub(super) fn blame_this<T>(args: RawArgs, error: Error) -> Error {
    let error = match error {
        Error::FromLua { .. } => Error::from_lua(args.at(0).type_name(), name_of::<T>()),
        other => return other,
    };
    args.blame(0, error)
}

pub(super) fn reads<T: 'static, A: FromLuaMulti, R: IntoLuaMulti>(
    method: impl Fn(&Lua, &T, A) -> Result<R> + 'static,
) -> Rc<Callback> {
    Rc::new(move |lua: &Lua, args: RawArgs| {
        let (value, rest) = this(lua, args)?;
        let blame = |error| blame_this::<T>(args, error);
        let value = stored::<T>(&value).map_err(blame)?.read()?;
        let rest = A::from_args(rest, lua)?;
        method(lua, &value, rest)?.into_returned(lua)
    })
}

pub(super) fn writes<T: 'static, A: FromLuaMulti, R: IntoLuaMulti>(
    method: impl FnMut(&Lua, &mut T, A) -> Result<R> + 'static,
) -> Rc<Callback> {
    let method = RefCell::new(method);
    Rc::new(move |lua: &Lua, args: RawArgs| {
        let (value, rest) = this(lua, args)?;
        let blame = |error| blame_this::<T>(args, error);
        let mut value = stored::<T>(&value).map_err(blame)?.write()?;
        let rest = A::from_args(rest, lua)?;
        let mut method = method
            .try_borrow_mut()
            .map_err(|_| Error::RecursiveCallback)?;
        method(lua, &mut value, rest)?.into_returned(lua)
    })
}

impl<T: 'static> UserDataMethods<T> for Registry<T> {
    fn add_method<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        name: impl Into<String>,
        method: impl Fn(&Lua, &T, A) -> Result<R> + 'static,
    ) {
        self.methods.insert(name.into(), reads(method));
    }

    fn add_method_mut<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        name: impl Into<String>,
        method: impl FnMut(&Lua, &mut T, A) -> Result<R> + 'static,
    ) {
        self.methods.insert(name.into(), writes(method));
    }

    fn add_function<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        name: impl Into<String>,
        function: impl Fn(&Lua, A) -> Result<R> + 'static,
    ) {
        self.methods.insert(name.into(), callback::plain(function));
    }

    fn add_function_mut<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        name: impl Into<String>,
        function: impl FnMut(&Lua, A) -> Result<R> + 'static,
    ) {
        self.methods
            .insert(name.into(), callback::mutable(function));
    }

    fn add_meta_method<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        event: MetaMethod,
        method: impl Fn(&Lua, &T, A) -> Result<R> + 'static,
    ) {
        self.events.insert(event, reads(method));
    }

    fn add_meta_method_mut<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        event: MetaMethod,
        method: impl FnMut(&Lua, &mut T, A) -> Result<R> + 'static,
    ) {
        self.events.insert(event, writes(method));
    }

    fn add_meta_function<A: FromLuaMulti, R: IntoLuaMulti>(
        &mut self,
        event: MetaMethod,
        function: impl Fn(&Lua, A) -> Result<R> + 'static,
    ) {
        self.events.insert(event, callback::plain(function));
    }
}

impl<T: 'static> super::UserDataFields<T> for Registry<T> {
    fn add_field<V: IntoLua + 'static>(&mut self, name: impl Into<String>, value: V) {
        let made: Made = Box::new(move |lua| value.into_lua(lua));
        self.values.insert(name.into(), made);
    }

    fn add_field_method_get<R: IntoLua>(
        &mut self,
        name: impl Into<String>,
        getter: impl Fn(&Lua, &T) -> Result<R> + 'static,
    ) {
        let getter = reads(move |lua, this, ()| getter(lua, this));
        self.getters.insert(name.into().into_bytes(), getter);
    }

    fn add_field_method_set<A: FromLua>(
        &mut self,
        name: impl Into<String>,
        mut setter: impl FnMut(&Lua, &mut T, A) -> Result<()> + 'static,
    ) {
        let setter = writes(move |lua, this, value: A| setter(lua, this, value));
        self.setters.insert(name.into().into_bytes(), setter);
    }

    fn add_field_function_get<R: IntoLua>(
        &mut self,
        name: impl Into<String>,
        getter: impl Fn(&Lua, AnyUserData) -> Result<R> + 'static,
    ) {
        let getter = callback::plain(getter);
        self.getters.insert(name.into().into_bytes(), getter);
    }

    fn add_field_function_set<A: FromLua>(
        &mut self,
        name: impl Into<String>,
        mut setter: impl FnMut(&Lua, AnyUserData, A) -> Result<()> + 'static,
    ) {
        let setter =
            callback::mutable(move |lua, (this, value): (AnyUserData, A)| setter(lua, this, value));
        self.setters.insert(name.into().into_bytes(), setter);
    }
}

/// Errors of Rust are userdata for the program: their text is what `tostring` and `..` give.
fn add_error(errors: &mut Registry<Error>) {
    errors.add_meta_method(MetaMethod::ToString, |_, this, ()| Ok(this.to_string()));
    errors.add_meta_function(MetaMethod::Concat, |_, (a, b): (Value, Value)| {
        let text = |value: Value| match value {
            Value::Error(error) => Ok(error.to_string().into_bytes()),
            Value::String(text) => Ok(text.to_bytes()),
            Value::Integer(value) => Ok(value.to_string().into_bytes()),
            Value::Number(value) => Ok(value.to_string().into_bytes()),
            other => Err(Error::runtime(format_args!(
                "attempt to concatenate a {} value",
                other.type_name()
            ))),
        };
        Ok(Bytes([text(a)?, text(b)?].concat()))
    });
}
