//! A random program. In: random numbers. Out: a text. Invariant: it is well formed, and ends: each
//! loop counts to a limit with a variable that nothing else in it writes, functions call only those
//! before them, and the one that recurses counts down. It may end with an error.

use fastrand::Rng;
use std::fmt::Write;

const VARIABLES: [&str; 4] = ["a", "b", "c", "d"];

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
    for _ in 0..program.rng.usize(1..4) {
        program.function();
    }
    program.statements(0);
    for name in VARIABLES {
        let _ = writeln!(program.text, "print {name}");
    }
    program.text.push_str("print t\n");
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

    fn statements(&mut self, depth: usize) {
        for _ in 0..self.rng.usize(1..5) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.rng.u32(0..12) {
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
        match self.rng.u32(0..8) {
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
