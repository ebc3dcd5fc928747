//! Statistics. In: seconds of runs. Out: quantiles, and how likely a difference between two sets of
//! runs is if there is none. Invariant: nothing here assumes a distribution: times have long tails,
//! which means and deviations do not describe.

/// The value below which this part of the runs lies, between two runs in proportion: 0.5 is the
/// median.
///
/// # Panics
/// If there are no runs.
pub fn quantile(runs: &[f64], part: f64) -> f64 {
    let mut sorted = runs.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = part * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    below + (above - below) * at.fract()
}

/// The median.
///
/// # Panics
/// If there are no runs.
pub fn median(runs: &[f64]) -> f64 {
    quantile(runs, 0.5)
}

/// A number with five significant digits: more is never measured.
pub fn five_digits(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

/// The geometric mean: what ratios are averaged with, for it does not matter which side is above.
pub fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

/// How likely it is that `new` ranks as high above `old` as it does, or higher, if both are drawn
/// from the same distribution: the rank-sum test of Wilcoxon, Mann and Whitney with one side.
///
/// All runs are sorted together; the runs of `new` have a sum of ranks, equal runs each the mean of
/// their ranks. If nothing has changed, every choice of as many runs is as likely to be `new`. The
/// share of the choices whose sum is as large is the result; it is counted exactly, since there are
/// few runs and many of them may be equal.
pub fn chance_of_slower(old: &[f64], new: &[f64]) -> f64 {
    let mut all: Vec<(f64, bool)> = old.iter().map(|&run| (run, false)).collect();
    all.extend(new.iter().map(|&run| (run, true)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ranks = doubled_ranks(&all);
    let of_new = ranks.iter().zip(&all).filter(|(_, run)| run.1);
    let found: usize = of_new.map(|(rank, _)| rank).sum();
    // How many choices of some runs have some sum of ranks.
    let highest: usize = ranks.iter().sum();
    let mut choices = vec![vec![0f64; highest + 1]; new.len() + 1];
    choices[0][0] = 1.0;
    for &rank in &ranks {
        for chosen in (1..=new.len()).rev() {
            for sum in (rank..=highest).rev() {
                choices[chosen][sum] += choices[chosen - 1][sum - rank];
            }
        }
    }
    let as_large: f64 = choices[new.len()][found..].iter().sum();
    as_large / choices[new.len()].iter().sum::<f64>()
}

/// Twice the rank of each of the sorted runs, so that the mean rank of equal runs is an integer.
fn doubled_ranks(sorted: &[(f64, bool)]) -> Vec<usize> {
    let rank = |run: &(f64, bool)| {
        let below = sorted.partition_point(|other| other.0 < run.0);
        let up_to = sorted.partition_point(|other| other.0 <= run.0);
        below + 1 + up_to
    };
    sorted.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        assert_eq!(quantile(&[5.0], 0.25), 5.0);
        assert_eq!(quantile(&[4.0, 1.0, 3.0, 2.0, 5.0], 0.25), 2.0);
        assert_eq!(quantile(&[1.0, 2.0], 0.75), 1.75);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    }

    #[test]
    fn digits() {
        assert_eq!(five_digits(0.000_123_456_789), 0.000_123_46);
        assert_eq!(five_digits(0.0), 0.0);
        assert_eq!(five_digits(98_765.4), 98_765.0);
    }

    #[test]
    fn means_of_ratios() {
        let mean = geometric_mean(&[0.5, 2.0, 8.0]).expect("there are some");
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
        assert_eq!(geometric_mean(&[]), None);
    }

    /// The exact values are those of the tables of the test: of 5 and 5 runs one choice of 252 is
    /// wholly above the others.
    #[test]
    fn ranks_wholly_above() {
        let chance = |old: &[f64], new: &[f64]| chance_of_slower(old, new);
        let old = [1.0, 2.0, 3.0, 4.0, 5.0];
        let new = [6.0, 7.0, 8.0, 9.0, 10.0];
        assert!((chance(&old, &new) - 1.0 / 252.0).abs() < 1e-12);
        assert!((chance(&new, &old) - 1.0).abs() < 1e-12);
        assert!((chance(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]) - 1.0 / 20.0).abs() < 1e-12);
        // One pair is the other way round: two of the sums are as large or larger.
        let mixed = [5.0, 7.0, 8.0, 9.0, 10.0];
        let with = [1.0, 2.0, 3.0, 4.0, 6.0];
        assert!((chance(&with, &mixed) - 2.0 / 252.0).abs() < 1e-12);
    }

    #[test]
    fn equal_runs_show_nothing() {
        assert!((chance_of_slower(&[2.0; 5], &[2.0; 5]) - 1.0).abs() < 1e-12);
        let chance = chance_of_slower(&[1.0, 2.0, 2.0, 3.0], &[1.0, 2.0, 2.0, 3.0]);
        assert!(chance > 0.5, "{chance}");
    }
}
