//! Names that are compared by identity. There is no state of the process: an interner is an object,
//! and symbols of different interners are different.

use super::key::KeyObject;
use super::map::Map;
use super::text::Str;
use verdigris::{Gc, gc};

/// A name. Two symbols of one interner are one object if their texts are equal, so `==` on
/// `Gc<Symbol>` compares names.
#[gc]
pub struct Symbol {
    text: Gc<Str>,
    number: usize,
}

impl Symbol {
    /// The text.
    #[inline(always)]
    pub fn text(&self) -> Gc<Str> {
        self.text
    }

    /// How many symbols the interner had made before.
    #[inline(always)]
    pub fn number(&self) -> usize {
        self.number
    }
}

impl KeyObject for Symbol {
    fn key_hash(key: Gc<Symbol>) -> u64 {
        key.text.hash()
    }
}

/// What makes symbols and keeps them: one per guest program, or as many as it needs.
///
/// ```
/// # use verdigris::{HeapOptions, Interner, Str, prelude::*};
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let names = Interner::new();
/// let x = names.intern(Str::new("x"));
/// assert!(x == names.intern_text("x") && x != names.intern_text("y"));
/// assert_eq!((x.text().as_str(), names.len()), ("x", 2));
/// # });
/// ```
#[gc]
pub struct Interner {
    symbols: Gc<Map<Gc<Str>, Gc<Symbol>>>,
}

impl Interner {
    /// An interner without symbols.
    ///
    /// # Panics
    /// At the heap limit; so does `intern`.
    #[allow(clippy::new_ret_no_self)]
    pub fn new() -> Gc<Interner> {
        Gc::new(Interner {
            symbols: Map::new(),
        })
    }

    /// The symbol with this text. In constant time on average, since strings know their hashes.
    pub fn intern(&self, text: Gc<Str>) -> Gc<Symbol> {
        match self.symbols.get(text) {
            Some(symbol) => symbol,
            None => {
                let number = self.symbols.len();
                let symbol = Gc::new(Symbol { text, number });
                self.symbols.insert(text, symbol);
                symbol
            }
        }
    }

    /// The symbol with this text; for native code only; in traced code call `intern` with a
    /// `Gc<Str>`.
    pub fn intern_text(&self, text: &str) -> Gc<Symbol> {
        self.intern(Str::new(text))
    }

    /// The number of symbols.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }
}
