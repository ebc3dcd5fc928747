//! The log of the cells that a call of native code reads and writes. Cells write to it in builds
//! with debug assertions; in others it costs nothing.

use crate::detector;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// The most accesses of one call that are logged.
const MAX_ACCESSES: usize = 1 << 16;

/// Addresses of cells, and whether they were written.
pub(crate) type Accesses = BTreeSet<(usize, bool)>;

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static LOG: RefCell<Accesses> = const { RefCell::new(Accesses::new()) };
}

/// Logs an access to the cell at this address.
#[inline(always)]
pub(crate) fn log_access(cell: *const u8, written: bool) {
    if cfg!(debug_assertions) && IS_ON.get() {
        add(cell.addr(), written);
    }
}

#[cold]
#[inline(never)]
fn add(cell: usize, written: bool) {
    // Addresses in the log keep nothing alive.
    let _own = detector::own();
    LOG.with_borrow_mut(|log| {
        if log.len() < MAX_ACCESSES {
            log.insert((cell, written));
        }
    });
}

/// Whether accesses are logged now.
pub(crate) fn is_logging() -> bool {
    IS_ON.get()
}

/// Logs accesses until it is dropped.
pub(crate) struct AccessLogging;

impl AccessLogging {
    pub(crate) fn begin() -> AccessLogging {
        LOG.with_borrow_mut(Accesses::clear);
        IS_ON.set(true);
        AccessLogging
    }
}

impl Drop for AccessLogging {
    fn drop(&mut self) {
        IS_ON.set(false);
    }
}

/// Empties the log.
pub(crate) fn take_accesses() -> Accesses {
    LOG.take()
}
