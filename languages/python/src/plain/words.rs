//! Sums, differences and products of magnitudes: words, the lowest first. In: words of two
//! numbers, where they lie. Out: words without zeros at the upper end. What is simple is done
//! here because what a crate for big integers takes and gives would be copied on both ways, which
//! takes longer than a sum does (Knuth, *The Art of Computer Programming*, 4.3.1).

use std::cmp::Ordering;

/// From how many words of the shorter factor on the crate's ways to multiply are better.
const LONG: usize = 32;

/// Which of two is larger.
pub fn compare(a: &[u64], b: &[u64]) -> Ordering {
    let by_length = a.len().cmp(&b.len());
    by_length.then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// `a + b`
pub fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut words = Vec::with_capacity(long.len() + 1);
    let mut carry = false;
    let (low, high) = long.split_at(short.len());
    for (&x, &y) in low.iter().zip(short) {
        let (part, first) = x.overflowing_add(y);
        let (part, second) = part.overflowing_add(u64::from(carry));
        words.push(part);
        carry = first || second;
    }
    for &x in high {
        let (part, over) = x.overflowing_add(u64::from(carry));
        words.push(part);
        carry = over;
    }
    if carry {
        words.push(1);
    }
    words
}

/// `a - b`, where `a` is not the smaller one.
pub fn difference(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut words = Vec::with_capacity(a.len());
    let mut borrow = false;
    let (low, high) = a.split_at(b.len());
    for (&x, &y) in low.iter().zip(b) {
        let (part, first) = x.overflowing_sub(y);
        let (part, second) = part.overflowing_sub(u64::from(borrow));
        words.push(part);
        borrow = first || second;
    }
    for &x in high {
        let (part, under) = x.overflowing_sub(u64::from(borrow));
        words.push(part);
        borrow = under;
    }
    debug_assert!(!borrow, "the first is not the smaller one");
    trim(words)
}

/// `a * b`; `None` if both are so long that this is not the way to multiply them.
pub fn product(a: &[u64], b: &[u64]) -> Option<Vec<u64>> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    if short.len() >= LONG {
        return None;
    }
    let mut words = vec![0; long.len() + short.len()];
    for (at, &factor) in short.iter().enumerate() {
        let mut carry = 0;
        for (word, &x) in words[at..].iter_mut().zip(long) {
            let part = u128::from(x) * u128::from(factor) + u128::from(*word) + carry;
            *word = part as u64;
            carry = part >> 64;
        }
        words[at + long.len()] = carry as u64;
    }
    Some(trim(words))
}

fn trim(mut words: Vec<u64>) -> Vec<u64> {
    let zeros = words.iter().rev().take_while(|&&word| word == 0).count();
    words.truncate(words.len() - zeros);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn number(words: &[u64]) -> BigUint {
        let halves = words
            .iter()
            .flat_map(|&word| [word as u32, (word >> 32) as u32]);
        BigUint::new(halves.collect())
    }

    /// Numbers whose words are mostly such that something is carried.
    fn numbers() -> Vec<Vec<u64>> {
        let mut seed = 1u64;
        let mut word = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            match seed >> 61 {
                0 | 1 => u64::MAX,
                2 => 0,
                3 => 1 << 63,
                _ => seed >> 5,
            }
        };
        (0..40)
            .map(|n| trim((0..n % 9).map(|_| word()).collect()))
            .collect()
    }

    #[test]
    fn arithmetic_is_that_of_the_crate() {
        for a in numbers() {
            for b in numbers() {
                let (x, y) = (number(&a), number(&b));
                assert_eq!(sum(&a, &b), (&x + &y).to_u64_digits());
                let short = product(&a, &b).expect("these are short");
                assert_eq!(short, (&x * &y).to_u64_digits());
                assert_eq!(compare(&a, &b), x.cmp(&y));
                if x >= y {
                    assert_eq!(difference(&a, &b), (x - y).to_u64_digits());
                }
            }
        }
    }

    #[test]
    fn long_factors_are_left_to_the_crate() {
        assert_eq!(product(&[1; LONG], &[1; LONG]), None);
        assert!(product(&[1; LONG], &[1; LONG - 1]).is_some());
    }
}
