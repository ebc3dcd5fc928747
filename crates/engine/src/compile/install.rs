//! From a recorded trace to code that is in use. In: the trace and the place it is for. Out: an
//! entry for a header, or a bridge behind a guard. Invariant: when a stage fails, nothing has
//! changed, except for what the optimiser is told to forget.

use crate::code::assumed::Watching;
use crate::code::guards::Made;
use crate::code::jit_cells::Code;
use crate::code::roots::Pins;
use crate::code::trees::TreeId;
use crate::compile::attempt::{Failed, Misfit, Place};
use crate::compile::optimiser_host::OptimiserHost;
use crate::engine::Engine;
use crate::observe::hooks;
use crate::observe::inspect::Told;
use crate::observe::location::GuardPlaces;
use crate::observe::log::Stage;
use crate::observe::profile::code_map::Inlined;
use crate::observe::recording::Job;
use crate::observe::stats::{CodeStats, Maker, OpCounts};
use crate::observe::trace_text::KeptTrace;
use crate::policy::meter::Phase;
use std::rc::Rc;
use verdigris_backend::{Callees, CompileOutput, Env};
use verdigris_heap::{EXIT_WORDS, Tier, hash_greens};
use verdigris_opt::{Host, OptError, Optimised, Optimiser};
use verdigris_replay::{AskedCallees, Given};
use verdigris_trace::{Opcode, OptimisedTrace, RecordedTrace, TargetId, Trace, TraceForm};

/// A trace that is being compiled.
pub(crate) struct Drafted {
    pub(crate) place: Place,
    /// Which compiler makes it.
    pub(crate) maker: Maker,
    /// Its number.
    pub(crate) piece: u32,
    /// What keeps its constants alive.
    pub(crate) pins: Pins,
    /// What it assumes.
    pub(crate) watching: Watching,
    /// What the second compiler gave to the optimiser, if the log is to say so.
    pub(crate) given: Vec<verdigris_opt::BuilderInput>,
}

impl Engine {
    /// Optimises, compiles and installs a trace. `state` is where the guest program was when it had
    /// been recorded. Answers the loop that should have another version first, and has done nothing
    /// then.
    pub(crate) fn compile(
        &self,
        place: Place,
        trace: &RecordedTrace,
        state: &[u64],
        misfit: Misfit,
    ) -> Result<Option<TargetId>, Failed> {
        if let Place::Version(of) = place
            && self.trees.borrow().of_target(of).is_none()
        {
            return Err(Failed {
                reason: "freed",
                detail: "the loop was freed while another version of it was recorded".to_string(),
            });
        }
        let piece = self.next_piece();
        // SAFETY: the context outlives the engine.
        let mut pins = unsafe { Pins::new(self.ctx) };
        pins.add_recorded(trace);
        let title = self.title(place, piece, state);
        self.show(Stage::Trace, &title, trace);
        self.check("recorded", trace, None);
        self.check_valid(place, trace, piece)?;
        // SAFETY: as above.
        let watching = unsafe { Watching::new(self.ctx, piece) };
        let arrival = self.arrival(trace, state, misfit);
        let may_assume = self.may_assume(place, state).then_some(&watching);
        let job = Job {
            place,
            piece,
            title: &title,
        };
        let optimised = self
            .optimise(job, trace, state, arrival, &mut pins, may_assume)
            .map_err(|failed| {
                // A field may hold something else now than the trace found there.
                let stillborn = self.assumed.borrow_mut().is_stillborn(piece);
                match stillborn || watching.is_any() {
                    true => Failed::invalidated(),
                    false => failed,
                }
            })?;
        if let Some(target) = optimised.missed_loop
            && misfit == Misfit::Report
            && self.may_retrace(self.greens(state), target)
        {
            self.record_kept();
            return Ok(Some(target));
        }
        let drafted = Drafted {
            place,
            maker: Maker::Tracer,
            piece,
            pins,
            watching,
            given: Vec::new(),
        };
        self.put_to_use(drafted, &title, trace, optimised, state)?;
        Ok(None)
    }

    /// The number of the next trace.
    pub(crate) fn next_piece(&self) -> u32 {
        self.pieces.replace(self.pieces.get() + 1)
    }

    /// Compiles and installs an optimised trace, and says so. `trace` is what was recorded for it;
    /// empty if nothing was.
    pub(crate) fn put_to_use(
        &self,
        mut drafted: Drafted,
        title: &str,
        trace: &RecordedTrace,
        mut optimised: Optimised,
        state: &[u64],
    ) -> Result<(), Failed> {
        let Drafted {
            place,
            maker,
            piece,
            ..
        } = drafted;
        // Who says where the trace is for the log may collect.
        drafted.pins.add_optimised(&optimised.trace);
        match drafted.given.is_empty() {
            true => self.show(Stage::Opt, title, &optimised.trace),
            false => self.show_residual(title, &drafted.given, &mut optimised.trace),
        }
        self.show_losses(title, &optimised.remarks);
        self.show_origins(title, trace, &mut optimised);
        self.check("optimised", &optimised.trace, Some(trace));
        check_exits(&optimised.trace)
            .inspect_err(|failed| self.drop_made(failed, &optimised.targets))?;
        let counts = (OpCounts::of(trace), OpCounts::of(&optimised.trace));
        // The text is made before the trace is given away, and counts only if it is compiled.
        let kept = self
            .keeps_traces()
            .then(|| KeptTrace::new(title, &self.linked.unit.descrs, trace, &optimised.trace));
        let findings = self.findings(place, state, &mut optimised);
        let notes = std::mem::take(&mut optimised.remarks);
        let op_places = self.op_places(place, state, trace, &mut optimised);
        let (code_bytes, tree) = self.emit(drafted, title, optimised, state, &op_places)?;
        self.meter.lost(&notes);
        if let Some(profiled) = &self.profiled {
            profiled.made(title, self.meter.spent());
        }
        self.keep_trace(kept);
        self.meter.compiled(maker, counts.0, counts.1, code_bytes);
        let from = match place {
            Place::Bridge(guard) => Some(self.guards.borrow()[guard].home.piece),
            _ => None,
        };
        self.note_code(place, state, tree, || CodeStats {
            trace: piece,
            title: title.to_string(),
            maker: maker.name(),
            from,
            recorded: counts.0.total(),
            optimised: counts.1.total(),
            code_bytes: code_bytes as u64,
            ..CodeStats::default()
        });
        self.explain_piece(place, piece, state, tree, (findings, code_bytes));
        let event = hooks::CompiledEvent {
            title,
            trace: piece,
            from,
            recorded: counts.0,
            optimised: counts.1,
            code_bytes,
        };
        self.tell(|hooks| match from {
            Some(_) => hooks.on_bridge(&event),
            None => hooks.on_compile(&event),
        });
        Ok(())
    }

    /// Notes for statistics what was made.
    fn note_code(
        &self,
        place: Place,
        state: &[u64],
        tree: TreeId,
        made: impl FnOnce() -> CodeStats,
    ) {
        let Some(places) = &self.places else {
            return;
        };
        let kind = match place {
            Place::Loop => "loop",
            Place::Version(_) => "version",
            Place::Header(..) => "entry",
            Place::Bridge(_) => "bridge",
            Place::Stencil => "instruction",
        };
        let greens = self.first_greens(place, state);
        let location = greens.and_then(|greens| self.location(&greens));
        let is_entered = matches!(place, Place::Loop | Place::Header(..));
        let in_use = is_entered.then(|| self.trees.borrow().in_use(tree));
        let code = CodeStats {
            kind,
            location,
            ..made()
        };
        places.borrow_mut().made(code, in_use, self.meter.spent());
    }

    /// What the jump to another loop passed, if that is what the trace ends in and the heap is
    /// still as it was then.
    fn arrival<'a>(
        &self,
        trace: &RecordedTrace,
        state: &'a [u64],
        misfit: Misfit,
    ) -> Option<&'a [u64]> {
        let end = trace.ops().last()?;
        let leaves = end.opcode() == Opcode::Jump;
        (leaves && misfit == Misfit::Report).then(|| self.reds(state))
    }

    fn optimise(
        &self,
        job: Job<'_>,
        trace: &RecordedTrace,
        state: &[u64],
        arrival: Option<&[u64]>,
        pins: &mut Pins,
        watching: Option<&Watching>,
    ) -> Result<Optimised, Failed> {
        let _phase = self.meter.enter(Phase::Optimising);
        let optimiser = self.optimiser.try_borrow_mut();
        let mut optimiser = optimiser.map_err(|_| Failed::busy())?;
        let descrs = &self.linked.unit.descrs;
        let Job {
            place,
            piece,
            title,
        } = job;
        let mut host = OptimiserHost {
            engine: self,
            ctx: self.ctx,
            linked: &self.linked,
            pins,
            watching,
            keeps: self.may_keep(place, state),
        };
        let given = |labels| Given {
            trace: Some(trace),
            arrival,
            ..Given::new(place.kind_of_recorded(), piece, title, labels)
        };
        let work = |optimiser: &mut Optimiser, host: &mut dyn Host| match place {
            Place::Bridge(guard) => {
                let site = Rc::clone(self.guards.borrow()[guard].site());
                optimiser.optimise_bridge(trace, &site.facts, arrival, descrs, host)
            }
            Place::Version(of) => optimiser.optimise_version(trace, of, descrs, host),
            Place::Loop | Place::Header(..) => {
                optimiser.optimise_loop(trace, arrival, descrs, host)
            }
            Place::Stencil => unreachable!("a stencil is not recorded"),
        };
        let result = self.recorded(&mut optimiser, &mut host, given, work);
        let failed = |error: OptError| Failed {
            reason: "optimiser",
            detail: error.to_string(),
        };
        let mut optimised = result
            .map_err(failed)
            .inspect_err(|failed| self.record_failed(failed))?;
        self.record_made(&optimiser, &mut optimised.trace);
        Ok(optimised)
    }

    /// Compiles and installs an optimised trace. Answers the bytes of machine code, and what it is
    /// freed with.
    fn emit(
        &self,
        drafted: Drafted,
        title: &str,
        optimised: Optimised,
        state: &[u64],
        op_places: &Rc<[Inlined]>,
    ) -> Result<(usize, TreeId), Failed> {
        let Drafted {
            place,
            maker,
            piece,
            mut pins,
            watching,
            given: _,
        } = drafted;
        let Optimised {
            mut trace,
            entry,
            targets,
            guard_knowledge,
            missed_loop: _,
            assumptions: _,
            origins: _,
            remarks: _,
        } = optimised;
        self.check_valid(place, &trace, piece)
            .inspect_err(|failed| self.drop_made(failed, &targets))?;
        self.guards.borrow().number(&mut trace);
        let compiled = self.call_backend(place, &trace).inspect_err(|failed| {
            self.drop_made(failed, &targets);
            self.callees.take_wanted();
        })?;
        self.record_code(&compiled);
        let text = self.text_for_inspector(&trace);
        let places = self.places_for(place, &trace, state, &mut pins);
        let code_bytes = compiled.code_bytes;
        self.show_code(title, compiled);
        let tree = self.tree_for(place, title, state);
        self.trees.borrow_mut().grow(tree, &trace, pins);
        self.adopt_piece(piece, place, tree, &trace, watching);
        self.link_callees(tree);
        let from = match place {
            Place::Bridge(guard) => Some(guard),
            _ => None,
        };
        let facts = guard_knowledge;
        let mut guards = self.guards.borrow_mut();
        let made = Made { piece, maker, tree };
        let guard_bytes = guards.adopt(&self.linked.unit.descrs, trace, facts, places, made, from);
        drop(guards);
        self.meter.note(|s| s.guard_bytes += guard_bytes as u64);
        let entered = entry.filter(|_| !matches!(place, Place::Stencil));
        let code = entered.map(|target| Code {
            target,
            entry: self
                .backend
                .borrow()
                .entry(target)
                .expect("a compiled label can be entered"),
            maker,
            tree,
            in_use: self.trees.borrow().in_use(tree),
            record: None,
        });
        self.install(place, code, state);
        self.tell_inspector(Some(Told {
            title,
            text: &text,
            maker,
            places: op_places,
        }));
        Ok((code_bytes, tree))
    }

    /// The greens of the place where a trace starts.
    pub(crate) fn first_greens(&self, place: Place, state: &[u64]) -> Option<Box<[u64]>> {
        match place {
            Place::Loop | Place::Version(_) | Place::Stencil => Some(self.greens(state).into()),
            Place::Header(cell, _) => Some(self.cells.borrow().greens(cell).into()),
            Place::Bridge(guard) => self.guards.borrow().greens_at(guard).map(Into::into),
        }
    }

    /// Where the guards of a trace are. What is not among its constants is pinned with them.
    fn places_for(
        &self,
        place: Place,
        trace: &OptimisedTrace,
        state: &[u64],
        pins: &mut Pins,
    ) -> GuardPlaces {
        // Many places share the code of an instruction.
        let is_one = !matches!(place, Place::Stencil);
        let first = self.first_greens(place, state).filter(|_| is_one);
        let places = self.guard_places(trace, first.as_deref());
        if let (Some(greens), false) = (&first, places.is_empty()) {
            let objects = self.linked.objects(greens);
            objects.for_each(|object| pins.add(object));
        }
        places
    }

    /// What the code that was just compiled calls lives as long as it.
    fn link_callees(&self, tree: TreeId) {
        let callees = self.callees.take_wanted();
        if callees.is_empty() {
            return;
        }
        let cells = self.cells.borrow();
        // Code that rests is called as before.
        let code = callees.iter().filter_map(|callee| {
            let cell = cells.find(&callee.greens)?;
            cells[cell].code_to_jump_to()
        });
        let code: Vec<TreeId> = code.map(|code| code.tree).collect();
        self.trees.borrow_mut().calls(tree, callees, &code);
    }

    /// What a compiled trace is freed with: a tree of its own, unless it continues or completes
    /// one.
    fn tree_for(&self, place: Place, title: &str, state: &[u64]) -> TreeId {
        let mut trees = self.trees.borrow_mut();
        let cells = self.cells.borrow();
        match place {
            Place::Loop => {
                let greens = self.greens(state);
                // A trace has led there, so it has been asked about.
                let tier = cells.find(greens).and_then(|cell| cells[cell].tier);
                let tier = tier.unwrap_or_default();
                trees.add(title, greens, hash_greens(greens), tier)
            }
            Place::Header(cell, hash) => {
                let tier = cells[cell].tier.unwrap_or_default();
                trees.add(title, cells.greens(cell), hash, tier)
            }
            Place::Version(of) => (trees.of_target(of)).expect("a loop with another version lives"),
            Place::Stencil => {
                let known = self.threads.tree.get();
                let tree = known.unwrap_or_else(|| trees.add("threaded code", &[], 0, Tier::Any));
                self.threads.tree.set(Some(tree));
                tree
            }
            Place::Bridge(guard) => {
                let tree = self.guards.borrow()[guard].home.tree;
                trees.count_bridge(tree);
                tree
            }
        }
    }

    fn call_backend(&self, place: Place, trace: &OptimisedTrace) -> Result<CompileOutput, Failed> {
        let _phase = self.meter.enter(Phase::Compiling);
        let descrs = &self.linked.unit.descrs;
        let asked = self.recorder.as_ref().map(|recorder| AskedCallees {
            inner: self,
            recorder,
            descrs,
        });
        let callees = match &asked {
            Some(asked) => asked as &dyn Callees,
            None => self,
        };
        let env = Env {
            descrs,
            callees: self.linked.unit.runner().map(|_| callees),
            dump_ir: self.log.wants(Stage::Clif),
            dump_asm: self.log.wants(Stage::Asm) || self.recorder.is_some(),
        };
        let mut backend = self.backend.borrow_mut();
        let result = match place {
            Place::Bridge(guard) => backend.compile_bridge(&env, guard, trace),
            Place::Stencil => backend.compile_stencil(&env, trace),
            _ => backend.compile_loop(&env, trace),
        };
        result.map_err(|error| Failed {
            reason: "backend",
            detail: error.to_string(),
        })
    }

    /// Puts code to use, from the next pass on.
    fn install(&self, place: Place, code: Option<Code>, state: &[u64]) {
        let (cell, hash) = match place {
            Place::Loop => {
                let greens = self.greens(state);
                let cell = self.cells.borrow().find(greens);
                self.meter.note(|s| s.loops += 1);
                (
                    cell.unwrap_or_else(|| self.add_cell(greens)),
                    hash_greens(greens),
                )
            }
            Place::Header(cell, hash) => (cell, hash),
            // Only traces lead there; the interpreter enters the first version.
            Place::Version(_) => {
                return self.meter.note(|s| {
                    s.traces += 1;
                    s.loops += 1;
                });
            }
            Place::Bridge(_) => return self.meter.note(|s| s.bridges += 1),
            Place::Stencil => return self.meter.note(|s| s.tiers.stencils += 1),
        };
        self.meter.note(|s| s.traces += 1);
        let address = code.as_ref().map_or(0, |code| code.callee_address());
        let tree = code.as_ref().map(|code| code.tree);
        let mut cells = self.cells.borrow_mut();
        self.callees.moved(cells.greens(cell), address);
        if let Some(tree) = tree {
            self.trees.borrow_mut().called(cells.greens(cell), tree);
        }
        let before = cells.set_code(cell, code);
        if before.is_none() {
            self.counters.hold(hash);
        }
    }

    /// In debug builds, panics if a trace breaks an invariant.
    fn check<F: TraceForm>(&self, stage: &str, trace: &Trace<F>, before: Option<&RecordedTrace>) {
        if !cfg!(debug_assertions) {
            return;
        }
        let descrs = &self.linked.unit.descrs;
        if let Err(error) = verdigris_trace::verify(descrs, trace) {
            let before = before.map_or(String::new(), |before| {
                format!("\nrecorded:\n{}", verdigris_trace::print(descrs, before))
            });
            let text = verdigris_trace::print(descrs, trace);
            panic!("the {stage} trace is wrong: {error}\n{text}{before}");
        }
    }
}

/// A guard hands its values over in the context's exit buffer, which has a size.
fn check_exits(trace: &OptimisedTrace) -> Result<(), Failed> {
    let exits = trace.exits.values();
    match exits.map(|exit| exit.args().len()).max() {
        Some(most) if most > EXIT_WORDS => Err(Failed {
            reason: "too many live values",
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
