//! How a field or an item may change. All text forms and messages take their words from here.

/// How a field or an item may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// It never changes after construction.
    Immutable,
    /// In a `Cell`.
    Mutable,
    /// In a `Quasi`: so rarely that compiled code assumes it does not.
    Quasi,
    /// In a `Virtualizable`: compiled code may keep its content to itself.
    Virtualizable,
}

impl Held {
    /// From these properties, of which at most one is true.
    pub fn of(immutable: bool, quasi: bool, virtualizable: bool) -> Held {
        match (immutable, quasi, virtualizable) {
            (true, ..) => Held::Immutable,
            (_, true, _) => Held::Quasi,
            (_, _, true) => Held::Virtualizable,
            _ => Held::Mutable,
        }
    }

    /// The word for people.
    pub fn name(self) -> &'static str {
        match self {
            Held::Immutable => "immutable",
            Held::Mutable => "mutable",
            Held::Quasi => "quasi-immutable",
            Held::Virtualizable => "virtualizable",
        }
    }

    /// The type around the content, if it may change.
    pub fn wrapper(self) -> &'static str {
        match self {
            Held::Immutable | Held::Mutable => "Cell",
            Held::Quasi => "Quasi",
            Held::Virtualizable => "Virtualizable",
        }
    }

    /// Whether it is read and written by methods.
    pub fn is_cell(self) -> bool {
        self != Held::Immutable
    }
}
