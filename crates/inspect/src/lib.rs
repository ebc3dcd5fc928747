//! Machine code for profilers and debuggers: files for `perf`, and object files for GDB, with names
//! and, but for the map of names, unwind tables. They are made from the backend's journal
//! ([`verdigris_backend::journal`]) and the titles of traces. The program's behaviour does not
//! change; only compilation is slower.
//!
//! Nothing here knows a backend: the journal is data. Unsafe Rust is confined to `gdb`, whose
//! interface is two names in this process, and `marker`, a mapping that `perf` looks for.

#![warn(clippy::undocumented_unsafe_blocks)]
#![deny(unsafe_code)]

mod eh_frame;
mod elf;
mod gdb;
#[cfg(target_os = "linux")]
mod jitdump;
#[cfg(target_os = "linux")]
mod marker;
mod perf_map;
#[cfg(target_os = "linux")]
mod source;

use crate::gdb::Registration;
use crate::perf_map::PerfMap;
use std::collections::HashMap;
use std::io;
use std::path::Path;
use verdigris_backend::journal::{CodeEvent, CodeKind, MachineCode};

/// The trace that code was compiled for.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// Its title, in one line.
    pub title: &'a str,
    /// Its text, with one operation behind the other, as `verdigris_trace::print` makes it.
    pub text: &'a str,
}

/// Tells others of one VM's machine code.
pub struct Inspector {
    #[cfg(target_os = "linux")]
    dump: Option<jitdump::Dump>,
    map: Option<PerfMap>,
    /// The object files that GDB knows, by address; none if GDB is not told.
    known: Option<HashMap<usize, Registration>>,
}

impl Inspector {
    /// Writes a file for `perf` in this folder, if there is one, and the map of names that `perf`
    /// looks for by itself, if `perf_map` is set; tells GDB, if `gdb` is set.
    ///
    /// # Errors
    /// If a file cannot be made, or not be mapped to be executed, or if this is not Linux.
    pub fn new(jitdump: Option<&Path>, perf_map: bool, gdb: bool) -> io::Result<Inspector> {
        #[cfg(not(target_os = "linux"))]
        if jitdump.is_some() || perf_map {
            return Err(io::Error::other("perf and its files are for Linux"));
        }
        Ok(Inspector {
            #[cfg(target_os = "linux")]
            dump: jitdump.map(jitdump::Dump::open).transpose()?,
            map: perf_map.then(PerfMap::open).transpose()?,
            known: gdb.then(HashMap::new),
        })
    }

    /// Tells what has happened, in this order; code of traces was compiled for this one.
    pub fn tell(&mut self, events: Vec<CodeEvent>, trace: Option<Named<'_>>) {
        for event in events {
            match event {
                CodeEvent::Made(code) => self.made(&code, trace),
                CodeEvent::Freed(address) => {
                    // What `perf` has been told holds until something else is at that address.
                    if let Some(known) = &mut self.known {
                        known.remove(&address);
                    }
                }
            }
        }
    }

    fn made(&mut self, code: &MachineCode, trace: Option<Named<'_>>) {
        let name = name(code.what, trace.map(|t| t.title));
        #[cfg(target_os = "linux")]
        if let Some(dump) = &self.dump {
            let text = trace.map(|t| t.text).filter(|_| !code.ops.is_empty());
            dump.add(code, &name, text);
        }
        if let Some(map) = &mut self.map {
            map.add(code, &name);
        }
        if let Some(known) = &mut self.known {
            let image = elf::image(code, &name);
            // GDB must not know two things of one address at any time.
            drop(known.remove(&code.address));
            known.insert(code.address, Registration::new(image));
        }
    }
}

/// The name of code.
fn name(what: CodeKind, title: Option<&str>) -> String {
    let title = title.unwrap_or("a trace");
    match what {
        CodeKind::Trace(None) => title.to_owned(),
        CodeKind::Trace(Some(label)) => format!("{title}, {label}"),
        CodeKind::Entry => format!("entry of {title}"),
        CodeKind::Shared(name) => format!("verdigris: {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdigris_backend::journal::UnwindRule;

    /// Code of one instruction, which returns.
    pub(crate) fn returns(address: usize) -> MachineCode {
        let frame = UnwindRule::Begins {
            register: 7,
            above: 8,
        };
        MachineCode {
            what: CodeKind::Trace(None),
            address,
            bytes: vec![0xC3],
            room: 0,
            frames: vec![(0, frame)],
            below: None,
            ops: vec![(0, 1)],
        }
    }

    #[test]
    fn what_is_freed_is_known_no_more() {
        let mut inspector = Inspector::new(None, false, true).unwrap();
        let made = |address| CodeEvent::Made(Box::new(returns(address)));
        inspector.tell(vec![made(0x1000), made(0x2000)], None);
        // An address is used again, and an unreported stub is freed.
        let events = vec![
            CodeEvent::Freed(0x1000),
            made(0x1000),
            CodeEvent::Freed(0x3000),
        ];
        inspector.tell(events, None);
        let known = |inspector: &Inspector| inspector.known.as_ref().map(HashMap::len);
        assert_eq!(known(&inspector), Some(2));
        inspector.tell(
            vec![CodeEvent::Freed(0x1000), CodeEvent::Freed(0x2000)],
            None,
        );
        assert_eq!(known(&inspector), Some(0));
    }

    #[test]
    fn names_say_what_code_is() {
        let label = verdigris_trace::TargetId::from_u32(4);
        let title = Some("trace 3: loop at (0, ref)");
        assert_eq!(
            name(CodeKind::Trace(None), title),
            "trace 3: loop at (0, ref)"
        );
        let section = name(CodeKind::Trace(Some(label)), title);
        assert_eq!(section, "trace 3: loop at (0, ref), L4");
        let entry = name(CodeKind::Entry, title);
        assert_eq!(entry, "entry of trace 3: loop at (0, ref)");
        let shared = name(CodeKind::Shared("handlers"), None);
        assert_eq!(shared, "verdigris: handlers");
    }
}
