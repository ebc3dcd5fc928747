//! What a user's crate makes of the heap: classes and objects without a word of unsafe code, and
//! their descriptors.

use expect_test::{Expect, expect};
use user::*;
use verdigris_heap::Stress;
use verdigris_heap::*;

#[forbid(unsafe_code)]
mod user {
    use verdigris_heap::{Cell, Gc, GcArray, gc_class, gc_object};

    pub struct IntObj {
        pub value: i64,
    }
    gc_class! { IntObj { value: i64 } }

    pub struct PairObj {
        pub first: Cell<Obj>,
        pub flag: bool,
        pub rest: Option<Gc<PairObj>>,
        pub small: Cell<i16>,
        pub number: f64,
        pub letter: char,
    }
    gc_class! { PairObj {
        first: Cell<Obj>, flag: bool, rest: Option<Gc<PairObj>>, small: Cell<i16>, number: f64, letter: char,
    } }

    pub struct NilObj;
    gc_class! { NilObj {} }

    pub struct Tuple(pub i64, pub Cell<Option<Obj>>);
    gc_class! { Tuple { 0: i64, 1: Cell<Option<Obj>> } }

    #[derive(Clone, Copy)]
    pub enum ObjKind {
        Int(Gc<IntObj>),
        Pair(Gc<PairObj>),
        Nil(Gc<NilObj>),
    }
    gc_object! {
        /// An object of the language.
        pub Obj, ObjKind { Int(IntObj), Pair(PairObj), Nil(NilObj) }
    }

    pub struct OnStack;
    pub type Stack = GcArray<Cell<Obj>, OnStack>;

    pub fn sum(obj: Obj) -> i64 {
        match obj.kind() {
            ObjKind::Int(i) => i.value,
            ObjKind::Pair(p) => sum(p.first.get()) + p.rest.map_or(0, |r| sum(Obj::from(r))),
            ObjKind::Nil(_) => 0,
        }
    }
}

fn within<R>(stress: Stress, f: impl FnOnce() -> R) -> R {
    let mut ctx = Context::new(HeapOptions {
        stress,
        ..HeapOptions::default()
    });
    // SAFETY: the context lives until the end of this function.
    unsafe { Context::enter(&mut *ctx, f) }
}

fn int(value: i64) -> Obj {
    Obj::from(Gc::new(IntObj { value }))
}

fn check_class(descr: &ClassDescr, expect: Expect) {
    let mut text = format!("{} {}", descr.name, descr.size);
    let kind = |kind: WordKind, immutable: bool| {
        format!(
            "{}{}{}{}",
            if immutable { "" } else { "cell " },
            kind.ty,
            kind.size,
            if kind.signed { "s" } else { "" }
        )
    };
    for f in descr.fields {
        text += &format!("\n  {} {}", f.name, kind(f.kinds[0], f.immutable));
    }
    if let Some(item) = descr.item {
        text += &format!(" of {}", kind(item.kinds[0], item.immutable));
    }
    text.push('\n');
    expect.assert_eq(&text);
}

#[test]
fn descriptors_say_what_the_structs_say() {
    check_class(
        PairObj::descr(),
        expect![[r#"
            PairObj 40
              first cell ref8
              flag int1
              rest ref8
              small cell int2s
              number float8
              letter int4
        "#]],
    );
    check_class(
        NilObj::descr(),
        expect![[r#"
        NilObj 8
    "#]],
    );
    check_class(
        Tuple::descr(),
        expect![[r#"
        Tuple 24
          0 int8s
          1 cell ref8
    "#]],
    );
    check_class(
        array_class::<u8, ()>(),
        expect![[r#"
        GcArray 16 of int1
    "#]],
    );
    check_class(
        array_class::<Cell<Obj>, OnStack>(),
        expect![[r#"
        GcArray 16 of cell ref8
    "#]],
    );
    check_class(
        array_class::<Cell<i32>, ()>(),
        expect![[r#"
        GcArray 16 of cell int4s
    "#]],
    );
}

#[test]
fn offsets_are_those_of_the_boxed_struct() {
    within(Stress::Off, || {
        let nil = Obj::from(Gc::new(NilObj));
        let pair = Gc::new(PairObj {
            first: Cell::new(nil),
            flag: true,
            rest: None,
            small: Cell::new(-2),
            number: 0.5,
            letter: 'x',
        });
        let start = pair.to_word() as usize;
        let offset = |name: &str| {
            let field = PairObj::descr().fields.iter().find(|f| f.name == name);
            field.unwrap().offset as usize
        };
        assert_eq!(&raw const pair.first as usize - start, offset("first"));
        assert_eq!(&raw const pair.flag as usize - start, offset("flag"));
        assert_eq!(&raw const pair.rest as usize - start, offset("rest"));
        assert_eq!(&raw const pair.small as usize - start, offset("small"));
        assert_eq!(&raw const pair.number as usize - start, offset("number"));
        assert_eq!(&raw const pair.letter as usize - start, offset("letter"));
        assert_eq!(
            (pair.flag, pair.small.get(), pair.number, pair.letter),
            (true, -2, 0.5, 'x')
        );
        assert_eq!(pair.small.replace(9), -2);
        assert_eq!(pair.small.get(), 9);
    });
}

#[test]
fn kinds_follow_the_class() {
    for stress in Stress::KINDS {
        within(stress, || {
            let mut list: Option<Gc<PairObj>> = None;
            for i in 0..50 {
                let first = Cell::new(int(i));
                list = Some(Gc::new(PairObj {
                    first,
                    flag: false,
                    rest: list,
                    small: Cell::new(0),
                    number: 0.0,
                    letter: ' ',
                }));
            }
            assert_eq!(sum(Obj::from(list.unwrap())), 49 * 50 / 2);
            let nil = Obj::from(Gc::new(NilObj));
            assert!(matches!(nil.kind(), ObjKind::Nil(_)));
            assert!(Obj::ptr_eq(nil, nil));
            assert!(!Obj::ptr_eq(nil, int(1)));
        });
    }
}

#[test]
fn arrays_hold_what_they_are_given() {
    for stress in Stress::KINDS {
        within(stress, || {
            let bytes: GcArray<u8> = GcArray::from_slice(&[1, 2, 255]);
            assert_eq!((bytes.len(), bytes[0], bytes[2]), (3, 1, 255));
            assert_eq!(bytes.as_slice(), [1, 2, 255]);
            let cells: GcArray<Cell<i32>> = GcArray::new(100, -7);
            cells[99].set(5);
            assert_eq!((cells[98].get(), cells[99].get()), (-7, 5));
            let floats: GcArray<f64> = GcArray::new(4, 1.5);
            assert_eq!(floats.as_slice(), [1.5; 4]);
            let stack: Stack = GcArray::new(10_000, int(3));
            stack[5000].set(int(4));
            assert_eq!(sum(stack[5000].get()) + sum(stack[9999].get()), 7);
            let twice: GcArray<u8> = GcArray::concat(&[bytes.as_slice(), &[], bytes.as_slice()]);
            assert_eq!(twice.as_slice(), [1, 2, 255, 1, 2, 255]);
            assert_eq!(GcArray::<i64>::concat(&[]).len(), 0);
            let empty: GcArray<i64> = GcArray::from_slice(&[]);
            assert_eq!((empty.len(), bytes.len()), (0, 3));
            let units: GcArray<()> = GcArray::new(1000, ());
            assert_eq!(units.len(), 1000);
            assert!(GcArray::ptr_eq(bytes, bytes) && bytes == bytes);
            assert_ne!(GcArray::<u8>::from_slice(&[]), GcArray::from_slice(&[]));
        });
    }
}

#[test]
#[should_panic(expected = "index out of bounds: the len is 3 but the index is 3")]
fn indices_are_checked() {
    within(Stress::Off, || {
        let array: GcArray<i64> = GcArray::new(3, 0);
        std::hint::black_box(array[std::hint::black_box(3)]);
    });
}

#[test]
#[should_panic(expected = "no VM is entered on this thread")]
fn objects_need_a_vm() {
    Gc::new(NilObj);
}

#[test]
#[should_panic(expected = "capacity overflow")]
fn absurd_lengths_are_refused() {
    within(Stress::Off, || GcArray::<u8>::new(usize::MAX, 0).len());
}

#[test]
fn references_are_small() {
    assert_eq!(size_of::<Option<Obj>>(), 8);
    assert_eq!(size_of::<Option<Gc<NilObj>>>(), 8);
    assert_eq!(size_of::<Option<Stack>>(), 8);
    assert_eq!(<Option<Obj> as Word>::to_word(None), 0);
}
