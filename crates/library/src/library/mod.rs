//! The data structures of the library. In: words and values of the guest. Out: objects of the heap that hold them. Invariant:
//! every function here that is not marked `#[opaque]` or `#[elidable]` can be traced, or is for native code only and says so.

pub mod list;
pub mod order;

pub use list::List;
pub use order::Order;
