//! What is special about Mono: it is in the process of the program, has threads and signal handlers
//! of its own, frees methods by its own collector, and keeps objects in its frames.
//!
//! Where there is no Mono, these tests say so and pass.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fmt::Write;
use std::mem::MaybeUninit;
use std::sync::Once;
use verdigris_backend::CodeExit;
use verdigris_cil::times;
use verdigris_heap::{HeapOptions, Stress};
use verdigris_traces::vm::{Vm, cil, has_mono, oracle, run_script};

/// What handles each signal that a program may handle.
fn handlers() -> Vec<usize> {
    let handler = |signal| {
        let mut found = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: without a new handler the call writes the present one, if there may be any.
        unsafe {
            libc::sigaction(signal, std::ptr::null(), found.as_mut_ptr());
            found.assume_init().sa_sigaction
        }
    };
    (1..32).map(handler).collect()
}

/// Starts Mono, and looks at what that has changed. All tests of this file go through here, since
/// Mono is started once in a process.
fn mono() -> bool {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let policy = || std::env::var_os("MONO_THREADS_SUSPEND");
        let before = (handlers(), policy(), std::env::vars_os().count());
        if has_mono() {
            let after = (handlers(), policy(), std::env::vars_os().count());
            assert_eq!(before, after, "Mono has changed the process");
        }
    });
    has_mono()
}

const SUM: &str = "
    [i0, i1]
    label L0(i0, i1)
    i2 = int_add(i1, i0)
    i3 = int_sub(i0, 1)
    i4 = int_gt(i3, 0)
    guard_true(i4) g0 -> [i2] @
    jump L0(i3, i2)";

#[test]
fn the_process_stays_as_it_was() {
    mono();
}

#[test]
fn code_runs_in_threads_while_methods_are_made_and_forgotten() {
    if !mono() {
        return;
    }
    let sums = || {
        let log = run_script(cil(), HeapOptions::default(), &|vm: &mut Vm| {
            vm.compile(SUM);
            for _ in 0..20 {
                vm.enter(0, &[1_000_000, 0]);
            }
        });
        assert_eq!(log, "g0 [500000500000]\n".repeat(20));
    };
    // More than are forgotten before Mono is asked to collect.
    let methods = || {
        for _ in 0..600 {
            let log = run_script(cil(), HeapOptions::default(), &|vm: &mut Vm| {
                vm.compile(SUM);
                vm.enter(0, &[10, 0]);
            });
            assert_eq!(log, "g0 [55]\n");
        }
    };
    let before = times();
    std::thread::scope(|scope| {
        scope.spawn(sums);
        scope.spawn(sums);
        scope.spawn(methods);
    });
    let after = times();
    assert!(after.methods >= before.methods + 602, "{after:?}");
    assert!(after.compilation > before.compilation && after.emission > before.emission);
}

/// More objects than there are registers are needed behind each of many allocations, each of which
/// collects.
#[test]
fn the_collector_finds_what_mono_keeps_in_frames_and_registers() {
    if !mono() {
        return;
    }
    const COUNT: usize = 24;
    let mut text = String::from("[i0, p1]\nlabel L0(i0, p1)\n");
    for n in 0..COUNT {
        let (node, before) = (100 + n, if n == 0 { 1 } else { 99 + n });
        let _ = writeln!(
            text,
            "p{node} = new() Node\nsetfield_i(p{node}, i0) Node.value"
        );
        if n % 5 != 4 {
            let _ = writeln!(text, "setfield_r(p{node}, p{before}) Node.next");
        }
    }
    for n in 0..COUNT {
        let _ = writeln!(text, "i{} = getfield_i(p{}) Node.value", 200 + n, 100 + n);
    }
    let _ = writeln!(text, "i300 = int_add(i200, i201)");
    for n in 2..COUNT {
        let _ = writeln!(text, "i{} = int_add(i{}, i{})", 299 + n, 298 + n, 200 + n);
    }
    let nodes: Vec<String> = (0..COUNT).map(|n| format!("p{}", 100 + n)).collect();
    let _ = write!(
        text,
        "i400 = int_sub(i0, 1)
         i401 = int_gt(i400, 0)
         guard_true(i401) g0 -> [i{}, {}] @
         jump L0(i400, p{})",
        298 + COUNT,
        nodes.join(", "),
        99 + COUNT
    );
    for stress in [Stress::All, Stress::Young] {
        let options = HeapOptions {
            stress,
            ..HeapOptions::default()
        };
        let script = |vm: &mut Vm| {
            vm.compile(&text);
            assert!(matches!(vm.enter(0, &[40, 0]), CodeExit::Guard(_)));
        };
        let log = run_script(oracle(), options, &script);
        assert_eq!(run_script(cil(), options, &script), log);
    }
}
