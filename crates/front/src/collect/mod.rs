//! Collects the items of all modules.
//!
//! In: a [`Loader`] and the root's path. Out: [`Crate`], whose macros have been expanded
//! ([`expand`]). Invariant: only the item structure is looked at; bodies are moved into the tables
//! unread, so code outside the subset costs nothing and breaks nothing.

mod aliases;
pub(crate) mod attrs;
mod effect_args;
mod modules;
mod split;
mod walk;

use crate::collect::modules::new_module;
use crate::collect::walk::Walk;
use crate::expand::{self, Places, Tree};
use crate::items::*;
use crate::source::diag::Diagnostic;
use crate::source::load::Loader;
use crate::source::syntax::name_of;
use crate::std_model::library;
use crate::tast::SourceFile;
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::Item;

/// Reads the whole crate.
pub(crate) fn collect(
    loader: &mut Loader<'_>,
    root: &Path,
    places: Places,
    diags: &mut Vec<Diagnostic>,
) -> Crate {
    let mut krate = Crate::new();
    if let Some((tree, expansions)) = expand::expand(loader, root, places, diags) {
        krate.expansions = expansions;
        collect_tree(&mut krate, "crate", tree, diags);
    }
    krate.files = std::mem::take(&mut loader.files);
    let names = library::names();
    if krate
        .files
        .values()
        .any(|f| library::mentioned(&f.text, &names).next().is_some())
    {
        collect_library(&mut krate, diags);
    }
    let written = krate.impls.len();
    let aliases = krate.aliases.len();
    aliases::check(&mut krate, 0..aliases, diags);
    krate.read_mentioned();
    index_impls(&mut krate, 0..written);
    krate
}

/// Adds the library's items.
fn collect_library(krate: &mut Crate, diags: &mut Vec<Diagnostic>) {
    let (files, root) = library::files();
    let mut loader = Loader::new(&files, PathBuf::new());
    loader.files = std::mem::take(&mut krate.files);
    if let Some((tree, _)) = expand::expand(&mut loader, &root, Places::Calls, diags) {
        krate.library = Some(krate.modules.next_key());
        krate.forget_imports();
        collect_tree(krate, "", tree, diags);
    }
    krate.files = loader.files;
}

/// Collects the items of a root and of the modules in it.
fn collect_tree(krate: &mut Crate, name: &str, tree: Tree, diags: &mut Vec<Diagnostic>) {
    let module = new_module(krate, None, name, tree.file, None, false);
    let mut walk = Walk {
        krate,
        diags,
        module,
    };
    walk.nodes(tree.nodes);
}

/// Collects the items of a block in a function, and answers the module that stands for the block.
pub(crate) fn collect_block(
    krate: &mut Crate,
    parent: ModId,
    items: Vec<Item>,
    diags: &mut Vec<Diagnostic>,
) -> ModId {
    let file = krate.modules[parent].file;
    let first_impl = krate.impls.len();
    let first_alias = krate.aliases.len();
    let module = new_module(krate, Some(parent), "", file, None, true);
    let mut walk = Walk {
        krate,
        diags,
        module,
    };
    walk.items(items);
    aliases::check(krate, first_alias..krate.aliases.len(), diags);
    index_impls(krate, first_impl..krate.impls.len());
    module
}

/// Where the items of one of our own texts are.
pub(crate) struct Own<'a> {
    pub parent: ModId,
    /// No path of the crate leads to it.
    pub name: &'a str,
    /// Whether names mean what they mean in the parent.
    pub block: bool,
}

/// Collects the items of one of our own texts into a module. The implementations are still to be
/// indexed.
pub(crate) fn collect_own(krate: &mut Crate, own: Own<'_>, path: &str, text: String) -> ModId {
    // The heads of texts that stand in the middle would be out of place.
    let text = text.replace("//!", "// ");
    let items = syn::parse_file(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
    let path = format!("{}{path}", crate::source::known_names::TEXTS_FOLDER);
    let file = krate.files.push(SourceFile { path, text });
    let parent = Some(own.parent);
    let module = new_module(krate, parent, own.name, file, None, own.block);
    // What the crate can do to the heap does not depend on our own texts.
    let survey = std::mem::take(&mut krate.survey);
    let mut walk = Walk {
        krate,
        diags: &mut Vec::new(),
        module,
    };
    walk.items(items.items);
    krate.survey = survey;
    module
}

/// Finds out what each `impl` block is for.
pub(crate) fn index_impls(krate: &mut Crate, which: Range<usize>) {
    for index in which {
        let id = ImplId::from_u32(index as u32);
        index_trait(krate, id);
        let block = &krate.impls[id];
        let Some(target) = krate.type_key(block.module, &block.ty) else {
            continue;
        };
        if let syn::Type::Path(path) = &block.ty
            && path
                .path
                .get_ident()
                .is_some_and(|i| block.generics.names(&name_of(i)))
        {
            continue;
        }
        let of_trait = block.of_trait.clone();
        let members = block.members.clone();
        krate.impls[id].target = Some(target);
        for (name, member) in members {
            match &of_trait {
                Some(name_of_trait) => {
                    let traits = &mut krate.trait_assoc;
                    traits.insert((target, name), name_of_trait.clone());
                }
                None => {
                    krate.assoc.entry((target, name)).or_default().push(member);
                }
            }
        }
    }
}

/// Finds out which trait an `impl` block is of, and for which types.
fn index_trait(krate: &mut Crate, id: ImplId) {
    let block = &krate.impls[id];
    let Some(path) = &block.trait_path else {
        return;
    };
    let Some(key) = krate.trait_key(block.module, path) else {
        return;
    };
    let shape = krate.written_shape(block.module, &block.ty, &block.generics);
    krate.impls[id].key = Some(key.clone());
    if let TraitKey::Std(_) = key {
        for (name, _) in krate.impls[id].members.clone() {
            krate
                .std_members
                .entry(name)
                .or_default()
                .insert(key.clone());
        }
    }
    if is_reference(&krate.impls[id].ty) {
        krate.lent_traits.insert(key.clone());
    }
    let impls = krate.trait_impls.entry((key, shape)).or_default();
    impls.push(id);
}

/// Whether a type is a reference.
fn is_reference(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Paren(t) => is_reference(&t.elem),
        syn::Type::Group(t) => is_reference(&t.elem),
        syn::Type::Reference(_) => true,
        _ => false,
    }
}
