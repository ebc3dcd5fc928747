//! Writes a recording. In: what optimiser and backend are about to be given, what they ask, and
//! what comes of it. Out: lines in a file. Invariants: what a stage is given is in the file before
//! the stage begins; a file that cannot be written changes nothing of what the program does.
//!
//! The lines are those that `crates/replay/src/file.rs` reads; docs/book/src/reference/replay.md
//! says what they mean.

use crate::pieces::{Kind, Outcome};
use crate::questions::{Answer, Question, print, words};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt::{Display, Write as _};
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use verdigris_jitcode::Unit;
use verdigris_ops::{ClassId, Descrs};
use verdigris_opt::Host;
use verdigris_specialise::{Lazy, SpecialiseLimits};
use verdigris_trace::{Exit, OptimisedTrace, RecordedTrace, TargetId, print_with};

/// The number of the format; another one with every change of what is written.
pub(crate) const FORMAT: u32 = 1;

/// The first words of a recording.
pub(crate) const HEAD: &str = "verdigris recording";

/// What holds for a whole recording.
pub struct Setting<'a> {
    /// The interpreter, linked.
    pub unit: &'a Unit,
    /// All parameters, for people.
    pub parameters: &'a str,
    /// The optimiser's passes, as the parameter `enable_opts` says it.
    pub passes: &'a str,
    /// The backend's name.
    pub backend: &'a str,
    /// Whether guards are made to fail.
    pub fails_guards: bool,
}

/// What the optimiser is given for a piece.
pub struct Given<'a> {
    /// What it is asked to do.
    pub kind: Kind,
    /// The number of the piece.
    pub number: u32,
    /// What the piece is called.
    pub title: &'a str,
    /// The first label that the optimiser will use.
    pub labels: TargetId,
    /// What was recorded, unless code is written.
    pub trace: Option<&'a RecordedTrace>,
    /// What the jump at its end passed.
    pub arrival: Option<&'a [u64]>,
    /// The greens from which code is written.
    pub greens: &'a [u64],
    /// What compiled code handed over where it was left, and with how many values the first of it
    /// has been compared.
    pub left: (&'a [u64], u32),
    /// How far code that is written goes.
    pub limits: Option<&'a SpecialiseLimits>,
    /// The number by which the arms of an instruction are known.
    pub instruction: u32,
}

impl<'a> Given<'a> {
    /// A piece about which nothing else is to be said.
    pub fn new(kind: Kind, number: u32, title: &'a str, labels: TargetId) -> Given<'a> {
        Given {
            kind,
            number,
            title,
            labels,
            trace: None,
            arrival: None,
            greens: &[],
            left: (&[], 0),
            limits: None,
            instruction: 0,
        }
    }
}

/// Writes a recording.
pub struct Recorder(RefCell<State>);

struct State {
    path: PathBuf,
    file: File,
    /// Whether it has been said that it cannot be written.
    has_failed: bool,
    /// What has been asked for the piece at hand.
    asked: FxHashMap<Question, Answer>,
    /// The objects that the piece at hand mentions.
    objects: Vec<u64>,
}

/// The files that this process has recordings in.
static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl Recorder {
    /// A recording in a file; if another in this process is there already, in one with a number
    /// behind its name.
    ///
    /// # Errors
    /// A message, if it cannot be written.
    pub fn create(path: &Path, setting: &Setting<'_>) -> Result<Recorder, String> {
        let path = {
            let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
            let before = files.iter().filter(|taken| *taken == path).count();
            files.push(path.to_path_buf());
            match before {
                0 => path.to_path_buf(),
                n => {
                    let mut numbered = path.as_os_str().to_owned();
                    numbered.push(format!(".{}", n + 1));
                    numbered.into()
                }
            }
        };
        let cannot = |error| format!("cannot write the recording {}: {error}", path.display());
        let mut file = File::create(&path).map_err(cannot)?;
        file.write_all(head(setting).as_bytes()).map_err(cannot)?;
        Ok(Recorder(RefCell::new(State {
            path,
            file,
            has_failed: false,
            asked: FxHashMap::default(),
            objects: Vec::new(),
        })))
    }

    /// The optimiser is about to be given a piece.
    pub fn given(&self, descrs: &Descrs, host: &dyn Host, given: &Given<'_>) {
        let mut state = self.0.borrow_mut();
        state.asked.clear();
        state.objects.clear();
        let mut text = format!("\npiece {} {}\n", given.number, given.kind.text());
        line(&mut text, "title", given.title.replace('\n', " "));
        line(&mut text, "labels", given.labels.as_u32());
        if let Some(arrival) = given.arrival {
            line(&mut text, "arrival", words(arrival).trim_start());
        }
        if let Some(limits) = given.limits {
            line(&mut text, "greens", words(given.greens).trim_start());
            line(&mut text, "left", words(given.left.0).trim_start());
            line(&mut text, "compared", given.left.1);
            line(&mut text, "lazy", lazy_name(limits.lazy));
            line(&mut text, "interruptible", u8::from(limits.interruptible));
            line(&mut text, "operations", limits.operations);
            line(&mut text, "ways", limits.paths);
            line(&mut text, "instruction", given.instruction);
        }
        if let Some(trace) = given.trace {
            let body = print_with(descrs, trace, &mut state.objects);
            for &object in &state.objects {
                let class = host.class_of(object);
                line(&mut text, "object", object_line(descrs, object, class));
            }
            line(&mut text, "trace", "");
            block(&mut text, &body);
        }
        state.write(&text);
    }

    /// Somebody has asked, and been answered.
    pub(crate) fn asked(&self, descrs: &Descrs, question: Question, answer: Answer) {
        let mut state = self.0.borrow_mut();
        if state.asked.get(&question) == Some(&answer) {
            return;
        }
        let mut text = String::new();
        line(&mut text, "ask", print(descrs, &question, &answer));
        state.asked.insert(question, answer);
        state.write(&text);
    }

    /// The optimiser has made this, with all labels below this one; its guards have their numbers.
    pub fn optimised(&self, descrs: &Descrs, trace: &OptimisedTrace, labels: TargetId) {
        let mut state = self.0.borrow_mut();
        let body = print_with(descrs, trace, &mut state.objects);
        state.made(labels, &body, trace);
    }

    /// The optimiser has answered a question of the second compiler's, and there is nothing to
    /// compile.
    pub fn learnt(&self, is_new: bool, labels: TargetId) {
        let mut state = self.0.borrow_mut();
        state.made(labels, learnt(is_new), &OptimisedTrace::default());
        drop(state);
        self.came(&Outcome::Kept);
    }

    /// What came of the piece.
    pub fn came(&self, outcome: &Outcome) {
        let mut text = String::new();
        match outcome {
            Outcome::Code(bytes, asm) => {
                line(&mut text, "code", bytes);
                block(&mut text, asm);
            }
            Outcome::Kept => line(&mut text, "kept", ""),
            Outcome::Failed(reason, detail) => {
                let reason = reason.replace(' ', "-");
                let detail = detail.replace('\n', " ");
                line(&mut text, "failed", format!("{reason} {detail}"));
            }
        }
        self.0.borrow_mut().write(&text);
    }

    /// The optimiser forgets labels.
    pub fn forgets(&self, targets: &[TargetId]) {
        if targets.is_empty() {
            return;
        }
        let numbers = targets.iter().map(|target| target.as_u32());
        let mut text = String::new();
        line(&mut text, "forget", spaced(numbers));
        self.0.borrow_mut().write(&text);
    }
}

/// What the optimiser has made where it only learns.
pub(crate) fn learnt(is_new: bool) -> &'static str {
    match is_new {
        true => "an arm is new",
        false => "no arm is new",
    }
}

impl State {
    fn made(&mut self, labels: TargetId, body: &str, trace: &OptimisedTrace) {
        let mut text = String::new();
        line(&mut text, "used", labels.as_u32());
        let ids = trace.exits.values().filter_map(|exit| match exit {
            Exit::Out { guard, .. } => guard.map(|guard| guard.as_u32()),
            Exit::Side { .. } => None,
        });
        let ids: Vec<u32> = ids.collect();
        let first = ids.first().copied().unwrap_or(0);
        let guards = format!("{first} {}", first + ids.len() as u32);
        line(&mut text, "guards", guards);
        line(&mut text, "optimised", "");
        block(&mut text, body);
        self.write(&text);
    }

    /// Writes at once. The first time that this fails, standard error is told.
    fn write(&mut self, text: &str) {
        let result = self.file.write_all(text.as_bytes());
        if let (Err(error), false) = (result, self.has_failed) {
            self.has_failed = true;
            let path = self.path.display();
            let mut out = std::io::stderr().lock();
            let _ = writeln!(
                out,
                "cannot write the recording {path}: {error}; it is incomplete"
            );
        }
    }
}

/// What stands in front of the pieces.
fn head(setting: &Setting<'_>) -> String {
    let mut text = format!("{HEAD} {FORMAT}\n");
    line(&mut text, "version", env!("CARGO_PKG_VERSION"));
    line(&mut text, "parameters", setting.parameters);
    line(&mut text, "passes", setting.passes);
    line(&mut text, "backend", setting.backend);
    line(&mut text, "fails-guards", u8::from(setting.fails_guards));
    line(&mut text, "unit", "");
    let mut hex = String::new();
    for bytes in setting.unit.to_bytes().chunks(60) {
        bytes.iter().for_each(|byte| {
            let _ = write!(hex, "{byte:02x}");
        });
        hex.push('\n');
    }
    block(&mut text, &hex);
    let descrs = &setting.unit.descrs;
    for info in descrs.fns.values() {
        let (target, thunk, invoke) = (info.target, info.thunk, info.invoke);
        let place = format!("{target:#x} {thunk:#x} {invoke:#x} {}", info.name);
        line(&mut text, "function", place);
    }
    for class in descrs.classes.values().filter(|class| class.has_registers) {
        line(&mut text, "registers", &class.name);
    }
    text
}

/// An object, and what it is.
fn object_line(descrs: &Descrs, object: u64, class: Option<ClassId>) -> String {
    let class = class.map_or("none", |class| descrs.classes[class].name.as_str());
    format!("{object:#x} {class}")
}

/// The names of what may wait.
pub(crate) fn lazy_name(lazy: Lazy) -> &'static str {
    match lazy {
        Lazy::None => "none",
        Lazy::Types => "types",
        Lazy::All => "all",
    }
}

fn spaced(numbers: impl Iterator<Item = impl Display>) -> String {
    let words: Vec<String> = numbers.map(|number| number.to_string()).collect();
    words.join(" ")
}

/// A line: a word, and what it is about.
fn line(text: &mut String, word: &str, rest: impl Display) {
    let rest = rest.to_string();
    let space = if rest.is_empty() { "" } else { " " };
    // Writing to a string never fails.
    let _ = writeln!(text, "{word}{space}{rest}");
}

/// Lines of another form.
fn block(text: &mut String, body: &str) {
    for line in body.lines() {
        let _ = writeln!(text, "| {line}");
    }
}
