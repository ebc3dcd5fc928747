//! A compiled program. In: what the compiler made. Out: what the machine loads, the disassembler
//! prints, and messages refer to. Invariant: the code is well formed: operands are in range, jumps
//! lead to instructions of the same function, and at each instruction the stack has one height
//! however it is reached, at most what the function's slots have room for.

use crate::lexer::Pos;

/// A constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    /// An integer.
    Int(i64),
    /// A text, by its number.
    Text(usize),
    /// A class, by its number.
    Class(usize),
    /// A function, by its number.
    Function(usize),
}

/// A function or method. Its slots hold `self`, the parameters, the other local variables, and the
/// operand stack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionInfo {
    /// Its name in messages: `name` or `Class.name`.
    pub name: String,
    /// Where its code begins.
    pub entry: usize,
    /// How many parameters it has, without `self`.
    pub arity: usize,
    /// The names of its local variables: `self`, parameters, others.
    pub locals: Vec<String>,
    /// How many slots it needs.
    pub slots: usize,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Image {
    /// The source file, for messages.
    pub file: String,
    /// The code of all functions, the main program first.
    pub code: Vec<u8>,
    /// The constants.
    pub consts: Vec<Const>,
    /// The names of attributes and methods; no name twice.
    pub names: Vec<String>,
    /// The texts; no text twice.
    pub texts: Vec<String>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The functions; the main program is the first.
    pub functions: Vec<FunctionInfo>,
    /// Where the place in the source changes: the pc, and the place from there on. Sorted by pc.
    pub places: Vec<(usize, Pos)>,
}

impl Image {
    /// The place in the source of the instruction at `pc`.
    pub fn place(&self, pc: usize) -> Pos {
        let behind = self.places.partition_point(|&(start, _)| start <= pc);
        match behind.checked_sub(1) {
            Some(index) => self.places[index].1,
            None => Pos::default(),
        }
    }

    /// The name with this number.
    pub fn name(&self, number: i64) -> &str {
        let index = usize::try_from(number).ok();
        index
            .and_then(|i| self.names.get(i))
            .map_or("?", String::as_str)
    }
}
