//! The case of a process that died. In: a program that fuzzes, its command line. Out: how it ended;
//! if it was killed, the case that did it, as small as it could be made. Invariant: whatever a case
//! does to its process, this one survives and writes it down.

use crate::journal;
use crate::kept::Case;
use crate::registry;
use crate::shrink::Budget;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Tries to make a case smaller; each is a process.
const TRIES: usize = 500;

/// How long a case may take when it is tried alone.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a process ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// It said itself how: 0 if all was well.
    Said(u8),
    /// It was killed. These are the files of the cases that it was killed with.
    Killed(Vec<PathBuf>),
}

/// With what status a process ends that was not killed: all is well, there is a failure, the
/// command line is wrong.
const SPEAKS: [i32; 3] = [0, 1, 2];

/// Runs processes and watches them.
#[derive(Clone, Debug)]
pub struct Supervisor {
    /// The program that fuzzes, and tries one case as `replay FILE`.
    pub program: PathBuf,
    /// Where its journal is, and where cases go.
    pub folder: PathBuf,
    /// For how long a case that killed it is made smaller.
    pub shrinking: Duration,
    /// Options that it needs to try a case as it tried it before.
    pub replays_with: Vec<String>,
}

impl Supervisor {
    /// Runs the program with these arguments.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&self, args: &[String]) -> Result<End, String> {
        let cannot = |error: io::Error| format!("{}: {error}", self.program.display());
        let status = Command::new(&self.program)
            .args(args)
            .status()
            .map_err(cannot)?;
        match spoken(status) {
            Some(code) => Ok(End::Said(code)),
            None => Ok(End::Killed(self.write_down(status))),
        }
    }

    /// Writes down what ran when a process was killed.
    fn write_down(&self, status: ExitStatus) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for (number, case) in journal::left_behind(&self.folder).into_iter().enumerate() {
            let mut small = match registry::named(&case.campaign) {
                Ok(campaign) => {
                    let mut budget = Budget::new(TRIES, self.shrinking.into());
                    campaign.shrink_from_outside(&case, &mut budget, &mut |case| self.kills(case))
                }
                Err(_) => case,
            };
            let why = format!("the process ended with {status}");
            small.fields.push(("why".to_string(), why));
            let name = format!("killed-{}-{number}", std::process::id());
            files.extend(small.write(&self.folder, &name));
        }
        files
    }

    /// Whether a case kills the process that tries it, or runs for ever.
    fn kills(&self, case: &Case) -> bool {
        let Ok(file) = case.write(&self.folder, "tried") else {
            return false;
        };
        let mut command = Command::new(&self.program);
        command.arg("replay").arg(&file).args(&self.replays_with);
        let killed = ended(command, PATIENCE).is_ok_and(|status| match status {
            Some(status) => spoken(status).is_none(),
            None => true,
        });
        // The next case has the same name.
        let _ = std::fs::remove_file(file);
        killed
    }
}

/// The status of a process that was not killed.
fn spoken(status: ExitStatus) -> Option<u8> {
    let code = status.code().filter(|code| SPEAKS.contains(code))?;
    u8::try_from(code).ok()
}

/// How a command ends, whatever it prints; nothing if it does not in time, and has to be killed.
///
/// # Errors
/// If it cannot be started.
pub fn ended(mut command: Command, patience: Duration) -> io::Result<Option<ExitStatus>> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let start = Instant::now();
    while start.elapsed() < patience {
        if let Ok(Some(status)) = child.try_wait() {
            return Ok(Some(status));
        }
        sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    let _ = child.wait();
    Ok(None)
}
