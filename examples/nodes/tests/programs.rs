//! Nodes that are made and linked. In: programs. Out: the same sum under every setting, and what is
//! left in the loops that measure the heap.

use expect_test::expect;
use nodes::*;
use verdigris::{CollectScope, Options, Vm, collect_garbage};
use verdigris_testing::{Run, agreed, compiled, operations};

/// A guest that runs a program on nodes that are old.
fn guest(code: &[u8], turns: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = Vm::new(program(), options).expect("a VM");
        Run::on(&vm, || {
            vm.enter(|| {
                let world = world(code, 8, 3);
                collect_garbage(CollectScope::All);
                Ok::<_, String>(run(world, turns).to_string())
            })
        })
    }
}

#[test]
fn every_setting_makes_the_same_nodes() {
    let sum = |code: &[u8], turns| agreed(guest(code, turns)).to_string();
    assert_eq!(
        sum(&[MAKE, 0, DROP, 4, LOOP, 0, STOP, 0], 3000),
        "-1030335995533817756"
    );
    let all = [MAKE, 0, LINK, 3, COUNT, 0, DROP, 3, LOOP, 0, STOP, 0];
    assert_eq!(sum(&all, 2999), "6241695282256174980");
}

#[test]
fn a_turn_makes_one_node() {
    let run = compiled(guest(&[MAKE, 0, DROP, 6, LOOP, 0, STOP, 0], 20_000), "");
    expect![[r#"
        [
            "int_and",
            "int_is_zero",
            "guard_false",
            "int_add",
            "int_gt",
            "guard_true",
            "guard_not_exhausted",
            "new",
            "setfield_i",
            "setfield_r",
            "jump L1",
        ]
    "#]]
    .assert_debug_eq(&operations(run.body()));
}

#[test]
fn a_turn_stores_one_reference() {
    let run = compiled(guest(&[LINK, 7, LOOP, 0, STOP, 0], 20_000), "");
    expect![[r#"
        [
            "int_add",
            "int_and",
            "getitem_r",
            "int_and",
            "getitem_r",
            "int_add",
            "int_gt",
            "guard_true",
            "setfield_r",
            "jump L1",
        ]
    "#]]
    .assert_debug_eq(&operations(run.body()));
}

#[test]
fn a_tree_is_complete() {
    let vm = Vm::new(program(), Options::default()).expect("a VM");
    vm.enter(|| {
        let tree = tree(9);
        collect_garbage(CollectScope::All);
        assert_eq!(tree.value, 1023);
        assert!(vm.stats().heap.live_bytes >= 1023 * 32);
    });
}
