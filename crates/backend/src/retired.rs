//! Code that is not wanted any more: it is dropped when no activation of compiled code lives.

use std::cell::{Cell, RefCell};

/// Code to be freed, and the number of activations of compiled code.
pub struct Retired<U> {
    active: Cell<u32>,
    units: RefCell<Vec<U>>,
}

impl<U> Default for Retired<U> {
    fn default() -> Retired<U> {
        Retired {
            active: Cell::new(0),
            units: RefCell::default(),
        }
    }
}

impl<U> Retired<U> {
    /// Frees this code as soon as no activation can be executing it.
    pub fn add(&self, unit: Option<U>) {
        self.units.borrow_mut().extend(unit);
    }

    /// Frees the code if no compiled code is running.
    pub fn free(&self) {
        if self.active.get() == 0 {
            let units = self.units.take();
            drop(units);
        }
    }

    /// Compiled code runs as long as the result lives.
    pub fn activation(&self) -> RunningCode<'_> {
        self.active.set(self.active.get() + 1);
        RunningCode(&self.active)
    }
}

/// An activation of compiled code.
pub struct RunningCode<'a>(&'a Cell<u32>);

impl Drop for RunningCode<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}
