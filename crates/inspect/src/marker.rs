//! The mapping by which `perf` finds a file: its first page, mapped executable, which the kernel
//! notes in the profile. The mapping is neither read nor run. Source: the Linux sources,
//! `tools/perf/Documentation/jitdump-specification.txt`.

#![allow(unsafe_code)]

use rustix::mm::{MapFlags, ProtFlags, mmap};
use std::fs::File;
use std::io;
use std::ptr::null_mut;

/// Maps the beginning of a file, for as long as the process lives.
///
/// # Errors
/// If the system refuses, as it does where files must not be executed.
pub(crate) fn map(file: &File) -> io::Result<()> {
    let protection = ProtFlags::READ | ProtFlags::EXEC;
    // SAFETY: a new mapping at an address that the system chooses; nothing refers to it.
    unsafe { mmap(null_mut(), 1, protection, MapFlags::PRIVATE, file, 0) }?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_mapped_file_is_among_the_mappings_of_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jit-0.dump");
        let mut file = File::create_new(&path).unwrap();
        file.write_all(b"JiTD").unwrap();
        let file = File::open(&path).unwrap();
        map(&file).unwrap();
        let mappings = std::fs::read_to_string("/proc/self/maps").unwrap();
        let name = path.to_str().unwrap();
        let line = mappings.lines().find(|line| line.ends_with(name));
        assert!(line.is_some_and(|line| line.contains(" r-xp ")), "{line:?}");
    }
}
