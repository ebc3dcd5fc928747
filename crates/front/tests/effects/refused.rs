//! Functions that may do anything, since their bodies run unknown code, with the reason.

use super::body;
use expect_test::expect;

#[test]
fn unsafe_is_refused() {
    body(
        "unsafe { *(&node.tag as *const i64) }",
        "",
        expect!["f: // `unsafe`"],
    );
    body(
        "Some(1).map(|_| deep()).unwrap_or(0)",
        "fn deep() -> i64 { unsafe { std::mem::zeroed() } }",
        expect!["f: // `unsafe` in `deep`"],
    );
}

#[test]
fn calls_of_values_are_refused() {
    body(
        "let g = |x: i64| x; let g = twice(g); g(1)",
        "fn twice(g: impl Fn(i64) -> i64) -> impl Fn(i64) -> i64 { move |x| x }",
        expect!["f: // a call of the variable `g`"],
    );
    body(
        "apply(|x| x)",
        "fn apply(g: impl Fn(i64) -> i64) -> i64 { g(1) }",
        expect!["f: // a call of the variable `g` in `apply`"],
    );
    body(
        "(pick())(1)",
        "fn pick() -> fn(i64) -> i64 { i64::abs }",
        expect!["f: // a call of a computed value"],
    );
    body(
        "let h = Holder { g: i64::abs }; (h.g)(1)",
        "struct Holder { g: fn(i64) -> i64 }",
        expect!["f: // a call of a computed value"],
    );
}

#[test]
fn trait_objects_are_refused() {
    body(
        "let x: Box<dyn Fn() -> i64> = Box::new(|| 1); 0",
        "",
        expect!["f: // `dyn`"],
    );
    body(
        "show(&1)",
        "fn show(x: &dyn std::fmt::Display) -> i64 { x.to_string().len() as i64 }",
        expect!["f: // `dyn` in `show`"],
    );
}

#[test]
fn statics_may_hold_data_only() {
    let locals = |ty: &str, value: &str| {
        format!(
            "use std::cell::RefCell; thread_local! {{ #[rooted_elsewhere] static S: {ty} = {value}; }}\n#[rooted_elsewhere] struct Plain {{ names: Vec<String>, node: Option<Gc<Node>> }} struct Hook(fn()); #[rooted_elsewhere] enum Either {{ A(Plain), B(Hook) }}"
        )
    };
    body(
        "S.with(|s| s.borrow().len() as i64)",
        &locals("RefCell<Vec<i64>>", "const { RefCell::new(Vec::new()) }"),
        expect!["f: reads() writes()"],
    );
    body(
        "S.with_borrow(|s| s.names.len() as i64)",
        &locals(
            "RefCell<Plain>",
            "RefCell::new(Plain { names: Vec::new(), node: None })",
        ),
        expect!["f: reads() writes()"],
    );
    body(
        "S.with_borrow(|s| 1)",
        &locals("RefCell<Option<Box<dyn Fn()>>>", "RefCell::new(None)"),
        expect!["f: // the static `S`, which could hold functions"],
    );
    body(
        "S.with_borrow(|s| 1)",
        &locals("RefCell<Option<Either>>", "RefCell::new(None)"),
        expect!["f: // the static `S`, which could hold functions"],
    );
    body(
        "S.with_borrow(|s| 1)",
        &locals("RefCell<Option<&'static Cell<i64>>>", "RefCell::new(None)"),
        expect!["f: // the static `S`, which could hold functions"],
    );
    body(
        "S.with_borrow(|s| 1)",
        &locals("RefCell<Option<Vm>>", "RefCell::new(None)"),
        expect!["f: // the static `S`, which could hold functions"],
    );
    body(
        "S.with_borrow(|s| 1)",
        &locals("RefCell<i64>", "RefCell::new(first())"),
        expect!["f: // the name `first` in `a static`"],
    );
    body(
        "H.len() as i64",
        "mod m { pub static S: i64 = 1; } use m::S as H;",
        expect!["f: // the static `H`, which could hold functions"],
    );
    body(
        "HOOK.len() as i64",
        "static HOOK: [fn(); 1] = [main]; fn main() {}",
        expect!["f: // the static `HOOK`, which could hold functions"],
    );
    body(
        "NAMES.len() as i64",
        "static NAMES: &[&str] = &[\"a\"];",
        expect!["f: reads() writes()"],
    );
}

#[test]
fn running_guest_code_is_refused() {
    body(
        "run(node, Gc::new(Other { value: Cell::new(0), count: Cell::new(0) }), stack)",
        "",
        expect!["f: // the interpreter itself in `run`"],
    );
    body(
        "let vm = Vm::new(todo!(), Options::default()); 0",
        "",
        expect!["f: // the name `Vm`"],
    );
    body(
        "again::<()>(stack)",
        "fn again<T>(_: Stack) -> i64 { helper() } fn helper() -> i64 { verdigris::Vm::anything() }",
        expect!["f: // the name `verdigris::Vm::anything` in `helper`"],
    );
}

#[test]
fn names_that_nobody_knows_are_refused() {
    body("mystery(node)", "", expect!["f: // the name `mystery`"]);
    body(
        "helper::mystery(node)",
        "",
        expect!["f: // the name `helper`"],
    );
    body(
        "use std::mem::drop as d; d(node); 0",
        "",
        expect!["f: // an item inside a function"],
    );
    body(
        "fn inner() -> i64 { 3 } inner()",
        "",
        expect!["f: // an item inside a function"],
    );
    body(
        "let x: other::Thing = todo!(); 0",
        "",
        expect!["f: // the name `other`"],
    );
    body(
        "make::<i64>()",
        "fn make<T: Default>() -> i64 { T::default(); 0 }",
        expect!["f: reads() writes()"],
    );
}

#[test]
fn other_crates_are_refused_where_they_are() {
    body(
        "node.tag",
        "use serious::Heap;",
        expect!["f: // its module uses the crate `serious`"],
    );
    body(
        "node.tag",
        "use serious as s; fn g() -> i64 { s::go() }",
        expect!["f: // its module uses the crate `serious`"],
    );
    body(
        "node.tag",
        "extern crate serious;",
        expect!["f: // the crate uses the crate `serious`"],
    );
    body(
        "node.tag",
        "pub use serious::*;",
        expect!["f: // its module uses the crate `serious`"],
    );
    body(
        "node.tag",
        "use apart::*; mod apart { pub use super::again::*; } mod again { use serious::Ext; }",
        expect!["f: // its module uses the crate `serious`"],
    );
    body(
        "node.tag",
        "use apart::Ext; mod apart { pub use serious::Ext; }",
        expect!["f: // its module uses the crate `serious`"],
    );
    body(
        "let m: FxHashMap<i64, i64> = FxHashMap::default(); m.len() as i64",
        "use rustc_hash::FxHashMap;",
        expect!["f: reads() writes()"],
    );
}

/// What has nothing of another crate in reach is known all the same.
#[test]
fn other_crates_elsewhere_are_no_matter() {
    let host = "mod host { use serious::Heap; pub fn run() -> i64 { serious::go() } }";
    body("node.tag", host, expect!["f: reads() writes()"]);
    body(
        "node.tag",
        "struct Holder { heap: serious::Heap }",
        expect!["f: reads() writes()"],
    );
    body(
        "node.value.set(1); 0",
        "struct Error(i64); impl From<serious::Error> for Error { fn from(_: serious::Error) -> Error { serious::go() } }",
        expect!["f: reads() writes(Node.value)"],
    );
    body(
        "node.value.set(1); 0",
        "struct Holder { heap: serious::Heap } impl Drop for Holder { fn drop(&mut self) { self.heap.close() } }",
        expect!["f: reads() writes(Node.value)"],
    );
    body(
        "node.tag",
        "struct Seen; impl serious::Visitor for Seen { fn visit(&self) { serious::go() } }",
        expect!["f: reads() writes()"],
    );
}

/// A body that names something of another crate, at the head of a path or in a part of it, may run
/// that crate's code.
#[test]
fn names_that_lead_to_other_crates_are_refused() {
    body(
        "host::run()",
        "mod host { pub fn run() -> i64 { serious::go() } }",
        expect!["f: // the name `serious` in `host::run`"],
    );
    body(
        "get().go()",
        "fn get() -> serious::Heap { todo!() }",
        expect!["f: // the name `get`, behind which is the crate `serious`"],
    );
    body(
        "outer().holder.heap.go()",
        "fn outer() -> Outer { todo!() } struct Outer { holder: Holder } struct Holder { heap: serious::Heap }",
        expect!["f: // the name `outer`, behind which is the crate `serious`"],
    );
    body(
        "drop(apart::outer()); 0",
        "mod apart { pub fn outer() -> super::Outer { todo!() } } struct Outer { heap: Heap } type Heap = serious::Heap;",
        expect!["f: // the name `outer`, behind which is the crate `serious`"],
    );
    body(
        "drop(V(Default::default())); 0",
        "use apart::Other::Variant as V; mod apart { pub enum Other { Variant(serious::Heap) } }",
        expect!["f: // the name `V`, behind which is the crate `serious`"],
    );
    body(
        "HEAP.with(|heap| heap.go())",
        "thread_local! { static HEAP: serious::Heap = serious::new() }",
        expect!["f: // the static `HEAP`, which could hold functions"],
    );
    body(
        "println!(\"{}\", get()); 0",
        "fn get() -> Option<serious::Heap> { None }",
        expect!["f: // the name `get`, behind which is the crate `serious`"],
    );
    body(
        "any(1)",
        "fn any<T: serious::Go>(x: T) -> i64 { x.go() }",
        expect!["f: // the name `any`, behind which is the crate `serious`"],
    );
    body(
        "node.tag",
        "struct All; impl Iterator for All { type Item = serious::Heap; fn next(&mut self) -> Option<serious::Heap> { None } }",
        expect!["f: // a trait or an associated type of the crate names the crate `serious`"],
    );
    body(
        "node.tag",
        "trait Local: serious::Go { fn local(&self) -> i64 { self.go() } }",
        expect!["f: // a trait or an associated type of the crate names the crate `serious`"],
    );
}

#[test]
fn hidden_code_is_refused() {
    body(
        "node.tag",
        "macro_rules! getter { ($n:ident) => { impl Node { fn $n(&self) { self.value.set(1) } } } } getter!(sneak);",
        expect!["f: reads() writes()"],
    );
    body(
        "node.tag",
        "fn far() { impl Node { fn sneak(&self) { self.value.set(1) } } }",
        expect!["f: // the crate has an `impl` inside a function"],
    );
    body(
        "node.tag",
        "#[derive(Serialize)] struct S;",
        expect!["f: // the crate derives `Serialize`"],
    );
    body(
        "node.tag",
        "#[instrument] fn g() {}",
        expect!["f: // the crate has an attribute `instrument`"],
    );
    body(
        "node.tag",
        "mod apart { include!(\"more.rs\"); }",
        expect!["f: // the crate uses the macro `include!`"],
    );
    body(
        "node.tag",
        "fn g() { std::panic::set_hook(Box::new(|_| {})) }",
        expect!["f: // the crate sets a panic hook"],
    );
    body(
        "node.tag",
        "trait Hook { const HOOK: fn() = main; } fn main() {}",
        expect!["f: // the crate has a trait that provides the constant `HOOK`"],
    );
    body(
        "node.tag",
        "mod apart { bitflags! { struct A: u8 {} } }",
        expect!["f: // the crate uses the macro `bitflags!`"],
    );
}
