//! The command. In: command lines. Out: standard output, standard error, exit status. Invariant
//! under test: what goes wrong is said in one line with status 1 (faulty program or file) or 2
//! (faulty command line), never by a crash.

use verdigris_testing::said;

/// Runs `tla run` with a program of the folder `programs`, named by its file in the messages.
fn tla(program: &str, args: &[&str]) -> (String, String, Option<i32>) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/");
    let file = format!("{folder}{program}.tla");
    let args = [&["run", &file], args].concat();
    let (out, err, status) = said(env!("CARGO_BIN_EXE_tla"), &args);
    (out, err.replace(folder, ""), status)
}

fn ok(program: &str, args: &[&str]) -> String {
    let (out, err, status) = tla(program, args);
    assert_eq!((err.as_str(), status), ("", Some(0)), "{program} {args:?}");
    out
}

fn fails(program: &str, args: &[&str]) -> String {
    let (out, err, status) = tla(program, args);
    assert_eq!((out.as_str(), status), ("", Some(1)), "{program} {args:?}");
    err
}

#[test]
fn results_are_printed() {
    for jit in ["", "off", "threshold=2,trace_eagerness=1"] {
        assert_eq!(ok("callabit", &["100", "--jit", jit]), "0");
        assert_eq!(ok("fib", &["15", "--jit", jit]), "610");
        assert_eq!(ok("loop", &["-5", "--jit", jit]), "-5");
    }
}

#[test]
fn the_first_function_runs_on_a_level() {
    for level in ["any", "interpreter", "baseline", "tracing"] {
        let args = ["20000", "--main-tier", level, "--stats=json"];
        let (out, err, status) = tla("loop", &args);
        assert_eq!((out.as_str(), status), ("0", Some(0)), "{level}");
        let pieces = err.contains("\"specialised\":{\"pieces\":0,");
        assert_eq!(pieces, level != "baseline", "{level}: {err}");
        let loops = err.contains("\"loops\":0,");
        assert_eq!(loops, matches!(level, "interpreter" | "baseline"), "{err}");
    }
    let (_, err, status) = tla("loop", &["1", "--main-tier", "fast"]);
    assert!(
        err.contains("there are any, interpreter, baseline and tracing"),
        "{err}"
    );
    assert_eq!(status, Some(2));
}

#[test]
fn a_program_that_calls_too_deeply_gets_an_error() {
    let message = "depth.tla:17: stack overflow: more than 100000 calls within each other";
    for jit in ["", "off"] {
        assert_eq!(fails("depth", &["1000000", "--jit", jit]), message);
        assert_eq!(ok("depth", &["99999", "--jit", jit]), "99999");
        let deep = ["1000000", "--max-depth", "10", "--jit", jit];
        assert!(fails("depth", &deep).ends_with("more than 10 calls within each other"));
    }
}

#[test]
fn a_depth_that_no_stack_is_large_enough_for_is_refused() {
    let message = fails("depth", &["1", "--max-depth", "9000000000000000000"]);
    assert!(message.starts_with("no native stack of "), "{message}");
}

#[test]
fn what_is_wrong_is_said() {
    assert_eq!(
        fails("error_division", &["3"]),
        "error_division.tla:11: division by zero"
    );
    assert_eq!(
        fails("error_type", &["3"]),
        "error_type.tla:20: type error: DIV is not defined for a string and an integer"
    );
    assert_eq!(
        fails("ackermann", &["3"]),
        "ackermann.tla: `main` takes 2 arguments, and 1 are given"
    );
    assert!(fails("nothing", &[]).starts_with("nothing.tla: "));
    let (_, err, status) = tla("fib", &["x"]);
    assert!(err.contains("invalid value 'x'"), "{err}");
    assert_eq!(status, Some(2));
    let (_, _, status) = tla("fib", &["1", "--max-depth", "0"]);
    assert_eq!(status, Some(2));
}

#[test]
fn statistics_are_json() {
    let (out, err, _) = tla("loop", &["20000", "--stats=json"]);
    assert_eq!(out, "0");
    assert!(err.starts_with('{') && err.contains("\"loops\""), "{err}");
    let (_, table, _) = tla("loop", &["20000", "--stats"]);
    assert!(
        table.contains("trace 0: loop at loop.tla:6 in main (0, ref, 0)"),
        "{table}"
    );
}

/// A disk without room is an error.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let said = verdigris_testing::said_to_full(
        env!("CARGO_BIN_EXE_tla"),
        &[
            "run",
            concat!(env!("CARGO_MANIFEST_DIR"), "/programs/fib.tla"),
            "5",
        ],
    );
    let message = "cannot write the output: No space left on device (os error 28)".to_owned();
    assert_eq!(said, (message, Some(1)));
}
