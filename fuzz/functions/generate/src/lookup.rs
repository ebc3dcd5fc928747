//! Which method rustc finds for a call, as far as the generator has to know it. In: a method's
//! name, and who has it. Out: whether a receiver with this many references around it has one that
//! gives a number. Invariant: the steps are the reference's ("Method-call expressions"), written
//! without a look at the translator, which they are to test.

/// Where integers have a method from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InStd {
    /// Nowhere.
    No,
    /// They have it themselves. It takes the value.
    Own,
    /// A trait that takes the value, and gives one of the type.
    ByValue,
    /// A trait that takes a reference, and gives something else or takes other arguments.
    ByReference,
}

/// A method: its name, further parameters, arguments for them, and what std has.
#[derive(Debug)]
pub struct Method {
    pub name: &'static str,
    pub params: &'static str,
    pub args: &'static str,
    pub in_std: InStd,
}

/// A row of a table of methods.
pub const fn method(
    name: &'static str,
    params: &'static str,
    args: &'static str,
    in_std: InStd,
) -> Method {
    Method {
        name,
        params,
        args,
        in_std,
    }
}

/// How a method takes its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// `self`
    Value,
    /// `&self`
    Shared,
    /// `&mut self`
    Unique,
}

impl Takes {
    /// The first parameter.
    pub fn text(self) -> &'static str {
        match self {
            Takes::Value => "self",
            Takes::Shared => "&self",
            Takes::Unique => "&mut self",
        }
    }

    /// The first argument of a call by path.
    pub fn passed(self, value: &str) -> String {
        match self {
            Takes::Value => value.to_string(),
            Takes::Shared => format!("&{value}"),
            Takes::Unique => format!("&mut {value}"),
        }
    }
}

/// A method of a trait, with all others of its name.
#[derive(Debug)]
pub struct Lookup {
    /// The name.
    pub method: &'static Method,
    /// How the trait has it.
    pub takes: Takes,
    /// How the type has it itself, if it has.
    pub own: Option<Takes>,
    /// Whether integers implement the trait.
    pub ints: bool,
    /// Whether references to integers do.
    pub int_refs: bool,
    /// Whether references to the type do.
    pub refs: bool,
}

/// A method that may be meant.
struct Candidate {
    /// The references around what it is for.
    around: usize,
    takes: Takes,
    is_own: bool,
    /// Whether a call with the usual arguments gives a number.
    fits: bool,
}

impl Lookup {
    /// Whether rustc finds a method that gives a number, for the type or for an integer, with so
    /// many `&` around it.
    pub fn gives_number(&self, of_type: bool, references: usize) -> bool {
        let candidates = self.candidates(of_type);
        for around in (0..=references).rev() {
            for by in [Takes::Value, Takes::Shared, Takes::Unique] {
                // The reference that is added may also be the first of those around what an
                // implementation is for.
                let is = |c: &&Candidate| match (by, c.takes) {
                    (Takes::Unique, takes) => takes == Takes::Unique && c.around == around,
                    (_, Takes::Unique) => false,
                    (by, takes) => {
                        around + usize::from(by == Takes::Shared)
                            == c.around + usize::from(takes == Takes::Shared)
                    }
                };
                let fitting: Vec<&Candidate> = candidates.iter().filter(is).collect();
                let own = fitting.iter().find(|c| c.is_own);
                let picked = match (own, fitting.as_slice()) {
                    (_, []) => continue,
                    (Some(own), _) => own,
                    (None, [one]) => one,
                    // It is ambiguous.
                    (None, _) => return false,
                };
                let lendable = by != Takes::Unique || around == references;
                return picked.fits && lendable;
            }
        }
        false
    }

    fn candidates(&self, of_type: bool) -> Vec<Candidate> {
        let mut list = Vec::new();
        let mut add = |around, takes, is_own, fits| {
            list.push(Candidate {
                around,
                takes,
                is_own,
                fits,
            });
        };
        let refs = if of_type { self.refs } else { self.int_refs };
        if of_type || self.ints {
            add(0, self.takes, false, true);
        }
        if refs {
            add(1, self.takes, false, true);
        }
        if let (true, Some(takes)) = (of_type, self.own) {
            add(0, takes, true, true);
        }
        match (self.method.in_std, of_type) {
            (InStd::Own, false) => add(0, Takes::Value, true, true),
            // References are compared as what they refer to, and give references then.
            (InStd::ByValue, false) => {
                add(0, Takes::Value, false, true);
                add(1, Takes::Value, false, false);
                add(2, Takes::Value, false, false);
            }
            (InStd::ByReference, of_type) if !of_type || self.method.name == "clone" => {
                add(0, Takes::Shared, false, false);
                add(1, Takes::Shared, false, false);
                add(2, Takes::Shared, false, false);
            }
            _ => {}
        }
        list
    }
}
