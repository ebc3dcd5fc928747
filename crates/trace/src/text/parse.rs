//! Parses a trace. Values are numbered in the order of their definition, whatever the text calls
//! them; equal snapshots become one.

use super::form::TraceForm;
use super::scan::{Parsed, Scanner, TraceParseError};
use crate::descr::Descr;
use crate::table::{OpRefers, Opcode};
use crate::trace::Trace;
use crate::value::{Arg, Const, TargetId, ValRef};
use std::collections::HashMap;
use verdigris_ops::{ClassId, Descrs, FieldId, FnId, Ty};

/// Parses a trace. An object constant `ref(n)` gets the invented address `16 * (n + 1)`, which must
/// not be followed.
///
/// # Errors
/// If the text is not a trace over these descriptors. The trace still has to be verified: types and
/// arities are not looked at here.
pub fn parse<F: TraceForm>(descrs: &Descrs, text: &str) -> Result<Trace<F>, TraceParseError> {
    Parser::new(descrs, text, None).trace()
}

/// Parses a trace; an object constant `ref(n)` is the address `objects[n]`.
///
/// # Errors
/// As [`parse`], and if the text has more object constants.
pub fn parse_with<F: TraceForm>(
    descrs: &Descrs,
    text: &str,
    objects: &[u64],
) -> Result<Trace<F>, TraceParseError> {
    Parser::new(descrs, text, Some(objects)).trace()
}

/// The state of parsing a trace of the form `F`.
pub struct Parser<'a, F> {
    pub(super) descrs: &'a Descrs,
    objects: Option<&'a [u64]>,
    pub(super) scan: Scanner<'a>,
    pub(super) trace: Trace<F>,
    values: HashMap<&'a str, ValRef>,
}

/// A frame of either form.
pub(super) struct Frame<T> {
    pub code: u32,
    pub pc: u32,
    pub regs: Vec<(u16, T)>,
}

impl<'a, F: TraceForm> Parser<'a, F> {
    fn new(descrs: &'a Descrs, text: &'a str, objects: Option<&'a [u64]>) -> Self {
        Parser {
            descrs,
            objects,
            scan: Scanner::new(text),
            trace: Trace::default(),
            values: HashMap::new(),
        }
    }

    fn trace(mut self) -> Parsed<Trace<F>> {
        self.scan.expect("[")?;
        self.trace.inputs = self.definitions("]")?;
        while !self.scan.at_end() {
            self.op()?;
        }
        Ok(self.trace)
    }

    /// New values up to the closing bracket: `i0, p1` or `i0: int, p1: ref`.
    fn definitions(&mut self, close: &str) -> Parsed<Vec<ValRef>> {
        self.list(close, |p| {
            let at = p.scan.here();
            let name = p.scan.word("a value")?;
            if p.scan.eat(":") {
                let ty = p.scan.word("a type")?;
                if value_type(name).is_none_or(|t| t.to_string() != ty) {
                    let message =
                        format!("`{name}` cannot be {ty}: i is int, p ref, f float, w word");
                    return Err(p.scan.error_at(at, message));
                }
            }
            p.define(at, name)
        })
    }

    fn define(&mut self, at: usize, name: &'a str) -> Parsed<ValRef> {
        // The first label of a loop defines the inputs again; the verifier knows where else that is
        // wrong.
        if let Some(&value) = self.values.get(name) {
            return Ok(value);
        }
        let Some(ty) = value_type(name) else {
            let message = format!("`{name}` is not a value: expected i, p or f and a number");
            return Err(self.scan.error_at(at, message));
        };
        let value = self.trace.value(ty);
        self.values.insert(name, value);
        Ok(value)
    }

    pub(super) fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.scan.eat(close) {
            items.push(item(self)?);
            if !self.scan.eat(",") {
                self.scan.expect(close)?;
                break;
            }
        }
        Ok(items)
    }

    fn op(&mut self) -> Parsed<()> {
        let at = self.scan.here();
        let mut word = self.scan.word("an operation")?;
        let mut results = Vec::new();
        if matches!(self.scan.peek(), Some('=' | ',')) {
            results.push((at, word));
            while self.scan.eat(",") {
                results.push((self.scan.here(), self.scan.word("a value")?));
            }
            self.scan.expect("=")?;
            word = self.scan.word("an operation")?;
        }
        let Some(opcode) = Opcode::from_name(word) else {
            return Err(self
                .scan
                .error_at(at, format!("`{word}` is not an operation")));
        };
        if !results.is_empty() && (opcode.is_guard() || opcode == Opcode::Label) {
            let message = format!("`{word}` has no results");
            return Err(self.scan.error_at(at, message));
        }
        if opcode == Opcode::Label {
            return self.label();
        }
        let target = match opcode.refers() {
            OpRefers::Label => Some(self.target()?),
            _ => None,
        };
        self.scan.expect("(")?;
        let args = self.list(")", Self::val)?;
        let descr = match target {
            Some(target) => target.into(),
            None => self.descr(opcode)?,
        };
        if opcode.is_guard() {
            let exit = F::parse_exit(self)?;
            self.trace.push_guard(opcode, &args, descr, exit);
            return Ok(());
        }
        if opcode == Opcode::Jump {
            F::parse_arrival(self)?;
        }
        let first = self.trace.types.next_key();
        for &(at, name) in &results {
            if self.values.contains_key(name) {
                return Err(self.scan.error_at(at, format!("`{name}` is defined twice")));
            }
            self.define(at, name)?;
        }
        self.trace
            .push_defining(opcode, &args, descr, first, results.len());
        Ok(())
    }

    /// The rest of a label.
    fn label(&mut self) -> Parsed<()> {
        let target = self.target()?;
        self.scan.expect("(")?;
        let definitions = self.definitions(")")?;
        let mut args = Vec::new();
        if self.scan.eat("<-") {
            self.scan.expect("(")?;
            args = self.list(")", Self::val)?;
        }
        self.trace.push_label(target, &definitions, &args);
        Ok(())
    }

    pub(super) fn target(&mut self) -> Parsed<TargetId> {
        self.scan.expect("L")?;
        let number = self.scan.index("the number of a label")?;
        Ok(TargetId::from_u32(number))
    }

    /// The descriptor behind the arguments.
    fn descr(&mut self, opcode: Opcode) -> Parsed<Descr> {
        Ok(match opcode.refers() {
            OpRefers::Nothing | OpRefers::Label => Descr::None,
            OpRefers::Field => self.field()?.into(),
            OpRefers::Struct | OpRefers::Array | OpRefers::Class => self.class()?.into(),
            OpRefers::Fn => self.function()?.into(),
        })
    }

    fn function(&mut self) -> Parsed<FnId> {
        let at = self.scan.here();
        let name = self.scan.name("a function")?;
        let found = self.descrs.fn_by_name(&name);
        found.ok_or_else(|| {
            self.scan
                .error_at(at, format!("no function is called `{name}`"))
        })
    }

    pub(super) fn class(&mut self) -> Parsed<ClassId> {
        let at = self.scan.here();
        let name = self.scan.name("a class")?;
        let found = self.descrs.class_by_name(&name);
        found.ok_or_else(|| {
            self.scan
                .error_at(at, format!("no class is called `{name}`"))
        })
    }

    fn field(&mut self) -> Parsed<FieldId> {
        let at = self.scan.here();
        let name = self.scan.name("a field")?;
        match self.descrs.field_by_name(&name) {
            Some(field) => Ok(field),
            None => Err(self
                .scan
                .error_at(at, format!("no field is called `{name}`"))),
        }
    }

    pub(super) fn val(&mut self) -> Parsed<Arg> {
        let at = self.scan.here();
        if let Some(constant) = self.constant()? {
            return Ok(Arg::Const(constant));
        }
        let name = self.scan.word("a value or a constant")?;
        match self.values.get(name) {
            Some(&value) => Ok(Arg::Ref(value)),
            None => Err(self
                .scan
                .error_at(at, format!("`{name}` is not defined here"))),
        }
    }

    fn constant(&mut self) -> Parsed<Option<Const>> {
        if let Some(number) = self.scan.number()? {
            return Ok(Some(number));
        }
        let at = self.scan.here();
        let constant = match self.scan.peek_word() {
            "null" => Const::Ref(0),
            "inf" => Const::Float(f64::INFINITY.to_bits()),
            "NaN" => Const::Float(f64::NAN.to_bits()),
            "float" => {
                self.scan.word("a constant")?;
                self.scan.expect("(")?;
                let bits = self.scan.hex()?;
                self.scan.expect(")")?;
                return Ok(Some(Const::Float(bits)));
            }
            "ref" => {
                self.scan.word("a constant")?;
                self.scan.expect("(")?;
                let n = self.scan.index("the number of an object")?;
                self.scan.expect(")")?;
                return self.object(at, n).map(Some);
            }
            _ => return Ok(None),
        };
        self.scan.word("a constant")?;
        Ok(Some(constant))
    }

    fn object(&self, at: usize, n: u32) -> Parsed<Const> {
        match self.objects {
            None => Ok(Const::Ref(16 * (u64::from(n) + 1))),
            Some(objects) => match objects.get(n as usize) {
                Some(&address) => Ok(Const::Ref(address)),
                None => Err(self
                    .scan
                    .error_at(at, format!("there is no object number {n}"))),
            },
        }
    }

    /// `code:pc r1=.. r2=..`
    pub(super) fn frame<T>(
        &mut self,
        mut value: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Frame<T>> {
        let code = self.scan.index("the number of a jitcode")?;
        self.scan.expect(":")?;
        let pc = self.scan.index("a pc")?;
        let mut regs = Vec::new();
        while self.at_register() {
            self.scan.expect("r")?;
            let at = self.scan.here();
            let reg = self.scan.index("the number of a register")?;
            let Ok(reg) = u16::try_from(reg) else {
                return Err(self
                    .scan
                    .error_at(at, "a frame has at most 65536 registers"));
            };
            self.scan.expect("=")?;
            regs.push((reg, value(self)?));
        }
        Ok(Frame { code, pc, regs })
    }

    fn at_register(&mut self) -> bool {
        let digits = self.scan.peek_word().strip_prefix('r').unwrap_or("");
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    }
}

/// The type that a value's name says.
fn value_type(name: &str) -> Option<Ty> {
    let number = name.get(1..)?;
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    match name.as_bytes()[0] {
        b'i' => Some(Ty::Int),
        b'p' => Some(Ty::Ref),
        b'f' => Some(Ty::Float),
        b'w' => Some(Ty::Word),
        _ => None,
    }
}
