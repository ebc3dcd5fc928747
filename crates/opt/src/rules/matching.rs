//! Finds the rule that fits an operation, whose operands have constants second.
//!
//! Rules are found by the operation that they start from. What each operand must be, a constant or
//! the result of a certain operation, is one bit test per operand; few rules survive it.

use super::conditions::{self, Names, value, variables};
use super::pattern::{Cond, MAX_CONDS, MAX_NAMES, Rule, Term, TermId};
use super::table::RULES;
use crate::bounds::IntBound;
use crate::section::Section;
use crate::state::node::{Node, NodeId, Nodes};
use crate::state::op_symmetry::commutes;
use crate::state::pure_table::PureKey;
use smallvec::SmallVec;
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::Const;

/// The replacement of an operation.
pub(crate) enum Rewrite {
    /// A value that exists.
    Node(NodeId),
    /// A cheaper operation.
    Op(DataOp, SmallVec<[NodeId; 3]>),
}

/// A rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RuleId(u16);

/// The kinds of an operand: a bit for the operation that computed it, and some for other knowledge.
type Kinds = u64;
const ANY: Kinds = 1 << 63;
const CONSTANT: Kinds = 1 << 62;
const ZERO: Kinds = 1 << 61;
const ONE: Kinds = 1 << 60;
const MINUS_ONE: Kinds = 1 << 59;
/// A constant, or an integer with a bound.
const BOUNDED: Kinds = 1 << 58;
/// The operands are the same.
const SAME: Kinds = 1 << 57;
const _: () = assert!(
    DataOp::ALL.len() <= 121,
    "there is a bit for each operation"
);

/// How many operations of one pattern may commute.
const MAX_SWAPS: usize = 3;

/// The first test of a rule.
#[derive(Clone, Copy)]
struct Head {
    rule: RuleId,
    /// The kinds that each operand may have.
    accepts: [Kinds; 2],
    /// Whether the operands of the whole pattern may stand in either order.
    root_swaps: bool,
    /// All operations of the pattern whose operands may.
    swaps: [Option<TermId>; MAX_SWAPS],
}

/// The heads in the order of the operations they start from.
static HEADS: [Head; RULES.len()] = heads();
/// For each operation, where its heads begin; at its successor's they end.
static STARTS: [u16; DataOp::ALL.len() + 1] = starts();

const fn heads() -> [Head; RULES.len()] {
    let mut heads = [Head {
        rule: RuleId(0),
        accepts: [0; 2],
        root_swaps: false,
        swaps: [None; MAX_SWAPS],
    }; RULES.len()];
    let (mut n, mut op) = (0, 0);
    while op < DataOp::ALL.len() {
        let mut r = 0;
        while r < RULES.len() {
            if RULES[r].root().0 as usize == op {
                heads[n] = head(&RULES[r], RuleId(r as u16));
                n += 1;
            }
            r += 1;
        }
        op += 1;
    }
    heads
}

const fn starts() -> [u16; DataOp::ALL.len() + 1] {
    let mut starts = [0; DataOp::ALL.len() + 1];
    let mut r = 0;
    while r < RULES.len() {
        starts[RULES[r].root().0 as usize + 1] += 1;
        r += 1;
    }
    let mut op = 0;
    while op < DataOp::ALL.len() {
        starts[op + 1] += starts[op];
        op += 1;
    }
    starts
}

const fn head(rule: &Rule, id: RuleId) -> Head {
    let (_, [a, b]) = rule.root();
    let mut swaps = [None; MAX_SWAPS];
    let mut root_swaps = false;
    let (mut n, mut t) = (0, 0);
    while t <= rule.before.0 {
        if let Term::Op(op, [a, b]) = rule.term(TermId(t))
            && commutes(op)
            && !rule.is_constant(a)
            && !rule.is_constant(b)
            && !is_same_variable(rule, a, b)
        {
            swaps[n] = Some(TermId(t));
            root_swaps |= t == rule.before.0;
            n += 1;
        }
        t += 1;
    }
    let mut accepts = [accepts(rule, a), accepts(rule, b)];
    if a.0 != b.0 && is_same_variable(rule, a, b) {
        accepts[0] = SAME;
    }
    Head {
        rule: id,
        accepts,
        root_swaps,
        swaps,
    }
}

const fn is_same_variable(rule: &Rule, a: TermId, b: TermId) -> bool {
    matches!((rule.term(a), rule.term(b)), (Term::Var(x), Term::Var(y)) if x == y)
}

/// The kinds that the operand at `t` may have.
const fn accepts(rule: &Rule, t: TermId) -> Kinds {
    match rule.term(t) {
        Term::Var(_) if is_conditional(rule, t) => BOUNDED,
        Term::Var(_) => ANY,
        Term::Number(0) => ZERO,
        Term::Number(1) => ONE,
        Term::Number(-1) => MINUS_ONE,
        Term::Op(op, _) if !rule.is_constant(t) => 1 << op as u32,
        _ => CONSTANT,
    }
}

/// Whether a condition on integers mentions a variable. It cannot be known to hold of an integer
/// without a bound: where it holds of all words, the table has a rule without the condition.
const fn is_conditional(rule: &Rule, t: TermId) -> bool {
    let variable = variables(rule, t);
    let mut n = 0;
    while n < MAX_CONDS {
        if let Some(Cond::Holds(_, [a, b]) | Cond::Fits(_, [a, b])) = rule.conds[n]
            && (variables(rule, a) | variables(rule, b)) & variable != 0
        {
            return true;
        }
        n += 1;
    }
    false
}

fn kinds(nodes: &Nodes, n: NodeId) -> Kinds {
    match nodes.get(n) {
        Node::Const(c) => {
            let value = match c {
                Const::Int(0) => ZERO,
                Const::Int(1) => ONE,
                Const::Int(-1) => MINUS_ONE,
                _ => 0,
            };
            ANY | CONSTANT | BOUNDED | value
        }
        Node::Real(r) => {
            let bounded = if r.range.assumed == IntBound::TOP {
                0
            } else {
                BOUNDED
            };
            // No rule asks for the operations at the end of the table.
            let def = r.def.as_ref();
            let def = def.map_or(0, |&(op, _)| {
                (1 as Kinds).checked_shl(op as u32).unwrap_or(0)
            });
            ANY | bounded | def
        }
        Node::Virtual(_) | Node::Forward(_) => ANY,
    }
}

impl Head {
    /// Whether operands of these kinds may match.
    fn may_match(&self, kinds: [Kinds; 2]) -> bool {
        let fit = |a: Kinds, b: Kinds| a & self.accepts[0] != 0 && b & self.accepts[1] != 0;
        let [a, b] = kinds;
        fit(a, b) || self.root_swaps && fit(b, a)
    }
}

#[cfg(test)]
thread_local! {
    /// The names of the rules that were applied.
    pub(super) static APPLIED: std::cell::RefCell<Vec<&'static str>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Applies the first rule that fits.
pub(crate) fn apply(section: &mut Section, op: DataOp, args: &[NodeId]) -> Option<Rewrite> {
    let heads = &HEADS[STARTS[op as usize].into()..STARTS[op as usize + 1].into()];
    let args = match *args {
        [x] => [x, x],
        [x, y] => [x, y],
        _ => return None,
    };
    if heads.is_empty() {
        return None;
    }
    let mut kinds = args.map(|n| kinds(&section.nodes, n));
    if section.nodes.find(args[0]) == section.nodes.find(args[1]) {
        kinds[0] |= SAME;
    }
    for head in heads.iter().filter(|head| head.may_match(kinds)) {
        if let Some(rewrite) = attempt(section, head, args) {
            #[cfg(test)]
            APPLIED.with_borrow_mut(|names| names.push(RULES[head.rule.0 as usize].name));
            return Some(rewrite);
        }
    }
    None
}

/// Applies one rule if it fits.
fn attempt(section: &mut Section, head: &Head, args: [NodeId; 2]) -> Option<Rewrite> {
    let rule = &RULES[head.rule.0 as usize];
    let (_, operands) = rule.root();
    let orders = 1u8 << head.swaps.iter().flatten().count();
    for swapped in 0..orders {
        let mut m = Match::new(rule, &section.nodes, head, swapped);
        if !m.operands(rule.before, operands, args) {
            continue;
        }
        let names = m.names;
        if rule
            .conds()
            .all(|cond| names.know(section, rule, args, cond))
        {
            return Some(names.make(section, rule));
        }
    }
    None
}

/// The values of a rule's names, as far as it has matched.
#[derive(Clone, Copy)]
struct Found {
    vars: [Option<NodeId>; MAX_NAMES],
    consts: [Option<Const>; MAX_NAMES],
}

/// A pattern that is being laid over operations.
struct Match<'a> {
    rule: &'static Rule,
    nodes: &'a Nodes,
    head: &'a Head,
    /// A bit for each of the head's swaps.
    swapped: u8,
    names: Found,
}

impl<'a> Match<'a> {
    fn new(rule: &'static Rule, nodes: &'a Nodes, head: &'a Head, swapped: u8) -> Match<'a> {
        Match {
            rule,
            nodes,
            head,
            swapped,
            names: Found {
                vars: [None; MAX_NAMES],
                consts: [None; MAX_NAMES],
            },
        }
    }

    /// The operands of the operation at `t`.
    fn operands(&mut self, t: TermId, [a, b]: [TermId; 2], [x, y]: [NodeId; 2]) -> bool {
        if a == b {
            return self.fits(a, x);
        }
        let swap = self.head.swaps.iter().position(|&s| s == Some(t));
        match swap.is_some_and(|bit| self.swapped >> bit & 1 != 0) {
            true => self.fits(a, y) && self.fits(b, x),
            false => self.fits(a, x) && self.fits(b, y),
        }
    }

    fn fits(&mut self, t: TermId, n: NodeId) -> bool {
        match self.rule.term(t) {
            Term::Var(v) => {
                let n = self.nodes.find(n);
                *self.names.vars[v as usize].get_or_insert(n) == n
            }
            Term::Const(c) => match self.nodes.as_const(n) {
                Some(word) => *self.names.consts[c as usize].get_or_insert(word) == word,
                None => false,
            },
            Term::Op(op, operands) if !self.rule.is_constant(t) => match self.nodes.def(n) {
                Some((def, args)) if def == op => {
                    let args = [args[0], args[args.len() - 1]];
                    self.operands(t, operands, args)
                }
                _ => false,
            },
            _ => self
                .nodes
                .as_const(n)
                .is_some_and(|c| c.word() == value(self.rule, &self.names, t)),
        }
    }
}

impl Names for Found {
    fn word(&self, constant: u8) -> u64 {
        self.consts[constant as usize]
            .expect("a pattern has all constants of its rule")
            .word()
    }
}

impl Found {
    fn var(&self, v: u8) -> NodeId {
        self.vars[v as usize].expect("a pattern has all variables of its rule")
    }

    /// Whether a condition is known to hold.
    fn know(&self, section: &mut Section, rule: &Rule, args: [NodeId; 2], cond: Cond) -> bool {
        let mentioned = match cond {
            Cond::Holds(_, [a, b]) | Cond::Fits(_, [a, b]) => {
                variables(rule, a) | variables(rule, b)
            }
            Cond::PowerOfTwo(_) | Cond::Reciprocal(_) => 0,
            Cond::Differs([a, b]) => {
                let (x, y) = (self.node(section, rule, a), self.node(section, rule, b));
                return section.nodes.are_distinct(x, y);
            }
            Cond::Unknown(op) => {
                let key = PureKey::data(op, &args);
                return section.pure.get(&key).is_none();
            }
        };
        let mut bounds = [IntBound::TOP; MAX_NAMES];
        self.know_within(&section.nodes, rule, cond, mentioned, &mut bounds)
    }

    /// The same, with the bounds of the variables that are still to be filled in.
    fn know_within(
        &self,
        nodes: &Nodes,
        rule: &Rule,
        cond: Cond,
        open: u8,
        bounds: &mut [IntBound; MAX_NAMES],
    ) -> bool {
        if open == 0 {
            return conditions::holds(rule, self, cond, bounds);
        }
        let v = open.trailing_zeros() as usize;
        nodes.holds(self.var(v as u8), |bound| {
            let mut bounds = *bounds;
            bounds[v] = bound;
            self.know_within(nodes, rule, cond, open & !(1 << v), &mut bounds)
        })
    }

    /// The rule's replacement.
    fn make(&self, section: &mut Section, rule: &Rule) -> Rewrite {
        match rule.term(rule.after) {
            Term::Op(op, operands) if !rule.is_constant(rule.after) => {
                let operands = &operands[..op.params().len()];
                let nodes = operands.iter().map(|&t| self.node(section, rule, t));
                Rewrite::Op(op, nodes.collect())
            }
            _ => Rewrite::Node(self.node(section, rule, rule.after)),
        }
    }

    /// A value that is there, or a constant.
    fn node(&self, section: &mut Section, rule: &Rule, t: TermId) -> NodeId {
        let ty = match rule.term(t) {
            Term::Var(v) => return self.var(v),
            Term::Const(c) => self.consts[c as usize].map_or(Ty::Int, Const::ty),
            Term::Number(_) | Term::Symbol(_) | Term::Log2(_) => Ty::Int,
            Term::Float(_) => Ty::Float,
            Term::Op(op, _) => op.ret().expect("a pure operation has a result"),
        };
        section.constant(ty, value(rule, self, t))
    }
}
