//! What the log says of code that is made. In: a trace and what became of it. Out: pieces of the
//! log, each under the title of the trace. Invariant: what is shown has the numbers that its guards
//! will have.

use crate::compile::attempt::Place;
use crate::engine::Engine;
use crate::observe::log::Stage;
use crate::observe::{optimiser_input, origins};
use verdigris_backend::CompileOutput;
use verdigris_opt::{BuilderInput, Optimised, Remark};
use verdigris_trace::{OptimisedTrace, RecordedTrace, Trace, TraceForm};

impl Engine {
    /// A line about a trace, for the log.
    pub(crate) fn title(&self, place: Place, piece: u32, state: &[u64]) -> String {
        let what = match place {
            Place::Loop => format!("loop at {}", self.show_place(self.greens(state))),
            Place::Version(_) => {
                let at = self.show_place(self.greens(state));
                format!("another version of the loop at {at}")
            }
            Place::Header(cell, _) => format!("entry at {}", self.show_cell(cell)),
            Place::Stencil => {
                format!("instruction at {}", self.show_place(self.greens(state)))
            }
            Place::Bridge(guard) => {
                let from = self.guards.borrow()[guard].home.piece;
                match self.guard_location(guard) {
                    Some(location) => format!("bridge from {guard} of trace {from} at {location}"),
                    None => format!("bridge from {guard} of trace {from}"),
                }
            }
        };
        format!("trace {piece}: {what}")
    }

    /// Writes a trace to the log.
    pub(crate) fn show<F: TraceForm>(&self, stage: Stage, title: &str, trace: &Trace<F>) {
        self.log.piece(stage, || {
            let text = self.text_with_places(trace);
            (format!("{title}, {} operations", trace.ops().len()), text)
        });
    }

    /// Writes residual code to the log, with the numbers that its guards will have, and where its
    /// operations come from.
    pub(crate) fn show_residual(
        &self,
        title: &str,
        given: &[BuilderInput],
        trace: &mut OptimisedTrace,
    ) {
        self.log.piece(Stage::Opt, || {
            self.guards.borrow().number(trace);
            let text = optimiser_input::residual(&self.linked, given, trace);
            let text = self.add_places(text, trace);
            (format!("{title}, {} operations", trace.ops().len()), text)
        });
    }

    /// Writes what a trace could not keep out of memory to the log.
    pub(crate) fn show_losses(&self, title: &str, notes: &[Remark]) {
        if notes.is_empty() {
            return;
        }
        self.log.piece(Stage::Lost, || {
            let lines: Vec<String> = notes.iter().map(Remark::to_string).collect();
            (title.to_string(), lines.join("\n"))
        });
    }

    /// Writes where the operations of a trace come from to the log.
    pub(crate) fn show_origins(
        &self,
        title: &str,
        trace: &RecordedTrace,
        optimised: &mut Optimised,
    ) {
        self.log.piece(Stage::Origins, || {
            self.guards.borrow().number(&mut optimised.trace);
            (title.to_string(), origins::text(trace, optimised))
        });
    }

    /// Writes the backend's input and output to the log.
    pub(crate) fn show_code(&self, title: &str, compiled: CompileOutput) {
        if let Some(ir) = compiled.ir {
            self.log.piece(Stage::Clif, || (title.to_string(), ir));
        }
        if let Some(asm) = compiled.asm {
            let header = format!("{title}, {} bytes", compiled.code_bytes);
            self.log.piece(Stage::Asm, || (header, asm));
        }
    }
}
