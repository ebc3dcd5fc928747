//! Values of many types. In: a tape. Out: a function that gives one of a type. Invariant: what is
//! done with a value is done with each, and if that is an error, it is caught.

use super::Variants;
use crate::writer::Writer;

/// The values, by number.
const VALUES: [&str; 10] = [
    "i",
    "i + 0.5",
    "'s' .. i % 7",
    "i % 2 == 0",
    "{x = i}",
    "nil",
    "'12'",
    "function(p) return p end",
    "setmetatable({x = i}, {__add = function(o, p) return o.x + p end})",
    "-0.0",
];

/// What can be done with a value of any type.
const HELPERS: &str = "local function kind(v, p)
  local t = type(v)
  if t == 'number' then return v + p end
  if t == 'string' then return #v + p end
  if t == 'table' then return v.x end
  return v and 1 or 2
end
local function plus(v, p) return v + p end
local function equal(v, p) return v == p and 1 or 2 end";

impl Writer<'_, '_> {
    pub(super) fn types(&mut self) -> Variants {
        let count = self.tape.pick(&[1, 2, 3, 5, 8, 9, 10]);
        let make = self.name("make");
        let from = self.tape.below(VALUES.len());
        self.line(&format!("local function {make}(k, i)"));
        for k in 1..count {
            let value = VALUES[(from + k) % VALUES.len()];
            self.line(&format!("if k == {k} then return {value} end"));
        }
        self.line(&format!("return {}", VALUES[from]));
        self.line("end");
        self.line(HELPERS);
        let uses = [
            "kind(O, I)",
            "select(2, pcall(plus, O, I))",
            "equal(O, I)",
            "(tonumber(O) or 3)",
            "(math.type(O) == 'integer' and O or 6)",
            "#type(O)",
            "(O and 4 or I)",
        ];
        Variants {
            count,
            make,
            uses: uses.into_iter().map(str::to_string).collect(),
        }
    }
}
