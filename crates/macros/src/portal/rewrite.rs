//! Turns a checked portal into ordinary Rust. In: the function and its points. Out: the function
//! with its loop labelled and `merge_point!` and `can_enter_jit!` gone. Invariant: `break` and
//! `continue` of the loop still mean the loop, although a labelled block now stands between.

use super::merge_points::{
    CAN_ENTER_JIT, MERGE_POINT, Points, arguments, is_macro, merge_point_of,
};
use super::{ItemFn, Span, TokenStream};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprLoop, Label, Lifetime, Macro, Stmt, Token, parse_quote};

/// Rewrites the body. `enter` is the statement that may run compiled code.
pub fn rewrite(item: &mut ItemFn, points: &Points, enter: TokenStream) {
    FindLoop { points, enter }.visit_block_mut(&mut item.block);
}

/// Takes `merge_point!` and `can_enter_jit!` out of the body, wherever they stand.
pub fn without_hints(item: &mut ItemFn) {
    WithoutHints.visit_block_mut(&mut item.block);
}

struct WithoutHints;

impl WithoutHints {
    /// What stands for a macro; a mark does not go on behind it.
    fn instead(mac: &Macro) -> Option<Expr> {
        if is_macro(mac, MERGE_POINT) {
            return Some(parse_quote!(()));
        }
        is_macro(mac, CAN_ENTER_JIT).then(|| parse_quote!(::core::unreachable!()))
    }
}

impl VisitMut for WithoutHints {
    fn visit_stmt_mut(&mut self, node: &mut Stmt) {
        if let Stmt::Macro(stmt) = node
            && let Some(expr) = WithoutHints::instead(&stmt.mac)
        {
            *node = Stmt::Expr(expr, stmt.semi_token);
            return;
        }
        visit_mut::visit_stmt_mut(self, node);
    }

    fn visit_expr_mut(&mut self, node: &mut Expr) {
        if let Expr::Macro(expr) = node
            && let Some(expr) = WithoutHints::instead(&expr.mac)
        {
            *node = expr;
            return;
        }
        visit_mut::visit_expr_mut(self, node);
    }

    // An item inside the portal is not part of it.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

struct FindLoop<'a> {
    points: &'a Points,
    enter: TokenStream,
}

impl VisitMut for FindLoop<'_> {
    fn visit_expr_loop_mut(&mut self, node: &mut ExprLoop) {
        if merge_point_of(node).is_none() {
            return visit_mut::visit_expr_loop_mut(self, node);
        }
        node.body.stmts.remove(0);
        if self.points.marked {
            enter_at_marks(node, &self.enter);
        } else {
            enter_at_merge_point(node, &self.enter);
        }
    }

    // An item inside the portal is not part of it.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Without a mark, each pass through the loop is a back edge.
fn enter_at_merge_point(node: &mut ExprLoop, enter: &TokenStream) {
    let enter = Stmt::Expr(Expr::Verbatim(enter.clone()), Some(parse_quote!(;)));
    let count: Stmt = parse_quote!(::verdigris::rt::count_operation(););
    node.body.stmts.splice(0..0, [enter, count]);
}

fn enter_at_marks(node: &mut ExprLoop, enter: &TokenStream) {
    let header = match &node.label {
        Some(label) => label.name.clone(),
        None => Lifetime::new("'vd_header", Span::mixed_site()),
    };
    let block = Lifetime::new("'vd_enter", Span::mixed_site());
    let mut body = Body {
        header: header.clone(),
        enter: parse_quote!(break #block),
        nested: 0,
    };
    body.visit_block_mut(&mut node.body);
    node.label = Some(Label {
        name: header.clone(),
        colon_token: Token![:](Span::mixed_site()),
    });
    let old = std::mem::replace(&mut node.body, empty());
    let brace = old.brace_token;
    node.body = parse_quote!({
        ::verdigris::rt::count_operation();
        #block: {
            #old
            #[allow(unreachable_code)]
            continue #header;
        }
        #enter;
    });
    node.body.brace_token = brace;
}

fn empty() -> Block {
    parse_quote!({})
}

/// Rewrites what is inside the merge point's loop.
struct Body {
    header: Lifetime,
    enter: Expr,
    /// How many loops of its own the place is in.
    nested: usize,
}

impl Body {
    fn nest(&mut self, walk: impl FnOnce(&mut Self)) {
        self.nested += 1;
        walk(self);
        self.nested -= 1;
    }

    fn label(&self, label: &mut Option<Lifetime>) {
        if self.nested == 0 && label.is_none() {
            *label = Some(self.header.clone());
        }
    }
}

impl VisitMut for Body {
    fn visit_stmt_mut(&mut self, node: &mut Stmt) {
        if let Stmt::Macro(stmt) = node
            && is_macro(&stmt.mac, CAN_ENTER_JIT)
        {
            *node = Stmt::Expr(self.enter.clone(), stmt.semi_token);
            return;
        }
        visit_mut::visit_stmt_mut(self, node);
    }

    fn visit_expr_mut(&mut self, node: &mut Expr) {
        if let Expr::Macro(expr) = node
            && is_macro(&expr.mac, CAN_ENTER_JIT)
        {
            *node = self.enter.clone();
            return;
        }
        visit_mut::visit_expr_mut(self, node);
    }

    fn visit_macro_mut(&mut self, node: &mut Macro) {
        let Some(mut args) = arguments(node) else {
            return;
        };
        args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
        node.tokens = args.into_token_stream();
    }

    fn visit_expr_break_mut(&mut self, node: &mut syn::ExprBreak) {
        visit_mut::visit_expr_break_mut(self, node);
        self.label(&mut node.label);
    }

    fn visit_expr_continue_mut(&mut self, node: &mut syn::ExprContinue) {
        self.label(&mut node.label);
    }

    fn visit_expr_loop_mut(&mut self, node: &mut ExprLoop) {
        self.nest(|this| visit_mut::visit_expr_loop_mut(this, node));
    }

    fn visit_expr_while_mut(&mut self, node: &mut syn::ExprWhile) {
        self.nest(|this| visit_mut::visit_expr_while_mut(this, node));
    }

    fn visit_expr_for_loop_mut(&mut self, node: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut node.expr);
        self.nest(|this| this.visit_block_mut(&mut node.body));
    }

    // What is in these belongs to another function.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
