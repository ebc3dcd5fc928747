//! Programs of a language, with the JIT and without. In: a tape: what to run, and under which
//! configurations. Out: a failure, if output, error or final heap differ. Invariant: what a program
//! does without the JIT is right, once the original of its language, where there is one, has done
//! the same; when a run uses up its heap depends on the JIT, so what is compared of it is what it
//! had printed until then. Some runs are recorded: the same code comes of the recording alone. Of
//! some programs the amount of code is checked, with each compiler.
//!
//! The first bytes of a tape are for the configurations, the others for the program, so that a
//! program shrinks under the configuration with which it failed.

use crate::campaign::{Bench, Campaign, Failure};
use crate::configuration::Configuration;
use crate::growth;
use crate::kept::{Case, hex, unhex};
use crate::language::{Language, Program};
use crate::panics;
use crate::recorded::Recorded;
use crate::shrink::{self, Budget};
use crate::tally::Tally;
use fuzz_tape::Tape;
use verdigris::Stats;
use verdigris_testing::Outcome;

/// The campaign for a language.
pub struct Differ {
    /// The language.
    pub language: &'static dyn Language,
}

/// Bytes of a tape that say under which configurations a program runs.
pub const HEAD: usize = 8;

/// Configurations that each program is run under.
const CONFIGURATIONS: usize = 4;

/// How often the main loop of a program goes around under configurations that are slow, at most.
const FEW_TURNS: i64 = 12;

/// The prefix of the error of a run that ended in a panic.
pub const BUG: &str = "a bug of the system: ";

/// Operations of a program that is too long for those.
const LONG: u64 = 20_000;

/// Tries to make a failing program smaller.
const TRIES: usize = 6000;

/// The outcome of a run.
struct Done {
    outcome: Outcome,
    stats: Stats,
    /// Operations that the interpreter executed.
    operations: u64,
    /// The result of a replay, if the run was recorded.
    replay: Option<Result<(), String>>,
}

/// The right outcome of a program.
struct Reference {
    program: Program,
    outcome: Outcome,
    operations: u64,
}

/// The result of a comparison.
enum Verdict {
    Agrees,
    /// The heap was used up.
    UsedUp,
    Differs(Outcome),
}

impl Differ {
    /// Runs a program.
    ///
    /// # Errors
    /// If it is none.
    fn execute(&self, program: &Program, how: &Configuration) -> Result<Done, String> {
        let mut options = how.options()?;
        let recording = how.recorded.then(Recorded::new);
        options.record = recording.as_ref().map(Recorded::file);
        let before = verdigris::operations();
        let run = panics::catch(|| self.language.run(program, &how.variant, options));
        let operations = verdigris::operations() - before;
        let (outcome, stats) = match run {
            Ok(run) => run.map(|run| (run.outcome, run.stats))?,
            Err(panic) => {
                let error = Some(format!("{BUG}{panic}"));
                let output = String::new();
                (Outcome { output, error }, Stats::default())
            }
        };
        Ok(Done {
            outcome,
            stats,
            operations,
            replay: recording.and_then(Recorded::replay),
        })
    }

    /// The outcome of a program without the JIT.
    fn reference(&self, program: Program) -> Result<Reference, String> {
        let plain = Configuration::plain(self.language.variants());
        let done = self.execute(&program, &plain)?;
        Ok(Reference {
            program,
            outcome: done.outcome,
            operations: done.operations,
        })
    }

    /// The program of a tape: small, if it is for a slow configuration, and long if it is for one
    /// that bounds the amount of code.
    fn program(&self, tape: &[u8], how: &Configuration) -> Program {
        let program = self.language.program(&mut Tape::new(tape));
        let lengthened = how.bounded.then(|| self.language.lengthened(&program));
        let mut program = lengthened.flatten().unwrap_or(program);
        if let (true, Some(turns)) = (how.is_slow(), program.args.first_mut()) {
            *turns = (*turns).min(FEW_TURNS);
        }
        program
    }

    /// Runs a program under a configuration.
    fn compare(&self, right: &Reference, how: &Configuration, tally: &mut Tally) -> Verdict {
        let Ok(done) = self.execute(&right.program, how) else {
            return Verdict::Agrees;
        };
        tally.add("runs", 1);
        tally.configuration(how.to_string());
        count(tally, &done.stats);
        tally.add("operations", right.operations);
        let compiled = right.operations.saturating_sub(done.operations);
        tally.add("operations outside of the interpreter", compiled);
        tally.add("recorded and replayed", u64::from(done.replay.is_some()));
        if let Some(Err(difference)) = done.replay {
            return Verdict::Differs(Outcome {
                output: difference,
                error: Some("a replay makes something else".to_string()),
            });
        }
        if how.bounded {
            tally.add("runs with a bound on code", 1);
            let lines = right.program.text.lines().count() as u64;
            if let Err(excess) = growth::bounded(lines, right.operations, &done.stats) {
                return Verdict::Differs(Outcome {
                    output: excess,
                    error: Some("there is too much code".to_string()),
                });
            }
        }
        if self.language.used_up(&right.outcome) {
            return Verdict::UsedUp;
        }
        let is_bug = |error: &String| error.starts_with(BUG);
        let caught = how.has_little_memory() && self.language.catches(&right.program);
        if caught && !done.outcome.error.as_ref().is_some_and(is_bug) {
            return Verdict::UsedUp;
        }
        if self.language.used_up(&done.outcome) {
            return match self.language.began(&done.outcome, &right.outcome) {
                true => Verdict::UsedUp,
                false => Verdict::Differs(done.outcome),
            };
        }
        match done.outcome == right.outcome {
            true => Verdict::Agrees,
            false => Verdict::Differs(done.outcome),
        }
    }

    /// The outcome of a program in the original of the language, if it is something else than what
    /// we do without the JIT.
    fn against_original(&self, right: &Reference) -> Option<Outcome> {
        if self.language.used_up(&right.outcome) {
            return None;
        }
        let original = self.language.original(&right.program)?;
        let comparable = |outcome| self.language.comparable(outcome);
        (comparable(&original) != comparable(&right.outcome)).then_some(original)
    }

    /// Whether a program does something else under a configuration; what. Without the JIT it is the
    /// original that knows what is right.
    fn differs(&self, program: Program, how: &Configuration) -> Option<(Outcome, Outcome)> {
        let right = self.reference(program).ok()?;
        if how.is_off() {
            let original = self.against_original(&right)?;
            return Some((original, right.outcome));
        }
        match self.compare(&right, how, &mut Tally::default()) {
            Verdict::Differs(found) => Some((right.outcome, found)),
            _ => None,
        }
    }

    /// The smallest tape whose program fails, and the fewest parameters with which it does.
    ///
    /// `first` is what was right and what happened when it failed first, for it may never do so
    /// again.
    ///
    /// Each try is in the journal, for a smaller program may be one that does not end.
    fn smallest(
        &self,
        tape: &[u8],
        how: &Configuration,
        first: (Outcome, Outcome),
        bench: &mut Bench<'_>,
    ) -> Failure {
        let budget = &mut Budget::new(TRIES, bench.shrinking);
        let page = &mut bench.page;
        let with = |parameters: &[(String, String)]| Configuration {
            parameters: parameters.to_vec(),
            ..how.clone()
        };
        let mut fails = |tape: &[u8], how: &Configuration| {
            let program = self.program(tape, how);
            page.begins(self.case(&program, how, tape));
            self.differs(program, how).is_some()
        };
        let tape = shrink::tape(tape, budget, |tape| fails(tape, how));
        let (tape, how) = match how.is_off() {
            true => (tape, how.clone()),
            false => {
                let parameters = shrink::list(&how.parameters, budget, |parameters| {
                    fails(&tape, &with(parameters))
                });
                let how = with(&parameters);
                (shrink::tape(&tape, budget, |tape| fails(tape, &how)), how)
            }
        };
        let program = self.program(&tape, &how);
        match self.differs(program.clone(), &how) {
            Some(differs) => self.failure(&program, &how, &tape, &differs),
            None => {
                let mut failure = self.failure(&program, &how, &tape, &first);
                let once = "\nThis was the first time; it does not fail every time.";
                failure.story.push_str(once);
                failure
            }
        }
    }

    /// A failure in words.
    fn failure(
        &self,
        program: &Program,
        how: &Configuration,
        tape: &[u8],
        (expected, found): &(Outcome, Outcome),
    ) -> Failure {
        let language = self.language;
        let command = language.command("FILE", program, &how.variant, &how.jit());
        let right = match how.is_off() {
            true => "the original",
            false => "without the JIT",
        };
        let happened = format!("does\n{found}\nand {right}\n{expected}");
        Failure {
            case: self.case(program, how, tape),
            story: format!("{}\n`{command}` {happened}", program.text),
        }
    }

    fn case(&self, program: &Program, how: &Configuration, tape: &[u8]) -> Case {
        let args: Vec<String> = program.args.iter().map(i64::to_string).collect();
        let mut fields = vec![("jit", how.jit()), ("args", args.join(" "))];
        fields.extend((!how.variant.is_empty()).then(|| ("variant", how.variant.clone())));
        fields.extend(how.recorded.then(|| ("recorded", "yes".to_string())));
        fields.extend(how.bounded.then(|| ("bounded", "yes".to_string())));
        fields.extend((!tape.is_empty()).then(|| ("tape", hex(tape))));
        let owned = |(key, value): (&str, String)| (key.to_string(), value);
        Case {
            comment: self.language.comment().to_string(),
            campaign: self.name(),
            fields: fields.into_iter().map(owned).collect(),
            text: program.text.clone(),
        }
    }
}

impl Campaign for Differ {
    fn name(&self) -> String {
        format!("lang {}", self.language.name())
    }

    fn show(&self, tape: &[u8]) -> String {
        let (head, tape) = tape.split_at(tape.len().min(HEAD));
        let plain = Configuration::plain(self.language.variants());
        let program = self.program(tape, &plain);
        let mut text = self.case(&program, &plain, &[]).print();
        for how in configurations(head, self.language.variants()) {
            text += &format!("{} {how}\n", self.language.comment());
        }
        match self.reference(program) {
            Ok(right) => text + &right.outcome.to_string() + "\n",
            Err(error) => text + "refused: " + &error + "\n",
        }
    }

    fn check(&self, tape: &[u8], bench: &mut Bench<'_>) -> Option<Failure> {
        COUNTS.iter().for_each(|name| bench.tally.add(name, 0));
        let (head, tape) = tape.split_at(tape.len().min(HEAD));
        let plain = Configuration::plain(self.language.variants());
        let mut rights = [None, None, None];
        let drawn = configurations(head, self.language.variants());
        let lengthened = self.language.lengthened(&self.program(tape, &plain));
        let bounded = lengthened.map(|_| growth::configurations());
        let drawn = drawn.chain(bounded.into_iter().flatten());
        for (number, how) in drawn.enumerate() {
            let how = how.with(bench.always);
            let small = how.is_slow();
            let kind = if how.bounded { 2 } else { usize::from(small) };
            let right = &mut rights[kind];
            if right.is_none() {
                let program = self.program(tape, &how);
                bench.page.begins(self.case(&program, &plain, tape));
                let Ok(reference) = self.reference(program) else {
                    bench.tally.add("refused", 1);
                    return None;
                };
                if number == 0 {
                    note(&reference, self.language, &mut bench.tally);
                    if let Some(original) = self.against_original(&reference) {
                        let first = (original, reference.outcome);
                        return Some(self.smallest(tape, &plain, first, bench));
                    }
                }
                bench.tally.add("operations", reference.operations);
                *right = Some(reference);
            }
            let right = right.as_ref().expect("it has just been made");
            if small && right.operations > LONG {
                continue;
            }
            bench.page.begins(self.case(&right.program, &how, tape));
            match self.compare(right, &how, &mut bench.tally) {
                Verdict::Agrees => {}
                Verdict::UsedUp => bench.tally.add("runs not compared", 1),
                Verdict::Differs(found) => {
                    let first = (right.outcome.clone(), found);
                    return Some(self.smallest(tape, &how, first, bench));
                }
            }
        }
        None
    }

    fn replay(&self, case: &Case) -> Result<Option<Failure>, String> {
        let (program, how) = parts(case)?;
        let right = self.reference(program.clone())?;
        if let Some(original) = self.against_original(&right) {
            let plain = Configuration::plain(self.language.variants());
            let differs = (original, right.outcome);
            return Ok(Some(self.failure(&program, &plain, &[], &differs)));
        }
        match self.compare(&right, &how, &mut Tally::default()) {
            Verdict::Agrees | Verdict::UsedUp => Ok(None),
            Verdict::Differs(found) => {
                let differs = (right.outcome, found);
                Ok(Some(self.failure(&program, &how, &[], &differs)))
            }
        }
    }

    fn shrink_from_outside(
        &self,
        case: &Case,
        budget: &mut Budget,
        fails: &mut dyn FnMut(&Case) -> bool,
    ) -> Case {
        let (Ok((_, how)), Some(tape)) = (parts(case), case.field("tape").and_then(unhex)) else {
            return case.clone();
        };
        let make =
            |tape: &[u8], how: &Configuration| self.case(&self.program(tape, how), how, tape);
        if !fails(&make(&tape, &how)) {
            return case.clone();
        }
        let tape = shrink::tape(&tape, budget, |tape| fails(&make(tape, &how)));
        let with = |parameters: &[(String, String)]| Configuration {
            parameters: parameters.to_vec(),
            ..how.clone()
        };
        let parameters = shrink::list(&how.parameters, budget, |list| {
            fails(&make(&tape, &with(list)))
        });
        make(&tape, &with(&parameters))
    }

    fn enough(&self, tally: &Tally) -> Result<(), String> {
        let count = |name| tally.get(name);
        if count("programs") == 0 {
            return Err("no program was run".to_string());
        }
        if count("loops") == 0 {
            return Err("no loop was compiled".to_string());
        }
        if count("runs not compared") * 2 > count("runs") {
            return Err("most runs used up their heap and were not compared".to_string());
        }
        if count("refused") * 10 > count("programs") {
            return Err("too many programs are none".to_string());
        }
        Ok(())
    }
}

/// The configurations that the head of a tape stands for.
fn configurations<'a>(
    head: &[u8],
    variants: &'a [&'a str],
) -> impl Iterator<Item = Configuration> + 'a {
    let mut seed = [0; HEAD];
    seed[..head.len()].copy_from_slice(head);
    let mut random = fastrand::Rng::with_seed(u64::from_le_bytes(seed));
    (0..CONFIGURATIONS).map(move |_| {
        let mut bytes = [0; 96];
        random.fill(&mut bytes);
        Configuration::draw(&mut Tape::new(&bytes), variants)
    })
}

/// The program and the configuration of a case.
///
/// # Errors
/// If something is missing.
pub fn parts(case: &Case) -> Result<(Program, Configuration), String> {
    let jit = case.field("jit").ok_or("the case does not say `jit:`")?;
    let args = case.field("args").unwrap_or("").split_whitespace();
    let args: Result<Vec<i64>, _> = args.map(str::parse).collect();
    let program = Program {
        text: case.text.clone(),
        args: args.map_err(|error| format!("`args:` {error}"))?,
    };
    let variant = case.field("variant").unwrap_or("");
    let how = Configuration {
        recorded: case.field("recorded").is_some(),
        bounded: case.field("bounded").is_some(),
        ..Configuration::parse(variant, jit)
    };
    Ok((program, how))
}

/// The counters, in the order in which they are printed.
const COUNTS: &[&str] = &[
    "programs",
    "to their end",
    "into an error",
    "out of memory",
    "refused",
    "runs",
    "runs not compared",
    "operations",
    "operations outside of the interpreter",
    "recorded and replayed",
    "runs with a bound on code",
];

/// Counts a program.
fn note(right: &Reference, language: &dyn Language, tally: &mut Tally) {
    tally.add("programs", 1);
    let kind = match &right.outcome.error {
        None => "to their end",
        Some(_) if language.used_up(&right.outcome) => "out of memory",
        Some(_) => "into an error",
    };
    tally.add(kind, 1);
}

/// Counts what a VM did.
fn count(tally: &mut Tally, stats: &Stats) {
    for (name, count) in [
        ("traces", stats.traces),
        ("loops", stats.loops),
        ("bridges", stats.bridges),
        ("guard failures", stats.guard_failures.total),
        ("forced", stats.forced),
        ("invalidated", stats.invalidated),
        ("freed", stats.freed + stats.evicted),
        ("aborts", stats.aborts.values().sum()),
        ("collections", stats.heap.collections),
    ] {
        tally.add(name, count);
    }
}
