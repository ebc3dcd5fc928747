//! Profilers and debuggers are told of machine code. In: the backend's journal, after whatever
//! changes the code. Out: calls of the inspector, with what the traces are called, and notes for
//! the VM's own profile. Invariant: without the parameters `jitdump` and `gdb` there is no
//! inspector, and without a profile no journal either.

use crate::engine::Engine;
use crate::errors::VmError;
use crate::observe::profile::code_map::Inlined;
use crate::observe::stats::Maker;
use std::cell::RefCell;
use std::rc::Rc;
use verdigris_inspect::{Inspector, Named};
use verdigris_trace::OptimisedTrace;

/// A trace whose code has just been made.
pub(crate) struct Told<'a> {
    pub(crate) title: &'a str,
    pub(crate) text: &'a str,
    pub(crate) maker: Maker,
    /// Where its operations are.
    pub(crate) places: &'a Rc<[Inlined]>,
}

impl Engine {
    /// Begins to tell, if the parameters say so.
    ///
    /// # Errors
    /// As [`Inspector::new`].
    pub(crate) fn inspect(&mut self) -> Result<(), VmError> {
        let (jitdump, gdb) = (self.params.jitdump.as_deref(), self.params.gdb);
        if jitdump.is_none() && !gdb {
            if self.profiled.is_some() {
                self.keep_journal();
            }
            return Ok(());
        }
        let inspector = Inspector::new(jitdump, gdb).map_err(|error| {
            let folder = jitdump.unwrap_or("".as_ref()).display();
            VmError::Inspect(format!("jitdump={folder}: {error}"))
        })?;
        self.inspector = Some(RefCell::new(inspector));
        self.keep_journal();
        Ok(())
    }

    /// From now on the backend keeps its journal.
    fn keep_journal(&self) {
        self.backend.borrow_mut().keep_journal();
        self.tell_inspector(None);
    }

    /// The text of a trace that is compiled, which the inspector takes for the source of its code;
    /// nothing if there is none.
    pub(crate) fn text_for_inspector(&self, trace: &OptimisedTrace) -> String {
        match self.inspector {
            Some(_) => self.text_with_places(trace),
            None => String::new(),
        }
    }

    /// Tells what has happened to code. What has been made is that of this trace.
    pub(crate) fn tell_inspector(&self, trace: Option<Told<'_>>) {
        if self.inspector.is_none() && self.profiled.is_none() {
            return;
        }
        let events = self.backend.borrow_mut().take_journal();
        if let Some(profiled) = &self.profiled {
            match &trace {
                Some(told) => profiled.note_code(&events, told.maker, told.places),
                // What belongs to no trace has no maker.
                None => profiled.note_code(&events, Maker::Tracer, &Rc::default()),
            }
        }
        if let Some(inspector) = &self.inspector {
            let named = trace.map(|told| Named {
                title: told.title,
                text: told.text,
            });
            inspector.borrow_mut().tell(events, named);
        }
    }
}
