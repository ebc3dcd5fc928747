//! Batches of random functions: what rustc's code gives for them, and what jitcode gives. In: a
//! tape, which is the seed of a batch and of the configurations that it runs under. Out: a failure,
//! if the translator fails, if rustc refuses a function, if one gives something else with the JIT,
//! or if a call in it means something else to the translator. Invariant: one batch is built at a
//! time, for all are the package `random-functions`.
//!
//! A function that fails is made smaller by trying many smaller tapes in one batch.

use crate::campaign::{Bench, Campaign, Failure};
use crate::configuration::Configuration;
use crate::front::callees;
use crate::kept::{self, Case};
use crate::panics;
use crate::shrink::{Budget, Shrinking};
use crate::tally::Tally;
use fuzz_tape::Tape;
use generate_functions::BETWEEN;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};
use verdigris_build::translate_to_unit_configured;
use verdigris_front::DiagCode;

/// The campaign.
pub struct Functions;

/// Functions in a batch.
const BATCH: u64 = 60;

/// Configurations that a batch runs under.
const CONFIGURATIONS: usize = 4;

/// How often a failing function is made smaller.
const ROUNDS: usize = 12;

/// The profile that compiles batches.
const PROFILE: &str = "release";

/// Seconds after which a function hangs; most take milliseconds.
const PATIENCE: &str = "20";

/// Exclusive use of the package, by one process at a time.
static BUILDING: Mutex<()> = Mutex::new(());

/// The translator's result for one function.
fn refusal(function: &str) -> Result<Option<String>, String> {
    let text = generate_functions::interpreter(&[function.to_string()])?;
    let conditions = generate_functions::conditions();
    let translate = || translate_to_unit_configured(&[("functions.rs", &text)], &conditions);
    let answer = panics::catch(translate);
    match answer.map_err(|panic| format!("the translator panics: {panic}"))? {
        Ok(_) => Ok(None),
        Err(diagnostics)
            if diagnostics
                .list
                .iter()
                .any(|d| d.code == DiagCode::Internal) =>
        {
            Err(format!(
                "the translator complains about itself: {diagnostics}"
            ))
        }
        Err(diagnostics) => Ok(Some(diagnostics.to_string())),
    }
}

/// The outcome of a batch.
struct Ran {
    /// Counts by name.
    counts: Vec<(String, u64)>,
    /// The functions that failed, and how.
    failed: BTreeMap<usize, String>,
}

/// Builds a batch, and runs it under these configurations.
///
/// # Errors
/// If it cannot be built, which is a bug of the generator.
fn run(functions: &[String], jit: &[String]) -> Result<Ran, String> {
    let _alone = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let file = batch_file();
    let written = std::fs::create_dir_all(kept::failures())
        .and_then(|()| std::fs::write(&file, functions.join(BETWEEN)));
    written.map_err(|error| format!("{}: {error}", file.display()))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args([
            "run",
            "--profile",
            PROFILE,
            "--quiet",
            "-p",
            "random-functions",
        ])
        .args(["--", "--brief", "--progress", "--patience", PATIENCE])
        .current_dir(workspace())
        .env("VERDIGRIS_FUNCTIONS_FILE", &file);
    for jit in jit {
        command.args(["--jit", jit]);
    }
    let output = command.output();
    let output = output.map_err(|error| format!("cargo cannot be started: {error}"))?;
    let compared = read(&output).and_then(|ran| compared(ran, functions, &file));
    let _ = std::fs::remove_file(&file);
    compared
}

/// The same, with what rustc's callees say about the functions of the file.
fn compared(mut ran: Ran, functions: &[String], file: &Path) -> Result<Ran, String> {
    let report = callees::compare(functions, file, &workspace(), PROFILE)?;
    let compared = [
        ("functions compared with rustc", report.functions),
        ("callees", report.callees),
    ];
    let counts = compared.map(|(name, count)| (name.to_string(), count as u64));
    ran.counts.extend(counts);
    ran.failed.extend(callees::mistaken(&report));
    Ok(ran)
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn batch_file() -> PathBuf {
    kept::failures().join(format!("batch-{}.txt", std::process::id()))
}

/// The output of the process.
fn read(output: &Output) -> Result<Ran, String> {
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    let mut ran = Ran {
        counts: Vec::new(),
        failed: BTreeMap::new(),
    };
    for line in said.lines() {
        if let Some(case) = line.strip_prefix("difference in f").and_then(number) {
            ran.failed.insert(case, line.to_string());
        } else if let Some((_, counts)) = line.split_once(" functions, ") {
            let words = counts.split(", ").filter_map(|part| part.split_once(' '));
            let counts = words.filter_map(|(n, name)| Some((name.to_string(), n.parse().ok()?)));
            ran.counts.extend(counts);
        }
    }
    let last = complained
        .lines()
        .rfind(|line| line.starts_with("running f"));
    match (output.status.success(), ran.failed.is_empty(), last) {
        (true, _, _) | (_, false, _) => Ok(ran),
        (_, _, Some(line)) => {
            let case = number(&line["running f".len()..]).unwrap_or(0);
            ran.failed.insert(
                case,
                format!("the process ends with {} {line}", output.status),
            );
            Ok(ran)
        }
        (_, _, None) => Err(complained.into_owned()),
    }
}

/// The number that a text begins with.
fn number(text: &str) -> Option<usize> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The seed of a batch, and the configurations.
fn drawn(tape: &[u8]) -> (u64, Vec<String>) {
    let mut tape = Tape::new(tape);
    let seed = tape.within(0, u64::MAX);
    let mut random = fastrand::Rng::with_seed(seed);
    let jit = (0..CONFIGURATIONS).map(|_| {
        let mut bytes = [0; 96];
        random.fill(&mut bytes);
        Configuration::draw(&mut Tape::new(&bytes), &[""]).jit()
    });
    (seed, jit.collect())
}

/// The smallest tape found whose function fails; it is tried with many others at once.
fn smaller(tape: &[u8], jit: &[String], most: Shrinking) -> Vec<u8> {
    let mut smallest = tape.to_vec();
    let mut budget = Budget::new(ROUNDS, most);
    while budget.spend() {
        let tapes = candidates(&smallest);
        let functions: Vec<String> = (tapes.iter())
            .map(|tape| generate_functions::function(tape).text)
            .collect();
        let Ok(ran) = run(&functions, jit) else { break };
        let best = ran
            .failed
            .keys()
            .min_by_key(|&&n| (functions[n].len(), tapes[n].len()));
        match best {
            Some(&n) => smallest.clone_from(&tapes[n]),
            None => break,
        }
    }
    smallest
}

/// Tapes that are smaller than this one, and whose functions are: with chunks left out, or made
/// zero.
fn candidates(tape: &[u8]) -> Vec<Vec<u8>> {
    let now = generate_functions::function(tape).text;
    let (mut tapes, mut texts): (Vec<Vec<u8>>, Vec<String>) = (Vec::new(), vec![now.clone()]);
    let mut add = |tape: Vec<u8>| {
        let text = generate_functions::function(&tape).text;
        let fits = text.len() < now.len() && !texts.contains(&text);
        if fits && tapes.len() < BATCH as usize && matches!(refusal(&text), Ok(None)) {
            texts.push(text);
            tapes.push(tape);
        }
    };
    for parts in [2, 4, 8, 16, 32, 64, 128, 256] {
        let size = tape.len() / parts;
        if size == 0 {
            break;
        }
        add(tape[..tape.len() - size].to_vec());
        // From another place each time, for the batch is full soon.
        for part in 0..parts {
            let part = (part * 7 + tape.len()) % parts;
            let chunk = part * size..(part + 1) * size;
            let mut zero = tape.to_vec();
            zero[chunk.clone()].fill(0);
            add(zero);
            let mut shorter = tape.to_vec();
            shorter.drain(chunk);
            add(shorter);
        }
    }
    tapes
}

fn case(text: &str, jit: &[String]) -> Case {
    Case {
        comment: "//".to_string(),
        campaign: Functions.name(),
        fields: jit
            .iter()
            .map(|jit| ("jit".to_string(), jit.clone()))
            .collect(),
        text: text.to_string(),
    }
}

/// A failure of a function.
fn failure(text: &str, jit: &[String], story: &str) -> Failure {
    Failure {
        case: case(text, jit),
        story: format!("{text}\n{story}"),
    }
}

impl Campaign for Functions {
    fn name(&self) -> String {
        "front functions".to_string()
    }

    fn show(&self, tape: &[u8]) -> String {
        let (seed, jit) = drawn(tape);
        let tapes = generate_functions::tapes(seed, BATCH);
        let functions: Vec<String> = tapes
            .iter()
            .map(|tape| generate_functions::show(tape))
            .collect();
        format!("{}\n// {}\n", functions.join(BETWEEN), jit.join("\n// "))
    }

    fn check(&self, tape: &[u8], bench: &mut Bench<'_>) -> Option<Failure> {
        let (seed, jit) = drawn(tape);
        let mut tapes = generate_functions::tapes(seed, BATCH);
        let mut functions = Vec::new();
        for tape in &tapes {
            let text = generate_functions::function(tape).text;
            match refusal(&text) {
                Ok(None) => functions.push(text),
                Ok(Some(_)) => {
                    bench.tally.add("refused", 1);
                    functions.push(String::new());
                }
                Err(story) => return Some(failure(&generate_functions::show(tape), &jit, &story)),
            }
        }
        let mut taken = functions.iter().map(|text| !text.is_empty());
        tapes.retain(|_| taken.next() == Some(true));
        functions.retain(|text| !text.is_empty());
        bench.tally.add("batches", 1);
        bench.tally.add("functions", functions.len() as u64);
        jit.iter()
            .for_each(|jit| bench.tally.configuration(jit.clone()));
        let ran = match run(&functions, &jit) {
            Ok(ran) => ran,
            Err(story) => {
                let story = format!("the batch cannot be built, a bug of the generator: {story}");
                return Some(failure(&functions.join(BETWEEN), &jit, &story));
            }
        };
        for (name, count) in &ran.counts {
            if let Some(name) = COUNTS.iter().find(|known| *known == name) {
                bench.tally.add(name, *count);
            }
        }
        let (first, story) = ran.failed.first_key_value()?;
        let tape = smaller(&tapes[*first], &jit, bench.shrinking);
        Some(failure(&generate_functions::show(&tape), &jit, story))
    }

    /// All processors compile one batch.
    fn threads(&self, _: usize) -> usize {
        1
    }

    fn replay(&self, case: &Case) -> Result<Option<Failure>, String> {
        let jit = case.fields.iter().filter(|(key, _)| key == "jit");
        let jit: Vec<String> = jit.map(|(_, value)| value.clone()).collect();
        let functions: Vec<String> = case.text.split(BETWEEN).map(str::to_string).collect();
        for text in &functions {
            match refusal(text) {
                Ok(None) => {}
                Ok(Some(story)) | Err(story) => return Ok(Some(failure(text, &jit, &story))),
            }
        }
        let ran = run(&functions, &jit)?;
        let first = ran.failed.first_key_value();
        Ok(first.map(|(n, story)| failure(&functions[*n], &jit, story)))
    }

    fn enough(&self, tally: &Tally) -> Result<(), String> {
        if tally.get("loops") == 0 {
            return Err("no loop was compiled".to_string());
        }
        if tally.get("refused") * 20 > tally.get("functions") {
            return Err("too many functions are refused".to_string());
        }
        Ok(())
    }
}

/// The counts of a batch that are added up.
const COUNTS: &[&str] = &[
    "runs",
    "panics",
    "loops",
    "bridges",
    "guard failures",
    "not compiled",
    "functions compared with rustc",
    "callees",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_tapes_make_smaller_functions() {
        let tape = &generate_functions::tapes(5, 1)[0];
        let text = generate_functions::function(tape).text;
        let found = candidates(tape);
        assert!(found.len() > 20, "{}", found.len());
        for tape in found {
            assert!(generate_functions::function(&tape).text.len() < text.len());
        }
    }

    #[test]
    fn what_a_batch_says_is_read() {
        let output = |code: &str, out: &str, err: &str| {
            let script = format!("printf '%s' \"$0\"; printf '%s' \"$1\" >&2; {code}");
            let mut shell = Command::new("sh");
            shell
                .args(["-c", &script, out, err])
                .output()
                .expect("a shell")
        };
        let ran = read(&output(
            "exit 0",
            "60 functions, 7 runs, 2 loops, 0 differences\n",
            "",
        ));
        let counts = ran.expect("it was built").counts;
        assert_eq!(
            counts[..2],
            [("runs".to_string(), 7), ("loops".to_string(), 2)]
        );
        let ran = read(&output(
            "exit 1",
            "difference in f12(1, 2) under `x`: 3, not 4\n",
            "",
        ));
        assert_eq!(ran.expect("it was built").failed.keys().next(), Some(&12));
        let ran = read(&output(
            "kill -9 $$",
            "",
            "running f3 under `x`\nrunning f4 under `x`\n",
        ));
        assert_eq!(ran.expect("it was built").failed.keys().next(), Some(&4));
        assert!(read(&output("exit 101", "", "error[E0308]: mismatched types\n")).is_err());
    }
}
