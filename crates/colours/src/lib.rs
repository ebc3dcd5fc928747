//! Binding times: which values follow from the position in the guest program (green) and which do
//! not (red).
//!
//! [`analyse`] colours every value of every function, for each combination of its arguments'
//! colours. [`findings`] reports demands that cannot be met, and [`ColourReport`] is the coloured
//! source. A value that is not red follows from greens, constants and promoted values by operations
//! that can be folded; a colour does not depend on the order in which functions are visited.
//!
//! Sources: "How to not write virtual machines for dynamic languages" (2007), section 2.1, and
//! "Automatic generation of JIT compilers for dynamic languages in .NET" (2009), section 3.2.

#![forbid(unsafe_code)]

mod analyse;
mod analysis;
mod colour;
mod input;
mod report;
mod solver;

pub use analyse::analyse;
pub use analysis::Analysis;
pub use colour::Colour;
pub use input::ColourInput;
pub use report::chain::ReasonLink;
pub use report::findings::{findings, red_dispatch};
pub use report::results::ColourRange;
pub use report::text::Style;
pub use report::{ColourReport, Paint, Shade};
