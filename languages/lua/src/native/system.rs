//! The system. In: errors of Rust's library. Out: the text that C's `strerror` has for them;
//! temporary files. Invariant: none.

use std::fs::{File, OpenOptions};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// The message of an error, without the number that Rust adds.
pub fn message(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}

/// A temporary file that is new, and its path. To ask whether there is one of that
/// name and to make it is one step, since other threads and processes look for names as well. No
/// thread gets a name that another one has had: who has removed its file finds none there.
///
/// # Errors
/// If the folder of such files cannot be written to.
pub fn temporary_file() -> io::Result<(String, File)> {
    static NAMES: AtomicU64 = AtomicU64::new(1);
    let folder = std::env::temp_dir();
    loop {
        let number = NAMES.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("lua_{:x}{number:06x}", std::process::id()));
        let mut options = OpenOptions::new();
        match options.read(true).write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (path.display().to_string(), file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::temporary_file;
    use std::collections::HashSet;
    use std::thread;

    #[test]
    fn threads_never_get_the_same_file() {
        // Each is gone when the next one is made, so the name would be free.
        let make = || {
            let made = (0..200).map(|_| {
                let (path, _) = temporary_file().expect("the folder can be written to");
                std::fs::remove_file(&path).expect("it was made");
                path
            });
            made.collect::<Vec<_>>()
        };
        let paths: Vec<String> = thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(make)).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().expect("it ends");
            threads.into_iter().flat_map(join).collect()
        });
        let different: HashSet<&String> = paths.iter().collect();
        assert_eq!(different.len(), paths.len());
    }
}
