//! Compiled functions to the heap. In: [`Code`]. Out: [`Proto`]s. Invariant: strings of programs
//! are interned, so that a name is one object; a global that a function names is found when the
//! function is loaded, not when it runs.

use crate::compile::{self, Code};
use crate::shape;
use crate::shape::Shape;
use crate::string::LuaStr;
use crate::table::{self, interned};
use crate::value::{Captured, Closure, Global, Proto, Value, Values, World};
use verdigris::prelude::*;

/// Compiles and loads the text of a module.
///
/// # Errors
/// The first error, as `file:line: message`.
pub fn text(world: Gc<World>, text: &[u8], file: &str) -> Result<Gc<Closure>, String> {
    let code = compile::text(text, file).map_err(|error| error.in_file(file))?;
    Ok(chunk(world, &code, file, false))
}

/// Loads a chunk: a closure without captures.
pub fn chunk(world: Gc<World>, code: &Code, file: &str, builtin: bool) -> Gc<Closure> {
    let file = LuaStr::new(file.as_bytes());
    let proto = function(world, code, file, builtin);
    Gc::new(Closure {
        proto,
        values: Captured::new(0, Value::Nil),
        shared: world.no_variables,
    })
}

fn function(world: Gc<World>, code: &Code, file: Gc<LuaStr>, builtin: bool) -> Gc<Proto> {
    // The collector does not look into a `Vec` while the next objects are made, into a `RootVec` it
    // does.
    let number = world.functions.get() + 1;
    world.functions.set(number);
    let protos: RootVec<Gc<Proto>> = RootVec::new();
    for inner in &code.protos {
        protos.push(function(world, inner, file, builtin));
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
    let closers: Vec<u32> = code.closers.iter().flatten().copied().collect();
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
        line: code.line,
        name,
        world,
        spare: Values::new(1, Value::Nil),
    })
}
