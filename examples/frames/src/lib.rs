//! A machine whose frames are objects that any code can look at, as in Python. In: functions, and
//! an outside closure ("observer") that is called now and then with the machine. Out: the result of
//! the first function. Invariants: `Machine::top` is the frame of the function that runs, and its
//! `back` leads to those that wait; a frame holds the truth about its function whenever other code
//! looks, and compiled code neither loads from it nor stores to it until then.
//!
//! Source of the design: section 2.5 of "A Specializing Compiler for Free" (2007), and the frames
//! of PyPy.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use verdigris::{Virtualizable, prelude::*};

verdigris::include_jit!();

/// A number, which the language has no other values than.
#[gc]
pub struct Num {
    pub value: i64,
}

/// A function.
#[gc]
pub struct Code {
    pub ops: GcArray<u8>,
    pub locals: usize,
}

/// An activation of a function.
#[gc]
pub struct Frame {
    pub code: Gc<Code>,
    /// The instruction that runs, or whose call waits.
    pub at: Virtualizable<usize>,
    pub locals: GcArray<Virtualizable<Option<Gc<Num>>>>,
    /// The instruction that has left a mark last, and what it has left.
    pub mark: Virtualizable<(usize, Option<Gc<Num>>)>,
    pub back: Option<Gc<Frame>>,
}

/// The owner of frames.
#[gc]
pub struct Machine {
    pub functions: GcArray<Gc<Code>>,
    /// The frame of the function that runs.
    pub top: Virtualizable<Option<Gc<Frame>>>,
    /// How often the outside closure has been called.
    pub looks: Cell<i64>,
}

/// `acc = n`
pub const CONST: u8 = 0;
/// `acc = locals[n]`
pub const LOAD: u8 = 1;
/// `locals[n] = acc`
pub const STORE: u8 = 2;
/// `acc += locals[n]`
pub const ADD: u8 = 3;
/// `acc -= n`
pub const SUB: u8 = 4;
/// Goes on at `n` if `acc` is positive.
pub const LOOP: u8 = 5;
/// `acc = functions[n](acc)`
pub const CALL: u8 = 6;
/// Returns `acc`.
pub const RETURN: u8 = 7;
/// `acc = observer(machine, n)`: calls the outside closure, which may do anything.
pub const LOOK: u8 = 8;
/// `acc = local n of the function that runs`, by a function that reads locals and nothing else.
pub const PEEK: u8 = 9;
/// `local n of the function that runs = acc`, by a function that writes them.
pub const POKE: u8 = 10;
/// `acc = local n of the function that runs`, found through the chain of frames in traced code.
pub const FIND: u8 = 11;
/// Runs function `n` by calling the interpreter.
pub const NEST: u8 = 12;
/// `acc = locals[n]` of the function that waits for this one, in traced code.
pub const OUTER: u8 = 13;

/// Leaves a mark with `acc`, or with nothing if `n` is 0.
pub const MARK: u8 = 14;

/// The outside closure that [`LOOK`] calls.
pub type Observer = Box<dyn Fn(Gc<Machine>, u8) -> i64>;

thread_local! {
    static OBSERVER: RefCell<Option<Observer>> = const { RefCell::new(None) };
}

/// Calls the outside closure, if there is one. The translator cannot know what it does, so it may
/// do anything.
#[opaque]
fn call_somebody(machine: Gc<Machine>, n: u8) -> i64 {
    machine.looks.set(machine.looks.get() + 1);
    OBSERVER.with(|observer| match &*observer.borrow() {
        Some(observer) => observer(machine, n),
        None => 0,
    })
}

/// Runs `f` with this outside closure.
pub fn with_observer<R>(observer: Observer, f: impl FnOnce() -> R) -> R {
    let before = OBSERVER.with(|s| s.replace(Some(observer)));
    let result = f();
    OBSERVER.with(|s| s.replace(before));
    result
}

/// A local of the frame this many steps behind the one that runs.
pub fn local(machine: Gc<Machine>, steps: usize, n: usize) -> i64 {
    let mut frame = machine.top.get();
    for _ in 0..steps {
        frame = frame.and_then(|f| f.back);
    }
    frame
        .and_then(|f| f.locals[n].get())
        .map_or(-1, |num| num.value)
}

/// The mark of the function that runs: which instruction has left it, and the number.
pub fn mark(machine: Gc<Machine>) -> Option<(usize, Option<i64>)> {
    let (at, num) = machine.top.get()?.mark.get();
    Some((at, num.map(|num| num.value)))
}

/// The instructions of all frames, the innermost first: a stack trace.
pub fn instructions(machine: Gc<Machine>) -> Vec<usize> {
    let mut all = Vec::new();
    let mut next = machine.top.get();
    while let Some(frame) = next {
        all.push(frame.at.get());
        next = frame.back;
    }
    all
}

#[opaque]
fn peek(frame: Gc<Frame>, n: usize) -> i64 {
    frame.locals[n].get().map_or(-1, |num| num.value)
}

#[opaque]
fn poke(frame: Gc<Frame>, n: usize, value: i64) {
    frame.locals[n].set(Some(Gc::new(Num { value })));
}

/// Runs a function of the machine in the interpreter that called it.
#[opaque]
fn nested(machine: Gc<Machine>, code: Gc<Code>, arg: i64) -> i64 {
    call(machine, code, arg)
}

/// Runs a function with an argument, which is its local 0.
pub fn call(machine: Gc<Machine>, code: Gc<Code>, arg: i64) -> i64 {
    let back = machine.top.get();
    let frame = enter(code, back, Gc::new(Num { value: arg }));
    machine.top.set(Some(frame));
    let result = run(machine, code, frame);
    machine.top.set(back);
    result
}

/// What native code does for a call beside the call: makes a frame with the argument, makes it the
/// innermost one, and takes it away. Answers the argument.
pub fn prepare(machine: Gc<Machine>, code: Gc<Code>, arg: i64) -> i64 {
    let back = machine.top.get();
    let frame = enter(code, back, Gc::new(Num { value: arg }));
    machine.top.set(Some(frame));
    let result = value(frame.locals[0].get());
    machine.top.set(back);
    result
}

fn enter(code: Gc<Code>, back: Option<Gc<Frame>>, arg: Gc<Num>) -> Gc<Frame> {
    let locals: GcArray<Virtualizable<Option<Gc<Num>>>> = GcArray::new(code.locals, None);
    locals[0].set(Some(arg));
    Gc::new(Frame {
        code,
        at: Virtualizable::new(0),
        mark: Virtualizable::new((0, None)),
        locals,
        back,
    })
}

fn value(num: Option<Gc<Num>>) -> i64 {
    match num {
        Some(num) => num.value,
        None => panic!("the local has no value"),
    }
}

/// Where a place is, for people: programs are bytes, and functions have no names.
fn location(pc: usize, code: Gc<Code>, machine: Gc<Machine>) -> Location {
    let number = (0..machine.functions.len()).find(|&n| Gc::ptr_eq(machine.functions[n], code));
    let location = Location::new().offset(pc);
    match number {
        Some(number) => location.function(format!("function {number}")),
        None => location,
    }
}

/// Runs until the frame that it begins with returns.
#[portal(location = location)]
fn run(machine: Gc<Machine>, start: Gc<Code>, first: Gc<Frame>) -> i64 {
    let (mut code, mut pc) = (start, 0usize);
    let mut frame = first;
    let bottom = first.back;
    let mut acc = Gc::new(Num { value: 0 });
    loop {
        merge_point!(greens = [pc, code, machine], reds = [frame, acc, bottom]);
        let op = code.ops[pc];
        let n = code.ops[pc + 1];
        frame.at.set(pc);
        pc += 2;
        match op {
            CONST => {
                acc = Gc::new(Num {
                    value: i64::from(n),
                })
            }
            LOAD => {
                acc = match frame.locals[n as usize].get() {
                    Some(num) => num,
                    None => panic!("the local has no value"),
                }
            }
            STORE => frame.locals[n as usize].set(Some(acc)),
            ADD => {
                let value = acc
                    .value
                    .wrapping_add(value(frame.locals[n as usize].get()));
                acc = Gc::new(Num { value });
            }
            SUB => {
                let value = acc.value - i64::from(n);
                acc = Gc::new(Num { value });
            }
            LOOP => {
                if acc.value > 0 {
                    pc = n as usize;
                    can_enter_jit!();
                }
            }
            CALL => {
                let callee = machine.functions[n as usize];
                frame = enter(callee, Some(frame), acc);
                machine.top.set(Some(frame));
                code = callee;
                pc = 0;
            }
            RETURN => {
                machine.top.set(frame.back);
                match frame.back {
                    Some(back) if !same(frame.back, bottom) => {
                        frame = back;
                        code = promote(back.code);
                        pc = promote(back.at.get()) + 2;
                    }
                    _ => return acc.value,
                }
            }
            LOOK => {
                let value = call_somebody(machine, n);
                acc = Gc::new(Num { value });
            }
            PEEK => {
                let value = peek(frame, n as usize);
                acc = Gc::new(Num { value });
            }
            POKE => poke(frame, n as usize, acc.value),
            FIND => {
                acc = match machine.top.get() {
                    Some(top) => Gc::new(Num {
                        value: value(top.locals[n as usize].get()),
                    }),
                    None => panic!("no function runs"),
                }
            }
            NEST => {
                let value = nested(machine, machine.functions[n as usize], acc.value);
                acc = Gc::new(Num { value });
            }
            OUTER => {
                acc = match frame.back {
                    Some(back) => Gc::new(Num {
                        value: value(back.locals[n as usize].get()),
                    }),
                    None => Gc::new(Num { value: -1 }),
                }
            }
            MARK => frame.mark.set((pc, if n == 0 { None } else { Some(acc) })),
            _ => panic!("no such operation"),
        }
    }
}

fn same(a: Option<Gc<Frame>>, b: Option<Gc<Frame>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Gc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// A machine with these functions, each with a number of locals.
pub fn machine(functions: &[(Vec<u8>, usize)]) -> Gc<Machine> {
    let codes = RootVec::new();
    for (ops, locals) in functions {
        codes.push(Gc::new(Code {
            ops: GcArray::from_slice(ops),
            locals: *locals,
        }));
    }
    Gc::new(Machine {
        functions: codes.to_array(),
        top: Virtualizable::new(None),
        looks: Cell::new(0),
    })
}

/// The interpreter as the JIT sees it.
pub fn program() -> verdigris::Program {
    jit::program()
}
