//! Machine code in debuggers and profilers, under `jitdump` and `gdb`: a backtrace goes through
//! compiled code, with the names of the log, and follows what is compiled and freed.
//!
//! If GDB or `perf` is missing or not permitted, its test says so and passes. `crates/inspect`
//! tests what they read without them.

use crate::guest::Op::{AddA, DecA, Fail, Loop, LoopA, Ret, SkipEven, SkipZero, Square};
use crate::guest::{BACKENDS, Op, execute, program, vm};
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use verdigris_engine::{BackendKind, Options, Vm};

/// Calls an opaque function in a loop, which panics when five rounds are left.
const CALLS: &[Op] = &[Fail, DecA, SkipZero(2), Loop(0), Ret];

/// The variable that says which backend the debugger is to look at.
const LOOKED_AT: &str = "VERDIGRIS_TEST_LOOKED_AT";

/// The process for the debugger. It stops by itself: a panic in the opaque function ends it with a
/// signal.
#[test]
fn a_loop_that_panics() {
    let looked_at = std::env::var(LOOKED_AT);
    if looked_at.is_ok() {
        std::panic::set_hook(Box::new(|_| std::process::abort()));
    }
    let backend = looked_at.unwrap_or(BackendKind::default().to_string());
    let vm = vm(&format!(
        "threshold=5,compile_allowance=off,gdb=1,backend={backend}"
    ));
    let panic = catch_unwind(AssertUnwindSafe(|| execute(&vm, CALLS, 100)));
    assert!(panic.is_err());
    assert_eq!(vm.stats().loops, 1);
}

/// The variable that names the emulator that the tests run in, if they do.
const RUNNER: &str = "VERDIGRIS_RUNNER";

/// A process in QEMU that waits for a debugger.
struct Emulated(Child);

impl Emulated {
    /// Starts a command that waits at this socket, which is there then.
    fn start(runner: OsString, program: &[OsString], backend: &str, socket: &Path) -> Emulated {
        let mut command = Command::new(runner);
        command.arg("-g").arg(socket).args(program);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = Emulated(command.env(LOOKED_AT, backend).spawn().unwrap());
        while !socket.exists() {
            let ended = process.0.try_wait().unwrap();
            assert!(ended.is_none(), "no socket: {ended:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
        process
    }
}

impl Drop for Emulated {
    fn drop(&mut self) {
        // It has ended already if the debugger has looked.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The function names of a backtrace from the signal; nothing if there is no GDB that could look.
fn backtrace(backend: &str) -> Option<Vec<String>> {
    let exact = ["--exact", "inspected::a_loop_that_panics", "--nocapture"];
    let mut program = vec![std::env::current_exe().unwrap().into_os_string()];
    program.extend(exact.map(OsString::from));
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("debugger");
    let remote = format!("target remote {}", socket.display());
    let emulator = std::env::var_os(RUNNER);
    // The one that is called `gdb` may know this machine's processor alone.
    let (name, start): (_, &[&str]) = match emulator {
        Some(_) => ("gdb-multiarch", &[&remote, "continue"]),
        None => ("gdb", &["run"]),
    };
    let mut gdb = Command::new(name);
    gdb.args(["-nx", "-batch"]);
    let settings = [
        "set pagination off",
        "set width 0",
        "set debuginfod enabled off",
    ];
    for command in settings.iter().chain(start).chain(&["backtrace"]) {
        gdb.args(["-ex", command]);
    }
    gdb.arg("--args").args(&program).env(LOOKED_AT, backend);
    let _process = emulator.map(|runner| Emulated::start(runner, &program, backend, &socket));
    let output = gdb.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let frames = text.lines().filter(|line| line.starts_with('#'));
    // `#2 0x00007fffe7a00cf8 in trace 0: loop at (0, ref) ()`, or without the address where an
    // inlined function or a line begins.
    let name = |line: &str| {
        let name = line.trim_start_matches(|c: char| c == '#' || c.is_ascii_digit() || c == ' ');
        let name = line.split_once(" in ").map_or(name, |(_, name)| name);
        name.split(" (").next().unwrap_or(name).to_owned()
    };
    let names: Vec<String> = frames.map(name).collect();
    assert!(!names.is_empty(), "{text}\n{output:?}");
    Some(names)
}

#[test]
fn a_debugger_finds_the_way_through_compiled_code() {
    for backend in BACKENDS.iter().filter(|b| b.makes_machine_code()) {
        let Some(names) = backtrace(&backend.to_string()) else {
            eprintln!("there is no gdb here that could look");
            return;
        };
        // The hook that ends the process is a part of the test too. With line tables functions have
        // no paths.
        let at = |what: &str| {
            let bare = what.rsplit("::").next();
            let is_it = |name: &String| name.starts_with(what) || Some(&name[..]) == bare;
            names.iter().rposition(is_it)
        };
        let code = at("trace 0: loop at").unwrap_or_else(|| panic!("{backend}: {names:#?}"));
        let test = at("jit::inspected::a_loop_that_panics");
        let test = test.unwrap_or_else(|| panic!("{backend}: {names:#?}"));
        assert!(code < test, "{backend}: {names:#?}");
        // Nothing on the way is unknown. Before and behind it may be libraries without names.
        let way = &names[code..test];
        assert!(
            !way.iter().any(|name| name.starts_with("??")),
            "{backend}: {names:#?}"
        );
    }
}

/// The variable with the folder of a profile.
const FOLDER: &str = "VERDIGRIS_TEST_FOLDER";

/// The program for the profiler: a loop that takes a while.
#[test]
fn a_loop_that_takes_a_while() {
    let (rounds, params) = match (std::env::var(FOLDER), std::env::var(LOOKED_AT)) {
        (Ok(folder), Ok(backend)) => (100_000_000, format!("jitdump={folder},backend={backend}")),
        _ => (10_000, String::new()),
    };
    let vm = vm(&format!("threshold=5,compile_allowance=off,{params}"));
    execute(&vm, &[AddA, DecA, LoopA(0), Ret], rounds);
    assert_eq!(vm.stats().loops, 1);
}

/// The call chains of a profile, with the innermost function first; nothing if `perf` cannot make
/// one.
fn call_chains(backend: &str) -> Option<Vec<String>> {
    // It samples processes of this machine, such as the emulator.
    if std::env::var_os(RUNNER).is_some() {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let perf = || {
        let mut perf = Command::new("perf");
        perf.current_dir(folder.path()).args(["--buildid-dir", "."]);
        perf
    };
    let mut record = perf();
    record
        .args(["record", "-k", "1", "-e", "cpu-clock", "-F", "199"])
        .args(["--call-graph", "dwarf,16384", "-o", "recorded", "--"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "inspected::a_loop_that_takes_a_while"])
        .env(FOLDER, folder.path())
        .env(LOOKED_AT, backend);
    record.output().ok().filter(|o| o.status.success())?;
    let inject = perf()
        .args(["inject", "-j", "-i", "recorded", "-o", "injected"])
        .output();
    assert!(inject.is_ok_and(|o| o.status.success()));
    // Looking for inlined functions takes it most of a minute.
    let script = perf()
        .args(["script", "--no-inline", "-i", "injected"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&script.stdout);
    Some(text.split("\n\n").map(str::to_owned).collect())
}

#[test]
fn a_profile_leads_through_compiled_code() {
    for backend in BACKENDS.iter().filter(|b| b.makes_machine_code()) {
        let Some(mut chains) = call_chains(&backend.to_string()) else {
            eprintln!("there is no perf here that could look");
            return;
        };
        let all = chains.len();
        chains.retain(|chain| chain.contains("trace 0: loop at (0, ref)"));
        assert!(!chains.is_empty(), "{backend}: none of {all}");
        let complete = chains
            .iter()
            .filter(|c| c.contains("a_loop_that_takes_a_while"));
        let (complete, first) = (complete.count(), &chains[0]);
        assert!(
            complete * 10 >= chains.len() * 9,
            "{backend}: {complete} of {}: {first}",
            chains.len()
        );
    }
}

#[test]
fn a_profile_has_the_names_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    for backend in BACKENDS.iter() {
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
    for backend in BACKENDS.iter() {
        // Cranelift compiles each section of a trace alone.
        let names: &[&str] = match backend.name() {
            "x64" => &["trace 0: loop at (0, ref)\0", "verdigris: handlers\0"],
            "cranelift" => &["trace 0: loop at (0, ref), L1\0", "verdigris: trampoline\0"],
            _ => &[],
        };
        for name in names {
            assert!(has(name), "{name}");
        }
    }
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
