//! The signatures of functions that are called, not traced, in components.
//!
//! In: the types of their parameters and results. Out: the parameters and results of
//! [`verdigris_ops::FnInfo`]; complaints about types that compiled code and Rust cannot hand to
//! each other. Invariant: a struct or enum among them is marked `#[value]`, so that both sides
//! number its components in one way.

use crate::cx::Cx;
use crate::cx::sources::Target;
use crate::layout::components::{MAX_TUPLE, components};
use crate::source::diag::DiagCode;
use crate::types::generics::Inst;
use crate::types::ty::Ty;
use verdigris_ops::MAX_RESULTS;

/// The most words of the parameters of a function that is called: `MAX_WORDS` of the heap.
const MAX_WORDS: usize = 64;

/// Gives the called functions their parameters and results. The types are complete and finite.
pub(crate) fn complete(cx: &mut Cx) {
    let targets = cx
        .queue
        .targets
        .iter()
        .map(|(&inst, &target)| (inst, target));
    let mut called: Vec<_> = targets
        .filter_map(|(inst, target)| match target {
            Target::Called(id) => Some((id, inst)),
            _ => None,
        })
        .collect();
    called.sort_by_key(|c| c.0);
    for (id, inst) in called {
        let sig = cx.signature(inst);
        check(cx, inst, &sig.params, &sig.ret);
        let info = |ty: &Ty| components(cx, ty);
        let (params, ret) = (sig.params.iter().flat_map(info).collect(), info(&sig.ret));
        (cx.descrs.fns[id].params, cx.descrs.fns[id].ret) = (params, ret);
    }
    // Native callers call the portal, too.
    let portal = cx.queue.func_items.values().next().copied();
    if let Some(portal) = portal {
        let sig = cx.signature(portal);
        check(cx, portal, &sig.params, &sig.ret);
    }
}

fn check(cx: &mut Cx, inst: Inst, params: &[Ty], ret: &Ty) {
    let mut words = 0;
    for ty in params {
        words += components(cx, ty).len();
        marked(cx, inst, ty);
    }
    marked(cx, inst, ret);
    let results = components(cx, ret).len();
    let path = cx.inst_path(inst);
    let message = if words > MAX_WORDS {
        format!("the parameters of `{path}` have {words} words, more than {MAX_WORDS}")
    } else if results > MAX_RESULTS {
        format!("the result of `{path}` has {results} words, more than {MAX_RESULTS}")
    } else {
        return;
    };
    let span = cx.krate.fns[inst.item].span;
    cx.err(DiagCode::BadSignature, span, &[&message]);
}

/// Whether a function could be called, as far as its signature says it without its types being
/// complete; else why not.
///
/// # Errors
/// With what it takes or gives back that cannot be handed to native code.
pub(crate) fn can_be_called(cx: &Cx, inst: Inst) -> Result<(), String> {
    let item = &cx.krate.fns[inst.item];
    for input in &item.sig.inputs {
        match input {
            syn::FnArg::Typed(arg) if matches!(*arg.ty, syn::Type::Reference(_)) => {
                return Err("it takes a reference".to_owned());
            }
            syn::FnArg::Receiver(receiver)
                if receiver.reference.is_some() && receiver.mutability.is_some() =>
            {
                return Err("it takes `self` to change it".to_owned());
            }
            _ => {}
        }
    }
    let Some(sig) = cx.interned.sigs.get(&inst) else {
        return Ok(());
    };
    let mut types: Vec<&Ty> = sig.params.iter().chain([&sig.ret]).collect();
    while let Some(ty) = types.pop() {
        if let Some(wrong) = not_words(cx, ty) {
            return Err(wrong);
        }
        if !matches!(ty, Ty::Fn(_)) {
            types.extend(ty.parts());
        }
    }
    Ok(())
}

/// Complains about types that native code does not have in words.
fn marked(cx: &mut Cx, inst: Inst, ty: &Ty) {
    if let Some(wrong) = not_words(cx, ty) {
        let function = cx.inst_path(inst);
        let message = match cx.krate.fns[inst.item].attrs.portal {
            true => format!("the portal `{function}` is called by native code, and {wrong}"),
            false => format!("`{function}` is called, not traced, and {wrong}"),
        };
        let span = cx.krate.fns[inst.item].span;
        cx.err(DiagCode::BadSignature, span, &[&message]);
    }
    if let Ty::Fn(_) = ty {
        return;
    }
    for part in ty.parts() {
        marked(cx, inst, part);
    }
}

/// What is wrong with a type in the signature, its parts apart.
fn not_words(cx: &Cx, ty: &Ty) -> Option<String> {
    match ty {
        Ty::Adt(id) if !cx.is_value(*id) => {
            let path = &cx.interned.adts[*id].name;
            let name = path.rsplit("::").next().unwrap_or(path);
            Some(format!("`{name}` in its signature is not marked `#[value]`"))
        }
        Ty::Fn(_) => Some(
            "a function pointer is in its signature, which traced and native code have in different forms: pass an integer that says which function is meant"
                .to_owned(),
        ),
        Ty::Option(inner)
            if !inner.is_ref() && !inner.is_scalar() && !cx.holds_pointer(inner) =>
        {
            Some(format!(
            "`{}` in its signature is not an `Option` of a scalar or reference: write an enum marked `#[value]`, with a variant for `None`",
                cx.show(ty)
            ))
        }
        Ty::Tuple(parts) if parts.len() > MAX_TUPLE => Some(format!(
            "`{}` in its signature has more than {MAX_TUPLE} parts: write a struct marked `#[value]`",
            cx.show(ty)
        )),
        Ty::Fixed(..) => Some(format!(
            "`{}` in its signature is an array: pass a `GcArray`, or a struct marked `#[value]`",
            cx.show(ty)
        )),
        _ => None,
    }
}
