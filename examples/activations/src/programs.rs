//! The programs. In: how deep to recurse. Out: functions in the instructions of the language.
//! Invariant: the first function takes how often it turns, and a register is written before it is
//! read.

use activations_recursive::op::{
    ADD, CALL, FLOAT, FN, INT, JUMP, LESS, MOVE, NATIVE, RETURN, SUB, pack,
};

/// How many parameters and registers a function has, and its instructions.
pub type Function = (usize, usize, Vec<u64>);

/// A program: its functions.
pub type Text<'a> = &'a [Function];

/// A program and its name.
pub struct Program {
    pub name: &'static str,
    text: fn(depth: i32) -> Vec<Function>,
}

impl Program {
    /// Its functions. How deep it recurses, if its argument does not say that, is `depth`.
    pub fn text(&self, depth: i32) -> Vec<Function> {
        (self.text)(depth)
    }
}

/// All programs.
pub static PROGRAMS: [Program; 8] = [
    Program {
        name: "loop",
        text: |_| vec![main(&[ins(ADD, 2, 2, 1)])],
    },
    Program {
        name: "call",
        text: |_| vec![main(&call_with_two()), sum(3, 2)],
    },
    Program {
        name: "fib",
        text: |_| vec![fib()],
    },
    Program {
        name: "deep",
        text: |depth| {
            let calls = [
                ins(FN, 4, 0, 1),
                ins(INT, 5, 0, depth),
                ins(CALL, 6, 4, 1),
                ins(ADD, 2, 2, 6),
            ];
            vec![main(&calls), down()]
        },
    },
    Program {
        name: "native",
        text: |_| vec![main(&[ins(NATIVE, 4, 1, 0), ins(ADD, 2, 2, 4)])],
    },
    Program {
        name: "wide",
        text: |_| vec![main(&call_with_two()), sum(100, 99)],
    },
    Program {
        name: "floats",
        text: |_| vec![floats()],
    },
    Program {
        name: "endless",
        text: |_| vec![main(&[ins(FN, 4, 0, 1), ins(CALL, 6, 4, 0)]), endless()],
    },
];

fn ins(code: u8, a: usize, b: usize, c: i32) -> u64 {
    pack(code, a, b, c)
}

/// A loop over register 1, from 0 to the argument, which does this and returns register 2. Register
/// 3 is 1; those up to 9 are free.
fn main(inside: &[u64]) -> Function {
    let mut code = vec![ins(INT, 1, 0, 0), ins(INT, 2, 0, 0), ins(INT, 3, 0, 1)];
    code.extend(inside);
    code.extend([ins(ADD, 1, 1, 3), ins(LESS, 1, 0, 3), ins(RETURN, 2, 0, 0)]);
    (1, 10, code)
}

/// Register 2 becomes function 1 of the counter and itself.
fn call_with_two() -> [u64; 4] {
    [
        ins(FN, 4, 0, 1),
        ins(MOVE, 5, 1, 0),
        ins(MOVE, 6, 2, 0),
        ins(CALL, 2, 4, 2),
    ]
}

/// The sum of two arguments, in one of this many registers.
fn sum(registers: usize, result: usize) -> Function {
    // Two more registers in the middle, if there are more.
    let (a, b) = (result * 50 / 99, result * 75 / 99);
    let mut code = Vec::new();
    if result > 2 {
        code.extend([
            ins(MOVE, a, 0, 0),
            ins(MOVE, b, 1, 0),
            ins(ADD, result, a, b as i32),
        ]);
    } else {
        code.push(ins(ADD, result, 0, 1));
    }
    code.push(ins(RETURN, result, 0, 0));
    (2, registers, code)
}

/// Fibonacci numbers.
fn fib() -> Function {
    let code = vec![
        ins(INT, 1, 0, 2),
        ins(LESS, 0, 1, 11),
        ins(INT, 1, 0, 1),
        ins(SUB, 3, 0, 1),
        ins(FN, 2, 0, 0),
        ins(CALL, 4, 2, 1),
        ins(SUB, 3, 3, 1),
        ins(FN, 2, 0, 0),
        ins(CALL, 5, 2, 1),
        ins(ADD, 4, 4, 5),
        ins(RETURN, 4, 0, 0),
        ins(RETURN, 0, 0, 0),
    ];
    (1, 6, code)
}

/// How often it can be called with one less; the last call asks the native function.
fn down() -> Function {
    let code = vec![
        ins(INT, 1, 0, 1),
        ins(LESS, 0, 1, 7),
        ins(FN, 2, 0, 1),
        ins(SUB, 3, 0, 1),
        ins(CALL, 2, 2, 1),
        ins(ADD, 2, 2, 1),
        ins(RETURN, 2, 0, 0),
        ins(NATIVE, 0, 0, 0),
        ins(RETURN, 0, 0, 0),
    ];
    (1, 4, code)
}

/// Counts down in floats, and jumps where it could go on.
fn floats() -> Function {
    let code = vec![
        ins(INT, 1, 0, 0),
        ins(INT, 2, 0, 1),
        ins(FLOAT, 3, 0, 0),
        ins(FLOAT, 4, 0, 3),
        ins(ADD, 3, 3, 4),
        ins(ADD, 1, 1, 2),
        ins(LESS, 1, 0, 8),
        ins(RETURN, 3, 0, 0),
        ins(JUMP, 0, 0, 4),
    ];
    (1, 5, code)
}

/// Calls itself without end.
fn endless() -> Function {
    let code = vec![ins(FN, 0, 0, 1), ins(CALL, 1, 0, 0), ins(RETURN, 1, 0, 0)];
    (0, 2, code)
}
