//! The output of the program. In: bytes. Out: the same in the sink of this thread: standard output,
//! or a buffer that the caller of the machine asked for. Invariant: what is printed does not depend
//! on the JIT.

use std::cell::RefCell;
use std::io::{self, BufWriter, Stdout, Write};

/// Where output goes.
enum Sink {
    Stdout(BufWriter<Stdout>),
    Captured(Vec<u8>),
}

thread_local! {
    static SINK: RefCell<Option<Sink>> = const { RefCell::new(None) };
}

/// Sends the output of this thread's programs to standard output, or to a buffer, until [`finish`].
pub fn begin(capture: bool) {
    SINK.set(Some(match capture {
        true => Sink::Captured(Vec::new()),
        false => Sink::Stdout(BufWriter::with_capacity(1 << 16, io::stdout())),
    }));
}

/// Ends what [`begin`] began; gives the buffer if there is one.
///
/// # Errors
/// If standard output cannot be written.
pub fn finish() -> io::Result<Vec<u8>> {
    match SINK.take() {
        Some(Sink::Stdout(mut out)) => out.flush().map(|()| Vec::new()),
        Some(Sink::Captured(bytes)) => Ok(bytes),
        None => Ok(Vec::new()),
    }
}

/// Writes what is waiting. Failures show when the output is finished.
pub fn flush() {
    SINK.with_borrow_mut(|sink| {
        if let Some(Sink::Stdout(out)) = sink {
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
        Some(Sink::Stdout(out)) => out.write_all(bytes),
        Some(Sink::Captured(buffer)) => buffer.write_all(bytes),
        None => Ok(()),
    })
}
