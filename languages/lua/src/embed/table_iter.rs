//! Walks over the entries of a table. Invariant: an entry is looked for where the last one was, so
//! a walk takes constant time for each.

use super::raw::Slot;
use super::{FromLua, Result, Table};
use crate::table;
use std::marker::PhantomData;

/// The entries of a table, by [`Table::pairs`].
pub struct Pairs<K, V> {
    table: Table,
    place: i64,
    types: PhantomData<fn() -> (K, V)>,
}

impl<K, V> Pairs<K, V> {
    pub(super) fn new(table: Table) -> Pairs<K, V> {
        Pairs {
            table,
            place: 0,
            types: PhantomData,
        }
    }
}

impl<K: FromLua, V: FromLua> Iterator for Pairs<K, V> {
    type Item = Result<(K, V)>;

    fn next(&mut self) -> Option<Self::Item> {
        let place = self.place;
        let inner = &self.table.inner;
        let entry = inner.enter(|_| {
            let table = self.table.root.get();
            let place = table::next_place(table, place);
            if place < 0 {
                return None;
            }
            let lua = inner.lua();
            let key = K::from_slot(Slot(table::key_at(table, place)), &lua);
            let value = V::from_slot(Slot(table::value_at(table, place)), &lua);
            let pair = key.and_then(|key| value.map(|value| (key, value)));
            Some((place + 1, pair))
        });
        match entry {
            Ok(entry) => {
                let (place, pair) = entry?;
                self.place = place;
                Some(pair)
            }
            Err(error) => Some(Err(error)),
        }
    }
}

/// The items of a table, by [`Table::sequence_values`].
pub struct SequenceValues<V> {
    table: Table,
    next: i64,
    types: PhantomData<fn() -> V>,
}

impl<V> SequenceValues<V> {
    pub(super) fn new(table: Table) -> SequenceValues<V> {
        SequenceValues {
            table,
            next: 1,
            types: PhantomData,
        }
    }
}

impl<V: FromLua> Iterator for SequenceValues<V> {
    type Item = Result<V>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.next;
        let inner = &self.table.inner;
        let item = inner.enter(|_| {
            let item = table::get_int(self.table.root.get(), at);
            (!item.is_nil()).then(|| V::from_slot(Slot(item), &inner.lua()))
        });
        self.next += 1;
        match item {
            Ok(item) => item,
            Err(error) => Some(Err(error)),
        }
    }
}
