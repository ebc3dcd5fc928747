//! Making threaded code. In: places of the guest program, exits of the code of instructions. Out: a
//! record for each place, and code that all places with the same instruction share. Invariant: a
//! place has code only if its greens decide everything as those did that the code was made for.
//!
//! An instruction is compiled when a place with it comes up, for the arms that the guest program
//! has taken there. When another arm is taken, the instruction is compiled anew, and all places go
//! over to the new code.

#![allow(unsafe_code)]

use crate::code::assumed::Watching;
use crate::code::guard_info::GuardSite;
use crate::code::jit_cells::Code;
use crate::code::roots::Pins;
use crate::compile::attempt::{Failed, Place};
use crate::compile::install::Drafted;
use crate::compile::optimiser_host::OptimiserHost;
use crate::engine::Engine;
use crate::observe::log::Stage;
use crate::observe::stats::Maker;
use crate::policy::meter::Phase;
use crate::threaded_code::places::{Common, StencilId, ThreadId};
use std::cell::RefCell;
use std::rc::Rc;
use verdigris_opt::{Host, Optimised, Optimiser};
use verdigris_replay::{Given, Kind};
use verdigris_specialise::{
    Decoded, Decoder, FailedGuard, Lazy, SpecialiseLimits, Stencil, StencilContext, entrance,
    learn, stencil, without_code,
};
use verdigris_trace::{GuardId, RecordedTrace, TargetId};

/// An instruction is compiled anew for other arms so often.
const REMAKES: u32 = 24;

/// Operations that the optimiser is given for one instruction; it is a part of a loop, so it gets a
/// part of what that may have.
const OPERATIONS: usize = 4000;

/// Ways through one instruction.
const WAYS: usize = 200;

/// Places that get their code when another gets it behind which they come.
const AHEAD: usize = 32;

impl Engine {
    /// The place with these greens.
    pub(crate) fn thread(&self, greens: &[u64]) -> ThreadId {
        let known = self.threads.find(greens);
        known.unwrap_or_else(|| self.new_thread(greens, None))
    }

    fn new_thread(&self, greens: &[u64], code: Option<(StencilId, &Decoded)>) -> ThreadId {
        self.threads.keep(self.linked.objects(greens));
        self.threads.add(greens, self.arrivals(), code)
    }

    /// Whether there is time to compile an instruction, and room for its code.
    fn can_afford_instruction(&self) -> bool {
        let can = self.can_afford() && self.make_room();
        self.threads.is_waiting.set(!can);
        can
    }

    /// What all threaded code needs.
    pub(crate) fn begin_threads(&self, state: &[u64]) -> Option<()> {
        if self.threads.begun().is_some() {
            return Some(());
        }
        let unit = &self.linked.unit;
        let enter = self.make(state, (Kind::Entrance, None), |optimiser, host, _| {
            (entrance(unit, optimiser, host), ())
        });
        let (enter, _, ()) = enter?;
        let cold = self.make(
            state,
            (Kind::WithoutCode, None),
            |optimiser, host, threading| {
                let history = &mut self.history.borrow_mut();
                let Stencil { specialised, .. } =
                    without_code(unit, threading, history, optimiser, host);
                (specialised.optimised, ())
            },
        );
        let (cold, _, ()) = cold?;
        let tree = self.threads.tree.get()?;
        let entry = self.backend.borrow().entry(enter)?;
        let common = Common {
            since: self.trees.borrow().generation(),
            entrance: entry.address(),
            ways: RefCell::default(),
            cold: self.backend.borrow().thread_word(cold),
            enter: Code {
                target: enter,
                entry,
                maker: Maker::Threader,
                tree,
                in_use: self.trees.borrow().in_use(tree),
                record: None,
            },
        };
        self.threads.begin(common);
        Some(())
    }

    /// Gives a place the code of its instruction. False if there is none.
    pub(crate) fn give_code(&self, thread: ThreadId, state: &[u64]) -> bool {
        if self.threads.is_blocked(thread) {
            return false;
        }
        let _phase = self.meter.enter(Phase::Optimising);
        if self.adopt(thread, state) {
            return true;
        }
        let made = match self.can_afford_instruction() {
            true => self.make_stencil(thread, state),
            false => return false,
        };
        let is_done = made.is_some_and(|stencil| self.instantiate(thread, stencil));
        if !is_done {
            self.threads.block(thread);
        }
        is_done
    }

    /// Gives a place the code of a stencil that there is. False if none is for its instruction.
    fn adopt(&self, thread: ThreadId, state: &[u64]) -> bool {
        self.decoding(|host| {
            let fitting = self.fitting(self.greens(state), host);
            fitting.is_some_and(|(stencil, decoded)| {
                self.give(thread, stencil, decoded, host);
                true
            })
        })
    }

    /// The stencil that a place has the code of, if there is one, and what it has in its record.
    fn fitting(&self, greens: &[u64], host: &mut dyn Host) -> Option<(StencilId, Decoded)> {
        let choice = self
            .threads
            .any_stencil()?
            .decoder
            .first_choice(greens, host);
        self.threads
            .candidates(choice)
            .into_iter()
            .find_map(|id| Some((id, self.threads.stencil(id).decoder.decode(greens, host)?)))
    }

    /// Gives a place this code. Places where that goes on and that have not been met yet get code,
    /// too, as far as they come next and there is a stencil for them: it costs less than to leave
    /// at each of them.
    fn give(&self, thread: ThreadId, stencil: StencilId, decoded: Decoded, host: &mut dyn Host) {
        self.threads.instantiate(thread, stencil, &decoded);
        let mut more = AHEAD;
        let mut open = vec![(thread, decoded.successors)];
        while let Some((from, successors)) = open.pop() {
            for (slot, greens) in successors {
                let to = self.threads.find(&greens).unwrap_or_else(|| {
                    let fitting = (more > 0).then(|| self.fitting(&greens, host));
                    let Some((stencil, decoded)) = fitting.flatten() else {
                        return self.new_thread(&greens, None);
                    };
                    more -= 1;
                    let new = self.new_thread(&greens, Some((stencil, &decoded)));
                    open.push((new, decoded.successors));
                    new
                });
                self.threads.link(from, slot, to);
            }
        }
    }

    /// Compiles the instruction at a place.
    fn make_stencil(&self, thread: ThreadId, state: &[u64]) -> Option<StencilId> {
        let number = self.pieces.get();
        let made = self.compile_stencil(state, number)?;
        Some(self.threads.add_stencil(number, thread, made))
    }

    /// The code of an instruction: what records begin with, the number of the trace, and how places
    /// find what they have in their records.
    fn compile_stencil(&self, state: &[u64], number: u32) -> Option<(u64, u32, Decoder)> {
        let (unit, greens) = (&self.linked.unit, self.greens(state));
        let limits = self.limits_of_stencils();
        let what = (Kind::Stencil, Some((number, &limits)));
        let (target, piece, decoder) = self.make(state, what, |optimiser, host, threading| {
            let threading = StencilContext {
                number,
                ..threading
            };
            let history = &mut self.history.borrow_mut();
            let made = stencil(unit, greens, threading, history, optimiser, host, limits);
            (made.specialised.optimised, made.decoder)
        })?;
        let word = self.backend.borrow().thread_word(target);
        Some((word, piece, decoder))
    }

    /// How far the code of an instruction goes. If the branches of the guest program waited, it
    /// would be compiled anew for each of its ways.
    fn limits_of_stencils(&self) -> SpecialiseLimits {
        SpecialiseLimits {
            lazy: match self.params.lazy_arms.lazy() {
                Lazy::None => Lazy::None,
                Lazy::Types | Lazy::All => Lazy::Types,
            },
            operations: OPERATIONS,
            ways: WAYS,
            ..SpecialiseLimits::default()
        }
    }

    /// Compiles what `write` writes. Answers its label, and the number of the trace.
    fn make<T>(
        &self,
        state: &[u64],
        what: (Kind, Option<(u32, &SpecialiseLimits)>),
        write: impl FnOnce(&mut Optimiser, &mut dyn Host, StencilContext) -> (Optimised, T),
    ) -> Option<(TargetId, u32, T)> {
        let piece = self.next_piece();
        let title = self.title(Place::Stencil, piece, state);
        let threading = StencilContext {
            record_of: self.linked.record_of,
            run: self.linked.run_thread,
            number: piece,
        };
        let written = {
            let _phase = self.meter.enter(Phase::Optimising);
            let mut optimiser = self.optimiser.try_borrow_mut().ok()?;
            let (kind, instruction) = what;
            let (instruction, limits) = instruction.unzip();
            let defaults = SpecialiseLimits::default();
            let given = |labels| Given {
                greens: self.greens(state),
                limits: Some(limits.unwrap_or(&defaults)),
                instruction: instruction.unwrap_or(piece),
                ..Given::new(kind, piece, &title, labels)
            };
            self.with_host(|host| {
                let write = |optimiser: &mut Optimiser, host: &mut dyn Host| {
                    write(optimiser, host, threading)
                };
                let mut written = self.recorded(&mut optimiser, host, given, write);
                self.record_made(&optimiser, &mut written.0.trace);
                written
            })
        };
        let ((optimised, more), pins) = written;
        let target = optimised.entry?;
        let drafted = Drafted {
            place: Place::Stencil,
            maker: Maker::Threader,
            piece,
            pins,
            // SAFETY: the context outlives the engine.
            watching: unsafe { Watching::new(self.ctx, piece) },
            given: Vec::new(),
        };
        let done = self.put_to_use(drafted, &title, &RecordedTrace::default(), optimised, state);
        if let Err(Failed { reason, detail }) = done {
            self.meter.abort(reason);
            let location = self.location(self.greens(state));
            self.note_given_up(&title, location, [reason, &detail], false);
            self.log.piece(Stage::Trace, || {
                (format!("{title} given up: {reason}"), detail)
            });
            return None;
        }
        Some((target, piece, more))
    }

    /// Does something with a view of the heap that assumes nothing. What it mentions stays alive
    /// with the result.
    fn with_host<T>(&self, work: impl FnOnce(&mut dyn Host) -> T) -> (T, Pins) {
        // SAFETY: the context outlives the engine.
        let mut pins = unsafe { Pins::new(self.ctx) };
        let mut host = OptimiserHost {
            engine: self,
            ctx: self.ctx,
            linked: &self.linked,
            pins: &mut pins,
            watching: None,
            keeps: false,
        };
        let done = work(&mut host);
        (done, pins)
    }

    /// Gives a place the code of a stencil. False if the place has another instruction.
    fn instantiate(&self, thread: ThreadId, stencil: StencilId) -> bool {
        let code = self.threads.stencil(stencil);
        let greens = self.threads.greens(thread);
        self.decoding(|host| {
            let decoded = code.decoder.decode(&greens, host);
            decoded.is_some_and(|decoded| {
                self.give(thread, stencil, decoded, host);
                true
            })
        })
    }

    /// Decodes places. What their records mention stays alive.
    fn decoding<T>(&self, work: impl FnOnce(&mut dyn Host) -> T) -> T {
        let (done, mentioned) = self.with_host(work);
        self.threads.keep(mentioned.objects());
        done
    }

    /// Threaded code is always left at a guard.
    fn stays(&self, guard: GuardId, why: &str) {
        self.guards.borrow_mut()[guard].blocked = true;
        self.log.piece(Stage::Tier, || {
            let title = format!(
                "threaded code is always left at {}: {why}",
                self.show_guard(guard)
            );
            (title, String::new())
        });
    }

    /// Threaded code has been left at a guard. If that is because an arm is wanting, the
    /// instruction is compiled anew with it.
    pub(crate) fn learn_arm(&self, guard: GuardId, site: &Rc<GuardSite>, exit: &[u64]) {
        let Some(stencil) = self.threads.stencil_of(site.piece) else {
            return;
        };
        let _held = self.hold_threads();
        let before = self.threads.stencil(stencil);
        if before.remade >= REMAKES {
            self.stays(guard, "it has been made anew too often");
            return;
        }
        if !self.can_afford_instruction() {
            return;
        }
        let left = FailedGuard {
            resume: &site.resume,
            facts: &site.facts,
            types: &site.types,
            words: exit,
            compared: 0,
        };
        let limits = self.limits_of_stencils();
        // What is done beside compiling takes time as well.
        let _phase = self.meter.enter(Phase::Optimising);
        let is_new = {
            let Ok(mut optimiser) = self.optimiser.try_borrow_mut() else {
                return;
            };
            let unit = &self.linked.unit;
            let title = (self.recorder.as_ref())
                .map(|_| format!("what arm is wanting at {}", self.show_guard(guard)));
            let given = |labels| Given {
                left: (exit, 0),
                limits: Some(&limits),
                ..Given::new(
                    Kind::Learn(guard),
                    site.piece,
                    title.as_deref().unwrap_or(""),
                    labels,
                )
            };
            let work = |optimiser: &mut Optimiser, host: &mut dyn Host| {
                let history = &mut self.history.borrow_mut();
                learn(unit, &left, history, optimiser, host, limits)
            };
            let learnt = |host: &mut dyn Host| {
                let is_new = self.recorded(&mut optimiser, host, given, work);
                self.record_learnt(&optimiser, is_new);
                is_new
            };
            self.with_host(learnt).0
        };
        if !is_new {
            return self.stays(guard, "no arm is wanting");
        }
        let greens = self.threads.greens(before.like);
        let Some(made) = self.compile_stencil(&greens, before.number) else {
            return;
        };
        let places = self.threads.with_stencil(stencil);
        self.threads.replace_stencil(stencil, made);
        for place in places {
            if !self.instantiate(place, stencil) {
                self.threads.close(place);
            }
        }
    }
}
