//! What an attribute says that a function reads and writes:
//! `#[opaque(reads(Table.used, Slots[]), writes())]`, `#[readonly(used, slots)]`.
//!
//! In: the attributes of a function. Out: the names of places, as written. Invariant: what is not
//! written as it should be says nothing, for the attribute's macro complains about it.

use crate::collect::attrs::is;
use crate::items::PlaceName;
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Token, Type};

/// What a function reads and writes; nothing where its attribute does not say.
#[derive(Default)]
pub(super) struct HeapPlaces {
    pub reads: Option<Rc<[PlaceName]>>,
    pub writes: Option<Rc<[PlaceName]>>,
}

/// What the attributes of a function say.
pub(super) fn touched(attrs: &[Attribute]) -> HeapPlaces {
    let ours = attrs.iter().find(|a| is(a, "opaque") || is(a, "readonly"));
    let parser = Punctuated::<Entry, Token![,]>::parse_terminated;
    let Some(Ok(entries)) = ours.map(|a| a.parse_args_with(parser)) else {
        return HeapPlaces::default();
    };
    let (mut reads, mut writes, mut own) = (None, None, Vec::new());
    for entry in entries {
        match entry {
            Entry::Lists(true, places) => reads = Some(places),
            Entry::Lists(false, places) => writes = Some(places),
            Entry::Name(name) if name == "Self" => {}
            Entry::Name(name) => own.push(PlaceName::Own(name)),
        }
    }
    if !own.is_empty() {
        reads.get_or_insert_default().extend(own);
    }
    HeapPlaces {
        reads: reads.map(Rc::from),
        writes: writes.map(Rc::from),
    }
}

/// Whether an attribute says that its function belongs to a type.
pub(super) fn names_self(attr: &Attribute) -> bool {
    let syn::Meta::List(list) = &attr.meta else {
        return false;
    };
    let mut tokens = list.tokens.clone().into_iter();
    tokens.any(|t| matches!(t, proc_macro2::TokenTree::Ident(name) if name == "Self"))
}

/// One argument of the attribute.
enum Entry {
    /// `reads(..)`, or else `writes(..)`
    Lists(bool, Vec<PlaceName>),
    Name(Ident),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Entry> {
        let name = Ident::parse_any(input)?;
        let is_list = name == "reads" || name == "writes";
        if !is_list || !input.peek(syn::token::Paren) {
            return Ok(Entry::Name(name));
        }
        let inner;
        syn::parenthesized!(inner in input);
        let places = Punctuated::<Place, Token![,]>::parse_terminated(&inner)?;
        let places = places.into_iter().map(|place| place.0);
        Ok(Entry::Lists(name == "reads", places.collect()))
    }
}

struct Place(PlaceName);

impl Parse for Place {
    fn parse(input: ParseStream<'_>) -> syn::Result<Place> {
        let ty: Type = input.parse()?;
        if input.peek(syn::token::Bracket) {
            let inner;
            syn::bracketed!(inner in input);
            return match inner.is_empty() {
                true => Ok(Place(PlaceName::Items(ty))),
                false => Err(inner.error("all items of an array are one place: write `Array[]`")),
            };
        }
        input.parse::<Token![.]>()?;
        if input.parse::<Option<Token![*]>>()?.is_some() {
            return Ok(Place(PlaceName::Fields(ty)));
        }
        Ok(Place(PlaceName::Field(ty, input.parse()?)))
    }
}
