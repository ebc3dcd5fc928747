//! Functions of many texts, closures of one text, and closures that are new in each call. In: a
//! tape. Out: a function that gives one of so many, and functions that call what they are given.
//! Invariant: a function gives an integer for an integer, and the same one each time.

use super::Variants;
use crate::writer::Writer;

/// Functions that call others.
const HELPERS: &str = "local function apply(f, p) return f(p) end
local function fold(f, l)
  local t = 0
  for j = 1, #l do t = t + f(l[j]) end
  return t
end
local function both(f, g) return function(p) return f(g(p)) end end
local function sorted(f, p)
  local l = {5, p % 10 + 10, 3, 1}
  table.sort(l, function(a, b)
    local x, y = f(a), f(b)
    if x ~= y then return x < y end
    return a < b
  end)
  return l[1] * 10 + l[3]
end";

impl Writer<'_, '_> {
    pub(super) fn functions(&mut self) -> Variants {
        let count = self.tape.pick(&[1, 2, 3, 8, 9, 16, 17, 20, 40]);
        let (make, list) = (self.name("make"), self.name("list"));
        match self.tape.below(3) {
            0 => {
                self.line(&format!("local {list} = {{"));
                for k in 1..=count {
                    let value = self.integer_of(&["p"]);
                    self.line(&format!("function(p) return {value} + {k} end,"));
                }
                self.line("}");
                self.line(&format!("local function {make}(k) return {list}[k] end"));
            }
            1 => {
                let value = self.integer_of(&["k", "p"]);
                self.line(&format!("local {list} = {{}}"));
                self.line(&format!(
                    "for k = 1, {count} do {list}[k] = function(p) return {value} end end"
                ));
                self.line(&format!("local function {make}(k) return {list}[k] end"));
            }
            _ => {
                let value = self.integer_of(&["k", "i", "p"]);
                self.line(&format!("local function {make}(k, i)"));
                self.line(&format!("return function(p) return {value} end"));
                self.line("end");
            }
        }
        self.line(HELPERS);
        let uses = [
            "O(I)",
            "apply(O, I)",
            "fold(O, {1, I, 3})",
            "both(O, O)(I)",
            "select(2, pcall(O, I))",
            "sorted(O, I)",
        ];
        Variants {
            count,
            make,
            uses: uses.into_iter().map(str::to_string).collect(),
        }
    }
}
