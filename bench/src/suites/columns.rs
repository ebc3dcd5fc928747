//! The table of programs that other systems run as well. In: the records of a suite, and what the
//! JIT made of each program. Out: a line for each program, with seconds, ratios, and what the JIT
//! made; then means. Invariant: a ratio is of the least of interleaved runs, and a mean of the
//! programs that have both of its systems.

use crate::guests::made::{COUNTS, Made};
use crate::measure::interleave::least;
use crate::measure::record::Record;
use crate::measure::statistics::geometric_mean;
use crate::measure::text::{align, ratio, row, seconds};

/// What the table has beside the names and sizes of programs.
pub struct Columns {
    /// The columns of seconds: their headings, and the systems.
    pub times: &'static [(&'static str, &'static str)],
    /// The ratios: their headings, and the two systems.
    pub ratios: &'static [(&'static str, &'static str, &'static str)],
    /// The group of a program by its name.
    pub group: fn(&str) -> &str,
}

/// The message about a name that is no program's.
pub fn no_program(unknown: &str, names: &[&str]) -> String {
    let names = names.join(", ");
    format!("there is no program `{unknown}`: there are {names}")
}

impl Columns {
    /// Prints the table of what was timed in so many processes. Returns the records, with those of
    /// the code that the JIT made of each program.
    pub fn print(
        &self,
        timed: &[Record],
        runs: u32,
        made: impl Fn(&str) -> Option<Made>,
    ) -> Vec<Record> {
        let mut records = Vec::new();
        for of_program in timed.chunk_by(|a, b| a.benchmark == b.benchmark) {
            records.extend_from_slice(of_program);
            if let Some(made) = made(&of_program[0].benchmark) {
                records.extend(made.counted(&of_program[0]));
            }
        }
        print!("{}", self.table(&records));
        println!(
            "the first iteration in a process, and the median of later ones; the least of {runs} processes"
        );
        records
    }

    /// A line for each program, then the means and the worst of each ratio: of every group if there
    /// are several, and of all.
    pub fn table(&self, records: &[Record]) -> String {
        let mut heading = row(["program", "n"]);
        heading.extend(self.times.iter().map(|(name, _)| name.to_string()));
        heading.extend(self.ratios.iter().map(|(name, ..)| name.to_string()));
        heading.extend(["loops", "bridges", "code KB"].map(str::to_string));
        let mut rows = vec![heading];
        let programs: Vec<&[Record]> = records
            .chunk_by(|a, b| a.benchmark == b.benchmark)
            .collect();
        for of_program in &programs {
            rows.push(self.cells(of_program));
        }
        let group = |of: &[Record]| (self.group)(&of[0].benchmark).to_string();
        let groups: Vec<_> = programs.chunk_by(|a, b| group(a) == group(b)).collect();
        if groups.len() > 1 {
            for of_group in &groups {
                rows.extend(self.summary(&format!(", {}", group(of_group[0])), of_group));
            }
        }
        rows.extend(self.summary("", &programs));
        align(&rows)
    }

    /// The means and the worst of each ratio of these programs; the name of their group is behind
    /// what the lines are called.
    fn summary(&self, group: &str, programs: &[&[Record]]) -> [Vec<String>; 2] {
        let line = |name: &str, choose: fn(&[f64]) -> Option<f64>| {
            let mut cells = vec![format!("{name}{group}")];
            cells.resize(2 + self.times.len(), String::new());
            cells.extend(self.ratios.iter().map(|(_, above, below)| {
                let quotient = |of: &&[Record]| Some(least(of, above)? / least(of, below)?);
                let ratios: Vec<f64> = programs.iter().filter_map(quotient).collect();
                choose(&ratios).map_or("-".to_string(), |ratio| format!("{ratio:.2}"))
            }));
            cells
        };
        [
            line("geometric mean", geometric_mean),
            line("worst", |ratios| ratios.iter().copied().reduce(f64::max)),
        ]
    }

    fn cells(&self, records: &[Record]) -> Vec<String> {
        let time = |system: &str| least(records, system);
        let count = |system: &str| {
            let this = records.iter().find(|record| record.system == system);
            this.and_then(|record| record.count)
        };
        let mut cells = vec![records[0].benchmark.clone(), records[0].n.to_string()];
        let shown = |system: &str| time(system).map_or("-".to_string(), seconds);
        cells.extend(self.times.iter().map(|(_, system)| shown(system)));
        let ratios = self.ratios.iter();
        cells.extend(ratios.map(|(_, above, below)| ratio(time(above), time(below))));
        cells.extend(COUNTS.map(|system| match count(system) {
            Some(bytes) if system == "code bytes" => format!("{:.0}", bytes as f64 / 1e3),
            Some(count) => count.to_string(),
            None => "-".to_string(),
        }));
        cells
    }
}
