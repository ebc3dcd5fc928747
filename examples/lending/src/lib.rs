//! A reporting machine: guest programs count and write lines to a journal that is ordinary Rust
//! data. In: a program, the journal, the words that lines begin with. Out: the last value, and the
//! largest if there was one. Invariant: traced code hands the journal on and never looks into it.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use verdigris::prelude::*;

verdigris::include_jit!();

/// The output of the machine.
#[derive(Default, Debug, PartialEq)]
pub struct Journal {
    /// The lines.
    pub lines: Vec<String>,
    /// How often each word was written.
    pub counts: BTreeMap<String, u64>,
}

/// A value of the guest.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    Nothing,
    Int(i64),
    Boxed(Gc<Boxed>),
}

#[gc]
#[derive(Debug)]
pub struct Boxed {
    pub value: i64,
    pub seen: Cell<i64>,
}

/// How a run ends.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct End {
    pub last: Value,
    pub largest: i64,
    pub any: bool,
}

pub const ADD: u8 = 0;
pub const REPORT: u8 = 1;
pub const BOX: u8 = 2;
pub const OPEN: u8 = 3;
pub const CHECK: u8 = 4;
pub const AGAIN: u8 = 5;
pub const NOTE: u8 = 6;
pub const STOP: u8 = 7;

#[opaque]
fn report(journal: &mut Journal, word: &str, what: &str, value: Value) -> (i64, Value) {
    if journal.lines.len() >= 2000 {
        panic!("the journal is full");
    }
    journal.lines.push(format!("{word}{what}{}", number(value)));
    *journal.counts.entry(what.to_owned()).or_default() += 1;
    (journal.lines.len() as i64, value)
}

#[opaque]
fn length(journal: &Journal, bytes: &[u8]) -> Option<i64> {
    let len = journal.lines.len();
    (!len.is_multiple_of(3)).then_some(len as i64 + bytes.len() as i64)
}

#[elidable]
fn weight(text: &str) -> (i64, f64) {
    let sum = text.bytes().map(i64::from).sum();
    (sum, text.len() as f64)
}

fn number(value: Value) -> i64 {
    match value {
        Value::Nothing => 0,
        Value::Int(n) => n,
        Value::Boxed(b) => b.value.wrapping_add(b.seen.get()),
    }
}

impl Value {
    #[opaque]
    fn opened(&self) -> Result<i64, Value> {
        match *self {
            Value::Boxed(b) => {
                b.seen.set(b.seen.get() + 1);
                Ok(b.value)
            }
            other => Err(other),
        }
    }
}

/// Lends on what it is lent.
fn note(journal: &mut Journal, word: &str, value: Value) -> Value {
    let (count, value) = report(journal, word, ": ", value);
    match count % 5 {
        0 => Value::Int(count),
        _ => value,
    }
}

/// Where a place is, for people.
fn location(pc: usize, _code: GcArray<u8>) -> Location {
    Location::new().offset(pc)
}

/// Runs a program `turns` times around.
#[portal(location = location)]
pub fn run(
    journal: &mut Journal,
    word: &str,
    bytes: &[u8],
    code: GcArray<u8>,
    turns: i64,
) -> Result<End, i64> {
    let mut pc: usize = 0;
    let mut left = turns;
    let mut value = Value::Nothing;
    let mut end = End {
        last: Value::Nothing,
        largest: 0,
        any: false,
    };
    loop {
        merge_point!(
            greens = [pc, code],
            reds = [journal, left, value, end, word, bytes]
        );
        let op = code[pc];
        pc += 1;
        match op {
            ADD => {
                let (weight, len) = weight("seven");
                value = Value::Int(value.plain().wrapping_add(weight).wrapping_add(len as i64));
            }
            REPORT => {
                let (lines, given) = report(journal, word, " = ", value);
                value = given;
                if !end.any || lines > end.largest {
                    end.largest = lines;
                    end.any = true;
                }
            }
            BOX => {
                value = Value::Boxed(Gc::new(Boxed {
                    value: value.plain(),
                    seen: Cell::new(0),
                }));
            }
            OPEN => match value.opened() {
                Ok(n) => value = Value::Int(n.wrapping_mul(3) & 1023),
                Err(other) => end.last = other,
            },
            CHECK => {
                if let Some(n) = length(&*journal, bytes) {
                    value = Value::Int(value.plain() ^ n);
                }
            }
            NOTE => value = note(journal, word, value),
            AGAIN => {
                left -= 1;
                if left > 0 {
                    pc = 0;
                    can_enter_jit!();
                }
            }
            STOP => {
                end.last = value;
                return Ok(end);
            }
            _ => return Err(left),
        }
    }
}

impl Value {
    fn plain(self) -> i64 {
        match self {
            Value::Nothing => 0,
            Value::Int(n) => n,
            Value::Boxed(b) => b.value,
        }
    }
}

/// The interpreter as the JIT sees it.
pub fn program() -> verdigris::Program {
    jit::program()
}
