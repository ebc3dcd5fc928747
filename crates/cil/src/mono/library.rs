//! Finds Mono's library, and the assembly that it cannot do without: without it, Mono would end the
//! process.

#![allow(unsafe_code)]

use libloading::Library;
use std::path::{Path, PathBuf};

/// The file name of the library.
const NAME: &str = "libmonosgen-2.0.so.1";
/// Where Debian has what Mono reads.
const FOLDERS: [&str; 3] = ["/usr/lib", "/usr/local/lib", "/opt/mono/lib"];
/// The base library, in such a folder.
const CORLIB: &str = "mono/4.5/mscorlib.dll";

/// Mono's library, and the folder with its assemblies.
pub(super) struct MonoLibrary {
    pub(super) library: Library,
    pub(super) folder: PathBuf,
}

/// Finds the library.
pub(super) fn find() -> Result<MonoLibrary, String> {
    find_in(&FOLDERS)
}

fn find_in(folders: &[&str]) -> Result<MonoLibrary, String> {
    let has_corlib = |folder: &&&str| Path::new(folder).join(CORLIB).is_file();
    let Some(folder) = folders.iter().find(has_corlib) else {
        let folders = folders.join(", ");
        return Err(missing(&format!("there is no {CORLIB} in {folders}")));
    };
    // SAFETY: what the library does when it is loaded is known: it sets up nothing that this
    // process could see.
    let library = unsafe { Library::new(NAME) };
    let beside = || {
        // SAFETY: as above.
        unsafe { Library::new(format!("{folder}/{NAME}")) }
    };
    Ok(MonoLibrary {
        library: library
            .or_else(|_| beside())
            .map_err(|error| missing(&error.to_string()))?,
        folder: folder.into(),
    })
}

fn missing(why: &str) -> String {
    format!(
        "the backend `cil` needs Mono, which is not here ({why}): on Debian, install the packages `mono-runtime` and `libmonosgen-2.0-1`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_mono_the_message_says_what_to_install() {
        let message = find_in(&["/nowhere"]).map(drop).unwrap_err();
        assert_eq!(
            message,
            "the backend `cil` needs Mono, which is not here (there is no mono/4.5/mscorlib.dll in /nowhere): on Debian, install the packages `mono-runtime` and `libmonosgen-2.0-1`"
        );
    }
}
