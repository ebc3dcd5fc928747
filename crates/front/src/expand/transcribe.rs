//! Transcribing: the right sides of a macro's rules.
//!
//! In: a rule's body, what the names of its pattern stand for, and the place of the call. Out: the
//! tokens of the expansion. Invariant: what comes from the body has the place of the call (or its
//! own, if places of definitions are wanted), and its names the expansion's mark; what comes from
//! the call is as it was.

use crate::expand::matcher::{Binding, Bindings, Repetition, Times, repetition};
use crate::expand::tokens::{Mark, marked, takes_mark};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use rustc_hash::FxHashMap;

/// What names stand for in the round of the repetitions that is under way.
type Env<'b> = FxHashMap<&'b str, &'b Binding>;

/// One expansion.
pub(super) struct Transcriber {
    pub mark: Mark,
    /// The place of the call; none if tokens keep the place where the macro is defined.
    pub at: Option<Span>,
    /// How many tokens may still be made.
    pub budget: usize,
}

impl Transcriber {
    /// Puts what the names stand for into a body.
    pub fn body(&mut self, body: TokenStream, bound: &Bindings) -> Result<TokenStream, String> {
        let env = bound.iter().map(|(name, b)| (name.as_str(), b)).collect();
        self.tokens(body, &env)
    }

    fn tokens(&mut self, body: TokenStream, env: &Env<'_>) -> Result<TokenStream, String> {
        let body: Vec<TokenTree> = body.into_iter().collect();
        let mut out: Vec<TokenTree> = Vec::new();
        let mut at = 0;
        while let Some(token) = body.get(at) {
            self.spend(1)?;
            let is_dollar = matches!(token, TokenTree::Punct(p) if p.as_char() == '$');
            match (token, body.get(at + 1)) {
                (_, Some(TokenTree::Ident(name))) if is_dollar => {
                    at += 2;
                    if name == "crate" {
                        out.push(TokenTree::Ident(Ident::new(
                            "crate",
                            self.place(name.span()),
                        )));
                        continue;
                    }
                    match env.get(name.to_string().as_str()) {
                        Some(Binding::One(tokens)) => {
                            self.spend(tokens.clone().into_iter().count())?;
                            out.extend(tokens.clone());
                        }
                        Some(Binding::Many(_)) => {
                            return Err(format!(
                                "`${name}` is repeated in the pattern, but not in the body"
                            ));
                        }
                        // It is a name of a macro that the body defines.
                        None => {
                            out.push(self.respanned(token.clone()));
                            out.push(self.ident(name, None, body.get(at)));
                        }
                    }
                }
                (_, Some(TokenTree::Group(group)))
                    if is_dollar && group.delimiter() == Delimiter::Parenthesis =>
                {
                    let repetition = repetition(&body[at + 2..])?;
                    self.repeat(group, &repetition, env, &mut out)?;
                    at += 2 + repetition.len;
                }
                (_, Some(TokenTree::Group(group)))
                    if is_dollar && group.delimiter() == Delimiter::Brace =>
                {
                    return Err("its body has an expression of macro variables".to_owned());
                }
                (TokenTree::Group(group), _) => {
                    let mut new = Group::new(group.delimiter(), self.tokens(group.stream(), env)?);
                    new.set_span(self.place(group.span()));
                    out.push(TokenTree::Group(new));
                    at += 1;
                }
                (TokenTree::Ident(ident), after) => {
                    let before = at.checked_sub(1).and_then(|at| body.get(at));
                    out.push(self.ident(ident, before, after));
                    at += 1;
                }
                _ => {
                    out.push(self.respanned(token.clone()));
                    at += 1;
                }
            }
        }
        Ok(out.into_iter().collect())
    }

    fn spend(&mut self, tokens: usize) -> Result<(), String> {
        match self.budget.checked_sub(tokens.max(1)) {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => Err("the macros of this crate expand to too much".to_owned()),
        }
    }

    fn respanned(&self, mut token: TokenTree) -> TokenTree {
        token.set_span(self.place(token.span()));
        token
    }

    /// The place of a token of the body.
    fn place(&self, own: Span) -> Span {
        self.at.unwrap_or(own)
    }

    fn ident(
        &self,
        ident: &Ident,
        before: Option<&TokenTree>,
        after: Option<&TokenTree>,
    ) -> TokenTree {
        if !takes_mark(&ident.to_string(), before, after) {
            return self.respanned(TokenTree::Ident(ident.clone()));
        }
        TokenTree::Ident(marked(ident, self.mark, self.place(ident.span())))
    }

    fn repeat(
        &mut self,
        group: &Group,
        repetition: &Repetition,
        env: &Env<'_>,
        out: &mut Vec<TokenTree>,
    ) -> Result<(), String> {
        let mut names = Vec::new();
        mentioned(group.stream(), &mut names);
        let repeated: Vec<(&str, &Vec<Binding>)> = env
            .iter()
            .filter(|(name, _)| names.iter().any(|n| n == *name))
            .filter_map(|(name, binding)| match binding {
                Binding::Many(rounds) => Some((*name, rounds)),
                Binding::One(_) => None,
            })
            .collect();
        let Some((_, rounds)) = repeated.first() else {
            return Err(
                "a repetition in its body has no name that is repeated in the pattern".to_owned(),
            );
        };
        let count = rounds.len();
        if repeated.iter().any(|(_, rounds)| rounds.len() != count) {
            return Err(
                "names in a repetition of its body are repeated differently often".to_owned(),
            );
        }
        let times = repetition.times;
        if times == Times::AtMostOnce && count > 1 || times == Times::AtLeastOnce && count == 0 {
            return Err(
                "a repetition in its body is of another kind than in the pattern".to_owned(),
            );
        }
        for round in 0..count {
            if round > 0 {
                let separator = &repetition.separator;
                out.extend(separator.iter().cloned().map(|t| self.respanned(t)));
            }
            let mut inner = env.clone();
            inner.extend(
                repeated
                    .iter()
                    .map(|(name, rounds)| (*name, &rounds[round])),
            );
            out.extend(self.tokens(group.stream(), &inner)?);
        }
        Ok(())
    }
}

/// The names behind a `$`.
fn mentioned(tokens: TokenStream, names: &mut Vec<String>) {
    let mut dollar = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(name) if dollar => names.push(name.to_string()),
            TokenTree::Group(group) => mentioned(group.stream(), names),
            _ => {}
        }
        dollar = matches!(&token, TokenTree::Punct(p) if p.as_char() == '$');
    }
}
