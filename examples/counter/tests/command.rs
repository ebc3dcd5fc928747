//! The command. In: command lines. Out: standard error and the status. Invariant under test: what
//! goes wrong is said in a line, with status 1, never by a crash.

/// A disk without room is an error.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let message = "counter: cannot write the output: No space left on device (os error 28)";
    let said = verdigris_testing::said_to_full(env!("CARGO_BIN_EXE_counter"), &["+-?.", "5"]);
    assert_eq!(said, (message.to_owned(), Some(1)));
}
