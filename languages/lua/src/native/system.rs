//! The system. In: errors of Rust's library. Out: the text that C's `strerror` has for them; names
//! of temporary files. Invariant: none.

use crate::host;
use std::io;

/// The message of an error, without the number that Rust adds.
pub fn message(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}

/// A path for a temporary file, which does not exist yet.
pub fn temporary_path() -> String {
    let folder = std::env::temp_dir();
    loop {
        let number = host::fresh();
        let path = folder.join(format!("lua_{:x}{number:06x}", std::process::id()));
        if !path.exists() {
            return path.display().to_string();
        }
    }
}
