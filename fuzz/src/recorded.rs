//! Recordings of runs. In: the file that a VM has written. Out: what a replay makes otherwise, if
//! it does. Invariant: the file is gone when it has been looked at.

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

    /// Replays it; there is nothing to replay if no VM was made.
    ///
    /// # Errors
    /// What the replay makes otherwise.
    pub fn replay(self) -> Option<Result<(), String>> {
        let file = self.file();
        file.exists().then(|| {
            let report = panics::catch(|| replay_of(&file, None))
                .map_err(|panic| format!("the replay panicked: {panic}"))?
                .map_err(|error| error.to_string())?;
            match report.is_same() {
                true => Ok(()),
                false => Err(report.to_string()),
            }
        })
    }
}
