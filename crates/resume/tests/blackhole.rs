//! Rebuilding frames and running them: results, panics, the heap limit. Every test also runs on a
//! heap that collects at every allocation.

use expect_test::expect;
use std::any::Any;
use std::panic::AssertUnwindSafe;
use verdigris_heap::{
    Cell, ClassDescr, Context, FnDescr, Gc, GcArray, GcClass, HeapOptions, StackExhausted, Stress,
    Word, array_class, array_part, gc_class, link,
};
use verdigris_jitcode::{Unit, parse, verify};
use verdigris_resume::{FrameStack, Stop, blackhole, flush, rebuild, rebuild_taken, take_kept};
use verdigris_trace::{OptimisedTrace, Resume};

struct Int {
    value: i64,
}
gc_class! { Int { value: i64 } }

type Pairs = GcArray<Cell<Option<Gc<Pair>>>>;

/// A value of two words.
type Numbered = (i64, Option<Gc<Pair>>);

struct Pair {
    left: Cell<Option<Gc<Pair>>>,
    right: Cell<Option<Pairs>>,
    number: Cell<i32>,
    weight: f64,
}
gc_class! {
    Pair {
        left: Cell<Option<Gc<Pair>>>,
        right: Cell<Option<Pairs>>,
        number: Cell<i32>,
        weight: f64,
    }
}

fn half(n: i64) -> i64 {
    if n % 2 == 1 {
        panic!("{n} is odd");
    }
    n / 2
}

const UNIT: &str = r#"
    class Int { value: int }
    class Pair { left: cell ref, right: cell ref, number: cell int, weight: float }
    class Pairs [cell ref]
    class Values [cell int]
    class Values#1 [cell ref]
    fn half(int) -> int opaque

    code run(i0 r1 i2 f3) -> int {
      loop: merge_point (i0 r1) (i2 f3)
      i4 = int_rem i0 2
      switch i4 [0: @even, 1: @odd, else @bad]
    even:
      i5 = call sum(i0)
      i2 = int_add i2 i5
      i0 = int_add i0 1
      f3 = float_add f3 0.5
      loop_header
      goto @loop
    odd:
      i0 = promote i0
      i5 = call_fn half(i2)
      i6 = int_lt i5 40
      branch_false i6 @done
      i2 = call read(r1)
      i0 = int_add i0 1
      goto @loop
    done:
      i7 = float_to_int f3
      i5 = int_add i5 i7
      return i5
    bad: panic "negative"()
    }
    code sum(i0) -> int {
      branch_false i0 @zero
      i1 = int_sub i0 1
      r3 = new Int
      setfield_i r3 i1 Int.value
      i2 = call sum(i1)
      i1 = getfield_i r3 Int.value
      i2 = int_add i2 i1
      i2 = int_add i2 1
      return i2
    zero: return 0
    }
    code read(r0) -> int {
      class_switch r0 [Int: @int, Pair: @pair, else @other]
    int:
      i1 = getfield_i r0 Int.value
      return i1
    pair:
      i1 = getfield_i r0 Pair.number
      return i1
    other: panic index_out_of_bounds(3, 2)
    }
    code deep(r0 i1) -> int {
      r2 = getfield_r r0 Pair.right
      r2 = getitem_r r2 i1 Pairs
      i3 = ptr_eq r2 r0
      r4 = getfield_r r0 Pair.left
      i6 = getfield_i r4 Pair.number
      f5 = getfield_f r4 Pair.weight
      i7 = float_to_int f5
      i6 = int_add i6 i7
      i6 = int_mul i6 10
      i6 = int_add i6 i3
      return i6
    }
    portal run @0
"#;

fn unit() -> Unit {
    let mut unit = parse(UNIT).unwrap();
    verify(&unit).unwrap();
    let pairs: fn() -> &'static ClassDescr = array_class::<Cell<Option<Gc<Pair>>>, ()>;
    let half = || FnDescr::new("half", half as fn(i64) -> i64);
    let values = array_class::<Cell<Numbered>, ()>;
    let references = array_part::<Cell<Numbered>, (), 1>;
    let classes = [Int::descr, Pair::descr, pairs, values, references];
    link(&mut unit.descrs, &classes, &[half]).unwrap();
    unit
}

/// Runs a test on a plain heap and on one that collects at every allocation.
fn on_heaps(test: impl Fn(*mut Context, &Unit)) {
    for stress in Stress::KINDS {
        on_heap(
            HeapOptions {
                stress,
                ..HeapOptions::default()
            },
            &test,
        );
    }
}

fn on_heap(options: HeapOptions, test: impl Fn(*mut Context, &Unit)) {
    let mut ctx = Context::new(options);
    let ctx: *mut Context = &mut *ctx;
    // SAFETY: the context lives until the end of the function.
    unsafe {
        Context::enter(ctx, || test(ctx, &unit()));
        assert_eq!((*ctx).shadow_mark(), 0, "the shadow stack is empty again");
    }
}

/// Runs the blackhole from resume data, as the text form of traces writes it.
fn run(ctx: *mut Context, unit: &Unit, objects: &[u64], resume: &str, exit: &[u64]) -> String {
    let resume = resume_data(unit, objects, resume);
    // SAFETY: the resume data is written for this unit.
    unsafe {
        let frames = rebuild(ctx, unit, &resume, exit).unwrap();
        show(blackhole(ctx, unit, frames, &()))
    }
}

/// The resume data of the one guard in a text.
fn resume_data(unit: &Unit, objects: &[u64], text: &str) -> Resume {
    let text = format!("[i0, p1, f2] guard_true(i0) {text} finish()");
    let trace: OptimisedTrace = verdigris_trace::parse_with(&unit.descrs, &text, objects).unwrap();
    verdigris_trace::verify(&unit.descrs, &trace).unwrap();
    trace.ops().at(0).resume().unwrap().clone()
}

fn show(stop: Stop) -> String {
    match stop {
        Stop::MergePoint(state) => {
            let state: Vec<i64> = state.iter().map(|&w| w as i64).collect();
            format!("merge point {state:?}")
        }
        Stop::Return(words) => format!("return {}", words[0] as i64),
        Stop::Panic(payload) => format!("panic {}", message(payload)),
        Stop::Exhausted => "exhausted".to_owned(),
    }
}

fn message(payload: Box<dyn Any + Send>) -> String {
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => (*payload.downcast::<&'static str>().unwrap()).to_owned(),
    }
}

#[test]
fn it_runs_to_the_merge_point() {
    on_heaps(|ctx, unit| {
        // Behind the merge point; sum(4) = 10.
        let state = run(
            ctx,
            unit,
            &[],
            "-> [i0, f2] @ 0:1 r0=4 r1=null r2=i0 r3=f2",
            &[7, 0],
        );
        assert_eq!(
            state,
            format!("merge point [5, 0, 17, {}]", 0.5_f64.to_bits())
        );
        // At the merge point.
        let state = run(ctx, unit, &[], "-> [] @ 0:0 r0=1 r1=null r2=3 r3=0.0", &[]);
        assert_eq!(state, "merge point [1, 0, 3, 0]");
    });
}

#[test]
fn outer_frames_get_results_and_go_on_behind_their_calls() {
    on_heaps(|ctx, unit| {
        // run -> sum(3) -> sum(2), which is about to add 1 to i2 = 100.
        let state = run(
            ctx,
            unit,
            &[],
            "-> [i0] v0 = Int{value: 2} @ 1:7 r2=i0 | 1:4 r3=v0 | 0:3 r0=4 r1=null r2=1000 r3=1.0",
            &[100],
        );
        assert_eq!(
            state,
            format!("merge point [5, 0, 1104, {}]", 1.5_f64.to_bits())
        );
    });
}

#[test]
fn guest_recursion_is_not_host_recursion() {
    on_heap(HeapOptions::default(), |ctx, unit| {
        let state = run(
            ctx,
            unit,
            &[],
            "-> [] @ 0:1 r0=50000 r1=null r2=0 r3=0.0",
            &[],
        );
        assert!(
            state.starts_with("merge point [50001, 0, 1250025000, "),
            "{state}"
        );
    });
}

#[test]
fn calls_promotions_and_class_switches() {
    on_heaps(|ctx, unit| {
        let resume = "-> [p1] @ 0:1 r0=1 r1=p1 r2=60 r3=2.5";
        let int = Gc::new(Int { value: 11 });
        let state = run(ctx, unit, &[], resume, &[int.to_word()]);
        assert!(
            state.ends_with(&format!(", 11, {}]", 2.5_f64.to_bits())),
            "{state}"
        );
        let pair = Gc::new(Pair {
            left: Cell::new(None),
            right: Cell::new(None),
            number: Cell::new(-12),
            weight: 1.0,
        });
        let state = run(ctx, unit, &[], resume, &[pair.to_word()]);
        assert!(
            state.ends_with(&format!(", -12, {}]", 2.5_f64.to_bits())),
            "{state}"
        );
        let array = Pairs::new(1, None);
        let state = run(ctx, unit, &[], resume, &[array.to_word()]);
        expect!["panic index out of bounds: the len is 2 but the index is 3"].assert_eq(&state);
        let state = run(ctx, unit, &[], "-> [] @ 0:1 r0=1 r1=null r2=84 r3=2.5", &[]);
        expect!["return 44"].assert_eq(&state);
    });
}

#[test]
fn panics_of_calls_and_of_traced_code() {
    on_heaps(|ctx, unit| {
        let state = run(ctx, unit, &[], "-> [] @ 0:1 r0=1 r1=null r2=61 r3=2.5", &[]);
        expect!["panic 61 is odd"].assert_eq(&state);
        let state = run(ctx, unit, &[], "-> [] @ 0:1 r0=-1 r1=null r2=0 r3=2.5", &[]);
        expect!["panic negative"].assert_eq(&state);
        // SAFETY: the context is alive.
        assert_eq!(unsafe { (*ctx).panicked }, 0);
    });
}

/// Two objects and an array that refer to each other, and stores that come after.
const GRAPH: &str = "-> [i0, p1, f2]
    v0 = Pair{left: v1, right: v2, number: i0, weight: f2}
    v1 = Pair{left: v0, right: null, number: 7, weight: 30.0}
    v2 = Pairs[4]{0: v1, 2: p1, 3: v0}
    v1.Pair.left = p1
    p1.Pair.number = i0
    p1.Pair.right = v2
    ";

fn pair() -> Gc<Pair> {
    Gc::new(Pair {
        left: Cell::new(None),
        right: Cell::new(None),
        number: Cell::new(1),
        weight: 2.0,
    })
}

#[test]
fn virtual_objects_may_be_cyclic() {
    on_heaps(|ctx, unit| {
        let exit = [5, pair().to_word(), 4.5_f64.to_bits(), 999];
        let run = |frame: &str| run(ctx, unit, &[], &format!("{GRAPH} @ 3:0 {frame}"), &exit);
        // v1's number and weight, and whether the item is v0 itself.
        assert_eq!(run("r0=v0 r1=3"), "return 371");
        assert_eq!(run("r0=v0 r1=0"), "return 370");
    });
}

#[test]
fn delayed_stores_come_after_the_objects() {
    on_heaps(|ctx, unit| {
        let pair = pair();
        let exit = [-5_i64 as u64, pair.to_word(), 4.5_f64.to_bits()];
        let resume = resume_data(unit, &[], &format!("{GRAPH} @"));
        // SAFETY: the resume data is written for this unit.
        unsafe { flush(ctx, unit, &resume, &exit) }.unwrap();
        assert_eq!(pair.number.get(), -5);
        let items = pair.right.get().unwrap();
        assert_eq!(items[2].get(), Some(pair));
        let (one, zero) = (items[0].get().unwrap(), items[3].get().unwrap());
        assert_eq!((one.number.get(), one.weight), (7, 30.0));
        assert_eq!((zero.number.get(), zero.weight), (-5, 4.5));
        assert_eq!((one.left.get(), zero.left.get()), (Some(pair), Some(one)));
        assert_eq!(zero.right.get().map(|r| r.to_word()), Some(items.to_word()));
        assert!(items[1].get().is_none());
    });
}

/// The panic of some work.
fn payload_of<R>(work: impl FnOnce() -> R) -> Option<Box<dyn Any + Send>> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).err()
}

#[test]
fn stores_are_done_also_where_frames_find_no_room() {
    on_heaps(|ctx, unit| {
        let pair = pair();
        let exit = [-5_i64 as u64, pair.to_word(), 4.5_f64.to_bits()];
        let resume = resume_data(unit, &[], &format!("{GRAPH} @ 3:0 r0=v0 r1=3"));
        // SAFETY: the context is alive; what is taken is given back in the end.
        let (start, full) = unsafe {
            let start = (*ctx).shadow_mark();
            for words in [1 << 18, 1 << 10, 1] {
                while (*ctx).shadow_fits(words) {
                    (*ctx).shadow_alloc_frame(words);
                }
            }
            (start, (*ctx).shadow_mark())
        };
        // SAFETY: the resume data is written for this unit.
        let payload = payload_of(|| unsafe { rebuild(ctx, unit, &resume, &exit).map(drop) });
        assert!(payload.is_some_and(|payload| payload.is::<StackExhausted>()));
        assert_eq!(pair.number.get(), -5);
        let items = pair.right.get().unwrap();
        assert_eq!(items[3].get().unwrap().weight, 4.5);
        // SAFETY: as above.
        unsafe {
            assert!((*ctx).is_shadow_full());
            assert_eq!((*ctx).shadow_mark(), full, "nothing stays behind");
            (*ctx).shadow_release(start);
        }
    });
}

#[test]
fn recursion_without_an_end_is_a_payload() {
    on_heap(HeapOptions::default(), |ctx, unit| {
        let resume = "-> [] @ 0:1 r0=1000000000000 r1=null r2=0 r3=0.0";
        let payload = payload_of(|| run(ctx, unit, &[], resume, &[]));
        assert!(payload.is_some_and(|payload| payload.is::<StackExhausted>()));
        let state = run(
            ctx,
            unit,
            &[],
            &resume.replace("1000000000000", "50000"),
            &[],
        );
        assert!(state.starts_with("merge point"), "{state}");
    });
}

/// A long array of values that refers to a pair, which is not made either, and back.
const VALUES: &str = "-> [i0, p1]
    v0 = Values[300]{2: i0, 2#1: v1, 7: 9, 299#1: p1}
    v1 = Pair{right: v0, number: 7}
    p1.Pair.left = v1
    keeps p1
    @ 3:0 r0=v1 r1=2";

fn check_values(array: u64, number: i64, pair: Gc<Pair>) {
    // SAFETY: the resume data says that the object is such an array.
    let array: GcArray<Cell<Numbered>> = unsafe { GcArray::from_word(array) };
    assert_eq!(array.len(), 300);
    let (seven, other) = array[2].get();
    assert_eq!(seven, number);
    assert_eq!(other.map(|pair| pair.number.get()), Some(7));
    assert_eq!(array[7].get(), (9, None));
    assert_eq!(array[299].get(), (0, Some(pair)));
    let others = (0..299).filter(|n| ![2, 7].contains(n));
    assert!(others.into_iter().all(|n| array[n].get() == (0, None)));
}

#[test]
fn an_array_of_values_gets_what_was_written() {
    on_heaps(|ctx, unit| {
        let (pair, resume) = (pair(), VALUES.replace("keeps p1", ""));
        let exit = [5, pair.to_word()];
        let resume = resume_data(unit, &[], &resume);
        // SAFETY: the resume data is written for this unit.
        unsafe { rebuild(ctx, unit, &resume, &exit) }.unwrap();
        let made = pair.left.get().unwrap();
        check_values(made.right.get().unwrap().to_word(), 5, pair);
    });
}

#[test]
fn an_array_of_values_is_made_once_when_it_is_taken() {
    on_heaps(|ctx, unit| {
        let pair = pair();
        let text = format!("[i0, p1, f2] i3 = call(i0) half guard_not_forced() {VALUES} finish()");
        let trace: OptimisedTrace = verdigris_trace::parse_with(&unit.descrs, &text, &[]).unwrap();
        verdigris_trace::verify(&unit.descrs, &trace).unwrap();
        let resume = trace.ops().at(1).resume().unwrap();
        assert_eq!(resume.kept_args(), [0, 1]);
        let exit = [6, pair.to_word()];
        // SAFETY: the resume data is written for this unit.
        let made = unsafe { take_kept(ctx, unit, resume, &exit) }.unwrap();
        check_values(made[0].unwrap(), 6, pair);
        // SAFETY: as above, and with what has been made.
        let frames = unsafe { rebuild_taken(ctx, unit, resume, &exit, &made) }.unwrap();
        let first = frames.frames()[0].get(verdigris_jitcode::Reg(0));
        assert_eq!(Some(first), made[1]);
        assert_eq!(pair.left.get().map(Word::to_word), made[1]);
    });
}

#[test]
fn item_stores_and_constant_objects() {
    on_heaps(|ctx, unit| {
        let pair = pair();
        let array = Pairs::new(2, None);
        let resume = "-> [] ref(1).Pairs[1] = ref(0) ref(1).Pairs[0] = null @";
        let resume = resume_data(unit, &[pair.to_word(), array.to_word()], resume);
        array[0].set(Some(pair));
        // SAFETY: the resume data is written for this unit.
        unsafe { flush(ctx, unit, &resume, &[]) }.unwrap();
        assert_eq!((array[0].get(), array[1].get()), (None, Some(pair)));
    });
}

#[test]
fn the_heap_limit_is_an_error_but_not_for_what_compiled_code_has_left_out() {
    let options = HeapOptions {
        limit: 4 << 15,
        stress: Stress::Off,
    };
    on_heap(options, |ctx, unit| {
        // Recursion that holds an object per frame.
        let state = run(
            ctx,
            unit,
            &[],
            "-> [] @ 0:1 r0=200000 r1=null r2=0 r3=0.0",
            &[],
        );
        assert_eq!(state, "exhausted");
        let resume = resume_data(unit, &[], "-> [] v0 = Pairs[65536]{} @ 3:0 r0=v0 r1=0");
        // SAFETY: the resume data is written for this unit.
        let rebuilt = unsafe { rebuild(ctx, unit, &resume, &[]) };
        assert_eq!(rebuilt.map(|frames: FrameStack| frames.len()), Ok(1));
        // SAFETY: the context is current.
        assert!(unsafe { (*ctx).is_exhausted() });
    });
}
