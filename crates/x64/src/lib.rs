//! Machine code for x86-64, made for traces and for cheap compilation.
//!
//! `liveness` goes backwards over a section and finds where values are used next. `lower` then goes
//! forwards, allocates registers (`regalloc`) and emits code (`asm`) at the same time; there is no
//! form between. `exits` has the stubs of guards and the cold paths, behind the main line. A whole
//! trace is one piece of code (`code`), around which lie the handlers and entries of `trampolines`.
//!
//! A guard's exit costs five bytes: a stub that calls a handler which all share; where the fail
//! arguments are is data. A bridge replaces the call by a jump, and goes on with the values where
//! they are. Machine code refers only to things that `enter::Shared` and its unit keep alive. An
//! operation without code is an error, and then nothing has changed. Unsafe Rust is confined to
//! `enter`.

#![warn(clippy::undocumented_unsafe_blocks)]
#![deny(unsafe_code)]
#![cfg(target_arch = "x86_64")]

mod asm;
mod code;
mod enter;
mod exits;
mod line_table;
mod liveness;
mod locations;
mod lower;
mod regalloc;
mod registers;
mod trampolines;

use crate::asm::unwind::trace_rules;
use crate::code::{LabelCode, Unit};
use crate::enter::{CodeEntry, Shared};
use crate::line_table::LineTable;
use crate::lower::links::Links;
use crate::lower::state::Work;
use crate::lower::{Lowered, lower};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::{Rc, Weak};
use verdigris_backend::journal::{CodeEvent, CodeKind, MachineCode, room};
use verdigris_backend::{
    Backend, BackendError, CompileOutput, Entry, Env, Section, bridge_sections, listing,
    loop_sections,
};
use verdigris_ops::Ty;
use verdigris_trace::{GuardId, OptimisedTrace, TargetId};

/// The backend.
pub struct X64 {
    work: Box<Work>,
    /// The unit of each guard, and its number there.
    guards: FxHashMap<GuardId, (Weak<Unit>, u32)>,
    shared: Rc<Shared>,
    forced: bool,
}

/// Code that has been compiled and placed.
struct Placed {
    unit: Rc<Unit>,
    compiled: CompileOutput,
}

impl X64 {
    /// A backend for the machine this runs on.
    ///
    /// # Errors
    /// If it lacks instructions that the code uses: those of processors since 2013.
    pub fn new() -> Result<X64, BackendError> {
        let has_all = is_x86_feature_detected!("sse4.1")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        if !has_all {
            return Err(BackendError(
                "this machine has not all of SSE4.1, POPCNT, LZCNT, BMI1 and BMI2; run with another backend"
                    .to_owned(),
            ));
        }
        Ok(X64 {
            work: Box::default(),
            guards: FxHashMap::default(),
            shared: Shared::new()?,
            forced: false,
        })
    }

    fn known(shared: &Shared) -> impl Fn(TargetId) -> Option<Box<[Ty]>> {
        |target| {
            let labels = shared.labels.borrow();
            labels.get(&target).map(|l| l.types.clone())
        }
    }

    /// Compiles the sections of a trace, of which the first starts at `start` if one is given.
    fn compile(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
        sections: &[Section<'_>],
        start: Option<(&Unit, usize)>,
        is_threaded: bool,
    ) -> Result<Placed, BackendError> {
        let shared = &self.shared;
        let label = |target| shared.labels.borrow().get(&target).cloned();
        let links = Links {
            trace,
            descrs: env.descrs,
            callees: env.callees,
            label: &label,
            handlers: &shared.handlers,
            forced: self.forced,
            is_threaded,
        };
        let start = start.map(|(unit, guard)| (unit, &unit.guards[guard]));
        let lines = env.dump_asm.then(|| listing::lines(env.descrs, trace));
        self.work.lines = LineTable::new(shared.arena.keeps_journal(), lines);
        let lowered = lower(&links, &mut self.work, sections, start)?;
        self.place(trace, sections, lowered)
    }

    /// Compiles a trace that begins with a label, which records name if `is_threaded`.
    fn compile_labels(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
        is_threaded: bool,
    ) -> Result<CompileOutput, BackendError> {
        self.shared.retired.free();
        let sections = loop_sections(env.descrs, trace, &Self::known(&self.shared))?;
        let placed = self.compile(env, trace, &sections, None, is_threaded)?;
        Ok(placed.compiled)
    }

    fn place(
        &mut self,
        trace: &OptimisedTrace,
        sections: &[Section<'_>],
        lowered: Lowered,
    ) -> Result<Placed, BackendError> {
        let work = &mut *self.work;
        let data = work.regs.asm.finish();
        let rules = trace_rules().count();
        let piece = trampolines::place(&self.shared.arena, &mut work.regs.asm, lowered.hot, rules)?;
        self.shared.arena.note(|| MachineCode {
            what: CodeKind::Trace(None),
            address: piece.address(),
            bytes: work.regs.asm.code.clone(),
            room: room(rules),
            frames: trace_rules().map(|rule| (0, rule)).collect(),
            below: Some(lowered.frame),
            ops: work.lines.take_offsets(),
        });
        let mut compiled = CompileOutput {
            code_bytes: piece.len(),
            ..CompileOutput::default()
        };
        compiled.asm = work.regs.asm.text.take();
        let guards = &mut work.exits.guards;
        for guard in &mut guards.guards {
            guard.invalid = guard.invalid.map(|cell| data + 8 * cell);
        }
        let unit = Unit::new(piece, lowered.frame, guards, &self.shared.registry);
        let weak = Rc::downgrade(&unit);
        let guards = unit.guards.iter().enumerate();
        self.guards
            .extend(guards.map(|(n, guard)| (guard.id, (weak.clone(), n as u32))));
        let mut labels = self.shared.labels.borrow_mut();
        let with_labels = sections.iter().filter(|s| s.label.is_some());
        for (label, section) in lowered.labels.into_iter().zip(with_labels) {
            let code = LabelCode {
                unit: Rc::clone(&unit),
                offset: work.regs.asm.offset_of(label.label),
                contract: label.contract.into(),
                types: section.param_types(trace),
                entry: OnceCell::new(),
            };
            labels.insert(label.target, Rc::new(code));
        }
        drop(labels);
        Ok(Placed { unit, compiled })
    }

    /// The guard, if its code is still there.
    fn guard(&self, id: GuardId) -> Option<(Rc<Unit>, usize)> {
        let (unit, guard) = self.guards.get(&id)?;
        Some((unit.upgrade()?, *guard as usize))
    }

    /// Lets a guard leave again. Returns the bridge that it had.
    fn detach(&self, (unit, guard): (Rc<Unit>, usize)) -> Option<Rc<Unit>> {
        let distance = unit.distance(guard, self.shared.handlers.exit);
        unit.detach(guard, distance.expect("the stub has called it before"))
    }
}

impl Backend for X64 {
    fn name(&self) -> &'static str {
        "x64"
    }

    fn compile_loop(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        self.compile_labels(env, trace, false)
    }

    fn compile_stencil(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        self.compile_labels(env, trace, true)
    }

    fn compile_bridge(
        &mut self,
        env: &Env<'_>,
        guard: GuardId,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        self.shared.retired.free();
        let Some((unit, number)) = self.guard(guard) else {
            return Err(BackendError(format!(
                "the guard {guard} has not been compiled"
            )));
        };
        if unit.guards[number].record.is_some() {
            return Err(BackendError(format!(
                "{guard} is in code that records name, which has no bridges"
            )));
        }
        let fails = unit.fails_of(&unit.guards[number]);
        let fails = fails.iter().map(|fail| fail.ty());
        let sections =
            bridge_sections(env.descrs, trace, &Self::known(&self.shared), guard, fails)?;
        let placed = self.compile(env, trace, &sections, Some((&unit, number)), false)?;
        let bridge = placed.unit;
        let distance = unit
            .distance(number, bridge.piece.address())
            .ok_or_else(|| BackendError("code lies too far apart".to_owned()))?;
        self.shared
            .retired
            .add(unit.attach(number, bridge, distance));
        Ok(placed.compiled)
    }

    fn invalidate(&mut self, checks: &[GuardId], bridge_of: Option<GuardId>) {
        for (unit, guard) in checks.iter().filter_map(|&id| self.guard(id)) {
            unit.invalidate(guard);
        }
        if let Some(from) = bridge_of.and_then(|id| self.guard(id)) {
            self.shared.retired.add(self.detach(from));
        }
    }

    fn entry(&self, target: TargetId) -> Option<Rc<dyn Entry>> {
        let label = Rc::clone(self.shared.labels.borrow().get(&target)?);
        Some(Rc::new(CodeEntry::new(&self.shared, label)?))
    }

    fn thread_word(&self, target: TargetId) -> u64 {
        let labels = self.shared.labels.borrow();
        labels
            .get(&target)
            .map_or(0, |label| label.address() as u64)
    }

    #[allow(unsafe_code)]
    unsafe fn free(&mut self, targets: &[TargetId], guards: &[GuardId]) {
        // A chain of bridges is as long as the guest program makes it, so it is taken apart first.
        let mut bridges = Vec::new();
        for &guard in guards {
            let found = self.guard(guard);
            self.guards.remove(&guard);
            bridges.extend(found.and_then(|(unit, guard)| unit.guards[guard].bridge.take()));
        }
        let mut labels = self.shared.labels.borrow_mut();
        let freed: Vec<_> = targets.iter().map(|target| labels.remove(target)).collect();
        drop(labels);
        drop((bridges, freed));
    }

    fn force_guard_failures(&mut self) {
        self.forced = true;
    }

    fn code_bytes(&self) -> usize {
        self.shared.arena.used_bytes() - self.shared.handlers.piece.len()
    }

    fn keep_journal(&mut self) {
        self.shared.arena.keep_journal();
        self.shared.handlers.note(&self.shared.arena);
    }

    fn take_journal(&mut self) -> Vec<CodeEvent> {
        self.shared.arena.take_journal()
    }
}
