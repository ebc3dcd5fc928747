//! Tests of the table as a whole: each is a loop over all rules, so a new rule has them all.
//!
//! * `proof`: both sides are equal, exhaustively at a width of 8, and on edges at 64;
//! * `measure`: what a rule makes is cheaper;
//! * `conditions`: what is known of bounds is true of words;
//! * `fires`: the optimiser applies the rule, and a model machine sees no difference;
//! * `refused`: rules that are wrong, each with words that show it.

mod conditions;
mod fires;
mod measure;
mod narrow;
mod proof;
mod refused;
mod words;

use super::pattern::{Rule, Term, TermId};
use verdigris_ops::{DataOp, Ty};

/// A name of a rule, and its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Name {
    term: Term,
    ty: Ty,
}

impl Name {
    fn is_variable(self) -> bool {
        matches!(self.term, Term::Var(_))
    }
}

/// The terms of a rule.
fn terms(rule: &Rule) -> impl Iterator<Item = (TermId, Term)> + '_ {
    (0..rule.len).map(|t| (TermId(t), rule.term(TermId(t))))
}

/// The names of a rule: variables in their order, then constants in theirs.
fn names(rule: &Rule) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    for (_, term) in terms(rule) {
        let Term::Op(op, operands) = term else {
            continue;
        };
        for (&ty, t) in op.params().iter().zip(operands) {
            let term = rule.term(t);
            if !matches!(term, Term::Var(_) | Term::Const(_)) {
                continue;
            }
            match names.iter().find(|name| name.term == term) {
                Some(known) => assert_eq!(known.ty, ty, "{}: {term:?}", rule.text),
                None => names.push(Name { term, ty }),
            }
        }
    }
    names.sort_by_key(|name| match name.term {
        Term::Var(v) => (0, v),
        Term::Const(c) => (1, c),
        _ => unreachable!("only those are names"),
    });
    names
}

/// The type of a term.
fn ty(rule: &Rule, t: TermId) -> Ty {
    match rule.term(t) {
        Term::Op(op, _) => op.ret().expect("a pure operation has a result"),
        Term::Float(_) => Ty::Float,
        term => names(rule)
            .iter()
            .find(|name| name.term == term)
            .map_or(Ty::Int, |name| name.ty),
    }
}

/// Whether a rule is about doubles.
fn has_floats(rule: &Rule) -> bool {
    let float = |op: DataOp| op.ret() == Some(Ty::Float) || op.params().contains(&Ty::Float);
    terms(rule).any(|(_, term)| matches!(term, Term::Op(op, _) if float(op)))
}

/// A small generator of random numbers.
struct Rng(u64);

impl Rng {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.word() as usize % from.len()]
    }
}

#[test]
fn rules_are_well_typed_and_have_names_of_their_own() {
    let mut seen = std::collections::HashSet::new();
    for rule in &super::table::RULES {
        assert!(seen.insert(rule.name), "two rules are called {}", rule.name);
        assert_eq!(ty(rule, rule.before), ty(rule, rule.after), "{}", rule.text);
        for (_, term) in terms(rule) {
            if let Term::Op(op, operands) = term {
                for (&param, t) in op.params().iter().zip(operands) {
                    assert_eq!(ty(rule, t), param, "{}: {op}", rule.text);
                }
            }
        }
    }
}
