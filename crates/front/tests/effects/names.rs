//! What names lead to: methods, private ones, closures, `parse`, aliases. In: bodies of opaque
//! functions. Out: their effects.

use super::{body, check};
use expect_test::expect;

#[test]
fn a_closure_that_one_variable_holds_may_be_called() {
    body(
        "let g = |x: i64| { node.value.set(x); x }; g(1) + g(2)",
        "",
        expect!["f: reads() writes(Node.value)"],
    );
    // The names that a macro binds are unknown.
    body(
        "let g = |x: i64| x; let n = matches!(1, g if g > 0); g(1) + n as i64",
        "",
        expect!["f: // a call of the variable `g`"],
    );
}

#[test]
fn a_buffer_calls_nothing_of_the_program() {
    body(
        "let mut text = verdigris::ByteBuffer::with_capacity(8);
         text.push(node.value.get() as u8);
         text.extend_from_slice(&[1]);
         text.len() as i64",
        "",
        expect!["f: reads(Node.value) writes()"],
    );
}

#[test]
fn weak_entries_are_read_by_collections_alone() {
    body(
        "let both = verdigris::Weakness::Both; node.value.get()",
        "struct Weak;
         impl verdigris::HasWeakEntries for Weak {
             fn removed(node: Gc<Node>) { node.value.set(1); }
         }",
        expect!["f: reads(Node.value) writes()"],
    );
}

#[test]
fn a_variable_is_not_there_in_its_own_value() {
    body(
        "let pick = pick(1); pick",
        "fn pick(n: i64) -> i64 { n }\n\
         pub fn other(node: Gc<Node>) { node.value.set(1); }",
        expect!["f: reads() writes()"],
    );
}

#[test]
fn methods_are_those_with_as_many_parameters() {
    const TWO: &str = "impl Node { fn put(&self, n: i64) { self.value.set(n); } }\n\
        impl Other { fn put(&self) -> i64 { self.count.get() } }";
    body(
        "node.put(1); 0",
        TWO,
        expect!["f: reads() writes(Node.value)"],
    );
    body(
        "other().put()",
        &format!("{TWO} fn other() -> Gc<Other> {{ loop {{}} }}"),
        expect!["f: reads(Other.count) writes()"],
    );
    // A method that is named may be called with any argument.
    body(
        "let g = Node::put; 0",
        TWO,
        expect!["f: reads() writes(Node.value)"],
    );
}

#[test]
fn private_methods_are_called_in_their_modules() {
    const INSIDE: &str = "mod inside {
        use super::*;
        impl Node { fn hidden(&self) { self.value.set(1); } pub fn shown(&self) { self.hidden(); } }
        pub mod within { use super::*; pub fn calls(node: Gc<Node>) { node.hidden(); } }
    }
    impl Other { fn hidden(&self) -> i64 { 1 } }";
    body(
        "other().hidden()",
        &format!("{INSIDE} fn other() -> Gc<Other> {{ loop {{}} }}"),
        expect!["f: reads() writes()"],
    );
    body(
        "node.shown(); 0",
        INSIDE,
        expect!["f: reads() writes(Node.value)"],
    );
    body(
        "inside::within::calls(node); 0",
        INSIDE,
        expect!["f: reads() writes(Node.value)"],
    );
}

#[test]
fn what_parses_text_is_called_by_parse() {
    const PARSER: &str = "pub struct Found(i64);
        impl std::str::FromStr for Found {
            type Err = ();
            fn from_str(text: &str) -> Result<Found, ()> { NODE.with(|n| n.value.set(1)); Err(()) }
        }
        thread_local! { static NODE: Root<Gc<Node>> = Root::new(todo!()); }";
    body("node.tag", PARSER, expect!["f: reads() writes()"]);
    body(
        "\"1\".parse::<Found>().map_or(0, |f| f.0)",
        PARSER,
        expect!["f: reads() writes(Node.value, Other.value)"],
    );
    body(
        "str::parse::<Found>(\"1\").map_or(0, |f| f.0)",
        PARSER,
        expect!["f: reads() writes(Node.value, Other.value)"],
    );
}

#[test]
fn an_alias_is_the_type_that_it_stands_for() {
    body(
        "Nodes::new(1, 0); 0",
        "pub struct OfNodes; type Nodes = GcArray<Cell<i64>, OfNodes>;\n\
         pub struct Machine; impl Machine { fn new(node: Gc<Node>, n: i64) { node.value.set(n); } }",
        expect!["f: reads() writes()"],
    );
    body(
        "Engine::new(node, 0); 0",
        "type Engine = Machine; pub struct Machine;\n\
         impl Machine { fn new(node: Gc<Node>, n: i64) { node.value.set(n); } }",
        expect!["f: reads() writes(Node.value)"],
    );
}

/// A function is certainly called only if no closure has its name, so nothing is known to break the
/// promise.
#[test]
fn a_closure_hides_a_function_that_breaks_a_promise() {
    check(
        "#[readonly] fn f(node: Gc<Node>, stack: Stack) -> i64 { let put = |n: i64| n; put(node.tag) }\n\
         fn put(n: i64) -> i64 { NODE.with(|node| node.value.set(n)); n }\n\
         thread_local! { static NODE: Root<Gc<Node>> = Root::new(todo!()); }",
        expect!["f: reads() writes()"],
    );
}
