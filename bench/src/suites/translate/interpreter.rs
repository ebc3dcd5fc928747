//! Sources of interpreters of any length. In: a number of lines. Out: the text of an interpreter
//! crate of about that many lines. Invariant: everything in it is reached from the portal, and what
//! is called from where does not depend on the length, so that a translator whose work is linear
//! takes twice as long for twice the text.

use std::fmt::Write;

/// The part that all groups of opcodes share.
const ROOT: &str = "//! A generated interpreter.
use verdigris::prelude::*;

#[value]
#[derive(Clone, Copy, PartialEq)]
pub enum Value {
    Nil,
    Int(i64),
    Float(f64),
    Obj(Obj),
}

#[gc]
pub struct Int {
    pub value: i64,
}

#[gc]
pub struct Pair {
    pub first: Cell<Value>,
    pub second: Cell<Value>,
}

#[object(Obj)]
pub enum Kind {
    Int(Gc<Int>),
    Pair(Gc<Pair>),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Trap {
    Type,
    Overflow { at: i64 },
    Unknown(u8),
}

#[gc]
pub struct Frame {
    pub stack: GcArray<Cell<Value>>,
    pub code: GcArray<u16>,
    pub depth: Cell<usize>,
}

impl Value {
    fn int(self) -> Result<i64, Trap> {
        match self {
            Value::Int(i) => Ok(i),
            Value::Obj(o) => match o.kind() {
                Kind::Int(i) => Ok(i.value),
                Kind::Pair(_) => Err(Trap::Type),
            },
            _ => Err(Trap::Type),
        }
    }
}

fn choose<T>(first: bool, a: T, b: T) -> T {
    if first { a } else { b }
}

#[portal]
pub fn run(frame: Gc<Frame>, mut acc: Value) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [frame, acc]);
        let (group, op, arg) = (frame.code[pc], frame.code[pc + 1] as u8, frame.code[pc + 2]);
        pc += 3;
        match dispatch(group, op, frame, acc, arg as i64) {
            Ok(value) => acc = value,
            Err(Trap::Unknown(op)) => return op as i64,
            Err(Trap::Overflow { at }) => return at,
            Err(Trap::Type) => pc = 0,
        }
        if pc == 0 {
            can_enter_jit!();
        }
    }
}
";

/// A group of opcodes with a class, an enum, and methods of its own; `$` stands for its number.
const GROUP: &str = "
pub mod group_$ {
    use super::*;

    /// The counter of the group's opcodes.
    #[gc]
    pub struct Counter {
        count: Cell<i64>,
        limit: i64,
        last: Cell<Option<Gc<Counter>>>,
        name: GcArray<u8>,
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Step {
        Stay,
        Move(i64),
        Both { x: i64, y: i64 },
    }

    impl Counter {
        fn new(limit: i64) -> Gc<Counter> {
            Gc::new(Counter {
                count: Cell::new(0),
                limit,
                last: Cell::new(None),
                name: GcArray::new(4, b'a'),
            })
        }

        fn add(&self, by: i64) -> Result<i64, Trap> {
            let sum = self.count.get().wrapping_add(by);
            if sum > self.limit {
                return Err(Trap::Overflow { at: sum });
            }
            self.count.set(sum);
            Ok(sum)
        }
    }

    #[elidable]
    pub fn weight(n: i64) -> i64 {
        n.rotate_left($) ^ 7
    }

    fn decide(a: i64, b: i64) -> Step {
        match (a & 3, b) {
            (0, _) => Step::Stay,
            (1, 0..=9) => Step::Move(b * 2),
            (1, n) if n < 0 => Step::Move(n - a),
            (2 | 3, n @ 10..) => Step::Both { x: n, y: a },
            _ => Step::Stay,
        }
    }

    fn apply(step: Step, acc: i64) -> Result<i64, Trap> {
        Ok(match step {
            Step::Stay => acc,
            Step::Move(by) => acc.wrapping_add(by),
            Step::Both { x, y: 0 } => return Err(Trap::Overflow { at: x }),
            Step::Both { x, y } => weight(x).wrapping_mul(y),
        })
    }

    fn push(frame: Gc<Frame>, value: Value) {
        let depth = frame.depth.get();
        frame.stack[depth].set(value);
        frame.depth.set(depth + 1);
    }

    fn pop(frame: Gc<Frame>) -> Value {
        let depth = frame.depth.get() - 1;
        frame.depth.set(depth);
        frame.stack[depth].get()
    }

    fn op_add(frame: Gc<Frame>, acc: Value, arg: i64) -> Result<Value, Trap> {
        let sum = match (pop(frame), acc) {
            (Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_add(b) ^ arg),
            (Value::Float(a), Value::Float(b)) => Value::Float(a + b),
            (Value::Int(a), Value::Float(b)) => Value::Float(a as f64 + b),
            (a, _) => Value::Int(a.int()? + arg),
        };
        push(frame, sum);
        Ok(sum)
    }

    fn op_step(frame: Gc<Frame>, acc: Value, arg: i64) -> Result<Value, Trap> {
        let top = pop(frame).int()?;
        let next = apply(decide(top, arg), acc.int()?)?;
        push(frame, Value::Int(next));
        Ok(choose(next > $, Value::Int(next), acc))
    }

    fn op_count(frame: Gc<Frame>, acc: Value, arg: i64) -> Result<Value, Trap> {
        let counter = Counter::new(arg * 100);
        let sum = counter.add(acc.int()?)? + counter.add($)?;
        if let Some(last) = counter.last.get() && last.limit > sum {
            return Ok(Value::Int(last.limit));
        }
        let pair = Gc::new(Pair { first: Cell::new(acc), second: Cell::new(Value::Int(sum)) });
        let object = Obj::from(pair);
        push(frame, Value::Obj(object));
        Ok(match object.kind() {
            Kind::Pair(p) => p.second.get(),
            Kind::Int(_) => unreachable!(),
        })
    }

    #[unroll_safe]
    fn op_drop(frame: Gc<Frame>, acc: Value, arg: i64) -> Result<Value, Trap> {
        let mut left = arg & 3;
        while left > 0 {
            if pop(frame) == Value::Nil {
                break;
            }
            left -= 1;
        }
        Ok(if left == 0 { acc } else { Value::Int(left) })
    }

    pub fn dispatch(op: u8, frame: Gc<Frame>, acc: Value, arg: i64) -> Result<Value, Trap> {
        match op {
            0 => op_add(frame, acc, arg),
            1 => op_step(frame, acc, arg),
            2 => op_count(frame, acc, arg),
            3 | 4 => op_drop(frame, acc, arg),
            _ => Err(Trap::Unknown(op)),
        }
    }
}
";

/// An interpreter of about `lines` lines.
pub fn interpreter(lines: usize) -> String {
    let mut text = ROOT.to_string();
    let per_group = GROUP.lines().count() + 1;
    let groups = (lines.saturating_sub(ROOT.lines().count() + 6) / per_group).max(1);
    for group in 0..groups {
        text.push_str(&GROUP.replace('$', &group.to_string()));
    }
    text.push_str(
        "\nfn dispatch(group: u16, op: u8, frame: Gc<Frame>, acc: Value, arg: i64) -> Result<Value, Trap> {\n    match group {\n",
    );
    for group in 0..groups {
        let _ = writeln!(
            text,
            "        {group} => group_{group}::dispatch(op, frame, acc, arg),"
        );
    }
    text.push_str("        _ => Err(Trap::Unknown(group as u8)),\n    }\n}\n");
    text
}
