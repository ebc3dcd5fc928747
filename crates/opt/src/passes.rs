//! The switches `enable_opts=...`. In: text. Out: which passes run. Invariant: any combination is sound; with none,
//! the optimised trace is the recorded one with resume data in place of snapshots.

/// Which passes run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passes {
    /// Folding of pure operations and elidable calls on constants, and algebraic simplification.
    pub fold: bool,
    /// Removal of repeated pure operations and elidable calls.
    pub pure: bool,
    /// Removal of guards that are known to hold.
    pub guards: bool,
    /// Allocation removal.
    pub virtuals: bool,
    /// Load forwarding and delayed stores.
    pub heap: bool,
    /// Loop peeling.
    pub peel: bool,
    /// Bounds and known bits of integers.
    pub bounds: bool,
    /// Guards that do the work of later ones.
    pub strengthen: bool,
}

impl Passes {
    /// The names that [`Passes::parse`] knows.
    pub const NAMES: [&'static str; 8] = [
        "fold",
        "pure",
        "guards",
        "virtuals",
        "heap",
        "peel",
        "bounds",
        "strengthen",
    ];

    /// Every pass.
    pub fn all() -> Passes {
        Passes {
            fold: true,
            pure: true,
            guards: true,
            virtuals: true,
            heap: true,
            peel: true,
            bounds: true,
            strengthen: true,
        }
    }

    /// No pass.
    pub fn none() -> Passes {
        Passes {
            fold: false,
            pure: false,
            guards: false,
            virtuals: false,
            heap: false,
            peel: false,
            bounds: false,
            strengthen: false,
        }
    }

    /// Reads `all`, `none`, a sum such as `fold+virtuals`, or `all` with subtractions such as `all-peel-heap`.
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

    fn set(&mut self, name: &str, on: bool) -> Result<(), String> {
        match name {
            "all" => *self = if on { Passes::all() } else { Passes::none() },
            "none" if on => *self = Passes::none(),
            "fold" => self.fold = on,
            "pure" => self.pure = on,
            "guards" => self.guards = on,
            "virtuals" => self.virtuals = on,
            "heap" => self.heap = on,
            "peel" => self.peel = on,
            "bounds" => self.bounds = on,
            "strengthen" => self.strengthen = on,
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
}
