//! Random programs do the same without the JIT, with it, and when everything is compiled at once.
//! In: `FUZZ_SEED` and `FUZZ_PROGRAMS` of the environment. Out: a failure with the first program
//! that does not. Invariant: a seed gives the same programs everywhere.
//!
//! `FUZZ_SEED=7 FUZZ_PROGRAMS=10000 cargo test --release --test fuzz` looks longer, and elsewhere.

#[path = "../common/mod.rs"]
mod common;
mod program;

fn number(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|e| panic!("{name}: {e}")),
        Err(_) => default,
    }
}

#[test]
fn random_programs_agree() {
    let (seed, count) = (number("FUZZ_SEED", 1), number("FUZZ_PROGRAMS", 60));
    let (mut loops, mut finished) = (0, 0);
    for n in seed..seed + count {
        let text = program::random(&mut fastrand::Rng::with_seed(n));
        let expected = common::run(&text, "off");
        for jit in &common::SETTINGS[1..] {
            let found = common::run(&text, jit);
            let (expected, found_text) = (common::said(&expected), common::said(&found));
            assert_eq!(
                found_text, expected,
                "--jit {jit}; once more with FUZZ_SEED={n} FUZZ_PROGRAMS=1:\n{text}"
            );
            loops += found.stats.loops;
        }
        finished += u64::from(expected.error.is_none());
    }
    // A generator whose programs compile nothing, or all end with an error, would find nothing.
    if count >= 60 {
        assert!(loops > count, "{loops} loops were compiled");
        assert!(
            finished > count / 4,
            "{finished} programs came to their end"
        );
    }
}
