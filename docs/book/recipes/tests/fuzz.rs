//! Programs made up at random. In: a seed. Invariant under test: a program answers
//! the same whatever the JIT does.

use book_recipes::embedding::{Source, call, machine};
use book_recipes::program::Op;
use fastrand::Rng;
use std::cell::Cell;
use verdigris::Options;
use verdigris_testing::{Run, agree};

// ANCHOR: make
/// A function that ends: a loop with as many turns as register 0 says. Registers 0 and 1 are for
/// the loop alone.
fn make(rng: &mut Rng) -> Source {
    let mut code = vec![Op::Int { to: 1, value: 1 }, Op::New { to: 2 }];
    for to in 3..8 {
        let value = rng.i64(-5..5);
        code.push(match rng.u8(0..3) {
            0 => Op::Float {
                to,
                value: value as f64 / 2.0,
            },
            1 => Op::Int {
                to,
                value: i64::MAX - value.abs(),
            },
            _ => Op::Int { to, value },
        });
    }
    let start = code.len();
    for _ in 0..rng.usize(1..12) {
        let (to, a, b) = (rng.usize(3..8), rng.usize(0..8), rng.usize(3..8));
        let (object, name) = (2, rng.usize(0..6));
        let target = code.len() + 2;
        match rng.u8(0..8) {
            0 => code.push(Op::Add { to, a, b }),
            1 => code.push(Op::Sub { to, a, b }),
            2 => code.push(Op::Less { to, a, b }),
            3 => code.push(Op::Same { to, a, b }),
            4 => code.push(Op::Get { to, object, name }),
            5 => code.push(Op::Set {
                object,
                name,
                from: b,
            }),
            6 => code.push(Op::Move { to, from: a }),
            // The next instruction is left out now and then.
            _ => {
                let condition = b;
                code.push(Op::Unless { condition, target });
                code.push(Op::Sub { to, a: to, b: 1 });
            }
        }
    }
    let end = code.len() + 4;
    code.extend([
        Op::Sub { to: 0, a: 0, b: 1 },
        Op::Less { to: 8, a: 0, b: 1 },
        Op::Unless {
            condition: 8,
            target: end,
        },
        Op::Return { from: 3 },
        Op::Loop { target: start },
    ]);
    Source {
        name: "main",
        params: 1,
        registers: 9,
        code,
        handlers: Vec::new(),
    }
}
// ANCHOR_END: make

#[test]
fn random_programs_agree() {
    let compiled = Cell::new(0);
    for seed in 0..12 {
        let program = [make(&mut Rng::with_seed(seed))];
        let guest = |options: Options| {
            let vm = machine(options).expect("a VM");
            let run = Run::on(&vm, || vm.enter(|| call(&program, &[], 60)));
            compiled.set(compiled.get() + vm.stats().loops);
            run
        };
        // ANCHOR: compare
        if let Err(difference) = agree(guest) {
            panic!("seed {seed}: {difference}\n{program:#?}");
        }
        // ANCHOR_END: compare
    }
    assert!(compiled.get() > 0, "nothing was compiled");
}
