//! Puts compiled functions on the heap of the VM. In: functions on Rust's heap. Out: objects. Invariant: everything that is made here
//! stays where the collector sees it: in locals, and in a [`RootVec`], which is for objects what a `Vec` is for others.

use crate::compiler::Code;
use crate::value::Function;
use verdigris::prelude::*;

/// A function with all functions in it.
pub fn function(code: &Code) -> Gc<Function> {
    let functions: RootVec<Gc<Function>> = code.functions.iter().map(function).collect();
    let texts: RootVec<Gc<Str>> = code.texts.iter().map(|text| Str::new(text)).collect();
    Gc::new(Function {
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
