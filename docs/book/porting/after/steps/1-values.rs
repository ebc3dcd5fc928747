//! The first step: the portal around the old loop, and nothing else.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use verdigris::prelude::*;

#[derive(Clone)]
enum Value {
    Int(i64),
    Cell(Rc<RefCell<Value>>),
}

#[derive(Clone)]
enum Instr {
    Push(i64),
    Get(String),
    Add,
    Stop,
}

#[portal]
fn run(code: &[Instr], globals: &mut HashMap<String, Value>, stack: &mut Vec<Value>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, code], reds = [globals, stack]);
        match &code[pc] {
            Instr::Push(number) => stack.push(Value::Int(*number)),
            Instr::Get(name) => stack.push(globals[name].clone()),
            Instr::Add => {}
            Instr::Stop => return 0,
        }
        pc += 1;
    }
}
