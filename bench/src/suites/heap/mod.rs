//! The heap. In: what the measurements here need. Out: nanoseconds for an object made and a
//! reference stored in compiled code, beside LuaJIT, Java and Node; seconds of collections, and
//! which share of the time they take. All is processor time. Invariant: the other systems make as
//! many objects with the same fields, but for the number in each node of a tree, which those of
//! LuaJIT and Node have not; what is in their objects beside these is theirs.

mod collections;
mod stores;

use crate::measure::interleave::Repeat;
use crate::measure::record::Record;
use crate::peers::Peers;
use crate::settings::Settings;

/// Measures and prints the tables.
///
/// # Errors
/// If a program fails, or the results differ.
pub fn run(args: &Repeat, settings: &Settings) -> Result<Vec<Record>, String> {
    let runs = if settings.quick { 1 } else { args.runs };
    let peers = Peers::for_heap()?;
    let mut records = stores::run(runs, &args.jit, &peers, settings.quick)?;
    records.extend(collections::run(runs, &args.jit, &peers, settings.quick)?);
    Ok(records)
}
