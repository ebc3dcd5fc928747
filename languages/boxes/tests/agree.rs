//! `f` gives the same result whatever the JIT does. In: numbers and parameters. Out: results,
//! compared with `f` written in plain Rust. Invariant under test: the JIT, its backends, each pass
//! of its optimiser, the collector and deoptimisation change nothing, and a machine that has
//! compiled the loop for one type runs it for the other.

use boxes::machine::Machine;
use boxes::number::Number;
use proptest::prelude::*;
use verdigris::{Options, Stats};
use verdigris_testing::{PASSES, SETTINGS, Setting};

/// All settings under which every result must be the same.
fn settings() -> Vec<Setting> {
    [&SETTINGS[..], PASSES].concat()
}

/// `f` without boxes.
fn reference(y: Number) -> Number {
    match y {
        Number::Integer(y) => {
            let steps = (1..=y).rev();
            Number::Integer(steps.fold(0i64, |res, y| res.wrapping_add(y).wrapping_add(-100)))
        }
        Number::Float(y) if y > 0.0 => {
            let (mut res, mut y) = (0.0, y);
            while y > 0.0 {
                res = res + y + -100.0;
                y += -1.0;
            }
            Number::Float(res)
        }
        // The loop does not add anything to the integer that `res` is at first.
        Number::Float(_) => Number::Integer(0),
    }
}

fn machine(params: &str) -> Machine {
    let options = Options::parse(params).unwrap_or_else(|error| panic!("{params}: {error}"));
    Machine::new(options).unwrap_or_else(|error| panic!("{params}: {error}"))
}

/// Runs the numbers one after the other on one machine. Texts are compared, for NaN is not equal to
/// itself, and 0.0 is to -0.0.
fn check(params: &str, numbers: &[Number]) -> Stats {
    let machine = machine(params);
    for &y in numbers {
        let result = machine.run(y).map(|result| result.to_string());
        assert_eq!(
            result,
            Ok(reference(y).to_string()),
            "f({y}) with `{params}`"
        );
    }
    machine.vm().stats()
}

fn integers(values: &[i64]) -> Vec<Number> {
    values.iter().copied().map(Number::Integer).collect()
}

fn floats(values: &[f64]) -> Vec<Number> {
    values.iter().copied().map(Number::Float).collect()
}

const EDGES: &[f64] = &[
    0.0,
    -0.0,
    f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    f64::NAN,
    f64::NEG_INFINITY,
    f64::MIN,
    0.1,
    1.0,
    1.0000000000000002,
    1999.9999,
];

#[test]
fn integers_one_by_one() {
    for Setting { jit, .. } in settings() {
        for y in integers(&[i64::MIN, -1, 0, 1, 2, 3, 10, 199, 200, 1500]) {
            check(jit, &[y]);
        }
    }
}

#[test]
fn floats_one_by_one() {
    for Setting { jit, .. } in settings() {
        for &y in EDGES {
            check(jit, &[Number::Float(y)]);
        }
    }
}

#[test]
fn both_types_on_one_machine() {
    let mut numbers = integers(&[1500, 3, 700]);
    numbers.extend(floats(&[700.25, 0.5, 1500.0]));
    numbers.extend(integers(&[900]));
    numbers.extend(floats(EDGES));
    for Setting { jit, .. } in settings() {
        check(jit, &numbers);
        numbers.rotate_left(3);
    }
}

#[test]
fn loops_are_compiled_and_run() {
    for y in [Number::Integer(20_000), Number::Float(20_000.5)] {
        let stats = check("threshold=7", &[y]);
        assert_eq!((stats.loops, stats.bridges), (1, 0), "{stats:?}");
        assert!(stats.entries >= 1, "{stats:?}");
        assert!(stats.guard_failures.interpreter <= 2, "{stats:?}");
    }
    // The other type leaves the loop at its first guard, and gets a loop of its own by a bridge.
    let both = [Number::Integer(20_000), Number::Float(20_000.5)];
    let stats = check("threshold=7,trace_eagerness=5", &both);
    assert!(stats.bridges >= 1, "{stats:?}");
    assert!(stats.guard_failures.interpreter <= 50, "{stats:?}");
}

/// In compiled code, for the sum first grows beyond 64 bits when there have been more than four
/// thousand million iterations.
#[test]
fn the_sum_wraps() {
    let y: i64 = 4_294_967_500;
    let exact = i128::from(y) * i128::from(y + 1) / 2 - 100 * i128::from(y);
    assert!(exact > i128::from(i64::MAX));
    let machine = machine("");
    assert_eq!(
        machine.run(Number::Integer(y)),
        Ok(Number::Integer(exact as i64))
    );
}

#[test]
fn additions() {
    use Number::{Float, Integer};
    let machine = machine("off");
    for (left, right, sum) in [
        (Integer(2), Integer(3), Integer(5)),
        (Integer(i64::MAX), Integer(1), Integer(i64::MIN)),
        (Integer(i64::MIN), Integer(-1), Integer(i64::MAX)),
        (Integer(2), Float(0.5), Float(2.5)),
        (Float(0.5), Integer(2), Float(2.5)),
        (Float(-0.0), Float(-0.0), Float(-0.0)),
        (Float(-0.0), Integer(0), Float(0.0)),
        (
            Integer((1 << 53) + 1),
            Float(0.0),
            Float(9_007_199_254_740_992.0),
        ),
        (Float(f64::INFINITY), Integer(-1), Float(f64::INFINITY)),
        (
            Float(f64::INFINITY),
            Float(f64::NEG_INFINITY),
            Float(f64::NAN),
        ),
        (Integer(0), Float(f64::NAN), Float(f64::NAN)),
        (Float(f64::MAX), Float(f64::MAX), Float(f64::INFINITY)),
    ] {
        let result = machine.add(left, right).map(|result| result.to_string());
        assert_eq!(result, Ok(sum.to_string()), "{left} + {right}");
    }
}

#[test]
fn what_might_never_end_is_refused() {
    let machine = machine("");
    for y in [f64::INFINITY, f64::MAX, 1e300, 9_007_199_254_740_994.0] {
        let error = machine.run(Number::Float(y)).expect_err("it is refused");
        assert!(error.contains("may never end"), "{error}");
    }
    // The machine is as good as new.
    assert_eq!(machine.run(Number::Integer(3)), Ok(Number::Integer(-294)));
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        (-3i64..1500).prop_map(Number::Integer),
        (-3f64..1500.0).prop_map(Number::Float),
        (-3i32..6000).prop_map(|quarters| Number::Float(f64::from(quarters) / 4.0)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_numbers_under_any_parameters(
        setting in prop::sample::select(settings()),
        numbers in prop::collection::vec(number(), 1..6),
    ) {
        check(setting.jit, &numbers);
    }

    #[test]
    fn numbers_print_and_read_back(value: i64, bits: u64) {
        for number in [Number::Integer(value), Number::Float(f64::from_bits(bits))] {
            let text = number.to_string();
            let again: Number = text.parse().expect("a printed number reads back");
            match (number, again) {
                (Number::Float(a), Number::Float(b)) if a.is_nan() => prop_assert!(b.is_nan()),
                (Number::Float(a), Number::Float(b)) => prop_assert_eq!(a.to_bits(), b.to_bits()),
                _ => prop_assert_eq!(number, again),
            }
        }
    }
}
