//! Why a guest program is slow. In: a [`Report`], which a VM fills with what it has measured and
//! what is left in the code that it made. Out: what costs most, first, each with one sentence of
//! what to do about it: as text for people, or the report itself as JSON. Invariant: nothing here
//! knows the engine, so a report can be rendered by another process, later, and beside the guest
//! program's source.

#![forbid(unsafe_code)]

mod advice;
mod model;
mod rank;
mod render;

pub use advice::Topic;
pub use model::{
    Abort, Allocation, Calls, Change, Code, Entered, Escape, Findings, Guard, LeadsTo, Lost, Place,
    Report, Store, Tier,
};
pub use rank::{Item, rank};
pub use render::{Form, Render};
