//! Faults of the guest program. In: what an instruction met. Out: an object that says so, and its
//! text. Invariant: a fault is data that every call hands on to its caller, so that compiled code
//! returns with it as with any other result; its text depends on the program and its arguments
//! alone, never on the JIT.

use crate::image::Image;
use crate::object::{Obj, type_name};
use crate::opcode;
use verdigris::prelude::*;

/// The reason why an instruction failed.
#[value]
#[derive(Clone, Copy)]
pub enum Trap {
    /// Values that it is not defined for.
    Operands(Obj, Obj),
    /// A divisor of zero.
    DivisionByZero,
    /// As many calls within each other as there may be.
    StackOverflow(i64),
}

/// A trap, and the pc of the instruction.
#[gc]
pub struct Fault {
    /// The pc.
    pub pc: usize,
    /// The event. It does not change; a `Cell` shows the collector the values in it.
    pub trap: Cell<Trap>,
}

/// A new fault. It ends the program, so it is not traced.
#[opaque]
pub fn fault(pc: usize, trap: Trap) -> Gc<Fault> {
    let trap = Cell::new(trap);
    Gc::new(Fault { pc, trap })
}

impl Fault {
    /// The fault as the user sees it: `file:line: message`.
    pub fn render(&self, image: &Image) -> String {
        let line = image.lines[self.pc];
        let op = opcode::by_code(image.code[self.pc].op).name;
        let message = match self.trap.get() {
            Trap::Operands(left, right) => format!(
                "type error: {op} is not defined for {} and {}",
                type_name(left),
                type_name(right)
            ),
            Trap::DivisionByZero => "division by zero".to_string(),
            Trap::StackOverflow(limit) => {
                format!("stack overflow: more than {limit} calls within each other")
            }
        };
        format!("{}:{line}: {message}", image.file)
    }
}
