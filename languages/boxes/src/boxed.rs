//! The object model and its "interpreter". In: a boxed number. Out: a boxed number.
//!
//! Invariant: a number is an object of one of two classes, every operation is dispatched on the
//! class of its receiver, and every result is a new object; nothing here knows that this is slow.
//! Integers wrap; a mixed addition gives a float.
//!
//! Source: "Allocation Removal by Partial Evaluation in a Tracing JIT" (2011), figure 1, whose
//! names are kept.

#![allow(non_snake_case, reason = "the paper calls its methods so")]

use verdigris::prelude::*;

/// A boxed integer.
#[gc]
pub struct BoxedInteger {
    /// Its value.
    pub intval: i64,
}

/// A boxed float.
#[gc]
pub struct BoxedFloat {
    /// Its value.
    pub floatval: f64,
}

/// A number.
#[object(Base)]
#[derive(Clone, Copy)]
pub enum BaseKind {
    /// An integer.
    Integer(Gc<BoxedInteger>),
    /// A float.
    Float(Gc<BoxedFloat>),
}

/// The methods of the paper's class `Base`, which both classes implement.
pub(crate) trait Methods: Copy {
    fn add(self, other: Base) -> Base;
    fn add__int(self, intother: i64) -> Base;
    fn add__float(self, floatother: f64) -> Base;
    fn is_positive(self) -> bool;
}

/// What is a virtual call in the paper is a match on the class of the receiver here.
impl Methods for Base {
    fn add(self, other: Base) -> Base {
        match self.kind() {
            BaseKind::Integer(receiver) => receiver.add(other),
            BaseKind::Float(receiver) => receiver.add(other),
        }
    }

    fn add__int(self, intother: i64) -> Base {
        match self.kind() {
            BaseKind::Integer(receiver) => receiver.add__int(intother),
            BaseKind::Float(receiver) => receiver.add__int(intother),
        }
    }

    fn add__float(self, floatother: f64) -> Base {
        match self.kind() {
            BaseKind::Integer(receiver) => receiver.add__float(floatother),
            BaseKind::Float(receiver) => receiver.add__float(floatother),
        }
    }

    fn is_positive(self) -> bool {
        match self.kind() {
            BaseKind::Integer(receiver) => receiver.is_positive(),
            BaseKind::Float(receiver) => receiver.is_positive(),
        }
    }
}

impl BoxedInteger {
    pub(crate) fn boxed(intval: i64) -> Base {
        Base::from(Gc::new(BoxedInteger { intval }))
    }
}

impl Methods for Gc<BoxedInteger> {
    fn add(self, other: Base) -> Base {
        other.add__int(self.intval)
    }

    fn add__int(self, intother: i64) -> Base {
        BoxedInteger::boxed(intother.wrapping_add(self.intval))
    }

    fn add__float(self, floatother: f64) -> Base {
        let floatvalue = floatother + self.intval as f64;
        BoxedFloat::boxed(floatvalue)
    }

    fn is_positive(self) -> bool {
        self.intval > 0
    }
}

impl BoxedFloat {
    pub(crate) fn boxed(floatval: f64) -> Base {
        Base::from(Gc::new(BoxedFloat { floatval }))
    }
}

impl Methods for Gc<BoxedFloat> {
    fn add(self, other: Base) -> Base {
        other.add__float(self.floatval)
    }

    fn add__int(self, intother: i64) -> Base {
        let floatvalue = intother as f64 + self.floatval;
        BoxedFloat::boxed(floatvalue)
    }

    fn add__float(self, floatother: f64) -> Base {
        BoxedFloat::boxed(floatother + self.floatval)
    }

    fn is_positive(self) -> bool {
        self.floatval > 0.0
    }
}

/// Where the guest program is: in its one loop.
fn location(_place: usize) -> Location {
    Location::new().function("f")
}

/// The function `f` of the paper.
///
/// Its `while` loop is written with the condition at the end, where the trace of figure 2 has it.
/// The green is always the same: this one loop is all there is of a guest program.
#[portal(location = location)]
pub fn f(mut y: Base) -> Base {
    let place: usize = 0;
    let mut res = BoxedInteger::boxed(0);
    if !y.is_positive() {
        return res;
    }
    loop {
        merge_point!(greens = [place], reds = [y, res]);
        res = res.add(y).add(BoxedInteger::boxed(-100));
        y = y.add(BoxedInteger::boxed(-1));
        if !y.is_positive() {
            return res;
        }
    }
}
