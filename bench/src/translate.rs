//! What translating an interpreter costs, which is part of every build of it. In: generated sources of growing length
//! ([`crate::generate`]). Out: seconds by phase, and how they grow when the source doubles. Invariant: the smallest of
//! several runs counts, in processor time, since other load only adds.

use crate::Settings;
use crate::clock::process_seconds;
use crate::generate::interpreter;
use crate::pace::paced;
use crate::record::Record;
use crate::text::{align, ratio, row, seconds};

/// Lines of the sources.
const LINES: [usize; 4] = [1_250, 2_500, 5_000, 10_000];

/// What `translate` takes.
#[derive(clap::Args)]
pub struct TranslateArgs {
    /// How often each source is translated.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

/// The phases, and their sum.
const PHASES: [&str; 4] = ["check", "graphs", "lowering", "total"];

/// Translates once; the seconds of each phase.
fn sample(text: &str) -> Result<[f64; 4], String> {
    let begin = process_seconds();
    let program = verdigris_front::check_source(&[("src/main.rs", text)]);
    let program = program.map_err(|d| d.to_string())?;
    let checked = process_seconds();
    let graphs = verdigris_graph::build(&program).map_err(|list| format!("{list:?}"))?;
    let built = process_seconds();
    let unit = verdigris_build::lower(&graphs);
    let lowered = process_seconds();
    match unit.codes.is_empty() {
        true => Err("nothing was translated".to_string()),
        false => Ok([
            checked - begin,
            built - checked,
            lowered - built,
            lowered - begin,
        ]),
    }
}

/// Measures and prints the costs.
///
/// # Errors
/// If the generated source is refused.
pub fn run(args: &TranslateArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let (lines, runs) = match settings.quick {
        true => (&LINES[..2], 1),
        false => (&LINES[..], args.runs),
    };
    let mut table = vec![row([
        "lines", "check", "graphs", "lowering", "total", "of half",
    ])];
    let mut records = Vec::new();
    let mut before = None;
    for &wanted in lines {
        let text = interpreter(wanted);
        let count = text.lines().count() as i64;
        let samples = (0..runs).map(|_| paced(|| sample(&text)));
        let samples = samples.collect::<Result<Vec<([f64; 4], f64)>, String>>()?;
        let (samples, pace): (Vec<[f64; 4]>, Vec<f64>) = samples.into_iter().unzip();
        let mut cells = vec![count.to_string()];
        for (phase, name) in PHASES.iter().enumerate() {
            let times: Vec<f64> = samples.iter().map(|s| s[phase]).collect();
            let record = Record::new("translate", "interpreter", count, name, &times);
            let record = record.with_pace(&pace);
            cells.push(seconds(record.min));
            records.push(record);
        }
        let total = records.last().map(|r| r.min);
        cells.push(ratio(total, before));
        before = total;
        table.push(cells);
    }
    println!("{}", align(&table));
    Ok(records)
}
