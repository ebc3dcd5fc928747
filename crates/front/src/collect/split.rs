//! Functions with a hint that says when they are called and when traced: `#[look_inside_iff(..)]`,
//! `#[elidable_promote]`.
//!
//! In: the attributes and the signature of a function. Out: what it is when it is called, and the
//! body that is traced, which calls it. Invariant: both have the function's signature, so that
//! nothing behind the collection knows of the hints.
//!
//! ```text
//! #[look_inside_iff(few)] fn f(a: A) -> R { BODY }     fn f(a: A) -> R { if few(a) { BODY } else { called_f(a) } }
//! #[elidable_promote]     fn f(a: A) -> R { BODY }     fn f(a: A) -> R { called_f(promote(a)) }
//! ```

use crate::collect::attrs::is;
use crate::source::syntax::name_of;
use proc_macro2::Ident;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Block, Expr, FnArg, Pat, Path, Signature, Token, Type, parse_quote,
    parse_quote_spanned,
};

/// A function with such a hint.
pub(super) struct Split {
    /// What the called function is named in the source that the translator sees; no user can write
    /// it by accident.
    pub name: String,
    /// The hint.
    pub hint: &'static str,
    /// Whether the attribute says that the function is in an `impl`.
    pub with_self: bool,
    /// The body that is traced.
    pub traced: Block,
}

/// The names of the hints.
pub(super) const LOOK_INSIDE: &str = "look_inside_iff";
pub(super) const PROMOTE: &str = "elidable_promote";

/// What a function with a hint is; none without one, or if its attribute or its parameters are
/// wrong: its macro says so.
pub(super) fn split(
    attrs: &[Attribute],
    sig: &Signature,
    body: &Block,
    member: bool,
) -> Option<Split> {
    let attr = attrs
        .iter()
        .find(|a| is(a, LOOK_INSIDE) || is(a, PROMOTE))?;
    let args: Vec<Expr> = sig.inputs.iter().map(argument).collect::<Option<_>>()?;
    let name = format!("__vd_called_{}", name_of(&sig.ident));
    // Mistakes are shown at the attribute.
    let at = attr.path().span();
    let ident = Ident::new(&name, at);
    let called: Path = match member {
        true => parse_quote_spanned!(at=> Self::#ident),
        false => parse_quote_spanned!(at=> #ident),
    };
    if is(attr, LOOK_INSIDE) {
        let predicate: Path = attr.parse_args().ok()?;
        return Some(Split {
            name,
            hint: LOOK_INSIDE,
            with_self: predicate.segments.first()?.ident == "Self",
            traced: parse_quote_spanned!(at=> {
                if #predicate(#(#args),*) #body else {
                    #called(#(#args),*)
                }
            }),
        });
    }
    let named = names(attr)?;
    let with_self = named.iter().any(|name| name == "Self");
    let all = named.iter().all(|name| name == "Self");
    let promoted = |(input, arg): (&FnArg, &Expr)| -> Expr {
        let chosen = match arg {
            Expr::Path(path) => named.iter().any(|name| path.path.is_ident(name)),
            _ => false,
        };
        match !is_lent(input) && (all || chosen) {
            true => parse_quote_spanned!(at=> __vd_promote(#arg)),
            false => arg.clone(),
        }
    };
    let args: Vec<Expr> = sig.inputs.iter().zip(&args).map(promoted).collect();
    Some(Split {
        name,
        hint: PROMOTE,
        with_self,
        traced: parse_quote_spanned!(at=> {
            use ::verdigris::promote as __vd_promote;
            #called(#(#args),*)
        }),
    })
}

/// A parameter as an argument.
fn argument(input: &FnArg) -> Option<Expr> {
    match input {
        FnArg::Receiver(_) => Some(parse_quote!(self)),
        FnArg::Typed(arg) => match &*arg.pat {
            Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                let ident = &p.ident;
                Some(parse_quote!(#ident))
            }
            _ => None,
        },
    }
}

/// Whether a parameter is a reference to Rust data, which cannot be a constant.
fn is_lent(input: &FnArg) -> bool {
    matches!(input, FnArg::Typed(arg) if matches!(&*arg.ty, Type::Reference(_)))
}

/// The names in `#[elidable_promote(a, b)]`.
fn names(attr: &Attribute) -> Option<Vec<Ident>> {
    let syn::Meta::List(list) = &attr.meta else {
        return Some(Vec::new());
    };
    // `self` is a keyword, and no identifier to the parser.
    let parser = Punctuated::<Name, Token![,]>::parse_terminated;
    let names = parser.parse2(list.tokens.clone()).ok()?;
    Some(names.into_iter().map(|name| name.0).collect())
}

struct Name(Ident);

impl syn::parse::Parse for Name {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Name> {
        use syn::ext::IdentExt;
        Ident::parse_any(input).map(Name)
    }
}
