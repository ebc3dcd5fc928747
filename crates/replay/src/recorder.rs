//! Writes a recording: requests, the queries of optimiser and backend, and outcomes, as lines of a
//! file. A stage's input is in the file before the stage begins. A file that cannot be written does
//! not change what the program does.
//!
//! The lines are those that `crates/replay/src/replay/file.rs` reads;
//! docs/book/src/reference/replay.md says what they mean.

use crate::outcome::JobOutcome;
use crate::queries::{Answer, Query, print, words};
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
use verdigris_specialise::{FailedGuard, Lazy, OptRequest, SpecialiseLimits};
use verdigris_trace::{Exit, OptimisedTrace, RecordedTrace, TargetId, print_with};

/// The number of the format; another one with every change of what is written.
pub(crate) const FORMAT: u32 = 2;

/// The first words of a recording.
pub(crate) const HEAD: &str = "verdigris recording";

/// The settings of a whole recording.
pub struct RecordingSettings<'a> {
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

/// How a job is named in a recording.
#[derive(Clone, Copy)]
pub struct JobName<'a> {
    /// The number of the trace.
    pub number: u32,
    /// The title of the trace.
    pub title: &'a str,
    /// The first label that the optimiser will use.
    pub labels: TargetId,
}

/// Writes a recording.
pub struct Recorder(RefCell<State>);

struct State {
    path: PathBuf,
    file: File,
    /// Whether standard error was told that it cannot be written.
    has_failed: bool,
    /// The queries of the current job.
    asked: FxHashMap<Query, Answer>,
    /// The objects that the current job mentions.
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
    pub fn create(path: &Path, setting: &RecordingSettings<'_>) -> Result<Recorder, String> {
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

    /// Records a request that is about to be performed.
    pub fn request(
        &self,
        descrs: &Descrs,
        host: &dyn Host,
        job: JobName<'_>,
        request: &OptRequest<'_>,
    ) {
        let mut state = self.0.borrow_mut();
        state.asked.clear();
        state.objects.clear();
        let name = request.kind().name();
        let number = match request {
            OptRequest::Version { entry, .. } => format!(" {}", entry.as_u32()),
            OptRequest::Bridge { guard, .. }
            | OptRequest::SpecialiseFrom { guard, .. }
            | OptRequest::Learn { guard, .. } => format!(" {}", guard.as_u32()),
            _ => String::new(),
        };
        let mut text = format!("\npiece {} {name}{number}\n", job.number);
        line(&mut text, "title", job.title.replace('\n', " "));
        line(&mut text, "labels", job.labels.as_u32());
        match *request {
            OptRequest::Loop { trace, arrival } | OptRequest::Bridge { trace, arrival, .. } => {
                if let Some(arrival) = arrival {
                    line(&mut text, "arrival", words(arrival).trim_start());
                }
                state.trace(&mut text, descrs, host, trace);
            }
            OptRequest::Version { trace, .. } => state.trace(&mut text, descrs, host, trace),
            OptRequest::Specialise { greens, limits } => {
                line(&mut text, "greens", words(greens).trim_start());
                limits_lines(&mut text, &limits);
            }
            OptRequest::SpecialiseFrom { left, limits, .. }
            | OptRequest::Learn { left, limits, .. } => {
                left_lines(&mut text, &left);
                limits_lines(&mut text, &limits);
            }
            OptRequest::Stencil {
                greens,
                threading,
                limits,
            } => {
                line(&mut text, "greens", words(greens).trim_start());
                limits_lines(&mut text, &limits);
                line(&mut text, "instruction", threading.number);
            }
            OptRequest::Entrance => {}
            OptRequest::WithoutCode { threading } => {
                line(&mut text, "instruction", threading.number);
            }
        }
        state.write(&text);
    }

    /// Records a query and its answer.
    pub(crate) fn asked(&self, descrs: &Descrs, question: Query, answer: Answer) {
        let mut state = self.0.borrow_mut();
        if state.asked.get(&question) == Some(&answer) {
            return;
        }
        let mut text = String::new();
        line(&mut text, "ask", print(descrs, &question, &answer));
        state.asked.insert(question, answer);
        state.write(&text);
    }

    /// Records the optimiser's output, whose guards have their numbers, and its next label.
    pub fn optimised(&self, descrs: &Descrs, trace: &OptimisedTrace, labels: TargetId) {
        let mut state = self.0.borrow_mut();
        let body = print_with(descrs, trace, &mut state.objects);
        state.made(labels, &body, trace);
    }

    /// Records whether the optimiser has learnt an arm. There is nothing to compile.
    pub fn learnt(&self, is_new: bool, labels: TargetId) {
        let mut state = self.0.borrow_mut();
        state.made(labels, learnt(is_new), &OptimisedTrace::default());
        drop(state);
        self.came(&JobOutcome::Kept);
    }

    /// Records the outcome of the job.
    pub fn came(&self, outcome: &JobOutcome) {
        let mut text = String::new();
        match outcome {
            JobOutcome::Code(bytes, asm) => {
                line(&mut text, "code", bytes);
                block(&mut text, asm);
            }
            JobOutcome::Kept => line(&mut text, "kept", ""),
            JobOutcome::Failed(reason, detail) => {
                let reason = reason.replace(' ', "-");
                let detail = detail.replace('\n', " ");
                line(&mut text, "failed", format!("{reason} {detail}"));
            }
        }
        self.0.borrow_mut().write(&text);
    }

    /// Records that the optimiser forgets labels.
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

/// The output of a request to learn.
pub(crate) fn learnt(is_new: bool) -> &'static str {
    match is_new {
        true => "an arm is new",
        false => "no arm is new",
    }
}

impl State {
    /// A recorded trace, with the classes of the objects that it mentions.
    fn trace(
        &mut self,
        text: &mut String,
        descrs: &Descrs,
        host: &dyn Host,
        trace: &RecordedTrace,
    ) {
        let body = print_with(descrs, trace, &mut self.objects);
        for &object in &self.objects {
            let class = host.class_of(object);
            line(text, "object", object_line(descrs, object, class));
        }
        line(text, "trace", "");
        block(text, &body);
    }

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

fn left_lines(text: &mut String, left: &FailedGuard<'_>) {
    line(text, "left", words(left.words).trim_start());
    line(text, "compared", left.compared);
    line(text, "generalise", u8::from(left.generalise));
}

fn limits_lines(text: &mut String, limits: &SpecialiseLimits) {
    line(text, "lazy", lazy_name(limits.lazy));
    line(text, "interruptible", u8::from(limits.interruptible));
    line(text, "operations", limits.operations);
    line(text, "ways", limits.paths);
}

/// The lines in front of the jobs.
fn head(setting: &RecordingSettings<'_>) -> String {
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

/// An object with its class.
fn object_line(descrs: &Descrs, object: u64, class: Option<ClassId>) -> String {
    let class = class.map_or("none", |class| descrs.classes[class].name.as_str());
    format!("{object:#x} {class}")
}

/// The name of a policy for lazy arms.
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
