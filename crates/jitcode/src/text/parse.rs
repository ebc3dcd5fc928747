//! Parses jitcode.
//!
//! Calls may refer forward, so the names of codes are collected first. Labels are resolved at the
//! end of each code.

use crate::code::{
    CallTarget, CodeConst, CodeId, Insn, JitCode, Opnd, Pc, Question, Reg, SwitchTable,
};
use crate::codes::Codes;
use crate::flow::liveness;
use crate::unit::Unit;
use rustc_hash::FxHashMap;
use verdigris_ops::text::{FunctionNames, TextError, Token, Tokens};
use verdigris_ops::{DataOp, DescrKind, Descrs, PanicKind, Ty};

type Result<T> = std::result::Result<T, TextError>;

/// Reads a unit.
///
/// # Errors
/// If the text is malformed or a name is not defined.
pub fn parse(text: &str) -> Result<Unit> {
    let mut tokens = Tokens::new(text)?;
    let names = FunctionNames::collect(tokens.clone(), "code")?;
    let mut unit = Unit {
        descrs: Descrs::default(),
        codes: Codes::new(),
        portal: CodeId::from_u32(0),
        merge_point: Pc(0),
        objects: Vec::new(),
    };
    let mut portal = None;
    while *tokens.peek() != Token::End {
        if unit.descrs.parse_line(&mut tokens)? {
            continue;
        }
        if tokens.eat_word("object") {
            let object = unit.descrs.parse_object(&mut tokens)?;
            unit.objects.push(object);
        } else if tokens.eat_word("code") {
            let code = CodeParser::new(&mut tokens, &unit.descrs, &names).code()?;
            unit.codes.push(code);
        } else if tokens.eat_word("portal") {
            portal = Some(parse_portal(&mut tokens, &names)?);
        } else {
            return tokens.error(format!(
                "expected class, fn, object, code or portal, found {}",
                tokens.peek()
            ));
        }
    }
    let (code, pc) = match portal {
        Some(portal) => portal,
        None => return tokens.error("there is no `portal` line"),
    };
    unit.portal = code;
    unit.merge_point = pc;
    Ok(unit)
}

fn parse_portal(tokens: &mut Tokens, names: &FunctionNames<CodeId>) -> Result<(CodeId, Pc)> {
    let code = names.at(tokens)?;
    tokens.expect('@')?;
    let pc = Pc(tokens.int("the pc of the merge point")? as u32);
    tokens.newline()?;
    Ok((code, pc))
}

/// A jump target before labels are resolved: an index in [`CodeParser::refs`].
fn unresolved(refs: &mut Vec<(Token, u32)>, label: Token, line: u32) -> Pc {
    refs.push((label, line));
    Pc(refs.len() as u32 - 1)
}

struct CodeParser<'a> {
    tokens: &'a mut Tokens,
    descrs: &'a Descrs,
    names: &'a FunctionNames<CodeId>,
    code: JitCode,
    /// Types of the registers seen so far, by number.
    seen: Vec<Option<Ty>>,
    labels: FxHashMap<String, Pc>,
    refs: Vec<(Token, u32)>,
    live: Vec<Option<Vec<Reg>>>,
}

impl<'a> CodeParser<'a> {
    fn new(
        tokens: &'a mut Tokens,
        descrs: &'a Descrs,
        names: &'a FunctionNames<CodeId>,
    ) -> CodeParser<'a> {
        CodeParser {
            tokens,
            descrs,
            names,
            code: JitCode {
                name: String::new(),
                params: Vec::new(),
                ret: Vec::new(),
                regs: Vec::new(),
                consts: Vec::new(),
                insns: Vec::new(),
                switches: Vec::new(),
                live: Vec::new(),
                lines: Vec::new(),
                file: String::new(),
            },
            seen: Vec::new(),
            labels: FxHashMap::default(),
            refs: Vec::new(),
            live: Vec::new(),
        }
    }

    fn code(mut self) -> Result<JitCode> {
        self.header()?;
        if self.tokens.eat_word("regs") {
            while *self.tokens.peek() != Token::Newline {
                self.reg()?;
            }
            self.tokens.newline()?;
        }
        while !self.tokens.eat('}') {
            self.line()?;
        }
        self.tokens.newline()?;
        self.finish()
    }

    fn header(&mut self) -> Result<()> {
        self.code.name = self.tokens.word("the name of a code")?;
        self.tokens.expect('(')?;
        self.code.params = self.reg_list(')')?;
        self.code.ret = self.tokens.result_types()?;
        self.code.file = self.tokens.source_file()?;
        self.tokens.expect('{')?;
        self.tokens.newline()
    }

    /// `label: instruction {live} #line`
    fn line(&mut self) -> Result<()> {
        let pc = Pc(self.code.insns.len() as u32);
        while *self.tokens.peek2() == Token::Punct(':') {
            match self.tokens.bump() {
                Token::Int(n) if n == i64::from(pc.0) => {}
                Token::Int(n) => {
                    return self
                        .tokens
                        .error(format!("this is instruction {}, not {n}", pc.0));
                }
                Token::Word(label) => {
                    if self.labels.insert(label.clone(), pc).is_some() {
                        return self
                            .tokens
                            .error(format!("label `{label}` is defined twice"));
                    }
                }
                other => return self.tokens.error(format!("{other} is not a label")),
            }
            self.tokens.expect(':')?;
            if *self.tokens.peek() == Token::Newline {
                self.tokens.newline()?;
            }
        }
        let insn = self.insn()?;
        self.code.insns.push(insn);
        let live = match self.tokens.eat('{') {
            true => Some(self.reg_list('}')?),
            false => None,
        };
        self.live.push(live);
        let line = match self.tokens.eat('#') {
            true => self.tokens.int("a line number")? as u32,
            false => 0,
        };
        self.code.lines.push(line);
        self.tokens.newline()
    }

    fn insn(&mut self) -> Result<Insn> {
        let Some(dsts) = self.results()? else {
            let word = self.tokens.word("an instruction")?;
            return self.plain(&word);
        };
        let dst = dsts[0];
        let mark = self.tokens.mark();
        if let Token::Word(word) = self.tokens.bump() {
            match word.as_str() {
                "promote" => {
                    let src = self.opnd()?;
                    return Ok(Insn::Promote { dst, src });
                }
                "call" | "call_fn" => return self.call(&word, dsts),
                name => {
                    if let Some(question) = Question::from_name(name) {
                        let src = self.opnd()?;
                        return Ok(Insn::Ask { dst, question, src });
                    }
                }
            }
            if let Some(op) = DataOp::from_name(&word) {
                return self.data(op, Some(dst));
            }
        }
        self.tokens.rewind(mark);
        let src = self.opnd()?;
        Ok(Insn::Move { dst, src })
    }

    /// `r0 r1 =`, if the instruction has results.
    fn results(&mut self) -> Result<Option<Vec<Reg>>> {
        let mark = self.tokens.mark();
        while let Token::Word(_) = self.tokens.peek() {
            self.tokens.bump();
        }
        let found = *self.tokens.peek() == Token::Punct('=');
        self.tokens.rewind(mark);
        if !found {
            return Ok(None);
        }
        let mut dsts = vec![self.reg()?];
        while !self.tokens.eat('=') {
            dsts.push(self.reg()?);
        }
        Ok(Some(dsts))
    }

    fn opnds_to_end(&mut self) -> Result<Vec<Opnd>> {
        let mut list = Vec::new();
        while !matches!(self.tokens.peek(), Token::Newline | Token::Punct(_)) {
            list.push(self.opnd()?);
        }
        Ok(list)
    }

    fn plain(&mut self, word: &str) -> Result<Insn> {
        if let Some(op) = DataOp::from_name(word) {
            return self.data(op, None);
        }
        Ok(match word {
            "call" | "call_fn" => self.call(word, Vec::new())?,
            "goto" => Insn::Goto {
                target: self.target()?,
            },
            "branch_false" => Insn::BranchFalse {
                cond: self.opnd()?,
                target: self.target()?,
            },
            "switch" => Insn::Switch {
                value: self.opnd()?,
                table: self.table(|p| p.tokens.int("an integer"))?,
            },
            "class_switch" => Insn::ClassSwitch {
                value: self.opnd()?,
                table: self.table(|p| Ok(i64::from(p.descrs.class_at(p.tokens)?.as_u32())))?,
            },
            "return" => Insn::Return {
                values: self.opnds_to_end()?,
            },
            "panic" => Insn::Panic {
                kind: PanicKind::parse(self.tokens)?,
                args: self.opnd_list()?,
            },
            "merge_point" => {
                self.tokens.expect('(')?;
                let greens = self.reg_list(')')?;
                self.tokens.expect('(')?;
                let reds = self.reg_list(')')?;
                Insn::MergePoint { greens, reds }
            }
            "loop_header" => Insn::LoopHeader,
            _ => return self.tokens.error(format!("`{word}` is no instruction")),
        })
    }

    fn data(&mut self, op: DataOp, dst: Option<Reg>) -> Result<Insn> {
        let mut args = Vec::new();
        for _ in op.params() {
            args.push(self.opnd()?);
        }
        let descr = match op.descr_kind() {
            DescrKind::None => 0,
            DescrKind::Class | DescrKind::Array => self.descrs.class_at(self.tokens)?.as_u32(),
            DescrKind::Field => self.descrs.field_at(self.tokens)?.as_u32(),
        };
        Ok(Insn::data(op, &args, descr, dst))
    }

    fn call(&mut self, word: &str, dsts: Vec<Reg>) -> Result<Insn> {
        let target = if word == "call" {
            CallTarget::Code(self.names.at(self.tokens)?)
        } else {
            CallTarget::Fn(self.descrs.fn_at(self.tokens)?)
        };
        let args = self.opnd_list()?;
        Ok(Insn::Call { target, args, dsts })
    }

    fn table(&mut self, key: impl Fn(&mut Self) -> Result<i64>) -> Result<u16> {
        self.tokens.expect('[')?;
        let mut cases = Vec::new();
        while !self.tokens.eat_word("else") {
            let value = key(self)?;
            self.tokens.expect(':')?;
            cases.push((value, self.target()?));
            self.tokens.expect(',')?;
        }
        let default = self.target()?;
        self.tokens.expect(']')?;
        self.code.switches.push(SwitchTable { cases, default });
        Ok(self.code.switches.len() as u16 - 1)
    }

    fn target(&mut self) -> Result<Pc> {
        self.tokens.expect('@')?;
        let line = self.tokens.line();
        let label = self.tokens.bump();
        Ok(unresolved(&mut self.refs, label, line))
    }

    fn opnd_list(&mut self) -> Result<Vec<Opnd>> {
        self.tokens.expect('(')?;
        let mut list = Vec::new();
        while !self.tokens.eat(')') {
            list.push(self.opnd()?);
            self.tokens.eat(',');
        }
        Ok(list)
    }

    fn opnd(&mut self) -> Result<Opnd> {
        let constant = match self.tokens.peek() {
            Token::Int(v) => CodeConst::Int(*v),
            Token::Float(bits) => CodeConst::Float(*bits),
            Token::Word(w) if w == "null" => CodeConst::Null,
            _ => return Ok(Opnd::Reg(self.reg()?)),
        };
        self.tokens.bump();
        let known = self.code.consts.iter().position(|c| *c == constant);
        let index = known.unwrap_or_else(|| {
            self.code.consts.push(constant);
            self.code.consts.len() - 1
        });
        Ok(Opnd::Const(index as u16))
    }

    fn reg_list(&mut self, end: char) -> Result<Vec<Reg>> {
        let mut list = Vec::new();
        while !self.tokens.eat(end) {
            list.push(self.reg()?);
            self.tokens.eat(',');
        }
        Ok(list)
    }

    fn reg(&mut self) -> Result<Reg> {
        let word = self.tokens.word("a register")?;
        let mut chars = word.chars();
        let ty = chars.next().and_then(Ty::from_letter);
        let (Some(ty), Ok(number)) = (ty, chars.as_str().parse::<u16>()) else {
            return self.tokens.error(format!("`{word}` is not a register"));
        };
        let index = usize::from(number);
        if self.seen.len() <= index {
            self.seen.resize(index + 1, None);
        }
        match self.seen[index] {
            Some(other) if other != ty => {
                let other = other.letter();
                self.tokens
                    .error(format!("`{word}` was `{other}{number}` before"))
            }
            _ => {
                self.seen[index] = Some(ty);
                Ok(Reg(number))
            }
        }
    }

    fn finish(mut self) -> Result<JitCode> {
        let mut targets = Vec::new();
        for (label, line) in &self.refs {
            targets.push(self.resolve(label, *line)?);
        }
        let real = |pc: &mut Pc| *pc = targets[pc.0 as usize];
        for insn in &mut self.code.insns {
            if let Insn::Goto { target } | Insn::BranchFalse { target, .. } = insn {
                real(target);
            }
        }
        for table in &mut self.code.switches {
            table.cases.iter_mut().for_each(|case| real(&mut case.1));
            table.cases.sort_by_key(|case| case.0);
            real(&mut table.default);
        }
        // A register that is never mentioned keeps the numbering dense; its type does not matter.
        let types = self.seen.iter().map(|ty| ty.unwrap_or(Ty::Int));
        self.code.regs = types.collect();
        if self.live.iter().all(Option::is_none) {
            self.code.live = liveness(&self.code);
        } else {
            let live = self.live.into_iter();
            self.code.live = live.map(Option::unwrap_or_default).collect();
        }
        Ok(self.code)
    }

    fn resolve(&self, label: &Token, line: u32) -> Result<Pc> {
        let found = match label {
            Token::Int(pc) => Some(Pc(*pc as u32)),
            Token::Word(label) => self.labels.get(label).copied(),
            _ => None,
        };
        found.ok_or_else(|| TextError {
            line,
            message: format!("there is no label {label}"),
        })
    }
}
