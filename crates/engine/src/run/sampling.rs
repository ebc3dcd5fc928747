//! Profiling: passes of merge points and exits of compiled code for samples that wait.
//!
//! Invariant: a sample changes nothing but time: no trace is begun because of it, no failure is
//! counted, and what was interrupted goes on.

use crate::code::roots::Pins;
use crate::engine::Engine;
use crate::errors::VmError;
use crate::observe::profile::state::{Here, Noting, Profiled};
use crate::params::Profiling;
use crate::policy::meter::{InPhase, Phase};
use crate::run::enter::Next;
use std::time::Duration;
use verdigris_heap::Pass;

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
    /// Begins to profile, before there is any code: what is compiled can be interrupted.
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

    /// Native code has come to a merge point, in a frame around this address. True if the
    /// interpreter goes on, since its counter has not run out.
    pub(crate) fn profile_pass(
        &self,
        profiled: &Profiled,
        (pass, hash, frame): (Pass, u64, usize),
        state: &[u64],
    ) -> bool {
        let greens = self.greens(state);
        let place = profiled.places.number(hash, greens);
        let here = Here { frame, place };
        if self.run.signals.is_raised() {
            if self.run.signals.take_sample() {
                // At a call, the new activation has taken none of the time.
                profiled.take(Some(here).filter(|_| pass == Pass::BackEdge));
            }
            self.poll();
        }
        profiled.arrive(here);
        if self.pipeline.is_ahead.get() {
            return false;
        }
        !self.params.on || !self.code.counters.pass(pass, hash)
    }

    /// A run begins to be recorded, until what this gives is dropped. What is called meanwhile is
    /// not the tracer's own work.
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

    /// Compiled code was left for a sample: goes on where it was.
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
