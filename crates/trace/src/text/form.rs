//! The text that differs between the two forms of a trace: behind a guard, and behind a jump.

use super::parse::Parser;
use super::print::Printer;
use super::scan::Parsed;
use crate::exits::{ExitId, ExitTable};
use crate::verify::CheckExits;
use std::fmt;

/// A form of traces: [`Snapshots`](crate::Snapshots) or [`Exits`](crate::Exits).
pub trait TraceForm: ExitTable + CheckExits {
    /// Parses the text behind a guard.
    #[doc(hidden)]
    fn parse_exit(parser: &mut Parser<'_, Self>) -> Parsed<Self::Exit>;

    /// Parses the text behind a jump.
    #[doc(hidden)]
    fn parse_arrival(parser: &mut Parser<'_, Self>) -> Parsed<()>;

    /// Prints from behind a guard's arguments to the start of the next line.
    #[doc(hidden)]
    fn print_exit(printer: &mut Printer<'_, Self>, exit: ExitId) -> fmt::Result;

    /// Prints the line behind a jump.
    #[doc(hidden)]
    fn print_arrival(printer: &mut Printer<'_, Self>) -> fmt::Result;
}
