//! The second compiler: partial evaluation of the interpreter for one place of the guest program.
//!
//! In: the greens of a merge point. Out: code for everything that the guest program does from
//! there, as far as the greens say, as sections of the optimiser ([`Draft`]). Nothing is executed:
//! an operation on constants folds, any other is residual; where a branch depends on a red, both
//! sides are compiled, and where ways meet at a merge point with the same greens, they go on
//! together. Invariants: a way stands where the interpreter would, with the values of its
//! registers; what cannot be compiled, or had better wait until it is needed, is an exit with the
//! frames of the interpreter.
//!
//! Beside code for a place there is code for an instruction, which all places share that have it
//! ([`stencil()`]).
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), sections 2.1 to 2.6;
//! "Automatic Generation of JIT Compilers for Dynamic Languages in .NET" (2009), sections 3 and 4.
//! There the generating extension is made when the interpreter is translated, out of its flow
//! graphs; here it is this interpreter of jitcode, whose greens are constants.

#![forbid(unsafe_code)]

mod arms;
mod calls;
mod decode;
mod frames;
mod history;
mod holes;
mod joins;
mod lazy;
mod limits;
mod merge;
pub mod observe;
mod resume;
mod sabotage;
mod search;
mod stencil;
mod step;
mod way;

pub use decode::{Choice, Decoded, Decoder, GREENS, Green, Input, Test};
pub use history::SpecialiserHistory;
pub use limits::{Lazy, Limits, Why};
pub use sabotage::Sabotage;
pub use stencil::{Stencil, Threading, entrance, learn, stencil, without_code};

use history::PendingJoins;
use joins::Joins;
use merge::Places;
use verdigris_jitcode::{Insn, Reg, Unit};
use verdigris_ops::{FieldId, Ty};
use verdigris_opt::{Draft, GuardFacts, Host, Optimised, Optimiser};
use verdigris_trace::{Arg, Const, Resume};
use way::Way;

/// What was made of the guest program.
pub struct Specialised {
    /// The code. Its entry takes the reds of the merge point.
    pub optimised: Optimised,
    /// How often it was left to the interpreter what follows, and why.
    pub left: Vec<(Why, u32)>,
    /// Why nothing was compiled: the first instruction is left to the interpreter.
    pub(crate) at_once: Option<Why>,
    /// How many operations the optimiser was given.
    pub operations: usize,
}

/// Compiles from a merge point with these greens on.
pub fn specialise(
    unit: &Unit,
    greens: &[u64],
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
    limits: Limits,
) -> Specialised {
    let (green, reds) = state(unit);
    let types = types(unit, reds);
    let (draft, strand) = Draft::new(optimiser, &unit.descrs, host, &types);
    let code = unit.portal();
    let mut way = Way::new(Box::new(strand));
    way.push_frame(unit, unit.portal);
    way.top().pc = unit.merge_point;
    let greens = green.iter().zip(greens);
    let greens = greens.map(|(&reg, &word)| (reg, Const::new(code.regs[usize::from(reg.0)], word)));
    let greens: Vec<(Reg, Const)> = greens.collect();
    for &(reg, constant) in &greens {
        way.set(reg, Arg::Const(constant));
    }
    let inputs = way.strand.trace.inputs.clone();
    for (&reg, value) in reds.iter().zip(inputs) {
        way.set(reg, Arg::Ref(value));
    }
    way.starts = true;
    let key: Vec<Const> = greens.into_iter().map(|(_, constant)| constant).collect();
    let entry = draft.entry(&types);
    let mut specialiser = Specialiser::new(unit, history, draft, limits);
    specialiser
        .pending
        .labels
        .push((key.clone(), entry.clone()));
    specialiser.places.start(key, entry);
    specialiser.run(way)
}

/// Where compiled code was left.
pub struct Left<'a> {
    /// How to rebuild the frames.
    pub resume: &'a Resume,
    /// What the optimiser knew there.
    pub facts: &'a GuardFacts,
    /// The types of the fail arguments, and their values this time: what was promoted there is one
    /// of them.
    pub types: &'a [Ty],
    /// See `types`.
    pub words: &'a [u64],
    /// With how many values that has been compared already.
    pub compared: u32,
}

/// Compiles from a guard on that has failed: the arm for the value that came, if it is a promotion.
///
/// # Errors
/// If the interpreter has to do the very next instruction again.
pub fn specialise_from(
    unit: &Unit,
    left: &Left<'_>,
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
    limits: Limits,
) -> Result<Specialised, Why> {
    let (draft, strand) = Draft::bridge(optimiser, &unit.descrs, host, left.facts, left.types);
    let way = resume::way(unit, left, Box::new(strand));
    let done = Specialiser::new(unit, history, draft, limits).run(way);
    match done.at_once {
        Some(why) => Err(why),
        None => Ok(done),
    }
}

/// The registers of the merge point: the greens, and the reds.
fn state(unit: &Unit) -> (&[Reg], &[Reg]) {
    match &unit.portal().insns[unit.merge_point.0 as usize] {
        Insn::MergePoint { greens, reds } => (greens, reds),
        _ => unreachable!("a verified unit has a merge point where it says"),
    }
}

/// The types of registers of the portal.
fn types(unit: &Unit, regs: &[Reg]) -> Vec<Ty> {
    let code = unit.portal();
    let types = regs.iter().map(|reg| code.regs[usize::from(reg.0)]);
    types.collect()
}

/// The state of the specialiser.
struct Specialiser<'a> {
    unit: &'a Unit,
    history: &'a mut SpecialiserHistory,
    draft: Draft<'a>,
    /// Joins that become visible to other code when this code is done.
    pending: PendingJoins,
    limits: Limits,
    /// If it makes stencils.
    threading: Option<Threading>,
    /// An arm has been taken where code was left.
    learnt: bool,
    /// The program's quasi-immutable fields.
    quasi: Vec<FieldId>,
    /// Ways that go on; the last is next.
    ways: Vec<Way>,
    /// The merge points that ways have come to.
    places: Places,
    /// The ways of a stencil that wait for each other.
    joins: Joins,
    left: Vec<(Why, u32)>,
    /// Why the first way left at its first instruction, if it did.
    at_once: Option<Why>,
    operations: usize,
    /// How many ways there have been.
    split: usize,
}

impl<'a> Specialiser<'a> {
    fn new(
        unit: &'a Unit,
        history: &'a mut SpecialiserHistory,
        draft: Draft<'a>,
        limits: Limits,
    ) -> Specialiser<'a> {
        Specialiser {
            unit,
            history,
            draft,
            pending: PendingJoins::default(),
            limits,
            threading: None,
            learnt: false,
            quasi: unit.descrs.quasi_fields(),
            ways: Vec::new(),
            places: Places::new(unit),
            joins: Joins::default(),
            left: Vec::new(),
            at_once: None,
            operations: 0,
            split: 0,
        }
    }

    /// Follows a way, and all that it splits into, to their ends.
    fn run(mut self, way: Way) -> Specialised {
        self.ways.push(way);
        self.run_all()
    }

    /// Follows the ways that there are.
    fn run_all(mut self) -> Specialised {
        loop {
            match self.ways.pop() {
                Some(way) => self.follow(way),
                None if self.meet() || self.join() => {}
                None => break,
            }
        }
        self.history.publish(self.pending);
        Specialised {
            left: self.left,
            at_once: self.at_once,
            operations: self.operations,
            optimised: self.draft.done(),
        }
    }
}
