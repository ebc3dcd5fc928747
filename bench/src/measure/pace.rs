//! How fast the machine is at the moment. The seconds that a fixed piece of work
//! takes. Invariant: the work never changes, so that two files of records can be compared though
//! the machine was faster for one of them.
//!
//! Processor time is not what a program needs alone: a neighbour on the same core, a lower
//! frequency, or the host of a virtual machine lengthen it, for seconds or minutes, up to twice.
//! Whatever is measured is measured between two such pieces of work, and what is compared is how
//! much longer it takes than they do.

use crate::measure::clock::cpu_seconds;
use std::hint::black_box;

/// How often the work's loop turns: about half a millisecond.
const TURNS: usize = 60_000;

/// How many words there are to load: they fill the first cache.
const WORDS: usize = 4096;

/// Seconds of the fixed work. It keeps the whole core busy, since that is what neighbours take:
/// four sums that do not wait for each other, loads all over a table, and a branch that is foreseen
/// most of the time.
pub fn pace() -> f64 {
    let table: Vec<u64> = (0..WORDS as u64)
        .map(|i| i.wrapping_mul(0x9E37_79B9))
        .collect();
    let table: &[u64] = black_box(&table);
    let begin = cpu_seconds();
    let mut sums = black_box([1u64, 2, 3, 4]);
    for _ in 0..TURNS {
        for sum in &mut sums {
            let at = (*sum >> 20) as usize % WORDS;
            *sum = sum
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(table[at] | 1);
        }
        if sums[0] & 15 == 0 {
            sums[1] ^= sums[2].rotate_left(7);
        }
    }
    black_box(sums);
    cpu_seconds() - begin
}

/// The result of `f`, with the pace around it.
///
/// # Errors
/// Those of `f`.
pub fn paced<R>(f: impl FnOnce() -> Result<R, String>) -> Result<(R, f64), String> {
    let before = pace();
    let result = f()?;
    Ok((result, (before + pace()) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_its_time() {
        let (result, pace) = paced(|| Ok(7)).expect("it ends well");
        assert_eq!(result, 7);
        assert!(pace > 1e-5 && pace < 1.0, "{pace}");
        assert_eq!(
            paced(|| Err::<u8, _>("no".to_string())),
            Err("no".to_string())
        );
    }
}
