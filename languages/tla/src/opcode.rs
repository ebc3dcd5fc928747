//! The instructions. For each its number, its name, what its operand is, and what
//! it does to the height of the stack. Invariant: the numbers are dense, so that the interpreter's
//! `match` is a jump table; [`TABLE`] has a line for each.

/// Pushes an integer.
pub const CONST_INT: u8 = 0;
/// Pushes a string of the program.
pub const NEWSTR: u8 = 1;
/// Pushes what is on top once more.
pub const DUP: u8 = 2;
/// Pushes a copy of the value at a depth; the top is at depth 0.
pub const DUPN: u8 = 3;
/// Drops the top.
pub const POP: u8 = 4;
/// Pops, and puts that in the place of the value at a depth of what remains.
pub const PUTN: u8 = 5;
/// Less than: 1 or 0.
pub const LT: u8 = 6;
/// Equal: 1 or 0.
pub const EQ: u8 = 7;
/// Sum of integers, or strings one after the other.
pub const ADD: u8 = 8;
/// Difference.
pub const SUB: u8 = 9;
/// Product.
pub const MUL: u8 = 10;
/// Quotient, rounded down.
pub const DIV: u8 = 11;
/// The remainder; it has the sign of the divisor.
pub const MOD: u8 = 12;
/// Continues elsewhere.
pub const JUMP: u8 = 13;
/// Pops; continues elsewhere if that is true.
pub const JUMP_IF: u8 = 14;
/// Calls a function: pops its arguments, pushes its result. It runs in code by partial evaluation,
/// the lower of two levels.
pub const CALL: u8 = 15;
/// Calls a function that runs in traces, the upper level.
pub const CALL_JIT: u8 = 16;
/// Calls a function that runs in the interpreter.
pub const CALL_NORMAL: u8 = 17;
/// Returns what is on top; the arguments are dropped.
pub const RET: u8 = 18;
/// Returns what is on top, whatever is below it.
pub const EXIT: u8 = 19;

/// The kind of an instruction's operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// There is none.
    None,
    /// An integer.
    Int,
    /// A text in quotes; in memory the number of a string.
    Text,
    /// How deep in the stack.
    Depth,
    /// A label of the function; in memory a pc.
    Label,
    /// A function; in memory its number.
    Function,
    /// How many arguments the function has.
    Arity,
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// Its number.
    pub code: u8,
    /// Its name.
    pub name: &'static str,
    /// Its operand.
    pub operand: Operand,
    /// How many values it takes off the stack, apart from arguments.
    pub pops: usize,
    /// How many it then puts on the stack.
    pub pushes: usize,
}

const fn op(code: u8, name: &'static str, operand: Operand, pops: usize, pushes: usize) -> Op {
    Op {
        code,
        name,
        operand,
        pops,
        pushes,
    }
}

/// All instructions, at the index that is their number.
pub const TABLE: [Op; 20] = [
    op(CONST_INT, "CONST_INT", Operand::Int, 0, 1),
    op(NEWSTR, "NEWSTR", Operand::Text, 0, 1),
    op(DUP, "DUP", Operand::None, 1, 2),
    op(DUPN, "DUPN", Operand::Depth, 0, 1),
    op(POP, "POP", Operand::None, 1, 0),
    op(PUTN, "PUTN", Operand::Depth, 1, 0),
    op(LT, "LT", Operand::None, 2, 1),
    op(EQ, "EQ", Operand::None, 2, 1),
    op(ADD, "ADD", Operand::None, 2, 1),
    op(SUB, "SUB", Operand::None, 2, 1),
    op(MUL, "MUL", Operand::None, 2, 1),
    op(DIV, "DIV", Operand::None, 2, 1),
    op(MOD, "MOD", Operand::None, 2, 1),
    op(JUMP, "JUMP", Operand::Label, 0, 0),
    op(JUMP_IF, "JUMP_IF", Operand::Label, 1, 0),
    op(CALL, "CALL", Operand::Function, 0, 1),
    op(CALL_JIT, "CALL_JIT", Operand::Function, 0, 1),
    op(CALL_NORMAL, "CALL_NORMAL", Operand::Function, 0, 1),
    op(RET, "RET", Operand::Arity, 1, 0),
    op(EXIT, "EXIT", Operand::None, 1, 0),
];

/// The instruction with a name.
pub fn by_name(name: &str) -> Option<&'static Op> {
    TABLE.iter().find(|op| op.name == name)
}

/// The instruction with a number.
///
/// # Panics
/// If there is none: images hold numbers of instructions only.
pub fn by_code(code: u8) -> &'static Op {
    &TABLE[usize::from(code)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_numbers() {
        for (index, op) in TABLE.iter().enumerate() {
            assert_eq!(usize::from(op.code), index, "{}", op.name);
            assert_eq!(by_name(op.name).map(|op| op.code), Some(op.code));
        }
    }
}
