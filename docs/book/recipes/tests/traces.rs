//! What becomes of each recipe. In: guest programs with a hot loop. Out: the body of the loop, as a
//! file in `traces`, which the book includes. Invariant under test: the book shows what is
//! compiled, and the result is the same under every setting.
//!
//! `UPDATE_EXPECT=1` writes the files anew.

use book_recipes::embedding::{Source, call, machine, with_host};
use book_recipes::faults::Handler;
use book_recipes::program::Op;
use expect_test::expect_file;
use std::rc::Rc;
use verdigris::Options;
use verdigris_testing::{Run, agreed, compiled, listing};

/// Runs functions with a number.
fn guest(functions: Vec<Source>, texts: &'static [&str], n: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = machine(options).expect("a VM");
        with_host(vec![Rc::new(|x| x / 2)], || {
            Run::on(&vm, || vm.enter(|| call(&functions, texts, n)))
        })
    }
}

/// Compares all settings, and the body of the first loop with the file of this name.
fn check(name: &str, functions: &[Source], texts: &'static [&str], expected: &str) {
    agreed(guest(functions.to_vec(), texts, 200));
    let run = compiled(guest(functions.to_vec(), texts, 3000), "");
    assert_eq!(run.outcome.to_string(), expected, "{name}");
    let file = format!("{}/traces/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    expect_file![file].assert_eq(&listing(run.body()));
}

/// A function.
fn function(name: &'static str, params: usize, registers: usize, code: &[Op]) -> Source {
    Source {
        name,
        params,
        registers,
        code: code.to_vec(),
        handlers: Vec::new(),
    }
}

/// The function that does `before`, then `body` as often as register 0 says, and returns register
/// 1. Register 2 has 1, 3 has 0 and 4 is used; `before` and `body` have no jumps out of themselves.
fn looping(before: &[Op], body: &[Op]) -> Source {
    let mut code = vec![
        Op::Int { to: 1, value: 0 },
        Op::Int { to: 2, value: 1 },
        Op::Int { to: 3, value: 0 },
    ];
    code.extend(before);
    let start = code.len();
    code.extend(body);
    code.push(Op::Sub { to: 0, a: 0, b: 2 });
    code.push(Op::Less { to: 4, a: 3, b: 0 });
    let end = code.len() + 2;
    code.push(Op::Unless {
        condition: 4,
        target: end,
    });
    code.push(Op::Loop { target: start });
    code.push(Op::Return { from: 1 });
    function("main", 1, 12, &code)
}

#[test]
fn integers() {
    let main = looping(&[], &[Op::Add { to: 1, a: 1, b: 0 }]);
    check("integers", &[main], &[], "4501500");
}

#[test]
fn floats() {
    let before = [Op::Float { to: 1, value: 0.5 }];
    let main = looping(&before, &[Op::Add { to: 1, a: 1, b: 0 }]);
    check("floats", &[main], &[], "4501500.5");
}

/// An object with the field 7 and the field 8.
const OBJECT: [Op; 3] = [
    Op::New { to: 5 },
    Op::Set {
        object: 5,
        name: 7,
        from: 2,
    },
    Op::Set {
        object: 5,
        name: 8,
        from: 2,
    },
];

#[test]
fn fields() {
    let get = Op::Get {
        to: 6,
        object: 5,
        name: 8,
    };
    let body = [get, Op::Add { to: 1, a: 1, b: 6 }];
    check("fields", &[looping(&OBJECT, &body)], &[], "3000");
}

#[test]
fn fields_without_promotion() {
    let get = Op::Lookup {
        to: 6,
        object: 5,
        name: 8,
    };
    let body = [get, Op::Add { to: 1, a: 1, b: 6 }];
    check("fields_slow", &[looping(&OBJECT, &body)], &[], "3000");
}

#[test]
fn new_objects() {
    let mut body = OBJECT.to_vec();
    body.push(Op::Get {
        to: 6,
        object: 5,
        name: 8,
    });
    body.push(Op::Add { to: 1, a: 1, b: 6 });
    check("new_objects", &[looping(&[], &body)], &[], "3000");
}

#[test]
fn constant_texts() {
    let text = |to, index| Op::Text { to, index };
    let body = [
        text(5, 0),
        text(6, 1),
        Op::Same { to: 7, a: 5, b: 6 },
        Op::Unless {
            condition: 7,
            target: 8,
        },
        Op::Add { to: 1, a: 1, b: 2 },
    ];
    check(
        "constant_texts",
        &[looping(&[], &body)],
        &["one", "two"],
        "0",
    );
}

#[test]
fn computed_names() {
    let text = |to, index| Op::Text { to, index };
    let before = [text(5, 0), text(6, 1)];
    let body = [
        Op::Add { to: 7, a: 5, b: 6 },
        Op::Name { to: 8, from: 7 },
        Op::Add { to: 1, a: 1, b: 8 },
    ];
    check(
        "computed_names",
        &[looping(&before, &body)],
        &["on", "e", "one"],
        "6000",
    );
}

/// Adds 1, and throws the sum.
fn thrower() -> Source {
    let code = [
        Op::Captured { to: 1 },
        Op::Add { to: 0, a: 0, b: 1 },
        Op::Throw { from: 0 },
    ];
    function("thrower", 1, 2, &code)
}

#[test]
fn exceptions() {
    let before = [Op::Close {
        to: 5,
        function: 1,
        from: 2,
    }];
    let body = [
        Op::Move { to: 6, from: 1 },
        Op::Call {
            to: 7,
            first: 5,
            count: 1,
        },
    ];
    let mut main = looping(&before, &body);
    main.handlers.push(Handler {
        from: 5,
        until: 6,
        target: 6,
        to: 1,
    });
    check("exceptions", &[main, thrower()], &[], "3000");
}

/// What it was called with, and what it has captured.
fn adder() -> Source {
    let code = [
        Op::Captured { to: 1 },
        Op::Add { to: 0, a: 0, b: 1 },
        Op::Return { from: 0 },
    ];
    function("adder", 1, 2, &code)
}

#[test]
fn closures() {
    let body = [
        Op::Close {
            to: 5,
            function: 1,
            from: 0,
        },
        Op::Move { to: 6, from: 1 },
        Op::Call {
            to: 1,
            first: 5,
            count: 1,
        },
    ];
    check("closures", &[looping(&[], &body), adder()], &[], "4501500");
}

/// Yields what it is given, then one less, and so on, for ever.
fn counter() -> Source {
    let code = [
        Op::Int { to: 1, value: 1 },
        Op::Yield { from: 0 },
        Op::Sub { to: 0, a: 0, b: 1 },
        Op::Loop { target: 1 },
    ];
    function("counter", 1, 2, &code)
}

#[test]
fn generators() {
    let before = [
        Op::Close {
            to: 5,
            function: 1,
            from: 2,
        },
        Op::Move { to: 6, from: 0 },
        Op::Generate {
            to: 7,
            first: 5,
            count: 1,
        },
    ];
    let body = [Op::Resume { to: 8, from: 7 }, Op::Add { to: 1, a: 1, b: 8 }];
    check(
        "generators",
        &[looping(&before, &body), counter()],
        &[],
        "4501500",
    );
}

#[test]
fn calls_of_the_host() {
    let body = [
        Op::Host {
            to: 5,
            index: 0,
            from: 0,
        },
        Op::Add { to: 1, a: 1, b: 5 },
    ];
    check("host", &[looping(&[], &body)], &[], "2250000");
}

/// The loop of `integers` on a VM for which there is a handle to interrupt it.
#[test]
fn loops_that_can_be_interrupted() {
    let main = [looping(&[], &[Op::Add { to: 1, a: 1, b: 0 }])];
    let options = Options::parse("compile_allowance=off").expect("parameters");
    let options = options.keep_traces(true);
    let vm = machine(options).expect("a VM");
    let _handle = vm.interrupt_handle();
    let run = Run::on(&vm, || vm.enter(|| call(&main, &[], 3000)));
    assert_eq!(run.outcome.to_string(), "4501500");
    let file = format!("{}/traces/interruptible.txt", env!("CARGO_MANIFEST_DIR"));
    expect_file![file].assert_eq(&listing(run.body()));
}
