//! What is on the heap. In, out: the types of values, and what each can do by itself. Invariant: no
//! function of a program is called.

pub mod class;
pub mod dict;
pub mod exact;
pub mod exception;
pub mod export;
pub mod function;
pub mod hashing;
pub mod instance;
pub mod map;
pub mod places;
pub mod site;
pub mod thread;
pub mod value;
pub mod variables;
pub mod weak;
pub mod world;
