//! Recordings of runs. In: the file that a VM has written. Out: what a replay makes otherwise, if it does. Invariant: the file is gone when
//! it has been looked at.

use crate::panics;
use std::path::PathBuf;
use tempfile::TempDir;
use verdigris_testing::replay_of;

/// Where a run is recorded.
pub struct Recorded(TempDir);

impl Recorded {
    /// A file that is not there yet.
    ///
    /// # Panics
    /// If there is no folder for temporary files.
    pub fn new() -> Recorded {
        Recorded(tempfile::tempdir().expect("a folder for temporary files"))
    }

    /// Its name.
    pub fn file(&self) -> PathBuf {
        self.0.path().join("recording")
    }

    /// What a replay makes otherwise, if it does. Of a run that wrote nothing there is nothing to say.
    pub fn difference(self) -> Option<String> {
        let file = self.file();
        if !file.exists() {
            return None;
        }
        match panics::catch(|| replay_of(&file, None)) {
            Ok(Ok(report)) => (!report.is_same()).then(|| report.to_string()),
            Ok(Err(error)) => Some(error.to_string()),
            Err(panic) => Some(format!("the replay panicked: {panic}")),
        }
    }
}
