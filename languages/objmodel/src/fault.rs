//! Faults of the guest program. In: what an instruction met. Out: a value that says so, and its
//! text. Invariant: a trap is data, so that compiled code leaves a loop with it as with any other
//! result; its text depends on the program and its input alone, never on the JIT or on the stage of
//! the object model.

use crate::image::Image;
use crate::object::{Obj, ObjKind};
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
    /// The fault as the user sees it: `file:line:column: message`.
    pub fn render(&self, image: &Image) -> String {
        let place = image.place(self.pc);
        format!("{}:{place}: {}", image.file, self.message(image))
    }

    fn message(&self, image: &Image) -> String {
        let op = opcode::describe(image.code[self.pc]);
        let described = |value| described(value, image);
        match self.trap {
            Trap::Operand(value) => format!("{op} is not defined for {}", described(value)),
            Trap::Operands(left, right) => format!(
                "{op} is not defined for {} and {}",
                described(left),
                described(right)
            ),
            Trap::DivisionByZero => "division by zero".to_string(),
            Trap::Attribute(object, name) => format!(
                "{} has no attribute `{}`",
                described(object),
                image.name(name)
            ),
            Trap::NoAttributes(object, name) => format!(
                "{} has no attributes, so it has no `{}`",
                described(object),
                image.name(name)
            ),
            Trap::NoFunction(value) => {
                format!("{} is no function and cannot be called", described(value))
            }
            Trap::NoClass(value) => {
                format!("{} is no class and has no instances", described(value))
            }
            Trap::Arity(function, found) => {
                let function = &image.functions[function.number as usize];
                let plural = if function.arity == 1 { "" } else { "s" };
                format!(
                    "`{}` takes {} argument{plural}, it was given {found}",
                    function.name, function.arity
                )
            }
            Trap::Recursion(depth) => format!("runaway recursion: more than {depth} frames"),
            Trap::Output => format!("cannot write the output: {}", output::failure()),
        }
    }
}

/// The name of a value.
fn described(value: Obj, image: &Image) -> String {
    let instance = |class: i64| format!("an instance of `{}`", image.classes[class as usize]);
    match value.kind() {
        ObjKind::Int(_) => "an integer".to_string(),
        ObjKind::Nil(_) => "nil".to_string(),
        ObjKind::Text(_) => "a text".to_string(),
        ObjKind::Function(function) => {
            let name = &image.functions[function.number as usize].name;
            format!("the function `{name}`")
        }
        ObjKind::Class(class) => format!("the class `{}`", image.classes[class.number as usize]),
        ObjKind::DictInstance(object) => instance(object.class.number),
        ObjKind::MapInstance(object) => instance(object.class.number),
    }
}
