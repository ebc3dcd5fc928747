//! The data structures of the library, as objects of the heap. Every function here that is not
//! marked `#[opaque]`, `#[elidable]` or `#[readonly]` can be traced, or is for native code only and
//! says so.

pub mod builder;
pub mod bytes;
pub mod float;
pub mod identity;
pub mod key;
pub mod list;
pub mod map;
pub mod order;
pub mod prelude;
pub mod symbol;
pub mod text;
pub mod weak;

pub use builder::StrBuilder;
pub use bytes::Bytes;
pub use float::remainder;
pub use identity::{HashSecret, Identity, identity_hash};
pub use key::{Key, KeyObject};
pub use list::List;
pub use map::Map;
pub use order::Order;
pub use symbol::{Interner, Symbol};
pub use text::Str;
pub use weak::WeakRef;
