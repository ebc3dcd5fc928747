//! Optimises, compiles and installs traces: an entry at a header, or a bridge behind a guard.

use crate::code::assumed::Watching;
use crate::code::guard_info::GuardPlaces;
use crate::code::guards::CompiledTrace;
use crate::code::jit_cells::Code;
use crate::code::roots::Pins;
use crate::code::trace_id::TraceId;
use crate::code::trees::TreeId;
use crate::compile::optimiser_host::OptimiserHost;
use crate::compile::target::{Failed, OnStateMismatch, TraceTarget};
use crate::engine::Engine;
use crate::observe::event::{Event, InstalledCode, SpecialisedSections, TraceInfo, TraceStart};
use crate::observe::statistics::op_counts;
use crate::policy::phase_clock::Phase;
use std::rc::Rc;
use verdigris_backend::{Callees, CompileOutput, Env, journal};
use verdigris_heap::{EXIT_WORDS, hash_greens};
use verdigris_opt::{Host, Optimised, Optimiser};
use verdigris_replay::RecordingCallees;
use verdigris_report::AbortReason;
use verdigris_report::CompilerKind;
use verdigris_report::LogStage;
use verdigris_specialise::{OptAnswer, OptRequest};
use verdigris_trace::{Opcode, OptimisedTrace, RecordedTrace, TargetId, Trace, TraceForm};

/// A trace that is being compiled.
pub(crate) struct CompileJob {
    pub(crate) target: TraceTarget,
    pub(crate) compiler: CompilerKind,
    pub(crate) trace: TraceId,
    pub(crate) title: String,
    /// Keeps the trace's constants alive.
    pub(crate) pins: Pins,
    /// The fields that it assumes not to change.
    pub(crate) watching: Watching,
    pub(crate) specialised: Option<SpecialisedSections>,
}

impl Engine {
    /// Starts to compile a trace. `state` is where the guest program is.
    pub(crate) fn begin_job(
        &self,
        target: TraceTarget,
        compiler: CompilerKind,
        state: &[u64],
    ) -> CompileJob {
        let trace = self.pipeline.number_trace();
        let greens = self.first_greens(target, state);
        let from = self.bridge_from(target);
        let title = (self.observers).title(target, trace, greens.as_deref(), from);
        // SAFETY: the context outlives the engine.
        let (pins, watching) = unsafe { (Pins::new(self.ctx), Watching::new(self.ctx, trace)) };
        CompileJob {
            target,
            compiler,
            trace,
            title,
            pins,
            watching,
            specialised: None,
        }
    }

    /// The greens of the place where a trace starts.
    pub(crate) fn first_greens(&self, target: TraceTarget, state: &[u64]) -> Option<Box<[u64]>> {
        // For the others, `state` may be the words of a result.
        let end = match target {
            TraceTarget::Loop | TraceTarget::Version(_) | TraceTarget::Stencil => {
                self.greens(state)
            }
            TraceTarget::Header(..) | TraceTarget::Bridge(_) => &[],
        };
        self.code.greens_of_target(target, end)
    }

    /// The trace of a job, whose first place has these greens.
    pub(crate) fn start_of<'a>(
        &self,
        job: &'a CompileJob,
        greens: Option<&'a [u64]>,
    ) -> TraceStart<'a> {
        TraceStart {
            id: job.trace,
            title: &job.title,
            target: job.target,
            compiler: job.compiler,
            greens,
            from: self.bridge_from(job.target),
        }
    }

    /// The trace that a bridge starts in.
    fn bridge_from(&self, target: TraceTarget) -> Option<TraceId> {
        match target {
            TraceTarget::Bridge(guard) => Some(self.code.guards.borrow()[guard].home.trace),
            _ => None,
        }
    }

    /// Optimises, compiles and installs a recorded trace that has led to `state`. Returns the loop
    /// that should have another version first, and has done nothing then.
    pub(crate) fn compile_recorded(
        &self,
        target: TraceTarget,
        trace: &RecordedTrace,
        state: &[u64],
        on_mismatch: OnStateMismatch,
    ) -> Result<Option<TargetId>, Failed> {
        if let TraceTarget::Version(of) = target
            && self.code.trees.borrow().of_target(of).is_none()
        {
            return Err(AbortReason::Freed.into());
        }
        let mut job = self.begin_job(target, CompilerKind::Tracer, state);
        job.pins.add_recorded(trace);
        let greens = self.first_greens(target, state);
        self.observers.emit(Event::Recorded {
            start: &self.start_of(&job, greens.as_deref()),
            trace,
        });
        self.verify("recorded", trace, None);
        self.check_valid(target, trace, job.trace)?;
        let arrival = self.arrival(trace, state, on_mismatch);
        let optimised = self
            .optimise(&mut job, trace, state, arrival)
            .map_err(|failed| {
                // A field may have changed since the trace was recorded.
                let stillborn = self.code.assumed.borrow_mut().is_stillborn(job.trace);
                let may_have_changed = failed.reason != AbortReason::PromotesNew;
                match stillborn || may_have_changed && job.watching.is_any() {
                    true => AbortReason::Invalidated.into(),
                    false => failed,
                }
            })?;
        if let Some(of) = optimised.missed_loop
            && on_mismatch == OnStateMismatch::Retrace
            && self.may_retrace(self.greens(state), of)
        {
            self.observers.emit(Event::SetAside);
            return Ok(Some(of));
        }
        self.install_trace(job, trace, optimised, state)?;
        Ok(None)
    }

    /// The words that the jump to another loop passed, if the trace ends in one and the heap is
    /// still as it was then.
    fn arrival<'a>(
        &self,
        trace: &RecordedTrace,
        state: &'a [u64],
        on_mismatch: OnStateMismatch,
    ) -> Option<&'a [u64]> {
        let end = trace.ops().last()?;
        let leaves = end.opcode() == Opcode::Jump;
        (leaves && on_mismatch == OnStateMismatch::Retrace).then(|| self.reds(state))
    }

    fn optimise(
        &self,
        job: &mut CompileJob,
        trace: &RecordedTrace,
        state: &[u64],
        arrival: Option<&[u64]>,
    ) -> Result<Optimised, Failed> {
        let target = job.target;
        let assumes = self.may_assume(target, state);
        let _phase = self.clock.enter(Phase::Optimising);
        let optimiser = self.pipeline.optimiser.try_borrow_mut();
        let mut optimiser = optimiser.map_err(|_| AbortReason::Busy)?;
        let mut host = OptimiserHost {
            engine: self,
            ctx: self.ctx,
            program: &self.program,
            pins: &mut job.pins,
            watching: assumes.then_some(&job.watching),
            keeps: self.may_keep(target, state),
        };
        let info;
        let request = match target {
            TraceTarget::Bridge(guard) => {
                info = Rc::clone(self.code.guards.borrow()[guard].info());
                OptRequest::Bridge {
                    guard,
                    knowledge: &info.facts,
                    trace,
                    arrival,
                }
            }
            TraceTarget::Version(entry) => OptRequest::Version { trace, entry },
            TraceTarget::Loop | TraceTarget::Header(..) => OptRequest::Loop { trace, arrival },
            TraceTarget::Stencil => unreachable!("a stencil is not recorded"),
        };
        let name = (job.trace, &*job.title);
        let answer = self.perform(&request, name, &mut optimiser, &mut host)?;
        Ok(answer.into_optimised())
    }

    /// Performs a request to the optimiser, and gives the guards of its answer their numbers.
    /// `name` is the number and the title of the trace.
    pub(crate) fn perform(
        &self,
        request: &OptRequest<'_>,
        name: (TraceId, &str),
        optimiser: &mut Optimiser,
        host: &mut dyn Host,
    ) -> Result<OptAnswer, Failed> {
        let history = &mut self.pipeline.history.borrow_mut();
        let answer = (self.observers).perform(request, name, history, optimiser, host);
        let mut answer = answer
            .map_err(Failed::from)
            .inspect_err(|failed| self.observers.emit(Event::Failed(failed)))?;
        let next_label = optimiser.next_label();
        if let Some(optimised) = answer.optimised_mut() {
            self.code.guards.borrow().number(&mut optimised.trace);
            self.observers.emit(Event::Optimised {
                trace: &optimised.trace,
                next_label,
            });
        }
        if let OptAnswer::Learnt(is_new) = answer {
            self.observers.emit(Event::ArmSought { is_new, next_label });
        }
        Ok(answer)
    }

    /// Compiles and installs an optimised trace. `recorded` is empty if nothing was recorded for
    /// it.
    pub(crate) fn install_trace(
        &self,
        mut job: CompileJob,
        recorded: &RecordedTrace,
        mut optimised: Optimised,
        state: &[u64],
    ) -> Result<(), Failed> {
        // The `location` callback may trigger a collection, so pin first.
        job.pins.add_optimised(&optimised.trace);
        let CompileJob { target, trace, .. } = job;
        let greens = self.first_greens(target, state);
        let facts = std::mem::take(&mut optimised.guard_knowledge);
        let title = std::mem::take(&mut job.title);
        let specialised = job.specialised.take();
        let info = TraceInfo {
            id: trace,
            title: &title,
            target,
            compiler: job.compiler,
            greens: greens.as_deref(),
            from: self.bridge_from(target),
            recorded,
            optimised: &optimised,
            specialised: specialised.as_ref(),
            counts: [op_counts(recorded), op_counts(&optimised.trace)],
        };
        self.observers.emit(Event::Compiling(&info));
        self.verify("optimised", &optimised.trace, Some(recorded));
        let machine_code = check_exits(&optimised.trace)
            .and_then(|()| self.check_valid(target, &optimised.trace, trace))
            .and_then(|()| self.call_backend(target, &optimised.trace))
            .inspect_err(|failed| {
                self.observers.emit(Event::Failed(failed));
                let mut optimiser = self.pipeline.optimiser.borrow_mut();
                self.forget_labels(&mut optimiser, &optimised.targets);
                self.code.callees.take_wanted();
            })?;
        let places = self.guard_places(&mut job, &info);
        let code = &self.code;
        let tree = code.tree_for(target, &title, self.end_greens(target, state));
        let in_use = {
            let mut trees = code.trees.borrow_mut();
            trees.grow(tree, &optimised.trace, job.pins);
            trees.in_use(tree)
        };
        self.assume(&info, tree, job.watching);
        code.link_callees(tree);
        let made = CompiledTrace {
            trace,
            compiler: job.compiler,
            tree,
        };
        let descrs = &self.program.unit.descrs;
        let from = target.guard();
        let mut guards = code.guards.borrow_mut();
        let guard_bytes = guards.adopt(descrs, &optimised.trace, facts, places, made, from);
        drop(guards);
        self.install_entry(&info, tree, state);
        self.observers.emit(Event::Compiled(
            &info,
            &InstalledCode {
                machine_code: &machine_code,
                journal: &self.take_journal(),
                tree,
                in_use: &in_use,
                guard_bytes,
                spent: self.clock.spent(),
            },
        ));
        Ok(())
    }

    /// The greens of the state that a trace has led to, if that is a state of a merge point.
    fn end_greens<'a>(&self, target: TraceTarget, state: &'a [u64]) -> &'a [u64] {
        match target {
            TraceTarget::Loop => self.greens(state),
            _ => &[],
        }
    }

    /// The places of the guards of a trace. Objects among them that are not among its constants are
    /// pinned with these.
    fn guard_places(&self, job: &mut CompileJob, info: &TraceInfo<'_>) -> GuardPlaces {
        // Many places share the code of an instruction.
        let is_one = !matches!(info.target, TraceTarget::Stencil);
        let first = info.greens.filter(|_| is_one);
        let places = (self.observers).guard_places(&info.optimised.trace, first);
        if let (Some(greens), false) = (first, places.is_empty()) {
            let objects = self.program.objects(greens);
            objects.for_each(|object| job.pins.add(object));
        }
        places
    }

    fn call_backend(
        &self,
        target: TraceTarget,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, Failed> {
        let _phase = self.clock.enter(Phase::Compiling);
        let descrs = &self.program.unit.descrs;
        let recorder = &self.observers.recorder;
        let asked = recorder.as_ref().map(|recorder| RecordingCallees {
            inner: self,
            recorder,
            descrs,
        });
        let callees = match &asked {
            Some(asked) => asked as &dyn Callees,
            None => self,
        };
        let log = &self.observers.log;
        let env = Env {
            descrs,
            callees: self.program.unit.runner().map(|_| callees),
            dump_ir: log.wants(LogStage::Clif),
            dump_asm: log.wants(LogStage::Asm) || recorder.is_some(),
        };
        let mut backend = self.pipeline.backend.borrow_mut();
        let result = match target {
            TraceTarget::Bridge(guard) => backend.compile_bridge(&env, guard, trace),
            TraceTarget::Stencil => backend.compile_stencil(&env, trace),
            _ => backend.compile_loop(&env, trace),
        };
        result.map_err(|error| Failed {
            reason: AbortReason::Backend,
            detail: error.to_string(),
        })
    }

    /// Lets native code enter a trace from the next pass on, if it is entered at all.
    fn install_entry(&self, info: &TraceInfo<'_>, tree: TreeId, state: &[u64]) {
        let (cell, hash) = match info.target {
            TraceTarget::Loop => {
                let greens = self.greens(state);
                (self.code.cell_for(greens), hash_greens(greens))
            }
            TraceTarget::Header(cell, hash) => (cell, hash),
            // Only traces lead there; the interpreter enters the first version.
            TraceTarget::Version(_) | TraceTarget::Bridge(_) | TraceTarget::Stencil => return,
        };
        let target = info.optimised.entry;
        let target = target.expect("a trace that is entered starts with a label");
        let entry = self.pipeline.backend.borrow().entry(target);
        let code = Code {
            target,
            entry: entry.expect("a compiled label can be entered"),
            compiler: info.compiler,
            tree,
            in_use: self.code.trees.borrow().in_use(tree),
            record: None,
        };
        self.code.install(cell, hash, code);
    }

    /// Makes the backend keep a journal, if an observer reads it.
    pub(crate) fn begin_journal(&self) {
        if self.observers.reads_journal() {
            self.pipeline.backend.borrow_mut().keep_journal();
            let journal = &self.take_journal();
            self.observers.emit(Event::CodeChanged { journal });
        }
    }

    /// The changes of machine code since the last call, if an observer reads them.
    pub(crate) fn take_journal(&self) -> Vec<journal::CodeEvent> {
        match self.observers.reads_journal() {
            true => self.pipeline.backend.borrow_mut().take_journal(),
            false => Vec::new(),
        }
    }

    /// Lets the optimiser and the specialiser forget labels.
    pub(crate) fn forget_labels(&self, optimiser: &mut Optimiser, labels: &[TargetId]) {
        self.observers.emit(Event::LabelsForgotten(labels));
        optimiser.forget(labels);
        self.pipeline.history.borrow_mut().forget(labels);
    }

    /// In debug builds, panics if a trace breaks an invariant.
    fn verify<F: TraceForm>(&self, stage: &str, trace: &Trace<F>, before: Option<&RecordedTrace>) {
        if !cfg!(debug_assertions) {
            return;
        }
        let descrs = &self.program.unit.descrs;
        if let Err(error) = verdigris_trace::verify(descrs, trace) {
            let before = before.map_or(String::new(), |before| {
                format!("\nrecorded:\n{}", verdigris_trace::print(descrs, before))
            });
            let text = verdigris_trace::print(descrs, trace);
            panic!("the {stage} trace is wrong: {error}\n{text}{before}");
        }
    }
}

/// Fails if a guard passes more values than the context's exit buffer holds.
fn check_exits(trace: &OptimisedTrace) -> Result<(), Failed> {
    let exits = trace.exits.values();
    match exits.map(|exit| exit.args().len()).max() {
        Some(most) if most > EXIT_WORDS => Err(Failed {
            reason: AbortReason::TooManyLiveValues,
            detail: format!("a guard has {most} values to hand over, more than {EXIT_WORDS}"),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdigris_ops::Ty;
    use verdigris_trace::{Arg, Descr, Opcode, Resume};

    #[test]
    fn an_exit_must_fit_the_buffer() {
        let fits = |values: usize| {
            let mut trace = OptimisedTrace::default();
            let fail_args = (0..values).map(|_| trace.value(Ty::Int)).collect();
            let resume = Resume {
                fail_args,
                ..Resume::default()
            };
            let args = [Arg::int(1)];
            trace.push_guard(Opcode::GuardTrue, &args, Descr::None, resume.into());
            check_exits(&trace).is_ok()
        };
        assert!(fits(0) && fits(EXIT_WORDS));
        assert!(!fits(EXIT_WORDS + 1));
    }
}
