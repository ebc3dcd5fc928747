//! The file `jit-<pid>.dump`, from which `perf` knows machine code: for each piece a record with
//! its address, time, bytes, unwind tables, and the lines of its trace. Records are written at
//! once, so the file is whole whenever the process ends. All VMs of a process share the file of a
//! folder.
//!
//! Freed code has no record: the record of newer code at its address replaces it. So times are
//! those of the clock by which `perf record -k 1` notes samples. Source: the Linux sources,
//! `tools/perf/Documentation/jitdump-specification.txt`.

use crate::{eh_frame, elf, marker, source};
use rustix::time::{ClockId, clock_gettime};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use verdigris_backend::journal::MachineCode;

/// The numbers of records.
const LOAD: u32 = 0;
const DEBUG_INFO: u32 = 2;
const CLOSE: u32 = 3;
const UNWINDING_INFO: u32 = 4;

/// The size of a record's header.
const PREFIX: usize = 16;

/// A file that is being written, and shared.
struct Shared {
    folder: PathBuf,
    state: Mutex<State>,
}

struct State {
    file: File,
    /// Pieces so far.
    count: u64,
    /// The number of writers.
    users: u32,
}

/// The files of this process. They stay open, because `perf` has been told of them.
static FILES: Mutex<Vec<Arc<Shared>>> = Mutex::new(Vec::new());

/// One user of a file.
pub(crate) struct Dump(Arc<Shared>);

impl Dump {
    /// The file in this folder, which is made if it does not exist.
    ///
    /// # Errors
    /// If it cannot be made, or not be mapped to be executed.
    pub(crate) fn open(folder: &Path) -> io::Result<Dump> {
        std::fs::create_dir_all(folder)?;
        let folder = folder.canonicalize()?;
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        let known = files.iter().find(|shared| shared.folder == folder);
        let shared = match known {
            Some(shared) => Arc::clone(shared),
            None => {
                let shared = Arc::new(Shared::create(folder)?);
                files.push(Arc::clone(&shared));
                shared
            }
        };
        shared.with(|state| state.users += 1);
        Ok(Dump(shared))
    }

    /// Adds a piece of code, with the text of its trace if it belongs to one.
    pub(crate) fn add(&self, code: &MachineCode, name: &str, text: Option<&str>) {
        self.0.with(|state| {
            let index = state.count;
            state.count += 1;
            // What belongs to the code comes in front of it.
            if let Some(text) = text {
                let name = format!("jit-{}-{index}.trace", std::process::id());
                let path = source::write(&self.0.folder.join(name), text);
                if let Some(path) = path {
                    let lines = source::lines(text, &code.ops);
                    state.write(&debug_info(code, &path, &lines));
                }
            }
            state.write(&unwinding_info(code));
            state.write(&load(code, name, index));
        });
    }
}

impl Drop for Dump {
    fn drop(&mut self) {
        self.0.with(|state| {
            state.users -= 1;
            if state.users == 0 {
                state.write(&Record::new(CLOSE));
            }
        });
    }
}

impl Shared {
    fn create(folder: PathBuf) -> io::Result<Shared> {
        let path = folder.join(format!("jit-{}.dump", std::process::id()));
        let mut file = (File::options().read(true).write(true).create(true))
            .truncate(true)
            .open(path)?;
        file.write_all(&header())?;
        marker::map(&file)?;
        Ok(Shared {
            folder,
            state: Mutex::new(State {
                file,
                count: 0,
                users: 0,
            }),
        })
    }

    fn with(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl State {
    /// A profile that cannot be written (a full disk) must not change what the program does.
    fn write(&mut self, record: &Record) {
        let _ = self.file.write_all(&record.bytes());
    }
}

/// Nanoseconds of the clock that does not stop or jump.
fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The header of a file.
fn header() -> Vec<u8> {
    const MAGIC: u32 = 0x4A69_5444;
    const VERSION: u32 = 1;
    const SIZE: u32 = 40;
    let words = [
        MAGIC,
        VERSION,
        SIZE,
        u32::from(elf::MACHINE.0),
        0,
        std::process::id(),
    ];
    let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_ne_bytes).collect();
    bytes.extend_from_slice(&now().to_ne_bytes());
    bytes.extend_from_slice(&0u64.to_ne_bytes());
    bytes
}

/// A record without its length and time.
struct Record {
    id: u32,
    body: Vec<u8>,
}

impl Record {
    fn new(id: u32) -> Record {
        Record {
            id,
            body: Vec::new(),
        }
    }

    fn int(&mut self, word: u32) -> &mut Record {
        self.body.extend_from_slice(&word.to_ne_bytes());
        self
    }

    fn long(&mut self, word: u64) -> &mut Record {
        self.body.extend_from_slice(&word.to_ne_bytes());
        self
    }

    /// A text, which ends with a zero.
    fn text(&mut self, text: &[u8]) -> &mut Record {
        self.body.extend(text.iter().filter(|&&byte| byte != 0));
        self.body.push(0);
        self
    }

    /// The record as it is written now.
    fn bytes(&self) -> Vec<u8> {
        let size = (PREFIX + self.body.len()) as u32;
        let mut bytes = Vec::with_capacity(size as usize);
        bytes.extend_from_slice(&self.id.to_ne_bytes());
        bytes.extend_from_slice(&size.to_ne_bytes());
        bytes.extend_from_slice(&now().to_ne_bytes());
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

fn load(code: &MachineCode, name: &str, index: u64) -> Record {
    let mut record = Record::new(LOAD);
    let thread = rustix::thread::gettid().as_raw_nonzero().get() as u32;
    record.int(std::process::id()).int(thread);
    let address = code.address as u64;
    record.long(address).long(address);
    record.long(code.bytes.len() as u64).long(index);
    record.text(name.as_bytes());
    record.body.extend_from_slice(&code.bytes);
    record
}

fn debug_info(code: &MachineCode, path: &Path, lines: &[(u32, u32)]) -> Record {
    use std::os::unix::ffi::OsStrExt;
    let mut record = Record::new(DEBUG_INFO);
    record.long(code.address as u64).long(lines.len() as u64);
    for &(offset, line) in lines {
        record.long((code.address + offset as usize) as u64);
        record.int(line).int(0).text(path.as_os_str().as_bytes());
    }
    record
}

fn unwinding_info(code: &MachineCode) -> Record {
    let section = eh_frame::section(code, eh_frame::Where::Behind);
    let header = eh_frame::header(code, &section);
    let size = section.len() + header.len();
    // `perf` has the bytes from here, but looks for them at these addresses.
    let behind = eh_frame::distance(code) - code.bytes.len() + size;
    let mapped = if behind <= code.room { size } else { 0 };
    let mut record = Record::new(UNWINDING_INFO);
    record.long(size as u64).long(header.len() as u64);
    record.long(mapped as u64);
    record.body.extend_from_slice(&section);
    record.body.extend_from_slice(&header);
    let padded = record.body.len().next_multiple_of(8);
    record.body.resize(padded, 0);
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::returns;

    fn word(bytes: &[u8], at: usize) -> u32 {
        u32::from_ne_bytes(*bytes[at..].first_chunk().unwrap())
    }

    /// The numbers and bodies of the records in a folder's file.
    fn records(folder: &Path) -> Vec<(u32, Vec<u8>)> {
        let path = folder.join(format!("jit-{}.dump", std::process::id()));
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(&bytes[..4], b"DTiJ");
        assert_eq!(word(&bytes, 20), std::process::id());
        let mut rest = &bytes[word(&bytes, 8) as usize..];
        let mut records = Vec::new();
        while !rest.is_empty() {
            let (record, more) = rest.split_at(word(rest, 4) as usize);
            records.push((word(record, 0), record[PREFIX..].to_vec()));
            rest = more;
        }
        records
    }

    #[test]
    fn code_is_written_with_its_name_and_what_belongs_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let dump = Dump::open(folder.path()).unwrap();
        let text = "[]\nlabel L0()\nfinish()\n";
        dump.add(&returns(0x1000), "trace 0: loop", Some(text));
        dump.add(&returns(0x2000), "handlers", None);
        drop(dump);
        let records = records(folder.path());
        let ids: Vec<u32> = records.iter().map(|r| r.0).collect();
        let expected = [
            DEBUG_INFO,
            UNWINDING_INFO,
            LOAD,
            UNWINDING_INFO,
            LOAD,
            CLOSE,
        ];
        assert_eq!(ids, expected);
        let [debug, _, load, ..] = &records[..] else {
            unreachable!("there are six");
        };
        assert!(load.1.ends_with(b"trace 0: loop\0\xC3"));
        assert_eq!(word(&load.1, 16), 0x1000);
        // One line: the third one of the text, for the operation 1.
        assert_eq!((word(&debug.1, 8), word(&debug.1, 24)), (1, 3));
        let path = folder
            .path()
            .join(format!("jit-{}-0.trace", std::process::id()));
        assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    }

    #[test]
    fn a_file_goes_on_where_its_last_user_has_closed_it() {
        let folder = tempfile::tempdir().unwrap();
        for address in [0x1000, 0x2000] {
            let dump = Dump::open(folder.path()).unwrap();
            let other = Dump::open(folder.path()).unwrap();
            dump.add(&returns(address), "code", None);
            drop((dump, other));
        }
        let ids: Vec<u32> = records(folder.path()).iter().map(|r| r.0).collect();
        let one = [UNWINDING_INFO, LOAD, CLOSE];
        assert_eq!(ids, [one, one].concat());
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(Dump::open(file.path()).is_err());
    }
}
