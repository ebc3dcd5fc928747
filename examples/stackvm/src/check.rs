//! The facts that the interpreter relies on. In: the code of a function. Out: how many operands it
//! has at most, or the instruction that is wrong. Invariant: on every way to an instruction there
//! are equally many operands, at least as many as it pops, and no way leads off the end.

use crate::value::op;

/// An instruction and its operand.
pub type Instruction = (u8, usize);

/// How many values an instruction pops and then pushes.
fn effect((code, operand): Instruction) -> (usize, usize) {
    match code {
        op::INT | op::FLOAT | op::STRING | op::NIL | op::BOOL | op::FUNCTION | op::GET => (0, 1),
        op::SET | op::DROP | op::UNLESS | op::RETURN | op::PRINT => (1, 0),
        op::DUP => (1, 2),
        op::NOT | op::POP | op::LEN => (1, 1),
        op::JUMP => (0, 0),
        op::CALL => (operand + 1, 1),
        op::LIST => (operand, 1),
        op::PUT => (3, 0),
        op::APPEND => (2, 0),
        _ => (2, 1),
    }
}

/// Where an instruction can lead.
fn successors((code, operand): Instruction, at: usize) -> Vec<usize> {
    match code {
        op::RETURN => Vec::new(),
        op::JUMP => vec![operand],
        op::UNLESS => vec![operand, at + 1],
        _ => vec![at + 1],
    }
}

/// The most operands at any place.
///
/// # Errors
/// The index of the instruction that is wrong, and why.
pub fn slots(code: &[Instruction]) -> Result<usize, (usize, String)> {
    let mut heights: Vec<Option<usize>> = vec![None; code.len()];
    let mut work = vec![(0, 0)];
    let mut most = 0;
    while let Some((at, height)) = work.pop() {
        let Some(&instruction) = code.get(at) else {
            let last = code.len().saturating_sub(1);
            return Err((last, "the function ends without a `return`".to_owned()));
        };
        match heights[at] {
            Some(known) if known == height => continue,
            Some(known) => {
                let message =
                    format!("there are {known} operands here, or {height}, by another way");
                return Err((at, message));
            }
            None => heights[at] = Some(height),
        }
        let (pops, pushes) = effect(instruction);
        if height < pops {
            return Err((
                at,
                format!("this takes {pops} operands, and there are {height}"),
            ));
        }
        let next = height - pops + pushes;
        most = most.max(height).max(next);
        work.extend(successors(instruction, at).into_iter().map(|to| (to, next)));
    }
    Ok(most)
}
