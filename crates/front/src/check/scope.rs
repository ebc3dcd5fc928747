//! The names of local variables that can be seen. In: declarations, and the ends of blocks. Out:
//! what a name means. Invariant: a name means what it was declared for last; a look-up does not
//! depend on how many others there are.

use crate::expand::tokens::{MARK, unmarked, unmarked_once};
use crate::sabotage::Sabotage;
use crate::tast::LocalId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What stands for the definition of a macro among the names.
fn macro_name(number: usize) -> Rc<str> {
    Rc::from(format!("{MARK}{number}"))
}

/// Names in the order of their declarations.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    names: Vec<(Rc<str>, LocalId)>,
    /// What each name has been declared for, the last one last.
    meanings: FxHashMap<Rc<str>, Vec<LocalId>>,
}

impl Scope {
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn push(&mut self, name: &str, local: LocalId) {
        if Sabotage::NoHygiene.is_on() && name.contains(MARK) {
            self.push(unmarked(name), local);
        }
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
            // Definitions of macros have none.
            if let Some(meanings) = self.meanings.get_mut(name) {
                meanings.pop();
            }
        }
        let names = names.into_iter();
        names
            .map(|(name, local)| (name.to_string(), local))
            .collect()
    }

    /// A macro is defined here: of the names without marks that come from it, those that are
    /// declared before may be meant.
    pub fn define_macro(&mut self, number: usize) {
        self.names.push((macro_name(number), LocalId::from_u32(0)));
    }

    /// What a name means that a macro may have brought: a variable with the same mark; if the macro
    /// is defined in this function, one that was declared before that; and none other.
    pub fn find_marked(&self, name: &str) -> Option<LocalId> {
        let found = self.find(name);
        if found.is_some() {
            return found;
        }
        let (mut name, mut end) = (name, self.names.len());
        while let Some((rest, defined_by)) = unmarked_once(name) {
            let definition = macro_name(defined_by?);
            end = self.names[..end].iter().rposition(|n| n.0 == definition)?;
            name = rest;
            let before = self.names[..end].iter().rev();
            if let Some(found) = before.into_iter().find(|n| &*n.0 == name) {
                return Some(found.1);
            }
        }
        None
    }

    /// What a name means.
    pub fn find(&self, name: &str) -> Option<LocalId> {
        self.meanings.get(name)?.last().copied()
    }
}
