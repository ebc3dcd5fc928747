//! New modules. In: a parent, a name. Out: a module without items. Invariant: items are declared in modules that exist.

use crate::items::*;
use std::collections::{HashMap, HashSet};

pub(super) fn new_module(
    krate: &mut Crate,
    parent: Option<ModId>,
    name: &str,
    file: crate::tast::FileId,
    vis: Option<ModId>,
    block: bool,
) -> ModId {
    krate.modules.push(Module {
        parent,
        name: name.to_owned(),
        file,
        vis: vis.unwrap_or(ModId::from_u32(0)),
        block,
        items: Names::default(),
        imports: HashMap::new(),
        globs: Vec::new(),
        exports: HashSet::new(),
        unexpanded: Vec::new(),
    })
}
