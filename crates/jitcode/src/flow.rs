//! What an instruction reads, writes, and where it continues; and liveness, which follows from that.
//!
//! In: instructions. Out: [`liveness`], the live registers at every pc. Invariant: this is the only definition of an
//! instruction's operands and successors; the printer, the verifier, and the engines' snapshots rest on it.

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
    pub fn operands(&self) -> Vec<Opnd> {
        match self {
            Insn::Data { op, args, .. } => args[..op.params().len()].to_vec(),
            Insn::Move { src, .. } | Insn::Promote { src, .. } | Insn::Ask { src, .. } => {
                vec![*src]
            }
            Insn::BranchFalse { cond, .. } => vec![*cond],
            Insn::Switch { value, .. } | Insn::ClassSwitch { value, .. } => vec![*value],
            Insn::Call { args, .. } | Insn::Panic { args, .. } => args.clone(),
            Insn::Return { values } => values.clone(),
            Insn::MergePoint { greens, reds } => {
                greens.iter().chain(reds).map(|r| Opnd::Reg(*r)).collect()
            }
            Insn::Goto { .. } | Insn::LoopHeader => Vec::new(),
        }
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
    pub fn targets(&self, code: &JitCode) -> Vec<Pc> {
        match self {
            Insn::Goto { target } | Insn::BranchFalse { target, .. } => vec![*target],
            Insn::Switch { table, .. } | Insn::ClassSwitch { table, .. } => {
                let table = code.switches.get(usize::from(*table));
                table.map_or(Vec::new(), |t| {
                    let cases = t.cases.iter().map(|c| c.1);
                    cases.chain([t.default]).collect()
                })
            }
            _ => Vec::new(),
        }
    }
}

/// For every instruction the registers whose values are needed when execution continues there, its own reads
/// included, sorted: what [`JitCode::live`] must be. Operands and targets that do not exist are ignored.
pub fn liveness(code: &JitCode) -> Vec<Vec<Reg>> {
    let count = code.insns.len();
    let words = code.regs.len().div_ceil(64);
    let mut live = vec![vec![0u64; words]; count + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (0..count).rev() {
            let now = live_before(code, pc, &live);
            if now != live[pc] {
                live[pc] = now;
                changed = true;
            }
        }
    }
    live.truncate(count);
    live.iter().map(|set| registers(set)).collect()
}

fn live_before(code: &JitCode, pc: usize, live: &[Vec<u64>]) -> Vec<u64> {
    let insn = &code.insns[pc];
    let mut set = if insn.falls_through() {
        live[pc + 1].clone()
    } else {
        vec![0; live[pc].len()]
    };
    for target in insn.targets(code) {
        if let Some(other) = live.get(target.0 as usize) {
            for (word, more) in set.iter_mut().zip(other) {
                *word |= more;
            }
        }
    }
    let bit = |r: Reg| (usize::from(r.0) / 64, 1u64 << (r.0 % 64));
    for (word, mask) in insn.dsts().iter().copied().map(bit) {
        if let Some(word) = set.get_mut(word) {
            *word &= !mask;
        }
    }
    for opnd in insn.operands() {
        if let Opnd::Reg(r) = opnd
            && let Some(word) = set.get_mut(bit(r).0)
        {
            *word |= bit(r).1;
        }
    }
    set
}

fn registers(set: &[u64]) -> Vec<Reg> {
    let mut out = Vec::new();
    for (i, word) in set.iter().enumerate() {
        let mut rest = *word;
        while rest != 0 {
            out.push(Reg((i * 64) as u16 + rest.trailing_zeros() as u16));
            rest &= rest - 1;
        }
    }
    out
}
