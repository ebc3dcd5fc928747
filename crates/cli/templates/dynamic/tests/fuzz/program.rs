//! A random program. In: random numbers. Out: a text. Invariant: it is well formed, and ends: each
//! loop counts to a limit with a variable that nothing else in it writes, functions call only those
//! before them, and the one that recurses counts down. It may end with an error.

use fastrand::Rng;
use std::fmt::Write;

const VARIABLES: [&str; 4] = ["a", "b", "c", "d"];

// IN objects
/// Variables that hold objects, each of one of two classes with the same methods.
const OBJECTS: [&str; 2] = ["p", "q"];

const FIELDS: [&str; 3] = ["x", "y", "z"];

// OUT
/// A program that prints all its variables at its end.
pub fn random(rng: &mut Rng) -> String {
    let mut program = Program {
        rng,
        text: String::new(),
        names: 0,
        functions: Vec::new(),
        in_function: false,
    };
    for name in VARIABLES {
        let value = program.literal();
        let _ = writeln!(program.text, "let {name} = {value}");
    }
    program.text.push_str("let t = \"\"\n");
    // IN objects
    for class in ["A", "B"] {
        program.class(class);
    }
    for name in OBJECTS {
        let object = program.object();
        let _ = writeln!(program.text, "let {name} = {object}");
    }
    // OUT
    for _ in 0..program.rng.usize(1..4) {
        program.function();
    }
    program.statements(0);
    for name in VARIABLES {
        let _ = writeln!(program.text, "print {name}");
    }
    // IN objects
    // ELSE program.text.push_str("print t\n");
    program
        .text
        .push_str("print t\nprint p\nprint p.x\nprint q.y\n");
    // OUT
    program.text
}

struct Program<'a> {
    rng: &'a mut Rng,
    text: String,
    /// How many names were made up.
    names: usize,
    /// The functions so far, with their numbers of parameters.
    functions: Vec<(String, usize)>,
    in_function: bool,
}

impl Program<'_> {
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A function, which sees the variables of the program: so it is a closure. Its parameters hide
    /// some of them.
    fn function(&mut self) {
        let name = self.name("f");
        let count = self.rng.usize(0..3);
        let params = VARIABLES[..count].join(", ");
        if self.rng.u32(0..3) == 0 {
            let value = self.expression(1);
            let _ = writeln!(
                self.text,
                "fn {name}(n, a) {{ if n < 1 {{ return a }} return {name}(n - 1, {value}) }}"
            );
            let depth = self.rng.u32(1..15);
            let wrapper = self.name("f");
            let _ = writeln!(self.text, "fn {wrapper}(x) {{ return {name}({depth}, x) }}");
            self.functions.push((wrapper, 1));
            return;
        }
        let _ = writeln!(self.text, "fn {name}({params}) {{");
        self.in_function = true;
        self.statements(1);
        self.in_function = false;
        let value = self.expression(1);
        let _ = writeln!(self.text, "return {value}\n}}");
        self.functions.push((name, count));
    }

    // IN objects
    /// A class, whose objects get their fields in any order, and not all of them all fields.
    fn class(&mut self, name: &str) {
        let order = match self.rng.bool() {
            true => "self.x = v self.y = w",
            false => "self.y = w self.x = v",
        };
        let z = match self.rng.bool() {
            true => "self.z = v",
            false => "if v == w { self.z = w } else { self.z = v self.n = nil }",
        };
        let (set, get) = (self.expression(2), self.expression(2));
        let _ = writeln!(
            self.text,
            "class {name} {{\nfn init(v, w) {{ {order} {z} }}\nfn set(a, b) {{ self.x = {set} return self }}"
        );
        let _ = writeln!(self.text, "fn get(c) {{ return self.y + {get} }}\n}}");
    }

    /// A new object.
    fn object(&mut self) -> String {
        let class = ["A", "B"][self.rng.usize(0..2)];
        format!("{class}({}, {})", self.expression(2), self.expression(2))
    }

    // OUT
    fn statements(&mut self, depth: usize) {
        for _ in 0..self.rng.usize(1..5) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        // IN objects
        // ELSE match self.rng.u32(0..12) {
        match self.rng.u32(0..16) {
            12 => {
                let (name, object) = (OBJECTS[self.rng.usize(0..2)], self.object());
                let _ = writeln!(self.text, "{name} = {object}");
            }
            13 => {
                let field = FIELDS[self.rng.usize(0..3)];
                let (name, value) = (OBJECTS[self.rng.usize(0..2)], self.expression(1));
                let _ = writeln!(self.text, "{name}.{field} = {value}");
            }
            14 => self.text.push_str("let o = p\np = q\nq = o\n"),
            15 => {
                let (from, to) = (OBJECTS[self.rng.usize(0..2)], OBJECTS[self.rng.usize(0..2)]);
                let (a, b) = (self.expression(2), self.expression(2));
                let _ = writeln!(self.text, "{to} = {from}.set({a}, {b})");
            }
            // OUT
            0..3 if depth < 2 => {
                let counter = self.name("i");
                let limit = match self.in_function {
                    true => self.rng.u32(1..8),
                    false => self.rng.u32(1..40),
                };
                let _ = writeln!(self.text, "let {counter} = 0\nwhile {counter} < {limit} {{");
                self.statements(depth + 1);
                let _ = writeln!(self.text, "{counter} = {counter} + 1\n}}");
            }
            3..5 if depth < 4 => {
                let condition = self.expression(1);
                let _ = writeln!(self.text, "if {condition} {{");
                self.statements(depth + 1);
                self.text.push_str("} else {\n");
                self.statements(depth + 1);
                self.text.push_str("}\n");
            }
            5 => {
                let value = self.expression(0);
                let _ = writeln!(self.text, "print {value}");
            }
            // It grows by a letter at a time, and not for ever.
            6 => self
                .text
                .push_str("if t < \"xxxxxxxx\" { t = t + \"x\" }\n"),
            // A closure with a variable of its own.
            7 => {
                let (name, variable, value) = (self.name("g"), self.name("v"), self.expression(1));
                let target = VARIABLES[self.rng.usize(0..VARIABLES.len())];
                let _ = writeln!(
                    self.text,
                    "let {variable} = {value}\nlet {name} = fn(x) {{ {variable} = x return {variable} }}\n{target} = {name}({target})"
                );
            }
            _ => {
                let name = VARIABLES[self.rng.usize(0..VARIABLES.len())];
                let value = self.expression(0);
                let _ = writeln!(self.text, "{name} = {value}");
            }
        }
    }

    fn literal(&mut self) -> String {
        match self.rng.u32(0..12) {
            0 => "true".to_string(),
            1..4 => format!("{}.5", self.rng.u32(0..100)),
            _ => self.rng.i64(0..1000).to_string(),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        // IN objects
        // ELSE match self.rng.u32(0..8) {
        match self.rng.u32(0..11) {
            // Objects are not there yet where the functions of classes are made up.
            8 | 9 if self.text.contains("let q") => {
                let (name, field) = (OBJECTS[self.rng.usize(0..2)], FIELDS[self.rng.usize(0..3)]);
                format!("{name}.{field}")
            }
            10 if depth < 2 && self.text.contains("let q") => {
                format!(
                    "{}.get({})",
                    OBJECTS[self.rng.usize(0..2)],
                    self.expression(2)
                )
            }
            // OUT
            0 => self.literal(),
            1 | 2 => VARIABLES[self.rng.usize(0..VARIABLES.len())].to_string(),
            3 if depth < 2 && !self.functions.is_empty() => {
                let (name, count) = self.functions[self.rng.usize(0..self.functions.len())].clone();
                let arguments: Vec<String> = (0..count).map(|_| self.expression(2)).collect();
                format!("{name}({})", arguments.join(", "))
            }
            4 if depth < 3 => {
                let op = ["and", "or", "==", "!="][self.rng.usize(0..4)];
                let (left, right) = (self.expression(depth + 1), self.expression(depth + 1));
                // A truth value in arithmetic is an error, which ends the program: mostly it is
                // avoided.
                format!(
                    "(({left} {op} {right}) and {} or {})",
                    self.literal(),
                    self.literal()
                )
            }
            _ if depth == 3 => "1".to_string(),
            _ => {
                const OPS: [&str; 8] = ["+", "+", "-", "-", "*", "*", "/", "%"];
                let op = OPS[self.rng.usize(0..OPS.len())];
                let (left, right) = (self.expression(depth + 1), self.expression(depth + 1));
                format!("({left} {op} {right})")
            }
        }
    }
}
