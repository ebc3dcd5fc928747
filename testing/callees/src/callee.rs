//! What is called, as rustc and the translator print it.
//!
//! In: `<S as Tr>::f`, `core::num::<impl u64>::pow`, `Option::<i64>::map::<bool, F>`,
//! `module::f::<T>`. Out: the parts that say which function that is. Invariant: the function's own
//! generic arguments are no part of it.

use crate::types::{self, Token, Tokens, agree, paths_agree, references, tokens, values, with};
use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};

/// Something that is called.
#[derive(Clone, Debug)]
pub struct Callee {
    /// As it was printed.
    pub text: String,
    /// What it is.
    pub kind: Kind,
    /// Whether a path without modules is one of the root: there are other functions of the name, so
    /// rustc has left out nothing.
    pub is_exact: bool,
}

/// What can be called.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A function.
    Path(Vec<String>),
    /// A member that a type has itself.
    Own(Tokens, String),
    /// A member of a trait for a type.
    Trait {
        /// The type.
        this: Tokens,
        /// Whether there may be more references around it.
        any: bool,
        /// The trait, with its arguments.
        of_trait: Tokens,
        /// The member.
        name: String,
    },
    /// A pointer to a function.
    Pointer,
}

impl Display for Callee {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)
    }
}

impl Callee {
    /// Reads one.
    pub fn parse(text: &str) -> Callee {
        let kind = kind_of(text).unwrap_or_else(|| Kind::Path(vec![text.to_owned()]));
        Callee {
            text: text.to_owned(),
            kind,
            is_exact: false,
        }
    }

    /// With types instead of parameters.
    pub fn with(&self, known: &[(String, Tokens)]) -> Callee {
        let kind = match &self.kind {
            Kind::Path(path) => Kind::Path(path.clone()),
            Kind::Own(of, name) => Kind::Own(with(of, known), name.clone()),
            Kind::Trait {
                this,
                any,
                of_trait,
                name,
            } => Kind::Trait {
                this: with(this, known),
                any: *any,
                of_trait: with(of_trait, known),
                name: name.clone(),
            },
            Kind::Pointer => Kind::Pointer,
        };
        Callee {
            text: self.text.clone(),
            kind,
            is_exact: self.is_exact,
        }
    }

    /// Without the names of functions that items are inside of.
    pub fn outside(mut self, functions: &HashSet<String>) -> Callee {
        let shorten = |ty: &mut Tokens| {
            for token in ty {
                if let Token::Path(path) = token {
                    *path = types::outside(path, functions);
                }
            }
        };
        match &mut self.kind {
            Kind::Path(path) => *path = types::outside(path, functions),
            Kind::Own(of, _) => shorten(of),
            Kind::Trait { this, of_trait, .. } => {
                shorten(this);
                shorten(of_trait);
            }
            Kind::Pointer => {}
        }
        self
    }

    /// Whether it is what a type of the standard library or of Verdigris has itself.
    pub fn is_own_of_std(&self) -> bool {
        const TYPES: &[&str] = &["Cell", "Gc", "GcArray", "Option", "Result"];
        let Kind::Own(of, _) = &self.kind else {
            return false;
        };
        let name = head(of).and_then(|path| path.last());
        name.is_some_and(|name| TYPES.contains(&name.as_str()) || types::is_scalar(name))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match &self.kind {
            Kind::Path(path) => path.last().map_or("", |name| name),
            Kind::Own(_, name) | Kind::Trait { name, .. } => name,
            Kind::Pointer => "",
        }
    }

    /// The name of the trait, if it is a member of one.
    pub fn trait_name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Trait { of_trait, .. } => head(of_trait)?.last().map(String::as_str),
            _ => None,
        }
    }

    /// The type that it is a member of.
    pub fn this(&self) -> Option<&Tokens> {
        match &self.kind {
            Kind::Trait { this, .. } | Kind::Own(this, _) => Some(this),
            Kind::Path(_) | Kind::Pointer => None,
        }
    }
}

/// The path that a type begins with.
pub fn head(ty: &[Token]) -> Option<&[String]> {
    match ty.iter().find(|t| **t != Token::Mark('&')) {
        Some(Token::Path(path)) => Some(path),
        _ => None,
    }
}

fn kind_of(text: &str) -> Option<Kind> {
    let local = |prefix: &str| text.strip_prefix(prefix).is_some_and(is_place);
    if local("move ") || local("copy ") || text.starts_with("const ") {
        return Some(Kind::Pointer);
    }
    let segments = segments(text);
    let mut named = segments.iter().filter(|s| !is_arguments(s));
    let name = named.next_back()?.to_string();
    let end = segments.iter().rposition(|s| !is_arguments(s))?;
    let before = &segments[..end];
    match before {
        [] => Some(Kind::Path(vec![plain(&name)])),
        [of] if of.starts_with('<') => {
            let inner = of.strip_prefix('<')?.strip_suffix('>')?;
            Some(match split_as(inner) {
                Some((this, of_trait)) => {
                    let any = this.strip_prefix("any ");
                    Kind::Trait {
                        this: tokens(any.unwrap_or(this)),
                        any: any.is_some(),
                        of_trait: tokens(of_trait),
                        name: plain(&name),
                    }
                }
                None => Kind::Own(tokens(inner), plain(&name)),
            })
        }
        [.., of] if of.starts_with("<impl ") => {
            let inner = of.strip_prefix("<impl ")?.strip_suffix('>')?;
            Some(Kind::Own(tokens(inner), plain(&name)))
        }
        [.., of, arguments] if is_arguments(arguments) && is_type(of) => {
            let ty = before.join("::");
            Some(Kind::Own(tokens(&ty), plain(&name)))
        }
        [.., of] if is_type(of) => {
            let ty = before.join("::");
            Some(Kind::Own(tokens(&ty), plain(&name)))
        }
        before => {
            let path = before.iter().filter(|s| !is_arguments(s));
            let mut path: Vec<String> = path.map(|s| plain(s)).collect();
            path.push(plain(&name));
            Some(Kind::Path(path))
        }
    }
}

fn is_place(text: &str) -> bool {
    text.starts_with('_') || text.starts_with('(')
}

/// Whether a segment is generic arguments.
fn is_arguments(segment: &str) -> bool {
    segment.starts_with('<') && !segment.starts_with("<impl ") && !has_as(segment)
}

fn has_as(segment: &str) -> bool {
    let inner = segment.strip_prefix('<').and_then(|s| s.strip_suffix('>'));
    inner.is_some_and(|inner| split_as(inner).is_some())
}

fn is_type(segment: &str) -> bool {
    let first = segment.chars().next();
    first.is_some_and(|c| c.is_ascii_uppercase()) || types::is_scalar(segment)
}

fn plain(name: &str) -> String {
    name.trim_start_matches("r#").to_owned()
}

/// The parts between `::` that are in no brackets.
pub fn segments(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut parts, mut from, mut depth, mut at) = (Vec::new(), 0, 0i32, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && matches!(bytes[at - 1], b'-' | b'=') => {}
            b'>' | b')' | b']' | b'}' => depth -= 1,
            b':' if depth == 0 && bytes.get(at + 1) == Some(&b':') => {
                parts.push(&text[from..at]);
                at += 1;
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&text[from..]);
    parts
}

/// The sides of ` as ` outside of brackets.
fn split_as(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0i32;
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && matches!(bytes[at - 1], b'-' | b'=') => {}
            b'>' | b')' | b']' | b'}' => depth -= 1,
            b' ' if depth == 0 && text[at..].starts_with(" as ") => {
                return Some((&text[..at], &text[at + 4..]));
            }
            _ => {}
        }
    }
    None
}

/// Whether rustc's callee can be ours.
pub fn same(rustc: &Callee, ours: &Callee) -> bool {
    match (&rustc.kind, &ours.kind) {
        (Kind::Path(left), Kind::Path(right)) if rustc.is_exact => left == right,
        (Kind::Path(left), Kind::Path(right)) => paths_agree(left, right),
        (Kind::Own(left, name), Kind::Own(right, other)) => name == other && own_agree(left, right),
        // What the translator knows by its path.
        (Kind::Own(left, name), Kind::Path(right)) => match (head(left), right.as_slice()) {
            (Some(left), [right @ .., other]) => name == other && paths_agree(left, right),
            _ => false,
        },
        (
            Kind::Trait {
                this: left,
                of_trait: left_trait,
                name,
                ..
            },
            Kind::Trait {
                this: right,
                any,
                of_trait: right_trait,
                name: other,
            },
        ) => {
            let forms = *any || references(left) == references(right);
            name == other
                && forms
                && traits_agree((left_trait, left), (right_trait, *any))
                && agree(&values(left), &values(right))
        }
        _ => false,
    }
}

/// Whether types with members of their own are the same: one of them may lack the arguments.
fn own_agree(rustc: &Tokens, ours: &Tokens) -> bool {
    let (rustc, ours) = (values(rustc), values(ours));
    let open =
        |ty: &Tokens| !ty.contains(&Token::Mark('<')) && matches!(ty.as_slice(), [Token::Path(_)]);
    if is_slice(&rustc) && is_slice(&ours) {
        return true;
    }
    match (head(&rustc), head(&ours)) {
        (Some(left), Some(right)) if open(&rustc) || open(&ours) => paths_agree(left, right),
        _ => agree(&rustc, &ours),
    }
}

/// Whether a type is an array or a slice: what it has as the one or the other makes no difference.
fn is_slice(ty: &[Token]) -> bool {
    ty.first() == Some(&Token::Mark('['))
}

/// Whether traits are the same. rustc leaves out arguments that are the defaults, which is the type
/// itself for operators; the translator leaves out those of traits of std where it is not an
/// implementation of the crate that it has chosen.
fn traits_agree((rustc, this): (&Tokens, &Tokens), (ours, any): (&Tokens, bool)) -> bool {
    let (rustc, ours) = (values(rustc), values(ours));
    let has_arguments = |ty: &Tokens| ty.contains(&Token::Mark('<'));
    let (Some(left), Some(right)) = (head(&rustc), head(&ours)) else {
        return false;
    };
    match (has_arguments(&rustc), has_arguments(&ours)) {
        (true, false) => any && paths_agree(left, right),
        (false, true) if right.len() > 1 => paths_agree(left, right),
        (false, true) => {
            let argument = &ours[2..ours.len() - 1];
            paths_agree(left, right) && agree(&values(this), argument)
        }
        _ => agree(&rustc, &ours),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(rustc: &str, ours: &str) -> bool {
        same(&Callee::parse(rustc), &Callee::parse(ours))
    }

    #[test]
    fn callees_are_the_same_if_their_parts_are() {
        for (rustc, ours) in [
            ("made", "probing::made"),
            ("probing::made::<i64>", "probing::made"),
            ("Num::by_ref", "<probing::Num>::by_ref"),
            ("core::num::<impl u64>::pow", "<u64>::pow"),
            (
                "Option::<i64>::map::<i64, {closure@a.rs:1:1: 1:4}>",
                "<Option<i64>>::map",
            ),
            ("<Num as Tr>::f", "<a::Num as a::Tr>::f"),
            ("<&Num as Tr>::f", "<&a::Num as a::Tr>::f"),
            ("<&Num as PartialEq>::eq", "<any Num as PartialEq>::eq"),
            ("<V as Add<i64>>::add", "<V as Add<i64>>::add"),
            ("<V as Add>::add", "<V as Add<V>>::add"),
            ("verdigris::Gc::<Thing>::new", "Gc::new"),
            ("<T as Tr>::make::<i64>", "<T as Tr>::make"),
            ("core::slice::<impl [i64]>::reverse", "<[i64; 3]>::reverse"),
            ("<(i64, i64) as Tr>::f", "<(i64, i64) as Tr>::f"),
        ] {
            assert!(is(rustc, ours), "{rustc} {ours}");
        }
        for (rustc, ours) in [
            ("Num::by_ref", "<Num as Tr>::by_ref"),
            ("<Num as Tr>::f", "<&Num as Tr>::f"),
            ("<Num as Tr>::f", "<Num as Other>::f"),
            ("<Num as Tr>::f", "<Num as Tr>::g"),
            ("<V as Add<i64>>::add", "<V as Add<V>>::add"),
            ("<V as Add>::add", "<V as Add<i64>>::add"),
            ("<V as Add<i64>>::add", "<V as Add>::add"),
            ("core::num::<impl u64>::pow", "<u64 as Tr>::pow"),
            ("core::num::<impl u64>::pow", "<i64>::pow"),
            ("Option::<i64>::map::<i64, F>", "<Result<i64, i64>>::map"),
            ("move _5", "made"),
        ] {
            assert!(!is(rustc, ours), "{rustc} {ours}");
        }
    }
}
