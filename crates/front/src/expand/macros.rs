//! The macros of the crate, and their expansion.

use crate::expand::def::{self, Def};
use crate::expand::matcher::Outcome;
use crate::expand::record::{Expansion, Expansions, Failure, Places};
use crate::expand::scope::Mods;
use crate::expand::tokens::{self, Mark};
use crate::expand::{fragment, transcribe};
use crate::source::load::{span_of, too_deep};
use crate::source::syntax::{name_of, plain};
use crate::tast::FileId;
use proc_macro2::{TokenStream, TokenTree};
use std::rc::Rc;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;

/// How deeply expansions may be nested: twice rustc's default.
const MAX_DEPTH: usize = 256;
/// How many tokens expansions may have together.
const MAX_TOKENS: usize = 4_000_000;

/// The macros of the crate.
pub(super) struct Macros {
    pub(super) places: Places,
    pub(super) mods: Mods,
    pub(super) defs: Vec<Def>,
    pub(super) out: Expansions,
    /// How many calls have been expanded.
    pub(super) count: usize,
    /// How many tokens further expansions may have.
    budget: usize,
}

impl Macros {
    pub(super) fn new(places: Places) -> Macros {
        Macros {
            places,
            mods: Mods::default(),
            defs: Vec::new(),
            out: Expansions::default(),
            count: 0,
            budget: MAX_TOKENS,
        }
    }

    /// Adds a macro.
    pub(super) fn define(&mut self, item: &syn::ItemMacro, file: FileId, local: bool) -> usize {
        let name = item.ident.as_ref().map_or(String::new(), name_of);
        self.defs.push(Def {
            name: tokens::unmarked(&name).to_owned(),
            defined: span_of(file, item.ident.span()),
            extent: span_of(file, item.mac.delimiter.span().join()),
            rules: def::rules(item.mac.tokens.clone()).map(Rc::new),
            local,
        });
        self.defs.len() - 1
    }

    /// The tokens that a call stands for.
    pub(super) fn expansion(
        &mut self,
        def: usize,
        mac: &syn::Macro,
        file: FileId,
        depth: usize,
    ) -> Result<TokenStream, Failure> {
        self.count += 1;
        let (rules, local) = (self.defs[def].rules.clone(), self.defs[def].local);
        let rules = rules.map_err(|why| self.failure(def, why))?;
        if depth >= MAX_DEPTH {
            let why = format!("expansions are nested {MAX_DEPTH} deep");
            return Err(self.failure(def, why));
        }
        let at = mac.span();
        let input: Vec<TokenTree> = mac.tokens.clone().into_iter().collect();
        for (pattern, body) in rules.iter() {
            let bound = match pattern.matches(&input) {
                Outcome::Matched(bound) => bound,
                Outcome::No => continue,
                Outcome::Failed(why) => return Err(self.failure(def, why)),
            };
            let mut transcriber = transcribe::Transcriber {
                mark: Mark {
                    expansion: self.count,
                    local: local.then_some(def),
                },
                at: (self.places == Places::Calls).then_some(at),
                budget: self.budget,
            };
            let tokens = transcriber.body(body.clone(), &bound);
            self.budget = transcriber.budget;
            let tokens = tokens.map_err(|why| self.failure(def, why))?;
            if too_deep(tokens.clone()).is_some() {
                let why = "its expansion is nested too deeply".to_owned();
                return Err(self.failure(def, why));
            }
            self.out.note(
                span_of(file, at),
                Expansion {
                    name: self.defs[def].name.clone(),
                    defined: self.defs[def].defined,
                    extent: self.defs[def].extent,
                },
            );
            return Ok(tokens);
        }
        Err(self.failure(def, "none of its rules matches".to_owned()))
    }

    pub(super) fn failure(&self, def: usize, why: String) -> Failure {
        Failure {
            why,
            defined: self.defs[def].defined,
        }
    }

    /// An expansion as what stands at its place.
    pub(super) fn parsed<T>(
        &self,
        def: usize,
        tokens: TokenStream,
        parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    ) -> Result<T, Failure> {
        parse.parse2(fragment::opened(tokens)).map_err(|e| {
            let why = format!("its expansion cannot be parsed: {e}");
            self.failure(def, why)
        })
    }

    /// Renames a call that has no expansion, so that its name leads to the reason.
    pub(super) fn fail(&mut self, mac: &mut syn::Macro, failure: Failure) {
        let name = plain(&mac.path).segs.pop().unwrap_or_default();
        let name = self.out.failed_name(&name, failure);
        let ident = syn::Ident::new(&name, mac.path.span());
        mac.path = ident.into();
    }
}
