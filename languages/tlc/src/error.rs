//! Errors of the guest program. In: where the interpreter found one. Out: a panic whose payload is a [`TlcError`],
//! which the machine catches. Invariant: the message depends on the program and its input alone, never on the JIT.
//!
//! Each kind of error is raised by its own opaque function, which never returns: traced code calls it and then says
//! `unreachable!()`.

use crate::image::Image;
use crate::object::{Obj, type_name};
use crate::opcode;
use std::panic::resume_unwind;
use verdigris::prelude::*;

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// An operation on values that it is not defined for.
    Type(Vec<&'static str>),
    /// A method call to something that is no object.
    Receiver(i64, &'static str),
    /// Too few values on the stack.
    Underflow {
        /// How many the instruction needs.
        wanted: i64,
        /// How many there are.
        found: i64,
    },
    /// An operand that the instruction cannot have.
    Operand(i64),
    /// A branch or call to a place outside the code.
    Jump(i64),
    /// A divisor of zero.
    DivisionByZero,
    /// An attribute that the object does not have.
    Attribute(i64),
    /// A method that the object does not have.
    Method(i64),
    /// An argument that the frame does not have.
    Argument {
        /// Its number.
        index: i64,
        /// How many there are.
        count: i64,
    },
    /// An item behind the end of a list, or before its start.
    ListIndex(i64),
    /// The code ends where an instruction or an operand should be.
    CutOff,
    /// A byte that is no opcode, or `INVALID`.
    Opcode(i64),
    /// Too many frames.
    Recursion(i64),
    /// The output could not be written.
    Output(String),
}

/// An error of the guest program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlcError {
    /// The pc of the instruction.
    pub pc: usize,
    /// What went wrong.
    pub kind: ErrorKind,
}

impl TlcError {
    /// The error as the user sees it: `file:line: pc N: message`.
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
        let name = |index: &i64| match usize::try_from(*index)
            .ok()
            .and_then(|i| image.names.get(i))
        {
            Some(name) => format!("`{name}`"),
            None => format!("number {index}, which is not in the table of names"),
        };
        match &self.kind {
            ErrorKind::Type(types) => format!(
                "type error: {op} is not defined for {}",
                types.join(" and ")
            ),
            ErrorKind::Receiver(method, found) => {
                format!(
                    "type error: {found} has no methods, so it cannot be sent {}",
                    name(method)
                )
            }
            ErrorKind::Underflow { wanted, found } => {
                format!(
                    "stack underflow: {op} needs {wanted} values on the stack, there are {found}"
                )
            }
            ErrorKind::Operand(value) => {
                format!("corrupt bytecode: {op} cannot have the operand {value}")
            }
            ErrorKind::Jump(target) => {
                format!(
                    "bad jump: {op} goes to pc {target}, outside the code (0 to {})",
                    image.code.len()
                )
            }
            ErrorKind::DivisionByZero => "division by zero".to_string(),
            ErrorKind::Attribute(index) => format!(
                "unknown attribute: the object has no attribute {}",
                name(index)
            ),
            ErrorKind::Method(index) => {
                format!("unknown method: the object has no method {}", name(index))
            }
            ErrorKind::Argument { index, count } => {
                format!(
                    "missing argument: {op} wants number {index}, the frame was called with {count} (from 0)"
                )
            }
            ErrorKind::ListIndex(index) => {
                format!("list index out of range: there is no item {index}")
            }
            ErrorKind::CutOff if byte.is_none() => {
                "truncated bytecode: the program runs off the end of its code".to_string()
            }
            ErrorKind::CutOff => format!("truncated bytecode: an operand of {op} is cut off"),
            ErrorKind::Opcode(number) if *number == i64::from(opcode::INVALID) => {
                "invalid opcode: INVALID".to_string()
            }
            ErrorKind::Opcode(number) => format!("invalid opcode: {number}"),
            ErrorKind::Recursion(depth) => format!("runaway recursion: more than {depth} frames"),
            ErrorKind::Output(error) => format!("cannot write the output: {error}"),
        }
    }
}

/// Leaves the interpreter. Does not go through the panic hook: this is no bug of ours.
pub fn raise(pc: usize, kind: ErrorKind) -> ! {
    resume_unwind(Box::new(TlcError { pc, kind }))
}

/// The instruction is not defined for these two values (left one first).
#[opaque]
pub fn bad_operands(at: usize, left: Obj, right: Obj) {
    raise(at, ErrorKind::Type(vec![type_name(left), type_name(right)]))
}

/// The instruction is not defined for this value.
#[opaque]
pub fn bad_operand(at: usize, value: Obj) {
    raise(at, ErrorKind::Type(vec![type_name(value)]))
}

/// This value has no methods.
#[opaque]
pub fn bad_receiver(at: usize, value: Obj, method: i64) {
    raise(at, ErrorKind::Receiver(method, type_name(value)))
}

/// The stack holds fewer values than the instruction needs.
#[opaque]
pub fn underflow(at: usize, wanted: i64, found: usize) {
    let found = found as i64;
    raise(at, ErrorKind::Underflow { wanted, found })
}

/// The instruction cannot have this operand.
#[opaque]
pub fn corrupt_operand(at: usize, value: i64) {
    raise(at, ErrorKind::Operand(value))
}

/// There is no instruction at this target.
#[opaque]
pub fn bad_jump(at: usize, target: i64) {
    raise(at, ErrorKind::Jump(target))
}

/// A divisor is zero.
#[opaque]
pub fn division_by_zero(at: usize) {
    raise(at, ErrorKind::DivisionByZero)
}

/// The object has no such attribute.
#[opaque]
pub fn unknown_attribute(at: usize, name: i64) {
    raise(at, ErrorKind::Attribute(name))
}

/// The object has no such method.
#[opaque]
pub fn unknown_method(at: usize, name: i64) {
    raise(at, ErrorKind::Method(name))
}

/// The frame has no such argument.
#[opaque]
pub fn missing_argument(at: usize, index: i64, count: usize) {
    let count = count as i64;
    raise(at, ErrorKind::Argument { index, count })
}

/// The code ends too early.
#[opaque]
pub fn cut_off(at: usize) {
    raise(at, ErrorKind::CutOff)
}

/// There is no such opcode.
#[opaque]
pub fn invalid_opcode(at: usize, number: u8) {
    raise(at, ErrorKind::Opcode(i64::from(number)))
}

/// There are too many frames.
#[opaque]
pub fn runaway_recursion(at: usize, depth: i64) {
    raise(at, ErrorKind::Recursion(depth))
}
