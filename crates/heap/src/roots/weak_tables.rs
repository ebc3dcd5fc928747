//! The handle by which an interpreter tells the heap of its weak tables.

use crate::context::current::current_roots;
use crate::detector;
use crate::layout::word::Word;
use crate::objects::gc::Gc;
use crate::roots::ephemerons::{HasWeakEntries, TablesOf};
use crate::roots::table::RootTable;
use std::marker::PhantomData;
use std::rc::Rc;

/// The tables of a guest language that may have weak entries: what weak maps, ephemerons and
/// `__mode` are made of.
///
/// Entries are removed by [`collect_garbage`](crate::collect_garbage) of everything, and by no
/// other collection: for compiled code the entries of a table do not change while it makes an
/// object. So a heap with such tables does not collect everything when it is time, but waits for
/// the interpreter to do so: [`WeakTables::is_due`] says that it should, where it next can. The
/// function that collects is marked `#[opaque]`, and it may change these tables.
pub struct WeakTables<H: HasWeakEntries> {
    table: Rc<RootTable>,
    slot: usize,
    holders: PhantomData<fn() -> H>,
}

impl<H: HasWeakEntries> WeakTables<H> {
    /// No tables, in the current VM's heap.
    ///
    /// # Panics
    /// If no VM is entered on this thread.
    #[allow(clippy::new_without_default)]
    pub fn new() -> WeakTables<H> {
        let _own = detector::own();
        let table = current_roots();
        let list = Box::new(TablesOf::<H>::default());
        let slot = table.weak_tables.borrow_mut().add(list);
        WeakTables {
            table,
            slot,
            holders: PhantomData,
        }
    }

    /// Adds a table, whose entries may be weak from now on; to add it twice is as good as once. It
    /// is forgotten when it dies.
    ///
    /// # Panics
    /// If the VM has been dropped.
    pub fn add(&self, table: Gc<H>) {
        self.table.check_open("WeakTables");
        let _own = detector::own();
        self.table.weak_tables.borrow_mut()[self.slot].add(table.to_word());
    }

    /// Whether the heap waits for [`collect_garbage`](crate::collect_garbage) of everything.
    pub fn is_due(&self) -> bool {
        self.table.is_removal_due.get()
    }
}

impl<H: HasWeakEntries> Drop for WeakTables<H> {
    fn drop(&mut self) {
        let _own = detector::own();
        self.table.weak_tables.borrow_mut().remove(self.slot);
    }
}
