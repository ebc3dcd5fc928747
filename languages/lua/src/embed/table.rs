//! Tables as Rust sees them.

use super::raw::Slot;
use super::state::Inner;
use super::{FromLua, IntoLua, Lua, Pairs, Result, SequenceValues, Value};
use crate::access;
use crate::metatable;
use crate::table::{self, Table as Guest};
use crate::value::Value as GuestValue;
use std::fmt;
use std::rc::Rc;
use verdigris::prelude::*;

/// A table. The handle keeps it alive.
#[derive(Clone)]
pub struct Table {
    pub(super) inner: Rc<Inner>,
    pub(super) root: Root<Gc<Guest>>,
}

impl Table {
    pub(crate) fn new(inner: &Rc<Inner>, table: Gc<Guest>) -> Table {
        Table {
            inner: inner.clone(),
            root: Root::new(table),
        }
    }

    fn guest(&self) -> GuestValue {
        GuestValue::Table(self.root.get())
    }

    /// The value of a key, as `t[key]` has it: `__index` counts.
    ///
    /// # Errors
    /// What a metamethod fails with, or if the value is not what is wanted.
    pub fn get<V: FromLua>(&self, key: impl IntoLua) -> Result<V> {
        self.inner.enter(|world| {
            let lua = self.inner.lua();
            let key = key.into_slot(&lua)?.0;
            let inner = &self.inner;
            let value = match table::metatable(self.root.get()) {
                None => table::get(self.root.get(), key),
                Some(_) => {
                    inner.protected(world, |depth| access::get(world, self.guest(), key, depth))?
                }
            };
            V::from_slot(Slot(value), &lua)
        })?
    }

    /// Sets a key, as `t[key] = value` does: `__newindex` counts.
    ///
    /// # Errors
    /// If the key is nil or not a number, and what a metamethod fails with.
    pub fn set(&self, key: impl IntoLua, value: impl IntoLua) -> Result<()> {
        self.inner.enter(|world| {
            let lua = self.inner.lua();
            let (key, value) = (key.into_slot(&lua)?.0, value.into_slot(&lua)?.0);
            self.inner.protected(world, |depth| {
                access::set(world, self.guest(), key, value, depth)
            })
        })?
    }

    /// The value of a key without metamethods.
    ///
    /// # Errors
    /// If the value is not what is wanted.
    pub fn raw_get<V: FromLua>(&self, key: impl IntoLua) -> Result<V> {
        self.inner.enter(|_| {
            let lua = self.inner.lua();
            let key = key.into_slot(&lua)?.0;
            V::from_slot(Slot(table::get(self.root.get(), key)), &lua)
        })?
    }

    /// Sets a key without metamethods.
    ///
    /// # Errors
    /// If the key is nil or not a number.
    pub fn raw_set(&self, key: impl IntoLua, value: impl IntoLua) -> Result<()> {
        self.inner.enter(|world| {
            let lua = self.inner.lua();
            let (key, value) = (key.into_slot(&lua)?.0, value.into_slot(&lua)?.0);
            self.inner.protected(world, |_| {
                access::raw_set(world, self.root.get(), key, value)
            })
        })?
    }

    /// Whether a key has a value that is not nil; `__index` counts.
    ///
    /// # Errors
    /// What a metamethod fails with.
    pub fn contains_key(&self, key: impl IntoLua) -> Result<bool> {
        self.get::<Value>(key).map(|value| !value.is_nil())
    }

    /// The length, as `#t` has it: `__len` counts.
    ///
    /// # Errors
    /// What a metamethod fails with, or if it gives no integer.
    pub fn len(&self) -> Result<i64> {
        self.inner.enter(|world| {
            let length = self
                .inner
                .protected(world, |depth| access::length(world, self.guest(), depth))?;
            i64::from_slot(Slot(length), &self.inner.lua())
        })?
    }

    /// The length without metamethods.
    ///
    /// # Panics
    /// If the machine has been dropped.
    pub fn raw_len(&self) -> usize {
        usize::try_from(table::border(self.root.get())).unwrap_or(0)
    }

    /// Whether it has no entries.
    ///
    /// # Panics
    /// If the machine has been dropped.
    pub fn is_empty(&self) -> bool {
        table::next_place(self.root.get(), 0) < 0
    }

    /// Adds a value behind the last item, without metamethods.
    ///
    /// # Errors
    /// If the value cannot be one of Lua.
    pub fn push(&self, value: impl IntoLua) -> Result<()> {
        let next = self.raw_len() + 1;
        self.raw_set(next, value)
    }

    /// Takes the last item, without metamethods; nil if there is none.
    ///
    /// # Errors
    /// If it is not what is wanted: then it stays.
    pub fn pop<V: FromLua>(&self) -> Result<V> {
        let last = self.raw_len();
        let value = self.raw_get(last)?;
        if last > 0 {
            self.raw_set(last, Value::Nil)?;
        }
        Ok(value)
    }

    /// Removes all entries; the metatable stays.
    ///
    /// # Errors
    /// If the machine is gone.
    pub fn clear(&self) -> Result<()> {
        self.inner.enter(|world| {
            let table = self.root.get();
            let mut place = table::next_place(table, 0);
            while place >= 0 {
                table::set(world, table, table::key_at(table, place), GuestValue::Nil);
                place = table::next_place(table, place);
            }
        })
    }

    /// The metatable.
    ///
    /// # Panics
    /// If the machine has been dropped.
    pub fn metatable(&self) -> Option<Table> {
        let meta = self
            .inner
            .enter(|_| table::metatable(self.root.get()).map(|meta| Table::new(&self.inner, meta)));
        meta.expect("the machine is there")
    }

    /// Gives it a metatable, or takes it away. A field `__metatable` does not hinder that.
    ///
    /// # Errors
    /// If the metatable is another machine's.
    pub fn set_metatable(&self, meta: Option<Table>) -> Result<()> {
        self.inner.enter(|world| {
            let meta = match meta {
                None => None,
                Some(meta) => match Value::Table(meta).into_guest(&self.inner)? {
                    GuestValue::Table(meta) => Some(meta),
                    _ => None,
                },
            };
            metatable::set(world, self.root.get(), meta);
            Ok(())
        })?
    }

    /// The entries, without metamethods, in the order in which their keys were added. Entries may
    /// be changed and removed meanwhile; if some are added, others may be left out or come twice.
    pub fn pairs<K: FromLua, V: FromLua>(&self) -> Pairs<K, V> {
        Pairs::new(self.clone())
    }

    /// The items from 1 on, without metamethods, up to the first that is nil.
    pub fn sequence_values<V: FromLua>(&self) -> SequenceValues<V> {
        SequenceValues::new(self.clone())
    }

    pub(crate) fn keys<K: FromLua>(&self) -> impl Iterator<Item = Result<K>> {
        self.pairs::<K, Value>()
            .map(|pair| pair.map(|(key, _)| key))
    }

    /// Whether it equals another one for Lua: `__eq` counts.
    ///
    /// # Errors
    /// What a metamethod fails with.
    pub fn equals(&self, other: &Table) -> Result<bool> {
        self.inner.enter(|world| {
            let other = other.clone().into_slot(&self.inner.lua())?.0;
            self.inner.protected(world, |depth| {
                crate::compare::equal(world, self.guest(), other, depth)
            })
        })?
    }

    /// Calls the function in a field, without the table as an argument.
    ///
    /// # Errors
    /// If there is no function, and what it fails with.
    pub fn call_function<R: super::FromLuaMulti>(
        &self,
        name: impl IntoLua,
        args: impl super::IntoLuaMulti,
    ) -> Result<R> {
        self.get::<super::Function>(name)?.call(args)
    }

    /// Calls the function in a field, with the table as the first argument.
    ///
    /// # Errors
    /// As [`Table::call_function`].
    pub fn call_method<R: super::FromLuaMulti>(
        &self,
        name: impl IntoLua,
        args: impl super::IntoLuaMulti,
    ) -> Result<R> {
        self.get::<super::Function>(name)?.call((self, args))
    }
}

/// Whether they are the same table.
impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner) && Gc::ptr_eq(self.root.get(), other.root.get())
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::value::shown(f, "table", &self.root)
    }
}

impl Lua {
    /// A table without entries.
    ///
    /// # Errors
    /// If there is too little memory.
    pub fn create_table(&self) -> Result<Table> {
        let inner = self.inner();
        inner.enter(|world| Table::new(inner, table::empty(world)))
    }

    /// A table with these entries.
    ///
    /// # Errors
    /// If one cannot be of Lua, or if a key is nil or not a number.
    pub fn create_table_from<K: IntoLua, V: IntoLua>(
        &self,
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Table> {
        self.inner().enter(|_| {
            let table = self.create_table()?;
            for (key, value) in entries {
                table.raw_set(key, value)?;
            }
            Ok(table)
        })?
    }

    /// A table with these items, from 1 on.
    ///
    /// # Errors
    /// If one cannot be of Lua.
    pub fn create_sequence_from<T: IntoLua>(
        &self,
        items: impl IntoIterator<Item = T>,
    ) -> Result<Table> {
        self.inner().enter(|world| {
            let table = self.create_table()?;
            for (n, item) in items.into_iter().enumerate() {
                let item = item.into_slot(self)?.0;
                table::set(world, table.root.get(), GuestValue::Int(n as i64 + 1), item);
            }
            Ok(table)
        })?
    }
}
