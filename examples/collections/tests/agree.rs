//! Loops mean the same whatever the JIT does, and cost what they should. In: the loops. Out: the
//! number that the binary gives for each of the parameters below, and the operations of hot loops.

use collections::LOOPS;
use verdigris_testing::{command, for_each};

const PARAMS: &[&str] = &[
    "",
    "threshold=2,trace_eagerness=2",
    "threshold=2,backend=oracle",
    "threshold=2,enable_opts=none",
    "threshold=2,fail_guards=1",
];

fn collections(name: &str, turns: i64, params: &str, log: &str) -> (String, String) {
    let mut command = command(env!("CARGO_BIN_EXE_collections"));
    command.args([name, &turns.to_string(), params]);
    if !log.is_empty() {
        command.env("VERDIGRIS_LOG", log);
    }
    let output = command.output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
    (text(&output.stdout), text(&output.stderr))
}

/// The loops whose results do not depend on when the heap is collected.
fn loops() -> Vec<&'static str> {
    let loops = LOOPS.iter().copied();
    loops
        .filter(|name| !matches!(*name, "weak" | "final"))
        .collect()
}

#[test]
fn loops_agree() {
    for_each(&loops(), |name| {
        // Enough for the default threshold, and for some turns in compiled code.
        let turns = 1600;
        let native = collections(name, turns, "off", "");
        assert!(native.1.is_empty() && native.0 != "0", "{name}: {native:?}");
        for params in PARAMS {
            assert_eq!(
                collections(name, turns, params, ""),
                native,
                "{name} {params}"
            );
        }
    });
}

/// The backends take turns: the code that collects is the same in all loops, and to start a machine
/// whose every allocation collects takes longer than the loop.
#[test]
fn loops_agree_when_every_allocation_collects() {
    let loops: Vec<_> = loops().into_iter().enumerate().collect();
    for_each(&loops, |&(number, name)| {
        let native = collections(name, 60, "off", "");
        let params = [
            "threshold=2,stress=1",
            "threshold=2,stress=1,backend=oracle",
        ][number % 2];
        assert_eq!(collections(name, 60, params, ""), native, "{name} {params}");
    });
}

/// The operations of the loop's body, which is the last label of the first trace, without the
/// loop's own: the end of the counting, the sum and the jump. Of a call, the function.
fn body(name: &str) -> Vec<String> {
    let (_, log) = collections(name, 20_000, "", "opt");
    let trace = log.split("# opt: ").nth(1).expect("something is compiled");
    let body = trace.rsplit("label ").next().expect("it has a label");
    let operations = body.lines().skip(1).filter(|line| !line.starts_with("  "));
    let name = |line: &str| {
        let operation = line.split_once(" = ").map_or(line, |(_, rest)| rest);
        let name = operation.split('(').next().unwrap_or("");
        match operation.trim_end_matches('`').rsplit_once("::") {
            Some((_, function)) if name == "call" => format!("call {function}"),
            _ => name.to_owned(),
        }
    };
    let mut names: Vec<String> = operations.map(name).filter(|n| !n.is_empty()).collect();
    let end = ["int_add", "int_add", "jump L1"];
    let begin = ["merge_point", "int_le", "guard_false"];
    assert!(names.ends_with(&end.map(str::to_owned)), "{names:?}");
    assert!(names.starts_with(&begin.map(str::to_owned)), "{names:?}");
    names.truncate(names.len() - end.len());
    names.split_off(begin.len())
}

/// The length is in a variable while the loop runs. A `push` costs a comparison with the room there
/// is, a store and the new length; a `pop` a comparison with zero, the new length and a load. The
/// first two operations of `push` are the loop's.
#[test]
fn pushing_and_popping_touches_the_item_alone() {
    let push = [
        "int_ge",
        "guard_false",
        "int_le",
        "guard_false",
        "setitem_i",
        "int_add",
    ];
    assert_eq!(body("push"), push);
    let pop = ["int_is_zero", "guard_false", "int_add", "getitem_i"];
    assert_eq!(body("pop"), pop);
    let builder = [
        "int_ge",
        "guard_false",
        "int_and",
        "int_add",
        "int_le",
        "guard_false",
        "setitem_i",
        "int_add",
    ];
    assert_eq!(body("builder"), builder);
}

/// Pushing and popping makes no checks.
#[test]
fn a_stack_checks_nothing() {
    let stack = body("stack");
    assert!(
        !stack.iter().any(|name| name.starts_with("guard")),
        "{stack:?}"
    );
}

/// One check for each index: that the array has as many items as the list says is known.
#[test]
fn an_index_is_checked_once() {
    let get_set = [
        "int_and",
        "int_le",
        "guard_false",
        "getitem_i",
        "int_add",
        "setitem_i",
    ];
    assert_eq!(body("get-set"), get_set);
}

/// A look-up of one key is made before a loop that changes values at most, and in one that makes
/// entries.
#[test]
fn a_look_up_is_made_again_only_if_the_map_has_changed() {
    assert_eq!(body("map-same"), ["getitem_i"]);
    let finds = |name| body(name).iter().filter(|n| *n == "call find").count();
    assert_eq!(finds("map-get"), 1);
    assert_eq!(finds("map-put"), 1);
    assert_eq!(finds("map-new"), 2);
}

/// Whatever has been removed: the entry behind the last one is the next, and the step after the
/// last one needs no search either.
#[test]
fn a_walk_calls_nothing() {
    for name in ["map-walk", "thin-walk"] {
        let walk = body(name);
        assert!(
            !walk.iter().any(|name| name.starts_with("call")),
            "{name}: {walk:?}"
        );
    }
}

/// What gives the entry behind a key's looks for that key, and for nothing else.
#[test]
fn the_next_entry_is_found_by_one_search() {
    let calls = |name| {
        let calls = body(name).into_iter().filter(|n| n.starts_with("call"));
        calls.collect::<Vec<_>>()
    };
    assert_eq!(calls("map-next"), ["call find"]);
    assert_eq!(calls("map-count"), ["call find"]);
    assert_eq!(calls("map-objects"), ["call find"]);
    assert_eq!(calls("identity"), ["call hash_of", "call hash_of"]);
}

/// A place that is promoted is looked for once, and its value stays in a variable.
#[test]
fn a_value_that_is_there_is_not_looked_for_again() {
    assert_eq!(body("map-default"), Vec::<String>::new());
}

const COLLECTING: &[&str] = &[
    "off,stress=1",
    "threshold=2,stress=1",
    "threshold=2,stress=1,backend=oracle",
    "threshold=2,stress=1,fail_guards=1",
];

fn number(name: &str, turns: i64, params: &str) -> i64 {
    let (number, log) = collections(name, turns, params, "");
    number
        .parse()
        .unwrap_or_else(|_| panic!("{params}: {number} {log}"))
}

/// The number of objects that are alive a few turns after they were made: none but those that the
/// machine stack may show.
#[test]
fn weak_references_keep_nothing_alive() {
    for params in COLLECTING {
        let alive = number("weak", 200, params);
        // A stale place on the machine stack may keep one alive until the same way through the loop
        // is taken again.
        assert!((0..40).contains(&alive), "{params}: {alive} are alive");
    }
    let kept = number("weak", 200, "threshold=2");
    assert!(kept > 100, "nothing is collected that early: {kept}");
}

/// Most objects have died by the end; each is handed out once, after its turn.
#[test]
fn the_dead_are_finalized() {
    for params in COLLECTING {
        let dead = number("final", 200, params);
        assert!((100..200).contains(&dead), "{params}: {dead} have died");
    }
    assert_eq!(number("final", 200, "threshold=2"), 0);
}
