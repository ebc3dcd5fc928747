//! The colours: a lattice of three levels, in the order of the variants.

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
