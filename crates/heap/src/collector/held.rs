//! Objects that memory refers to which counts only if another object is reached: what the stack of
//! a suspended coroutine refers to, which lives as long as the coroutine.
//!
//! Roots are resolved before marking, so what is held is resolved then too, and waits here until
//! its holder has been reached.

use crate::collector::Survivors;
use std::ops::Range;

/// What the memory of one holder refers to.
struct HeldObjects {
    key: usize,
    holder: u64,
    objects: Range<usize>,
}

/// What the memory of all holders refers to.
#[derive(Default)]
pub(crate) struct Held {
    waiting: Vec<HeldObjects>,
    objects: Vec<*mut u8>,
}

impl Held {
    /// The memory of a holder refers to these objects.
    pub(crate) fn add(&mut self, key: usize, holder: u64, objects: &[*mut u8]) {
        let start = self.objects.len();
        self.objects.extend_from_slice(objects);
        self.waiting.push(HeldObjects {
            key,
            holder,
            objects: start..self.objects.len(),
        });
    }

    /// Calls `keep` for what is held by objects that have been reached, until there is no more.
    pub(super) fn reach<M: Survivors>(
        &mut self,
        marker: &mut M,
        mut keep: impl FnMut(&mut M, &[*mut u8]),
    ) {
        loop {
            let before = self.waiting.len();
            // One may lead to the next: in the order in which they were made, or from the last.
            self.waiting.reverse();
            let objects = &self.objects;
            self.waiting.retain(|held| {
                let is_reached = marker.is_live(held.holder);
                if is_reached {
                    keep(marker, &objects[held.objects.clone()]);
                }
                !is_reached
            });
            if self.waiting.len() == before {
                return;
            }
        }
    }

    /// All objects whose holders have not been reached, and the keys of these.
    pub(super) fn take_rest(&mut self) -> (Vec<*mut u8>, Vec<usize>) {
        let waiting = std::mem::take(&mut self.waiting);
        let objects = waiting.iter().flat_map(|held| held.objects.clone());
        let objects = objects.map(|n| self.objects[n]).collect();
        let mut keys: Vec<usize> = waiting.iter().map(|held| held.key).collect();
        keys.sort_unstable();
        keys.dedup();
        (objects, keys)
    }
}
