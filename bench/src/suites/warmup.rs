//! How programs warm up. In: programs of each language, small enough that one iteration does not
//! make their loops hot. Out: the time of each of the first iterations in a fresh VM, interpreted
//! and with the JIT; at which iteration it came close to its final level, and what the iterations
//! before cost. Invariant: iterations are complete runs of the program in one VM; the curve is the
//! median of several VMs at each iteration, so that a disturbance of one is not seen.

use crate::guests::program::Once;
use crate::guests::registry;
use crate::measure::pace::paced;
use crate::measure::record::{Record, Warmup};
use crate::measure::statistics::{five_digits, median};
use crate::measure::text::{align, row, seconds};
use crate::settings::Settings;
use crate::suites::speedups::timed;

/// The arguments of `warmup`.
#[derive(clap::Args)]
pub struct WarmupArgs {
    /// In how many VMs each is run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// How many iterations there are in each.
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u32).range(8..=10_000))]
    iterations: u32,
    /// Parameters of the JIT.
    #[arg(long, default_value = "")]
    jit: String,
}

/// The heads of the table, whose lines [`cells`] makes.
pub const HEADS: [&str; 7] = [
    "program",
    "n",
    "system",
    "first",
    "last",
    "warm at",
    "cost in iterations",
];

/// Within this of the final level is close to it.
const CLOSE: f64 = 1.1;

/// Measures and prints the table.
///
/// # Errors
/// If there is no such program.
pub fn run(args: &WarmupArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let (runs, iterations, count) = match settings.quick {
        true => (1, 12, 2),
        false => (args.runs, args.iterations as usize, usize::MAX),
    };
    let mut rows = vec![row(HEADS)];
    let mut records = Vec::new();
    for (name, n) in registry::warmup().into_iter().take(count) {
        let program = registry::find(&name)?;
        let mut curves = [("interp", "off"), ("jit", args.jit.as_str())]
            .map(|(system, jit)| (system, jit, Vec::new(), Vec::new()));
        for _ in 0..runs {
            for (_, jit, curves, paces) in &mut curves {
                let mut curve = Vec::new();
                let mut measure = |once: Once<'_>| {
                    curve.extend((0..iterations).map(|_| timed(once)));
                };
                let (_, pace) = paced(|| (program.session)(jit, &[n], &mut measure))?;
                curves.push(curve);
                paces.push(pace);
            }
        }
        for (system, _, curves, paces) in &curves {
            let record = record("warmup", &name, n, system, curves).with_pace(paces);
            rows.extend(cells(&record));
            records.push(record);
        }
    }
    println!("{}", align(&rows));
    Ok(records)
}

/// A record of the curves of several VMs, which are equally long.
pub fn record(suite: &str, name: &str, n: i64, system: &str, curves: &[Vec<f64>]) -> Record {
    let finals: Vec<f64> = curves.iter().map(|curve| level(curve)).collect();
    let at = |i: usize| curves.iter().map(|curve| curve[i]).collect::<Vec<f64>>();
    let curve: Vec<f64> = (0..curves[0].len()).map(|i| median(&at(i))).collect();
    Record {
        warmup: Some(warmup(&curve)),
        ..Record::new(suite, name, n, system, &finals)
    }
}

/// The final level: the median of the last quarter.
pub fn level(curve: &[f64]) -> f64 {
    median(&curve[curve.len() * 3 / 4..])
}

/// The first iteration, counted from 0, that takes at most `times` as long as those of the
/// final level, and from which on that stays so: the median of the next few iterations takes no
/// longer either, so that neither one fast iteration counts nor one slow one.
pub fn reached(curve: &[f64], times: f64) -> Option<usize> {
    const NEXT: usize = 5;
    let most = times * level(curve);
    (0..curve.len()).find(|&i| {
        let next = &curve[i..curve.len().min(i + NEXT)];
        curve[i] <= most && median(next) <= most
    })
}

/// When a curve comes close to its final level and stays there.
fn warmup(curve: &[f64]) -> Warmup {
    let level = level(curve);
    let reached = reached(curve, CLOSE);
    let before = &curve[..reached.unwrap_or(curve.len())];
    let cost = before
        .iter()
        .fold(0.0, |cost, seconds| cost + seconds / level - 1.0);
    Warmup {
        curve: curve.iter().copied().map(five_digits).collect(),
        reached: reached.map(|i| i + 1),
        cost: five_digits(cost),
    }
}

/// The line of a record that has a curve.
pub fn cells(record: &Record) -> Option<Vec<String>> {
    let warmup = record.warmup.as_ref()?;
    let reached = warmup.reached;
    Some(vec![
        record.benchmark.clone(),
        record.n.to_string(),
        record.system.clone(),
        seconds(warmup.curve[0]),
        seconds(record.seconds),
        reached.map_or("-".to_string(), |at| at.to_string()),
        format!("{:.1}", warmup.cost),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_that_falls_twice() {
        let curve = [vec![10.0; 5], vec![5.0, 1.05], vec![3.0; 3], vec![1.0; 30]].concat();
        let found = warmup(&curve);
        // The fast iteration between slow ones does not count.
        assert_eq!(found.reached, Some(11));
        assert!((found.cost - (5.0 * 9.0 + 4.0 + 0.05 + 3.0 * 2.0)).abs() < 1e-9);
        assert_eq!(found.curve, curve);
        assert_eq!(
            (reached(&curve, 3.0), reached(&curve, 5.0)),
            (Some(6), Some(5))
        );
    }

    #[test]
    fn one_slow_iteration_in_the_end_changes_nothing() {
        let mut curve = vec![1.0; 40];
        curve[30] = 50.0;
        let found = warmup(&curve);
        assert_eq!((found.reached, found.cost), (Some(1), 0.0));
    }
}
