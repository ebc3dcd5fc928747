//! Faults of the guest program. In: what an instruction met. Out: a value that says so, and its
//! text. Invariant: a trap is data, so that compiled code leaves a loop with it as with any other
//! result; its text depends on the program and its input alone, never on the JIT.

use crate::image::Image;
use crate::object::type_name;
use crate::opcode;
use crate::output;
use crate::trap::Trap;
use verdigris::prelude::*;

/// A trap, and the pc of the instruction.
#[value]
#[derive(Clone, Copy)]
pub struct Fault {
    /// The pc.
    pub pc: usize,
    /// The event.
    pub trap: Trap,
}

impl Fault {
    /// The fault as the user sees it: `file:line: pc N: message`.
    pub fn render(&self, image: &Image) -> String {
        let message = self.message(image);
        match image.line(self.pc) {
            0 => format!("{}: pc {}: {message}", image.file, self.pc),
            line => format!("{}:{line}: pc {}: {message}", image.file, self.pc),
        }
    }

    fn message(&self, image: &Image) -> String {
        let byte = image.code.get(self.pc).copied();
        let op = byte.map_or("end of code".to_string(), opcode::describe);
        let undefined = |types: String| format!("type error: {op} is not defined for {types}");
        match self.trap {
            Trap::Operand(value) => undefined(type_name(value).to_string()),
            Trap::Operands(left, right) => {
                undefined(format!("{} and {}", type_name(left), type_name(right)))
            }
            Trap::Receiver(method, found) => format!(
                "type error: {} has no methods, so it cannot be sent {}",
                type_name(found),
                name(image, method)
            ),
            Trap::Underflow(wanted, found) => format!(
                "stack underflow: {op} needs {wanted} values on the stack, there are {found}"
            ),
            Trap::Corrupt(value) => {
                format!("corrupt bytecode: {op} cannot have the operand {value}")
            }
            Trap::Jump(target) => format!(
                "bad jump: {op} goes to pc {target}, outside the code (0 to {})",
                image.code.len()
            ),
            Trap::DivisionByZero => "division by zero".to_string(),
            Trap::Attribute(index) => format!(
                "unknown attribute: the object has no attribute {}",
                name(image, index)
            ),
            Trap::Method(index) => format!(
                "unknown method: the object has no method {}",
                name(image, index)
            ),
            Trap::Argument(index, count) => format!(
                "missing argument: {op} wants number {index}, the frame was called with {count} (from 0)"
            ),
            Trap::ListIndex(index) => {
                format!("list index out of range: there is no item {index}")
            }
            Trap::CutOff if byte.is_none() => {
                "truncated bytecode: the program runs off the end of its code".to_string()
            }
            Trap::CutOff => format!("truncated bytecode: an operand of {op} is cut off"),
            Trap::Opcode(opcode::INVALID) => "invalid opcode: INVALID".to_string(),
            Trap::Opcode(number) => format!("invalid opcode: {number}"),
            Trap::Recursion(depth) => format!("runaway recursion: more than {depth} frames"),
            Trap::Output => format!("cannot write the output: {}", output::failure()),
        }
    }
}

/// A name of the program by its number.
fn name(image: &Image, index: i64) -> String {
    let known = usize::try_from(index).ok();
    match known.and_then(|index| image.names.get(index)) {
        Some(name) => format!("`{name}`"),
        None => format!("number {index}, which is not in the table of names"),
    }
}
