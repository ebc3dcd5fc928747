//! The colours. In: nothing. Out: [`Colour`], a lattice of three levels. Invariant: the order of
//! the variants is the order of the lattice, so that the colour of what depends on several values
//! is the greatest of theirs.

/// The binding time of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Colour {
    /// Known wherever the position in the guest program is known.
    #[default]
    Green,
    /// One of several greens, chosen by a red: red, unless a demand makes it green, at the price of
    /// code for each of them.
    Chosen,
    /// Known only when the program runs.
    Red,
}

impl Colour {
    /// Whether the value is known to the compiler.
    pub fn is_green(self) -> bool {
        self == Colour::Green
    }
}
