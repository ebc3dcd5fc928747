//! `#[opaque]`, `#[elidable]`, `#[readonly]`, `#[unroll_safe]` and `#[advice]`. In: a function or
//! method. Out: the same function and, for all but the last two, the sibling `__vd_fn_name` that
//! describes how to call it. Invariant: every parameter and the result are made of words, and the
//! error for one that is not points at its type.
//!
//! A method with `&self` is described as a function that takes what `rt::Receive` says and lends it
//! out: of a class the `Gc`, of other types the value.

use crate::diag::{Errors, assert_parts, no_generics};
use crate::visibility::glue_visibility;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{FnArg, ItemFn, Receiver, ReturnType, Signature, Token, Type, TypeReference, Visibility};

/// The largest number of parameters a described function can have, `self` included.
const MAX_PARAMS: usize = 10;

/// Expands `#[opaque]`, `#[elidable]` and `#[readonly]`; `what` is the attribute's name.
pub fn expand(what: &str, attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let item = parse_fn(what, item)?;
    let mut errors = Errors::default();
    let attr = match what {
        "opaque" | "readonly" => without_places(what, attr, &mut errors),
        _ => attr,
    };
    let associated = associated(what, attr, &item, &mut errors);
    check_signature(what, &item.sig, &mut errors);
    errors.finish(())?;
    let glue = glue(&item.vis, &item.sig, associated);
    Ok(quote!(#item #glue))
}

/// What `#[opaque(..)]` and `#[readonly(..)]` say besides the places that are read and written,
/// which only the translator wants to know.
fn without_places(what: &str, attr: TokenStream, errors: &mut Errors) -> TokenStream {
    let entries = Punctuated::<Entry, Token![,]>::parse_terminated;
    let wrong = |entry: &Entry| match (what, entry) {
        ("readonly", Entry::List(name)) => name == "writes",
        ("opaque", Entry::Name(name)) => name != "Self",
        _ => false,
    };
    match entries.parse2(attr.clone()) {
        Ok(entries) if !entries.iter().any(wrong) => {
            let is_self = |e: &Entry| matches!(e, Entry::Name(name) if name == "Self");
            match entries.iter().any(is_self) {
                true => quote!(Self),
                false => TokenStream::new(),
            }
        }
        _ => {
            let message = match what {
                "readonly" => {
                    "write #[readonly], or #[readonly(field, ..)] with the fields of the class that the method reads, or #[readonly(reads(Class.field, Array[], ..))]"
                }
                _ => {
                    "write #[opaque], or #[opaque(Self)] on a function without `self` in an `impl`, or #[opaque(reads(Class.field, Array[], ..), writes(..))] with what it reads and writes"
                }
            };
            errors.at(attr, message);
            TokenStream::new()
        }
    }
}

/// An argument of the attribute: `Self` or a field, or `reads(..)` or `writes(..)`.
enum Entry {
    Name(Ident),
    List(Ident),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Entry> {
        let name = Ident::parse_any(input)?;
        if !input.peek(syn::token::Paren) {
            return Ok(Entry::Name(name));
        }
        if name != "reads" && name != "writes" {
            return Err(syn::Error::new(name.span(), "neither `reads` nor `writes`"));
        }
        let inner;
        syn::parenthesized!(inner in input);
        Punctuated::<Place, Token![,]>::parse_terminated(&inner)?;
        Ok(Entry::List(name))
    }
}

/// `Class.field`, `Class.*` or `Array[]`.
struct Place;

impl Parse for Place {
    fn parse(input: ParseStream<'_>) -> syn::Result<Place> {
        input.parse::<Type>()?;
        if input.peek(syn::token::Bracket) {
            let inner;
            syn::bracketed!(inner in input);
            return match inner.is_empty() {
                true => Ok(Place),
                false => Err(inner.error("all items of an array are one place")),
            };
        }
        input.parse::<Token![.]>()?;
        if input.parse::<Option<Token![*]>>()?.is_none() {
            input.parse::<Ident>()?;
        }
        Ok(Place)
    }
}

/// Expands `#[unroll_safe]`, which only the translator reads.
pub fn expand_unroll_safe(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let item = parse_fn("unroll_safe", item)?;
    let mut errors = Errors::default();
    if !attr.is_empty() {
        errors.at(attr, "#[unroll_safe] takes no arguments");
    }
    errors.finish(quote!(#item))
}

/// Expands `#[advice("..")]`, which only the translator reads.
pub fn expand_advice(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let item = parse_fn("advice", item)?;
    let mut errors = Errors::default();
    let words = syn::parse2::<syn::LitStr>(attr.clone());
    if !words.is_ok_and(|words| !words.value().trim().is_empty()) {
        let message = "write #[advice(\"..\")], with what the author of a guest program can do";
        match attr.is_empty() {
            true => errors.at(&item.sig.ident, message),
            false => errors.at(attr, message),
        }
    }
    errors.finish(quote!(#item))
}

/// Expands `#[rooted_elsewhere]`, which only the translator reads.
pub fn expand_rooted_elsewhere(attr: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let mut errors = Errors::default();
    if !attr.is_empty() {
        errors.at(attr, "#[rooted_elsewhere] takes no arguments");
    }
    errors.finish(item)
}

/// The function an attribute is written on.
pub fn parse_fn(what: &str, item: TokenStream) -> syn::Result<ItemFn> {
    syn::parse2(item).map_err(|e| {
        syn::Error::new(
            e.span(),
            format!("#[{what}] is for functions and methods with a body"),
        )
    })
}

/// Whether the function is reached as `Self::name`. An attribute cannot see the `impl` around it: a
/// receiver or a mention of `Self` says so, otherwise the user does, with `#[opaque(Self)]`.
pub fn associated(what: &str, attr: TokenStream, item: &ItemFn, errors: &mut Errors) -> bool {
    if !attr.is_empty() {
        if attr.to_string() != "Self" {
            errors.at(
                attr,
                format_args!(
                    "write #[{what}], or #[{what}(Self)] on a function without `self` in an `impl`"
                ),
            );
        }
        return true;
    }
    let mut search = MentionsSelf(item.sig.receiver().is_some());
    search.visit_item_fn(item);
    search.0
}

struct MentionsSelf(bool);

impl<'ast> Visit<'ast> for MentionsSelf {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        self.0 |= ident == "Self";
    }

    // An inner item has its own `Self`.
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        visit::visit_item_fn(self, item);
    }
}

/// Reports what a called function cannot be.
pub fn check_signature(what: &str, sig: &Signature, errors: &mut Errors) {
    let word = match what {
        "portal" => "a portal".to_owned(),
        _ => format!("an #[{what}] function"),
    };
    no_generics(&sig.generics, &word, errors);
    if let Some(token) = &sig.asyncness {
        errors.at(token, format_args!("{word} cannot be async"));
    }
    if let Some(token) = &sig.unsafety {
        errors.at(
            token,
            format_args!("{word} cannot be unsafe: wrap the unsafe part in its body"),
        );
    }
    if let Some(abi) = &sig.abi {
        errors.at(
            abi,
            format_args!(
                "{word} must be an ordinary Rust function: call the foreign one in its body"
            ),
        );
    }
    if sig.inputs.len() > MAX_PARAMS {
        errors.at(
            &sig.inputs,
            format_args!(
                "{word} has at most {MAX_PARAMS} parameters: pass the rest in a #[gc] struct"
            ),
        );
    }
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) => check_receiver(receiver, errors),
            FnArg::Typed(arg) => match &*arg.ty {
                Type::Reference(reference) => check_reference(what, reference, errors),
                ty => check_type(ty, errors),
            },
        }
    }
    if let ReturnType::Type(_, ty) = &sig.output {
        check_type(ty, errors);
    }
}

fn check_receiver(receiver: &Receiver, errors: &mut Errors) {
    if receiver.colon_token.is_some() {
        errors.at(
            receiver,
            "write `&self`, or `self` in an object type or a #[value] type",
        );
    } else if receiver.reference.is_some() && receiver.mutability.is_some() {
        errors.at(
            receiver,
            "what traced code calls cannot change `self`: write `&self`, with `Cell` for the fields of a class that change; \
             of a #[value] type return the new value",
        );
    }
}

/// References are lent as addresses.
fn check_reference(what: &str, reference: &TypeReference, errors: &mut Errors) {
    let unsized_ = is_unsized(&reference.elem);
    let message = match &*reference.elem {
        Type::TraitObject(_) | Type::ImplTrait(_) => {
            "a reference to a trait object cannot cross into compiled code: put the object into a struct, and take a \
             reference to that"
        }
        Type::Reference(_) => "a reference to a reference cannot cross into compiled code",
        _ if reference.mutability.is_some() && unsized_ => {
            "compiled code can pass on `&mut` references to whole values: take the `Vec` or `String` itself by `&mut`"
        }
        _ if what == "look_inside_iff" && !unsized_ => {
            "where the function is looked into, what a reference refers to is taken apart, and where it is called, it has to \
             be in memory: take the words that it needs"
        }
        _ if what != "opaque" && what != "portal" && !unsized_ => {
            "what is behind a reference can change, and the JIT would not call the function again: take the words that it \
             needs, or write #[opaque]"
        }
        _ => return,
    };
    errors.at(reference, message);
}

/// Whether the references to a type are two words.
fn is_unsized(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) => true,
        Type::Path(path) => path.path.is_ident("str"),
        _ => false,
    }
}

/// What a described function takes for a parameter: a reference comes as its words.
fn passed(ty: &Type) -> Option<TokenStream> {
    let Type::Reference(reference) = ty else {
        return None;
    };
    let to = &reference.elem;
    Some(match reference.mutability {
        Some(_) => quote!(::verdigris::rt::BorrowedArgMut<#to>),
        None => quote!(::verdigris::rt::BorrowedArg<#to>),
    })
}

/// The types that cannot be made of words whatever their names mean; all others are left to the
/// trait `Parts`.
fn check_type(ty: &Type, errors: &mut Errors) {
    let kind = match ty {
        Type::Reference(_) => "a reference",
        Type::Ptr(_) => "a raw pointer",
        Type::Slice(_) => "a slice",
        Type::Array(_) => "an array",
        Type::ImplTrait(_) => "an `impl` type",
        Type::BareFn(_) => "a function pointer",
        Type::Never(_) => "`!`",
        _ => return,
    };
    errors.at(
        ty,
        format_args!(
            "{kind} cannot cross into compiled code: parameters and results are integers, bool, char, f64, (), Gc, \
             GcArray, object types, #[value] types, and tuples, Options and Results of these"
        ),
    );
}

/// `__vd_fn_name`. It is as public as a public function: the program that names it can be in
/// another crate.
pub fn glue(vis: &Visibility, sig: &Signature, associated: bool) -> TokenStream {
    let name = &sig.ident;
    let glue = format_ident!("__vd_fn_{}", name, span = Span::call_site());
    let text = name.to_string();
    let text = text.strip_prefix("r#").unwrap_or(&text);
    let path = if associated {
        quote!(Self::#name)
    } else {
        quote!(#name)
    };
    let checks = checks(sig);
    let pointer = pointer(sig, &path);
    let vis = glue_visibility(vis);
    quote! {
        #[doc(hidden)]
        #[allow(non_snake_case, dead_code)]
        #vis fn #glue() -> ::verdigris::rt::FnDescr {
            #(#checks)*
            ::verdigris::rt::FnDescr::new(#text, #pointer)
        }
    }
}

fn checks(sig: &Signature) -> Vec<TokenStream> {
    let mut checks = Vec::new();
    for input in &sig.inputs {
        if let FnArg::Typed(arg) = input {
            checks.push(match passed(&arg.ty) {
                Some(passed) => assert_parts(&arg.ty, &passed),
                None => assert_parts(&arg.ty, &arg.ty),
            });
        }
    }
    if let ReturnType::Type(_, ty) = &sig.output {
        checks.push(assert_parts(ty, ty));
    }
    checks
}

/// The function as a function pointer that takes and gives values of words only: itself, or a
/// closure that lends out what it is given.
fn pointer(sig: &Signature, path: &TokenStream) -> TokenStream {
    let mut lends = false;
    let (mut params, mut args, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for (n, input) in sig.inputs.iter().enumerate() {
        let name = format_ident!("arg{}", n, span = Span::mixed_site());
        let passed = match input {
            FnArg::Receiver(receiver) if receiver.reference.is_some() => {
                let this = quote!(<Self as ::verdigris::rt::Receive>);
                args.push(quote!(#this::lend(&#name)));
                Some(quote!(#this::Passed))
            }
            FnArg::Typed(arg) => {
                let passed = passed(&arg.ty);
                args.push(match passed {
                    Some(_) => quote!(#name.get()),
                    None => quote!(#name),
                });
                passed
            }
            FnArg::Receiver(_) => {
                args.push(quote!(#name));
                None
            }
        };
        lends |= passed.is_some();
        types.push(passed.clone().unwrap_or(quote!(_)));
        params.push(match passed {
            Some(ty) if is_unique(input) => quote!(mut #name: #ty),
            Some(ty) => quote!(#name: #ty),
            None => quote!(#name),
        });
    }
    match lends {
        false => quote!(#path as fn(#(#types),*) -> _),
        true => quote!((|#(#params),*| #path(#(#args),*)) as fn(#(#types),*) -> _),
    }
}

/// Whether a parameter is a `&mut` reference.
fn is_unique(input: &FnArg) -> bool {
    matches!(input, FnArg::Typed(arg) if matches!(&*arg.ty, Type::Reference(r) if r.mutability.is_some()))
}
