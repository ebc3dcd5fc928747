//! The command. In: command lines. Out: standard error and the status. Invariant under test: what
//! goes wrong is said in a line, with status 1, never by a crash.

const SUM: &str = "i=0;s=0;[s=si+;i=i1+;]ni-;!s;@0;";

/// A disk without room is an error.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let message = "calculator: cannot write the output: No space left on device (os error 28)";
    let said = verdigris_testing::said_to_full(
        env!("CARGO_BIN_EXE_calculator"),
        &["i=0;s=0;[s=si+;i=i1+;]ni-;!s;@0;", "300"],
    );
    assert_eq!(said, (message.to_owned(), Some(1)));
}

/// An argument that is no text.
#[cfg(target_os = "linux")]
#[test]
fn arguments_are_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let mut command = verdigris_testing::command(env!("CARGO_BIN_EXE_calculator"));
    let bytes = std::ffi::OsStr::from_bytes(b"1 \xff +");
    let output = command.arg(bytes).arg("5").output().expect("it starts");
    let text = String::from_utf8(output.stderr).expect("it says UTF-8");
    assert_eq!(
        text,
        "calculator: the argument \"1 \\xFF +\" is not UTF-8\n"
    );
    assert_eq!(output.status.code(), Some(1));
}

/// Where the system gives few addresses, the program runs without a JIT, or there is an error.
#[cfg(target_os = "linux")]
#[test]
fn a_system_without_addresses_is_no_accident() {
    if verdigris_testing::runner().is_some() {
        return;
    }
    let mut results = std::collections::BTreeSet::new();
    for kilobytes in [20_000, 30_000, 60_000, 100_000, 200_000, 400_000, 4_000_000] {
        let limited = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
        let output = std::process::Command::new("sh")
            .args(["-c", &limited, env!("CARGO_BIN_EXE_calculator")])
            .args([SUM, "1000000"])
            .env("RUST_BACKTRACE", "0")
            .output()
            .expect("there is a shell");
        let text = |bytes| String::from_utf8(bytes).expect("it says UTF-8");
        let (out, err) = (text(output.stdout), text(output.stderr));
        let at = format!("{kilobytes} kB: {out}{err}");
        match output.status.code() {
            Some(0) => assert_eq!((out.as_str(), err.as_str()), ("499999500000\n", ""), "{at}"),
            Some(1) => assert!(
                err.starts_with("calculator: ") && err.lines().count() == 1,
                "{at}"
            ),
            other => panic!("{at}: {other:?}"),
        }
        results.insert(output.status.code());
    }
    assert!(results.contains(&Some(0)), "{results:?}");
}

/// A log that cannot be written is no error of the program, but it is said, once.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_is_noted() {
    let mut command = verdigris_testing::command(env!("CARGO_BIN_EXE_calculator"));
    let command = command.env("VERDIGRIS_LOG", "all:/dev/full");
    let output = command.args([SUM, "1000000"]).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("it says UTF-8");
    assert_eq!(text(output.stdout), "499999500000\n");
    assert_eq!(
        text(output.stderr),
        "VERDIGRIS_LOG: cannot write /dev/full: No space left on device (os error 28); what should be there is incomplete\n"
    );
    assert_eq!(output.status.code(), Some(0));
}
