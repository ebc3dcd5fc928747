//! Values of several words in heap objects. In: cells and arrays of enums and structs. Out: what
//! was stored, also after collections and through data operations on their components. Invariant:
//! references in values keep objects alive.

use verdigris_heap::Stress;
use verdigris_heap::*;
use verdigris_ops::{
    ClassId, ClassInfo, ClassKind, DataOp, Descrs, FieldId, FieldInfo, SlotLayout, Ty,
};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Nil,
    Int(i64),
    Small(i8, bool),
    Float(f64),
    Node(Gc<Node>),
    Both {
        left: Point,
        right: Option<Gc<Node>>,
    },
}
gc_value! { Value, true {
    0 => (Value::Nil) {}
    1 => (Value::Int(a)) { a: i64 }
    2 => (Value::Small(a, b)) { a: i8, b: bool }
    3 => (Value::Float(a)) { a: f64 }
    4 => (Value::Node(a)) { a: Gc<Node> }
    5 => (Value::Both { left: a, right: b }) { a: Point, b: Option<Gc<Node>> }
} }

#[derive(Clone, Copy, PartialEq, Debug)]
struct Point(f64, f64);
gc_value! { Point, false { 0 => (Point(a, b)) { a: f64, b: f64 } } }

#[derive(Debug)]
struct Node {
    before: u8,
    value: Cell<Value>,
    point: Cell<Point>,
    after: Cell<i32>,
}
gc_class! { Node { before: u8, value: Cell<Value>, point: Cell<Point>, after: Cell<i32> } }

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        std::ptr::eq(self, other)
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

fn node(value: Value) -> Gc<Node> {
    Gc::new(Node {
        before: 7,
        value: Cell::new(value),
        point: Cell::new(Point(0.0, -0.5)),
        after: Cell::new(-3),
    })
}

#[test]
fn components() {
    let types: Vec<Ty> = <Value as Parts>::KINDS.iter().map(|k| k.ty).collect();
    assert_eq!(types, [Ty::Int, Ty::Word, Ty::Word, Ty::Word]);
    assert_eq!(size_of::<Cell<Value>>(), 32);
    let words = |value: Value| {
        let mut words = [9; 4];
        value.store(&mut words);
        words
    };
    assert_eq!(words(Value::Nil)[0], 0);
    assert_eq!(words(Value::Small(-1, true))[..2], [2, 0x1FF]);
    let both = Value::Both {
        left: Point(1.0, 2.0),
        right: None,
    };
    let (one, two) = (1.0_f64.to_bits(), 2.0_f64.to_bits());
    assert_eq!(words(both), [5, one, two, 0]);
}

/// With stress, every allocation collects, and what is freed is overwritten.
#[test]
fn references_in_values_are_found() {
    for stress in Stress::KINDS {
        within(stress, || {
            let items: GcArray<Cell<Value>> = GcArray::new(2000, Value::Nil);
            for n in 0..2000 {
                let inner = node(Value::Int(n as i64));
                items[n].set(match n % 4 {
                    0 => Value::Node(inner),
                    1 => Value::Both {
                        left: Point(0.5, n as f64),
                        right: Some(inner),
                    },
                    2 => Value::Small(n as i8, true),
                    _ => Value::Float(n as f64),
                });
                if stress.is_on() && n > 200 {
                    break;
                }
            }
            let keep = node(Value::Node(node(Value::Node(node(Value::Int(42))))));
            for _ in 0..300 {
                node(Value::Nil);
            }
            let Value::Node(inner) = keep.value.get() else {
                panic!("{keep:?}")
            };
            let Value::Node(inner) = inner.value.get() else {
                panic!("{inner:?}")
            };
            assert_eq!(inner.value.get(), Value::Int(42));
            assert_eq!((inner.before, inner.after.get()), (7, -3));
            for n in 0..200 {
                let inner = match items[n].get() {
                    Value::Node(inner) => inner,
                    Value::Both { left, right } => {
                        assert_eq!(left, Point(0.5, n as f64));
                        right.expect("stored")
                    }
                    value => {
                        let small = Value::Small(n as i8, true);
                        assert!(value == small || value == Value::Float(n as f64));
                        continue;
                    }
                };
                assert_eq!(inner.value.get(), Value::Int(n as i64));
            }
        });
    }
}

#[test]
fn cells_of_values() {
    within(Stress::Off, || {
        let cell = Cell::new(Value::Nil);
        assert_eq!(cell.replace(Value::Float(0.25)), Value::Nil);
        cell.set(Value::Small(-5, false));
        assert_eq!(cell.get(), Value::Small(-5, false));
        let n = node(Value::Int(1));
        n.point.set(Point(3.0, 4.0));
        assert_eq!(n.point.get(), Point(3.0, 4.0));
        assert_eq!(n.value.get(), Value::Int(1));
    });
}

/// The classes as the translator makes them.
fn descrs() -> Descrs {
    let mut descrs = Descrs::default();
    let types = [Ty::Int, Ty::Word, Ty::Word, Ty::Word];
    let mut names: Vec<(String, Ty, bool)> = vec![("before".into(), Ty::Int, true)];
    names.extend(
        types
            .iter()
            .enumerate()
            .map(|(n, &ty)| (format!("value#{n}"), ty, false)),
    );
    names.extend((0..2).map(|n| (format!("point#{n}"), Ty::Float, false)));
    names.push(("after".into(), Ty::Int, false));
    let fields = names.into_iter().map(|(name, ty, immutable)| {
        descrs.fields.push(FieldInfo {
            class: ClassId::from_u32(0),
            name,
            ty,
            immutable,
            quasi: false,
            virtualizable: false,
            layout: SlotLayout::default(),
        })
    });
    let mut kinds = vec![ClassKind::Struct {
        fields: fields.collect(),
    }];
    kinds.extend(types.map(|item| ClassKind::Array {
        item,
        layout: SlotLayout::default(),
        immutable: false,
        virtualizable: false,
    }));
    for (n, kind) in kinds.into_iter().enumerate() {
        descrs.classes.push(ClassInfo {
            name: if n == 0 {
                "Node".into()
            } else {
                format!("GcArray#{n}")
            },
            kind,
            size: 0,
            word: 0,
            has_registers: false,
        });
    }
    type Item = Cell<Value>;
    let classes: [fn() -> &'static ClassDescr; 5] = [
        <Node as GcClass>::descr,
        array_class::<Item, ()>,
        array_part::<Item, (), 1>,
        array_part::<Item, (), 2>,
        array_part::<Item, (), 3>,
    ];
    link(&mut descrs, &classes, &[]).expect("links");
    descrs
}

#[test]
fn data_operations_see_the_components() {
    let descrs = descrs();
    let run = |op, args: &[u64], descr| {
        // SAFETY: the operands are those of the operation, and the descriptors are linked.
        unsafe { exec_data(Context::current(), &descrs, op, args, descr) }.expect("there is room")
    };
    within(Stress::Off, || {
        let n = node(Value::Small(-2, true));
        let object = n.to_word();
        let field = |n: u32| run(DataOp::GetFieldI, &[object], n);
        let word = |n: u32| run(DataOp::GetFieldW, &[object], n);
        assert_eq!([field(0), field(1)], [7, 2]);
        assert_eq!(word(2) & 0xFFFF, 0x1FE);
        run(DataOp::SetFieldI, &[object, 4], 1);
        run(DataOp::SetFieldW, &[object, object], 2);
        assert_eq!(n.value.get(), Value::Node(n));
        assert_eq!(run(DataOp::GetFieldF, &[object], 6), (-0.5_f64).to_bits());
        assert_eq!(run(DataOp::GetFieldI, &[object], 7), -3i64 as u64);

        // An array that compiled code makes is all `Nil`.
        let array = run(DataOp::NewArray, &[3], 1);
        run(DataOp::SetItemI, &[array, 1, 3], 1);
        run(DataOp::SetItemW, &[array, 1, 2.5_f64.to_bits()], 2);
        // SAFETY: the array has just been made with that class.
        let items = unsafe { GcArray::<Cell<Value>>::from_word(array) };
        let all = [0, 1, 2].map(|n| items[n].get());
        assert_eq!(all, [Value::Nil, Value::Float(2.5), Value::Nil]);
        items[2].set(Value::Node(n));
        assert_eq!(run(DataOp::GetItemW, &[array, 2], 2), object);
        assert_eq!(run(DataOp::ArrayLen, &[array], 1), 3);

        // One that is filled has the value everywhere.
        run(DataOp::FillItemsI, &[array, 1], 1);
        run(DataOp::FillItemsW, &[array, 9], 2);
        assert_eq!([0, 1, 2].map(|n| items[n].get()), [Value::Int(9); 3]);
    });
    let layout = descrs.fields[FieldId::from_u32(2)].layout;
    assert_eq!(layout.size, 8);
}

fn rotate(value: Value, by: i64, pair: (i64, f64)) -> (f64, Value, i64) {
    (pair.1, value, pair.0.wrapping_add(by))
}

fn nested(pair: (i64, Option<i64>)) -> Result<(), Value> {
    match pair.1 {
        None => Ok(()),
        Some(n) => Err(Value::Int(n + pair.0)),
    }
}

/// What is called with components gives components.
#[test]
fn calls_with_values() {
    use Ty::*;
    let mut context = Context::new(HeapOptions::default());
    let ctx: *mut Context = &mut *context;
    let rotate = FnDescr::new("rotate", rotate as fn(_, _, _) -> _);
    let nested = FnDescr::new("nested", nested as fn(_) -> _);
    assert_eq!(nested.params, [Int, Int, Int]);
    assert_eq!((rotate.thunk, nested.thunk), (0, 0), "passed in memory");
    let words = |descr: FnDescr, args: &[u64]| {
        let info = verdigris_ops::FnInfo {
            name: descr.name.to_owned(),
            params: descr.params.to_vec(),
            ret: descr.ret.to_vec(),
            kind: verdigris_ops::FnKind::Opaque,
            effects: verdigris_ops::Effects::all(),
            target: descr.target,
            thunk: descr.thunk,
            invoke: descr.invoke,
        };
        // SAFETY: the context is alive, and the arguments are components of the parameters.
        unsafe {
            Context::enter(ctx, || {
                let first = exec_call(ctx, &info, args).unwrap();
                (0..info.ret.len())
                    .map(|n| result_word(ctx, first, n))
                    .collect::<Vec<u64>>()
            })
        }
    };
    let mut given = [0; MAX_PARTS];
    let len = <Value as Parts>::KINDS.len();
    Value::Float(0.5).store(&mut given);
    let mut args = given[..len].to_vec();
    args.extend([5, 37, 1.5f64.to_bits()]);
    let mut want = vec![1.5f64.to_bits()];
    want.extend(&given[..len]);
    want.push(42);
    assert_eq!(words(rotate, &args), want);
    assert_eq!(words(nested, &[7, 0, 0])[0], 0);
    Value::Int(9).store(&mut given);
    assert_eq!(words(nested, &[7, 1, 2]), [&[1], &given[..len]].concat());
}
