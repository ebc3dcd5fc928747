//! What `#[portal(tier = function)]` and `#[portal(location = function)]` add. In: the path of the
//! function, the greens. Out: the function for the engine, which has the greens as words, and a
//! call in the portal by which rustc checks that it takes them. Invariant: the words are taken for
//! values of the types that the function takes, so these must be the types of the greens; no other
//! place says what they are, and the call in the portal, which is compiled and never made, compares
//! them.

use super::merge_points::Var;
use super::{ExprPath, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// An option whose function the engine calls.
#[derive(Clone, Copy)]
pub struct EngineOption {
    /// Its name.
    pub name: &'static str,
    /// What the function returns.
    pub returned: &'static str,
}

/// All of them.
pub const ALL: [EngineOption; 2] = [
    EngineOption {
        name: "tier",
        returned: "Tier",
    },
    EngineOption {
        name: "location",
        returned: "Location",
    },
];

/// An option that is there, with its function.
pub struct ChosenOption {
    option: EngineOption,
    function: ExprPath,
}

impl ChosenOption {
    pub fn new(option: EngineOption, function: ExprPath) -> ChosenOption {
        ChosenOption { option, function }
    }

    /// The call that gives the portal's declaration the function, as the engine calls it.
    pub fn with(&self, greens: usize) -> TokenStream {
        let with = format_ident!("with_{}", self.option.name);
        let function = &self.function;
        let names = (0..greens).map(|n| format_ident!("green{}", n, span = Span::mixed_site()));
        let names: Vec<_> = names.collect();
        let pattern = (names.iter().rev()).fold(quote!(()), |rest, name| quote!((#name, #rest)));
        quote! {
            .#with(|words| {
                let #pattern = words.greens();
                #function(#(#names),*)
            })
        }
    }

    /// The statement that rustc checks in the portal.
    pub fn check(&self, greens: &[Var]) -> TokenStream {
        let check = format_ident!("check_{}", self.option.name);
        let names = greens.iter().map(|green| &green.name);
        let function = outside(&self.function);
        quote!(::verdigris::rt::#check(|| #function(#(#names),*));)
    }
}

/// The function by a path that leads to the same function from within the portal, whose variables
/// and items may have its name.
fn outside(function: &ExprPath) -> TokenStream {
    let path = &function.path;
    match path.segments.len() {
        1 if path.leading_colon.is_none() && function.qself.is_none() => {
            let span = Span::call_site().located_at(function.span());
            quote_spanned!(span=> self::#function)
        }
        _ => quote!(#function),
    }
}
