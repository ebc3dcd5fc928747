//! Running. In: code. Out: what it does. [`interp`] does an instruction after the other, and has
//! the others do what is of a kind: [`operators`], [`items`] of containers, [`objects`] and their
//! classes, calls ([`mod@call`]), [`text`]; [`native`] is the library. Invariant: any of them may
//! call a function of the program, which may do anything, so they need each other.

pub mod call;
pub mod interp;
pub mod interrupt;
pub mod items;
pub mod native;
pub mod objects;
pub mod operators;
pub mod text;
