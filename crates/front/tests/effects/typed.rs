//! Bodies in the subset: what they do by type. In: bodies of opaque functions, and what tries to
//! hide something from the types. Out: their effects.

use super::{body, check, typed_body};
use expect_test::expect;

#[test]
fn a_field_is_that_of_its_class() {
    typed_body(
        "node.value.get()",
        "",
        expect!["f: reads(Node.value) writes()"],
    );
    typed_body(
        "node.value.set(3); 0",
        "",
        expect!["f: reads() writes(Node.value)"],
    );
    typed_body(
        "node.value.replace(3)",
        "",
        expect!["f: reads(Node.value) writes(Node.value)"],
    );
    typed_body(
        "find(node).count.get()",
        "fn find(node: Gc<Node>) -> Gc<Other> { Gc::new(Other { value: Cell::new(node.value.get()), count: Cell::new(2) }) }",
        expect!["f: reads(Node.value, Other.count) writes()"],
    );
}

/// No caller knows anything of an object that the body has made itself, as long as the variable
/// can hold nothing else.
#[test]
fn what_a_body_makes_itself_may_be_written() {
    typed_body(
        "let made = Stack::new(3, 0); for n in 0..3 { made[n].set(n as i64); } made[1].get()",
        "",
        expect!["f: reads(GcArray<Cell<i64>,OnStack>[]) writes()"],
    );
    typed_body(
        "let mut made = Stack::new(3, 0); if node.tag > 3 { made = stack; } made[1].set(2); 0",
        "",
        expect!["f: reads() writes(GcArray<Cell<i64>,OnStack>[])"],
    );
    typed_body(
        "let other = Gc::new(Other { value: Cell::new(1), count: Cell::new(2) }); other.count.set(3); \
         let same = other; same.value.set(4); 0",
        "",
        expect!["f: reads() writes(Other.value)"],
    );
}

#[test]
fn items_are_those_of_their_class() {
    const TWO: &str = "pub struct Wide; pub type Others = GcArray<Cell<i64>, Wide>;
        #[gc] struct Holder { others: Others }
        fn known(node: Gc<Node>, holder: Gc<Holder>) -> i64 { holder.others[0].get() }
        fn other() -> Gc<Holder> { Gc::new(Holder { others: GcArray::new(3, 0) }) }";
    let both = |text: &str, expect| {
        check(
            &format!(
                "#[opaque] fn f(node: Gc<Node>, stack: Stack) -> i64 {{ {text} }}
                #[opaque] fn g(holder: Gc<Holder>) {{ holder.others[1].set(4); }} {TWO}
                #[readonly] fn h(node: Gc<Node>) -> Gc<Holder> {{ g(other()); other() }}
                impl Node {{ fn used(&self, node: Gc<Node>) -> i64 {{ let holder = h(node); g(holder); known(node, holder) }} }}
                "
            )
            .replace("TEXT", text),
            expect,
        );
    };
    both(
        "node.used(node); stack[0].get()",
        expect!["f: reads(GcArray<Cell<i64>,OnStack>[]) writes()"],
    );
    both(
        "stack[1].set(node.items[0]); 0",
        expect!["f: reads() writes(GcArray<Cell<i64>,OnStack>[])"],
    );
}

#[test]
fn instances_are_apart() {
    const PAIR: &str = "
        #[gc] struct Box1<T> { held: Cell<T>, seen: Cell<i64> }
        impl<T: Copy> Box1<T> {
            fn take(&self) -> T { self.seen.set(1); self.held.get() }
        }
        fn use_both(a: Gc<Box1<i64>>, b: Gc<Box1<bool>>) -> i64 {
            if b.take() { a.take() } else { a.seen.get() + b.seen.get() }
        }
        fn make(node: Gc<Node>) -> i64 {
            let a = Gc::new(Box1 { held: Cell::new(1), seen: Cell::new(0) });
            let b = Gc::new(Box1 { held: Cell::new(true), seen: Cell::new(0) });
            use_both(a, b) + opened(a)
        }
        #[opaque] fn opened(a: Gc<Box1<i64>>) -> i64 { a.take() }
    ";
    typed_body(
        "node.tag",
        &format!("{PAIR} impl Other {{ fn used(&self, node: Gc<Node>) -> i64 {{ make(node) }} }}"),
        expect!["f: reads() writes()"],
    );
    check(
        &format!("{PAIR} fn f(node: Gc<Node>, stack: Stack) -> i64 {{ make(node) }}"),
        expect!["opened: reads(Box1<i64>.held) writes(Box1<i64>.seen)"],
    );
}

#[test]
fn the_library_is_typed() {
    let f = "
        fn f(node: Gc<Node>, stack: Stack) -> i64 {
            let list: Gc<List<i64>> = List::new();
            let map: Gc<Map<i64, i64>> = Map::new();
            list.push(1);
            map.insert(1, 2);
            list.at(0) + look(map) + map.len() as i64
        }
        #[opaque] fn look(map: Gc<Map<i64, i64>>) -> i64 { map.get(3).unwrap_or(0) }
    ";
    check(
        f,
        expect![[r#"
            look: reads(verdigris::library::map::Map<i64, i64>.used, verdigris::library::map::Map<i64, i64>.keys, verdigris::library::map::Map<i64, i64>.values, verdigris::library::map::Map<i64, i64>.numbers, verdigris::library::map::Map<i64, i64>.index, GcArray<Slot<i64>,verdigris::library::map::MapKeys>[], GcArray<Slot<i64>,verdigris::library::map::MapValues>[], GcArray<Cell<usize>,verdigris::library::map::MapNumbers>[], GcArray<Cell<u32>,verdigris::library::map::MapIndex>[]) writes()
            verdigris::library::list::fail_index: reads() writes()
            verdigris::library::list::List::<i64>::reserve: reads(verdigris::library::list::List<i64>.len, verdigris::library::list::List<i64>.items, GcArray<Slot<i64>,verdigris::library::list::ListItems>[]) writes(verdigris::library::list::List<i64>.items)
            verdigris::library::map::Map::<i64, i64>::find: i64>>::__vd_fn_find reads(verdigris::library::map::Map<i64, i64>.used, verdigris::library::map::Map<i64, i64>.keys, verdigris::library::map::Map<i64, i64>.numbers, verdigris::library::map::Map<i64, i64>.index, GcArray<Slot<i64>,verdigris::library::map::MapKeys>[], GcArray<Cell<usize>,verdigris::library::map::MapNumbers>[], GcArray<Cell<u32>,verdigris::library::map::MapIndex>[]) writes()
            verdigris::library::map::Map::<i64, i64>::relink: i64>>::__vd_fn_relink reads(verdigris::library::map::Map<i64, i64>.keys, verdigris::library::map::Map<i64, i64>.index, GcArray<Slot<i64>,verdigris::library::map::MapKeys>[], GcArray<Cell<u32>,verdigris::library::map::MapIndex>[]) writes(GcArray<Cell<u32>,verdigris::library::map::MapIndex>[])
            verdigris::library::map::Map::<i64, i64>::link: i64>>::__vd_fn_link reads(verdigris::library::map::Map<i64, i64>.keys, verdigris::library::map::Map<i64, i64>.index, GcArray<Slot<i64>,verdigris::library::map::MapKeys>[], GcArray<Cell<u32>,verdigris::library::map::MapIndex>[]) writes(GcArray<Cell<u32>,verdigris::library::map::MapIndex>[])
            verdigris::library::map::Map::<i64, i64>::rebuild: i64>>::__vd_fn_rebuild reads(verdigris::library::map::Map<i64, i64>.live, verdigris::library::map::Map<i64, i64>.used, verdigris::library::map::Map<i64, i64>.keys, verdigris::library::map::Map<i64, i64>.values, verdigris::library::map::Map<i64, i64>.numbers, GcArray<Slot<i64>,verdigris::library::map::MapKeys>[], GcArray<Slot<i64>,verdigris::library::map::MapValues>[], GcArray<Cell<usize>,verdigris::library::map::MapNumbers>[], GcArray<Cell<u32>,verdigris::library::map::MapIndex>[]) writes(verdigris::library::map::Map<i64, i64>.used, verdigris::library::map::Map<i64, i64>.first, verdigris::library::map::Map<i64, i64>.keys, verdigris::library::map::Map<i64, i64>.values, verdigris::library::map::Map<i64, i64>.numbers, verdigris::library::map::Map<i64, i64>.index, GcArray<Cell<u32>,verdigris::library::map::MapIndex>[])"#]],
    );
}

#[test]
fn operators_and_conversions_are_calls() {
    const MONEY: &str = "
        #[derive(Clone, Copy)] struct Money { node: Gc<Node>, cents: i64 }
        impl std::ops::Add for Money {
            type Output = Money;
            fn add(self, other: Money) -> Money { self.node.next.set(None); Money { cents: self.cents + other.cents, ..self } }
        }
        impl PartialEq for Money { fn eq(&self, other: &Money) -> bool { self.node.value.get() == other.node.value.get() } }
        impl From<Money> for i64 { fn from(money: Money) -> i64 { money.node.value.replace(1) } }
    ";
    typed_body(
        "let m = Money { node, cents: 1 }; (m + m).cents",
        MONEY,
        expect!["f: reads() writes(Node.next)"],
    );
    typed_body(
        "let m = Money { node, cents: 1 }; (m == m) as i64",
        MONEY,
        expect!["f: reads(Node.value) writes()"],
    );
    typed_body(
        "let m = Money { node, cents: 1 }; i64::from(m)",
        MONEY,
        expect!["f: reads(Node.value) writes(Node.value)"],
    );
    typed_body(
        "let m = Money { node, cents: 1 }; m.cents",
        MONEY,
        expect!["f: reads() writes()"],
    );
}

/// A struct is complained about once, for the function that names it first; the others have nothing
/// of it either.
#[test]
fn values_that_are_dropped_are_not_in_the_subset() {
    const GUARD: &str = "
        struct Guard { node: Gc<Node> }
        impl Drop for Guard { fn drop(&mut self) { self.node.next.set(None); } }
        struct Around { guard: Guard, n: i64 }
        fn around(node: Gc<Node>) -> Around { Around { guard: Guard { node }, n: 3 } }
        fn first(node: Gc<Node>) -> i64 { let a = around(node); a.n }
        fn second(node: Gc<Node>) -> i64 { let a = around(node); a.n }
    ";
    typed_body(
        "let g = Guard { node }; 0",
        GUARD,
        expect!["f: reads() writes(Node.next)"],
    );
    typed_body(
        "first(node)",
        GUARD,
        expect!["f: reads() writes(Node.next)"],
    );
    typed_body(
        "first(node) + second(node)",
        GUARD,
        expect!["f: reads() writes(Node.next)"],
    );
    check(
        &format!(
            "#[opaque] fn f(node: Gc<Node>, _: Stack) -> i64 {{ g(node) }}
            fn g(node: Gc<Node>) -> i64 {{ first(node); 1 }}
            {GUARD}"
        ),
        expect!["f: reads() writes(Node.next)"],
    );
}

#[test]
fn what_a_message_shows_is_called_unseen() {
    const SHOWN: &str = "
        #[derive(Clone, Copy)] pub struct Shown { pub n: i64 }
        impl std::fmt::Display for Shown {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { NODE.with(|n| n.value.set(1)); Ok(()) }
        }
        thread_local! { static NODE: Root<Gc<Node>> = Root::new(todo!()); }
    ";
    typed_body(
        "if node.tag == 0 { panic!(\"{}\", Shown { n: 1 }) } 0",
        SHOWN,
        expect!["f: reads() writes(Node.value, Other.value)"],
    );
    typed_body(
        "if node.tag == 0 { panic!(\"{} {:?}\", node.tag, true) } 0",
        SHOWN,
        expect!["f: reads() writes()"],
    );
}

/// What has been found wrong for one function is not complained about again: nothing of it may be
/// missed.
#[test]
fn mistakes_that_are_known_stay_mistakes() {
    const BAD: &str = "
        async fn bad() -> i64 { 1 }
        const WRONG: i64 = { let v: [String; 0] = []; v.len() as i64 };
        fn text(node: Gc<Node>) -> String { node.next.set(None); String::new() }
        fn one(node: Gc<Node>) -> i64 { let _ = bad(); 1 }
        fn two(node: Gc<Node>) -> i64 { let _ = bad(); node.value.get() }
        fn three(node: Gc<Node>) -> i64 { WRONG + text(node).len() as i64 }
        fn four(node: Gc<Node>) -> i64 { let t = text(node); WRONG }
    ";
    typed_body(
        "one(node) + two(node)",
        BAD,
        expect!["f: // an `async` function in `bad`"],
    );
    typed_body(
        "three(node) + four(node)",
        BAD,
        expect!["f: reads() writes(Node.next)"],
    );
}

#[test]
fn both_arms_count_whatever_traced_code_knows() {
    typed_body(
        "if we_are_jitted() { node.value.get() } else { node.next.set(None); 1 }",
        "",
        expect!["f: reads(Node.value) writes(Node.next)"],
    );
    typed_body(
        "if is_constant(node) { 1 } else { node.value.set(3); 2 }",
        "",
        expect!["f: reads() writes(Node.value)"],
    );
}

#[test]
fn pointers_to_functions_are_not_followed() {
    typed_body(
        "pick(node)(node)",
        "fn pick(node: Gc<Node>) -> fn(Gc<Node>) -> i64 { reset } fn reset(node: Gc<Node>) -> i64 { node.value.replace(0) }",
        expect!["f: // a call of a computed value"],
    );
    check(
        "fn f(node: Gc<Node>, stack: Stack) -> i64 { apply(node, reset) + g(node) }
        #[opaque] fn g(node: Gc<Node>) -> i64 { apply(node, clear) }
        fn apply(node: Gc<Node>, g: fn(Gc<Node>) -> i64) -> i64 { g(node) }
        fn reset(node: Gc<Node>) -> i64 { node.value.replace(0) }
        fn clear(node: Gc<Node>) -> i64 { node.next.set(None); 1 }",
        expect!["g: // a call of the variable `g` in `apply`"],
    );
}

#[test]
fn closures_of_the_subset_are_typed() {
    typed_body(
        "node.next.get().map(|n| n.value.get()).unwrap_or(0)",
        "",
        expect!["f: reads(Node.next, Node.value) writes()"],
    );
    typed_body(
        "let g = |x: i64| { node.value.set(x); x }; g(1) + g(2)",
        "",
        expect!["f: reads() writes(Node.value)"],
    );
}

#[test]
fn trait_methods_are_those_of_the_type() {
    const VISIT: &str = "
        trait Visit { fn visit(&self) -> i64 { self.go() } fn go(&self) -> i64; }
        impl Visit for Node { fn go(&self) -> i64 { self.value.get() } }
        impl Visit for Other { fn go(&self) -> i64 { self.count.replace(1) } }
        fn go<T: Visit>(x: Gc<T>) -> i64 { x.visit() }
    ";
    typed_body("go(node)", VISIT, expect!["f: reads(Node.value) writes()"]);
    body(
        "go(node)",
        VISIT,
        expect!["f: reads(Node.value, Other.count) writes(Other.count)"],
    );
}

#[test]
fn opaque_callees_are_typed_too_and_elidable_ones_do_nothing() {
    typed_body(
        "pure(node) + other(node)",
        "#[elidable] fn pure(node: Gc<Node>) -> i64 { node.value.get() } #[opaque] fn other(node: Gc<Node>) -> i64 { node.next.set(None); 1 }",
        expect!["f: reads() writes(Node.next)"],
    );
    typed_body(
        "run(node, Gc::new(Other { value: Cell::new(0), count: Cell::new(0) }), stack)",
        "",
        expect!["f: // the interpreter itself in `run`"],
    );
}

#[test]
fn a_value_of_several_words_is_read_as_a_whole() {
    let f = "
        #[value] #[derive(Clone, Copy)] enum Value { Int(i64), Node(Gc<Node>) }
        pub struct Cells;
        #[gc] struct Holder { held: Cell<Value>, all: GcArray<Cell<Value>, Cells> }
        #[opaque] fn put(holder: Gc<Holder>, n: i64) { holder.all[0].set(holder.held.get()) }
        fn f(node: Gc<Node>, stack: Stack) -> i64 {
            let holder = Gc::new(Holder { held: Cell::new(Value::Node(node)), all: GcArray::new(3, Value::Int(1)) });
            put(holder, 1);
            match holder.all[1].get() { Value::Int(n) => n, Value::Node(_) => 0 }
        }
    ";
    check(
        f,
        expect![
            "put: reads(Holder.held#0, Holder.held#1) writes(GcArray<Cell<Value>,Cells>[], GcArray<Cell<Value>,Cells>#1[])"
        ],
    );
}

/// Signatures say whose fields some variables have, although the body is not in the subset.
#[test]
fn variables_with_structs_name_their_own_fields() {
    body(
        "node.value.get()",
        "",
        expect!["f: reads(Node.value) writes()"],
    );
    // Another variable of that name.
    body(
        "if let Some(node) = std::hint::black_box(None::<Gc<Other>>) { node.value.set(1) } 0",
        "",
        expect!["f: reads() writes(Node.value, Other.value)"],
    );
    body(
        "let g = |node: Gc<Other>| node.value.get(); 0",
        "",
        expect!["f: reads(Node.value, Other.value) writes()"],
    );
    body(
        "matches!(std::hint::black_box(None::<Gc<Other>>), Some(node) if node.value.get() == 0) as i64",
        "",
        expect!["f: reads(Node.value, Other.value) writes()"],
    );
    body(
        "help(Gc::new(Wrapper { value: 3, inner: node }))",
        WRAPPER,
        expect!["f: reads() writes()"],
    );
    body(
        "hidden::help(Gc::new(hidden::make(node)))",
        WRAPPER,
        expect!["f: reads(Node.value, Other.value) writes()"],
    );
    body(
        "generic(other())",
        WRAPPER,
        expect!["f: reads(Node.value, Other.value) writes()"],
    );
    body(
        "node.items.as_slice().len() as i64 + node.items[1]",
        "",
        expect!["f: reads() writes()"],
    );
    body(
        "help_array(&Wrapped(stack))",
        WRAPPER,
        expect!["f: reads(GcArray<Cell<i64>,OnStack>[]) writes(GcArray<Cell<i64>,OnStack>[])"],
    );
}

const WRAPPER: &str = "
    #[gc] pub struct Wrapper { value: i64, inner: Gc<Node> }
    fn help(w: Gc<Wrapper>) -> i64 { std::hint::black_box(w.value) }
    fn other() -> Gc<Other> { loop {} }
    fn generic<Node: Valued>(node: Gc<Node>) -> i64 { std::hint::black_box(0); node.value.get() }
    struct Wrapped(Stack);
    impl std::ops::Deref for Wrapped { type Target = Stack; fn deref(&self) -> &Stack { &self.0 } }
    fn help_array(x: &Wrapped) -> i64 { x.as_slice().len() as i64 }
    trait Valued {}
    mod hidden {
        use super::*;
        #[gc] pub struct Secret { inner: Gc<Node> }
        mod within { use super::*; }
        impl std::ops::Deref for Secret { type Target = Node; fn deref(&self) -> &Node { &self.inner } }
        pub fn make(node: Gc<Node>) -> Secret { loop {} }
        pub fn help(s: Gc<Secret>) -> i64 { std::hint::black_box(0); s.value.get() }
    }
";

/// A field that its module keeps to itself is not named elsewhere.
#[test]
fn private_fields_are_named_in_their_modules() {
    const INSIDE: &str = "mod inside {
        use super::*;
        #[gc] pub struct Safe { value: Cell<i64>, pub count: Cell<i64> }
        impl Safe { #[opaque] pub fn open(&self) -> i64 { std::hint::black_box(self.value.get()) } }
        pub fn make() -> Gc<Safe> { Gc::new(Safe { value: Cell::new(1), count: Cell::new(2) }) }
        pub fn peek() -> i64 { std::hint::black_box(super::pick()).value.get() }
    }
    fn pick() -> Gc<inside::Safe> { loop {} }
    fn used() -> i64 { let safe = inside::make(); safe.open() + safe.count.get() }
    impl Other { fn all(&self) -> i64 { used() } }
    fn any<T>() -> Gc<T> { loop {} }";
    let known = "fn f(node: Gc<Node>, stack: Stack) -> i64 { used() + g() }";
    let show = |text: &str, expect| {
        check(
            &format!("{known} #[opaque] fn g() -> i64 {{ {text} }} {INSIDE}"),
            expect,
        );
    };
    show(
        "std::hint::black_box(any::<Other>()).value.get()",
        expect![[r#"
            g: reads(Node.value, Other.value) writes()
            inside::Safe::open: reads(inside::Safe.value) writes()"#]],
    );
    show(
        "std::hint::black_box(any::<Other>()).count.get()",
        expect![[r#"
            g: reads(Other.count, inside::Safe.count) writes()
            inside::Safe::open: reads(inside::Safe.value) writes()"#]],
    );
    show(
        "inside::peek()",
        expect![[r#"
        g: reads(Node.value, Other.value, inside::Safe.value) writes()
        inside::Safe::open: reads(inside::Safe.value) writes()"#]],
    );
    show(
        "inside::make().open()",
        expect![[r#"
        g: reads(inside::Safe.value) writes()
        inside::Safe::open: reads(inside::Safe.value) writes()"#]],
    );
}

/// Traced code leaves out what only debug builds and tests do; native code does it, and what traced
/// code calls is native code.
#[test]
fn what_traced_code_leaves_out_counts() {
    const CALLED: &str = "
        fn here(node: Gc<Node>) -> i64 { if we_are_jitted() { node.value.get() } else { node.next.set(None); 1 } }
        fn checked(node: Gc<Node>) -> i64 { debug_assert!(node.value.replace(1) == 1, \"no\"); 2 }
        fn built(node: Gc<Node>) -> i64 { #[cfg(debug_assertions)] node.next.set(None); 1 }
    ";
    let both = |text: &str, expect| {
        let f = format!(
            "fn f(node: Gc<Node>, _: Stack) -> i64 {{ g(node) + {text} }}
            #[opaque] fn g(node: Gc<Node>) -> i64 {{ {text} }} {CALLED}"
        );
        check(&f, expect);
    };
    both(
        "here(node)",
        expect!["g: reads(Node.value) writes(Node.next)"],
    );
    both(
        "checked(node)",
        expect!["g: reads(Node.value) writes(Node.value)"],
    );
    both("built(node)", expect!["g: reads() writes(Node.next)"]);
}

#[test]
fn the_author_can_say_it() {
    let f = |attribute: &str, text: &str, expect| {
        let f = format!(
            "#[opaque({attribute})] fn f(node: Gc<Node>, stack: Stack) -> i64 {{ {text} }}"
        );
        check(&f, expect);
    };
    f(
        "reads(Node.value, Stack[]), writes()",
        "unsafe {} node.next.set(None); 1",
        expect!["f: reads(Node.value, GcArray<Cell<i64>,OnStack>[]) writes()"],
    );
    f(
        "reads(), writes(Other.*)",
        "unsafe {} 1",
        expect!["f: reads() writes(Other.value, Other.count)"],
    );
    // What is left out is read off the source.
    f(
        "reads(Other.count)",
        "node.next.set(None); node.value.get()",
        expect!["f: reads(Other.count) writes(Node.next)"],
    );
    f(
        "writes()",
        "node.next.set(None); node.value.get()",
        expect!["f: reads(Node.value) writes()"],
    );
    f(
        "writes(Node.next)",
        "unsafe {} 1",
        expect!["f: reads(*) writes(Node.next)"],
    );
    // A word for a class that traced code does not know.
    f(
        "reads(Node.value), writes()",
        "1",
        expect!["f: reads(Node.value) writes()"],
    );
}

#[test]
fn what_is_said_counts_for_whoever_calls_it() {
    typed_body(
        "g(node)",
        "#[opaque(reads(Node.value), writes())] fn g(node: Gc<Node>) -> i64 { unsafe {} node.next.set(None); 1 }",
        expect!["f: reads(Node.value) writes()"],
    );
    typed_body(
        "g(node)",
        "#[opaque(reads(Hidden.x), writes(Hidden.*))] fn g(node: Gc<Node>) -> i64 { unsafe {} 1 }
        #[gc] struct Hidden { x: Cell<i64> }",
        expect!["f: reads() writes()"],
    );
}

#[test]
fn instances_say_it_of_their_own_classes() {
    let f = "
        #[gc] struct Pair<T> { first: Cell<T>, second: Cell<T> }
        impl<T: Copy> Pair<T> {
            #[opaque(reads(Pair<T>.first, Self.second), writes())] fn both(&self) -> i64 { unsafe {} 1 }
        }
        #[readonly(reads(Pair<i64>.first))] fn look(node: Gc<Node>) -> i64 { unsafe {} 1 }
        fn f(node: Gc<Node>, stack: Stack) -> i64 {
            let a = Gc::new(Pair { first: Cell::new(1), second: Cell::new(2) });
            let b = Gc::new(Pair { first: Cell::new(true), second: Cell::new(false) });
            a.both() + b.both() + look(node) + a.second.get() + b.first.get() as i64
        }
    ";
    check(
        f,
        expect![[r#"
        Pair::<bool>::both: reads(Pair<bool>.first, Pair<bool>.second) writes()
        look: reads(Pair<i64>.first) writes()
        Pair::<i64>::both: reads(Pair<i64>.first, Pair<i64>.second) writes()"#]],
    );
}
