//! Tracebacks. In: the functions that are active, as far as they were noted, and those that an
//! error has left. Out: a text with a line for each, as the reference implementation has it.
//! Invariant: what a function is called is read off the instruction that has called it; a function
//! of the library is seen in the instruction that has called it, since no frame of it was noted.
//!
//! Source: Lua 5.4 reference manual, section 5.1 (`luaL_traceback`).

use super::outside;
use crate::compare;
use crate::fault::{Fault, Left};
use crate::interned;
use crate::levels::{Called, Level};
use crate::meta;
use crate::opcode;
use crate::string::LuaStr;
use crate::table;
use crate::value::{Closure, Proto, Returned, Value, World, line_of, one};
use verdigris::prelude::*;

/// How many lines of a long traceback are shown: the innermost calls, and the outermost.
const SHOWN: (usize, usize) = (10, 11);

/// What the command's message handler makes of an error: its text with a traceback. An object that
/// says its text itself has no traceback, and neither has an exhausted heap.
pub fn message(world: Gc<World>, error: Value, depth: i64) -> Result<Returned, Gc<Fault>> {
    let has_text = match error {
        Value::Table(_) | Value::File(_) | Value::Host(_) => {
            !meta::handler(world, error, meta::TOSTRING).is_nil()
        }
        Value::Str(text) => {
            matches!(world.no_memory.value.get(), Value::Str(said) if Gc::ptr_eq(said, text))
        }
        _ => false,
    };
    let text = match has_text {
        true => outside::to_text(world, error, depth)?.text(),
        false => {
            let message = outside::message_text(world, error);
            of_error(world, Some(message))
        }
    };
    Ok(one(Value::Str(LuaStr::new(text.as_bytes()))))
}

/// A message and the functions that an error has left.
pub fn of_error(world: Gc<World>, message: Option<String>) -> String {
    traceback(world, message, std::iter::once(Level::HOST), 0)
}

/// A message and the functions that are known to be active: the innermost of `levels`, without as
/// many as are to be left out. While an error is handled, those that it has left come before what
/// has called `xpcall`.
pub fn traceback(
    world: Gc<World>,
    message: Option<String>,
    levels: impl Iterator<Item = Level>,
    skipped: usize,
) -> String {
    let mut lines = Vec::new();
    let mut left = world.left.get();
    let here = world.here.replace(Value::Nil);
    if let (Value::Function(closure), false) = (here, world.tracked.get()) {
        lines.push(line(world, closure, world.here_pc.get(), ""));
    }
    for level in levels {
        if level.handles_errors() || is_last(&level) {
            add_left(world, left.take(), &mut lines);
        }
        lines.push(of_level(world, level));
    }
    add_left(world, left, &mut lines);
    lines.drain(..skipped.min(lines.len()));
    let mut out = match message {
        Some(message) => message + "\n",
        None => String::new(),
    };
    out += "stack traceback:";
    let (first, last) = SHOWN;
    let cut = lines.len() > first + last + 1;
    for (n, line) in lines.iter().enumerate() {
        if !cut || n < first || n >= lines.len() - last {
            out += &format!("\n\t{line}");
        } else if n == first {
            let skipped = lines.len() - first - last - 1;
            out += &format!("\n\t...\t(skipping {skipped} levels)");
        }
    }
    out
}

/// Whether a level is the host, which has called the program.
fn is_last(level: &Level) -> bool {
    level.function.is_nil()
}

/// Adds the functions that an error has left.
fn add_left(world: Gc<World>, from: Option<Gc<Left>>, lines: &mut Vec<String>) {
    let mut next = from;
    while let Some(left) = next {
        next = left.next.get();
        called(world, left, lines);
        if !left.closure.proto.builtin {
            lines.push(of_left(world, left, next));
        }
    }
}

/// The line of a function that is active.
fn of_level(world: Gc<World>, level: Level) -> String {
    let name = level.name();
    if let Some(at) = level.at {
        let line = line(world, at.closure, at.pc.get(), &name);
        return match level.called {
            Called::Tail => line + "\n\t(...tail calls...)",
            _ => line,
        };
    }
    let name = match global_name(world, level.function) {
        Some(global) => format!("function '{global}'"),
        None if name.is_empty() => "?".to_string(),
        None => name,
    };
    format!("[C]: in {name}")
}

impl Level {
    /// What the caller calls the function, with the kind of the name; empty if it has no name.
    pub fn name(&self) -> String {
        match self.called {
            Called::By(caller) => name_at(caller.closure.proto, caller.pc.get()),
            Called::Hook => "hook '?'".to_string(),
            Called::Tail | Called::Outside => String::new(),
        }
    }
}

/// Adds the function of the library that a function has called, if it has called one.
fn called(world: Gc<World>, left: Gc<Left>, lines: &mut Vec<String>) {
    let of_library = match left.callee {
        Value::Native(_) => true,
        Value::Function(closure) => closure.proto.builtin,
        _ => false,
    };
    if of_library && !left.closure.proto.builtin {
        let name = match global_name(world, left.callee) {
            Some(name) => format!("function '{name}'"),
            None => name_at(left.closure.proto, left.pc),
        };
        let name = if name.is_empty() { "?" } else { &name };
        lines.push(format!("[C]: in {name}"));
    }
}

/// The line of a function of the program that was called by another one, if that is known.
fn of_left(world: Gc<World>, left: Gc<Left>, caller: Option<Gc<Left>>) -> String {
    let Some(caller) = caller.filter(|caller| !caller.closure.proto.builtin) else {
        return line(world, left.closure, left.pc, "");
    };
    match caller.callee {
        // The library has called it.
        Value::Native(_) => line(world, left.closure, left.pc, ""),
        Value::Function(callee) if callee.proto.builtin => line(world, left.closure, left.pc, ""),
        Value::Function(callee) if !Gc::ptr_eq(callee, left.closure) => {
            line(world, left.closure, left.pc, "") + "\n\t(...tail calls...)"
        }
        _ => {
            let name = name_at(caller.closure.proto, caller.pc);
            line(world, left.closure, left.pc, &name)
        }
    }
}

/// A function of the program, with the name that its caller has for it.
fn line(world: Gc<World>, closure: Gc<Closure>, pc: usize, name: &str) -> String {
    let proto = closure.proto;
    let (file, line) = (proto.short.text(), line_of(proto, pc));
    let what = match global_name(world, Value::Function(closure)) {
        Some(global) => format!("function '{global}'"),
        None if !name.is_empty() => name.to_string(),
        None if proto.line == 0 => "main chunk".to_string(),
        None => format!("function <{file}:{}>", proto.line),
    };
    format!("{file}:{line}: in {what}")
}

/// The name of what the instruction there calls, with its kind.
fn name_at(proto: Gc<Proto>, pc: usize) -> String {
    let op = opcode::op(proto.code[pc]);
    if !opcode::is_call(op) {
        return match event(op) {
            Some(event) => format!("metamethod '{}'", &meta::NAMES[event][2..]),
            None => String::new(),
        };
    }
    match proto.operands[pc] as usize & 0xffff {
        0 => String::new(),
        name => proto.names[name - 1].text(),
    }
}

/// Which metamethod an instruction may call.
fn event(op: u8) -> Option<usize> {
    Some(match op {
        opcode::ADD | opcode::ADD_INT | opcode::ADD_FLOAT => meta::ADD,
        opcode::SUB | opcode::SUB_INT | opcode::SUB_FLOAT => meta::SUB,
        opcode::MUL | opcode::MUL_INT | opcode::MUL_FLOAT => meta::MUL,
        opcode::DIV | opcode::DIV_FLOAT => meta::DIV,
        opcode::MOD | opcode::MOD_INT => meta::MOD,
        opcode::POW => meta::POW,
        opcode::IDIV | opcode::IDIV_INT => meta::IDIV,
        opcode::BAND => meta::BAND,
        opcode::BOR => meta::BOR,
        opcode::BXOR => meta::BXOR,
        opcode::SHL => meta::SHL,
        opcode::SHR => meta::SHR,
        opcode::NEG => meta::UNM,
        opcode::BNOT => meta::BNOT,
        opcode::LEN => meta::LEN,
        opcode::CONCAT => meta::CONCAT,
        opcode::CLOSE => meta::CLOSE,
        opcode::GET_GLOBAL
        | opcode::GET_FIELD
        | opcode::GET_INDEX
        | opcode::GET_ITEM
        | opcode::METHOD => meta::INDEX,
        opcode::SET_GLOBAL | opcode::SET_FIELD | opcode::SET_INDEX | opcode::SET_ITEM => {
            meta::NEWINDEX
        }
        opcode::IF_EQ | opcode::UNLESS_EQ => meta::EQ,
        opcode::IF_LT
        | opcode::UNLESS_LT
        | opcode::IF_LT_INT
        | opcode::UNLESS_LT_INT
        | opcode::IF_GT_INT
        | opcode::UNLESS_GT_INT => meta::LT,
        opcode::IF_LE
        | opcode::UNLESS_LE
        | opcode::IF_LE_INT
        | opcode::UNLESS_LE_INT
        | opcode::IF_GE_INT
        | opcode::UNLESS_GE_INT => meta::LE,
        _ => return None,
    })
}

/// The name of a function that is a field of a loaded module; for a global its own.
fn global_name(world: Gc<World>, function: Value) -> Option<String> {
    let name = |text: &[u8]| interned::string(world, text);
    let Value::Table(package) = table::get_str(world.globals, name(b"package")) else {
        return None;
    };
    let Value::Table(loaded) = table::get_str(package, name(b"loaded")) else {
        return None;
    };
    let mut found = None;
    each_string(loaded, |module, value| {
        if compare::raw_equal(value, function) {
            found = Some(module.text());
        } else if let Value::Table(fields) = value {
            each_string(fields, |field, value| {
                if compare::raw_equal(value, function) {
                    found = Some(match module.as_bytes() {
                        b"_G" => field.text(),
                        _ => format!("{}.{}", module.text(), field.text()),
                    });
                }
                found.is_none()
            });
        }
        found.is_none()
    });
    found
}

/// Visits the entries of a table whose keys are strings, until the visitor has enough.
pub fn each_string(t: Gc<table::Table>, mut visit: impl FnMut(Gc<LuaStr>, Value) -> bool) {
    let mut place = table::next_place(t, 0);
    while place >= 0 {
        if let Value::Str(key) = table::key_at(t, place)
            && !visit(key, table::value_at(t, place))
        {
            return;
        }
        place = table::next_place(t, place + 1);
    }
}
