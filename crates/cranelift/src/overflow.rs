//! Branches on the overflow flag. In: a function with its overflow checks marked, then its machine
//! code. Out: the same code in which a marked check is `jo` where Cranelift writes
//! `seto; test; jnz`. Invariant: the code keeps its length and every other byte, and a truth value
//! that other instructions read is still made.
//!
//! Cranelift 0.135 does not fuse `sadd_overflow` with the branch that tests its flag, on x86-64: a
//! loop that adds with a check takes up to a third longer for it (`bench -- stackvm`, lists).
//! Neither of the two instructions changes the flags, so the branch can test the flag itself. The
//! branch is found by its source location, and what does not look as expected (the register
//! allocator has put a move between) is left as it is.

use cranelift_codegen::ir::{Function, Inst, Opcode, SourceLoc, Value, ValueDef};
use cranelift_codegen::{Final, MachBufferFinalized};
use cranelift_frontend::FunctionBuilder;
use rustc_hash::FxHashMap;

/// The source location of marked branches. No other instruction has one.
pub(crate) const MARK: u32 = 1;

/// Marks the branch about to be built, if it tests the flag of the operation just built.
pub(crate) fn mark(b: &mut FunctionBuilder<'_>, test: Value) {
    let ValueDef::Result(inst, 1) = b.func.dfg.value_def(test) else {
        return;
    };
    let is_flag = matches!(
        b.func.dfg.insts[inst].opcode(),
        Opcode::SaddOverflow | Opcode::SsubOverflow | Opcode::SmulOverflow
    );
    let last = b
        .current_block()
        .and_then(|block| b.func.layout.last_inst(block));
    if is_flag && last == Some(inst) {
        b.set_srcloc(SourceLoc::new(MARK));
    }
}

/// The branch has been built.
pub(crate) fn unmark(b: &mut FunctionBuilder<'_>) {
    b.set_srcloc(SourceLoc::default());
}

/// Takes the mark from branches whose flag other instructions read too.
pub(crate) fn keep_what_is_read(func: &mut Function) {
    let marked: Vec<(Inst, Value)> = instructions(func)
        .filter(|&inst| func.srcloc(inst).bits() == MARK)
        .map(|inst| (inst, func.dfg.inst_args(inst)[0]))
        .collect();
    if marked.is_empty() {
        return;
    }
    let mut reads: FxHashMap<Value, usize> = marked.iter().map(|&(_, flag)| (flag, 0)).collect();
    for inst in instructions(func) {
        for value in func.dfg.inst_values(inst) {
            reads.entry(value).and_modify(|n| *n += 1);
        }
    }
    for (branch, flag) in marked {
        if reads[&flag] > 1 {
            func.set_srcloc(branch, SourceLoc::default());
        }
    }
}

fn instructions(func: &Function) -> impl Iterator<Item = Inst> {
    let blocks = func.layout.blocks();
    blocks.flat_map(|block| func.layout.block_insts(block))
}

/// Lets marked branches test the flag. Gives their number.
pub(crate) fn fuse(buffer: &mut MachBufferFinalized<Final>) -> usize {
    if !cfg!(target_arch = "x86_64") {
        return 0;
    }
    let marked = buffer
        .get_srclocs_sorted()
        .iter()
        .filter(|at| at.loc.bits() == MARK);
    let starts: Vec<usize> = marked.map(|at| at.start as usize).collect();
    let code = buffer.data_mut();
    starts
        .iter()
        .filter(|&&start| fuse_at(code, start).is_some())
        .count()
}

/// Rewrites `seto r; test r, r; jnz L` with the `test` at `at` to a `jo L` behind instructions that
/// do nothing. Gives nothing and changes nothing if the code there is something else.
fn fuse_at(code: &mut [u8], at: usize) -> Option<()> {
    // `test r, r`: 84 /r, behind a prefix for registers whose number has more than two bits.
    let prefix = *code.get(at)?;
    let extended = matches!(prefix, 0x40 | 0x45);
    let test = at + usize::from(extended);
    let operands = *code.get(test + 1)?;
    let register = operands & 7;
    if code[test] != 0x84 || operands != 0xC0 | register << 3 | register {
        return None;
    }
    // `seto r`: 0F 90 /0, behind its own prefix.
    let mut seto = at.checked_sub(3)?;
    if code[seto..at] != [0x0F, 0x90, 0xC0 | register] {
        return None;
    }
    if extended {
        seto = seto.checked_sub(1)?;
        if code[seto] != if prefix == 0x45 { 0x41 } else { 0x40 } {
            return None;
        }
    }
    // `jnz` or `jz` with 32 bits of distance.
    let jump = test + 2;
    let condition = match code.get(jump..jump + 2)? {
        [0x0F, 0x85] => 0x80,
        [0x0F, 0x84] => 0x81,
        _ => return None,
    };
    code[jump + 1] = condition;
    code[seto..jump].copy_from_slice(match jump - seto {
        5 => &[0x0F, 0x1F, 0x44, 0x00, 0x00],
        _ => &[0x0F, 0x1F, 0x80, 0x00, 0x00, 0x00, 0x00],
    });
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code with the branch fused, or that it was left alone.
    fn fused(code: &[u8], at: usize) -> Option<Vec<u8>> {
        let mut changed = code.to_vec();
        let done = fuse_at(&mut changed, at);
        assert!(done.is_some() || changed == code, "half of a change");
        done.map(|()| changed)
    }

    #[test]
    fn a_flag_is_tested_by_the_branch() {
        // add rsi, rcx; seto dl; test dl, dl; jnz +16
        let code = [
            0x48, 0x01, 0xCE, 0x0F, 0x90, 0xC2, 0x84, 0xD2, 0x0F, 0x85, 16, 0, 0, 0,
        ];
        let expected = [
            0x48, 0x01, 0xCE, 0x0F, 0x1F, 0x44, 0, 0, 0x0F, 0x80, 16, 0, 0, 0,
        ];
        assert_eq!(fused(&code, 6).as_deref(), Some(&expected[..]));
    }

    #[test]
    fn registers_with_prefixes() {
        // seto r9b; test r9b, r9b; jz +16
        let high = [
            0x41, 0x0F, 0x90, 0xC1, 0x45, 0x84, 0xC9, 0x0F, 0x84, 16, 0, 0, 0,
        ];
        let expected = [0x0F, 0x1F, 0x80, 0, 0, 0, 0, 0x0F, 0x81, 16, 0, 0, 0];
        assert_eq!(fused(&high, 4).as_deref(), Some(&expected[..]));
        // seto sil; test sil, sil; jz +16
        let low = [
            0x40, 0x0F, 0x90, 0xC6, 0x40, 0x84, 0xF6, 0x0F, 0x84, 16, 0, 0, 0,
        ];
        assert_eq!(fused(&low, 4).as_deref(), Some(&expected[..]));
    }

    #[test]
    fn anything_else_is_left_alone() {
        let code = |changes: &[(usize, u8)]| {
            let mut code = vec![0x0F, 0x90, 0xC2, 0x84, 0xD2, 0x0F, 0x85, 16, 0, 0, 0];
            changes.iter().for_each(|&(at, byte)| code[at] = byte);
            code
        };
        assert!(fused(&code(&[]), 3).is_some());
        // Another register is set, another tested, two are tested, another condition is set or
        // tested.
        for change in [
            (2, 0xC1),
            (4, 0xC9),
            (4, 0xD1),
            (1, 0x92),
            (6, 0x82),
            (3, 0x85),
        ] {
            assert_eq!(fused(&code(&[change]), 3), None, "{change:?}");
        }
        for len in 0..7 {
            assert_eq!(fused(&code(&[])[..len], 3.min(len)), None, "{len} bytes");
        }
        // seto bl behind a byte that is no prefix of the register that is tested.
        assert_eq!(
            fused(&[0x40, 0x0F, 0x90, 0xC1, 0x45, 0x84, 0xC9, 0x0F, 0x84], 4),
            None
        );
    }
}
