//! A way to break the backends of machine code, to see that the tests notice. In: nothing, or with the feature `sabotage` what this thread has chosen. Out: whether
//! the wrong thing has to be done. Invariant: without the feature nothing is ever chosen, and the compiler removes the question.

#[cfg(feature = "sabotage")]
mod chosen {
    use std::cell::Cell;

    thread_local! {
        static SKIPS: Cell<bool> = const { Cell::new(false) };
    }

    /// From now on the backends of this thread leave all write barriers out, or do not.
    pub fn skip_barriers(skip: bool) {
        SKIPS.set(skip);
    }

    pub(crate) fn skips_barriers() -> bool {
        SKIPS.get()
    }
}

#[cfg(feature = "sabotage")]
pub use chosen::skip_barriers;
#[cfg(feature = "sabotage")]
pub(crate) use chosen::skips_barriers;

#[cfg(not(feature = "sabotage"))]
pub(crate) fn skips_barriers() -> bool {
    false
}
