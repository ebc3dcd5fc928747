//! The names of local variables that can be seen. In: declarations, and the ends of blocks. Out: what a name means. Invariant: a
//! name means what it was declared for last; a look-up does not depend on how many others there are.

use crate::tast::LocalId;
use std::collections::HashMap;
use std::rc::Rc;

/// Names in the order of their declarations.
#[derive(Clone, Default)]
pub(super) struct Scope {
    names: Vec<(Rc<str>, LocalId)>,
    /// What each name has been declared for, the last one last.
    meanings: HashMap<Rc<str>, Vec<LocalId>>,
}

impl Scope {
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn push(&mut self, name: &str, local: LocalId) {
        let name = match self.meanings.get_key_value(name) {
            Some((known, _)) => known.clone(),
            None => Rc::from(name),
        };
        self.meanings.entry(name.clone()).or_default().push(local);
        self.names.push((name, local));
    }

    /// Forgets all names but the first ones.
    pub fn truncate(&mut self, len: usize) {
        self.split_off(len);
    }

    /// Forgets all names but the first ones, and answers them.
    pub fn split_off(&mut self, len: usize) -> Vec<(String, LocalId)> {
        let names = self.names.split_off(len.min(self.names.len()));
        for (name, _) in &names {
            if let Some(meanings) = self.meanings.get_mut(name) {
                meanings.pop();
            }
        }
        let names = names.into_iter();
        names
            .map(|(name, local)| (name.to_string(), local))
            .collect()
    }

    /// What a name means.
    pub fn find(&self, name: &str) -> Option<LocalId> {
        self.meanings.get(name)?.last().copied()
    }
}
