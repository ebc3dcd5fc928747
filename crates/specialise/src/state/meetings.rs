//! Where paths may meet in a function of the interpreter: where ways come together, and behind an
//! inlined call, which may have several returns. A merge point has rules of its own.

use rustc_hash::FxHashMap;
use verdigris_jitcode::{CallTarget, CodeId, Insn, JitCode, Pc, Unit};

/// What meets in front of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meeting {
    /// There is one way to it.
    Nothing,
    /// Several ways.
    Ways,
    /// A loop begins there.
    Loop,
}

/// What meets in front of the instructions of each function that was asked for.
#[derive(Default)]
pub(crate) struct Meetings(FxHashMap<CodeId, Box<[Meeting]>>);

impl Meetings {
    /// What meets in front of this instruction.
    pub fn at(&mut self, unit: &Unit, code: CodeId, pc: Pc) -> Meeting {
        let known = self.0.entry(code);
        known.or_insert_with(|| meetings(&unit.codes[code]))[pc.0 as usize]
    }
}

fn meetings(code: &JitCode) -> Box<[Meeting]> {
    let mut ways = vec![0_u8; code.insns.len()];
    let mut is_loop = vec![false; code.insns.len()];
    let mut come = |pc: usize, n: u8| ways[pc] = ways[pc].saturating_add(n);
    for (pc, insn) in code.insns.iter().enumerate() {
        let is_inlined = |insn: &Insn| match insn {
            Insn::Call { target, .. } => matches!(target, CallTarget::Code(_)),
            _ => false,
        };
        if insn.falls_through() {
            come(pc + 1, if is_inlined(insn) { 2 } else { 1 });
        }
        for target in insn.targets(code) {
            let target = target.0 as usize;
            come(target, 1);
            is_loop[target] |= target <= pc;
        }
    }
    let meeting = |((insn, ways), is_loop): ((&Insn, u8), bool)| match insn {
        Insn::MergePoint { .. } | Insn::Panic { .. } => Meeting::Nothing,
        _ if is_loop => Meeting::Loop,
        _ if ways > 1 => Meeting::Ways,
        _ => Meeting::Nothing,
    };
    code.insns
        .iter()
        .zip(ways)
        .zip(is_loop)
        .map(meeting)
        .collect()
}
