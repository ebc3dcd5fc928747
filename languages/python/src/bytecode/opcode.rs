//! Instructions: one word each. In: operands. Out: words, operands again, and the table that the
//! disassembler prints by. Invariant: an instruction is one load; what it does depends on its word
//! alone, so that in a trace nothing of it is left.
//!
//! Bits 0 to 7 are the operation, 8 to 23 `a`, 24 to 39 `b`, 40 to 63 `c`. `R` are the registers of
//! the frame; a jump's goal is a pc. Where two numbers share `c`, the register has its lower 16
//! bits and the kind the upper 8.

/// The largest number of a register.
pub const MAX_REGISTER: usize = 0xffff;
/// The largest operand `c`.
pub const MAX_C: usize = 0xff_ffff;

/// Packs an instruction, whose operands fit.
pub fn pack(op: u8, a: usize, b: usize, c: usize) -> u64 {
    debug_assert!(a <= MAX_REGISTER && b <= MAX_REGISTER && c <= MAX_C);
    u64::from(op) | (a as u64) << 8 | (b as u64) << 24 | (c as u64) << 40
}

/// The operation.
#[inline(always)]
pub fn op(word: u64) -> u8 {
    word as u8
}

/// The operand `a`.
#[inline(always)]
pub fn a(word: u64) -> usize {
    ((word >> 8) & 0xffff) as usize
}

/// The operand `b`.
#[inline(always)]
pub fn b(word: u64) -> usize {
    ((word >> 24) & 0xffff) as usize
}

/// The operand `c`.
#[inline(always)]
pub fn c(word: u64) -> usize {
    (word >> 40) as usize
}

/// The operand `c` as a number with a sign.
#[inline(always)]
pub fn signed_c(word: u64) -> i64 {
    (word as i64) >> 40
}

/// The register in `c`.
#[inline(always)]
pub fn c_register(word: u64) -> usize {
    ((word >> 40) & 0xffff) as usize
}

/// The kind in `c`.
#[inline(always)]
pub fn c_kind(word: u64) -> usize {
    (word >> 56) as usize
}

/// What the operands of an operation are, for the disassembler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As many of the three as the number says, in order.
    Plain(usize),
    /// Registers and a number with a sign in `c`.
    Signed,
    /// As many of `a` and `b` as the number says, and a pc in `c`.
    Jump(usize),
    /// `a`, and a constant in `c`.
    Const,
    /// As many of `a` and `b` as the number says, and a name in `c`.
    Name(usize),
    /// `a`, and a global in `c`.
    Global,
    /// Two registers, and a register and a kind in `c`.
    Kind,
}

macro_rules! operations {
    ($($name:ident = $number:literal, $form:expr, $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: u8 = $number;
        )*

        /// All operations in the order of their numbers: name and form.
        pub const TABLE: &[(&str, Form)] = &[$((stringify!($name), $form)),*];
    };
}

operations! {
    MOVE = 0, Form::Plain(2), "R[a] = R[b].";
    CONST = 1, Form::Const, "R[a] = consts[c].";
    UNBIND = 2, Form::Plain(1), "R[a] has no value.";
    CHECK = 3, Form::Name(1), "fails unless R[a], the variable names[c], has a value; b: 1 if it is free.";
    LOAD_GLOBAL = 4, Form::Global, "R[a] = globals[c], or the builtin of the name.";
    STORE_GLOBAL = 5, Form::Global, "globals[c] = R[a].";
    DEL_GLOBAL = 6, Form::Global, "globals[c] has no value.";
    LOAD_NAME = 7, Form::Global, "R[a] = the name of globals[c] in the namespace register 0, or as LOAD_GLOBAL.";
    STORE_NAME = 8, Form::Name(1), "names[c] in the namespace register 0 = R[a].";
    DEL_NAME = 9, Form::Name(1), "names[c] is no longer in the namespace register 0.";
    NEW_CELL = 10, Form::Plain(2), "R[a] = a new shared variable that holds R[b].";
    LOAD_CELL = 11, Form::Plain(2), "R[a] = what the shared variable R[b] holds.";
    STORE_CELL = 12, Form::Plain(2), "the shared variable R[a] holds R[b].";
    LOAD_FREE = 13, Form::Plain(2), "R[a] = what variable b of the function holds.";
    STORE_FREE = 14, Form::Plain(2), "variable b of the function holds R[a].";
    GET_ATTR = 15, Form::Name(2), "R[a] = R[b].names[c].";
    SET_ATTR = 16, Form::Name(2), "R[a].names[c] = R[b].";
    DEL_ATTR = 17, Form::Name(1), "del R[a].names[c].";
    METHOD = 18, Form::Name(2), "R[a], R[a + 1] = the function and object of R[b].names[c], or the attribute and nothing.";
    GET_ITEM = 19, Form::Plain(3), "R[a] = R[b][R[c]].";
    SET_ITEM = 20, Form::Plain(3), "R[a][R[b]] = R[c].";
    DEL_ITEM = 21, Form::Plain(2), "del R[a][R[b]].";
    SLICE = 22, Form::Plain(2), "R[a] = slice(R[b], R[b + 1], R[b + 2]).";
    ADD = 23, Form::Plain(3), "R[a] = R[b] + R[c].";
    SUB = 24, Form::Plain(3), "R[a] = R[b] - R[c].";
    MUL = 25, Form::Plain(3), "R[a] = R[b] * R[c].";
    DIV = 26, Form::Plain(3), "R[a] = R[b] / R[c].";
    FLOOR_DIV = 27, Form::Plain(3), "R[a] = R[b] // R[c].";
    MOD = 28, Form::Plain(3), "R[a] = R[b] % R[c].";
    BINARY = 29, Form::Kind, "R[a] = R[b] op R[c].";
    INPLACE = 30, Form::Kind, "R[a] = R[b] op= R[c].";
    ADD_INT = 31, Form::Signed, "R[a] = R[b] + c.";
    NEG = 32, Form::Plain(2), "R[a] = -R[b].";
    POS = 33, Form::Plain(2), "R[a] = +R[b].";
    INVERT = 34, Form::Plain(2), "R[a] = ~R[b].";
    NOT = 35, Form::Plain(2), "R[a] = not R[b].";
    COMPARE = 36, Form::Kind, "R[a] = R[b] op R[c].";
    JUMP = 37, Form::Jump(0), "goes to c.";
    LOOP = 38, Form::Jump(0), "goes back to c.";
    IF = 39, Form::Jump(1), "goes to c if R[a] is true.";
    UNLESS = 40, Form::Jump(1), "goes to c unless R[a] is true.";
    UNLESS_LT = 41, Form::Jump(2), "goes to c unless R[a] < R[b].";
    UNLESS_LE = 42, Form::Jump(2), "goes to c unless R[a] <= R[b].";
    UNLESS_EQ = 43, Form::Jump(2), "goes to c unless R[a] == R[b].";
    UNLESS_NE = 44, Form::Jump(2), "goes to c unless R[a] != R[b].";
    UNLESS_GT = 45, Form::Jump(2), "goes to c unless R[a] > R[b].";
    UNLESS_GE = 46, Form::Jump(2), "goes to c unless R[a] >= R[b].";
    IF_NONE = 47, Form::Jump(1), "goes to c if R[a] is None.";
    UNLESS_NONE = 48, Form::Jump(1), "goes to c unless R[a] is None.";
    CALL = 49, Form::Plain(3), "R[a] = R[a](R[a + 1], .. b of them), the last with the names consts[c - 1] if c is not 0.";
    CALL_METHOD = 50, Form::Plain(3), "as CALL of R[a] with R[a + 1], if there is something, and b registers behind it.";
    CALL_LIST = 51, Form::Plain(1), "R[a] = R[a](*R[a + 1], **R[a + 2]).";
    RETURN = 52, Form::Plain(1), "returns R[a].";
    LIST = 53, Form::Plain(3), "R[a] = [R[b], .. c of them].";
    TUPLE = 54, Form::Plain(3), "R[a] = (R[b], .. c of them).";
    SET = 55, Form::Plain(3), "R[a] = {R[b], .. c of them}.";
    DICT = 56, Form::Plain(1), "R[a] = {}.";
    LIST_APPEND = 57, Form::Plain(2), "R[a].append(R[b]) of a list.";
    LIST_EXTEND = 58, Form::Plain(2), "R[a].extend(R[b]) of a list.";
    TO_TUPLE = 59, Form::Plain(2), "R[a] = tuple(R[b]).";
    SET_ADD = 60, Form::Plain(2), "R[a].add(R[b]) of a set.";
    SET_UPDATE = 61, Form::Plain(2), "R[a].update(R[b]) of a set.";
    DICT_PUT = 62, Form::Plain(3), "R[a][R[b]] = R[c] of a dict.";
    DICT_MERGE = 63, Form::Plain(3), "R[a].update(R[b]) of a dict; c: 1 if the keys are keywords of a call of R[a - 2].";
    UNPACK = 64, Form::Plain(3), "R[a], .. c of them = R[b].";
    UNPACK_STAR = 65, Form::Plain(3), "the same with a list among them: c is how many before it, and 256 times how many behind.";
    FORMAT = 66, Form::Plain(3), "R[a] = format(R[b], R[b + 1]), converted first as c says: 0 not, 1 str, 2 repr, 3 ascii.";
    JOIN = 67, Form::Plain(3), "R[a] = the text of the strings R[b], .. c of them.";
    ITER = 68, Form::Plain(2), "R[a] = iter(R[b]).";
    FOR = 69, Form::Jump(2), "R[a] = next(R[b]), or goes to c if there is none.";
    FUNCTION = 70, Form::Plain(3), "R[a] = a function of protos[c] with the defaults R[a] and R[a + 1], and R[a + 2] if b is 1.";
    CLASS = 71, Form::Name(1), "R[a] = the class names[c] with the body R[a], the bases R[a + 1] and keywords R[a + 2].";
    RAISE = 72, Form::Plain(3), "raises R[a]; c: 1 if from R[b].";
    RERAISE = 73, Form::Plain(1), "raises the exception R[a] once more.";
    RAISE_HANDLED = 74, Form::Plain(0), "raises the exception that is handled once more.";
    PUSH_EXC = 75, Form::Plain(2), "R[a] = what is handled; R[b] is handled from here.";
    POP_EXC = 76, Form::Plain(1), "R[a] is what is handled from here.";
    UNLESS_MATCH = 77, Form::Jump(2), "goes to c unless the exception R[a] matches R[b].";
    SPECIAL = 78, Form::Name(2), "R[a], R[a + 1] = the method names[c] of the type of R[b], for `with`, and R[b].";
    IMPORT = 79, Form::Name(2), "R[a] = the module names[c], its top if b is 1.";
    IMPORT_FROM = 80, Form::Name(2), "R[a] = names[c] of the module R[b].";
    YIELD = 81, Form::Plain(1), "leaves R[a] to who has asked for it.";
    RESUMED = 82, Form::Plain(3), "goes on with what was sent in R[a]; raises R[b] if it was thrown; c: 1 behind a yield of an asynchronous generator, 2 where something else is asked, and 4 more in a handler.";
    SEND = 83, Form::Jump(2), "R[a] = R[b].send(R[a]), or goes to c with what it returns in R[a].";
    THROW = 84, Form::Jump(2), "R[a] = R[b].throw(R[a]), or goes to c with what it returns in R[a].";
    ASSERTION = 85, Form::Plain(3), "raises an AssertionError, with R[a] if b is 1.";
    MATCH_SEQUENCE = 86, Form::Plain(3), "R[a] = whether R[b] is a sequence of c / 2 items, or more if c is odd.";
    MATCH_KEYS = 87, Form::Plain(2), "R[a] = the values of the keys R[a] of the mapping R[b], or None.";
    MATCH_REST = 88, Form::Plain(3), "R[a] = a dict of the mapping R[b] without the keys R[c].";
    MATCH_CLASS = 89, Form::Plain(3), "R[a] = c parts and the attributes R[a + 1] of R[b], if it is an R[a], or None.";
    IMPORT_STAR = 90, Form::Plain(1), "all public names of the module R[a] are globals.";
    SCOPE = 91, Form::Plain(1), "R[a], if it is a builtin such as `locals`, is called next about the variables here.";
    AWAITABLE = 92, Form::Plain(3), "R[a] = what `await R[b]` asks; c: 1 if R[b] is what __aenter__ returned, 2 __aexit__.";
    AITER = 93, Form::Plain(2), "R[a] = aiter(R[b]).";
    ANEXT = 94, Form::Plain(2), "R[a] = what is asked for the next item of R[b].";
    END_ASYNC = 95, Form::Jump(1), "goes to c if R[a] is a StopAsyncIteration, or raises it once more.";
    DISPLAY = 96, Form::Plain(1), "shows R[a] as the dialogue does.";
}

/// In `c` of `RESUMED`: behind a `yield`.
pub const AFTER_YIELD: usize = 0;
/// In `c` of `RESUMED`: behind a `yield` of an asynchronous generator.
pub const AFTER_ASYNC_YIELD: usize = 1;
/// In `c` of `RESUMED`: where something else is asked, by `yield from` or `await`.
pub const WHILE_ASKING: usize = 2;
/// A bit in `c` of `RESUMED`: an exception is handled there.
pub const HANDLING: usize = 4;

/// Which of these a `RESUMED` is, without the bit.
#[inline(always)]
pub fn waits_for(word: u64) -> usize {
    c(word) & (HANDLING - 1)
}

/// `+`
pub const OP_ADD: usize = 0;
/// `-`
pub const OP_SUB: usize = 1;
/// `*`
pub const OP_MUL: usize = 2;
/// `/`
pub const OP_DIV: usize = 3;
/// `//`
pub const OP_FLOOR_DIV: usize = 4;
/// `%`
pub const OP_MOD: usize = 5;
/// `**`
pub const OP_POW: usize = 6;
/// `<<`
pub const OP_SHL: usize = 7;
/// `>>`
pub const OP_SHR: usize = 8;
/// `&`
pub const OP_AND: usize = 9;
/// `|`
pub const OP_OR: usize = 10;
/// `^`
pub const OP_XOR: usize = 11;
/// `@`
pub const OP_MATMUL: usize = 12;

/// The signs of these, as messages show them.
pub const SIGNS: [&str; 13] = [
    "+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@",
];

/// `<`
pub const CMP_LT: usize = 0;
/// `<=`
pub const CMP_LE: usize = 1;
/// `==`
pub const CMP_EQ: usize = 2;
/// `!=`
pub const CMP_NE: usize = 3;
/// `>`
pub const CMP_GT: usize = 4;
/// `>=`
pub const CMP_GE: usize = 5;
/// `is`
pub const CMP_IS: usize = 6;
/// `is not`
pub const CMP_IS_NOT: usize = 7;
/// `in`
pub const CMP_IN: usize = 8;
/// `not in`
pub const CMP_NOT_IN: usize = 9;

/// The signs of comparisons.
pub const COMPARISONS: [&str; 10] = [
    "<", "<=", "==", "!=", ">", ">=", "is", "is not", "in", "not in",
];
