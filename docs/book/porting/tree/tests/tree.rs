//! The port of a tree walker. In: programs. Invariants under test: both interpreters
//! say the same, whatever the JIT does, and the loop is what the book shows.
//!
//! `UPDATE_EXPECT=1` writes the trace anew.

use book_porting_tree::{answer, before, machine};
use expect_test::expect_file;
use std::path::Path;
use verdigris::Options;
use verdigris_testing::{Run, agreed, compiled, listing};

fn before(text: &str, n: i64) -> String {
    before::answer(text, n).unwrap_or_else(|error| format!("error: {error}"))
}

fn after(text: &str, n: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = machine(options).expect("a VM");
        Run::on(&vm, || answer(&vm, text, n))
    }
}

const SUM: &str = include_str!("../programs/sum.txt");

#[test]
fn both_say_the_same() {
    let programs = [
        SUM,
        "(do (set fib (fn (k) (if (< k 2) k (+ (call fib (- k 1)) (call fib (- k 2))))))
            (if (< n 13) (call fib n) (call fib 13)))",
        // A variable of the function around it, until the function has set its own.
        "(do (set x 7) (call (fn (a) (do (set y (+ x a)) (set x 1) (+ x y))) n))",
        "(call (call (fn (a) (fn (b) (- a b))) n) 1)",
        "(call (fn (a a) (do (set b a) b)) 1 n)",
        "(fn () 1)",
        // What goes wrong goes wrong in the same way.
        "nobody",
        "(+ 1 (fn () 1))",
        "(call 1)",
        "(call (fn (a) a))",
        "(do",
        "1 2",
    ];
    for text in programs {
        for n in [0, 1, 200] {
            let after = agreed(after(text, n)).to_string();
            assert_eq!(after, before(text, n), "{text}");
        }
    }
}

#[test]
fn the_loop_is_as_the_book_shows_it() {
    let run = compiled(after(SUM, 3000), "");
    assert_eq!(run.outcome.to_string(), before(SUM, 3000));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces/sum.txt");
    expect_file![file].assert_eq(&listing(run.body()));
}
