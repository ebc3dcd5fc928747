//! The operations that the optimiser removes. In: every program in the repository. Out: for each
//! the loops compiled, and the operations of their traces by kind before and after optimisation
//! with the percentage removed; and their sum. This is figure 7 of "Allocation Removal by Partial
//! Evaluation in a Tracing JIT" (2011), section 6. Invariant: only compiled traces count, and of
//! those only operations that do something at run time.

use crate::guests::registry;
use crate::measure::record::Record;
use crate::measure::text::{align, row};
use crate::settings::Settings;
use verdigris::{OpCounts, Stats};

/// The arguments of `removed`.
#[derive(clap::Args)]
pub struct RemovedArgs {
    /// Parameters of the JIT. By default the tracer records everything that the interpreter does,
    /// as in the paper.
    #[arg(long, default_value = "enable_opts=all-heap_cache")]
    jit: String,
}

/// Picks the operations of one kind.
type Kind = fn(&OpCounts) -> u64;

/// The columns, of which each has the counts before and after.
const KINDS: [(&str, Kind); 6] = [
    ("new", |counts| counts.new),
    ("get/set", |counts| counts.getset),
    ("guard", |counts| counts.guards),
    ("call", |counts| counts.calls),
    ("pure", |counts| counts.pure),
    ("all ops", OpCounts::total),
];

/// The counts of a program, or of all.
#[derive(Clone, Copy, Default)]
struct Counts {
    loops: u64,
    entries: u64,
    bridges: u64,
    before: OpCounts,
    after: OpCounts,
}

/// Runs the programs and prints the table.
///
/// # Errors
/// If a program cannot be read.
pub fn run(args: &RemovedArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut programs = registry::all()?;
    if settings.quick {
        // One program in four still has loops, bridges, and programs that compile nothing.
        let mut index = 0;
        programs.retain(|_| {
            index += 1;
            index % 4 == 1
        });
    }
    let mut rows = vec![header()];
    let (mut total, mut records, mut nothing) = (Counts::default(), Vec::new(), Vec::new());
    for program in &programs {
        let counts = Counts::of(&program.stats(&args.jit)?);
        if counts.before.total() == 0 {
            nothing.push(program.name.as_str());
        }
        rows.push(counts.row(&program.name));
        records.extend(counts.records(&program.name, 1));
        total.add(counts);
    }
    rows.push(total.row("total"));
    records.extend(total.records("total", KINDS.len()));
    print!(
        "{}\nafter: of all sections; a peeled loop has two, its first iteration and its body\n",
        align(&rows)
    );
    if !nothing.is_empty() {
        println!(
            "\nno loop gets hot, so nothing is compiled: {}",
            nothing.join(", ")
        );
    }
    Ok(records)
}

fn header() -> Vec<String> {
    let mut cells = row(["program", "loops", "entries", "bridges"]);
    for (kind, _) in KINDS {
        cells.extend(row([kind, "after", "removed"]));
    }
    cells
}

impl Counts {
    fn of(stats: &Stats) -> Counts {
        Counts {
            loops: stats.loops,
            entries: stats.traces - stats.loops,
            bridges: stats.bridges,
            before: stats.recorded,
            after: stats.optimised,
        }
    }

    fn add(&mut self, other: Counts) {
        self.loops += other.loops;
        self.entries += other.entries;
        self.bridges += other.bridges;
        self.before.add(other.before);
        self.after.add(other.after);
    }

    fn row(&self, name: &str) -> Vec<String> {
        let mut cells = vec![name.to_string()];
        cells.extend([self.loops, self.entries, self.bridges].map(|count| count.to_string()));
        for (_, of) in KINDS {
            let (before, after) = (of(&self.before), of(&self.after));
            cells.extend([before.to_string(), after.to_string()]);
            cells.push(percent(before, after));
        }
        cells
    }

    /// A record before and one after for each of the last `kinds`: they have counts, and no
    /// seconds.
    fn records(&self, name: &str, kinds: usize) -> Vec<Record> {
        let record = |(kind, of): (&str, Kind)| {
            let side = |counts, when| {
                Record::counted("removed", name, 0, &format!("{kind} {when}"), of(counts))
            };
            [side(&self.before, "before"), side(&self.after, "after")]
        };
        KINDS[KINDS.len() - kinds..]
            .iter()
            .copied()
            .flat_map(record)
            .collect()
    }
}

/// How much less there is after than before.
fn percent(before: u64, after: u64) -> String {
    match before {
        0 => "-".to_string(),
        _ => format!(
            "{:.0}%",
            100.0 * (before as f64 - after as f64) / before as f64
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn what_is_removed() {
        assert_eq!(percent(0, 0), "-");
        assert_eq!(percent(200, 50), "75%");
        assert_eq!(percent(10, 11), "-10%");
    }
}
