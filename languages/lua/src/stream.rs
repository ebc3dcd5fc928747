//! Open files, for native code. In: paths, bytes. Out: bytes, positions, errors of the system.
//! Invariant: a stream is in one of three states: it has bytes that were read ahead, bytes that
//! wait to be written, or neither; going from one to the other puts the file's position right. All
//! streams belong to one thread, as a machine does.

use crate::output;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use verdigris::ByteBuffer;

/// Bytes that are read ahead at a time, and that wait to be written at most.
const ROOM: usize = 1 << 16;

/// What a stream reads or writes.
pub enum Handle {
    /// A file, and whether it may be read and written.
    File(File, bool, bool),
    /// Standard input.
    Stdin,
    /// Standard output, which the machine may capture.
    Stdout,
    /// Standard error.
    Stderr,
    /// The output of a command.
    Reads(Child, ChildStdout),
    /// The input of a command.
    Writes(Child, ChildStdin),
}

/// When a stream writes.
#[derive(Clone, Copy, PartialEq)]
pub enum Buffering {
    /// At once.
    No,
    /// At the end of a line.
    Line,
    /// When there are many bytes.
    Full,
}

/// An open file.
pub struct Stream {
    handle: Handle,
    ahead: Vec<u8>,
    at: usize,
    waiting: Vec<u8>,
    buffering: Buffering,
}

fn refused() -> io::Error {
    // EBADF, as a file that was opened for the other direction says.
    io::Error::from_raw_os_error(9)
}

impl Stream {
    /// A stream on a handle.
    pub fn new(handle: Handle) -> Stream {
        let buffering = match handle {
            Handle::Stderr => Buffering::No,
            _ => Buffering::Full,
        };
        Stream {
            handle,
            ahead: Vec::new(),
            at: 0,
            waiting: Vec::new(),
            buffering,
        }
    }

    /// Whether it is one of the three that the program begins with.
    pub fn is_standard(&self) -> bool {
        matches!(self.handle, Handle::Stdin | Handle::Stdout | Handle::Stderr)
    }

    /// Says when it writes.
    pub fn set_buffering(&mut self, buffering: Buffering) -> io::Result<()> {
        self.buffering = buffering;
        self.flush()
    }

    /// The next byte, which stays where it is; `None` at the end.
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.at == self.ahead.len() && self.fill()? == 0 {
            return Ok(None);
        }
        Ok(Some(self.ahead[self.at]))
    }

    /// Passes the byte that [`Stream::peek`] has shown.
    pub fn pass(&mut self) {
        self.at += 1;
    }

    fn fill(&mut self) -> io::Result<usize> {
        self.flush()?;
        if let Handle::Stdin = self.handle {
            // People read what is asked before they answer.
            output::flush();
        }
        self.ahead.resize(ROOM, 0);
        self.at = 0;
        let read = loop {
            let read = match &mut self.handle {
                Handle::File(file, true, _) => file.read(&mut self.ahead),
                Handle::Stdin => io::stdin().lock().read(&mut self.ahead),
                Handle::Reads(_, pipe) => pipe.read(&mut self.ahead),
                _ => Err(refused()),
            };
            match read {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.ahead.truncate(*read.as_ref().unwrap_or(&0));
        read
    }

    /// Appends a line, with its end if that is wanted; whether there was anything.
    pub fn line(&mut self, keep: bool, out: &mut ByteBuffer) -> io::Result<bool> {
        let mut any = false;
        while self.peek()?.is_some() {
            any = true;
            let rest = &self.ahead[self.at..];
            match memchr::memchr(b'\n', rest) {
                Some(end) => {
                    out.extend_from_slice(&rest[..end + usize::from(keep)]);
                    self.at += end + 1;
                    return Ok(true);
                }
                None => {
                    out.extend_from_slice(rest);
                    self.at = self.ahead.len();
                }
            }
        }
        Ok(any)
    }

    /// Appends at most so many bytes.
    pub fn bytes(&mut self, count: usize, out: &mut ByteBuffer) -> io::Result<()> {
        let mut left = count;
        while left > 0 && self.peek()?.is_some() {
            let rest = &self.ahead[self.at..];
            let taken = rest.len().min(left);
            out.extend_from_slice(&rest[..taken]);
            self.at += taken;
            left -= taken;
        }
        Ok(())
    }

    /// Writes bytes.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.handle {
            Handle::Stdout => return output::write(bytes),
            Handle::Stderr => return io::stderr().write_all(bytes),
            Handle::File(file, _, true) => {
                let ahead = self.ahead.len() - self.at;
                if ahead > 0 {
                    file.seek(SeekFrom::Current(-(ahead as i64)))?;
                }
                self.ahead.clear();
                self.at = 0;
            }
            Handle::Writes(..) => {}
            _ => return Err(refused()),
        }
        self.waiting.extend_from_slice(bytes);
        let full = match self.buffering {
            Buffering::No => true,
            Buffering::Line => bytes.contains(&b'\n'),
            Buffering::Full => self.waiting.len() >= ROOM,
        };
        if full { self.flush() } else { Ok(()) }
    }

    /// Writes what is waiting.
    pub fn flush(&mut self) -> io::Result<()> {
        if let Handle::Stdout = self.handle {
            output::flush();
        }
        if self.waiting.is_empty() {
            return Ok(());
        }
        let waiting = std::mem::take(&mut self.waiting);
        match &mut self.handle {
            Handle::File(file, _, _) => file.write_all(&waiting),
            Handle::Writes(_, pipe) => pipe.write_all(&waiting).and_then(|()| pipe.flush()),
            _ => Ok(()),
        }
    }

    /// Goes to a place; where that is.
    pub fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.flush()?;
        let ahead = (self.ahead.len() - self.at) as i64;
        self.ahead.clear();
        self.at = 0;
        let to = match to {
            SeekFrom::Current(by) => SeekFrom::Current(by - ahead),
            to => to,
        };
        match &mut self.handle {
            Handle::File(file, _, _) => file.seek(to),
            // ESPIPE: these have no places.
            _ => Err(io::Error::from_raw_os_error(29)),
        }
    }

    /// Closes it; how the command ended, if it was one.
    pub fn close(mut self) -> io::Result<Option<ExitStatus>> {
        self.flush()?;
        match self.handle {
            Handle::Reads(mut child, pipe) => {
                drop(pipe);
                child.wait().map(Some)
            }
            Handle::Writes(mut child, pipe) => {
                drop(pipe);
                child.wait().map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// The numbers of the streams that a program begins with.
pub const STDIN: usize = 0;
/// Standard output.
pub const STDOUT: usize = 1;
/// Standard error.
pub const STDERR: usize = 2;

thread_local! {
    static STREAMS: RefCell<Vec<Option<Stream>>> = const { RefCell::new(Vec::new()) };
}

/// The three standard streams.
pub fn standard() -> Vec<Option<Stream>> {
    let standard = [Handle::Stdin, Handle::Stdout, Handle::Stderr];
    standard.map(|handle| Some(Stream::new(handle))).into()
}

/// Opens the three standard streams, and closes all others.
pub fn begin() {
    STREAMS.set(standard());
}

/// Closes all streams. What waits is written; whether it can be is not known any more.
pub fn end() {
    close_all(STREAMS.take());
}

/// The same for those of a machine that is not entered.
pub fn close_all(streams: Vec<Option<Stream>>) {
    for mut stream in streams.into_iter().flatten() {
        stream.flush().ok();
    }
}

/// Gives the thread the streams of another machine; those that it had.
pub fn replace(streams: Vec<Option<Stream>>) -> Vec<Option<Stream>> {
    STREAMS.replace(streams)
}

/// Writes what waits in all streams.
pub fn flush_all() {
    STREAMS.with_borrow_mut(|streams| {
        for stream in streams.iter_mut().flatten() {
            stream.flush().ok();
        }
    });
}

/// Keeps a stream; its number.
pub fn keep(stream: Stream) -> usize {
    STREAMS.with_borrow_mut(|streams| {
        let free = streams.iter().skip(STDERR + 1).position(Option::is_none);
        match free {
            Some(at) => {
                streams[STDERR + 1 + at] = Some(stream);
                STDERR + 1 + at
            }
            None => {
                streams.push(Some(stream));
                streams.len() - 1
            }
        }
    })
}

/// Does something with an open stream; `None` if it is closed.
pub fn with<R>(number: usize, f: impl FnOnce(&mut Stream) -> R) -> Option<R> {
    STREAMS.with_borrow_mut(|streams| streams.get_mut(number)?.as_mut().map(f))
}

/// Takes a stream out, to close it.
pub fn take(number: usize) -> Option<Stream> {
    STREAMS.with_borrow_mut(|streams| streams.get_mut(number)?.take())
}
