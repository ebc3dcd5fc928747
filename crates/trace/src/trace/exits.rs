//! The exits of guards, the table that makes a trace a recorded or an optimised one.
//!
//! The guards of a trace have the exits from 0 on, in order, each its own. So a recorded guard
//! cannot be without a snapshot, nor an optimised one without resume data.

use crate::resume::Resume;
use crate::trace::Trace;
use crate::value::{GuardId, TargetId, ValRef};
use cranelift_entity::{PrimaryMap, entity_impl};
use std::fmt;
use std::rc::Rc;

/// Where a guard leaves its trace: an index in the trace's table of exits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExitId(u32);
entity_impl!(ExitId, "x");

/// An exit of an optimised trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Exit {
    /// Out of compiled code, or to a bridge that was attached since.
    Out {
        /// The guard's identity, once the engine has registered it.
        guard: Option<GuardId>,
        /// How to rebuild the frames. Shared, since the optimiser copies sections.
        resume: Rc<Resume>,
    },
    /// To a label of the same trace: the other side of a branch within a region.
    Side {
        /// The label.
        target: TargetId,
        /// The values that it gets, no value twice.
        args: Box<[ValRef]>,
    },
}

impl From<Resume> for Exit {
    fn from(resume: Resume) -> Exit {
        Exit::Out {
            guard: None,
            resume: Rc::new(resume),
        }
    }
}

impl Exit {
    /// How to rebuild the frames, if it leads out.
    #[inline]
    pub fn resume(&self) -> Option<&Resume> {
        match self {
            Exit::Out { resume, .. } => Some(resume),
            Exit::Side { .. } => None,
        }
    }

    /// The same, to be changed.
    pub fn resume_mut(&mut self) -> Option<&mut Resume> {
        match self {
            Exit::Out { resume, .. } => Some(Rc::make_mut(resume)),
            Exit::Side { .. } => None,
        }
    }

    /// The values that are handed over.
    #[inline]
    pub fn args(&self) -> &[ValRef] {
        match self {
            Exit::Out { resume, .. } => &resume.fail_args,
            Exit::Side { args, .. } => args,
        }
    }
}

/// The table of exits of an optimised trace.
pub type Exits = PrimaryMap<ExitId, Exit>;

/// A table of exits.
pub trait ExitTable: Clone + Default + fmt::Debug {
    /// The exit of a guard.
    type Exit;

    /// The next guard's exit.
    fn add(&mut self, exit: Self::Exit) -> ExitId;

    /// How many there are.
    fn count(&self) -> usize;

    /// Whether the guards of two traces carry the same.
    fn same(trace: &Trace<Self>, other: &Trace<Self>) -> bool;
}

impl ExitTable for Exits {
    type Exit = Exit;

    fn add(&mut self, exit: Exit) -> ExitId {
        self.push(exit)
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn same(trace: &Trace<Exits>, other: &Trace<Exits>) -> bool {
        trace.exits == other.exits
    }
}
