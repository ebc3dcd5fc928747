//! Finds the merge point and the places where compiled code may be entered. In: the portal as
//! written. Out: the variables of the merge point with what is known about them, or errors at the
//! macro or name that is wrong. Invariant: afterwards the rewriting cannot fail.

use super::scope::{BindingKind, PortalScope};
use super::{Errors, Ident, ItemFn, TokenStream};
use proc_macro2::{Span, TokenTree};
use std::collections::HashSet;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, ExprLoop, Macro, Stmt, Token, bracketed};

/// The most variables a merge point can list.
const MAX_STATE: usize = 64;
/// The name of the macro that marks the interpreter's loop.
pub const MERGE_POINT: &str = "merge_point";
/// The name of the macro that marks a back edge of the guest program.
pub const CAN_ENTER_JIT: &str = "can_enter_jit";

/// A variable of the merge point.
pub struct Var {
    /// Its name, at the merge point.
    pub name: Ident,
    /// How it is declared.
    pub kind: BindingKind,
}

/// What the portal contains.
pub struct Points {
    /// The variables that say where in the guest program we are.
    pub greens: Vec<Var>,
    /// The other variables.
    pub reds: Vec<Var>,
    /// Whether there is a `can_enter_jit!`; if not, the merge point is the place to enter.
    pub marked: bool,
}

/// Whether this is a call of the named macro.
pub fn is_macro(mac: &Macro, name: &str) -> bool {
    mac.path.segments.last().is_some_and(|s| s.ident == name)
}

/// The `merge_point!` that a loop begins with.
pub fn merge_point_of(node: &ExprLoop) -> Option<&Macro> {
    let mac = match node.body.stmts.first()? {
        Stmt::Macro(stmt) => &stmt.mac,
        Stmt::Expr(Expr::Macro(expr), _) => &expr.mac,
        _ => return None,
    };
    is_macro(mac, MERGE_POINT).then_some(mac)
}

/// Finds and checks the points of a portal.
pub fn find(item: &ItemFn, errors: &mut Errors) -> Option<Points> {
    let mut finder = Finder {
        scope: PortalScope::of_params(&item.sig),
        errors,
        place: Place::Outside,
        found: None,
        merge_points: 0,
        marks: 0,
    };
    finder.visit_block(&item.block);
    let (merge_points, marks, found) = (finder.merge_points, finder.marks, finder.found);
    if merge_points == 0 {
        errors.at(
            &item.sig.ident,
            "a portal needs a merge point: begin the body of the interpreter's `loop` with \
             `merge_point!(greens = [pc], reds = [stack])`",
        );
    }
    let (greens, reds) = found?;
    Some(Points {
        greens,
        reds,
        marked: marks > 0,
    })
}

/// Where in the portal the search is.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Not in the merge point's loop.
    Outside,
    /// In it.
    Inside,
    /// In a closure or async block: what happens there happens in another function.
    Elsewhere,
}

struct Finder<'a> {
    scope: PortalScope,
    errors: &'a mut Errors,
    place: Place,
    found: Option<(Vec<Var>, Vec<Var>)>,
    merge_points: usize,
    marks: usize,
}

impl Finder<'_> {
    fn within(&mut self, place: Place, walk: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.place, place);
        walk(self);
        self.place = before;
    }

    /// A merge point that stands where it should.
    fn merge_point(&mut self, mac: &Macro) {
        self.count_merge_point(mac);
        let state = match mac.parse_body::<State>() {
            Ok(state) => state,
            Err(e) => return self.errors.push(e),
        };
        state.check(mac, self.errors);
        let greens = self.resolve(&state.greens);
        for green in &greens {
            if matches!(green.kind, BindingKind::Shared | BindingKind::Unique) {
                self.errors.at(
                    &green.name,
                    format_args!(
                        "`{}` is a reference, which is not the same in every run: make it a red",
                        green.name
                    ),
                );
            }
        }
        let reds = self.resolve(&state.reds);
        self.found.get_or_insert((greens, reds));
    }

    fn count_merge_point(&mut self, mac: &Macro) {
        self.merge_points += 1;
        if self.merge_points == 2 {
            self.errors.at(
                &mac.path,
                "a portal has one merge point: this is the second",
            );
        }
    }

    fn resolve(&mut self, names: &[Ident]) -> Vec<Var> {
        let mut vars = Vec::new();
        for name in names {
            match self.scope.lookup(name) {
                Some(kind) => vars.push(Var {
                    name: name.clone(),
                    kind,
                }),
                None => self.errors.at(
                    name,
                    format_args!(
                        "`{name}` is not a parameter of the portal or a variable declared before its loop"
                    ),
                ),
            }
        }
        vars
    }

    fn stray_merge_point(&mut self, mac: &Macro) {
        self.count_merge_point(mac);
        self.errors.at(
            &mac.path,
            "merge_point! must be the first statement in the body of a `loop`",
        );
    }

    fn mark(&mut self, mac: &Macro) {
        self.marks += 1;
        if !mac.tokens.is_empty() {
            self.errors.at(
                &mac.tokens,
                "can_enter_jit! takes no arguments: the merge point lists the variables",
            );
        }
        match self.place {
            Place::Inside => {}
            Place::Outside => self.errors.at(
                &mac.path,
                "can_enter_jit! is only meaningful inside the loop that begins with merge_point!",
            ),
            Place::Elsewhere => self.errors.at(
                &mac.path,
                "can_enter_jit! must be in the portal itself, not in a closure",
            ),
        }
    }

    /// A macro that is not ours: it may have expressions inside, or anything.
    fn other_macro(&mut self, mac: &Macro) {
        match arguments(mac) {
            Some(args) => args.iter().for_each(|arg| self.visit_expr(arg)),
            None => {
                for span in hidden_points(mac.tokens.clone()) {
                    self.errors.at_span(
                        span,
                        "#[portal] cannot look into this macro: move its content out of it",
                    );
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        if is_macro(mac, MERGE_POINT) {
            self.stray_merge_point(mac);
        } else if is_macro(mac, CAN_ENTER_JIT) {
            self.mark(mac);
        } else {
            self.other_macro(mac);
        }
    }

    fn visit_expr_loop(&mut self, node: &'ast ExprLoop) {
        let Some(mac) = merge_point_of(node) else {
            return visit::visit_expr_loop(self, node);
        };
        if self.place == Place::Elsewhere {
            return self.stray_merge_point(mac);
        }
        self.merge_point(mac);
        self.within(Place::Inside, |this| {
            for stmt in node.body.stmts.iter().skip(1) {
                this.visit_stmt(stmt);
            }
        });
    }

    fn visit_expr_closure(&mut self, node: &'ast syn::ExprClosure) {
        self.within(Place::Elsewhere, |this| {
            visit::visit_expr_closure(this, node);
        });
    }

    fn visit_expr_async(&mut self, node: &'ast syn::ExprAsync) {
        self.within(Place::Elsewhere, |this| visit::visit_expr_async(this, node));
    }

    // An item inside the portal is not part of it.
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_block(&mut self, node: &'ast syn::Block) {
        let mark = self.scope.mark();
        for stmt in &node.stmts {
            self.visit_stmt(stmt);
            if let Stmt::Local(local) = stmt {
                self.scope.declare(&local.pat);
            }
        }
        self.scope.release(mark);
    }

    fn visit_arm(&mut self, node: &'ast syn::Arm) {
        let mark = self.scope.mark();
        self.scope.declare(&node.pat);
        visit::visit_arm(self, node);
        self.scope.release(mark);
    }

    fn visit_expr_for_loop(&mut self, node: &'ast syn::ExprForLoop) {
        let mark = self.scope.mark();
        self.scope.declare(&node.pat);
        visit::visit_expr_for_loop(self, node);
        self.scope.release(mark);
    }

    fn visit_expr_if(&mut self, node: &'ast syn::ExprIf) {
        let mark = self.scope.mark();
        visit::visit_expr_if(self, node);
        self.scope.release(mark);
    }

    fn visit_expr_while(&mut self, node: &'ast syn::ExprWhile) {
        let mark = self.scope.mark();
        visit::visit_expr_while(self, node);
        self.scope.release(mark);
    }

    fn visit_expr_let(&mut self, node: &'ast syn::ExprLet) {
        visit::visit_expr_let(self, node);
        self.scope.declare(&node.pat);
    }
}

/// Our macros among tokens that are not expressions.
fn hidden_points(tokens: TokenStream) -> Vec<Span> {
    let mut spans = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => spans.extend(hidden_points(group.stream())),
            TokenTree::Ident(name) if name == MERGE_POINT || name == CAN_ENTER_JIT => {
                spans.push(name.span());
            }
            _ => {}
        }
    }
    spans
}

/// `greens = [..], reds = [..]`
struct State {
    greens: Vec<Ident>,
    reds: Vec<Ident>,
}

impl Parse for State {
    fn parse(input: ParseStream<'_>) -> syn::Result<State> {
        let greens = names(input, "greens")?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        let reds = if input.is_empty() {
            Vec::new()
        } else {
            names(input, "reds")?
        };
        input.parse::<Option<Token![,]>>()?;
        if !input.is_empty() {
            return Err(input.error("expected only `greens = [..], reds = [..]`"));
        }
        Ok(State { greens, reds })
    }
}

fn names(input: ParseStream<'_>, list: &str) -> syn::Result<Vec<Ident>> {
    let here = input.span();
    match input.parse::<Ident>() {
        Ok(word) if word == list => {}
        _ => {
            return Err(syn::Error::new(
                here,
                format!("expected `{list}`: write `merge_point!(greens = [..], reds = [..])`"),
            ));
        }
    }
    input.parse::<Token![=]>()?;
    let content;
    bracketed!(content in input);
    let exprs = content.parse_terminated(Expr::parse, Token![,])?;
    exprs.iter().map(name).collect()
}

fn name(expr: &Expr) -> syn::Result<Ident> {
    let ident = match expr {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    };
    ident.cloned().ok_or_else(|| {
        syn::Error::new_spanned(
            expr,
            "merge_point! lists variables by name: bind this to a variable before the loop",
        )
    })
}

impl State {
    fn check(&self, mac: &Macro, errors: &mut Errors) {
        if self.greens.is_empty() {
            errors.at(
                &mac.path,
                "merge_point! needs at least one green: the variables that say where in the program it is",
            );
        }
        let mut seen = HashSet::new();
        for name in self.greens.iter().chain(&self.reds) {
            if !seen.insert(name) {
                errors.at(name, format_args!("`{name}` is listed twice"));
            }
        }
        if let Some(name) = self.greens.iter().chain(&self.reds).nth(MAX_STATE) {
            errors.at(
                name,
                format_args!(
                    "a merge point lists at most {MAX_STATE} variables: put some into a #[gc] struct"
                ),
            );
        }
    }
}

/// The arguments of a macro call, if they are expressions separated by commas, as those of
/// `assert!` and `panic!` are.
pub fn arguments(mac: &Macro) -> Option<Punctuated<Expr, Token![,]>> {
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    parser.parse2(mac.tokens.clone()).ok()
}
