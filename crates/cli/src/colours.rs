//! `verdigris colours`: the interpreter's source, coloured, as text or as a page. Mistakes in the
//! colours go to standard error.

use crate::out::write;
use crate::source::InterpreterSource;
use std::path::PathBuf;
use std::process::ExitCode;
use verdigris_colours::Style;
use verdigris_report::Terminal;

/// The arguments.
#[derive(clap::Args)]
pub struct ColoursArgs {
    #[command(flatten)]
    source: InterpreterSource,
    /// Marks under the lines instead of colours; so it is when the output is no terminal, or the
    /// environment variable `NO_COLOR` is set.
    #[arg(long)]
    no_color: bool,
    /// Write a page to this file instead. It says why values are red.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Shows the colours.
///
/// # Errors
/// With a message.
pub fn run(args: &ColoursArgs) -> Result<ExitCode, String> {
    let root = args.source.root()?;
    let cfgs = args.source.cfgs();
    let styled = Terminal::stderr().has_colours && !args.no_color;
    let coloured = verdigris_build::colour_crate(&root, &cfgs).map_err(|d| d.render(styled))?;
    match &args.html {
        Some(file) => std::fs::write(file, coloured.report.html())
            .map_err(|e| format!("error: cannot write {}: {e}", file.display()))?,
        None => {
            let style = match Terminal::stdout().has_colours && !args.no_color {
                true => Style::Terminal,
                false => Style::Marks,
            };
            let text = coloured.report.text(style);
            write(&text)?;
        }
    }
    if !coloured.findings.is_empty() {
        eprintln!("{}", coloured.findings.render(styled));
    }
    let wrong = coloured.findings.list.iter().any(|d| !d.code.is_warning());
    Ok(ExitCode::from(u8::from(wrong)))
}
