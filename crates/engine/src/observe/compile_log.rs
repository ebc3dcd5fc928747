//! The log's entries: each event as text.

use crate::code::guard_info::GuardInfo;
use crate::code::trace_id::TraceId;
use crate::code::trees::Tree;
use crate::compile::target::{Failed, TraceTarget};
use crate::observe::event::{AbortInfo, Event, GuardExit, InstalledCode, TraceInfo, TraceStart};
use crate::observe::log_rows::{jitcode_functions, rows_text};
use crate::observe::observers::Observers;
use crate::observe::origins;
use crate::policy::reasons::{FreeReason, TierChange};
use crate::run::stack;
use std::fmt::Write;
use verdigris_jitcode::CodeId;
use verdigris_ops::FnKind;
use verdigris_opt::Remark;
use verdigris_report::{AbortReason, LogBody, LogRow, LogStage, Stats, TraceHead};
use verdigris_trace::GuardId;

/// Why a portal cannot be entered at its merge point.
const NO_RUNNER: &str = "Native code cannot begin at its merge point: make the loop a statement of the portal's body, and let the loop and what \
                         is behind it mention no variables from before it but the greens and reds.\n";

impl Observers {
    pub(super) fn log_event(&self, event: &Event<'_>) {
        if !self.log.wants_any() {
            return;
        }
        match *event {
            Event::Recorded { start, trace } => {
                let rows = || self.recorded_rows(trace);
                self.log_ops(LogStage::Trace, start, trace.ops().len(), rows);
            }
            Event::Specialised {
                start,
                specialised,
                trace,
            } => {
                let operations = specialised.operations;
                let exits = || {
                    let exits = specialised.exits.iter();
                    let exits: Vec<String> = exits.map(|(why, n)| format!("{why}: {n}")).collect();
                    format!("exits to the interpreter: {}", exits.join(", "))
                };
                let title = start.title;
                self.log.entry(
                    LogStage::Trace,
                    || format!("{title}, specialised, {operations} operations"),
                    exits,
                    || (Some(self.trace_head(start)), LogBody::Text(exits())),
                );
                let rows = || self.given_rows(&specialised.sections, trace);
                self.log_ops(LogStage::Given, start, operations, rows);
            }
            Event::Compiling(trace) => self.log_optimised(trace),
            Event::Compiled(trace, code) => self.log_code(trace, code),
            Event::Aborted(abort) => self.log_aborted(abort),
            Event::StencilAborted { title, failed, .. } => {
                let Failed { reason, detail } = failed;
                self.log.text(LogStage::Trace, || {
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
            Event::Invalidated { traces } => self.log.text(LogStage::Free, || {
                let lines = traces.iter().map(|trace| format!("trace {trace}\n"));
                let header = format!("invalidated, {} traces", traces.len());
                (header, lines.collect())
            }),
            Event::GuardFailed {
                guard,
                info,
                greens,
                exit,
                ..
            } => self.log_exit(guard, info, greens, exit),
            Event::TierChanged { greens, change } => self.log_tier(greens, change),
            Event::GuardBlocked { guard, greens, why } => self.log.text(LogStage::Tier, || {
                let guard = self.show_guard(guard, greens);
                let title = format!("threaded code is always left at {guard}: {why}");
                (title, String::new())
            }),
            Event::CompilingWaits { cost, allowed, .. } => self.log.text(LogStage::Tier, || {
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

    /// The trace that an entry is about.
    fn trace_head(&self, start: &TraceStart<'_>) -> TraceHead {
        let guard = start.target.guard();
        TraceHead {
            id: start.id.as_u32(),
            title: start.title.to_string(),
            kind: start.target.code_kind(),
            compiler: start.compiler,
            pos: start.greens.and_then(|greens| self.source_pos(greens)),
            from: (start.from.map(TraceId::as_u32)).zip(guard.map(|guard| guard.to_string())),
        }
    }

    fn log_ops(
        &self,
        stage: LogStage,
        start: &TraceStart<'_>,
        count: usize,
        rows: impl Fn() -> Vec<LogRow>,
    ) {
        self.log.entry(
            stage,
            || format!("{}, {count} operations", start.title),
            || rows_text(&rows()),
            || {
                let ops = LogBody::Ops {
                    count: count as u64,
                    rows: rows(),
                };
                (Some(self.trace_head(start)), ops)
            },
        );
    }

    fn log_optimised(&self, trace: &TraceInfo<'_>) {
        let TraceInfo {
            title, optimised, ..
        } = *trace;
        let start = &trace.start();
        let sections = trace.specialised.map_or(&[][..], |s| &s.sections);
        let residual = &optimised.trace;
        self.log_ops(LogStage::Opt, start, residual.ops().len(), || {
            self.optimised_rows(residual, sections)
        });
        if !optimised.remarks.is_empty() {
            self.log.text(LogStage::Lost, || {
                let lines: Vec<String> = optimised.remarks.iter().map(Remark::to_string).collect();
                (title.to_string(), lines.join("\n"))
            });
        }
        self.log.entry(
            LogStage::Origins,
            || title.to_string(),
            || origins::text(trace.recorded, optimised),
            || {
                let origins = origins::data(trace.recorded, optimised);
                (Some(self.trace_head(start)), LogBody::Origins(origins))
            },
        );
    }

    fn log_code(&self, trace: &TraceInfo<'_>, code: &InstalledCode<'_>) {
        let (title, code) = (trace.title, code.machine_code);
        if let Some(ir) = &code.ir {
            self.log
                .text(LogStage::Clif, || (title.to_string(), ir.clone()));
        }
        if let Some(asm) = &code.asm {
            self.log.entry(
                LogStage::Asm,
                || format!("{title}, {} bytes", code.code_bytes),
                || asm.clone(),
                || {
                    let asm = LogBody::Asm {
                        bytes: code.code_bytes as u64,
                        lines: asm.trim_end().lines().map(str::to_string).collect(),
                    };
                    (Some(self.trace_head(&trace.start())), asm)
                },
            );
        }
    }

    fn log_aborted(&self, abort: &AbortInfo<'_>) {
        self.log.text(LogStage::Trace, || {
            let at = self.show_origin(abort.origin.guard(), abort.greens);
            let rest = match abort.blocked {
                true => "; not tried again",
                false => "",
            };
            let header = format!("given up at {at}: {}{rest}", abort.failed.detail);
            (header, rows_text(&self.recorded_rows(abort.trace)))
        });
    }

    fn log_too_little_stack(&self, origin: Option<GuardId>, greens: Option<&[u64]>, left: usize) {
        self.log.text(LogStage::Trace, || {
            let at = self.show_origin(origin, greens);
            let (left, takes) = (left >> 10, stack::TRACING >> 10);
            let title = format!(
                "not traced at {at}: {}",
                AbortReason::TooLittleStack.advice()
            );
            let body = match left < takes {
                true => format!("{left} kB are left, and a trace takes up to {takes}\n"),
                false => "the shadow stack is used up, or the system refuses addresses for it\n"
                    .to_owned(),
            };
            (title, body)
        });
    }

    fn log_freed(&self, reason: FreeReason, trees: &[Tree], bytes: usize) {
        self.log.text(LogStage::Free, || {
            let lines = trees.iter().map(|tree| {
                let (bridges, guards) = (tree.bridges, tree.guards.len());
                format!("{}, {bridges} bridges, {guards} guards\n", tree.title)
            });
            (format!("{reason}, {bytes} bytes"), lines.collect())
        });
    }

    fn log_exit(&self, guard: GuardId, info: &GuardInfo, greens: Option<&[u64]>, exit: GuardExit) {
        self.log.text(LogStage::Deopt, || {
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
        self.log.text(LogStage::Tier, || {
            let at = self.show_place(greens);
            let title = match change.times() {
                Some(times) => format!("header {at}: {change}: {times}"),
                None => format!("header {at}: {change}"),
            };
            (title, String::new())
        });
    }

    /// Logs statistics, and the failures of each guard.
    pub(crate) fn log_stats(&self, stats: impl Fn() -> Stats) {
        let failures = || {
            let places = self.places.as_ref();
            places.map_or_else(Default::default, |places| {
                places.borrow().failures().clone()
            })
        };
        self.log.entry(
            LogStage::Stats,
            || "at the end".to_string(),
            || {
                let mut text = stats().to_json() + "\n";
                for (guard, times) in failures() {
                    let _ = writeln!(text, "{guard}: {times}");
                }
                text
            },
            || {
                let failures = failures().into_iter();
                let failures = failures.map(|(guard, times)| (guard.to_string(), times));
                let body = LogBody::Stats {
                    stats: Box::new(stats()),
                    failures: failures.collect(),
                };
                (None, body)
            },
        );
    }

    /// Logs the interpreter itself.
    pub(crate) fn log_program(&self, graphs: &str) {
        self.log.text(LogStage::Graph, || {
            let title = "the interpreter's flow graphs".to_string();
            (title, graphs.to_string())
        });
        let unit = &self.program.unit;
        self.log.entry(
            LogStage::Jitcode,
            || "the interpreter's jitcode".to_string(),
            || verdigris_jitcode::print_unit(unit),
            || (None, LogBody::Functions(jitcode_functions(unit))),
        );
        let recurses = unit.descrs.fns.values().any(|f| f.kind == FnKind::Portal);
        if recurses && unit.runner().is_none() {
            self.log.text(LogStage::Trace, || {
                let title = "calls of the portal by itself are not inlined".to_string();
                (title, NO_RUNNER.to_string())
            });
        }
    }
}
