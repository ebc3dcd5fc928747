//! Profilers and debuggers are told of machine code. In: the backend's journal, after whatever
//! changes the code. Out: calls of the inspector, with what the traces are called, and notes for
//! the VM's own profile. Invariant: without the parameters `jitdump`, `perf_map` and `gdb` there is
//! no inspector, and without a profile no journal either.

use crate::errors::VmError;
use crate::observe::event::{Event, TraceInfo};
use crate::observe::log_rows::rows_text;
use crate::observe::observers::Observers;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use verdigris_backend::journal;
use verdigris_inspect::{Inspector, Named};
use verdigris_report::CompilerKind;

impl Observers {
    /// Starts an inspector.
    ///
    /// # Errors
    /// As [`Inspector::new`].
    pub(crate) fn inspect(
        &mut self,
        jitdump: Option<&Path>,
        perf_map: bool,
        gdb: bool,
    ) -> Result<(), VmError> {
        let inspector = Inspector::new(jitdump, perf_map, gdb).map_err(|error| {
            let wanted = match jitdump {
                Some(folder) => format!("jitdump={}", folder.display()),
                None => "perf_map=1".to_owned(),
            };
            VmError::Inspect(format!("{wanted}: {error}"))
        })?;
        self.inspector = Some(RefCell::new(inspector));
        Ok(())
    }

    /// Whether an observer reads the backend's journal.
    pub(crate) fn reads_journal(&self) -> bool {
        self.inspector.is_some() || self.profiled.is_some()
    }

    pub(super) fn inspect_event(&self, event: &Event<'_>) {
        if !self.reads_journal() {
            return;
        }
        match event {
            Event::Compiled(trace, code) => {
                self.read_journal(code.journal, Some(trace));
                if let Some(profiled) = &self.profiled {
                    profiled.made(trace.title, code.spent);
                }
            }
            Event::Freed {
                guards, journal, ..
            } => {
                if let Some(profiled) = &self.profiled {
                    profiled.forget_guards(guards.iter().map(|guard| guard.as_u32()));
                }
                self.read_journal(journal, None);
            }
            Event::CodeChanged { journal } => self.read_journal(journal, None),
            _ => {}
        }
    }

    /// Machine code has changed; new code of traces was compiled for this one.
    fn read_journal(&self, journal: &[journal::CodeEvent], trace: Option<&TraceInfo<'_>>) {
        if let Some(profiled) = &self.profiled {
            // Code of no trace belongs to no compiler.
            let compiler = trace.map_or(CompilerKind::Tracer, |trace| trace.compiler);
            let places = trace.map_or_else(Rc::default, |trace| self.op_places(profiled, trace));
            profiled.note_code(journal, compiler, &places);
        }
        if let Some(inspector) = &self.inspector {
            let text =
                trace.map(|trace| rows_text(&self.optimised_rows(&trace.optimised.trace, &[])));
            let named = trace.zip(text.as_deref()).map(|(trace, text)| Named {
                title: trace.title,
                text,
            });
            inspector.borrow_mut().tell(journal.to_vec(), named);
        }
    }
}
