//! The passes, and the switches `enable_opts=...` that choose among them.
//!
//! Any combination is sound. With none, the optimised trace is the recorded one with resume data in
//! place of snapshots.

pub(crate) mod calls;
pub(crate) mod check_hints;
pub(crate) mod delayed;
pub(crate) mod guards;
pub(crate) mod heap;
pub(crate) mod orders;
pub(crate) mod pure;
pub(crate) mod quasi_immutable;
pub(crate) mod ranges;
pub(crate) mod refine;
pub(crate) mod same_index;
pub(crate) mod strengthen;
pub(crate) mod variable_items;
pub(crate) mod variants;
pub(crate) mod virtualizable;
pub(crate) mod virtuals;
pub(crate) mod words;

use std::fmt;

macro_rules! passes {
    ($( $(#[doc = $doc:literal])* $name:ident )*) => {
        /// Which passes run.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub struct Passes {
            $( $(#[doc = $doc])* pub $name: bool, )*
            /// A fixed limit of delayed values, for tests.
            pub delayed: Option<u32>,
        }

        impl Passes {
            /// The names that [`Passes::parse`] knows.
            pub const NAMES: &'static [&'static str] = &[$( stringify!($name) ),*];

            /// Every pass, or none.
            fn every(on: bool) -> Passes {
                Passes { $( $name: on, )* delayed: None }
            }

            fn named(&mut self, name: &str) -> Option<&mut bool> {
                match name {
                    $( stringify!($name) => Some(&mut self.$name), )*
                    _ => None,
                }
            }
        }
    };
}

passes! {
    /// The tracer does not record repeated loads. (The optimiser only has the switch.)
    heap_cache
    /// Folding of pure operations and elidable calls on constants, and algebraic simplification.
    fold
    /// Removal of repeated pure operations and elidable calls.
    pure
    /// Removal of guards that are known to hold.
    guards
    /// The guarded value is known behind a guard's exit. Off where guards are made to fail.
    exits
    /// Allocation removal.
    virtuals
    /// Load forwarding and delayed stores.
    heap
    /// Virtualizable slots stay delayed and known across calls that may access them.
    virtualizable
    /// Loop peeling.
    peel
    /// Loads and guards in front of a jump to a loop, so that it can enter the specialised body.
    short_preamble
    /// Bounds and known bits of integers.
    bounds
    /// Guards that do the work of later ones.
    strengthen
}

impl Passes {
    /// Every pass.
    pub fn all() -> Passes {
        Passes::every(true)
    }

    /// No pass.
    pub fn none() -> Passes {
        Passes::every(false)
    }

    /// Reads `all`, `none`, a sum such as `fold+virtuals`, or `all` with subtractions such as
    /// `all-peel-heap`. `delayed=3` sets [`Passes::delayed`].
    ///
    /// # Errors
    /// A message that lists the known names.
    pub fn parse(text: &str) -> Result<Passes, String> {
        let mut passes = Passes::none();
        let mut on = true;
        let mut word = String::new();
        for c in text.chars().chain("+".chars()) {
            if c != '+' && c != '-' {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                passes.set(&word, on)?;
            }
            word.clear();
            on = c == '+';
        }
        Ok(passes)
    }

    fn every_flag(self, on: bool) -> Passes {
        Passes {
            delayed: self.delayed,
            ..Passes::every(on)
        }
    }

    fn set(&mut self, name: &str, on: bool) -> Result<(), String> {
        if let Some(limit) = name.strip_prefix("delayed=") {
            let limit = limit.parse();
            let limit = limit.map_err(|_| format!("`{name}`: a number is expected behind `=`"))?;
            self.delayed = Some(limit);
            return Ok(());
        }
        match (name, self.named(name)) {
            ("all", _) => *self = self.every_flag(on),
            ("none", _) if on => *self = self.every_flag(false),
            (_, Some(pass)) => *pass = on,
            _ => {
                return Err(format!(
                    "unknown optimisation `{name}`; known are all, none, {}",
                    Passes::NAMES.join(", ")
                ));
            }
        }
        Ok(())
    }
}

/// As [`Passes::parse`] takes it.
impl fmt::Display for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut passes = *self;
        let is_on = |name: &&&str| passes.named(name).is_some_and(|pass| *pass);
        let (on, off): (Vec<&str>, Vec<&str>) = Passes::NAMES.iter().partition(is_on);
        match (on.len(), off.len()) {
            (0, _) => f.write_str("none")?,
            (on, off) if on >= off => f.write_str("all")?,
            _ => f.write_str(&on.join("+"))?,
        }
        if on.len() >= off.len() {
            off.iter().try_for_each(|name| write!(f, "-{name}"))?;
        }
        self.delayed
            .map_or(Ok(()), |limit| write!(f, "+delayed={limit}"))
    }
}

impl Default for Passes {
    fn default() -> Passes {
        Passes::all()
    }
}

#[cfg(test)]
mod tests {
    use super::Passes;

    #[test]
    fn sums_and_subtractions() {
        assert_eq!(Passes::parse("all"), Ok(Passes::all()));
        assert_eq!(Passes::parse("none"), Ok(Passes::none()));
        let p = Passes::parse("all-peel-heap").unwrap();
        assert!(p.fold && p.virtuals && !p.peel && !p.heap);
        let p = Passes::parse("fold+guards").unwrap();
        assert!(p.fold && p.guards && !p.virtuals);
        assert!(Passes::parse("fold+quick").unwrap_err().contains("quick"));
    }

    #[test]
    fn what_is_shown_is_read_again() {
        for text in [
            "all",
            "none",
            "all-heap-peel",
            "fold+guards",
            "virtuals+delayed=3",
        ] {
            assert_eq!(Passes::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_limit_on_delayed_stores_is_a_number() {
        let p = Passes::parse("delayed=3+all-peel").unwrap();
        assert!(p.fold && !p.peel && p.delayed == Some(3));
        assert_eq!(p, Passes::parse("all-peel+delayed=3").unwrap());
        let message = Passes::parse("all+delayed=few").unwrap_err();
        assert_eq!(message, "`delayed=few`: a number is expected behind `=`");
    }
}
