//! The values of one frame, and the activations of the portal that are being inlined.

use verdigris_jitcode::Unit;
use verdigris_ops::FnId;
use verdigris_trace::SnapshotId;

/// The values of a frame, beside its words.
pub(crate) struct FrameValues {
    /// The index of register 0 in [`Recorder::values`].
    pub base: usize,
    /// The snapshot of this frame, suspended at its call, and the number of values that it and
    /// those outside it hold.
    pub suspended: Option<(SnapshotId, usize)>,
    /// The activation, if the frame is one of an inner portal.
    pub activation: Option<Activation>,
}

/// An inner portal.
pub(crate) struct Activation {
    /// The greens of its first merge point; none before that, and empty if a guard resumed it, so
    /// that they are not known.
    pub greens: Option<Vec<u64>>,
    /// How many operations had been recorded when it was called.
    pub start: usize,
    /// The greens of its merge points so far, where each can be a loop's header.
    pub passed: Vec<Vec<u64>>,
    /// An iteration of a loop of its own has been unrolled.
    pub unrolled: bool,
}

impl Activation {
    /// An activation that a guard resumes: it is past its first merge point.
    pub fn resumed() -> Activation {
        Activation {
            greens: Some(Vec::new()),
            start: 0,
            passed: Vec::new(),
            unrolled: false,
        }
    }
}

/// The portal's recursion.
#[derive(Default)]
pub(crate) struct Portals {
    /// The way into the portal at its merge point, without which nothing is inlined.
    pub runner: Option<FnId>,
    /// The activation that has grown the trace most, and by how many operations.
    pub largest: Option<(usize, Vec<u64>)>,
}

impl Portals {
    pub fn new(unit: &Unit) -> Portals {
        Portals {
            runner: unit.runner(),
            largest: None,
        }
    }
}

impl Portals {
    pub fn measure(&mut self, activation: Activation, now: usize) {
        let size = now - activation.start.min(now);
        let larger = self.largest.as_ref().is_none_or(|(most, _)| size > *most);
        if let Some(greens) = activation.greens.filter(|g| larger && !g.is_empty()) {
            self.largest = Some((size, greens));
        }
    }
}
