//! What generated code names: the expansions of the attributes, and the file that the build script
//! writes. Nothing here is for users, and everything here can be called from a crate that forbids
//! unsafe code.

mod count;
pub mod scalars;

pub use count::count_operation;
#[cfg(feature = "count")]
pub use count::operations;

pub use verdigris_engine::{
    Portal, Program, ProgramParts, enter_portal, interpret_within, is_within_code,
};
/// What `#[portal(location = ..)]` calls, for the same reason.
///
/// ```compile_fail,E0308
/// use verdigris::prelude::*;
///
/// fn location(pc: u8) -> Location {
///     Location::new().offset(pc.into())
/// }
///
/// #[portal(location = location)]
/// fn run(mut pc: usize) {
///     loop {
///         merge_point!(greens = [pc], reds = []);
///         pc += 1;
///     }
/// }
///
/// fn main() {}
/// ```
/// ```
/// use verdigris::prelude::*;
///
/// fn location(pc: usize) -> Location {
///     Location::new().offset(pc)
/// }
///
/// #[portal(location = location)]
/// fn run(mut pc: usize) {
///     loop {
///         merge_point!(greens = [pc], reds = []);
///         pc += 1;
///     }
/// }
///
/// fn main() {}
/// ```
pub use verdigris_heap::check_location;
/// What `#[portal(tier = ..)]` calls, so that a function is refused that does not take the greens:
/// this one would have the words of one type taken for those of another.
///
/// ```compile_fail,E0308
/// use verdigris::{Str, Tier, prelude::*};
///
/// fn tier(_pc: Gc<Str>) -> Tier {
///     Tier::Traced
/// }
///
/// #[portal(tier = tier)]
/// fn run(mut pc: usize) {
///     loop {
///         merge_point!(greens = [pc], reds = []);
///         pc += 1;
///     }
/// }
///
/// fn main() {}
/// ```
/// ```
/// use verdigris::{Tier, prelude::*};
///
/// fn tier(_pc: usize) -> Tier {
///     Tier::Traced
/// }
///
/// #[portal(tier = tier)]
/// fn run(mut pc: usize) {
///     loop {
///         merge_point!(greens = [pc], reds = []);
///         pc += 1;
///     }
/// }
///
/// fn main() {}
/// ```
pub use verdigris_heap::check_tier;
pub use verdigris_heap::{
    Entered, PortalFrame, RawWord, Start, Words, can_enter, enter_function, hash_greens,
};
pub use verdigris_library::rt::*;
pub use verdigris_macros::mistakes;
