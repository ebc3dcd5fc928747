//! The words that lead compiled code to what it calls. In: greens of callees. Out: a word for each,
//! as long as code mentions it. Invariant: a word holds the address of the code that a cell has, 0
//! if it has none.

use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// A callee of compiled code: its greens, and the word with the address of its code.
#[derive(Clone)]
pub(crate) struct Callee {
    pub(crate) greens: Box<[u64]>,
    pub(crate) _word: Rc<Cell<usize>>,
}

type WeakWord = Weak<Cell<usize>>;

/// The words by green values. Each lives as long as code that mentions it.
#[derive(Default)]
pub(crate) struct CalleeWords {
    pub(crate) words: RefCell<FxHashMap<Box<[u64]>, WeakWord>>,
    /// The callees of the code that is being compiled.
    pub(crate) wanted: RefCell<Vec<Callee>>,
}

impl CalleeWords {
    /// The code for these greens is now at this address; 0 for nowhere.
    pub(crate) fn moved(&self, greens: &[u64], address: usize) {
        let words = self.words.borrow();
        if let Some(word) = words.get(greens).and_then(Weak::upgrade) {
            word.set(address);
        }
    }

    /// The callees that code compiled since the last time mentions.
    pub(crate) fn take_wanted(&self) -> Vec<Callee> {
        self.wanted.take()
    }

    /// Forgets the words that no code mentions.
    pub(crate) fn forget_unused(&self) {
        let mut words = self.words.borrow_mut();
        words.retain(|_, word| word.strong_count() > 0);
    }
}
