//! The overview. In: the records. Out: a table of ratios of compiled code to the interpreter and to
//! the other systems, and a chart of their means. Invariant: a ratio is of two medians of the same
//! suite, benchmark and n; that of jit-warm where there is one, else of jit-cold.

use crate::measure::record::Record;
use crate::measure::statistics::geometric_mean;
use crate::report::page::axis::Scale;
use crate::report::page::chart::{Bar, Charts, Group, Heading};
use crate::report::page::html::{paragraph, table, times};
use crate::report::page::sections::full_name;

/// The suites whose benchmarks are run by others as well.
const SUITES: [&str; 7] = [
    "tables", "tla", "methods", "stackvm", "library", "lua", "python",
];

/// The systems that compiled code is compared with.
const OTHERS: [&str; 10] = [
    "interp", "rust", "c", "csharp", "java", "luajit", "pypy", "node", "lua", "cpython",
];

/// A benchmark: its name, and the ratio of each of [`OTHERS`].
struct Row {
    name: String,
    ours: &'static str,
    ratios: [Option<f64>; OTHERS.len()],
}

/// The section.
pub fn overview(charts: &mut Charts, records: &[Record]) -> String {
    let rows = rows(records);
    if rows.is_empty() {
        return String::new();
    }
    let mut section = String::from("<section id=\"overview\"><h2>In short</h2>\n");
    section += &paragraph(
        "How long each system takes compared with code that Verdigris compiled from an interpreter: 2× means that it takes twice as long, \
         0.5× half as long. Each is the same program with the same result; the interpreter is the one that the JIT is made of.",
    );
    section += &chart(charts, &rows);
    section += &table("Time relative to Verdigris", &cells(&rows));
    section + "</section>\n"
}

/// For each benchmark the largest n that both Verdigris and another system have run.
fn rows(records: &[Record]) -> Vec<Row> {
    let mut rows: Vec<(Row, i64)> = Vec::new();
    for suite in SUITES {
        for record in records.iter().filter(|record| record.suite == suite) {
            // The first two object models are there to be compared with the third.
            if record.benchmark.ends_with(" dict") || record.benchmark.ends_with(" maps") {
                continue;
            }
            let row = row(records, record);
            if row.ratios.iter().skip(1).all(Option::is_none) {
                continue;
            }
            match rows.iter_mut().find(|(known, _)| known.name == row.name) {
                Some(known) if record.n > known.1 => *known = (row, record.n),
                Some(_) => {}
                None => rows.push((row, record.n)),
            }
        }
    }
    rows.into_iter().map(|(row, _)| row).collect()
}

fn row(records: &[Record], this: &Record) -> Row {
    let same = |other: &&Record| {
        let [a, b] = [this, other].map(|r| (&r.suite, &r.benchmark, r.n));
        a == b && other.is_timed()
    };
    let time = |system: &str| {
        let record = records.iter().filter(same).find(|r| r.system == system);
        record.map(|record| record.seconds)
    };
    let ours = match time("jit-warm") {
        Some(_) => "jit-warm",
        None => "jit-cold",
    };
    // Interpreters do not run the largest n of all programs; their speed does not depend on n.
    let scaled = |system: &str| {
        let smaller = records.iter().filter(|r| {
            (&r.suite, &r.benchmark) == (&this.suite, &this.benchmark)
                && r.system == system
                && r.n > 0
        });
        let largest = smaller.max_by_key(|r| r.n)?;
        Some(largest.seconds / largest.n as f64 * this.n as f64)
    };
    let ratio = |other: &str| {
        let ratio = time(other).or_else(|| scaled(other))? / time(ours)?;
        (ratio.is_finite() && ratio > 0.0).then_some(ratio)
    };
    let ratios = OTHERS.map(ratio);
    Row {
        name: format!("{}: {}", this.suite, this.benchmark),
        ours,
        ratios,
    }
}

fn cells(rows: &[Row]) -> Vec<Vec<String>> {
    let used: Vec<usize> = (0..OTHERS.len())
        .filter(|&i| rows.iter().any(|row| row.ratios[i].is_some()))
        .collect();
    let mut header = vec!["benchmark".to_string(), "of".to_string()];
    header.extend(used.iter().map(|&i| full_name(OTHERS[i]).to_string()));
    let line = |row: &Row| {
        let ratio = |&i: &usize| row.ratios[i].map_or("–".to_string(), times);
        let mut cells = vec![row.name.clone(), row.ours.to_string()];
        cells.extend(used.iter().map(ratio));
        cells
    };
    let lines: Vec<Vec<String>> = rows.iter().map(line).collect();
    [vec![header], lines].concat()
}

/// The geometric mean for each of the others, with the least and the greatest ratio.
fn chart(charts: &mut Charts, rows: &[Row]) -> String {
    let bar = |(i, other): (usize, &&str)| {
        let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratios[i]).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        Some(Bar {
            name: other.to_string(),
            label: format!("{} ({})", full_name(other), ratios.len()),
            value: geometric_mean(&ratios)?,
            spread: Some((least, most)),
        })
    };
    let bars = OTHERS.iter().enumerate().filter_map(bar).collect();
    let heading = Heading {
        title: "Time relative to compiled code, geometric means".to_string(),
        description: "A bar for each other system: the mean of its time divided by that of code compiled by Verdigris over the benchmarks that \
            it runs, whose number stands behind its name; the whiskers go from the least to the greatest ratio."
            .to_string(),
        axis: "times as long as Verdigris; logarithmic",
    };
    let groups = [Group {
        label: "all benchmarks".to_string(),
        bars,
    }];
    charts.bars(&heading, times, Scale::Logarithmic, &groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(n: i64, system: &str, seconds: f64) -> Record {
        Record::new("tables", "factorial", n, system, &[seconds])
    }

    #[test]
    fn ratios_are_of_the_largest_n() {
        let records = [
            record(10, "interp", 5.0),
            record(10, "jit-warm", 1.0),
            record(10, "c", 1.0),
            record(100, "jit-cold", 3.0),
            record(100, "jit-warm", 2.0),
            record(100, "c", 1.0),
        ];
        let cells = cells(&rows(&records));
        assert_eq!(cells[0], ["benchmark", "of", "interpreter", "C"]);
        assert_eq!(
            cells[1],
            ["tables: factorial", "jit-warm", "25.0×", "0.500×"]
        );
    }

    #[test]
    fn what_nobody_else_runs_is_left_out() {
        let records = [record(10, "interp", 5.0), record(10, "jit-cold", 1.0)];
        assert!(rows(&records).is_empty());
        assert_eq!(overview(&mut Charts::default(), &records), "");
    }
}
