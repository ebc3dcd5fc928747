//! The case of a process that died. In: a command line for a process of this program that fuzzes. Out: how it ended; if it was
//! killed, the case that did it. Invariant: whatever a case does to its process, this one survives and writes it down.

use crate::campaign;
use crate::journal;
use crate::kept::Case;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a case may take when it is tried alone.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a process ended.
#[derive(Debug)]
pub enum End {
    /// It said itself how: 0 if all was well.
    Said(u8),
    /// It was killed. These are the files of the cases that it was killed with.
    Killed(Vec<PathBuf>),
}

/// What status a process ends with that has found a failure, or that is given a wrong command line.
const SPEAKS: [i32; 3] = [0, 1, 2];

/// Runs this program with these arguments.
///
/// # Errors
/// If it cannot be started.
pub fn run(args: &[String], folder: &Path) -> Result<End, String> {
    let status = start(args)?.wait();
    let status = status.map_err(|error| format!("cannot wait for the process: {error}"))?;
    match status.code() {
        Some(code) if SPEAKS.contains(&code) => Ok(End::Said(code as u8)),
        _ => Ok(End::Killed(write_down(folder, status))),
    }
}

fn start(args: &[String]) -> Result<std::process::Child, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let child = Command::new(program).args(args).spawn();
    child.map_err(|error| format!("cannot start a process: {error}"))
}

/// Writes down what ran when a process was killed, as small as it can be made.
fn write_down(folder: &Path, status: ExitStatus) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for (number, case) in journal::left_behind(folder).into_iter().enumerate() {
        let small = match campaign::named(&case.campaign) {
            Ok(campaign) => campaign.shrink_from_outside(&case, &mut |case| kills(case, folder)),
            Err(_) => case,
        };
        let mut small = small;
        small.fields.push((
            "why".to_string(),
            format!("the process ended with {status}"),
        ));
        let name = format!("killed-{}-{number}", std::process::id());
        files.extend(small.write(folder, &name));
    }
    files
}

/// Whether a case kills the process that tries it, or runs for ever.
fn kills(case: &Case, folder: &Path) -> bool {
    let Ok(file) = case.write(folder, "tried") else {
        return false;
    };
    let program = std::env::current_exe();
    let child = program.and_then(|program| {
        let mut command = Command::new(program);
        command.arg("replay").arg(&file);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    });
    let killed = child.is_ok_and(|mut child| {
        let start = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => {
                    break !status.code().is_some_and(|code| SPEAKS.contains(&code));
                }
                Ok(None) if start.elapsed() > PATIENCE => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break true;
                }
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    });
    let _ = std::fs::remove_file(file);
    killed
}
