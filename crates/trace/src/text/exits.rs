//! The text of resume data: fail arguments, virtual objects, delayed stores and frames.

use super::form::TraceForm;
use super::parse::{Frame, Parser};
use super::print::Printer;
use super::scan::Parsed;
use crate::exits::{Exit, ExitId, Exits};
use crate::frames::ResumeFrame;
use crate::resume::{ItemWord, PendingStore, Resume, Src, VirtualInfo, VirtualKind};
use crate::value::{Arg, GuardId, ValRef};
use cranelift_entity::EntityRef;
use std::fmt::{self, Write};
use verdigris_ops::{ClassId, ClassKind};

impl TraceForm for Exits {
    fn parse_exit(parser: &mut Parser<'_, Exits>) -> Parsed<Exit> {
        if parser.scan.eat("=>") {
            let target = parser.target()?;
            parser.scan.expect("(")?;
            let args = parser.fail_args(")")?.into();
            return Ok(Exit::Side { target, args });
        }
        let guard = parser.guard_id()?;
        parser.scan.expect("->")?;
        let resume = parser.resume()?;
        Ok(Exit::Out {
            guard,
            resume: resume.into(),
        })
    }

    fn parse_arrival(_: &mut Parser<'_, Exits>) -> Parsed<()> {
        Ok(())
    }

    fn print_exit(printer: &mut Printer<'_, Exits>, exit: ExitId) -> fmt::Result {
        match printer.trace.exits.get(exit) {
            None => writeln!(printer.out, "\n  unknown exit {}", exit.index()),
            Some(Exit::Out { guard, resume }) => {
                if let Some(guard) = guard {
                    write!(printer.out, " g{}", guard.as_u32())?;
                }
                printer.out.push('\n');
                printer.resume(resume)
            }
            Some(Exit::Side { target, args }) => {
                write!(printer.out, " => {target}(")?;
                printer.fail_args(args)?;
                printer.out.push_str(")\n");
                Ok(())
            }
        }
    }

    fn print_arrival(_: &mut Printer<'_, Exits>) -> fmt::Result {
        Ok(())
    }
}

impl Parser<'_, Exits> {
    fn guard_id(&mut self) -> Parsed<Option<GuardId>> {
        let word = self.scan.peek_word();
        let digits = word.strip_prefix('g').unwrap_or("");
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(None);
        }
        self.scan.expect("g")?;
        let number = self.scan.index("the number of a guard")?;
        Ok(Some(GuardId::from_u32(number)))
    }

    fn resume(&mut self) -> Parsed<Resume> {
        let mut resume = Resume::default();
        self.scan.expect("[")?;
        resume.fail_args = self.fail_args("]")?;
        while !self.scan.eat("@") {
            self.resume_line(&mut resume)?;
        }
        if self.scan.peek().is_some_and(|c| c.is_ascii_digit()) {
            let mut frames = Vec::new();
            loop {
                frames.push(self.frame(|p| p.src(&resume.fail_args))?);
                if !self.scan.eat("|") {
                    break;
                }
            }
            for Frame { code, pc, regs } in frames.into_iter().rev() {
                resume.frames.push_inner(code, pc, regs);
            }
        }
        Ok(resume)
    }

    fn fail_args(&mut self, close: &str) -> Parsed<Vec<ValRef>> {
        self.list(close, |p| {
            let at = p.scan.here();
            match p.val()? {
                Arg::Ref(value) => Ok(value),
                Arg::Const(_) => Err(p.scan.error_at(at, "a fail argument is not a constant")),
            }
        })
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

    /// A word of an item of a virtual array: `3: value`, or `3#1: value` for another word than the
    /// first.
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
            Arg::Const(constant) => Ok(Src::Const(constant)),
            Arg::Ref(value) => match fail_args.iter().position(|&v| v == value) {
                Some(n) => Ok(Src::Fail(n as u16)),
                None => Err(self
                    .scan
                    .error_at(at, format!("`{word}` is not a fail argument"))),
            },
        }
    }
}

impl Printer<'_, Exits> {
    fn resume(&mut self, resume: &Resume) -> fmt::Result {
        self.out.push_str("  -> [");
        self.fail_args(&resume.fail_args)?;
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

    fn fail_args(&mut self, values: &[ValRef]) -> fmt::Result {
        for (n, &value) in values.iter().enumerate() {
            self.comma(n);
            self.value(value)?;
        }
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

    fn frame(&mut self, resume: &Resume, frame: ResumeFrame<'_>) -> fmt::Result {
        write!(self.out, "{}:{}", frame.code, frame.pc)?;
        for &(reg, src) in frame.regs {
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
