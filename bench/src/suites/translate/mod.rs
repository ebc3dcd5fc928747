//! The cost of translating an interpreter, which is part of every build of it. In: generated
//! sources of growing length, in many shapes ([`crate::suites::translate::shapes`]). Out: seconds
//! by phase, how they grow when the source doubles, and lines in a second. Invariant: the smallest
//! of several runs counts, in processor time, since other load only adds.

mod interpreter;
mod shapes;

use crate::measure::clock::process_seconds;
use crate::measure::pace::paced;
use crate::measure::record::Record;
use crate::measure::text::{align, ratio, row, seconds};
use crate::settings::Settings;
use crate::suites::translate::shapes::{SHAPES, Shape};

/// The arguments of `translate`.
#[derive(clap::Args)]
pub struct TranslateArgs {
    /// How often each source is translated.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only the shapes whose names contain this.
    #[arg(long, default_value = "")]
    shape: String,
}

/// The phases, and their sum.
const PHASES: [&str; 5] = ["check", "graphs", "colours", "lowering", "total"];

/// Translates once; the seconds of each phase.
fn sample(text: &str) -> Result<[f64; 5], String> {
    let begin = process_seconds();
    let program = verdigris_front::check_source(&[("src/main.rs", text)]);
    let program = program.map_err(|d| d.to_string())?;
    let checked = process_seconds();
    let graphs = verdigris_graph::build_annotated(&program).map_err(|list| format!("{list:?}"))?;
    let built = process_seconds();
    let analysis = verdigris_colours::analyse(verdigris_colours::ColourInput {
        source: &program,
        descrs: &graphs.program.descrs,
        graphs: &graphs.annotated,
    });
    let findings = verdigris_colours::findings(&analysis);
    if let Some(error) = findings.iter().find(|d| !d.code.is_warning()) {
        return Err(format!("{error:?}"));
    }
    let coloured = process_seconds();
    let unit = verdigris_build::lower(&graphs.program);
    verdigris_jitcode::verify(&unit).map_err(|e| e.to_string())?;
    let lowered = process_seconds();
    match unit.codes.is_empty() {
        true => Err("nothing was translated".to_string()),
        false => Ok([
            checked - begin,
            built - checked,
            coloured - built,
            lowered - coloured,
            lowered - begin,
        ]),
    }
}

/// Measures and prints the costs.
///
/// # Errors
/// If a generated source is refused.
pub fn run(args: &TranslateArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut table = vec![row([
        "shape", "size", "lines", "check", "graphs", "colours", "lowering", "total", "of half",
        "lines/s",
    ])];
    let mut records = Vec::new();
    for shape in SHAPES.iter().filter(|s| s.name.contains(&args.shape)) {
        measure(shape, args, settings, &mut table, &mut records)?;
    }
    println!("{}", align(&table));
    Ok(records)
}

/// Measures the sizes of one shape.
fn measure(
    shape: &Shape,
    args: &TranslateArgs,
    settings: &Settings,
    table: &mut Vec<Vec<String>>,
    records: &mut Vec<Record>,
) -> Result<(), String> {
    let (sizes, runs) = match settings.quick {
        true => (vec![shape.least / 2, shape.least], 1),
        false => {
            let doublings = (0..shape.sizes).map(|n| shape.least << n);
            (doublings.collect(), args.runs)
        }
    };
    let mut before = None;
    for size in sizes {
        let text = (shape.text)(size);
        let lines = text.lines().count();
        let samples = (0..runs).map(|_| paced(|| sample(&text)));
        let samples = samples.collect::<Result<Vec<([f64; 5], f64)>, String>>();
        let samples = samples.map_err(|e| format!("{} of size {size}: {e}", shape.name))?;
        let (samples, pace): (Vec<[f64; 5]>, Vec<f64>) = samples.into_iter().unzip();
        let mut cells = vec![shape.name.to_string(), size.to_string(), lines.to_string()];
        for (phase, name) in PHASES.iter().enumerate() {
            let times: Vec<f64> = samples.iter().map(|s| s[phase]).collect();
            let record = Record::new("translate", shape.name, lines as i64, name, &times);
            let record = record.with_pace(&pace);
            cells.push(seconds(record.min));
            records.push(record);
        }
        let total = records.last().map(|r| r.min);
        cells.push(ratio(total, before));
        cells.push(total.map_or(String::new(), |t| format!("{:.0}", lines as f64 / t)));
        before = total;
        table.push(cells);
    }
    Ok(())
}
