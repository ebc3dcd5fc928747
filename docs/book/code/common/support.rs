//! What a step can do. In: compiled code. Out: an error if it needs a later step. Invariant: an
//! interpreter never sees an instruction that it does not know.

use crate::compiler::Code;
use crate::opcode::Op;

/// Checks that this step has all that a program needs.
///
/// # Errors
/// The line, if it is known, what is missing, and the step that has it.
pub fn check(code: &Code, step: usize) -> Result<(), String> {
    if step < 7 && !code.captures.is_empty() {
        return Err(missing(0, "closures", 7));
    }
    // The last two let a function return nil.
    let own = &code.ops[..code.ops.len() - 2];
    for (n, op) in own.iter().enumerate() {
        let (first, what) = needed(*op);
        if first > step {
            let line = code.lines[n..].iter().find(|line| **line > 0);
            return Err(missing(line.copied().unwrap_or(0), what, first));
        }
    }
    code.functions
        .iter()
        .try_for_each(|inner| check(inner, step))
}

fn missing(line: u32, what: &str, step: usize) -> String {
    match line {
        0 => format!("{what} come in step {step}"),
        line => format!("{line}: {what} come in step {step}"),
    }
}

/// The step that an instruction comes in, and what it is for.
fn needed(op: Op) -> (usize, &'static str) {
    match op {
        Op::Nil { .. } | Op::Bool { .. } | Op::Float { .. } => (4, "values other than integers"),
        Op::Closure { .. }
        | Op::GetGlobal { .. }
        | Op::SetGlobal { .. }
        | Op::Call { .. }
        | Op::Return { .. } => (5, "functions"),
        Op::Text { .. } => (6, "texts"),
        Op::Share { .. }
        | Op::GetShared { .. }
        | Op::SetShared { .. }
        | Op::GetCaptured { .. }
        | Op::SetCaptured { .. } => (7, "closures"),
        Op::Class { .. } | Op::GetField { .. } | Op::SetField { .. } | Op::Send { .. } => {
            (8, "classes and objects")
        }
        _ => (3, "variables and loops"),
    }
}
