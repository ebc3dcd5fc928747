//! The compilers that are compared. The names of the systems in the records, with
//! the parameters of the JIT. Invariant: the first is the interpreter alone, which the others are
//! measured by.

use crate::measure::record::Record;
use crate::measure::statistics::geometric_mean;

/// A system, and the parameters of the JIT that make it.
pub const COMPILERS: [(&str, &str); 4] = [
    ("interp", "off"),
    ("tracing", "compiler=tracing"),
    ("specialising", "compiler=specialising"),
    ("both", "compiler=both"),
];

/// The name of the first run in a VM of each of [`COMPILERS`], where it is not the only one.
pub const COLD: [&str; 4] = ["interp", "tracing-cold", "specialising-cold", "both-cold"];

/// Parameters with those that a user gives behind them.
pub fn with(params: &str, given: &str) -> String {
    match given {
        "" => params.to_string(),
        given => format!("{params},{given}"),
    }
}

/// The median seconds of a system among the records of one benchmark.
pub fn time(records: &[Record], system: &str) -> Option<f64> {
    let this = records.iter().find(|record| record.system == system);
    this.map(|record| record.seconds)
}

/// The geometric mean of how many times as long the system `above` takes as `below`, over the
/// benchmarks whose names `wanted` accepts.
pub fn mean(
    records: &[Record],
    [above, below]: [&str; 2],
    wanted: impl Fn(&str) -> bool,
) -> Option<f64> {
    let groups = records.chunk_by(|a, b| a.benchmark == b.benchmark);
    let groups = groups.filter(|group| wanted(&group[0].benchmark));
    let ratios = groups.filter_map(|group| Some(time(group, above)? / time(group, below)?));
    geometric_mean(&ratios.collect::<Vec<f64>>())
}
