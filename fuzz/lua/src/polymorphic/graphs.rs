//! Functions that call each other in a graph of any form. In: a tape. Out: the functions of the
//! graph, each of how deep it may call and an integer. Invariant: each call is less deep than its
//! caller, so that it ends; a function that makes several calls makes them where little is left.

use super::Variants;
use crate::writer::Writer;

/// How deep a function may call, at most, that makes another call beside.
const FEW: usize = 5;

impl Writer<'_, '_> {
    pub(super) fn graph(&mut self) -> Variants {
        let count = self.tape.pick(&[1, 2, 3, 5, 8, 12, 20]);
        let (make, graph) = (self.name("make"), self.name("graph"));
        self.line(&format!("local {graph} = {{}}"));
        let callee = |w: &mut Self| format!("{graph}[{}]", 1 + w.tape.below(count));
        let branches = self.tape.chance(1, 2);
        for k in 1..=count {
            self.line(&format!("{graph}[{k}] = function(d, p)"));
            self.line("if d <= 0 then return p end");
            if branches && self.tape.chance(1, 2) {
                let to = callee(self);
                self.line(&format!("if d <= {FEW} then p = p + {to}(d - 2, p) end"));
            }
            let to = callee(self);
            let value = self.integer_of(&["d", "p"]);
            match self.tape.below(7) {
                0 => self.line(&format!("return {to}(d - 1, {value})")),
                1 => self.line(&format!("return {to}(d - 1, p + {k}) ~ {value}")),
                2 => {
                    self.line(&format!("local ok, v = pcall({to}, d - 1, {value})"));
                    self.line("return v");
                }
                3 => {
                    self.line("local ok, v = pcall(function()");
                    self.line(&format!(
                        "if p % 5 == {} then error('e' .. p % 9, 0) end",
                        k % 5
                    ));
                    self.line(&format!("return {to}(d - 1, {value})"));
                    self.line("end)");
                    self.line("return ok and v or #v");
                }
                4 => {
                    self.line("local l = {p % 5, p % 7 + 5, 15 - p % 3}");
                    self.line(&format!(
                        "table.sort(l, function(a, b) return {to}(d - 3, a) * 0 + a < b end)"
                    ));
                    self.line("return l[1] + l[3]");
                }
                5 => {
                    self.line(&format!(
                        "local t = setmetatable({{}}, {{__index = function(_, q) return {to}(d - 1, q) end}})"
                    ));
                    self.line(&format!("return t[{value}] + 1"));
                }
                _ => {
                    let other = callee(self);
                    self.line(&format!("if p % 2 == 0 then return {to}(d - 1, p + 1) end"));
                    self.line(&format!("return {other}(d - 1, {value}) + 1"));
                }
            }
            self.line("end");
        }
        self.line(&format!("local function {make}(k) return {graph}[k] end"));
        let depth = self.tape.pick(&[1, 2, 4, 6, 12]);
        let uses = [
            format!("O({depth}, I % 50)"),
            "O(1, I)".to_string(),
            format!("select(2, pcall(O, {depth}, I % 9))"),
        ];
        Variants {
            count,
            make,
            uses: uses.to_vec(),
        }
    }
}
