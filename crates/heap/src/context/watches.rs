//! Which compiled code assumes the values of which quasi-immutable fields.

use std::collections::BTreeMap;

/// The pieces of code that assume what fields hold.
#[derive(Default)]
pub struct Watches {
    /// By the address of the field, or of one of its components.
    by_place: BTreeMap<u64, Vec<u32>>,
}

impl Watches {
    /// From now on a write to this address stops this piece of code. The object stays alive as long
    /// as that is so.
    pub fn add(&mut self, address: u64, code: u32) {
        let codes = self.by_place.entry(address).or_default();
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

    /// The code to stop because this address has been written; it watches it no more.
    pub fn take(&mut self, address: u64) -> Vec<u32> {
        self.by_place.remove(&address).unwrap_or_default()
    }
}
