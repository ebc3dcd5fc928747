//! Finds the residual operations of an optimised trace, and why they are there.
//!
//! Reasons are read off the trace. That is exact where the optimiser acts as late as it can: an
//! object is allocated, and a store done, directly in front of what could have noticed otherwise.

use super::residual::{
    EscapeReason, Residual, ResidualAllocation, ResidualCall, ResidualEscape, ResidualGuard,
    ResidualStore, StoreObserver,
};
use crate::state::remarks::{MissedOptimisation, Remark};
use verdigris_ops::{DataOp, Descrs, Effect, FnId, FnKind, HeapSlot, Places};
use verdigris_trace::{
    Arg, Descr, Opcode, Operation, OptimisedOp, OptimisedTrace, TargetId, ValRef,
};

impl Residual {
    /// Finds the residual operations of a trace.
    pub fn of(trace: &OptimisedTrace, descrs: &Descrs, remarks: &[Remark]) -> Residual {
        let look = Look {
            trace,
            descrs,
            remarks,
        };
        let mut residual = Residual {
            in_loop: look.in_loop(),
            ..Residual::default()
        };
        for (at, op) in trace.ops().iter().enumerate() {
            match op.opcode() {
                Opcode::Data(DataOp::New | DataOp::NewArray) => {
                    if let Some(object) = op.result() {
                        residual.made.push(ResidualAllocation {
                            at,
                            class: descrs.classes[op.class()].name.clone(),
                            escapes: look.escapes(at, object),
                        });
                    }
                }
                Opcode::Data(data) if data.effect() == Effect::Write => {
                    if look.maker(at, op.arg(0)).is_none()
                        && let Some((what, slot)) = look.slot(op)
                    {
                        let seen_by = look.seen(at, slot);
                        residual.stored.push(ResidualStore { at, what, seen_by });
                    }
                }
                Opcode::Call => {
                    let behind = trace.ops().get(at + 1).and_then(Operation::resume);
                    residual.called.push(ResidualCall {
                        at,
                        function: op.function(),
                        kept: behind.map_or(0, |resume| resume.kept.len()),
                    });
                }
                opcode if opcode.is_guard() => {
                    let is_promotion = opcode == Opcode::GuardValue;
                    residual.guarded.push(ResidualGuard {
                        at,
                        guard: op.guard(),
                        promoted: is_promotion.then(|| op.arg(1)),
                    });
                }
                _ => {}
            }
        }
        residual
    }
}

struct Look<'t> {
    trace: &'t OptimisedTrace,
    descrs: &'t Descrs,
    remarks: &'t [Remark],
}

impl<'t> Look<'t> {
    fn in_loop(&self) -> Vec<bool> {
        let ops = self.trace.ops();
        let mut inside = vec![false; ops.len()];
        let label_at = |label: TargetId| {
            let mut all = ops.iter();
            all.position(|op| op.opcode() == Opcode::Label && op.label() == label)
        };
        for (at, op) in ops.iter().enumerate() {
            let target = match op.opcode() {
                Opcode::Jump => Some(op.label()),
                opcode if opcode.is_guard() => op.side(),
                _ => None,
            };
            if let Some(start) = target.and_then(label_at)
                && start <= at
            {
                inside[start..=at].fill(true);
            }
        }
        inside
    }

    /// The operations behind one, up to the end of its section.
    fn behind(&self, at: usize) -> impl Iterator<Item = (usize, OptimisedOp<'t>)> {
        let ops = self.trace.ops();
        let until = (at + 1..ops.len()).find(|&n| ops.at(n).opcode() == Opcode::Label);
        (at + 1..until.unwrap_or(ops.len())).map(move |n| (n, ops.at(n)))
    }

    /// The allocation of an argument, if it is in the section of the operation at `at`.
    fn maker(&self, at: usize, object: Arg) -> Option<usize> {
        let object = object.as_ref()?;
        let ops = self.trace.ops();
        let in_section = (0..at)
            .rev()
            .take_while(|&n| ops.at(n).opcode() != Opcode::Label);
        let is_maker = |&n: &usize| {
            let op = ops.at(n);
            matches!(op.opcode(), Opcode::Data(DataOp::New | DataOp::NewArray))
                && op.result() == Some(object)
        };
        in_section.into_iter().find(is_maker)
    }

    /// A function's name for people.
    fn name(&self, function: FnId) -> String {
        let function = &self.descrs.fns[function];
        match function.kind {
            FnKind::Portal | FnKind::Runner => "a guest function".to_owned(),
            _ => format!("`{}`", function.name),
        }
    }

    /// The slot that a store writes, and its name. `None` if the operation is no store.
    fn slot(&self, op: OptimisedOp<'_>) -> Option<(String, HeapSlot)> {
        let descrs = self.descrs;
        if matches!(
            op.opcode(),
            Opcode::Data(DataOp::Invalidate | DataOp::Reclaim)
        ) {
            return None;
        }
        match op.descr() {
            Descr::Field(field) => {
                let field = descrs.field_part(field).0;
                Some((descrs.field_name(field), HeapSlot::Field(field)))
            }
            Descr::Class(class) => {
                let class = descrs.item_part(class).0;
                let index = match op.arg(1) {
                    Arg::Const(index) => index.word() as u32,
                    Arg::Ref(_) => 0,
                };
                let slot = HeapSlot::Item(class, index);
                Some((descrs.classes[class].name.clone(), slot))
            }
            _ => None,
        }
    }

    /// What could see that a store was not done: the first operation behind it that is neither a
    /// store nor an allocation.
    fn seen(&self, at: usize, slot: HeapSlot) -> StoreObserver {
        let name = slot.whole(self.descrs).name(self.descrs);
        let is_late = |remark: &Remark| {
            remark.missed == MissedOptimisation::TooManyStores && remark.what == name
        };
        if self.remarks.iter().any(is_late) {
            return StoreObserver::Evicted;
        }
        let ops = self.trace.ops();
        for (_, op) in self.behind(at) {
            match op.opcode() {
                Opcode::Data(data) => match data.effect() {
                    Effect::Alloc | Effect::Pure => {}
                    Effect::Write if self.maker(at, op.arg(0)).is_some() => {}
                    Effect::Write | Effect::Read if self.may_meet(op, slot) => {
                        let is_indexed =
                            self.is_at_any_index(ops.at(at)) || self.is_at_any_index(op);
                        return match is_indexed {
                            true => StoreObserver::Indexed,
                            false => StoreObserver::Load,
                        };
                    }
                    Effect::Write | Effect::Read => {}
                },
                Opcode::Call => {
                    let function = &self.descrs.fns[op.function()];
                    let has = |slots: &Places| match slot {
                        HeapSlot::Field(field) => slots.has_field(field),
                        HeapSlot::Item(class, _) => slots.has_items(class),
                    };
                    let name = self.name(op.function());
                    if function.kind == FnKind::Elidable {
                        continue;
                    }
                    if has(&function.effects.reads) {
                        return StoreObserver::Call(name);
                    }
                    if has(&function.effects.writes) || has(&function.effects.suspects) {
                        return StoreObserver::WritingCall(name);
                    }
                }
                Opcode::Jump => return StoreObserver::Label(op.label()),
                Opcode::Finish | Opcode::Thread => return StoreObserver::Return,
                opcode if opcode.is_guard() => {
                    let side = op.side();
                    if let Some(label) = side {
                        return StoreObserver::Label(label);
                    }
                }
                _ => {}
            }
        }
        StoreObserver::Guard("guard")
    }

    /// Whether an access may be to this slot.
    fn may_meet(&self, op: OptimisedOp<'_>, slot: HeapSlot) -> bool {
        use DataOp::*;
        match (op.opcode(), slot) {
            (
                Opcode::Data(GetFieldI | GetFieldR | GetFieldF | GetFieldW),
                HeapSlot::Field(field),
            ) => self.descrs.field_part(op.field()).0 == field,
            (Opcode::Data(GetItemI | GetItemR | GetItemF | GetItemW), HeapSlot::Item(class, _)) => {
                self.descrs.item_part(op.class()).0 == class
            }
            _ => false,
        }
    }

    /// Why an object escapes.
    fn escapes(&self, at: usize, object: ValRef) -> Vec<ResidualEscape> {
        let mut found: Vec<ResidualEscape> = Vec::new();
        let mut add = |why, what: String, at, seen_by| {
            let is_known = |e: &ResidualEscape| e.why == why && e.what == what;
            if !found.iter().any(is_known) {
                found.push(ResidualEscape {
                    why,
                    what,
                    at,
                    seen_by,
                });
            }
        };
        let new = self.trace.ops().at(at);
        if new.opcode() == Opcode::Data(DataOp::NewArray) && matches!(new.arg(0), Arg::Ref(_)) {
            add(EscapeReason::Length, String::new(), at, None);
        }
        let mut is_kept = false;
        for (n, op) in self.behind(at) {
            is_kept |= op.fail_args().contains(&object);
            let uses = op.args().iter().filter_map(Arg::as_ref);
            if !uses.clone().any(|value| value == object) {
                continue;
            }
            match op.opcode() {
                Opcode::Data(data) if data.effect() == Effect::Write => {
                    let is_stored = op.args().last().and_then(Arg::as_ref) == Some(object);
                    if let Some((what, slot)) = self.slot(op).filter(|_| is_stored) {
                        match self.maker(n, op.arg(0)) {
                            Some(_) => add(EscapeReason::StoredInside, what, n, None),
                            None => add(EscapeReason::Stored, what, n, Some(self.seen(n, slot))),
                        }
                    } else if self.is_at_any_index(op) {
                        add(EscapeReason::Indexed, String::new(), n, None);
                    }
                }
                Opcode::Data(data) if data.effect() == Effect::Read && self.is_at_any_index(op) => {
                    add(EscapeReason::Indexed, String::new(), n, None);
                }
                Opcode::Data(DataOp::PtrEq | DataOp::PtrNe) => {
                    add(EscapeReason::Compared, String::new(), n, None);
                }
                Opcode::Data(DataOp::WordFromRef) => {
                    if let Some(word) = op.result() {
                        self.word_escapes(n, word, &mut add);
                    }
                }
                Opcode::Call => {
                    let name = self.name(op.function());
                    add(EscapeReason::Passed, name, n, None);
                }
                Opcode::Jump => add(EscapeReason::Carried, op.label().to_string(), n, None),
                Opcode::Finish | Opcode::Thread => {
                    add(EscapeReason::Returned, String::new(), n, None)
                }
                _ => {}
            }
        }
        if found.is_empty() && is_kept {
            found.push(ResidualEscape {
                why: EscapeReason::Kept,
                what: String::new(),
                at,
                seen_by: None,
            });
        }
        found
    }

    /// The same for a word that holds the object.
    fn word_escapes(
        &self,
        at: usize,
        word: ValRef,
        add: &mut impl FnMut(EscapeReason, String, usize, Option<StoreObserver>),
    ) {
        for (n, op) in self.behind(at) {
            if op.args().values().all(|value| value != word) {
                continue;
            }
            match op.opcode() {
                Opcode::Data(data) if data.effect() == Effect::Write => {
                    let Some((what, slot)) = self.slot(op) else {
                        continue;
                    };
                    match self.maker(n, op.arg(0)) {
                        Some(_) => add(EscapeReason::StoredInside, what, n, None),
                        None => add(EscapeReason::Stored, what, n, Some(self.seen(n, slot))),
                    }
                }
                Opcode::Call => {
                    let name = self.name(op.function());
                    add(EscapeReason::Passed, name, n, None);
                }
                Opcode::Jump => add(EscapeReason::Carried, op.label().to_string(), n, None),
                Opcode::Finish | Opcode::Thread => {
                    add(EscapeReason::Returned, String::new(), n, None)
                }
                _ => {}
            }
        }
    }

    fn is_at_any_index(&self, op: OptimisedOp<'_>) -> bool {
        use DataOp::*;
        matches!(
            op.opcode(),
            Opcode::Data(
                GetItemI
                    | GetItemR
                    | GetItemF
                    | GetItemW
                    | SetItemI
                    | SetItemR
                    | SetItemF
                    | SetItemW
            )
        ) && matches!(op.arg(1), Arg::Ref(_))
    }
}
