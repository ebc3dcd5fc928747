//! A machine with globals and functions that can be redefined, as in a module of Python. In: a
//! program, its globals and functions. Out: the accumulator. Invariant: what can change but seldom
//! does is in [`Quasi`] fields, so compiled code has neither loads nor checks for it, and a
//! redefinition takes effect at the very next use.

#![forbid(unsafe_code)]

use verdigris::prelude::*;

verdigris::include_jit!();

/// A global variable.
#[gc]
pub struct Global {
    pub value: Quasi<i64>,
}

/// A function: `x * times + add`.
#[gc]
pub struct Method {
    pub times: i64,
    pub add: i64,
}

/// A function of the guest, which may be redefined.
#[gc]
pub struct Function {
    pub method: Quasi<Gc<Method>>,
    pub calls: Cell<i64>,
}

/// How much of what happens is reported: a value of several words.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Mode {
    Quiet,
    Scaled(i64),
    Offset(f64),
}

/// A program with all that it refers to.
#[gc]
pub struct World {
    pub code: GcArray<u8>,
    pub globals: GcArray<Gc<Global>>,
    pub functions: GcArray<Gc<Function>>,
    pub mode: Quasi<Mode>,
    pub turn: Cell<i64>,
    /// The programs that [`INNER`] runs.
    pub inner: Option<Gc<World>>,
}

/// `acc += globals[n]`
pub const GET: u8 = 0;
/// `globals[n] = acc`, in traced code.
pub const SET: u8 = 1;
/// `acc = functions[n](acc)`
pub const CALL: u8 = 2;
/// `acc += ` something by the mode.
pub const MODE: u8 = 3;
/// Counts a turn, in a function that cannot write any of this.
pub const TICK: u8 = 4;
/// Counts a turn, and changes the mode when it is the `10 * n`-th.
pub const FLIP: u8 = 5;
/// Redefines a function in every `n`-th turn.
pub const REDEFINE: u8 = 6;
/// Writes global 1 in every `n`-th turn, in traced code.
pub const POKE: u8 = 7;
/// Reads a global whose number is not known to compiled code.
pub const ANY: u8 = 8;
/// Goes back to the start unless all turns are done.
pub const LOOP: u8 = 9;
/// Returns.
pub const STOP: u8 = 10;
/// Counts a turn, and in every 30th writes global 0 and runs this program anew for a few turns, in
/// native code.
pub const NEST: u8 = 11;
/// Makes a new global and uses it.
pub const NEW: u8 = 12;
/// Runs the inner program for `n` turns, in traced code.
pub const INNER: u8 = 13;
/// Leaves out the next operation in every other turn.
pub const SKIP: u8 = 14;

#[opaque]
fn tick(world: Gc<World>) {
    world.turn.set(world.turn.get() + 1);
}

#[opaque]
fn flip(world: Gc<World>, at: i64) {
    world.turn.set(world.turn.get() + 1);
    if world.turn.get() == at {
        world.mode.set(Mode::Scaled(at));
    }
    if world.turn.get() == 2 * at {
        world.mode.set(Mode::Offset(0.5));
    }
}

#[opaque]
fn redefine(function: Gc<Function>, turn: i64, every: i64) {
    if turn % every == 0 {
        let method = Gc::new(Method {
            times: turn % 3,
            add: turn,
        });
        let old = function.method.replace(method);
        assert!(old.times < 3);
    }
}

/// Runs the program from native code: what that writes stops the code around this call too.
#[opaque]
fn nested(world: Gc<World>, acc: i64) -> i64 {
    let turn = world.turn.get() + 1;
    world.turn.set(turn);
    if turn % 30 != 0 {
        return acc;
    }
    world.globals[0].value.set(turn);
    run(world, acc, 5)
}

/// Where a place is, for people.
fn location(pc: usize, _world: Gc<World>) -> Location {
    Location::new().offset(pc)
}

/// Runs a program for some turns.
#[portal(location = location)]
pub fn run(world: Gc<World>, start: i64, turns: i64) -> i64 {
    let mut pc: usize = 0;
    let mut acc = start;
    let mut left = turns;
    loop {
        merge_point!(greens = [pc, world], reds = [acc, left]);
        let op = world.code[pc];
        let n = world.code[pc + 1];
        pc += 2;
        match op {
            GET => acc = acc.wrapping_add(world.globals[n as usize].value.get()),
            SET => world.globals[n as usize].value.set(acc),
            CALL => {
                let function = world.functions[n as usize];
                function.calls.set(function.calls.get() + 1);
                let method = function.method.get();
                acc = acc.wrapping_mul(method.times).wrapping_add(method.add);
            }
            MODE => match world.mode.get() {
                Mode::Quiet => acc = acc.wrapping_add(1),
                Mode::Scaled(by) => acc = acc.wrapping_add(by.wrapping_mul(1000)),
                Mode::Offset(by) => acc = acc.wrapping_add((by * 10.0) as i64),
            },
            TICK => tick(world),
            FLIP => flip(world, i64::from(n) * 10),
            REDEFINE => redefine(world.functions[0], left, i64::from(n)),
            POKE => {
                if left % i64::from(n) == 0 {
                    world.globals[1].value.set(left);
                }
            }
            ANY => {
                let any = (acc & 1) as usize;
                acc = acc.wrapping_add(world.globals[any].value.get());
            }
            NEST => acc = nested(world, acc),
            NEW => {
                let global = Gc::new(Global {
                    value: Quasi::new(acc),
                });
                global.value.set(acc.wrapping_add(2));
                acc = acc.wrapping_add(global.value.replace(1) & 3);
                acc = acc.wrapping_add(global.value.get());
            }
            INNER => {
                if let Some(inner) = world.inner {
                    acc = run(inner, acc, i64::from(n));
                }
            }
            SKIP => {
                if left & 1 == 0 {
                    pc += 2;
                }
            }
            LOOP => {
                left -= 1;
                if left > 0 {
                    pc = 0;
                    can_enter_jit!();
                }
            }
            STOP => return acc,
            _ => panic!("no such operation"),
        }
    }
}

/// A world with this program around another, whose globals and functions it shares.
pub fn around(code: &[u8], inner: Gc<World>) -> Gc<World> {
    Gc::new(World {
        code: GcArray::from_slice(code),
        globals: inner.globals,
        functions: inner.functions,
        mode: Quasi::new(Mode::Quiet),
        turn: Cell::new(0),
        inner: Some(inner),
    })
}

/// A world with this program, three globals and two functions.
pub fn world(code: &[u8]) -> Gc<World> {
    let global = |value| {
        Gc::new(Global {
            value: Quasi::new(value),
        })
    };
    let function = |times, add| {
        Gc::new(Function {
            method: Quasi::new(Gc::new(Method { times, add })),
            calls: Cell::new(0),
        })
    };
    let globals = [global(1), global(2), global(3)];
    let functions = [function(1, 1), function(2, -5)];
    Gc::new(World {
        code: GcArray::from_slice(code),
        globals: GcArray::from_slice(&globals),
        functions: GcArray::from_slice(&functions),
        mode: Quasi::new(Mode::Quiet),
        turn: Cell::new(0),
        inner: None,
    })
}

/// The interpreter as the JIT sees it.
pub fn program() -> verdigris::Program {
    jit::program()
}
