//! The domain against `eval`: every word of every small bound at the edges of the signed words, and
//! random words of random bounds. Also how sharp it is.

use super::int_bound::least_from;
use super::{IntBound, Needs, Range, Relation, checked, exact, operand, taught, unchanged};
use expect_test::{Expect, expect};
use std::fmt::Write;
use verdigris_ops::{DataOp, Ty, eval};

/// Where the small bounds lie.
const ANCHORS: [i64; 8] = [
    -2,
    2,
    62,
    127,
    (1 << 31) - 2,
    -(1 << 31) - 2,
    i64::MIN,
    i64::MAX - 3,
];

/// All bounds within four words from an anchor.
fn small_bounds() -> Vec<IntBound> {
    let mut all: Vec<IntBound> = Vec::new();
    for anchor in ANCHORS {
        for (i, j) in (0..4).flat_map(|j| (0..=j).map(move |i| (i, j))) {
            for (zeros, ones) in (0..4).flat_map(|z| (0..4).map(move |o| (z, o))) {
                let bound = IntBound::new(anchor + i, anchor + j, zeros, ones);
                all.extend(bound.filter(|b| !all.contains(b)));
            }
        }
    }
    all
}

fn members(b: IntBound) -> Vec<i64> {
    (b.lo..=b.hi).filter(|&w| b.contains(w)).collect()
}

fn int_ops() -> impl Iterator<Item = DataOp> {
    let all_int = |op: &DataOp| op.is_pure() && op.params().iter().all(|&ty| ty == Ty::Int);
    let ops = DataOp::ALL.iter().copied().filter(all_int);
    // The promise never gets as far as bounds: its result is its operand.
    ops.filter(|&op| op.ret() == Some(Ty::Int) && op != DataOp::UintAtMost)
}

fn run(op: DataOp, words: &[i64]) -> i64 {
    let words: Vec<u64> = words.iter().map(|&w| w as u64).collect();
    eval(op, &words).expect("a pure operation") as i64
}

/// Every tuple of bounds for this many operands.
fn operands(bounds: &[IntBound], count: usize) -> Vec<Vec<IntBound>> {
    match count {
        1 => bounds.iter().map(|&a| vec![a]).collect(),
        _ => {
            let pairs = bounds
                .iter()
                .flat_map(|&a| bounds.iter().map(move |&b| vec![a, b]));
            pairs.collect()
        }
    }
}

/// The results for every word of every operand.
fn results(op: DataOp, args: &[IntBound]) -> Vec<(Vec<i64>, i64)> {
    let first = members(args[0]).into_iter();
    let tuples: Vec<Vec<i64>> = match args {
        [_, b] => {
            let b = members(*b);
            first
                .flat_map(|x| b.iter().map(move |&y| vec![x, y]))
                .collect()
        }
        _ => first.map(|x| vec![x]).collect(),
    };
    tuples
        .into_iter()
        .map(|words| {
            let result = run(op, &words);
            (words, result)
        })
        .collect()
}

#[test]
fn small_bounds_admit_their_ends() {
    for b in small_bounds() {
        let all = members(b);
        assert_eq!((all[0], all[all.len() - 1]), (b.lo, b.hi));
        assert!(all.iter().all(|&w| w as u64 & b.known() == b.ones));
    }
}

/// Every operation on every pair of small bounds: sound, and this often as sharp as a bound can be.
#[test]
fn results_of_small_bounds() {
    let bounds = small_bounds();
    let mut text = String::new();
    for op in int_ops() {
        let (mut sharp, mut count) = (0u32, 0u32);
        for args in operands(&bounds, op.params().len()) {
            let bound = IntBound::of_op(op, &args);
            let words = results(op, &args);
            for (operands, word) in &words {
                assert!(
                    bound.contains(*word),
                    "{op}{operands:?} = {word}: {args:?} {bound:?}"
                );
            }
            let all = words.iter().map(|(_, w)| IntBound::constant(*w));
            let best = all.reduce(IntBound::join).expect("some result");
            assert!(best.is_within(bound));
            sharp += u32::from(best == bound);
            count += 1;
        }
        writeln!(text, "{op} {}", sharp * 100 / count).expect("a string");
    }
    expect![[r#"
        int_add 100
        int_sub 100
        int_mul 52
        int_div 82
        int_rem 69
        uint_div 75
        uint_rem 57
        int_and 81
        int_or 62
        int_xor 48
        int_shl 67
        int_shr 86
        uint_shr 78
        int_neg 100
        int_not 100
        int_sext8 100
        int_sext16 100
        int_sext32 100
        int_eq 100
        int_ne 100
        int_lt 100
        int_le 100
        int_gt 100
        int_ge 100
        uint_lt 100
        uint_le 100
        uint_gt 100
        uint_ge 100
        int_is_zero 100
        int_is_true 100
        int_add_overflows 100
        int_sub_overflows 100
        int_mul_overflows 100
        uint_mul_overflows 100
        int_leading_zeros 96
        int_trailing_zeros 59
        int_count_ones 58
        int_swap_bytes 60
    "#]]
    .assert_eq(&text);
}

#[test]
fn operands_of_small_results() {
    let bounds = small_bounds();
    for op in int_ops() {
        for args in operands(&bounds, op.params().len()) {
            let words = results(op, &args);
            // A result that is known to be one of the least half.
            let least = words.iter().map(|(_, w)| *w).min().expect("some result");
            let middle = words[words.len() / 2].1;
            for result in [IntBound::constant(least), IntBound::interval(least, middle)] {
                for which in 0..args.len() {
                    let learned = operand(op, which, &args, result);
                    assert!(learned.is_within(args[which]));
                    for (operands, _) in words.iter().filter(|(_, w)| result.contains(*w)) {
                        let word = operands[which];
                        assert!(
                            learned.contains(word),
                            "{op}{operands:?}: {args:?} {result:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn what_overflow_checks_teach() {
    let bounds = small_bounds();
    for (check, arithmetic) in [
        (DataOp::IntAddOverflows, DataOp::IntAdd),
        (DataOp::IntSubOverflows, DataOp::IntSub),
        (DataOp::IntMulOverflows, DataOp::IntMul),
    ] {
        for args in operands(&bounds, 2) {
            let sum = exact(check, args[0], args[1]);
            for (words, outcome) in results(check, &args) {
                for which in 0..2 {
                    let learned = checked(check, which, &args, outcome == 1);
                    assert!(learned.contains(words[which]), "{check}{words:?}: {args:?}");
                }
                let word = run(arithmetic, &words);
                assert!(
                    outcome == 1 || sum.contains(word),
                    "{check}{words:?}: {args:?}"
                );
            }
        }
    }
}

#[test]
fn unchanged_operands_are_the_result() {
    let bounds = small_bounds();
    for op in int_ops() {
        for args in operands(&bounds, op.params().len()) {
            if let Some(which) = unchanged(op, &args) {
                let same = |(words, result): (Vec<i64>, i64)| words[which] == result;
                assert!(results(op, &args).into_iter().all(same), "{op} {args:?}");
            }
        }
    }
}

#[test]
fn outcomes_of_small_comparisons() {
    let bounds = small_bounds();
    for op in int_ops() {
        let Some(relation) = Relation::of_op(op) else {
            continue;
        };
        for args in operands(&bounds, 2) {
            let (a, b) = (args[0], args[1]);
            let left = taught(relation, a, b);
            let right = taught(relation.swapped(), b, a);
            assert!(left.is_within(a) && right.is_within(b));
            for (words, outcome) in results(op, &args) {
                if outcome == 1 {
                    assert!(
                        left.contains(words[0]) && right.contains(words[1]),
                        "{op} {args:?}"
                    );
                }
                assert_ne!(relation.decided(a, b), Some(outcome == 0));
            }
        }
    }
}

#[test]
fn meets_joins_and_widenings_lose_nothing() {
    let bounds = small_bounds();
    for args in operands(&bounds, 2) {
        let (a, b) = (args[0], args[1]);
        let both: Vec<i64> = members(a).into_iter().filter(|&w| b.contains(w)).collect();
        match a.meet(b) {
            Some(meet) => assert!(both == members(meet)),
            None => assert!(both.is_empty()),
        }
        let wide = a.widen(b);
        assert!(a.is_within(a.join(b)) && b.is_within(a.join(b)));
        assert!(a.is_within(wide) && b.is_within(wide));
        assert!(!b.is_within(a) || wide == a);
    }
}

/// A generator of words and bounds, near the edges more often than not.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn word(&mut self) -> i64 {
        let near = (self.next() % 9) as i64 - 4;
        match self.next() % 6 {
            0 => i64::MIN.wrapping_add(near),
            1 => i64::MAX.wrapping_add(near),
            2 => near,
            3 => (1i64 << (self.next() % 64)).wrapping_add(near),
            4 => self.next() as i64 >> (self.next() % 64),
            _ => self.next() as i64,
        }
    }

    fn bound(&mut self) -> IntBound {
        loop {
            let (x, y, bits) = (self.word(), self.word(), self.next());
            let sparse = self.next() & self.next() & self.next();
            let (zeros, ones) = match self.next() % 4 {
                0 => (0, 0),
                1 => (1 << (self.next() % 64), 0),
                _ => (sparse & bits, sparse & !bits),
            };
            if let Some(b) = IntBound::new(x.min(y), x.max(y), zeros, ones) {
                return b;
            }
        }
    }

    /// A word that the bound admits.
    fn member(&mut self, b: IntBound) -> i64 {
        match self.next() % 4 {
            0 => b.lo,
            1 => b.hi,
            _ => {
                let word = (self.word() as u64 & !b.zeros | b.ones) as i64;
                let from = word.clamp(b.lo, b.hi);
                least_from(from, b.zeros, b.ones).expect("the greatest is one")
            }
        }
    }
}

#[test]
fn random_bounds() {
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    for _ in 0..20_000 {
        let bounds = [rng.bound(), rng.bound()];
        for op in int_ops() {
            let args = &bounds[..op.params().len()];
            let bound = IntBound::of_op(op, args);
            let words: Vec<i64> = args.iter().map(|&b| rng.member(b)).collect();
            let word = run(op, &words);
            assert!(
                bound.contains(word),
                "{op}{words:?} = {word:#x}: {args:x?} {bound:x?}"
            );
            let result = rng.bound().join(IntBound::constant(word));
            for (which, &x) in words.iter().enumerate() {
                let learned = operand(op, which, args, bound.and(result));
                assert!(
                    learned.contains(x),
                    "{op}{words:?}: {args:x?} {result:x?} {learned:x?}"
                );
            }
            if let Some(relation) = Relation::of_op(op) {
                let known = if word == 1 {
                    relation
                } else {
                    relation.opposite()
                };
                assert!(taught(known, bounds[0], bounds[1]).contains(words[0]));
                assert!(taught(known.swapped(), bounds[1], bounds[0]).contains(words[1]));
            }
        }
    }
}

#[test]
fn refinement_finds_the_least_word() {
    let mut rng = Rng(12345);
    for _ in 0..20_000 {
        let (bits, from) = (rng.next(), rng.word());
        let unknown = (0..4).fold(0, |m, _| m | 1u64 << (rng.next() % 64));
        let (zeros, ones) = (!bits & !unknown, bits & !unknown);
        let all = (0..16u64)
            .map(|n| spread(n, unknown) | ones)
            .map(|w| w as i64);
        let expected = all.filter(|&w| w >= from).min();
        assert_eq!(least_from(from, zeros, ones), expected);
    }
}

/// The low bits of a number at the places of a mask.
fn spread(mut n: u64, mut mask: u64) -> u64 {
    let mut word = 0;
    while mask != 0 {
        let bit = mask & mask.wrapping_neg();
        word |= bit * (n & 1);
        n >>= 1;
        mask ^= bit;
    }
    word
}

#[test]
fn widening_ends_soon() {
    let mut rng = Rng(777);
    for _ in 0..5_000 {
        let mut bound = rng.bound();
        let mut steps = 0;
        for _ in 0..1_000 {
            let wider = bound.widen(rng.bound());
            steps += u32::from(wider != bound);
            bound = wider;
        }
        assert!(steps <= 40, "{steps} steps");
    }
    // A counter needs two.
    let one = IntBound::constant(1);
    let up =
        |b: IntBound| IntBound::of_op(DataOp::IntAdd, &[b.and(IntBound::interval(0, 99)), one]);
    let first = one.widen(up(one));
    assert_eq!(first, IntBound::interval(1, i64::MAX));
    assert_eq!(first.widen(up(first)), first);
}

#[test]
fn assumptions_are_tracked() {
    let add =
        |x: Range, y: Range| Range::lift([x, y], |[x, y]| IntBound::of_op(DataOp::IntAdd, &[x, y]));
    let index = Range::assumption(IntBound::interval(0, 9), 3);
    let sum = add(index, Range::sure(IntBound::constant(1)));
    assert_eq!(sum.assumed, IntBound::interval(1, 10));
    assert_eq!((sum.sure, sum.needs), (IntBound::TOP, Needs::one(3)));
    // A guard that shows more than the assumption makes it superfluous.
    let shown = sum.and(Range::sure(IntBound::interval(2, 5)));
    assert_eq!(shown, Range::sure(IntBound::interval(2, 5)));
    // Of two assumptions, only the one that contributes counts.
    let other = Range::assumption(IntBound::interval(3, 4), 5);
    assert_eq!(sum.and(other).needs, Needs::one(5));
}

/// `op(a, b)` for bounds written as `lo..=hi`, a word, `?` for any word, or bits with `x` for
/// unknown ones.
fn check(input: &str, expected: Expect) {
    let (op, args) = input
        .trim_end_matches(')')
        .split_once('(')
        .expect("op(args)");
    let op = DataOp::from_name(op).expect("an operation");
    let args: Vec<IntBound> = args.split(", ").map(read).collect();
    expected.assert_eq(&show(IntBound::of_op(op, &args)));
}

fn read(text: &str) -> IntBound {
    if text == "?" {
        return IntBound::TOP;
    }
    if let Some(bits) = text.strip_prefix("0b") {
        let digit = |c| bits.chars().fold(0, |n, d| n << 1 | u64::from(d == c));
        let above = !0 << bits.len();
        return IntBound::bits(
            digit('0') | if bits.starts_with('x') { 0 } else { above },
            digit('1'),
        );
    }
    let number = |t: &str| match t {
        "MIN" => i64::MIN,
        "MAX" => i64::MAX,
        _ => t.parse().expect("a number"),
    };
    match text.split_once("..=") {
        Some((lo, hi)) => IntBound::interval(number(lo), number(hi)),
        None => IntBound::constant(number(text)),
    }
}

fn show(b: IntBound) -> String {
    let number = |n: i64| match n {
        i64::MIN => "MIN".to_string(),
        i64::MAX => "MAX".to_string(),
        n => n.to_string(),
    };
    let interval = match b.as_word() {
        Some(word) => return number(word),
        None => format!("{}..={}", number(b.lo), number(b.hi)),
    };
    // What the bits add to the interval.
    let known = b.known() & !IntBound::interval(b.lo, b.hi).known();
    if known == 0 {
        return interval;
    }
    format!("{interval} with {:#x} in {known:#x}", b.ones & known)
}

#[test]
fn precision() {
    let golden = [
        ("int_and(?, 15)", expect!["0..=15"]),
        (
            "int_and(?, -8)",
            expect!["MIN..=9223372036854775800 with 0x0 in 0x7"],
        ),
        ("int_and(-100..=-3, 7..=9)", expect!["0..=9"]),
        ("int_or(0..=5, 8)", expect!["8..=15"]),
        (
            "int_or(?, 1)",
            expect!["-9223372036854775807..=MAX with 0x1 in 0x1"],
        ),
        ("int_xor(0..=7, 0..=15)", expect!["0..=15"]),
        ("int_not(0..=9)", expect!["-10..=-1"]),
        ("int_neg(MIN..=-1)", expect!["MIN..=MAX"]),
        ("int_neg(-5..=9)", expect!["-9..=5"]),
        ("int_add(0..=9, 1)", expect!["1..=10"]),
        ("int_add(1..=MAX, 1)", expect!["MIN..=MAX"]),
        ("int_add(MAX, 1..=2)", expect!["MIN..=-9223372036854775807"]),
        ("int_add(0b1x00, 0b100)", expect!["12..=16 with 0x0 in 0x3"]),
        ("int_sub(0..=9, 0..=9)", expect!["-9..=9"]),
        (
            "int_mul(?, 8)",
            expect!["MIN..=9223372036854775800 with 0x0 in 0x7"],
        ),
        ("int_mul(-3..=4, -5..=6)", expect!["-20..=24"]),
        ("int_div(-7..=100, -2..=3)", expect!["-100..=100"]),
        ("int_div(MIN..=5, -1)", expect!["MIN..=MAX"]),
        ("int_rem(?, 10)", expect!["-9..=9"]),
        ("int_rem(0..=MAX, -8..=8)", expect!["0..=7"]),
        ("int_rem(-3..=4, 100..=200)", expect!["-3..=4"]),
        ("int_rem(0b1x01, 4)", expect!["1"]),
        ("uint_div(?, 16)", expect!["0..=1152921504606846975"]),
        ("uint_div(10..=20, 0..=3)", expect!["0..=20"]),
        ("uint_rem(?, 1..=10)", expect!["0..=9"]),
        ("int_shl(1, 0..=4)", expect!["1..=16"]),
        (
            "int_shl(?, 3)",
            expect!["MIN..=9223372036854775800 with 0x0 in 0x7"],
        ),
        ("int_shr(-100..=100, 2)", expect!["-25..=25"]),
        ("int_shr(0..=100, ?)", expect!["0..=100"]),
        ("uint_shr(?, 60)", expect!["0..=15"]),
        (
            "uint_shr(-1, 1..=2)",
            expect!["4611686018427387903..=MAX with 0x3fffffffffffffff in 0x3fffffffffffffff"],
        ),
        ("int_sext8(?)", expect!["-128..=127"]),
        ("int_sext8(120..=127)", expect!["120..=127"]),
        ("int_sext8(128..=255)", expect!["-128..=-1"]),
        ("int_sext16(0b1x00)", expect!["8..=12 with 0x0 in 0x3"]),
        (
            "int_sext32(-5..=5000000000)",
            expect!["-2147483648..=2147483647"],
        ),
        ("int_lt(0..=9, 10..=20)", expect!["1"]),
        ("int_lt(0..=9, 9..=20)", expect!["0..=1"]),
        ("int_eq(0b1x00, 0b1x01)", expect!["0"]),
        ("uint_lt(0..=9, -1)", expect!["1"]),
        ("uint_lt(-5..=-1, 0..=MAX)", expect!["0"]),
        ("int_is_zero(0b1x00)", expect!["0"]),
        ("int_is_true(0..=1)", expect!["0..=1"]),
        ("int_add_overflows(MIN..=98, 1)", expect!["0"]),
        ("int_add_overflows(MAX, 1..=2)", expect!["1"]),
        ("int_sub_overflows(0..=MAX, 0..=MAX)", expect!["0"]),
        ("int_mul_overflows(-65536..=65536, 0..=1000)", expect!["0"]),
        ("int_mul_overflows(?, ?)", expect!["0..=1"]),
    ];
    for (input, expected) in golden {
        check(input, expected);
    }
}
