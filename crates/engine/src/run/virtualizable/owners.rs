//! Which suspended code keeps virtualizable places. In: the records of suspended code that have
//! been looked through. Out: which record keeps an object, and what has been taken from it.
//! Invariant: a listed record is one that is in use, and all outside of it are listed too.

use crate::code::guard_info::GuardSite;
use crate::code::guards::Guards;
use crate::code::roots::Pins;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use verdigris_heap::Suspended;
use verdigris_resume::RebuiltObjects;
use verdigris_trace::GuardId;

/// What is known of the records of suspended code.
#[derive(Default)]
pub(crate) struct Keepers {
    /// Which record keeps the object that starts at an address, and where it ends.
    pub(crate) objects: BTreeMap<u64, (u64, *mut Suspended)>,
    /// The records that are listed, outermost first, with their objects. Outside a listed one all
    /// are.
    pub(crate) records: Vec<(*mut Suspended, Vec<u64>)>,
    /// What has been taken, by number.
    pub(crate) taken: Vec<Option<Taken>>,
    /// The guard of the record that was looked at last. Guards keep their numbers for good.
    pub(crate) recent: Option<(GuardId, Rc<GuardSite>)>,
}

/// What has been taken from a record whose code has not been left yet.
pub(crate) struct Taken {
    pub(crate) made: RebuiltObjects,
    /// Keeps them alive.
    pub(crate) _pins: Pins,
}

impl Keepers {
    /// The listed record that keeps the object with this address in it.
    pub(crate) fn keeper(&self, address: u64) -> Option<*mut Suspended> {
        let (_, &(end, record)) = self.objects.range(..=address).next_back()?;
        (address < end).then_some(record)
    }

    /// Forgets the records that are not there any more: those inside `last`, the innermost listed
    /// one that is.
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

    /// What never changes about a guard. The last one is remembered, since code that looks at one
    /// place looks at others.
    pub(crate) fn site(&mut self, guards: &RefCell<Guards>, guard: GuardId) -> &Rc<GuardSite> {
        let is_it = |recent: &(GuardId, Rc<GuardSite>)| recent.0 == guard;
        let recent = self.recent.take().filter(is_it);
        let recent = recent.unwrap_or_else(|| (guard, Rc::clone(guards.borrow()[guard].site())));
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
