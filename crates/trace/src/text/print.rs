//! Prints a trace. In: a trace, valid or not. Out: its text. Invariant: values are numbered in the order of their
//! definition, so two traces that differ in numbering alone print alike; never an address.

use crate::resume::{PendingStore, Resume, ResumeFrame, SnapshotId, Src, VirtualInfo, VirtualKind};
use crate::table::Opcode;
use crate::trace::{Const, Descr, Op, Trace, Val, ValRef};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::fmt::{self, Write};
use verdigris_ops::text::name;
use verdigris_ops::{ClassId, Descrs, FieldId, Ty};

/// Prints a trace; object constants are numbered in the order of their first use.
pub fn print(descrs: &Descrs, trace: &Trace) -> String {
    print_with(descrs, trace, &mut Vec::new())
}

/// Prints a trace; an object constant prints as its place in `objects`, where new ones are added.
pub fn print_with(descrs: &Descrs, trace: &Trace, objects: &mut Vec<u64>) -> String {
    let mut printer = Printer {
        descrs,
        trace,
        objects,
        numbers: SecondaryMap::new(),
        next: 0,
        out: String::new(),
    };
    // Writing to a string never fails.
    let _ = printer.trace();
    printer.out
}

struct Printer<'a> {
    descrs: &'a Descrs,
    trace: &'a Trace,
    objects: &'a mut Vec<u64>,
    /// The printed number of each value, plus one; zero before its definition.
    numbers: SecondaryMap<ValRef, u32>,
    next: u32,
    out: String,
}

impl Printer<'_> {
    fn trace(&mut self) -> fmt::Result {
        self.out.push('[');
        for (n, &input) in self.trace.inputs.iter().enumerate() {
            self.comma(n);
            self.define(input);
            self.value(input)?;
        }
        self.out.push_str("]\n");
        self.trace.ops.iter().try_for_each(|op| self.op(op))
    }

    fn define(&mut self, value: ValRef) {
        if self.numbers[value] == 0 {
            self.next += 1;
            self.numbers[value] = self.next;
        }
    }

    fn comma(&mut self, n: usize) {
        if n > 0 {
            self.out.push_str(", ");
        }
    }

    fn op(&mut self, op: &Op) -> fmt::Result {
        if op.opcode == Opcode::Label {
            return self.label(op);
        }
        for (n, result) in op.definitions().enumerate() {
            // The results get their numbers behind the arguments, so that a value used in its own definition shows.
            self.comma(n);
            let letter = letter(self.trace.types.get(result).copied());
            write!(self.out, "{letter}{}", self.next + n as u32)?;
        }
        if op.result.is_some() {
            self.out.push_str(" = ");
        }
        self.out.push_str(op.opcode.name());
        if let Descr::Label(label) = op.descr {
            write!(self.out, " {label}")?;
        }
        self.args(&op.args)?;
        self.descr(op)?;
        if let Some(guard) = op.guard {
            write!(self.out, " g{}", guard.as_u32())?;
        }
        self.out.push('\n');
        for result in op.definitions() {
            self.next += 1;
            self.numbers[result] = self.next;
        }
        if let Some(snapshot) = op.snapshot {
            self.snapshot(snapshot)?;
        }
        op.resume
            .as_ref()
            .map_or(Ok(()), |resume| self.resume(resume))
    }

    fn label(&mut self, op: &Op) -> fmt::Result {
        write!(self.out, "label {}(", op.descr.label())?;
        for (n, &def) in op.defs.iter().enumerate() {
            self.comma(n);
            self.define(def);
            self.value(def)?;
        }
        self.out.push(')');
        if !op.args.is_empty() {
            self.out.push_str(" <- ");
            self.args(&op.args)?;
        }
        self.out.push('\n');
        Ok(())
    }

    fn args(&mut self, args: &[Val]) -> fmt::Result {
        self.out.push('(');
        for (n, &arg) in args.iter().enumerate() {
            self.comma(n);
            self.val(arg)?;
        }
        self.out.push(')');
        Ok(())
    }

    fn descr(&mut self, op: &Op) -> fmt::Result {
        let name = match op.descr {
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

    fn class(&self, class: ClassId) -> String {
        match self.descrs.classes.get(class) {
            Some(info) => name(&info.name),
            None => format!("unknown{}", class.index()),
        }
    }

    fn field(&self, field: FieldId) -> String {
        match self.descrs.fields.get(field) {
            Some(_) => name(&self.descrs.field_name(field)),
            None => format!("unknown{}", field.index()),
        }
    }

    fn val(&mut self, val: Val) -> fmt::Result {
        match val {
            Val::Ref(value) => self.value(value),
            Val::Const(constant) => self.constant(constant),
        }
    }

    fn value(&mut self, value: ValRef) -> fmt::Result {
        let letter = letter(self.trace.types.get(value).copied());
        match self.numbers[value] {
            0 => write!(self.out, "undefined_{letter}{}", value.index()),
            number => write!(self.out, "{letter}{}", number - 1),
        }
    }

    fn constant(&mut self, constant: Const) -> fmt::Result {
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

    fn snapshot(&mut self, snapshot: SnapshotId) -> fmt::Result {
        self.out.push_str("  @");
        let mut next = Some(snapshot);
        while let Some(id) = next {
            let Some(snapshot) = self.trace.snapshots.get(id) else {
                return writeln!(self.out, " unknown snapshot {}", id.index());
            };
            let frame = &snapshot.frame;
            write!(self.out, " {}:{}", frame.code, frame.pc)?;
            for &(reg, val) in &frame.regs {
                write!(self.out, " r{reg}=")?;
                self.val(val)?;
            }
            next = snapshot.parent;
            self.out.push_str(if next.is_some() { " |" } else { "\n" });
        }
        Ok(())
    }

    fn resume(&mut self, resume: &Resume) -> fmt::Result {
        self.out.push_str("  -> [");
        for (n, &value) in resume.fail_args.iter().enumerate() {
            self.comma(n);
            self.value(value)?;
        }
        self.out.push_str("]\n");
        for (n, info) in resume.virtuals.iter().enumerate() {
            self.virtual_object(resume, n, info)?;
        }
        for &store in &resume.pending {
            self.pending(resume, store)?;
        }
        self.kept(resume)?;
        self.out.push_str("  @");
        for (n, frame) in resume.frames.iter().enumerate() {
            self.out.push_str(if n > 0 { " | " } else { " " });
            self.frame(resume, frame)?;
        }
        self.out.push('\n');
        Ok(())
    }

    fn virtual_object(&mut self, resume: &Resume, n: usize, info: &VirtualInfo) -> fmt::Result {
        write!(self.out, "  v{n} = {}", self.class(info.class))?;
        match &info.kind {
            VirtualKind::Struct { fields } => {
                self.out.push('{');
                for (n, &(field, src)) in fields.iter().enumerate() {
                    self.comma(n);
                    let name = self.descrs.fields.get(field).map_or("unknown", |f| &f.name);
                    write!(self.out, "{name}: ")?;
                    self.src(resume, src)?;
                }
                self.out.push_str("}\n");
            }
            VirtualKind::Array { len, words } => {
                write!(self.out, "[{len}]{{")?;
                for (n, word) in words.iter().enumerate() {
                    self.comma(n);
                    write!(self.out, "{}", word.index)?;
                    match self.descrs.item_part(word.class).1 {
                        0 => {}
                        part => write!(self.out, "#{part}")?,
                    }
                    self.out.push_str(": ");
                    self.src(resume, word.value)?;
                }
                self.out.push_str("}\n");
            }
        }
        Ok(())
    }

    fn pending(&mut self, resume: &Resume, store: PendingStore) -> fmt::Result {
        self.out.push_str("  ");
        let value = match store {
            PendingStore::Field {
                object,
                field,
                value,
            } => {
                self.src(resume, object)?;
                write!(self.out, ".{} = ", self.field(field))?;
                value
            }
            PendingStore::Item {
                array,
                class,
                index,
                value,
            } => {
                self.src(resume, array)?;
                write!(self.out, ".{}[{index}] = ", self.class(class))?;
                value
            }
        };
        self.src(resume, value)?;
        self.out.push('\n');
        Ok(())
    }

    fn kept(&mut self, resume: &Resume) -> fmt::Result {
        if resume.kept.is_empty() {
            return Ok(());
        }
        self.out.push_str("  keeps ");
        for (n, &src) in resume.kept.iter().enumerate() {
            self.comma(n);
            self.src(resume, src)?;
        }
        self.out.push('\n');
        Ok(())
    }

    fn frame(&mut self, resume: &Resume, frame: &ResumeFrame) -> fmt::Result {
        write!(self.out, "{}:{}", frame.code, frame.pc)?;
        for &(reg, src) in &frame.regs {
            write!(self.out, " r{reg}=")?;
            self.src(resume, src)?;
        }
        Ok(())
    }

    fn src(&mut self, resume: &Resume, src: Src) -> fmt::Result {
        match src {
            Src::Fail(n) => match resume.fail_args.get(usize::from(n)) {
                Some(&value) => self.value(value),
                None => write!(self.out, "unknown_fail_arg{n}"),
            },
            Src::Const(constant) => self.constant(constant),
            Src::Virtual(n) => write!(self.out, "v{n}"),
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
