//! Interprets jitcode, and destroys every register that is not live, at every instruction.

use crate::world::{Outcome, World};
use verdigris_jitcode::{CallTarget, CodeId, Insn, Opnd, Pc, Reg, Unit};
use verdigris_ops::eval;

/// Runs the portal.
pub fn run(unit: &Unit, world: &mut World<'_>, args: &[u64]) -> Outcome {
    match call(unit, world, unit.portal, args) {
        Ok(words) => Outcome::Returned(words.first().copied().unwrap_or(0)),
        Err(outcome) => outcome,
    }
}

const POISON: u64 = 0xDEAD_BEEF_DEAD_BEEF;

fn call(unit: &Unit, world: &mut World<'_>, id: CodeId, args: &[u64]) -> Result<Vec<u64>, Outcome> {
    let code = &unit.codes[id];
    let mut regs = vec![POISON; code.regs.len()];
    for (param, &word) in code.params.iter().zip(args) {
        regs[usize::from(param.0)] = word;
    }
    let mut pc = Pc(0);
    loop {
        if !world.burn(1) {
            return Err(Outcome::TooLong);
        }
        let live = code.live_at(pc);
        for (n, word) in regs.iter_mut().enumerate() {
            if !live.contains(&Reg(n as u16)) {
                *word = POISON;
            }
        }
        let insn = &code.insns[pc.0 as usize];
        let words: Vec<u64> = insn
            .operands()
            .map(|o| match o {
                Opnd::Reg(r) => regs[usize::from(r.0)],
                Opnd::Const(c) => code.consts[usize::from(c)].word(),
            })
            .collect();
        let mut next = Pc(pc.0 + 1);
        let mut results = Vec::new();
        match insn {
            Insn::Data { op, descr, .. } => {
                let word = eval(*op, &words).unwrap_or_else(|| world.heap(*op, &words, *descr));
                results.push(word);
            }
            Insn::Move { .. } | Insn::Promote { .. } => results.push(words[0]),
            Insn::Ask { .. } => results.push(0),
            Insn::Goto { target } => next = *target,
            Insn::BranchFalse { target, .. } => {
                if words[0] == 0 {
                    next = *target;
                }
            }
            Insn::Switch { table, .. } => {
                next = code.switches[usize::from(*table)].lookup(words[0] as i64);
            }
            Insn::ClassSwitch { table, .. } => {
                let class = world.class_of(words[0]);
                next = code.switches[usize::from(*table)].lookup(i64::from(class.as_u32()));
            }
            Insn::Call { target, .. } => {
                results = match *target {
                    CallTarget::Code(callee) => call(unit, world, callee, &words)?,
                    CallTarget::Fn(callee) => {
                        world.call(callee, &words).map_err(Outcome::Panicked)?
                    }
                };
            }
            Insn::Return { .. } => return Ok(words),
            Insn::Panic { kind, .. } => return Err(Outcome::Panicked(kind.message(&words))),
            Insn::MergePoint { .. } | Insn::LoopHeader => {}
        }
        for (dst, word) in insn.dsts().iter().zip(results) {
            regs[usize::from(dst.0)] = word;
        }
        pc = next;
    }
}
