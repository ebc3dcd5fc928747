//! Macros: the translator's own, and the few of the standard library that make sense in traced
//! code.
//!
//! In: a macro's name and tokens. Out: what it stands for. Invariant: a panic's message is the one
//! rustc's code gives; it is known when the interpreter is built, or made by
//! [`crate::check::std_calls::message`].

use crate::check::expr::control::wild;
use crate::check::fcx::{FnCx, FrameKind};
use crate::check::hir::{Arm, Expr, Kind, Pat, PatKind};
use crate::check::terms::Name;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::load::span_of;
use crate::source::syntax::name_of;
use crate::tast::{LocalId, LoopId, Span};
use crate::types::ty::Ty;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, Macro, Token};

/// `greens = [..], reds = [..]`
struct MergeArgs {
    lists: Vec<(Ident, Vec<syn::Expr>)>,
}

impl Parse for MergeArgs {
    fn parse(input: ParseStream<'_>) -> syn::Result<MergeArgs> {
        let mut lists = Vec::new();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            let content;
            syn::bracketed!(content in input);
            let list = content.parse_terminated(syn::Expr::parse, Token![,])?;
            lists.push((name, list.into_iter().collect()));
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(MergeArgs { lists })
    }
}

/// `value, pattern if guard`
struct MatchesArgs {
    value: syn::Expr,
    pat: syn::Pat,
    guard: Option<syn::Expr>,
}

impl Parse for MatchesArgs {
    fn parse(input: ParseStream<'_>) -> syn::Result<MatchesArgs> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<Token![if]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        input.parse::<Option<Token![,]>>()?;
        Ok(MatchesArgs { value, pat, guard })
    }
}

/// How a `while` becomes the loop of a merge point.
const WHILE: &str = "write the loop as `loop { merge_point!(..); if !(condition) { break; } .. }`";

impl FnCx<'_> {
    pub(in crate::check) fn macro_expr(&mut self, mac: &Macro, expect: Option<&Ty>) -> Expr {
        let span = self.span(mac);
        let name = mac
            .path
            .segments
            .last()
            .map_or(String::new(), |s| name_of(&s.ident));
        if let Some((name, number)) = crate::expand::failed_call(&name) {
            return self.failed_macro(name, number, span, expect);
        }
        let known = self.cx.krate.is_known_macro(self.site.env.module, mac);
        match name.as_str() {
            _ if !known => self.unknown_macro(&name, span, expect),
            "panic" | "unreachable" | "todo" | "unimplemented" => self.panic(mac, &name, span),
            "assert" => self.assert(mac, span),
            "assert_eq" => self.assert_same(mac, true, span),
            "assert_ne" => self.assert_same(mac, false, span),
            "debug_assert" if self.cx.native => self.assert(mac, span),
            "debug_assert_eq" if self.cx.native => self.assert_same(mac, true, span),
            "debug_assert_ne" if self.cx.native => self.assert_same(mac, false, span),
            // As in the release profile.
            "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => Expr::unit(span),
            "line" | "column" => self.place_number(&name, span),
            "concat" | "stringify" => self.text_macro(mac, &name, span),
            "matches" => self.matches(mac, span),
            "cfg" => match mac.parse_body::<syn::Meta>() {
                Ok(meta) => Expr::new(
                    Kind::Value(i64::from(crate::source::cfg::holds(&meta))),
                    Ty::Bool,
                    span,
                ),
                Err(e) => self.bad_tokens(&e),
            },
            "merge_point" => {
                self.portal.is_misplaced = true;
                let d = Diagnostic::new(DiagCode::MisplacedMergePoint, span, &[]);
                let is_while = self
                    .frames
                    .last()
                    .is_some_and(|f| matches!(f.kind, FrameKind::While));
                self.cx.report(match is_while && self.site.in_portal {
                    true => d.help(WHILE),
                    false => d,
                });
                Expr::new(Kind::Error, Ty::Unit, span)
            }
            "can_enter_jit" => self.can_enter(span),
            "env" | "option_env" | "file" | "module_path" | "include_str" => {
                let what = format!("the text of `{name}!`");
                let help = "keep it in a `#[opaque]` function";
                self.bad(DiagCode::UnsupportedWithHelp, span, &[&what, help])
            }
            _ => self.unknown_macro(&name, span, expect),
        }
    }

    /// A call of a macro of the crate that could not be expanded.
    fn failed_macro(&mut self, name: &str, number: usize, span: Span, expect: Option<&Ty>) -> Expr {
        if let Some(failure) = self.cx.krate.expansions.failures.get(number).cloned() {
            let d = Diagnostic::new(DiagCode::BadExpansion, span, &[name, &failure.why]);
            self.cx.report(d.at(failure.defined, "the macro"));
        }
        let ty = expect.cloned().unwrap_or(Ty::Error);
        Expr::new(Kind::Error, ty, span)
    }

    fn unknown_macro(&mut self, name: &str, span: Span, expect: Option<&Ty>) -> Expr {
        self.err(DiagCode::UnsupportedMacro, span, &[name]);
        // A statement like `println!(..)` has no value that could be missed.
        let ty = expect.cloned().unwrap_or(Ty::Error);
        Expr::new(Kind::Error, ty, span)
    }

    fn bad_tokens(&mut self, e: &syn::Error) -> Expr {
        let span = span_of(self.cx.file(self.site.env.module), e.span());
        let message = format!("syntax error: {e}");
        self.bad(DiagCode::Syntax, span, &[&message])
    }

    /// The expressions in a macro's parentheses.
    pub(in crate::check) fn macro_args(&mut self, mac: &Macro) -> Option<Vec<syn::Expr>> {
        let parser = Punctuated::<syn::Expr, Token![,]>::parse_terminated;
        match parser.parse2(mac.tokens.clone()) {
            Ok(args) => Some(args.into_iter().collect()),
            Err(e) => {
                self.bad_tokens(&e);
                None
            }
        }
    }

    /// `panic!` and the macros that put something before its message.
    fn panic(&mut self, mac: &Macro, name: &str, span: Span) -> Expr {
        let Some(args) = self.macro_args(mac) else {
            return Expr::new(Kind::Error, Ty::Never, span);
        };
        let (path, empty, prefix) = match name {
            "unreachable" => {
                let text = "internal error: entered unreachable code";
                ("::core::unreachable", text, format!("{text}: "))
            }
            "todo" => {
                let text = "not yet implemented";
                ("::core::todo", text, format!("{text}: "))
            }
            "unimplemented" => {
                let text = "not implemented";
                ("::core::unimplemented", text, format!("{text}: "))
            }
            _ => ("::core::panic", "explicit panic", String::new()),
        };
        match (args.as_slice(), plain_message(&args)) {
            ([], _) => Expr::panic(empty, span),
            (_, Some(text)) => Expr::panic(&format!("{prefix}{text}"), span),
            (args, None) => self.formatted(path, Vec::new(), args, span),
        }
    }

    fn assert(&mut self, mac: &Macro, span: Span) -> Expr {
        let args = self.macro_args(mac).unwrap_or_default();
        let Some((cond, message)) = args.split_first() else {
            return Expr::new(Kind::Error, Ty::Unit, span);
        };
        let at = self.span(cond);
        if message.is_empty() && self.put_together(cond) {
            let what = "an `assert!` without a message whose condition a macro puts together";
            let help = "give it a message, as in `assert!(a < b, \"too large\")`";
            return self.bad(DiagCode::UnsupportedWithHelp, span, &[what, help]);
        }
        let text = format!("assertion failed: {}", self.cx.text(at));
        let cond = self.coerced(cond, &Ty::Bool);
        let before = self.diverges;
        let fail = match (message, plain_message(message)) {
            ([], _) => Expr::panic(&text, span),
            (_, Some(text)) => Expr::panic(&text, span),
            (message, None) => self.formatted("::core::panic", Vec::new(), message, span),
        };
        self.diverges = before;
        Expr::if_else(cond, Expr::unit(span), fail, Ty::Unit, span)
    }

    /// `line!()`, `column!()`
    fn place_number(&mut self, name: &str, span: Span) -> Expr {
        let text = &self.cx.krate.files[span.file].text;
        let before = text.get(..span.lo as usize).unwrap_or("");
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let number = match name {
            "line" => before.matches('\n').count(),
            _ => before[start..].chars().count(),
        };
        let ty = Ty::Int(crate::tast::IntTy::U32);
        Expr::new(Kind::Value(number as i64 + 1), ty, span)
    }

    /// `concat!(..)`, `stringify!(..)`: a string that rustc makes in the glue.
    fn text_macro(&mut self, mac: &Macro, name: &str, span: Span) -> Expr {
        if name == "concat" {
            for arg in self.macro_args(mac).unwrap_or_default() {
                let negative =
                    matches!(&arg, syn::Expr::Unary(e) if matches!(*e.expr, syn::Expr::Lit(_)));
                if !negative && !matches!(arg, syn::Expr::Lit(_)) {
                    let help = "the arguments are literals; write out what the macro among them stands for";
                    let at = self.span(&arg);
                    return self.bad(
                        DiagCode::UnsupportedWithHelp,
                        at,
                        &["this argument of `concat!`", help],
                    );
                }
            }
        }
        let Some(text) = self.macro_text(mac, span) else {
            return Expr::error(span);
        };
        let text = self.cx.text_of(&text);
        let ty = Ty::Foreign(crate::types::ty::Foreign::text());
        Expr::op(crate::check::hir::Op::CallFn(text), Vec::new(), ty, span)
    }

    fn matches(&mut self, mac: &Macro, span: Span) -> Expr {
        let args = match mac.parse_body::<MatchesArgs>() {
            Ok(args) => args,
            Err(e) => return self.bad_tokens(&e),
        };
        let subject = self.subject(&args.value);
        let yes = Expr::new(Kind::Value(1), Ty::Bool, span);
        let no = Expr::new(Kind::Value(0), Ty::Bool, span);
        let arm = self.scoped(|fcx| {
            let pat = fcx.pat_on(&args.pat, &subject, &subject.value.ty);
            let guard = args.guard.as_ref().map(|g| fcx.coerced(g, &Ty::Bool));
            Arm {
                pat,
                guard,
                body: yes,
            }
        });
        let arms = vec![
            arm,
            Arm {
                pat: wild(span),
                guard: None,
                body: no,
            },
        ];
        Expr::new(Kind::Match(Box::new(subject.value), arms), Ty::Bool, span)
    }

    /// `merge_point!` at the beginning of the loop `id`.
    pub(in crate::check) fn merge_point(&mut self, mac: &Macro, id: LoopId) -> Option<Expr> {
        let span = self.span(mac);
        if !self.site.in_portal {
            self.err(DiagCode::MisplacedMergePoint, span, &[]);
            return None;
        }
        if let Some((_, first)) = self.portal.merge_point {
            let d = Diagnostic::new(DiagCode::SecondMergePoint, span, &[]);
            self.cx.report(d.at(first, "the first one"));
            return None;
        }
        self.portal.merge_point = Some((id, span));
        let args = match mac.parse_body::<MergeArgs>() {
            Ok(args) => args,
            Err(e) => {
                let message = format!("has malformed arguments: {e}");
                let at = span_of(span.file, e.span());
                self.err(DiagCode::BadMergePoint, at, &[&message]);
                return None;
            }
        };
        let mut lists: [Option<Vec<LocalId>>; 2] = [None, None];
        for (name, list) in &args.lists {
            let at = self.span(name);
            let index = match name.to_string().as_str() {
                "greens" => 0,
                "reds" => 1,
                other => {
                    let message = format!("has no list called `{other}`");
                    self.err(DiagCode::BadMergePoint, at, &[&message]);
                    return None;
                }
            };
            let other = lists[1 - index].clone().unwrap_or_default();
            let locals = self.merge_locals(list, index == 0, other);
            if lists[index].replace(locals).is_some() {
                let message = format!("has two lists called `{name}`");
                self.err(DiagCode::BadMergePoint, at, &[&message]);
            }
        }
        let [Some(greens), reds] = lists else {
            self.err(DiagCode::BadMergePoint, span, &["needs the list `greens`"]);
            return None;
        };
        let reds = reds.unwrap_or_default();
        self.portal.greens.clone_from(&greens);
        Some(Expr::new(Kind::MergePoint { greens, reds }, Ty::Unit, span))
    }

    fn merge_locals(
        &mut self,
        list: &[syn::Expr],
        greens: bool,
        mut seen: Vec<LocalId>,
    ) -> Vec<LocalId> {
        let mut locals = Vec::new();
        for expr in list {
            let span = self.span(expr);
            let local = match expr {
                syn::Expr::Path(p) => p.path.get_ident().and_then(|id| self.lookup(&name_of(id))),
                _ => None,
            };
            let text = self.cx.text(span);
            match local {
                None => self.err(DiagCode::NotALocal, span, &[&text]),
                Some(local) if seen.contains(&local) => {
                    let message = format!("names `{text}` twice");
                    self.err(DiagCode::BadMergePoint, span, &[&message]);
                }
                Some(local) if matches!(self.locals[local].name_is, Name::Alias(_)) => {
                    let message = format!("has `{text}`, which is a `&mut` to another variable");
                    let d = Diagnostic::new(DiagCode::BadMergePoint, span, &[&message]);
                    let help = "list the variable that it refers to, and borrow it again behind the merge point";
                    self.cx.report(d.help(help));
                }
                Some(local) => {
                    self.portal.variables.push((local, span));
                    let ty = self.locals[local].ty.clone();
                    if greens && matches!(self.infer.shallow(&ty), Ty::Foreign(_)) {
                        let message =
                            format!("has the reference `{text}` as a green; make it a red");
                        self.err(DiagCode::BadMergePoint, span, &[&message]);
                    }
                    if self.cx.holds_pointer(&self.infer.deep(&ty)) {
                        let message = format!(
                            "has the function pointer `{text}`, which native code has in another form; keep an integer that says which function is meant"
                        );
                        self.err(DiagCode::BadMergePoint, span, &[&message]);
                    }
                    seen.push(local);
                    locals.push(local);
                }
            }
        }
        locals
    }

    fn can_enter(&mut self, span: Span) -> Expr {
        match self.portal.merge_point {
            Some((id, _)) if self.frames.iter().any(|f| f.id == id) => {
                Expr::new(Kind::CanEnterJit(id), Ty::Never, span)
            }
            _ => {
                self.err(DiagCode::MisplacedCanEnter, span, &[]);
                Expr::new(Kind::Error, Ty::Never, span)
            }
        }
    }

    /// A pattern that matches everything after a complaint.
    pub(in crate::check) fn bad_pat(&mut self, code: DiagCode, span: Span, words: &[&str]) -> Pat {
        self.err(code, span, words);
        Pat {
            kind: PatKind::Error,
            span,
        }
    }
}

/// The message, if it is a string without anything to be filled in.
fn plain_message(args: &[syn::Expr]) -> Option<String> {
    match args {
        [
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }),
        ] => unescape(&text.value()),
        _ => None,
    }
}

/// A format string without arguments as the string it makes; none if it needs arguments.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if matches!(c, '{' | '}') && chars.next() != Some(c) {
            return None;
        }
        out.push(c);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn only_plain_strings_are_messages() {
        assert_eq!(unescape("a {{}} b").as_deref(), Some("a {} b"));
        assert_eq!(unescape("{x}"), None);
        assert_eq!(unescape("{"), None);
    }
}
