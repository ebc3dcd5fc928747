//! The constants of a trace, and arguments in four bytes.
//!
//! No constant stands in a table twice, so two arguments of one trace are the same if their bits
//! are.

use crate::value::{Arg, Const, ValRef};

/// An argument as a trace stores it: a value, or the place of a constant in the trace's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Val(u32);

const _: () = assert!(size_of::<Val>() == 4);

/// The bit that says that it is a constant.
const CONSTANT: u32 = 1 << 31;

impl Val {
    pub fn value(value: ValRef) -> Val {
        debug_assert!(value.as_u32() < CONSTANT);
        Val(value.as_u32())
    }

    /// The value, if it is one.
    #[inline]
    pub fn as_ref(self) -> Option<ValRef> {
        (self.0 & CONSTANT == 0).then(|| ValRef::from_u32(self.0))
    }

    /// The place of the constant, if it is one.
    #[inline]
    pub fn place(self) -> Option<usize> {
        (self.0 & CONSTANT != 0).then_some((self.0 & !CONSTANT) as usize)
    }
}

/// The constants of a trace, in the order of their first mention.
#[derive(Clone, Default, Debug)]
pub(crate) struct Constants {
    list: Vec<Const>,
    /// Hashed by constant, with linear probing: a place in the list plus one, or 0. At most half of
    /// it is in use. Both tables are flat, so that copying them is copying memory: optimising
    /// copies sections.
    places: Vec<u32>,
}

impl Constants {
    /// An argument in four bytes.
    #[inline]
    pub fn val(&mut self, arg: Arg) -> Val {
        match arg {
            Arg::Ref(value) => Val::value(value),
            Arg::Const(constant) => self.add(constant),
        }
    }

    fn add(&mut self, constant: Const) -> Val {
        if 2 * self.list.len() >= self.places.len() {
            self.grow();
        }
        let mut slot = self.slot(constant);
        loop {
            match self.places[slot] {
                0 => break,
                n if self.list[n as usize - 1] == constant => return Val((n - 1) | CONSTANT),
                _ => slot = (slot + 1) & (self.places.len() - 1),
            }
        }
        self.list.push(constant);
        self.places[slot] = self.list.len() as u32;
        Val((self.list.len() as u32 - 1) | CONSTANT)
    }

    /// Where the search for a constant begins. The number of slots is a power of two.
    fn slot(&self, constant: Const) -> usize {
        let key = constant.word() ^ (constant.ty() as u64) << 61;
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        hash as usize & (self.places.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        self.places = vec![0; (2 * self.places.len()).max(32)];
        for n in 0..self.list.len() {
            let mut slot = self.slot(self.list[n]);
            while self.places[slot] != 0 {
                slot = (slot + 1) & (self.places.len() - 1);
            }
            self.places[slot] = n as u32 + 1;
        }
    }

    /// The argument in four bytes.
    #[inline]
    pub fn arg(&self, val: Val) -> Arg {
        match val.place() {
            Some(place) => Arg::Const(self.list[place]),
            None => Arg::Ref(ValRef::from_u32(val.0)),
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Const> {
        self.list.iter().copied()
    }

    /// Adds those of another trace; gives what each is here, by its place there.
    pub fn extend(&mut self, others: &Constants) -> Vec<Val> {
        others.iter().map(|constant| self.add(constant)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_comes_back() {
        let mut constants = Constants::default();
        let args = [
            Arg::int(7),
            Arg::Ref(ValRef::from_u32(0)),
            Arg::Const(Const::Float(7)),
            Arg::NULL,
            Arg::int(0),
            Arg::Ref(ValRef::from_u32(CONSTANT - 1)),
            Arg::int(7),
        ];
        let vals = args.map(|arg| constants.val(arg));
        assert_eq!(vals.map(|val| constants.arg(val)), args);
        assert_eq!(vals[0], vals[6]);
        assert_eq!(constants.iter().count(), 4);
    }

    #[test]
    fn many_constants_stand_there_once() {
        let mut constants = Constants::default();
        // Words that differ in a few bits only, as small integers, flags and addresses do.
        let words = (0..300)
            .chain((0..300).map(|n| n << 4))
            .chain((0..60).map(|n| 1 << n));
        let all = || words.clone().map(Arg::int);
        let vals: Vec<Val> = all().map(|arg| constants.val(arg)).collect();
        assert!(all().eq(vals.iter().map(|&val| constants.arg(val))));
        let different: std::collections::HashSet<i64> = words.clone().collect();
        assert_eq!(constants.iter().count(), different.len());
        let again: Vec<Val> = all().map(|arg| constants.val(arg)).collect();
        assert_eq!(again, vals);
    }
}
