//! What never changes about guards, and how it is kept: most guards never fail. In: what a compiled
//! trace says of its guards. Out: the same for one of them, when it fails for the first time.
//! Invariant: what is taken out is what was put in; of a trace of which no guard has failed there
//! is one block of bytes ([`crate::code::packed`]).

use crate::code::packed::Packed;
use crate::code::promotions::Promotion;
use crate::code::trees::TreeId;
use crate::observe::location::GuardPlaces;
use crate::observe::stats::Maker;
use crate::run::virtualizable::copy_tables::Copies;
use std::rc::Rc;
use verdigris_ops::Ty;
use verdigris_opt::GuardKnowledge;
use verdigris_trace::{Const, NumberReader, Numbers, Resume, ValRef};

/// A compiled trace, for its guards.
pub(crate) struct Home {
    /// Its number.
    pub(crate) piece: u32,
    /// Which compiler has made it.
    pub(crate) maker: Maker,
    /// What it is freed with.
    pub(crate) tree: TreeId,
    /// The types of its values.
    pub(crate) types: Box<[Ty]>,
    /// What is known of its guards.
    pub(crate) sites: Packed,
    /// Where they are in the guest program, if somebody wants to know.
    pub(crate) places: GuardPlaces,
}

impl Home {
    /// What is known of the guard whose site starts there.
    pub(crate) fn site(&self, start: u32) -> GuardSite {
        let numbers = self.sites.numbers(start);
        GuardSite::read(&mut numbers.read(), self)
    }
}

/// What never changes about a guard.
pub(crate) struct GuardSite {
    /// How to rebuild the frames.
    pub(crate) resume: Rc<Resume>,
    /// The types of the values that compiled code hands over.
    pub(crate) types: Vec<Ty>,
    /// What the optimiser knows there, for a bridge.
    pub(crate) facts: GuardKnowledge,
    /// The number of the trace it is in, for the log.
    pub(crate) piece: u32,
    /// Which compiler has made that.
    pub(crate) maker: Maker,
    /// What it is freed with.
    pub(crate) tree: TreeId,
    /// If it is on a promoted value.
    pub(crate) promotion: Option<Promotion>,
    /// Whether it may be continued by a bridge: not where a panic or an interrupt is on its way,
    /// since the bridge could not tell, nor where the trace turned out to be invalid.
    pub(crate) bridgeable: bool,
    /// Whether code ends there that was made by partial evaluation.
    pub(crate) leaves: bool,
    /// Whether it is a `guard_no_signal`.
    pub(crate) asks_for_signals: bool,
    /// The two words that a hint promises to be the same, if it is about that, and their type.
    pub(crate) same: Option<([Compared; 2], Ty)>,
    /// If it is a `guard_not_forced`. Such sites are never packed: at every call, other code may
    /// look at what is kept.
    pub(crate) kept: Option<Box<KeptPlaces>>,
}

impl GuardSite {
    /// Writes all but what it shares with the other guards of its trace.
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

    /// Reads it again.
    fn read(input: &mut NumberReader<'_>, home: &Home) -> GuardSite {
        let flags = input.get();
        let promotion = (flags & 2 != 0).then(|| Promotion::read(input));
        let same = (flags & 4 != 0).then(|| {
            let words = std::array::from_fn(|_| Compared::read(input));
            (words, Ty::ALL[input.get() as usize])
        });
        input.end_group();
        let resume = Resume::read(input);
        let ty = |value: ValRef| home.types[value.as_u32() as usize];
        GuardSite {
            types: resume.fail_args.iter().map(|&v| ty(v)).collect(),
            facts: GuardKnowledge::read(input, &resume.fail_args, ty),
            resume: Rc::new(resume),
            piece: home.piece,
            maker: home.maker,
            tree: home.tree,
            promotion,
            bridgeable: flags & 1 != 0,
            leaves: flags & 8 != 0,
            asks_for_signals: flags & 16 != 0,
            same,
            kept: None,
        }
    }

    /// What a `guard_not_forced` knows.
    ///
    /// # Panics
    /// If it is of another guard.
    pub(crate) fn kept(&self) -> &KeptPlaces {
        let kept = self.kept.as_deref();
        kept.expect("what is suspended is in front of a `guard_not_forced`")
    }
}

/// A word that a hint promises something about.
#[derive(Clone, Copy)]
pub(crate) enum Compared {
    /// A fail argument.
    Fail(u16),
    /// What the trace takes it for.
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

/// What a `guard_not_forced` knows of the virtualizable places that are kept during its call.
pub(crate) struct KeptPlaces {
    /// The fail arguments that are in the record during the call.
    pub(crate) args: Vec<u16>,
    /// And where what the record keeps belongs.
    pub(crate) copies: Copies,
}
