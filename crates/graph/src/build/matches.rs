//! Builds `match`: switches on integers, tags and classes, with tests between them only where
//! patterns are wide ranges or arms have guards.
//!
//! Arms are *rows* of tests that are still to be made, each on a *place* inside of the scrutinee. A
//! list of rows is a state, and has a block: it switches on the place that the first row tests
//! first, and goes to the states of the rows that remain for each answer. Equal states share one
//! block, so the tail of a list, tried when a guard fails, is built once (decision trees with
//! sharing, as in Maranget, "Compiling pattern matching to good decision trees").

use super::arith::range;
use super::rows::{ArmRow, Index, Match, MatchKey, PatternTest, PlaceId, Rows, int_type, literals};
use super::ssa::{Builder, Join, Scalars};
use crate::ir::{BlockId, Target, Term, Val};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use verdigris_front::tast::{Arm, Expr, Pat, Type};
use verdigris_ops::{ClassId, DataOp, PanicKind, Ty};

impl Builder<'_> {
    /// A `match` whose value has these components.
    pub fn match_expr(&mut self, scrutinee: &Expr, arms: &[Arm], types: &[Ty]) -> Scalars {
        let value = self.expr(scrutinee);
        let bodies: Vec<BlockId> = arms.iter().map(|_| self.block()).collect();
        let mut m = Match::new(value, scrutinee.ty.clone());
        let rows = arms.iter().enumerate();
        let rows = rows
            .map(|(n, arm)| m.row(&mut self.layouts, n, arm))
            .collect();
        let rows = m.list(rows);
        let first = self.state(&mut m, rows);
        self.goto(first, Vec::new());
        while let Some((block, rows)) = m.pending.pop_front() {
            self.enter(block);
            self.rows(&mut m, (scrutinee, arms), &bodies, rows);
        }
        for block in m.blocks {
            self.seal(block);
        }
        let join = self.join(types);
        for (arm, &body) in arms.iter().zip(&bodies) {
            self.arm(arm, body, &join);
        }
        self.enter_join(&join)
    }

    fn arm(&mut self, arm: &Arm, body: BlockId, join: &Join) {
        self.enter_sealed(body);
        let value = self.value_of(&arm.body, &join.types);
        self.goto_join(join, value);
    }

    /// The block of a state.
    fn state(&mut self, m: &mut Match<'_>, rows: Rows) -> BlockId {
        m.block(rows, || self.block())
    }

    /// Builds the block of a state.
    fn rows<'e>(
        &mut self,
        m: &mut Match<'e>,
        (scrutinee, arms): (&Expr, &'e [Arm]),
        bodies: &[BlockId],
        rows: Rows,
    ) {
        let Some((first, rest)) = m.first_row(rows) else {
            // Patterns are exhaustive; only values that the type does not have lead here.
            let message = "internal error: entered unreachable code".to_string();
            return self.panic(PanicKind::Message(message), Vec::new());
        };
        match first.tests.first().copied() {
            None => {
                let (arm, body) = (&arms[first.arm], bodies[first.arm]);
                self.accept(m, scrutinee, (arm, body), &first, rest);
            }
            Some((place, PatternTest::Range(pat))) => self.ranged(m, place, pat, (&first, rest)),
            Some((place, PatternTest::Is(_))) => {
                let rows = m.rows(rows);
                let rows = m.split_alternatives(&mut self.layouts, place, rows);
                let outer = self.scrutinee.replace(scrutinee.span);
                self.dispatch(m, place, rows);
                self.scrutinee = outer;
            }
        }
    }

    /// The first row's pattern accepts: binds its names and asks its guard.
    fn accept<'e>(
        &mut self,
        m: &mut Match<'e>,
        scrutinee: &Expr,
        (arm, body): (&'e Arm, BlockId),
        row: &ArmRow<'e>,
        rest: Rows,
    ) {
        let behind = arm.guard.as_ref().unwrap_or(&arm.body).span.lo;
        for &(local, place) in &row.binds {
            let value = self.look_at(m.value(place));
            self.note_name(local, &value, scrutinee.span, scrutinee.span.hi..behind);
            self.write(local, value);
        }
        match &arm.guard {
            None => self.goto(body, Vec::new()),
            Some(guard) => {
                let no = self.state(m, rest);
                self.cond(guard, body, no);
            }
        }
    }

    /// The first row wants a range that no case of a switch covers.
    fn ranged<'e>(
        &mut self,
        m: &mut Match<'e>,
        place: PlaceId,
        pat: &'e Pat,
        (first, rest): (&ArmRow<'e>, Rows),
    ) {
        let no = self.state(m, rest);
        let mut first = first.clone();
        first.tests.remove(0);
        let rows = m.with_first(first, rest);
        let yes = self.state(m, rows);
        let (value, ty) = (self.look(m.first(place)), m.ty(place).clone());
        self.test(pat, value, &ty, yes, no);
    }

    /// Ends the block with the choice on one place.
    fn dispatch<'e>(&mut self, m: &mut Match<'e>, place: PlaceId, rows: Vec<ArmRow<'e>>) {
        let mut numbers = BTreeSet::new();
        if let Type::Int(_) | Type::Char = m.ty(place) {
            let int = int_type(m.ty(place));
            for test in rows.iter().flat_map(|row| row.tests_of(place)) {
                literals(test.pat(), int, &mut numbers);
            }
        }
        let rows = m.index(place, rows);
        match m.ty(place).clone() {
            Type::Kind(object) => {
                let variants = &self.program.objects[object].variants;
                let classes: Vec<ClassId> = variants.iter().map(|v| v.1).collect();
                let cases = classes.into_iter().map(|class| {
                    let block = self.after(m, place, MatchKey::Class(class), &rows);
                    (class, Target::to(block))
                });
                let cases = cases.collect();
                let value = self.look(m.first(place));
                self.end(Term::ClassSwitch { value, cases });
            }
            Type::Bool => {
                let yes = self.after(m, place, MatchKey::Int(1), &rows);
                let no = self.after(m, place, MatchKey::Int(0), &rows);
                let value = self.look(m.first(place));
                self.branch(value, yes, no);
            }
            Type::Int(_) | Type::Char => self.dispatch_int(m, place, numbers, &rows),
            ty => match self.layouts.layout(&ty) {
                Some(layout) => self.dispatch_tag(m, place, layout.variants.len(), &rows),
                // An option of a reference.
                None => {
                    let some = self.after(m, place, MatchKey::Variant(1), &rows);
                    let none = self.after(m, place, MatchKey::Variant(0), &rows);
                    let value = self.look(m.first(place));
                    let is_some = self.pure(DataOp::PtrNe, &[value, Val::NULL]);
                    self.branch(is_some, some, none);
                }
            },
        }
    }

    fn dispatch_int<'e>(
        &mut self,
        m: &mut Match<'e>,
        place: PlaceId,
        keys: BTreeSet<i64>,
        rows: &Index<'e>,
    ) {
        let default = self.after(m, place, MatchKey::Other, rows);
        let mut cases: Vec<(i64, Target)> = Vec::new();
        for key in keys {
            let block = self.after(m, place, MatchKey::Int(key), rows);
            cases.push((key, Target::to(block)));
        }
        cases.retain(|case| case.1.block != default);
        let value = self.look(m.first(place));
        self.switch(value, cases, default);
    }

    /// A switch on a tag. A variant that is told from all others is a case, so that a trace knows
    /// it from there on; the others share the default.
    fn dispatch_tag<'e>(
        &mut self,
        m: &mut Match<'e>,
        place: PlaceId,
        count: usize,
        rows: &Index<'e>,
    ) {
        let blocks: Vec<BlockId> = (0..count)
            .map(|n| self.after(m, place, MatchKey::Variant(n as u32), rows))
            .collect();
        let mut shared: FxHashMap<BlockId, usize> = FxHashMap::default();
        blocks
            .iter()
            .for_each(|b| *shared.entry(*b).or_default() += 1);
        let most = blocks.iter().rev().max_by_key(|b| shared[b]);
        let default = *most.expect("a type that is switched on has variants");
        let cases = blocks.iter().enumerate();
        let cases = cases.filter(|(_, b)| **b != default || shared[&default] == 1);
        let cases = cases.map(|(n, b)| (n as i64, Target::to(*b))).collect();
        let (block, _) = self.here();
        self.notes.by_variant[block] = true;
        let value = self.look(m.first(place));
        self.switch(value, cases, default);
    }

    fn switch(&mut self, value: Val, cases: Vec<(i64, Target)>, default: BlockId) {
        if cases.is_empty() {
            return self.goto(default, Vec::new());
        }
        self.end(Term::Switch {
            value,
            cases,
            default: Target::to(default),
        });
    }

    /// The block for what is left to test once a place is known.
    fn after<'e>(
        &mut self,
        m: &mut Match<'e>,
        place: PlaceId,
        key: MatchKey,
        rows: &Index<'e>,
    ) -> BlockId {
        let left = m.remaining(&mut self.layouts, place, key, rows);
        self.state(m, left)
    }

    /// Goes to `yes` if the integer pattern accepts a value that is none of the keys, else to `no`.
    fn test(&mut self, pat: &Pat, value: Val, ty: &Type, yes: BlockId, no: BlockId) {
        match pat {
            Pat::Or(list) => {
                for pat in list {
                    let next = self.block();
                    self.test(pat, value, ty, yes, next);
                    self.enter_sealed(next);
                }
                self.goto(no, Vec::new());
            }
            Pat::Range(lo, hi) => self.test_range(*lo, *hi, value, ty, yes, no),
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
