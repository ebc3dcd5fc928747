//! Compiled functions to the heap. In: [`CompiledChunk`]s. Out: [`Proto`]s. Invariant: strings of
//! programs are interned, so that a name is one object; a global that a function names is found
//! when the function is loaded, not when it runs.

use crate::asking::Asks;
use crate::chunk::CompiledChunk;
use crate::chunk_name::ChunkName;
use crate::compile::Code;
use crate::interned;
use crate::levels;
use crate::shape;
use crate::shape::Shape;
use crate::string::LuaStr;
use crate::table;
use crate::value::{
    Captured, ChunkText, Closure, Global, Locals, Proto, Shared, Value, Values, Variable, World,
};
use verdigris::prelude::*;

/// Compiles and loads a text or a function that was dumped, with an environment that is not the
/// table of globals if one is given.
///
/// # Errors
/// As [`CompiledChunk::compile`].
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
    let chunk = CompiledChunk::compile(text, name.clone(), other.is_some())?;
    Ok(function(world, &chunk, other))
}

/// Loads what has been compiled, whose environment is the table of globals if it is no other.
pub fn function(
    world: Gc<World>,
    chunk: &CompiledChunk<'_>,
    environment: Option<Value>,
) -> Gc<Closure> {
    if chunk.asks > Asks::Nothing {
        levels::track(world, chunk.asks == Asks::Variables);
    }
    let code = &chunk.code;
    let values = match (chunk.place, environment) {
        (0, Some(environment)) => Captured::new(1, environment),
        _ => Captured::new(code.value_names.len(), Value::Nil),
    };
    // A function without the ones around it has variables of its own, which are nil.
    let given = environment.unwrap_or(Value::Table(world.globals));
    let initial = |name: &String| match name.as_str() {
        "_ENV" => given,
        _ => Value::Nil,
    };
    if chunk.place > 0 {
        for (n, name) in code.value_names.iter().enumerate() {
            values[n].set(initial(name));
        }
    }
    let mut shared = world.no_variables;
    for (n, name) in code.shared_names.iter().enumerate() {
        let variable = Gc::new(Variable {
            value: Cell::new(initial(name)),
        });
        match n {
            0 => shared = Shared::new(code.shared_names.len(), variable),
            _ => shared[n].set(variable),
        }
    }
    let names = names(&chunk.name);
    let text = match *chunk.text == *chunk.name.source {
        true => names[2],
        false => LuaStr::new(&chunk.text),
    };
    let text = Gc::new(ChunkText {
        text,
        first: world.functions.get() as i64 + 1 - i64::from(chunk.place),
        stripped: chunk.stripped,
    });
    let proto = proto(world, code, names, Some(text));
    Gc::new(Closure {
        proto,
        values,
        shared,
    })
}

/// Loads the library, which is not dumped.
pub fn library(world: Gc<World>, code: &Code, name: &ChunkName) -> Gc<Closure> {
    Gc::new(Closure {
        proto: proto(world, code, names(name), None),
        values: Captured::new(0, Value::Nil),
        shared: world.no_variables,
    })
}

/// The names of a chunk as [`ChunkName`] has them, the mark last.
fn names(name: &ChunkName) -> [Gc<LuaStr>; 3] {
    let file = LuaStr::new(name.long.as_bytes());
    let short = LuaStr::new(name.short.as_bytes());
    let source = LuaStr::new(&name.source);
    [file, short, source]
}

/// Loads a function of a chunk with these names and this text.
fn proto(
    world: Gc<World>,
    code: &Code,
    names_of_chunk: [Gc<LuaStr>; 3],
    chunk: Option<Gc<ChunkText>>,
) -> Gc<Proto> {
    let [file, short, source] = names_of_chunk;
    let builtin = chunk.is_none();
    // The collector does not look into a `Vec` while the next objects are made, into a `RootVec` it
    // does.
    let number = world.functions.get() + 1;
    world.functions.set(number);
    let protos: RootVec<Gc<Proto>> = RootVec::new();
    for inner in &code.protos {
        protos.push(proto(world, inner, names_of_chunk, chunk));
    }
    let strings: RootVec<Gc<LuaStr>> = RootVec::new();
    for text in &code.strings {
        strings.push(interned::string(world, text));
    }
    let names: RootVec<Gc<LuaStr>> = RootVec::new();
    for name in &code.names {
        names.push(LuaStr::new(name.as_bytes()));
    }
    let globals: RootVec<Gc<Global>> = RootVec::new();
    for name in &code.globals {
        globals.push(table::global(
            world,
            interned::string(world, name.as_bytes()),
        ));
    }
    let shapes: RootVec<Gc<Shape>> = RootVec::new();
    for keys in &code.shapes {
        let mut made = world.empty_shape;
        for key in keys {
            made = shape::with_last_field(made, interned::string(world, key));
        }
        shapes.push(made);
    }
    let upvalues: RootVec<Gc<LuaStr>> = RootVec::new();
    for name in code.value_names.iter().chain(&code.shared_names) {
        upvalues.push(interned::string(world, name.as_bytes()));
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
        chunk,
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
        sites: Cell::new(None),
        misses: Cell::new(0),
    })
}

/// The local variables of a function.
fn locals(world: Gc<World>, code: &Code) -> Gc<Locals> {
    let names: RootVec<Gc<LuaStr>> = RootVec::new();
    for name in &code.local_names {
        names.push(interned::string(world, name.as_bytes()));
    }
    let places: Vec<u32> = code.locals.iter().flatten().copied().collect();
    Gc::new(Locals {
        places: GcArray::from_slice(&places),
        names: names.to_array(),
    })
}
