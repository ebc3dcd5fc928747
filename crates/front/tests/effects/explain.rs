//! What the author is told. In: interpreters. Out: each place with the shortest way to it, or what could do anything.

use super::INTERPRETER;
use expect_test::expect;
use verdigris_front::explain_effects_of_source;

#[test]
fn every_place_is_explained_by_the_shortest_way_to_it() {
    let text = format!(
        "use verdigris::prelude::*;\n{INTERPRETER}\n\
        #[opaque] fn f(node: Gc<Node>, stack: Stack) -> i64 {{ count(node); first(node); stack[0].get() }}\n\
        fn first(node: Gc<Node>) {{ second(node); }}\n\
        fn second(node: Gc<Node>) {{ node.next.set(None); count(node); }}\n\
        fn count(node: Gc<Node>) {{ node.value.set(node.value.get() + 1); }}\n"
    );
    let explained = explain_effects_of_source(&[("src/main.rs", &text)]).expect("a good program");
    expect![[r#"
        f (opaque)
            by itself
                reads GcArray<Cell<i64>,OnStack>[]
            by `count`
                reads Node.value
                writes Node.value
            by `first` -> `second`
                writes Node.next
    "#]]
    .assert_eq(&explained);
    let text = text.replace("node.next.set(None); count", "unsafe {} count");
    let explained = explain_effects_of_source(&[("src/main.rs", &text)]).expect("a good program");
    expect![[r#"
        f (opaque)
            may do anything: `unsafe`, by `first` -> `second`
            by the names in it, for it is outside of the subset: src/main.rs:20: an `unsafe` block cannot be used in traced code
    "#]]
    .assert_eq(&explained);
}
