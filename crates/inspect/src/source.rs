//! The text of a trace as the source of its code: a file, and its line for each change of the
//! operation. A line is the first one of an operation's text.

use std::path::{Path, PathBuf};
use verdigris_backend::listing::heads;

/// Writes the text to a file. Returns its path; none if it cannot be written, which a profile
/// tolerates.
pub(crate) fn write(path: &Path, text: &str) -> Option<PathBuf> {
    std::fs::write(path, text).ok()?;
    path.canonicalize().ok()
}

/// The lines, from 1, from these offsets in the code on.
pub(crate) fn lines(text: &str, ops: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let heads: Vec<u32> = heads(text).map(|(number, _)| number).collect();
    let line = |&(offset, op): &(u32, u32)| Some((offset, *heads.get(op as usize)?));
    ops.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_takes_lines_and_is_no_operation() {
        let text = "[i0]\nlabel L0(i0)\ni1 = int_gt(i0, 0)\nguard_true(i1) g0\n  -> [i0]\n  @ 0:5 r1=i0\njump L0(i0)\n";
        let ops = [(0, 1), (3, 2), (9, 3), (14, 2), (20, 7)];
        assert_eq!(lines(text, &ops), [(0, 3), (3, 4), (9, 7), (14, 4)]);
    }
}
