//! The interpreter: what rustc compiles, and what the translator turns into the JIT. In: a
//! function, its registers with the arguments. Out: what it returns, or the fault that it ends
//! with.
//!
//! Invariant: where the program is (function, pc) is green, so that in a trace an instruction is a
//! constant and nothing is left of it. A call of the guest is a call of the portal: this
//! interpreter recurses, and so does compiled code; how deep, it counts itself, so that a program
//! gets the same error at the same depth in the interpreter and in compiled code. Only its own
//! activation sees a frame. A tail call goes on in the same activation.

use crate::access;
use crate::arith;
use crate::call;
use crate::compare;
use crate::concat;
use crate::condition;
use crate::fault::{self, Fault};
use crate::finalize;
use crate::frame;
use crate::iterate;
use crate::levels;
use crate::make;
use crate::meta;
use crate::native;
use crate::opcode;
use crate::operands;
use crate::sites;
use crate::table;
use crate::value::{
    Args, Closure, Proto, Returned, Value, Values, World, location, one, set_global, several,
};
use crate::watch;
use verdigris::{prelude::*, we_are_jitted};

/// The decision of an instruction.
pub enum Next {
    /// The instruction at this pc comes next.
    Go(usize),
    /// The next instruction comes next, and this one was a call.
    Called,
    /// So does this one, and to get there control goes backwards.
    Back(usize),
    /// This function goes on instead, with these registers; whether that may be a loop.
    Tail(Gc<Closure>, Values, bool),
    /// The function returns.
    Done(Returned),
}

/// Runs a function.
///
/// # Errors
/// The fault that it ends with.
#[portal(location = location)]
pub fn run(
    start: Gc<Proto>,
    called: Gc<Closure>,
    frame: Values,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    let mut pc: usize = 0;
    let mut proto = start;
    let mut closure = called;
    let mut registers = frame;
    loop {
        merge_point!(greens = [pc, proto], reds = [closure, registers, depth]);
        if pc == 0
            && proto.world.looks.get()
            && let Some(rest) = watch::begin(proto.world, closure, pc, registers, depth)?
        {
            if rest.done {
                return Ok(returned(rest));
            }
            closure = rest.closure;
            registers = rest.registers;
            proto = promote(closure.proto);
            pc = promote(rest.pc);
            continue;
        }
        match step(proto, pc, closure, registers, depth) {
            Ok(Next::Go(next)) => pc = next,
            Ok(Next::Called) => {
                pc += 1;
                if proto.world.looks.get()
                    && let Some(rest) =
                        watch::come_back(proto.world, closure, pc, registers, depth)?
                {
                    if rest.done {
                        return Ok(returned(rest));
                    }
                    closure = rest.closure;
                    registers = rest.registers;
                    proto = promote(closure.proto);
                    pc = promote(rest.pc);
                }
            }
            Ok(Next::Back(next)) => {
                pc = next;
                if proto.world.collects.get() {
                    finalize::poll(proto, pc, registers, depth);
                }
                if proto.world.watched.get()
                    && let Some(rest) = watch::look(proto.world, closure, pc, registers, depth)?
                {
                    if rest.done {
                        return Ok(returned(rest));
                    }
                    closure = rest.closure;
                    registers = rest.registers;
                    proto = promote(closure.proto);
                    pc = promote(rest.pc);
                }
                can_enter_jit!();
            }
            Ok(Next::Tail(callee, values, back)) => {
                proto = promote(callee.proto);
                closure = callee;
                registers = values;
                pc = 0;
                if back {
                    if proto.world.collects.get() {
                        finalize::poll(proto, pc, registers, depth);
                    }
                    can_enter_jit!();
                }
            }
            Ok(Next::Done(results)) => return Ok(results),
            Err(fault) => return Err(unwind(proto, pc, closure, registers, fault, depth)),
        }
    }
}

/// What an activation has returned that was watched.
fn returned(rest: Gc<watch::Rest>) -> Returned {
    Returned {
        first: rest.first,
        all: rest.all,
    }
}

/// Executes one instruction, for native code.
#[inline(never)]
pub fn single(
    proto: Gc<Proto>,
    pc: usize,
    closure: Gc<Closure>,
    registers: Values,
    depth: i64,
) -> Result<Next, Gc<Fault>> {
    step(proto, pc, closure, registers, depth)
}

/// Executes one instruction.
#[inline(always)]
fn step(
    proto: Gc<Proto>,
    pc: usize,
    closure: Gc<Closure>,
    r: Values,
    depth: i64,
) -> Result<Next, Gc<Fault>> {
    let word = proto.code[pc];
    let a = opcode::a(word);
    match opcode::op(word) {
        opcode::MOVE => r[a].set(r[opcode::b(word)].get()),
        opcode::NIL => r[a].set(Value::Nil),
        opcode::TRUE => r[a].set(Value::Bool(true)),
        opcode::FALSE => r[a].set(Value::Bool(false)),
        opcode::INT => r[a].set(Value::Int(opcode::signed_c(word))),
        opcode::LONG => r[a].set(Value::Int(proto.ints[opcode::c(word)])),
        opcode::FLOAT => r[a].set(Value::Float(proto.floats[opcode::c(word)])),
        opcode::STRING => r[a].set(Value::Str(proto.strings[opcode::c(word)])),
        opcode::GET_GLOBAL => {
            let global = proto.globals[opcode::c(word)];
            let value = global.get();
            if value.is_nil() {
                levels::note(proto, pc, r, depth);
                let world = proto.world;
                let key = Value::Str(global.name);
                r[a].set(access::inherited(world, world.globals, key, depth)?);
            } else {
                r[a].set(value);
            }
        }
        opcode::SET_GLOBAL => {
            let global = proto.globals[opcode::c(word)];
            let value = r[a].get();
            if global.get().is_nil() {
                levels::note(proto, pc, r, depth);
                let world = proto.world;
                access::set_field(
                    world,
                    Value::Table(world.globals),
                    global.name,
                    value,
                    depth,
                )?;
            } else {
                set_global(global, value);
            }
        }
        opcode::ENVIRONMENT => r[a].set(make::environment(proto, closure)),
        opcode::GET_CAPTURED => r[a].set(make::captured(closure, opcode::c(word))),
        opcode::GET_SHARED => r[a].set(closure.shared[opcode::c(word)].get().value.get()),
        opcode::SET_SHARED => closure.shared[opcode::c(word)].get().value.set(r[a].get()),
        opcode::ITSELF => r[a].set(Value::Function(closure)),
        opcode::SHARE => r[a].set(make::new_variable(r[opcode::b(word)].get())),
        opcode::LOAD_SHARED => r[a].set(make::shared(r[opcode::b(word)].get()).value.get()),
        opcode::STORE_SHARED => make::shared(r[a].get()).value.set(r[opcode::b(word)].get()),
        opcode::GET_FIELD => {
            if !we_are_jitted() {
                if !sites::get(proto, pc, r, a, opcode::b(word)) {
                    operands::get_field(proto, pc, r, depth)?;
                }
                return Ok(Next::Go(pc + 1));
            }
            if let Value::Table(t) = r[opcode::b(word)].get() {
                let value = table::get_field(t, proto.strings[opcode::c(word)]);
                if !value.is_nil() {
                    r[a].set(value);
                    return Ok(Next::Go(pc + 1));
                }
            }
            operands::get_field(proto, pc, r, depth)?;
        }
        opcode::SET_FIELD => {
            if !we_are_jitted() {
                if !sites::set(proto, pc, r, a, opcode::c(word)) {
                    operands::set_field(proto, pc, r, depth)?;
                }
                return Ok(Next::Go(pc + 1));
            }
            if let Value::Table(t) = r[a].get() {
                let value = r[opcode::c(word)].get();
                if table::replace_field(t, proto.strings[opcode::b(word)], value) {
                    return Ok(Next::Go(pc + 1));
                }
            }
            operands::set_field(proto, pc, r, depth)?;
        }
        opcode::GET_INDEX => {
            if let (Value::Table(t), Value::Int(i)) =
                (r[opcode::b(word)].get(), r[opcode::c(word)].get())
            {
                let value = table::get_item(t, i);
                if !value.is_nil() {
                    r[a].set(value);
                    return Ok(Next::Go(pc + 1));
                }
            }
            operands::get_index(proto, pc, r, depth)?;
        }
        opcode::SET_INDEX => {
            if let (Value::Table(t), Value::Int(i)) = (r[a].get(), r[opcode::b(word)].get())
                && table::set_item(t, i, r[opcode::c(word)].get())
            {
                return Ok(Next::Go(pc + 1));
            }
            operands::set_index(proto, pc, r, depth)?;
        }
        opcode::GET_ITEM => {
            if let Value::Table(t) = r[opcode::b(word)].get() {
                let value = table::get_item(t, opcode::c(word) as i64);
                if !value.is_nil() {
                    r[a].set(value);
                    return Ok(Next::Go(pc + 1));
                }
            }
            operands::get_item(proto, pc, r, depth)?;
        }
        opcode::SET_ITEM => {
            if let Value::Table(t) = r[a].get()
                && table::set_item(t, opcode::b(word) as i64, r[opcode::c(word)].get())
            {
                return Ok(Next::Go(pc + 1));
            }
            operands::set_item(proto, pc, r, depth)?;
        }
        opcode::METHOD => {
            if !we_are_jitted() {
                if !sites::method(proto, pc, r) {
                    operands::method(proto, pc, r, depth)?;
                }
                return Ok(Next::Go(pc + 1));
            }
            let object = r[opcode::b(word)].get();
            r[a + 1].set(object);
            if let Value::Table(t) = object {
                let value = access::method(proto.world, t, proto.strings[opcode::c(word)]);
                if !value.is_nil() {
                    r[a].set(value);
                    return Ok(Next::Go(pc + 1));
                }
            }
            operands::get_field(proto, pc, r, depth)?;
        }
        opcode::TABLE => r[a].set(make::new_table(proto, opcode::b(word), opcode::c(word))),
        opcode::INIT_FIELD => {
            if let Value::Table(t) = r[a].get() {
                t.fields.get()[opcode::b(word)].set(r[opcode::c(word)].get());
            }
        }
        opcode::INIT_ITEMS => {
            if let Value::Table(t) = r[a].get() {
                make::init_items(t, r, a + 1, opcode::b(word), opcode::c(word) - 1);
            }
        }
        opcode::INIT_OPEN => {
            let count = opcode::b(word);
            if let (Value::Table(t), Value::Many(list)) = (r[a].get(), r[a + count + 1].get()) {
                let first = opcode::c(word) - 1;
                table::reserve(t, first + count + list.len());
                make::init_items(t, r, a + 1, count, first);
                table::init_list(t, list, first + count);
            }
        }
        opcode::CLOSURE => r[a].set(make::new_closure(proto.protos[opcode::c(word)], closure, r)),
        opcode::ADD => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Int(x), Value::Int(y)) => r[a].set(Value::Int(x.wrapping_add(y))),
            (Value::Float(x), Value::Float(y)) => r[a].set(Value::Float(x + y)),
            (Value::Int(x), Value::Float(y)) => r[a].set(Value::Float(x as f64 + y)),
            (Value::Float(x), Value::Int(y)) => r[a].set(Value::Float(x + y as f64)),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::SUB => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Int(x), Value::Int(y)) => r[a].set(Value::Int(x.wrapping_sub(y))),
            (Value::Float(x), Value::Float(y)) => r[a].set(Value::Float(x - y)),
            (Value::Int(x), Value::Float(y)) => r[a].set(Value::Float(x as f64 - y)),
            (Value::Float(x), Value::Int(y)) => r[a].set(Value::Float(x - y as f64)),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::MUL => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Int(x), Value::Int(y)) => r[a].set(Value::Int(x.wrapping_mul(y))),
            (Value::Float(x), Value::Float(y)) => r[a].set(Value::Float(x * y)),
            (Value::Int(x), Value::Float(y)) => r[a].set(Value::Float(x as f64 * y)),
            (Value::Float(x), Value::Int(y)) => r[a].set(Value::Float(x * y as f64)),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::DIV => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Float(x), Value::Float(y)) => r[a].set(Value::Float(x / y)),
            (Value::Int(x), Value::Int(y)) => r[a].set(Value::Float(x as f64 / y as f64)),
            (Value::Int(x), Value::Float(y)) => r[a].set(Value::Float(x as f64 / y)),
            (Value::Float(x), Value::Int(y)) => r[a].set(Value::Float(x / y as f64)),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::MOD => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Int(x), Value::Int(y)) if y != 0 => {
                r[a].set(Value::Int(arith::floor_mod(x, y)))
            }
            (Value::Float(x), Value::Float(y)) => r[a].set(Value::Float(arith::float_mod(x, y))),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::IDIV => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Int(x), Value::Int(y)) if y != 0 => {
                r[a].set(Value::Int(arith::floor_div(x, y)))
            }
            (Value::Float(x), Value::Float(y)) => r[a].set(Value::Float((x / y).floor())),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::BAND => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Int(x), Value::Int(y)) => r[a].set(Value::Int(x & y)),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::BOR => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Int(x), Value::Int(y)) => r[a].set(Value::Int(x | y)),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::BXOR => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Int(x), Value::Int(y)) => r[a].set(Value::Int(x ^ y)),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::SHL => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Int(x), Value::Int(y)) => r[a].set(Value::Int(arith::shift_left(x, y))),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::SHR => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Int(x), Value::Int(y)) => {
                r[a].set(Value::Int(arith::shift_left(x, y.wrapping_neg())))
            }
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::POW => match (r[opcode::b(word)].get(), r[opcode::c(word)].get()) {
            (Value::Float(x), Value::Float(y)) => r[a].set(Value::Float(arith::power(x, y))),
            (Value::Float(x), Value::Int(y)) => r[a].set(Value::Float(arith::power(x, y as f64))),
            _ => operands::arithmetic(proto, pc, r, depth)?,
        },
        opcode::ADD_INT => {
            let y = opcode::signed_c(word);
            match r[opcode::b(word)].get() {
                Value::Int(x) => r[a].set(Value::Int(x.wrapping_add(y))),
                Value::Float(x) => r[a].set(Value::Float(x + y as f64)),
                _ => operands::with_int(proto, opcode::ADD, pc, r, depth)?,
            }
        }
        opcode::SUB_INT => {
            let y = opcode::signed_c(word);
            match r[opcode::b(word)].get() {
                Value::Int(x) => r[a].set(Value::Int(x.wrapping_sub(y))),
                // Not `x - y`: that of -0.0 and 0 is -0.0.
                Value::Float(x) => r[a].set(Value::Float(x + y.wrapping_neg() as f64)),
                _ => operands::with_int(proto, opcode::SUB, pc, r, depth)?,
            }
        }
        opcode::MUL_INT => {
            let y = opcode::signed_c(word);
            match r[opcode::b(word)].get() {
                Value::Int(x) => r[a].set(Value::Int(x.wrapping_mul(y))),
                Value::Float(x) => r[a].set(Value::Float(x * y as f64)),
                _ => operands::with_int(proto, opcode::MUL, pc, r, depth)?,
            }
        }
        opcode::MOD_INT => {
            let y = opcode::signed_c(word);
            match r[opcode::b(word)].get() {
                Value::Int(x) => r[a].set(Value::Int(arith::floor_mod(x, y))),
                _ => operands::with_int(proto, opcode::MOD, pc, r, depth)?,
            }
        }
        opcode::IDIV_INT => {
            let y = opcode::signed_c(word);
            match r[opcode::b(word)].get() {
                Value::Int(x) => r[a].set(Value::Int(arith::floor_div(x, y))),
                _ => operands::with_int(proto, opcode::IDIV, pc, r, depth)?,
            }
        }
        opcode::ADD_FLOAT => {
            let y = proto.floats[opcode::c(word)];
            match r[opcode::b(word)].get() {
                Value::Float(x) => r[a].set(Value::Float(x + y)),
                _ => operands::with_float(proto, opcode::ADD, pc, r, depth)?,
            }
        }
        opcode::SUB_FLOAT => {
            let y = proto.floats[opcode::c(word)];
            match r[opcode::b(word)].get() {
                Value::Float(x) => r[a].set(Value::Float(x - y)),
                _ => operands::with_float(proto, opcode::SUB, pc, r, depth)?,
            }
        }
        opcode::MUL_FLOAT => {
            let y = proto.floats[opcode::c(word)];
            match r[opcode::b(word)].get() {
                Value::Float(x) => r[a].set(Value::Float(x * y)),
                _ => operands::with_float(proto, opcode::MUL, pc, r, depth)?,
            }
        }
        opcode::DIV_FLOAT => {
            let y = proto.floats[opcode::c(word)];
            match r[opcode::b(word)].get() {
                Value::Float(x) => r[a].set(Value::Float(x / y)),
                _ => operands::with_float(proto, opcode::DIV, pc, r, depth)?,
            }
        }
        opcode::NEG => match r[opcode::b(word)].get() {
            Value::Int(x) => r[a].set(Value::Int(x.wrapping_neg())),
            Value::Float(x) => r[a].set(Value::Float(-x)),
            _ => operands::negate(proto, pc, r, depth)?,
        },
        opcode::BNOT => {
            levels::note(proto, pc, r, depth);
            let value = r[opcode::b(word)].get();
            r[a].set(arith::complement(proto.world, value, depth)?);
        }
        opcode::NOT => r[a].set(Value::Bool(!r[opcode::b(word)].get().truth())),
        opcode::LEN => {
            levels::note(proto, pc, r, depth);
            let value = r[opcode::b(word)].get();
            r[a].set(access::length(proto.world, value, depth)?);
        }
        opcode::CONCAT => {
            levels::note(proto, pc, r, depth);
            let (first, count) = (opcode::b(word), opcode::c(word));
            r[a].set(concat::values(proto.world, r, first, count, depth)?);
        }
        opcode::JUMP => return Ok(Next::Go(opcode::c(word))),
        opcode::LOOP => return Ok(Next::Back(opcode::c(word))),
        opcode::IF => return Ok(branch(r[a].get().truth(), word, pc)),
        opcode::UNLESS => return Ok(branch(!r[a].get().truth(), word, pc)),
        opcode::IF_EQ => {
            let (x, y) = (r[a].get(), r[opcode::b(word)].get());
            if let Value::Table(_) = x {
                levels::note(proto, pc, r, depth);
            }
            return Ok(branch(compare::equal(proto.world, x, y, depth)?, word, pc));
        }
        opcode::UNLESS_EQ => {
            let (x, y) = (r[a].get(), r[opcode::b(word)].get());
            if let Value::Table(_) = x {
                levels::note(proto, pc, r, depth);
            }
            return Ok(branch(!compare::equal(proto.world, x, y, depth)?, word, pc));
        }
        opcode::IF_LT => {
            return Ok(branch(
                condition::less(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::UNLESS_LT => {
            return Ok(branch(
                !condition::less(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::IF_LE => {
            return Ok(branch(
                condition::at_most(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::UNLESS_LE => {
            return Ok(branch(
                !condition::at_most(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::IF_EQ_INT => return Ok(branch(condition::equals_int(word, r), word, pc)),
        opcode::UNLESS_EQ_INT => return Ok(branch(!condition::equals_int(word, r), word, pc)),
        opcode::IF_LT_INT => {
            return Ok(branch(
                condition::less_int(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::UNLESS_LT_INT => {
            return Ok(branch(
                !condition::less_int(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::IF_LE_INT => {
            return Ok(branch(
                condition::at_most_int(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::UNLESS_LE_INT => {
            return Ok(branch(
                !condition::at_most_int(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::IF_GT_INT => {
            return Ok(branch(
                condition::more_int(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::UNLESS_GT_INT => {
            return Ok(branch(
                !condition::more_int(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::IF_GE_INT => {
            return Ok(branch(
                condition::at_least_int(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::UNLESS_GE_INT => {
            return Ok(branch(
                !condition::at_least_int(proto, word, pc, r, depth)?,
                word,
                pc,
            ));
        }
        opcode::IF_EQ_STRING => {
            return Ok(branch(condition::equals_string(proto, word, r), word, pc));
        }
        opcode::UNLESS_EQ_STRING => {
            return Ok(branch(!condition::equals_string(proto, word, r), word, pc));
        }
        opcode::IF_NIL => return Ok(branch(r[a].get().is_nil(), word, pc)),
        opcode::UNLESS_NIL => return Ok(branch(!r[a].get().is_nil(), word, pc)),
        opcode::FOR_PREPARE => {
            let runs = iterate::prepare(proto.world, r, a, opcode::b(word) == 1)?;
            return Ok(branch(!runs, word, pc));
        }
        opcode::FOR_ONE => {
            let again = match (r[a].get(), r[a + 1].get()) {
                (Value::Int(i), Value::Int(limit)) => {
                    let again = i < limit;
                    if again {
                        r[a].set(Value::Int(i + 1));
                    }
                    again
                }
                _ => iterate::next_float(r, a),
            };
            return Ok(if again {
                Next::Back(opcode::c(word))
            } else {
                Next::Go(pc + 1)
            });
        }
        opcode::FOR_LOOP => {
            let again = match (r[a].get(), r[a + 1].get(), r[a + 2].get()) {
                (Value::Int(i), Value::Int(left), Value::Int(step)) => {
                    let again = left != 0;
                    if again {
                        r[a].set(Value::Int(i.wrapping_add(step)));
                        r[a + 1].set(Value::Int(left.wrapping_sub(1)));
                    }
                    again
                }
                _ => iterate::next_float(r, a),
            };
            return Ok(if again {
                Next::Back(opcode::c(word))
            } else {
                Next::Go(pc + 1)
            });
        }
        opcode::FOR_IN => {
            levels::note(proto, pc, r, depth);
            let again = iterate::next(proto.world, r, a, opcode::b(word), depth)?;
            return Ok(if again {
                Next::Back(opcode::c(word))
            } else {
                Next::Go(pc + 1)
            });
        }
        opcode::CALL => {
            levels::note(proto, pc, r, depth);
            let args = frame::registers(r, a + 1, opcode::b(word));
            r[a].set(call::from_code(proto.world, r[a].get(), args, depth)?.first);
            return Ok(Next::Called);
        }
        opcode::CALL_OPEN => {
            levels::note(proto, pc, r, depth);
            let args = frame::registers(r, a + 1, opcode::b(word));
            let results = call::from_code(proto.world, r[a].get(), args, depth)?;
            frame::spread(results, r, a, opcode::c(word));
            return Ok(Next::Called);
        }
        opcode::CALL_LIST => {
            levels::note(proto, pc, r, depth);
            let args = frame::with_list(r, a, opcode::b(word));
            let results = call::from_code(proto.world, r[a].get(), args, depth)?;
            frame::spread(results, r, a, opcode::c(word));
            return Ok(Next::Called);
        }
        opcode::TAIL_CALL => {
            levels::note(proto, pc, r, depth);
            let args = frame::registers(r, a + 1, opcode::b(word));
            return tail_call(proto, r[a].get(), args, depth);
        }
        opcode::TAIL_LIST => {
            levels::note(proto, pc, r, depth);
            let args = frame::with_list(r, a, opcode::b(word));
            return tail_call(proto, r[a].get(), args, depth);
        }
        opcode::RETURN => {
            let list = call::behind(frame::registers(r, a, opcode::b(word)), 0);
            return Ok(Next::Done(several(list)));
        }
        opcode::RETURN_LIST => {
            let count = opcode::b(word);
            let Value::Many(list) = r[a + count].get() else {
                unreachable!();
            };
            if count == 0 {
                return Ok(Next::Done(several(list)));
            }
            return Ok(Next::Done(several(call::joined(
                frame::registers(r, a, count),
                list,
            ))));
        }
        opcode::RETURN_NOTHING => {
            return Ok(Next::Done(Returned {
                first: Value::Nil,
                all: Some(proto.world.nothing),
            }));
        }
        opcode::RETURN_ONE => return Ok(Next::Done(one(r[a].get()))),
        opcode::VARARGS => {
            let Value::Many(list) = r[opcode::b(word)].get() else {
                unreachable!();
            };
            frame::spread_list(list, r, a, opcode::c(word));
        }
        opcode::CHECK_CLOSE => {
            let value = r[a].get();
            if value.truth() && meta::handler(proto.world, value, meta::CLOSE).is_nil() {
                let name = proto.operands[pc] as usize & 0xffff;
                return Err(fault::not_closable(proto.names[name - 1]));
            }
        }
        opcode::HERE => {
            proto.world.here.set(Value::Function(closure));
            proto.world.here_pc.set(pc + 1);
            if opcode::b(word) == 1 {
                proto.world.here_frame.set(Value::Many(r));
            }
        }
        opcode::FORGET => frame::forget(r, a),
        opcode::CLOSE => {
            levels::note(proto, pc, r, depth);
            close(proto.world, r, a, Value::Nil, depth)?;
        }
        _ => unreachable!(),
    }
    Ok(Next::Go(pc + 1))
}

/// Where control goes from a conditional jump.
#[inline(always)]
fn branch(jumps: bool, word: u64, pc: usize) -> Next {
    if jumps {
        Next::Go(opcode::c(word))
    } else {
        Next::Go(pc + 1)
    }
}

/// A call whose results are those of the function.
#[inline(always)]
fn tail_call(proto: Gc<Proto>, callee: Value, args: Args, depth: i64) -> Result<Next, Gc<Fault>> {
    match callee {
        Value::Function(closure) => {
            let next = promote(closure.proto);
            if next.builtin {
                // A function of the library is called from here, whatever it is written in.
                return Ok(Next::Done(call::function(
                    proto.world,
                    closure,
                    args,
                    depth,
                )?));
            }
            // A loop of tail calls comes to a function that is not before the one that calls it.
            let back = next.number >= proto.number;
            Ok(Next::Tail(closure, call::enter(next, args), back))
        }
        Value::Native(native) => {
            let results = call::native(proto.world, promote(native).id, args, depth)?;
            Ok(Next::Done(results))
        }
        _ => Ok(Next::Done(call::from_code(
            proto.world,
            callee,
            args,
            depth,
        )?)),
    }
}

/// Closes the variable in a register, which is empty from then on.
fn close(world: Gc<World>, r: Values, a: usize, error: Value, depth: i64) -> Result<(), Gc<Fault>> {
    let value = r[a].get();
    r[a].set(Value::Nil);
    if !value.truth() {
        return Ok(());
    }
    let handler = meta::handler(world, value, meta::CLOSE);
    call::with_two(world, handler, value, error, depth)?;
    Ok(())
}

/// A fault leaves a function: what it has to close is closed. The fault that goes on.
#[unroll_safe]
pub fn unwind(
    proto: Gc<Proto>,
    pc: usize,
    closure: Gc<Closure>,
    r: Values,
    first: Gc<Fault>,
    depth: i64,
) -> Gc<Fault> {
    let mut fault = first;
    fault::locate(fault, proto, pc);
    if !proto.world.handler.get().is_nil() {
        let word = proto.code[pc];
        let callee = match opcode::is_call(opcode::op(word)) {
            true => r[opcode::a(word)].get(),
            false => Value::Nil,
        };
        fault::note(fault, closure, pc, callee);
    }
    let closers = proto.closers;
    let mut n = closers.len();
    while n > 0 {
        n -= 3;
        let (from, to) = (closers[n] as usize, closers[n + 1] as usize);
        if from <= pc && pc < to {
            if !fault.handled.get() && !proto.world.handler.get().is_nil() {
                fault = native::outside::handle(proto.world, fault, depth);
            }
            levels::note(proto, pc, r, depth);
            let error = fault.value.get();
            if let Err(next) = close(proto.world, r, closers[n + 2] as usize, error, depth) {
                fault = next;
            }
        }
    }
    fault
}
