//! The compiled code. In: each loop, run until it is hot. Out: how many loops and bridges there
//! are, and what the bodies do. Invariant under test: no turn does more than it did, and nothing is
//! given up; `agree.rs` lists the operations of some. The other compiler makes no more than a
//! little code for a loop, however many ways there are through its instruction.

use collections::LOOPS;
use expect_test::expect;
use verdigris::Options;
use verdigris_testing::{Run, compiled};

fn guest(name: &str) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = collections::machine(options).expect("a VM");
        let turns = || collections::turn(&vm, name, 20_000).ok_or("there is no such loop");
        Run::on(&vm, turns)
    }
}

#[test]
fn loops_compile_to_as_little_as_before() {
    let digest = |name: &&str| format!("{name}: {}", compiled(guest(name), "").digest());
    expect![[r#"
        push: loops 1, other traces 0, bridges 0, aborts 0: operations 11, guards 3, calls 0, new 0, reads 0, writes 1
        pop: loops 1, other traces 0, bridges 0, aborts 0: operations 9, guards 2, calls 0, new 0, reads 1, writes 0
        stack: loops 1, other traces 0, bridges 0, aborts 0: operations 10, guards 1, calls 0, new 0, reads 0, writes 4
        get-set: loops 1, other traces 0, bridges 0, aborts 0: operations 11, guards 2, calls 0, new 0, reads 1, writes 1
        values: loops 1, other traces 0, bridges 0, aborts 0: operations 16, guards 2, calls 0, new 0, reads 2, writes 4
        map-get: loops 1, other traces 0, bridges 0, aborts 0: operations 12, guards 3, calls 1, new 0, reads 1, writes 0
        map-same: loops 1, other traces 0, bridges 0, aborts 0: operations 6, guards 1, calls 0, new 0, reads 1, writes 0
        map-put: loops 1, other traces 0, bridges 0, aborts 0: operations 13, guards 3, calls 1, new 0, reads 1, writes 1
        map-new: loops 1, other traces 0, bridges 2, aborts 0: operations 36, guards 11, calls 3, new 0, reads 1, writes 4
        map-text: loops 1, other traces 0, bridges 0, aborts 0: operations 17, guards 5, calls 1, new 0, reads 2, writes 0
        map-other-text: loops 1, other traces 0, bridges 0, aborts 0: operations 17, guards 5, calls 1, new 0, reads 2, writes 0
        map-walk: loops 1, other traces 0, bridges 0, aborts 0: operations 23, guards 6, calls 0, new 0, reads 3, writes 0
        thin-walk: loops 1, other traces 0, bridges 1, aborts 0: operations 53, guards 17, calls 0, new 0, reads 6, writes 0
        map-next: loops 1, other traces 0, bridges 0, aborts 0: operations 33, guards 9, calls 1, new 0, reads 4, writes 0
        map-default: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
        map-count: loops 1, other traces 0, bridges 0, aborts 0: operations 27, guards 7, calls 1, new 0, reads 3, writes 1
        map-objects: loops 1, other traces 0, bridges 0, aborts 0: operations 17, guards 5, calls 1, new 0, reads 2, writes 0
        identity: loops 1, other traces 0, bridges 0, aborts 0: operations 23, guards 7, calls 2, new 0, reads 2, writes 0
        builder: loops 1, other traces 0, bridges 0, aborts 0: operations 13, guards 3, calls 0, new 0, reads 0, writes 1
        weak: loops 1, other traces 0, bridges 0, aborts 0: operations 23, guards 7, calls 2, new 1, reads 2, writes 2
        final: loops 1, other traces 0, bridges 0, aborts 0: operations 10, guards 4, calls 2, new 0, reads 0, writes 0
    "#]].assert_eq(&LOOPS.iter().map(digest).collect::<String>());
}

/// Where several things in a row have several ways each, not all combinations are compiled.
#[test]
fn ways_do_not_multiply_where_both_arms_are_compiled() {
    for name in LOOPS {
        let run = compiled(guest(name), "compiler=specialising");
        let pieces = run.stats.loops + run.stats.bridges;
        let bytes = run.stats.machine_code_bytes;
        assert!(
            pieces <= 12 && bytes <= 48 << 10,
            "{name}: {pieces}, {bytes} bytes"
        );
    }
}
