//! How a guest program is profiled.

use std::time::Duration;
use verdigris_profile::INTERVAL;

/// How a guest program is profiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profiling {
    /// The time between two samples. `None`: samples are taken where the program calls
    /// [`take_sample`](crate::take_sample), and nowhere else.
    pub interval: Option<Duration>,
}

impl Profiling {
    /// A sample each time so much has passed.
    pub fn every(interval: Duration) -> Profiling {
        Profiling {
            interval: Some(interval),
        }
    }
}

impl Default for Profiling {
    fn default() -> Profiling {
        Profiling::every(INTERVAL)
    }
}
