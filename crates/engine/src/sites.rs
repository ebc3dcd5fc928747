//! What never changes about guards, and how it is kept: most guards never fail. In: what a compiled trace says of its guards. Out: the same
//! for one of them, when it fails for the first time. Invariant: what is taken out is what was put in; of a trace of which no guard has
//! failed there is one block of bytes.
//!
//! A guard of a real interpreter leads to eight frames with twenty registers, and would take three kilobytes as the optimiser's data structures.
//! Source: RPython's `resume.py`, which writes numbers of few bytes for the same reason.

use crate::copies::Copies;
use crate::promotions::Promotion;
use crate::trees::TreeId;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use verdigris_ops::Ty;
use verdigris_opt::GuardFacts;
use verdigris_trace::{Resume, Src};

/// What never changes about a guard.
#[derive(Serialize, Deserialize)]
pub(crate) struct GuardSite {
    /// How to rebuild the frames.
    pub(crate) resume: Rc<Resume>,
    /// The types of the values that compiled code hands over.
    pub(crate) types: Vec<Ty>,
    /// What the optimiser knows there, for a bridge.
    pub(crate) facts: GuardFacts,
    /// The number of the trace it is in, for the log.
    pub(crate) piece: u32,
    /// What it is freed with.
    pub(crate) tree: TreeId,
    /// If it is on a promoted value.
    pub(crate) promotion: Option<Promotion>,
    /// Whether it may be continued by a bridge: not where a panic or an interrupt is on its way, since
    /// the bridge could not tell, nor where the trace turned out to be invalid.
    pub(crate) bridgeable: bool,
    /// The two words that a hint promises to be the same, if it is about that, and their type.
    pub(crate) same: Option<([Src; 2], Ty)>,
    /// If it is a `guard_not_forced`. Such sites are never packed: somebody may look at every call.
    #[serde(skip)]
    pub(crate) kept: Option<Box<KeptPlaces>>,
}

impl GuardSite {
    /// What a `guard_not_forced` knows.
    ///
    /// # Panics
    /// If it is of another guard.
    pub(crate) fn kept(&self) -> &KeptPlaces {
        let kept = self.kept.as_deref();
        kept.expect("what is suspended is in front of a `guard_not_forced`")
    }
}

/// What a `guard_not_forced` knows of the virtualizable places that are kept during its call.
pub(crate) struct KeptPlaces {
    /// The fail arguments that are in the record during the call.
    pub(crate) args: Vec<u16>,
    /// And where what the record keeps belongs.
    pub(crate) copies: Copies,
}

/// The sites of a trace's guards, one behind the other.
#[derive(Default)]
pub(crate) struct Packed {
    bytes: Vec<u8>,
}

impl Packed {
    /// Adds a site, and says where it starts.
    pub(crate) fn add(&mut self, site: &GuardSite) -> u32 {
        let start = self.bytes.len() as u32;
        let bytes = std::mem::take(&mut self.bytes);
        let bytes = postcard::to_extend(site, bytes);
        self.bytes = bytes.expect("what is written to a vector has room");
        start
    }

    /// No more will be added.
    pub(crate) fn close(&mut self) {
        self.bytes.shrink_to_fit();
    }

    /// The site that starts there.
    pub(crate) fn site(&self, start: u32) -> GuardSite {
        let bytes = &self.bytes[start as usize..];
        postcard::from_bytes(bytes).expect("a site has been packed there")
    }

    /// The memory that they take, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.len()
    }
}
