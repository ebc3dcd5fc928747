//! Machine code through Cranelift: one function per section, guards that can be sent to bridges by
//! storing one word, and entries that Rust can call.
//!
//! A *label* is a function whose parameters are the label's values; a jump inside a section is a
//! branch, any other jump a tail call. A *bridge* is a function with the signature of its guard's
//! exit, so that the guard reaches it by the tail call that otherwise goes to the stub. The context
//! is in the pinned register. Machine code refers only to things that `enter::Shared` keeps alive.
//! Unsafe Rust is confined to `enter`.

#![warn(clippy::undocumented_unsafe_blocks)]
#![deny(unsafe_code)]

mod compiler;
mod debug_info;
mod enter;
mod isa;
mod lower;
mod trampolines;

use crate::compiler::{Compiler, Dump};
use crate::enter::{CodeEntry, ExitDescr, LabelCode, Shared, Unit};
use crate::lower::state::{Entrance, LabelPlace, Links, Lower, Slots};
use crate::trampolines::{ExitShape, Trampolines, exit_signature, label_signature};
use rustc_hash::FxHashMap;
use std::rc::{Rc, Weak};
use verdigris_backend::journal::{CodeEvent, CodeKind};
use verdigris_backend::{
    Backend, BackendError, CompileOutput, Entry, Env, Section, SectionEnd, bridge_sections,
    loop_sections,
};
use verdigris_ops::Ty;
use verdigris_trace::{GuardId, OptimisedOp, OptimisedTrace, TargetId};

/// The Cranelift backend.
pub struct Cranelift {
    compiler: Compiler,
    trampolines: Trampolines,
    slots: Slots,
    guards: FxHashMap<GuardId, Weak<ExitDescr>>,
    shared: Rc<Shared>,
    forced: bool,
}

/// The result of a compilation that is not published yet.
struct Draft {
    dump: Dump,
    labels: FxHashMap<TargetId, Rc<LabelCode>>,
    units: Vec<(TargetId, Unit)>,
    guards: Vec<(GuardId, Weak<ExitDescr>)>,
    code_bytes: usize,
}

impl Cranelift {
    /// A backend for the machine this runs on.
    ///
    /// # Errors
    /// If Cranelift does not support the machine.
    pub fn new() -> Result<Cranelift, BackendError> {
        Ok(Cranelift {
            compiler: Compiler::new()?,
            trampolines: Trampolines::default(),
            slots: Slots::new(),
            guards: FxHashMap::default(),
            shared: Shared::new(),
            forced: false,
        })
    }

    fn known(shared: &Shared) -> impl Fn(TargetId) -> Option<Box<[Ty]>> {
        |target| {
            shared
                .labels
                .borrow()
                .get(&target)
                .map(|l| l.params.clone())
        }
    }

    fn draft(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
        sections: &[Section<'_>],
    ) -> Result<Draft, BackendError> {
        let mut draft = Draft {
            dump: Dump::new(env, trace),
            labels: FxHashMap::default(),
            units: Vec::new(),
            guards: Vec::new(),
            code_bytes: 0,
        };
        for section in sections {
            let Some(target) = section.label else {
                continue;
            };
            let params = section.param_types(trace);
            let trampoline =
                self.trampolines
                    .trampoline(&mut self.compiler, &self.shared, &params)?;
            draft
                .labels
                .insert(target, LabelCode::new(params, trampoline));
        }
        Ok(draft)
    }

    /// Compiles the sections that have labels, last first: a section usually jumps to a later one,
    /// whose address is then known.
    fn labels(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
        sections: &[Section<'_>],
        draft: &mut Draft,
    ) -> Result<(), BackendError> {
        for section in sections.iter().rev() {
            if let Some(target) = section.label {
                let unit = self.section(env, trace, section, None, draft)?;
                draft.units.push((target, unit));
            }
        }
        Ok(())
    }

    /// Compiles one section; `bridge` has the types of the fail arguments if it is where a bridge
    /// starts.
    fn section(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
        section: &Section<'_>,
        bridge: Option<&[Ty]>,
        draft: &mut Draft,
    ) -> Result<Unit, BackendError> {
        let guards = self.section_guards(trace, section, draft)?;
        let links = Links {
            descrs: env.descrs,
            guards: &guards,
            targets: self.targets(section, draft),
            finish: self.shared.finish.address(),
            out_of_memory: self.shared.out_of_memory.address(),
            native: self.compiler.native_convention(),
            callees: env.callees,
            forced: self.forced,
            notes_ops: draft.dump.wants_asm() || self.shared.arena.keeps_journal(),
        };
        let (signature, entrance) = match bridge {
            Some(types) => {
                let signature = exit_signature(ExitShape::of(types));
                (signature, Entrance::Bridge)
            }
            None => {
                let signature = label_signature(&section.param_types(trace));
                (signature, Entrance::Label)
            }
        };
        let is_loop =
            matches!(section.end, SectionEnd::Jump(target, _) if Some(target) == section.label);
        let what = CodeKind::Trace(section.label);
        let slots = &mut self.slots;
        let arena = &self.shared.arena;
        let piece =
            self.compiler
                .function(arena, signature, what, &mut draft.dump, is_loop, |body| {
                    Lower::new(body, trace, &links, slots).section(section, entrance);
                })?;
        draft.code_bytes += piece.len();
        Ok(Unit::new(piece, guards))
    }

    /// Makes the descriptors of a section's guards.
    fn section_guards(
        &mut self,
        trace: &OptimisedTrace,
        section: &Section<'_>,
        draft: &mut Draft,
    ) -> Result<Vec<Rc<ExitDescr>>, BackendError> {
        let mut guards = Vec::new();
        for op in section.ops.iter() {
            let Some(id) = op.guard() else {
                continue;
            };
            let types = fail_types(trace, op);
            let stub = self
                .trampolines
                .stub(&mut self.compiler, &self.shared, &types)?;
            let guard = ExitDescr::guard(id, types, stub, self.forced);
            draft.guards.push((id, Rc::downgrade(&guard)));
            guards.push(guard);
        }
        Ok(guards)
    }

    /// Where the labels are that a section goes to.
    fn targets(&self, section: &Section<'_>, draft: &Draft) -> Vec<(TargetId, LabelPlace)> {
        let end = match section.end {
            SectionEnd::Jump(target, _) => Some(target),
            SectionEnd::Finish(_) | SectionEnd::Thread(_) | SectionEnd::Leave => None,
        };
        let sides = section.ops.iter().filter_map(OptimisedOp::side);
        let mut targets: Vec<TargetId> = end.into_iter().chain(sides).collect();
        targets.sort_unstable();
        targets.dedup();
        let place = |target| Some((target, self.target(target, draft)?));
        targets.into_iter().filter_map(place).collect()
    }

    fn target(&self, target: TargetId, draft: &Draft) -> Option<LabelPlace> {
        let compiled = draft.units.iter().find(|u| u.0 == target);
        let own = draft.labels.get(&target).cloned();
        let label = own.or_else(|| self.shared.labels.borrow().get(&target).cloned())?;
        Some(LabelPlace {
            address: label.address().or(compiled.map(|u| u.1.address())),
            cell: label.cell(),
            params: label.params.clone(),
        })
    }

    /// Makes labels and guards known.
    fn publish(&mut self, draft: Draft) -> CompileOutput {
        let mut compiled = CompileOutput {
            code_bytes: draft.code_bytes,
            ..CompileOutput::default()
        };
        draft.dump.finish(&mut compiled);
        for (target, unit) in draft.units {
            draft.labels[&target].define(unit);
        }
        self.shared.labels.borrow_mut().extend(draft.labels);
        self.guards.extend(draft.guards);
        compiled
    }
}

impl Backend for Cranelift {
    fn name(&self) -> &'static str {
        "cranelift"
    }

    fn compile_loop(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        self.shared.retired.free();
        let sections = loop_sections(env.descrs, trace, &Self::known(&self.shared))?;
        let mut draft = self.draft(env, trace, &sections)?;
        self.labels(env, trace, &sections, &mut draft)?;
        Ok(self.publish(draft))
    }

    fn compile_bridge(
        &mut self,
        env: &Env<'_>,
        guard: GuardId,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        self.shared.retired.free();
        let Some(descr) = self.guards.get(&guard).and_then(Weak::upgrade) else {
            return Err(BackendError(format!(
                "the guard {guard} has not been compiled"
            )));
        };
        let types = descr.types.iter().copied();
        let sections =
            bridge_sections(env.descrs, trace, &Self::known(&self.shared), guard, types)?;
        let mut draft = self.draft(env, trace, &sections)?;
        self.labels(env, trace, &sections, &mut draft)?;
        let bridge = self.section(env, trace, &sections[0], Some(&descr.types), &mut draft)?;
        let compiled = self.publish(draft);
        self.shared.retired.add(descr.attach(bridge));
        Ok(compiled)
    }

    fn invalidate(&mut self, checks: &[GuardId], bridge_of: Option<GuardId>) {
        let guard = |id: &GuardId| self.guards.get(id).and_then(Weak::upgrade);
        (checks.iter().filter_map(guard)).for_each(|check| check.invalidate());
        if let Some(from) = bridge_of.as_ref().and_then(guard) {
            self.shared.retired.add(from.detach());
        }
    }

    fn entry(&self, target: TargetId) -> Option<Rc<dyn Entry>> {
        let label = Rc::clone(self.shared.labels.borrow().get(&target)?);
        Some(Rc::new(CodeEntry {
            shared: Rc::clone(&self.shared),
            label,
        }))
    }

    fn thread_word(&self, target: TargetId) -> u64 {
        let labels = self.shared.labels.borrow();
        let address = labels.get(&target).and_then(|label| label.address());
        address.unwrap_or(0) as u64
    }

    #[allow(unsafe_code)]
    unsafe fn free(&mut self, targets: &[TargetId], guards: &[GuardId]) {
        // A chain of bridges is as long as the guest program makes it, so it is taken apart first.
        let mut bridges = Vec::new();
        for guard in guards {
            let guard = self.guards.remove(guard);
            bridges.extend(guard.and_then(|g| g.upgrade()?.detach()));
        }
        let mut labels = self.shared.labels.borrow_mut();
        targets
            .iter()
            .for_each(|target| drop(labels.remove(target)));
        drop((bridges, labels));
        self.trampolines.forget_unused();
    }

    fn force_guard_failures(&mut self) {
        self.forced = true;
    }

    fn code_bytes(&self) -> usize {
        self.shared.arena.used_bytes()
    }

    fn keep_journal(&mut self) {
        self.shared.arena.keep_journal();
    }

    fn take_journal(&mut self) -> Vec<CodeEvent> {
        self.shared.arena.take_journal()
    }
}

fn fail_types(trace: &OptimisedTrace, op: OptimisedOp<'_>) -> Box<[Ty]> {
    op.fail_args().iter().map(|&v| trace.types[v]).collect()
}
