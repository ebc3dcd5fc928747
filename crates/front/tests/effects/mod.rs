//! What the analysis says of opaque functions: the places they read and write, or why everything
//! must be assumed.

mod explain;
mod names;
mod refused;
mod suspects;
mod typed;

use expect_test::{Expect, expect};
use verdigris_front::{check_source, print};

/// An interpreter that knows some mutable places and calls `f`.
const INTERPRETER: &str = r#"
#[gc] pub struct Node { next: Cell<Option<Gc<Node>>>, value: Cell<i64>, tag: i64, items: Items }
#[gc] pub struct Other { value: Cell<i64>, count: Cell<i64> }
pub struct OnStack;
pub type Stack = GcArray<Cell<i64>, OnStack>;
pub type Items = GcArray<i64>;
#[portal]
fn run(node: Gc<Node>, other: Gc<Other>, stack: Stack) -> i64 {
    loop {
        merge_point!(greens = [], reds = [node, other, stack]);
        stack[0].set(f(node, stack));
        node.next.set(None);
        node.value.set(other.value.get() + other.count.get() + node.tag + node.items[0]);
    }
}
"#;

/// The library's prelude.
const PRELUDE: &str = include_str!("../../../library/src/library/prelude.rs");

/// Whether a text uses a name of the library's prelude.
fn uses_library(text: &str) -> bool {
    let names = PRELUDE.split_once('{').expect("one list of names").1;
    let mut names = names.split([',', '}', ';']).map(str::trim);
    names.any(|name| !name.is_empty() && text.contains(name))
}

/// Shows the opaque functions of an interpreter with these items.
fn check(items: &str, expect: Expect) {
    check_files(items, &[], expect);
}

fn check_files(items: &str, others: &[(&str, &str)], expect: Expect) {
    // To read the library takes most of the time.
    let library = match uses_library(items) {
        true => "library::prelude::*, ",
        false => "",
    };
    let text = format!(
        "use verdigris::{{concrete, is_constant, is_virtual, {library}prelude::*, readonly, we_are_jitted}};\n{INTERPRETER}\n{items}"
    );
    let mut files = vec![("src/main.rs", text.as_str())];
    files.extend(others);
    let shown = match check_source(&files) {
        Ok(program) => print(&program),
        Err(diagnostics) => panic!("{diagnostics}"),
    };
    let opaque = shown.lines().filter_map(|l| {
        l.strip_prefix("opaque ")
            .or_else(|| l.strip_prefix("readonly "))
    });
    let lines: Vec<String> = opaque.map(shorten).collect();
    expect.assert_eq(&lines.join("\n"));
}

/// A line without types and glue.
fn shorten(line: &str) -> String {
    let (name, rest) = line.split_once('(').expect("a signature");
    let (_, glue) = rest.split_once(" = ").expect("glue");
    let effects = glue
        .split_once(' ')
        .map_or("anything", |(_, effects)| effects);
    format!("{name}: {effects}")
}

/// Shows `f` with this body, and what else there is. The body is not in the subset, so that it
/// counts by the names in it.
fn body(body: &str, items: &str, expect: Expect) {
    typed_body(&format!("std::hint::black_box(0); {body}"), items, expect);
}

/// Shows `f` with this body as it is, and what else there is.
fn typed_body(body: &str, items: &str, expect: Expect) {
    let f = format!("#[opaque] fn f(node: Gc<Node>, stack: Stack) -> i64 {{ {body} }}\n{items}");
    check(&f, expect);
}

#[test]
fn reading_what_never_changes_is_nothing() {
    body(
        "node.tag + node.items[0] * 2",
        "",
        expect!["f: reads() writes()"],
    );
}

#[test]
fn a_field_is_read() {
    body(
        "node.value.get()",
        "",
        expect!["f: reads(Node.value) writes()"],
    );
}

#[test]
fn a_field_is_written() {
    body(
        "node.value.set(3); 0",
        "",
        expect!["f: reads() writes(Node.value)"],
    );
}

#[test]
fn a_field_is_replaced() {
    body(
        "(node.value).replace(3)",
        "",
        expect!["f: reads(Node.value) writes(Node.value)"],
    );
}

#[test]
fn items_are_read_and_written() {
    body(
        "stack[0].get()",
        "",
        expect!["f: reads(GcArray<Cell<i64>,OnStack>[]) writes()"],
    );
    body(
        "stack[1].set(4); 0",
        "",
        expect!["f: reads() writes(GcArray<Cell<i64>,OnStack>[])"],
    );
    body(
        "stack.as_slice().iter().map(|c| c.get()).sum()",
        "",
        expect!["f: reads(GcArray<Cell<i64>,OnStack>[]) writes(GcArray<Cell<i64>,OnStack>[])"],
    );
    body(
        "stack.as_slice()[1..].len() as i64",
        "",
        expect!["f: reads(GcArray<Cell<i64>,OnStack>[]) writes(GcArray<Cell<i64>,OnStack>[])"],
    );
}

#[test]
fn items_can_be_reached_by_name() {
    body(
        "GcArray::as_slice(&stack).len() as i64",
        "",
        expect!["f: reads(GcArray<Cell<i64>,OnStack>[]) writes(GcArray<Cell<i64>,OnStack>[])"],
    );
    body(
        "std::ops::Index::index(&stack, 0).get()",
        "",
        expect!["f: reads(GcArray<Cell<i64>,OnStack>[]) writes(GcArray<Cell<i64>,OnStack>[])"],
    );
    body(
        "<Stack as std::ops::Index<usize>>::index(&stack, 0).get()",
        "",
        expect!["f: reads(GcArray<Cell<i64>,OnStack>[]) writes(GcArray<Cell<i64>,OnStack>[])"],
    );
    body(
        "let index = node.tag; index",
        "",
        expect!["f: reads() writes()"],
    );
}

#[test]
fn fields_count_by_name_whatever_their_struct() {
    body(
        "let x = find(node); x.count.set(1); 0",
        "fn find(_: Gc<Node>) -> Gc<Other> { Gc::new(Other { value: Cell::new(1), count: Cell::new(2) }) }",
        expect!["f: reads() writes(Other.count)"],
    );
}

#[test]
fn a_reference_to_a_cell_counts_where_it_is_made() {
    body(
        "let c = &node.value; c.set(3); 0",
        "",
        expect!["f: reads(Node.value) writes(Node.value)"],
    );
    body(
        "let c = &(node.value); helper(c)",
        "fn helper(c: &Cell<i64>) -> i64 { c.get() }",
        expect!["f: reads(Node.value) writes(Node.value)"],
    );
    body(
        "let ref c = node.value; c.get()",
        "",
        expect!["f: reads(Node.value) writes(Node.value)"],
    );
    body(
        "match node.value { ref c => c.get() }",
        "",
        expect!["f: reads(Node.value) writes(Node.value)"],
    );
    body(
        "Cell::get(&node.value)",
        "",
        expect!["f: reads(Node.value) writes(Node.value)"],
    );
    body(
        "node.value.bump()",
        "trait Bump { fn bump(&self) -> i64; } impl Bump for Cell<i64> { fn bump(&self) -> i64 { self.replace(0) } }",
        expect!["f: reads(Node.value) writes(Node.value)"],
    );
    body(
        "format!(\"{:?}\", node.value).len() as i64",
        "",
        expect!["f: reads(Node.value, Other.value) writes(Node.value, Other.value)"],
    );
    body(
        "let c = &stack[0]; c.get()",
        "",
        expect!["f: reads(GcArray<Cell<i64>,OnStack>[]) writes(GcArray<Cell<i64>,OnStack>[])"],
    );
    body(
        "let pick = |n: Gc<Node>| n.value.get(); [node].into_iter().map(pick).sum()",
        "",
        expect!["f: reads(Node.value, Other.value) writes()"],
    );
}

#[test]
fn patterns_name_fields() {
    body(
        "let Node { value, .. } = &*node; value.set(1); 0",
        "",
        expect!["f: reads(Node.value, Other.value) writes(Node.value, Other.value)"],
    );
    body(
        "if let Node { next: n, .. } = &*node { n.set(None) } 0",
        "",
        expect!["f: reads(Node.next) writes(Node.next)"],
    );
    body(
        "let read = |Node { value: v, .. }: &Node| v.get(); Some(&*node).map(read).unwrap_or(0)",
        "",
        expect!["f: reads(Node.value, Other.value) writes(Node.value, Other.value)"],
    );
}

#[test]
fn a_method_on_self() {
    check(
        "
        #[opaque] fn f(node: Gc<Node>, _: Stack) -> i64 { node.total() }
        impl Node {
            fn total(&self) -> i64 { self.value.get() + self.tag }
        }
        ",
        expect!["f: reads(Node.value) writes()"],
    );
}

#[test]
fn what_is_called_counts_through_recursion() {
    body(
        "even(node)",
        "
        fn even(node: Gc<Node>) -> i64 { match node.next.get() { Some(n) => odd(n), None => 0 } }
        fn odd(node: Gc<Node>) -> i64 { node.value.set(1); match node.next.get() { Some(n) => even(n), None => 1 } }
        ",
        expect!["f: reads(Node.next) writes(Node.value)"],
    );
}

#[test]
fn a_function_given_away_counts() {
    body(
        "Some(node).map(reset); 0",
        "fn reset(node: Gc<Node>) { node.value.set(0) }",
        expect!["f: reads() writes(Node.value)"],
    );
    body(
        "Some(&*node).map(Node::reset); 0",
        "impl Node { fn reset(&self) { self.value.set(0) } }",
        expect!["f: reads() writes(Node.value)"],
    );
    body(
        "TABLE[0](node); 0",
        "const TABLE: [fn(Gc<Node>); 1] = [reset]; fn reset(node: Gc<Node>) { node.value.set(0) }",
        expect!["f: // a call of a computed value"],
    );
    body(
        "Some(node).map(HOOK); 0",
        "const HOOK: fn(Gc<Node>) = reset; fn reset(node: Gc<Node>) { node.value.set(0) }",
        expect!["f: reads() writes(Node.value)"],
    );
}

#[test]
fn an_imported_or_renamed_function_counts() {
    check_files(
        "
        mod other;
        use other::write as harmless;
        #[opaque] fn f(node: Gc<Node>, _: Stack) -> i64 { harmless(node); crate::other::deep::read(node) }
        ",
        &[(
            "src/other.rs",
            "
            use crate::Node;
            use verdigris::{readonly, prelude::*};
            pub fn write(node: Gc<Node>) { node.next.set(None) }
            pub mod deep {
                use super::*;
                pub fn read(node: Gc<Node>) -> i64 { node.value.get() }
            }
            ",
        )],
        expect!["f: reads(Node.value) writes(Node.next)"],
    );
}

#[test]
fn trait_methods_count_by_name() {
    body(
        "node.visit()",
        "
        trait Visit { fn visit(&self) -> i64 { self.go(); 1 } fn go(&self); }
        impl Visit for Node { fn go(&self) { self.value.set(1) } }
        ",
        expect!["f: reads() writes(Node.value)"],
    );
    body(
        "go(node)",
        "
        trait Visit { fn visit(&self) -> i64; }
        impl Visit for Node { fn visit(&self) -> i64 { self.value.get() } }
        fn go<T: Visit>(x: Gc<T>) -> i64 { T::visit(&x) }
    ",
        expect!["f: reads(Node.value) writes()"],
    );
    body(
        "<Node as Visit>::visit(&node)",
        "
        trait Visit { fn visit(&self) -> i64; }
        impl Visit for Node { fn visit(&self) -> i64 { self.value.get() } }
    ",
        expect!["f: reads(Node.value) writes()"],
    );
}

#[test]
fn impls_of_standard_traits_always_count() {
    let guard = |header: &str, method: &str, expect: Expect| {
        let items = format!("struct Guard(Gc<Node>); impl {header} {{ {method} }}");
        body("node.tag", &items, expect);
    };
    guard(
        "std::fmt::Display for Node",
        "fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, \"{}\", self.value.get()) }",
        expect!["f: reads(Node.value) writes()"],
    );
    guard(
        "Drop for Guard",
        "fn drop(&mut self) { self.0.next.set(None); }",
        expect!["f: reads() writes(Node.next)"],
    );
    guard(
        "std::ops::Deref for Guard",
        "type Target = Cell<i64>; fn deref(&self) -> &Cell<i64> { &self.0.value }",
        expect!["f: reads(Node.value, Other.value) writes(Node.value, Other.value)"],
    );
    guard(
        "std::ops::Add for Guard",
        "type Output = i64; fn add(self, _: Guard) -> i64 { self.0.value.get() }",
        expect!["f: reads(Node.value) writes()"],
    );
    guard(
        "std::cmp::PartialEq for Guard",
        "fn eq(&self, other: &Guard) -> bool { self.0.value.get() == other.0.tag }",
        expect!["f: reads(Node.value) writes()"],
    );
    guard(
        "std::cmp::PartialOrd for Guard",
        "fn partial_cmp(&self, _: &Guard) -> Option<std::cmp::Ordering> { self.0.value.set(1); None }",
        expect!["f: reads() writes(Node.value)"],
    );
    guard(
        "Iterator for Guard",
        "type Item = i64; fn next(&mut self) -> Option<i64> { Some(self.0.value.replace(1)) }",
        expect!["f: reads(Node.value) writes(Node.value)"],
    );
    body(
        "node.tag",
        "struct Guard(i64); impl Drop for Guard { fn drop(&mut self) { unsafe { touch() } } } unsafe fn touch() {}",
        expect!["f: // `unsafe` in `Guard::drop`"],
    );
    body(
        "node.tag",
        "trait Own { fn own(&self); } impl Own for Node { fn own(&self) { self.value.set(1) } }",
        expect!["f: reads() writes()"],
    );
}

#[test]
fn a_derived_debug_reads() {
    body(
        "node.tag",
        "#[derive(Debug, Clone)] struct Shown { count: i64, name: String }",
        expect!["f: reads(Other.count) writes()"],
    );
}

#[test]
fn a_parameter_hides_a_function() {
    check(
        "#[opaque] fn f(node: Gc<Node>, stack: Stack) -> i64 { node.value.set(1); 0 }\n\
         pub fn node(g: fn(i64) -> i64) -> i64 { g(1) }",
        expect!["f: reads() writes(Node.value)"],
    );
    // A variable is bound in a part of the body.
    body(
        "let n = { let pick = 1; pick }; take(pick); n",
        "fn take(_: fn(Gc<Node>) -> i64) {}\n\
         pub fn pick(node: Gc<Node>) -> i64 { node.value.set(1); 1 }",
        expect!["f: reads() writes(Node.value)"],
    );
}

#[test]
fn elidable_functions_do_nothing_and_opaque_ones_are_read() {
    body(
        "pure(node) + other(node)",
        "#[elidable] fn pure(node: Gc<Node>) -> i64 { node.value.get() } #[opaque] fn other(node: Gc<Node>) -> i64 { node.next.set(None); 1 }",
        expect!["f: reads() writes(Node.next)"],
    );
}

#[test]
fn macros() {
    body(
        "println!(\"{} {x:?}\", node.tag, x = node.value.get()); assert_eq!(node.tag, 3, \"{}\", stack[0].get()); 0",
        "",
        expect!["f: reads(Node.value, Other.value, GcArray<Cell<i64>,OnStack>[]) writes()"],
    );
    body(
        "let v = vec![node.value.get(); 3]; let w = vec![1, 2]; v[0] + w[0]",
        "",
        expect!["f: reads(Node.value, Other.value) writes()"],
    );
    body(
        "matches!(node.next.get(), Some(n) if n.value.get() > 0) as i64",
        "",
        expect!["f: reads(Node.next, Node.value, Other.value) writes()"],
    );
    body(
        "node.tag + twice(node)",
        "macro_rules! double { ($x:expr) => { $x + $x } } fn twice(node: Gc<Node>) -> i64 { double!(node.tag) }",
        expect!["f: reads() writes()"],
    );
    body(
        "format!(\"\").len() as i64",
        "macro_rules! format { ($x:expr) => { String::from($x) } }",
        expect!["f: reads() writes()"],
    );
}

#[test]
fn async_and_items_of_tests_are_not_in_the_way() {
    body(
        "later(); 0",
        "async fn later() {}",
        expect!["f: // an `async` function in `later`"],
    );
    body(
        "node.tag",
        "#[cfg(test)] mod tests { use proptest::prelude::*; }",
        expect!["f: reads() writes()"],
    );
}

#[test]
fn handles_are_no_places() {
    body(
        "let root = Root::new(node); root.set(node); root.get().tag",
        "",
        expect!["f: reads() writes()"],
    );
}

#[test]
fn by_value_names_are_no_cells() {
    body(
        "let p = P { value: 3 }; let q = p.value + 1; keep(p.value, q)",
        "struct P { value: i64 } fn keep(a: i64, b: i64) -> i64 { a * b }",
        expect!["f: reads() writes()"],
    );
    body(
        "let p = P { value: 3 }; let q = &p.value; *q",
        "struct P { value: i64 }",
        expect!["f: reads(Node.value, Other.value) writes(Node.value, Other.value)"],
    );
}

/// Where the source does not say what is written, the promise is trusted.
#[test]
fn what_read_only_functions_may_write_does_not_count() {
    let f = "
        #[readonly] fn f(node: Gc<Node>, stack: Stack) -> i64 { write(&node.value); stack[0].get() }
        fn write(cell: &Cell<i64>) { cell.set(1) }
    ";
    check(
        f,
        expect!["f: reads(Node.value, GcArray<Cell<i64>,OnStack>[]) writes()"],
    );
}

#[test]
fn a_read_only_method_can_say_what_it_reads() {
    let f = "
        #[gc] struct Table { used: Cell<i64>, spare: Cell<i64>, cells: Cell<Stack> }
        impl Table {
            #[readonly(used, cells)]
            fn find(&self, key: i64) -> i64 { self.spare.get() + TABLE.with(|t| t.get(key)) }
        }
        fn f(node: Gc<Node>, stack: Stack) -> i64 {
            let table = Gc::new(Table {
                used: Cell::new(1), spare: Cell::new(2), cells: Cell::new(stack),
            });
            table.find(node.value.get()) + table.cells.get()[0].get() + table.used.get()
        }
    ";
    check(
        f,
        expect![
            "Table::find: reads(Table.used, Table.cells, GcArray<Cell<i64>,OnStack>[]) writes()"
        ],
    );
}

#[test]
fn all_components_of_a_value_are_written() {
    let f = "
        #[value] #[derive(Clone, Copy)] enum Value { Int(i64), Node(Gc<Node>) }
        #[gc] struct Holder { held: Cell<Value>, untouched: Cell<Value> }
        #[opaque] fn put(holder: Gc<Holder>, n: i64) { holder.held.set(Value::Int(n)) }
        fn f(node: Gc<Node>, stack: Stack) -> i64 {
            let holder = Gc::new(Holder {
                held: Cell::new(Value::Node(node)), untouched: Cell::new(Value::Int(3)),
            });
            put(holder, 1);
            match holder.held.get() { Value::Int(n) => n, Value::Node(_) => 0 }
        }
    ";
    check(
        f,
        expect!["put: reads() writes(Holder.held#0, Holder.held#1)"],
    );
}
