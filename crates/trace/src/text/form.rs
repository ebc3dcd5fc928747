//! What the two forms of a trace print and parse on their own: what stands behind a guard, and
//! behind a jump at the end.

use super::parse::Parser;
use super::print::Printer;
use super::scan::Parsed;
use crate::exits::{ExitId, ExitTable};
use crate::verify::CheckExits;
use std::fmt;

/// A form of traces: [`Snapshots`](crate::Snapshots) or [`Exits`](crate::Exits).
pub trait TraceForm: ExitTable + CheckExits {
    /// What stands behind a guard.
    #[doc(hidden)]
    fn parse_exit(parser: &mut Parser<'_, Self>) -> Parsed<Self::Exit>;

    /// What may stand behind a jump.
    #[doc(hidden)]
    fn parse_arrival(parser: &mut Parser<'_, Self>) -> Parsed<()>;

    /// From behind a guard's arguments to the start of the next line.
    #[doc(hidden)]
    fn print_exit(printer: &mut Printer<'_, Self>, exit: ExitId) -> fmt::Result;

    /// What stands in the line behind a jump.
    #[doc(hidden)]
    fn print_arrival(printer: &mut Printer<'_, Self>) -> fmt::Result;
}
