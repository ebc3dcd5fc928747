//! The constants of a trace, and arguments in four bytes.
//!
//! In: arguments, each a value or a constant. Out: the same as a [`Val`], and back. Invariant: no constant stands in a table twice, so two
//! arguments of one trace are the same if their bits are.

use crate::value::{Arg, Const, ValRef};
use rustc_hash::FxHashMap;

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
    places: FxHashMap<Const, Val>,
}

impl Constants {
    /// An argument in four bytes.
    pub fn val(&mut self, arg: Arg) -> Val {
        match arg {
            Arg::Ref(value) => Val::value(value),
            Arg::Const(constant) => self.add(constant),
        }
    }

    fn add(&mut self, constant: Const) -> Val {
        let next = self.list.len() as u32 | CONSTANT;
        let val = *self.places.entry(constant).or_insert(Val(next));
        if val.0 == next {
            self.list.push(constant);
        }
        val
    }

    /// What four bytes say.
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
}
