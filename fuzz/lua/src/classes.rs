//! The class of a Lua program. In: which metamethods the program uses. Out: its text: `new`,
//! methods, metamethods, a class that inherits from it. Invariant: a method calls nothing of the
//! program, so that no call leads back to it.

use super::writer::{Rank, Want, Writer};

impl Writer<'_, '_> {
    /// The class, if it is used.
    pub fn class(&mut self) {
        if self.needs.is_empty() || !self.needs.contains("new") && !self.needs.contains("sub") {
            return;
        }
        self.vars.clear();
        (self.spent, self.weight, self.fuel) = (0, 1, 12);
        self.line("local V = {}");
        self.lookup();
        match self.tape.below(3) {
            0 => self.line("local function new(x, y) return setmetatable({x = x, y = y}, V) end"),
            1 => self.line(
                "local function new(x, y)\nlocal o = setmetatable({}, V)\no.y = y\no.x = x\nif x > 5 then o.z = x end\nreturn o\nend",
            ),
            _ => self.line(
                "local function new(x, y)\nif x % 3 == 0 then return setmetatable({y = y, x = x, z = 1}, V) end\nreturn setmetatable({x = x, y = y}, V)\nend",
            ),
        }
        self.method("function V.get(o, p)", |w| {
            let value = w.expr(Want::Int, 2);
            w.line(&format!("return {value} + o.x"));
        });
        self.method("function V:inc(p)", |w| {
            let value = w.expr(Want::Int, 2);
            w.line(&format!("self.x = {value} - self.x"));
            w.line("return self");
        });
        let all: Vec<&str> = self.needs.iter().copied().collect();
        let operators = [
            ("__add", "+"),
            ("__sub", "-"),
            ("__mul", "*"),
            ("__idiv", "//"),
        ];
        if operators.iter().any(|(name, _)| all.contains(name)) {
            self.line("local function num(v) return type(v) == 'table' and v.x or v end");
        }
        for name in all {
            let operator = operators.iter().find(|(known, _)| *known == name);
            match (name, operator) {
                (_, Some((_, "//"))) => self.line(
                    "function V.__idiv(a, b) return new(num(a) // (num(b) | 1), 2) end",
                ),
                (_, Some((_, op))) => self.line(&format!(
                    "function V.{name}(a, b) return new(num(a) {op} num(b), 1) end"
                )),
                ("__eq", _) => self.line("function V.__eq(a, b) return a.x == b.x end"),
                ("__lt" | "__le", _) => {
                    let op = if name == "__lt" { "<" } else { "<=" };
                    self.line(&format!("function V.{name}(a, b) return a.x {op} b.x end"));
                }
                ("__unm", _) => self.line("function V.__unm(a) return new(-a.x, a.y) end"),
                ("__len", _) => self.line("function V.__len(a) return a.x & 7 end"),
                ("__concat", _) => self.line(
                    "function V.__concat(a, b)\nif type(a) == 'table' then return a.x .. '+' .. b end\nreturn a .. '+' .. b.x\nend",
                ),
                ("__call", _) => self.method("function V.__call(o, p)", |w| {
                    let value = w.expr(Want::Int, 2);
                    // No object: where several values go, it could come to be shown.
                    w.line(&format!("return {value}, o.x"));
                }),
                ("__newindex", _) => self.line(
                    "function V.__newindex(o, k, v)\nrawset(o, k, type(v) == 'number' and v + 1 or v)\nend",
                ),
                _ => {}
            }
        }
        if self.needs.contains("sub") {
            self.subclass();
        }
    }

    /// The values behind the fields of an object.
    fn lookup(&mut self) {
        match self.needs.contains("__index") && self.tape.chance(2, 3) {
            false => self.line("V.__index = V"),
            true => {
                self.line("function V.__index(o, k)");
                self.line("local m = V[k]");
                self.line("if m ~= nil then return m end");
                self.line("return k ~= 'z' and k ~= 'code' and #k + rawget(o, 'x') or nil");
                self.line("end");
            }
        }
    }

    fn method(&mut self, head: &str, f: impl FnOnce(&mut Self)) {
        self.line(head);
        let o = if head.contains(':') { "self.x" } else { "o.x" };
        let params = [("p", Want::Int), (o, Want::Int)];
        self.body(Rank::Method, false, &params, |w| {
            w.vars.iter_mut().for_each(|var| var.writable = false);
            f(w);
        });
        self.line("end");
    }

    /// A class that inherits, with a method of its own; operators are looked for in the metatable
    /// itself.
    fn subclass(&mut self) {
        self.line("local W = setmetatable({}, {__index = V})");
        self.line("for k, v in next, V do if #k > 3 then W[k] = v end end");
        self.line("W.__index = W");
        self.method("function W.get(o, p)", |w| {
            let value = w.expr(Want::Int, 2);
            w.line(&format!("return {value} ~ V.get(o, p)"));
        });
        self.line("local function newsub(x, y) return setmetatable({x = x, y = y, z = 3}, W) end");
    }
}
