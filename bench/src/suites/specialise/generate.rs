//! Programs that are too regular to be written by hand. In: how long they are. Out: their texts in
//! TLC, objmodel and Lua. Invariant: the texts of the three languages do the same, each with what
//! its language has; every program takes the number of its turns and results in a number that
//! depends on all that it did.

use std::fmt::Write;

/// A language that the programs are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// `languages/tlc`.
    Tlc,
    /// `languages/objmodel`.
    Objmodel,
    /// `languages/lua`.
    Lua,
}

/// Puts parts one behind the other.
fn parts(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// A loop with `count` branches in a row, each by a bit of a random number.
pub fn branches(language: Language, count: usize) -> String {
    match language {
        Language::Tlc => {
            let body = parts(count, |i| {
                let k = i % 100 + 1;
                format!(
                    "PICK 0\nPUSH 0\nGE\nBR_COND no{i}\nPICK 2\nPUSH {k}\nADD\nPUT 2\nno{i}:\n\
                     PICK 0\nADD\n"
                )
            });
            let bytes = 17 * count + 25;
            format!(
                "PUSH 13\nPUSH 100\nMUL\nPUSH 9\nADD\nPUSH 1\nPUSH 0\nPUSHARG\n\
                 loop:\nPICK 0\nPUSH 0\nGT\nBR_COND turn\nPOP\nRETURN\n\
                 turn:\nPUSH 1\nSUB\nPICK 2\nPICK 4\nMUL\nPUSH 85\nADD\nPICK 0\nPUT 3\n{body}POP\n{}",
                back(bytes)
            )
        }
        Language::Objmodel => {
            let body = parts(count, |i| {
                let k = i % 100 + 1;
                format!("    if bits < 0 {{ sum = sum + {k}; }}\n    bits = bits + bits;\n")
            });
            format!(
                "args n;\nseed = 1;\nsum = 0;\nwhile n > 0 {{\n    n = n - 1;\n    \
                 seed = seed * 1309 + 85;\n    bits = seed;\n{body}}}\nprint sum;\n"
            )
        }
        Language::Lua => {
            let body = parts(count, |i| {
                let k = i % 100 + 1;
                format!("    if bits < 0 then sum = sum + {k} end\n    bits = bits + bits\n")
            });
            format!(
                "return function(n)\n  local seed, sum = 1, 0\n  while n > 0 do\n    n = n - 1\n    \
                 seed = seed * 1309 + 85\n    local bits = seed\n{body}  end\n  return sum\nend\n"
            )
        }
    }
}

/// A branch back by this many bytes in TLC, to which its own come. An operand of an instruction is
/// not large enough for the distance.
fn back(bytes: usize) -> String {
    let (hundreds, rest) = ((bytes + 11) / 100, (bytes + 11) % 100);
    format!("PUSH 1\nPUSH -{hundreds}\nPUSH 100\nMUL\nPUSH -{rest}\nADD\nBR_COND_STK\n")
}

/// Calls of one method of objects of `count` classes, which come in an order without a pattern.
pub fn receivers(language: Language, classes: usize) -> String {
    /// How many objects there are.
    const OBJECTS: usize = 97;
    let class = |i: usize| (i * i * 7 + i / 3) % classes;
    match language {
        Language::Tlc => {
            let objects = parts(OBJECTS, |i| {
                format!(
                    "NEW x,next,area=area{}\nPICK 0\nPUSH {i}\nSETATTR x\nPICK 0\nROLL 3\nSETATTR next\n",
                    class(i)
                )
            });
            let methods = parts(classes, |k| {
                format!(
                    "area{k}:\nPUSHARG\nGETATTR x\nPUSH {}\nMUL\nPUSH {k}\nADD\nRETURN\n",
                    k + 1
                )
            });
            format!(
                "NIL\n{objects}PUSH 0\nPUSHARG\n\
                 outer:\nPICK 0\nPUSH 0\nLE\nBR_COND done\nPUSH 1\nSUB\nPICK 2\n\
                 inner:\nPICK 0\nBR_COND next\nPOP\nBR outer\n\
                 next:\nPICK 0\nSEND area/0\nPICK 3\nPUSH 3\nMUL\nADD\nPUT 2\nGETATTR next\nBR inner\n\
                 done:\nPOP\nRETURN\n{methods}"
            )
        }
        Language::Objmodel => {
            let defined = parts(classes, |k| {
                format!(
                    "class C{k} {{\n    def init(x, next) {{ self.x = x; self.next = next; }}\n    \
                     def area() {{ return self.x * {} + {k}; }}\n}}\n",
                    k + 1
                )
            });
            let objects = parts(OBJECTS, |i| {
                format!("first = new C{}({i}, first);\n", class(i))
            });
            format!(
                "args n;\n{defined}first = nil;\n{objects}sum = 0;\nwhile n > 0 {{\n    n = n - 1;\n    \
                 object = first;\n    while object {{\n        sum = sum * 3 + object.area();\n        \
                 object = object.next;\n    }}\n}}\nprint sum;\n"
            )
        }
        Language::Lua => {
            let defined = parts(classes, |k| {
                format!(
                    "do\n  local class = {{}}\n  class.__index = class\n  \
                     function class:area() return self.x * {} + {k} end\n  classes[{k}] = class\nend\n",
                    k + 1
                )
            });
            let order: Vec<String> = (0..OBJECTS).map(|i| class(i).to_string()).collect();
            format!(
                "local classes = {{}}\n{defined}local order = {{ {} }}\n\
                 return function(n)\n  local first = nil\n  for i = 1, #order do\n    \
                 first = setmetatable({{ x = i - 1, next = first }}, classes[order[i]])\n  end\n  \
                 local sum = 0\n  for _ = 1, n do\n    local object = first\n    while object do\n      \
                 sum = sum * 3 + object:area()\n      object = object.next\n    end\n  end\n  \
                 return sum\nend\n",
                order.join(", ")
            )
        }
    }
}

/// A loop whose body is straight: `count` sums and products of eight variables.
pub fn straight(language: Language, count: usize) -> String {
    let (target, left, right) = (
        |i: usize| i % 8,
        |i: usize| (i * 3 + 1) % 8,
        |i: usize| (i * 5 + 2) % 8,
    );
    let operator = |i: usize| if i % 3 == 1 { '*' } else { '+' };
    match language {
        Language::Tlc => {
            let body = parts(count, |i| {
                let operator = if operator(i) == '*' { "MUL" } else { "ADD" };
                format!(
                    "PICK {}\nPICK {}\n{operator}\nPUT {}\n",
                    left(i) + 1,
                    right(i) + 2,
                    target(i) + 1
                )
            });
            let bytes = 7 * count + 19;
            format!(
                "PUSH 1\nPUSH 2\nPUSH 3\nPUSH 4\nPUSH 5\nPUSH 6\nPUSH 7\nPUSH 8\nPUSHARG\n\
                 loop:\nPICK 0\nPUSH 0\nGT\nBR_COND turn\nPOP\n{}RETURN\nturn:\nPUSH 1\nSUB\n{body}{}",
                "ADD\n".repeat(7),
                back(bytes)
            )
        }
        Language::Objmodel => {
            let body = parts(count, |i| {
                let (a, b, c) = (target(i), left(i), right(i));
                format!("    v{a} = v{b} {} v{c};\n", operator(i))
            });
            format!(
                "args n;\n{}while n > 0 {{\n    n = n - 1;\n{body}}}\nprint {};\n",
                parts(8, |k| format!("v{k} = {};\n", k + 1)),
                NAMES.join(" + ")
            )
        }
        Language::Lua => {
            let body = parts(count, |i| {
                let (a, b, c) = (target(i), left(i), right(i));
                format!("    v{a} = v{b} {} v{c}\n", operator(i))
            });
            format!(
                "return function(n)\n  local {} = 1, 2, 3, 4, 5, 6, 7, 8\n  while n > 0 do\n    n = n - 1\n{body}  \
                 end\n  return {}\nend\n",
                NAMES.join(", "),
                NAMES.join(" + ")
            )
        }
    }
}

/// The variables of straight code.
const NAMES: [&str; 8] = ["v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7"];

/// A loop with `count` `if`s with `else` in a row, whose conditions change.
pub fn joins(language: Language, count: usize) -> String {
    match language {
        Language::Tlc => {
            let body = parts(count, |i| {
                let k = i % 50 + 1;
                format!(
                    "PICK 0\nPUSH 0\nGE\nBR_COND no{i}\nPICK 2\nPUSH {k}\nADD\nPUT 2\nBR end{i}\n\
                     no{i}:\nPICK 2\nPUSH {k}\nSUB\nPUT 2\nend{i}:\nPICK 0\nADD\n"
                )
            });
            let bytes = 26 * count + 25;
            format!(
                "PUSH 13\nPUSH 100\nMUL\nPUSH 9\nADD\nPUSH 1\nPUSH 0\nPUSHARG\n\
                 loop:\nPICK 0\nPUSH 0\nGT\nBR_COND turn\nPOP\nRETURN\n\
                 turn:\nPUSH 1\nSUB\nPICK 2\nPICK 4\nMUL\nPUSH 85\nADD\nPICK 0\nPUT 3\n{body}POP\n{}",
                back(bytes)
            )
        }
        Language::Objmodel => {
            let body = parts(count, |i| {
                let k = i % 50 + 1;
                format!(
                    "    if bits < 0 {{ sum = sum + {k}; }} else {{ sum = sum - {k}; }}\n    bits = bits + bits;\n"
                )
            });
            format!(
                "args n;\nseed = 1;\nsum = 0;\nwhile n > 0 {{\n    n = n - 1;\n    \
                 seed = seed * 1309 + 85;\n    bits = seed;\n{body}}}\nprint sum;\n"
            )
        }
        Language::Lua => {
            let mut body = String::new();
            for i in 0..count {
                let k = i % 50 + 1;
                let _ = writeln!(
                    body,
                    "    if bits < 0 then sum = sum + {k} else sum = sum - {k} end\n    bits = bits + bits"
                );
            }
            format!(
                "return function(n)\n  local seed, sum = 1, 0\n  while n > 0 do\n    n = n - 1\n    \
                 seed = seed * 1309 + 85\n    local bits = seed\n{body}  end\n  return sum\nend\n"
            )
        }
    }
}
