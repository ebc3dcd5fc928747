//! Instructions: one word each. In: operands. Out: words, and operands again. Invariant: an
//! instruction is one load; what it does depends on its word alone, so that in a trace nothing of
//! it is left.
//!
//! Bits 0 to 7 are the operation, 8 to 15 `a`, 16 to 31 `b`, 32 to 63 `c`. `R` are the registers; a
//! jump's goal is a pc.

/// Packs an instruction.
pub fn pack(op: u8, a: usize, b: usize, c: u32) -> u64 {
    assert!(
        a < 1 << 8 && b < 1 << 16,
        "the compiler has checked that operands fit"
    );
    u64::from(op) | (a as u64) << 8 | (b as u64) << 16 | u64::from(c) << 32
}

/// The operation.
#[inline(always)]
pub fn op(word: u64) -> u8 {
    word as u8
}

/// The operand `a`.
#[inline(always)]
pub fn a(word: u64) -> usize {
    ((word >> 8) & 0xff) as usize
}

/// The operand `b`.
#[inline(always)]
pub fn b(word: u64) -> usize {
    ((word >> 16) & 0xffff) as usize
}

/// The operand `b` as a number with a sign.
#[inline(always)]
pub fn signed_b(word: u64) -> i64 {
    i64::from((word >> 16) as u16 as i16)
}

/// The operand `c`.
#[inline(always)]
pub fn c(word: u64) -> usize {
    (word >> 32) as usize
}

/// The operand `c` as a number with a sign.
#[inline(always)]
pub fn signed_c(word: u64) -> i64 {
    (word as i64) >> 32
}

/// Whether an operation calls a value.
pub fn is_call(op: u8) -> bool {
    matches!(op, CALL..=TAIL_LIST | FOR_IN)
}

/// Whether an operation calls a value that takes the place of the function.
pub fn is_tail_call(op: u8) -> bool {
    matches!(op, TAIL_CALL | TAIL_LIST)
}

/// R[a] = R[b].
pub const MOVE: u8 = 0;
/// R[a] = nil.
pub const NIL: u8 = 1;
/// R[a] = true.
pub const TRUE: u8 = 2;
/// R[a] = false.
pub const FALSE: u8 = 3;
/// R[a] = c, a number with a sign.
pub const INT: u8 = 4;
/// R[a] = ints[c].
pub const LONG: u8 = 5;
/// R[a] = floats[c].
pub const FLOAT: u8 = 6;
/// R[a] = strings[c].
pub const STRING: u8 = 7;
/// R[a] = globals[c].
pub const GET_GLOBAL: u8 = 8;
/// globals[c] = R[a].
pub const SET_GLOBAL: u8 = 9;
/// R[a] = the environment of the chunk.
pub const ENVIRONMENT: u8 = 10;
/// R[a] = values[c] of the closure.
pub const GET_CAPTURED: u8 = 11;
/// R[a] = shared[c] of the closure.
pub const GET_SHARED: u8 = 12;
/// shared[c] of the closure = R[a].
pub const SET_SHARED: u8 = 13;
/// R[a] = the closure.
pub const ITSELF: u8 = 14;
/// R[a] = a new shared variable that holds R[b].
pub const SHARE: u8 = 15;
/// R[a] = what the shared variable R[b] holds.
pub const LOAD_SHARED: u8 = 16;
/// the shared variable R[a] holds R[b] from now on.
pub const STORE_SHARED: u8 = 17;
/// R[a] = R[b][strings[c]].
pub const GET_FIELD: u8 = 18;
/// R[a][strings[b]] = R[c].
pub const SET_FIELD: u8 = 19;
/// R[a] = R[b][R[c]].
pub const GET_INDEX: u8 = 20;
/// R[a][R[b]] = R[c].
pub const SET_INDEX: u8 = 21;
/// R[a] = R[b][c].
pub const GET_ITEM: u8 = 22;
/// R[a][b] = R[c].
pub const SET_ITEM: u8 = 23;
/// R[a + 1] = R[b], R[a] = R[b][strings[c]].
pub const METHOD: u8 = 24;
/// R[a] = a new table of shapes[b] with room for c items.
pub const TABLE: u8 = 25;
/// field b of the new table R[a] = R[c].
pub const INIT_FIELD: u8 = 26;
/// items from c on of the new table R[a] = R[a + 1], .. R[a + b].
pub const INIT_ITEMS: u8 = 27;
/// as INIT_ITEMS, and behind them all of the list R[a + b + 1].
pub const INIT_OPEN: u8 = 28;
/// R[a] = a closure of protos[c].
pub const CLOSURE: u8 = 29;
/// R[a] = R[b] + R[c].
pub const ADD: u8 = 30;
/// R[a] = R[b] - R[c].
pub const SUB: u8 = 31;
/// R[a] = R[b] * R[c].
pub const MUL: u8 = 32;
/// R[a] = R[b] / R[c].
pub const DIV: u8 = 33;
/// R[a] = R[b] % R[c].
pub const MOD: u8 = 34;
/// R[a] = R[b] ^ R[c].
pub const POW: u8 = 35;
/// R[a] = R[b] // R[c].
pub const IDIV: u8 = 36;
/// R[a] = R[b] & R[c].
pub const BAND: u8 = 37;
/// R[a] = R[b] | R[c].
pub const BOR: u8 = 38;
/// R[a] = R[b] ~ R[c].
pub const BXOR: u8 = 39;
/// R[a] = R[b] << R[c].
pub const SHL: u8 = 40;
/// R[a] = R[b] >> R[c].
pub const SHR: u8 = 41;
/// R[a] = R[b] + c.
pub const ADD_INT: u8 = 42;
/// R[a] = R[b] + -c, as in PUC Lua: `-0.0 - 0` is 0.0, but -0.0 where the 0 is in a register.
pub const SUB_INT: u8 = 43;
/// R[a] = R[b] * c.
pub const MUL_INT: u8 = 44;
/// R[a] = R[b] % c.
pub const MOD_INT: u8 = 45;
/// R[a] = R[b] // c.
pub const IDIV_INT: u8 = 46;
/// R[a] = R[b] + floats[c].
pub const ADD_FLOAT: u8 = 47;
/// R[a] = R[b] - floats[c].
pub const SUB_FLOAT: u8 = 48;
/// R[a] = R[b] * floats[c].
pub const MUL_FLOAT: u8 = 49;
/// R[a] = R[b] / floats[c].
pub const DIV_FLOAT: u8 = 50;
/// R[a] = -R[b].
pub const NEG: u8 = 51;
/// R[a] = ~R[b].
pub const BNOT: u8 = 52;
/// R[a] = not R[b].
pub const NOT: u8 = 53;
/// R[a] = #R[b].
pub const LEN: u8 = 54;
/// R[a] = R[b] .. R[b + 1] .. of c values.
pub const CONCAT: u8 = 55;
/// goes to c.
pub const JUMP: u8 = 56;
/// goes back to c.
pub const LOOP: u8 = 57;
/// goes to c if R[a] holds.
pub const IF: u8 = 58;
/// goes to c unless R[a] holds.
pub const UNLESS: u8 = 59;
/// goes to c if R[a] == R[b].
pub const IF_EQ: u8 = 60;
/// goes to c unless R[a] == R[b].
pub const UNLESS_EQ: u8 = 61;
/// goes to c if R[a] < R[b].
pub const IF_LT: u8 = 62;
/// goes to c unless R[a] < R[b].
pub const UNLESS_LT: u8 = 63;
/// goes to c if R[a] <= R[b].
pub const IF_LE: u8 = 64;
/// goes to c unless R[a] <= R[b].
pub const UNLESS_LE: u8 = 65;
/// goes to c if R[a] == b, a number with a sign.
pub const IF_EQ_INT: u8 = 66;
/// goes to c unless R[a] == b.
pub const UNLESS_EQ_INT: u8 = 67;
/// goes to c if R[a] < b.
pub const IF_LT_INT: u8 = 68;
/// goes to c unless R[a] < b.
pub const UNLESS_LT_INT: u8 = 69;
/// goes to c if R[a] <= b.
pub const IF_LE_INT: u8 = 70;
/// goes to c unless R[a] <= b.
pub const UNLESS_LE_INT: u8 = 71;
/// goes to c if R[a] > b.
pub const IF_GT_INT: u8 = 72;
/// goes to c unless R[a] > b.
pub const UNLESS_GT_INT: u8 = 73;
/// goes to c if R[a] >= b.
pub const IF_GE_INT: u8 = 74;
/// goes to c unless R[a] >= b.
pub const UNLESS_GE_INT: u8 = 75;
/// goes to c if R[a] == strings[b].
pub const IF_EQ_STRING: u8 = 76;
/// goes to c unless R[a] == strings[b].
pub const UNLESS_EQ_STRING: u8 = 77;
/// goes to c if R[a] == nil.
pub const IF_NIL: u8 = 78;
/// goes to c unless R[a] == nil.
pub const UNLESS_NIL: u8 = 79;
/// begins a loop from R[a] to R[a + 1] by R[a + 2]; goes to c if there is no turn.
pub const FOR_PREPARE: u8 = 80;
/// the next turn of a loop by 1: goes back to c, unless it was the last.
pub const FOR_ONE: u8 = 81;
/// the next turn of a loop by another step: goes back to c, unless it was the last.
pub const FOR_LOOP: u8 = 82;
/// calls the iterator R[a] with R[a + 1] and R[a + 2] for b variables from R[a + 5] on; goes back
/// to c unless the first is nil.
pub const FOR_IN: u8 = 83;
/// R[a] = the first result of R[a](R[a + 1], .. R[a + b]).
pub const CALL: u8 = 84;
/// R[a], .. = c - 1 results, or if c is 0 the list of all in R[a], of R[a](R[a + 1], .. R[a + b]).
pub const CALL_OPEN: u8 = 85;
/// as CALL_OPEN, with the list R[a + b + 1] behind the arguments.
pub const CALL_LIST: u8 = 86;
/// returns what R[a](R[a + 1], .. R[a + b]) returns.
pub const TAIL_CALL: u8 = 87;
/// as TAIL_CALL, with the list R[a + b + 1] behind the arguments.
pub const TAIL_LIST: u8 = 88;
/// returns R[a], .. of b values.
pub const RETURN: u8 = 89;
/// returns R[a], .. of b values and the list behind them.
pub const RETURN_LIST: u8 = 90;
/// returns nothing.
pub const RETURN_NOTHING: u8 = 91;
/// returns R[a].
pub const RETURN_ONE: u8 = 92;
/// R[a], .. = c - 1 values, or if c is 0 the list of all in R[a], of the list R[b].
pub const VARARGS: u8 = 93;
/// an error unless R[a] can be closed.
pub const CHECK_CLOSE: u8 = 94;
/// closes R[a].
pub const CLOSE: u8 = 95;
/// notes that the next instruction is a call that asks where it is, if b is 1 with its registers.
pub const HERE: u8 = 96;
/// R[a] and all registers behind it = nil: the next call may collect what they refer to.
pub const FORGET: u8 = 97;

/// The names of the operations, by their numbers.
pub const NAMES: [&str; 98] = [
    "MOVE",
    "NIL",
    "TRUE",
    "FALSE",
    "INT",
    "LONG",
    "FLOAT",
    "STRING",
    "GET_GLOBAL",
    "SET_GLOBAL",
    "ENVIRONMENT",
    "GET_CAPTURED",
    "GET_SHARED",
    "SET_SHARED",
    "ITSELF",
    "SHARE",
    "LOAD_SHARED",
    "STORE_SHARED",
    "GET_FIELD",
    "SET_FIELD",
    "GET_INDEX",
    "SET_INDEX",
    "GET_ITEM",
    "SET_ITEM",
    "METHOD",
    "TABLE",
    "INIT_FIELD",
    "INIT_ITEMS",
    "INIT_OPEN",
    "CLOSURE",
    "ADD",
    "SUB",
    "MUL",
    "DIV",
    "MOD",
    "POW",
    "IDIV",
    "BAND",
    "BOR",
    "BXOR",
    "SHL",
    "SHR",
    "ADD_INT",
    "SUB_INT",
    "MUL_INT",
    "MOD_INT",
    "IDIV_INT",
    "ADD_FLOAT",
    "SUB_FLOAT",
    "MUL_FLOAT",
    "DIV_FLOAT",
    "NEG",
    "BNOT",
    "NOT",
    "LEN",
    "CONCAT",
    "JUMP",
    "LOOP",
    "IF",
    "UNLESS",
    "IF_EQ",
    "UNLESS_EQ",
    "IF_LT",
    "UNLESS_LT",
    "IF_LE",
    "UNLESS_LE",
    "IF_EQ_INT",
    "UNLESS_EQ_INT",
    "IF_LT_INT",
    "UNLESS_LT_INT",
    "IF_LE_INT",
    "UNLESS_LE_INT",
    "IF_GT_INT",
    "UNLESS_GT_INT",
    "IF_GE_INT",
    "UNLESS_GE_INT",
    "IF_EQ_STRING",
    "UNLESS_EQ_STRING",
    "IF_NIL",
    "UNLESS_NIL",
    "FOR_PREPARE",
    "FOR_ONE",
    "FOR_LOOP",
    "FOR_IN",
    "CALL",
    "CALL_OPEN",
    "CALL_LIST",
    "TAIL_CALL",
    "TAIL_LIST",
    "RETURN",
    "RETURN_LIST",
    "RETURN_NOTHING",
    "RETURN_ONE",
    "VARARGS",
    "CHECK_CLOSE",
    "CLOSE",
    "HERE",
    "FORGET",
];
