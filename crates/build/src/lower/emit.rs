//! Emits the instructions of a graph. Constants and switch tables are numbered in the order of
//! their first use; live sets come later.

use super::moves::{self, MoveSource};
use super::regalloc::RegAssignment;
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;
use verdigris_graph::{
    BlockId, Control, Graph, GraphConst, GraphDescr, GraphOp, GraphOpcode, Target, Term, Val,
    ValueId,
};
use verdigris_jitcode::{
    CallTarget, CodeConst, CodeId, Insn, JitCode, Opnd, Pc, Question, Reg, SwitchTable,
};
use verdigris_ops::{PanicKind, Ty};

/// Builds the code of one graph. Until the end, a [`Pc`] in an instruction is the number of a
/// block.
pub struct Emitter<'a> {
    graph: &'a Graph,
    registers: RegAssignment,
    scratch: FxHashMap<Ty, Reg>,
    starts: SecondaryMap<BlockId, Option<Pc>>,
    insns: Vec<Insn>,
    lines: Vec<u32>,
    line: u32,
    consts: Vec<CodeConst>,
    numbers: FxHashMap<CodeConst, u16>,
    switches: Vec<SwitchTable>,
    /// Stands for the block where a class goes that no case names.
    no_class: Option<Pc>,
}

impl<'a> Emitter<'a> {
    /// Nothing emitted yet.
    pub fn new(graph: &'a Graph, registers: RegAssignment) -> Emitter<'a> {
        Emitter {
            graph,
            registers,
            scratch: FxHashMap::default(),
            starts: SecondaryMap::new(),
            insns: Vec::new(),
            lines: Vec::new(),
            line: 0,
            consts: Vec::new(),
            numbers: FxHashMap::default(),
            switches: Vec::new(),
            no_class: None,
        }
    }

    /// Emits the blocks in this order.
    pub fn emit(mut self, order: &[BlockId]) -> JitCode {
        for (n, &id) in order.iter().enumerate() {
            self.starts[id] = Some(Pc(self.insns.len() as u32));
            let block = &self.graph.blocks[id];
            for op in &block.ops {
                self.line = op.pos.line;
                self.op(op);
            }
            self.line = block.pos.line;
            self.term(id, order.get(n + 1).copied());
        }
        self.unknown_class();
        self.resolve();
        let entry = &self.graph.blocks[self.graph.entry];
        JitCode {
            name: self.graph.name.clone(),
            params: entry.params.iter().map(|&p| self.reg(p)).collect(),
            ret: self.graph.ret.clone(),
            regs: self.registers.types,
            consts: self.consts,
            insns: self.insns,
            switches: self.switches,
            live: Vec::new(),
            lines: self.lines,
            file: self.graph.file.clone(),
        }
    }

    fn push(&mut self, insn: Insn) {
        self.insns.push(insn);
        self.lines.push(self.line);
    }

    fn reg(&self, v: ValueId) -> Reg {
        self.registers.of[v].expect("every value has a register")
    }

    fn constant(&mut self, c: GraphConst) -> Opnd {
        let c = match c {
            GraphConst::Int(v) => CodeConst::Int(v),
            GraphConst::Float(bits) => CodeConst::Float(bits),
            GraphConst::Null => CodeConst::Null,
            GraphConst::Nothing => unreachable!("`nothing` has been computed"),
        };
        let next = self.consts.len();
        let number = *self.numbers.entry(c).or_insert_with(|| {
            self.consts.push(c);
            u16::try_from(next).expect("a function has at most 65535 constants")
        });
        Opnd::Const(number)
    }

    fn opnd(&mut self, val: Val) -> Opnd {
        match val {
            Val::Value(v) => Opnd::Reg(self.reg(v)),
            Val::Const(c) => self.constant(c),
        }
    }

    fn opnds(&mut self, vals: &[Val]) -> Vec<Opnd> {
        vals.iter().map(|&v| self.opnd(v)).collect()
    }

    fn op(&mut self, op: &GraphOp) {
        let args = self.opnds(&op.args);
        let insn = match op.code {
            GraphOpcode::Data(data) => {
                let dst = op.dst().map(|v| self.reg(v));
                Insn::data(data, &args, raw_descr(op.descr), dst)
            }
            GraphOpcode::Control(Control::Promote) => Insn::Promote {
                dst: self.reg(op.dst().expect("a promotion has a result")),
                src: args[0],
            },
            GraphOpcode::Control(question @ (Control::IsConstant | Control::IsVirtual)) => {
                Insn::Ask {
                    dst: self.reg(op.dst().expect("a question has an answer")),
                    question: match question {
                        Control::IsConstant => Question::IsConstant,
                        _ => Question::IsVirtual,
                    },
                    src: args[0],
                }
            }
            GraphOpcode::Control(Control::Concrete) => Insn::Move {
                dst: self.reg(op.dst().expect("a demand has a result")),
                src: args[0],
            },
            GraphOpcode::Control(Control::LoopHeader) => Insn::LoopHeader,
            GraphOpcode::Control(_) => Insn::Call {
                target: match op.descr {
                    GraphDescr::Graph(id) => CallTarget::Code(CodeId::new(id.index())),
                    GraphDescr::Fn(id) => CallTarget::Fn(id),
                    _ => unreachable!("a call names its callee"),
                },
                args,
                dsts: op.dsts.iter().map(|&v| self.reg(v)).collect(),
            },
        };
        self.push(insn);
    }

    fn term(&mut self, id: BlockId, next: Option<BlockId>) {
        match &self.graph.blocks[id].term {
            Term::Goto(target) => {
                self.pass(target);
                self.goto(target.block, next);
            }
            Term::Branch { cond, then, other } => {
                let cond = self.opnd(*cond);
                let target = unresolved(other.block);
                self.push(Insn::BranchFalse { cond, target });
                self.goto(then.block, next);
            }
            Term::Switch {
                value,
                cases,
                default,
            } => {
                let value = self.opnd(*value);
                let cases = cases.iter().map(|(key, t)| (*key, unresolved(t.block)));
                let cases = cases.collect();
                let table = self.table(cases, unresolved(default.block));
                self.push(Insn::Switch { value, table });
            }
            Term::ClassSwitch { value, cases } => {
                let value = self.opnd(*value);
                let mut cases: Vec<(i64, Pc)> = cases
                    .iter()
                    .map(|(class, t)| (i64::from(class.as_u32()), unresolved(t.block)))
                    .collect();
                cases.sort_by_key(|case| case.0);
                let default = Pc(self.graph.blocks.len() as u32);
                self.no_class = Some(default);
                let table = self.table(cases, default);
                self.push(Insn::ClassSwitch { value, table });
            }
            Term::Return(values) => {
                let values = self.opnds(values);
                self.push(Insn::Return { values });
            }
            Term::Panic(kind, args) => {
                let args = self.opnds(args);
                let kind = kind.clone();
                self.push(Insn::Panic { kind, args });
            }
            Term::MergePoint { greens, next: to } => {
                let params = &self.graph.blocks[id].params;
                let all: Vec<Reg> = params.iter().map(|&p| self.reg(p)).collect();
                let (greens, reds) = all.split_at(*greens);
                self.push(Insn::MergePoint {
                    greens: greens.to_vec(),
                    reds: reds.to_vec(),
                });
                self.goto(to.block, next);
            }
        }
    }

    fn table(&mut self, cases: Vec<(i64, Pc)>, default: Pc) -> u16 {
        let number = u16::try_from(self.switches.len());
        self.switches.push(SwitchTable { cases, default });
        number.expect("a function has at most 65535 switches")
    }

    /// Moves the operands of an edge to the registers of the parameters.
    fn pass(&mut self, target: &Target) {
        let params = &self.graph.blocks[target.block].params;
        let moves = params.iter().zip(&target.args).map(|(&param, &arg)| {
            let source = match arg {
                Val::Value(v) => MoveSource::Reg(self.reg(v)),
                Val::Const(c) => MoveSource::Const(c),
            };
            (self.reg(param), source)
        });
        let moves = moves.collect();
        let (registers, scratch) = (&mut self.registers, &mut self.scratch);
        let ordered = moves::sequence(moves, |reg| {
            let ty = registers.types[usize::from(reg.0)];
            *scratch.entry(ty).or_insert_with(|| registers.add(ty))
        });
        for (dst, source) in ordered {
            let src = match source {
                MoveSource::Reg(r) => Opnd::Reg(r),
                MoveSource::Const(c) => self.constant(c),
            };
            self.push(Insn::Move { dst, src });
        }
    }

    fn goto(&mut self, block: BlockId, next: Option<BlockId>) {
        if next != Some(block) {
            let target = unresolved(block);
            self.push(Insn::Goto { target });
        }
    }

    fn unknown_class(&mut self) {
        if self.no_class.is_some() {
            self.no_class = Some(Pc(self.insns.len() as u32));
            self.line = 0;
            self.push(Insn::Panic {
                kind: PanicKind::Message(
                    "internal error: an object has a class that its enum does not list".to_string(),
                ),
                args: Vec::new(),
            });
        }
    }

    /// Replaces the numbers of blocks by pcs.
    fn resolve(&mut self) {
        let (starts, no_class) = (&self.starts, self.no_class);
        let resolve = |target: &mut Pc| {
            let start = starts[BlockId::from_u32(target.0)].or(no_class);
            *target = start.expect("a target has been emitted");
        };
        for insn in &mut self.insns {
            if let Insn::Goto { target } | Insn::BranchFalse { target, .. } = insn {
                resolve(target);
            }
        }
        for table in &mut self.switches {
            table.cases.iter_mut().for_each(|case| resolve(&mut case.1));
            resolve(&mut table.default);
        }
    }
}

fn unresolved(block: BlockId) -> Pc {
    Pc(block.as_u32())
}

fn raw_descr(descr: GraphDescr) -> u32 {
    match descr {
        GraphDescr::Field(id) => id.as_u32(),
        GraphDescr::Class(id) => id.as_u32(),
        _ => 0,
    }
}
