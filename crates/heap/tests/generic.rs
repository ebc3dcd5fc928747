//! Classes with type parameters: their descriptors, objects that refer to each other, and a
//! collector that finds what they hold.

use expect_test::expect;
use verdigris_heap::Stress;
use verdigris_heap::*;

struct Node<T: Stored, U: Word> {
    small: u8,
    value: Cell<T>,
    fixed: U,
    next: Cell<Option<Gc<Node<T, U>>>>,
}
gc_class! { generic [T: Stored, U: Word] Node [T, U] {
    small: u8, value: Cell<T>, fixed: U, next: Cell<Option<Gc<Node<T, U>>>>,
} }

#[derive(Clone, Copy)]
struct Pair(f64, Option<Gc<Node<u8, u8>>>);
gc_value! { Pair, false { 0 => (Pair(a, b)) { a: f64, b: Option<Gc<Node<u8, u8>>> } } }

fn show<C: GcClass>() -> String {
    let descr = struct_class::<C>();
    let mut text = format!("{} {}\n", descr.name, descr.size);
    for field in descr.fields {
        let kinds: Vec<String> = field
            .kinds
            .iter()
            .map(|k| format!("{}{}", k.ty, k.size))
            .collect();
        text += &format!("{} {} {}\n", field.offset, field.name, kinds.join(" "));
    }
    text
}

#[test]
fn each_instance_has_its_own_layout() {
    expect![[r#"
        Node 24
        18 small int1
        19 value int1
        16 fixed int2
        8 next ref8
        Node 48
        40 small int1
        8 value float8 ref8
        24 fixed ref8
        32 next ref8
    "#]]
    .assert_eq(&(show::<Node<u8, u16>>() + &show::<Node<Pair, Option<Gc<Node<u8, u8>>>>>()));
}

#[test]
fn objects_of_instances_live() {
    let options = HeapOptions {
        stress: Stress::All,
        ..HeapOptions::default()
    };
    with_heap(options, || {
        let mut list: Option<Gc<Node<Pair, i64>>> = None;
        for n in 0..20 {
            let inner = Gc::new(Node {
                small: n,
                value: Cell::new(n),
                fixed: n,
                next: Cell::new(None),
            });
            list = Some(Gc::new(Node {
                small: 0,
                value: Cell::new(Pair(0.5, Some(inner))),
                fixed: n as i64,
                next: Cell::new(list),
            }));
        }
        let mut sum = 0;
        while let Some(node) = list {
            let inner = node.value.get().1.expect("an inner node");
            assert_eq!(inner.small as i64, node.fixed);
            sum += inner.value.get() as i64 + node.small as i64 + inner.fixed as i64;
            list = node.next.get();
        }
        assert_eq!(sum, 2 * 190);
    });
}
