//! Generic functions, types and methods through the front end: what comes out has an instance for
//! each use.

use expect_test::{Expect, expect};
use verdigris_front::{check_source, print};

/// Checks items together with a portal that returns `body`, and prints everything behind the
/// portal.
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

#[test]
fn traits() {
    check(
        "trait Shape { const SIDES: i64; fn area(self) -> i64; fn twice(self) -> i64 where Self: Sized + Copy { self.area() + self.area() * Self::SIDES } fn make(n: i64) -> Self; }
         #[derive(Clone, Copy)] struct Square(i64);
         impl Shape for Square { const SIDES: i64 = 4; fn area(self) -> i64 { self.0 * self.0 } fn make(n: i64) -> Self { Square(n) } }
         impl Shape for i64 { const SIDES: i64 = 1; fn area(self) -> i64 { self } fn twice(self) -> i64 { 2 } fn make(n: i64) -> i64 { n } }
         fn total<S: Shape + Copy>(s: S) -> i64 { s.twice() + S::SIDES + S::make(3).area() + <S as Shape>::SIDES }
         fn any(s: impl Shape) -> i64 { s.area() }",
        "total(Square(x)) + total(y) + any(Square::make(1)) + Shape::area(y)",
        expect![[r#"
                    return (((total::<Square>(Square(x)) + total::<i64>(y)) + any::<Square>(Square::make(1i64))) + i64::area(y))
            func total::<Square>(s: Square) -> i64 {
                (((Square::twice(s) + 4i64) + Square::area(Square::make(3i64))) + 4i64)
            }
            func total::<i64>(s: i64) -> i64 {
                (((i64::twice(s) + 1i64) + i64::area(i64::make(3i64))) + 1i64)
            }
            func Square::make(n: i64) -> Square {
                Square(n)
            }
            func any::<Square>(s: Square) -> i64 {
                Square::area(s)
            }
            func i64::area(self: i64) -> i64 {
                self
            }
            func Square::twice(self: Square) -> i64 {
                (Square::area(self) + (Square::area(self) * 4i64))
            }
            func Square::area(self: Square) -> i64 {
                (self.0 * self.0)
            }
            func i64::twice(self: i64) -> i64 {
                2i64
            }
            func i64::make(n: i64) -> i64 {
                n
            }
        "#]],
    );
}

#[test]
fn blanket_and_associated_types() {
    check(
        "trait Get { type Item; fn get(&self) -> Self::Item; }
         #[gc] struct Holder<T> { item: T }
         impl<T> Get for Gc<Holder<T>> { type Item = T; fn get(&self) -> T { self.item } }
         impl<A: Get, B: Get> Get for (A, B) { type Item = (A::Item, B::Item); fn get(&self) -> Self::Item { (self.0.get(), self.1.get()) } }
         trait Double: Get { fn double(&self) -> (Self::Item, Self::Item); }
         impl<G: Get> Double for G { fn double(&self) -> (Self::Item, G::Item) { (self.get(), self.get()) } }
         fn take<G: Get>(g: G) -> G::Item { g.get() }
         fn of<G>(g: G) -> <G as Get>::Item where G: Get { g.get() }",
        "{ let h = Gc::new(Holder { item: x }); let d = h.double(); take((h, h)).1 + d.0 + of(h) }",
        expect![[r#"
            class Holder<i64> { item: i } = ::verdigris::rt::struct_class::<crate::Holder<i64>>
                    return {
            func Gc::<Holder<i64>>::double(self: Gc<Holder<i64>>) -> (i64, i64) {
                (Gc::<Holder<i64>>::get(self), Gc::<Holder<i64>>::get(self))
            }
            func take::<(Gc<Holder<i64>>, Gc<Holder<i64>>)>(g: (Gc<Holder<i64>>, Gc<Holder<i64>>)) -> (i64, i64) {
                <(Gc<Holder<i64>>, Gc<Holder<i64>>)>::get(g)
            }
            func of::<Gc<Holder<i64>>>(g: Gc<Holder<i64>>) -> i64 {
                Gc::<Holder<i64>>::get(g)
            }
            func Gc::<Holder<i64>>::get(self: Gc<Holder<i64>>) -> i64 {
                self.item
            }
            func <(Gc<Holder<i64>>, Gc<Holder<i64>>)>::get(self: (Gc<Holder<i64>>, Gc<Holder<i64>>)) -> (i64, i64) {
                (Gc::<Holder<i64>>::get(self.0), Gc::<Holder<i64>>::get(self.1))
            }
        "#]],
    );
}

#[test]
fn operators() {
    check(
        "use std::ops::{Add, Mul, Neg};
         #[derive(Clone, Copy)] struct V { x: i64, y: i64 }
         impl Add for V { type Output = V; fn add(self, o: V) -> V { V { x: self.x + o.x, y: self.y + o.y } } }
         impl Mul<i64> for V { type Output = V; fn mul(self, k: i64) -> V { V { x: self.x * k, y: self.y * k } } }
         impl Mul<V> for i64 { type Output = V; fn mul(self, v: V) -> V { v * self } }
         impl Mul for V { type Output = i64; fn mul(self, o: V) -> i64 { self.x * o.x + self.y * o.y } }
         impl Neg for V { type Output = V; fn neg(self) -> V { V { x: -self.x, y: -self.y } } }
         impl From<i64> for V { fn from(x: i64) -> V { V { x, y: x } } }
         impl From<(i64, i64)> for V { fn from(p: (i64, i64)) -> V { V { x: p.0, y: p.1 } } }
         fn sum<T: Add<Output = T> + Copy>(a: T, b: T) -> T { a + b }
         #[derive(Default)] struct D { a: i64, b: Option<i64>, c: (bool, f64) }
         struct E(i64);
         impl From<bool> for E { fn from(b: bool) -> E { E(0) } }
         fn fails(x: i64) -> Result<i64, bool> { if x > 0 { Ok(x) } else { Err(true) } }
         fn tries(x: i64) -> Result<i64, E> { Ok(fails(x)? + 1) }",
        "{ let v = V { x, y }; let w = -(v + v * 3) + 2 * v; let d: D = Default::default(); let p: V = (x, y).into(); sum(w, V::from(x)) * p + sum(x, y) + d.a + D::default().a + match tries(x) { Ok(n) => n, Err(e) => e.0 } }",
        expect![[r#"
                    return {
            func V::mul(self: V, k: i64) -> V {
                V((self.0 * k), (self.1 * k))
            }
            func V::add(self: V, o: V) -> V {
                V((self.0 + o.0), (self.1 + o.1))
            }
            func V::neg(self: V) -> V {
                V(-self.0, -self.1)
            }
            func i64::mul(self: i64, v: V) -> V {
                V::mul(v, self)
            }
            func V::from(p: (i64, i64)) -> V {
                V(p.0, p.1)
            }
            func V::from#2(x: i64) -> V {
                V(x, x)
            }
            func sum::<V>(a: V, b: V) -> V {
                V::add(a, b)
            }
            func V::mul#2(self: V, o: V) -> i64 {
                ((self.0 * o.0) + (self.1 * o.1))
            }
            func sum::<i64>(a: i64, b: i64) -> i64 {
                (a + b)
            }
            func tries(x: i64) -> Result<i64, E> {
                Ok((match fails(x) {
                    Ok(ok: i64) => ok
                    Err(error: bool) => return Err(E::from(error))
                } + 1i64))
            }
            func fails(x: i64) -> Result<i64, bool> {
                if (x > 0i64) {
                    Ok(x)
                } else {
                    Err(true)
                }
            }
            func E::from(b: bool) -> E {
                E(0i64)
            }
        "#]],
    );
}
