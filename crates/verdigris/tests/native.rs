//! The attributes on real items, run natively. In: a small interpreter crate as a module that
//! forbids unsafe code. Out: its results, its descriptors, and its behaviour with an engine that is
//! a few lines here. Invariant: no warning, even with everything denied.

#![deny(warnings, missing_docs, unreachable_pub, clippy::all)]

/// What a user writes.
#[forbid(unsafe_code)]
mod user {
    use verdigris::{prelude::*, we_are_jitted};

    /// A boxed integer.
    #[gc]
    #[derive(Debug)]
    pub(crate) struct IntObj {
        /// Its value.
        pub(crate) value: i64,
    }

    /// A pair that can change.
    #[gc]
    pub(crate) struct Pair {
        pub(crate) tag: u8,
        pub(crate) first: Cell<Option<Obj>>,
        pub(crate) second: Cell<f64>,
        pub(crate) items: GcArray<Cell<i32>, Items>,
    }

    /// The tag of the arrays in pairs.
    pub(crate) enum Items {}

    /// Nothing.
    #[gc]
    pub(crate) struct Nil;

    /// Any value.
    #[object(Obj)]
    pub(crate) enum ObjKind {
        /// An integer.
        Int(Gc<IntObj>),
        /// A pair.
        Pair(Gc<Pair>),
        /// Nothing.
        Nil(Gc<Nil>),
    }

    impl IntObj {
        /// A method of a class.
        #[elidable]
        pub(crate) fn scaled(&self, by: i32) -> i64 {
            assert!(by != 13, "unlucky");
            self.value * i64::from(by)
        }

        /// A function that belongs to a class.
        #[opaque]
        fn boxed(value: i64) -> Gc<Self> {
            Gc::new(Self { value })
        }

        /// One that does not mention it.
        #[opaque(Self)]
        pub(crate) fn answer() -> u8 {
            42
        }
    }

    impl Obj {
        /// A method of an object type.
        #[opaque]
        pub(crate) fn truth(self) -> bool {
            !matches!(self.kind(), ObjKind::Nil(_))
        }
    }

    /// A function of everything.
    #[opaque]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn everything(
        mut a: i8,
        b: u16,
        c: bool,
        d: char,
        e: f64,
        f: Option<Gc<IntObj>>,
        g: GcArray<u8>,
        h: Obj,
        _: (),
        j: Option<Obj>,
    ) -> f64 {
        a -= 1;
        let f = f.map_or(0, |i| i.value);
        let h = i64::from(h.truth()) + i64::from(j.is_none());
        let ints = i64::from(a) + i64::from(b) + i64::from(c) + i64::from(d as u32) + f + h;
        ints as f64 + e + f64::from(g[0])
    }

    /// No parameters, no result.
    #[opaque]
    fn nothing() {}

    /// Sums up.
    #[unroll_safe]
    pub(crate) fn sum(pair: Gc<Pair>) -> i32 {
        let mut sum = 0;
        for i in 0..pair.items.len() {
            sum += pair.items[i].get();
        }
        nothing();
        sum
    }

    /// The interpreter's loop, with everything that its rewriting has to respect.
    #[portal]
    pub(crate) fn run(code: GcArray<u8>, mut acc: Gc<IntObj>, limit: i32) -> Option<Gc<IntObj>> {
        let mut pc: usize = 0;
        let mut weight = 1.0;
        let result = loop {
            merge_point!(greens = [pc, code], reds = [acc, weight, limit]);
            let op = code[promote(pc)];
            pc += 1;
            let next = acc.value + 1;
            match op {
                b'+' => acc = IntObj::boxed(next),
                b'w' => weight *= 2.0,
                b'?' if acc.value < i64::from(limit) => {
                    for pc in 0..3 {
                        if pc == 1 {
                            continue;
                        }
                        if pc == 2 {
                            break;
                        }
                    }
                    pc = 0;
                    // Shadows a red: the merge point means the other one.
                    let acc = 7;
                    if acc == 7 && !we_are_jitted() {
                        can_enter_jit!();
                    }
                }
                b'?' => continue,
                b'n' => return None,
                _ => break acc.value,
            }
        };
        Some(IntObj::boxed(result + weight as i64))
    }

    /// An interpreter without `can_enter_jit!` and without a result.
    pub(crate) mod countdown {
        use super::*;

        /// Counts down.
        #[portal]
        pub(crate) fn run(from: i64, seen: Gc<Pair>) {
            let mut left = from;
            'run: loop {
                merge_point!(greens = [left], reds = [seen]);
                seen.second.set(seen.second.get() + 1.0);
                if left == 0 {
                    break 'run;
                }
                left -= 1;
            }
        }
    }
}

use user::{IntObj, Items, Nil, Obj, ObjKind, Pair};
use verdigris::Word;
use verdigris::rt::{FnDescr, hash_greens};
use verdigris::{Cell, Gc, GcArray, HeapOptions};
use verdigris_heap::{COUNTER_SLOTS, Context, EntryKind, StateShape};

/// Runs a closure on a fresh heap.
fn on_heap<R>(f: impl FnOnce(*mut Context) -> R) -> R {
    let mut cx = Context::new(HeapOptions::default());
    let cx: *mut Context = &mut *cx;
    // SAFETY: the context outlives the call and is entered nowhere else.
    unsafe { Context::enter(cx, || f(cx)) }
}

fn pair(first: Option<Obj>) -> Gc<Pair> {
    Gc::new(Pair {
        tag: 3,
        first: Cell::new(first),
        second: Cell::new(0.5),
        items: GcArray::<Cell<i32>, Items>::from_slice(&[1, -2, 4]),
    })
}

#[test]
fn classes_and_objects() {
    on_heap(|_| {
        let int = Obj::from(Gc::new(IntObj { value: 5 }));
        let pair = pair(Some(int));
        let nil = Obj::from(Gc::new(Nil));
        assert!(matches!(int.kind(), ObjKind::Int(i) if i.value == 5));
        assert!(matches!(Obj::from(pair).kind(), ObjKind::Pair(p) if p.tag == 3));
        assert!(Obj::ptr_eq(pair.first.get().unwrap(), int));
        assert!(!Obj::ptr_eq(nil, int));
        assert!(int.truth() && !nil.truth());
        pair.items[1].set(10);
        assert_eq!(user::sum(pair), 15);
    });
}

#[test]
fn class_descriptors_tell_names_types_and_mutability() {
    let descr = user::__vd_class_Pair();
    let fields: Vec<_> = descr
        .fields
        .iter()
        .map(|f| (f.name, f.kinds[0].ty.letter(), f.kinds[0].size, f.immutable))
        .collect();
    assert_eq!(
        (descr.name, fields),
        (
            "Pair",
            vec![
                ("tag", 'i', 1, true),
                ("first", 'r', 8, false),
                ("second", 'f', 8, false),
                ("items", 'r', 8, true),
            ]
        )
    );
    assert_eq!(user::__vd_class_Nil().fields, []);
    assert_eq!(user::__vd_class_IntObj().size, 16);
}

/// Calls a described function as the interpreting stages do.
fn invoke(cx: *mut Context, f: &FnDescr, args: &[u64]) -> Result<u64, String> {
    // SAFETY: `invoke` has this type, and the arguments are those of the function.
    unsafe {
        let invoke: unsafe extern "C" fn(usize, *const u64) -> u64 = std::mem::transmute(f.invoke);
        let word = invoke(f.target, args.as_ptr());
        if (*cx).panicked == 0 {
            return Ok(word);
        }
        let payload = (*cx).take_payload().expect("a panic");
        Err((*payload.downcast::<&str>().expect("a message")).to_string())
    }
}

#[test]
fn described_functions_are_called_with_words() {
    on_heap(|cx| {
        let int = Gc::new(IntObj { value: -5 });
        let scaled = IntObj::__vd_fn_scaled();
        assert_eq!(scaled.name, "scaled");
        assert_eq!(invoke(cx, &scaled, &[int.to_word(), 3]), Ok(-15i64 as u64));
        assert_eq!(
            invoke(cx, &scaled, &[int.to_word(), 13]),
            Err("unlucky".to_string())
        );
        assert_eq!(invoke(cx, &IntObj::__vd_fn_answer(), &[]), Ok(42));
        let nil = Obj::from(Gc::new(Nil));
        assert_eq!(invoke(cx, &Obj::__vd_fn_truth(), &[nil.to_word()]), Ok(0));
        let array = GcArray::<u8>::from_slice(&[100]);
        let args = [
            -1i8 as u64,
            300,
            1,
            u64::from('a'),
            0.25f64.to_bits(),
            int.to_word(),
            array.to_word(),
            nil.to_word(),
            0,
            0,
        ];
        let sum = -2 + 300 + 1 + 97 - 5 + 1;
        assert_eq!(
            invoke(cx, &user::__vd_fn_everything(), &args),
            Ok((f64::from(sum) + 0.25 + 100.0).to_bits())
        );
        assert_eq!(invoke(cx, &user::__vd_fn_nothing(), &[]), Ok(0));
        let code = GcArray::<u8>::from_slice(b"+.");
        let result = invoke(
            cx,
            &user::__vd_fn_run(),
            &[code.to_word(), int.to_word(), 0],
        )
        .unwrap();
        // SAFETY: the word is the result of `run`.
        let result = unsafe { Option::<Gc<IntObj>>::from_word(result) };
        assert_eq!(result.unwrap().value, -3);
    });
}

fn run(text: &str, limit: i32) -> Option<i64> {
    let code = GcArray::<u8>::from_slice(text.as_bytes());
    user::run(code, Gc::new(IntObj { value: 0 }), limit).map(|i| i.value)
}

#[test]
fn a_portal_runs_without_an_engine() {
    on_heap(|_| {
        assert_eq!(run("+.", 10), Some(2));
        assert_eq!(run("+w?.", 3), Some(3 + 8));
        assert_eq!(run("+?n", 3), None);
    });
    on_heap(|cx| {
        let seen = pair(None);
        user::countdown::run(4, seen);
        assert_eq!(seen.second.get(), 5.5);
        assert_eq!(
            invoke(cx, &user::countdown::__vd_fn_run(), &[1, seen.to_word()]),
            Ok(0)
        );
        assert_eq!(seen.second.get(), 7.5);
    });
}

#[test]
fn a_portal_can_be_entered_at_its_merge_point() {
    on_heap(|cx| {
        let code = GcArray::<u8>::from_slice(b"n+w?.");
        let acc = Gc::new(IntObj { value: 4 });
        // Behind the `n`, with weight 3.
        let state = [1, code.to_word(), acc.to_word(), 3.0f64.to_bits(), 0];
        let runner = user::__vd_fn___vd_from_run();
        let result = invoke(cx, &runner, &state).unwrap();
        // SAFETY: the word is the result of `run`.
        let result = unsafe { Option::<Gc<IntObj>>::from_word(result) };
        assert_eq!(result.unwrap().value, 5 + 6);
        assert_eq!(runner.params, [], "whatever a state is made of");
    });
}

#[test]
fn a_panic_in_a_portal_is_a_panic() {
    on_heap(|cx| {
        let code = GcArray::<u8>::from_slice(b"+");
        let acc = Gc::new(IntObj { value: 0 });
        let args = [code.to_word(), acc.to_word(), 0];
        // SAFETY: as in `invoke`.
        unsafe {
            let f = user::__vd_fn_run();
            let invoke: unsafe extern "C" fn(usize, *const u64) -> u64 =
                std::mem::transmute(f.invoke);
            assert_eq!(invoke(f.target, args.as_ptr()), 0);
            assert_eq!((*cx).panicked, 1);
            let payload = (*cx).take_payload().expect("a panic");
            assert_eq!(
                payload.downcast_ref::<String>().unwrap(),
                "index out of bounds: the len is 1 but the index is 1"
            );
            assert_eq!((*cx).panicked, 0);
        }
    });
}

/// An engine for `run`: the first time it doubles the weight and lowers the limit (in vain: it is
/// not `mut`), then it interprets until the accumulator is 6, then it returns the accumulator.
unsafe fn engine(
    _: *mut Context,
    _: EntryKind,
    hash: u64,
    _: usize,
    state: *mut u64,
    &StateShape { len, .. }: &'static StateShape,
) -> u32 {
    assert_eq!(len, 5);
    // SAFETY: the state of `run` has five words, as the merge point lists them.
    unsafe {
        let state = std::slice::from_raw_parts_mut(state, len);
        assert_eq!(state[0], 0, "pc");
        assert_eq!(hash, hash_greens(&state[..2]));
        assert_eq!(state[4], 10, "limit");
        let acc = Gc::<IntObj>::from_word(state[2]);
        match acc.value {
            1 if f64::from_bits(state[3]) == 2.0 => {
                state[0] = 1;
                state[3] = (f64::from_bits(state[3]) * 2.0).to_bits();
                state[4] = 0;
                1
            }
            6 => {
                state[0] = state[2];
                2
            }
            _ => 0,
        }
    }
}

#[test]
fn a_portal_goes_on_where_compiled_code_stopped() {
    on_heap(|cx| {
        let mut counters = [1u16; COUNTER_SLOTS];
        // SAFETY: the table lives as long as the context is used.
        unsafe {
            (*cx)
                .signals()
                .take([counters.as_mut_ptr(), std::ptr::null_mut()]);
            (*cx).can_enter = Some(engine);
        }
        // Resumes at pc 1, behind the `+`, with weight 2: `w?` doubles it, and the accumulator
        // counts on to 6.
        assert_eq!(run("+w?.", 10), Some(6));
        let code = GcArray::<u8>::from_slice(b"+w?.");
        let start = Gc::new(IntObj { value: 7 });
        let end = user::run(code, start, 10).unwrap();
        assert_eq!(end.value, 10 + 8, "no engine involved in these values");
    });
}

/// An engine for `countdown`: skips from 100 to 2.
unsafe fn skip(
    _: *mut Context,
    _: EntryKind,
    _: u64,
    _: usize,
    state: *mut u64,
    shape: &'static StateShape,
) -> u32 {
    assert_eq!(shape.len, 2);
    // SAFETY: the state of `countdown::run` has two words.
    unsafe {
        if *state != 100 {
            return 0;
        }
        *state = 2;
        1
    }
}

#[test]
fn a_merge_point_without_marks_is_a_mark_itself() {
    on_heap(|cx| {
        let mut counters = [0u16; COUNTER_SLOTS];
        // SAFETY: as above.
        unsafe {
            (*cx)
                .signals()
                .take([counters.as_mut_ptr(), std::ptr::null_mut()]);
            (*cx).can_enter = Some(skip);
        }
        let seen = pair(None);
        user::countdown::run(102, seen);
        assert_eq!(seen.second.get(), 0.5 + 2.0 + 3.0);
    });
}
