//! The second compiler: partial evaluation of the interpreter for one place of the guest program.
//!
//! In: the greens of a merge point. Out: code for everything that the guest program does from there, as far as the greens say, as
//! sections of the optimiser ([`Draft`]). Nothing is executed: an operation on constants folds, any other is residual; where a branch
//! depends on a red, both sides are compiled, and where ways meet at a merge point with the same greens, they go on together.
//! Invariants: a [`Way`](way::Way) stands where the interpreter would, with the values of its registers; what cannot be
//! compiled, or had better wait until it is needed, is an exit with the frames of the interpreter.
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), sections 2.1 to 2.6; "Automatic Generation of JIT
//! Compilers for Dynamic Languages in .NET" (2009), sections 3 and 4. There the generating extension is made when the
//! interpreter is translated, out of its flow graphs; here it is this interpreter of jitcode, whose greens are constants.

#![forbid(unsafe_code)]

mod arms;
mod calls;
mod frames;
mod limits;
mod merge;
mod step;
mod way;

pub use limits::{Limits, Why};

use merge::Places;
use verdigris_jitcode::{Insn, Unit};
use verdigris_ops::Ty;
use verdigris_opt::{Draft, Host, Optimised, Optimiser};
use verdigris_trace::{Arg, Const};
use way::Way;

/// What was made of the guest program.
pub struct Specialised {
    /// The code. Its entry takes the reds of the merge point.
    pub optimised: Optimised,
    /// How often it was left to the interpreter what follows, and why.
    pub left: Vec<(Why, u32)>,
    /// How many operations the optimiser was given.
    pub operations: usize,
}

/// Compiles from a merge point with these greens on.
pub fn specialise(
    unit: &Unit,
    greens: &[u64],
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
    limits: Limits,
) -> Specialised {
    let (types, regs) = reds_of(unit);
    let (draft, strand) = Draft::new(optimiser, &unit.descrs, host, &types);
    let code = unit.portal();
    let Insn::MergePoint { greens: green, .. } = &code.insns[unit.merge_point.0 as usize] else {
        unreachable!("a verified unit has a merge point where it says");
    };
    let mut way = Way::new(Box::new(strand));
    way.push_frame(unit, unit.portal);
    way.top().pc = unit.merge_point;
    for (&reg, &word) in green.iter().zip(greens) {
        let ty = code.regs[usize::from(reg.0)];
        way.set(reg, Arg::Const(Const::new(ty, word)));
    }
    let inputs = way.strand.trace.inputs.clone();
    for (reg, value) in regs.into_iter().zip(inputs) {
        way.set(reg, Arg::Ref(value));
    }
    way.starts = true;
    let mut specialiser = Specialiser {
        unit,
        draft,
        limits,
        ways: vec![way],
        places: Places::new(unit),
        left: Vec::new(),
        operations: 0,
        split: 0,
    };
    specialiser.run();
    Specialised {
        left: specialiser.left,
        operations: specialiser.operations,
        optimised: specialiser.draft.done(),
    }
}

/// The types of the reds, and the registers that they are in.
fn reds_of(unit: &Unit) -> (Vec<Ty>, Vec<verdigris_jitcode::Reg>) {
    let code = unit.portal();
    match &code.insns[unit.merge_point.0 as usize] {
        Insn::MergePoint { reds, .. } => {
            let types = reds.iter().map(|r| code.regs[usize::from(r.0)]).collect();
            (types, reds.clone())
        }
        _ => unreachable!("a verified unit has a merge point where it says"),
    }
}

/// The state of the specialiser.
struct Specialiser<'a> {
    unit: &'a Unit,
    draft: Draft<'a>,
    limits: Limits,
    /// Ways that go on; the last is next.
    ways: Vec<Way>,
    /// The merge points that ways have come to.
    places: Places,
    left: Vec<(Why, u32)>,
    operations: usize,
    /// How many ways there have been.
    split: usize,
}

impl Specialiser<'_> {
    /// Follows all ways to their ends.
    fn run(&mut self) {
        loop {
            match self.ways.pop() {
                Some(way) => self.follow(way),
                None if self.meet() => {}
                None => return,
            }
        }
    }
}
