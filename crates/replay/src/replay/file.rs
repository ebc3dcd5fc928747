//! Reads a recording. Traces are over the descriptors of the file and have passed the verifier;
//! every query has an answer of its form; the last job may break off where the process did, but not
//! within a line.

use crate::outcome::JobOutcome;
use crate::recorder::{FORMAT, HEAD, lazy_name};
use crate::replay::jobs::{Job, JobRequest, RecordedOutput};
use crate::replay::parse::{parse, parse_word, parse_words};
use rustc_hash::FxHashMap;
use std::fmt;
use std::path::Path;
use verdigris_jitcode::Unit;
use verdigris_ops::ClassId;
use verdigris_opt::Passes;
use verdigris_specialise::Lazy;
use verdigris_trace::{RecordedTrace, parse_with, verify};

/// LeaveReason a file is no recording that can be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecording {
    /// The line, from 1; 0 if the file cannot be read at all.
    pub line: usize,
    /// The error.
    pub message: String,
}

impl fmt::Display for BadRecording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for BadRecording {}

/// An event of a recording.
#[derive(Clone, Debug)]
pub(crate) enum RecordedEvent {
    /// A request to the optimiser.
    Job(JobRequest, Box<Job>),
    /// The optimiser forgot labels.
    Forget(Vec<u32>),
}

/// A recording.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The interpreter, linked.
    pub(crate) unit: Unit,
    /// The number of greens of its merge point.
    pub(crate) greens: usize,
    pub(crate) passes: String,
    /// The name of the backend.
    pub backend: String,
    /// The parameters, as they can be given to the program again.
    pub parameters: String,
    pub(crate) fails_guards: bool,
    pub(crate) events: Vec<RecordedEvent>,
    /// The classes of objects that pieces mention.
    pub(crate) classes: FxHashMap<u64, ClassId>,
}

impl Recording {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no recording of this version.
    pub fn read(path: &Path) -> Result<Recording, BadRecording> {
        let text = std::fs::read(path).map_err(|error| BadRecording {
            line: 0,
            message: format!("it cannot be read: {error}"),
        })?;
        match String::from_utf8(text) {
            Ok(text) => Recording::parse(&text),
            Err(error) => {
                let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                Err(BadRecording {
                    line: 1 + good.iter().filter(|byte| **byte == b'\n').count(),
                    message: "this is no text".to_string(),
                })
            }
        }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is no recording of this version.
    pub fn parse(text: &str) -> Result<Recording, BadRecording> {
        let lines: Vec<&str> = text.lines().collect();
        if !text.is_empty() && !text.ends_with('\n') {
            let message = "the file ends within this line; without it, what is in front of it can be replayed";
            return Err(bad(lines.len(), message));
        }
        let mut reader = Reader { lines, next: 0 };
        reader.version()?;
        reader.expect("version")?;
        let parameters = reader.expect("parameters")?.to_string();
        let passes = reader.expect("passes")?.to_string();
        Passes::parse(&passes).map_err(|message| reader.bad(message))?;
        let backend = reader.expect("backend")?.to_string();
        let fails_guards = reader.flag("fails-guards")?;
        let (unit, greens) = reader.unit()?;
        let mut recording = Recording {
            unit,
            greens,
            passes,
            backend,
            parameters,
            fails_guards,
            events: Vec::new(),
            classes: FxHashMap::default(),
        };
        while reader.next < reader.lines.len() {
            reader.event(&mut recording)?;
        }
        Ok(recording)
    }

    /// The number of requests to the optimiser.
    pub fn len(&self) -> usize {
        self.jobs().count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.events.iter().filter_map(|event| match event {
            RecordedEvent::Job(_, piece) => Some(&**piece),
            RecordedEvent::Forget(_) => None,
        })
    }
}

fn bad(line: usize, message: impl Into<String>) -> BadRecording {
    BadRecording {
        line,
        message: message.into(),
    }
}

/// The lines of a file.
struct Reader<'t> {
    lines: Vec<&'t str>,
    next: usize,
}

type Read<T> = Result<T, BadRecording>;

impl<'t> Reader<'t> {
    /// An error in the line that was read last.
    fn bad(&self, message: impl Into<String>) -> BadRecording {
        bad(self.next, message)
    }

    /// The next line: its first word, and the rest.
    fn line(&mut self) -> Read<(&'t str, &'t str)> {
        let Some(line) = self.lines.get(self.next) else {
            return Err(bad(
                self.next + 1,
                "the file ends in front of its first piece",
            ));
        };
        self.next += 1;
        Ok(line.split_once(' ').unwrap_or((line, "")))
    }

    /// The rest of the next line, which begins with this word.
    fn expect(&mut self, word: &str) -> Read<&'t str> {
        match self.line()? {
            (found, rest) if found == word => Ok(rest),
            (found, _) => Err(self.bad(format!("expected `{word}`, found `{found}`"))),
        }
    }

    fn flag(&mut self, word: &str) -> Read<bool> {
        let rest = self.expect(word)?;
        self.is_set(rest)
    }

    fn is_set(&self, rest: &str) -> Read<bool> {
        match rest {
            "0" | "1" => Ok(rest == "1"),
            _ => Err(self.bad(format!("expected 0 or 1, found `{rest}`"))),
        }
    }

    fn number<N: std::str::FromStr>(&self, text: &str) -> Read<N> {
        let number = text.parse();
        number.map_err(|_| self.bad(format!("expected a number, found `{text}`")))
    }

    fn numbers(&self, text: &str) -> Read<Vec<u32>> {
        text.split(' ').map(|word| self.number(word)).collect()
    }

    fn words(&self, text: &str) -> Read<Vec<u64>> {
        parse_words(text).map_err(|message| self.bad(message))
    }

    fn version(&mut self) -> Read<()> {
        let first = self.lines.first().copied().unwrap_or("");
        self.next = 1;
        let Some(number) = first.strip_prefix(HEAD) else {
            return Err(self.bad(format!("a recording begins with `{HEAD} {FORMAT}`")));
        };
        match number.trim().parse::<u32>() {
            Ok(FORMAT) => Ok(()),
            Ok(number) => Err(self.bad(format!(
                "the recording has format {number}, and this version reads {FORMAT}: replay it with the version that has recorded it"
            ))),
            Err(_) => Err(self.bad(format!("a recording begins with `{HEAD} {FORMAT}`"))),
        }
    }

    /// The lines of a block.
    fn block(&mut self) -> String {
        let mut text = String::new();
        while let Some(line) = self
            .lines
            .get(self.next)
            .and_then(|line| line.strip_prefix('|'))
        {
            text.push_str(line.strip_prefix(' ').unwrap_or(line));
            text.push('\n');
            self.next += 1;
        }
        text
    }

    /// The interpreter, with what its descriptors were linked to.
    fn unit(&mut self) -> Read<(Unit, usize)> {
        self.expect("unit")?;
        let at = self.next;
        let hex = self.block().replace('\n', "");
        let byte = |n: usize| {
            let digits = hex.get(n..n + 2)?;
            u8::from_str_radix(digits, 16).ok()
        };
        let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
        let bytes = bytes.ok_or_else(|| bad(at, "the interpreter behind this line is damaged"))?;
        let unit = Unit::from_bytes(&bytes);
        let mut unit = unit.map_err(|e| {
            bad(
                at,
                format!("the interpreter behind this line cannot be read: {e}"),
            )
        })?;
        let shape = unit.shape();
        let shape =
            shape.ok_or_else(|| bad(at, "the interpreter behind this line has no merge point"))?;
        while let Some(line) = self.lines.get(self.next) {
            if let Some(rest) = line.strip_prefix("function ") {
                self.next += 1;
                let mut parts = rest.splitn(4, ' ');
                let mut address = || -> Read<usize> {
                    let word = parse_word(parts.next().unwrap_or(""));
                    Ok(word.map_err(|message| self.bad(message))? as usize)
                };
                let (target, thunk, invoke) = (address()?, address()?, address()?);
                let id = unit.descrs.fn_by_name(parts.next().unwrap_or(""));
                let id = id.ok_or_else(|| self.bad("the interpreter has no such function"))?;
                let info = &mut unit.descrs.fns[id];
                (info.target, info.thunk, info.invoke) = (target, thunk, invoke);
            } else if let Some(name) = line.strip_prefix("registers ") {
                self.next += 1;
                let id = self.class(&unit, name)?;
                unit.descrs.classes[id].has_registers = true;
            } else {
                break;
            }
        }
        Ok((unit, shape.greens.len()))
    }

    fn class(&self, unit: &Unit, name: &str) -> Read<ClassId> {
        let class = unit.descrs.class_by_name(name);
        class.ok_or_else(|| self.bad(format!("the interpreter has no class `{name}`")))
    }

    /// The next event.
    fn event(&mut self, recording: &mut Recording) -> Read<()> {
        let (word, rest) = self.line()?;
        match word {
            "" if rest.is_empty() => {}
            "forget" => recording
                .events
                .push(RecordedEvent::Forget(self.numbers(rest)?)),
            "piece" => {
                let (number, kind) = rest.split_once(' ').unwrap_or((rest, ""));
                let number = self.number(number)?;
                let request = JobRequest::parse(kind);
                let request = request.ok_or_else(|| self.bad("there is no piece of this kind"))?;
                let mut piece = Job {
                    line: self.next,
                    number,
                    ..Job::default()
                };
                // What is forgotten while a piece is compiled was known when it was optimised.
                let mut forgotten = Vec::new();
                while let Some(line) = self.lines.get(self.next) {
                    match line.split_once(' ') {
                        Some(("piece", _)) => break,
                        Some(("forget", targets)) => {
                            self.next += 1;
                            forgotten.push(RecordedEvent::Forget(self.numbers(targets)?));
                        }
                        _ if line.is_empty() => self.next += 1,
                        _ => self.part(recording, &mut piece)?,
                    }
                }
                if request.kind.is_recorded() && piece.trace.is_none() {
                    return Err(bad(piece.line, "this piece has no trace"));
                }
                recording
                    .events
                    .push(RecordedEvent::Job(request, Box::new(piece)));
                recording.events.append(&mut forgotten);
            }
            _ => return Err(self.bad(format!("expected `piece` or `forget`, found `{word}`"))),
        }
        Ok(())
    }

    /// A line of a piece, with its block.
    fn part(&mut self, recording: &mut Recording, piece: &mut Job) -> Read<()> {
        let (word, rest) = self.line()?;
        match word {
            "title" => piece.title = rest.to_string(),
            "labels" => piece.labels = self.number(rest)?,
            "arrival" => piece.arrival = Some(self.words(rest)?),
            "greens" => {
                piece.greens = self.words(rest)?;
                let expected = recording.greens;
                if !piece.greens.is_empty() && piece.greens.len() != expected {
                    return Err(self.bad(format!("the interpreter has {expected} greens")));
                }
            }
            "left" => piece.words = self.words(rest)?,
            "compared" => piece.compared = self.number(rest)?,
            "generalise" => piece.generalise = self.is_set(rest)?,
            "lazy" => {
                let all = [Lazy::None, Lazy::Types, Lazy::All];
                piece.lazy = all.into_iter().find(|lazy| lazy_name(*lazy) == rest);
                if piece.lazy.is_none() {
                    return Err(self.bad(format!("nothing is lazy as `{rest}`")));
                }
            }
            "interruptible" => piece.interruptible = self.is_set(rest)?,
            "operations" => piece.operations = self.number(rest)?,
            "ways" => piece.ways = self.number(rest)?,
            "instruction" => piece.instruction = self.number(rest)?,
            "object" => {
                let (address, class) = rest.split_once(' ').unwrap_or((rest, ""));
                let address = parse_word(address).map_err(|message| self.bad(message))?;
                let class = match class {
                    "none" => None,
                    name => Some(self.class(&recording.unit, name)?),
                };
                recording
                    .classes
                    .extend(class.map(|class| (address, class)));
                piece.objects.push((address, class));
            }
            "trace" => piece.trace = Some(self.trace(recording, piece)?),
            "ask" => {
                let asked = parse(&recording.unit.descrs, rest);
                let (question, answer) = asked.map_err(|message| self.bad(message))?;
                piece.answers.insert(question, answer);
            }
            "used" => piece.optimised.get_or_insert_default().labels = self.number(rest)?,
            "guards" => {
                let (first, end) = match self.numbers(rest)?[..] {
                    [first, end] if first <= end => (first, end),
                    _ => {
                        return Err(
                            self.bad("expected two numbers, the first not above the second")
                        );
                    }
                };
                piece.optimised.get_or_insert_default().guards = (first, end);
            }
            "optimised" => {
                let text = self.block();
                let made: &mut RecordedOutput = piece.optimised.get_or_insert_default();
                made.text = text;
            }
            "code" => piece.outcome = Some(JobOutcome::Code(self.number(rest)?, self.block())),
            "kept" => piece.outcome = Some(JobOutcome::Kept),
            "failed" => {
                let (reason, detail) = rest.split_once(' ').unwrap_or((rest, ""));
                let reason = reason.to_string();
                piece.outcome = Some(JobOutcome::Failed(reason, detail.to_string()));
            }
            _ => return Err(self.bad(format!("`{word}` says nothing of a piece"))),
        }
        Ok(())
    }

    /// The trace of a piece.
    fn trace(&mut self, recording: &Recording, piece: &Job) -> Read<RecordedTrace> {
        let at = self.next;
        let text = self.block();
        let objects: Vec<u64> = piece.objects.iter().map(|object| object.0).collect();
        let descrs = &recording.unit.descrs;
        let trace: RecordedTrace = parse_with(descrs, &text, &objects)
            .map_err(|error| bad(at + error.line, error.message))?;
        verify(descrs, &trace)
            .map_err(|error| bad(at, format!("the trace behind this line is wrong: {error}")))?;
        Ok(trace)
    }
}
