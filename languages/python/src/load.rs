//! Code to the heap. In: [`CompiledCode`] and a module. Out: [`Code`]. Invariant: names are
//! interned, so that comparing them mostly compares two words.

use crate::bytecode::code::{Capture, CompiledCode, Const, Kind};
use crate::bytecode::source::Source;
use crate::heap::function::{
    self, ASYNC_GENERATOR, COROUTINE, Code, GENERATOR, Global, Keywords, Module, PLAIN,
};
use crate::heap::places;
use crate::heap::value::{Tuple, Value, bytes, complex, text, text_of};
use crate::heap::variables;
use crate::heap::world::{World, intern};
use crate::plain::bigint;
use verdigris::{Str, prelude::*};

/// Takes code to the heap.
pub fn code(
    world: Gc<World>,
    module: Gc<Module>,
    source: &Source<'_>,
    compiled: &CompiledCode,
) -> Gc<Code> {
    let names = |names: &[String]| -> GcArray<Gc<Str>> {
        let all: RootVec<Gc<Str>> = RootVec::new();
        names.iter().for_each(|name| all.push(intern(world, name)));
        all.to_array()
    };
    let consts: RootVec<Value> = RootVec::new();
    for constant in &compiled.consts {
        consts.push(value(world, constant));
    }
    let globals: RootVec<Gc<Global>> = RootVec::new();
    for name in &compiled.globals {
        globals.push(variables::global_of(world, module, intern(world, name)));
    }
    let keywords: RootVec<Gc<Keywords>> = RootVec::new();
    for list in &compiled.keywords {
        let names = names(list);
        keywords.push(Gc::new(Keywords { names }));
    }
    let protos: RootVec<Gc<Code>> = RootVec::new();
    for proto in &compiled.protos {
        protos.push(code(world, module, source, proto));
    }
    let captures: Vec<u32> = compiled.captures.iter().map(|&c| source_of(c)).collect();
    let handlers: Vec<u32> = compiled
        .handlers
        .iter()
        .flat_map(|h| [h.start, h.end, h.target, h.register].map(|n| n as u32))
        .collect();
    let lines: Vec<u32> = compiled
        .places
        .iter()
        .map(|&(start, _)| source.line_of(start as usize) as u32)
        .collect();
    let places: Vec<u32> = compiled.places.iter().flat_map(|&(a, b)| [a, b]).collect();
    let code = Gc::new(Code {
        number: places::number(world.codes),
        code: GcArray::from_slice(&compiled.code),
        consts: consts.to_array(),
        names: names(&compiled.names),
        globals: globals.to_array(),
        keywords: keywords.to_array(),
        protos: protos.to_array(),
        captures: GcArray::from_slice(&captures),
        params: compiled.params,
        positional_only: compiled.positional_only,
        keyword_only: compiled.keyword_only,
        star: compiled.star,
        double_star: compiled.double_star,
        locals: names(&compiled.locals),
        free: names(&compiled.free_names),
        registers: compiled.registers.max(1),
        handlers: GcArray::from_slice(&handlers),
        kind: match compiled.kind {
            Kind::Plain => PLAIN,
            Kind::Generator => GENERATOR,
            Kind::Coroutine => COROUTINE,
            Kind::AsyncGenerator => ASYNC_GENERATOR,
        },
        first_line: compiled.first_line as usize,
        lines: GcArray::from_slice(&lines),
        places: GcArray::from_slice(&places),
        name: intern(world, &compiled.name),
        qualname: intern(world, &compiled.qualname),
        doc: match &compiled.doc {
            Some(doc) => text(doc),
            None => Value::None,
        },
        module,
        world,
        loops: GcArray::new(function::LOOPS, Value::Unbound),
        sites: GcArray::new(compiled.code.len(), None),
    });
    places::begin(world.codes, code);
    code
}

fn source_of(capture: Capture) -> u32 {
    match capture {
        Capture::Register(n) => n as u32 * 2,
        Capture::Free(n) => n as u32 * 2 + 1,
    }
}

fn value(world: Gc<World>, constant: &Const) -> Value {
    match constant {
        Const::None => Value::None,
        Const::Ellipsis => Value::Ellipsis,
        Const::Bool(b) => Value::Bool(*b),
        Const::Int(x) => Value::Int(*x),
        Const::Big(digits) => bigint::parse(digits, 10).unwrap_or(Value::None),
        Const::Float(x) => Value::Float(*x),
        Const::Str(s) => Value::Str(text_of(intern(world, s))),
        Const::Bytes(data) => bytes(data),
        Const::Complex(re, im) => complex(*re, *im),
        Const::Tuple(items) if items.is_empty() => Value::Tuple(world.no_items),
        Const::Tuple(items) => {
            let tuple = Tuple::new(items.len(), Value::Unbound);
            for (n, item) in items.iter().enumerate() {
                tuple[n].set(value(world, item));
            }
            Value::Tuple(tuple)
        }
    }
}
