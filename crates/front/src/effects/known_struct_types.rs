//! Variables of which the signature says whose fields they have. In: a function as written. Out:
//! structs, by names of variables. Invariant: a variable that something else in the body could have
//! the name of is not among them; and a field counts as a struct's only if the body can name it
//! there, since rustc goes on to what the struct dereferences to otherwise.

use crate::effects::bindings::Once;
use crate::effects::named::can_name;
use crate::items::{Builtin, Crate, Def, FnItem, ModId, Ns, StructId, TypeKey};
use crate::source::syntax::{name_of, plain};
use rustc_hash::FxHashMap;
use syn::visit::Visit;

/// The variables of a function whose structs are known.
pub(super) fn variables(krate: &Crate, item: &FnItem) -> FxHashMap<String, StructId> {
    let mut bound = Once::default();
    bound.visit_block(&item.body);
    let owner = item.owner.map(|owner| &krate.impls[owner]);
    let is_param = |name: &str| {
        let of_impl = owner.is_some_and(|owner| owner.generics.names(name));
        of_impl || item.generics.names(name)
    };
    let mut known = FxHashMap::default();
    for input in &item.sig.inputs {
        match input {
            syn::FnArg::Receiver(receiver) if receiver.colon_token.is_none() => {
                if let Some(Some(TypeKey::Struct(id))) = owner.map(|owner| owner.target) {
                    known.insert("self".to_owned(), id);
                }
            }
            syn::FnArg::Typed(arg) => {
                let syn::Pat::Ident(pat) = &*arg.pat else {
                    continue;
                };
                let name = name_of(&pat.ident);
                let again = bound.seen.contains(&name) || bound.again.contains(&name);
                let of = match again {
                    false => struct_of(krate, item.module, &arg.ty, &is_param),
                    true => None,
                };
                known.extend(of.map(|id| (name, id)));
            }
            syn::FnArg::Receiver(_) => {}
        }
    }
    known
}

/// The struct that a `Gc` or a reference is to.
fn struct_of(
    krate: &Crate,
    module: ModId,
    ty: &syn::Type,
    is_param: &impl Fn(&str) -> bool,
) -> Option<StructId> {
    let path = match ty {
        syn::Type::Reference(ty) => return struct_of(krate, module, &ty.elem, is_param),
        syn::Type::Path(path) if path.qself.is_none() => &path.path,
        _ => return None,
    };
    let written = plain(path);
    if written
        .segs
        .iter()
        .any(|seg| is_param(seg) || seg == "Self")
    {
        return None;
    }
    match krate.resolve(module, written.global, &written.segs, Ns::Types)? {
        (Def::Builtin(Builtin::Gc), _) => {
            let args = path.segments.last().map(crate::source::syntax::type_args)?;
            match args.as_slice() {
                [syn::Type::Path(inner)] => {
                    let written = plain(&inner.path);
                    let param = written.segs.iter().any(|seg| is_param(seg));
                    match krate.type_key(module, args[0]) {
                        Some(TypeKey::Struct(id)) if !param => Some(id),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        (Def::Struct(id), used) if used == written.segs.len() => Some(id),
        _ => None,
    }
}

/// The field of a struct that a name means in a module.
pub(super) fn field<'k>(
    krate: &'k Crate,
    module: ModId,
    id: StructId,
    name: &str,
) -> Option<&'k syn::Field> {
    let item = &krate.structs[id];
    let mut fields = item
        .fields
        .iter()
        .filter(|f| crate::source::cfg::enabled(&f.attrs));
    let found = fields.find(|f| f.ident.as_ref().is_some_and(|ident| name_of(ident) == name));
    found.filter(|field| can_name(krate, module, item.module, &field.vis))
}

/// Whether a struct dereferences to something of which it then has the methods.
pub(super) fn dereferences(krate: &Crate, id: StructId) -> bool {
    let key = (TypeKey::Struct(id), "deref".to_owned());
    krate.trait_assoc.contains_key(&key)
}

/// Whether what a field holds is an array whose items never change.
pub(super) fn is_constant_array(krate: &Crate, module: ModId, ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    let written = plain(&path.path);
    match krate.resolve(module, written.global, &written.segs, Ns::Types) {
        Some((Def::Builtin(Builtin::GcArray), _)) if path.qself.is_none() => {
            let args = path
                .path
                .segments
                .last()
                .map(crate::source::syntax::type_args);
            let item = args.and_then(|args| args.first().copied());
            item.is_some_and(|item| is_constant(krate, module, item))
        }
        Some((Def::Alias(id), _)) if path.qself.is_none() => {
            let alias = &krate.aliases[id];
            alias.generics.is_empty() && is_constant_array(krate, alias.module, &alias.ty)
        }
        _ => false,
    }
}

/// Whether an item is in nothing that changes.
fn is_constant(krate: &Crate, module: ModId, item: &syn::Type) -> bool {
    let syn::Type::Path(path) = item else {
        return false;
    };
    let written = plain(&path.path);
    let def = krate.resolve(module, written.global, &written.segs, Ns::Types);
    match def.map(|(def, _)| def) {
        Some(Def::Prim(_) | Def::Object(_) | Def::Enum(_) | Def::Struct(_)) => true,
        Some(Def::Builtin(builtin)) => matches!(builtin, Builtin::Gc | Builtin::GcArray),
        _ => false,
    }
}
