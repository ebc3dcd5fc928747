//! The file `/tmp/perf-<pid>.map`, in which `perf report` and `perf top` look for the names of
//! addresses that belong to no file: a line for each piece of code, `START SIZE NAME`, in
//! hexadecimal. It has neither times nor bytes, so of code at an address that was used again the
//! last name counts. All VMs of a process share the file, and lines are written at once.
//!
//! Source: the Linux sources, `tools/perf/Documentation/jit-interface.txt`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use verdigris_backend::journal::MachineCode;

/// The file of this process.
pub(crate) struct PerfMap(File);

impl PerfMap {
    /// The file where `perf` looks for it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn open() -> io::Result<PerfMap> {
        let name = format!("perf-{}.map", std::process::id());
        PerfMap::at(&Path::new("/tmp").join(name))
    }

    /// A second VM adds lines.
    fn at(path: &Path) -> io::Result<PerfMap> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(PerfMap(file))
    }

    /// Adds a piece of code.
    pub(crate) fn add(&mut self, code: &MachineCode, name: &str) {
        let name = name.replace(char::is_control, " ");
        let line = format!("{:x} {:x} {name}\n", code.address, code.bytes.len());
        // A full disk must not change what the program does.
        let _ = self.0.write_all(line.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::returns;

    #[test]
    fn every_piece_has_a_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("perf-1.map");
        PerfMap::at(&path)
            .expect("a file")
            .add(&returns(0x1000), "trace 0:\nloop");
        PerfMap::at(&path)
            .expect("a file")
            .add(&returns(0x2ab0), "trace 1");
        let text = std::fs::read_to_string(&path).expect("a file");
        assert_eq!(text, "1000 1 trace 0: loop\n2ab0 1 trace 1\n");
    }
}
