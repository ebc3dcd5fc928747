//! All that is asked of the optimiser: by the tracer, and by this crate. The engine performs
//! requests, and a replay performs the same ones from a recording.

use crate::{
    FailedGuard, LeaveReason, SpecialiseLimits, Specialised, SpecialiserHistory, Stencil,
    StencilContext, entrance, learn, specialise, specialise_from, stencil, without_code,
};
use std::fmt;
use verdigris_jitcode::Unit;
use verdigris_opt::{GuardKnowledge, Host, OptError, Optimised, Optimiser};
use verdigris_trace::{GuardId, RecordedTrace, TargetId};

/// A request to the optimiser.
pub enum OptRequest<'a> {
    /// Optimise a loop, or a trace that leads from a header elsewhere.
    Loop {
        /// The recorded run.
        trace: &'a RecordedTrace,
        /// The values that the jump at its end passed, if they still hold.
        arrival: Option<&'a [u64]>,
    },
    /// Optimise another version of a loop.
    Version {
        /// The recorded run.
        trace: &'a RecordedTrace,
        /// The loop's entry.
        entry: TargetId,
    },
    /// Optimise the continuation of a guard.
    Bridge {
        /// The guard.
        guard: GuardId,
        /// What the optimiser knew there.
        knowledge: &'a GuardKnowledge,
        /// The recorded run.
        trace: &'a RecordedTrace,
        /// As for a loop.
        arrival: Option<&'a [u64]>,
    },
    /// Specialise a place of the guest program.
    Specialise {
        /// Its greens.
        greens: &'a [u64],
        /// How far the code goes.
        limits: SpecialiseLimits,
    },
    /// Specialise the continuation of a guard.
    SpecialiseFrom {
        /// The guard.
        guard: GuardId,
        /// The state there.
        left: FailedGuard<'a>,
        /// How far the code goes.
        limits: SpecialiseLimits,
    },
    /// Specialise an instruction, for threaded code.
    Stencil {
        /// The greens of a place with the instruction.
        greens: &'a [u64],
        /// The functions of threaded code, and the number of the instruction.
        threading: StencilContext,
        /// How far the code goes.
        limits: SpecialiseLimits,
    },
    /// Make the entrance of threaded code.
    Entrance,
    /// Make the threaded code of places that have none.
    WithoutCode {
        /// As for a stencil.
        threading: StencilContext,
    },
    /// Find out which arm a stencil lacks, at a guard that has failed.
    Learn {
        /// The guard.
        guard: GuardId,
        /// The state there.
        left: FailedGuard<'a>,
        /// The limits of stencils.
        limits: SpecialiseLimits,
    },
}

/// The kind of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptRequestKind {
    /// See [`OptRequest::Loop`].
    Loop,
    /// See [`OptRequest::Version`].
    Version,
    /// See [`OptRequest::Bridge`].
    Bridge,
    /// See [`OptRequest::Specialise`].
    Specialise,
    /// See [`OptRequest::SpecialiseFrom`].
    SpecialiseFrom,
    /// See [`OptRequest::Stencil`].
    Stencil,
    /// See [`OptRequest::Entrance`].
    Entrance,
    /// See [`OptRequest::WithoutCode`].
    WithoutCode,
    /// See [`OptRequest::Learn`].
    Learn,
}

impl OptRequestKind {
    /// All kinds.
    pub const ALL: [OptRequestKind; 9] = [
        OptRequestKind::Loop,
        OptRequestKind::Version,
        OptRequestKind::Bridge,
        OptRequestKind::Specialise,
        OptRequestKind::SpecialiseFrom,
        OptRequestKind::Stencil,
        OptRequestKind::Entrance,
        OptRequestKind::WithoutCode,
        OptRequestKind::Learn,
    ];

    /// Its name in recordings.
    pub fn name(self) -> &'static str {
        match self {
            OptRequestKind::Loop => "loop",
            OptRequestKind::Version => "version",
            OptRequestKind::Bridge => "bridge",
            OptRequestKind::Specialise => "specialise",
            OptRequestKind::SpecialiseFrom => "specialise-from",
            OptRequestKind::Stencil => "stencil",
            OptRequestKind::Entrance => "entrance",
            OptRequestKind::WithoutCode => "without-code",
            OptRequestKind::Learn => "learn",
        }
    }

    /// Whether a run was recorded for it.
    pub fn is_recorded(self) -> bool {
        use OptRequestKind as Kind;
        matches!(self, Kind::Loop | Kind::Version | Kind::Bridge)
    }

    /// Whether it continues a guard.
    pub fn has_guard(self) -> bool {
        use OptRequestKind as Kind;
        matches!(self, Kind::Bridge | Kind::SpecialiseFrom | Kind::Learn)
    }
}

/// The answer to a request.
pub enum OptAnswer {
    /// To a recorded run, or to [`OptRequest::Entrance`].
    Optimised(Optimised),
    /// To a place or a guard.
    Specialised(Specialised),
    /// To an instruction, or to [`OptRequest::WithoutCode`].
    Stencil(Stencil),
    /// To [`OptRequest::Learn`]: whether the arm is new.
    Learnt(bool),
}

/// LeaveReason the optimiser has made nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptRequestError {
    /// The recorded trace cannot be optimised.
    Optimiser(OptError),
    /// The interpreter has to execute the very next instruction.
    NothingToSpecialise(LeaveReason),
}

impl fmt::Display for OptRequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptRequestError::Optimiser(error) => error.fmt(f),
            OptRequestError::NothingToSpecialise(why) => {
                write!(f, "the interpreter has to go on at once: {why}")
            }
        }
    }
}

impl std::error::Error for OptRequestError {}

impl OptRequest<'_> {
    /// The kind.
    pub fn kind(&self) -> OptRequestKind {
        match self {
            OptRequest::Loop { .. } => OptRequestKind::Loop,
            OptRequest::Version { .. } => OptRequestKind::Version,
            OptRequest::Bridge { .. } => OptRequestKind::Bridge,
            OptRequest::Specialise { .. } => OptRequestKind::Specialise,
            OptRequest::SpecialiseFrom { .. } => OptRequestKind::SpecialiseFrom,
            OptRequest::Stencil { .. } => OptRequestKind::Stencil,
            OptRequest::Entrance => OptRequestKind::Entrance,
            OptRequest::WithoutCode { .. } => OptRequestKind::WithoutCode,
            OptRequest::Learn { .. } => OptRequestKind::Learn,
        }
    }

    /// Performs it.
    ///
    /// # Errors
    /// If the optimiser makes nothing of it.
    pub fn perform(
        &self,
        unit: &Unit,
        history: &mut SpecialiserHistory,
        optimiser: &mut Optimiser,
        host: &mut dyn Host,
    ) -> Result<OptAnswer, OptRequestError> {
        let descrs = &unit.descrs;
        let optimised = match *self {
            OptRequest::Loop { trace, arrival } => {
                optimiser.optimise_loop(trace, arrival, descrs, host)
            }
            OptRequest::Version { trace, entry } => {
                optimiser.optimise_version(trace, entry, descrs, host)
            }
            OptRequest::Bridge {
                knowledge,
                trace,
                arrival,
                ..
            } => optimiser.optimise_bridge(trace, knowledge, arrival, descrs, host),
            OptRequest::Specialise { greens, limits } => {
                let done = specialise(unit, greens, history, optimiser, host, limits);
                return Ok(OptAnswer::Specialised(done));
            }
            OptRequest::SpecialiseFrom {
                ref left, limits, ..
            } => {
                let done = specialise_from(unit, left, history, optimiser, host, limits);
                return done
                    .map(OptAnswer::Specialised)
                    .map_err(OptRequestError::NothingToSpecialise);
            }
            OptRequest::Stencil {
                greens,
                threading,
                limits,
            } => {
                let made = stencil(unit, greens, threading, history, optimiser, host, limits);
                return Ok(OptAnswer::Stencil(made));
            }
            OptRequest::Entrance => Ok(entrance(unit, optimiser, host)),
            OptRequest::WithoutCode { threading } => {
                let made = without_code(unit, threading, history, optimiser, host);
                return Ok(OptAnswer::Stencil(made));
            }
            OptRequest::Learn {
                ref left, limits, ..
            } => {
                let is_new = learn(unit, left, history, optimiser, host, limits);
                return Ok(OptAnswer::Learnt(is_new));
            }
        };
        optimised
            .map(OptAnswer::Optimised)
            .map_err(OptRequestError::Optimiser)
    }
}

impl OptAnswer {
    /// The optimised trace; none if the request was to learn.
    pub fn optimised(&self) -> Option<&Optimised> {
        match self {
            OptAnswer::Optimised(optimised) => Some(optimised),
            OptAnswer::Specialised(specialised) => Some(&specialised.optimised),
            OptAnswer::Stencil(stencil) => Some(&stencil.specialised.optimised),
            OptAnswer::Learnt(_) => None,
        }
    }

    /// The same, to be changed.
    pub fn optimised_mut(&mut self) -> Option<&mut Optimised> {
        match self {
            OptAnswer::Optimised(optimised) => Some(optimised),
            OptAnswer::Specialised(specialised) => Some(&mut specialised.optimised),
            OptAnswer::Stencil(stencil) => Some(&mut stencil.specialised.optimised),
            OptAnswer::Learnt(_) => None,
        }
    }

    /// The answer to a place or a guard.
    ///
    /// # Panics
    /// If it is another answer.
    pub fn into_specialised(self) -> Specialised {
        match self {
            OptAnswer::Specialised(specialised) => specialised,
            _ => panic!("the request was not to specialise"),
        }
    }

    /// The answer to a request for an optimised trace, or the trace of another answer.
    ///
    /// # Panics
    /// If the request was to learn.
    pub fn into_optimised(self) -> Optimised {
        match self {
            OptAnswer::Optimised(optimised) => optimised,
            OptAnswer::Specialised(specialised) => specialised.optimised,
            OptAnswer::Stencil(stencil) => stencil.specialised.optimised,
            OptAnswer::Learnt(_) => panic!("the request was to learn"),
        }
    }
}
