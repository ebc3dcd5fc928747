//! Error values of Lua on their way through Rust. In: values that were raised. Out: marks that
//! errors carry, which may go to other threads. Invariant: a value is kept as long as an error has
//! its mark, and found only by the machine that it belongs to.

use crate::value::Value;
use std::cell::RefCell;
use std::sync::{Arc, Weak};
use verdigris::prelude::*;

/// What an error was raised with.
#[derive(Clone, Debug)]
pub(crate) enum Thrown {
    /// Nothing of Lua: Rust has made it.
    InRust,
    /// Its message.
    Text,
    /// A value that a machine keeps.
    Value(Arc<Mark>),
}

/// Where a value is kept.
#[derive(Debug)]
pub(crate) struct Mark {
    /// The machine.
    machine: u64,
}

/// The values of a machine that errors are about.
#[derive(Default)]
pub(crate) struct ThrownValues {
    kept: RefCell<Vec<(Weak<Mark>, RootVec<Value>)>>,
}

impl ThrownValues {
    /// Keeps a value of this machine.
    pub(crate) fn keep(&self, machine: u64, value: Value) -> Thrown {
        let mark = Arc::new(Mark { machine });
        let root = RootVec::new();
        root.push(value);
        let mut kept = self.kept.borrow_mut();
        kept.retain(|(mark, _)| mark.strong_count() > 0);
        kept.push((Arc::downgrade(&mark), root));
        Thrown::Value(mark)
    }

    /// The value of a mark, if it is this machine's.
    pub(crate) fn find(&self, machine: u64, mark: &Arc<Mark>) -> Option<Value> {
        if mark.machine != machine {
            return None;
        }
        let kept = self.kept.borrow();
        let (_, root) = kept
            .iter()
            .find(|(known, _)| std::ptr::eq(known.as_ptr(), Arc::as_ptr(mark)))?;
        root.get(0)
    }

    /// Forgets all of them.
    pub(crate) fn clear(&self) {
        self.kept.take();
    }
}
