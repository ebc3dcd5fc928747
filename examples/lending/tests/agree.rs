//! What is lent to the interpreter is the same whatever the JIT does. In: programs. Out: the journal and the result, with the
//! JIT off and in several modes. Invariant: compiled code has run, but where the JIT is off.

use lending::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris::{GcArray, Options, Vm};

const PARAMS: &[&str] = &[
    "threshold=1,trace_eagerness=1",
    "threshold=3,trace_eagerness=2",
    "threshold=2,backend=oracle",
    "threshold=2,enable_opts=none",
    "threshold=2,backend=oracle,enable_opts=none",
    "threshold=2,stress=1",
    "threshold=2,backend=oracle,stress=1",
    "threshold=2,fail_guards=1",
    "threshold=2,trace_eagerness=1,backend=oracle,fail_guards=1",
];

/// The journal, and what came out: the words of the result, or a panic's message.
fn outcome(code: &[u8], turns: i64, params: &str) -> (Journal, String) {
    let options = Options::parse(params).expect("parses");
    let vm = Vm::new(program(), options).expect("a VM");
    let mut journal = Journal::default();
    let word = String::from("value");
    let bytes = [1, 2, 3, 4];
    let result = catch_unwind(AssertUnwindSafe(|| {
        vm.enter(|| {
            let code = GcArray::from_slice(code);
            match run(&mut journal, &word[..3], &bytes[1..], code, turns) {
                Ok(end) => {
                    let last = match end.last {
                        Value::Nothing => "nothing".to_owned(),
                        Value::Int(n) => n.to_string(),
                        Value::Boxed(b) => format!("box {} {}", b.value, b.seen.get()),
                    };
                    format!("{last}, {} {}", end.largest, end.any)
                }
                Err(left) => format!("stopped with {left}"),
            }
        })
    }));
    let text = result.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().copied();
        text.unwrap_or("another panic").to_owned()
    });
    if params != "off" {
        assert!(vm.stats().entries > 0, "compiled code has run");
    }
    (journal, text)
}

fn check(code: &[u8], turns: i64, want: &str) {
    assert_eq!(agreed(code, turns).1, want);
}

/// What comes out in all modes.
fn agreed(code: &[u8], turns: i64) -> (Journal, String) {
    let native = outcome(code, turns, "off");
    for params in PARAMS {
        assert_eq!(outcome(code, turns, params), native, "{code:?} {params}");
    }
    native
}

#[test]
fn lines_are_written() {
    check(&[ADD, REPORT, AGAIN, STOP], 50, "27500, 50 true");
}

#[test]
fn boxes_travel_through_calls() {
    for code in [
        &[ADD, BOX, REPORT, OPEN, AGAIN, STOP][..],
        &[BOX, REPORT, NOTE, CHECK, AGAIN, BOX, STOP],
        &[ADD, OPEN, NOTE, AGAIN, STOP],
    ] {
        let (journal, _) = agreed(code, 60);
        assert_eq!(journal.lines.len() % 60, 0);
        assert!(journal.lines.len() >= 60);
    }
}

#[test]
fn a_result_can_be_an_error() {
    check(&[ADD, CHECK, REPORT, AGAIN, 99], 40, "stopped with 0");
}

#[test]
fn a_panic_behind_a_reference_comes_through() {
    let (journal, text) = outcome(&[ADD, REPORT, AGAIN, STOP], 3000, "threshold=5");
    assert_eq!(
        (journal.lines.len(), text.as_str()),
        (2000, "the journal is full")
    );
    check(&[ADD, NOTE, AGAIN, STOP], 3000, "the journal is full");
}
