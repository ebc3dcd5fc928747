//! The rows of a `match`: the tests that are left for each arm.
//!
//! A row lists the tests of its pattern from left to right; what cannot fail (names, `_`, tuples)
//! is no test.

use super::ssa::Scalars;
use super::view::Component;
use crate::ir::BlockId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use verdigris_front::layout::{FieldSlot, ValueLayouts};
use verdigris_front::tast::{Arm, IntTy, LocalId, Pat, Type};
use verdigris_ops::ClassId;

/// Ranges up to this many integers become cases of the switch.
const SMALL_RANGE: u64 = 32;

/// The scrutinee (number 0) or a part of it.
pub type PlaceId = usize;

/// A fact about a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatchKey {
    /// This integer, or `bool`.
    Int(i64),
    /// An object of this class.
    Class(ClassId),
    /// A variant of a type that has several.
    Variant(u32),
    /// An integer that no case of the switch names.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Accepts {
    Yes,
    No,
    /// If a test says so.
    Maybe,
}

/// Something that can fail.
#[derive(Clone, Copy)]
pub enum PatternTest<'e> {
    /// Whether the pattern accepts.
    Is(&'e Pat),
    /// The same, of an integer that is none of those that patterns name.
    Range(&'e Pat),
}

impl<'e> PatternTest<'e> {
    /// The pattern.
    pub fn pat(self) -> &'e Pat {
        match self {
            PatternTest::Is(pat) | PatternTest::Range(pat) => pat,
        }
    }

    /// Tests are the same if they are the same piece of the source.
    fn identity(self) -> (bool, *const Pat) {
        (
            matches!(self, PatternTest::Is(_)),
            std::ptr::from_ref(self.pat()),
        )
    }
}

impl PartialEq for PatternTest<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for PatternTest<'_> {}

impl Hash for PatternTest<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

/// An arm, as far as it has not been decided.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ArmRow<'e> {
    /// Its index.
    pub arm: usize,
    /// Whether it has a guard.
    pub guarded: bool,
    /// The tests that are left.
    pub tests: Vec<(PlaceId, PatternTest<'e>)>,
    /// Its bindings.
    pub binds: Vec<(LocalId, PlaceId)>,
}

impl<'e> ArmRow<'e> {
    /// Whether the row accepts for sure, so that none behind it is tried.
    pub fn accepts(&self) -> bool {
        self.tests.is_empty() && !self.guarded
    }

    /// The tests of one place.
    pub fn tests_of(&self, place: PlaceId) -> impl Iterator<Item = PatternTest<'e>> + '_ {
        let tests = self.tests.iter().filter(move |t| t.0 == place);
        tests.map(|t| t.1)
    }
}

/// A list of rows, the first one to be tried first. Equal lists have equal numbers, so a state is
/// found without a look at its rows, and what is left behind a first row costs nothing to name,
/// however long it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rows(Option<u32>);

/// The rows of one `match`.
#[derive(Default)]
struct Lists<'e> {
    rows: Vec<Rc<ArmRow<'e>>>,
    numbers: FxHashMap<Rc<ArmRow<'e>>, u32>,
    /// A row's number, and the list behind it.
    cells: Vec<(u32, Rows)>,
    known: FxHashMap<(u32, Rows), Rows>,
}

impl<'e> Lists<'e> {
    fn with_first(&mut self, row: ArmRow<'e>, rest: Rows) -> Rows {
        let row = Rc::new(row);
        let number = *self.numbers.entry(row.clone()).or_insert_with(|| {
            self.rows.push(row);
            self.rows.len() as u32 - 1
        });
        let cell = (number, rest);
        *self.known.entry(cell).or_insert_with(|| {
            self.cells.push(cell);
            Rows(Some(self.cells.len() as u32 - 1))
        })
    }

    fn first(&self, list: Rows) -> Option<(Rc<ArmRow<'e>>, Rows)> {
        let (row, rest) = self.cells[list.0? as usize];
        Some((self.rows[row as usize].clone(), rest))
    }
}

/// The rows of a state by what a place must be for them to accept.
pub struct Index<'e> {
    rows: Vec<ArmRow<'e>>,
    by_key: FxHashMap<MatchKey, Vec<usize>>,
    /// Those that may accept whatever the place is.
    others: Vec<usize>,
}

impl Index<'_> {
    /// The numbers of the rows that may accept, in order.
    fn candidates(&self, key: MatchKey) -> impl Iterator<Item = usize> + '_ {
        let mut named = self.by_key.get(&key).into_iter().flatten().peekable();
        let mut others = self.others.iter().peekable();
        std::iter::from_fn(move || match (named.peek(), others.peek()) {
            (Some(a), Some(b)) if a > b => others.next().copied(),
            (Some(_), _) => named.next().copied(),
            (None, _) => others.next().copied(),
        })
    }
}

/// One `match` being built.
pub struct Match<'e> {
    places: Vec<(Vec<Component>, Type)>,
    parts: FxHashMap<(PlaceId, u32, u32), PlaceId>,
    lists: Lists<'e>,
    states: FxHashMap<Rows, BlockId>,
    /// The blocks of all states, in the order in which they were asked for.
    pub blocks: Vec<BlockId>,
    /// Those that are not built yet.
    pub pending: VecDeque<(BlockId, Rows)>,
}

impl<'e> Match<'e> {
    /// Nothing but the scrutinee.
    pub fn new(value: Scalars, ty: Type) -> Match<'e> {
        Match {
            places: vec![(value.into_iter().map(Component::whole).collect(), ty)],
            parts: FxHashMap::default(),
            lists: Lists::default(),
            states: FxHashMap::default(),
            blocks: Vec::new(),
            pending: VecDeque::new(),
        }
    }

    /// The block of a state, which `new` makes if it is a new one.
    pub fn block(&mut self, rows: Rows, new: impl FnOnce() -> BlockId) -> BlockId {
        if let Some(&block) = self.states.get(&rows) {
            return block;
        }
        let block = new();
        self.states.insert(rows, block);
        self.blocks.push(block);
        self.pending.push_back((block, rows));
        block
    }

    /// The list of these rows, up to the first that accepts for sure.
    pub fn list(&mut self, mut rows: Vec<ArmRow<'e>>) -> Rows {
        let sure = rows.iter().position(ArmRow::accepts);
        rows.truncate(sure.map_or(rows.len(), |n| n + 1));
        let rows = rows.into_iter().rev();
        rows.fold(Rows(None), |rest, row| self.lists.with_first(row, rest))
    }

    /// The list with one more row, which is tried first.
    pub fn with_first(&mut self, row: ArmRow<'e>, rest: Rows) -> Rows {
        match row.accepts() {
            true => self.lists.with_first(row, Rows(None)),
            false => self.lists.with_first(row, rest),
        }
    }

    /// The first row of a list, and the rows behind it.
    pub fn first_row(&self, rows: Rows) -> Option<(Rc<ArmRow<'e>>, Rows)> {
        self.lists.first(rows)
    }

    /// All rows of a list.
    pub fn rows(&self, mut list: Rows) -> Vec<ArmRow<'e>> {
        let mut rows = Vec::new();
        while let Some((row, rest)) = self.lists.first(list) {
            rows.push(ArmRow::clone(&row));
            list = rest;
        }
        rows
    }

    /// The rows by what a place must be.
    pub fn index(&self, place: PlaceId, rows: Vec<ArmRow<'e>>) -> Index<'e> {
        let int = int_type(self.ty(place));
        let mut index = Index {
            by_key: FxHashMap::default(),
            others: Vec::new(),
            rows: Vec::new(),
        };
        for (n, row) in rows.iter().enumerate() {
            let mut keys = FxHashSet::default();
            let test = row.tests_of(place).next();
            match test.is_some_and(|test| named_keys(test.pat(), int, &mut keys)) {
                true => keys
                    .into_iter()
                    .for_each(|key| index.by_key.entry(key).or_default().push(n)),
                false => index.others.push(n),
            }
        }
        index.rows = rows;
        index
    }

    /// The rows that remain once a place is known.
    pub fn remaining(
        &mut self,
        layouts: &mut ValueLayouts<'_>,
        place: PlaceId,
        key: MatchKey,
        index: &Index<'e>,
    ) -> Rows {
        let mut left = Vec::new();
        for n in index.candidates(key) {
            if let Some(row) = self.given(layouts, &index.rows[n], place, key) {
                let sure = row.accepts();
                left.push(row);
                if sure {
                    break;
                }
            }
        }
        self.list(left)
    }

    /// The components at a place. Those that are views of words can be looked at where the tests so
    /// far have been made.
    pub fn value(&self, place: PlaceId) -> &[Component] {
        &self.places[place].0
    }

    /// The first component at a place: the value if it is one word, else the tag.
    pub fn first(&self, place: PlaceId) -> Component {
        self.value(place)[0]
    }

    /// The type at a place.
    pub fn ty(&self, place: PlaceId) -> &Type {
        &self.places[place].1
    }

    /// The row of an arm.
    pub fn row(
        &mut self,
        layouts: &mut ValueLayouts<'_>,
        index: usize,
        arm: &'e Arm,
    ) -> ArmRow<'e> {
        let mut row = ArmRow {
            arm: index,
            guarded: arm.guard.is_some(),
            tests: Vec::new(),
            binds: Vec::new(),
        };
        let mut tests = Vec::new();
        self.add(layouts, &mut row, &mut tests, 0, &arm.pat);
        row.tests = tests;
        row
    }

    /// Adds what a pattern binds to the row, and what it tests to the list.
    fn add(
        &mut self,
        layouts: &mut ValueLayouts<'_>,
        row: &mut ArmRow<'e>,
        tests: &mut Vec<(PlaceId, PatternTest<'e>)>,
        place: PlaceId,
        pat: &'e Pat,
    ) {
        match pat {
            Pat::Wild => {}
            Pat::Bind(local, inner) => {
                row.binds.push((*local, place));
                if let Some(inner) = inner {
                    self.add(layouts, row, tests, place, inner);
                }
            }
            Pat::Variant(ty, variant, fields) if single(layouts, ty) => {
                for (n, field) in fields.iter().enumerate() {
                    let part = self.part(layouts, place, *variant, n as u32);
                    self.add(layouts, row, tests, part, field);
                }
            }
            _ => tests.push((place, PatternTest::Is(pat))),
        }
    }

    /// The place of a field, where the value is known to be of a variant.
    fn part(
        &mut self,
        layouts: &mut ValueLayouts<'_>,
        place: PlaceId,
        variant: u32,
        field: u32,
    ) -> PlaceId {
        if let Some(&known) = self.parts.get(&(place, variant, field)) {
            return known;
        }
        let (value, ty) = &self.places[place];
        let value = match layouts.layout(ty) {
            Some(layout) => {
                let slots = &layout.variants[variant as usize][field as usize];
                let part = |slot: &FieldSlot| Some(value.get(slot.index)?.part(slot));
                slots.iter().filter_map(part).collect()
            }
            // The payload of an option of a reference.
            None => value.clone(),
        };
        let ty = layouts.field_types(ty, variant).swap_remove(field as usize);
        self.places.push((value, ty));
        let new = self.places.len() - 1;
        self.parts.insert((place, variant, field), new);
        new
    }

    /// The rows with alternatives at this place as rows of their own, unless a switch can handle
    /// them at once. With a guard it cannot: Rust asks the guard again for each alternative that
    /// accepts.
    pub fn split_alternatives(
        &mut self,
        layouts: &mut ValueLayouts<'_>,
        place: PlaceId,
        rows: Vec<ArmRow<'e>>,
    ) -> Vec<ArmRow<'e>> {
        let mut out = Vec::new();
        for row in rows {
            let apart = |pat: &Pat| matches!(pat, Pat::Or(_)) && (row.guarded || !is_flat(pat));
            let tests = &mut row.tests.iter();
            let found = tests.position(|(at, test)| *at == place && apart(test.pat()));
            let Some(n) = found else {
                out.push(row);
                continue;
            };
            let Pat::Or(cases) = row.tests[n].1.pat() else {
                unreachable!("just found");
            };
            let split = cases
                .iter()
                .map(|case| self.replace(layouts, &row, n, place, case));
            let split = split.collect();
            // An alternative may be alternatives again.
            out.extend(self.split_alternatives(layouts, place, split));
        }
        out
    }

    /// The row with a pattern instead of its `n`-th test.
    fn replace(
        &mut self,
        layouts: &mut ValueLayouts<'_>,
        row: &ArmRow<'e>,
        n: usize,
        place: PlaceId,
        pat: &'e Pat,
    ) -> ArmRow<'e> {
        let mut new = row.clone();
        let mut tests = Vec::new();
        self.add(layouts, &mut new, &mut tests, place, pat);
        new.tests.splice(n..=n, tests);
        new
    }

    /// The rest of a row once a place is known; none if the row does not accept.
    fn given(
        &mut self,
        layouts: &mut ValueLayouts<'_>,
        row: &ArmRow<'e>,
        place: PlaceId,
        key: MatchKey,
    ) -> Option<ArmRow<'e>> {
        let mut new = row.clone();
        new.tests.clear();
        for &(at, test) in &row.tests {
            if at != place {
                new.tests.push((at, test));
                continue;
            }
            match accepts(test.pat(), key, self.ty(place)) {
                Accepts::No => return None,
                Accepts::Maybe => new.tests.push((at, PatternTest::Range(test.pat()))),
                Accepts::Yes => match test.pat() {
                    Pat::Class(_, local) => new.binds.extend(local.map(|l| (l, place))),
                    Pat::Variant(_, variant, fields) => {
                        let mut tests = Vec::new();
                        for (n, field) in fields.iter().enumerate() {
                            let part = self.part(layouts, place, *variant, n as u32);
                            self.add(layouts, &mut new, &mut tests, part, field);
                        }
                        new.tests.extend(tests);
                    }
                    _ => {}
                },
            }
        }
        Some(new)
    }
}

/// Whether a type has only one variant.
fn single(layouts: &mut ValueLayouts<'_>, ty: &Type) -> bool {
    layouts.layout(ty).is_some_and(|layout| !layout.tagged)
}

/// Whether a pattern is made of integers alone.
fn is_flat(pat: &Pat) -> bool {
    match pat {
        Pat::Int(_) | Pat::Range(..) => true,
        Pat::Or(cases) => cases.iter().all(is_flat),
        _ => false,
    }
}

/// The integer type that patterns of a type compare in.
pub fn int_type(ty: &Type) -> IntTy {
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
pub fn literals(pat: &Pat, int: IntTy, keys: &mut BTreeSet<i64>) {
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

/// Adds everything that a place can be for a pattern to accept; returns whether that can be listed.
fn named_keys(pat: &Pat, int: IntTy, keys: &mut FxHashSet<MatchKey>) -> bool {
    match pat {
        Pat::Wild | Pat::Bind(_, None) => false,
        Pat::Bind(_, Some(inner)) => named_keys(inner, int, keys),
        Pat::Or(list) => list.iter().all(|p| named_keys(p, int, keys)),
        Pat::Range(lo, hi) if width(*lo, *hi, int).is_some_and(|w| w >= SMALL_RANGE) => false,
        Pat::Int(_) | Pat::Range(..) => {
            let mut numbers = BTreeSet::new();
            literals(pat, int, &mut numbers);
            keys.extend(numbers.into_iter().map(MatchKey::Int));
            true
        }
        Pat::Class(class, _) => {
            keys.insert(MatchKey::Class(*class));
            true
        }
        Pat::Variant(_, variant, _) => {
            keys.insert(MatchKey::Variant(*variant));
            true
        }
    }
}

fn accepts(pat: &Pat, key: MatchKey, ty: &Type) -> Accepts {
    let sure = |yes| if yes { Accepts::Yes } else { Accepts::No };
    match pat {
        Pat::Wild | Pat::Bind(_, None) => Accepts::Yes,
        Pat::Bind(_, Some(inner)) => accepts(inner, key, ty),
        Pat::Int(value) => sure(key == MatchKey::Int(*value)),
        Pat::Range(lo, hi) => match key {
            MatchKey::Int(value) => sure(in_range(value, *lo, *hi, int_type(ty))),
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
        Pat::Class(class, _) => sure(key == MatchKey::Class(*class)),
        Pat::Variant(_, variant, _) => sure(key == MatchKey::Variant(*variant)),
    }
}
