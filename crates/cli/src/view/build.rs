//! Builds the page's model from the entries of a log, without the texts of source files. Stages
//! that the log does not have leave their part empty.

use super::machine::code_lines;
use super::model::{GuestPlace, TraceRow, ViewFile, ViewFunction, ViewModel, ViewTrace};
use std::collections::{BTreeMap, HashMap};
use verdigris_report::{
    CompilerKind, JitcodeFunction, LogBody, LogEntry, LogRow, LogStage, SourcePos, Stats,
    TraceHead, TraceOrigins,
};

/// The model of a log.
pub fn model(entries: Vec<LogEntry>) -> ViewModel {
    let mut builder = Builder::default();
    for entry in entries {
        builder.entry(entry);
    }
    builder.finish()
}

#[derive(Default)]
struct Builder {
    model: ViewModel,
    by_name: HashMap<String, usize>,
    files: HashMap<(String, bool), usize>,
    places: HashMap<String, usize>,
    stacks: HashMap<Vec<(usize, u32)>, usize>,
    /// For each trace, whether it was recorded only.
    unfinished: Vec<bool>,
}

impl Builder {
    fn entry(&mut self, entry: LogEntry) {
        match (entry.trace, entry.body) {
            (_, LogBody::Functions(functions)) => self.functions(functions),
            (_, LogBody::Stats { stats, failures }) => self.stats(&stats, &failures),
            (Some(head), body) => {
                // VMs that share a file have traces of the same number.
                let known = self
                    .find(&head.title)
                    .filter(|_| entry.stage != LogStage::Trace);
                let n = known.unwrap_or_else(|| self.add(&head));
                self.part(n, entry.stage, body);
            }
            (None, _) => {}
        }
    }

    fn part(&mut self, n: usize, stage: LogStage, body: LogBody) {
        match body {
            LogBody::Ops { rows, .. } => {
                let rows = self.rows(n, rows);
                let trace = &mut self.model.pieces[n];
                if stage == LogStage::Opt {
                    trace.opt = rows;
                    self.unfinished[n] = false;
                } else {
                    trace.recorded = rows;
                }
            }
            LogBody::Asm { bytes, lines } => {
                let trace = &mut self.model.pieces[n];
                trace.figures.bytes = Some(bytes);
                trace.code = code_lines(lines, &trace.opt);
            }
            LogBody::Origins(origins) => self.origins(n, &origins),
            LogBody::Text(_) | LogBody::Functions(_) | LogBody::Stats { .. } => {}
        }
    }

    fn find(&self, title: &str) -> Option<usize> {
        self.model.pieces.iter().rposition(|p| p.title == title)
    }

    fn add(&mut self, head: &TraceHead) -> usize {
        let from = head.from.as_ref();
        let trace = ViewTrace {
            number: head.id,
            title: head.title.clone(),
            kind: head.kind,
            written: head.compiler == CompilerKind::Specialiser,
            from: from.and_then(|(from, _)| {
                let pieces = &self.model.pieces;
                pieces.iter().rposition(|p| p.number == *from)
            }),
            guard: from.map(|(_, guard)| guard.clone()),
            place: self.place(head.pos.as_ref()),
            ..ViewTrace::default()
        };
        self.model.pieces.push(trace);
        self.unfinished.push(true);
        self.model.pieces.len() - 1
    }

    fn place(&mut self, pos: Option<&SourcePos>) -> Option<usize> {
        let pos = pos?;
        if let Some(&n) = self.places.get(&pos.text) {
            return Some(n);
        }
        let file = pos.line.and(pos.file.as_deref());
        let place = GuestPlace {
            text: pos.text.clone(),
            file: file.map(|file| self.file(file, true)),
            line: pos.line.map_or(0, |line| line as usize),
        };
        self.model.places.push(place);
        let n = self.model.places.len() - 1;
        self.places.insert(pos.text.clone(), n);
        Some(n)
    }

    fn file(&mut self, path: &str, guest: bool) -> usize {
        let files = &mut self.model.files;
        *self
            .files
            .entry((path.to_string(), guest))
            .or_insert_with(|| {
                files.push(ViewFile {
                    path: path.to_string(),
                    guest,
                    lines: Vec::new(),
                    marks: Vec::new(),
                });
                files.len() - 1
            })
    }

    fn stack(&mut self, frames: Vec<(usize, u32)>) -> usize {
        let stacks = &mut self.model.stacks;
        *self.stacks.entry(frames).or_insert_with_key(|frames| {
            stacks.push(frames.clone());
            stacks.len() - 1
        })
    }

    fn functions(&mut self, functions: Vec<JitcodeFunction>) {
        self.model.functions.clear();
        self.by_name.clear();
        for (n, function) in functions.into_iter().enumerate() {
            let file = self.file(&function.file, false);
            let insns = function.insns.into_iter().enumerate();
            let insns = insns.map(|(pc, insn)| (pc as u32, insn.text, insn.line as usize));
            self.by_name.insert(function.name.clone(), n);
            self.model.functions.push(ViewFunction {
                name: function.name,
                file,
                insns: insns.collect(),
            });
        }
    }

    fn rows(&mut self, trace: usize, rows: Vec<LogRow>) -> Vec<TraceRow> {
        let idle = |text| TraceRow {
            text,
            idle: true,
            ..TraceRow::default()
        };
        let mut shown = Vec::with_capacity(rows.len());
        let mut place = self.model.pieces[trace].place;
        let mut stack = None;
        for row in rows {
            match row {
                LogRow::Step(step) => {
                    let function = self.by_name.get(&step.function).copied();
                    stack = function.map(|f| self.stack(vec![(f, step.pc)]));
                    continue;
                }
                LogRow::Section(text) | LogRow::Inputs(text) => shown.push(idle(text)),
                LogRow::End(end) => shown.push(idle(format!("ends in {end}"))),
                LogRow::Op(op) => {
                    if op.is_merge_point() {
                        place = self.place(op.pos.as_ref());
                    }
                    shown.push(TraceRow {
                        text: op.text,
                        detail: op.detail,
                        place,
                        stack,
                        guard: op.guard,
                        ..TraceRow::default()
                    });
                    continue;
                }
            }
            stack = None;
        }
        shown
    }

    fn origins(&mut self, trace: usize, origins: &TraceOrigins) {
        let operations = |rows: &[TraceRow]| -> Vec<usize> {
            let rows = rows.iter().enumerate();
            rows.filter(|(_, row)| !row.idle).map(|(n, _)| n).collect()
        };
        let recorded = operations(&self.model.pieces[trace].recorded);
        let opt = operations(&self.model.pieces[trace].opt);
        for (&row, frames) in recorded.iter().zip(&origins.recorded) {
            let frames = frames.iter().rev().map(|&(f, pc)| (f as usize, pc));
            let frames: Vec<(usize, u32)> = frames.collect();
            if frames.iter().all(|f| f.0 < self.model.functions.len()) {
                let stack = self.stack(frames);
                self.model.pieces[trace].recorded[row].stack = Some(stack);
            }
        }
        let trace = &mut self.model.pieces[trace];
        for (&row, from) in opt.iter().zip(&origins.optimised) {
            let from = from.and_then(|n| recorded.get(n as usize)).copied();
            if from.is_some() {
                trace.opt[row].from = from;
                trace.opt[row].stack = from.and_then(|n| trace.recorded[n].stack);
            }
        }
    }

    fn stats(&mut self, stats: &Stats, failures: &BTreeMap<String, u64>) {
        for code in &stats.locations {
            if let Some(n) = self.find(&code.title) {
                let figures = &mut self.model.pieces[n].figures;
                figures.entries = code.entries;
                figures.failures = Some(code.guard_failures);
                figures.seconds = Some(code.seconds);
                figures.bytes = Some(code.code_bytes);
            }
        }
        for row in self.model.pieces.iter_mut().flat_map(|p| &mut p.opt) {
            let guard = row.guard.as_ref();
            row.failed = guard.and_then(|guard| failures.get(guard).copied());
        }
    }

    /// Drops traces that were recorded in vain, and counts operations.
    fn finish(mut self) -> ViewModel {
        let mut kept = 0;
        let renumbered: Vec<Option<usize>> = self
            .unfinished
            .iter()
            .map(|unfinished| {
                (!unfinished).then(|| {
                    kept += 1;
                    kept - 1
                })
            })
            .collect();
        let mut unfinished = self.unfinished.iter();
        self.model
            .pieces
            .retain(|_| !unfinished.next().expect("one for each trace"));
        for trace in &mut self.model.pieces {
            trace.from = trace.from.and_then(|n| renumbered[n]);
            let count = |rows: &[TraceRow]| {
                let idle = ["merge_point", "label "];
                let counts =
                    |row: &&TraceRow| !row.idle && !idle.iter().any(|i| row.text.starts_with(i));
                rows.iter().filter(counts).count()
            };
            trace.figures.recorded = count(&trace.recorded);
            trace.figures.opt = count(&trace.opt);
        }
        self.model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use serde_json::Value;
    use verdigris_report::CodeStats;

    const LOG: &str = r##"{"stage":"jitcode","header":"the interpreter's jitcode","functions":[{"name":"interp::run","file":"src/interp.rs","insns":[{"text":"merge_point (i1) (r0)","line":12},{"text":"i1 = call interp::value(r0)","line":14},{"text":"goto @0","line":14}]},{"name":"interp::value","file":"src/interp.rs","insns":[{"text":"i1 = getfield_i r0 Int.value","line":20}]}]}
{"stage":"trace","header":"trace 0","trace":{"id":0,"title":"trace 0: loop at a.x:3 in f (7, ref)","kind":"loop","compiler":"traced","pos":{"text":"a.x:3 in f","file":"a.x","line":3,"function":"f"}},"ops":{"count":4,"rows":[{"inputs":"[p0]"},{"op":{"text":"merge_point(7)","pos":{"text":"a.x:3 in f","file":"a.x","line":3,"function":"f"}}},{"op":{"text":"i1 = getfield_i(p0) Int.value"}},{"op":{"text":"guard_true(i1)","detail":["@ 1:0 r0=p0 | 0:1 r0=p0"]}},{"op":{"text":"close(p0)"}}]}}
{"stage":"trace","header":"given up at header b.x:1 (2): too long","ops":{"count":0,"rows":[{"inputs":"[p0]"}]}}
{"stage":"opt","header":"trace 0","trace":{"id":0,"title":"trace 0: loop at a.x:3 in f (7, ref)","kind":"loop","compiler":"traced","pos":{"text":"a.x:3 in f","file":"a.x","line":3,"function":"f"}},"ops":{"count":5,"rows":[{"inputs":"[p0]"},{"op":{"text":"label L0(p0)"}},{"op":{"text":"merge_point(7)","pos":{"text":"a.x:3 in f","file":"a.x","line":3,"function":"f"}}},{"op":{"text":"i1 = getfield_i(p0) Int.value"}},{"op":{"text":"guard_true(i1)","guard":"g0","detail":["-> [p0]"]}},{"op":{"text":"jump L0(p0)"}}]}}
{"stage":"origins","header":"trace 0","trace":{"id":0,"title":"trace 0: loop at a.x:3 in f (7, ref)","kind":"loop","compiler":"traced","pos":{"text":"a.x:3 in f","file":"a.x","line":3,"function":"f"}},"origins":{"recorded":[[[0,0]],[[1,0],[0,1]],[[1,0],[0,1]],[[0,2]]],"optimised":[null,0,1,2,3]}}
{"stage":"asm","header":"trace 0, 64 bytes","trace":{"id":0,"title":"trace 0: loop at a.x:3 in f (7, ref)","kind":"loop","compiler":"traced","pos":{"text":"a.x:3 in f","file":"a.x","line":3,"function":"f"}},"asm":{"bytes":64,"lines":["; L0",".0:","; i1 = getfield_i(p0) Int.value","; guard_true(i1) g0","  cmp qword [rax + 0x8], 0","  je .1","; exit of guard_true(i1) g0",".1:","  call outside"]}}
{"stage":"trace","header":"trace 1","trace":{"id":1,"title":"trace 1: bridge from g0 of trace 0 at a.x:3 in f","kind":"bridge","compiler":"traced","pos":{"text":"a.x:3 in f","file":"a.x","line":3,"function":"f"},"from":[0,"g0"]},"ops":{"count":1,"rows":[{"inputs":"[p0]"},{"op":{"text":"finish()"}}]}}
{"stage":"opt","header":"trace 1","trace":{"id":1,"title":"trace 1: bridge from g0 of trace 0 at a.x:3 in f","kind":"bridge","compiler":"traced","pos":{"text":"a.x:3 in f","file":"a.x","line":3,"function":"f"},"from":[0,"g0"]},"ops":{"count":1,"rows":[{"inputs":"[p0]"},{"op":{"text":"finish()"}}]}}
"##;

    fn log() -> Vec<LogEntry> {
        let mut entries = LogEntry::read_log(LOG).expect("a log");
        let stats = Stats {
            locations: vec![CodeStats {
                title: "trace 0: loop at a.x:3 in f (7, ref)".to_string(),
                entries: Some(2),
                guard_failures: 4,
                seconds: 0.5,
                code_bytes: 64,
                ..CodeStats::default()
            }],
            ..Stats::default()
        };
        entries.push(LogEntry {
            stage: LogStage::Stats,
            header: "at the end".to_string(),
            trace: None,
            body: LogBody::Stats {
                stats: Box::new(stats),
                failures: BTreeMap::from([("g0".to_string(), 4)]),
            },
        });
        entries
    }

    /// Every row with its ties, a line each.
    fn shown(model: &ViewModel) -> String {
        let mut out = String::new();
        for piece in &model.pieces {
            let json = |value: Value| value.to_string();
            let figures = serde_json::to_value(&piece.figures).expect("figures");
            out += &format!(
                "{} {:?} from {:?} {:?} place {:?} {}\n",
                piece.kind,
                piece.number,
                piece.from,
                piece.guard,
                piece.place,
                json(figures)
            );
            for rows in [&piece.recorded, &piece.opt] {
                out += "--\n";
                for row in rows {
                    out += &json(serde_json::to_value(row).expect("a row"));
                    out.push('\n');
                }
            }
            out += "--\n";
            for line in &piece.code {
                out += &json(serde_json::to_value(line).expect("a line"));
                out.push('\n');
            }
        }
        out += &format!("{}\n", serde_json::json!(model.places));
        out += &format!("{}\n", serde_json::json!(model.stacks));
        out += &format!("{}\n", serde_json::json!(model.functions));
        out
    }

    #[test]
    fn a_log_is_tied() {
        expect![[r#"
            loop 0 from None None place Some(0) {"bytes":64,"entries":2,"failures":4,"opt":3,"recorded":3,"seconds":0.5}
            --
            {"idle":true,"text":"[p0]"}
            {"place":0,"stack":0,"text":"merge_point(7)"}
            {"place":0,"stack":1,"text":"i1 = getfield_i(p0) Int.value"}
            {"detail":["@ 1:0 r0=p0 | 0:1 r0=p0"],"place":0,"stack":1,"text":"guard_true(i1)"}
            {"place":0,"stack":2,"text":"close(p0)"}
            --
            {"idle":true,"text":"[p0]"}
            {"place":0,"text":"label L0(p0)"}
            {"from":1,"place":0,"stack":0,"text":"merge_point(7)"}
            {"from":2,"place":0,"stack":1,"text":"i1 = getfield_i(p0) Int.value"}
            {"detail":["-> [p0]"],"failed":4,"from":3,"guard":"g0","place":0,"stack":1,"text":"guard_true(i1)"}
            {"from":4,"place":0,"stack":2,"text":"jump L0(p0)"}
            --
            {"text":"; L0"}
            {"text":".0:"}
            {"ops":[3],"text":"; i1 = getfield_i(p0) Int.value"}
            {"ops":[4],"text":"; guard_true(i1) g0"}
            {"ops":[3,4],"text":"  cmp qword [rax + 0x8], 0"}
            {"ops":[3,4],"text":"  je .1"}
            {"ops":[4],"text":"; exit of guard_true(i1) g0"}
            {"ops":[4],"text":".1:"}
            {"ops":[4],"text":"  call outside"}
            bridge 1 from Some(0) Some("g0") place Some(0) {"bytes":null,"entries":null,"failures":null,"opt":1,"recorded":1,"seconds":null}
            --
            {"idle":true,"text":"[p0]"}
            {"place":0,"text":"finish()"}
            --
            {"idle":true,"text":"[p0]"}
            {"place":0,"text":"finish()"}
            --
            [{"file":1,"line":3,"text":"a.x:3 in f"}]
            [[[0,0]],[[0,1],[1,0]],[[0,2]]]
            [{"file":0,"insns":[[0,"merge_point (i1) (r0)",12],[1,"i1 = call interp::value(r0)",14],[2,"goto @0",14]],"name":"interp::run"},{"file":0,"insns":[[0,"i1 = getfield_i r0 Int.value",20]],"name":"interp::value"}]
        "#]].assert_eq(&shown(&model(log())));
    }
}
