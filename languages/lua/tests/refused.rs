//! A system that refuses memory. In: programs that keep objects, in processes that get so much of
//! addresses and no more. Out: what they say. Invariant under test: they end with a clear error,
//! never in a signal; and a protected call goes on. An emulator's own addresses would be limited
//! too, so there is nothing to be seen under one.

use std::process::Command;
use verdigris_testing::runner;

/// Kilobytes of addresses: from a third of a gigabyte on the command can begin, since the heap's
/// own are reserved first.
const KILOBYTES: [u32; 2] = [280_000, 337_000];

const SETTINGS: [&str; 3] = [
    "off",
    "threshold=2,trace_eagerness=1",
    "threshold=2,trace_eagerness=1,backend=oracle",
];

/// What the command says of a text: output, the last line of the errors, status.
fn run(kilobytes: u32, jit: &str, text: &str) -> (String, String, Option<i32>) {
    let limited = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_verdigris-lua")])
        .args(["--max-depth", "300", "--jit", jit, "-e", text])
        .output()
        .expect("there is a shell");
    let errors = String::from_utf8_lossy(&output.stderr);
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        errors.lines().last().unwrap_or("").to_string(),
        output.status.code(),
    )
}

#[test]
fn a_program_ends_with_a_clear_error() {
    if runner().is_some() {
        return;
    }
    let text = "local kept = {} for i = 1, 1e9 do kept[i] = {i, 'n' .. i % 50} end";
    for kilobytes in KILOBYTES {
        // The oracle takes longest to use up more, and no other way.
        let settings = SETTINGS.iter();
        for jit in settings.filter(|jit| !jit.contains("oracle") || kilobytes == KILOBYTES[0]) {
            let (output, error, status) = run(kilobytes, jit, text);
            let at = format!("{kilobytes} KB, {jit}: {error}");
            assert_eq!((output.as_str(), status), ("", Some(1)), "{at}");
            // The first if there is memory for the message, the other if there is none.
            let ends = [
                "not enough memory",
                "the guest program has used up its heap",
            ];
            assert!(ends.iter().any(|end| error.ends_with(end)), "{at}");
        }
    }
}

/// Not in the oracle: where the system refuses memory there is none beyond the limit, and words
/// that are left on a stack can keep what was dropped alive.
#[test]
fn a_protected_call_goes_on() {
    if runner().is_some() {
        return;
    }
    // Compiled code puts off the store of the last object; a list leaves nothing free around it. It
    // is made in a call, since the frame of a function that is active may keep what it dropped.
    for object in ["{kept, 'n' .. i % 50}", "{kept}"] {
        let text = format!(
            "local kept
             local function keep() for i = 1, 1e9 do kept = {object} end end
             local function attempt() print(pcall(keep)) kept = nil end
             attempt()
             local s = 0
             for i = 1, 100000 do local t = {{i}} s = s + t[1] end
             print(s)"
        );
        for jit in &SETTINGS[..2] {
            let said = run(500_000, jit, &text);
            let expected = "false\tnot enough memory\n5000050000\n";
            assert_eq!(
                said,
                (expected.to_string(), String::new(), Some(0)),
                "{object}, {jit}"
            );
        }
    }
}

/// Trees of the parser and code of the compiler are on Rust's heap, of which the command keeps a
/// reserve.
#[test]
fn texts_that_are_too_large_are_not_loaded() {
    if runner().is_some() {
        return;
    }
    // Many statements, a table of many fields, and a function that is one expression.
    for part in [
        "a = b",
        "a = f(1, \\'x\\')",
        "t[1] = {1, 2, x = 3}",
        "function f(x) return x + 1 end",
    ] {
        let text = format!("
            local text = '{part}\\n'
            local function attempt()
              while true do
                local f, message = load('do ' .. text .. ' end return {{' .. ('{{1, 2}},'):rep(#text // 8) .. '}}')
                if not f then error(message, 0) end
                text = text .. text
              end
            end
            print(pcall(attempt))
            text = ''
            print(load('return 1 + 1')())");
        for jit in &SETTINGS[..2] {
            let said = run(500_000, jit, &text);
            let expected = "false\tnot enough memory\n2\n";
            assert_eq!(
                said,
                (expected.to_string(), String::new(), Some(0)),
                "{part}, {jit}"
            );
        }
    }
}
