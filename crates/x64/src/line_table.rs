//! Which operation of the trace instructions belong to: offsets for the journal, and the operations
//! as text among the instructions for the log.
//!
//! Cold paths and stubs are emitted behind all operations, so the table remembers the operation of
//! each. Nothing is recorded unless the journal or the log wants it.

use crate::asm::Asm;
use std::ops::RangeInclusive;

#[derive(Default)]
pub(crate) struct LineTable {
    wants_offsets: bool,
    /// The operations as text, if the log wants them.
    lines: Option<Vec<String>>,
    /// The first offset of each stretch of code, and its operation.
    offsets: Vec<(u32, u32)>,
    /// The operation of each cold path.
    cold_paths: Vec<u32>,
    /// The operation of each stub.
    stubs: Vec<u32>,
}

/// The end of code and of its text.
#[derive(Clone, Copy)]
pub(crate) struct Mark(u32, usize);

impl Mark {
    pub(crate) fn here(asm: &Asm) -> Mark {
        Mark(asm.here(), asm.text.as_ref().map_or(0, String::len))
    }
}

impl LineTable {
    pub(crate) fn new(wants_offsets: bool, lines: Option<Vec<String>>) -> LineTable {
        LineTable {
            wants_offsets,
            lines,
            ..LineTable::default()
        }
    }

    /// Whether the instructions are wanted as text.
    pub(crate) fn wants_text(&self) -> bool {
        self.lines.is_some()
    }

    pub(crate) fn take_offsets(&mut self) -> Vec<(u32, u32)> {
        std::mem::take(&mut self.offsets)
    }

    fn is_wanted(&self) -> bool {
        self.wants_offsets || self.wants_text()
    }

    /// The code since the mark belongs to these operations. Cold paths and stubs are counted
    /// since the beginning of the trace.
    pub(crate) fn add(
        &mut self,
        since: Mark,
        ops: RangeInclusive<u32>,
        cold_paths: usize,
        stubs: usize,
        asm: &mut Asm,
    ) {
        if !self.is_wanted() {
            return;
        }
        let op = *ops.start();
        self.cold_paths.resize(cold_paths, op);
        // An operation that is compiled together with a guard comes in front of it.
        self.stubs.resize(stubs, *ops.end());
        self.add_offset(since, op, asm);
        if let (Some(text), Some(lines)) = (&mut asm.text, &self.lines) {
            let (from, to) = (*ops.start() as usize, *ops.end() as usize);
            let lines: String = (lines[from..=to].iter())
                .map(|line| format!("; {line}\n"))
                .collect();
            text.insert_str(since.1, &lines);
        }
    }

    /// The code since the mark is the cold path with this number.
    pub(crate) fn add_cold_path(&mut self, since: Mark, path: usize, asm: &mut Asm) {
        if self.is_wanted() {
            // A path that another path has added belongs to the last operation.
            let op = self.cold_paths.get(path).or(self.cold_paths.last());
            let op = *op.expect("cold paths belong to operations");
            self.add_behind(since, op, "slow path of", asm);
        }
    }

    /// The code since the mark is the stub with this number.
    pub(crate) fn add_stub(&mut self, since: Mark, stub: usize, asm: &mut Asm) {
        if self.is_wanted() {
            self.add_behind(since, self.stubs[stub], "exit of", asm);
        }
    }

    fn add_behind(&mut self, since: Mark, op: u32, what: &str, asm: &mut Asm) {
        self.add_offset(since, op, asm);
        if let (Some(text), Some(lines)) = (&mut asm.text, &self.lines) {
            let line = format!("; {what} {}\n", lines[op as usize]);
            text.insert_str(since.1, &line);
        }
    }

    fn add_offset(&mut self, since: Mark, op: u32, asm: &Asm) {
        if self.wants_offsets && asm.here() != since.0 {
            self.offsets.push((since.0, op));
        }
    }
}
