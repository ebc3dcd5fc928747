//! The functions of the crate by their names. In: the table of functions, which only grows. Out:
//! which have a name, and what they have in common. Invariant: what has been found out for a name
//! is kept until there is another function of that name, so that a look does not depend on how many
//! functions there are.

use crate::items::{Crate, FnItem, FnItemId};

impl Crate {
    /// The functions and methods of this name.
    pub fn fns_named(&self, name: &str) -> Vec<FnItemId> {
        self.read_names();
        let named = self.named.borrow();
        named.ids.get(name).cloned().unwrap_or_default()
    }

    /// How many there are.
    pub fn count_named(&self, name: &str) -> usize {
        self.read_names();
        self.named.borrow().ids.get(name).map_or(0, Vec::len)
    }

    /// Whether there is a method of this name with `&mut self`.
    pub fn has_changing(&self, name: &str) -> bool {
        self.read_names();
        self.named.borrow().changing.contains(name)
    }

    fn read_names(&self) {
        let mut named = self.named.borrow_mut();
        let first = named.read;
        for (id, item) in self.fns.iter().skip(first) {
            named.ids.entry(item.name.clone()).or_default().push(id);
            if changes(item) {
                named.changing.insert(item.name.clone());
            }
        }
        named.read = self.fns.len();
    }
}

fn changes(item: &FnItem) -> bool {
    let receiver = item.sig.receiver();
    receiver.is_some_and(|r| r.reference.is_some() && r.mutability.is_some())
}
