//! Both sides of every rule are equal: on words of a width of 8, and on edges and random words of
//! 64. The words of width 8 are all of them; of a third variable, all if `VERDIGRIS_TESTS=all` is
//! in the environment.

use super::super::pattern::Rule;
use super::super::table::RULES;
use super::narrow::Narrow;
use super::words::{Words, candidate, edges};
use super::{Name, Rng, has_floats, names};

/// Runs a check on every rule, on two threads.
fn for_all_rules(check: impl Fn(&'static Rule) + Sync) {
    let check = &check;
    std::thread::scope(|scope| {
        for half in 0..2 {
            scope.spawn(move || RULES.iter().skip(half).step_by(2).for_each(check));
        }
    });
}

#[test]
fn integer_rules_hold_for_words_of_width_8() {
    for_all_rules(|rule| {
        if has_floats(rule) {
            return;
        }
        let names = names(rule);
        assert!(names.len() <= 3, "{}: too many to try all", rule.text);
        let mut narrow = Narrow::new(rule, &names);
        let all = if names.len() > 1 { 0..=255 } else { 0..=0 };
        let others = match names.len() {
            ..=2 => vec![0],
            _ if std::env::var("VERDIGRIS_TESTS").is_ok_and(|tests| tests == "all") => {
                (0..=255).collect()
            }
            _ => some_words(5),
        };
        for second in all {
            for &third in &others {
                if let Some(first) = narrow.counterexample([second, third]) {
                    panic!("{}\n  is wrong for {first}, {second}, {third}", rule.text);
                }
            }
        }
    });
}

/// Every `step`th word of width 8, and edges.
fn some_words(step: usize) -> Vec<u8> {
    let edges = [1, 2, 4, 8, 16, 32, 64, 128, 127, 254];
    (0..=255).step_by(step).chain(edges).collect()
}

/// A rule whose conditions hold for no word would be proved by nothing, and so would a line that is
/// not in the table.
#[test]
fn no_rule_lacks_its_proof() {
    let text = include_str!("../algebra.rules");
    let lines = text
        .lines()
        .filter(|l| !l.starts_with('#') && l.contains("=>"));
    assert_eq!(lines.count(), RULES.len());
    for_all_rules(|rule| {
        if has_floats(rule) {
            // Proved by edges and random words, of which that test says itself that some satisfy
            // the conditions.
            return;
        }
        let names = names(rule);
        let mut narrow = Narrow::new(rule, &names);
        let words = some_words(17);
        let pairs = words
            .iter()
            .flat_map(|&a| words.iter().map(move |&b| [a, b]));
        for pair in pairs {
            narrow.counterexample(pair);
        }
        assert!(
            narrow.held > 0,
            "{}: proved for no words of width 8",
            rule.text
        );
    });
}

#[test]
fn rules_hold_for_edges_and_random_words() {
    for_all_rules(|rule| {
        let names = names(rule);
        let edges: Vec<Vec<u64>> = names.iter().map(|name| edges(name.ty)).collect();
        let mut words = Vec::new();
        let mut held = all_of(rule, &names, &edges, &mut words);
        let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
        for _ in 0..5_000 {
            words.clear();
            words.extend(names.iter().map(|name| candidate(&mut rng, name.ty)));
            held += u32::from(check(rule, &names, &words));
        }
        assert!(held > 0, "{}: no words satisfy the conditions", rule.text);
    });
}

/// Tries all combinations of edges, and counts those that satisfy the conditions.
fn all_of(rule: &Rule, names: &[Name], edges: &[Vec<u64>], words: &mut Vec<u64>) -> u32 {
    let Some(next) = edges.get(words.len()) else {
        return u32::from(check(rule, names, words));
    };
    let mut held = 0;
    for &word in next {
        words.push(word);
        held += all_of(rule, names, edges, words);
        words.pop();
    }
    held
}

/// Whether the conditions hold of these words; then the sides must be equal.
fn check(rule: &Rule, names: &[Name], words: &[u64]) -> bool {
    let words = Words { rule, names, words };
    if !words.conditions_hold() {
        return false;
    }
    assert!(
        words.sides_are_equal(),
        "{}\n  is wrong for {:x?}: {:x} is not {:x}",
        rule.text,
        words.words,
        words.value(rule.before),
        words.value(rule.after),
    );
    true
}
