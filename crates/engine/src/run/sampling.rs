//! Taking samples for a profile at merge points and exits.
//!
//! Invariant: a sample changes nothing but time: it starts no trace, counts no failure, and what it
//! interrupted continues.

use crate::code::roots::Pins;
use crate::engine::Engine;
use crate::errors::VmError;
use crate::observe::profile::state::{Here, Noting, Profiled};
use crate::params::Profiling;
use crate::policy::phase_clock::{InPhase, Phase};
use crate::run::enter::Next;
use std::time::Duration;
use verdigris_heap::EntryKind;

/// The time in which a run is recorded.
pub(crate) struct Tracing<'a> {
    engine: &'a Engine,
    _phase: InPhase<'a>,
}

impl Drop for Tracing<'_> {
    fn drop(&mut self) {
        self.engine.catch_up();
    }
}

impl Engine {
    /// Starts a profile, before there is any code: all code can be interrupted.
    ///
    /// # Errors
    /// If another VM of the process is being profiled, or if there is no time between samples.
    pub(crate) fn begin_profile(
        &mut self,
        profiling: Profiling,
        pins: Pins,
    ) -> Result<(), VmError> {
        if profiling.interval == Some(Duration::ZERO) {
            return Err(VmError::Profile(
                "the interval between samples is 0".to_owned(),
            ));
        }
        let noting = Noting {
            greens: &self.program.greens,
            counters: self.call_counters(),
        };
        let (signals, phase) = (&self.run.signals, self.clock.shown());
        let profiled = Profiled::new(profiling.interval, signals, phase, noting, pins);
        self.observers.profiled =
            Some(profiled.map_err(|error| VmError::Profile(error.to_string()))?);
        self.run.interruptible.set(true);
        Ok(())
    }

    /// Native code has come to a merge point, in a frame around this address. True if its counter
    /// has not run out, so that the interpreter continues.
    pub(crate) fn profile_pass(
        &self,
        profiled: &Profiled,
        (pass, hash, frame): (EntryKind, u64, usize),
        state: &[u64],
    ) -> bool {
        let greens = self.greens(state);
        let place = profiled.places.number(hash, greens);
        let here = Here { frame, place };
        if self.run.signals.is_raised() {
            if self.run.signals.take_sample() {
                // At a call, the new activation has taken no time yet.
                profiled.take(Some(here).filter(|_| pass == EntryKind::BackEdge));
            }
            self.poll();
        }
        profiled.arrive(here);
        if self.pipeline.is_ahead.get() {
            return false;
        }
        !self.params.on || !self.code.counters.pass(pass, hash)
    }

    /// Starts the phase of recording a run, until the result is dropped. Callees of the run are not
    /// the tracer's own work.
    pub(crate) fn begin_tracing(&self) -> Tracing<'_> {
        self.catch_up();
        Tracing {
            engine: self,
            _phase: self.clock.enter(Phase::Tracing),
        }
    }

    fn catch_up(&self) {
        if let Some(profiled) = &self.observers.profiled {
            profiled.catch_up();
        }
    }

    /// Whether compiled code is left at this kind of guard for a sample, and for nothing else.
    pub(crate) fn is_sampled(&self, asks_for_signals: bool) -> bool {
        asks_for_signals && self.run.signals.has_sample() && !self.run.signals.is_stopping()
    }

    /// Compiled code was left for a sample: continues where it was.
    pub(crate) fn after_sample(&self, next: Next) -> Next {
        let Some(profiled) = &self.observers.profiled else {
            return next;
        };
        self.run.signals.take_sample();
        profiled.take(None);
        match next {
            Next::Interpreter(state) => {
                if self.code.find(self.greens(&state)).is_some() {
                    profiled.interrupt_entry();
                }
                Next::Header(state)
            }
            next => next,
        }
    }
}
