//! Explains why a guest program is slow: collects a [`Report`] from events. Positions are asked for
//! while the objects among their greens live, and kept as text.

mod interpreted;
mod promoted;
pub(crate) mod state;

use crate::compile::target::TraceTarget;
use crate::observe::event::{AbortInfo, Event, GuardExit, InstalledCode, TraceInfo};
use crate::observe::explain::promoted::constant;
use crate::observe::explain::state::{Ended, Explained, Piece};
use crate::observe::location::words;
use crate::observe::observers::Observers;
use crate::policy::counters::Counters;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use verdigris_explain::{
    AbortReport, AllocationSite, CallSite, CodeReport, EscapeCause, Findings, GuardReport, LeadsTo,
    LostState, NestedEntries, Report, StoreSite,
};
use verdigris_jitcode::CodeId;
use verdigris_ops::{Descrs, FnKind};
use verdigris_opt::{MissedOptimisation, Remark, Residual, StoreObserver};
use verdigris_report::{Activity, CallKind, ChangeKind, SourcePos, Stats};
use verdigris_resume::FrameStack;
use verdigris_trace::{Arg, GuardId, Opcode, OptimisedTrace, Trace, TraceForm};

/// The interpreter's lines that are shown of an attempt that was given up.
const MOST_LINES: usize = 4;

/// The guest's lines that are shown of what was recorded.
const MOST_SOURCES: usize = 5;

/// The findings of a piece of code, with its guards.
pub(crate) struct Found {
    findings: Findings,
    guards: Vec<Option<GuardId>>,
    operations: u64,
    in_loop: u64,
}

/// Where the operations of a trace are in the guest program.
struct Places {
    /// The place of each operation, as an index.
    at: Vec<Option<usize>>,
    all: Vec<SourcePos>,
}

impl Places {
    fn get(&self, op: usize) -> Option<SourcePos> {
        Some(self.all[self.at[op]?].clone())
    }
}

impl Observers {
    pub(super) fn explain_event(&self, event: &Event<'_>) {
        let Some(explained) = &self.explained else {
            return;
        };
        match *event {
            Event::Compiled(trace, code) => {
                let found = self.findings(trace, explained);
                self.explain_code(explained, trace, code, found);
            }
            Event::RecordingAborted { frames } => self.explain_frames(explained, frames),
            Event::Aborted(abort) => self.explain_aborted(explained, abort),
            Event::Invalidated { traces } => explained.invalidated(traces),
            Event::Entered { tree, interpreted } => {
                explained.enter(tree);
                explained.interpreted.entered(interpreted);
            }
            Event::Left { interpreted } => {
                explained.leave();
                explained.interpreted.left(interpreted);
            }
            Event::GuardFailed {
                guard,
                exit: GuardExit::Failed(_),
                value,
                interpreted,
                ..
            } => {
                explained.failed(guard);
                explained.interpreted.failed(guard, interpreted);
                if let Some(value) = value {
                    explained.promoted.failed(guard, value);
                }
            }
            Event::Passed {
                hash,
                greens,
                passed,
                then,
            } => {
                let place = || self.guest_place(greens);
                explained.interpreted.passed(hash, passed, then, place);
            }
            Event::CompilingWaits { interpreted, .. } => {
                explained.interpreted.waits(true, interpreted);
            }
            Event::CompilingGoesOn { interpreted } => {
                explained.interpreted.waits(false, interpreted);
            }
            Event::TierChanged { greens, change } => {
                let kind = ChangeKind::Tier;
                explained.change(kind, self.guest_place(greens), change.to_string());
            }
            _ => {}
        }
    }

    /// The findings of a trace.
    fn findings(&self, info: &TraceInfo<'_>, explained: &Explained) -> Found {
        let optimised = info.optimised;
        let trace = &optimised.trace;
        let descrs = &self.program.unit.descrs;
        let residual = Residual::of(trace, descrs, &optimised.remarks);
        let places = self.places_of(trace, info.greens);
        let mut findings = Findings {
            guard_count: residual.guarded.len() as u64,
            lost: lost(&optimised.remarks),
            ..Findings::default()
        };
        self.find_objects(&residual, &places, trace, &mut findings);
        self.find_calls(&residual, &places, trace, &mut findings);
        let mut guards = Vec::new();
        for guarded in &residual.guarded {
            let op = trace.ops().at(guarded.at);
            let guard = guarded.guard.map_or(String::new(), |g| g.to_string());
            let (place, source) = (places.get(guarded.at), self.source_at(trace, guarded.at));
            let advice = self.advice_at(trace, guarded.at);
            if let Some(value) = guarded.promoted {
                let at = (place.as_ref(), source.as_ref(), advice);
                (explained.promoted).made(guarded.guard, at, value);
            }
            findings.guards.push(GuardReport {
                guard,
                operation: op.opcode().name().to_owned(),
                place,
                source,
                failures: 0,
                leads_to: LeadsTo::Interpreter,
                promoted: guarded.promoted.map(shown),
                interpreted: 0.0,
                advice: advice.map(str::to_owned),
            });
            guards.push(guarded.guard);
        }
        let counts = |op: Opcode| !matches!(op, Opcode::Label | Opcode::MergePoint);
        let ops = trace.ops().iter().enumerate();
        let real = ops.filter(|(_, op)| counts(op.opcode()));
        let (mut operations, mut in_loop) = (0, 0);
        for (at, _) in real {
            operations += 1;
            in_loop += u64::from(residual.in_loop[at]);
        }
        Found {
            findings,
            guards,
            operations,
            in_loop,
        }
    }

    fn guest_place(&self, greens: &[u64]) -> SourcePos {
        let pos = self.source_pos(greens);
        pos.unwrap_or_else(|| SourcePos::words(self.program.show_greens(greens)))
    }

    fn places_of<F: TraceForm>(&self, trace: &Trace<F>, first: Option<&[u64]>) -> Places {
        let mut known: FxHashMap<Box<[u64]>, usize> = FxHashMap::default();
        let mut places = Places {
            at: Vec::new(),
            all: Vec::new(),
        };
        let mut find = |greens: &[u64], all: &mut Vec<SourcePos>| {
            *known.entry(greens.into()).or_insert_with(|| {
                all.push(self.guest_place(greens));
                all.len() - 1
            })
        };
        let mut now = first.map(|greens| find(greens, &mut places.all));
        for op in trace.ops().iter() {
            if op.opcode() == Opcode::MergePoint
                && let Some(greens) = words(op.args().iter())
            {
                now = Some(find(&greens, &mut places.all));
            }
            places.at.push(now);
        }
        places
    }

    /// The interpreter's line at an operation, or at the next guard behind it, in whose exit it
    /// stands.
    fn source_at(&self, trace: &OptimisedTrace, at: usize) -> Option<String> {
        let ops = trace.ops();
        let behind = (at..ops.len().min(at + 2)).find_map(|n| ops.at(n).resume());
        let frame = behind?.frames.innermost()?;
        Some(self.interpreter_line(frame.code, frame.pc))
    }

    /// What the interpreter's function in which an operation is says to the author of the guest
    /// program.
    fn advice_at(&self, trace: &OptimisedTrace, at: usize) -> Option<&'static str> {
        let frame = trace.ops().at(at).resume()?.frames.innermost()?;
        let code = &self.program.unit.codes[CodeId::from_u32(frame.code)];
        self.program.advice(&code.name)
    }

    fn find_objects(
        &self,
        residual: &Residual,
        places: &Places,
        trace: &OptimisedTrace,
        findings: &mut Findings,
    ) {
        for made in &residual.made {
            let escapes: Vec<EscapeCause> = made
                .escapes
                .iter()
                .map(|escape| EscapeCause {
                    reason: escape.why.name().to_owned(),
                    message: escape.to_string(),
                    source: match trace.ops().at(escape.at).opcode() {
                        Opcode::Call => self.source_at(trace, escape.at),
                        _ => None,
                    },
                })
                .collect();
            let (place, in_loop) = (places.get(made.at), residual.in_loop[made.at]);
            let is_it = |a: &&mut AllocationSite| {
                a.class == made.class
                    && a.place == place
                    && a.in_loop == in_loop
                    && a.escapes == escapes
            };
            match findings.allocations.iter_mut().find(is_it) {
                Some(known) => known.count += 1,
                None => findings.allocations.push(AllocationSite {
                    class: made.class.clone(),
                    place,
                    in_loop,
                    count: 1,
                    escapes,
                }),
            }
        }
        for stored in &residual.stored {
            let (place, in_loop) = (places.get(stored.at), residual.in_loop[stored.at]);
            let seen_by = stored.seen_by.to_string();
            let is_it = |s: &&mut StoreSite| {
                s.what == stored.what
                    && s.place == place
                    && s.in_loop == in_loop
                    && s.seen_by == seen_by
            };
            match findings.stores.iter_mut().find(is_it) {
                Some(known) => known.count += 1,
                None => findings.stores.push(StoreSite {
                    what: stored.what.clone(),
                    place,
                    in_loop,
                    count: 1,
                    seen_by,
                    is_evicted: stored.seen_by == StoreObserver::Evicted,
                    is_indexed: stored.seen_by == StoreObserver::Indexed,
                }),
            }
        }
    }

    fn find_calls(
        &self,
        residual: &Residual,
        places: &Places,
        trace: &OptimisedTrace,
        findings: &mut Findings,
    ) {
        let descrs: &Descrs = &self.program.unit.descrs;
        for called in &residual.called {
            let function = &descrs.fns[called.function];
            let calls = CallSite {
                function: function.name.clone(),
                kind: kind(function.kind),
                place: places.get(called.at),
                source: self.source_at(trace, called.at),
                in_loop: residual.in_loop[called.at],
                count: 1,
                reads: function.effects.reads.print(descrs),
                writes: function.effects.writes.print(descrs),
                kept: called.kept as u64,
                advice: self.program.advice(&function.name).map(str::to_owned),
            };
            let is_it = |c: &&mut CallSite| {
                CallSite {
                    count: 1,
                    ..(*c).clone()
                } == calls
            };
            match findings.calls.iter_mut().find(is_it) {
                Some(known) => known.count += 1,
                None => findings.calls.push(calls),
            }
        }
    }

    /// Notes code that has been installed.
    fn explain_code(
        &self,
        explained: &Explained,
        trace: &TraceInfo<'_>,
        installed: &InstalledCode<'_>,
        found: Found,
    ) {
        let is_root = trace.is_entered();
        let from_guard = match trace.target {
            TraceTarget::Bridge(guard) => {
                explained
                    .bridges
                    .borrow_mut()
                    .insert(guard, trace.id.as_u32());
                Some(guard.to_string())
            }
            _ => None,
        };
        let starts = match trace.greens {
            Some(greens) => self.guest_place(greens),
            None => SourcePos::words(from_guard.clone().unwrap_or_default()),
        };
        let code = CodeReport {
            trace: trace.id.as_u32(),
            place: starts,
            from_guard,
            operations: found.operations,
            in_loop: found.in_loop,
            code_bytes: installed.machine_code.code_bytes as u64,
            findings: found.findings,
            ..CodeReport::default()
        };
        let in_use = is_root.then(|| Rc::clone(installed.in_use));
        let piece = Piece {
            code,
            guards: found.guards,
            in_use,
        };
        explained.made(piece, installed.tree, is_root);
    }

    /// Notes the interpreter's lines in an attempt that is about to be given up.
    fn explain_frames(&self, explained: &Explained, frames: &FrameStack) {
        let frames = frames.frames().iter().rev().take(MOST_LINES);
        let lines = frames.map(|frame| self.interpreter_line(frame.code.as_u32(), frame.pc.0));
        *explained.lines.borrow_mut() = lines.collect();
    }

    /// Notes where an attempt has ended, and where most of its operations come from.
    fn explain_aborted(&self, explained: &Explained, abort: &AbortInfo<'_>) {
        let source = std::mem::take(&mut *explained.lines.borrow_mut());
        if let (Some(guard), true) = (abort.origin.guard(), abort.blocked) {
            explained.blocked.borrow_mut().insert(guard);
        }
        let places = self.places_of(abort.trace, abort.greens);
        let mut counts = vec![0; places.all.len()];
        for at in places.at.iter().flatten() {
            counts[*at] += 1;
        }
        // Several places have the same line.
        let mut from: Vec<(SourcePos, u64)> = Vec::new();
        for (place, count) in places.all.iter().zip(counts) {
            match from.iter_mut().find(|(known, _)| known == place) {
                Some((_, sum)) => *sum += count,
                None => from.push((place.clone(), count)),
            }
        }
        from.retain(|(_, count)| *count > 0);
        from.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        from.truncate(MOST_SOURCES);
        let last = places.at.len().checked_sub(1);
        let ended = Ended {
            guard: abort.origin.guard().map(|guard| guard.to_string()),
            place: last.and_then(|at| places.get(at)),
            source,
            from,
        };
        let place = self.show_origin(abort.origin.guard(), abort.greens);
        let key = (place, abort.failed.reason);
        explained.ended.borrow_mut().insert(key, ended);
    }

    /// The report so far.
    pub(crate) fn explanation(
        &self,
        is_on: bool,
        counters: &Counters,
        stats: &Stats,
    ) -> Option<Report> {
        let explained = self.explained.as_ref()?;
        let tiers = &stats.tiers;
        let seconds = [
            (Activity::Interpreter, tiers.interpreted_seconds),
            (Activity::Traces, tiers.traced.seconds),
            (Activity::Specialised, tiers.specialised.seconds),
            (Activity::Threaded, tiers.threaded.seconds),
            (Activity::Leaving, tiers.leaving_seconds),
            (Activity::Tracing, stats.seconds.tracing),
            (Activity::Optimising, stats.seconds.optimising),
            (Activity::Compiling, stats.seconds.compiling),
            (Activity::Collecting, stats.heap.seconds),
        ];
        let code = explained.pieces.borrow();
        let code: Vec<CodeReport> = code
            .iter()
            .map(|piece| {
                let mut code = code_of(explained, piece);
                let figures = stats.locations.iter().find(|l| l.trace == code.trace);
                if let Some(figures) = figures {
                    code.kind = figures.kind;
                    code.compiler = figures.compiler;
                    code.from = figures.from;
                    code.made_in = figures.seconds;
                    code.entries = figures.entries;
                }
                code
            })
            .collect();
        let ended = explained.ended.borrow();
        let given_up = stats.given_up.iter().map(|abort| {
            let key = (abort.place.clone(), abort.reason);
            let ended = ended.get(&key).cloned().unwrap_or_default();
            let pos = abort.location.clone();
            AbortReport {
                place: pos.unwrap_or_else(|| SourcePos::words(&*abort.place)),
                reason: abort.reason,
                detail: abort.detail.clone(),
                times: abort.times,
                seconds: abort.seconds,
                blocked: abort.blocked,
                guard: ended.guard,
                ended: ended.place,
                source: ended.source,
                from: ended.from,
            }
        });
        let entered = explained.entered.borrow();
        let mut entered_inside: Vec<NestedEntries> = entered
            .iter()
            .map(|(&(outer, inner), &times)| NestedEntries {
                outer,
                inner,
                times,
            })
            .collect();
        let (interpreted, cold_passes) = explained.interpreted.places(counters);
        entered_inside.sort_by_key(|e| (std::cmp::Reverse(e.times), e.outer, e.inner));
        Some(Report {
            is_on,
            seconds: seconds.into(),
            collections: stats.heap.collections + stats.heap.young_collections,
            young_collections: stats.heap.young_collections,
            allocated_bytes: stats.heap.allocated_bytes,
            live_bytes: stats.heap.live_bytes,
            code_bytes: code.iter().map(|code| code.code_bytes).sum(),
            looks: stats.looks,
            forced: stats.forced,
            waits: stats.tiers.waits,
            code,
            given_up: given_up.collect(),
            changes: explained.changes.borrow().clone(),
            entered_inside,
            interpreted,
            cold_passes,
            waited: explained.interpreted.waited(tiers.interpreted_seconds),
            promotions: (explained.promoted).reports(|guard| explained.interpreted.behind(guard)),
        })
    }
}

/// A piece with the failures of its guards. Guards that neither failed nor have a bridge are only
/// counted.
fn code_of(explained: &Explained, piece: &Piece) -> CodeReport {
    let mut code = piece.code.clone();
    code.inside = (piece.in_use.as_ref()).map_or(0.0, |in_use| in_use.profitability.all_inside());
    let (failures, bridges) = (explained.failures.borrow(), explained.bridges.borrow());
    let blocked = explained.blocked.borrow();
    let guards = code.findings.guards.iter_mut().zip(&piece.guards);
    for (guard, id) in guards {
        let Some(id) = id else { continue };
        guard.failures = failures.get(id).copied().unwrap_or(0);
        guard.interpreted = explained.interpreted.behind(*id);
        guard.leads_to = match bridges.get(id) {
            Some(&bridge) => LeadsTo::Bridge(bridge),
            None if blocked.contains(id) => LeadsTo::Blocked,
            None => LeadsTo::Interpreter,
        };
    }
    code.findings.guards.retain(|guard| {
        guard.failures > 0 || guard.promoted.is_some() || guard.leads_to != LeadsTo::Interpreter
    });
    code
}

/// The state that labels gave up. Stores that are done because too many wait are among the stores.
fn lost(notes: &[Remark]) -> Vec<LostState> {
    let of_labels = notes
        .iter()
        .filter(|note| note.missed != MissedOptimisation::TooManyStores);
    let lost = of_labels.map(|note| LostState {
        loss: note.missed.name().to_owned(),
        what: note.what.clone(),
        message: note.missed.message().to_owned(),
    });
    lost.collect()
}

/// The value that a promotion expects. Objects have no text here.
fn shown(value: Arg) -> String {
    match value {
        Arg::Const(value) => constant(value),
        Arg::Ref(_) => "a value".to_owned(),
    }
}

fn kind(kind: FnKind) -> CallKind {
    match kind {
        FnKind::Opaque => CallKind::Opaque,
        FnKind::Conditional => CallKind::Conditional,
        FnKind::Elidable => CallKind::Elidable,
        FnKind::Readonly => CallKind::Readonly,
        FnKind::Recorded => CallKind::Recorded,
        FnKind::Portal | FnKind::Runner => CallKind::Portal,
    }
}
