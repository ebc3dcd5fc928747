//! Processes that fork after code was compiled: what one of them compiles, changes and frees does
//! not affect the other.

use crate::guest::Op::{self, *};
use crate::guest::{BACKENDS, load, run, vm};
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_engine::Vm;
use verdigris_heap::{Gc, Root};

/// Programs that are compiled to code of different lengths.
const PROGRAMS: [(&[Op], i64); 3] = [
    (&[SkipEven(1), AddA, Box, DecA, LoopA(0), Ret], 2600),
    (&[AddA, DecA, LoopA(0), Ret], 5050),
    (&[SkipEven(2), AddA, Box, Pair, DecA, LoopA(0), Ret], 0),
];

/// Runs new programs, each of which is compiled; old ones are freed on the way.
fn go_on(vm: &Vm, start: usize) {
    for n in 0..60 {
        let (ops, expected) = PROGRAMS[(start + n) % 2];
        assert_eq!(vm.enter(|| run(load(ops), 0, 100)), expected);
        // The third is compared with itself without a JIT.
        let (ops, _) = PROGRAMS[2];
        let result = vm.enter(|| run(load(ops), 0, 30));
        assert_eq!(
            result,
            crate::guest::execute(&crate::guest::vm("off"), ops, 30)
        );
    }
}

/// Whether `f` does not panic in a process of its own, which begins as this one is, while
/// `meanwhile` runs here.
fn succeeds_in_child(f: impl FnOnce(), meanwhile: impl FnOnce()) -> bool {
    // SAFETY: the child uses what belongs to this thread, the allocator, which knows of forks, and
    // the standard streams; and ends at once.
    unsafe {
        let child = libc::fork();
        assert!(child >= 0, "the system makes another process");
        if child == 0 {
            let result = catch_unwind(AssertUnwindSafe(f));
            libc::_exit(i32::from(result.is_err()));
        }
        meanwhile();
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &mut status, 0), child);
        libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
    }
}

#[test]
fn both_processes_go_on_compiling() {
    for backend in BACKENDS.iter() {
        let params = "threshold=5,trace_eagerness=5,loop_longevity=8";
        let vm = vm(&format!("backend={backend},{params}"));
        go_on(&vm, 0);
        // Code from before, which both of them run on.
        let old = vm.enter(|| {
            let guest = load(PROGRAMS[0].0);
            assert_eq!(run(guest, 0, 100), 2600);
            Root::<Gc<_>>::new(guest)
        });
        let both = |start| {
            for _ in 0..4 {
                assert_eq!(vm.enter(|| run(old.get(), 0, 100)), 2600);
                go_on(&vm, start);
            }
        };
        assert!(succeeds_in_child(|| both(1), || both(2)), "{backend}");
        // And once more, from what has become of it.
        assert!(succeeds_in_child(|| both(2), || both(1)), "{backend}");
    }
}

/// The child of a child, and a VM that only the child has.
#[test]
fn children_divide_as_well() {
    for backend in BACKENDS.iter() {
        let params = format!("backend={backend},threshold=5,trace_eagerness=5");
        let parents = vm(&params);
        go_on(&parents, 0);
        let child = || {
            let own = vm(&params);
            go_on(&own, 1);
            let done = succeeds_in_child(|| go_on(&own, 0), || go_on(&own, 1));
            assert!(done && succeeds_in_child(|| go_on(&parents, 0), || go_on(&parents, 1)));
        };
        assert!(succeeds_in_child(child, || go_on(&parents, 1)), "{backend}");
        drop(parents);
    }
}
