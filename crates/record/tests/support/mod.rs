//! A guest language, as a jitcode text that uses every instruction, and a JIT in miniature for it:
//! traces that are evaluated as they were recorded, guards that are bridged, forced to fail, or
//! left through the blackhole interpreter.

pub mod jit;

use std::cell::RefCell;
use std::sync::OnceLock;
use verdigris_heap::{
    Cell, ClassDescr, Context, FnDescr, Gc, GcArray, GcClass, HeapOptions, Stress, Word,
    array_class, gc_class, gc_object, link,
};
use verdigris_jitcode::{Unit, parse, verify};
use verdigris_record::{Targets, TraceLimits};
use verdigris_trace::TargetId;

pub struct Program {
    pub code: GcArray<i64>,
}
gc_class! { Program { code: GcArray<i64> } }

pub struct Int {
    pub value: i64,
}
gc_class! { Int { value: i64 } }

/// Its integer does not lie where that of an [`Int`] does, so that a missing class guard shows.
pub struct MutBox {
    pub other: Cell<Option<Obj>>,
    pub value: Cell<i64>,
}
gc_class! { MutBox { other: Cell<Option<Obj>>, value: Cell<i64> } }

pub struct Nil {}
gc_class! { Nil {} }

#[derive(Clone, Copy)]
pub enum ObjKind {
    Int(Gc<Int>),
    MutBox(Gc<MutBox>),
    Nil(Gc<Nil>),
}
gc_object! { pub Obj, ObjKind { Int(Int), MutBox(MutBox), Nil(Nil) } }

pub type Slots = GcArray<Cell<Obj>>;

pub const UNIT: &str = r#"
class Program { code: ref }
class Code [int]
class Int { value: int }
class MutBox { other: cell ref, value: cell int }
class Nil { }
class Slots [cell ref]
object Obj [Int, MutBox, Nil]
fn log(int, int) -> int opaque
fn mix(int, int) -> int elidable
fn observe(ref) opaque

code run(i0 r1 r2 i3 f4 i5) -> int in "guest.rs" {
  loop: merge_point (i0 r1) (r2 i3 f4 i5)
  r6 = getfield_r r1 Program.code
  i7 = arraylen r6 Code
  i8 = uint_lt i0 i7
  branch_false i8 @bounds
  i9 = getitem_i r6 i0 Code
  i10 = int_add i0 1
  i11 = getitem_i r6 i10 Code
  i0 = int_add i0 2
  switch i9 [0: @const, 1: @add, 2: @sub, 3: @store, 4: @storebox, 5: @bump, 6: @jump, 7: @cjump, 8: @div, 9: @log, 10: @mix, 11: @promote, 12: @mask, 13: @fadd, 14: @fget, 15: @classify, 16: @rec, 17: @observe, 18: @nil, 19: @ret, 20: @fix, else @illegal]
const: i3 = i11
  goto @loop
add: i12 = call get(r2 i11)
  i3 = int_add i3 i12
  goto @loop
sub: i12 = call get(r2 i11)
  i3 = int_sub i3 i12
  goto @loop
store: r13 = new Int
  setfield_i r13 i3 Int.value
  setitem_r r2 i11 r13 Slots
  goto @loop
storebox: r13 = new MutBox
  setfield_i r13 i3 MutBox.value
  r14 = getitem_r r2 i11 Slots
  setfield_r r13 r14 MutBox.other
  setitem_r r2 i11 r13 Slots
  goto @loop
bump: call bump(r2 i11 i3)
  goto @loop
jump: branch_false i3 @loop
  i12 = int_lt i11 i0
  i0 = i11
  branch_false i12 @loop
back: i5 = int_sub i5 1
  i12 = int_gt i5 0
  branch_false i12 @ret
  loop_header
  goto @loop
cjump: i12 = int_and i3 3
  i12 = int_shl i12 1
  i0 = int_add i11 i12
  goto @back
div: i12 = call get(r2 i11)
  branch_false i12 @divzero
  i7 = int_eq i12 -1
  branch_false i7 @divok
  i7 = int_eq i3 -9223372036854775808
  branch_false i7 @divok
  panic division_overflow()
divok: i3 = int_div i3 i12
  goto @loop
log: i3 = call_fn log(i3 i11)
  goto @loop
mix: i3 = call_fn mix(i3 i11)
  goto @loop
promote: i3 = promote i3
  goto @loop
mask: i3 = int_and i3 i11
  goto @loop
fadd: f15 = int_to_float i3
  f4 = float_add f4 f15
  f4 = float_mul f4 0.5
  goto @loop
fget: i3 = float_to_int f4
  goto @loop
classify: i3 = call classify(i3)
  goto @loop
rec: i12 = int_and i3 7
  i12 = call sum(i12)
  i3 = int_add i3 i12
  goto @loop
observe: r14 = getitem_r r2 i11 Slots
  call_fn observe(r14)
  goto @loop
nil: r13 = new Nil
  setitem_r r2 i11 r13 Slots
  goto @loop
ret: return i3
bounds: panic index_out_of_bounds(i0 i7)
divzero: panic division_by_zero()
illegal: panic "illegal instruction"()
fix: r14 = getitem_r r2 i11 Slots
  r14 = promote r14
  i12 = call value(r14)
  i3 = int_add i3 i12
  goto @loop
}

code get(r0 i1) -> int {
  r0 = getitem_r r0 i1 Slots
  class_switch r0 [Int: @int, MutBox: @box, Nil: @nil, else @none]
int: i2 = getfield_i r0 Int.value
  return i2
box: i2 = getfield_i r0 MutBox.value
  return i2
nil: return 0
none: panic "unreachable"()
}

code bump(r0 i1 i2) {
  r3 = getitem_r r0 i1 Slots
  class_switch r3 [Int: @int, MutBox: @box, Nil: @nil, else @none]
int: i4 = call get(r0 i1)
  i4 = int_add i4 i2
  r3 = new Int
  setfield_i r3 i4 Int.value
  setitem_r r0 i1 r3 Slots
  return
box: i4 = getfield_i r3 MutBox.value
  i4 = int_add i4 i2
  setfield_i r3 i4 MutBox.value
  return
nil: return
none: panic "unreachable"()
}

code classify(i0) -> int {
  switch i0 [-1: @minus, 0: @zero, 5: @five, else @other]
minus: return 100
zero: return 1
five: i0 = int_mul i0 i0
  return i0
other: i1 = int_lt i0 0
  branch_false i1 @positive
  i0 = int_neg i0
positive: return i0
}

code sum(i0) -> int {
  branch_false i0 @zero
  i1 = int_sub i0 1
  i1 = call sum(i1)
  i0 = int_add i0 i1
  return i0
zero: return 0
}

code value(r0) -> int {
  class_switch r0 [Int: @int, MutBox: @box, Nil: @nil, else @none]
int: i1 = getfield_i r0 Int.value
  return i1
box: r2 = getfield_r r0 MutBox.other
  i3 = ptr_eq r2 null
  i1 = getfield_i r0 MutBox.value
  i1 = int_add i1 i3
  return i1
nil: return 0
none: panic "unreachable"()
}

portal run @0
"#;

/// Guest instructions: a name and an operand per line.
pub const OPS: [&str; 21] = [
    "const", "add", "sub", "store", "storebox", "bump", "jump", "cjump", "div", "log", "mix",
    "promote", "mask", "fadd", "fget", "classify", "rec", "observe", "nil", "ret", "fix",
];

thread_local! {
    static LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn log(value: i64, what: i64) -> i64 {
    LOG.with_borrow_mut(|log| log.push(format!("{value}:{what}")));
    if value % 11 == 7 {
        panic!("the log does not like {value}");
    }
    if what == 9 {
        nested(value);
    }
    value.wrapping_mul(3).wrapping_add(what)
}

/// The whole JIT again, from a residual call of traced, interpreted, or compiled code.
fn nested(value: i64) {
    let unit = unit();
    let guest = Guest::new(&assemble(
        "add 0; log 1; bump 2; storebox 1; sub 3; observe 1; jump 0",
    ));
    let state = [guest.greens(0), guest.reds(value & 0xFF, 5)].concat();
    let options = jit::Options {
        threshold: 1,
        bridge_after: 0,
        force: 6,
        disturb: true,
        limits: TraceLimits::default(),
    };
    let outcome = jit::Jit::new(Context::current(), unit, options, 7).run(state);
    LOG.with_borrow_mut(|log| log.push(format!("nested {outcome}, {}", guest.show())));
}

fn mix(value: i64, what: i64) -> i64 {
    if what == 7 && value == 3 {
        panic!("mixed up");
    }
    (value ^ what).rotate_left(3) & 0xFF
}

fn observe(object: Obj) {
    let text = show(object);
    LOG.with_borrow_mut(|log| log.push(text));
    // Something for the collector, in case a reference is held where it does not look.
    Gc::new(Int { value: 666 });
}

/// An object as text.
pub fn show(object: Obj) -> String {
    match object.kind() {
        ObjKind::Int(int) => int.value.to_string(),
        ObjKind::MutBox(cell) => {
            let other = cell.other.get().map_or("null".to_owned(), show);
            format!("[{} {other}]", cell.value.get())
        }
        ObjKind::Nil(_) => "nil".to_owned(),
    }
}

/// The log since the last call.
pub fn take_log() -> Vec<String> {
    LOG.with_borrow_mut(std::mem::take)
}

/// The guest's interpreter, linked.
pub fn unit() -> &'static Unit {
    static UNIT: OnceLock<Unit> = OnceLock::new();
    UNIT.get_or_init(link_unit)
}

fn link_unit() -> Unit {
    let mut unit = parse(UNIT).unwrap();
    verify(&unit).unwrap();
    let classes: [fn() -> &'static ClassDescr; 6] = [
        Program::descr,
        array_class::<i64, ()>,
        Int::descr,
        MutBox::descr,
        Nil::descr,
        array_class::<Cell<Obj>, ()>,
    ];
    let fns: [fn() -> FnDescr; 3] = [
        || FnDescr::new("log", log as fn(i64, i64) -> i64),
        || FnDescr::new("mix", mix as fn(i64, i64) -> i64),
        || FnDescr::new("observe", observe as fn(Obj)),
    ];
    link(&mut unit.descrs, &classes, &fns).unwrap();
    unit
}

/// Runs with a heap; collects at every allocation if `stress`.
pub fn on_heap<R>(stress: bool, test: impl FnOnce(*mut Context) -> R) -> R {
    let mut ctx = Context::new(HeapOptions {
        stress: match stress {
            true => Stress::All,
            false => Stress::Off,
        },
        ..HeapOptions::default()
    });
    let ctx: *mut Context = &mut *ctx;
    // SAFETY: the context lives until the end of the function.
    unsafe {
        let result = Context::enter(ctx, || test(ctx));
        assert_eq!((*ctx).shadow_mark(), 0, "the shadow stack is empty again");
        result
    }
}

/// A guest program from its text: `name operand` per line, or separated by `;`.
pub fn assemble(text: &str) -> Vec<i64> {
    let lines = text
        .split(['\n', ';'])
        .map(str::trim)
        .filter(|l| !l.is_empty());
    lines
        .flat_map(|line| {
            let (name, operand) = line.split_once(' ').unwrap_or((line, "0"));
            let op = OPS.iter().position(|op| *op == name).expect(name);
            [op as i64, operand.trim().parse().expect(line)]
        })
        .collect()
}

/// The state of the guest: kept on the host's stack, where the collector looks.
#[derive(Clone, Copy)]
pub struct Guest {
    pub program: Gc<Program>,
    pub slots: Slots,
}

impl Guest {
    /// A program; the slots are 3, nil, a box with 5, and -1.
    pub fn new(code: &[i64]) -> Guest {
        let program = Gc::new(Program {
            code: GcArray::from_slice(code),
        });
        let slots = Slots::new(4, Obj::from(Gc::new(Int { value: 3 })));
        slots[1].set(Obj::from(Gc::new(Nil {})));
        let cell = MutBox {
            value: Cell::new(5),
            other: Cell::new(None),
        };
        slots[2].set(Obj::from(Gc::new(cell)));
        slots[3].set(Obj::from(Gc::new(Int { value: -1 })));
        Guest { program, slots }
    }

    /// The greens at a pc.
    pub fn greens(&self, pc: u64) -> Vec<u64> {
        vec![pc, self.program.to_word()]
    }

    /// The reds.
    pub fn reds(&self, acc: i64, fuel: u64) -> Vec<u64> {
        vec![self.slots.to_word(), acc as u64, 1.0_f64.to_bits(), fuel]
    }

    /// The slots as text.
    pub fn show(&self) -> String {
        let slots: Vec<String> = (0..4).map(|n| show(self.slots[n].get())).collect();
        slots.join(" ")
    }
}

/// No compiled loops.
pub struct NoTargets;

impl Targets for NoTargets {
    fn lookup(&self, _: &[u64]) -> Option<TargetId> {
        None
    }
}
