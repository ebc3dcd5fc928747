//! Which operation of the trace instructions are for. In: what is compiled, as it is. Out: offsets
//! in the code with operations, for the journal; and their text among the instructions, for the
//! log. Invariant: nothing is noted unless the journal or the log wants it.
//!
//! Slow paths and stubs come behind all operations, so each remembers the operation that has asked
//! for it.

use crate::lower::Work;
use std::ops::RangeInclusive;

/// What is noted of operations while code is made.
#[derive(Default)]
pub(crate) struct Origins {
    /// Whether offsets are wanted.
    wants_offsets: bool,
    /// The operations as text, if that is wanted.
    lines: Option<Vec<String>>,
    /// From these offsets on, code is for these operations.
    offsets: Vec<(u32, u32)>,
    /// The operation of each slow path.
    slow: Vec<u32>,
    /// The operation of each stub.
    stubs: Vec<u32>,
}

/// The end of code and of its text.
#[derive(Clone, Copy)]
pub(crate) struct Mark(u32, usize);

impl Origins {
    pub(crate) fn new(wants_offsets: bool, lines: Option<Vec<String>>) -> Origins {
        Origins {
            wants_offsets,
            lines,
            ..Origins::default()
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
}

impl Work {
    /// Where code and text end now.
    pub(crate) fn mark(&self) -> Mark {
        let text = self.file.asm.text.as_ref();
        Mark(self.file.asm.here(), text.map_or(0, String::len))
    }

    /// What has been made since the mark is for these operations.
    pub(crate) fn originate(&mut self, since: Mark, ops: RangeInclusive<u32>) {
        if !self.origins.is_wanted() {
            return;
        }
        let op = *ops.start();
        self.origins.slow.resize(self.slow.len(), op);
        // What is done together with a guard comes in front of it.
        self.origins.stubs.resize(self.stubs.len(), *ops.end());
        self.place(since, op);
        let (text, lines) = (&mut self.file.asm.text, &self.origins.lines);
        if let (Some(text), Some(lines)) = (text, lines) {
            let (from, to) = (*ops.start() as usize, *ops.end() as usize);
            let lines: String = (lines[from..=to].iter())
                .map(|line| format!("; {line}\n"))
                .collect();
            text.insert_str(since.1, &lines);
        }
    }

    /// What has been made since the mark is the slow path with this number.
    pub(crate) fn originate_slow(&mut self, since: Mark, path: usize) {
        if self.origins.is_wanted() {
            // A path that was added by another one, which all share, is for the operation of that
            // one.
            let op = self.origins.slow.get(path).or(self.origins.slow.last());
            let op = *op.expect("slow paths are for operations");
            self.behind(since, op, "slow path of");
        }
    }

    /// What has been made since the mark is the stub with this number.
    pub(crate) fn originate_stub(&mut self, since: Mark, stub: usize) {
        if self.origins.is_wanted() {
            let op = self.origins.stubs[stub];
            self.behind(since, op, "exit of");
        }
    }

    fn behind(&mut self, since: Mark, op: u32, what: &str) {
        self.place(since, op);
        let (text, lines) = (&mut self.file.asm.text, &self.origins.lines);
        if let (Some(text), Some(lines)) = (text, lines) {
            let line = format!("; {what} {}\n", lines[op as usize]);
            text.insert_str(since.1, &line);
        }
    }

    fn place(&mut self, since: Mark, op: u32) {
        if self.origins.wants_offsets && self.file.asm.here() != since.0 {
            self.origins.offsets.push((since.0, op));
        }
    }
}
