//! What `core::cmp` has, in the subset. In: values. Out: their order. Invariant: what the standard
//! library's functions give; a trait has here what it has there and a user does not have to write.

#[value]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Ordering {
    Less = -1,
    Equal = 0,
    Greater = 1,
}

use Ordering::*;

impl Ordering {
    pub const fn is_eq(self) -> bool {
        matches!(self, Equal)
    }
    pub const fn is_ne(self) -> bool {
        !matches!(self, Equal)
    }
    pub const fn is_lt(self) -> bool {
        matches!(self, Less)
    }
    pub const fn is_gt(self) -> bool {
        matches!(self, Greater)
    }
    pub const fn is_le(self) -> bool {
        !matches!(self, Greater)
    }
    pub const fn is_ge(self) -> bool {
        !matches!(self, Less)
    }
    pub const fn reverse(self) -> Ordering {
        match self {
            Less => Greater,
            Equal => Equal,
            Greater => Less,
        }
    }
    pub const fn then(self, other: Ordering) -> Ordering {
        match self {
            Equal => other,
            unequal => unequal,
        }
    }
    pub fn then_with<F: FnOnce() -> Ordering>(self, f: F) -> Ordering {
        match self {
            Equal => f(),
            unequal => unequal,
        }
    }
}

pub trait PartialEq<Rhs = Self> {
    fn eq(&self, other: &Rhs) -> bool;
    fn ne(&self, other: &Rhs) -> bool {
        !self.eq(other)
    }
}

pub trait PartialOrd<Rhs = Self> {
    fn partial_cmp(&self, other: &Rhs) -> Option<Ordering>;
    fn lt(&self, other: &Rhs) -> bool {
        matches!(self.partial_cmp(other), Some(Less))
    }
    fn le(&self, other: &Rhs) -> bool {
        matches!(self.partial_cmp(other), Some(Less | Equal))
    }
    fn gt(&self, other: &Rhs) -> bool {
        matches!(self.partial_cmp(other), Some(Greater))
    }
    fn ge(&self, other: &Rhs) -> bool {
        matches!(self.partial_cmp(other), Some(Greater | Equal))
    }
}

pub trait Ord {
    fn cmp(&self, other: &Self) -> Ordering;
    fn max(self, other: Self) -> Self {
        if other < self { self } else { other }
    }
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
    fn clamp(self, min: Self, max: Self) -> Self {
        assert!(min <= max);
        if self < min {
            min
        } else if self > max {
            max
        } else {
            self
        }
    }
}

pub fn max<T: Ord>(a: T, b: T) -> T {
    a.max(b)
}
pub fn min<T: Ord>(a: T, b: T) -> T {
    a.min(b)
}

impl PartialOrd for () {
    fn partial_cmp(&self, _: &()) -> Option<Ordering> {
        Some(Equal)
    }
}
impl Ord for () {
    fn cmp(&self, _: &()) -> Ordering {
        Equal
    }
}

impl PartialOrd for f64 {
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        if *self < *other {
            Some(Less)
        } else if *self == *other {
            Some(Equal)
        } else if *self > *other {
            Some(Greater)
        } else {
            None
        }
    }
}

impl<T: PartialEq> PartialEq for Option<T> {
    fn eq(&self, other: &Option<T>) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a == b,
            (None, None) => true,
            _ => false,
        }
    }
}
impl<T: PartialOrd> PartialOrd for Option<T> {
    fn partial_cmp(&self, other: &Option<T>) -> Option<Ordering> {
        match (self, other) {
            (Some(a), Some(b)) => PartialOrd::partial_cmp(a, b),
            (Some(_), None) => Some(Greater),
            (None, Some(_)) => Some(Less),
            (None, None) => Some(Equal),
        }
    }
}
impl<T: Ord> Ord for Option<T> {
    fn cmp(&self, other: &Option<T>) -> Ordering {
        match (self, other) {
            (Some(a), Some(b)) => Ord::cmp(a, b),
            (Some(_), None) => Greater,
            (None, Some(_)) => Less,
            (None, None) => Equal,
        }
    }
}

impl<T: PartialEq, E: PartialEq> PartialEq for Result<T, E> {
    fn eq(&self, other: &Result<T, E>) -> bool {
        match (self, other) {
            (Ok(a), Ok(b)) => a == b,
            (Err(a), Err(b)) => a == b,
            _ => false,
        }
    }
}
impl<T: PartialOrd, E: PartialOrd> PartialOrd for Result<T, E> {
    fn partial_cmp(&self, other: &Result<T, E>) -> Option<Ordering> {
        match (self, other) {
            (Ok(a), Ok(b)) => PartialOrd::partial_cmp(a, b),
            (Err(a), Err(b)) => PartialOrd::partial_cmp(a, b),
            (Ok(_), Err(_)) => Some(Less),
            (Err(_), Ok(_)) => Some(Greater),
        }
    }
}
impl<T: Ord, E: Ord> Ord for Result<T, E> {
    fn cmp(&self, other: &Result<T, E>) -> Ordering {
        match (self, other) {
            (Ok(a), Ok(b)) => Ord::cmp(a, b),
            (Err(a), Err(b)) => Ord::cmp(a, b),
            (Ok(_), Err(_)) => Less,
            (Err(_), Ok(_)) => Greater,
        }
    }
}

impl<T: PartialEq, const N: usize> PartialEq for [T; N] {
    #[unroll_safe]
    fn eq(&self, other: &[T; N]) -> bool {
        let mut at = 0;
        while at < N {
            if self[at] != other[at] {
                return false;
            }
            at += 1;
        }
        true
    }
}
impl<T: PartialOrd, const N: usize> PartialOrd for [T; N] {
    #[unroll_safe]
    fn partial_cmp(&self, other: &[T; N]) -> Option<Ordering> {
        let mut at = 0;
        while at < N {
            match PartialOrd::partial_cmp(&self[at], &other[at]) {
                Some(Equal) => {}
                unequal => return unequal,
            }
            at += 1;
        }
        Some(Equal)
    }
}
impl<T: Ord, const N: usize> Ord for [T; N] {
    #[unroll_safe]
    fn cmp(&self, other: &[T; N]) -> Ordering {
        let mut at = 0;
        while at < N {
            match Ord::cmp(&self[at], &other[at]) {
                Equal => {}
                unequal => return unequal,
            }
            at += 1;
        }
        Equal
    }
}
