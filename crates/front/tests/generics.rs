//! Generic functions, types and methods through the front end: what comes out has an instance for each use.

use expect_test::{Expect, expect};
use verdigris_front::{check_source, print};

/// Checks items together with a portal that returns `body`, and prints everything behind the portal.
fn check(items: &str, body: &str, expect: Expect) {
    let text = format!(
        "use verdigris::prelude::*;\n{items}\n#[portal]\nfn run(x: i64, y: i64) -> i64 {{\n    let pc = 0;\n    loop {{\n        merge_point!(greens = [pc], reds = [x, y]);\n        return {body};\n    }}\n}}\n"
    );
    let shown = match check_source(&[("main.rs", &text)]) {
        Ok(program) => print(&program),
        Err(diagnostics) => diagnostics.to_string(),
    };
    let mut lines: Vec<&str> = Vec::new();
    let mut in_portal = false;
    for line in shown.lines() {
        in_portal |= line.starts_with("portal ");
        if !in_portal || line.trim_start().starts_with("return") {
            lines.push(line);
        }
        in_portal &= line != "}";
    }
    expect.assert_eq(&format!("{}\n", lines.join("\n")));
}

#[test]
fn functions() {
    check(
        "fn id<T>(t: T) -> T { t }
         fn pick<A, B>(first: bool, a: A, b: B, other: A) -> (A, B) { if first { (a, b) } else { (other, b) } }",
        "{ let p = pick(true, x, 2.5, 7); id(p.0) + id::<i64>(y) + if id(p.1) > 1.0 { 1 } else { 0 } }",
        expect![[r#"
                    return {
            func pick::<i64, f64>(first: bool, a: i64, b: f64, other: i64) -> (i64, f64) {
                if first {
                    (a, b)
                } else {
                    (other, b)
                }
            }
            func id::<i64>(t: i64) -> i64 {
                t
            }
            func id::<f64>(t: f64) -> f64 {
                t
            }
        "#]],
    );
}

#[test]
fn values() {
    check(
        "#[derive(Clone, Copy, PartialEq)] struct Pair<A, B = i64> { a: A, b: B }
         impl<A, B> Pair<A, B> {
             const SIZE: i64 = 2;
             fn new(a: A, b: B) -> Self { Self { a, b } }
             fn swap(self) -> Pair<B, A> { Pair { a: self.b, b: self.a } }
             fn with<C>(self, c: C) -> Pair<A, C> { Pair::new(self.a, c) }
         }
         impl Pair<bool, i64> { fn only(&self) -> i64 { if self.a { self.b } else { Self::SIZE } } }
         enum Maybe<T> { No, Yes(T) }
         impl<T> Maybe<T> { fn or(self, other: T) -> T { match self { Maybe::No => other, Self::Yes(t) => t } } }
         type Same<T> = Pair<T, T>;
         fn same(p: Same<i64>) -> i64 { p.a + p.b }",
        "{ let p = Pair::new(x, true).swap(); let none = Maybe::No; same(Pair { a: p.b, b: p.only() }) + none.or(3) + Maybe::Yes(y).or(1) + p.with(1).b + Pair::<i64, i64>::SIZE }",
        expect![[r#"
                    return {
            func Pair::<i64, bool>::new(a: i64, b: bool) -> Pair<i64, bool> {
                Pair(a, b)
            }
            func Pair::<i64, bool>::swap(self: Pair<i64, bool>) -> Pair<bool, i64> {
                Pair(self.1, self.0)
            }
            func same(p: Pair<i64, i64>) -> i64 {
                (p.0 + p.1)
            }
            func Pair::<bool, i64>::only(self: Pair<bool, i64>) -> i64 {
                if self.0 {
                    self.1
                } else {
                    2i64
                }
            }
            func Maybe::<i64>::or(self: Maybe<i64>, other: i64) -> i64 {
                match self {
                    No => other
                    Yes(t: i64) => t
                }
            }
            func Pair::<bool, i64>::with::<i64>(self: Pair<bool, i64>, c: i64) -> Pair<bool, i64> {
                Pair::<bool, i64>::new(self.0, c)
            }
            func Pair::<bool, i64>::new(a: bool, b: i64) -> Pair<bool, i64> {
                Pair(a, b)
            }
        "#]],
    );
}

#[test]
fn classes() {
    check(
        "#[gc] struct Node<T> { value: T, next: Cell<Option<Gc<Node<T>>>> }
         impl<T> Node<T> {
             fn cons(value: T, next: Option<Gc<Node<T>>>) -> Gc<Node<T>> { Gc::new(Node { value, next: Cell::new(next) }) }
             fn next_value(&self, other: T) -> T { match self.next.get() { Some(n) => n.value, None => other } }
         }
         #[gc] struct Stack<T> { items: Cell<GcArray<Cell<T>>>, len: Cell<usize> }
         impl<T> Stack<T> {
             fn new(size: usize, fill: T) -> Gc<Stack<T>> { Gc::new(Stack { items: Cell::new(GcArray::new(size, fill)), len: Cell::new(0) }) }
             fn push(&self, t: T) { let n = self.len.get(); self.items.get()[n].set(t); self.len.set(n + 1); }
             fn pop(&self) -> T { let n = self.len.get() - 1; self.len.set(n); self.items.get()[n].get() }
         }
         fn first<T>(n: Gc<Node<T>>) -> T { n.value }",
        "{ let n = Node::cons(x, None); let m = Node::cons(y, Some(n)); let s = Stack::new(8, 0); s.push(m.next_value(3)); s.push(first(n)); let f = Node::cons(1.5, None); s.pop() + if first(f) > 1.0 { 1 } else { 0 } }",
        expect![[r#"
            class Node<i64> { value: i, next: r mut } = ::verdigris::rt::struct_class::<crate::Node<i64>>
            class Stack<i64> { items: r mut, len: i mut } = ::verdigris::rt::struct_class::<crate::Stack<i64>>
            class GcArray<Cell<i64>> { i mut } = ::verdigris::rt::array_class::<::verdigris::Cell<i64>, ()>
            class Node<f64> { value: f, next: r mut } = ::verdigris::rt::struct_class::<crate::Node<f64>>
                    return {
            func Node::<i64>::cons(value: i64, next: Option<Gc<Node<i64>>>) -> Gc<Node<i64>> {
                new Node<i64> { value: value, next: next }
            }
            func Node::<i64>::next_value(self: Gc<Node<i64>>, other: i64) -> i64 {
                match self.next {
                    Some(n: Gc<Node<i64>>) => n.value
                    None => other
                }
            }
            func Stack::<i64>::push(self: Gc<Stack<i64>>, t: i64) -> () {
                let n: usize = self.len
                self.items[n] := t
                self.len := (n + 1usize)
            }
            func first::<i64>(n: Gc<Node<i64>>) -> i64 {
                n.value
            }
            func Node::<f64>::cons(value: f64, next: Option<Gc<Node<f64>>>) -> Gc<Node<f64>> {
                new Node<f64> { value: value, next: next }
            }
            func Stack::<i64>::pop(self: Gc<Stack<i64>>) -> i64 {
                let n: usize = (self.len - 1usize)
                self.len := n
                self.items[n]
            }
            func first::<f64>(n: Gc<Node<f64>>) -> f64 {
                n.value
            }
            func Stack::<i64>::new(size: usize, fill: i64) -> Gc<Stack<i64>> {
                new Stack<i64> { items: new GcArray<Cell<i64>>(size, fill), len: 0usize }
            }
        "#]],
    );
}

#[test]
fn called_functions() {
    check(
        "#[gc] struct Bag<T> { item: T }
         impl<T> Bag<T> { #[opaque] fn show(&self, other: T) -> i64 { 0 } }
         #[elidable] fn hash<T>(t: T) -> i64 { 0 }
         struct Tag<T> { t: T }",
        "{ let b = Gc::new(Bag { item: 2.5 }); hash(x) + hash(b) + b.show(1.0) }",
        expect![[r#"
            class Bag<f64> { item: f } = ::verdigris::rt::struct_class::<crate::Bag<f64>>
            elidable hash::<i64>(i) -> i = crate::__vd_fn_hash::<i64>
            elidable hash::<Gc<Bag<f64>>>(r) -> i = crate::__vd_fn_hash::<::verdigris::Gc<crate::Bag<f64>>>
            opaque Bag::<f64>::show(rf) -> i = <crate::Bag<f64>>::__vd_fn_show reads() writes()
                    return {
        "#]],
    );
}
