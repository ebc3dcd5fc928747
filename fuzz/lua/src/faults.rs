//! Errors in Lua programs, and who catches them. In: a tape. Out: a protected call, in which
//! something goes wrong most times. Invariant: what is printed of an error is its message or a
//! field of it.

use super::writer::{Rank, Want, Writer};

/// What ends in an error whatever the program does; `I` is an integer.
const FAULTS: &[&str] = &[
    "error('e' .. I)",
    "error({code = I})",
    "error()",
    "error('f', 0)",
    "error('g', 2)",
    "error(I)",
    "local _ = I // 0",
    "local _ = I % 0",
    "local _ = nothing + I",
    "local _ = nothing.x",
    "nothing()",
    "nothing.y = I",
    "local _ = #I",
    "local _ = {} < {}",
    "local _ = 'a' + I",
    "local _ = I < 'a'",
    "local _ = nil .. I",
    "local _ = -{}",
    "local _ = 1.5 | I",
    "local _ = 'q' & I",
    "for k = 1, 2, 0 do end",
    "for k = 'a', I do end",
    "for k in I do end",
    "assert(false)",
    "assert(nil, 'm')",
    "assert(I == nil, {code = I})",
    "setmetatable(I, {})",
    "local t = {} t[nil] = I",
    "local t = {} t[0/0] = I",
    "local t = {} t.f(I)",
    "local t = {} t:m(I)",
    "ipairs()",
    "math.floor({})",
    ";('x'):rep({})",
    "string.format('%d', 1.5)",
    "table.concat({1, {}, 2})",
    "table.insert({1}, 5, 2)",
    "select(0)",
    "tostring()",
    "local x <close> = I",
];

impl Writer<'_, '_> {
    /// An error, in some turns.
    pub fn fault(&mut self) {
        let c = self.expr(Want::Bool, 2);
        let i = self.expr(Want::Int, 0);
        let fault = self.one_of_them(&i);
        self.line(&format!("if {c} and (i or 9) > 7 then {fault} end"));
    }

    /// What goes wrong. The place of the caller comes to a message when it gets there, which is
    /// behind what the function closes, so that `__close` would see the message without it.
    fn one_of_them(&mut self, i: &str) -> String {
        match self.tape.pick(FAULTS) {
            "error('g', 2)" if self.closes => "error('g')".to_string(),
            fault => fault.replace('I', i),
        }
    }

    /// A protected call.
    pub fn protected(&mut self, depth: usize) {
        if self.rank < Rank::Function || !self.affords(12) {
            return self.assignment();
        }
        if self.tape.chance(1, 40) && self.affords(300) {
            // How the message looks depends on the depth.
            self.needs.insert("deep");
            return self.line("show((pcall(deep, 1)))");
        }
        let (ok, e) = (self.name("ok"), self.name("e"));
        let handled = self.tape.chance(1, 6);
        match handled {
            true => self.line(&format!("local {ok}, {e} = xpcall(function(p)")),
            false => self.line(&format!("local {ok}, {e} = pcall(function(p)")),
        }
        self.body(Rank::Function, false, &[("p", Want::Int)], |w| {
            for _ in 0..w.tape.below(3) {
                w.statement(depth);
            }
            let i = w.expr(Want::Int, 0);
            let fault = w.one_of_them(&i);
            match w.tape.below(4) {
                0 | 1 => {
                    let c = w.expr(Want::Bool, 1);
                    w.line(&format!("if {c} then {fault} end"));
                    w.returns();
                }
                2 => w.returns(),
                _ => w.line(&fault),
            }
        });
        let i = self.expr(Want::Int, 1);
        match handled {
            true => self.line(&format!(
                "end, function(m) return type(m) == 'string' and 'h' .. m or m end, {i})"
            )),
            false => self.line(&format!("end, {i})")),
        }
        self.line(&format!("show({ok}, plain({e}))"));
    }
}
