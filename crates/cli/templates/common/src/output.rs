//! What programs print. In: lines. Out: standard output, or a text that the caller wanted.
//! Invariant: nothing here knows the JIT, so what is printed cannot depend on it.

use std::cell::RefCell;
use std::io::{self, BufWriter, Write};

thread_local! {
    // Programs run one at a time in a thread. No object of the VM's heap may be in here: the
    // collector does not look into it.
    static SINK: RefCell<Box<dyn Write>> = RefCell::new(Box::new(io::sink()));
    static CAPTURED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Keeps what is written for [`finish`].
struct Capture;

impl Write for Capture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        CAPTURED.with_borrow_mut(|captured| captured.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// From now on, this thread's programs print to standard output, or to a text that [`finish`]
/// gives.
pub fn begin(capture: bool) {
    SINK.set(match capture {
        true => Box::new(Capture),
        false => Box::new(BufWriter::with_capacity(1 << 16, io::stdout())),
    });
}

/// Writes a line.
///
/// # Errors
/// If standard output cannot be written.
pub fn line(text: &str) -> io::Result<()> {
    SINK.with_borrow_mut(|sink| writeln!(sink, "{text}"))
}

/// Writes what waits, and gives what was captured.
///
/// # Errors
/// If standard output cannot be written.
pub fn finish() -> io::Result<String> {
    SINK.with_borrow_mut(|sink| sink.flush())?;
    let captured = CAPTURED.take();
    Ok(String::from_utf8_lossy(&captured).into_owned())
}
