//! Linking, and the execution of data operations and calls on raw words, against what native code
//! does with the same objects.

use expect_test::{Expect, expect};
use verdigris_heap::Stress;
use verdigris_heap::*;
use verdigris_ops::{
    ClassId, ClassInfo, ClassKind, DataOp, Descrs, Effects, FieldId, FieldInfo, FnId, FnInfo,
    FnKind, SlotLayout, Ty,
};

struct Point {
    x: Cell<i16>,
    y: f64,
    next: Cell<Option<Gc<Point>>>,
    flag: Cell<bool>,
    wide: Cell<u32>,
}
gc_class! { Point { x: Cell<i16>, y: f64, next: Cell<Option<Gc<Point>>>, flag: Cell<bool>, wide: Cell<u32> } }

type Bytes = GcArray<Cell<u8>>;
type Points = GcArray<Cell<Option<Gc<Point>>>>;
type Floats = GcArray<f64>;

fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn scale(point: Gc<Point>, by: f64) -> f64 {
    if by < 0.0 {
        panic!("negative: {by}");
    }
    point.y * by
}

fn nothing() {}

fn fail(code: i32) -> ! {
    std::panic::panic_any(code)
}

#[allow(clippy::too_many_arguments)]
fn ten(a: i8, b: u8, c: f64, d: bool, e: char, f: u64, g: f64, h: i32, i: f64, j: usize) -> f64 {
    a as f64
        + b as f64
        + c
        + d as u8 as f64
        + e as u32 as f64
        + f as f64
        + g
        + h as f64
        + i
        + j as f64
}

const POINT: u32 = 0;
const BYTES: u32 = 1;
const POINTS: u32 = 2;
const FLOATS: u32 = 3;

fn array(name: &str, item: Ty, immutable: bool) -> ClassInfo {
    ClassInfo {
        name: name.to_string(),
        kind: ClassKind::Array {
            item,
            layout: SlotLayout::default(),
            immutable,
            virtualizable: false,
        },
        size: 0,
        word: 0,
        has_registers: false,
    }
}

fn function(name: &str, params: &[Ty], ret: Option<Ty>) -> FnInfo {
    FnInfo {
        name: name.to_string(),
        params: params.to_vec(),
        ret: ret.into_iter().collect(),
        kind: FnKind::Opaque,
        effects: Effects::all(),
        target: 0,
        thunk: 0,
        invoke: 0,
    }
}

/// What the translator would produce for the items above.
fn unlinked() -> Descrs {
    use Ty::*;
    let mut descrs = Descrs::default();
    let point = descrs.classes.next_key();
    let fields = [
        ("x", Int, false),
        ("y", Float, true),
        ("next", Ref, false),
        ("flag", Int, false),
        ("wide", Int, false),
    ];
    let fields = fields.map(|(name, ty, immutable)| {
        descrs.fields.push(FieldInfo {
            class: point,
            name: name.to_string(),
            ty,
            immutable,
            quasi: false,
            virtualizable: false,
            layout: SlotLayout::default(),
        })
    });
    descrs.classes.push(ClassInfo {
        name: "shapes::Point".to_string(),
        kind: ClassKind::Struct {
            fields: fields.to_vec(),
        },
        size: 0,
        word: 0,
        has_registers: false,
    });
    descrs.classes.push(array("GcArray<Cell<u8>>", Int, false));
    descrs
        .classes
        .push(array("GcArray<Cell<Option<Gc<Point>>>>", Ref, false));
    descrs.classes.push(array("GcArray<f64>", Float, true));
    descrs.fns.push(function("add", &[Int, Int], Some(Int)));
    descrs
        .fns
        .push(function("shapes::scale", &[Ref, Float], Some(Float)));
    descrs.fns.push(function("nothing", &[], None));
    descrs.fns.push(function("fail", &[Int], None));
    let ten = [Int, Int, Float, Int, Int, Int, Float, Int, Float, Int];
    descrs.fns.push(function("ten", &ten, Some(Float)));
    descrs
}

const CLASSES: &[fn() -> &'static ClassDescr] = &[
    Point::descr,
    array_class::<Cell<u8>, ()>,
    array_class::<Cell<Option<Gc<Point>>>, ()>,
    array_class::<f64, ()>,
];

const FNS: &[fn() -> FnDescr] = &[
    || FnDescr::new("add", add as fn(i64, i64) -> i64),
    || FnDescr::new("scale", scale as fn(Gc<Point>, f64) -> f64),
    || FnDescr::new("nothing", nothing as fn()),
    || FnDescr::new("fail", fail as fn(i32) -> !),
    || FnDescr::new("ten", ten as fn(_, _, _, _, _, _, _, _, _, _) -> _),
];

fn linked() -> Descrs {
    let mut descrs = unlinked();
    link(&mut descrs, CLASSES, FNS).unwrap();
    descrs
}

/// A context, entered, with the linked descriptors.
fn within(stress: Stress, f: impl FnOnce(&mut Machine)) {
    let mut ctx = Context::new(HeapOptions {
        stress,
        limit: 8 << 20,
    });
    let ctx: *mut Context = &mut *ctx;
    let mut machine = Machine {
        ctx,
        descrs: linked(),
    };
    // SAFETY: the context lives until the end of this function.
    unsafe { Context::enter(ctx, || f(&mut machine)) }
}

struct Machine {
    ctx: *mut Context,
    descrs: Descrs,
}

impl Machine {
    fn try_data(&mut self, op: DataOp, args: &[u64], descr: u32) -> Result<u64, HeapExhausted> {
        // SAFETY: the context is entered and the table is linked; the tests pass what the
        // operations want.
        unsafe { exec_data(self.ctx, &self.descrs, op, args, descr) }
    }

    fn data(&mut self, op: DataOp, args: &[u64], descr: u32) -> u64 {
        self.try_data(op, args, descr).unwrap()
    }

    fn call(&mut self, name: &str, args: &[u64]) -> Result<u64, Panicked> {
        let info = &self.descrs.fns[self.descrs.fn_by_name(name).unwrap()];
        // SAFETY: as above.
        unsafe { exec_call(self.ctx, info, args) }
    }

    fn field(&self, name: &str) -> u32 {
        self.descrs
            .field_by_name(&format!("shapes::Point.{name}"))
            .unwrap()
            .as_u32()
    }
}

#[test]
fn fields_are_where_native_code_has_them() {
    use DataOp::*;
    for stress in Stress::KINDS {
        within(stress, |m| {
            let word = m.data(New, &[], POINT);
            let other = m.data(New, &[], POINT);
            let (x, y, next) = (m.field("x"), m.field("y"), m.field("next"));
            let (flag, wide) = (m.field("flag"), m.field("wide"));
            // SAFETY: the word is an object of that class.
            let point = unsafe { Gc::<Point>::from_word(word) };
            assert_eq!((point.x.get(), point.y, point.next.get()), (0, 0.0, None));
            m.data(SetFieldI, &[word, -5i64 as u64], x);
            m.data(SetFieldF, &[word, 2.5f64.to_bits()], y);
            m.data(SetFieldR, &[word, other], next);
            m.data(SetFieldI, &[word, 1], flag);
            m.data(SetFieldI, &[word, 0xFFFF_FFFF], wide);
            assert_eq!((point.x.get(), point.y), (-5, 2.5));
            assert_eq!((point.flag.get(), point.wide.get()), (true, u32::MAX));
            assert_eq!(point.next.get().unwrap().to_word(), other);
            assert_eq!(m.data(GetFieldI, &[word], x), -5i64 as u64);
            assert_eq!(m.data(GetFieldF, &[word], y), 2.5f64.to_bits());
            assert_eq!(m.data(GetFieldR, &[word], next), other);
            assert_eq!(m.data(GetFieldI, &[word], flag), 1);
            assert_eq!(m.data(GetFieldI, &[word], wide), 0xFFFF_FFFF);
            m.data(SetFieldI, &[word, 0x1_2345], x);
            assert_eq!((point.x.get(), point.wide.get()), (0x2345, u32::MAX));
        });
    }
}

#[test]
fn items_are_where_native_code_has_them() {
    use DataOp::*;
    for stress in Stress::KINDS {
        within(stress, |m| {
            let bytes = m.data(NewArray, &[5], BYTES);
            let filled = m.data(NewArray, &[4], BYTES);
            m.data(FillItemsI, &[filled, 0x1FF], BYTES);
            let point = m.data(New, &[], POINT);
            let points = m.data(NewArray, &[3000], POINTS);
            m.data(FillItemsR, &[points, point], POINTS);
            let floats = m.data(NewArray, &[3], FLOATS);
            m.data(FillItemsF, &[floats, 0.5f64.to_bits()], FLOATS);
            m.data(SetItemI, &[bytes, 4, 200], BYTES);
            m.data(SetItemR, &[points, 7, 0], POINTS);
            m.data(SetItemF, &[floats, 1, 1.5f64.to_bits()], FLOATS);
            // SAFETY: the words are arrays of these classes.
            let (b, fill, p, f) = unsafe {
                (
                    Bytes::from_word(bytes),
                    Bytes::from_word(filled),
                    Points::from_word(points),
                    Floats::from_word(floats),
                )
            };
            let values = |b: Bytes| b.as_slice().iter().map(Cell::get).collect::<Vec<_>>();
            assert_eq!(values(b), [0, 0, 0, 0, 200]);
            assert_eq!(values(fill), [255; 4]);
            assert_eq!(p.as_slice().iter().filter(|i| i.get().is_none()).count(), 1);
            assert_eq!(f.as_slice(), [0.5, 1.5, 0.5]);
            assert_eq!(m.data(ArrayLen, &[points], POINTS), 3000);
            assert_eq!(m.data(GetItemI, &[bytes, 4], BYTES), 200);
            assert_eq!(m.data(GetItemR, &[points, 6], POINTS), point);
            assert_eq!(m.data(GetItemR, &[points, 7], POINTS), 0);
            assert_eq!(m.data(GetItemF, &[floats, 1], FLOATS), 1.5f64.to_bits());
        });
    }
}

#[test]
fn every_operation_is_executed() {
    within(Stress::Off, |m| {
        for &op in DataOp::ALL.iter().filter(|op| op.is_pure()) {
            let args = vec![3; op.params().len()];
            assert_eq!(
                Some(m.data(op, &args, 0)),
                verdigris_ops::eval(op, &args),
                "{op}"
            );
        }
    });
}

#[test]
fn lengths_that_cannot_be_are_errors() {
    within(Stress::Off, |m| {
        for len in [1 << 20, 1 << 39, 1 << 40, u64::MAX, i64::MAX as u64] {
            assert_eq!(
                m.try_data(DataOp::NewArray, &[len], FLOATS),
                Err(HeapExhausted)
            );
            assert_eq!(
                m.try_data(DataOp::NewArray, &[len << 8], BYTES),
                Err(HeapExhausted)
            );
        }
        let array = m.data(DataOp::NewArray, &[3], FLOATS);
        assert_eq!(m.data(DataOp::ArrayLen, &[array], FLOATS), 3);
    });
}

#[test]
fn calls_give_results_and_keep_panics() {
    within(Stress::All, |m| {
        assert_eq!(m.call("add", &[2, -5i64 as u64]), Ok(-3i64 as u64));
        assert_eq!(m.call("nothing", &[]), Ok(0));
        let point = Gc::new(Point {
            x: Cell::new(0),
            y: 3.0,
            next: Cell::new(None),
            flag: Cell::new(false),
            wide: Cell::new(0),
        });
        let args = [point.to_word(), 0.5f64.to_bits()];
        assert_eq!(m.call("shapes::scale", &args), Ok(1.5f64.to_bits()));
        let args = [point.to_word(), (-1f64).to_bits()];
        assert_eq!(m.call("shapes::scale", &args), Err(Panicked));
        let ctx = m.ctx;
        let take = || {
            // SAFETY: the context is alive.
            let ctx = unsafe { &mut *ctx };
            assert_eq!(ctx.panicked, 1);
            let payload = ctx.take_payload().unwrap();
            assert_eq!(ctx.panicked, 0);
            assert!(ctx.take_payload().is_none());
            payload
        };
        assert_eq!(*take().downcast::<String>().unwrap(), "negative: -1");
        assert_eq!(m.call("fail", &[-7i64 as u64]), Err(Panicked));
        assert_eq!(*take().downcast::<i32>().unwrap(), -7);
        assert_eq!(Context::current(), m.ctx);
        assert_eq!(m.call("add", &[1, 1]), Ok(2));
    });
}

#[test]
fn thunks_take_registers_and_stack() {
    within(Stress::Off, |m| {
        let info = &m.descrs.fns[FnId::from_u32(4)];
        assert_eq!(info.name, "ten");
        type Thunk =
            unsafe extern "C" fn(usize, u64, u64, f64, u64, u64, u64, f64, u64, f64, u64) -> f64;
        // SAFETY: the type that the thunk of this signature has.
        let result = unsafe {
            let thunk: Thunk = std::mem::transmute(info.thunk);
            thunk(
                info.target,
                -1i64 as u64,
                2,
                0.5,
                1,
                'a' as u64,
                1000,
                0.25,
                -7i64 as u64,
                1e6,
                3,
            )
        };
        let expected = ten(-1, 2, 0.5, true, 'a', 1000, 0.25, -7, 1e6, 3);
        assert_eq!(result, expected);
        let args = [
            -1i64 as u64,
            2,
            0.5f64.to_bits(),
            1,
            'a' as u64,
            1000,
            0.25f64.to_bits(),
            -7i64 as u64,
            1e6f64.to_bits(),
            3,
        ];
        assert_eq!(m.call("ten", &args), Ok(expected.to_bits()));
        // SAFETY: the type of a thunk of `fn(i32) -> !`.
        unsafe {
            let info = &m.descrs.fns[FnId::from_u32(3)];
            let thunk: unsafe extern "C" fn(usize, u64) -> u64 = std::mem::transmute(info.thunk);
            assert_eq!(thunk(info.target, 5), 0);
            assert_eq!(
                *(*m.ctx).take_payload().unwrap().downcast::<i32>().unwrap(),
                5
            );
        }
    });
}

#[test]
fn exhaustion_in_a_call_is_a_panic_that_is_kept() {
    fn hog() -> i64 {
        GcArray::<i64>::new(100 << 20, 0)[5]
    }
    within(Stress::Off, |m| {
        let descr = FnDescr::new("hog", hog as fn() -> i64);
        let mut info = function("hog", &[], Some(Ty::Int));
        (info.target, info.thunk, info.invoke) = (descr.target, descr.thunk, descr.invoke);
        // SAFETY: linked by hand.
        unsafe {
            assert_eq!(exec_call(m.ctx, &info, &[]), Err(Panicked));
            assert!((*m.ctx).take_payload().unwrap().is::<HeapExhausted>());
        }
    });
}

#[test]
fn linking_fills_everything() {
    let descrs = linked();
    let mut text = String::new();
    for class in descrs.classes.values() {
        text += &format!("{} {}", class.name, class.size);
        match &class.kind {
            ClassKind::Struct { fields } => {
                let mut fields: Vec<&FieldInfo> =
                    fields.iter().map(|&f| &descrs.fields[f]).collect();
                fields.sort_by_key(|f| &f.name);
                for f in fields {
                    text += &format!(
                        " {}:{}{}",
                        f.name,
                        f.layout.size,
                        if f.layout.signed { "s" } else { "" }
                    );
                }
            }
            ClassKind::Array { layout, .. } => text += &format!(" of {}", layout.size),
        }
        text.push('\n');
    }
    expect![[r#"
        shapes::Point 32 flag:1 next:8 wide:4 x:2s y:8
        GcArray<Cell<u8>> 16 of 1
        GcArray<Cell<Option<Gc<Point>>>> 16 of 8
        GcArray<f64> 16 of 8
    "#]]
    .assert_eq(&text);
    assert_eq!(
        descrs.classes[ClassId::from_u32(POINT)].word,
        class_word(Point::descr())
    );
    assert_eq!(
        descrs.fields[FieldId::from_u32(1)].layout.offset,
        Point::descr().fields[1].offset
    );
    for info in descrs.fns.values() {
        assert!(
            info.target != 0 && info.thunk != 0 && info.invoke != 0,
            "{}",
            info.name
        );
    }
}

fn check_mismatch(change: impl FnOnce(&mut Descrs), expect: Expect) {
    let mut descrs = unlinked();
    change(&mut descrs);
    expect.assert_eq(&link(&mut descrs, CLASSES, FNS).unwrap_err().to_string());
}

#[test]
fn mismatches_are_found() {
    let point = ClassId::from_u32(POINT);
    check_mismatch(
        |d| d.classes[point].name = "Rect".to_string(),
        expect![
            "the translated interpreter does not match the compiled one: class `Rect` has become `Point`; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| d.fields[FieldId::from_u32(0)].name = "z".to_string(),
        expect![
            "the translated interpreter does not match the compiled one: field `shapes::Point.z` has become `x`; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| d.fields[FieldId::from_u32(0)].immutable = true,
        expect![
            "the translated interpreter does not match the compiled one: field `shapes::Point.x` was immutable int and is mutable int; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| d.fields[FieldId::from_u32(1)].ty = Ty::Int,
        expect![
            "the translated interpreter does not match the compiled one: field `shapes::Point.y` was immutable int and is immutable float; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| {
            if let ClassKind::Struct { fields } = &mut d.classes[point].kind {
                fields.pop();
            }
        },
        expect![
            "the translated interpreter does not match the compiled one: class `shapes::Point` had 4 fields and has 5; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| d.classes[ClassId::from_u32(FLOATS)] = array("GcArray<i64>", Ty::Int, true),
        expect![
            "the translated interpreter does not match the compiled one: an item of `GcArray<i64>` was immutable int and is immutable float; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| d.classes[point] = array("GcArray<i64>", Ty::Int, true),
        expect![
            "the translated interpreter does not match the compiled one: class `GcArray<i64>` has become the struct `Point`; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| d.classes[ClassId::from_u32(BYTES)].kind = ClassKind::Struct { fields: vec![] },
        expect![
            "the translated interpreter does not match the compiled one: class `GcArray<Cell<u8>>` has become `GcArray`; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| _ = d.fns.push(function("more", &[], None)),
        expect![
            "the translated interpreter does not match the compiled one: it has 4 classes and 6 functions instead of 4 and 5; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| d.fns[FnId::from_u32(0)].name = "sub".to_string(),
        expect![
            "the translated interpreter does not match the compiled one: function `sub` has become `add`; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| d.fns[FnId::from_u32(0)].params[1] = Ty::Ref,
        expect![
            "the translated interpreter does not match the compiled one: function `add` was (int, ref) -> int and is (int, int) -> int; rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
    check_mismatch(
        |d| d.fns[FnId::from_u32(2)].ret = vec![Ty::Int, Ty::Float],
        expect![
            "the translated interpreter does not match the compiled one: function `nothing` was () -> (int, float) and is (); rebuild the crate so that its build script runs again; if that does not help, a name in the source means another item to rustc than to the translator, which does not see what macros of other crates make"
        ],
    );
}
