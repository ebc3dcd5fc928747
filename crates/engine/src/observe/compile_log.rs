//! The log's entries: each event as text.

use crate::code::guard_info::GuardInfo;
use crate::code::trace_id::TraceId;
use crate::code::trees::Tree;
use crate::compile::target::{Failed, TraceTarget};
use crate::observe::event::{AbortInfo, Event, GuardExit, InstalledCode, TraceInfo};
use crate::observe::log::Stage;
use crate::observe::observers::Observers;
use crate::observe::{optimiser_input, origins};
use crate::policy::reasons::{FreeReason, TierChange};
use crate::run::stack;
use std::fmt::Write;
use verdigris_jitcode::CodeId;
use verdigris_ops::FnKind;
use verdigris_opt::Remark;
use verdigris_record::AbortReason;
use verdigris_trace::{GuardId, Trace, TraceForm};

/// What is in the way of entering a portal at its merge point.
const NO_RUNNER: &str = "Native code cannot begin at its merge point: make the loop a statement of the portal's body, and let the loop and what \
                         is behind it mention no variables from before it but the greens and reds.\n";

impl Observers {
    pub(super) fn log_event(&self, event: &Event<'_>) {
        if !self.log.wants_any() {
            return;
        }
        match *event {
            Event::Recorded { title, trace } => self.log_trace(Stage::Trace, title, trace),
            Event::Specialised {
                title,
                specialised,
                trace,
            } => {
                let operations = specialised.operations;
                self.log.piece(Stage::Trace, || {
                    let exits = specialised.exits.iter();
                    let exits: Vec<String> = exits.map(|(why, n)| format!("{why}: {n}")).collect();
                    let exits = exits.join(", ");
                    let header = format!("{title}, specialised, {operations} operations");
                    (header, format!("exits to the interpreter: {exits}"))
                });
                self.log.piece(Stage::Given, || {
                    let with_places = |text, trace: &_| self.add_places(text, trace);
                    let sections = &specialised.sections;
                    let text = optimiser_input::text(&self.program, sections, trace, with_places);
                    (format!("{title}, {operations} operations"), text)
                });
            }
            Event::Compiling(trace) => self.log_optimised(trace),
            Event::Compiled(trace, code) => self.log_code(trace.title, code),
            Event::Aborted(abort) => self.log_aborted(abort),
            Event::StencilAborted { title, failed, .. } => {
                let Failed { reason, detail } = failed;
                self.log.piece(Stage::Trace, || {
                    (format!("{title} given up: {reason}"), detail.clone())
                });
            }
            Event::TooLittleStack {
                origin,
                greens,
                bytes_left,
                ..
            } => self.log_too_little_stack(origin, greens, bytes_left),
            Event::Freed {
                reason,
                trees,
                bytes,
                ..
            } => self.log_freed(reason, trees, bytes),
            Event::Invalidated { traces } => self.log.piece(Stage::Free, || {
                let lines = traces.iter().map(|trace| format!("trace {trace}\n"));
                let header = format!("invalidated, {} traces", traces.len());
                (header, lines.collect())
            }),
            Event::GuardFailed {
                guard,
                info,
                greens,
                exit,
            } => self.log_exit(guard, info, greens, exit),
            Event::TierChanged { greens, change } => self.log_tier(greens, change),
            Event::GuardBlocked { guard, greens, why } => self.log.piece(Stage::Tier, || {
                let guard = self.show_guard(guard, greens);
                let title = format!("threaded code is always left at {guard}: {why}");
                (title, String::new())
            }),
            Event::CompilingWaits { cost, allowed } => self.log.piece(Stage::Tier, || {
                let (cost, allowed) = (cost * 1e3, allowed * 1e3);
                let title = format!(
                    "compiling waits: it has taken {cost:.2} ms, and may have taken {allowed:.2}"
                );
                (title, String::new())
            }),
            _ => {}
        }
    }

    /// The title of a trace.
    pub(crate) fn title(
        &self,
        target: TraceTarget,
        trace: TraceId,
        greens: Option<&[u64]>,
        from: Option<TraceId>,
    ) -> String {
        let place = || greens.map_or(String::new(), |greens| self.show_place(greens));
        let what = match target {
            TraceTarget::Loop => format!("loop at {}", place()),
            TraceTarget::Version(_) => format!("another version of the loop at {}", place()),
            TraceTarget::Header(..) => format!("entry at {}", place()),
            TraceTarget::Stencil => format!("instruction at {}", place()),
            TraceTarget::Bridge(guard) => {
                let from = from.map_or(String::new(), |from| format!(" of trace {from}"));
                match greens.and_then(|greens| self.location(greens)) {
                    Some(location) => format!("bridge from {guard}{from} at {location}"),
                    None => format!("bridge from {guard}{from}"),
                }
            }
        };
        format!("trace {trace}: {what}")
    }

    /// Where an attempt started, or would have: `header fib.lua:12 in fib (0, ref)` or
    /// `guard g7 at fib.lua:13 in fib`.
    pub(super) fn show_origin(&self, guard: Option<GuardId>, greens: Option<&[u64]>) -> String {
        match guard {
            Some(guard) => format!("guard {}", self.show_guard(guard, greens)),
            None => {
                let place = greens.map_or(String::new(), |greens| self.show_place(greens));
                format!("header {place}")
            }
        }
    }

    fn log_trace<F: TraceForm>(&self, stage: Stage, title: &str, trace: &Trace<F>) {
        self.log.piece(stage, || {
            let text = self.text_with_places(trace);
            (format!("{title}, {} operations", trace.ops().len()), text)
        });
    }

    fn log_optimised(&self, trace: &TraceInfo<'_>) {
        let TraceInfo {
            title, optimised, ..
        } = *trace;
        let sections = trace.specialised.map(|specialised| &specialised.sections);
        match sections.filter(|sections| !sections.is_empty()) {
            None => self.log_trace(Stage::Opt, title, &optimised.trace),
            Some(sections) => self.log.piece(Stage::Opt, || {
                let residual = &optimised.trace;
                let text = optimiser_input::residual(&self.program, sections, residual);
                let text = self.add_places(text, residual);
                (
                    format!("{title}, {} operations", residual.ops().len()),
                    text,
                )
            }),
        }
        if !optimised.remarks.is_empty() {
            self.log.piece(Stage::Lost, || {
                let lines: Vec<String> = optimised.remarks.iter().map(Remark::to_string).collect();
                (title.to_string(), lines.join("\n"))
            });
        }
        self.log.piece(Stage::Origins, || {
            (title.to_string(), origins::text(trace.recorded, optimised))
        });
    }

    fn log_code(&self, title: &str, code: &InstalledCode<'_>) {
        let code = code.machine_code;
        if let Some(ir) = &code.ir {
            self.log
                .piece(Stage::Clif, || (title.to_string(), ir.clone()));
        }
        if let Some(asm) = &code.asm {
            let header = format!("{title}, {} bytes", code.code_bytes);
            self.log.piece(Stage::Asm, || (header, asm.clone()));
        }
    }

    fn log_aborted(&self, abort: &AbortInfo<'_>) {
        self.log.piece(Stage::Trace, || {
            let at = self.show_origin(abort.origin.guard(), abort.greens);
            let rest = match abort.blocked {
                true => "; not tried again",
                false => "",
            };
            let header = format!("given up at {at}: {}{rest}", abort.detail);
            (header, self.text_with_places(abort.trace))
        });
    }

    fn log_too_little_stack(&self, origin: Option<GuardId>, greens: Option<&[u64]>, left: usize) {
        self.log.piece(Stage::Trace, || {
            let at = self.show_origin(origin, greens);
            let (left, takes) = (left >> 10, stack::TRACING >> 10);
            let title = format!("not traced at {at}: {}", AbortReason::TooLittleStack);
            let body = match left < takes {
                true => format!("{left} kB are left, and a trace takes up to {takes}\n"),
                false => "the shadow stack is used up, or the system refuses addresses for it\n"
                    .to_owned(),
            };
            (title, body)
        });
    }

    fn log_freed(&self, reason: FreeReason, trees: &[Tree], bytes: usize) {
        self.log.piece(Stage::Free, || {
            let lines = trees.iter().map(|tree| {
                let (bridges, guards) = (tree.bridges, tree.guards.len());
                format!("{}, {bridges} bridges, {guards} guards\n", tree.title)
            });
            (format!("{reason}, {bytes} bytes"), lines.collect())
        });
    }

    fn log_exit(&self, guard: GuardId, info: &GuardInfo, greens: Option<&[u64]>, exit: GuardExit) {
        self.log.piece(Stage::Deopt, || {
            let at = match greens.and_then(|greens| self.location(greens)) {
                Some(location) => format!(" at {location}"),
                None => String::new(),
            };
            let what = match exit {
                GuardExit::Failed(times) => format!("failed, {times} times so far"),
                GuardExit::Panic => "is left by a panic".to_string(),
                GuardExit::HeapExhausted => "is left because the heap is used up".to_string(),
            };
            let header = format!("{guard} of trace {}{at} {what}", info.trace);
            (header, self.show_frames(info))
        });
    }

    /// The frames that a guard goes back to, innermost first.
    fn show_frames(&self, info: &GuardInfo) -> String {
        let mut text = String::new();
        for frame in info.resume.frames.iter() {
            let code = &self.program.unit.codes[CodeId::from_u32(frame.code)];
            let line = code.lines.get(frame.pc as usize).copied().unwrap_or(0);
            let _ = writeln!(text, "{} at {} ({}:{line})", code.name, frame.pc, code.file);
        }
        text
    }

    fn log_tier(&self, greens: &[u64], change: &TierChange) {
        self.log.piece(Stage::Tier, || {
            let at = self.show_place(greens);
            let title = match change.times() {
                Some(times) => format!("header {at}: {change}: {times}"),
                None => format!("header {at}: {change}"),
            };
            (title, String::new())
        });
    }

    /// Logs statistics as JSON, and how often each guard has led out of compiled code.
    pub(crate) fn log_stats(&self, json: impl FnOnce() -> String) {
        self.log.piece(Stage::Stats, || {
            let mut text = json();
            text.push('\n');
            if let Some(places) = &self.places {
                text.push_str(&places.borrow().failures());
            }
            ("at the end".to_string(), text)
        });
    }

    /// Logs the interpreter itself.
    pub(crate) fn log_program(&self, graphs: &str) {
        self.log.piece(Stage::Graph, || {
            let title = "the interpreter's flow graphs".to_string();
            (title, graphs.to_string())
        });
        let unit = &self.program.unit;
        self.log.piece(Stage::Jitcode, || {
            let text = verdigris_jitcode::print_unit(unit);
            ("the interpreter's jitcode".to_string(), text)
        });
        let recurses = unit.descrs.fns.values().any(|f| f.kind == FnKind::Portal);
        if recurses && unit.runner().is_none() {
            self.log.piece(Stage::Trace, || {
                let title = "calls of the portal by itself are not inlined".to_string();
                (title, NO_RUNNER.to_string())
            });
        }
    }
}
