//! Parses graphs. Calls may refer forward, so the names of graphs are collected first. Values and
//! blocks are numbered in the order of their definition.

use crate::ir::{
    Block, BlockId, Graph, GraphConst, GraphDescr, GraphOp, GraphProgram, Pos, Target, Term, Val,
    ValueId,
};
use crate::table::{Control, GraphDescrKind, GraphOpcode, ResultKind};
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;
use verdigris_front::tast::FuncId;
use verdigris_ops::text::{FunctionNames, TextError, Token, Tokens};
use verdigris_ops::{ClassId, Descrs, PanicKind, Ty};

type Result<T> = std::result::Result<T, TextError>;

/// Reads a program.
///
/// # Errors
/// If the text is malformed or a name is not defined.
pub fn parse(text: &str) -> Result<GraphProgram> {
    let mut tokens = Tokens::new(text)?;
    let names = FunctionNames::collect(tokens.clone(), "graph")?;
    let mut program = GraphProgram {
        descrs: Descrs::default(),
        objects: Vec::new(),
        graphs: PrimaryMap::new(),
        portal: FuncId::from_u32(0),
    };
    let mut portal = None;
    while *tokens.peek() != Token::End {
        if program.descrs.parse_line(&mut tokens)? {
            continue;
        }
        if tokens.eat_word("object") {
            let object = program.descrs.parse_object(&mut tokens)?;
            program.objects.push(object);
        } else if tokens.eat_word("graph") {
            let graph = GraphParser::new(&mut tokens, &program.descrs, &names)?.graph()?;
            program.graphs.push(graph);
        } else if tokens.eat_word("portal") {
            portal = Some(names.at(&mut tokens)?);
            tokens.newline()?;
        } else {
            return tokens.error(format!(
                "expected class, fn, object, graph or portal, found {}",
                tokens.peek()
            ));
        }
    }
    match portal {
        Some(portal) => program.portal = portal,
        None => return tokens.error("there is no `portal` line"),
    }
    Ok(program)
}

struct GraphParser<'a> {
    tokens: &'a mut Tokens,
    descrs: &'a Descrs,
    names: &'a FunctionNames<FuncId>,
    graph: Graph,
    values: FxHashMap<String, ValueId>,
    blocks: FxHashMap<String, BlockId>,
}

impl<'a> GraphParser<'a> {
    /// Numbers the definitions of the graph that follows, which its text may use before it defines
    /// them.
    fn new(
        tokens: &'a mut Tokens,
        descrs: &'a Descrs,
        names: &'a FunctionNames<FuncId>,
    ) -> Result<GraphParser<'a>> {
        let mut parser = GraphParser {
            tokens,
            descrs,
            names,
            graph: Graph {
                name: String::new(),
                file: String::new(),
                ret: Vec::new(),
                blocks: PrimaryMap::new(),
                values: PrimaryMap::new(),
                entry: BlockId::from_u32(0),
            },
            values: FxHashMap::default(),
            blocks: FxHashMap::default(),
        };
        let start = parser.tokens.mark();
        parser.header()?;
        while !matches!(parser.tokens.peek(), Token::Punct('}') | Token::End) {
            parser.definition()?;
        }
        parser.tokens.rewind(start);
        Ok(parser)
    }

    fn definition(&mut self) -> Result<()> {
        for name in self.result_names() {
            self.define(&name)?;
        }
        match (self.tokens.peek().clone(), self.tokens.peek2()) {
            (Token::Word(name), Token::Punct(':' | '('))
                if GraphOpcode::from_name(&name).is_none()
                    && Control::from_name(&name).is_none() =>
            {
                let id = BlockId::new(self.blocks.len());
                if self.blocks.insert(name.clone(), id).is_some() {
                    return self.tokens.error(format!("`{name}` is defined twice"));
                }
                self.tokens.bump();
                if self.tokens.eat('(') {
                    while !self.tokens.eat(')') {
                        let param = self.tokens.word("a parameter")?;
                        self.define(&param)?;
                    }
                }
            }
            _ => {}
        }
        while !matches!(self.tokens.bump(), Token::Newline | Token::End) {}
        Ok(())
    }

    fn define(&mut self, name: &str) -> Result<()> {
        let mut chars = name.chars();
        let ty = chars.next().and_then(Ty::from_letter);
        let (Some(ty), Ok(_)) = (ty, chars.as_str().parse::<u32>()) else {
            return self.tokens.error(format!("`{name}` is not a value"));
        };
        let id = self.graph.values.push(ty);
        match self.values.insert(name.to_string(), id) {
            None => Ok(()),
            Some(_) => self.tokens.error(format!("`{name}` is defined twice")),
        }
    }

    fn graph(mut self) -> Result<Graph> {
        self.header()?;
        while !self.tokens.eat('}') {
            let block = self.block()?;
            self.graph.blocks.push(block);
        }
        self.tokens.newline()?;
        if self.graph.blocks.is_empty() {
            return self.tokens.error("a graph has at least one block");
        }
        Ok(self.graph)
    }

    fn header(&mut self) -> Result<()> {
        self.graph.name = self.tokens.word("the name of a graph")?;
        self.graph.ret = self.tokens.result_types()?;
        self.graph.file = self.tokens.source_file()?;
        self.tokens.expect('{')?;
        self.tokens.newline()
    }

    fn block(&mut self) -> Result<Block> {
        self.tokens.word("a block")?;
        let mut params = Vec::new();
        if self.tokens.eat('(') {
            while !self.tokens.eat(')') {
                params.push(self.value()?);
            }
        }
        self.tokens.expect(':')?;
        self.tokens.newline()?;
        let mut ops = Vec::new();
        loop {
            let word = match self.tokens.peek() {
                Token::Word(word) => word.clone(),
                _ => String::new(),
            };
            let end = Control::from_name(&word).filter(|_| GraphOpcode::from_name(&word).is_none());
            if let Some(control) = end {
                self.tokens.bump();
                let term = self.term(control, &params)?;
                let pos = self.pos()?;
                return Ok(Block {
                    params,
                    ops,
                    term,
                    pos,
                });
            }
            let op = self.op()?;
            ops.push(op);
        }
    }

    /// `#line:column` and the end of the line.
    fn pos(&mut self) -> Result<Pos> {
        let mut pos = Pos::default();
        if self.tokens.eat('#') {
            pos.line = self.tokens.int("a line")? as u32;
            self.tokens.expect(':')?;
            pos.column = self.tokens.int("a column")? as u32;
        }
        self.tokens.newline()?;
        Ok(pos)
    }

    fn op(&mut self) -> Result<GraphOp> {
        let dsts = self.results()?;
        let word = self.tokens.word("an operation")?;
        let Some(code) = GraphOpcode::from_name(&word) else {
            return self.tokens.error(format!("`{word}` is no operation"));
        };
        let (args, descr) = match code.names() {
            GraphDescrKind::Graph => {
                let id = self.names.at(self.tokens)?;
                (self.list()?, GraphDescr::Graph(id))
            }
            GraphDescrKind::Fn => {
                let id = self.descrs.fn_at(self.tokens)?;
                (self.list()?, GraphDescr::Fn(id))
            }
            names => {
                let count = match code {
                    GraphOpcode::Data(op) => op.params().len(),
                    GraphOpcode::Control(op) => {
                        usize::from(matches!(op.gives(), ResultKind::SameType | ResultKind::Int))
                    }
                };
                let args = (0..count)
                    .map(|_| self.val())
                    .collect::<Result<Vec<Val>>>()?;
                (args, self.descr(names)?)
            }
        };
        let pos = self.pos()?;
        Ok(GraphOp {
            code,
            args,
            descr,
            dsts,
            pos,
        })
    }

    /// `v0 v1 =`, if the operation has results.
    fn results(&mut self) -> Result<Vec<ValueId>> {
        let names = self.result_names();
        names.iter().map(|name| self.named(name)).collect()
    }

    /// Takes the names before `=`, if that is what the line starts with.
    fn result_names(&mut self) -> Vec<String> {
        let mark = self.tokens.mark();
        let mut names = Vec::new();
        while let Token::Word(name) = self.tokens.peek().clone() {
            self.tokens.bump();
            names.push(name);
        }
        if !self.tokens.eat('=') {
            self.tokens.rewind(mark);
            names.clear();
        }
        names
    }

    fn descr(&mut self, kind: GraphDescrKind) -> Result<GraphDescr> {
        Ok(match kind {
            GraphDescrKind::Field => GraphDescr::Field(self.descrs.field_at(self.tokens)?),
            GraphDescrKind::Class | GraphDescrKind::Array => {
                GraphDescr::Class(self.descrs.class_at(self.tokens)?)
            }
            _ => GraphDescr::None,
        })
    }

    fn term(&mut self, control: Control, params: &[ValueId]) -> Result<Term> {
        Ok(match control {
            Control::Goto => Term::Goto(self.target()?),
            Control::Branch => Term::Branch {
                cond: self.val()?,
                then: self.target()?,
                other: self.target()?,
            },
            Control::Switch => self.switch()?,
            Control::ClassSwitch => self.class_switch()?,
            Control::Return => {
                let mut values = Vec::new();
                while !matches!(self.tokens.peek(), Token::Newline | Token::Punct('#')) {
                    values.push(self.val()?);
                }
                Term::Return(values)
            }
            Control::Panic => Term::Panic(PanicKind::parse(self.tokens)?, self.list()?),
            Control::MergePoint => {
                let greens = self.list()?;
                let reds = self.list()?;
                let all = greens.iter().chain(&reds).map(|v| v.value());
                if !all.eq(params.iter().map(|p| Some(*p))) {
                    return self
                        .tokens
                        .error("greens and reds are not the parameters of the block");
                }
                Term::MergePoint {
                    greens: greens.len(),
                    next: self.target()?,
                }
            }
            Control::Promote
            | Control::IsConstant
            | Control::IsVirtual
            | Control::Concrete
            | Control::Call
            | Control::CallFn
            | Control::LoopHeader => {
                unreachable!("stands inside of a block")
            }
        })
    }

    fn switch(&mut self) -> Result<Term> {
        let value = self.val()?;
        let mut cases = Vec::new();
        self.tokens.expect('[')?;
        while !self.tokens.eat_word("else") {
            let key = self.tokens.int("an integer")?;
            self.tokens.expect(':')?;
            cases.push((key, self.target()?));
            self.tokens.expect(',')?;
        }
        let default = self.target()?;
        self.tokens.expect(']')?;
        Ok(Term::Switch {
            value,
            cases,
            default,
        })
    }

    fn class_switch(&mut self) -> Result<Term> {
        let value = self.val()?;
        let mut cases: Vec<(ClassId, Target)> = Vec::new();
        self.tokens.expect('[')?;
        while !self.tokens.eat(']') {
            let class = self.descrs.class_at(self.tokens)?;
            self.tokens.expect(':')?;
            cases.push((class, self.target()?));
            self.tokens.eat(',');
        }
        Ok(Term::ClassSwitch { value, cases })
    }

    fn target(&mut self) -> Result<Target> {
        let name = self.tokens.word("a block")?;
        let Some(&block) = self.blocks.get(&name) else {
            return self.tokens.error(format!("there is no block `{name}`"));
        };
        let args = match self.tokens.peek() {
            Token::Punct('(') => self.list()?,
            _ => Vec::new(),
        };
        Ok(Target { block, args })
    }

    fn list(&mut self) -> Result<Vec<Val>> {
        self.tokens.expect('(')?;
        let mut list = Vec::new();
        while !self.tokens.eat(')') {
            list.push(self.val()?);
        }
        Ok(list)
    }

    fn val(&mut self) -> Result<Val> {
        let constant = match self.tokens.peek() {
            Token::Int(v) => GraphConst::Int(*v),
            Token::Float(bits) => GraphConst::Float(*bits),
            Token::Word(w) if w == "null" => GraphConst::Null,
            Token::Word(w) if w == "nothing" => GraphConst::Nothing,
            _ => return Ok(Val::Value(self.value()?)),
        };
        self.tokens.bump();
        Ok(Val::Const(constant))
    }

    fn value(&mut self) -> Result<ValueId> {
        let name = self.tokens.word("a value")?;
        self.named(&name)
    }

    fn named(&self, name: &str) -> Result<ValueId> {
        match self.values.get(name) {
            Some(v) => Ok(*v),
            None => self.tokens.error(format!("there is no value `{name}`")),
        }
    }
}
