//! From a log to a model. In: the text that
//! `VERDIGRIS_LOG=jitcode,trace,given,opt,asm,origins,stats` writes. Out: a [`Model`] without the
//! texts of source files. Invariant: a line that is not understood is a row without ties, so
//! nothing of a trace is left out; stages that the log does not have leave their part empty.

use super::machine::{code, is_guard};
use super::model::{File, Function, Model, Piece, Place, Row};
use crate::specialise::log::{Place as Comment, heading};
use serde_json::Value;
use std::collections::HashMap;

/// Reads a log.
pub fn model(text: &str) -> Model {
    let mut reader = Reader::default();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((stage, header)) = heading(line) else {
            continue;
        };
        let mut body = Vec::new();
        while let Some(line) = lines.next_if(|line| heading(line).is_none()) {
            body.push(line);
        }
        while body.last().is_some_and(|line| line.is_empty()) {
            body.pop();
        }
        reader.stage(stage, header, &body);
    }
    reader.done()
}

#[derive(Default)]
struct Reader {
    model: Model,
    by_name: HashMap<String, usize>,
    files: HashMap<(String, bool), usize>,
    places: HashMap<String, usize>,
    stacks: HashMap<Vec<(usize, u32)>, usize>,
    /// Pieces of which there is nothing but what was recorded.
    unfinished: Vec<bool>,
}

impl Reader {
    fn stage(&mut self, stage: &str, header: &str, body: &[&str]) {
        // A title has commas of its own, in its greens.
        let title = header.rsplit_once(", ").map_or(header, |(title, _)| title);
        let title = title.strip_suffix(", specialised").unwrap_or(title);
        match stage {
            "jitcode" => self.jitcode(body),
            "trace" => {
                if !header.starts_with("trace ") {
                    return;
                }
                let n = self.add(title);
                let written = header.contains(", specialised, ");
                self.model.pieces[n].written = written;
                if !written {
                    let rows = self.rows(n, body);
                    self.model.pieces[n].recorded = rows;
                }
            }
            "given" | "opt" | "asm" => {
                let n = match self.find(title) {
                    Some(n) => n,
                    None => self.add(title),
                };
                match stage {
                    "given" => self.model.pieces[n].recorded = self.rows(n, body),
                    "opt" => {
                        self.model.pieces[n].opt = self.rows(n, body);
                        self.unfinished[n] = false;
                    }
                    _ => {
                        let bytes = header.rsplit_once(", ").map(|(_, bytes)| bytes);
                        let bytes = bytes.and_then(|text| text.strip_suffix(" bytes"));
                        let piece = &mut self.model.pieces[n];
                        piece.figures.bytes = bytes.and_then(|bytes| bytes.parse().ok());
                        piece.code = code(body, &piece.opt);
                    }
                }
            }
            "origins" => {
                if let Some(n) = self.find(header) {
                    self.origins(n, body);
                }
            }
            "stats" => self.figures(body),
            _ => {}
        }
    }

    fn find(&self, title: &str) -> Option<usize> {
        self.model.pieces.iter().rposition(|p| p.title == title)
    }

    /// A piece with this title: `trace 3: bridge from g1 of trace 0 at fib.lua:12 in fib`.
    fn add(&mut self, title: &str) -> usize {
        let (number, what) = title.split_once(": ").unwrap_or((title, ""));
        let number = number
            .strip_prefix("trace ")
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);
        let (_, at) = what.split_once(" at ").unwrap_or(("", ""));
        let mut piece = Piece {
            number,
            title: title.to_string(),
            ..Piece::default()
        };
        match what.strip_prefix("bridge from ") {
            Some(rest) => {
                piece.kind = "bridge".to_string();
                let mut words = rest.split(' ');
                piece.guard = words.next().map(str::to_string);
                let from = rest.split_once(" of trace ").map_or("", |(_, rest)| rest);
                let from = from.split(' ').next().and_then(|text| text.parse().ok());
                let pieces = &self.model.pieces;
                piece.from =
                    from.and_then(|from: u32| pieces.iter().rposition(|p| p.number == from));
                piece.place = self.place(at);
            }
            None => {
                piece.kind = match what.split(' ').next() {
                    Some("another") => "version",
                    Some(word) => word,
                    None => "",
                }
                .to_string();
                piece.place = at.rsplit_once(" (").and_then(|(at, _)| self.place(at));
            }
        }
        self.model.pieces.push(piece);
        self.unfinished.push(true);
        self.model.pieces.len() - 1
    }

    /// A place of the guest program: `fib.lua:12 in fib`.
    fn place(&mut self, text: &str) -> Option<usize> {
        if text.is_empty() {
            return None;
        }
        if let Some(&n) = self.places.get(text) {
            return Some(n);
        }
        let (at, _) = text.split_once(" in ").unwrap_or((text, ""));
        let numbered = |text: &'_ str| -> Option<(usize, usize)> {
            let (before, number) = text.rsplit_once(':')?;
            Some((before.len(), number.parse().ok()?))
        };
        // There may be a column behind the line.
        let in_file = numbered(at).map(|(end, line)| match numbered(&at[..end]) {
            Some((end, line)) => (&at[..end], line),
            None => (&at[..end], line),
        });
        let place = Place {
            text: text.to_string(),
            file: in_file.map(|(file, _)| self.file(file, true)),
            line: in_file.map_or(0, |(_, line)| line),
        };
        self.model.places.push(place);
        let n = self.model.places.len() - 1;
        self.places.insert(text.to_string(), n);
        Some(n)
    }

    fn file(&mut self, path: &str, guest: bool) -> usize {
        let files = &mut self.model.files;
        *self
            .files
            .entry((path.to_string(), guest))
            .or_insert_with(|| {
                files.push(File {
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

    /// The functions in the text of a unit.
    fn jitcode(&mut self, lines: &[&str]) {
        self.model.functions.clear();
        self.by_name.clear();
        for line in lines {
            if let Some(rest) = line.strip_prefix("code ") {
                let file = rest.split('"').nth(1).unwrap_or_default();
                let name = match rest.strip_prefix('`') {
                    Some(quoted) => quoted.split('`').next().unwrap_or(quoted),
                    None => rest.split('(').next().unwrap_or(rest),
                };
                let file = self.file(file, false);
                let functions = &mut self.model.functions;
                self.by_name.insert(name.to_string(), functions.len());
                functions.push(Function {
                    name: name.to_string(),
                    file,
                    insns: Vec::new(),
                });
            } else if let (Some(function), Some((pc, insn))) =
                (self.model.functions.last_mut(), line.split_once(": "))
                && let Ok(pc) = pc.trim().parse()
            {
                let source = insn
                    .rsplit_once('#')
                    .and_then(|(_, n)| n.trim().parse().ok());
                let text = insn.rsplit_once('{').map_or(insn, |(text, _)| text);
                let text = text.trim_end().to_string();
                function.insns.push((pc, text, source.unwrap_or(0)));
            }
        }
    }

    /// The rows of a trace.
    fn rows(&mut self, piece: usize, body: &[&str]) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let mut place = self.model.pieces[piece].place;
        let mut stack = None;
        for line in body {
            if let Some(detail) = line.strip_prefix("  ") {
                if let Some(row) = rows.last_mut() {
                    row.detail.push(detail.to_string());
                }
            } else if let Some(comment) = Comment::read(line) {
                let function = self.by_name.get(comment.name).copied();
                stack = function.map(|f| self.stack(vec![(f, comment.pc)]));
            } else if line.starts_with(['[', '/']) {
                stack = None;
                rows.push(Row {
                    text: line.trim_start_matches("// ").to_string(),
                    idle: true,
                    ..Row::default()
                });
            } else {
                let mut text = *line;
                if line.starts_with("merge_point") {
                    let (greens, location) = line.split_once(" // ").unwrap_or((line, ""));
                    place = self.place(location);
                    text = greens;
                }
                // Residual code has the names of its guards.
                let guard = text.starts_with("guard_") || text.starts_with("leave");
                let guard = text
                    .rsplit(' ')
                    .next()
                    .filter(|name| guard && is_guard(name));
                if let Some(guard) = guard {
                    text = text[..text.len() - guard.len()].trim_end();
                }
                rows.push(Row {
                    text: text.to_string(),
                    place,
                    stack,
                    guard: guard.map(str::to_string),
                    ..Row::default()
                });
            }
        }
        rows
    }

    fn origins(&mut self, piece: usize, body: &[&str]) {
        let operations = |rows: &[Row]| -> Vec<usize> {
            let rows = rows.iter().enumerate();
            rows.filter(|(_, row)| !row.idle).map(|(n, _)| n).collect()
        };
        let recorded = operations(&self.model.pieces[piece].recorded);
        let opt = operations(&self.model.pieces[piece].opt);
        for line in body {
            if let Some((n, frames)) = line.split_once(" @ ") {
                let frames = frames.split(" | ").map(|frame| {
                    let (function, pc) = frame.split_once(':')?;
                    Some((function.parse().ok()?, pc.parse().ok()?))
                });
                let frames: Option<Vec<(usize, u32)>> = frames.collect();
                let frames = frames.map(|mut frames| {
                    frames.reverse();
                    frames
                });
                let row = n.parse().ok().and_then(|n: usize| recorded.get(n));
                if let (Some(&row), Some(frames)) = (row, frames)
                    && frames.iter().all(|f| f.0 < self.model.functions.len())
                {
                    let stack = self.stack(frames);
                    self.model.pieces[piece].recorded[row].stack = Some(stack);
                }
                continue;
            }
            let mut words = line.split(' ');
            let row = words.next().and_then(|n| n.parse::<usize>().ok());
            let Some(&row) = row.and_then(|n| opt.get(n)) else {
                continue;
            };
            let piece = &mut self.model.pieces[piece];
            while let Some(word) = words.next() {
                if word == "<-" {
                    let from = words.next().and_then(|n| n.parse::<usize>().ok());
                    let from = from.and_then(|n| recorded.get(n)).copied();
                    piece.opt[row].from = from;
                    piece.opt[row].stack = from.and_then(|n| piece.recorded[n].stack);
                } else if is_guard(word) {
                    piece.opt[row].guard = Some(word.to_string());
                }
            }
        }
    }

    /// The statistics: an object on one line, and how often guards have failed.
    fn figures(&mut self, body: &[&str]) {
        let figures: Value = body
            .first()
            .and_then(|line| serde_json::from_str(line).ok())
            .unwrap_or_default();
        for code in figures["locations"].as_array().into_iter().flatten() {
            let title = code["title"].as_str().unwrap_or_default();
            if let Some(n) = self.find(title) {
                let of = &mut self.model.pieces[n].figures;
                of.entries = code["entries"].as_u64();
                of.failures = code["guard_failures"].as_u64();
                of.seconds = code["seconds"].as_f64();
                of.bytes = code["code_bytes"].as_u64().or(of.bytes);
            }
        }
        let failures: HashMap<&str, u64> = body
            .iter()
            .filter_map(|line| line.split_once(": "))
            .filter_map(|(guard, times)| Some((guard, times.parse().ok()?)))
            .collect();
        for row in self.model.pieces.iter_mut().flat_map(|p| &mut p.opt) {
            let guard = row.guard.as_deref();
            row.failed = guard.and_then(|guard| failures.get(guard).copied());
        }
    }

    /// Drops what was recorded and led to nothing, and counts operations.
    fn done(mut self) -> Model {
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
            .retain(|_| !unfinished.next().expect("one for each piece"));
        for piece in &mut self.model.pieces {
            piece.from = piece.from.and_then(|n| renumbered[n]);
            let count = |rows: &[Row]| {
                let idle = ["merge_point", "label "];
                let counts =
                    |row: &&Row| !row.idle && !idle.iter().any(|i| row.text.starts_with(i));
                rows.iter().filter(counts).count()
            };
            piece.figures.recorded = count(&piece.recorded);
            piece.figures.opt = count(&piece.opt);
        }
        self.model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    const LOG: &str = "\
# jitcode: the interpreter's jitcode
class Int { value: int imm }
code interp::run(r0 i1) -> () in \"src/interp.rs\" {
  regs r0 i1
    0: merge_point (i1) (r0)     {r0 i1} #12
    1: i1 = call interp::value(r0) {r0 i1} #14
    2: goto @0                   {r0 i1} #14
}
code interp::value(r0) -> int in \"src/interp.rs\" {
    0: i1 = getfield_i r0 Int.value {r0} #20
}

# trace: trace 0: loop at a.x:3 in f (7, ref), 4 operations
[p0]
merge_point(7) // a.x:3 in f
i1 = getfield_i(p0) Int.value
guard_true(i1)
  @ 1:0 r0=p0 | 0:1 r0=p0
close(p0)

# trace: given up at header b.x:1 (2): too long
[p0]

# opt: trace 0: loop at a.x:3 in f (7, ref), 5 operations
[p0]
label L0(p0)
merge_point(7) // a.x:3 in f
i1 = getfield_i(p0) Int.value
guard_true(i1)
  -> [p0]
jump L0(p0)

# origins: trace 0: loop at a.x:3 in f (7, ref)
recorded
0 @ 0:0
1 @ 1:0 | 0:1
2 @ 1:0 | 0:1
3 @ 0:2
opt
1 <- 0
2 <- 1
3 <- 2 g0
4 <- 3

# asm: trace 0: loop at a.x:3 in f (7, ref), 64 bytes
; L0
.0:
; i1 = getfield_i(p0) Int.value
; guard_true(i1) g0
  cmp qword [rax + 0x8], 0
  je .1
; exit of guard_true(i1) g0
.1:
  call outside

# trace: trace 1: bridge from g0 of trace 0 at a.x:3 in f, 1 operations
[p0]
finish()

# opt: trace 1: bridge from g0 of trace 0 at a.x:3 in f, 1 operations
[p0]
finish()

# stats: at the end
{\"locations\":[{\"title\":\"trace 0: loop at a.x:3 in f (7, ref)\",\"entries\":2,\"guard_failures\":4,\"seconds\":0.5,\"code_bytes\":64}]}
g0: 4
";

    /// What every row knows, a line for each.
    fn shown(model: &Model) -> String {
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
        "#]].assert_eq(&shown(&model(LOG)));
    }

    /// Whatever is cut off or makes no sense, what is understood is there.
    #[test]
    fn a_log_that_is_damaged_is_read() {
        for end in (0..LOG.len()).filter(|n| LOG.is_char_boundary(*n)) {
            let model = model(&LOG[..end]);
            assert!(model.pieces.len() <= 2);
        }
        let wrong = LOG.replace(" <- ", " <- 9").replace("@ 1:", "@ 9:");
        assert_eq!(model(&wrong).pieces.len(), 2);
    }
}
