//! The origins of the operations of a trace, for the log. Operations are counted from 0 as they
//! stand in the stages `trace` and `opt`, with labels and merge points; frames are written as in
//! snapshots, `function:instruction`, innermost first.

use std::fmt::Write;
use verdigris_opt::Optimised;
use verdigris_report::TraceOrigins;
use verdigris_trace::RecordedTrace;

/// The origins as data.
pub(crate) fn data(trace: &RecordedTrace, optimised: &Optimised) -> TraceOrigins {
    let recorded = trace.exits.origins.iter();
    TraceOrigins {
        recorded: recorded.map(|origin| origin.to_vec()).collect(),
        optimised: optimised.origins.clone(),
    }
}

/// `recorded` and a line for each recorded operation, `4 @ 1:59 | 0:3`; then `opt` and a line for
/// each operation that is left and is a guard or comes from a recorded one: `7 <- 4 g0`.
pub(crate) fn text(trace: &RecordedTrace, optimised: &Optimised) -> String {
    let mut text = String::from("recorded\n");
    for (n, origin) in trace.exits.origins.iter().enumerate() {
        let frames: Vec<String> = origin.iter().map(|(f, pc)| format!("{f}:{pc}")).collect();
        // Writing to a string never fails.
        let _ = writeln!(text, "{n} @ {}", frames.join(" | "));
    }
    text.push_str("opt\n");
    let mut origins = optimised.origins.iter().copied();
    for (n, op) in optimised.trace.ops().iter().enumerate() {
        let origin = origins.next().flatten();
        let guard = op.guard();
        if origin.is_none() && guard.is_none() {
            continue;
        }
        let _ = write!(text, "{n}");
        if let Some(origin) = origin {
            let _ = write!(text, " <- {origin}");
        }
        if let Some(guard) = guard {
            let _ = write!(text, " {guard}");
        }
        text.push('\n');
    }
    text
}
