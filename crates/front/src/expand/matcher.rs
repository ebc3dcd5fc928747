//! Matching: the left sides of a macro's rules.
//!
//! In: a rule's pattern, and the tokens of a call. Out: what the names of the pattern stand for;
//! that the rule does not match; or why rustc would not have got so far. Invariant: as in rustc,
//! all ways through the pattern are followed at once, one token at a time, a fragment is parsed
//! only where there is one way, and what has been parsed is never given back.

use crate::expand::fragment::Kind;
use crate::expand::tokens::{Tok, first};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How many ways through a pattern are followed.
const MAX_WAYS: usize = 4096;

/// How often a repetition repeats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Times {
    Any,
    AtLeastOnce,
    AtMostOnce,
}

/// A step of a pattern.
#[derive(Debug)]
enum Op {
    Token(Tok),
    Group(Delimiter, Pattern),
    Fragment(String, Kind),
    /// A repetition begins; behind its end is this step.
    Begin {
        end: usize,
        times: Times,
        names: Rc<[String]>,
    },
    /// It may end, or go on at this step, behind a separator.
    End {
        begin: usize,
        times: Times,
        separator: Option<Tok>,
    },
}

/// A pattern.
#[derive(Debug)]
pub(super) struct Pattern(Vec<Op>);

/// What a name of the pattern stands for.
#[derive(Debug)]
pub(super) enum Binding {
    One(TokenStream),
    Many(Vec<Binding>),
}

pub(super) type Bindings = FxHashMap<String, Binding>;

/// What became of a rule.
pub(super) enum Outcome {
    Matched(Bindings),
    /// The next rule is to be tried.
    No,
    /// Rustc would complain.
    Failed(String),
}

/// What has been done on a way, the last first.
struct Step {
    event: Event,
    before: Trail,
}

impl Drop for Step {
    /// Not recursive: a call can have more tokens than the stack has room for.
    fn drop(&mut self) {
        let mut at = self.before.take();
        while let Some(mut step) = at.and_then(Rc::into_inner) {
            at = step.before.take();
        }
    }
}

type Trail = Option<Rc<Step>>;

enum Event {
    Begin(Rc<[String]>),
    Round,
    Bind(String, TokenStream),
    End,
    Inside(Vec<Event>),
}

#[derive(Clone)]
struct Way {
    at: usize,
    trail: Trail,
}

impl Way {
    fn then(&self, at: usize, event: Event) -> Way {
        let before = self.trail.clone();
        Way {
            at,
            trail: Some(Rc::new(Step { event, before })),
        }
    }
}

impl Pattern {
    /// Reads a pattern.
    pub fn parse(tokens: TokenStream) -> Result<Pattern, String> {
        let mut ops = Vec::new();
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        read(&tokens, &mut ops)?;
        Ok(Pattern(ops))
    }

    fn names(ops: &[Op], into: &mut Vec<String>) {
        for op in ops {
            match op {
                Op::Fragment(name, _) => into.push(name.clone()),
                Op::Group(_, inner) => Pattern::names(&inner.0, into),
                _ => {}
            }
        }
    }

    /// Matches all of the tokens.
    pub fn matches(&self, tokens: &[TokenTree]) -> Outcome {
        match self.run(tokens) {
            Ok(Some(trail)) => Outcome::Matched(bindings(trail)),
            Ok(None) => Outcome::No,
            Err(why) => Outcome::Failed(why),
        }
    }

    fn run(&self, mut tokens: &[TokenTree]) -> Result<Option<Trail>, String> {
        let mut ways = vec![Way { at: 0, trail: None }];
        loop {
            let mut fragments = Vec::new();
            let mut next = Vec::new();
            let mut ends = Vec::new();
            let mut seen = 0;
            while let Some(way) = ways.pop() {
                seen += 1;
                if seen > MAX_WAYS {
                    return Err("its pattern can be matched in too many ways".to_owned());
                }
                self.step(
                    way,
                    tokens,
                    [&mut ways, &mut fragments, &mut next, &mut ends],
                )?;
            }
            let Some((_, len)) = first(tokens) else {
                let more = ends.len() > 1;
                return match ends.pop() {
                    _ if more => Err("its pattern matches in several ways".to_owned()),
                    Some(way) => Ok(Some(way.trail)),
                    None => Ok(None),
                };
            };
            match (next.is_empty(), fragments.as_slice()) {
                (true, []) => return Ok(None),
                (false, []) => {
                    tokens = &tokens[len..];
                    ways = next;
                }
                (true, [way]) => {
                    let Op::Fragment(name, kind) = &self.0[way.at] else {
                        return Ok(None);
                    };
                    let len = kind.extent(tokens).map_err(|e| {
                        format!(
                            "what `${}` is given cannot be parsed: {e}",
                            crate::expand::tokens::unmarked(name)
                        )
                    })?;
                    let (taken, rest) = tokens.split_at(len.min(tokens.len()));
                    tokens = rest;
                    let bound = kind.wrapped(taken.to_vec());
                    ways = vec![way.then(way.at + 1, Event::Bind(name.clone(), bound))];
                }
                _ => return Err("its pattern can be matched in several ways".to_owned()),
            }
        }
    }

    /// What a way can do at a token: go on without it, want a fragment, take it, or be at its end.
    fn step(
        &self,
        way: Way,
        tokens: &[TokenTree],
        [ways, fragments, next, ends]: [&mut Vec<Way>; 4],
    ) -> Result<(), String> {
        let Some(op) = self.0.get(way.at) else {
            ends.push(way);
            return Ok(());
        };
        let tok = first(tokens).map(|(tok, _)| tok);
        match op {
            Op::Token(wanted) => {
                if tok.as_ref() == Some(wanted) {
                    next.push(Way {
                        at: way.at + 1,
                        ..way
                    });
                }
            }
            Op::Group(delimiter, inner) => {
                if let Some(TokenTree::Group(group)) = tokens.first()
                    && group.delimiter() == *delimiter
                {
                    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                    if let Some(trail) = inner.run(&tokens)? {
                        next.push(way.then(way.at + 1, Event::Inside(events(trail))));
                    }
                }
            }
            Op::Fragment(_, kind) => {
                if kind.begins(tokens) {
                    fragments.push(way);
                }
            }
            Op::Begin { end, times, names } => {
                let begun = way.then(way.at + 1, Event::Begin(names.clone()));
                if *times != Times::AtLeastOnce {
                    ways.push(begun.then(*end, Event::End));
                }
                ways.push(begun.then(way.at + 1, Event::Round));
            }
            Op::End {
                begin,
                times,
                separator,
            } => {
                ways.push(way.then(way.at + 1, Event::End));
                let again = way.then(*begin, Event::Round);
                match separator {
                    _ if *times == Times::AtMostOnce => {}
                    None => ways.push(again),
                    Some(wanted) if tok.as_ref() == Some(wanted) => next.push(again),
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }
}

/// Reads a pattern's tokens.
fn read(mut tokens: &[TokenTree], ops: &mut Vec<Op>) -> Result<(), String> {
    while let Some((tok, len)) = first(tokens) {
        let is_dollar = tok == Tok::Punct("$".to_owned());
        match (&tokens[0], tokens.get(1)) {
            (_, Some(TokenTree::Group(group)))
                if is_dollar && group.delimiter() == Delimiter::Parenthesis =>
            {
                let repetition = repetition(&tokens[2..])?;
                let times = repetition.times;
                let begin = ops.len();
                ops.push(Op::Token(tok));
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                read(&inner, ops)?;
                let mut names = Vec::new();
                Pattern::names(&ops[begin + 1..], &mut names);
                ops.push(Op::End {
                    begin: begin + 1,
                    times,
                    separator: first(&repetition.separator).map(|(tok, _)| tok),
                });
                ops[begin] = Op::Begin {
                    end: ops.len(),
                    times,
                    names: names.into(),
                };
                tokens = &tokens[2 + repetition.len..];
            }
            (_, Some(TokenTree::Ident(name))) if is_dollar => {
                let kind = match (tokens.get(2), tokens.get(3)) {
                    (Some(TokenTree::Punct(colon)), Some(TokenTree::Ident(kind)))
                        if colon.as_char() == ':' =>
                    {
                        crate::expand::tokens::plain_ident(kind).to_string()
                    }
                    _ => return Err(format!("`${name}` in its pattern has no kind")),
                };
                let Some(known) = Kind::of(&kind) else {
                    return Err(format!("fragments of the kind `{kind}` are not known"));
                };
                ops.push(Op::Fragment(name.to_string(), known));
                tokens = &tokens[4..];
            }
            (TokenTree::Group(group), _) => {
                ops.push(Op::Group(
                    group.delimiter(),
                    Pattern::parse(group.stream())?,
                ));
                tokens = &tokens[1..];
            }
            _ if is_dollar => return Err("its pattern has a stray `$`".to_owned()),
            _ => {
                ops.push(Op::Token(tok));
                tokens = &tokens[len..];
            }
        }
    }
    Ok(())
}

/// What stands behind `$( .. )`.
pub(super) struct Repetition {
    pub separator: Vec<TokenTree>,
    pub times: Times,
    /// How many tokens that is.
    pub len: usize,
}

/// Reads what stands behind `$( .. )`.
pub(super) fn repetition(tokens: &[TokenTree]) -> Result<Repetition, String> {
    let times = |tokens: &[TokenTree]| match first(tokens) {
        Some((Tok::Punct(p), _)) => match p.as_str() {
            "*" => Some(Times::Any),
            "+" => Some(Times::AtLeastOnce),
            "?" => Some(Times::AtMostOnce),
            _ => None,
        },
        _ => None,
    };
    if let Some(times) = times(tokens) {
        return Ok(Repetition {
            separator: Vec::new(),
            times,
            len: 1,
        });
    }
    let len = first(tokens).map_or(0, |(_, len)| len);
    match times(&tokens[len..]) {
        Some(times) if len > 0 => Ok(Repetition {
            separator: tokens[..len].to_vec(),
            times,
            len: len + 1,
        }),
        _ => Err("a repetition has no `*`, `+` or `?`".to_owned()),
    }
}

/// What has been done on a way, the first first.
fn events(trail: Trail) -> Vec<Event> {
    let mut list = Vec::new();
    let mut at = trail;
    while let Some(step) = at {
        list.push(step.event.copy());
        at = step.before.clone();
    }
    list.reverse();
    list
}

impl Event {
    fn copy(&self) -> Event {
        match self {
            Event::Begin(names) => Event::Begin(names.clone()),
            Event::Round => Event::Round,
            Event::Bind(name, tokens) => Event::Bind(name.clone(), tokens.clone()),
            Event::End => Event::End,
            Event::Inside(inner) => Event::Inside(inner.iter().map(Event::copy).collect()),
        }
    }
}

/// A repetition that has begun: its names, and what they stand for in each round.
struct Open {
    names: Rc<[String]>,
    rounds: Vec<Bindings>,
}

fn bindings(trail: Trail) -> Bindings {
    let mut bound = Bindings::default();
    let mut open = Vec::new();
    replay(events(trail), &mut bound, &mut open);
    bound
}

fn replay(events: Vec<Event>, bound: &mut Bindings, open: &mut Vec<Open>) {
    for event in events {
        let (name, binding) = match event {
            Event::Inside(inner) => {
                replay(inner, bound, open);
                continue;
            }
            Event::Begin(names) => {
                open.push(Open {
                    names,
                    rounds: Vec::new(),
                });
                continue;
            }
            Event::Round => {
                if let Some(top) = open.last_mut() {
                    top.rounds.push(Bindings::default());
                }
                continue;
            }
            Event::Bind(name, tokens) => (name, Binding::One(tokens)),
            Event::End => {
                let Some(mut done) = open.pop() else { continue };
                for name in done.names.iter() {
                    let rounds = done
                        .rounds
                        .iter_mut()
                        .filter_map(|r| r.remove(name))
                        .collect();
                    current(bound, open).insert(name.clone(), Binding::Many(rounds));
                }
                continue;
            }
        };
        current(bound, open).insert(name, binding);
    }
}

/// The bindings of the round that is under way.
fn current<'b>(bound: &'b mut Bindings, open: &'b mut [Open]) -> &'b mut Bindings {
    match open.last_mut().and_then(|top| top.rounds.last_mut()) {
        Some(round) => round,
        None => bound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    fn trees(text: &str) -> Vec<TokenTree> {
        let tokens = TokenStream::from_str(text).unwrap();
        tokens.into_iter().collect()
    }

    /// What the name `x` of a pattern stands for in each round.
    fn rounds(pattern: &str, call: &[TokenTree]) -> Vec<String> {
        let pattern = Pattern::parse(TokenStream::from_str(pattern).unwrap()).unwrap();
        let Outcome::Matched(bound) = pattern.matches(call) else {
            panic!("the pattern does not match");
        };
        let Some(Binding::Many(rounds)) = bound.get("x") else {
            panic!("`x` is not repeated");
        };
        let one = |binding: &Binding| match binding {
            Binding::One(tokens) => tokens.to_string(),
            Binding::Many(_) => panic!("`x` is repeated twice"),
        };
        rounds.iter().map(one).collect()
    }

    #[test]
    fn many_tokens_need_no_stack() {
        let call = trees(&"x ".repeat(200_000));
        assert_eq!(rounds("$($x:tt)*", &call).len(), 200_000);
    }

    #[test]
    fn a_fragment_ends_where_it_does_however_much_follows() {
        // As long as what a parser is given at first, a little less, and a little more.
        for terms in 28..36 {
            let long = "a + ".repeat(terms) + "b";
            let call = trees(&format!(
                "{long}, c::<d, e>(f), if g {{ h }} else {{ i }}, {long}"
            ));
            let found = rounds("$($x:expr),*", &call);
            let texts = [&long, "c::<d, e>(f)", "if g { h } else { i }", &long];
            let texts = texts.map(|text| TokenStream::from_str(text).unwrap().to_string());
            assert_eq!(found, texts);
        }
    }
}
