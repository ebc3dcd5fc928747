//! Makes the code of a recording again, and compares traces and machine code. Nothing of it is run.
//! Labels and guards have their recorded numbers, as long as there are as many, so that texts can
//! be compared. A job whose optimiser or backend panics ends there, and the next one begins.

mod file;
mod host;
mod jobs;
mod listings;
mod parse;
mod report;

use crate::outcome::JobOutcome;
use crate::queries::Query;
use crate::recorder::learnt;
use file::RecordedEvent;
use host::{ReplayHost, UnansweredQuery};
use jobs::{Job, JobRequest, RecordedOutput};
use listings::named;
use report::{JobReport, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};
use verdigris_backend::{Backend, BackendError, Callees, CompileOutput, Env};
use verdigris_ops::Ty;
use verdigris_opt::{GuardKnowledge, Optimised, Optimiser, Passes};
use verdigris_specialise::{
    FailedGuard, OptAnswer, OptRequest, OptRequestKind, SpecialiseLimits, SpecialiserHistory,
    StencilContext,
};
use verdigris_trace::{Exit, GuardId, OptimisedTrace, Resume, TargetId, print_with, verify};

pub use file::{BadRecording, Recording};
pub use report::ReplayReport;

/// Options of a replay.
pub struct ReplaySettings<'a> {
    /// Passes to run in place of those that ran.
    pub passes: Option<&'a str>,
    /// How often everything is done again to measure it; the least time of each piece counts. 0:
    /// the times are those of the first run, which also writes listings.
    pub repeat: u32,
}

/// A fresh backend.
type NewBackend<'a> = &'a dyn Fn() -> Result<Box<dyn Backend>, BackendError>;

/// Replays a recording.
///
/// # Errors
/// If the passes make no sense, or a backend does not work on this machine.
pub fn replay(
    recording: &Recording,
    backend: NewBackend<'_>,
    settings: &ReplaySettings<'_>,
) -> Result<ReplayReport, String> {
    let passes = Passes::parse(settings.passes.unwrap_or(&recording.passes))?;
    let run = |listing| -> Result<(Vec<JobReport>, &'static str), String> {
        let backend = backend().map_err(|error| error.to_string())?;
        let name = backend.name();
        let mut replay = Replay::new(recording, backend, passes, listing);
        let pieces = recording.events.iter().filter_map(|event| match event {
            RecordedEvent::Job(request, piece) => Some(replay.piece(*request, piece)),
            RecordedEvent::Forget(targets) => {
                replay.forget(targets);
                None
            }
        });
        Ok((pieces.collect(), name))
    };
    let (mut pieces, backend) = run(true)?;
    for n in 0..settings.repeat {
        let (again, _) = run(false)?;
        for (piece, again) in pieces.iter_mut().zip(again) {
            let least = |before: Duration, now| match n {
                0 => now,
                _ => before.min(now),
            };
            piece.optimising = least(piece.optimising, again.optimising);
            piece.compiling = least(piece.compiling, again.compiling);
        }
    }
    Ok(ReplayReport { pieces, backend })
}

/// A guard of code that has been made again.
struct ReplayGuard {
    resume: Rc<Resume>,
    facts: GuardKnowledge,
    types: Vec<Ty>,
}

/// The state of a replay.
struct Replay<'a> {
    recording: &'a Recording,
    optimiser: Optimiser,
    history: SpecialiserHistory,
    backend: Box<dyn Backend>,
    listing: bool,
    guards: FxHashMap<GuardId, ReplayGuard>,
    /// Numbers for labels and guards that the recording does not have.
    spare_label: u32,
    spare_guard: u32,
}

/// The result of a stage: its output, its refusal, or why it did not come back.
enum Stage<T> {
    Done(T),
    Refused(String),
    Lost(String),
}

impl<'a> Replay<'a> {
    fn new(
        recording: &'a Recording,
        mut backend: Box<dyn Backend>,
        mut passes: Passes,
        listing: bool,
    ) -> Replay<'a> {
        // As the engine does it.
        passes.exits &= !recording.fails_guards;
        if recording.fails_guards {
            backend.force_guard_failures();
        }
        let made = recording.events.iter().filter_map(|event| match event {
            RecordedEvent::Job(_, piece) => Some((piece.labels, piece.optimised.as_ref())),
            RecordedEvent::Forget(_) => None,
        });
        let (mut spare_label, mut spare_guard) = (0, 0);
        for (label, made) in made {
            let (labels, guards) = made.map_or((0, 0), |made| (made.labels, made.guards.1));
            spare_label = spare_label.max(label + 1).max(labels);
            spare_guard = spare_guard.max(guards);
        }
        Replay {
            recording,
            optimiser: Optimiser::new(passes),
            history: SpecialiserHistory::default(),
            backend,
            listing,
            guards: FxHashMap::default(),
            spare_label,
            spare_guard,
        }
    }

    fn forget(&mut self, targets: &[u32]) {
        let targets: Vec<TargetId> = targets.iter().map(|&n| TargetId::from_u32(n)).collect();
        self.optimiser.forget(&targets);
        self.history.forget(&targets);
    }

    fn piece(&mut self, request: JobRequest, piece: &Job) -> JobReport {
        let mut report = JobReport::new(piece);
        if let Some(guard) = request.guard() {
            let site = self.guards.get(&guard);
            let inputs = piece.trace.as_ref().map(|trace| {
                let inputs = trace.inputs.iter();
                inputs.map(|&v| trace.types[v]).collect::<Vec<_>>()
            });
            let fits = site.is_some_and(|site| {
                inputs.is_none_or(|inputs| inputs == site.types)
                    && (request.kind.is_recorded() || piece.words.len() == site.types.len())
            });
            if !fits {
                let why = format!(
                    "it follows {guard}, which the trace in front of it does not have any more"
                );
                report.trace = Verdict::Skipped(why);
                return report;
            }
        }
        let end = piece
            .optimised
            .as_ref()
            .map_or(u32::MAX, |made| made.labels);
        let numbers = piece.labels..end.max(piece.labels);
        self.optimiser.number_labels(numbers, self.spare_label);
        let start = Instant::now();
        let written = self.optimise(request, piece);
        report.optimising = start.elapsed();
        self.spare_label = self.spare_label.max(self.optimiser.next_label().as_u32());
        let refused = match &piece.outcome {
            Some(JobOutcome::Failed(_, detail)) if piece.optimised.is_none() => Some(detail),
            _ => None,
        };
        let optimised = match written {
            Stage::Done(optimised) => optimised,
            Stage::Refused(why) => {
                report.trace = match (refused, &piece.optimised) {
                    (Some(before), _) => Verdict::of(before, &why),
                    (None, Some(_)) => Verdict::Differs(format!("now it is given up: {why}\n")),
                    (None, None) => Verdict::Skipped(format!(
                        "{why}; when it was recorded, this did not come back"
                    )),
                };
                return report;
            }
            Stage::Lost(why) => {
                report.trace = Verdict::Lost(why);
                return report;
            }
        };
        let made = piece.optimised.as_ref();
        let mut optimised = match optimised {
            OptAnswer::Learnt(is_new) => {
                report.compare(made, &format!("{}\n", learnt(is_new)), refused);
                return report;
            }
            answer => answer.into_optimised(),
        };
        self.number(&mut optimised.trace, made);
        let descrs = &self.recording.unit.descrs;
        let mut objects: Vec<u64> = piece.objects.iter().map(|object| object.0).collect();
        let text = print_with(descrs, &optimised.trace, &mut objects);
        report.compare(made, &text, refused);
        if let Err(error) = verify(descrs, &optimised.trace) {
            report.trace = Verdict::Lost(format!("the optimised trace is wrong: {error}"));
            return report;
        }
        self.compile(request, piece, optimised, &mut report);
        report
    }

    /// Performs a request again.
    fn optimise(&mut self, request: JobRequest, piece: &Job) -> Stage<OptAnswer> {
        let recording = self.recording;
        let mut host = answers(recording, piece);
        let guard = request.guard();
        let guard = guard.and_then(|id| Some((id, self.guards.get(&id)?)));
        let (history, optimiser) = (&mut self.history, &mut self.optimiser);
        caught(|| {
            let request = opt_request(recording, request, piece, guard);
            let request = request.ok_or("the recording lacks what this needs")?;
            let answer = request.perform(&recording.unit, history, optimiser, &mut host);
            answer.map_err(|error| error.to_string())
        })
    }

    /// Gives guards the numbers that they had. Those that come in addition have numbers of their
    /// own.
    fn number(&mut self, trace: &mut OptimisedTrace, made: Option<&RecordedOutput>) {
        let (first, end) = made.map_or((0, 0), |made| made.guards);
        let mut numbers = first..end;
        for exit in trace.exits.values_mut() {
            if let Exit::Out { guard, .. } = exit {
                let number = numbers.next().unwrap_or_else(|| {
                    self.spare_guard += 1;
                    self.spare_guard - 1
                });
                *guard = Some(GuardId::from_u32(number));
            }
        }
    }

    /// Compiles a trace, if it was, and compares the code.
    fn compile(
        &mut self,
        request: JobRequest,
        piece: &Job,
        optimised: Optimised,
        report: &mut JobReport,
    ) {
        let recorded = match &piece.outcome {
            Some(JobOutcome::Code(bytes, asm)) => Some((*bytes, asm)),
            Some(JobOutcome::Failed(reason, _)) if reason != "backend" => return,
            Some(JobOutcome::Kept) => return,
            Some(JobOutcome::Failed(..)) | None => None,
        };
        let start = Instant::now();
        let compiled = self.call_backend(request, piece, &optimised.trace);
        report.compiling = start.elapsed();
        let is_same_backend = self.backend.name() == self.recording.backend;
        let compiled = match compiled {
            Stage::Done(compiled) => compiled,
            Stage::Lost(why) => return report.code = Verdict::Lost(why),
            Stage::Refused(why) => {
                report.code = match &piece.outcome {
                    Some(JobOutcome::Failed(_, before)) => Verdict::of(before, &why),
                    _ => Verdict::Differs(format!("now it is given up: {why}\n")),
                };
                return;
            }
        };
        report.bytes = Some(compiled.code_bytes);
        report.code = match recorded {
            _ if !is_same_backend => Verdict::Skipped("made by another backend".to_string()),
            Some((bytes, asm)) if self.listing => {
                let before = format!("{bytes} bytes\n{asm}");
                let listing = compiled.asm.unwrap_or_default();
                let listing = listing.trim_end();
                let now = match listing {
                    "" => format!("{} bytes\n", compiled.code_bytes),
                    listing => format!("{} bytes\n{listing}\n", compiled.code_bytes),
                };
                let known = known_words(self.recording, piece);
                let [before, now] = named(&before, &now, &known);
                Verdict::of(&before, &now)
            }
            Some(_) => Verdict::Same,
            None => Verdict::Differs("now there is code\n".to_string()),
        };
        let Optimised {
            trace,
            guard_knowledge,
            ..
        } = optimised;
        let out = trace.exits.values().filter_map(|exit| match exit {
            Exit::Out { guard, resume } => Some((guard.as_ref()?, resume)),
            Exit::Side { .. } => None,
        });
        for ((&guard, resume), facts) in out.zip(guard_knowledge) {
            let types = resume.fail_args.iter().map(|&v| trace.types[v]).collect();
            let resume = Rc::clone(resume);
            let site = ReplayGuard {
                resume,
                facts,
                types,
            };
            self.guards.insert(guard, site);
        }
    }

    fn call_backend(
        &mut self,
        request: JobRequest,
        piece: &Job,
        trace: &OptimisedTrace,
    ) -> Stage<CompileOutput> {
        let unit = &self.recording.unit;
        let answers = answers(self.recording, piece);
        let env = Env {
            descrs: &unit.descrs,
            callees: unit.runner().map(|_| &answers as &dyn Callees),
            dump_ir: false,
            dump_asm: self.listing,
        };
        let backend = &mut self.backend;
        let work = || {
            let compiled = match (request.kind, request.guard()) {
                (OptRequestKind::Bridge | OptRequestKind::SpecialiseFrom, Some(guard)) => {
                    backend.compile_bridge(&env, guard, trace)
                }
                (
                    OptRequestKind::Stencil
                    | OptRequestKind::Entrance
                    | OptRequestKind::WithoutCode,
                    _,
                ) => backend.compile_stencil(&env, trace),
                _ => backend.compile_loop(&env, trace),
            };
            compiled.map_err(|error| error.to_string())
        };
        caught(work)
    }
}

/// The words that the code of a piece may have from the program.
fn known_words(recording: &Recording, piece: &Job) -> FxHashSet<u64> {
    let fns = recording.unit.descrs.fns.values();
    let fns = fns.flat_map(|info| [info.target, info.thunk, info.invoke]);
    let objects = piece.objects.iter().map(|object| object.0);
    let answers = piece.answers.values().flatten().flatten().copied();
    let asked = piece.answers.keys().flat_map(Query::words).copied();
    let state = piece.greens.iter().chain(&piece.words).copied();
    let fns = fns.map(|address| address as u64);
    fns.chain(objects)
        .chain(answers)
        .chain(asked)
        .chain(state)
        .collect()
}

/// The program, as a job sees it.
fn answers<'a>(recording: &'a Recording, piece: &'a Job) -> ReplayHost<'a> {
    ReplayHost {
        descrs: &recording.unit.descrs,
        answers: &piece.answers,
        classes: &recording.classes,
        greens: recording.greens,
    }
}

/// The request of a job; none if the recording lacks a part of it.
fn opt_request<'a>(
    recording: &Recording,
    request: JobRequest,
    piece: &'a Job,
    guard: Option<(GuardId, &'a ReplayGuard)>,
) -> Option<OptRequest<'a>> {
    let function = |name| recording.unit.descrs.fn_by_name(name);
    let threading = || {
        Some(StencilContext {
            record_of: function("verdigris::record_of")?,
            run: function("verdigris::run_thread")?,
            number: piece.instruction,
        })
    };
    let limits = SpecialiseLimits {
        lazy: piece.lazy.unwrap_or_default(),
        interruptible: piece.interruptible,
        operations: piece.operations,
        paths: piece.ways,
        ..SpecialiseLimits::default()
    };
    let left = |site: &'a ReplayGuard| FailedGuard {
        resume: &site.resume,
        facts: &site.facts,
        types: &site.types,
        words: &piece.words,
        compared: piece.compared,
        generalise: piece.generalise,
    };
    let trace = || piece.trace.as_ref();
    let arrival = piece.arrival.as_deref();
    let greens = &piece.greens;
    Some(match request.kind {
        OptRequestKind::Loop => OptRequest::Loop {
            trace: trace()?,
            arrival,
        },
        OptRequestKind::Version => OptRequest::Version {
            trace: trace()?,
            entry: request.entry(),
        },
        OptRequestKind::Bridge => {
            let (guard, site) = guard?;
            OptRequest::Bridge {
                guard,
                knowledge: &site.facts,
                trace: trace()?,
                arrival,
            }
        }
        OptRequestKind::Specialise => OptRequest::Specialise { greens, limits },
        OptRequestKind::SpecialiseFrom => {
            let (guard, site) = guard?;
            let left = left(site);
            OptRequest::SpecialiseFrom {
                guard,
                left,
                limits,
            }
        }
        OptRequestKind::Stencil => OptRequest::Stencil {
            greens,
            threading: threading()?,
            limits,
        },
        OptRequestKind::Entrance => OptRequest::Entrance,
        OptRequestKind::WithoutCode => OptRequest::WithoutCode {
            threading: threading()?,
        },
        OptRequestKind::Learn => {
            let (guard, site) = guard?;
            let left = left(site);
            OptRequest::Learn {
                guard,
                left,
                limits,
            }
        }
    })
}

/// Runs a stage, which may panic on what a file says.
fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Stage<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(done)) => Stage::Done(done),
        Ok(Err(why)) => Stage::Refused(why),
        Err(payload) => Stage::Lost(said(&*payload)),
    }
}

fn said(payload: &(dyn Any + Send)) -> String {
    if let Some(UnansweredQuery(question)) = payload.downcast_ref() {
        return format!("the recording does not say what it asks: {question}");
    }
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("without a message"))
}
