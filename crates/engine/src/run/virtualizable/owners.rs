//! The records of suspended code that keep virtualizable places.
//!
//! Invariant: a listed record is in use, and so is every record outside of it, which is listed too.

use crate::code::guard_info::GuardInfo;
use crate::code::guards::Guards;
use crate::code::roots::Pins;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use verdigris_heap::Suspended;
use verdigris_resume::RebuiltObjects;
use verdigris_trace::GuardId;

/// The records that have been listed, and the objects that were taken from them.
#[derive(Default)]
pub(crate) struct SuspendedOwners {
    /// The record that keeps the object at an address, with the object's end.
    pub(crate) objects: BTreeMap<u64, (u64, *mut Suspended)>,
    /// The listed records, outermost first, with their objects.
    pub(crate) records: Vec<(*mut Suspended, Vec<u64>)>,
    /// The taken objects, by ticket.
    pub(crate) taken: Vec<Option<Taken>>,
    /// The guard of the record that was looked at last. Guards keep their numbers.
    pub(crate) recent: Option<(GuardId, Rc<GuardInfo>)>,
}

/// Objects taken from a record whose code has not been left yet.
pub(crate) struct Taken {
    pub(crate) made: RebuiltObjects,
    /// Keeps them alive.
    pub(crate) _pins: Pins,
}

impl SuspendedOwners {
    /// The listed record that keeps the object around this address.
    pub(crate) fn keeper(&self, address: u64) -> Option<*mut Suspended> {
        let (_, &(end, record)) = self.objects.range(..=address).next_back()?;
        (address < end).then_some(record)
    }

    /// Forgets the records inside `last`, the innermost listed one that is still in use.
    pub(crate) fn forget_behind(&mut self, last: *mut Suspended) {
        while let Some((record, objects)) = self.records.last() {
            if *record == last {
                return;
            }
            for object in objects {
                self.objects.remove(object);
            }
            self.records.pop();
        }
    }

    /// The description of a guard. The last one is cached, since code often reads several places.
    pub(crate) fn info(&mut self, guards: &RefCell<Guards>, guard: GuardId) -> &Rc<GuardInfo> {
        let is_it = |recent: &(GuardId, Rc<GuardInfo>)| recent.0 == guard;
        let recent = self.recent.take().filter(is_it);
        let recent = recent.unwrap_or_else(|| (guard, Rc::clone(guards.borrow()[guard].info())));
        &self.recent.insert(recent).1
    }

    pub(crate) fn add(&mut self, taken: Taken) -> u64 {
        let free = self.taken.iter().position(Option::is_none);
        let number = free.unwrap_or(self.taken.len());
        match free {
            Some(free) => self.taken[free] = Some(taken),
            None => self.taken.push(Some(taken)),
        }
        number as u64
    }
}
