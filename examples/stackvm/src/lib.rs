//! A stack machine over integers, floats, booleans, nil, strings, lists and functions, with a JIT.
//! In: the text of a program. Out: what it prints and what its first function returns.
//!
//! Values are an enum that is held by value; in compiled code only the payloads of those whose type
//! is known remain. The parts that are there for the JIT are few: the attributes on the types,
//! `#[portal]` with its merge point, `promote` where a call or return leads to code that is not
//! known, `#[unroll_safe]` on loops over arguments.

#![forbid(unsafe_code)]

mod arith;
mod asm;
mod check;
mod interp;
mod show;
mod trap;
mod value;

use std::error::Error;
use verdigris::VmError;
use verdigris::prelude::*;

pub use show::collect;
pub use value::{Function, Value};

verdigris::include_jit!();

/// A VM for this language.
///
/// # Errors
/// If the options make no sense; see [`Vm::new`].
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

/// Runs the text of a program; its first function is called with these numbers. Answers what it
/// returns, as `print` shows it.
///
/// # Errors
/// If the text is no program, or the program does not go on: the message says where.
pub fn answer(vm: &Vm, text: &str, args: &[i64]) -> Result<String, Box<dyn Error>> {
    run(vm, text, args, |result, _| Ok(show::show(result?)))?
}

/// Loads the text of a program once, and hands over what runs it with numbers, as often as is
/// wanted: what one run has made hot is hot for the next. What it answers is what [`answer`]
/// answers.
///
/// # Errors
/// If the text is no program.
pub fn again<R: Unpin>(
    vm: &Vm,
    text: &str,
    use_it: impl FnOnce(&mut dyn FnMut(&[i64]) -> Result<String, String>) -> R,
) -> Result<R, Box<dyn Error>> {
    vm.try_enter(|| {
        let program = asm::load(text)?;
        Ok(use_it(&mut |args| {
            let slots = interp::first_slots(program, args)?;
            let result = interp::run(program, program.functions[0], slots, 0);
            result.map(show::show).map_err(|fault| fault.text())
        }))
    })?
}

/// Runs the text of a program, and shows what it returns, and what its first function has left in
/// its variables and operands, also if the program does not go on.
///
/// # Errors
/// If the text is no program.
pub fn run<R: Unpin>(
    vm: &Vm,
    text: &str,
    args: &[i64],
    look: impl FnOnce(Result<Value, String>, &[Value]) -> R,
) -> Result<R, Box<dyn Error>> {
    vm.try_enter(|| {
        let program = asm::load(text)?;
        let slots = interp::first_slots(program, args)?;
        let result = interp::run(program, program.functions[0], slots, 0);
        let result = result.map_err(|fault| fault.text());
        Ok(look(result, &interp::values(slots)))
    })?
}
