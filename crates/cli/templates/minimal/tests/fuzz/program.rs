//! A random program. In: random numbers. Out: a text. Invariant: it is well formed, and ends, since
//! each loop counts to a limit with a variable that nothing else in it writes. It may divide by
//! zero.

use fastrand::Rng;
use std::fmt::Write;

const VARIABLES: [&str; 4] = ["a", "b", "c", "d"];

/// A program that prints all its variables at its end.
pub fn random(rng: &mut Rng) -> String {
    let mut program = Program {
        rng,
        text: String::new(),
        counters: 0,
    };
    for name in VARIABLES {
        let value = program.rng.i64(-3..100);
        let _ = writeln!(program.text, "{name} = {value}");
    }
    program.statements(0);
    for name in VARIABLES {
        let _ = writeln!(program.text, "print {name}");
    }
    program.text
}

struct Program<'a> {
    rng: &'a mut Rng,
    text: String,
    counters: usize,
}

impl Program<'_> {
    fn statements(&mut self, depth: usize) {
        for _ in 0..self.rng.usize(1..5) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.rng.u32(0..10) {
            0..3 if depth < 2 => {
                self.counters += 1;
                let counter = format!("i{}", self.counters);
                let limit = self.rng.u32(1..40);
                let _ = writeln!(self.text, "{counter} = 0\nwhile {counter} < {limit} {{");
                self.statements(depth + 1);
                let _ = writeln!(self.text, "{counter} = {counter} + 1\n}}");
            }
            3..5 if depth < 4 => {
                let condition = self.expression(0);
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
            _ => {
                let name = VARIABLES[self.rng.usize(0..VARIABLES.len())];
                let value = self.expression(0);
                let _ = writeln!(self.text, "{name} = {value}");
            }
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        match self.rng.u32(0..6) {
            0 => self.rng.i64(-5..1000).to_string(),
            1 | 2 => VARIABLES[self.rng.usize(0..VARIABLES.len())].to_string(),
            _ if depth == 3 => "1".to_string(),
            _ => {
                const OPS: &[u8] = b"++++---***/%<=>!";
                let op = match OPS[self.rng.usize(0..OPS.len())] {
                    b'=' => "<=".to_string(),
                    b'!' => "!=".to_string(),
                    op => char::from(op).to_string(),
                };
                let (left, right) = (self.expression(depth + 1), self.expression(depth + 1));
                format!("({left} {op} {right})")
            }
        }
    }
}
