//! Gives up constants of a loop's state with which its own trace would be left at once.
//!
//! A trace that begins in an inner loop and happens to leave it goes around the outer loop, which
//! sets the inner loop's variables to their initial values. With these the inner loop is not left.
//! If the body began with them, its first guard would mostly fail. Without them, a bridge goes
//! around the inner loop from there, with everything in registers.
//!
//! This applies where a condition decides whether the loop is left. A guard on a value or a class
//! that the trace's own end contradicts tells several kinds of iterations apart: where a function
//! returns to, what a variable holds. They take turns, and each would get a version of the loop
//! that is left at once. One body that assumes nothing serves all.
//!
//! Invariant: the state gets weaker but keeps its shape: virtuals and delayed stores.

use crate::section::Cx;
use crate::state::contents::Contents;
use crate::state::label::{Fact, Sid, StateNode, VirtualState};
use crate::state::label_paths::Paths;
use crate::state::remarks::{MissedOptimisation, Remark};
use rustc_hash::FxHashSet;
use verdigris_ops::{ClassId, ClassKind, DataOp, Descrs, Effect, HeapSlot, Ty};
use verdigris_trace::{Const, Opcode, RecordedOp, RecordedTrace, ValRef};

/// In arrays up to this length, all items can become values, and not only those that were written.
const SHORT: u32 = 16;

/// The inputs, slots and arrays that a condition depends on.
#[derive(Default)]
struct Sources {
    inputs: FxHashSet<usize>,
    slots: FxHashSet<HeapSlot>,
    /// Array classes of which items at indices that are not constant are loaded.
    arrays: FxHashSet<ClassId>,
}

impl Sources {
    /// The sources of the operation at `at`. The contents of a slot depend on everything stored
    /// there.
    fn of(trace: &RecordedTrace, at: usize) -> Sources {
        let mut sources = Sources::default();
        let mut wanted: FxHashSet<ValRef> = trace.ops().at(at).args().values().collect();
        // Definitions stand in front of uses, so one pass backwards finds all.
        for op in trace.ops().slice(0..at).iter().rev() {
            let slot = accessed(op);
            let is_store = matches!(op.opcode(), Opcode::Data(d) if d.effect() == Effect::Write);
            if is_store && slot.is_some_and(|p| sources.has_accessed(p)) {
                wanted.extend(op.args().last().and_then(|v| v.as_ref()));
            }
            if !op.definitions().any(|v| wanted.contains(&v)) {
                continue;
            }
            wanted.extend(op.args().values());
            match slot {
                Some(Accessed::Slot(slot)) => {
                    sources.slots.insert(slot);
                }
                Some(Accessed::Items(class)) => {
                    sources.arrays.insert(class);
                }
                None => {}
            }
        }
        let inputs = trace.inputs.iter().enumerate();
        let inputs = inputs.filter(|(_, input)| wanted.contains(input));
        sources.inputs.extend(inputs.map(|(n, _)| n));
        sources
    }

    fn has_accessed(&self, accessed: Accessed) -> bool {
        match accessed {
            Accessed::Slot(slot) => self.has(slot),
            Accessed::Items(class) => {
                let is_item = |p: &HeapSlot| matches!(p, HeapSlot::Item(c, _) if *c == class);
                self.arrays.contains(&class) || self.slots.iter().any(is_item)
            }
        }
    }

    fn has(&self, slot: HeapSlot) -> bool {
        let of_array = |class| self.arrays.contains(&class);
        self.slots.contains(&slot) || matches!(slot, HeapSlot::Item(class, _) if of_array(class))
    }
}

/// The target of a load or store.
#[derive(Clone, Copy)]
enum Accessed {
    Slot(HeapSlot),
    /// An item at an index that is not constant.
    Items(ClassId),
}

fn accessed(op: RecordedOp<'_>) -> Option<Accessed> {
    use DataOp::*;
    match op.opcode() {
        Opcode::Data(
            GetFieldI | GetFieldR | GetFieldF | GetFieldW | SetFieldI | SetFieldR | SetFieldF
            | SetFieldW,
        ) => {
            let field = op.field();
            Some(Accessed::Slot(HeapSlot::Field(field)))
        }
        Opcode::Data(FillItemsI | FillItemsR | FillItemsF | FillItemsW) => {
            Some(Accessed::Items(op.class()))
        }
        Opcode::Data(
            GetItemI | GetItemR | GetItemF | GetItemW | SetItemI | SetItemR | SetItemF | SetItemW,
        ) => {
            let class = op.class();
            Some(match op.args().constant(1) {
                Some(Const::Int(i)) if u32::try_from(i).is_ok() => {
                    Accessed::Slot(HeapSlot::Item(class, i as u32))
                }
                _ => Accessed::Items(class),
            })
        }
        _ => None,
    }
}

/// Which constants are given up.
enum Which {
    /// Those that the sources name.
    Of(Sources),
    /// All of this type.
    Every(Ty),
}

/// Weakens a state from which the trace contradicts itself at the current recorded operation: drops
/// the constants that the guard there depends on; if there are none, facts and bounds; then all
/// constants of a type. False if nothing is left, or if the guard is about a value or a class.
pub(crate) fn weaken(cx: &mut Cx<'_>, state: &mut VirtualState, remarks: &mut Vec<Remark>) -> bool {
    let guard = cx.trace.ops().at(cx.at).opcode();
    if !matches!(guard, Opcode::GuardTrue | Opcode::GuardFalse) {
        return false;
    }
    let sources = Sources::of(cx.trace, cx.at);
    if lift(cx.descrs, state, &Which::Of(sources), remarks) {
        return true;
    }
    if !state.facts.is_empty() || state.bounds().next().is_some() {
        state.facts.clear();
        state.keep_bounds(Default::default());
        return true;
    }
    let types = [Ty::Int, Ty::Float, Ty::Ref];
    let mut types = types.into_iter();
    types.any(|ty| lift(cx.descrs, state, &Which::Every(ty), remarks))
}

/// Gives up the chosen constants. Returns whether there were any.
fn lift(
    descrs: &Descrs,
    state: &mut VirtualState,
    which: &Which,
    remarks: &mut Vec<Remark>,
) -> bool {
    let paths = Paths::of(state, descrs);
    let before = remarks.len();
    let mut lifter = Lifter {
        which,
        nodes: state.nodes.clone(),
        remarks,
    };
    for (n, root) in state.roots.iter_mut().enumerate() {
        lifter.slot(
            root,
            |sources| sources.inputs.contains(&n),
            || format!("input {n}"),
        );
    }
    for d in &mut state.delayed {
        let (slot, base) = (d.slot, d.base);
        lifter.slot(
            &mut d.value,
            |sources| sources.has(slot),
            || paths.slot(descrs, base, slot),
        );
    }
    for s in 0..state.nodes.len() {
        let StateNode::Virtual { class, contents } = &state.nodes[s] else {
            continue;
        };
        let mut lifted = contents.clone();
        for slot in slots(descrs, *class, contents) {
            let was = contents.get(slot);
            let was = was.unwrap_or_else(|| state.zero(slot.ty(descrs)));
            let mut value = was;
            lifter.slot(
                &mut value,
                |sources| sources.has(slot),
                || paths.slot(descrs, Sid(s as u32), slot),
            );
            if value != was {
                lifted.set(slot, Some(value));
            }
        }
        if let StateNode::Virtual { contents, .. } = &mut lifter.nodes[s] {
            *contents = lifted;
        }
    }
    let nodes = lifter.nodes;
    state.nodes = nodes;
    let lifted = remarks.len() > before;
    let facts = state.facts.len();
    if let Which::Of(sources) = which {
        // Facts about constants too.
        let is_const = |s: Sid| matches!(state.nodes[s.0 as usize], StateNode::Const(_));
        state.facts.retain(|fact| match fact {
            Fact::Holds(p) => !(sources.has(p.slot) && is_const(p.value)),
            Fact::Result(_) => true,
        });
    }
    lifted || state.facts.len() < facts
}

/// The slots of a virtual that may be given up. Unlisted items of a long array stay zero.
fn slots(descrs: &Descrs, class: ClassId, contents: &Contents<Sid>) -> Vec<HeapSlot> {
    let words = match &descrs.classes[class].kind {
        ClassKind::Struct { fields } => {
            return fields.iter().map(|&field| HeapSlot::Field(field)).collect();
        }
        ClassKind::Array { .. } => {
            (0..descrs.item_words(class)).filter_map(|n| descrs.item_word(class, n))
        }
    };
    match contents.len() {
        Some(len) if len <= SHORT => words
            .flat_map(|word| (0..len).map(move |index| HeapSlot::Item(word, index)))
            .collect(),
        _ => contents.words().map(|(slot, _)| slot).collect(),
    }
}

struct Lifter<'a> {
    which: &'a Which,
    nodes: Vec<StateNode>,
    remarks: &'a mut Vec<Remark>,
}

impl Lifter<'_> {
    /// Replaces a constant that is given up by a value of its own: equal constants are not one
    /// value.
    fn slot(
        &mut self,
        s: &mut Sid,
        is_due: impl FnOnce(&Sources) -> bool,
        what: impl FnOnce() -> String,
    ) {
        let StateNode::Const(c) = self.nodes[s.0 as usize] else {
            return;
        };
        let due = match self.which {
            Which::Of(sources) => is_due(sources),
            Which::Every(ty) => c.ty() == *ty,
        };
        if due {
            *s = Sid(self.nodes.len() as u32);
            self.nodes.push(StateNode::any(c.ty()));
            self.remarks
                .push(Remark::new(MissedOptimisation::OtherPath, what()));
        }
    }
}
