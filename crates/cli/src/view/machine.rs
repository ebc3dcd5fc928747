//! Ties the lines of machine code to operations. A comment names an operation by its guard, or by
//! its text: then it is the first operation with this text that has no comment yet. Lines in front
//! of all comments are tied to nothing.

use super::model::{CodeLine, TraceRow};
use std::collections::{HashMap, VecDeque};

/// The lines of machine code, each tied to the operations that the comments in front of it name.
pub fn code_lines(body: Vec<String>, opt: &[TraceRow]) -> Vec<CodeLine> {
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
        let tied = match comment {
            Some(text) => {
                let is_exit = text.starts_with("exit of ");
                let guard = text.rsplit(' ').next();
                let op = match guard.and_then(|guard| by_guard.get(guard)) {
                    Some(&n) => Some(n),
                    None => by_text.get_mut(text).and_then(VecDeque::pop_front),
                };
                if !behind_comment || is_exit {
                    ops.clear();
                }
                ops.extend(op);
                op.into_iter().collect()
            }
            None => ops.clone(),
        };
        behind_comment = comment.is_some();
        rows.push(CodeLine {
            text: line,
            ops: tied,
        });
    }
    rows
}
