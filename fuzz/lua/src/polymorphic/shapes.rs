//! Tables without classes, whose fields come in many orders. In: a tape. Out: a function that makes
//! one of so many orders. Invariant: every table has the integers `a` to `e`, and other fields that
//! are integers.

use super::Variants;
use crate::writer::Writer;

/// The fields of every table.
const FIELDS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// The ways to use tables of all shapes; a table may grow in them.
const HELPERS: &str = "local function total(o)
  local t = 0
  for _, v in pairs(o) do t = t + v end
  return t
end
local function fetch(o, name) return o[name] or 2 end
local function grow(o, i)
  if i % 7 == 0 then o['g' .. i % 9] = i end
  if i % 5 == 0 then o.z = i end
  return o.a
end";

impl Writer<'_, '_> {
    pub(super) fn shapes(&mut self) -> Variants {
        let count = self.tape.pick(&[1, 2, 3, 8, 9, 16, 17, 20, 40]);
        let (make, makers) = (self.name("make"), self.name("makers"));
        let extra = self.tape.chance(1, 2);
        match self.tape.chance(1, 2) {
            true => {
                self.line(&format!("local {makers} = {{"));
                for k in 1..=count {
                    let fields = self.fields(k, extra);
                    self.line(&format!("function(i) {fields} end,"));
                }
                self.line("}");
                self.line(&format!(
                    "local function {make}(k, i) return {makers}[k](i) end"
                ));
            }
            false => {
                self.line(&format!("local {makers} = {{'a', 'b', 'c', 'd', 'e'}}"));
                self.line(&format!("local function {make}(k, i)"));
                self.line("local o = {}");
                self.line(&format!(
                    "for j = 0, 4 do o[{makers}[(j * (k % 4 + 1) + k) % 5 + 1]] = i + j end"
                ));
                if extra {
                    self.line("o['f' .. k] = k");
                }
                self.line("return o");
                self.line("end");
            }
        }
        self.line(HELPERS);
        let mut uses: Vec<String> = ["O.a + O.b", "total(O)", "grow(O, I)", "(O.f3 or O.e)"]
            .into_iter()
            .map(str::to_string)
            .collect();
        uses.push("fetch(O, 'f' .. I % 40)".to_string());
        uses.push("fetch(O, ('abcde'):sub(I % 5 + 1, I % 5 + 1))".to_string());
        Variants { count, make, uses }
    }

    /// Statements that make and return a table whose fields come in some order, with one of its own
    /// if it is to be unlike all others.
    fn fields(&mut self, k: usize, extra: bool) -> String {
        let mut left = FIELDS.to_vec();
        let mut fields: Vec<String> = Vec::new();
        while !left.is_empty() {
            let name = left.remove(self.tape.below(left.len()));
            let value = self.tape.pick(&["i", "1", "i + 1", "i * 2"]);
            fields.push(format!("{name} = {value}"));
        }
        if extra {
            let place = self.tape.below(fields.len() + 1);
            fields.insert(place, format!("f{k} = {k}"));
        }
        match self.tape.chance(1, 3) {
            false => format!("return {{{}}}", fields.join(", ")),
            true => {
                let later = fields.split_off(self.tape.below(fields.len()));
                let later: Vec<String> = later.iter().map(|field| format!("o.{field}")).collect();
                let first = fields.join(", ");
                format!("local o = {{{first}}} {} return o", later.join(" "))
            }
        }
    }
}
