//! Slowdowns. In: two files of [`crate::measure::document`]. Out: a table of the records
//! whose times differ beyond noise, and which there are in one file only. Invariant: the command
//! fails if and only if something of ours got slower beyond noise.
//!
//! A difference is beyond noise if two things hold: the medians differ by more than `--threshold`,
//! and the runs of the one file rank so much above those of the other that this would happen by
//! chance with at most `--significance` ([`crate::measure::statistics::chance_of_slower`]). The
//! ranks alone would report the smallest systematic difference, such as where the linker put a
//! loop; the medians alone would report a machine that was busy for a while. Ranks cannot say
//! anything of fewer than five runs each at 1 %, so the suites have five; files made with `--quick`
//! have one, and nothing of them is beyond noise.
//!
//! What is compared is not seconds, but how much longer a run took than the fixed work around it
//! ([`crate::measure::pace`]), so that it does not matter how busy the machine was. The other
//! systems are measured in the same way. If C or Node are slower as well, that is the machine in
//! some way that the fixed work does not feel: it is said, and is no failure.

use crate::measure::document::Document;
use crate::measure::record::Record;
use crate::measure::statistics::{chance_of_slower, geometric_mean, median};
use crate::measure::text::{align, row, seconds};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The arguments of `compare`.
#[derive(clap::Args)]
pub struct CompareArgs {
    /// The file that was made before.
    old: PathBuf,
    /// The file that was made after it.
    new: PathBuf,
    /// By which factor the medians must differ.
    #[arg(long, default_value_t = 1.25, value_parser = factor)]
    threshold: f64,
    /// How likely the ranks of the runs may be by chance.
    #[arg(long, default_value_t = 0.01, value_parser = likelihood)]
    significance: f64,
}

fn factor(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|factor: &f64| *factor >= 1.0);
    found
        .filter(|f| f.is_finite())
        .ok_or("a factor is a number from 1 on, such as 1.25".to_string())
}

fn likelihood(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|p: &f64| (0.0..=1.0).contains(p));
    found.ok_or("a likelihood is a number from 0 to 1, such as 0.01".to_string())
}

/// The key of a record.
type Key = (String, String, i64, String);

fn key(record: &Record) -> Key {
    let Record {
        suite,
        benchmark,
        n,
        system,
        ..
    } = record;
    (suite.clone(), benchmark.clone(), *n, system.clone())
}

/// The comparison of a record that both files have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Slower beyond noise.
    Slower,
    /// Faster beyond noise.
    Faster,
    /// Neither.
    Same,
}

/// How a record has changed.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    key: Key,
    old: f64,
    new: f64,
    /// How many times as long it took in the time of the fixed work.
    ratio: f64,
    /// How likely the ranks are by chance if nothing has changed, on the side of the verdict.
    chance: f64,
    /// The verdict.
    pub verdict: Verdict,
}

/// The comparison of the two files.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparison {
    /// Timed records of both files, the slower ones first.
    pub changes: Vec<Change>,
    /// Counts that differ: the record, and both.
    pub counts: Vec<(Key, u64, u64)>,
    /// Records of the old file only.
    pub missing: Vec<Key>,
    /// Records of the new file only.
    pub added: Vec<Key>,
}

/// The systems that are not ours.
const OTHERS: [&str; 12] = [
    "rust",
    "c",
    "csharp",
    "java",
    "luajit-cold",
    "luajit",
    "pypy",
    "node",
    "lua",
    "python",
    "cpython",
    "pypy-cold",
];

fn is_ours(key: &Key) -> bool {
    !OTHERS.contains(&key.3.as_str())
}

/// Compares two documents.
pub fn compare(old: &Document, new: &Document, threshold: f64, significance: f64) -> Comparison {
    let by_key = |document: &Document| -> BTreeMap<Key, Record> {
        let records = document.records.iter();
        records
            .map(|record| (key(record), record.clone()))
            .collect()
    };
    let (old, new) = (by_key(old), by_key(new));
    let keys = |records: &BTreeMap<Key, Record>| records.keys().cloned().collect::<BTreeSet<Key>>();
    let (old_keys, new_keys) = (keys(&old), keys(&new));
    let mut comparison = Comparison {
        missing: old_keys.difference(&new_keys).cloned().collect(),
        added: new_keys.difference(&old_keys).cloned().collect(),
        ..Comparison::default()
    };
    for key in old_keys.intersection(&new_keys) {
        let (old, new) = (&old[key], &new[key]);
        if old.is_timed() && new.is_timed() {
            let change = change(key, old, new, threshold, significance);
            comparison.changes.push(change);
        }
        if let (Some(old), Some(new)) = (old.count, new.count)
            && old != new
        {
            comparison.counts.push((key.clone(), old, new));
        }
    }
    let order = |change: &Change| (change.verdict, -change.ratio);
    comparison.changes.sort_by(|a, b| {
        let (a, b) = (order(a), order(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    comparison
}

fn change(key: &Key, old: &Record, new: &Record, threshold: f64, significance: f64) -> Change {
    let (old_runs, new_runs) = match (old.paced(), new.paced()) {
        (Some(old), Some(new)) => (old, new),
        _ => (old.samples.clone(), new.samples.clone()),
    };
    let slower = chance_of_slower(&old_runs, &new_runs);
    let faster = chance_of_slower(&new_runs, &old_runs);
    let ratio = median(&new_runs) / median(&old_runs);
    let verdict = if ratio > threshold && slower <= significance {
        Verdict::Slower
    } else if 1.0 / ratio > threshold && faster <= significance {
        Verdict::Faster
    } else {
        Verdict::Same
    };
    Change {
        key: key.clone(),
        old: old.seconds,
        new: new.seconds,
        ratio,
        chance: slower.min(faster),
        verdict,
    }
}

impl Comparison {
    /// Whether something of ours got slower beyond noise.
    pub fn is_worse(&self) -> bool {
        self.with(Verdict::Slower, true).next().is_some()
    }

    fn with(&self, verdict: Verdict, ours: bool) -> impl Iterator<Item = &Change> {
        let changes = self.changes.iter();
        changes.filter(move |c| c.verdict == verdict && is_ours(&c.key) == ours)
    }

    /// How many times as long the other systems took: what the machine has to do with it.
    fn machine(&self) -> Option<f64> {
        let others = self.changes.iter().filter(|change| !is_ours(&change.key));
        let ratios = others.map(|change| change.ratio);
        geometric_mean(
            &ratios
                .filter(|r| r.is_finite() && *r > 0.0)
                .collect::<Vec<f64>>(),
        )
    }

    /// The report.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (verdict, ours, title) in [
            (Verdict::Slower, true, "slower beyond noise"),
            (Verdict::Faster, true, "faster beyond noise"),
            (Verdict::Slower, false, "other systems, slower: the machine"),
            (Verdict::Faster, false, "other systems, faster: the machine"),
        ] {
            let mut rows = vec![row([title, "old", "new", "paced", "by chance"])];
            rows.extend(self.with(verdict, ours).map(Change::cells));
            if rows.len() > 1 {
                text += &(align(&rows) + "\n");
            }
        }
        if !self.counts.is_empty() {
            let mut rows = vec![row(["other counts", "old", "new"])];
            let cells = |(key, old, new): &(Key, u64, u64)| {
                vec![name(key), old.to_string(), new.to_string()]
            };
            rows.extend(self.counts.iter().map(cells));
            text += &(align(&rows) + "\n");
        }
        for (title, keys) in [("missing", &self.missing), ("new", &self.added)] {
            let names = keys.iter().map(|key| format!("{title}: {}\n", name(key)));
            text.extend(names);
        }
        if let Some(machine) = self.machine() {
            text += &format!("the other systems took {machine:.2} times as long\n");
        }
        let ours = |verdict| self.with(verdict, true).count();
        text + &format!(
            "{} records compared; of ours {} slower beyond noise, {} faster\n",
            self.changes.len(),
            ours(Verdict::Slower),
            ours(Verdict::Faster)
        )
    }
}

impl Change {
    fn cells(&self) -> Vec<String> {
        vec![
            name(&self.key),
            seconds(self.old),
            seconds(self.new),
            format!("{:.2}", self.ratio),
            format!("{:.4}", self.chance),
        ]
    }
}

fn name((suite, benchmark, n, system): &Key) -> String {
    format!("{suite}, {benchmark}, {n}, {system}")
}

/// Compares two files and prints the report; whether nothing got slower.
///
/// # Errors
/// If a file is not what `--json` writes.
pub fn run(args: &CompareArgs) -> Result<bool, String> {
    let (old, new) = (Document::read(&args.old)?, Document::read(&args.new)?);
    for (what, of) in [
        ("processors", [&old.machine.cpu, &new.machine.cpu]),
        ("builds", [&old.machine.build, &new.machine.build]),
    ] {
        if of[0] != of[1] {
            println!("these are different {what}: {} and {}", of[0], of[1]);
        }
    }
    let comparison = compare(&old, &new, args.threshold, args.significance);
    print!("{}", comparison.text());
    Ok(!comparison.is_worse())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::document::Machine;
    use expect_test::expect;

    fn record(system: &str, benchmark: &str, runs: &[f64]) -> Record {
        Record::new("s", benchmark, 7, system, runs)
    }

    fn document(records: Vec<Record>) -> Document {
        Document::new(Machine::here(false, BTreeMap::new()), records)
    }

    const STEADY: [f64; 5] = [1.0, 1.01, 1.02, 0.99, 1.0];

    fn times(factor: f64) -> Vec<f64> {
        STEADY.iter().map(|run| run * factor).collect()
    }

    fn verdict(old: &[f64], new: &[f64]) -> Verdict {
        let old = document(vec![record("jit-warm", "b", old)]);
        let new = document(vec![record("jit-warm", "b", new)]);
        compare(&old, &new, 1.15, 0.01).changes[0].verdict
    }

    #[test]
    fn a_clear_difference_is_found() {
        assert_eq!(verdict(&STEADY, &times(1.3)), Verdict::Slower);
        assert_eq!(verdict(&times(1.3), &STEADY), Verdict::Faster);
    }

    #[test]
    fn noise_is_not() {
        // A small difference, however steady.
        assert_eq!(verdict(&STEADY, &times(1.1)), Verdict::Same);
        // Runs that overlap, whatever their medians are.
        let busy = [1.0, 1.5, 1.6, 1.01, 1.7];
        assert_eq!(verdict(&STEADY, &busy), Verdict::Same);
        assert_eq!(verdict(&busy, &STEADY), Verdict::Same);
        // One run each says nothing.
        assert_eq!(verdict(&[1.0], &[9.0]), Verdict::Same);
    }

    /// Both the program and the fixed work took twice as long.
    #[test]
    fn a_busy_machine_is_no_difference() {
        let paced = |factor: f64| {
            let pace = [1.0, 1.1, 0.9, 1.0, 1.05].map(|pace| pace * factor);
            document(vec![
                record("jit-warm", "b", &times(factor)).with_pace(&pace),
            ])
        };
        let comparison = compare(&paced(1.0), &paced(2.0), 1.15, 0.01);
        assert_eq!(comparison.changes[0].verdict, Verdict::Same);
        assert!((comparison.changes[0].ratio - 1.0).abs() < 1e-9);
        // Only the program did.
        let slower = document(vec![
            record("jit-warm", "b", &times(2.0)).with_pace(&[1.0; 5]),
        ]);
        assert!(compare(&paced(1.0), &slower, 1.15, 0.01).is_worse());
    }

    #[test]
    fn the_report_says_everything() {
        let old = document(vec![
            record("jit-warm", "slower", &STEADY),
            record("jit-cold", "faster", &times(2.0)),
            record("interp", "same", &STEADY),
            record("c", "machine", &STEADY),
            record("jit-warm", "gone", &STEADY),
            Record::counted("removed", "total", 0, "new after", 10),
        ]);
        let new = document(vec![
            record("jit-warm", "slower", &times(1.5)),
            record("jit-cold", "faster", &STEADY),
            record("interp", "same", &times(1.05)),
            record("c", "machine", &times(1.2)),
            record("jit-warm", "added", &STEADY),
            Record::counted("removed", "total", 0, "new after", 12),
        ]);
        let comparison = compare(&old, &new, 1.15, 0.01);
        assert!(comparison.is_worse());
        expect![[r#"
            slower beyond noise       old    new  paced  by chance
            s, slower, 7, jit-warm  1.000  1.500   1.50     0.0040

            faster beyond noise       old    new  paced  by chance
            s, faster, 7, jit-cold  2.000  1.000   0.50     0.0040

            other systems, slower: the machine    old    new  paced  by chance
            s, machine, 7, c                    1.000  1.200   1.20     0.0040

            other counts                  old  new
            removed, total, 0, new after   10   12

            missing: s, gone, 7, jit-warm
            new: s, added, 7, jit-warm
            the other systems took 1.20 times as long
            4 records compared; of ours 1 slower beyond noise, 1 faster
        "#]]
        .assert_eq(&comparison.text());
    }

    #[test]
    fn a_slower_machine_is_no_failure() {
        let old = document(vec![
            record("c", "b", &STEADY),
            record("rust", "b", &STEADY),
        ]);
        let slow = times(2.0);
        let new = document(vec![record("c", "b", &slow), record("rust", "b", &slow)]);
        let comparison = compare(&old, &new, 1.15, 0.01);
        assert!(!comparison.is_worse(), "{}", comparison.text());
        assert_eq!(comparison.machine().map(|factor| factor.round()), Some(2.0));
    }
}
