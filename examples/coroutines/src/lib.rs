//! A language whose functions are letters, with coroutines. In: the texts of functions, and a
//! number. Out: the number that the first function leaves.
//!
//! Every function works on two numbers of its own, *n* and *sum*: it is called with *n*, and
//! returns the sum. `+` adds *n* to the sum, `-` makes *n* smaller by 1, `?` starts the function
//! again while *n* is positive, and `A` calls the first function with *n* and adds what it returns.
//!
//! `a` resumes the coroutine of the first function with *n*, which is made when there is none that
//! could go on, and adds what that yields or returns. `*` yields *n*, from within any number of
//! calls, and adds what it is resumed with. A coroutine that resumes itself gets 0, and so does
//! what yields and is not in any.

#![forbid(unsafe_code)]

use verdigris::prelude::*;
use verdigris::{Coroutine, CoroutineStatus, Step, VmError};

verdigris::include_jit!();

/// A function in memory.
#[gc]
struct Function {
    text: GcArray<u8>,
    /// Its coroutine; 0 for none.
    coroutine: Cell<u64>,
}

/// A program in memory.
#[gc]
struct Program {
    functions: GcArray<Gc<Function>>,
}

// ANCHOR: switches
/// Goes on with the coroutine of a function.
#[opaque]
fn resume(program: Gc<Program>, which: usize, n: i64) -> i64 {
    let function = program.functions[which];
    let mut coroutine = Coroutine::<i64, i64>::from_number(function.coroutine.get());
    if coroutine.status() == CoroutineStatus::Dead {
        let body = move |n| run(program, which, n);
        coroutine = match Coroutine::new(function, body) {
            Ok(coroutine) => coroutine,
            Err(error) => panic!("{error}"),
        };
        function.coroutine.set(coroutine.number());
    }
    match coroutine.resume(n) {
        Ok(Step::Yielded(value) | Step::Returned(value)) => value,
        Err(_) => 0,
    }
}

/// Leaves the coroutine that runs, until it is resumed.
#[opaque]
fn give(value: i64) -> i64 {
    match Coroutine::<i64, i64>::running() {
        Some(_) => Coroutine::<i64, i64>::suspend(value),
        None => 0,
    }
}
// ANCHOR_END: switches

/// The interpreter.
#[portal]
fn run(program: Gc<Program>, which: usize, mut n: i64) -> i64 {
    let mut pc: usize = 0;
    let mut sum: i64 = 0;
    loop {
        merge_point!(greens = [pc, which, program], reds = [n, sum]);
        let function = program.functions[which];
        if pc >= function.text.len() {
            return sum;
        }
        let op = function.text[pc];
        pc += 1;
        match op {
            b'+' => sum = sum.wrapping_add(n),
            b'-' => n -= 1,
            b'?' if n > 0 => {
                pc = 0;
                can_enter_jit!();
            }
            b'A'..=b'Z' => sum = sum.wrapping_add(run(program, (op - b'A') as usize, n)),
            // ANCHOR: instructions
            b'a'..=b'z' => sum = sum.wrapping_add(resume(program, (op - b'a') as usize, n)),
            b'*' => sum = sum.wrapping_add(give(n)),
            // ANCHOR_END: instructions
            _ => {}
        }
    }
}

/// A VM for this language.
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

/// Runs a program, the first of these functions.
pub fn sum(vm: &Vm, texts: &[&str], n: i64) -> i64 {
    vm.enter(|| {
        let functions = RootVec::new();
        for text in texts {
            functions.push(Gc::new(Function {
                text: GcArray::from_slice(text.as_bytes()),
                coroutine: Cell::new(0),
            }));
        }
        let functions = functions.to_array();
        run(Gc::new(Program { functions }), 0, n)
    })
}
