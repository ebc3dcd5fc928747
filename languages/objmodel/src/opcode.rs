//! The instruction set. One constant per opcode, which the interpreter matches
//! on, and one table row per opcode, which compiler and disassembler read. Invariant: [`TABLE`] is
//! sorted by number and names every constant exactly once (tested below); an instruction is an
//! opcode byte and its operands, two-byte ones with the low byte first.

/// Pushes a constant.
pub const CONST: u8 = 0;
/// Pushes nil.
pub const NIL: u8 = 1;
/// Pushes a local variable.
pub const LOAD: u8 = 2;
/// Pops a value into a local variable.
pub const STORE: u8 = 3;
/// Drops the top.
pub const POP: u8 = 4;
/// Pushes the top again.
pub const DUP: u8 = 5;
/// Sum.
pub const ADD: u8 = 6;
/// Difference.
pub const SUB: u8 = 7;
/// Product.
pub const MUL: u8 = 8;
/// Quotient, rounded down.
pub const DIV: u8 = 9;
/// Remainder, with the sign of the divisor.
pub const MOD: u8 = 10;
/// Less than.
pub const LT: u8 = 11;
/// Less or equal.
pub const LE: u8 = 12;
/// Greater than.
pub const GT: u8 = 13;
/// Greater or equal.
pub const GE: u8 = 14;
/// Equality.
pub const EQ: u8 = 15;
/// Inequality.
pub const NE: u8 = 16;
/// Changes the sign.
pub const NEG: u8 = 17;
/// 1 if the top is false, otherwise 0.
pub const NOT: u8 = 18;
/// Goes forward.
pub const JUMP: u8 = 19;
/// Goes back to where a loop begins.
pub const LOOP: u8 = 20;
/// Pops a condition, goes forward if it is false.
pub const JUMP_IF_FALSE: u8 = 21;
/// Goes forward if the top is false, otherwise pops it.
pub const JUMP_IF_FALSE_OR_POP: u8 = 22;
/// Goes forward if the top is true, otherwise pops it.
pub const JUMP_IF_TRUE_OR_POP: u8 = 23;
/// Replaces an object by one of its attributes.
pub const GETATTR: u8 = 24;
/// Pops a value, then an object, and writes an attribute.
pub const SETATTR: u8 = 25;
/// Pops arguments and an object, and calls a method of it.
pub const SEND: u8 = 26;
/// Pops arguments and a function, and calls it.
pub const CALL: u8 = 27;
/// Replaces a class by a new instance of it.
pub const INSTANTIATE: u8 = 28;
/// Leaves the function with the top as result.
pub const RETURN: u8 = 29;
/// Pops values and prints them in one line.
pub const PRINT: u8 = 30;

/// The kind of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A constant's number: two bytes.
    Const,
    /// A name's number: two bytes.
    Name,
    /// A place in the code: two bytes.
    Target,
    /// A local variable: one byte.
    Local,
    /// How many values: one byte.
    Count,
}

impl Operand {
    /// How many bytes it takes.
    pub fn size(self) -> usize {
        match self {
            Operand::Const | Operand::Name | Operand::Target => 2,
            Operand::Local | Operand::Count => 1,
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opcode {
    /// The byte.
    pub number: u8,
    /// Its name in listings.
    pub mnemonic: &'static str,
    /// The operands that follow it.
    pub operands: &'static [Operand],
    /// How many values it takes from the stack and how many it leaves there, without those that a
    /// count adds to the former. A conditional jump that may leave its condition counts as if it
    /// did not.
    pub effect: (usize, usize),
}

impl Opcode {
    /// The bytes of the instruction.
    pub fn size(&self) -> usize {
        1 + self.operands.iter().map(|o| o.size()).sum::<usize>()
    }
}

const fn row(
    number: u8,
    mnemonic: &'static str,
    operands: &'static [Operand],
    effect: (usize, usize),
) -> Opcode {
    Opcode {
        number,
        mnemonic,
        operands,
        effect,
    }
}

/// Every opcode.
pub const TABLE: &[Opcode] = &[
    row(CONST, "CONST", &[Operand::Const], (0, 1)),
    row(NIL, "NIL", &[], (0, 1)),
    row(LOAD, "LOAD", &[Operand::Local], (0, 1)),
    row(STORE, "STORE", &[Operand::Local], (1, 0)),
    row(POP, "POP", &[], (1, 0)),
    row(DUP, "DUP", &[], (1, 2)),
    row(ADD, "ADD", &[], (2, 1)),
    row(SUB, "SUB", &[], (2, 1)),
    row(MUL, "MUL", &[], (2, 1)),
    row(DIV, "DIV", &[], (2, 1)),
    row(MOD, "MOD", &[], (2, 1)),
    row(LT, "LT", &[], (2, 1)),
    row(LE, "LE", &[], (2, 1)),
    row(GT, "GT", &[], (2, 1)),
    row(GE, "GE", &[], (2, 1)),
    row(EQ, "EQ", &[], (2, 1)),
    row(NE, "NE", &[], (2, 1)),
    row(NEG, "NEG", &[], (1, 1)),
    row(NOT, "NOT", &[], (1, 1)),
    row(JUMP, "JUMP", &[Operand::Target], (0, 0)),
    row(LOOP, "LOOP", &[Operand::Target], (0, 0)),
    row(JUMP_IF_FALSE, "JUMP_IF_FALSE", &[Operand::Target], (1, 0)),
    row(
        JUMP_IF_FALSE_OR_POP,
        "JUMP_IF_FALSE_OR_POP",
        &[Operand::Target],
        (1, 0),
    ),
    row(
        JUMP_IF_TRUE_OR_POP,
        "JUMP_IF_TRUE_OR_POP",
        &[Operand::Target],
        (1, 0),
    ),
    row(GETATTR, "GETATTR", &[Operand::Name], (1, 1)),
    row(SETATTR, "SETATTR", &[Operand::Name], (2, 0)),
    row(SEND, "SEND", &[Operand::Name, Operand::Count], (1, 1)),
    row(CALL, "CALL", &[Operand::Count], (1, 1)),
    row(INSTANTIATE, "INSTANTIATE", &[], (1, 1)),
    row(RETURN, "RETURN", &[], (1, 0)),
    row(PRINT, "PRINT", &[Operand::Count], (0, 0)),
];

/// The row of an opcode byte.
pub fn by_number(number: u8) -> Option<&'static Opcode> {
    TABLE.get(usize::from(number))
}

/// The name in messages of an opcode byte's operation.
pub fn describe(number: u8) -> &'static str {
    match number {
        ADD => "`+`",
        SUB | NEG => "`-`",
        MUL => "`*`",
        DIV => "`/`",
        MOD => "`%`",
        LT => "`<`",
        LE => "`<=`",
        GT => "`>`",
        GE => "`>=`",
        _ => by_number(number).map_or("the operation", |row| row.mnemonic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_dense_and_its_names_are_unique() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(usize::from(row.number), index, "{}", row.mnemonic);
            let same = TABLE.iter().filter(|other| other.mnemonic == row.mnemonic);
            assert_eq!(same.count(), 1, "{}", row.mnemonic);
        }
        assert_eq!(by_number(PRINT + 1), None);
    }
}
