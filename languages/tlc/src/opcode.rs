//! The instruction set. In: papers on TLC (2009, section 2) and its published numbering. Out: one
//! constant per opcode, which the interpreter matches on, and one table row per opcode, which
//! assembler and disassembler read. Invariant: [`TABLE`] is sorted by number and names every
//! constant exactly once (tested below).

/// Does nothing.
pub const NOP: u8 = 1;
/// Pushes its operand.
pub const PUSH: u8 = 2;
/// Drops the top.
pub const POP: u8 = 3;
/// Exchanges the two topmost values.
pub const SWAP: u8 = 4;
/// Lifts the n-th value to the top (n > 1) or sinks the top to the n-th place (n < -1).
pub const ROLL: u8 = 5;
/// Copies the value at depth n to the top.
pub const PICK: u8 = 6;
/// Pops a value and stores it at depth n of what remains.
pub const PUT: u8 = 7;
/// Sum of integers, concatenation of lists.
pub const ADD: u8 = 8;
/// Difference.
pub const SUB: u8 = 9;
/// Product.
pub const MUL: u8 = 10;
/// Quotient of integers, n-th item of a list.
pub const DIV: u8 = 11;
/// Equality.
pub const EQ: u8 = 12;
/// Inequality.
pub const NE: u8 = 13;
/// Less than.
pub const LT: u8 = 14;
/// Less or equal.
pub const LE: u8 = 15;
/// Greater than.
pub const GT: u8 = 16;
/// Greater or equal.
pub const GE: u8 = 17;
/// Pops a condition, branches if it is true.
pub const BR_COND: u8 = 18;
/// Pops an offset and a condition, branches if the condition is true.
pub const BR_COND_STK: u8 = 19;
/// Runs the code at the offset in a fresh frame.
pub const CALL: u8 = 20;
/// Leaves the frame.
pub const RETURN: u8 = 21;
/// Pushes the first argument (in a method: the receiver).
pub const PUSHARG: u8 = 22;
/// Never valid: aborts the program.
pub const INVALID: u8 = 23;
/// Pushes nil.
pub const NIL: u8 = 24;
/// Pops car, then cdr, pushes a pair.
pub const CONS: u8 = 25;
/// First half of a pair.
pub const CAR: u8 = 26;
/// Second half of a pair.
pub const CDR: u8 = 27;
/// Makes an object of a class.
pub const NEW: u8 = 28;
/// Reads an attribute.
pub const GETATTR: u8 = 29;
/// Pops a value, then an object, and writes an attribute.
pub const SETATTR: u8 = 30;
/// Calls a method: operands are the name and the number of arguments.
pub const SEND: u8 = 31;
/// Pushes the n-th argument (in a method, number 0 is the receiver).
pub const PUSHARGN: u8 = 32;
/// Pops a value and prints it.
pub const PRINT: u8 = 33;
/// Prints the frame's stack.
pub const DUMP: u8 = 34;
/// Branches.
pub const BR: u8 = 35;

/// The operands of an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Nothing.
    None,
    /// A number.
    Int,
    /// An offset from the next instruction.
    Offset,
    /// An index in the class table.
    Class,
    /// An index in the name table.
    Name,
    /// An index in the name table and a number of arguments.
    Send,
}

impl Operand {
    /// How many bytes the operands take.
    pub fn size(self) -> usize {
        match self {
            Operand::None => 0,
            Operand::Send => 2,
            _ => 1,
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opcode {
    /// The byte.
    pub number: u8,
    /// The assembler's word for it.
    pub mnemonic: &'static str,
    /// The operand that follows it.
    pub operand: Operand,
}

const fn row(number: u8, mnemonic: &'static str, operand: Operand) -> Opcode {
    Opcode {
        number,
        mnemonic,
        operand,
    }
}

/// Every opcode.
pub const TABLE: &[Opcode] = &[
    row(NOP, "NOP", Operand::None),
    row(PUSH, "PUSH", Operand::Int),
    row(POP, "POP", Operand::None),
    row(SWAP, "SWAP", Operand::None),
    row(ROLL, "ROLL", Operand::Int),
    row(PICK, "PICK", Operand::Int),
    row(PUT, "PUT", Operand::Int),
    row(ADD, "ADD", Operand::None),
    row(SUB, "SUB", Operand::None),
    row(MUL, "MUL", Operand::None),
    row(DIV, "DIV", Operand::None),
    row(EQ, "EQ", Operand::None),
    row(NE, "NE", Operand::None),
    row(LT, "LT", Operand::None),
    row(LE, "LE", Operand::None),
    row(GT, "GT", Operand::None),
    row(GE, "GE", Operand::None),
    row(BR_COND, "BR_COND", Operand::Offset),
    row(BR_COND_STK, "BR_COND_STK", Operand::None),
    row(CALL, "CALL", Operand::Offset),
    row(RETURN, "RETURN", Operand::None),
    row(PUSHARG, "PUSHARG", Operand::None),
    row(INVALID, "INVALID", Operand::None),
    row(NIL, "NIL", Operand::None),
    row(CONS, "CONS", Operand::None),
    row(CAR, "CAR", Operand::None),
    row(CDR, "CDR", Operand::None),
    row(NEW, "NEW", Operand::Class),
    row(GETATTR, "GETATTR", Operand::Name),
    row(SETATTR, "SETATTR", Operand::Name),
    row(SEND, "SEND", Operand::Send),
    row(PUSHARGN, "PUSHARGN", Operand::Int),
    row(PRINT, "PRINT", Operand::None),
    row(DUMP, "DUMP", Operand::None),
    row(BR, "BR", Operand::Offset),
];

/// The row of an opcode byte.
pub fn by_number(number: u8) -> Option<Opcode> {
    let index = usize::from(number).checked_sub(1)?;
    TABLE.get(index).copied()
}

/// The row of a mnemonic.
pub fn by_mnemonic(mnemonic: &str) -> Option<Opcode> {
    TABLE.iter().find(|row| row.mnemonic == mnemonic).copied()
}

/// The word for a byte in messages: its mnemonic, or its number.
pub fn describe(number: u8) -> String {
    match by_number(number) {
        Some(row) => row.mnemonic.to_string(),
        None => format!("opcode {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_dense_and_its_names_are_unique() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(usize::from(row.number), index + 1, "{}", row.mnemonic);
            assert_eq!(by_number(row.number), Some(*row));
            assert_eq!(by_mnemonic(row.mnemonic), Some(*row));
        }
        assert_eq!(TABLE.len(), usize::from(BR));
        assert_eq!(by_number(0), None);
        assert_eq!(by_number(BR + 1), None);
    }
}
