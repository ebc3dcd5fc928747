//! A language whose functions are letters, with a JIT that is told what to inline. In: the texts of
//! functions, and a number. Out: the number that the first function leaves.
//!
//! Every function works on two numbers of its own, *n* and *sum*: it is called with *n*, and
//! returns the sum. `+` adds *n* to the sum, `-` makes *n* smaller by 1, `?` starts the function
//! again while *n* is positive, a digit adds itself to the sum, `A` calls the first function with
//! *n* and adds what it returns, `B` the second one, and so on. A function ends where its text
//! does.
//!
//! A text that begins with `!` is of a function that is rare: it is never inlined. One that begins
//! with `~` has loops of few turns, and the JIT unrolls one iteration of them where it inlines the
//! function. Both are decided by functions of the position in the guest program, which `#[portal]`
//! names.

#![forbid(unsafe_code)]

use verdigris::VmError;
use verdigris::prelude::*;

verdigris::include_jit!();

/// A function in memory.
#[gc]
struct Function {
    text: GcArray<u8>,
    rare: bool,
    few_turns: bool,
}

/// A program in memory.
#[gc]
struct Program {
    functions: GcArray<Gc<Function>>,
}

#[elidable]
fn is_rare(_pc: usize, which: usize, program: Gc<Program>) -> bool {
    program.functions[which].rare
}

#[elidable]
fn has_few_turns(_pc: usize, which: usize, program: Gc<Program>) -> bool {
    program.functions[which].few_turns
}

/// Where a place is, for people.
fn location(pc: usize, which: usize, _program: Gc<Program>) -> Location {
    let location = Location::new().offset(pc);
    match u8::try_from(which) {
        Ok(n @ 0..26) => location.function(char::from(b'A' + n)),
        _ => location.function(format!("function {which}")),
    }
}

/// The interpreter.
#[portal(can_never_inline = is_rare, should_unroll_one_iteration = has_few_turns, location = location)]
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
            b'0'..=b'9' => sum = sum.wrapping_add((op - b'0') as i64),
            b'A'..=b'Z' => sum = sum.wrapping_add(run(program, (op - b'A') as usize, n)),
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
                rare: text.starts_with('!'),
                few_turns: text.starts_with('~'),
            }));
        }
        let functions = functions.to_array();
        run(Gc::new(Program { functions }), 0, n)
    })
}
