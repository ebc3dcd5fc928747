//! Profilers and debuggers are told of machine code. In: the backend's journal, after whatever changes the code. Out: calls of the inspector,
//! with what the traces are called. Invariant: without the parameters `jitdump` and `gdb` there is neither journal nor inspector.

use crate::errors::VmError;
use crate::state::Engine;
use std::cell::RefCell;
use verdigris_inspect::{Inspector, Named};
use verdigris_trace::OptimisedTrace;

impl Engine {
    /// Begins to tell, if the parameters say so.
    ///
    /// # Errors
    /// As [`Inspector::new`].
    pub(crate) fn inspect(&mut self) -> Result<(), VmError> {
        let (jitdump, gdb) = (self.params.jitdump.as_deref(), self.params.gdb);
        if jitdump.is_none() && !gdb {
            return Ok(());
        }
        let inspector = Inspector::new(jitdump, gdb).map_err(|error| {
            let folder = jitdump.unwrap_or("".as_ref()).display();
            VmError::Inspect(format!("jitdump={folder}: {error}"))
        })?;
        self.inspector = Some(RefCell::new(inspector));
        self.backend.borrow_mut().note_code();
        self.tell_inspector(None);
        Ok(())
    }

    /// The text of a trace that is compiled, which the inspector takes for the source of its code; nothing if there is none.
    pub(crate) fn text_for_inspector(&self, trace: &OptimisedTrace) -> String {
        match self.inspector {
            Some(_) => self.text_with_places(trace),
            None => String::new(),
        }
    }

    /// Tells what has happened to code. What has been made is that of the trace with this title and text.
    pub(crate) fn tell_inspector(&self, trace: Option<(&str, &str)>) {
        if let Some(inspector) = &self.inspector {
            let events = self.backend.borrow_mut().take_noted();
            let trace = trace.map(|(title, text)| Named { title, text });
            inspector.borrow_mut().tell(events, trace);
        }
    }
}
