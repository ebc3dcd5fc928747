//! Objects of many classes. In: a tape. Out: the classes, written out or made by a loop, with and
//! without inheritance, and a function that makes an object of one. Invariant: every object has the
//! fields `x` and `y`, and the methods `m`, `get` and `set`; all have the operators, or none.

use super::Variants;
use crate::writer::Writer;

/// How classes inherit: what stands for the class above number `K`.
const ABOVE: &[Option<&str>] = &[
    None,
    Some("KINDS[1]"),
    Some("KINDS[K // 2]"),
    Some("KINDS[K - 1]"),
];

/// How an object gets its methods; the last two forms give it no operators.
const FORMS: &[&str] = &[
    "return setmetatable(o, KINDS[k])",
    "return setmetatable(o, OWN)",
    "local C = KINDS[k]
while C do
  for name, f in pairs(C) do if o[name] == nil then o[name] = f end end
  local above = getmetatable(C)
  C = above and above.__index
end
return o",
    "function o.m(_, p) return o.x * k + p end
function o.get() return i + k end
function o.set(_, p) i = p o.x = p return o end
return o",
];

/// How many of them come first that give operators.
const WITH_OPERATORS: usize = 2;

/// A metatable that belongs to one object.
const OWN: &str = "{__index = KINDS[k]}";

/// The same, with the operators of the class.
const OWN_OPERATORS: &str = "{__index = KINDS[k], __add = KINDS[k].__add, __call = KINDS[k].__call, __len = KINDS[k].__len, __lt = KINDS[k].__lt}";

impl Writer<'_, '_> {
    pub(super) fn object_classes(&mut self) -> Variants {
        let count = self.tape.pick(&[1, 2, 3, 5, 8, 9, 12, 20, 30]);
        let kinds = self.name("kinds");
        let above = self
            .tape
            .pick(ABOVE)
            .map(|above| above.replace("KINDS", &kinds));
        let operators = self.tape.chance(1, 2);
        self.line(&format!("local {kinds} = {{}}"));
        match self.tape.chance(1, 2) {
            false => {
                self.line(&format!("for k = 1, {count} do"));
                self.object_class(None, above.as_deref(), operators);
                self.line(&format!("{kinds}[k] = C"));
                self.line("end");
            }
            true => {
                for k in 1..=count {
                    self.line("do");
                    self.object_class(Some(k), above.as_deref(), operators);
                    self.line(&format!("{kinds}[{k}] = C"));
                    self.line("end");
                }
            }
        }
        let make = self.constructor(&kinds, operators);
        let mut uses = vec![
            "O:m(I)",
            "O.x + O.y",
            "O:get()",
            "O:set(I):get()",
            "(O.z or 4)",
        ];
        if operators {
            uses.extend(["(O + I)", "O(I)", "#O", "(O < O and 1 or 2)"]);
        }
        Variants {
            count,
            make,
            uses: uses.into_iter().map(str::to_string).collect(),
        }
    }

    /// The class `C` with this number, or with number `k` of a loop.
    fn object_class(&mut self, number: Option<usize>, above: Option<&str>, operators: bool) {
        let k = number.map_or("k".to_string(), |number| number.to_string());
        let above = above.map(|above| above.replace('K', &k));
        let inherits = above.filter(|_| number != Some(1));
        match (&inherits, number) {
            (None, _) => self.line("local C = {}"),
            (Some(above), Some(_)) => {
                self.line(&format!(
                    "local C = setmetatable({{}}, {{__index = {above}}})"
                ));
            }
            (Some(above), None) => self.line(&format!(
                "local C = k > 1 and setmetatable({{}}, {{__index = {above}}}) or {{}}"
            )),
        }
        match operators && self.tape.chance(1, 3) {
            false => self.line("C.__index = C"),
            true => self.line("function C.__index(_, name) return C[name] end"),
        }
        for (method, params) in [("m", "o, p"), ("get", "o"), ("set", "o, p")] {
            let left_out = inherits.is_some() && self.tape.chance(1, 3);
            match number {
                Some(_) if left_out => continue,
                None if left_out => self.line("if k == 1 or k % 3 > 0 then"),
                _ => {}
            }
            let calls_above = inherits
                .as_ref()
                .filter(|_| number.is_some() && method == "m");
            let result = match method {
                "m" => match calls_above {
                    Some(above) if self.tape.chance(1, 3) => format!("{above}.m(o, p) + 1"),
                    _ => {
                        let value = self.integer_of(&["o.x", "p"]);
                        format!("{value} + {k}")
                    }
                },
                "get" => format!("o.x + {k}"),
                _ => "o".to_string(),
            };
            let change = if method == "set" { "o.x = p " } else { "" };
            self.line(&format!(
                "function C.{method}({params}) {change}return {result} end"
            ));
            if number.is_none() && left_out {
                self.line("end");
            }
        }
        if operators {
            self.line(&format!("function C.__add(o, p) return o.x + p * {k} end"));
            self.line(&format!("function C.__call(o, p) return o:m(p) + {k} end"));
            self.line("function C.__len(o) return o.x & 7 end");
            self.line("function C.__lt(o, p) return o.x < p.y end");
        }
    }

    /// The function that makes objects of classes.
    fn constructor(&mut self, kinds: &str, operators: bool) -> String {
        let make = self.name("make");
        let forms = if operators {
            WITH_OPERATORS
        } else {
            FORMS.len()
        };
        let own = if operators { OWN_OPERATORS } else { OWN };
        let form = |w: &mut Self| {
            let form = FORMS[w.tape.below(forms)];
            form.replace("OWN", own).replace("KINDS", kinds)
        };
        self.line(&format!("local function {make}(k, i)"));
        match self.tape.below(3) {
            0 => self.line("local o = {x = i, y = k}"),
            1 => self.line("local o = {y = k, x = i}"),
            _ => {
                self.line("local o = {x = i}");
                self.line("if i % 5 == 0 then o.z = k end");
                self.line("o.y = k");
            }
        }
        if self.tape.chance(1, 4) {
            let other = form(self);
            self.line(&format!("if k % 2 == 0 then\n{other}\nend"));
        }
        let last = form(self);
        self.line(&last);
        self.line("end");
        make
    }
}
