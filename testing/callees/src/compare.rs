//! The comparison: what the translator calls with what rustc calls, function by function.
//!
//! In: what the front end resolved, the text of `--emit=mir` of the same source. Out: differences,
//! and counts. Invariants: every callee of both sides of a compared function is matched with one of
//! the other side, explained by a rule ([`crate::rules`]), or a difference; every function that the
//! translator has is compared, or counted with the reason why it is not.

use crate::callee::{Callee, same};
use crate::mir::{Body, Mir};
use crate::rules;
use crate::types::{Tokens, agree, tokens, values};
use std::collections::{BTreeMap, HashSet};
use std::fmt::{self, Display, Formatter};
use verdigris_front::{FuncOrigin, Resolved};

/// What came of a comparison.
#[derive(Default, Debug)]
pub struct Report {
    /// Instances of functions that were compared.
    pub functions: usize,
    /// Callees that were found on both sides.
    pub callees: usize,
    /// Where they differ.
    pub differences: Vec<Difference>,
    /// What was not compared, by reason.
    pub others: BTreeMap<&'static str, usize>,
    /// Some of these.
    pub examples: BTreeMap<&'static str, Vec<String>>,
}

/// Examples that are kept for a reason.
const EXAMPLES: usize = 3;

/// A function whose callees differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The function, as the translator has it.
    pub function: String,
    /// What only rustc calls.
    pub rustc: Vec<String>,
    /// What only the translator calls.
    pub ours: Vec<String>,
    /// Whether both lists have a callee of the same name, and not both what types of std and
    /// Verdigris have themselves: one was taken for the other. Code that is never reached, which
    /// either side may leave out, makes one list longer, or both with such callees.
    pub mistaken: bool,
}

impl Display for Difference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let none = || "nothing else".to_owned();
        let list = |list: &[String]| match list.is_empty() {
            true => none(),
            false => list.join(", "),
        };
        let (rustc, ours) = (list(&self.rustc), list(&self.ours));
        write!(
            f,
            "{}: rustc calls {rustc}; the translator {ours}",
            self.function
        )
    }
}

impl Report {
    fn count(&mut self, reason: &'static str, example: impl Display) {
        *self.others.entry(reason).or_default() += 1;
        let examples = self.examples.entry(reason).or_default();
        if examples.len() < EXAMPLES {
            examples.push(example.to_string());
        }
    }

    /// Adds another report.
    pub fn add(&mut self, other: Report) {
        self.functions += other.functions;
        self.callees += other.callees;
        self.differences.extend(other.differences);
        for (reason, count) in other.others {
            *self.others.entry(reason).or_default() += count;
        }
        for (reason, list) in other.examples {
            let examples = self.examples.entry(reason).or_default();
            examples.extend(list);
            examples.truncate(EXAMPLES);
        }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (functions, callees) = (self.functions, self.callees);
        let differences = self.differences.len();
        writeln!(
            f,
            "{functions} functions, {callees} callees, {differences} differences"
        )?;
        for (reason, count) in &self.others {
            writeln!(f, "{count:6} not compared: {reason}")?;
        }
        Ok(())
    }
}

/// Compares all traced functions of a crate.
pub fn compare(ours: &[Resolved], mir: &Mir) -> Report {
    let mut report = Report::default();
    for function in ours {
        let reason = match function.origin {
            FuncOrigin::Written => None,
            FuncOrigin::Library => Some(rules::LIBRARY),
            FuncOrigin::Text => Some(rules::TEXT),
            FuncOrigin::Accessor => Some(rules::ACCESSOR),
            FuncOrigin::Promoting => Some(rules::PROMOTING),
        };
        if let Some(reason) = reason {
            report.count(reason, title(function));
            continue;
        }
        let bodies = bodies_of(function, mir);
        if bodies.is_empty() {
            report.count(rules::NO_BODY, title(function));
            continue;
        }
        // What a macro makes several times has several bodies at one place.
        let mut best: Option<Found> = None;
        for body in bodies {
            let new = matched(function, &whole(body, mir));
            if best.as_ref().is_none_or(|old| new.wrong() < old.wrong()) {
                best = Some(new);
            }
        }
        let Some(found) = best else { continue };
        report.functions += 1;
        report.callees += found.callees;
        for (reason, callee) in &found.explained {
            report.count(reason, callee);
        }
        if found.wrong() > 0 {
            report.differences.push(found.difference(function));
        }
    }
    report
}

/// The names of the modules that functions are in.
pub fn modules(ours: &[Resolved]) -> HashSet<String> {
    let paths = ours.iter().map(|function| &function.module);
    paths
        .flat_map(|path| path.split("::"))
        .map(str::to_owned)
        .collect()
}

/// A function with what its attribute has put elsewhere: the portal from its merge point on.
fn whole(body: &Body, mir: &Mir) -> Body {
    let mut whole = body.clone();
    let rest = format!("__vd_from_{}", body.name);
    if whole.callees.iter().any(|c| c.name() == rest) {
        // One of them may have a name that no other function has.
        let there = |b: &&Body| {
            let near = body.module.ends_with(&b.module) || b.module.ends_with(&body.module);
            b.name == rest && near
        };
        let there = mir.bodies.iter().find(there);
        if let Some(there) = there {
            // It is called in two ways: by compiled code, and by native code.
            whole.callees.retain(|c| c.name() != rest);
            whole.callees.extend(there.callees.iter().cloned());
        }
    }
    whole
}

/// A function's name and what it is an instance of.
fn title(function: &Resolved) -> String {
    function.to_string().lines().next().unwrap_or("").to_owned()
}

/// What came of one function.
struct Found {
    callees: usize,
    explained: Vec<(&'static str, String)>,
    rustc: Vec<Callee>,
    ours: Vec<Callee>,
}

impl Found {
    fn wrong(&self) -> usize {
        self.rustc.len() + self.ours.len()
    }

    fn difference(self, function: &Resolved) -> Difference {
        let is_in_both = |callee: &Callee| {
            let mut ours = self.ours.iter().filter(|o| o.name() == callee.name());
            ours.any(|o| !(callee.is_own_of_std() && o.is_own_of_std()))
        };
        Difference {
            function: title(function),
            mistaken: self.rustc.iter().any(is_in_both),
            rustc: self.rustc.into_iter().map(|callee| callee.text).collect(),
            ours: self.ours.into_iter().map(|callee| callee.text).collect(),
        }
    }
}

/// Matches the callees of both sides.
fn matched(function: &Resolved, body: &Body) -> Found {
    let mut known: Vec<(String, Tokens)> = Vec::new();
    known.extend(
        function
            .this
            .iter()
            .map(|this| ("Self".to_owned(), tokens(this))),
    );
    let params = function.params.iter();
    known.extend(params.map(|(name, ty)| (name.clone(), tokens(ty))));
    let mut ours: Vec<Callee> = Vec::new();
    for callee in &function.callees {
        ours.push(Callee::parse(&callee.to_string()));
    }
    let mut found = Found {
        callees: 0,
        explained: Vec::new(),
        rustc: Vec::new(),
        ours: Vec::new(),
    };
    let values: Vec<Callee> = (function.values.iter())
        .map(|value| Callee::parse(&value.to_string()))
        .collect();
    let mut skipped = function.skipped.clone();
    let mut asked = function.asked.clone();
    let guards: Vec<Callee> = (function.guards.iter())
        .map(|callee| Callee::parse(&callee.to_string()))
        .collect();
    let mut unreachable: Vec<Callee> = (function.unreachable.iter())
        .map(|callee| Callee::parse(&callee.to_string()))
        .collect();
    let mut left = Vec::new();
    for callee in &body.callees {
        let callee = callee.with(&known);
        match ours.iter().position(|o| same(&callee, o)) {
            Some(partner) => {
                ours.remove(partner);
                found.callees += 1;
            }
            None => left.push(callee),
        }
    }
    for callee in left {
        let is = |list: &[Callee]| list.iter().any(|o| same(&callee, o));
        match rules::only_rustc(&callee) {
            Some(reason) => found.explained.push((reason, callee.text)),
            None if is(&values) => found.explained.push((rules::VALUE, callee.text)),
            None if let Some(n) = asked.iter().position(|name| name == callee.name()) => {
                asked.remove(n);
                found.explained.push((rules::ASKED, callee.text));
            }
            None if let Some(n) = skipped.iter().position(|name| name == callee.name()) => {
                skipped.remove(n);
                found.explained.push((rules::SKIPPED, callee.text));
            }
            None if let Some(n) = unreachable.iter().position(|o| same(&callee, o)) => {
                unreachable.remove(n);
                found.explained.push((rules::UNREACHABLE, callee.text));
            }
            None if is(&guards) => found.explained.push((rules::REPEATED, callee.text)),
            None => found.rustc.push(callee),
        }
    }
    let left_out = unreachable.into_iter();
    let left_out = left_out.map(|callee| (rules::UNREACHABLE, callee.text));
    found.explained.extend(left_out);
    for callee in ours {
        match rules::only_ours(&callee) {
            Some(reason) => found.explained.push((reason, callee.text)),
            None => found.ours.push(callee),
        }
    }
    found
}

/// The bodies that a function may have.
fn bodies_of<'m>(function: &Resolved, mir: &'m Mir) -> Vec<&'m Body> {
    let module: Vec<&str> = match function.module.as_str() {
        "" => Vec::new(),
        path => path.split("::").collect(),
    };
    // Of names that only one function has rustc prints no module.
    let named = |b: &&Body| {
        let printed: Vec<&str> = b.module.iter().map(String::as_str).collect();
        b.name == function.name && module.ends_with(&printed)
    };
    let named: Vec<&Body> = mir.bodies.iter().filter(named).collect();
    let member = |b: &&&Body| match (&function.block, &function.of_trait) {
        (Some(_), _) => b.block.is_some(),
        (None, Some(of_trait)) => b.of.as_ref() == Some(of_trait),
        (None, None) => b.block.is_none() && b.of.is_none(),
    };
    let members: Vec<&Body> = named.iter().filter(member).copied().collect();
    let Some(block) = &function.block else {
        return members;
    };
    // rustc's paths begin at the root of the workspace.
    let here = |b: &&&Body| {
        (b.block.as_ref()).is_some_and(|at| at == block || at.ends_with(&format!("/{block}")))
    };
    let at_place: Vec<&Body> = members.iter().filter(here).copied().collect();
    if !at_place.is_empty() {
        return at_place;
    }
    // What a macro makes is elsewhere for rustc: where the macro has it.
    let this = function.this.as_ref().map(|this| values(&tokens(this)));
    let of_type = |b: &&&Body| match (&b.first, &this) {
        (Some(first), Some(this)) => agree(&values(&tokens(first)), this),
        _ => false,
    };
    let of_type: Vec<&Body> = members.iter().filter(of_type).copied().collect();
    if of_type.is_empty() { members } else { of_type }
}
