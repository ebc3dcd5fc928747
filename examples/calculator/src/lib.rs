//! A calculator with variables, with a JIT, made of the library's data structures. In: a program
//! text and a number. Out: the number that the program answers.
//!
//! Variables are in a `Map`, expressions are computed on a `List` that is made for each. The
//! program is text; expressions are in postfix notation: digits, variables, and `+ - * <`.
//!
//! ```text
//! x=EXPR;    gives x a value              [          a loop begins
//! x~EXPR;    gives x f(EXPR)              ]EXPR;     goes back to it if EXPR is positive
//! !EXPR;     answers EXPR                 @EXPR;     what f is of p and q, where q is p+1; at the end of the program
//! ```

#![forbid(unsafe_code)]

use std::error::Error;
use verdigris::VmError;
use verdigris::{List, Map, prelude::*};

verdigris::include_jit!();

/// A program: its text, and where `f` begins.
#[gc]
struct Program {
    code: GcArray<u8>,
    function: usize,
}

/// Variables by name.
type Variables = Gc<Map<u8, i64>>;

/// Where a place is, for people.
fn location(pc: usize, _program: Gc<Program>) -> Location {
    Location::new().offset(pc)
}

#[portal(location = location)]
fn run(program: Gc<Program>, input: i64) -> i64 {
    let variables: Variables = Map::new();
    variables.insert(b'n', input);
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, program], reds = [variables]);
        let op = program.code[pc];
        pc += 1;
        match op {
            b'[' => {}
            b']' => {
                let again = expression(program, pc, variables);
                if again > 0 {
                    pc = start_of(program, pc);
                    can_enter_jit!();
                } else {
                    pc = end_of(program, pc);
                }
            }
            b'!' => return expression(program, pc, variables),
            name => {
                let kind = program.code[pc];
                let argument = expression(program, pc + 1, variables);
                let value = match kind {
                    b'~' => apply(program, argument),
                    _ => argument,
                };
                variables.insert_promoted(name, value);
                pc = end_of(program, pc);
            }
        }
    }
}

/// What `f` is of a number. Its variables are its own.
fn apply(program: Gc<Program>, argument: i64) -> i64 {
    let variables: Variables = Map::new();
    variables.insert(b'p', argument);
    variables.insert(b'q', argument.wrapping_add(1));
    expression(program, program.function, variables)
}

/// The value of the expression at `from`.
#[unroll_safe]
fn expression(program: Gc<Program>, from: usize, variables: Variables) -> i64 {
    let stack: Gc<List<i64>> = List::new();
    let mut at = from;
    loop {
        let c = program.code[at];
        at += 1;
        match c {
            b';' => return operand(stack),
            b'0'..=b'9' => stack.push((c - b'0') as i64),
            b'a'..=b'z' => {
                stack.push(variables.get_promoted(c).unwrap_or(0));
            }
            _ => {
                let b = operand(stack);
                let a = operand(stack);
                stack.push(operation(c, a, b));
            }
        }
    }
}

fn operation(c: u8, a: i64, b: i64) -> i64 {
    match c {
        b'+' => a.wrapping_add(b),
        b'-' => a.wrapping_sub(b),
        b'*' => a.wrapping_mul(b),
        b'<' => (a < b) as i64,
        _ => 0,
    }
}

/// The top of the stack; 0 if it is empty.
fn operand(stack: Gc<List<i64>>) -> i64 {
    stack.pop().unwrap_or(0)
}

/// Behind the end of the statement.
#[unroll_safe]
fn end_of(program: Gc<Program>, from: usize) -> usize {
    let mut at = from;
    while program.code[at] != b';' {
        at += 1;
    }
    at + 1
}

/// Where the loop begins that ends here.
#[unroll_safe]
fn start_of(program: Gc<Program>, from: usize) -> usize {
    let mut at = from;
    while program.code[at] != b'[' {
        at -= 1;
    }
    at
}

/// Checks that a program stays within its text.
///
/// # Errors
/// Checks a text.
fn check(text: &str) -> Result<(), String> {
    let (main, function) = text.split_once('@').ok_or("there is no `@EXPR;`")?;
    if !function.ends_with(';') || !main.contains('!') || !main.ends_with(';') {
        return Err("statements end in `;`, and one of them is `!EXPR;`".to_owned());
    }
    let mut open = false;
    let mut rest = main;
    while let Some(first) = rest.chars().next() {
        match first {
            '[' => {
                open = true;
                rest = &rest[1..];
                continue;
            }
            ']' if !open => return Err("`]` without `[`".to_owned()),
            ']' | '!' => {}
            'a'..='z' if matches!(rest.as_bytes().get(1), Some(b'=' | b'~')) => {}
            other => return Err(format!("no statement begins with `{other}`")),
        }
        rest = rest.split_once(';').map_or("", |(_, rest)| rest);
    }
    Ok(())
}

/// A machine with these parameters.
///
/// # Errors
/// If the translated interpreter does not fit the program.
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

/// The result of a program for a number.
///
/// # Errors
/// If the text is no program.
pub fn answer(vm: &Vm, text: &str, input: i64) -> Result<String, Box<dyn Error>> {
    check(text)?;
    let result = vm.enter(|| {
        let function = text.find('@').map_or(0, |at| at + 1);
        let code = GcArray::from_slice(text.as_bytes());
        run(Gc::new(Program { code, function }), input)
    });
    Ok(result.to_string())
}
