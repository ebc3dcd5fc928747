//! Prints a trace, valid or not. Values are numbered in the order of their definition, so traces
//! that differ in numbering alone print alike; addresses are never printed.

use super::form::TraceForm;
use crate::descr::Descr;
use crate::op::{OpArgs, Operation, Operations};
use crate::table::Opcode;
use crate::trace::Trace;
use crate::value::{Arg, Const, ValRef};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::fmt::{self, Write};
use verdigris_ops::text::name;
use verdigris_ops::{ClassId, Descrs, FieldId, Ty};

/// Prints a trace; object constants are numbered in the order of their first use.
pub fn print<F: TraceForm>(descrs: &Descrs, trace: &Trace<F>) -> String {
    print_with(descrs, trace, &mut Vec::new())
}

/// Prints a trace; an object constant prints as its place in `objects`, where new ones are added.
pub fn print_with<F: TraceForm>(
    descrs: &Descrs,
    trace: &Trace<F>,
    objects: &mut Vec<u64>,
) -> String {
    let mut printer = Printer::new(descrs, trace, objects);
    // Writing to a string never fails.
    let _ = printer.ops(&trace.inputs, trace.ops());
    printer.out
}

/// Prints a section of a trace as a trace of its own, which starts with these values.
pub fn print_section<F: TraceForm>(
    descrs: &Descrs,
    trace: &Trace<F>,
    inputs: &[ValRef],
    ops: Operations<'_, F>,
) -> String {
    let mut objects = Vec::new();
    let mut printer = Printer::new(descrs, trace, &mut objects);
    // As above.
    let _ = printer.ops(inputs, ops);
    printer.out
}

/// The state of printing a trace of the form `F`.
pub struct Printer<'a, F> {
    pub(super) descrs: &'a Descrs,
    pub(super) trace: &'a Trace<F>,
    objects: &'a mut Vec<u64>,
    /// The printed number of each value, plus one; zero before its definition.
    numbers: SecondaryMap<ValRef, u32>,
    next: u32,
    pub(super) out: String,
}

impl<'a, F: TraceForm> Printer<'a, F> {
    fn new(descrs: &'a Descrs, trace: &'a Trace<F>, objects: &'a mut Vec<u64>) -> Self {
        Printer {
            descrs,
            trace,
            objects,
            numbers: SecondaryMap::new(),
            next: 0,
            out: String::new(),
        }
    }

    fn ops(&mut self, inputs: &[ValRef], ops: Operations<'_, F>) -> fmt::Result {
        self.out.push('[');
        for (n, &input) in inputs.iter().enumerate() {
            self.comma(n);
            self.define(input);
            self.value(input)?;
        }
        self.out.push_str("]\n");
        ops.iter().try_for_each(|op| self.op(op))
    }

    fn define(&mut self, value: ValRef) {
        if self.numbers[value] == 0 {
            self.next += 1;
            self.numbers[value] = self.next;
        }
    }

    pub(super) fn comma(&mut self, n: usize) {
        if n > 0 {
            self.out.push_str(", ");
        }
    }

    fn op(&mut self, op: Operation<'_, F>) -> fmt::Result {
        if op.opcode() == Opcode::Label {
            return self.label(op);
        }
        for (n, result) in op.definitions().enumerate() {
            // The results get their numbers behind the arguments, so that a value used in its own
            // definition shows.
            self.comma(n);
            let letter = letter(self.trace.types.get(result).copied());
            write!(self.out, "{letter}{}", self.next + n as u32)?;
        }
        if op.result().is_some() {
            self.out.push_str(" = ");
        }
        self.out.push_str(op.opcode().name());
        if let Descr::Label(label) = op.descr() {
            write!(self.out, " {label}")?;
        }
        self.args(op.args())?;
        self.descr(op.descr())?;
        if let Some(exit) = op.exit_id() {
            return F::print_exit(self, exit);
        }
        self.out.push('\n');
        for result in op.definitions() {
            self.next += 1;
            self.numbers[result] = self.next;
        }
        match op.opcode() {
            Opcode::Jump => F::print_arrival(self),
            _ => Ok(()),
        }
    }

    fn label(&mut self, op: Operation<'_, F>) -> fmt::Result {
        write!(self.out, "label {}(", op.label())?;
        for (n, def) in op.definitions().enumerate() {
            self.comma(n);
            self.define(def);
            self.value(def)?;
        }
        self.out.push(')');
        if !op.args().is_empty() {
            self.out.push_str(" <- ");
            self.args(op.args())?;
        }
        self.out.push('\n');
        Ok(())
    }

    fn args(&mut self, args: OpArgs<'_>) -> fmt::Result {
        self.out.push('(');
        for (n, arg) in args.iter().enumerate() {
            self.comma(n);
            self.val(arg)?;
        }
        self.out.push(')');
        Ok(())
    }

    fn descr(&mut self, descr: Descr) -> fmt::Result {
        let name = match descr {
            Descr::None | Descr::Label(_) => return Ok(()),
            Descr::Field(field) => self.field(field),
            Descr::Class(class) => self.class(class),
            Descr::Fn(function) => match self.descrs.fns.get(function) {
                Some(info) => name(&info.name),
                None => format!("unknown{}", function.index()),
            },
        };
        write!(self.out, " {name}")
    }

    pub(super) fn class(&self, class: ClassId) -> String {
        match self.descrs.classes.get(class) {
            Some(info) => name(&info.name),
            None => format!("unknown{}", class.index()),
        }
    }

    pub(super) fn field(&self, field: FieldId) -> String {
        match self.descrs.fields.get(field) {
            Some(_) => name(&self.descrs.field_name(field)),
            None => format!("unknown{}", field.index()),
        }
    }

    pub(super) fn val(&mut self, val: Arg) -> fmt::Result {
        match val {
            Arg::Ref(value) => self.value(value),
            Arg::Const(constant) => self.constant(constant),
        }
    }

    pub(super) fn value(&mut self, value: ValRef) -> fmt::Result {
        let letter = letter(self.trace.types.get(value).copied());
        match self.numbers[value] {
            0 => write!(self.out, "undefined_{letter}{}", value.index()),
            number => write!(self.out, "{letter}{}", number - 1),
        }
    }

    pub(super) fn constant(&mut self, constant: Const) -> fmt::Result {
        match constant {
            Const::Int(v) => write!(self.out, "{v}"),
            Const::Ref(0) => self.out.write_str("null"),
            Const::Ref(address) => {
                let known = self.objects.iter().position(|&o| o == address);
                let number = known.unwrap_or(self.objects.len());
                if known.is_none() {
                    self.objects.push(address);
                }
                write!(self.out, "ref({number})")
            }
            Const::Float(bits) => {
                let v = f64::from_bits(bits);
                if v.is_nan() && bits != f64::NAN.to_bits() {
                    write!(self.out, "float({bits:#x})")
                } else {
                    write!(self.out, "{v:?}")
                }
            }
        }
    }
}

/// The letter before a value's number.
fn letter(ty: Option<Ty>) -> char {
    match ty {
        Some(Ty::Int) => 'i',
        Some(Ty::Ref) => 'p',
        Some(Ty::Float) => 'f',
        Some(Ty::Word) => 'w',
        None => '?',
    }
}
