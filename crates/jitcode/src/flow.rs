//! Operands and successors of instructions, and liveness.
//!
//! This is the only definition of what an instruction reads, writes and leads to: the printer, the
//! verifier and the snapshots of both compilers rest on it.

use crate::code::{Insn, JitCode, Opnd, Pc, Reg};
use verdigris_ops::DataOp;

impl Insn {
    /// A data operation.
    ///
    /// # Panics
    /// If there are more than three arguments.
    pub fn data(op: DataOp, args: &[Opnd], descr: u32, dst: Option<Reg>) -> Insn {
        let mut all = [Opnd::Reg(Reg(0)); 3];
        all[..args.len()].copy_from_slice(args);
        Insn::Data {
            op,
            args: all,
            descr,
            dst,
        }
    }

    /// The operands in order; those of a merge point are its greens, then its reds.
    pub fn operands(&self) -> impl Iterator<Item = Opnd> {
        let (greens, reds): (&[Reg], &[Reg]) = match self {
            Insn::MergePoint { greens, reds } => (greens, reds),
            _ => (&[], &[]),
        };
        let others: &[Opnd] = match self {
            Insn::Data { op, args, .. } => &args[..op.params().len()],
            Insn::Move { src: value, .. }
            | Insn::Promote { src: value, .. }
            | Insn::Ask { src: value, .. }
            | Insn::BranchFalse { cond: value, .. }
            | Insn::Switch { value, .. }
            | Insn::ClassSwitch { value, .. } => std::slice::from_ref(value),
            Insn::Call { args, .. } | Insn::Panic { args, .. } => args,
            Insn::Return { values } => values,
            Insn::MergePoint { .. } | Insn::Goto { .. } | Insn::LoopHeader => &[],
        };
        let regs = greens.iter().chain(reds).map(|r| Opnd::Reg(*r));
        regs.chain(others.iter().copied())
    }

    /// The registers that are written.
    pub fn dsts(&self) -> &[Reg] {
        match self {
            Insn::Data { dst, .. } => dst.as_slice(),
            Insn::Move { dst, .. } | Insn::Promote { dst, .. } | Insn::Ask { dst, .. } => {
                std::slice::from_ref(dst)
            }
            Insn::Call { dsts, .. } => dsts,
            _ => &[],
        }
    }

    /// Whether execution can continue at the next instruction.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Insn::Goto { .. }
                | Insn::Switch { .. }
                | Insn::ClassSwitch { .. }
                | Insn::Return { .. }
                | Insn::Panic { .. }
        )
    }

    /// Where it jumps to: the target, or the cases of its table and then the default.
    pub fn targets<'c>(&self, code: &'c JitCode) -> impl Iterator<Item = Pc> + use<'c> {
        let (one, table) = match self {
            Insn::Goto { target } | Insn::BranchFalse { target, .. } => (Some(*target), None),
            Insn::Switch { table, .. } | Insn::ClassSwitch { table, .. } => {
                (None, code.switches.get(usize::from(*table)))
            }
            _ => (None, None),
        };
        let cases = table.into_iter().flat_map(|t| &t.cases).map(|c| c.1);
        let default = table.map(|t| t.default);
        one.into_iter().chain(cases).chain(default)
    }
}

/// For every instruction the registers whose values are needed when execution continues there, its
/// own reads included, sorted: what [`JitCode::live`] must be. Operands and targets that do not
/// exist are ignored.
pub fn liveness(code: &JitCode) -> Vec<Vec<Reg>> {
    let mut live = LiveSets::new(code);
    // What is live behind an instruction is known when it is looked at, if no jump leads back.
    let leads_back = |(pc, insn): (usize, &Insn)| {
        let mut targets = insn.targets(code);
        targets.any(|target| target.0 as usize <= pc)
    };
    let loops = code.insns.iter().enumerate().any(leads_back);
    while live.pass(code) && loops {}
    (0..code.insns.len())
        .map(|pc| registers(live.at(pc)))
        .collect()
}

/// For every instruction, and for the place behind the last, a set of registers; all in one list.
struct LiveSets {
    /// The words of a set.
    words: usize,
    sets: Vec<u64>,
    /// The set of the instruction that is looked at.
    now: Vec<u64>,
}

impl LiveSets {
    fn new(code: &JitCode) -> LiveSets {
        let words = code.regs.len().div_ceil(64);
        LiveSets {
            words,
            sets: vec![0; words * (code.insns.len() + 1)],
            now: vec![0; words],
        }
    }

    fn at(&self, pc: usize) -> &[u64] {
        &self.sets[pc * self.words..(pc + 1) * self.words]
    }

    /// Looks at every instruction once; returns whether any set has changed.
    fn pass(&mut self, code: &JitCode) -> bool {
        let mut changed = false;
        for pc in (0..code.insns.len()).rev() {
            self.look(code, pc);
            let before = &mut self.sets[pc * self.words..(pc + 1) * self.words];
            if *before != self.now {
                before.copy_from_slice(&self.now);
                changed = true;
            }
        }
        changed
    }

    /// Finds out what is live in front of an instruction.
    fn look(&mut self, code: &JitCode, pc: usize) {
        let insn = &code.insns[pc];
        let mut now = std::mem::take(&mut self.now);
        match insn.falls_through() {
            true => now.copy_from_slice(self.at(pc + 1)),
            false => now.fill(0),
        }
        for target in insn.targets(code) {
            let target = target.0 as usize;
            if target <= code.insns.len() {
                for (word, more) in now.iter_mut().zip(self.at(target)) {
                    *word |= more;
                }
            }
        }
        let bit = |r: Reg| (usize::from(r.0) / 64, 1u64 << (r.0 % 64));
        for (word, mask) in insn.dsts().iter().copied().map(bit) {
            if let Some(word) = now.get_mut(word) {
                *word &= !mask;
            }
        }
        for opnd in insn.operands() {
            if let Opnd::Reg(r) = opnd
                && let Some(word) = now.get_mut(bit(r).0)
            {
                *word |= bit(r).1;
            }
        }
        self.now = now;
    }
}

fn registers(set: &[u64]) -> Vec<Reg> {
    let count = set.iter().map(|word| word.count_ones() as usize).sum();
    let mut out = Vec::with_capacity(count);
    for (i, word) in set.iter().enumerate() {
        let mut rest = *word;
        while rest != 0 {
            out.push(Reg((i * 64) as u16 + rest.trailing_zeros() as u16));
            rest &= rest - 1;
        }
    }
    out
}
