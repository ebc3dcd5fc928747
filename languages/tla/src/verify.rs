//! The verifier. In: the instructions of a program, whose operands exist. Out: the height of the
//! stack at each place, and how many values each function's stack holds at most; or what is wrong.
//! Invariant: what it accepts never pops what is not there, never runs off a function's end, and
//! gives each call as many arguments as its callee takes back.

use crate::image::{Image, Instruction};
use crate::opcode::{self, Operand};

/// An instruction that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// Its pc, or that of the function if it has no instruction.
    pub pc: usize,
    /// The message.
    pub message: String,
}

/// Fills in the heights and slots of a program.
///
/// # Errors
/// For each function that is wrong its first wrong instruction.
pub fn verify(image: &mut Image) -> Result<(), Vec<Wrong>> {
    image.heights = vec![0; image.code.len()];
    let found: Vec<Result<Heights, Wrong>> = (0..image.functions.len())
        .map(|f| heights(image, f))
        .collect();
    let mut wrong = Vec::new();
    for (function, found) in found.into_iter().enumerate() {
        match found {
            Ok(found) => {
                let function = &mut image.functions[function];
                function.slots = found.most;
                for (height, known) in image.heights[function.start..].iter_mut().zip(found.at) {
                    *height = known.unwrap_or(0);
                }
            }
            Err(error) => wrong.push(error),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// A function.
struct Heights {
    /// The height before each instruction that control comes to.
    at: Vec<Option<usize>>,
    /// The greatest.
    most: usize,
}

/// Follows all ways through a function.
fn heights(image: &Image, function: usize) -> Result<Heights, Wrong> {
    let function = &image.functions[function];
    let mut found = Heights {
        at: vec![None; function.end - function.start],
        most: function.params,
    };
    // Where control comes from, where to, and with how many values.
    let mut work = vec![(function.start, function.start, function.params)];
    while let Some((from, pc, height)) = work.pop() {
        if pc >= function.end {
            let message = format!(
                "control runs off the end of `{}` behind this",
                function.name
            );
            return Err(Wrong { pc: from, message });
        }
        let slot = &mut found.at[pc - function.start];
        match *slot {
            Some(known) if known == height => continue,
            Some(known) => {
                let message = format!(
                    "there are {known} values on the stack here, or {height} by another way"
                );
                return Err(Wrong { pc, message });
            }
            None => *slot = Some(height),
        }
        let next = after(image, function.params, height, image.code[pc])
            .map_err(|message| Wrong { pc, message })?;
        found.most = found.most.max(height).max(next);
        work.extend(successors(image.code[pc], pc).map(|to| (pc, to, next)));
    }
    Ok(found)
}

/// The height behind an instruction.
fn after(image: &Image, params: usize, height: usize, at: Instruction) -> Result<usize, String> {
    let op = opcode::by_code(at.op);
    let count = usize::try_from(at.operand).unwrap_or(usize::MAX);
    let pops = match op.operand {
        Operand::Function => image.functions[count].params,
        _ => op.pops,
    };
    let needed = match op.operand {
        Operand::Depth => pops + count + 1,
        _ => pops,
    };
    if height < needed {
        let what = match op.operand {
            Operand::Function => format!("`{}` takes", image.functions[count].name),
            Operand::Depth => format!("{} {count} needs", op.name),
            _ => format!("{} needs", op.name),
        };
        return Err(format!(
            "{what} {needed} values, and there are {height} on the stack"
        ));
    }
    if op.operand == Operand::Arity {
        if count != params {
            return Err(format!(
                "RET {count} is in a function that takes {params} arguments"
            ));
        }
        if height != params + 1 {
            return Err(format!(
                "RET {count} needs the arguments and the result on the stack, {} values, and there are {height}",
                params + 1
            ));
        }
    }
    Ok(height - pops + op.pushes)
}

/// Where control goes from an instruction.
fn successors(at: Instruction, pc: usize) -> impl Iterator<Item = usize> {
    let (jump, next) = match at.op {
        opcode::RET | opcode::EXIT => (None, None),
        opcode::JUMP => (Some(at.operand as usize), None),
        opcode::JUMP_IF => (Some(at.operand as usize), Some(pc + 1)),
        _ => (None, Some(pc + 1)),
    };
    // The next instruction is looked at first, so that the first wrong one in the text is reported.
    jump.into_iter().chain(next)
}
