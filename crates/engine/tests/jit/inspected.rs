//! Machine code as others see it. In: guest programs under `jitdump` and `gdb`. Out: what a debugger and a profile say. Invariants under test: a
//! backtrace goes through compiled code, with the names that the log has; what is told follows what is compiled and freed.
//!
//! GDB is not everywhere; where it is missing, its test says so and nothing else. What is read without it is tested in `crates/inspect`.

use crate::guest::Op::{AddA, DecA, Fail, Loop, LoopA, Ret, SkipEven, SkipZero, Square};
use crate::guest::{BACKENDS, Op, execute, program, vm};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use verdigris_engine::{BackendKind, Options, Vm};

/// Calls an opaque function in a loop, which panics when five rounds are left.
const CALLS: &[Op] = &[Fail, DecA, SkipZero(2), Loop(0), Ret];

/// The variable that says which backend the debugger is to look at.
const LOOKED_AT: &str = "VERDIGRIS_TEST_LOOKED_AT";

/// What the debugger runs. It stops there by itself: a panic in the opaque function ends the process with a signal.
#[test]
fn a_loop_that_panics() {
    let looked_at = std::env::var(LOOKED_AT);
    if looked_at.is_ok() {
        std::panic::set_hook(Box::new(|_| std::process::abort()));
    }
    let backend = looked_at.unwrap_or(BackendKind::default().to_string());
    let vm = vm(&format!("threshold=5,gdb=1,backend={backend}"));
    let panic = catch_unwind(AssertUnwindSafe(|| execute(&vm, CALLS, 100)));
    assert!(panic.is_err());
    assert_eq!(vm.stats().loops, 1);
}

/// The function names of a backtrace from the signal; nothing if there is no GDB.
fn backtrace(backend: &str) -> Option<Vec<String>> {
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch"]);
    for command in [
        "set pagination off",
        "set width 0",
        "set debuginfod enabled off",
        "run",
        "backtrace",
    ] {
        gdb.args(["-ex", command]);
    }
    gdb.arg("--args")
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "inspected::a_loop_that_panics", "--nocapture"])
        .env(LOOKED_AT, backend);
    let output = gdb.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let frames = text.lines().filter(|line| line.starts_with('#'));
    // `#2  0x00007fffe7a00cf8 in trace 0: loop at (0, ref) ()`
    let name = |line: &str| {
        let name = line.split_once(" in ").map_or(line, |(_, name)| name);
        name.split(" (").next().unwrap_or(name).to_owned()
    };
    let names: Vec<String> = frames.map(name).collect();
    assert!(!names.is_empty(), "{text}\n{output:?}");
    Some(names)
}

#[test]
fn a_debugger_finds_the_way_through_compiled_code() {
    for backend in BACKENDS.iter().filter(|b| b.to_string() != "oracle") {
        let Some(names) = backtrace(&backend.to_string()) else {
            eprintln!("there is no gdb here, so nobody has looked");
            return;
        };
        // The hook that ends the process is a part of the test too.
        let at = |what: &str| names.iter().rposition(|name| name.starts_with(what));
        let code = at("trace 0: loop at").unwrap_or_else(|| panic!("{backend}: {names:#?}"));
        let test = at("jit::inspected::a_loop_that_panics");
        let test = test.unwrap_or_else(|| panic!("{backend}: {names:#?}"));
        assert!(code < test);
        // Nothing on the way is unknown.
        assert!(at("??").is_none(), "{backend}: {names:#?}");
    }
}

#[test]
fn a_profile_has_the_names_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    for backend in BACKENDS {
        let params = format!(
            "threshold=5,trace_eagerness=2,loop_longevity=1,gdb=1,jitdump={},backend={backend}",
            folder.path().display()
        );
        let vm = vm(&params);
        // Other programs have loops of their own, so the earlier ones are freed.
        for n in 0..6 {
            let program = [
                &[AddA; 6][..n],
                &[Square, SkipEven(1), AddA, DecA, LoopA(0), Ret],
            ]
            .concat();
            execute(&vm, &program, 40);
        }
        let stats = vm.stats();
        assert!(stats.freed > 0 && stats.bridges > 0, "{stats:?}");
    }
    let path = folder
        .path()
        .join(format!("jit-{}.dump", std::process::id()));
    let dump = std::fs::read(path).unwrap();
    let has = |name: &str| dump.windows(name.len()).any(|w| w == name.as_bytes());
    assert!(has("trace 0: loop at (0, ref)\0"));
    assert!(has("verdigris: handlers\0") || !cfg!(target_arch = "x86_64"));
    assert!(has(": bridge from g"));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let options = Options::parse(&format!("jitdump={}", file.path().display())).unwrap();
    let error = Vm::new(program(), options).err().expect("it is a file");
    let text = error.to_string();
    assert!(text.starts_with("jitdump=/"), "{text}");
}
