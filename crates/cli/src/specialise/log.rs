//! A log of the JIT, read back. In: the text that `VERDIGRIS_LOG` writes. Out: the interpreter's
//! jitcode, and the pieces of code with their stages. Invariant: what is not understood is kept as
//! it stands.

use std::collections::BTreeMap;

/// A log.
#[derive(Default)]
pub struct Log<'t> {
    /// The functions of the interpreter, in the order in which resume data number them.
    pub functions: Vec<Function<'t>>,
    /// The code, in the order in which it was made.
    pub pieces: Vec<Piece<'t>>,
}

/// A function of the interpreter.
pub struct Function<'t> {
    /// Its path.
    pub name: &'t str,
    /// Its source file.
    pub file: &'t str,
    /// Its instructions, by their place.
    pub insns: BTreeMap<u32, &'t str>,
}

/// A piece of code.
pub struct Piece<'t> {
    /// Where it starts.
    pub title: &'t str,
    /// How many operations the optimiser was given.
    pub given_count: &'t str,
    /// What the optimiser was given.
    pub given: Vec<&'t str>,
    /// What is left.
    pub opt: Vec<&'t str>,
    /// Machine code.
    pub asm: Vec<&'t str>,
}

/// An instruction of the interpreter, as comments in the log name it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Place<'t> {
    /// The function.
    pub name: &'t str,
    /// The instruction.
    pub pc: u32,
    /// The source file.
    pub file: &'t str,
    /// The line.
    pub line: u32,
}

impl<'t> Log<'t> {
    /// Reads a log.
    pub fn read(text: &'t str) -> Log<'t> {
        let mut log = Log::default();
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
            log.add(stage, header, body);
        }
        log
    }

    fn add(&mut self, stage: &str, header: &'t str, body: Vec<&'t str>) {
        let (title, count) = header.rsplit_once(", ").unwrap_or((header, ""));
        match stage {
            "jitcode" => self.functions = functions(&body),
            "given" => self.pieces.push(Piece {
                title,
                given_count: count,
                given: body,
                opt: Vec::new(),
                asm: Vec::new(),
            }),
            "opt" => {
                if let Some(piece) = self.piece(title) {
                    piece.opt = body;
                }
            }
            "asm" => {
                if let Some(piece) = self.piece(title) {
                    piece.asm = body;
                }
            }
            _ => {}
        }
    }

    fn piece(&mut self, title: &str) -> Option<&mut Piece<'t>> {
        self.pieces.iter_mut().rev().find(|p| p.title == title)
    }
}

/// The stage and the rest of a line with which something starts in the log.
pub fn heading(line: &str) -> Option<(&str, &str)> {
    let (stage, rest) = line.strip_prefix("# ")?.split_once(": ")?;
    stage
        .bytes()
        .all(|b| b.is_ascii_lowercase())
        .then_some((stage, rest))
}

/// The functions in the text of a unit.
fn functions<'t>(lines: &[&'t str]) -> Vec<Function<'t>> {
    let mut functions: Vec<Function<'t>> = Vec::new();
    for line in lines {
        if let Some(rest) = line.strip_prefix("code ") {
            let quoted = rest.split('"').nth(1);
            functions.push(Function {
                name: name(rest),
                file: quoted.unwrap_or_default(),
                insns: BTreeMap::new(),
            });
        } else if let (Some(function), Some((pc, insn))) =
            (functions.last_mut(), line.split_once(": "))
            && let Ok(pc) = pc.trim().parse()
        {
            function.insns.insert(pc, insn);
        }
    }
    functions
}

/// The name at the start of a text: in backticks, or up to the parameters.
fn name(text: &str) -> &str {
    match text.strip_prefix('`') {
        Some(quoted) => quoted.split('`').next().unwrap_or(quoted),
        None => text.split('(').next().unwrap_or(text),
    }
}

impl<'t> Place<'t> {
    /// Reads a comment: `// interp::run at 3 (src/interp.rs:52)`.
    pub fn read(line: &'t str) -> Option<Place<'t>> {
        let rest = line.strip_prefix("// ")?.strip_suffix(')')?;
        let (rest, source) = rest.rsplit_once(" (")?;
        let (name, pc) = rest.rsplit_once(" at ")?;
        let (file, line) = source.rsplit_once(':')?;
        Some(Place {
            name,
            pc: pc.parse().ok()?,
            file,
            line: line.parse().ok()?,
        })
    }
}
