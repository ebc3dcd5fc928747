//! Asides: calls of the portal by native code that compiled code has called, as a `pcall`, a sort
//! or a metamethod makes them.
//!
//! Mostly the function has code, which is entered at once. To look at the clock on the four ways in
//! and out would take half of the time of such a call. So where several in a row have been of that
//! kind, the next one is not told to the clock unless something else happens in it: what native
//! code does around the entry counts as the compiled code's.
//!
//! Invariant: an aside that is not told is under way in native code, and the phase is that of the
//! compiled code further out.

use std::cell::Cell;

/// How many asides in a row have to enter code at once before one is not told. So at most a ninth
/// of those that turn out to be interpreted are missed.
const USUAL: u32 = 8;

/// What is known of the asides of a VM.
pub(crate) struct Asides {
    /// Native code runs in an aside, and the clock does not know.
    untold: Cell<bool>,
    /// How many have entered code at once, one after the other.
    streak: Cell<u32>,
    /// Where the last one has begun on the native stack.
    began: Cell<usize>,
    /// The least bytes of the stack between where one has begun and a portal in which code was
    /// entered: that is the portal which the aside has called.
    nearest: Cell<usize>,
    /// Whether the aside that ends has entered code at once.
    entered: Cell<bool>,
}

impl Default for Asides {
    fn default() -> Asides {
        Asides {
            untold: Cell::new(false),
            streak: Cell::new(0),
            began: Cell::new(0),
            nearest: Cell::new(usize::MAX),
            entered: Cell::new(false),
        }
    }
}

impl Asides {
    /// An aside begins at this address of the native stack. Returns whether the last ones have
    /// entered code at once.
    #[inline]
    pub(super) fn begin(&self, stack: usize) -> bool {
        self.began.set(stack);
        self.entered.set(false);
        self.streak.get() >= USUAL
    }

    /// An aside ends.
    #[inline]
    pub(super) fn end(&self) {
        self.streak.set(match self.entered.replace(false) {
            true => self.streak.get().saturating_add(1),
            false => 0,
        });
    }

    /// Whether code that is entered now, at the start of the portal with this frame, is all that
    /// the aside has come to. A portal that is called by the first one has its frame farther away.
    #[inline]
    pub(super) fn is_first_call(&self, frame: usize) -> bool {
        let distance = self.began.get().wrapping_sub(frame);
        if distance < self.nearest.get() {
            self.nearest.set(distance);
        }
        distance == self.nearest.get()
    }

    /// Code that was entered at once is left.
    #[inline]
    pub(super) fn entered_at_once(&self) {
        self.entered.set(true);
    }

    #[inline]
    pub(super) fn is_untold(&self) -> bool {
        self.untold.get()
    }

    /// Changes whether the clock does not know that native code runs. Returns what was before.
    #[inline]
    pub(super) fn set_untold(&self, untold: bool) -> bool {
        self.untold.replace(untold)
    }
}
