//! Rewriting ends: what each rule makes is less, by the measure of `rules`.

use super::super::pattern::{Rule, Term, TermId};
use super::super::table::RULES;
use super::words::{INTS, Words};
use super::{names, terms};
use verdigris_ops::DataOp;

/// How dear an operation is, and among equals, how far from the form that other rules look for.
/// Operations that mirror each other have the same rank, since the matcher itself chooses between
/// them.
fn rank(op: DataOp) -> u32 {
    use DataOp::*;
    match op {
        IntIsTrue | IntIsZero => 0,
        IntNot | IntNeg => 1,
        IntSext8 | IntSext16 | IntSext32 | IntAnd | IntOr | IntXor | FloatNeg | FloatAbs => 2,
        IntAdd => 3,
        IntSub => 4,
        UintShr => 5,
        IntShl => 6,
        IntShr => 7,
        IntEq | IntNe | PtrEq | PtrNe | FloatEq | FloatNe => 8,
        IntLt | IntLe | IntGt | IntGe => 9,
        UintLt | UintLe | UintGt | UintGe | FloatLt | FloatLe | FloatGt | FloatGe => 10,
        IntAddOverflows => 11,
        IntSubOverflows | IntMulOverflows | UintMulOverflows => 12,
        IntMul | FloatAdd | FloatSub => 13,
        FloatMul => 14,
        UintDiv | UintRem | IntDiv | IntRem | FloatDiv => 15,
        _ => 16,
    }
}

/// How many operations stand in a term that are not computed from constants.
fn operations(rule: &Rule, t: TermId) -> u32 {
    match rule.term(t) {
        _ if rule.is_constant(t) => 0,
        Term::Op(op, [a, b]) => {
            let second = if op.params().len() > 1 {
                operations(rule, b)
            } else {
                0
            };
            1 + operations(rule, a) + second
        }
        _ => 0,
    }
}

/// How often a variable stands in a term.
fn occurrences(rule: &Rule, t: TermId, variable: Term) -> u32 {
    match rule.term(t) {
        term if term == variable => 1,
        Term::Op(op, [a, b]) => {
            let second = if op.params().len() > 1 {
                occurrences(rule, b, variable)
            } else {
                0
            };
            occurrences(rule, a, variable) + second
        }
        _ => 0,
    }
}

#[test]
fn what_a_rule_makes_is_less() {
    for rule in &RULES {
        let (before, after) = (operations(rule, rule.before), operations(rule, rule.after));
        assert!(after <= 1, "{}: makes more than one operation", rule.text);
        for name in names(rule).iter().filter(|name| name.is_variable()) {
            let [was, is] = [rule.before, rule.after].map(|t| occurrences(rule, t, name.term));
            assert!(was > 0, "{}: {name:?} comes from nowhere", rule.text);
            assert!(is <= was, "{}: {name:?} stands there more often", rule.text);
        }
        if before > after {
            continue;
        }
        let Term::Op(made, operands) = rule.term(rule.after) else {
            panic!("{}: makes no operation, but is not less", rule.text)
        };
        let (root, was) = rule.root();
        match rank(root).cmp(&rank(made)) {
            std::cmp::Ordering::Greater => {}
            std::cmp::Ordering::Equal if root == made => {
                assert_eq!(rule.term(was[0]), rule.term(operands[0]), "{}", rule.text);
                the_constant_shrinks(rule, was[1], operands[1]);
            }
            _ => panic!("{}: {made} is no cheaper than {root}", rule.text),
        }
    }
}

/// Whenever the conditions hold, the constant becomes a smaller unsigned word.
fn the_constant_shrinks(rule: &Rule, from: TermId, to: TermId) {
    let names = names(rule);
    let constants: Vec<usize> = (0..names.len())
        .filter(|&n| !names[n].is_variable())
        .collect();
    assert_eq!(constants.len(), 1, "{}", rule.text);
    let mut words = vec![0; names.len()];
    for c in INTS {
        words[constants[0]] = c as u64;
        let words = Words {
            rule,
            names: &names,
            words: &words,
        };
        if words.conditions_hold() {
            assert!(words.value(to) < words.value(from), "{}: {c}", rule.text);
        }
    }
}

#[test]
fn a_pattern_has_no_constant_first_where_it_stands_second() {
    for rule in &RULES {
        for (t, term) in terms(rule) {
            if t.0 > rule.before.0 || rule.is_constant(t) {
                continue;
            }
            if let Term::Op(op, [a, b]) = term
                && crate::state::op_symmetry::mirror(op).is_some()
                && a != b
            {
                assert!(!rule.is_constant(a), "{}: {op}", rule.text);
            }
        }
    }
}
