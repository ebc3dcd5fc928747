//! The classes and functions of test traces. The static class descriptors, which the collector
//! reads, agree with the text, which the traces see.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verdigris_heap::{
    ClassDescr, FieldDescr, FieldRefs, FnDescr, ItemDescr, RefPlace, WordKind, class_word,
};
use verdigris_ops::{ClassKind, Descrs, SlotLayout, Ty};
use verdigris_trace::parse_descrs;

const TEXT: &str = "
    class Node { value: int, next: ref, weight: float }
    class Narrow { a: i8, b: u8, c: i16, d: u16, e: i32, f: u32, g: bool }
    class Wide {
        f0: int, f1: int, f2: int, f3: int, f4: int, f5: int, f6: int, f7: int,
        f8: int, f9: int, f10: int, f11: int, f12: int, f13: int, f14: int, last: ref
    }
    array Ints { int }
    array Refs { ref }
    array Floats { float }
    array Bytes { u8 }
    array Signed { i8 }
    array Shorts { i16 }
    array Halves { u32 }
    class Value { tag: int, word: word }
    array Words { word }
    fn add(int, int) -> int
    fn mix(int, float, ref, int, float) -> float
    fn many(int, int, int, int, int, int, int, float, int, int) -> int
    fn nothing()
    fn boom(int) -> int
    fn same(ref) -> ref
    fn record(int)
    fn collect()
    fn callback(int) -> int
    fn spread(int, ref) -> (float, ref, int)
    fn swap(int, float, int, int, float) -> (int, float)
    fn scale(float, float) -> float
";

type Kinds = &'static [WordKind];

const INT: Kinds = &[kind(Ty::Int, 8, true)];
const REF: Kinds = &[kind(Ty::Ref, 8, false)];
const FLOAT: Kinds = &[kind(Ty::Float, 8, false)];

const WORD: Kinds = &[kind(Ty::Word, 8, true)];

const fn kind(ty: Ty, size: u8, signed: bool) -> WordKind {
    WordKind {
        ty,
        size,
        signed,
        offset: 0,
    }
}

const FIRST: &[RefPlace] = &[RefPlace::at(0)];

/// Words of values hold integers here, so that only references are references.
const fn refs(kinds: Kinds) -> &'static [RefPlace] {
    match kinds[0].ty {
        Ty::Ref => FIRST,
        _ => &[],
    }
}

const fn field(name: &'static str, offset: u32, kinds: Kinds) -> FieldDescr {
    FieldDescr {
        name,
        offset,
        kinds,
        refs: refs(kinds),
        immutable: false,
        quasi: false,
        virtualizable: false,
    }
}

const fn array(name: &'static str, kinds: Kinds) -> ClassDescr {
    ClassDescr {
        name,
        size: 16,
        fields: &[],
        refs: FieldRefs::NONE,
        item: Some(ItemDescr {
            kinds,
            refs: refs(kinds),
            immutable: false,
            virtualizable: false,
            register: false,
            part: 0,
            stride: kinds[0].size as usize,
        }),
        ty: None,
    }
}

const fn field_refs(fields: &[FieldDescr]) -> FieldRefs {
    let (mut refs, mut n) = (FieldRefs::NONE, 0);
    while n < fields.len() {
        refs = refs.with(fields[n].offset as usize, fields[n].refs);
        n += 1;
    }
    refs
}

const fn class(name: &'static str, size: u32, fields: &'static [FieldDescr]) -> ClassDescr {
    ClassDescr {
        name,
        size,
        fields,
        refs: field_refs(fields),
        item: None,
        ty: None,
    }
}

static CLASSES: [ClassDescr; 12] = [
    class(
        "Node",
        32,
        &[
            field("value", 8, INT),
            field("next", 16, REF),
            field("weight", 24, FLOAT),
        ],
    ),
    class("Narrow", 32, &[]),
    class("Wide", 136, &[field("last", 128, REF)]),
    array("Ints", INT),
    array("Refs", REF),
    array("Floats", FLOAT),
    array("Bytes", &[kind(Ty::Int, 1, false)]),
    array("Signed", &[kind(Ty::Int, 1, true)]),
    array("Shorts", &[kind(Ty::Int, 2, true)]),
    array("Halves", &[kind(Ty::Int, 4, false)]),
    class(
        "Value",
        24,
        &[field("tag", 8, INT), field("word", 16, WORD)],
    ),
    array("Words", WORD),
];

thread_local! {
    /// The words that `record` was called with.
    static RECORDED: Cell<Vec<i64>> = const { Cell::new(Vec::new()) };
    static CALLBACK: RefCell<Option<Callback>> = const { RefCell::new(None) };
}

/// The function that `callback` calls.
pub type Callback = Rc<dyn Fn(i64) -> i64>;

/// Sets what `callback` does.
pub fn set_callback(callback: Option<Callback>) {
    CALLBACK.set(callback);
}

/// Takes what `record` was called with.
pub fn recorded() -> Vec<i64> {
    RECORDED.take()
}

fn add(a: i64, b: i64) -> i64 {
    a.wrapping_add(b)
}

fn mix(a: i64, b: f64, object: Option<verdigris_heap::AnyObject>, c: i64, d: f64) -> f64 {
    a as f64 + b * 2.0 + c as f64 * 3.0 + d * 5.0 + f64::from(u8::from(object.is_some()))
}

#[allow(clippy::too_many_arguments)]
fn many(a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: f64, i: i64, j: i64) -> i64 {
    let ints = [a, b, c, d, e, f, g, h as i64, i, j];
    ints.iter()
        .fold(0i64, |sum, &x| sum.wrapping_mul(3).wrapping_add(x))
}

fn nothing() {}

fn boom(a: i64) -> i64 {
    assert!(a < 10, "boom");
    a + 1
}

fn same(object: Option<verdigris_heap::AnyObject>) -> Option<verdigris_heap::AnyObject> {
    object
}

fn record(a: i64) {
    let mut words = RECORDED.take();
    words.push(a);
    RECORDED.set(words);
}

fn collect() {
    let context = verdigris_heap::Context::current();
    // SAFETY: the tests call this within `enter`, so the context is current and alive.
    unsafe { (*context).collect() };
}

fn callback(a: i64) -> i64 {
    let callback = CALLBACK.with_borrow(|c| c.clone());
    callback.map_or(a, |f| f(a))
}

/// Several results, and single words as parameters.
fn spread(a: i64, object: Option<verdigris_heap::AnyObject>) -> Spread {
    assert!(a < 100, "too much to spread");
    (a as f64 * 0.5, object, a + 1)
}

type Spread = (f64, Option<verdigris_heap::AnyObject>, i64);

/// Parameters of several words, which are passed in memory.
fn swap(a: (i64, f64), b: Result<i64, f64>) -> (i64, f64) {
    match b {
        Ok(n) => (n, a.1),
        Err(f) => (a.0, f),
    }
}

/// A tuple of one double is not passed as a double is.
fn scale(a: (f64,), by: (f64,)) -> (f64,) {
    (a.0 * by.0,)
}

/// The linked descriptors.
pub fn descrs() -> Descrs {
    let mut descrs = parse_descrs(TEXT).unwrap();
    for (info, class) in descrs.classes.values_mut().zip(&CLASSES) {
        assert_eq!((info.name.as_str(), info.size), (class.name, class.size));
        info.word = class_word(class);
    }
    for class in &CLASSES {
        for field in class.fields {
            let id = descrs
                .field_by_name(&format!("{}.{}", class.name, field.name))
                .unwrap();
            assert_eq!(descrs.fields[id].layout.offset, field.offset);
        }
        let id = descrs.class_by_name(class.name).unwrap();
        let Some(item) = class.item else { continue };
        let ClassKind::Array { layout, .. } = &descrs.classes[id].kind else {
            panic!("{} is an array", class.name)
        };
        let SlotLayout { size, signed, .. } = *layout;
        assert_eq!(size, item.kinds[0].size);
        assert!(size == 8 || signed == item.kinds[0].signed);
    }
    let fns = [
        FnDescr::new("add", add as fn(i64, i64) -> i64),
        FnDescr::new("mix", mix as fn(i64, f64, _, i64, f64) -> f64),
        FnDescr::new(
            "many",
            many as fn(i64, i64, i64, i64, i64, i64, i64, f64, i64, i64) -> i64,
        ),
        FnDescr::new("nothing", nothing as fn()),
        FnDescr::new("boom", boom as fn(i64) -> i64),
        FnDescr::new("same", same as fn(_) -> _),
        FnDescr::new("record", record as fn(i64)),
        FnDescr::new("collect", collect as fn()),
        FnDescr::new("callback", callback as fn(i64) -> i64),
        FnDescr::new("spread", spread as fn(_, _) -> _),
        FnDescr::new("swap", swap as fn(_, _) -> _),
        FnDescr::new("scale", scale as fn(_, _) -> _),
    ];
    for descr in fns {
        let id = descrs.fn_by_name(descr.name).unwrap();
        let info = &mut descrs.fns[id];
        (info.target, info.thunk, info.invoke) = (descr.target, descr.thunk, descr.invoke);
    }
    descrs
}
