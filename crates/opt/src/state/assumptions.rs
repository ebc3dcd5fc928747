//! The quasi-immutable fields that a trace assumes to be constant.

use verdigris_ops::{DataOp, FieldId};
use verdigris_trace::{Opcode, RecordedTrace};

/// The assumptions of a trace.
#[derive(Default)]
pub(crate) struct Assumptions {
    /// The fields, with their objects.
    made: Vec<(u64, FieldId)>,
    /// Fields that the trace writes: it would invalidate itself each time.
    written: Vec<FieldId>,
    /// The trace jumps to code that assumes something.
    leads_to_assuming: bool,
}

impl Assumptions {
    /// No assumptions about this trace yet.
    pub fn new(trace: &RecordedTrace) -> Assumptions {
        let invalidates = Opcode::Data(DataOp::Invalidate);
        let writes = trace.ops().iter().filter(|op| op.opcode() == invalidates);
        Assumptions {
            written: writes.map(|op| op.field()).collect(),
            ..Assumptions::default()
        }
    }

    /// Assumes that an object's field stays as it is, if `register` agrees to watch it. Returns
    /// whether it is assumed.
    pub fn assume(&mut self, object: u64, field: FieldId, register: impl FnOnce() -> bool) -> bool {
        if self.written.contains(&field) {
            return false;
        }
        let is_made = self.made.contains(&(object, field));
        if !is_made && !register() {
            return false;
        }
        if !is_made {
            self.made.push((object, field));
        }
        true
    }

    /// The trace jumps to code that assumes something.
    pub fn lead_to_assuming(&mut self) {
        self.leads_to_assuming = true;
    }

    /// Whether the trace must stop running when it is invalidated.
    pub fn matter(&self) -> bool {
        self.leads_to_assuming || !self.made.is_empty()
    }

    /// The fields that are assumed to stay as they are, with their objects.
    pub fn made(&self) -> &[(u64, FieldId)] {
        &self.made
    }
}
