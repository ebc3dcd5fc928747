//! What a VM reports of a guest program that runs, when it is asked.

use crate::engine::Engine;
use std::rc::Rc;
use verdigris_explain::Report;
use verdigris_profile::Profile;
use verdigris_report::Stats;

/// What answers a question to a VM.
pub type Answer = Rc<dyn Fn(&RunReports<'_>)>;

/// The reports of a VM whose guest program runs: what the function of
/// [`Vm::on_question`](crate::Vm::on_question) gets.
pub struct RunReports<'vm>(&'vm Engine);

impl<'vm> RunReports<'vm> {
    pub(crate) fn new(engine: &'vm Engine) -> RunReports<'vm> {
        RunReports(engine)
    }

    /// Statistics so far.
    pub fn stats(&self) -> Stats {
        self.0.stats()
    }

    /// Why the guest program is slow, as far as it has run; nothing unless the VM's options ask for
    /// it.
    pub fn explain(&self) -> Option<Report> {
        let engine = self.0;
        engine.observers.explained.as_ref()?;
        let counters = &engine.code.counters;
        (engine.observers).explanation(engine.params.on, counters, &engine.stats())
    }

    /// Where the time has gone so far; nothing unless the VM's options ask for it. Calls the
    /// portal's `location` function now.
    pub fn profile(&self) -> Option<Profile> {
        self.0.observers.profiled.as_ref()?;
        self.0.observers.profile()
    }
}
