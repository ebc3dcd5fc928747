//! Compiled functions to the heap. In: [`Code`]. Out: [`Proto`]s. Invariant: strings of programs
//! are interned, so that a name is one object; a global that a function names is found when the
//! function is loaded, not when it runs.

use crate::chunk_name::ChunkName;
use crate::compile::{self, Code};
use crate::shape;
use crate::shape::Shape;
use crate::string::LuaStr;
use crate::table::{self, interned};
use crate::value::{Captured, Closure, Global, Locals, Proto, Value, Values, World};
use verdigris::prelude::*;

/// Compiles and loads a text, with an environment that is not the table of globals if one is given.
///
/// # Errors
/// The first error, as `file:line: message`.
pub fn text(
    world: Gc<World>,
    text: &[u8],
    name: &ChunkName,
    environment: Option<Value>,
) -> Result<Gc<Closure>, String> {
    let other = match environment {
        Some(Value::Table(t)) if Gc::ptr_eq(t, world.globals) => None,
        environment => environment,
    };
    let code = compile::text(text, &name.long, other.is_some())
        .map_err(|error| error.in_file(&name.short))?;
    let values = match other {
        Some(environment) => Captured::new(1, environment),
        None => Captured::new(0, Value::Nil),
    };
    Ok(closure(world, &code, name, false, values))
}

/// Loads a chunk, whose environment is the table of globals.
pub fn chunk(world: Gc<World>, code: &Code, name: &ChunkName, builtin: bool) -> Gc<Closure> {
    closure(world, code, name, builtin, Captured::new(0, Value::Nil))
}

fn closure(
    world: Gc<World>,
    code: &Code,
    name: &ChunkName,
    builtin: bool,
    values: Captured,
) -> Gc<Closure> {
    let file = LuaStr::new(name.long.as_bytes());
    let short = LuaStr::new(name.short.as_bytes());
    let source = LuaStr::new(&name.source);
    let proto = function(world, code, [file, short, source], builtin);
    Gc::new(Closure {
        proto,
        values,
        shared: world.no_variables,
    })
}

/// Loads a function of a chunk with these names: as [`ChunkName`] has them, the mark last.
fn function(
    world: Gc<World>,
    code: &Code,
    names_of_chunk: [Gc<LuaStr>; 3],
    builtin: bool,
) -> Gc<Proto> {
    let [file, short, source] = names_of_chunk;
    // The collector does not look into a `Vec` while the next objects are made, into a `RootVec` it
    // does.
    let number = world.functions.get() + 1;
    world.functions.set(number);
    let protos: RootVec<Gc<Proto>> = RootVec::new();
    for inner in &code.protos {
        protos.push(function(world, inner, names_of_chunk, builtin));
    }
    let strings: RootVec<Gc<LuaStr>> = RootVec::new();
    for text in &code.strings {
        strings.push(interned(world, text));
    }
    let names: RootVec<Gc<LuaStr>> = RootVec::new();
    for name in &code.names {
        names.push(LuaStr::new(name.as_bytes()));
    }
    let globals: RootVec<Gc<Global>> = RootVec::new();
    for name in &code.globals {
        globals.push(table::global(world, interned(world, name.as_bytes())));
    }
    let shapes: RootVec<Gc<Shape>> = RootVec::new();
    for keys in &code.shapes {
        let mut made = world.empty_shape;
        for key in keys {
            made = shape::with_last_field(made, interned(world, key));
        }
        shapes.push(made);
    }
    let upvalues: RootVec<Gc<LuaStr>> = RootVec::new();
    for name in code.value_names.iter().chain(&code.shared_names) {
        upvalues.push(interned(world, name.as_bytes()));
    }
    let closers: Vec<u32> = code.closers.iter().flatten().copied().collect();
    let locals = match builtin || code.locals.is_empty() {
        true => None,
        false => Some(locals(world, code)),
    };
    let name = LuaStr::new(code.name.as_bytes());
    Gc::new(Proto {
        code: GcArray::from_slice(&code.code),
        ints: GcArray::from_slice(&code.ints),
        floats: GcArray::from_slice(&code.floats),
        strings: strings.to_array(),
        globals: globals.to_array(),
        shapes: shapes.to_array(),
        protos: protos.to_array(),
        value_sources: GcArray::from_slice(&code.value_sources),
        shared_sources: GcArray::from_slice(&code.shared_sources),
        upvalues: upvalues.to_array(),
        params: code.params,
        vararg: code.vararg,
        slots: code.slots,
        number,
        builtin,
        closers: GcArray::from_slice(&closers),
        lines: GcArray::from_slice(&code.lines),
        operands: GcArray::from_slice(&code.operands),
        names: names.to_array(),
        file,
        short,
        source,
        line: code.line,
        end_line: code.end_line,
        locals,
        name,
        world,
        spare: Values::new(1, Value::Nil),
    })
}

/// The local variables of a function.
fn locals(world: Gc<World>, code: &Code) -> Gc<Locals> {
    let names: RootVec<Gc<LuaStr>> = RootVec::new();
    for name in &code.local_names {
        names.push(interned(world, name.as_bytes()));
    }
    let places: Vec<u32> = code.locals.iter().flatten().copied().collect();
    Gc::new(Locals {
        places: GcArray::from_slice(&places),
        names: names.to_array(),
    })
}
