//! The journal of running cases, so that nothing is lost when a case ends the process, or never
//! ends. In: each case before it runs. Out: files `running-N.txt`, one for each thread; a report of
//! what runs too long. Invariant: when the process dies, the case that killed it is in one of the
//! files.

use crate::kept::Case;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The part that runs on one thread.
struct Running {
    since: Instant,
    case: Case,
}

/// The cases that run on all threads.
pub struct Journal {
    folder: PathBuf,
    patience: Duration,
    running: Vec<Mutex<Option<Running>>>,
}

/// The part of a journal that one thread writes.
pub struct Page<'a> {
    running: &'a Mutex<Option<Running>>,
    file: Option<File>,
}

/// The name of the file of a thread.
fn file(folder: &Path, thread: usize) -> PathBuf {
    folder.join(format!("running-{thread}.txt"))
}

impl Journal {
    /// A journal in a folder, which is made if it is not there. What runs longer than `patience`
    /// hangs.
    pub fn new(folder: &Path, threads: usize, patience: Duration) -> Journal {
        // Who cannot write a journal can still fuzz.
        let _ = fs::create_dir_all(folder);
        let running = (0..threads).map(|_| Mutex::new(None)).collect();
        Journal {
            folder: folder.to_path_buf(),
            patience,
            running,
        }
    }

    /// The page of a thread.
    pub fn page(&self, thread: usize) -> Page<'_> {
        Page {
            running: &self.running[thread],
            file: File::create(file(&self.folder, thread)).ok(),
        }
    }

    /// A case that has run too long, if there is one.
    pub fn hanging(&self) -> Option<Case> {
        self.running.iter().find_map(|running| {
            let running = running.lock().unwrap_or_else(|e| e.into_inner());
            let running = running.as_ref()?;
            (running.since.elapsed() > self.patience).then(|| running.case.clone())
        })
    }

    /// Removes the files: nothing runs any more.
    pub fn close(&self) {
        for thread in 0..self.running.len() {
            let _ = fs::remove_file(file(&self.folder, thread));
        }
    }
}

impl Page<'_> {
    /// This runs from now on.
    pub fn begins(&mut self, case: Case) {
        if let Some(file) = &mut self.file {
            // A journal that cannot be written is as good as none.
            let written = file
                .rewind()
                .and_then(|()| file.set_len(0))
                .and_then(|()| file.write_all(case.print().as_bytes()));
            if written.is_err() {
                self.file = None;
            }
        }
        let since = Instant::now();
        *self.running.lock().unwrap_or_else(|e| e.into_inner()) = Some(Running { since, case });
    }

    /// Notes that the running case has ended.
    pub fn ends(&mut self) {
        *self.running.lock().unwrap_or_else(|e| e.into_inner()) = None;
    }
}

/// The cases that ran in a folder when the process died; their files are removed.
pub fn left_behind(folder: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for thread in 0.. {
        let file = file(folder, thread);
        if !file.exists() {
            break;
        }
        cases.extend(Case::read(&file));
        let _ = fs::remove_file(file);
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(text: &str) -> Case {
        Case {
            comment: "#".to_string(),
            campaign: "test".to_string(),
            fields: Vec::new(),
            text: text.to_string(),
        }
    }

    #[test]
    fn what_runs_is_in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = Journal::new(folder.path(), 2, Duration::ZERO);
        let (mut first, mut second) = (journal.page(0), journal.page(1));
        first.begins(case("long long\n"));
        first.begins(case("a\n"));
        assert_eq!(journal.hanging(), Some(case("a\n")));
        first.ends();
        assert_eq!(journal.hanging(), None);
        second.begins(case("b\n"));
        let left = left_behind(folder.path());
        assert_eq!(left, [case("a\n"), case("b\n")]);
        assert_eq!(left_behind(folder.path()), []);
    }
}
