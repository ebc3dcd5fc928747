//! New modules. In: a parent, a name. Out: a module without items. Invariant: items are declared in
//! modules that exist.

use crate::items::*;
use rustc_hash::{FxHashMap, FxHashSet};

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
        imports: FxHashMap::default(),
        globs: Vec::new(),
        exports: FxHashSet::default(),
        unexpanded: Vec::new(),
    })
}
