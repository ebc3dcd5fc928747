//! Where paths meet within an instruction of the guest program: where ways come together in a
//! function of the interpreter, and behind an inlined call.
//!
//! Each split doubles what follows, up to the next merge point; a few operations in a row that have
//! several ways each, such as those of a data structure, would be compiled for all combinations of
//! them. So only the first few paths go through such a place on their own, each with all that it
//! knows ([`SpecialiseLimits::separate_paths`](crate::SpecialiseLimits)). Those that come later
//! wait there, and the ones with the same constants join behind a label, as at a merge point. The
//! code of an instruction grows with its places, not with the ways through them. A loop of the
//! interpreter gets a label as well when a path comes back to it with the same constants, and is
//! then closed.
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), section 2.6, which
//! joins ways with the same constants at each such place.

use super::flow::{Flow, PathEnd};
use crate::specialiser::Specialiser;
use crate::state::meetings::Meeting;
use crate::state::merge_key::MergeKey;
use crate::state::merge_places::MergePlace;
use crate::state::path::Path;
use std::ops::ControlFlow;

impl Specialiser<'_> {
    /// Makes a path wait for others, if it is where paths meet and enough have passed.
    pub fn wait_within(&mut self, mut path: Path) -> Flow {
        // Where code was left, the label may be that of the code that was left.
        if self.stencil.is_some()
            || path.arrived.is_some()
            || std::mem::replace(&mut path.waited, true)
            || self.meeting(&path) == Meeting::Nothing
        {
            return ControlFlow::Continue(path);
        }
        let position = path.position();
        let passed = self.passed.entry(position).or_insert(0);
        *passed += 1;
        let is_early = *passed <= self.limits.separate_paths;
        if is_early && !self.history.may_join_within(position) {
            return ControlFlow::Continue(path);
        }
        if self.advance(&mut path).is_err() {
            return ControlFlow::Break(PathEnd::Dead(path));
        }
        path.name_all_constants(self.unit);
        let key = MergeKey::within(&path, self.unit);
        let history = &self.history;
        let place = self.places.at(&key, |key| history.at(key));
        if is_early && !place.has_labels() {
            return ControlFlow::Continue(path);
        }
        path.left_with = None;
        self.places.wait(key, path);
        ControlFlow::Break(PathEnd::Done)
    }

    /// Continues the paths that wait at a place within an instruction.
    pub fn open_within(&mut self, key: &MergeKey, place: &mut MergePlace) {
        let mut waiting = std::mem::take(&mut place.waiting);
        if place.has_labels() {
            waiting = self.look_for_memory(waiting);
        } else if let [path] = &waiting[..]
            && !(place.passed_alone && self.meeting(path) == Meeting::Loop)
        {
            place.passed_alone = true;
            return self.paths.extend(waiting);
        }
        let Some(path) = waiting.first() else { return };
        let slots = path.slots_within(self.unit);
        self.lead(waiting, key, place, &slots);
    }

    /// What meets where a path is.
    fn meeting(&mut self, path: &Path) -> Meeting {
        let top = path.frames.last().expect("a path has a frame");
        self.meetings.at(self.unit, top.code, top.pc)
    }
}
