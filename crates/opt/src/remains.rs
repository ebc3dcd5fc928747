//! What is left in a trace that costs something, and why it could not be removed. In: an optimised
//! trace, with the remarks of what was given up. Out: [`Residual`]. Invariants: the trace is only
//! looked at; each finding names the operation it is about. Reasons are read off the trace, which
//! is exact where the optimiser acts as late as it can: an object is made, and a store done,
//! directly in front of what could have noticed otherwise.

use crate::remarks::{MissedOptimisation, Remark};
use std::fmt;
use verdigris_ops::{DataOp, Descrs, Effect, FnId, FnKind, HeapSlot};
use verdigris_trace::{
    Arg, Descr, GuardId, Opcode, Operation, OptimisedOp, OptimisedTrace, TargetId, ValRef,
};

macro_rules! escapes {
    ($( $variant:ident $name:literal $doc:literal )*) => {
        /// What makes an object escape, so that it is made.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum EscapeReason {
            $( #[doc = $doc] $variant, )*
        }

        impl EscapeReason {
            /// A short name.
            pub fn name(self) -> &'static str {
                match self { $( EscapeReason::$variant => $name, )* }
            }
        }
    };
}

escapes! {
    Stored "stored" "It is stored into an object that exists."
    StoredInside "stored inside" "It is stored into another object that this trace makes."
    Passed "passed" "A call gets it."
    Carried "carried" "It goes over a label."
    Returned "returned" "The guest function returns it."
    Indexed "indexed" "It is an array, and accessed at an index that is no constant."
    Length "length" "It is an array whose length is no constant."
    Compared "compared" "What it is compared with may be the same object."
    Kept "kept" "An exit needs it, and so does something that was removed since."
}

/// A reason why an object is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResidualEscape {
    /// EscapeReason.
    pub why: EscapeReason,
    /// Into what, to which function or label; empty if the reason says all.
    pub what: String,
    /// The operation that is to blame.
    pub at: usize,
    /// What looks at the place into which it is stored.
    pub seen_by: Option<StoreObserver>,
}

impl fmt::Display for ResidualEscape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = &self.what;
        match self.why {
            EscapeReason::Stored => write!(f, "stored into {what}")?,
            EscapeReason::StoredInside => write!(f, "stored into {what}, which is made as well")?,
            EscapeReason::Passed => write!(f, "passed to {what}")?,
            EscapeReason::Carried => write!(f, "carried over the loop's label {what}")?,
            EscapeReason::Returned => f.write_str("returned by the guest function")?,
            EscapeReason::Indexed => f.write_str("accessed at an index that is not constant")?,
            EscapeReason::Length => f.write_str("an array whose length is not constant")?,
            EscapeReason::Compared => f.write_str("compared with what may be the same object")?,
            EscapeReason::Kept => f.write_str("kept by the exits of guards")?,
        }
        match &self.seen_by {
            Some(seen) => write!(f, ", which is seen by {seen}"),
            None => Ok(()),
        }
    }
}

/// What could notice that a store was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreObserver {
    /// A call that may read the place.
    Call(String),
    /// A call that may write the place, so that the order of the two matters.
    WritingCall(String),
    /// A load of what may be the same place.
    Load,
    /// A load of an array's item, where one of the two indices is no constant, so that they may be
    /// the same.
    Indexed,
    /// What is behind a label, which does not know that it waits.
    Label(TargetId),
    /// Whoever the guest function returns to.
    Return,
    /// Nobody: more values wait than guards may list.
    Evicted,
    /// A guard whose exit cannot do it.
    Guard(&'static str),
}

impl fmt::Display for StoreObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreObserver::Call(name) => write!(f, "{name}, which may read it"),
            StoreObserver::WritingCall(name) => write!(f, "{name}, which may write it"),
            StoreObserver::Load => f.write_str("a load of what may be the same place"),
            StoreObserver::Indexed => f.write_str("a load at an index that may be the same one"),
            StoreObserver::Label(label) => write!(f, "the code behind the loop's label {label}"),
            StoreObserver::Return => f.write_str("whoever the function returns to"),
            StoreObserver::Evicted => f.write_str("nobody, but too many values wait"),
            StoreObserver::Guard(name) => write!(f, "the exit of a {name}"),
        }
    }
}

/// An object that a trace makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResidualAllocation {
    /// The operation.
    pub at: usize,
    /// Its class.
    pub class: String,
    /// EscapeReason.
    pub escapes: Vec<ResidualEscape>,
}

/// A store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResidualStore {
    /// The operation.
    pub at: usize,
    /// The field, or the class of the array.
    pub what: String,
    /// Who could see that it was not done.
    pub seen_by: StoreObserver,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResidualCall {
    /// The operation.
    pub at: usize,
    /// The function.
    pub function: FnId,
    /// How many objects are kept from it.
    pub kept: usize,
}

/// A guard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResidualGuard {
    /// The operation.
    pub at: usize,
    /// The guard, if it leads out of the trace and has been numbered.
    pub guard: Option<GuardId>,
    /// The value that a promotion expects.
    pub promoted: Option<Arg>,
}

/// What is left in a trace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Residual {
    /// Whether an operation is between a label and a jump to it.
    pub in_loop: Vec<bool>,
    /// Objects.
    pub made: Vec<ResidualAllocation>,
    /// Stores to objects that the trace does not make.
    pub stored: Vec<ResidualStore>,
    /// Calls.
    pub called: Vec<ResidualCall>,
    /// Guards.
    pub guarded: Vec<ResidualGuard>,
}

impl Residual {
    /// Looks at a trace.
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
                        && let Some((what, place)) = look.place(op)
                    {
                        let seen_by = look.seen(at, place);
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

    /// Where the object is made that an argument is, if that is in the section of the operation at
    /// `at`.
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

    /// A function in words.
    fn name(&self, function: FnId) -> String {
        let function = &self.descrs.fns[function];
        match function.kind {
            FnKind::Portal | FnKind::Runner => "a guest function".to_owned(),
            _ => format!("`{}`", function.name),
        }
    }

    /// The place that a store writes: its name, and what effects know it by. Nothing if the
    /// operation is no store.
    fn place(&self, op: OptimisedOp<'_>) -> Option<(String, HeapSlot)> {
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
                let place = HeapSlot::Item(class, index);
                Some((descrs.classes[class].name.clone(), place))
            }
            _ => None,
        }
    }

    /// Who could see that a store was not done: the first operation behind it that is no store, and
    /// makes nothing.
    fn seen(&self, at: usize, place: HeapSlot) -> StoreObserver {
        let name = place.whole(self.descrs).name(self.descrs);
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
                    Effect::Write | Effect::Read if self.may_meet(op, place) => {
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
                    let has = |places: &verdigris_ops::Places| match place {
                        HeapSlot::Field(field) => places.has_field(field),
                        HeapSlot::Item(class, _) => places.has_items(class),
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

    /// Whether an access at an index that is no constant, or to what may be the same object, is to
    /// such a place.
    fn may_meet(&self, op: OptimisedOp<'_>, place: HeapSlot) -> bool {
        use DataOp::*;
        match (op.opcode(), place) {
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

    /// What makes an object escape.
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
                    if let Some((what, place)) = self.place(op).filter(|_| is_stored) {
                        match self.maker(n, op.arg(0)) {
                            Some(_) => add(EscapeReason::StoredInside, what, n, None),
                            None => add(EscapeReason::Stored, what, n, Some(self.seen(n, place))),
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

    /// The same for the word of a value that holds the object.
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
                    let Some((what, place)) = self.place(op) else {
                        continue;
                    };
                    match self.maker(n, op.arg(0)) {
                        Some(_) => add(EscapeReason::StoredInside, what, n, None),
                        None => add(EscapeReason::Stored, what, n, Some(self.seen(n, place))),
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
