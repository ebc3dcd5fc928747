//! `cargo bench`: how much faster the programs run with the JIT than interpreted. In: the folder
//! `programs`. Out: a line for each, with the time of a run that begins with nothing compiled, so
//! that compilation counts. Invariant: both runs print the same.

use std::time::{Duration, Instant};
use verdigris::Options;

/// The least time of some runs, and what they print.
fn measure(text: &str, jit: &str) -> (Duration, String) {
    let mut least = Duration::MAX;
    let mut output = String::new();
    for _ in 0..3 {
        let options = Options::parse(jit).expect("these are parameters");
        let start = Instant::now();
        let run = mylang::run("", text, options, true);
        least = least.min(start.elapsed());
        assert_eq!(run.error, None);
        output = run.output;
    }
    (least, output)
}

fn main() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/programs");
    let entries = std::fs::read_dir(folder).expect("there is a folder of programs");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    println!(
        "{:20} {:>12} {:>12} {:>8}",
        "", "interpreted", "JIT", "ratio"
    );
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a text");
        let (interpreted, expected) = measure(&text, "off");
        let (compiled, output) = measure(&text, "");
        assert_eq!(output, expected, "{}", path.display());
        let (interpreted, compiled) = (interpreted.as_secs_f64(), compiled.as_secs_f64());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let ratio = interpreted / compiled;
        println!("{name:20} {interpreted:10.4} s {compiled:10.4} s {ratio:8.1}");
    }
}
