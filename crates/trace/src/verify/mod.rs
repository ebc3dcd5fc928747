//! The verifier of traces, run after every stage that makes or rewrites one, in debug builds.

mod exits;
mod snapshots;

use crate::descr::Descr;
use crate::exits::{ExitId, ExitTable};
use crate::op::Operation;
use crate::snapshots::SnapshotId;
use crate::table::{ArgShape, GuardParam, OpRefers, Opcode};
use crate::trace::Trace;
use crate::value::{Arg, TargetId, ValRef};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::fmt;
use verdigris_ops::{ClassId, ClassKind, DataOp, Descrs, FieldId, Ty};

/// An error in a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceVerifyError {
    /// The index of the operation; the length of the trace if it is the trace as a whole.
    pub op: usize,
    /// The message.
    pub message: String,
}

impl fmt::Display for TraceVerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {}: {}", self.op, self.message)
    }
}

impl std::error::Error for TraceVerifyError {}

/// The checks of what the guards of one form carry.
pub trait CheckExits: ExitTable {
    /// Of the exit of the guard that is the `n`-th operation.
    #[doc(hidden)]
    fn check_exit(
        verifier: &mut Verifier<'_, Self>,
        op: Operation<'_, Self>,
        exit: ExitId,
        n: usize,
    ) -> Check;

    /// Of what the trace carries for its end, which is this opcode.
    #[doc(hidden)]
    fn check_end(verifier: &mut Verifier<'_, Self>, end: Opcode) -> Check;
}

/// Checks types, arity, descriptors, that definitions come before uses within their section, that
/// every guard has an exit of its own, and that sections end in `jump` or `finish`.
///
/// # Errors
/// The first operation that is wrong.
pub fn verify<F: CheckExits>(descrs: &Descrs, trace: &Trace<F>) -> Result<(), TraceVerifyError> {
    let mut verifier = Verifier::new(descrs, trace);
    let error = |op: usize, message: String| TraceVerifyError { op, message };
    verifier.inputs().map_err(|message| error(0, message))?;
    for (n, op) in trace.ops().iter().enumerate() {
        verifier.op(n, op).map_err(|message| error(n, message))?;
    }
    verifier
        .end_of_trace()
        .map_err(|message| error(trace.ops().len(), message))
}

type Check = Result<(), String>;

/// The state of checking a trace of the form `F`.
pub struct Verifier<'a, F> {
    descrs: &'a Descrs,
    trace: &'a Trace<F>,
    /// The section that defines a value, from 1; 0 before its definition.
    defined_in: SecondaryMap<ValRef, u32>,
    section: u32,
    labels: Vec<TargetId>,
    /// How many guards there have been.
    guards: usize,
    /// The section in which a snapshot has been found good last.
    seen: SecondaryMap<SnapshotId, u32>,
}

impl<'a, F: CheckExits> Verifier<'a, F> {
    fn new(descrs: &'a Descrs, trace: &'a Trace<F>) -> Self {
        Verifier {
            descrs,
            trace,
            defined_in: SecondaryMap::new(),
            section: 1,
            labels: Vec::new(),
            guards: 0,
            seen: SecondaryMap::new(),
        }
    }

    fn inputs(&mut self) -> Check {
        self.trace
            .inputs
            .iter()
            .try_for_each(|&input| self.define(input))
    }

    fn end_of_trace(&mut self) -> Check {
        let end = self.trace.ops().last().map(|op| op.opcode());
        let Some(end) = end.filter(|opcode| opcode.ends_section()) else {
            return Err(
                "the last operation must be jump, close, finish, thread or leave".to_owned(),
            );
        };
        if self.guards != self.trace.exits.count() {
            return Err("there is an exit without a guard".to_owned());
        }
        F::check_end(self, end)
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

    fn op(&mut self, n: usize, op: Operation<'a, F>) -> Check {
        for arg in op.args().iter() {
            self.val(arg)?;
        }
        self.ends_section(n, op)?;
        self.refers(op)?;
        match op.opcode().shape() {
            ArgShape::Data => self.data(op),
            ArgShape::Guard => self.guard(n, op),
            ArgShape::Call => self.call(op),
            ArgShape::Hole => self.hole(op),
            ArgShape::Label if op.opcode() == Opcode::Label => self.label(n, op),
            ArgShape::Label => self.results(op, &[]),
            ArgShape::End => self.end(op),
        }
    }

    fn val(&self, val: Arg) -> Check {
        match val {
            Arg::Ref(value) => self.visible(value),
            Arg::Const(_) => Ok(()),
        }
    }

    /// Behind `jump`, `close`, `finish`, `thread` and `leave` comes a label or nothing.
    fn ends_section(&self, n: usize, op: Operation<'a, F>) -> Check {
        let ended = n > 0 && self.trace.ops().at(n - 1).opcode().ends_section();
        if ended && op.opcode() != Opcode::Label {
            return Err(
                "behind jump, close, finish, thread or leave only a label can follow".to_owned(),
            );
        }
        Ok(())
    }

    fn data(&mut self, op: Operation<'a, F>) -> Check {
        let Opcode::Data(data) = op.opcode() else {
            return Err("not a data operation".to_owned());
        };
        self.params(op, data.params())?;
        match (op.descr(), op.opcode().refers()) {
            (Descr::Field(field), _) => self.field_op(field, data.params(), data.ret())?,
            (Descr::Class(class), OpRefers::Array) => self.array_op(class, data)?,
            _ => {}
        }
        self.results(op, data.ret().as_slice())
    }

    /// The descriptor exists, and a class is of the kind that the row wants.
    fn refers(&self, op: Operation<'a, F>) -> Check {
        let unknown = |what, n: u32| Err(format!("{what} {n} is unknown"));
        match (op.descr(), op.opcode().refers()) {
            (Descr::Field(field), _) if self.descrs.fields.get(field).is_none() => {
                unknown("field", field.as_u32())
            }
            (Descr::Fn(function), _) if self.descrs.fns.get(function).is_none() => {
                unknown("function", function.as_u32())
            }
            (Descr::Class(class), _) if self.descrs.classes.get(class).is_none() => {
                unknown("class", class.as_u32())
            }
            (Descr::Class(class), OpRefers::Struct) => self.class(class, false),
            (Descr::Class(class), OpRefers::Array) => self.class(class, true),
            _ => Ok(()),
        }
    }

    fn params(&self, op: Operation<'a, F>, params: &[Ty]) -> Check {
        if op.args().len() != params.len() {
            let (name, want, have) = (op.opcode().name(), params.len(), op.args().len());
            return Err(format!("{name} has {want} arguments, not {have}"));
        }
        for (arg, &ty) in op.args().iter().zip(params) {
            let have = self.trace.ty(arg);
            if have != ty {
                return Err(format!(
                    "{} wants {ty} where it has {have}",
                    op.opcode().name()
                ));
            }
        }
        Ok(())
    }

    fn results(&mut self, op: Operation<'a, F>, types: &[Ty]) -> Check {
        op.definitions().try_for_each(|value| self.define(value))?;
        let have = op.definitions().map(|value| self.trace.types[value]);
        if !have.eq(types.iter().copied()) {
            let has = match (op.definitions().len(), types.len()) {
                (0 | 1, 0 | 1) => "a result of another type",
                _ => "other results",
            };
            return Err(format!("{} has {has}", op.opcode().name()));
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

    fn guard(&mut self, n: usize, op: Operation<'a, F>) -> Check {
        self.guard_params(op)?;
        if matches!(op.opcode(), Opcode::GuardNoPanic | Opcode::GuardNotForced) {
            let call = n.checked_sub(1).map(|n| self.trace.ops().at(n));
            if call.is_none_or(|op| op.opcode().shape() != ArgShape::Call) {
                let name = op.opcode().name();
                return Err(format!("{name} stands directly behind a call"));
            }
        }
        let exit = op.exit_id().expect("a guard has an exit");
        if exit.index() != self.guards || self.guards >= self.trace.exits.count() {
            return Err(format!(
                "guard {} of the trace has the exit {exit}",
                self.guards
            ));
        }
        self.guards += 1;
        F::check_exit(self, op, exit, n)
    }

    /// The arguments are those of the operation's row.
    fn guard_params(&self, op: Operation<'a, F>) -> Check {
        let (name, params) = (op.opcode().name(), op.opcode().guard_params());
        let first = op.args().first().map_or(Ty::Int, |arg| self.trace.ty(arg));
        if params.first() == Some(&GuardParam::Any) && first == Ty::Word {
            return Err(format!("{name} is never of a word"));
        }
        self.params(op, &op.opcode().guard_types(first))?;
        let is_constant = |(&param, arg): (&GuardParam, Arg)| {
            param != GuardParam::Const || arg.as_const().is_some()
        };
        if !params.iter().zip(op.args().iter()).all(is_constant) {
            return Err(format!("{name} compares with a constant"));
        }
        Ok(())
    }

    fn call(&mut self, op: Operation<'a, F>) -> Check {
        let info = &self.descrs.fns[op.descr().function()];
        self.params(op, &info.params)?;
        self.results(op, &info.ret)
    }

    /// A word of a record, whose layout only the specialiser knows.
    fn hole(&mut self, op: Operation<'a, F>) -> Check {
        self.params(op, &[Ty::Int, Ty::Int])?;
        if op.args().constant(1).is_none() {
            return Err("the number of a hole is a constant".to_owned());
        }
        let types: Vec<Ty> = self.types_of(op);
        match types[..] {
            [Ty::Int | Ty::Ref | Ty::Float] => self.results(op, &types),
            _ => Err("a hole is an int, a ref or a float".to_owned()),
        }
    }

    /// A label starts a section. The first one of a loop defines the inputs again; any other is
    /// reached by jumps alone, or gets its values from the section before it as arguments.
    fn label(&mut self, n: usize, op: Operation<'a, F>) -> Check {
        let label = op.label();
        if self.labels.contains(&label) {
            return Err(format!("label {label} stands here twice"));
        }
        self.labels.push(label);
        let inputs = self.trace.inputs.iter().copied();
        if n == 0 && op.definitions().eq(inputs) && op.args().is_empty() {
            return Ok(());
        }
        let reached = n > 0 && !self.trace.ops().at(n - 1).opcode().ends_section();
        if reached || !op.args().is_empty() {
            self.params(op, &self.types_of(op))?;
        }
        self.section += 1;
        op.definitions().try_for_each(|def| self.define(def))
    }

    /// The types of what an operation defines.
    fn types_of(&self, op: Operation<'a, F>) -> Vec<Ty> {
        let types = op.definitions();
        types
            .filter_map(|d| self.trace.types.get(d).copied())
            .collect()
    }

    fn end(&mut self, op: Operation<'a, F>) -> Check {
        self.results(op, &[])?;
        if op.opcode() == Opcode::Thread {
            let record = op.args().first().map(|arg| self.trace.ty(arg));
            return match record {
                Some(Ty::Int) => Ok(()),
                _ => Err("thread wants the address of a record first".to_owned()),
            };
        }
        if op.opcode() != Opcode::Jump {
            return Ok(());
        }
        let mut labels = self.trace.ops().iter();
        let label = labels.find(|o| o.opcode() == Opcode::Label && o.label() == op.label());
        match label {
            Some(label) => self.params(op, &self.types_of(label)),
            None => Ok(()),
        }
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
}
