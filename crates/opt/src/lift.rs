//! Constants of a loop's state with which its own trace would be left at once.
//!
//! In: the state at the end of an entry, and the guard that is known to fail when the trace is run
//! again from there. Out: the state without the constants that the guard depends on: their places
//! hold values. Invariant: the state gets weaker, and keeps its shape: virtuals, and stores that
//! wait.
//!
//! A trace that begins in an inner loop and happens to leave it goes around the outer loop, which
//! sets the inner loop's variables to what they begin with. With these the inner loop is not left.
//! So the body must not begin with them: its first guard fails mostly, and a bridge goes around the
//! inner loop from there, with everything in registers.
//!
//! That is so where a condition decides whether the loop is left. A guard on a value or a class
//! that the trace's own end contradicts is about which of several kinds of iterations this is:
//! where a function returns to, what a variable holds. They take turns, each brings what the
//! other's state does not take, and each would get a version of the loop that is left at once. One
//! body that assumes nothing serves all.

use crate::contents::Contents;
use crate::remarks::{MissedOptimisation, Paths, Remark};
use crate::section::Cx;
use crate::virtual_state::{Fact, Sid, StateNode, VirtualState};
use rustc_hash::FxHashSet;
use verdigris_ops::{ClassId, ClassKind, DataOp, Descrs, Effect, HeapSlot, Ty};
use verdigris_trace::{Const, Opcode, RecordedOp, RecordedTrace, ValRef};

/// Of arrays with at most so many items all items can become values, and not only those that have
/// been written.
const SHORT: u32 = 16;

/// What a value of a recorded trace depends on.
#[derive(Default)]
struct Sources {
    inputs: FxHashSet<usize>,
    places: FxHashSet<HeapSlot>,
    /// Array classes of which items at indices that are not constant are loaded.
    arrays: FxHashSet<ClassId>,
}

impl Sources {
    /// Of what the operation at `at` is about. What a place holds depends on all that has been
    /// stored there.
    fn of(trace: &RecordedTrace, at: usize) -> Sources {
        let mut sources = Sources::default();
        let mut wanted: FxHashSet<ValRef> = trace.ops().at(at).args().values().collect();
        // Definitions stand in front of uses, so one pass backwards meets all.
        for op in trace.ops().slice(0..at).iter().rev() {
            let place = accessed(op);
            let is_store = matches!(op.opcode(), Opcode::Data(d) if d.effect() == Effect::Write);
            if is_store && place.is_some_and(|p| sources.has_accessed(p)) {
                wanted.extend(op.args().last().and_then(|v| v.as_ref()));
            }
            if !op.definitions().any(|v| wanted.contains(&v)) {
                continue;
            }
            wanted.extend(op.args().values());
            match place {
                Some(Accessed::Place(place)) => {
                    sources.places.insert(place);
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
            Accessed::Place(place) => self.has(place),
            Accessed::Items(class) => {
                let is_item = |p: &HeapSlot| matches!(p, HeapSlot::Item(c, _) if *c == class);
                self.arrays.contains(&class) || self.places.iter().any(is_item)
            }
        }
    }

    fn has(&self, place: HeapSlot) -> bool {
        let of_array = |class| self.arrays.contains(&class);
        self.places.contains(&place) || matches!(place, HeapSlot::Item(class, _) if of_array(class))
    }
}

/// What a load or store is about.
#[derive(Clone, Copy)]
enum Accessed {
    Place(HeapSlot),
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
            Some(Accessed::Place(HeapSlot::Field(field)))
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
                    Accessed::Place(HeapSlot::Item(class, i as u32))
                }
                _ => Accessed::Items(class),
            })
        }
        _ => None,
    }
}

/// Which constants are given up.
enum Which {
    /// Those that something depends on.
    Of(Sources),
    /// All of this type.
    Every(Ty),
}

/// Weakens a state from which the trace contradicts itself at the recorded operation at hand:
/// without the constants that the guard there depends on; if there are none, without facts and
/// bounds; then without constants. False if nothing is left, or if the guard is about which value
/// or class something has.
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

/// Whether there were such constants.
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
        let (place, base) = (d.place, d.base);
        lifter.slot(
            &mut d.value,
            |sources| sources.has(place),
            || paths.place(descrs, base, place),
        );
    }
    for s in 0..state.nodes.len() {
        let StateNode::Virtual { class, contents } = &state.nodes[s] else {
            continue;
        };
        let mut lifted = contents.clone();
        for place in places(descrs, *class, contents) {
            let was = contents.get(place);
            let was = was.unwrap_or_else(|| state.zero(place.ty(descrs)));
            let mut value = was;
            lifter.slot(
                &mut value,
                |sources| sources.has(place),
                || paths.place(descrs, Sid(s as u32), place),
            );
            if value != was {
                lifted.set(place, Some(value));
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
        // Facts that are constants too.
        let is_const = |s: Sid| matches!(state.nodes[s.0 as usize], StateNode::Const(_));
        state.facts.retain(|fact| match fact {
            Fact::Holds(p) => !(sources.has(p.place) && is_const(p.value)),
            Fact::Result(_) => true,
        });
    }
    lifted || state.facts.len() < facts
}

/// The places of a virtual that may be given up: those that are not listed hold zeros. Of a long
/// array they stay zeros.
fn places(descrs: &Descrs, class: ClassId, contents: &Contents<Sid>) -> Vec<HeapSlot> {
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
        _ => contents.words().map(|(place, _)| place).collect(),
    }
}

struct Lifter<'a> {
    which: &'a Which,
    nodes: Vec<StateNode>,
    remarks: &'a mut Vec<Remark>,
}

impl Lifter<'_> {
    /// Puts a value of its own where a constant stands that is given up: equal constants are not
    /// one value.
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
