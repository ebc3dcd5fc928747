//! Stencils: the code of instructions, which all places with the same instruction share.
//!
//! Invariant: a place has the code of a stencil only if its greens decide everything as those did
//! that it was compiled for.
//!
//! A stencil is compiled when a place with its instruction comes up, for the arms that the guest
//! program has taken there. When another arm is taken, it is compiled again, and all its places get
//! the new code.

#![allow(unsafe_code)]

use crate::code::guard_info::GuardInfo;
use crate::code::jit_cells::Code;
use crate::code::roots::Pins;
use crate::code::trace_id::TraceId;
use crate::compile::optimiser_host::OptimiserHost;
use crate::compile::target::TraceTarget;
use crate::observe::event::Event;
use crate::policy::phase_clock::Phase;
use crate::threaded_code::places::{Common, StencilId, ThreadedPlaceId};
use crate::threaded_code::tier::ThreadedTier;
use std::cell::RefCell;
use verdigris_opt::Host;
use verdigris_report::CompilerKind;
use verdigris_specialise::{
    Decoded, Decoder, FailedGuard, Lazy, OptAnswer, OptRequest, SpecialiseLimits, StencilContext,
};
use verdigris_trace::{GuardId, RecordedTrace, TargetId};

/// The most times that a stencil is compiled again for other arms.
const REMAKES: u32 = 24;

/// The most operations that the optimiser is given for one instruction: it is a part of a loop.
const OPERATIONS: usize = 4000;

/// The most paths through one instruction.
const WAYS: usize = 200;

/// The most successors that get code with a place.
const AHEAD: usize = 32;

impl ThreadedTier<'_> {
    /// The place with these greens.
    pub(super) fn thread(self, greens: &[u64]) -> ThreadedPlaceId {
        let known = self.places().find(greens);
        known.unwrap_or_else(|| self.new_thread(greens, None))
    }

    fn new_thread(self, greens: &[u64], code: Option<(StencilId, &Decoded)>) -> ThreadedPlaceId {
        self.places().keep(self.engine.program.objects(greens));
        self.places().add(greens, self.arrivals(), code)
    }

    /// Whether there is time to compile an instruction, and room for its code.
    fn can_afford_instruction(self) -> bool {
        let can = self.engine.can_afford() && self.engine.make_room();
        self.places().is_waiting.set(!can);
        can
    }

    /// Compiles the code that all threaded code shares.
    pub(super) fn begin_threads(self, state: &[u64]) -> Option<()> {
        if self.places().begun().is_some() {
            return Some(());
        }
        let (enter, ..) = self.make(state, |_| OptRequest::Entrance)?;
        let (cold, ..) = self.make(state, |threading| OptRequest::WithoutCode { threading })?;
        let tree = self.places().tree.get()?;
        let entry = self.engine.pipeline.backend.borrow().entry(enter)?;
        let common = Common {
            since: self.engine.code.trees.borrow().generation(),
            entrance: entry.address(),
            records: RefCell::default(),
            cold: self.engine.pipeline.backend.borrow().thread_word(cold),
            enter: Code {
                target: enter,
                entry,
                compiler: CompilerKind::Threaded,
                tree,
                in_use: self.engine.code.trees.borrow().in_use(tree),
                record: None,
            },
        };
        self.places().begin(common);
        Some(())
    }

    /// Gives a place the code of its instruction. False if that cannot be had.
    pub(super) fn give_code(self, thread: ThreadedPlaceId, state: &[u64]) -> bool {
        if self.places().is_blocked(thread) {
            return false;
        }
        let _phase = self.engine.clock.enter(Phase::Optimising);
        if self.adopt(thread, state) {
            return true;
        }
        let made = match self.can_afford_instruction() {
            true => self.make_stencil(thread, state),
            false => return false,
        };
        let is_done = made.is_some_and(|stencil| self.instantiate(thread, stencil));
        if !is_done {
            self.places().block(thread);
        }
        is_done
    }

    /// Gives a place the code of an existing stencil. False if none fits its instruction.
    fn adopt(self, thread: ThreadedPlaceId, state: &[u64]) -> bool {
        self.decoding(|host| {
            let fitting = self.fitting(self.engine.greens(state), host);
            fitting.is_some_and(|(stencil, decoded)| {
                self.give(thread, stencil, decoded, host);
                true
            })
        })
    }

    /// The stencil that fits a place, and the place's record.
    fn fitting(self, greens: &[u64], host: &mut dyn Host) -> Option<(StencilId, Decoded)> {
        let choice = self
            .places()
            .any_stencil()?
            .decoder
            .first_choice(greens, host);
        self.places()
            .candidates(choice)
            .into_iter()
            .find_map(|id| Some((id, self.places().stencil(id).decoder.decode(greens, host)?)))
    }

    /// Gives a place this code. New places that it jumps to get code, too, as far as there are
    /// stencils for them: that is cheaper than leaving at each of them.
    fn give(
        self,
        thread: ThreadedPlaceId,
        stencil: StencilId,
        decoded: Decoded,
        host: &mut dyn Host,
    ) {
        self.places().instantiate(thread, stencil, &decoded);
        let mut more = AHEAD;
        let mut open = vec![(thread, decoded.successors)];
        while let Some((from, successors)) = open.pop() {
            for (slot, greens) in successors {
                let to = self.places().find(&greens).unwrap_or_else(|| {
                    let fitting = (more > 0).then(|| self.fitting(&greens, host));
                    let Some((stencil, decoded)) = fitting.flatten() else {
                        return self.new_thread(&greens, None);
                    };
                    more -= 1;
                    let new = self.new_thread(&greens, Some((stencil, &decoded)));
                    open.push((new, decoded.successors));
                    new
                });
                self.places().link(from, slot, to);
            }
        }
    }

    /// Compiles the instruction of a place.
    fn make_stencil(self, thread: ThreadedPlaceId, state: &[u64]) -> Option<StencilId> {
        let number = self.engine.pipeline.next_trace();
        let made = self.compile_stencil(state, number)?;
        Some(self.places().add_stencil(number, thread, made))
    }

    /// Compiles a stencil. Returns the first word of its records, the number of its trace, and its
    /// decoder.
    fn compile_stencil(self, state: &[u64], number: TraceId) -> Option<(u64, TraceId, Decoder)> {
        let (target, trace, decoder) = self.make(state, |threading| OptRequest::Stencil {
            greens: self.engine.greens(state),
            threading: StencilContext {
                number: number.as_u32(),
                ..threading
            },
            limits: self.limits_of_stencils(),
        })?;
        let word = self.engine.pipeline.backend.borrow().thread_word(target);
        Some((word, trace, decoder?))
    }

    /// The limits for stencils. If branches of the guest program were lazy, a stencil would be
    /// compiled again for each of them.
    fn limits_of_stencils(self) -> SpecialiseLimits {
        SpecialiseLimits {
            lazy: match self.engine.params.lazy_arms.lazy() {
                Lazy::None => Lazy::None,
                Lazy::Types | Lazy::All => Lazy::Types,
            },
            operations: OPERATIONS,
            paths: WAYS,
            ..SpecialiseLimits::default()
        }
    }

    /// Compiles the answer to a request. Returns its label and number, and the decoder of a
    /// stencil.
    fn make<'r>(
        self,
        state: &[u64],
        request: impl FnOnce(StencilContext) -> OptRequest<'r>,
    ) -> Option<(TargetId, TraceId, Option<Decoder>)> {
        let mut job = (self.engine).begin_job(TraceTarget::Stencil, CompilerKind::Threaded, state);
        let trace = job.trace;
        let request = request(StencilContext {
            record_of: self.engine.program.record_of,
            run: self.engine.program.run_thread,
            number: trace.as_u32(),
        });
        let (answer, pins) = {
            let _phase = self.engine.clock.enter(Phase::Optimising);
            let mut optimiser = self.engine.pipeline.optimiser.try_borrow_mut().ok()?;
            let name = (trace, &*job.title);
            self.with_host(|host| (self.engine).perform(&request, name, &mut optimiser, host))
        };
        let (optimised, decoder) = match answer.ok()? {
            OptAnswer::Stencil(stencil) => (stencil.specialised.optimised, Some(stencil.decoder)),
            answer => (answer.into_optimised(), None),
        };
        let target = optimised.entry?;
        job.pins = pins;
        let (title, recorded) = (job.title.clone(), RecordedTrace::default());
        let done = (self.engine).install_trace(job, &recorded, optimised, state);
        if let Err(failed) = &done {
            self.engine.observers.emit(Event::StencilAborted {
                title: &title,
                greens: self.engine.greens(state),
                failed,
                spent: self.engine.clock.spent(),
            });
            return None;
        }
        Some((target, trace, decoder))
    }

    /// Calls `work` with a host that assumes nothing. The pins keep alive what it mentions.
    fn with_host<T>(self, work: impl FnOnce(&mut dyn Host) -> T) -> (T, Pins) {
        // SAFETY: the context outlives the engine.
        let mut pins = unsafe { Pins::new(self.engine.ctx) };
        let mut host = OptimiserHost {
            engine: self.engine,
            ctx: self.engine.ctx,
            program: &self.engine.program,
            pins: &mut pins,
            watching: None,
            keeps: false,
        };
        let done = work(&mut host);
        (done, pins)
    }

    /// Gives a place the code of a stencil. False if that does not fit.
    fn instantiate(self, thread: ThreadedPlaceId, stencil: StencilId) -> bool {
        let code = self.places().stencil(stencil);
        let greens = self.places().greens(thread);
        self.decoding(|host| {
            let decoded = code.decoder.decode(&greens, host);
            decoded.is_some_and(|decoded| {
                self.give(thread, stencil, decoded, host);
                true
            })
        })
    }

    /// Decodes places, and keeps alive what their records mention.
    fn decoding<T>(self, work: impl FnOnce(&mut dyn Host) -> T) -> T {
        let (done, mentioned) = self.with_host(work);
        self.places().keep(mentioned.objects());
        done
    }

    /// No arm is added at this guard any more.
    fn block_guard(self, guard: GuardId, why: &str) {
        let code = &self.engine.code;
        code.guards.borrow_mut()[guard].blocked = true;
        self.engine.observers.emit(Event::GuardBlocked {
            guard,
            greens: code.greens_at(guard).as_deref(),
            why,
        });
    }

    /// Threaded code has left at a guard. If an arm is missing there, compiles the instruction
    /// again with it.
    pub(crate) fn learn_arm(self, guard: GuardId, info: &GuardInfo, exit: &[u64]) {
        let Some(stencil) = self.places().stencil_of(info.trace) else {
            return;
        };
        let _held = self.hold();
        let before = self.places().stencil(stencil);
        if before.remade >= REMAKES {
            self.block_guard(guard, "it has been made anew too often");
            return;
        }
        if !self.can_afford_instruction() {
            return;
        }
        let left = FailedGuard {
            resume: &info.resume,
            facts: &info.facts,
            types: &info.types,
            words: exit,
            compared: 0,
            generalise: false,
        };
        // Work beside compiling takes time, too.
        let _phase = self.engine.clock.enter(Phase::Optimising);
        let answer = {
            let Ok(mut optimiser) = self.engine.pipeline.optimiser.try_borrow_mut() else {
                return;
            };
            let title = (self.engine.observers.recorder.as_ref()).map(|_| {
                let greens = self.engine.code.greens_at(guard);
                let at = (self.engine.observers).show_guard(guard, greens.as_deref());
                format!("what arm is wanting at {at}")
            });
            let request = OptRequest::Learn {
                guard,
                left,
                limits: self.limits_of_stencils(),
            };
            let name = (info.trace, title.as_deref().unwrap_or(""));
            let learn =
                |host: &mut dyn Host| (self.engine).perform(&request, name, &mut optimiser, host);
            self.with_host(learn).0
        };
        let is_new = matches!(answer, Ok(OptAnswer::Learnt(true)));
        if !is_new {
            return self.block_guard(guard, "no arm is wanting");
        }
        let greens = self.places().greens(before.like);
        let Some(made) = self.compile_stencil(&greens, before.number) else {
            return;
        };
        let places = self.places().with_stencil(stencil);
        self.places().replace_stencil(stencil, made);
        for place in places {
            if !self.instantiate(place, stencil) {
                self.places().close(place);
            }
        }
    }
}
