use verdigris::prelude::*;

type Binary = fn(i64, i64) -> i64;

fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn neg(a: i64) -> i64 {
    -a
}

fn same<T>(x: T) -> T {
    x
}

fn double(x: i64) -> i64 {
    APPLY(x, neg)
}

static APPLY: fn(i64, fn(i64) -> i64) -> i64 = apply;

fn apply(x: i64, f: fn(i64) -> i64) -> i64 {
    APPLY(x, f)
}

fn change(x: &mut i64) {
    *x += 1;
}

#[gc]
struct Table {
    op: Cell<Binary>,
    plain: Binary,
    maybe: Cell<Option<Binary>>,
}

struct Entry {
    op: Binary,
}

#[derive(PartialEq)]
struct Weighted(i64, Binary);

#[opaque]
fn register(f: Binary) {}

#[opaque]
fn find(n: i64) -> Option<Binary> {
    None
}

#[portal]
fn run(code: Gc<Code>, mut acc: i64) -> i64 {
    let mut pc = 0;
    let handler: Binary = add;
    let entry = Entry { op: add };
    loop {
        merge_point!(greens = [pc, code, handler], reds = [acc, entry]);
        acc = step(code, acc);
        pc += 1;
        can_enter_jit!();
    }
}

#[gc]
struct Code {
    bytes: GcArray<u8>,
    ops: GcArray<Binary>,
}

fn step(code: Gc<Code>, a: i64) -> i64 {
    let f: Binary = neg;
    let g: fn(i64) -> i64 = same;
    let h = same;
    let wrong: fn(i64) -> bool = same;
    let u: unsafe fn(i64) -> i64 = neg;
    let e: extern "C" fn(i64) -> i64 = neg;
    let eq = add == handler_of(a);
    let weighted = Weighted(1, add) == Weighted(2, add);
    let less = g < g;
    let address = g as usize;
    let few = handler_of(a)(a);
    let not_a_function = (a + 1)(a);
    let arithmetic = g + 1;
    let captured: fn(i64) -> i64 = |x| x + a;
    let typed: fn(i64) -> i64 = |x: bool| 1;
    let by_ref: fn(i64) -> i64 = |x: &mut i64| 1;
    let shared: fn(&mut i64) = |x| *x = a;
    let inputs: fn(i64) -> i64 = |x, y| x;
    let body: fn(i64) -> i64 = |x| x > 0;
    let lent: fn(&i64) = change;
    let message = assert!(a > 0, "{:?}", g);
    let some = Some;
    register(add);
    let found = find(a);
    let table = Gc::new(Table { op: Cell::new(add), plain: add, maybe: Cell::new(None) });
    match g {
        NEG => 1,
        _ => double(a),
    }
}

const NEG: fn(i64) -> i64 = neg;

fn handler_of(n: i64) -> Binary {
    add
}
