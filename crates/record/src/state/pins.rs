//! Keeps the objects alive that a trace mentions: each is pinned once, until [`Pins`] is dropped.

use rustc_hash::FxHashSet;
use verdigris_heap::Context;

/// Keeps objects alive until it is dropped.
pub struct Pins {
    ctx: *mut Context,
    words: FxHashSet<u64>,
}

impl Pins {
    /// None yet.
    ///
    /// # Safety
    /// `ctx` outlives the result.
    pub(crate) unsafe fn new(ctx: *mut Context) -> Pins {
        Pins {
            ctx,
            words: FxHashSet::default(),
        }
    }

    /// Keeps an object alive; null is fine.
    pub(crate) fn add(&mut self, word: u64) {
        if word != 0 && self.words.insert(word) {
            // SAFETY: by the promise of `new` the context is alive.
            unsafe { (*self.ctx).pin(word) };
        }
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

impl Drop for Pins {
    fn drop(&mut self) {
        for &word in &self.words {
            // SAFETY: by the promise of `new` the context is alive; the word was pinned by `add`.
            unsafe { (*self.ctx).unpin(word) };
        }
    }
}
