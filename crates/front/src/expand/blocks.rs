//! Calls inside of items: at the place of expressions, statements, patterns, types, and members of
//! `impl`s and traits.
//!
//! In: an item, its module, and the macros in sight there. Out: the item with what the calls stand
//! for. Invariants: blocks are looked through in the order of the text, since a `macro_rules!` is
//! in sight behind its definition alone; the arguments of macros of the standard library are looked
//! through as rustc does; groups that keep fragments together are gone, because the tree says the
//! same.

use crate::expand::macros::Macros;
use crate::expand::names::{Plain, plain_attr, settle};
use crate::expand::record::Failure;
use crate::expand::scope::{self, Meaning, Scope};
use crate::expand::tokens::{MARK, plain_ident, plain_tokens};
use crate::source::cfg;
use crate::source::known_names::{LIST_MACROS, OUR_MACROS};
use crate::source::syntax::plain;
use crate::tast::FileId;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::VecDeque;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Item, Pat, Stmt, Token, Type};

/// Expands the calls in an item.
pub(super) fn expand(
    macros: &mut Macros,
    item: &mut Item,
    module: usize,
    file: FileId,
    scope: Scope,
) {
    let mut visitor = Visitor {
        macros,
        module,
        file,
        scope,
        depth: 0,
        blocks: 0,
        done: 0,
    };
    if let Item::Macro(_) = item {
        // Nothing in this crate says what it is.
        return;
    }
    visitor.visit_item_mut(item);
    settle(|names| names.visit_item_mut(item));
}

struct Visitor<'s> {
    macros: &'s mut Macros,
    module: usize,
    file: FileId,
    scope: Scope,
    /// Expansions around this place.
    depth: usize,
    /// Blocks around this place.
    blocks: usize,
    /// How many calls have been replaced.
    done: usize,
}

impl Visitor<'_> {
    fn meaning(&self, mac: &syn::Macro) -> Meaning {
        self.macros
            .mods
            .meaning(self.module, &plain(&mac.path), &self.scope)
    }

    /// What a call stands for; none if it is not one of a macro of the crate, or has no expansion.
    fn expanded<T>(
        &mut self,
        mac: &mut syn::Macro,
        parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    ) -> Option<T> {
        Plain.visit_path_mut(&mut mac.path);
        let Meaning::Own(def) = self.meaning(mac) else {
            return None;
        };
        let tokens = self.macros.expansion(def, mac, self.file, self.depth);
        let parsed: Result<T, Failure> =
            tokens.and_then(|tokens| self.macros.parsed(def, tokens, parse));
        match parsed {
            Ok(parsed) => {
                self.done += 1;
                Some(parsed)
            }
            Err(failure) => {
                self.macros.fail(mac, failure);
                None
            }
        }
    }

    fn deeper(&mut self, visit: impl FnOnce(&mut Self)) {
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }

    /// Looks through the arguments of a macro that is not of the crate.
    fn arguments(&mut self, mac: &mut syn::Macro) {
        let path = plain(&mac.path);
        let name = path.segs.last().map_or("", String::as_str);
        let before = self.done;
        let has_marks = mac.tokens.to_string().contains(MARK);
        let tokens = match name {
            _ if OUR_MACROS.contains(&name) => return,
            "matches" => self.matched(mac.tokens.clone()),
            "dbg" => self.list(mac.tokens.clone()),
            _ if LIST_MACROS.contains(&name) => self.list(mac.tokens.clone()),
            _ => None,
        };
        match tokens {
            Some(tokens) if has_marks || self.done > before => mac.tokens = tokens,
            Some(_) => {}
            None if has_marks => mac.tokens = plain_tokens(mac.tokens.clone(), false),
            None => {}
        }
    }

    fn list(&mut self, tokens: TokenStream) -> Option<TokenStream> {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(mut list) = parser.parse2(tokens.clone()) {
            for e in &mut list {
                match e {
                    // The name of an argument.
                    Expr::Assign(e) => {
                        Plain.visit_expr_mut(&mut e.left);
                        self.visit_expr_mut(&mut e.right);
                    }
                    e => self.visit_expr_mut(e),
                }
            }
            return Some(list.to_token_stream());
        }
        let parser = Punctuated::<Expr, Token![;]>::parse_terminated;
        let mut list = parser.parse2(tokens).ok()?;
        list.iter_mut().for_each(|e| self.visit_expr_mut(e));
        Some(list.to_token_stream())
    }

    fn matched(&mut self, tokens: TokenStream) -> Option<TokenStream> {
        let parser = |input: ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            let guard = match input.parse::<Option<Token![if]>>()? {
                Some(_) => Some(input.parse::<Expr>()?),
                None => None,
            };
            input.parse::<Option<Token![,]>>()?;
            Ok((value, pat, guard))
        };
        let (mut value, mut pat, mut guard) = parser.parse2(tokens).ok()?;
        self.visit_expr_mut(&mut value);
        self.visit_pat_mut(&mut pat);
        Some(match &mut guard {
            Some(guard) => {
                self.visit_expr_mut(guard);
                quote::quote!(#value, #pat if #guard)
            }
            None => quote::quote!(#value, #pat),
        })
    }

    /// The statements of a block, in the order of the text.
    fn stmts(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut todo: VecDeque<(Stmt, usize)> =
            stmts.into_iter().map(|s| (s, self.depth)).collect();
        let mut done = Vec::new();
        let depth = self.depth;
        while let Some((stmt, level)) = todo.pop_front() {
            self.depth = level;
            match stmt {
                Stmt::Macro(mut stmt) => {
                    if !enabled(&mut stmt.attrs) {
                        continue;
                    }
                    match self.expanded(&mut stmt.mac, syn::Block::parse_within) {
                        Some(mut list) => {
                            if let (Some(semicolon), Some(Stmt::Expr(_, end @ None))) =
                                (stmt.semi_token, list.last_mut())
                            {
                                *end = Some(semicolon);
                            }
                            for stmt in list.into_iter().rev() {
                                todo.push_front((stmt, level + 1));
                            }
                        }
                        None => {
                            self.visit_stmt_macro_mut(&mut stmt);
                            done.push(Stmt::Macro(stmt));
                        }
                    }
                }
                Stmt::Item(Item::Macro(mut item)) if item.ident.is_some() => {
                    if enabled(&mut item.attrs) {
                        item.ident = item.ident.as_ref().map(plain_ident);
                        let def = self.macros.define(&item, self.file, true);
                        let name = self.macros.defs[def].name.clone();
                        self.scope = scope::with(&self.scope, &name, def);
                        // For the look-up of variables that the macro names.
                        let at = item
                            .ident
                            .as_ref()
                            .map_or(item.mac.path.segments[0].ident.span(), syn::Ident::span);
                        item.ident = Some(syn::Ident::new(&format!("{name}{MARK}m{def}"), at));
                        item.mac.tokens = TokenStream::new();
                        done.push(Stmt::Item(Item::Macro(item)));
                    }
                }
                // A semicolon too many.
                Stmt::Expr(Expr::Verbatim(tokens), Some(_)) if tokens.is_empty() => {}
                mut stmt => {
                    self.visit_stmt_mut(&mut stmt);
                    done.push(stmt);
                }
            }
        }
        self.depth = depth;
        done
    }

    /// The members of an `impl` or a trait, with what the calls among them stand for.
    fn members<T: syn::parse::Parse>(
        &mut self,
        list: Vec<T>,
        call_of: impl Fn(&mut T) -> Option<&mut syn::Macro>,
    ) -> Vec<T> {
        let mut todo: VecDeque<(T, usize)> = list.into_iter().map(|m| (m, 0)).collect();
        let mut done = Vec::new();
        while let Some((mut member, level)) = todo.pop_front() {
            let expanded = call_of(&mut member).and_then(|call| {
                let depth = std::mem::replace(&mut self.depth, level);
                let list = self.expanded(call, members::<T>);
                self.depth = depth;
                list
            });
            match expanded {
                Some(list) => {
                    (list.into_iter().rev()).for_each(|member| todo.push_front((member, level + 1)))
                }
                None => done.push(member),
            }
        }
        done
    }

    fn outermost(&mut self, visit: impl FnOnce(&mut Self)) {
        let scope = self.scope.clone();
        visit(self);
        self.scope = scope;
    }
}

/// Whether attributes, which lose their marks, keep what they are on.
fn enabled(attrs: &mut [syn::Attribute]) -> bool {
    attrs.iter_mut().for_each(plain_attr);
    cfg::enabled(attrs)
}

/// An expression, behind which rustc takes a semicolon for a slip.
fn one_expr(input: ParseStream<'_>) -> syn::Result<Expr> {
    let e = input.parse()?;
    input.parse::<Option<Token![;]>>()?;
    Ok(e)
}

fn members<T: syn::parse::Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let mut list = Vec::new();
    while !input.is_empty() {
        list.push(input.parse()?);
    }
    Ok(list)
}

impl VisitMut for Visitor<'_> {
    fn visit_ident_mut(&mut self, ident: &mut syn::Ident) {
        *ident = plain_ident(ident);
    }

    fn visit_attribute_mut(&mut self, attr: &mut syn::Attribute) {
        plain_attr(attr);
    }

    /// Its name may be a variable's.
    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        pat.attrs.iter_mut().for_each(plain_attr);
        if let Some((_, inner)) = &mut pat.subpat {
            self.visit_pat_mut(inner);
        }
    }

    fn visit_expr_path_mut(&mut self, e: &mut syn::ExprPath) {
        let is_name =
            e.qself.is_none() && e.path.leading_colon.is_none() && e.path.get_ident().is_some();
        e.attrs.iter_mut().for_each(plain_attr);
        if !is_name {
            visit_mut::visit_expr_path_mut(self, e);
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        if field.colon_token.is_none()
            && let Expr::Path(e) = &field.expr
            && e.path
                .get_ident()
                .is_some_and(|i| i.to_string().contains(MARK))
        {
            field.colon_token = Some(Token![:](e.path.segments[0].ident.span()));
        }
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        if field.colon_token.is_none()
            && let syn::Member::Named(name) = &field.member
            && name.to_string().contains(MARK)
        {
            field.colon_token = Some(Token![:](name.span()));
        }
        visit_mut::visit_field_pat_mut(self, field);
    }

    /// Labels keep their marks.
    fn visit_label_mut(&mut self, _: &mut syn::Label) {}

    fn visit_expr_break_mut(&mut self, e: &mut syn::ExprBreak) {
        e.attrs.iter_mut().for_each(plain_attr);
        if let Some(value) = &mut e.expr {
            self.visit_expr_mut(value);
        }
    }

    fn visit_expr_continue_mut(&mut self, e: &mut syn::ExprContinue) {
        e.attrs.iter_mut().for_each(plain_attr);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        while let Expr::Group(group) = e {
            *e = std::mem::replace(&mut *group.expr, Expr::Verbatim(TokenStream::new()));
        }
        if let Expr::Macro(call) = e {
            call.attrs.iter_mut().for_each(plain_attr);
            if let Some(new) = self.expanded(&mut call.mac, one_expr) {
                *e = new;
                return self.deeper(|v| v.visit_expr_mut(e));
            }
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Macro(call) = pat
            && let Some(new) = self.expanded(&mut call.mac, Pat::parse_multi_with_leading_vert)
        {
            *pat = new;
            return self.deeper(|v| v.visit_pat_mut(pat));
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        while let Type::Group(group) = ty {
            *ty = std::mem::replace(&mut *group.elem, Type::Verbatim(TokenStream::new()));
        }
        if let Type::Macro(call) = ty
            && let Some(new) = self.expanded(&mut call.mac, |input: ParseStream<'_>| input.parse())
        {
            *ty = new;
            return self.deeper(|v| v.visit_type_mut(ty));
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        let name = mac.path.segments.last().map(|s| s.ident.to_string());
        if name.is_some_and(|name| crate::expand::failed_call(&name).is_some()) {
            mac.tokens = plain_tokens(mac.tokens.clone(), false);
            return;
        }
        Plain.visit_path_mut(&mut mac.path);
        self.arguments(mac);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let (scope, module) = (self.scope.clone(), self.module);
        let imports = |s: &Stmt| matches!(s, Stmt::Item(Item::Use(_)));
        if block.stmts.iter().any(imports) {
            self.module = self.macros.mods.add(Some(module), true);
            for stmt in &mut block.stmts {
                if let Stmt::Item(Item::Use(item)) = stmt
                    && enabled(&mut item.attrs)
                {
                    Plain.visit_item_use_mut(item);
                    self.macros.mods.import(self.module, item, &self.scope);
                }
            }
        }
        self.blocks += 1;
        let stmts = std::mem::take(&mut block.stmts);
        block.stmts = self.stmts(stmts);
        self.blocks -= 1;
        (self.scope, self.module) = (scope, module);
    }

    fn visit_item_mod_mut(&mut self, item: &mut syn::ItemMod) {
        self.outermost(|v| visit_mut::visit_item_mod_mut(v, item));
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        let list = std::mem::take(&mut item.items);
        item.items = self.members(list, |member| match member {
            syn::ImplItem::Macro(call) => Some(&mut call.mac),
            _ => None,
        });
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        let list = std::mem::take(&mut item.items);
        item.items = self.members(list, |member| match member {
            syn::TraitItem::Macro(call) => Some(&mut call.mac),
            _ => None,
        });
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        visit_mut::visit_item_fn_mut(self, item);
        if self.blocks == 0 {
            settle(|names| names.visit_item_fn_mut(item));
        }
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        visit_mut::visit_impl_item_fn_mut(self, item);
        if self.blocks == 0 {
            settle(|names| names.visit_impl_item_fn_mut(item));
        }
    }

    fn visit_trait_item_fn_mut(&mut self, item: &mut syn::TraitItemFn) {
        visit_mut::visit_trait_item_fn_mut(self, item);
        if self.blocks == 0 {
            settle(|names| names.visit_trait_item_fn_mut(item));
        }
    }
}
