//! Where the attributes of Verdigris are. In: the text of a source file. Out: for each item with
//! such an attribute, where the attribute begins and which bytes the item attribute_spans.
//! Invariant: of attributes that cover the same token the first is the one that rustc expands
//! first.
//!
//! An attribute macro sees the tokens of its item, with their places: it can report a mistake at
//! the token itself, which a build script cannot. This says which macro is the one for a mistake.

use crate::source::known_names::is_our_attribute;
use proc_macro2::Span;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, Item, ItemEnum, ItemFn, ItemStruct, TraitItemFn};

/// An item with an attribute of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeSpan {
    /// The line (from 1) and the column in characters (from 0) of the attribute's `#`.
    pub attribute: (usize, usize),
    /// The bytes of the item in the file.
    pub item: Range<usize>,
}

/// All items with our attributes, in the order of the file, outer ones first; none if the text is
/// no Rust.
pub fn attribute_spans(text: &str) -> Vec<AttributeSpan> {
    let mut found = Find::default();
    if let Ok(file) = syn::parse_file(text) {
        found.visit_file(&file);
    }
    found.0
}

#[derive(Default)]
struct Find(Vec<AttributeSpan>);

impl Find {
    fn look(&mut self, attrs: &[Attribute], span: Span) {
        let ours = |attr: &&Attribute| {
            let name = attr.path().segments.last().map(|s| s.ident.to_string());
            name.is_some_and(|name| is_our_attribute(&name))
        };
        if let Some(attr) = attrs.iter().find(ours) {
            let start = attr.pound_token.span().start();
            self.0.push(AttributeSpan {
                attribute: (start.line, start.column),
                item: span.byte_range(),
            });
        }
    }
}

impl<'a> Visit<'a> for Find {
    fn visit_item(&mut self, item: &'a Item) {
        match item {
            Item::Fn(ItemFn { attrs, .. })
            | Item::Struct(ItemStruct { attrs, .. })
            | Item::Enum(ItemEnum { attrs, .. }) => self.look(attrs, item.span()),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        self.look(&item.attrs, item.span());
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'a TraitItemFn) {
        self.look(&item.attrs, item.span());
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_items_come_first() {
        let text = "fn plain() {}\n  #[inline] #[verdigris::opaque]\n  #[unroll_safe] fn f() {\n    \
             #[gc] struct S { }\n}\nimpl X { /* ä */ #[elidable(Self)] fn g() {} }\n";
        let found: Vec<_> = attribute_spans(text)
            .into_iter()
            .map(|c| (c.attribute, text[c.item].split('(').next()))
            .collect();
        assert_eq!(
            found,
            [
                (
                    (2, 12),
                    Some("#[inline] #[verdigris::opaque]\n  #[unroll_safe] fn f")
                ),
                ((4, 4), Some("#[gc] struct S { }")),
                ((6, 17), Some("#[elidable")),
            ]
        );
        assert_eq!(attribute_spans("fn {"), []);
    }
}
