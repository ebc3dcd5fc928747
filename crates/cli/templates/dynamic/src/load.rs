//! Puts compiled functions on the heap of the VM. In: functions on Rust's heap. Out: objects.
//! Invariant: everything that is made here stays where the collector sees it: in locals, and in a
//! [`RootVec`], which is for objects what a `Vec` is for others.

use crate::compiler::Code;
// IN objects
// ELSE use crate::value::Function;
use crate::value::{ClassInfo, Function};
// OUT
use verdigris::{Str, prelude::*};

// IN objects
/// The names of a program.
pub fn names(names: &[String]) -> GcArray<Gc<Str>> {
    let names: RootVec<Gc<Str>> = names.iter().map(|name| Str::new(name)).collect();
    names.to_array()
}

// OUT
/// A function with all functions in it.
// IN objects
// ELSE pub fn function(code: &Code, file: Gc<Str>) -> Gc<Function> {
// ELSE     let inner = code.functions.iter().map(|inner| function(inner, file));
pub fn function(code: &Code, file: Gc<Str>, names: GcArray<Gc<Str>>) -> Gc<Function> {
    let inner = code
        .functions
        .iter()
        .map(|inner| function(inner, file, names));
// OUT
    let functions: RootVec<Gc<Function>> = inner.collect();
    // IN objects
    let classes = code.classes.iter().map(|class| {
        Gc::new(ClassInfo {
            name: Str::new(&class.name),
            methods: GcArray::from_slice(&class.methods),
        })
    });
    let classes: RootVec<Gc<ClassInfo>> = classes.collect();
    // OUT
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
        // IN objects
        classes: classes.to_array(),
        names,
        // OUT
    })
}
