//! Which method a call means where a type and a trait have one of the same name. In: two integers.
//! Out: one.

use verdigris::prelude::*;

#[derive(Clone, Copy)]
pub struct Num(i64);

impl Num {
    fn by_ref(&self) -> i64 {
        self.0 ^ 1
    }
    fn by_mut(&mut self) -> i64 {
        self.0 = self.0.wrapping_mul(3);
        self.0
    }
    fn by_value(self) -> i64 {
        self.0 ^ 2
    }
    fn through_self(&self) -> i64 {
        self.by_ref().wrapping_mul(3) ^ self.by_value()
    }
    fn through_self_by_value(self) -> i64 {
        self.by_ref().wrapping_mul(5) ^ self.by_value()
    }
    fn through_copy(&self) -> i64 {
        let copy = *self;
        let again = &copy;
        copy.by_ref().wrapping_mul(7) ^ again.by_ref() ^ (*again).by_ref()
    }
}

trait Tr {
    fn by_ref(self) -> i64;
    fn by_mut(&self) -> i64;
    fn by_value(&self) -> i64;
}

impl Tr for Num {
    fn by_ref(self) -> i64 {
        self.0 ^ 16
    }
    fn by_mut(&self) -> i64 {
        self.0 ^ 32
    }
    fn by_value(&self) -> i64 {
        self.0 ^ 64
    }
}

impl Tr for &Num {
    fn by_ref(self) -> i64 {
        self.0 ^ 128
    }
    fn by_mut(&self) -> i64 {
        self.0 ^ 256
    }
    fn by_value(&self) -> i64 {
        self.0 ^ 512
    }
}

fn made(a: i64) -> Num {
    Num(a)
}

pub fn traits_take_values_first(a: i64, b: i64) -> i64 {
    let x = Num(a);
    let y = made(b);
    x.by_ref().wrapping_mul(3) ^ y.by_mut() ^ Num(b).by_ref() ^ made(a).by_mut()
}

pub fn types_take_references_first(a: i64, b: i64) -> i64 {
    let x = Num(a);
    let r = &x;
    r.by_ref().wrapping_mul(3) ^ (&x).by_ref() ^ of_parameter(&Num(b))
}

fn of_parameter(x: &Num) -> i64 {
    x.by_ref()
}

pub fn values_before_traits(a: i64, b: i64) -> i64 {
    Num(a).by_value().wrapping_mul(3) ^ made(b).by_value()
}

pub fn in_methods(a: i64, b: i64) -> i64 {
    Num(a).through_self().wrapping_mul(3)
        ^ Num(b).through_copy()
        ^ Num(a ^ b).through_self_by_value()
}

fn of_unique(x: &mut Num) -> i64 {
    x.by_mut()
}

pub fn of_unique_references(a: i64, b: i64) -> i64 {
    let mut x = Num(a);
    let first = of_unique(&mut x);
    first ^ x.0.wrapping_mul(5) ^ b
}

#[allow(dead_code)]
trait Scalar {
    fn is_ascii_digit(self) -> i64;
    fn abs_diff(&self, other: i64) -> i64;
}

impl Scalar for u8 {
    fn is_ascii_digit(self) -> i64 {
        self as i64 + 5
    }
    fn abs_diff(&self, other: i64) -> i64 {
        other
    }
}

pub fn of_scalars(a: i64, b: i64) -> i64 {
    let x = a as u8;
    let r = &x;
    let own = if r.is_ascii_digit() { 100 } else { 200 };
    x.is_ascii_digit() ^ own ^ x.abs_diff(b as u8) as i64
}

#[allow(dead_code)]
trait Named {
    fn tag(self) -> i64;
    fn shown(&self) -> i64;
}

#[gc]
pub struct Thing {
    n: i64,
    next: Option<Gc<Thing>>,
}

impl Thing {
    fn tag(&self) -> i64 {
        self.n ^ 1
    }
    fn shown(&self) -> i64 {
        self.n ^ 2
    }
    fn twice(&self) -> i64 {
        self.tag().wrapping_mul(2) ^ self.shown()
    }
}

impl Named for Gc<Thing> {
    fn tag(self) -> i64 {
        self.n ^ 4
    }
    fn shown(&self) -> i64 {
        self.n ^ 8
    }
}

fn of_object(thing: &Thing) -> i64 {
    thing.tag().wrapping_mul(3) ^ thing.shown()
}

fn of_pointer(thing: Gc<Thing>) -> i64 {
    thing.tag().wrapping_mul(3) ^ thing.shown()
}

fn of_pointer_by_reference(thing: &Gc<Thing>) -> i64 {
    thing.tag().wrapping_mul(3) ^ thing.shown()
}

pub fn of_heap_classes(a: i64, b: i64) -> i64 {
    let x = Gc::new(Thing { n: a, next: None });
    let y = Gc::new(Thing {
        n: b,
        next: Some(x),
    });
    let first = of_object(&x) ^ of_pointer(y).wrapping_mul(5) ^ of_pointer_by_reference(&x);
    first ^ y.tag().wrapping_mul(7) ^ x.twice() ^ y.next.map_or(1, |_| 2)
}

mod hidden {
    pub trait Far {
        fn by_far(self) -> i64;
    }
    impl Far for super::Num {
        fn by_far(self) -> i64 {
            self.0 ^ 3
        }
    }
    pub fn far(x: super::Num) -> i64 {
        x.by_far()
    }
}

impl Num {
    fn by_far(&self) -> i64 {
        self.0 ^ 5
    }
}

pub fn of_traits_in_scope(a: i64, b: i64) -> i64 {
    Num(a).by_far().wrapping_mul(3) ^ hidden::far(Num(b))
}

#[allow(dead_code)]
trait Extra {
    fn unbounded_shl(&self, n: u32) -> u64;
    fn from_be(x: u64) -> u64;
    fn wrapping_add_signed(self, other: i64) -> u64;
    fn swap_bytes_twice(self) -> u64;
    fn of_crate(x: u64) -> u64;
}

impl Extra for u64 {
    fn unbounded_shl(&self, n: u32) -> u64 {
        *self ^ n as u64
    }
    fn from_be(x: u64) -> u64 {
        x ^ 1
    }
    fn wrapping_add_signed(self, other: i64) -> u64 {
        self ^ other as u64
    }
    fn swap_bytes_twice(self) -> u64 {
        self ^ 5
    }
    fn of_crate(x: u64) -> u64 {
        x ^ 9
    }
}

pub fn own_methods_of_std(a: i64, b: i64) -> i64 {
    let x = a as u64;
    let own = x.unbounded_shl(b as u32 & 127) ^ u64::from_be(x) ^ x.wrapping_add_signed(b);
    let of_trait = Extra::unbounded_shl(&x, 7) ^ x.swap_bytes_twice() ^ u64::of_crate(b as u64);
    (own ^ of_trait.wrapping_mul(3)) as i64
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "traits_take_values_first",
    "types_take_references_first",
    "values_before_traits",
    "in_methods",
    "of_unique_references",
    "of_scalars",
    "of_heap_classes",
    "of_traits_in_scope",
    "own_methods_of_std",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => traits_take_values_first(a, b),
        1 => types_take_references_first(a, b),
        2 => values_before_traits(a, b),
        3 => in_methods(a, b),
        4 => of_unique_references(a, b),
        5 => of_scalars(a, b),
        6 => of_heap_classes(a, b),
        7 => of_traits_in_scope(a, b),
        8 => own_methods_of_std(a, b),
        _ => panic!("there is no such function"),
    }
}
