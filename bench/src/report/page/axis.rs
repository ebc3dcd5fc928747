//! The axis of a chart. In: values and a length. Out: where a value lies on it, and its ticks.
//! Invariant: all values that it was made for lie on it, and there are at least two ticks.

/// How distances show values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scale {
    /// Differences, from zero on.
    Linear,
    /// Ratios. Values must be above zero.
    Logarithmic,
}

/// An axis of this length.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    length: f64,
    /// Where there are lines.
    pub ticks: Vec<f64>,
}

impl Axis {
    /// An axis that has room for these values.
    pub fn new(scale: Scale, values: impl IntoIterator<Item = f64>, length: f64) -> Axis {
        let drawn = |value: &f64| value.is_finite() && (*value > 0.0 || scale == Scale::Linear);
        let values: Vec<f64> = values.into_iter().filter(drawn).collect();
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (least, most) = (least.min(value), most.max(value));
        }
        if least > most {
            (least, most) = (1.0, 1.0);
        }
        let ticks = match scale {
            Scale::Linear => linear_ticks(most),
            Scale::Logarithmic => logarithmic_ticks(least, most),
        };
        Axis {
            scale,
            low: ticks[0],
            high: ticks[ticks.len() - 1],
            length,
            ticks,
        }
    }

    /// How far from the beginning a value lies.
    pub fn at(&self, value: f64) -> f64 {
        let part = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        // What lies outside, such as a zero on a logarithmic axis, is drawn at the end.
        let part = if part.is_nan() { 0.0 } else { part };
        self.length * part.clamp(0.0, 1.0)
    }
}

/// From zero on, at 1, 2 or 5 times a power of ten: four to ten of them.
fn linear_ticks(most: f64) -> Vec<f64> {
    let most = if most > 0.0 { most } else { 1.0 };
    let power = 10f64.powf((most / 4.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| most / step <= 6.0);
    let step = step.unwrap_or(power * 10.0);
    let count = (most / step - 1e-9).ceil().max(1.0) as usize;
    (0..=count).map(|i| i as f64 * step).collect()
}

/// Powers of ten around the values; with 2 and 5 between them if they are few.
fn logarithmic_ticks(least: f64, most: f64) -> Vec<f64> {
    const EXACT: f64 = 1e-9;
    let (first, last) = (least.log10().floor() as i32, most.log10().ceil() as i32);
    let between: &[f64] = if last - first <= 3 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0]
    };
    let mut all: Vec<f64> = Vec::new();
    for power in first..=last.max(first + 1) {
        all.extend(between.iter().map(|step| step * 10f64.powi(power)));
    }
    let below = all.iter().rposition(|tick| *tick <= least * (1.0 + EXACT));
    let above = all.iter().position(|tick| *tick >= most * (1.0 - EXACT));
    let below = below.unwrap_or(0);
    let above = above.unwrap_or(all.len() - 1).max(below + 1);
    all[below..=above.min(all.len() - 1)].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_go_around_the_values() {
        let ticks = |scale, values: &[f64]| Axis::new(scale, values.iter().copied(), 1.0).ticks;
        assert_eq!(
            ticks(Scale::Logarithmic, &[3.0, 700.0]),
            [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0]
        );
        assert_eq!(ticks(Scale::Logarithmic, &[1e-6, 2.0]).len(), 8);
        assert_eq!(ticks(Scale::Logarithmic, &[5.0]), [5.0, 10.0]);
        assert_eq!(ticks(Scale::Logarithmic, &[]), [1.0, 2.0]);
        assert_eq!(
            ticks(Scale::Linear, &[0.3, 5.5]),
            [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
        );
        assert_eq!(ticks(Scale::Linear, &[0.0]).len(), 6);
    }

    #[test]
    fn values_lie_between_the_ends() {
        let axis = Axis::new(Scale::Logarithmic, [1.0, 100.0], 200.0);
        assert_eq!(
            [1.0, 10.0, 100.0].map(|v| axis.at(v).round()),
            [0.0, 100.0, 200.0]
        );
        assert_eq!([0.0, -1.0, 1e9].map(|v| axis.at(v)), [0.0, 0.0, 200.0]);
        let axis = Axis::new(Scale::Linear, [5.0], 100.0);
        assert_eq!((axis.at(0.0), axis.at(2.5)), (0.0, 50.0));
    }
}
