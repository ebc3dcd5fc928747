//! Errors of the guest program. In: where the interpreter found one. Out: a panic whose payload is a [`GuestError`],
//! which the machine catches. Invariant: the message depends on the program and its input alone, never on the JIT or on
//! the stage of the object model.
//!
//! Each kind of error is raised by its own opaque function, which never returns: traced code calls it and then says
//! `unreachable!()`.

use crate::image::Image;
use crate::object::{Function, Obj, ObjKind};
use crate::opcode;
use std::panic::resume_unwind;
use verdigris::prelude::*;

/// A value in a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Described {
    /// An integer.
    Int,
    /// Nil.
    Nil,
    /// A text.
    Text,
    /// A function, by number.
    Function(i64),
    /// A class, by number.
    Class(i64),
    /// An instance of a class, by number.
    Instance(i64),
}

impl Described {
    /// What a value is called.
    pub fn of(value: Obj) -> Described {
        match value.kind() {
            ObjKind::Int(_) => Described::Int,
            ObjKind::Nil(_) => Described::Nil,
            ObjKind::Text(_) => Described::Text,
            ObjKind::Function(function) => Described::Function(function.number),
            ObjKind::Class(class) => Described::Class(class.number),
            ObjKind::DictInstance(instance) => Described::Instance(instance.class.number),
            ObjKind::MapInstance(instance) => Described::Instance(instance.class.number),
        }
    }

    fn render(self, image: &Image) -> String {
        match self {
            Described::Int => "an integer".to_string(),
            Described::Nil => "nil".to_string(),
            Described::Text => "a text".to_string(),
            Described::Function(n) => {
                format!("the function `{}`", image.functions[n as usize].name)
            }
            Described::Class(n) => format!("the class `{}`", image.classes[n as usize]),
            Described::Instance(n) => format!("an instance of `{}`", image.classes[n as usize]),
        }
    }
}

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// An operation on values that it is not defined for.
    Operands(Vec<Described>),
    /// A divisor of zero.
    DivisionByZero,
    /// An attribute, by the number of its name, that the object does not have.
    Attribute(Described, i64),
    /// An attribute of something that has none at all.
    NoAttributes(Described, i64),
    /// Something that is called and is no function.
    NoFunction(Described),
    /// An instance of something that is no class.
    NoClass(Described),
    /// A call of a function, by its number, with a wrong number of arguments.
    Arity(i64, usize),
    /// Too many frames.
    Recursion(i64),
    /// The output could not be written.
    Output(String),
}

/// An error of the guest program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuestError {
    /// The pc of the instruction.
    pub pc: usize,
    /// What went wrong.
    pub kind: ErrorKind,
}

impl GuestError {
    /// The error as the user sees it: `file:line:column: message`.
    pub fn render(&self, image: &Image) -> String {
        let place = image.place(self.pc);
        format!("{}:{place}: {}", image.file, self.message(image))
    }

    fn message(&self, image: &Image) -> String {
        match &self.kind {
            ErrorKind::Operands(values) => {
                let op = opcode::describe(image.code[self.pc]);
                let values: Vec<String> = values.iter().map(|v| v.render(image)).collect();
                format!("{op} is not defined for {}", values.join(" and "))
            }
            ErrorKind::DivisionByZero => "division by zero".to_string(),
            ErrorKind::Attribute(object, name) => {
                format!(
                    "{} has no attribute `{}`",
                    object.render(image),
                    image.name(*name)
                )
            }
            ErrorKind::NoAttributes(object, name) => format!(
                "{} has no attributes, so it has no `{}`",
                object.render(image),
                image.name(*name)
            ),
            ErrorKind::NoFunction(value) => {
                format!(
                    "{} is no function and cannot be called",
                    value.render(image)
                )
            }
            ErrorKind::NoClass(value) => {
                format!("{} is no class and has no instances", value.render(image))
            }
            ErrorKind::Arity(number, found) => {
                let function = &image.functions[*number as usize];
                let plural = if function.arity == 1 { "" } else { "s" };
                format!(
                    "`{}` takes {} argument{plural}, it was given {found}",
                    function.name, function.arity
                )
            }
            ErrorKind::Recursion(depth) => format!("runaway recursion: more than {depth} frames"),
            ErrorKind::Output(error) => format!("cannot write the output: {error}"),
        }
    }
}

/// Leaves the interpreter. Does not go through the panic hook: this is no bug of ours.
pub fn raise(pc: usize, kind: ErrorKind) -> ! {
    resume_unwind(Box::new(GuestError { pc, kind }))
}

/// The instruction is not defined for these two values (left one first).
#[opaque]
pub fn bad_operands(at: usize, left: Obj, right: Obj) {
    let values = vec![Described::of(left), Described::of(right)];
    raise(at, ErrorKind::Operands(values))
}

/// The instruction is not defined for this value.
#[opaque]
pub fn bad_operand(at: usize, value: Obj) {
    raise(at, ErrorKind::Operands(vec![Described::of(value)]))
}

/// A divisor is zero.
#[opaque]
pub fn division_by_zero(at: usize) {
    raise(at, ErrorKind::DivisionByZero)
}

/// The object has no such attribute, and neither has its class.
#[opaque]
pub fn unknown_attribute(at: usize, object: Obj, name: i64) {
    raise(at, ErrorKind::Attribute(Described::of(object), name))
}

/// This value has no attributes.
#[opaque]
pub fn no_attributes(at: usize, object: Obj, name: i64) {
    raise(at, ErrorKind::NoAttributes(Described::of(object), name))
}

/// This value cannot be called.
#[opaque]
pub fn no_function(at: usize, value: Obj) {
    raise(at, ErrorKind::NoFunction(Described::of(value)))
}

/// This value has no instances.
#[opaque]
pub fn no_class(at: usize, value: Obj) {
    raise(at, ErrorKind::NoClass(Described::of(value)))
}

/// The function takes another number of arguments.
#[opaque]
pub fn wrong_arity(at: usize, function: Gc<Function>, found: usize) {
    raise(at, ErrorKind::Arity(function.number, found))
}

/// There are too many frames.
#[opaque]
pub fn runaway_recursion(at: usize, depth: i64) {
    raise(at, ErrorKind::Recursion(depth))
}
