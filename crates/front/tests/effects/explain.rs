//! What the author is told. In: interpreters. Out: each place with the shortest way to it, or what
//! could do anything.

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

#[test]
fn what_the_attribute_says_is_said_to_be_its_word() {
    let text = format!(
        "use verdigris::prelude::*;\n{INTERPRETER}\n\
        #[opaque(writes(Node.next))] fn f(node: Gc<Node>, stack: Stack) -> i64 {{ g(node); h(node) }}\n\
        #[opaque(reads(Node.value), writes())] fn g(node: Gc<Node>) {{ format!(\"\"); }}\n\
        fn h(node: Gc<Node>) -> i64 {{ format!(\"{{}}\", node.next.get().is_some()).len() as i64 + other(node).count.get() }}\n\
        fn other(node: Gc<Node>) -> Gc<Other> {{ loop {{ node.value.get(); }} }}\n"
    );
    let explained = explain_effects_of_source(&[("src/main.rs", &text)]).expect("a good program");
    expect![[r#"
        f (opaque)
            by its attribute
                writes Node.next
            by `h`
                by the names in it, for it is outside of the subset: src/main.rs:20: the macro `format!` cannot be used in traced code
                reads Node.next, Other.count
            by `g`
                reads Node.value
    "#]].assert_eq(&explained);
}

#[test]
fn what_a_promise_hides_is_in_doubt() {
    let text = format!(
        "use verdigris::prelude::*;\n{INTERPRETER}\n\
        #[gc] struct Pair {{ both: Cell<Option<i64>> }}\n\
        #[elidable] fn f(node: Gc<Node>, _stack: Stack) -> i64 {{ g(pair_of(node)) }}\n\
        fn g(pair: Gc<Pair>) -> i64 {{ pair.both.set(Some(1)); 1 }}\n\
        fn pair_of(node: Gc<Node>) -> Gc<Pair> {{ loop {{ node.value.get(); }} }}\n"
    );
    let text = text.replace(
        "node.next.set(None);",
        "node.next.set(None); Gc::new(Pair { both: Cell::new(None) }).both.set(None);",
    );
    let explained = explain_effects_of_source(&[("src/main.rs", &text)]).expect("a good program");
    expect![[r#"
        f (elidable)
            touches nothing that changes, by its attribute
            in doubt, whatever attributes say: loaded again behind a call
                by `g`
                    writes Pair.both
    "#]]
    .assert_eq(&explained);
}
