//! Expressions of Lua programs that give lists, maps, objects, functions, and anything. In: how
//! deep they may nest. Out: their text. Invariant: a list of integers has nothing else in it and no
//! holes; a key is neither nil nor a NaN.

use super::writer::{Rank, Want, Writer};

impl Writer<'_, '_> {
    pub fn ints(&mut self, depth: usize) -> String {
        let known = self.var(Want::Ints);
        let choice = match (&known, depth) {
            (Some(_), 0) => 0,
            (None, 0) => 1,
            _ => self.tape.weighted(&[6, 4, 2, 2]),
        };
        let depth = depth.saturating_sub(1);
        match (choice, known) {
            (0, Some(l)) => l,
            (2, Some(l)) if self.affords(30) => format!("{{table.unpack({l})}}"),
            (3, _) if self.rank > Rank::Method && self.affords(16) => {
                self.needs.insert("va");
                let (p, q) = (self.expr(Want::Int, depth), self.expr(Want::Int, depth));
                format!("{{{p}, va({q}, {p})}}")
            }
            _ => {
                let items: Vec<String> = (0..self.tape.below(4))
                    .map(|_| self.expr(Want::Int, depth))
                    .collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }

    pub fn mixed(&mut self, depth: usize) -> String {
        match self.var(Want::Mixed) {
            Some(m) if depth == 0 || self.tape.chance(1, 2) => m,
            _ => {
                let items: Vec<String> = (0..self.tape.below(4))
                    .map(|_| self.item(depth.saturating_sub(1)))
                    .collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }

    /// An entry of a list of any type.
    pub fn item(&mut self, depth: usize) -> String {
        let kinds = [Want::Int, Want::Float, Want::Num, Want::Str, Want::Bool];
        let want = self.tape.pick(&kinds);
        self.expr(want, depth)
    }

    pub fn map(&mut self, depth: usize) -> String {
        match self.var(Want::Map) {
            Some(h) if depth == 0 || self.tape.chance(1, 2) => h,
            _ => {
                let (key, value) = (self.key(0), self.expr(Want::Int, depth.saturating_sub(1)));
                format!("{{x = 1, [{key}] = {value}}}")
            }
        }
    }

    /// A key of a map, which is not nil and not a NaN.
    pub fn key(&mut self, depth: usize) -> String {
        let i = self.expr(Want::Int, depth);
        match self.tape.below(6) {
            0 => format!("'k' .. {i} % 7"),
            1 => format!("{i} % 20"),
            2 => i,
            3 => format!("real({})", self.expr(Want::Num, depth)),
            4 => self.tape.pick(&["'x'", "'k1'", "true", "2^53"]).to_string(),
            _ => self.expr(Want::Str, depth),
        }
    }

    pub fn obj(&mut self, depth: usize) -> String {
        self.needs.insert("new");
        match self.var(Want::Obj) {
            Some(o) if depth == 0 || self.tape.chance(2, 3) => o,
            _ => {
                let depth = depth.saturating_sub(1);
                let (x, y) = (self.expr(Want::Int, depth), self.expr(Want::Num, depth));
                match self.tape.below(4) {
                    3 => {
                        self.needs.insert("sub");
                        format!("newsub({x}, {y})")
                    }
                    2 if self.rank > Rank::Method && self.affords(6) => {
                        self.needs.insert("__unm");
                        format!("(-new({x}, {y}))")
                    }
                    _ => format!("new({x}, {y})"),
                }
            }
        }
    }

    pub fn func(&mut self, depth: usize) -> String {
        match self.var(Want::Func) {
            Some(f) if depth == 0 || self.tape.chance(1, 2) => f,
            _ => {
                let vararg = self.tape.chance(1, 4);
                let params = if vararg { "p, ..." } else { "p" };
                let weight = std::mem::replace(&mut self.weight, 1);
                let body = self.written(|w| {
                    w.body(Rank::Closure, vararg, &[("p", Want::Int)], |w| {
                        for _ in 0..w.tape.below(3) {
                            w.assignment();
                        }
                        w.returns();
                    });
                });
                self.weight = weight;
                // On one line: where a call of such a function stands, versions of the original
                // disagree.
                format!("function({params}) {}end", body.replace('\n', " "))
            }
        }
    }

    pub fn any(&mut self, depth: usize) -> String {
        match self.tape.below(8) {
            0 | 1 => self.var(Want::Any).unwrap_or_else(|| "nil".to_string()),
            2 => "nil".to_string(),
            3 => match self.var(Want::Mixed) {
                Some(m) => format!("{m}[{}]", self.expr(Want::Int, depth.min(1))),
                None => "false".to_string(),
            },
            4 if self.vararg => "(...)".to_string(),
            _ => self.item(depth),
        }
    }
}
