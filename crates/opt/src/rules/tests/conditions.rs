//! What is known of bounds is true of the words in them.

use super::super::conditions::{Names, holds};
use super::super::pattern::{Cond, MAX_NAMES, Term};
use super::super::table::RULES;
use super::words::{Words, candidate};
use super::{Rng, has_floats, names};
use crate::bounds::IntBound;

struct Constants([u64; MAX_NAMES]);

impl Names for Constants {
    fn word(&self, constant: u8) -> u64 {
        self.0[constant as usize]
    }
}

/// The least bound that admits these words.
fn around(words: &[u64]) -> IntBound {
    let signed = || words.iter().map(|&w| w as i64);
    IntBound {
        lo: signed().min().expect("a word"),
        hi: signed().max().expect("a word"),
        zeros: !words.iter().fold(0, |all, w| all | w),
        ones: words.iter().fold(u64::MAX, |all, w| all & w),
    }
}

#[test]
fn what_is_known_is_true() {
    let mut rng = Rng(77);
    let mut known = 0;
    for rule in RULES.iter().filter(|rule| !has_floats(rule)) {
        let names = names(rule);
        for _ in 0..300 {
            // Up to three words for each variable, one for each constant.
            let samples: Vec<Vec<u64>> = names
                .iter()
                .map(|name| match name.is_variable() {
                    true => (0..1 + rng.word() % 3)
                        .map(|_| candidate(&mut rng, name.ty))
                        .collect(),
                    false => vec![candidate(&mut rng, name.ty)],
                })
                .collect();
            let mut constants = Constants([0; MAX_NAMES]);
            let mut bounds = [IntBound::TOP; MAX_NAMES];
            for (name, words) in names.iter().zip(&samples) {
                match name.term {
                    Term::Var(v) => bounds[v as usize] = around(words),
                    Term::Const(c) => constants.0[c as usize] = words[0],
                    _ => unreachable!("only those are names"),
                }
            }
            let about_words = |c: &Cond| !matches!(c, Cond::Differs(_) | Cond::Unknown(_));
            for cond in rule.conds().filter(about_words) {
                if !holds(rule, &constants, cond, &bounds) {
                    continue;
                }
                known += 1;
                for _ in 0..8 {
                    let words: Vec<u64> = samples.iter().map(|words| rng.pick(words)).collect();
                    let words = Words {
                        rule,
                        names: &names,
                        words: &words,
                    };
                    assert!(
                        words.holds(cond),
                        "{}: {cond:?} for {:x?}",
                        rule.text,
                        words.words
                    );
                }
            }
        }
    }
    assert!(known > 1000, "only {known} conditions were known");
}
