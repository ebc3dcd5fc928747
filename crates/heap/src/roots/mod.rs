//! References from outside the heap: handles that keep their objects alive, weak ones, tables with
//! weak entries, and queues of objects to finalize. One table per heap ([`table::RootTable`]) has
//! what they refer to.

pub(crate) mod ephemerons;
pub(crate) mod finalize;
pub(crate) mod root;
pub(crate) mod root_vec;
mod slab;
pub(crate) mod table;
pub(crate) mod weak;
pub(crate) mod weak_tables;
