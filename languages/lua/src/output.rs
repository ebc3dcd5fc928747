//! The output of the program. In: bytes. Out: the same in the sink of this thread: standard output,
//! or a buffer that the caller of the machine asked for. Invariant: what is printed does not depend
//! on the JIT.

use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

/// Where output goes.
enum Sink {
    /// With whether each line is written at once, for people who wait for it.
    Stdout(BufWriter<Stdout>, bool),
    Captured(Vec<u8>),
}

thread_local! {
    static SINK: RefCell<Option<Sink>> = const { RefCell::new(None) };
}

/// Sends the output of this thread's programs to standard output, or to a buffer, until [`finish`].
pub fn begin(capture: bool) {
    SINK.set(Some(match capture {
        true => Sink::Captured(Vec::new()),
        false => {
            let out = io::stdout();
            let is_terminal = out.is_terminal();
            Sink::Stdout(BufWriter::with_capacity(1 << 16, out), is_terminal)
        }
    }));
}

/// Ends what [`begin`] began; gives the buffer if there is one.
///
/// # Errors
/// If standard output cannot be written.
pub fn finish() -> io::Result<Vec<u8>> {
    match SINK.take() {
        Some(Sink::Stdout(mut out, _)) => out.flush().map(|()| Vec::new()),
        Some(Sink::Captured(bytes)) => Ok(bytes),
        None => Ok(Vec::new()),
    }
}

/// Writes what is waiting. Failures show when the output is finished.
pub fn flush() {
    SINK.with_borrow_mut(|sink| {
        if let Some(Sink::Stdout(out, _)) = sink {
            out.flush().ok();
        }
    });
}

/// Prints.
///
/// # Errors
/// If standard output cannot be written.
pub fn write(bytes: &[u8]) -> io::Result<()> {
    SINK.with_borrow_mut(|sink| match sink {
        Some(Sink::Stdout(out, lines)) => {
            out.write_all(bytes)?;
            match *lines && bytes.contains(&b'\n') {
                true => out.flush(),
                false => Ok(()),
            }
        }
        Some(Sink::Captured(buffer)) => buffer.write_all(bytes),
        None => Ok(()),
    })
}
