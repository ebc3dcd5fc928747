//! The names that the patterns of `match` bind and use. In: patterns. Out: entries in scopes.

use super::finder::Finder;
use ruff_python_ast::Pattern;

impl Finder {
    /// Visits a pattern.
    pub(super) fn pattern(&mut self, at: usize, pattern: &Pattern) {
        let all = |finder: &mut Self, patterns: &[Pattern]| {
            patterns
                .iter()
                .for_each(|pattern| finder.pattern(at, pattern));
        };
        match pattern {
            Pattern::MatchValue(p) => self.expr(at, &p.value),
            Pattern::MatchSingleton(_) => {}
            Pattern::MatchSequence(p) => all(self, &p.patterns),
            Pattern::MatchMapping(p) => {
                p.keys.iter().for_each(|key| self.expr(at, key));
                all(self, &p.patterns);
                if let Some(rest) = &p.rest {
                    self.bind(at, rest);
                }
            }
            Pattern::MatchClass(p) => {
                self.expr(at, &p.cls);
                all(self, &p.arguments.patterns);
                for keyword in &p.arguments.keywords {
                    self.pattern(at, &keyword.pattern);
                }
            }
            Pattern::MatchStar(p) => {
                if let Some(name) = &p.name {
                    self.bind(at, name);
                }
            }
            Pattern::MatchAs(p) => {
                if let Some(inner) = &p.pattern {
                    self.pattern(at, inner);
                }
                if let Some(name) = &p.name {
                    self.bind(at, name);
                }
            }
            Pattern::MatchOr(p) => all(self, &p.patterns),
        }
    }
}
