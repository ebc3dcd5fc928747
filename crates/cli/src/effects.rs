//! `verdigris effects`: the heap effects that the translator assumes of called functions, and for
//! each heap place the function that is to blame.

use crate::out::write;
use crate::source::InterpreterSource;
use std::process::ExitCode;
use verdigris_report::Terminal;

/// The arguments.
#[derive(clap::Args)]
pub struct EffectsArgs {
    #[command(flatten)]
    source: InterpreterSource,
    /// Only functions whose names contain this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// The translator's words for a function that it cannot read.
const BY_NAMES: &str = "by the names in it";

/// The advice for such functions.
const HINT: &str = "\
note: what counts by names is outside of the subset, and is believed to do what any function of such a name does: a `push` may be that of a `List`
      say what the marked function touches instead, if that is too much: `#[opaque(reads(..), writes(..))]` (the book's reference/hints.md)";

/// Shows the effects.
///
/// # Errors
/// With a message.
pub fn run(args: &EffectsArgs) -> Result<ExitCode, String> {
    let root = args.source.root()?;
    let cfgs = args.source.cfgs();
    let styled = Terminal::stderr().has_colours;
    let text = verdigris_front::explain_effects(&root, &cfgs).map_err(|d| d.render(styled))?;
    let only = args.only.as_deref().unwrap_or_default();
    let mut wanted = false;
    let mut lines = String::new();
    for line in text.lines() {
        // A function's lines are indented; the first is not.
        if !line.starts_with(' ') {
            wanted = line.contains(only);
        }
        if wanted {
            lines += line;
            lines.push('\n');
        }
    }
    write(&lines)?;
    if lines.contains(BY_NAMES) {
        eprintln!("{HINT}");
    }
    Ok(ExitCode::SUCCESS)
}
