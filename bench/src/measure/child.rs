//! Other processes. In: a command. Out: what it printed, the processor time from its start to its
//! exit, the largest resident set. Invariant: a process that does not end well is an error, which
//! has the last line that it wrote on standard error.
//!
//! Linux counts what a process has before it becomes another program as well, and that is a copy of
//! this process, or this process itself. So memory is measured by a process that has little of its
//! own, and by a copy.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// The output of a process and its use of time and memory.
pub struct Finished {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Processor time, in user mode and in the system.
    pub seconds: f64,
    /// Bytes.
    pub max_rss: u64,
}

/// Runs a process to its end.
///
/// # Errors
/// If it cannot be started, or fails.
pub fn finish(command: &mut Command) -> Result<Finished, String> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // SAFETY: it only asks for a number.
    let user = unsafe { libc::getuid() };
    // A user, though it is the same, makes the standard library copy this process rather than share
    // its memory until the other program begins: all that this process ever had would be counted.
    command.uid(user);
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |error: io::Error| format!("{name}: {error}");
    let mut child = command.spawn().map_err(failed)?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    // Both are read at once: waiting for one could keep the process waiting for the other.
    let errors = std::thread::spawn(move || read_all(stderr));
    let stdout = read_all(stdout);
    let stderr = errors
        .join()
        .map_err(|_| format!("{name}: a reader panicked"))?;
    let (status, seconds, max_rss) = wait(child.id()).map_err(failed)?;
    let (stdout, stderr) = (stdout.map_err(failed)?, stderr.map_err(failed)?);
    match status {
        0 => Ok(Finished {
            stdout,
            stderr,
            seconds,
            max_rss,
        }),
        status => {
            let last = stderr.lines().rfind(|line| !line.trim().is_empty());
            let why = last.map_or(String::new(), |line| format!(": {}", line.trim()));
            Err(format!("{name} ended with wait status {status}{why}"))
        }
    }
}

fn read_all(from: Option<impl Read>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        from.read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Waits for a child; gives its wait status, its seconds and its resident set.
fn wait(pid: u32) -> io::Result<(i32, f64, u64)> {
    let mut status = 0;
    // SAFETY: all zeros is a value of this plain C struct.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to local variables; the child is ours and no other code waits for
    // it.
    let result = unsafe { libc::wait4(pid as libc::pid_t, &mut status, 0, &mut usage) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    let used = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    Ok((status, used, usage.ru_maxrss as u64 * 1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_prints_and_uses() {
        let finished = finish(Command::new("sh").args(["-c", "echo yes"])).expect("it ends well");
        assert_eq!(finished.stdout, "yes\n");
        assert!(finished.max_rss > 100_000 && finished.seconds >= 0.0);
    }

    /// Earlier use by this process is not counted.
    #[test]
    fn memory_is_that_of_the_other_process() {
        let before = std::hint::black_box(vec![1u8; 200 << 20]);
        assert_eq!(before[before.len() - 1], 1);
        drop(before);
        let finished = finish(&mut Command::new("true")).expect("it ends well");
        assert!(finished.max_rss < 100 << 20, "{}", finished.max_rss);
    }

    #[test]
    fn failures_are_errors() {
        let failed = |command: &mut Command| finish(command).err().expect("it fails");
        let error = failed(Command::new("sh").args(["-c", "exit 3"]));
        assert_eq!(error, "sh ended with wait status 768");
        let error = failed(Command::new("sh").args(["-c", "echo first >&2; echo no >&2; exit 1"]));
        assert_eq!(error, "sh ended with wait status 256: no");
        assert!(failed(&mut Command::new("no-such-program")).starts_with("no-such-program: "));
    }
}
