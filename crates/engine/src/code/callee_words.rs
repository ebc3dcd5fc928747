//! The words through which compiled code calls other compiled code.
//!
//! Invariant: a word holds the address of the code of its cell, 0 if the cell has none.

use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// A callee of compiled code, with the word that holds the address of its code.
#[derive(Clone)]
pub(crate) struct Callee {
    pub(crate) greens: Box<[u64]>,
    pub(crate) _word: Rc<Cell<usize>>,
}

type WeakWord = Weak<Cell<usize>>;

/// The words by greens. Each lives as long as code that mentions it.
#[derive(Default)]
pub(crate) struct CalleeWords {
    pub(crate) words: RefCell<FxHashMap<Box<[u64]>, WeakWord>>,
    /// The callees of the code that is being compiled.
    pub(crate) wanted: RefCell<Vec<Callee>>,
}

impl CalleeWords {
    /// Sets the address of the code for these greens; 0 for none.
    pub(crate) fn moved(&self, greens: &[u64], address: usize) {
        let words = self.words.borrow();
        if let Some(word) = words.get(greens).and_then(Weak::upgrade) {
            word.set(address);
        }
    }

    /// Takes the callees of the code that was compiled since the last call.
    pub(crate) fn take_wanted(&self) -> Vec<Callee> {
        self.wanted.take()
    }

    /// Forgets words that no code mentions.
    pub(crate) fn forget_unused(&self) {
        let mut words = self.words.borrow_mut();
        words.retain(|_, word| word.strong_count() > 0);
    }
}
