//! The interpreter: what rustc compiles, and what the translator turns into the JIT. In: code, a
//! frame, and where to begin. Out: what it returns or yields, or the exception that it ends with.
//!
//! Invariant: where the program is (code, pc) is green, so that in a trace an instruction is a
//! constant and nothing is left of it. A call of the guest is a call of the portal: this
//! interpreter recurses, and so does compiled code; how deep, it counts itself, so that a program
//! gets the same exception at the same depth in both. A generator is entered where it has left,
//! with the frame that it had.

use crate::bytecode::opcode;
use crate::heap::exception::{self, Thrown};
use crate::heap::function::{Code, Frame, location, set_global};
use crate::heap::places;
use crate::heap::value::{Slice, Value, Variable};
use crate::heap::variables;
use crate::heap::world::classes;
use crate::plain::fault;
use crate::run::call;
use crate::run::call::generator;
use crate::run::interrupt;
use crate::run::items::build;
use crate::run::items::iterate;
use crate::run::items::subscript;
use crate::run::items::unpack;
use crate::run::native::display;
use crate::run::objects::attribute;
use crate::run::objects::awaiting;
use crate::run::objects::define;
use crate::run::objects::evaluate;
use crate::run::objects::import;
use crate::run::objects::pattern;
use crate::run::objects::raise;
use crate::run::objects::types;
use crate::run::objects::write;
use crate::run::objects::{scope_names, sites};
use crate::run::operators::arith;
use crate::run::operators::compare;
use crate::run::operators::truth;
use crate::run::text::format;
use verdigris::{prelude::*, we_are_jitted};

/// How an activation was left.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Left {
    /// It has returned this.
    Returned(Value),
    /// It is a generator that has yielded this, and goes on at this instruction.
    Yielded(Value, usize),
}

/// The decision of an instruction.
pub enum Next {
    /// The instruction at this pc comes next.
    Go(usize),
    /// So does this one, and to get there control goes backwards.
    Back(usize),
    /// The function returns.
    Done(Value),
    /// The generator yields.
    Pause(Value),
}

/// Runs code from an instruction on.
///
/// # Errors
/// The exception that it does not catch.
#[portal(location = location)]
pub fn run(start: Gc<Code>, at: usize, frame: Gc<Frame>, depth: i64) -> Result<Left, Thrown> {
    let mut pc = at;
    let code = start;
    places::note(code.world, depth, code, at);
    loop {
        merge_point!(greens = [pc, code], reds = [frame, depth]);
        match step(code, pc, frame, depth) {
            Ok(Next::Go(next)) => pc = next,
            Ok(Next::Back(next)) => {
                if code.world.interrupted.get() {
                    let thrown = interrupt::taken(code.world);
                    pc = caught(code, pc, frame, thrown)?;
                } else {
                    pc = next;
                }
                can_enter_jit!();
            }
            Ok(Next::Done(value)) => return Ok(Left::Returned(value)),
            Ok(Next::Pause(value)) => return Ok(Left::Yielded(value, pc + 1)),
            Err(thrown) => pc = caught(code, pc, frame, thrown)?,
        }
    }
}

/// Where an exception is caught that an instruction has raised.
///
/// # Errors
/// The exception, if it is not caught here.
#[inline(always)]
fn caught(code: Gc<Code>, pc: usize, frame: Gc<Frame>, thrown: Thrown) -> Result<usize, Thrown> {
    exception::note(code.world, thrown, code, pc);
    let row = exception::handler(code, pc);
    if row < 0 {
        return Err(thrown);
    }
    let register = code.handlers[row as usize + 3] as usize;
    frame.registers[register].set(Value::Instance(thrown));
    Ok(code.handlers[row as usize + 2] as usize)
}

/// Executes one instruction.
#[inline(always)]
fn step(code: Gc<Code>, pc: usize, frame: Gc<Frame>, depth: i64) -> Result<Next, Thrown> {
    let word = code.code[pc];
    let world = code.world;
    let r = frame.registers;
    let a = opcode::a(word);
    match opcode::op(word) {
        opcode::MOVE => r[a].set(r[opcode::b(word)].get()),
        opcode::CONST => r[a].set(code.consts[opcode::c(word)]),
        opcode::UNBIND => r[a].set(Value::Unbound),
        opcode::CHECK => {
            if r[a].get().is_unbound() {
                let name = code.names[opcode::c(word)];
                return Err(fault::unbound(world, opcode::b(word), name));
            }
        }
        opcode::LOAD_GLOBAL => {
            let global = code.globals[opcode::c(word)];
            r[a].set(define::global(world, global, depth)?);
        }
        opcode::STORE_GLOBAL => set_global(code.globals[opcode::c(word)], r[a].get()),
        opcode::DEL_GLOBAL => {
            let global = code.globals[opcode::c(word)];
            if global.get().is_unbound() {
                return Err(fault::unbound(world, 2, global.name));
            }
            set_global(global, Value::Unbound);
        }
        opcode::LOAD_NAME => {
            let global = code.globals[opcode::c(word)];
            let found = scope_names::load(world, r[0].get(), global.name, depth)?;
            r[a].set(match found {
                Value::Unbound => define::global(world, global, depth)?,
                value => value,
            });
        }
        opcode::STORE_NAME => {
            let name = code.names[opcode::c(word)];
            scope_names::store(world, r[0].get(), name, r[a].get(), depth)?;
        }
        opcode::DEL_NAME => {
            let name = code.names[opcode::c(word)];
            if !scope_names::delete(world, r[0].get(), name, depth)? {
                return Err(fault::unbound(world, 2, name));
            }
        }
        opcode::NEW_CELL => {
            r[a].set(Value::Cell(Gc::new(Variable {
                value: Cell::new(r[opcode::b(word)].get()),
            })));
        }
        opcode::LOAD_CELL => r[a].set(variables::variable(r[opcode::b(word)].get()).value.get()),
        opcode::STORE_CELL => variables::variable(r[a].get())
            .value
            .set(r[opcode::b(word)].get()),
        opcode::LOAD_FREE => {
            let variable = frame.function.closure[opcode::b(word)].get();
            r[a].set(variable.value.get());
        }
        opcode::STORE_FREE => {
            let variable = frame.function.closure[opcode::b(word)].get();
            variable.value.set(r[a].get());
        }
        opcode::GET_ATTR => {
            let object = r[opcode::b(word)].get();
            let name = code.names[opcode::c(word)];
            if !we_are_jitted() && sites::get(code, pc, object, r, a) {
                return Ok(Next::Go(pc + 1));
            }
            r[a].set(attribute::get(world, object, name, depth)?);
            if !we_are_jitted() {
                sites::note_get(world, code, pc, object, name);
            }
        }
        opcode::SET_ATTR => {
            let (object, value) = (r[a].get(), r[opcode::b(word)].get());
            let name = code.names[opcode::c(word)];
            if !we_are_jitted() {
                if sites::set(code, pc, object, value) {
                    return Ok(Next::Go(pc + 1));
                }
                let before = sites::map_of(object);
                write::set(world, object, name, value, depth)?;
                sites::note_set(world, code, pc, object, before, name);
                return Ok(Next::Go(pc + 1));
            }
            write::set(world, object, name, value, depth)?;
        }
        opcode::DEL_ATTR => {
            write::delete(world, r[a].get(), code.names[opcode::c(word)], depth)?;
        }
        opcode::METHOD => {
            let object = r[opcode::b(word)].get();
            let name = code.names[opcode::c(word)];
            if !we_are_jitted() && sites::method(code, pc, object, r, a) {
                return Ok(Next::Go(pc + 1));
            }
            let (function, first) = attribute::method(world, object, name, depth)?;
            r[a].set(function);
            r[a + 1].set(first);
            if !we_are_jitted() {
                sites::note_method(world, code, pc, object, name);
            }
        }
        opcode::GET_ITEM => {
            let (object, index) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
            r[a].set(subscript::get(world, object, index, depth)?);
        }
        opcode::SET_ITEM => {
            let (index, value) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
            subscript::set(world, r[a].get(), index, value, depth)?;
        }
        opcode::DEL_ITEM => {
            subscript::delete(world, r[a].get(), r[opcode::b(word)].get(), depth)?;
        }
        opcode::SLICE => {
            let b = opcode::b(word);
            r[a].set(Value::Slice(Gc::new(Slice {
                start: r[b].get(),
                stop: r[b + 1].get(),
                step: r[b + 2].get(),
            })));
        }
        opcode::ADD => {
            let (x, y) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
            r[a].set(arith::add(world, x, y, depth)?);
        }
        opcode::SUB => {
            let (x, y) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
            r[a].set(arith::sub(world, x, y, depth)?);
        }
        opcode::MUL => {
            let (x, y) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
            r[a].set(arith::mul(world, x, y, depth)?);
        }
        opcode::DIV => {
            let (x, y) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
            r[a].set(arith::div(world, x, y, depth)?);
        }
        opcode::FLOOR_DIV => {
            let (x, y) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
            r[a].set(arith::floor_div(world, x, y, depth)?);
        }
        opcode::MOD => {
            let (x, y) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
            r[a].set(arith::modulo(world, x, y, depth)?);
        }
        opcode::BINARY => {
            let (x, y) = (r[opcode::b(word)].get(), r[opcode::c_register(word)].get());
            r[a].set(arith::binary(world, opcode::c_kind(word), x, y, depth)?);
        }
        opcode::INPLACE => {
            let (x, y) = (r[opcode::b(word)].get(), r[opcode::c_register(word)].get());
            r[a].set(arith::inplace(world, opcode::c_kind(word), x, y, depth)?);
        }
        opcode::ADD_INT => {
            let (x, y) = (r[opcode::b(word)].get(), Value::Int(opcode::signed_c(word)));
            r[a].set(arith::add(world, x, y, depth)?);
        }
        opcode::NEG => r[a].set(arith::negate(world, r[opcode::b(word)].get(), depth)?),
        opcode::POS => r[a].set(arith::plus(world, r[opcode::b(word)].get(), depth)?),
        opcode::INVERT => r[a].set(arith::invert(world, r[opcode::b(word)].get(), depth)?),
        opcode::NOT => {
            let holds = truth::of(world, r[opcode::b(word)].get(), depth)?;
            r[a].set(Value::Bool(!holds));
        }
        opcode::COMPARE => {
            let (x, y) = (r[opcode::b(word)].get(), r[opcode::c_register(word)].get());
            r[a].set(compare::value(world, opcode::c_kind(word), x, y, depth)?);
        }
        opcode::JUMP => return Ok(Next::Go(opcode::c(word))),
        opcode::LOOP => return Ok(Next::Back(opcode::c(word))),
        opcode::IF => return Ok(branch(truth::of(world, r[a].get(), depth)?, word, pc)),
        opcode::UNLESS => return Ok(branch(!truth::of(world, r[a].get(), depth)?, word, pc)),
        opcode::UNLESS_LT => {
            let (x, y) = (r[a].get(), r[opcode::b(word)].get());
            let holds = compare::holds(world, opcode::CMP_LT, x, y, depth)?;
            return Ok(branch(!holds, word, pc));
        }
        opcode::UNLESS_LE => {
            let (x, y) = (r[a].get(), r[opcode::b(word)].get());
            let holds = compare::holds(world, opcode::CMP_LE, x, y, depth)?;
            return Ok(branch(!holds, word, pc));
        }
        opcode::UNLESS_EQ => {
            let (x, y) = (r[a].get(), r[opcode::b(word)].get());
            let holds = compare::holds(world, opcode::CMP_EQ, x, y, depth)?;
            return Ok(branch(!holds, word, pc));
        }
        opcode::UNLESS_NE => {
            let (x, y) = (r[a].get(), r[opcode::b(word)].get());
            let holds = compare::holds(world, opcode::CMP_NE, x, y, depth)?;
            return Ok(branch(!holds, word, pc));
        }
        opcode::UNLESS_GT => {
            let (x, y) = (r[a].get(), r[opcode::b(word)].get());
            let holds = compare::holds(world, opcode::CMP_GT, x, y, depth)?;
            return Ok(branch(!holds, word, pc));
        }
        opcode::UNLESS_GE => {
            let (x, y) = (r[a].get(), r[opcode::b(word)].get());
            let holds = compare::holds(world, opcode::CMP_GE, x, y, depth)?;
            return Ok(branch(!holds, word, pc));
        }
        opcode::IF_NONE => return Ok(branch(r[a].get().is_none(), word, pc)),
        opcode::UNLESS_NONE => return Ok(branch(!r[a].get().is_none(), word, pc)),
        opcode::CALL => {
            note_call(code, pc, r[a].get(), depth);
            let args = call::from_registers(code, r, a + 1, opcode::b(word), opcode::c(word));
            r[a].set(call::value(world, r[a].get(), args, depth)?);
        }
        opcode::CALL_METHOD => {
            note_call(code, pc, r[a].get(), depth);
            let (first, count) = match r[a + 1].get() {
                Value::Unbound => (a + 2, opcode::b(word)),
                _ => (a + 1, opcode::b(word) + 1),
            };
            let args = call::from_registers(code, r, first, count, opcode::c(word));
            r[a].set(call::value(world, r[a].get(), args, depth)?);
        }
        opcode::CALL_LIST => {
            places::note(world, depth, code, pc);
            let args = call::from_lists(world, r[a + 1].get(), r[a + 2].get());
            r[a].set(call::value(world, r[a].get(), args, depth)?);
        }
        opcode::RETURN => return Ok(Next::Done(r[a].get())),
        opcode::LIST => r[a].set(build::list(r, opcode::b(word), opcode::c(word))),
        opcode::TUPLE => r[a].set(build::tuple(world, r, opcode::b(word), opcode::c(word))),
        opcode::SET => r[a].set(build::set(
            world,
            r,
            opcode::b(word),
            opcode::c(word),
            depth,
        )?),
        opcode::DICT => r[a].set(Value::Dict(crate::heap::dict::new())),
        opcode::LIST_APPEND => {
            if let Value::List(list) = r[a].get() {
                list.push(r[opcode::b(word)].get());
            }
        }
        opcode::LIST_EXTEND => build::extend(world, r[a].get(), r[opcode::b(word)].get(), depth)?,
        opcode::TO_TUPLE => {
            r[a].set(build::to_tuple(world, r[opcode::b(word)].get(), depth)?);
        }
        opcode::SET_ADD => build::add(world, r[a].get(), r[opcode::b(word)].get(), depth)?,
        opcode::SET_UPDATE => {
            build::update(world, r[a].get(), r[opcode::b(word)].get(), depth)?;
        }
        opcode::DICT_PUT => {
            let (key, value) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
            subscript::set(world, r[a].get(), key, value, depth)?;
        }
        opcode::DICT_MERGE => {
            let (other, of_call) = (r[opcode::b(word)].get(), opcode::c(word) == 1);
            build::merge(world, r[a].get(), other, of_call, depth)?;
        }
        opcode::UNPACK => unpack::exactly(
            world,
            r,
            a,
            r[opcode::b(word)].get(),
            opcode::c(word),
            depth,
        )?,
        opcode::UNPACK_STAR => {
            let (before, behind) = (opcode::c(word) & 0xff, opcode::c(word) >> 8);
            unpack::with_star(world, r, a, r[opcode::b(word)].get(), before, behind, depth)?;
        }
        opcode::FORMAT => {
            let (value, spec) = (r[opcode::b(word)].get(), r[opcode::b(word) + 1].get());
            r[a].set(format::part(world, value, spec, opcode::c(word), depth)?);
        }
        opcode::JOIN => r[a].set(format::join(world, r, opcode::b(word), opcode::c(word))),
        opcode::ITER => r[a].set(iterate::start(world, r[opcode::b(word)].get(), depth)?),
        opcode::FOR => {
            let next = iterate::next(world, r[opcode::b(word)].get(), depth)?;
            if next.is_unbound() {
                return Ok(Next::Go(opcode::c(word)));
            }
            r[a].set(next);
        }
        opcode::FUNCTION => {
            let proto = code.protos[opcode::c(word)];
            let annotated = opcode::b(word) == 1;
            r[a].set(define::function(proto, frame, a, annotated));
        }
        opcode::CLASS => {
            places::note(world, depth, code, pc);
            let name = code.names[opcode::c(word)];
            let (bases, keywords) = (r[a + 1].get(), r[a + 2].get());
            r[a].set(types::class(
                world,
                name,
                r[a].get(),
                bases,
                keywords,
                depth,
            )?);
        }
        opcode::RAISE => {
            let cause = match opcode::c(word) {
                1 => r[opcode::b(word)].get(),
                _ => Value::Unbound,
            };
            return Err(raise::raised(world, r[a].get(), cause, depth)?);
        }
        opcode::RERAISE => return Err(raise::again(world, r[a].get())),
        opcode::RAISE_HANDLED => return Err(raise::again(world, world.handled.get())),
        opcode::PUSH_EXC => {
            r[a].set(world.handled.get());
            world.handled.set(r[opcode::b(word)].get());
        }
        opcode::POP_EXC => world.handled.set(r[a].get()),
        opcode::UNLESS_MATCH => {
            let matches = raise::matches(world, r[a].get(), r[opcode::b(word)].get())?;
            return Ok(branch(!matches, word, pc));
        }
        opcode::SPECIAL => {
            let object = r[opcode::b(word)].get();
            let name = code.names[opcode::c(word)];
            let (function, first) = attribute::special(world, object, name, depth)?;
            r[a].set(function);
            r[a + 1].set(first);
        }
        opcode::IMPORT => {
            places::note(world, depth, code, pc);
            let name = code.names[opcode::c(word)];
            let wants_top = opcode::b(word) == 1;
            r[a].set(import::module(world, code.module, name, wants_top, depth)?);
        }
        opcode::IMPORT_FROM => {
            let name = code.names[opcode::c(word)];
            r[a].set(import::member(
                world,
                r[opcode::b(word)].get(),
                name,
                depth,
            )?);
        }
        opcode::IMPORT_STAR => import::all(world, code.module, r[a].get(), depth)?,
        opcode::SCOPE => evaluate::note_scope(world, r[a].get(), code, frame),
        opcode::YIELD => return Ok(Next::Pause(r[a].get())),
        opcode::RESUMED => {
            let b = opcode::b(word);
            if let Value::Instance(thrown) = r[b].get() {
                r[b].set(Value::Unbound);
                if opcode::waits_for(word) == opcode::WHILE_ASKING {
                    // It has come through here when what is asked has had it.
                    exception::part(thrown).again.set(true);
                }
                return Err(thrown);
            }
        }
        opcode::SEND => {
            let sent = generator::send(world, r[opcode::b(word)].get(), r[a].get(), depth)?;
            r[a].set(sent.value);
            if sent.done {
                return Ok(Next::Go(opcode::c(word)));
            }
        }
        opcode::THROW => {
            let sent = generator::pass(world, r[opcode::b(word)].get(), r[a].get(), depth)?;
            r[a].set(sent.value);
            if sent.done {
                return Ok(Next::Go(opcode::c(word)));
            }
        }
        opcode::AWAITABLE => {
            let value = r[opcode::b(word)].get();
            r[a].set(awaiting::awaitable(world, value, opcode::c(word), depth)?);
        }
        opcode::DISPLAY => display::show_value(world, r[a].get(), depth)?,
        opcode::AITER => {
            let value = r[opcode::b(word)].get();
            r[a].set(awaiting::start(world, value, depth)?);
        }
        opcode::ANEXT => {
            let value = r[opcode::b(word)].get();
            r[a].set(awaiting::next(world, value, depth)?);
        }
        opcode::END_ASYNC => {
            let stop = Value::Class(world.classes[classes::STOP_ASYNC_ITERATION]);
            if !raise::matches(world, r[a].get(), stop)? {
                return Err(raise::again(world, r[a].get()));
            }
            return Ok(Next::Go(opcode::c(word)));
        }
        opcode::ASSERTION => {
            let message = match opcode::b(word) {
                1 => r[a].get(),
                _ => Value::Unbound,
            };
            return Err(raise::assertion(world, message));
        }
        opcode::MATCH_SEQUENCE => {
            let subject = r[opcode::b(word)].get();
            let fits = pattern::is_sequence(world, subject, opcode::c(word), depth)?;
            r[a].set(Value::Bool(fits));
        }
        opcode::MATCH_KEYS => {
            let subject = r[opcode::b(word)].get();
            r[a].set(pattern::values(world, subject, r[a].get(), depth)?);
        }
        opcode::MATCH_REST => {
            let (subject, keys) = (r[opcode::b(word)].get(), r[opcode::c(word)].get());
            r[a].set(pattern::rest(world, subject, keys, depth)?);
        }
        opcode::MATCH_CLASS => {
            let (subject, class) = (r[opcode::b(word)].get(), r[a].get());
            let (names, count) = (r[a + 1].get(), opcode::c(word));
            r[a].set(pattern::parts(world, subject, class, names, count, depth)?);
        }
        _ => unreachable!(),
    }
    Ok(Next::Go(pc + 1))
}

/// A function is called, which may ask from where.
#[inline(always)]
fn note_call(code: Gc<Code>, pc: usize, callee: Value, depth: i64) {
    let is_leaf = match callee {
        Value::Native(native) => promote(native).is_leaf,
        _ => false,
    };
    if !is_leaf {
        places::note(code.world, depth, code, pc);
    }
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
