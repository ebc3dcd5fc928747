//! Orders for sorting. No macro writes the implementations, so that the translator reads them.

use verdigris::Stored;

/// An order of values, by which a list can be sorted.
pub trait Order: Stored {
    /// Whether this value must come before the other. Of two equal values neither must.
    fn precedes(self, other: Self) -> bool;
}

impl Order for i8 {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Order for i16 {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Order for i32 {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Order for i64 {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Order for isize {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Order for u8 {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Order for u16 {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Order for u32 {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Order for u64 {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Order for usize {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

impl Order for bool {
    fn precedes(self, other: Self) -> bool {
        !self & other
    }
}

impl Order for char {
    fn precedes(self, other: Self) -> bool {
        self < other
    }
}

/// The order of `f64::total_cmp`.
impl Order for f64 {
    fn precedes(self, other: Self) -> bool {
        self.total_cmp(&other).is_lt()
    }
}
