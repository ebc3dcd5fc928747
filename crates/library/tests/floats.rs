//! Arithmetic of floats, against that of the standard library.

use verdigris_library::library::remainder;

/// Floats of all exponents, with few and with many bits, whole ones, and those at the ends.
fn floats() -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut floats = vec![0.0, 1.0, 1.5, 2.0, 10.0, 16.0, 4294967296.0, 0.1, 1e-9];
    floats.extend([
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        f64::from_bits(3),
        f64::from_bits((1 << 52) - 1),
        9007199254740991.0,
        9007199254740992.0,
        9007199254740994.0,
        9223372036854775808.0,
        f64::INFINITY,
        f64::NAN,
    ]);
    for _ in 0..150 {
        floats.push(f64::from_bits(random.u64(..)));
        let bits = random.u32(1..54);
        floats.push(random.u64(..1 << bits) as f64);
        floats.push(random.f64() * 1000.0);
        let few_bits = (1023 + random.u64(0..60)) << 52 | random.u64(..8) << 49;
        floats.push(f64::from_bits(few_bits));
    }
    floats.iter().flat_map(|&x| [x, -x]).collect()
}

#[test]
fn remainders_are_those_of_the_standard_library() {
    let floats = floats();
    for &x in &floats {
        for &y in &floats {
            let (expected, found) = (x % y, remainder(x, y));
            let is_right = expected.to_bits() == found.to_bits();
            let both_nan = expected.is_nan() && found.is_nan();
            assert!(
                is_right || both_nan,
                "{x:e} % {y:e}: {found:e}, not {expected:e}"
            );
        }
    }
}
