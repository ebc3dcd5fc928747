//! Messages of panics that are made when the panic happens.
//!
//! In: the arguments of `panic!` and its like. Out: the values that the message is made of and the
//! text of a macro call that makes it, which goes into the glue. Invariant: the text has the format
//! string as it was written, so the message is the one rustc's code makes.

use crate::check::call::ref_impls::Around;
use crate::check::fcx::FnCx;
use crate::check::hir::{Arg, Expr, Kind, Message, Op};
use crate::check::terms::CallAt;
use crate::source::diag::DiagCode;
use crate::source::syntax::name_of;
use crate::tast::{BinOp, IntTy, Span};
use crate::types::ty::Ty;
use quote::ToTokens;
use std::rc::Rc;

impl FnCx<'_> {
    /// A panic whose message a macro call makes from these arguments, `lead` before the format
    /// string.
    pub(in crate::check) fn formatted(
        &mut self,
        path: &'static str,
        lead: Vec<Expr>,
        args: &[syn::Expr],
        span: Span,
    ) -> Expr {
        let mut list: Vec<Arg> = lead.iter().map(|_| Arg::Value(None)).collect();
        let mut values = lead;
        if let Some((format, args)) = args.split_first()
            && self
                .message_args(format, args, &mut list, &mut values)
                .is_none()
        {
            return Expr::new(Kind::Error, Ty::Never, span);
        }
        if values.iter().any(|v| matches!(v.ty, Ty::Error)) {
            return Expr::new(Kind::Error, Ty::Never, span);
        }
        self.panic_with(path, list, values, span)
    }

    /// The call that panics.
    fn panic_with(
        &mut self,
        path: &'static str,
        args: Vec<Arg>,
        values: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let message = Rc::new(Message { path, args });
        let call = Expr::op(Op::Message(message), values, Ty::Unit, span);
        // The call does not return; saying so explicitly spares later stages the knowledge.
        let end = Expr::panic("internal error: entered unreachable code", span);
        Expr::block(vec![call, end], Ty::Never, span)
    }

    /// A panic whose message is this text and, behind a colon, a value as `Debug` shows it.
    pub(in crate::check) fn panic_showing(&mut self, text: &str, value: Expr, span: Span) -> Expr {
        if value.ty == Ty::Unit {
            return Expr::panic(&format!("{text}: ()"), span);
        }
        let args = vec![
            Arg::Text("\"{}: {:?}\"".to_owned()),
            Arg::Text(format!("{text:?}")),
            Arg::Value(None),
        ];
        self.panic_with("::core::panic", args, vec![value], span)
    }

    fn message_args(
        &mut self,
        format: &syn::Expr,
        args: &[syn::Expr],
        list: &mut Vec<Arg>,
        values: &mut Vec<Expr>,
    ) -> Option<()> {
        let at = self.span(format);
        let literal = match format {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) => text,
            syn::Expr::Macro(e) if is_text_macro(&e.mac) => {
                list.push(Arg::Text(self.macro_text(&e.mac, at)?));
                return self.explicit_args(args, list, values).map(drop);
            }
            _ => {
                self.err(DiagCode::FormattedPanic, at, &[]);
                return None;
            }
        };
        list.push(Arg::Text(literal.token().to_string()));
        let before = values.len();
        let given = self.explicit_args(args, list, values)?;
        let format = literal.value();
        if self.put_together(literal)
            && let Some((name, _)) = named(&format).iter().find(|n| !given.contains(&n.0))
        {
            let what = format!("`{{{name}}}` in the format string of a macro of the crate");
            let help = format!("write `{{}}`, and `{name}` behind the format string");
            self.err(DiagCode::UnsupportedWithHelp, at, &[&what, &help]);
            return None;
        }
        self.counts(&format, &list[list.len() - args.len()..], &values[before..]);
        for (name, is_count) in named(&format) {
            if given.contains(&name) {
                continue;
            }
            let Ok(ident) = syn::parse_str::<syn::Ident>(&name) else {
                continue;
            };
            let ident = syn::Ident::new(&ident.to_string(), literal.span());
            let path: syn::Expr = syn::parse_quote!(#ident);
            values.push(match is_count {
                true => self.coerced(&path, &Ty::Int(IntTy::Usize)),
                false => self.expr(&path, None),
            });
            list.push(Arg::Value(Some(name)));
        }
        Some(())
    }

    /// Widths and precisions among the explicit arguments are of type `usize`.
    fn counts(&mut self, format: &str, list: &[Arg], values: &[Expr]) {
        let mut values = values.iter();
        for (n, arg) in list.iter().enumerate() {
            let Arg::Value(name) = arg else { continue };
            let Some(value) = values.next() else { return };
            let name = name.clone().unwrap_or_else(|| n.to_string());
            if mentioned(format).contains(&(name, true)) {
                self.equate(&Ty::Int(IntTy::Usize), &value.ty, value.span);
            }
        }
    }

    /// The arguments behind the format string; the names of those that have one.
    fn explicit_args(
        &mut self,
        args: &[syn::Expr],
        list: &mut Vec<Arg>,
        values: &mut Vec<Expr>,
    ) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for arg in args {
            let (name, value) = match arg {
                syn::Expr::Assign(named) => match &*named.left {
                    syn::Expr::Path(path) => (path.path.get_ident().map(name_of), &*named.right),
                    _ => (None, arg),
                },
                arg => (None, arg),
            };
            names.extend(name.clone());
            match self.fixed_text(value)? {
                Some(text) => list.push(Arg::Text(match name {
                    Some(name) => format!("{name} = {text}"),
                    None => text,
                })),
                None => {
                    values.push(self.expr(strip_ref(value), None));
                    list.push(Arg::Value(name));
                }
            }
        }
        Some(names)
    }

    /// The text of an argument that is a literal or a string known in the source.
    /// Nothing at all after a complaint.
    fn fixed_text(&mut self, arg: &syn::Expr) -> Option<Option<String>> {
        match arg {
            syn::Expr::Lit(lit) => Some(Some(lit.lit.to_token_stream().to_string())),
            syn::Expr::Macro(e) if is_text_macro(&e.mac) => {
                let at = self.span(arg);
                self.macro_text(&e.mac, at).map(Some)
            }
            _ => Some(None),
        }
    }

    /// The text of a macro that stands for a string, as rustc is to see it. Where a macro of the
    /// crate has put it together, there is no source that could be quoted: how rustc shows what is
    /// more than one token, it alone knows.
    pub(in crate::check) fn macro_text(&mut self, mac: &syn::Macro, at: Span) -> Option<String> {
        if !self.put_together(mac) {
            return Some(self.source_text(at));
        }
        let name = mac.path.segments.last()?.ident.to_string();
        let text = crate::expand::shown(mac);
        if text.is_none() {
            let what = format!("this `{name}!` in a macro of the crate");
            let help = "its arguments are single tokens: a name or a literal";
            self.err(DiagCode::UnsupportedWithHelp, at, &[&what, help]);
        }
        text
    }

    /// Whether a macro of the crate has put something together.
    pub(in crate::check) fn put_together(&self, node: &impl ToTokens) -> bool {
        let file = self.cx.file(self.site.env.module);
        (self.cx.krate.expansions).put_together(file, node.to_token_stream())
    }

    /// The source exactly as it is written.
    pub(in crate::check) fn source_text(&self, span: Span) -> String {
        let text = &self.cx.krate.files[span.file].text;
        let slice = text.get(span.lo as usize..span.hi as usize);
        slice.unwrap_or("\"\"").to_owned()
    }

    /// `assert_eq!` and `assert_ne!`: both sides are evaluated, then compared, both by `==`.
    pub(in crate::check) fn assert_same(
        &mut self,
        mac: &syn::Macro,
        equal: bool,
        span: Span,
    ) -> Expr {
        let args = self.macro_args(mac).unwrap_or_default();
        let [left, right, message @ ..] = args.as_slice() else {
            let message = "syntax error: two values are compared";
            self.err(DiagCode::Syntax, span, &[message]);
            return Expr::new(Kind::Error, Ty::Unit, span);
        };
        let at = self.span(left);
        let left = self.expr(strip_ref(left), None);
        let hint = left.ty.clone();
        let right = self.expr(strip_ref(right), (hint != Ty::Never).then_some(&hint));
        let mut list = Vec::new();
        let mut sides = Vec::new();
        for (name, side) in [("left", left), ("right", right)] {
            let temp = self.temp(name, side.ty.clone(), side.span);
            list.push(Expr::bind(temp, side));
            sides.push(temp);
        }
        let read = |fcx: &Self| sides.iter().map(|s| fcx.read(*s, span)).collect::<Vec<_>>();
        let [l, r] = [sides[0], sides[1]].map(|s| self.read(s, span));
        let path = if equal {
            "::core::assert_eq"
        } else {
            "::core::assert_ne"
        };
        let same = self.overloaded(BinOp::Eq, (l, r), &Around::default(), CallAt::new(span, at));
        let before = self.diverges;
        let lead = read(self);
        let fail = self.formatted(path, lead, message, span);
        self.diverges = before;
        let (then, other) = match equal {
            true => (Expr::unit(span), fail),
            false => (fail, Expr::unit(span)),
        };
        list.push(Expr::if_else(same, then, other, Ty::Unit, span));
        Expr::block(list, Ty::Unit, span)
    }
}

/// Arguments of the standard macros are borrowed, so a `&` changes nothing.
fn strip_ref(arg: &syn::Expr) -> &syn::Expr {
    match arg {
        syn::Expr::Reference(r) if r.mutability.is_none() => strip_ref(&r.expr),
        syn::Expr::Paren(p) => strip_ref(&p.expr),
        arg => arg,
    }
}

/// Macros that stand for a string.
fn is_text_macro(mac: &syn::Macro) -> bool {
    ["concat", "stringify", "env"]
        .iter()
        .any(|name| crate::source::syntax::is_macro(mac, name))
}

/// The arguments that a format string names, each once, and whether as a width or precision.
fn named(format: &str) -> Vec<(String, bool)> {
    let is_name = |n: &str| n.starts_with(|c: char| c.is_alphabetic() || c == '_') && n != "_";
    let mut names: Vec<(String, bool)> = Vec::new();
    for (name, is_count) in mentioned(format) {
        match names.iter_mut().find(|n| n.0 == name) {
            Some(known) => known.1 |= is_count,
            None if is_name(&name) => names.push((name, is_count)),
            None => {}
        }
    }
    names
}

/// The arguments that a format string mentions by name or number, and whether as a width or
/// precision.
fn mentioned(format: &str) -> Vec<(String, bool)> {
    let mut found: Vec<(String, bool)> = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find(['{', '}']) {
        let tail = &rest[at..];
        if tail.starts_with("{{") || !tail.starts_with('{') {
            rest = tail.get(2..).unwrap_or("");
            continue;
        }
        let inner = &tail[1..];
        let end = inner.find('}').unwrap_or(inner.len());
        let (argument, spec) = match inner[..end].split_once(':') {
            Some((argument, spec)) => (argument, spec),
            None => (&inner[..end], ""),
        };
        found.push((argument.trim().to_owned(), false));
        // Widths and precisions have a `$` behind them.
        let parts: Vec<&str> = spec.split('$').collect();
        for part in &parts[..parts.len() - 1] {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let start = part.rfind(|c| !word(c)).map_or(0, |at| {
                at + part[at..].chars().next().map_or(1, char::len_utf8)
            });
            let name = &part[start..];
            // A zero in front of something is a flag.
            let name = match name.trim_start_matches('0') {
                "" => name.get(name.len().saturating_sub(1)..).unwrap_or(""),
                name => name,
            };
            found.push((name.to_owned(), true));
        }
        rest = inner.get(end + 1..).unwrap_or("");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn names_in_format_strings() {
        let names = |format| -> Vec<String> {
            let show = |(n, count): (String, bool)| if count { format!("{n}$") } else { n };
            named(format).into_iter().map(show).collect()
        };
        assert_eq!(names("a {x} {{y}} {0} {} {z:?}"), ["x", "z"]);
        assert_eq!(names("{x:>w$.p$} {x} {:1$} {:.*}"), ["x", "w$", "p$"]);
        assert_eq!(names("{:0width$x}"), ["width$"]);
        assert_eq!(names("{x:x$}"), ["x$"]);
        assert_eq!(names("{"), [""; 0]);
    }
}
