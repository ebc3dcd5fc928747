//! Which compiled code assumes the values of which quasi-immutable fields.

use std::collections::BTreeMap;

/// The pieces of code that assume what fields hold.
pub struct Watches {
    /// How many watched addresses there are of each group: compiled code that writes a field looks
    /// only here, at the `u32` with the number of the group, if none of its addresses is watched.
    pub counts: [u32; WATCH_GROUPS],
    /// By the address of the field, or of one of its components.
    by_place: BTreeMap<u64, Vec<u32>>,
}

/// Into how many groups addresses are divided, a power of two: the number of a group is the
/// remainder of the address in words.
pub const WATCH_GROUPS: usize = 256;

/// The group of an address.
fn group(address: u64) -> usize {
    (address / 8) as usize % WATCH_GROUPS
}

impl Default for Watches {
    fn default() -> Watches {
        Watches {
            counts: [0; WATCH_GROUPS],
            by_place: BTreeMap::new(),
        }
    }
}

impl Watches {
    /// From now on a write to this address stops this piece of code. The object stays alive as long
    /// as that is so.
    pub fn add(&mut self, address: u64, code: u32) {
        let codes = self.by_place.entry(address).or_insert_with(|| {
            self.counts[group(address)] += 1;
            Vec::new()
        });
        if !codes.contains(&code) {
            codes.push(code);
        }
    }

    /// The code exists no more, or is stopped already.
    pub fn remove(&mut self, address: u64, code: u32) {
        if let Some(codes) = self.by_place.get_mut(&address) {
            codes.retain(|&c| c != code);
            if codes.is_empty() {
                self.by_place.remove(&address);
                self.counts[group(address)] -= 1;
            }
        }
    }

    /// How many addresses are watched.
    pub fn len(&self) -> usize {
        self.by_place.len()
    }

    /// Whether no address is watched.
    pub fn is_empty(&self) -> bool {
        self.by_place.is_empty()
    }

    /// Whether this address, or another one of its group, is watched.
    #[inline]
    pub(crate) fn may_have(&self, address: u64) -> bool {
        self.counts[group(address)] != 0
    }

    /// The code to stop because this address has been written; it watches it no more.
    pub fn take(&mut self, address: u64) -> Vec<u32> {
        let taken = self.by_place.remove(&address);
        if taken.is_some() {
            self.counts[group(address)] -= 1;
        }
        taken.unwrap_or_default()
    }
}
