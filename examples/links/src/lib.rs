//! A language of words that share one operand stack, as in Forth, with a JIT. In: a program text.
//! Out: the number on top of the stack at its end. Invariant: a link of the stack never changes, so
//! what a loop or an inlined word pushes and pops again is never made.
//!
//! A program is words between blanks, definitions in front: `: name .. ;`. Numbers push themselves;
//! there are `dup drop swap over + - * <`, `if .. then` (unless it takes 0), `begin .. again` (once
//! more unless it takes 0), and `exit`, which ends a word.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use verdigris::VmError;
use verdigris::prelude::*;

verdigris::include_jit!();

#[value]
#[derive(Clone, Copy)]
enum Op {
    Push(i64),
    Dup,
    Drop,
    Swap,
    Over,
    Add,
    Sub,
    Mul,
    Less,
    Call(usize),
    Unless(usize),
    Again(usize),
    Return,
}

/// A word: its instructions.
#[gc]
struct Word {
    code: GcArray<Op>,
}

/// All words of a program.
type Words = GcArray<Gc<Word>>;

/// An operand, and those below it.
///
/// A stack is a value: it is handed to a word, which returns another one. No array is shared, so
/// compiled code need not count from a base that it does not know, and no program can write an
/// operand behind its back.
#[gc]
struct Link {
    value: i64,
    below: Stack,
}

type Stack = Option<Gc<Link>>;

/// An error.
#[value]
#[derive(Clone, Copy)]
enum Fault {
    Empty,
    Depth,
}

/// How many calls can be within each other.
const MAX_DEPTH: usize = 500;

fn push(stack: &mut Stack, value: i64) {
    *stack = Some(Gc::new(Link {
        value,
        below: *stack,
    }));
}

fn pop(stack: &mut Stack) -> Result<i64, Fault> {
    match *stack {
        Some(link) => {
            *stack = link.below;
            Ok(link.value)
        }
        None => Err(Fault::Empty),
    }
}

fn location(pc: usize, _word: Gc<Word>, _words: Words) -> Location {
    Location::new().offset(pc)
}

#[portal(location = location)]
fn run(words: Words, word: Gc<Word>, mut stack: Stack, depth: usize) -> Result<Stack, Fault> {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, word, words], reds = [stack, depth]);
        let op = word.code[pc];
        pc += 1;
        match op {
            Op::Push(value) => push(&mut stack, value),
            Op::Dup => {
                let a = pop(&mut stack)?;
                push(&mut stack, a);
                push(&mut stack, a);
            }
            Op::Drop => {
                pop(&mut stack)?;
            }
            Op::Swap => {
                let b = pop(&mut stack)?;
                let a = pop(&mut stack)?;
                push(&mut stack, b);
                push(&mut stack, a);
            }
            Op::Over => {
                let b = pop(&mut stack)?;
                let a = pop(&mut stack)?;
                push(&mut stack, a);
                push(&mut stack, b);
                push(&mut stack, a);
            }
            Op::Add | Op::Sub | Op::Mul | Op::Less => {
                let b = pop(&mut stack)?;
                let a = pop(&mut stack)?;
                push(&mut stack, binary(op, a, b));
            }
            Op::Call(callee) => {
                if depth >= MAX_DEPTH {
                    return Err(Fault::Depth);
                }
                stack = run(words, words[callee], stack, depth + 1)?;
            }
            Op::Unless(target) => {
                if pop(&mut stack)? == 0 {
                    pc = target;
                }
            }
            Op::Again(target) => {
                if pop(&mut stack)? != 0 {
                    pc = target;
                    can_enter_jit!();
                }
            }
            Op::Return => return Ok(stack),
        }
    }
}

fn binary(op: Op, a: i64, b: i64) -> i64 {
    match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        _ => (a < b) as i64,
    }
}

/// The words of a text; the first one is what stands outside of definitions.
fn compile(text: &str) -> Result<Vec<Vec<Op>>, String> {
    let mut code: Vec<Vec<Op>> = vec![Vec::new()];
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut current = 0;
    let mut parts = text.split_whitespace();
    while let Some(part) = parts.next() {
        let here = code[current].len();
        let op = match part {
            ":" if current == 0 && open.is_empty() => {
                current = code.len();
                code.push(Vec::new());
                names.insert(parts.next().ok_or("a name belongs behind `:`")?, current);
                continue;
            }
            ";" if current != 0 && open.is_empty() => {
                code[current].push(Op::Return);
                current = 0;
                continue;
            }
            "begin" => {
                open.push((part, here));
                continue;
            }
            "then" => {
                let Some(("if", at)) = open.pop() else {
                    return Err("`then` without `if`".to_string());
                };
                code[current][at] = Op::Unless(here);
                continue;
            }
            "again" => match open.pop() {
                Some(("begin", start)) => Op::Again(start),
                _ => return Err("`again` without `begin`".to_string()),
            },
            "if" => {
                open.push((part, here));
                Op::Unless(0)
            }
            "exit" => Op::Return,
            "dup" => Op::Dup,
            "drop" => Op::Drop,
            "swap" => Op::Swap,
            "over" => Op::Over,
            "+" => Op::Add,
            "-" => Op::Sub,
            "*" => Op::Mul,
            "<" => Op::Less,
            _ => match (names.get(part), part.parse()) {
                (Some(&word), _) => Op::Call(word),
                (None, Ok(value)) => Op::Push(value),
                (None, Err(_)) => return Err(format!("`{part}` means nothing here")),
            },
        };
        code[current].push(op);
    }
    if current != 0 || !open.is_empty() {
        return Err("something has no end".to_string());
    }
    code[0].push(Op::Return);
    Ok(code)
}

/// A VM for this language.
///
/// # Errors
/// If the options fit no VM here.
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

/// The value that a program leaves on top of the stack.
///
/// # Errors
/// If the text is no program, takes something off an empty stack, or calls too deeply.
pub fn answer(vm: &Vm, text: &str) -> Result<String, String> {
    let code = compile(text)?;
    let result = vm.enter(|| {
        let words = code.iter().map(|ops| {
            Gc::new(Word {
                code: GcArray::from_slice(ops),
            })
        });
        let words = words.collect::<RootVec<Gc<Word>>>().to_array();
        let mut stack = run(words, words[0], None, 0)?;
        pop(&mut stack)
    });
    match result {
        Ok(value) => Ok(value.to_string()),
        Err(Fault::Empty) => Err("the stack is empty".to_string()),
        Err(Fault::Depth) => Err("too many calls within each other".to_string()),
    }
}
