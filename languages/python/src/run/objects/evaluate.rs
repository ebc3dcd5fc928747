//! Texts as programs while one runs: `eval`, `exec`, `compile`, and the variables where they are
//! called. In: texts, namespaces. Out: values. Invariant: globals are the cells of a module also
//! for code that comes later; of local variables it sees a copy.

use crate::bytecode::code::CompiledCode;
use crate::bytecode::source::Source;
use crate::compile::entry::{self, Part};
use crate::heap::dict::{self, Dict};
use crate::heap::exception::Thrown;
use crate::heap::function::{Code, Frame, Function, Module, set_global};
use crate::heap::places::{self, FrameView};
use crate::heap::value::{Generator, NOWHERE, Registers, Value, text, text_of};
use crate::heap::variables;
use crate::heap::world::{World, classes, interned};
use crate::load;
use crate::plain::{self, fault};
use crate::run::interp::{self, Left};
use crate::run::items::keys;
use crate::run::native::names::{DIR, EVAL, EXEC, GLOBALS, LOCALS, VARS};
use verdigris::{Map, Str, prelude::*};

/// A builtin is called next: if it asks for it, notes where.
#[inline]
pub fn note_scope(world: Gc<World>, callee: Value, code: Gc<Code>, frame: Gc<Frame>) {
    if let Value::Native(native) = callee
        && matches!(
            promote(native).id,
            DIR | EVAL | EXEC | GLOBALS | LOCALS | VARS
        )
    {
        note(world, code, frame);
    }
}

#[opaque]
fn note(world: Gc<World>, code: Gc<Code>, frame: Gc<Frame>) {
    let registers = frame.registers;
    let first = code.locals.as_slice().first();
    let has_namespace = first.is_some_and(|name| name.as_str() == ".namespace");
    let locals = match registers[0].get() {
        namespace if has_namespace => namespace,
        _ if code.name.as_str() == "<module>" => Value::None,
        _ => Value::Dict(locals(code, frame)),
    };
    let module = Value::Module(code.module);
    world.scope.set(crate::heap::value::pair(module, locals));
}

/// The activation of a generator, with its local variables, or `None` if that has ended.
pub fn frame_of(generator: Gc<Generator>) -> Value {
    let pc = generator.pc.get();
    if pc == NOWHERE && !generator.runs.get() {
        return Value::None;
    }
    let code = generator.code;
    Value::Frame(Gc::new(FrameView {
        code,
        pc: if pc == NOWHERE { 0 } else { pc },
        back: None,
        locals: Value::Dict(locals(code, generator.frame)),
    }))
}

/// The local variables of a function that have a value.
fn locals(code: Gc<Code>, frame: Gc<Frame>) -> Gc<Dict> {
    let made = dict::new();
    let add = |name: Gc<Str>, value: Value| {
        let value = match value {
            Value::Cell(variable) => variable.value.get(),
            other => other,
        };
        if !value.is_unbound() {
            let hash = crate::heap::hashing::of_text(name);
            dict::add(made, Value::Str(text_of(name)), hash, value);
        }
    };
    for n in 0..code.locals.len() {
        add(code.locals[n], frame.registers[n].get());
    }
    for n in 0..code.free.len() {
        let variable = frame.function.closure[n].get();
        add(code.free[n], variable.value.get());
    }
    made
}

/// Where a builtin has been called: the module, and the local variables: a dict, the namespace of a
/// class body, or `None` in a module.
///
/// # Errors
/// That this is not known, since it was called by another name.
pub fn scope(world: Gc<World>, name: &str, depth: i64) -> Result<(Gc<Module>, Value), Thrown> {
    match world.scope.replace(Value::None) {
        Value::Tuple(scope) => match scope[0].get() {
            Value::Module(module) => Ok((module, scope[1].get())),
            _ => unreachable!("it was put there"),
        },
        _ => {
            let caller = places::innermost(world, depth);
            if let Some((code, _)) = caller
                && (name == "globals" || code.name.as_str() == "<module>")
            {
                return Ok((code.module, Value::None));
            }
            let what = format!("a call of '{name}()' by another name in a function");
            Err(fault::missing(world, &what))
        }
    }
}

/// A module whose globals are those of a dict.
pub fn module_of(world: Gc<World>, globals: Gc<Dict>) -> Gc<Module> {
    let name = match dict::find_text(globals, "__name__") {
        Value::Str(name) => interned(world, name.data),
        _ => interned(world, Str::new("builtins")),
    };
    let module = Gc::new(Module {
        name,
        file: Str::new("<string>"),
        source: Str::new(""),
        globals: Map::new(),
    });
    for entry in plain::entries(globals) {
        if let Value::Str(name) = globals.keys.get()[entry].get() {
            let name = interned(world, name.data);
            let global = variables::global_of(world, module, name);
            set_global(global, globals.values.get()[entry].get());
        }
    }
    module
}

/// Puts the globals of a module into a dict, and removes those that are not there any more.
///
/// # Errors
/// None: names have hashes.
pub fn take_back(world: Gc<World>, module: Gc<Module>, to: Gc<Dict>) -> Result<(), Thrown> {
    let names = module.globals.keys();
    for n in 0..names.len() {
        let name = names.at(n);
        let value = module
            .globals
            .get(name)
            .map_or(Value::Unbound, |global| global.get());
        put_back(world, to, name, value)?;
    }
    Ok(())
}

fn put_back(world: Gc<World>, to: Gc<Dict>, name: Gc<Str>, value: Value) -> Result<(), Thrown> {
    let key = Value::Str(text_of(name));
    match value {
        Value::Unbound => keys::remove(world, to, key, 0).map(|_| ()),
        value => keys::put(world, to, key, value, 0),
    }
}

fn compiled(
    world: Gc<World>,
    written: &str,
    file: &str,
    part: Part,
) -> Result<CompiledCode, Thrown> {
    entry::part(written, part).map_err(|error| {
        let line = Source::new(written).line_of(error.start);
        let message = format!("{} ({file}, line {line})", error.message);
        let class = match error.kind {
            "NotImplementedError" => classes::NOT_IMPLEMENTED_ERROR,
            "IndentationError" => classes::INDENTATION_ERROR,
            _ => classes::SYNTAX_ERROR,
        };
        fault::new(world, class, &message)
    })
}

/// Whether a text can be run.
///
/// # Errors
/// The `SyntaxError` if not.
pub fn check(world: Gc<World>, written: &str, file: &str, part: Part) -> Result<(), Thrown> {
    compiled(world, written, file, part).map(|_| ())
}

/// Runs a text with the globals of a module, and perhaps with a namespace. The value of an
/// expression, or `None`.
///
/// # Errors
/// A `SyntaxError`, and what it raises.
pub fn run(
    world: Gc<World>,
    written: &str,
    file: &str,
    part: Part,
    (module, namespace): (Gc<Module>, Value),
    depth: i64,
) -> Result<Value, Thrown> {
    let part = Part {
        has_namespace: !namespace.is_none(),
        ..part
    };
    let source = Source::new(written);
    let compiled = compiled(world, written, file, part)?;
    // What it defines belongs to the module, but is shown as of this text.
    let own = Gc::new(Module {
        name: module.name,
        file: Str::new(file),
        source: Str::new(""),
        globals: module.globals,
    });
    let code = load::code(world, own, &source, &compiled);
    let function = Function::of_body(code);
    let registers = Registers::new(code.registers, Value::Unbound);
    if !namespace.is_none() {
        registers[0].set(namespace);
    }
    let frame = Gc::new(Frame {
        function,
        registers,
    });
    match interp::run(code, 0, frame, depth + 1)? {
        Left::Returned(value) => Ok(value),
        Left::Yielded(..) => Ok(Value::None),
    }
}

/// The names of the globals of a module that have a value.
pub fn names_of(module: Gc<Module>) -> Value {
    let made = verdigris::List::new();
    let names = module.globals.keys();
    for n in 0..names.len() {
        let global = module.globals.get(names.at(n));
        if global.is_some_and(|global| !global.get().is_unbound()) {
            made.push(text(names.at(n).as_str()));
        }
    }
    Value::List(made)
}
