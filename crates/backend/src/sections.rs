//! Cuts a trace into its sections and checks what every backend relies on: values are visible where
//! they are used, guards have identities, and jumps agree with their labels. So a backend never
//! fails in the middle.

use crate::interface::BackendError;
use cranelift_entity::SecondaryMap;
use verdigris_ops::{Descrs, Ty};
use verdigris_trace::{
    Arg, Descr, GuardId, OnFailure, Opcode, OptimisedOp, OptimisedOps, OptimisedTrace, TargetId,
    ValRef,
};

/// The largest number of fail arguments: they have to fit in the context's exit buffer.
pub const MAX_FAIL_ARGS: usize = 1000;

/// A part of a trace that sees no values of other parts.
#[derive(Clone)]
pub struct Section<'a> {
    /// The label that starts it; none for the first section of a bridge.
    pub label: Option<TargetId>,
    /// The values it starts with.
    pub params: &'a [ValRef],
    /// Where its operations begin among the trace's.
    pub first: u32,
    /// Its operations: data operations, guards, calls.
    pub ops: OptimisedOps<'a>,
    /// How it ends.
    pub end: SectionEnd,
}

/// The end of a section.
#[derive(Clone, Debug)]
pub enum SectionEnd {
    /// Continues at a label with these arguments.
    Jump(TargetId, Vec<Arg>),
    /// The portal returns.
    Finish(Vec<Arg>),
    /// Continues in the code that the record, which comes first, names: there these are the
    /// parameters.
    Thread(Vec<Arg>),
    /// The last operation is a `leave`, which never holds.
    Leave,
}

impl SectionEnd {
    /// The values that it passes on.
    pub fn args(&self) -> &[Arg] {
        match self {
            SectionEnd::Jump(_, args) | SectionEnd::Finish(args) | SectionEnd::Thread(args) => args,
            SectionEnd::Leave => &[],
        }
    }
}

impl Section<'_> {
    /// Where the operation that ends it stands in the trace.
    pub fn last(&self) -> u32 {
        let behind = self.first + self.ops.len() as u32;
        match self.end {
            SectionEnd::Jump(..) | SectionEnd::Finish(_) | SectionEnd::Thread(_) => behind,
            SectionEnd::Leave => behind - 1,
        }
    }

    /// The types of the parameters.
    pub fn param_types(&self, trace: &OptimisedTrace) -> Box<[Ty]> {
        self.params.iter().map(|&v| trace.types[v]).collect()
    }
}

/// The types of the parameters of a label that was compiled earlier.
pub type LabelTypes<'a> = &'a dyn Fn(TargetId) -> Option<Box<[Ty]>>;

/// The sections of a loop or entry trace, which starts with a label.
///
/// # Errors
/// If the trace cannot be compiled.
pub fn loop_sections<'a>(
    descrs: &Descrs,
    trace: &'a OptimisedTrace,
    known: LabelTypes<'_>,
) -> Result<Vec<Section<'a>>, BackendError> {
    let sections = cut(trace)?;
    if sections[0].label.is_none() {
        return Err(error("a loop starts with a label that defines its inputs"));
    }
    Checker::new(descrs, trace, known, &sections).run(&sections)?;
    Ok(sections)
}

/// The sections of a bridge, of which the first one has no label and starts with the inputs: the
/// fail arguments of the guard that it is for, which are of these types.
///
/// # Errors
/// If the trace cannot be compiled.
pub fn bridge_sections<'a>(
    descrs: &Descrs,
    trace: &'a OptimisedTrace,
    known: LabelTypes<'_>,
    guard: GuardId,
    fail_args: impl IntoIterator<Item = Ty>,
) -> Result<Vec<Section<'a>>, BackendError> {
    let inputs = trace.inputs.iter().map(|&v| trace.types[v]);
    if !inputs.eq(fail_args) {
        return Err(BackendError(format!(
            "the bridge's inputs are not the fail arguments of {guard}"
        )));
    }
    let mut sections = cut(trace)?;
    if let Some(target) = sections[0].label {
        let args = trace.inputs.iter().map(|&v| Arg::Ref(v)).collect();
        let entry = Section {
            label: None,
            params: &trace.inputs,
            first: 0,
            ops: trace.ops().slice(0..0),
            end: SectionEnd::Jump(target, args),
        };
        sections.insert(0, entry);
    }
    Checker::new(descrs, trace, known, &sections).run(&sections)?;
    Ok(sections)
}

fn error(message: impl Into<String>) -> BackendError {
    BackendError(message.into())
}

fn cut(trace: &OptimisedTrace) -> Result<Vec<Section<'_>>, BackendError> {
    let mut sections = Vec::new();
    let ops = trace.ops();
    let mut at = 0;
    let mut label = None;
    let mut params = &trace.inputs[..];
    if let Some(op) = ops.get(at)
        && op.opcode() == Opcode::Label
    {
        label = Some(op.label());
        params = op.params();
        at += 1;
    }
    loop {
        let rest = ops.skip_to(at);
        let Some(len) = rest.iter().position(|op| ends(op.opcode())) else {
            return Err(error(
                "the last operation must be jump, finish, thread or leave",
            ));
        };
        let last = rest.at(len);
        let (end, inner) = match last.opcode() {
            Opcode::Finish => (SectionEnd::Finish(last.args().iter().collect()), len),
            Opcode::Thread => (SectionEnd::Thread(last.args().iter().collect()), len),
            // It is also one of the guards.
            Opcode::Leave => (SectionEnd::Leave, len + 1),
            _ => (
                SectionEnd::Jump(last.label(), last.args().iter().collect()),
                len,
            ),
        };
        sections.push(Section {
            label,
            params,
            first: at as u32,
            ops: rest.slice(0..inner),
            end,
        });
        // A label ends the section before it and starts the next one; behind another end stands a
        // label or nothing.
        at += len + usize::from(last.opcode() != Opcode::Label);
        let Some(next) = ops.get(at) else {
            return Ok(sections);
        };
        if next.opcode() != Opcode::Label {
            return Err(error(
                "behind jump, finish, thread or leave only a label can follow",
            ));
        }
        label = Some(next.label());
        params = next.params();
        at += 1;
    }
}

fn ends(opcode: Opcode) -> bool {
    opcode == Opcode::Label || opcode.ends_section()
}

struct Checker<'a> {
    descrs: &'a Descrs,
    trace: &'a OptimisedTrace,
    known: LabelTypes<'a>,
    labels: Vec<(TargetId, &'a [ValRef])>,
    /// The section that defines a value, from 1.
    defined_in: SecondaryMap<ValRef, u32>,
    section: u32,
}

impl<'a> Checker<'a> {
    fn new(
        descrs: &'a Descrs,
        trace: &'a OptimisedTrace,
        known: LabelTypes<'a>,
        sections: &[Section<'a>],
    ) -> Self {
        Checker {
            descrs,
            trace,
            known,
            labels: sections
                .iter()
                .filter_map(|s| Some((s.label?, s.params)))
                .collect(),
            defined_in: SecondaryMap::with_capacity(trace.types.len()),
            section: 0,
        }
    }

    fn run(&mut self, sections: &[Section<'_>]) -> Result<(), BackendError> {
        for (n, &(label, _)) in self.labels.iter().enumerate() {
            if (self.known)(label).is_some() || self.labels[..n].iter().any(|l| l.0 == label) {
                return Err(error(format!("{label} has been compiled already")));
            }
        }
        for section in sections {
            self.section += 1;
            section.params.iter().for_each(|&v| self.define(v));
            section.ops.iter().try_for_each(|op| self.op(op))?;
            self.end(&section.end)?;
        }
        Ok(())
    }

    fn define(&mut self, value: ValRef) {
        self.defined_in[value] = self.section;
    }

    fn op(&mut self, op: OptimisedOp<'_>) -> Result<(), BackendError> {
        op.args().iter().try_for_each(|arg| self.val(arg))?;
        self.refers(op)?;
        match op.opcode() {
            Opcode::Data(data) => {
                self.args(op, data.params(), "operation")?;
                self.results(op, data.ret().as_slice())?;
            }
            Opcode::Call => {
                let info = &self.descrs.fns[op.function()];
                self.args(op, &info.params, &info.name)?;
                self.results(op, &info.ret)?;
            }
            Opcode::MergePoint => {}
            Opcode::Hole => self.hole(op)?,
            _ => self.guard(op)?,
        }
        Ok(())
    }

    /// A word of a record, which has any type.
    fn hole(&mut self, op: OptimisedOp<'_>) -> Result<(), BackendError> {
        self.args(op, &[Ty::Int, Ty::Int], "hole")?;
        match (op.args().constant(1), op.result()) {
            (Some(_), Some(result)) => self.results(op, &[self.trace.types[result]]),
            _ => Err(error("a hole has a number and a result")),
        }
    }

    fn results(&mut self, op: OptimisedOp<'_>, types: &[Ty]) -> Result<(), BackendError> {
        let defined = op.definitions().map(|v| self.trace.types[v]);
        if !defined.eq(types.iter().copied()) {
            let name = op.opcode().name();
            return Err(error(format!("{name} has a result of another type")));
        }
        op.definitions().for_each(|v| self.define(v));
        Ok(())
    }

    fn refers(&self, op: OptimisedOp<'_>) -> Result<(), BackendError> {
        let found = match op.descr() {
            Descr::None => true,
            Descr::Field(field) => self.descrs.fields.get(field).is_some(),
            Descr::Fn(function) => self.descrs.fns.get(function).is_some(),
            Descr::Class(class) => self.descrs.classes.get(class).is_some(),
            Descr::Label(_) => false,
        };
        if !found {
            let name = op.opcode().name();
            return Err(error(format!("the descriptor of {name} is unknown")));
        }
        Ok(())
    }

    fn guard(&self, op: OptimisedOp<'_>) -> Result<(), BackendError> {
        let name = op.opcode().name();
        let fail_args = op.fail_args();
        let first = op.args().first().map_or(Ty::Int, |arg| self.trace.ty(arg));
        self.args(op, &op.opcode().guard_types(first), name)?;
        fail_args.iter().try_for_each(|&v| self.visible(v))?;
        if let Some(target) = op.side() {
            return self.side(op, target);
        }
        if op.guard().is_none() {
            return Err(error(format!("a {name} has no identity")));
        }
        if fail_args.len() > MAX_FAIL_ARGS {
            return Err(error(format!(
                "a {name} has {} fail arguments, more than {MAX_FAIL_ARGS}: keep fewer values alive in the interpreter",
                fail_args.len()
            )));
        }
        Ok(())
    }

    /// Checks that a side is a label of this trace, and that the guard could have a bridge.
    fn side(&self, op: OptimisedOp<'_>, target: TargetId) -> Result<(), BackendError> {
        let name = op.opcode().name();
        if op.opcode().failing() != Some(OnFailure::Bridge) || op.opcode() == Opcode::Leave {
            return Err(error(format!("a {name} leads out of its trace")));
        }
        let Some((_, params)) = self.labels.iter().find(|l| l.0 == target) else {
            return Err(error(format!(
                "a {name} goes to {target}, which is not in this trace"
            )));
        };
        let types = |values: &[ValRef]| -> Vec<Ty> {
            values.iter().map(|&v| self.trace.types[v]).collect()
        };
        if types(params) != types(op.fail_args()) {
            return Err(error(format!(
                "a {name} does not fit the parameters of {target}"
            )));
        }
        Ok(())
    }

    fn end(&self, end: &SectionEnd) -> Result<(), BackendError> {
        match end {
            SectionEnd::Finish(values) => values.iter().try_for_each(|&v| self.val(v)),
            SectionEnd::Thread(args) => {
                args.iter().try_for_each(|&v| self.val(v))?;
                match args.first().map(|&record| self.trace.ty(record)) {
                    Some(Ty::Int) => Ok(()),
                    _ => Err(error("a thread goes to a record")),
                }
            }
            SectionEnd::Leave => Ok(()),
            SectionEnd::Jump(target, args) => {
                args.iter().try_for_each(|&v| self.val(v))?;
                let own = self.labels.iter().find(|l| l.0 == *target);
                let params = match own {
                    Some((_, defs)) => defs.iter().map(|&v| self.trace.types[v]).collect(),
                    None => (self.known)(*target)
                        .ok_or_else(|| error(format!("{target} has not been compiled")))?,
                };
                if !args
                    .iter()
                    .map(|&v| self.trace.ty(v))
                    .eq(params.iter().copied())
                {
                    return Err(error(format!(
                        "a jump does not fit the parameters of {target}"
                    )));
                }
                Ok(())
            }
        }
    }

    fn args(&self, op: OptimisedOp<'_>, params: &[Ty], name: &str) -> Result<(), BackendError> {
        let types = op.args().iter().map(|v| self.trace.ty(v));
        if types.eq(params.iter().copied()) {
            return Ok(());
        }
        Err(error(format!("the arguments of {name} have other types")))
    }

    fn val(&self, val: Arg) -> Result<(), BackendError> {
        val.as_ref().map_or(Ok(()), |v| self.visible(v))
    }

    fn visible(&self, value: ValRef) -> Result<(), BackendError> {
        if self.defined_in[value] == self.section {
            return Ok(());
        }
        Err(error(format!("{value} is not defined in its section")))
    }
}
