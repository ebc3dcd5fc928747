//! What is lent to the interpreter is the same whatever the JIT does. In: programs. Out: the
//! journal and the result under every setting. Invariant: compiled code has run where a loop was
//! hot.

use expect_test::expect;
use lending::*;
use verdigris::{GcArray, Options, Vm};
use verdigris_testing::{Run, agreed, compiled};

/// A guest that shows the journal, even if there is a panic, and what came out.
fn lending(code: &[u8], turns: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let compiled = options.jit.is_on() && i64::from(options.jit.threshold()) < turns;
        let vm = Vm::new(program(), options).expect("a VM");
        let mut journal = Journal::default();
        let mut run = Run::on(&vm, || vm.enter(|| outcome(&mut journal, code, turns)));
        run.outcome.output = format!("{}{}", shown(&journal), run.outcome.output);
        assert!(!compiled || run.stats.entries > 0, "compiled code has run");
        run
    }
}

fn outcome(journal: &mut Journal, code: &[u8], turns: i64) -> Result<String, String> {
    let word = String::from("value");
    let bytes = [1, 2, 3, 4];
    let code = GcArray::from_slice(code);
    match run(journal, &word[..3], &bytes[1..], code, turns) {
        Ok(end) => {
            let last = match end.last {
                Value::Nothing => "nothing".to_owned(),
                Value::Int(n) => n.to_string(),
                Value::Boxed(b) => format!("box {} {}", b.value, b.seen.get()),
            };
            Ok(format!("{last}, {} {}", end.largest, end.any))
        }
        Err(left) => Err(format!("stopped with {left}")),
    }
}

/// The journal, each line of it and of the counts on a line of the text.
fn shown(journal: &Journal) -> String {
    let lines = journal.lines.iter().map(|line| format!("line {line}\n"));
    let counts = journal.counts.iter();
    let counts = counts.map(|(word, count)| format!("count {word} {count}\n"));
    lines.chain(counts).collect()
}

fn check(code: &[u8], turns: i64, want: &str) {
    let text = agreed(lending(code, turns)).to_string();
    assert_eq!(text.lines().last(), Some(want), "{code:?}");
}

fn count_lines(output: &str) -> usize {
    output.lines().filter(|l| l.starts_with("line ")).count()
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
        let lines = count_lines(&agreed(lending(code, 60)).output);
        assert_eq!(lines % 60, 0);
        assert!(lines >= 60);
    }
}

#[test]
fn a_result_can_be_an_error() {
    check(
        &[ADD, CHECK, REPORT, AGAIN, 99],
        40,
        "error: stopped with 0",
    );
}

#[test]
fn a_panic_behind_a_reference_comes_through() {
    let full = "error: panicked: the journal is full";
    check(&[ADD, NOTE, AGAIN, STOP], 3000, full);
    let options = Options::parse("threshold=5").expect("parses");
    let outcome = lending(&[ADD, REPORT, AGAIN, STOP], 3000)(options).outcome;
    assert_eq!(count_lines(&outcome.output), 2000);
    assert_eq!(outcome.to_string().lines().last(), Some(full));
}

#[test]
fn what_is_lent_is_handed_on() {
    let run = compiled(lending(&[ADD, REPORT, AGAIN, STOP], 1500), "");
    expect![[r#"
        loops 1, bridges 0, aborts 0
        guard_value int_from_word int_add word_from_int call guard_no_panic int_lt guard_true int_add int_gt guard_true jump L1
    "#]]
    .assert_eq(&run.summary());
}
