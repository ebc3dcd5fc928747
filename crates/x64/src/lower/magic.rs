//! Multipliers for division by a constant: the factor of the dividend, and the shift of the high
//! half of the product.
//!
//! Source: Granlund and Montgomery, "Division by Invariant Integers using Multiplication" (1994);
//! the form with a fix-up by the dividend is that of Warren, "Hacker's Delight", chapter 10.

/// The multiplier and shift for a signed division; the divisor is not 0, 1, -1, and no power of
/// two.
pub(super) fn signed_magic(divisor: i64) -> (i64, u32) {
    let magnitude = u128::from(divisor.unsigned_abs());
    // The smallest power such that 2^p / d rounded up is exact enough for every dividend: 2^p > n *
    // (d - 2^p mod d), n being the largest dividend magnitude that leaves the remainder d - 1.
    let limit = (1u128 << 63) + u128::from(divisor < 0);
    let largest = limit - 1 - limit % magnitude;
    let mut power = 64;
    loop {
        let value = 1u128 << power;
        let gap = magnitude - value % magnitude;
        if value > largest * gap {
            let multiplier = ((value + gap) / magnitude) as i64;
            let multiplier = if divisor < 0 {
                multiplier.wrapping_neg()
            } else {
                multiplier
            };
            return (multiplier, power - 64);
        }
        power += 1;
    }
}

/// The multiplier, the shift, and whether the multiplier has a 65th bit; the divisor is not 0 and
/// no power of two. None for divisors above 2^63, whose quotient is 0 or 1.
pub(super) fn unsigned_magic(divisor: u64) -> Option<(u64, u32, bool)> {
    if divisor > 1 << 63 {
        return None;
    }
    let d = u128::from(divisor);
    let log = 64 - divisor.leading_zeros();
    // 2^(64 + log) / d rounded up; without the last bit if that is exact enough already.
    let numerator = (1u128 << log) - d;
    let full = ((numerator << 64) / d) as u64;
    let wide = (full.wrapping_add(1), log, true);
    let power = 1u128 << (63 + log);
    let short = power / d + 1;
    let error = short * d - power;
    if error <= 1u128 << (log - 1) && short < 1u128 << 64 {
        return Some((short as u64, log - 1, false));
    }
    Some(wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [i64; 22] = [
        0,
        1,
        -1,
        2,
        -2,
        3,
        -3,
        5,
        6,
        7,
        -7,
        9,
        10,
        63,
        64,
        100,
        641,
        1 << 32,
        -(1 << 33),
        i64::MAX,
        i64::MAX - 1,
        i64::MIN,
    ];

    fn dividends(divisor: i64) -> impl Iterator<Item = i64> {
        let near = (-2..=2).flat_map(move |k: i64| {
            [
                divisor.wrapping_mul(7).wrapping_add(k),
                (i64::MAX / divisor).wrapping_mul(divisor).wrapping_add(k),
                (i64::MIN / divisor.max(2))
                    .wrapping_mul(divisor)
                    .wrapping_add(k),
                ((u64::MAX / divisor as u64).wrapping_mul(divisor as u64) as i64).wrapping_add(k),
            ]
        });
        near.chain(EDGES)
    }

    fn divisors() -> impl Iterator<Item = i64> {
        let small = -1000i64..=1000;
        let mut state = 1u64;
        let random = (0..2000).map(move |n| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state as i64) >> (n % 60)
        });
        small
            .chain(random)
            .chain(EDGES)
            .filter(|d| d.unsigned_abs() > 1 && !d.unsigned_abs().is_power_of_two())
    }

    #[test]
    fn signed_multipliers_are_exact() {
        for d in divisors() {
            let (multiplier, shift) = signed_magic(d);
            for x in dividends(d) {
                let mut high = ((i128::from(x) * i128::from(multiplier)) >> 64) as i64;
                if d > 0 && multiplier < 0 {
                    high = high.wrapping_add(x);
                } else if d < 0 && multiplier > 0 {
                    high = high.wrapping_sub(x);
                }
                let high = high >> shift;
                let quotient = high.wrapping_add(((high as u64) >> 63) as i64);
                assert_eq!(quotient, x / d, "{x} / {d}");
            }
        }
    }

    #[test]
    fn unsigned_multipliers_are_exact() {
        for d in divisors() {
            let d = d as u64;
            let Some((multiplier, shift, wide)) = unsigned_magic(d) else {
                assert!(d > 1 << 63);
                continue;
            };
            for x in dividends(d as i64) {
                let x = x as u64;
                let high = ((u128::from(x) * u128::from(multiplier)) >> 64) as u64;
                let quotient = match wide {
                    false => high >> shift,
                    true => (((x - high) >> 1) + high) >> (shift - 1),
                };
                assert_eq!(quotient, x / d, "{x} / {d}");
            }
        }
    }
}
