//! What the search for effects asks of a body. In: a node of the index. Out: what the body does by
//! itself, its name, its module. Invariant: a body is read in the module that it is written in.

use crate::effects::body::{Body, Reader};
use crate::effects::index::{Index, Node};
use crate::effects::known_struct_types;
use crate::items::{Crate, ModId};

/// What one body does; `trusting` says whether promises count.
pub(super) fn read(krate: &Crate, index: &Index<'_>, node: Node, trusting: bool) -> Body {
    let reader = |module| Reader::new(krate, index, module);
    match node {
        Node::Fn(id) => {
            let item = &krate.fns[id];
            // Elidable functions promise that their effects cannot be noticed.
            if trusting && item.attrs.elidable {
                return Body::default();
            }
            let reader = reader(item.module).knowing(known_struct_types::variables(krate, item));
            let mut body = reader.function(&item.sig, &item.body);
            if item.attrs.portal {
                body.refusal = Some("the interpreter itself".to_owned());
            }
            body
        }
        Node::Provided(number) => {
            let item = index.get_provided(number);
            reader(item.module).function(&item.sig, &item.body)
        }
        Node::Const(id) => reader(krate.consts[id].module).value_of(&krate.consts[id].value),
        Node::Static(number) => {
            let item = index.get_static(number);
            reader(item.module).value_of(&item.value)
        }
    }
}

pub(super) fn name(krate: &Crate, index: &Index<'_>, node: Node) -> String {
    match node {
        Node::Fn(id) => krate.fn_path(id),
        Node::Provided(number) => index.get_provided(number).sig.ident.to_string(),
        Node::Const(id) => krate.consts[id].name.clone(),
        Node::Static(_) => "a static".to_owned(),
    }
}

/// The module that a body is in.
pub(super) fn module_of(krate: &Crate, index: &Index<'_>, node: Node) -> ModId {
    match node {
        Node::Fn(id) => krate.fns[id].module,
        Node::Provided(number) => index.get_provided(number).module,
        Node::Const(id) => krate.consts[id].module,
        Node::Static(number) => index.get_static(number).module,
    }
}
