//! `verdigris completions` and `verdigris man`: what shells and `man` know of the command line. Both
//! are made from the definition that the arguments are read with.

use crate::out::write;
use clap::Command;
use clap_complete::Shell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The command's name.
const NAME: &str = "verdigris";

/// The arguments of `completions`.
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell that is to complete the command's arguments.
    shell: Shell,
}

/// The arguments of `man`.
#[derive(clap::Args)]
pub struct ManArgs {
    /// Write a page for the command, and one for each of its subcommands, to this folder, instead
    /// of the command's page to standard output.
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Prints a script for a shell.
///
/// # Errors
/// With a message.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<ExitCode, String> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, NAME, &mut script);
    print(&script)
}

/// Prints a manual page, or writes all of them to a folder.
///
/// # Errors
/// With a message, if they cannot be written.
pub fn man(args: &ManArgs, command: Command) -> Result<ExitCode, String> {
    let command = command.disable_help_subcommand(true);
    match &args.folder {
        Some(folder) => {
            pages(command, folder)?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(command).render(&mut page);
            rendered.map_err(|error| format!("error: there is no page: {error}"))?;
            print(&page)
        }
    }
}

fn pages(command: Command, folder: &Path) -> Result<(), String> {
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
    written.map_err(|error| format!("error: cannot write pages to {}: {error}", folder.display()))
}

fn print(text: &[u8]) -> Result<ExitCode, String> {
    write(&String::from_utf8_lossy(text))?;
    Ok(ExitCode::SUCCESS)
}
