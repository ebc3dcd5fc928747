//! Words of values that functions write by their source, although they promise not to.

use expect_test::{Expect, expect};
use verdigris_front::{check_source, print};

/// An interpreter that knows a value of two words, a number, and items of two words.
const INTERPRETER: &str = r#"
#[gc] pub struct Node { item: Cell<Item>, count: Cell<i64>, items: Items }
#[value] #[derive(Clone, Copy)] pub enum Item { Node(Gc<Node>), Small(i64) }
pub type Items = GcArray<Cell<Item>>;
#[portal]
fn run(node: Gc<Node>) -> i64 {
    loop {
        merge_point!(greens = [], reds = [node]);
        node.count.set(f(node));
        if let Item::Small(n) = node.item.get() { node.count.set(n); }
        if let Item::Small(n) = node.items[0].get() { node.count.set(n); }
    }
}
"#;

/// Shows what is suspected of `f`.
fn check(f: &str, expect: Expect) {
    let text = format!(
        "use verdigris::{{concrete, is_constant, is_virtual, readonly, we_are_jitted, prelude::*}};\n{INTERPRETER}\n{f}"
    );
    let shown = match check_source(&[("src/main.rs", text.as_str())]) {
        Ok(program) => print(&program),
        Err(diagnostics) => panic!("{diagnostics}"),
    };
    let kinds = ["opaque", "elidable", "readonly"];
    let called = |l: &&str| {
        kinds
            .iter()
            .any(|kind| l.starts_with(&format!("{kind} f(")))
    };
    let lines = shown.lines().filter(called);
    let suspects = lines.map(|l| l.split_once(" suspects").map_or("none", |(_, s)| s));
    expect.assert_eq(&suspects.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_promise_that_holds_leaves_nothing_to_suspect() {
    check(
        "#[elidable] fn f(node: Gc<Node>) -> i64 { node.count.get() }",
        expect!["none"],
    );
    // One word is never torn.
    check(
        "#[elidable] fn f(node: Gc<Node>) -> i64 { node.count.replace(1) }",
        expect!["none"],
    );
    // What is not promised is no suspicion, but known.
    check(
        "#[opaque] fn f(node: Gc<Node>) -> i64 { node.item.set(Item::Small(1)); 1 }",
        expect!["none"],
    );
}

#[test]
fn writes_against_a_promise_are_suspected() {
    check(
        "#[elidable] fn f(node: Gc<Node>) -> i64 { node.item.set(Item::Small(1)); 1 }",
        expect!["(Node.item#0, Node.item#1)"],
    );
    check(
        "#[readonly] fn f(node: Gc<Node>) -> i64 { node.swap() }
         impl Node { fn swap(&self) -> i64 { self.items[0].set(Item::Small(1)); 1 } }",
        expect!["(GcArray<Cell<Item>>[], GcArray<Cell<Item>>#1[])"],
    );
    check(
        "#[opaque(reads(), writes(Node.item))] fn f(node: Gc<Node>) -> i64 {
             node.item.set(Item::Small(1)); node.items[0].set(Item::Small(1)); 1
         }",
        expect!["(GcArray<Cell<Item>>[], GcArray<Cell<Item>>#1[])"],
    );
    check(
        "#[opaque] fn f(node: Gc<Node>) -> i64 { g(node) }
         #[elidable] fn g(node: Gc<Node>) -> i64 { node.item.set(Item::Small(1)); 1 }",
        expect!["(Node.item#0, Node.item#1)"],
    );
    // By name, since the body is not in the subset.
    check(
        "#[opaque] fn f(node: Gc<Node>) -> i64 { std::hint::black_box(g(node)) }
         #[elidable] fn g(node: Gc<Node>) -> i64 { std::hint::black_box(0); node.item.set(Item::Small(1)); 1 }",
        expect!["(Node.item#0, Node.item#1)"],
    );
}

#[test]
fn what_cannot_be_known_is_suspected() {
    check(
        "#[elidable] fn f(node: Gc<Node>) -> i64 { g(node) }
         fn g(node: Gc<Node>) -> i64 { let call: Box<dyn Fn() -> i64> = Box::new(|| 1); call() }",
        expect!["(*)"],
    );
}
