//! Rules that must not exist, in the language of the table. In: `refused.rules`. Out: for each,
//! words on which its sides differ (which also shows that the proofs can fail), and that the
//! optimiser keeps the operation.

use super::super::parse::rules;
use super::super::pattern::Rule;
use super::fires::Example;
use super::words::{Words, candidate, edges};
use super::{Rng, names};
use verdigris_trace::{Opcode, Trace, parse};

const TEXT: &str = include_str!("refused.rules");
const DESCRS: &str = "class Pair { first: ref, second: ref }";

fn refused() -> Vec<Rule> {
    const COUNT: usize = super::super::parse::count(TEXT);
    rules::<COUNT>(TEXT).to_vec()
}

/// Words that satisfy the conditions, and on which the sides differ by more than a NaN's quiet bit.
fn counterexample(rule: &Rule) -> Option<Vec<u64>> {
    let names = names(rule);
    let mut rng = Rng(99);
    let edge: Vec<Vec<u64>> = names.iter().map(|name| edges(name.ty)).collect();
    (0..20_000).find_map(|n| {
        let words: Vec<u64> = names
            .iter()
            .zip(&edge)
            .map(|(name, edge)| match n % 2 {
                0 => rng.pick(edge),
                _ => candidate(&mut rng, name.ty),
            })
            .collect();
        let at = Words {
            rule,
            names: &names,
            words: &words,
        };
        (at.conditions_hold() && !at.sides_are_equal()).then_some(words)
    })
}

#[test]
fn they_are_wrong() {
    for rule in refused() {
        assert!(
            counterexample(&rule).is_some(),
            "{}: seems right",
            rule.text
        );
    }
}

#[test]
fn the_optimiser_keeps_the_operation() {
    let descrs = verdigris_trace::parse_descrs(DESCRS).expect("the descriptors parse");
    for rule in refused() {
        let example = Example::of(&rule);
        let before = parse(&descrs, &example.text()).expect("the trace parses");
        let (after, _) = example.optimise(&descrs, &before);
        example.compare(&descrs, &before, &after);
        let kept = (operations(&before), operations(&after));
        assert_eq!(kept.0, kept.1, "{}", rule.text);
    }
}

fn operations<F>(trace: &Trace<F>) -> usize {
    let opcodes = trace.ops().iter().map(|op| op.opcode());
    opcodes.filter(|o| matches!(o, Opcode::Data(_))).count()
}
