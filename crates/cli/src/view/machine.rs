//! Machine code as the log has it. In: its lines, and the operations that it was made for. Out: the
//! lines with these operations. Invariant: a comment is tied by the name of its guard, or by its
//! text to the first operation with this text that none has been tied to; what has no comment in
//! front of it is tied to nothing.

use super::model::{Instruction, Row};
use std::collections::{HashMap, VecDeque};

/// Machine code: comments name the operation that the instructions behind them are for. Operations
/// that are done together stand together.
pub fn code(body: &[&str], opt: &[Row]) -> Vec<Instruction> {
    let mut by_text: HashMap<&str, VecDeque<usize>> = HashMap::new();
    let mut by_guard: HashMap<&str, usize> = HashMap::new();
    for (n, row) in opt.iter().enumerate().filter(|(_, row)| !row.idle) {
        if let Some(guard) = &row.guard {
            by_guard.insert(guard, n);
        }
        by_text.entry(&row.text).or_default().push_back(n);
    }
    let mut rows = Vec::with_capacity(body.len());
    let mut ops: Vec<usize> = Vec::new();
    let mut behind_comment = false;
    for line in body {
        let comment = line.strip_prefix("; ");
        if let Some(text) = comment {
            let is_exit = text.starts_with("exit of ");
            let guard = text.rsplit(' ').next().filter(|word| is_guard(word));
            let op = match guard.and_then(|guard| by_guard.get(guard)) {
                Some(&n) => Some(n),
                None => by_text.get_mut(text).and_then(VecDeque::pop_front),
            };
            if !behind_comment || is_exit {
                ops.clear();
            }
            ops.extend(op);
            let ops = op.into_iter().collect();
            let text = line.to_string();
            rows.push(Instruction { text, ops });
        } else {
            let text = line.to_string();
            rows.push(Instruction {
                text,
                ops: ops.clone(),
            });
        }
        behind_comment = comment.is_some();
    }
    rows
}

/// Whether a word names a guard: `g12`.
pub fn is_guard(word: &str) -> bool {
    let digits = word.strip_prefix('g');
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}
