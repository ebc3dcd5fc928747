//! `match`. In: a scrutinee and arms. Out: one switch, with a chain of tests behind it only where patterns are not
//! literals or arms have guards. Invariant: the first arm whose pattern and guard accept is the one that runs.
//!
//! For every key that a literal pattern names (an integer, a class, null) the arms that can accept it are known in
//! advance: the *sequence* up to the first that surely does. Keys with equal sequences share one block, and the tail
//! of a sequence, tried when a guard fails, is shared too.

use super::arith::range;
use super::ssa::{Builder, Join};
use crate::ir::{BlockId, PanicKind, Target, Term, Val};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use verdigris_front::tast::{Arm, Expr, IntTy, Pat, Type};
use verdigris_ops::{ClassId, DataOp, Ty};

/// Ranges up to this many integers become cases of the switch.
const SMALL_RANGE: u64 = 32;

/// What a scrutinee can be known to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Int(i64),
    Class(ClassId),
    Null,
    NotNull,
    /// Anything that no key of the switch names.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Accepts {
    Yes,
    No,
    /// If a test says so.
    Maybe,
}

/// Arms in order, each with whether its pattern must be tested.
type Sequence = Vec<(usize, bool)>;

/// One `match` being built.
struct Match<'e> {
    value: Val,
    ty: Type,
    arms: &'e [Arm],
    bodies: Vec<BlockId>,
    /// Blocks for sequences that are not built yet; longer ones first, since they lead to shorter ones.
    pending: BTreeMap<(Reverse<usize>, Sequence), BlockId>,
}

impl Builder<'_> {
    /// A `match` whose value has this type.
    pub fn match_expr(&mut self, scrutinee: &Expr, arms: &[Arm], ty: Option<Ty>) -> Val {
        let value = self.expr(scrutinee);
        let bodies = arms.iter().map(|_| self.block()).collect();
        let mut m = Match {
            value,
            ty: scrutinee.ty.clone(),
            arms,
            bodies,
            pending: BTreeMap::new(),
        };
        self.dispatch(&mut m);
        while let Some(((_, sequence), block)) = m.pending.pop_first() {
            self.enter_sealed(block);
            self.sequence(&mut m, &sequence);
        }
        let join = self.join(ty);
        for (arm, &body) in arms.iter().zip(&m.bodies) {
            self.arm(arm, body, join);
        }
        self.enter_join(join)
    }

    fn arm(&mut self, arm: &Arm, body: BlockId, join: Join) {
        self.enter_sealed(body);
        let value = self.value_of(&arm.body, join.ty);
        self.goto_join(join, value);
    }

    /// Ends the block with the choice between the sequences.
    fn dispatch(&mut self, m: &mut Match<'_>) {
        match m.ty.clone() {
            Type::Kind(object) => {
                let classes: Vec<ClassId> = self.program.objects[object]
                    .variants
                    .iter()
                    .map(|v| v.1)
                    .collect();
                let cases = classes.into_iter().map(|class| {
                    let block = self.block_for(m, Key::Class(class));
                    (class, Target::to(block))
                });
                let cases = cases.collect();
                let value = m.value;
                self.end(Term::ClassSwitch { value, cases });
            }
            Type::Bool => {
                let yes = self.block_for(m, Key::Int(1));
                let no = self.block_for(m, Key::Int(0));
                self.branch(m.value, yes, no);
            }
            Type::Option(_) => {
                let some = self.block_for(m, Key::NotNull);
                let none = self.block_for(m, Key::Null);
                let is_some = self.pure(DataOp::PtrNe, &[m.value, Val::NULL]);
                self.branch(is_some, some, none);
            }
            Type::Int(int) => self.dispatch_int(m, int),
            _ => {
                let block = self.block_for(m, Key::Other);
                self.goto(block, Vec::new());
            }
        }
    }

    fn dispatch_int(&mut self, m: &mut Match<'_>, int: IntTy) {
        let mut keys = BTreeSet::new();
        for arm in m.arms {
            literals(&arm.pat, int, &mut keys);
        }
        let default = self.block_for(m, Key::Other);
        let cases: Vec<(i64, Target)> = keys
            .into_iter()
            .map(|key| (key, Target::to(self.block_for(m, Key::Int(key)))))
            .filter(|case| case.1.block != default)
            .collect();
        if cases.is_empty() {
            return self.goto(default, Vec::new());
        }
        self.end(Term::Switch {
            value: m.value,
            cases,
            default: Target::to(default),
        });
    }

    fn block_for(&mut self, m: &mut Match<'_>, key: Key) -> BlockId {
        let mut sequence = Sequence::new();
        for (n, arm) in m.arms.iter().enumerate() {
            let accepts = accepts(&arm.pat, key, &m.ty);
            if accepts == Accepts::No {
                continue;
            }
            sequence.push((n, accepts == Accepts::Maybe));
            if accepts == Accepts::Yes && arm.guard.is_none() {
                break;
            }
        }
        self.pending_block(m, sequence)
    }

    fn pending_block(&mut self, m: &mut Match<'_>, sequence: Sequence) -> BlockId {
        let key = (Reverse(sequence.len()), sequence);
        match m.pending.get(&key) {
            Some(block) => *block,
            None => {
                let block = self.block();
                m.pending.insert(key, block);
                block
            }
        }
    }

    /// Tries the first arm of a sequence, then the rest.
    fn sequence(&mut self, m: &mut Match<'_>, sequence: &[(usize, bool)]) {
        let Some(((n, test), rest)) = sequence.split_first() else {
            // Patterns are exhaustive; only keys that the type does not have lead here.
            let message = "internal error: entered unreachable code".to_string();
            return self.panic(PanicKind::Message(message), Vec::new());
        };
        let arm = &m.arms[*n];
        if *test {
            let (yes, no) = (self.block(), self.pending_block(m, rest.to_vec()));
            self.test(&arm.pat, m.value, &m.ty, yes, no);
            self.enter_sealed(yes);
        }
        self.bind(&arm.pat, m.value);
        match &arm.guard {
            None => self.goto(m.bodies[*n], Vec::new()),
            Some(guard) => {
                let no = self.pending_block(m, rest.to_vec());
                self.cond(guard, m.bodies[*n], no);
            }
        }
    }

    fn bind(&mut self, pat: &Pat, value: Val) {
        match pat {
            Pat::Bind(local, inner) => {
                self.write(*local, value);
                if let Some(inner) = inner {
                    self.bind(inner, value);
                }
            }
            Pat::Class(_, Some(local)) => self.write(*local, value),
            Pat::Some(inner) => self.bind(inner, value),
            _ => {}
        }
    }

    /// Goes to `yes` if the integer pattern accepts a value that is none of the keys, else to `no`.
    fn test(&mut self, pat: &Pat, value: Val, ty: &Type, yes: BlockId, no: BlockId) {
        match pat {
            Pat::Bind(_, Some(inner)) => self.test(inner, value, ty, yes, no),
            Pat::Or(list) => {
                for pat in list {
                    let next = self.block();
                    self.test(pat, value, ty, yes, next);
                    self.enter_sealed(next);
                }
                self.goto(no, Vec::new());
            }
            Pat::Range(lo, hi) => self.test_range(*lo, *hi, value, ty, yes, no),
            Pat::Wild | Pat::Bind(_, None) => self.goto(yes, Vec::new()),
            _ => self.goto(no, Vec::new()),
        }
    }

    fn test_range(&mut self, lo: i64, hi: i64, value: Val, ty: &Type, yes: BlockId, no: BlockId) {
        let int = int_type(ty);
        let (at_least, at_most) = match int.signed() {
            true => (DataOp::IntGe, DataOp::IntLe),
            false => (DataOp::UintGe, DataOp::UintLe),
        };
        let (lowest, highest) = range(int);
        if lo != lowest {
            let next = self.block();
            let cond = self.pure(at_least, &[value, Val::int(lo)]);
            self.branch(cond, next, no);
            self.enter_sealed(next);
        }
        if hi == highest {
            return self.goto(yes, Vec::new());
        }
        let cond = self.pure(at_most, &[value, Val::int(hi)]);
        self.branch(cond, yes, no);
    }
}

fn int_type(ty: &Type) -> IntTy {
    match ty {
        Type::Int(int) => *int,
        _ => IntTy::U64,
    }
}

fn in_range(value: i64, lo: i64, hi: i64, int: IntTy) -> bool {
    match int.signed() {
        true => (lo..=hi).contains(&value),
        false => (lo as u64..=hi as u64).contains(&(value as u64)),
    }
}

/// How many integers a range has beyond its first, if the range is not empty.
fn width(lo: i64, hi: i64, int: IntTy) -> Option<u64> {
    in_range(lo, lo, hi, int).then(|| hi.wrapping_sub(lo) as u64)
}

/// Collects the integers that patterns name.
fn literals(pat: &Pat, int: IntTy, keys: &mut BTreeSet<i64>) {
    match pat {
        Pat::Int(value) => {
            keys.insert(*value);
        }
        Pat::Range(lo, hi) => {
            if let Some(width) = width(*lo, *hi, int)
                && width < SMALL_RANGE
            {
                keys.extend((0..=width as i64).map(|n| lo.wrapping_add(n)));
            }
        }
        Pat::Or(list) => list.iter().for_each(|p| literals(p, int, keys)),
        Pat::Bind(_, Some(inner)) => literals(inner, int, keys),
        _ => {}
    }
}

fn accepts(pat: &Pat, key: Key, ty: &Type) -> Accepts {
    let sure = |yes| if yes { Accepts::Yes } else { Accepts::No };
    match pat {
        Pat::Wild | Pat::Bind(_, None) => Accepts::Yes,
        Pat::Bind(_, Some(inner)) => accepts(inner, key, ty),
        Pat::Int(value) => sure(key == Key::Int(*value)),
        Pat::Range(lo, hi) => match key {
            Key::Int(value) => sure(in_range(value, *lo, *hi, int_type(ty))),
            _ => match width(*lo, *hi, int_type(ty)) {
                Some(width) if width >= SMALL_RANGE => Accepts::Maybe,
                _ => Accepts::No,
            },
        },
        Pat::Or(list) => {
            let all: Vec<Accepts> = list.iter().map(|p| accepts(p, key, ty)).collect();
            let first = [Accepts::Yes, Accepts::Maybe].into_iter();
            let mut first = first.filter(|a| all.contains(a));
            first.next().unwrap_or(Accepts::No)
        }
        Pat::Class(class, _) => sure(key == Key::Class(*class)),
        // What is inside is a reference, so the inner pattern accepts it.
        Pat::Some(_) => sure(key == Key::NotNull),
        Pat::None => sure(key == Key::Null),
    }
}
