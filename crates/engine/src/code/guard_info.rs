//! The description of a guard, and how it is stored: most guards never fail.
//!
//! Invariant: the guards of a trace share one block of bytes ([`crate::code::packed`]); a
//! description is decoded when its guard first fails, as it was encoded.

use crate::code::packed::Packed;
use crate::code::promotions::Promotion;
use crate::code::trace_id::TraceId;
use crate::code::trees::TreeId;
use crate::run::virtualizable::copy_tables::CopyTable;
use std::rc::Rc;
use verdigris_ops::Ty;
use verdigris_opt::GuardKnowledge;
use verdigris_report::CompilerKind;
use verdigris_trace::{Const, GuardId, NumberReader, Numbers, Resume, ValRef};

/// Greens of places, each with the first guard behind it, in the order of guard numbers.
pub(crate) type GuardPlaces = Box<[(GuardId, Box<[u64]>)]>;

/// What the guards of a compiled trace share.
pub(crate) struct Home {
    /// The number of the trace.
    pub(crate) trace: TraceId,
    pub(crate) compiler: CompilerKind,
    /// The tree that it is freed with.
    pub(crate) tree: TreeId,
    /// The types of the trace's values.
    pub(crate) types: Box<[Ty]>,
    /// The encoded descriptions.
    pub(crate) sites: Packed,
    /// The places of the guards in the guest program, if an observer reports them.
    pub(crate) places: GuardPlaces,
}

impl Home {
    /// Decodes the description that starts there.
    pub(crate) fn info(&self, start: u32) -> GuardInfo {
        let numbers = self.sites.numbers(start);
        GuardInfo::read(&mut numbers.read(), self)
    }
}

/// The description of a guard.
pub(crate) struct GuardInfo {
    /// How to rebuild the frames.
    pub(crate) resume: Rc<Resume>,
    /// The types of the values that compiled code hands over.
    pub(crate) types: Vec<Ty>,
    /// The optimiser's knowledge there, for a bridge.
    pub(crate) facts: GuardKnowledge,
    /// The number of its trace.
    pub(crate) trace: TraceId,
    /// The compiler of that trace.
    pub(crate) compiler: CompilerKind,
    /// The tree that it is freed with.
    pub(crate) tree: TreeId,
    /// For a guard on a promoted value.
    pub(crate) promotion: Option<Promotion>,
    /// Whether a bridge may start there: not where a panic or an interrupt is on its way, which the
    /// bridge could not see, nor where the trace has turned out to be invalid.
    pub(crate) bridgeable: bool,
    /// Whether it is where specialised code ends.
    pub(crate) leaves: bool,
    /// Whether it is a `guard_no_signal`.
    pub(crate) asks_for_signals: bool,
    /// The two words that a hint promises to be the same, with their type, if it is about that.
    pub(crate) same: Option<([Compared; 2], Ty)>,
    /// For a `guard_not_forced`. These are never packed: other code may look at kept places at
    /// every call.
    pub(crate) kept: Option<Box<KeptPlaces>>,
}

impl GuardInfo {
    /// Encodes all but what it shares with the other guards of its trace.
    pub(crate) fn write(&self, out: &mut Numbers) {
        let flag = |n: u32, holds: bool| u64::from(holds) << n;
        out.put(
            flag(0, self.bridgeable)
                | flag(1, self.promotion.is_some())
                | flag(2, self.same.is_some())
                | flag(3, self.leaves)
                | flag(4, self.asks_for_signals),
        );
        if let Some(promotion) = &self.promotion {
            promotion.write(out);
        }
        if let Some((words, ty)) = self.same {
            words.iter().for_each(|word| word.write(out));
            out.put(ty as u64);
        }
        out.end_group();
        self.resume.write(out);
        self.facts.write(&self.resume.fail_args, out);
    }

    /// Decodes it.
    fn read(input: &mut NumberReader<'_>, home: &Home) -> GuardInfo {
        let flags = input.get();
        let promotion = (flags & 2 != 0).then(|| Promotion::read(input));
        let same = (flags & 4 != 0).then(|| {
            let words = std::array::from_fn(|_| Compared::read(input));
            (words, Ty::ALL[input.get() as usize])
        });
        input.end_group();
        let resume = Resume::read(input);
        let ty = |value: ValRef| home.types[value.as_u32() as usize];
        GuardInfo {
            types: resume.fail_args.iter().map(|&v| ty(v)).collect(),
            facts: GuardKnowledge::read(input, &resume.fail_args, ty),
            resume: Rc::new(resume),
            trace: home.trace,
            compiler: home.compiler,
            tree: home.tree,
            promotion,
            bridgeable: flags & 1 != 0,
            leaves: flags & 8 != 0,
            asks_for_signals: flags & 16 != 0,
            same,
            kept: None,
        }
    }

    /// The kept places of a `guard_not_forced`.
    ///
    /// # Panics
    ///
    /// If it is of another guard.
    pub(crate) fn kept(&self) -> &KeptPlaces {
        let kept = self.kept.as_deref();
        kept.expect("what is suspended is in front of a `guard_not_forced`")
    }
}

/// A word that a hint makes a promise about.
#[derive(Clone, Copy)]
pub(crate) enum Compared {
    /// A fail argument.
    Fail(u16),
    /// The value that the trace assumes.
    Const(Const),
}

impl Compared {
    fn write(self, out: &mut Numbers) {
        match self {
            Compared::Fail(n) => out.put(u64::from(n) + 1),
            Compared::Const(constant) => {
                out.put(0);
                out.put_const(constant);
            }
        }
    }

    fn read(input: &mut NumberReader<'_>) -> Compared {
        match input.get() {
            0 => Compared::Const(input.get_const()),
            n => Compared::Fail((n - 1) as u16),
        }
    }
}

/// The virtualizable places that a `guard_not_forced` keeps during its call.
pub(crate) struct KeptPlaces {
    /// The fail arguments that are in the record during the call.
    pub(crate) args: Vec<u16>,
    /// The places that the words of the record belong to.
    pub(crate) copies: CopyTable,
}
