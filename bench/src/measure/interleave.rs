//! The runner of all timed suites. In: the systems that run a benchmark, each a closure that runs
//! it once. Out: a record for each system. Invariant: the runs are interleaved, one of each in
//! every round, so that a change of the machine's speed meets all of them; the systems that give a
//! result give the same one.

use crate::measure::child::Finished;
use crate::measure::clock::cpu_seconds;
use crate::measure::pace::paced;
use crate::measure::record::Record;
use verdigris::Options;

/// The arguments of a suite that runs the same programs in one VM again and again.
#[derive(clap::Args)]
pub struct Repeat {
    /// How often each is run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Parameters of the JIT.
    #[arg(long, default_value = "", value_parser = Options::parse)]
    pub jit: Options,
}

/// One run of a benchmark.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// How much processor time it took.
    pub seconds: f64,
    /// The result, if the system can represent it.
    pub result: Option<String>,
    /// The largest resident set, if it was a process of its own.
    pub max_rss: Option<u64>,
}

impl Run {
    /// The run of something smaller, as if it had been this many times as large.
    pub fn scaled(self, times: f64) -> Run {
        Run {
            seconds: self.seconds * times,
            result: if times == 1.0 { self.result } else { None },
            ..self
        }
    }
}

impl From<Finished> for Run {
    /// The whole life of a process.
    fn from(finished: Finished) -> Run {
        Run {
            seconds: finished.seconds,
            result: None,
            max_rss: Some(finished.max_rss),
        }
    }
}

/// Runs a benchmark once, on one system or on several that need each other: the first and a later
/// run in a VM.
pub type Contestant<'a> = Box<dyn FnMut() -> Result<Vec<(&'static str, Run)>, String> + 'a>;

/// A contestant that is one system.
pub fn single<'a>(
    system: &'static str,
    mut run: impl FnMut() -> Result<Run, String> + 'a,
) -> Contestant<'a> {
    Box::new(move || Ok(vec![(system, run()?)]))
}

/// Times what this thread does.
///
/// # Errors
/// Those of `f`.
pub fn timed<R: ToString>(f: impl FnOnce() -> Result<R, String>) -> Result<Run, String> {
    let begin = cpu_seconds();
    let result = f()?;
    let seconds = cpu_seconds() - begin;
    Ok(Run {
        seconds,
        result: Some(result.to_string()),
        max_rss: None,
    })
}

/// A benchmark, and the systems that run it.
pub struct Race<'a> {
    benchmark: String,
    n: i64,
    contestants: Vec<Contestant<'a>>,
    /// The runs so far, each with the pace around it.
    systems: Vec<(&'static str, Vec<(Run, f64)>)>,
    /// The first result that a system gave.
    known: Option<String>,
}

impl<'a> Race<'a> {
    /// A benchmark that has not been run yet.
    pub fn new(benchmark: &str, n: i64, contestants: Vec<Contestant<'a>>) -> Race<'a> {
        Race {
            benchmark: benchmark.to_string(),
            n,
            contestants,
            systems: Vec::new(),
            known: None,
        }
    }

    /// Lets all run once.
    fn round(&mut self) -> Result<(), String> {
        for contestant in &mut self.contestants {
            let (runs, pace) = paced(&mut *contestant)?;
            for (system, run) in runs {
                if let Some(result) = &run.result
                    && self.known.get_or_insert_with(|| result.clone()) != result
                {
                    let known = self.known.clone().unwrap_or_default();
                    let (benchmark, n) = (&self.benchmark, self.n);
                    return Err(format!(
                        "{benchmark}, {n}: {system} computes {result}, the others {known}"
                    ));
                }
                match self.systems.iter_mut().find(|known| known.0 == system) {
                    Some((_, runs)) => runs.push((run, pace)),
                    None => self.systems.push((system, vec![(run, pace)])),
                }
            }
        }
        Ok(())
    }

    fn records(&self, suite: &str) -> Vec<Record> {
        let record = |(system, runs): &(&'static str, Vec<(Run, f64)>)| {
            let seconds: Vec<f64> = runs.iter().map(|(run, _)| run.seconds).collect();
            let pace: Vec<f64> = runs.iter().map(|(_, pace)| *pace).collect();
            let record = Record::new(suite, &self.benchmark, self.n, system, &seconds);
            Record {
                max_rss: runs.iter().filter_map(|(run, _)| run.max_rss).max(),
                ..record.with_pace(&pace)
            }
        };
        self.systems.iter().map(record).collect()
    }
}

/// Runs benchmarks in rounds: each system of each benchmark runs once in a round, so that the runs
/// of one lie far apart. The records are in the order of the benchmarks, and of the systems in
/// each.
///
/// # Errors
/// If a system fails, or says another result than one before.
pub fn rounds(suite: &str, rounds: u32, mut races: Vec<Race>) -> Result<Vec<Record>, String> {
    for _ in 0..rounds {
        for race in &mut races {
            race.round()?;
        }
    }
    Ok(races.iter().flat_map(|race| race.records(suite)).collect())
}

/// Runs one benchmark in rounds.
///
/// # Errors
/// As [`rounds`].
pub fn race(
    suite: &str,
    benchmark: &str,
    n: i64,
    times: u32,
    contestants: Vec<Contestant>,
) -> Result<Vec<Record>, String> {
    rounds(suite, times, vec![Race::new(benchmark, n, contestants)])
}

/// The seconds of a system's fastest run, to which other work on the machine has added least.
pub fn least(records: &[Record], system: &str) -> Option<f64> {
    let this = records.iter().find(|record| record.system == system);
    this.map(|record| record.min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn run(seconds: f64, result: Option<&str>) -> Run {
        Run {
            seconds,
            result: result.map(str::to_string),
            max_rss: None,
        }
    }

    #[test]
    fn the_runs_are_interleaved() {
        let order = RefCell::new(String::new());
        let contestants: Vec<Contestant> = vec![
            Box::new(|| {
                order.borrow_mut().push('a');
                Ok(vec![
                    ("cold", run(2.0, None)),
                    ("warm", run(1.0, Some("7"))),
                ])
            }),
            single("rust", || {
                order.borrow_mut().push('b');
                Ok(run(3.0, Some("7")))
            }),
        ];
        let records = race("s", "b", 1, 3, contestants).expect("they agree");
        let found: Vec<(&str, usize)> = records
            .iter()
            .map(|record| (record.system.as_str(), record.samples.len()))
            .collect();
        assert_eq!(found, [("cold", 3), ("warm", 3), ("rust", 3)]);
        assert_eq!(least(&records, "rust"), Some(3.0));
        assert_eq!(order.into_inner(), "ababab");
    }

    #[test]
    fn the_rounds_go_over_all_benchmarks() {
        let order = RefCell::new(String::new());
        let race = |name: &'static str| {
            let contestant = single("c", || {
                order.borrow_mut().push_str(name);
                Ok(run(1.0, None))
            });
            Race::new(name, 1, vec![contestant])
        };
        let records = rounds("s", 2, vec![race("x"), race("y")]).expect("they agree");
        let names: Vec<&str> = records.iter().map(|r| r.benchmark.as_str()).collect();
        assert_eq!(names, ["x", "y"]);
        assert_eq!(order.into_inner(), "xyxy");
    }

    #[test]
    fn who_computes_something_else_is_named() {
        let contestants = vec![
            single("interp", || Ok(run(1.0, Some("7")))),
            single("rust", || Ok(run(1.0, Some("8")))),
        ];
        let error = race("s", "b", 1, 1, contestants).expect_err("they differ");
        assert_eq!(error, "b, 1: rust computes 8, the others 7");
    }

    #[test]
    fn a_scaled_run_has_no_result() {
        let scaled = run(2.0, Some("7")).scaled(10.0);
        assert_eq!((scaled.seconds, scaled.result), (20.0, None));
        assert_eq!(run(2.0, Some("7")).scaled(1.0).result.as_deref(), Some("7"));
    }
}
