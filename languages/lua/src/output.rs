//! The output of the program. In: bytes. Out: the same in the sink of this thread: standard output,
//! or a buffer or writer that the caller of the machine asked for. Invariant: what is printed does
//! not depend on the JIT.

use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

/// Where output goes.
pub enum Sink {
    /// Standard output, with whether each line is written at once, for people who wait for it.
    Stdout(BufWriter<Stdout>, bool),
    /// A buffer.
    Captured(Vec<u8>),
    /// Standard output as the rest of the process sees it, in whose buffer output waits with that
    /// of the embedder.
    Shared,
    /// A writer of the embedder, and nothing while it writes.
    Writer(Option<Box<dyn Write>>),
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
        Some(Sink::Shared | Sink::Writer(_)) | None => Ok(Vec::new()),
    }
}

/// Gives the thread the sink of another machine; the one that it had.
pub fn replace(sink: Option<Sink>) -> Option<Sink> {
    SINK.replace(sink)
}

/// Writes what is waiting. Failures show when the output is finished.
pub fn flush() {
    SINK.with_borrow_mut(|sink| match sink {
        Some(Sink::Stdout(out, _)) => out.flush().ok(),
        Some(Sink::Shared) => io::stdout().flush().ok(),
        _ => None,
    });
}

/// Prints.
///
/// # Errors
/// If standard output cannot be written, or a writer of the embedder that is writing prints.
pub fn write(bytes: &[u8]) -> io::Result<()> {
    let writer = SINK.with_borrow_mut(|sink| match sink {
        Some(Sink::Writer(writer)) => Some(writer.take()),
        _ => None,
    });
    match writer {
        None => write_plainly(bytes),
        Some(None) => Err(io::Error::other("the output is being written")),
        Some(Some(mut writer)) => {
            // It may run any code, so the sink is free meanwhile.
            let written = writer.write_all(bytes);
            SINK.with_borrow_mut(|sink| {
                if let Some(Sink::Writer(place @ None)) = sink {
                    *place = Some(writer);
                }
            });
            written
        }
    }
}

fn write_plainly(bytes: &[u8]) -> io::Result<()> {
    SINK.with_borrow_mut(|sink| match sink {
        Some(Sink::Stdout(out, lines)) => {
            out.write_all(bytes)?;
            match *lines && bytes.contains(&b'\n') {
                true => out.flush(),
                false => Ok(()),
            }
        }
        Some(Sink::Captured(buffer)) => buffer.write_all(bytes),
        Some(Sink::Shared) => io::stdout().write_all(bytes),
        Some(Sink::Writer(_)) | None => Ok(()),
    })
}
