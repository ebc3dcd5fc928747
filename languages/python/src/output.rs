//! What programs print and read. In: texts. Out: standard output, or a buffer for those who want to
//! see it. Invariant: output that was not captured is written when the buffer is full, when the
//! program ends, and before it reads or writes to standard error.

use std::cell::RefCell;
use std::io::{self, Write};

/// How much is kept before it is written.
const FULL: usize = 1 << 16;

struct Output {
    buffer: Vec<u8>,
    errors: Vec<u8>,
    captured: bool,
}

thread_local! {
    static OUTPUT: RefCell<Output> = const {
        RefCell::new(Output { buffer: Vec::new(), errors: Vec::new(), captured: false })
    };
}

/// A program begins; its output is captured, or goes to standard output.
pub fn begin(captured: bool) {
    OUTPUT.with_borrow_mut(|output| {
        *output = Output {
            buffer: Vec::new(),
            errors: Vec::new(),
            captured,
        };
    });
}

/// Writes a text to standard output, or to standard error.
///
/// # Errors
/// If that fails.
pub fn write(text: &str, to_errors: bool) -> io::Result<()> {
    OUTPUT.with_borrow_mut(|output| {
        if to_errors {
            if output.captured {
                output.errors.extend(text.as_bytes());
                return Ok(());
            }
            output.flush()?;
            return io::stderr().write_all(text.as_bytes());
        }
        output.buffer.extend(text.as_bytes());
        match output.buffer.len() >= FULL {
            true => output.flush(),
            false => Ok(()),
        }
    })
}

impl Output {
    fn flush(&mut self) -> io::Result<()> {
        if self.captured {
            return Ok(());
        }
        let mut out = io::stdout();
        let written = out.write_all(&self.buffer).and_then(|()| out.flush());
        self.buffer.clear();
        written
    }
}

/// Writes what is kept.
///
/// # Errors
/// If that fails.
pub fn flush() -> io::Result<()> {
    OUTPUT.with_borrow_mut(Output::flush)
}

/// The program ends: what it has printed, if that was captured, and what of it on standard error.
///
/// # Errors
/// If the rest cannot be written.
pub fn finish() -> io::Result<(Vec<u8>, Vec<u8>)> {
    OUTPUT.with_borrow_mut(|output| {
        output.flush()?;
        Ok((
            std::mem::take(&mut output.buffer),
            std::mem::take(&mut output.errors),
        ))
    })
}

/// A line of standard input, without its end.
///
/// # Errors
/// If it cannot be read.
pub fn read_line() -> io::Result<Option<String>> {
    OUTPUT.with_borrow_mut(Output::flush)?;
    let mut line = String::new();
    if io::stdin().read_line(&mut line)? == 0 {
        return Ok(None);
    }
    if line.ends_with('\n') {
        line.pop();
    }
    Ok(Some(line))
}
