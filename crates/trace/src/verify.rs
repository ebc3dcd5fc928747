//! Checks a trace. In: a trace and the descriptors it mentions. Out: nothing, or the first operation that breaks an
//! invariant of the crate. Run after every stage that makes or rewrites a trace, in debug builds.

use crate::resume::{PendingStore, Resume, SnapshotId, Src, VirtualKind};
use crate::table::{Opcode, Param, Refers, Shape};
use crate::trace::{Const, Descr, Op, TargetId, Trace, Val, ValRef};
use cranelift_entity::SecondaryMap;
use std::fmt;
use verdigris_ops::{ClassId, ClassKind, DataOp, Descrs, FieldId, Ty};

/// What is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The index of the operation; the length of the trace if it is the trace as a whole.
    pub op: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {}: {}", self.op, self.message)
    }
}

impl std::error::Error for VerifyError {}

/// Checks types, arity, descriptors, that definitions come before uses within their section, that every guard has
/// either a snapshot or resume information, and that sections end in `jump` or `finish`.
///
/// # Errors
/// The first operation that is wrong.
pub fn verify(descrs: &Descrs, trace: &Trace) -> Result<(), VerifyError> {
    let mut verifier = Verifier::new(descrs, trace);
    verifier
        .inputs()
        .map_err(|message| VerifyError { op: 0, message })?;
    for (n, op) in trace.ops.iter().enumerate() {
        verifier
            .op(n, op)
            .map_err(|message| VerifyError { op: n, message })?;
    }
    match trace.ops.last() {
        Some(op) if op.opcode.shape() == Shape::End => Ok(()),
        _ => Err(VerifyError {
            op: trace.ops.len(),
            message: "the last operation must be jump, close or finish".to_owned(),
        }),
    }
}

type Check = Result<(), String>;

struct Verifier<'a> {
    descrs: &'a Descrs,
    trace: &'a Trace,
    /// The section that defines a value, from 1; 0 before its definition.
    defined_in: SecondaryMap<ValRef, u32>,
    section: u32,
    labels: Vec<TargetId>,
    /// Snapshots already found good in this section.
    seen: SecondaryMap<SnapshotId, u32>,
}

impl<'a> Verifier<'a> {
    fn new(descrs: &'a Descrs, trace: &'a Trace) -> Self {
        Verifier {
            descrs,
            trace,
            defined_in: SecondaryMap::new(),
            section: 1,
            labels: Vec::new(),
            seen: SecondaryMap::new(),
        }
    }

    fn inputs(&mut self) -> Check {
        self.trace
            .inputs
            .iter()
            .try_for_each(|&input| self.define(input))
    }

    fn define(&mut self, value: ValRef) -> Check {
        if self.trace.types.get(value).is_none() {
            return Err(format!("{value} has no type"));
        }
        if self.defined_in[value] != 0 {
            return Err(format!("{value} is defined twice"));
        }
        self.defined_in[value] = self.section;
        Ok(())
    }

    fn visible(&self, value: ValRef) -> Check {
        match self.defined_in[value] {
            0 => Err(format!("{value} is used before its definition")),
            n if n != self.section => Err(format!("{value} belongs to another section")),
            _ => Ok(()),
        }
    }

    fn op(&mut self, n: usize, op: &Op) -> Check {
        for &arg in &op.args {
            self.val(arg)?;
        }
        self.ends_section(n, op)?;
        self.refers(op)?;
        match op.opcode.shape() {
            Shape::Data => self.data(op)?,
            Shape::Guard => self.guard(n, op)?,
            Shape::Call => self.call(op)?,
            Shape::Label if op.opcode == Opcode::Label => self.label(n, op)?,
            Shape::Label => self.result(op, None)?,
            Shape::End => self.end(op)?,
        }
        if !matches!(op.opcode, Opcode::Label | Opcode::Call) && !op.defs.is_empty() {
            return Err("only a label or a call has several definitions".to_owned());
        }
        match op.snapshot {
            Some(snapshot) if op.opcode == Opcode::Jump => self.snapshot(snapshot)?,
            None if op.resume.is_none() => {}
            _ if op.opcode.is_guard() => {}
            _ => return Err("only a guard has resume information".to_owned()),
        }
        Ok(())
    }

    fn val(&self, val: Val) -> Check {
        match val {
            Val::Ref(value) => self.visible(value),
            Val::Const(_) => Ok(()),
        }
    }

    /// Behind `jump`, `close` and `finish` comes a label or nothing.
    fn ends_section(&self, n: usize, op: &Op) -> Check {
        let ended = n > 0 && self.trace.ops[n - 1].opcode.shape() == Shape::End;
        if ended && op.opcode != Opcode::Label {
            return Err("behind jump, close or finish only a label can follow".to_owned());
        }
        Ok(())
    }

    fn data(&mut self, op: &Op) -> Check {
        let Opcode::Data(data) = op.opcode else {
            return Err("not a data operation".to_owned());
        };
        self.params(op, data.params())?;
        match (op.descr, op.opcode.refers()) {
            (Descr::Field(field), _) => self.field_op(field, data.params(), data.ret())?,
            (Descr::Class(class), Refers::Array) => self.array_op(class, data)?,
            _ => {}
        }
        self.result(op, data.ret())
    }

    /// An operation refers to what its row says, and that is there.
    fn refers(&self, op: &Op) -> Check {
        let refers = op.opcode.refers();
        match (op.descr, refers) {
            (Descr::None, Refers::Nothing) | (Descr::Label(_), Refers::Label) => Ok(()),
            (Descr::Field(field), Refers::Field) => match self.descrs.fields.get(field) {
                Some(_) => Ok(()),
                None => Err(format!("field {} is unknown", field.as_u32())),
            },
            (Descr::Fn(function), Refers::Fn) => match self.descrs.fns.get(function) {
                Some(_) => Ok(()),
                None => Err(format!("function {} is unknown", function.as_u32())),
            },
            (Descr::Class(class), Refers::Struct) => self.class(class, false),
            (Descr::Class(class), Refers::Array) => self.class(class, true),
            (Descr::Class(class), Refers::Class) => match self.descrs.classes.get(class) {
                Some(_) => Ok(()),
                None => Err(format!("class {} is unknown", class.as_u32())),
            },
            (descr, _) => {
                let name = op.opcode.name();
                Err(format!("{name} refers to {refers:?}, not to {descr:?}"))
            }
        }
    }

    fn params(&self, op: &Op, params: &[Ty]) -> Check {
        if op.args.len() != params.len() {
            let (name, want, have) = (op.opcode.name(), params.len(), op.args.len());
            return Err(format!("{name} has {want} arguments, not {have}"));
        }
        for (&arg, &ty) in op.args.iter().zip(params) {
            let have = self.trace.ty(arg);
            if have != ty {
                return Err(format!(
                    "{} wants {ty} where it has {have}",
                    op.opcode.name()
                ));
            }
        }
        Ok(())
    }

    fn result(&mut self, op: &Op, ty: Option<Ty>) -> Check {
        let have = match op.result {
            Some(value) => {
                self.define(value)?;
                Some(self.trace.types[value])
            }
            None => None,
        };
        if have != ty {
            return Err(format!("{} has a result of another type", op.opcode.name()));
        }
        Ok(())
    }

    fn class(&self, class: ClassId, array: bool) -> Check {
        match self.descrs.classes.get(class) {
            Some(info) if matches!(info.kind, ClassKind::Array { .. }) == array => Ok(()),
            Some(info) => Err(format!("{} is the wrong kind of class here", info.name)),
            None => Err(format!("class {} is unknown", class.as_u32())),
        }
    }

    fn field_op(&self, field: FieldId, params: &[Ty], ret: Option<Ty>) -> Check {
        let info = &self.descrs.fields[field];
        // What says that a field was written carries nothing of its type.
        let ty = ret.or(params.get(1).copied());
        if ty.unwrap_or(info.ty) != info.ty {
            return Err(format!("the field {} is {}", info.name, info.ty));
        }
        Ok(())
    }

    fn array_op(&self, class: ClassId, data: DataOp) -> Check {
        use DataOp::*;
        let (item, ..) = self.descrs.item(class);
        let ty = match data {
            ArrayLen | NewArray => item,
            GetItemI | GetItemR | GetItemF | GetItemW => data.ret().unwrap_or(item),
            _ => data.params().last().copied().unwrap_or(item),
        };
        if ty != item {
            return Err(format!(
                "the items of {} are {item}",
                self.descrs.classes[class].name
            ));
        }
        Ok(())
    }

    fn guard(&mut self, n: usize, op: &Op) -> Check {
        self.guard_params(op)?;
        if matches!(op.opcode, Opcode::GuardNoPanic | Opcode::GuardNotForced) {
            let call = n.checked_sub(1).map(|n| &self.trace.ops[n]);
            if call.is_none_or(|op| op.opcode.shape() != Shape::Call) {
                let name = op.opcode.name();
                return Err(format!("{name} stands directly behind a call"));
            }
        }
        self.result(op, None)?;
        match (op.snapshot, &op.resume) {
            (Some(_), None) if op.opcode == Opcode::GuardNotForced => {
                Err("guard_not_forced is made by the optimiser".to_owned())
            }
            (Some(snapshot), None) => self.snapshot(snapshot),
            (None, Some(resume)) => {
                self.resume(resume)?;
                self.kept(op, resume, n)
            }
            (Some(_), Some(_)) => Err("a guard has a snapshot or resume, not both".to_owned()),
            (None, None) => Err("a guard needs a snapshot or resume".to_owned()),
        }
    }

    /// `guard_not_forced` says what is kept during its call, which cannot depend on the call's results.
    fn kept(&self, op: &Op, resume: &Resume, n: usize) -> Check {
        let keeps = op.opcode == Opcode::GuardNotForced;
        if keeps == resume.kept.is_empty() {
            let name = op.opcode.name();
            let says = if keeps { "something" } else { "nothing" };
            return Err(format!("{name} keeps {says}"));
        }
        if !keeps {
            return Ok(());
        }
        let is_result = |value| self.trace.ops[n - 1].definitions().any(|d| d == value);
        let mut args = resume.kept_args().into_iter();
        match args.find(|&n| is_result(resume.fail_args[usize::from(n)])) {
            Some(n) => Err(format!("fail argument {n} is kept before it exists")),
            None => Ok(()),
        }
    }

    /// The arguments are those of the operation's row.
    fn guard_params(&self, op: &Op) -> Check {
        let (name, params) = (op.opcode.name(), op.opcode.guard_params());
        let first = op.args.first().map_or(Ty::Int, |&arg| self.trace.ty(arg));
        if params.first() == Some(&Param::Any) && first == Ty::Word {
            return Err(format!("{name} is never of a word"));
        }
        self.params(op, &op.opcode.guard_types(first))?;
        let is_constant =
            |(&param, arg): (&Param, &Val)| param != Param::Const || arg.as_const().is_some();
        if !params.iter().zip(&op.args).all(is_constant) {
            return Err(format!("{name} compares with a constant"));
        }
        Ok(())
    }

    fn call(&mut self, op: &Op) -> Check {
        let info = &self.descrs.fns[op.descr.function()];
        self.params(op, &info.params)?;
        let (first, others) = match info.ret.split_first() {
            Some((first, others)) => (Some(*first), others),
            None => (None, &[][..]),
        };
        self.result(op, first)?;
        op.defs.iter().try_for_each(|&def| self.define(def))?;
        if !op
            .defs
            .iter()
            .map(|&d| self.trace.types[d])
            .eq(others.iter().copied())
        {
            return Err(format!("{} has other results", info.name));
        }
        Ok(())
    }

    /// A label starts a section. The first one of a loop defines the inputs again; any other is reached by jumps alone, or
    /// gets its values from the section before it as arguments.
    fn label(&mut self, n: usize, op: &Op) -> Check {
        self.result(op, None)?;
        let label = op.descr.label();
        if self.labels.contains(&label) {
            return Err(format!("label {label} stands here twice"));
        }
        self.labels.push(label);
        if n == 0 && op.defs == self.trace.inputs && op.args.is_empty() {
            return Ok(());
        }
        let reached = n > 0 && self.trace.ops[n - 1].opcode.shape() != Shape::End;
        if reached || !op.args.is_empty() {
            let tys: Vec<Ty> = op
                .defs
                .iter()
                .filter_map(|&d| self.trace.types.get(d).copied())
                .collect();
            self.params(op, &tys)?;
        }
        self.section += 1;
        op.defs.iter().try_for_each(|&def| self.define(def))
    }

    fn end(&mut self, op: &Op) -> Check {
        self.result(op, None)?;
        if op.opcode != Opcode::Jump {
            return Ok(());
        }
        let label = self
            .trace
            .ops
            .iter()
            .find(|o| o.opcode == Opcode::Label && o.descr == op.descr);
        let Some(label) = label else { return Ok(()) };
        let tys: Vec<Ty> = label
            .defs
            .iter()
            .filter_map(|&d| self.trace.types.get(d).copied())
            .collect();
        self.params(op, &tys)
    }

    fn snapshot(&mut self, snapshot: SnapshotId) -> Check {
        let mut next = Some(snapshot);
        while let Some(id) = next {
            let Some(snapshot) = self.trace.snapshots.get(id) else {
                return Err(format!("snapshot {id} is unknown"));
            };
            if std::mem::replace(&mut self.seen[id], self.section) == self.section {
                return Ok(());
            }
            self.frame(snapshot.frame.regs.iter().map(|r| r.0))?;
            for &(_, val) in &snapshot.frame.regs {
                self.val(val)?;
            }
            if snapshot.parent.is_some_and(|p| p >= id) {
                return Err(format!("the outer frame of snapshot {id} comes behind it"));
            }
            next = snapshot.parent;
        }
        Ok(())
    }

    fn frame(&self, regs: impl Iterator<Item = u16>) -> Check {
        let mut before = None;
        for reg in regs {
            if before.is_some_and(|b| b >= reg) {
                return Err(format!("register r{reg} is not in ascending order"));
            }
            before = Some(reg);
        }
        Ok(())
    }

    fn resume(&self, resume: &Resume) -> Check {
        for (n, &value) in resume.fail_args.iter().enumerate() {
            self.visible(value)?;
            if resume.fail_args[..n].contains(&value) {
                return Err(format!("fail argument {value} is there twice"));
            }
        }
        for info in &resume.virtuals {
            self.virtual_object(resume, info.class, &info.kind)?;
        }
        for &store in &resume.pending {
            self.pending(resume, store)?;
        }
        for &src in &resume.kept {
            self.src_ty(resume, src, Ty::Ref)?;
            if matches!(src, Src::Virtual(_)) {
                return Err("what is kept exists".to_owned());
            }
        }
        for frame in &resume.frames {
            self.frame(frame.regs.iter().map(|r| r.0))?;
            for &(_, src) in &frame.regs {
                self.src(resume, src)?;
            }
        }
        Ok(())
    }

    fn virtual_object(&self, resume: &Resume, class: ClassId, kind: &VirtualKind) -> Check {
        match kind {
            VirtualKind::Struct { fields } => {
                self.class(class, false)?;
                for &(field, src) in fields {
                    let Some(info) = self.descrs.fields.get(field) else {
                        return Err(format!("{field:?} is unknown"));
                    };
                    if info.class != class {
                        return Err(format!("the field {} is of another class", info.name));
                    }
                    self.src_ty(resume, src, info.ty)?;
                }
            }
            VirtualKind::Array { len, words } => {
                self.class(class, true)?;
                if self.descrs.item_part(class).1 != 0 {
                    let name = &self.descrs.classes[class].name;
                    return Err(format!("{name} is a word of items, and no array's class"));
                }
                let mut before = None;
                for word in words {
                    self.class(word.class, true)?;
                    self.item_word(class, *len, word.index, word.class)?;
                    let place = (word.index, word.class);
                    if before.is_some_and(|b| b >= place) {
                        return Err(format!("item {} is not in ascending order", word.index));
                    }
                    before = Some(place);
                    self.src_ty(resume, word.value, self.descrs.item(word.class).0)?;
                }
            }
        }
        Ok(())
    }

    /// Whether an array with this class and length has this word of an item.
    fn item_word(&self, array: ClassId, len: u32, index: u32, word: ClassId) -> Check {
        if index >= len {
            return Err(format!("an array of {len} has no item {index}"));
        }
        if self.descrs.item_part(word).0 != array {
            let name = |class| &self.descrs.classes[class].name;
            return Err(format!(
                "{} is no word of the items of {}",
                name(word),
                name(array)
            ));
        }
        Ok(())
    }

    fn pending(&self, resume: &Resume, store: PendingStore) -> Check {
        match store {
            PendingStore::Field {
                object,
                field,
                value,
            } => {
                let Some(info) = self.descrs.fields.get(field) else {
                    return Err(format!("{field:?} is unknown"));
                };
                self.src_ty(resume, object, Ty::Ref)?;
                self.src_ty(resume, value, info.ty)
            }
            PendingStore::Item {
                array,
                class,
                value,
                ..
            } => {
                self.class(class, true)?;
                self.src_ty(resume, array, Ty::Ref)?;
                self.src_ty(resume, value, self.descrs.item(class).0)
            }
        }
    }

    fn src(&self, resume: &Resume, src: Src) -> Result<Ty, String> {
        match src {
            Src::Fail(n) => match resume.fail_args.get(usize::from(n)) {
                Some(&value) => Ok(self.trace.types[value]),
                None => Err(format!("there is no fail argument {n}")),
            },
            Src::Const(constant) => Ok(Const::ty(constant)),
            Src::Virtual(n) if usize::from(n) < resume.virtuals.len() => Ok(Ty::Ref),
            Src::Virtual(n) => Err(format!("there is no virtual v{n}")),
        }
    }

    fn src_ty(&self, resume: &Resume, src: Src, ty: Ty) -> Check {
        let have = self.src(resume, src)?;
        // A word takes a value of any type: its bits.
        if have != ty && ty != Ty::Word {
            return Err(format!("a {have} stands where a {ty} belongs"));
        }
        Ok(())
    }
}
