//! A portal with the engine, but without the translator: its jitcode is written by hand. In: the
//! counter language. Out: the same sums from the interpreter, from the oracle and from machine
//! code. Invariant: compiled code is entered from the portal's own loop, and what it leaves behind
//! is what the interpreter goes on with.

#![deny(warnings)]
#![forbid(unsafe_code)]

use verdigris::{Tier, prelude::*};

/// A program.
#[gc]
struct Program {
    code: GcArray<u8>,
}

/// A function that panics for large sums.
#[opaque]
fn checked(sum: i64, limit: i64) -> i64 {
    assert!(sum <= limit, "more than {limit}");
    sum
}

/// What begins with a `#` is interpreted, and what begins with a `~` is never traced.
fn tier(_pc: usize, program: Gc<Program>) -> Tier {
    match program.code[0] {
        b'#' => Tier::Interpreter,
        b'~' => Tier::Specialised,
        _ => Tier::Any,
    }
}

/// The interpreter: `+` adds, `-` decrements, `?` starts again, `!` checks.
#[portal(tier = tier)]
fn run(program: Gc<Program>, mut counter: i64, limit: i64) -> i64 {
    let mut pc: usize = 0;
    let mut sum: i64 = 0;
    loop {
        merge_point!(greens = [pc, program], reds = [counter, sum, limit]);
        let op = program.code[pc];
        pc += 1;
        match op {
            b'+' => sum += counter,
            b'-' => counter -= 1,
            b'!' => sum = checked(sum, limit),
            b'#' | b'~' => {}
            b'?' => {
                if counter > 0 {
                    pc = 0;
                    can_enter_jit!();
                }
            }
            _ => return sum,
        }
    }
}

/// What the translator makes of `run`.
const JITCODE: &str = r#"
class Program { code: ref }
class GcArray<u8> [int]
fn checked(int, int) -> int opaque
code run(r1 i2 i5) -> int {
        i0 = 0
        i3 = 0
  loop: merge_point (i0 r1) (i2 i3 i5)
        r4 = getfield_r r1 Program.code
        i7 = arraylen r4 GcArray<u8>
        i6 = uint_lt i0 i7
        branch_false i6 @bad
        i6 = getitem_i r4 i0 GcArray<u8>
        i0 = int_add i0 1
        switch i6 [33: @check, 35: @loop, 43: @add, 45: @sub, 63: @jump, 126: @loop, else @end]
  add:  i3 = int_add i3 i2
        goto @loop
  sub:  i2 = int_sub i2 1
        goto @loop
  check: i3 = call_fn checked(i3, i5)
        goto @loop
  jump: i6 = int_gt i2 0
        branch_false i6 @loop
        i0 = 0
        loop_header
        goto @loop
  end:  return i3
  bad:  panic index_out_of_bounds(i0, i7)
}
portal run @2
"#;

fn program() -> verdigris::Program {
    let unit = verdigris_jitcode::parse(JITCODE).expect("jitcode");
    verdigris_jitcode::verify(&unit).expect("well formed");
    verdigris::rt::ProgramParts {
        portal: &__vd_portal_run,
        unit: unit.to_bytes().leak(),
        graphs: "",
        red_dispatch: "",
        classes: &[__vd_class_Program, verdigris::rt::array_class::<u8, ()>],
        fns: &[__vd_fn_checked],
        types: &[],
        places: &[],
        advice: &[],
    }
    .program()
}

fn enter<R: Unpin>(params: &str, f: impl FnOnce(&Vm) -> R) -> R {
    let options = Options::parse(params).expect("parameters");
    let vm = Vm::new(program(), options).expect("a VM");
    vm.enter(|| f(&vm))
}

fn sum(text: &str, counter: i64, limit: i64) -> i64 {
    let code = GcArray::from_slice(text.as_bytes());
    run(Gc::new(Program { code }), counter, limit)
}

const PARAMS: &[&str] = &[
    "off",
    "",
    "threshold=1,trace_eagerness=1",
    "threshold=2,trace_eagerness=2,backend=oracle",
    "threshold=2,enable_opts=none",
    "threshold=2,stress=1",
    "threshold=2,fail_guards=1",
];

#[test]
fn the_answers_do_not_depend_on_the_parameters() {
    for params in PARAMS {
        enter(params, |_| {
            assert_eq!(sum("+-?.", 4, 0), 10, "{params}");
            assert_eq!(sum("+-?.", 3000, 0), 4_501_500, "{params}");
            assert_eq!(sum("+!--?+.", 3001, i64::MAX), 2_253_000, "{params}");
        });
    }
}

#[test]
fn a_hot_loop_is_compiled_and_left_once() {
    enter("", |vm| {
        assert_eq!(sum("+-?.", 1_000_000, 0), 500_000_500_000);
        let stats = serde_json::to_value(vm.stats()).expect("statistics are data");
        assert_eq!(stats["loops"], 1, "{stats:#}");
        assert_eq!(stats["entries"], 1, "{stats:#}");
        assert_eq!(stats["guard_failures"]["total"], 1, "{stats:#}");
    });
}

#[test]
fn the_function_for_the_tier_says_which_compiler_makes_code() {
    let made = |params: &str, text: &str| {
        enter(params, |vm| {
            assert_eq!(sum(text, 20_000, 0), 200_010_000);
            let stats = serde_json::to_value(vm.stats()).expect("statistics are data");
            let figures = [&stats["traces"], &stats["specialised"]["pieces"]];
            figures.map(|figure| figure.as_u64().expect("a number"))
        })
    };
    assert_eq!(made("compiler=specialising", "#+-?."), [0, 0]);
    assert_eq!(made("compiler=tracing", "#+-?."), [0, 0]);
    for params in ["compiler=tracing", "compiler=specialising"] {
        let [traces, pieces] = made(params, "~+-?.");
        assert_eq!((traces, pieces > 0), (1, true), "{params}");
    }
    assert_eq!(made("compiler=tracing", "+-?."), [1, 0]);
}

#[test]
fn panics_come_out_of_compiled_code() {
    for params in PARAMS {
        let message = |text: &'static str, limit| {
            let run = || enter(params, |_| sum(text, 3000, limit));
            let payload = std::panic::catch_unwind(run).expect_err("a panic");
            payload.downcast_ref::<String>().expect("a text").clone()
        };
        assert_eq!(
            message("+-?", 0),
            "index out of bounds: the len is 3 but the index is 3",
            "{params}"
        );
        assert_eq!(message("+!-?.", 50_000), "more than 50000", "{params}");
    }
}

/// A portal of another program, with other variables.
mod other {
    use verdigris::prelude::*;

    #[portal]
    pub(super) fn count(mut n: i64) -> i64 {
        let at: i64 = 7;
        loop {
            merge_point!(greens = [at], reds = [n]);
            if n == 0 {
                return at;
            }
            n -= 1;
            can_enter_jit!();
        }
    }

    /// One that cannot be entered at its merge point.
    #[portal]
    pub(super) fn count_twice(n: i64) -> i64 {
        let at: i64 = 7;
        let twice = n * 2;
        let mut left = twice;
        loop {
            merge_point!(greens = [at], reds = [left]);
            if left == 0 {
                break;
            }
            left -= 1;
            can_enter_jit!();
        }
        twice
    }
}

#[test]
fn the_portal_of_another_program_is_refused() {
    assert_eq!((other::count(5), other::count_twice(5)), (7, 10));
    for (name, call) in [
        ("count", other::count as fn(i64) -> i64),
        ("count_twice", other::count_twice),
    ] {
        for params in PARAMS {
            let run = || enter(params, |_| call(1));
            let payload = std::panic::catch_unwind(run).expect_err("a panic");
            let message = payload.downcast_ref::<String>().expect("a text");
            let expected = format!(
                "the portal `tests::by_hand::other::{name}` is called in a VM that was made of the program of `tests::by_hand::run`: enter a VM made of the \
                 program that `tests::by_hand::other::{name}` belongs to (`Vm::new` with the `jit::program()` of its crate) around the call"
            );
            assert_eq!(*message, expected, "{params}");
        }
    }
}
