//! Puts compiled functions on the heap of the VM. In: functions on Rust's heap. Out: objects.
//! Invariant: everything that is made here stays where the collector sees it: in locals, and in a
//! [`RootVec`], which is for objects what a `Vec` is for others.

use crate::compiler::Code;
use crate::value::Function;
use verdigris::prelude::*;

/// A function with all functions in it.
pub fn function(code: &Code, file: Gc<Str>) -> Gc<Function> {
    let inner = code.functions.iter().map(|inner| function(inner, file));
    let functions: RootVec<Gc<Function>> = inner.collect();
    let texts: RootVec<Gc<Str>> = code.texts.iter().map(|text| Str::new(text)).collect();
    Gc::new(Function {
        file,
        name: Str::new(&code.name),
        params: code.params,
        registers: code.registers,
        code: GcArray::from_slice(&code.ops),
        lines: GcArray::from_slice(&code.lines),
        texts: texts.to_array(),
        functions: functions.to_array(),
        captures: GcArray::from_slice(&code.captures),
    })
}
