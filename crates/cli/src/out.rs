//! Standard output of the tool.

use std::io::{ErrorKind, Write};

/// Writes to standard output. A reader that has closed the pipe is no error.
///
/// # Errors
/// With a message, if it cannot be written.
pub fn write(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("error: cannot write the output: {error}"))
        }
        _ => Ok(()),
    }
}
