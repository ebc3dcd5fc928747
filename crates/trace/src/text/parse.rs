//! Parses a trace. In: text and the descriptors it names. Out: the trace, or the place where the text is wrong. Invariant:
//! values get their numbers in the order of their definition, whatever the text calls them; equal snapshots are one.

use super::scan::{ParseError, Parsed, Scanner};
use crate::resume::{
    FrameSnap, ItemWord, PendingStore, Resume, ResumeFrame, Snapshot, SnapshotId, Src, VirtualInfo,
    VirtualKind,
};
use crate::table::{Opcode, Refers};
use crate::trace::{Const, GuardId, Op, TargetId, Trace, Val, ValRef};
use std::collections::HashMap;
use verdigris_ops::{ClassId, ClassKind, Descrs, FieldId, FnId, Ty};

/// Parses a trace. An object constant `ref(n)` gets the invented address `16 * (n + 1)`, which must not be followed.
///
/// # Errors
/// If the text is not a trace over these descriptors. The trace still has to be verified: types and arities are not
/// looked at here.
pub fn parse(descrs: &Descrs, text: &str) -> Result<Trace, ParseError> {
    Parser::new(descrs, text, None).trace()
}

/// Parses a trace; an object constant `ref(n)` is the address `objects[n]`.
///
/// # Errors
/// As [`parse`], and if the text has more object constants.
pub fn parse_with(descrs: &Descrs, text: &str, objects: &[u64]) -> Result<Trace, ParseError> {
    Parser::new(descrs, text, Some(objects)).trace()
}

struct Parser<'a> {
    descrs: &'a Descrs,
    objects: Option<&'a [u64]>,
    scan: Scanner<'a>,
    trace: Trace,
    values: HashMap<&'a str, ValRef>,
}

/// A frame of either form.
struct Frame<T> {
    code: u32,
    pc: u32,
    regs: Vec<(u16, T)>,
}

impl<'a> Parser<'a> {
    fn new(descrs: &'a Descrs, text: &'a str, objects: Option<&'a [u64]>) -> Self {
        Parser {
            descrs,
            objects,
            scan: Scanner::new(text),
            trace: Trace::default(),
            values: HashMap::new(),
        }
    }

    fn trace(mut self) -> Parsed<Trace> {
        self.scan.expect("[")?;
        self.trace.inputs = self.definitions("]")?;
        while !self.scan.at_end() {
            let op = self.op()?;
            self.trace.ops.push(op);
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
        // The first label of a loop defines the inputs again; the verifier knows where else that is wrong.
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

    fn list<T>(
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

    fn op(&mut self) -> Parsed<Op> {
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
        let mut op = Op::new(opcode, &[]);
        if opcode.refers() == Refers::Label {
            self.scan.expect("L")?;
            let number = self.scan.index("the number of a label")?;
            op.descr = TargetId::from_u32(number).into();
        }
        self.scan.expect("(")?;
        if opcode == Opcode::Label {
            op.defs = self.definitions(")")?;
            if self.scan.eat("<-") {
                self.scan.expect("(")?;
                op.args = self.list(")", Self::val)?.into();
            }
        } else {
            op.args = self.list(")", Self::val)?.into();
        }
        self.descr(&mut op)?;
        if opcode.is_guard() {
            self.guard(&mut op)?;
        } else if opcode == Opcode::Jump {
            self.frames(&mut op)?;
        }
        for (n, (at, name)) in results.into_iter().enumerate() {
            if self.values.contains_key(name) {
                return Err(self.scan.error_at(at, format!("`{name}` is defined twice")));
            }
            let value = self.define(at, name)?;
            match n {
                0 => op.result = Some(value),
                _ => op.defs.push(value),
            }
        }
        Ok(op)
    }

    fn descr(&mut self, op: &mut Op) -> Parsed<()> {
        op.descr = match op.opcode.refers() {
            // Labels stand in front of the arguments.
            Refers::Nothing | Refers::Label => return Ok(()),
            Refers::Field => self.field()?.into(),
            Refers::Struct | Refers::Array | Refers::Class => self.class()?.into(),
            Refers::Fn => self.function()?.into(),
        };
        Ok(())
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

    fn class(&mut self) -> Parsed<ClassId> {
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

    fn val(&mut self) -> Parsed<Val> {
        let at = self.scan.here();
        if let Some(constant) = self.constant()? {
            return Ok(Val::Const(constant));
        }
        let name = self.scan.word("a value or a constant")?;
        match self.values.get(name) {
            Some(&value) => Ok(Val::Ref(value)),
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

    fn guard(&mut self, op: &mut Op) -> Parsed<()> {
        let word = self.scan.peek_word();
        if word.len() > 1 && word.starts_with('g') && word[1..].bytes().all(|b| b.is_ascii_digit())
        {
            self.scan.expect("g")?;
            op.guard = Some(GuardId::from_u32(self.scan.index("the number of a guard")?));
        }
        if self.scan.eat("->") {
            op.resume = Some(Box::new(self.resume()?));
        } else {
            self.frames(op)?;
        }
        Ok(())
    }

    /// The frames of a recorded guard, or of a jump to another loop, if there are any.
    fn frames(&mut self, op: &mut Op) -> Parsed<()> {
        if self.scan.eat("@") {
            let mut frames = vec![self.frame(Self::val)?];
            while self.scan.eat("|") {
                frames.push(self.frame(Self::val)?);
            }
            op.snapshot = Some(self.snapshot(frames));
        }
        Ok(())
    }

    /// A snapshot of these frames, innermost first; the outer ones are shared with other snapshots.
    fn snapshot(&mut self, frames: Vec<Frame<Val>>) -> SnapshotId {
        let mut parent = None;
        for Frame { code, pc, regs } in frames.into_iter().rev() {
            let snapshot = Snapshot {
                frame: FrameSnap { code, pc, regs },
                parent,
            };
            let known = self.trace.snapshots.iter().find(|(_, s)| **s == snapshot);
            let known = known.map(|(id, _)| id);
            parent = Some(known.unwrap_or_else(|| self.trace.snapshots.push(snapshot)));
        }
        parent.expect("a snapshot has a frame")
    }

    /// `code:pc r1=.. r2=..`
    fn frame<T>(&mut self, mut value: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Frame<T>> {
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

    fn resume(&mut self) -> Parsed<Resume> {
        let mut resume = Resume::default();
        self.scan.expect("[")?;
        resume.fail_args = self.list("]", |p| {
            let at = p.scan.here();
            match p.val()? {
                Val::Ref(value) => Ok(value),
                Val::Const(_) => Err(p.scan.error_at(at, "a fail argument is not a constant")),
            }
        })?;
        while !self.scan.eat("@") {
            self.resume_line(&mut resume)?;
        }
        if self.scan.peek().is_some_and(|c| c.is_ascii_digit()) {
            loop {
                let Frame { code, pc, regs } = self.frame(|p| p.src(&resume.fail_args))?;
                resume.frames.push(ResumeFrame { code, pc, regs });
                if !self.scan.eat("|") {
                    break;
                }
            }
        }
        Ok(resume)
    }

    /// A virtual, a pending store, or what is kept.
    fn resume_line(&mut self, resume: &mut Resume) -> Parsed<()> {
        let at = self.scan.here();
        if self.scan.peek_word() == "keeps" {
            self.scan.word("`keeps`")?;
            loop {
                resume.kept.push(self.src(&resume.fail_args)?);
                if !self.scan.eat(",") {
                    return Ok(());
                }
            }
        }
        let target = self.src(&resume.fail_args)?;
        if self.scan.eat("=") {
            if target != Src::Virtual(resume.virtuals.len() as u16) {
                let next = resume.virtuals.len();
                return Err(self
                    .scan
                    .error_at(at, format!("the next object must be v{next}")));
            }
            let info = self.virtual_object(&resume.fail_args)?;
            resume.virtuals.push(info);
            return Ok(());
        }
        self.scan.expect(".")?;
        let place = self.scan.here();
        let name = self.scan.name("a field or an array class")?;
        if self.scan.eat("[") {
            self.scan.back_to(place);
            let class = self.class()?;
            self.scan.expect("[")?;
            let index = self.scan.index("an index")?;
            self.scan.expect("]")?;
            self.scan.expect("=")?;
            let value = self.src(&resume.fail_args)?;
            resume.pending.push(PendingStore::Item {
                array: target,
                class,
                index,
                value,
            });
            return Ok(());
        }
        let Some(field) = self.descrs.field_by_name(&name) else {
            return Err(self
                .scan
                .error_at(place, format!("no field is called `{name}`")));
        };
        self.scan.expect("=")?;
        let value = self.src(&resume.fail_args)?;
        resume.pending.push(PendingStore::Field {
            object: target,
            field,
            value,
        });
        Ok(())
    }

    fn virtual_object(&mut self, fail_args: &[ValRef]) -> Parsed<VirtualInfo> {
        let class = self.class()?;
        let descrs = self.descrs;
        let kind = match &descrs.classes[class].kind {
            ClassKind::Array { .. } => {
                self.scan.expect("[")?;
                let len = self.scan.index("a length")?;
                self.scan.expect("]")?;
                self.scan.expect("{")?;
                VirtualKind::Array {
                    len,
                    words: self.list("}", |p| p.item_word(class, fail_args))?,
                }
            }
            ClassKind::Struct { fields } => {
                self.scan.expect("{")?;
                let fields = self.list("}", |p| {
                    let at = p.scan.here();
                    let name = p.scan.word("a field")?;
                    let Some(&field) = fields.iter().find(|&&f| descrs.fields[f].name == name)
                    else {
                        return Err(p.scan.error_at(at, format!("no field `{name}` here")));
                    };
                    p.scan.expect(":")?;
                    Ok((field, p.src(fail_args)?))
                })?;
                VirtualKind::Struct { fields }
            }
        };
        Ok(VirtualInfo { class, kind })
    }

    /// A word of an item of a virtual array: `3: value`, or `3#1: value` for another word than the first.
    fn item_word(&mut self, array: ClassId, fail_args: &[ValRef]) -> Parsed<ItemWord> {
        let index = self.scan.index("an index")?;
        let at = self.scan.here();
        let part = match self.scan.eat("#") {
            true => self.scan.index("the number of a word")?,
            false => 0,
        };
        let Some(class) = self.descrs.item_word(array, part) else {
            let name = &self.descrs.classes[array].name;
            let message = format!("the items of {name} have no word {part}");
            return Err(self.scan.error_at(at, message));
        };
        self.scan.expect(":")?;
        Ok(ItemWord {
            index,
            class,
            value: self.src(fail_args)?,
        })
    }

    fn src(&mut self, fail_args: &[ValRef]) -> Parsed<Src> {
        let word = self.scan.peek_word();
        if let Some(number) = word.strip_prefix('v').and_then(|n| n.parse().ok()) {
            self.scan.word("an object")?;
            return Ok(Src::Virtual(number));
        }
        let at = self.scan.here();
        match self.val()? {
            Val::Const(constant) => Ok(Src::Const(constant)),
            Val::Ref(value) => match fail_args.iter().position(|&v| v == value) {
                Some(n) => Ok(Src::Fail(n as u16)),
                None => Err(self
                    .scan
                    .error_at(at, format!("`{word}` is not a fail argument"))),
            },
        }
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
