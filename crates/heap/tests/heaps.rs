//! Heaps as wholes: limits, many of them, threads, nesting, panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_heap::Stress;
use verdigris_heap::*;

struct Leaf {
    id: i64,
    next: Cell<Option<Gc<Leaf>>>,
}
gc_class! { Leaf { id: i64, next: Cell<Option<Gc<Leaf>>> } }

fn leaf(id: i64) -> Gc<Leaf> {
    Gc::new(Leaf {
        id,
        next: Cell::new(None),
    })
}

fn enter<R>(ctx: &mut Box<Context>, f: impl FnOnce() -> R) -> R {
    // SAFETY: the context outlives the call.
    unsafe { Context::enter(&mut **ctx, f) }
}

fn limited(limit: usize, stress: Stress) -> Box<Context> {
    Context::new(HeapOptions { limit, stress })
}

/// Runs until the heap is exhausted; anything else is a failure.
fn exhaust(f: impl FnOnce()) {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("the limit was not reached");
    assert_eq!(
        payload.downcast_ref::<HeapExhausted>(),
        Some(&HeapExhausted)
    );
}

fn grow_list() {
    let mut list = None;
    for i in 0.. {
        let new = leaf(i);
        new.next.set(list);
        list = Some(new);
    }
}

#[test]
fn buffers_of_native_code_count_for_the_limit() {
    let mut ctx = limited(1 << 20, Stress::Off);
    enter(&mut ctx, || {
        let bytes = |len| GcArray::<u8>::new(len, 0);
        exhaust(|| drop(ByteBuffer::with_capacity(2 << 20)));
        exhaust(|| ByteBuffer::new().reserve(usize::MAX));
        let mut buffer = ByteBuffer::from(&b"ab"[..]);
        exhaust(|| (0..2 << 20).for_each(|_| buffer.push(b'c')));
        assert!(buffer.len() > 512 << 10 && buffer.starts_with(b"abc"));
        // What is taken by one is not there for the other.
        exhaust(|| assert_eq!(bytes(700 << 10).len(), 0));
        drop(buffer);
        assert_eq!(bytes(700 << 10).len(), 700 << 10);
        // Garbage makes room.
        let mut buffer = ByteBuffer::with_capacity(600 << 10);
        buffer.extend_from_slice(&[7; 100]);
        buffer.truncate(3);
        assert_eq!(
            (&buffer[..], format!("{buffer:?}").as_str()),
            (&[7; 3][..], "[7, 7, 7]")
        );
    });
}

#[test]
fn a_buffer_outside_of_a_heap_has_no_limit() {
    let mut buffer = ByteBuffer::new();
    std::io::Write::write_all(&mut buffer, &[1; 10_000]).unwrap();
    buffer.extend([2_u8].iter());
    buffer.extend([3_u8]);
    assert_eq!(
        (buffer.len(), buffer[10_000], buffer[10_001]),
        (10_002, 2, 3)
    );
    buffer[0] = 9;
    assert_eq!(buffer.first(), Some(&9));
    buffer.resize(1, 0);
    buffer.resize(3, 4);
    assert_eq!(&buffer[..], [9, 4, 4]);
    buffer.clear();
    assert!(buffer.is_empty());
}

#[test]
fn the_limit_is_a_clean_error_and_the_heap_goes_on() {
    for limit in [64 << 10, 1 << 20, 8 << 20] {
        let mut ctx = limited(limit, Stress::Off);
        for _ in 0..3 {
            enter(&mut ctx, || exhaust(grow_list));
            let stats = ctx.heap_stats();
            assert!(stats.heap_bytes <= limit as u64, "{stats:?}");
            assert!(
                stats.live_bytes * 4 > limit as u64 * 3,
                "{limit}: {stats:?}"
            );
            // What the list took can be used again, if no frame comes to lie over a word that grew
            // it.
            clear_stack();
            enter(&mut ctx, || {
                for i in 0..100_000 {
                    assert_eq!(leaf(i).id, i);
                }
            });
        }
    }
}

#[test]
fn exhaustion_takes_few_collections() {
    let mut ctx = limited(32 << 20, Stress::Off);
    enter(&mut ctx, || exhaust(grow_list));
    assert!(ctx.heap_stats().collections < 40, "{:?}", ctx.heap_stats());
}

/// With little room left, each collection frees a little garbage; this must not go on for ever.
#[test]
fn a_heap_that_is_nearly_full_gives_up_before_it_only_collects() {
    let mut ctx = limited(16 << 20, Stress::Off);
    enter(&mut ctx, || {
        exhaust(|| {
            // Survivors of the size of a line each: in the worst case they lie in two.
            let keep: GcArray<Cell<Option<GcArray<u8>>>> = GcArray::new(200_000, None);
            for i in 0..200_000 {
                for j in 0..100 {
                    leaf(j);
                }
                keep[i].set(Some(GcArray::new(112, 0)));
            }
        });
    });
    let stats = ctx.heap_stats();
    assert!(stats.live_bytes > 8 << 20, "{stats:?}");
    assert!(stats.collections < 200, "{stats:?}");
}

struct Kept {
    bytes: GcArray<u8>,
    next: Option<Gc<Kept>>,
}
gc_class! { Kept { bytes: GcArray<u8>, next: Option<Gc<Kept>> } }

/// Adds arrays of this many bytes to a list, in a frame of its own as above.
#[inline(never)]
fn keep(list: &Root<Option<Gc<Kept>>>, size: usize, count: usize) {
    for _ in 0..count {
        let (bytes, next) = (GcArray::new(size, 0), list.get());
        list.set(Some(Gc::new(Kept { bytes, next })));
    }
}

/// Under a limit of many megabytes, a small share of it is more than there is beyond it; and where
/// the holes between objects of several kilobytes are enough to go on in, other such objects do not
/// fit in them.
#[test]
fn whoever_handles_exhaustion_has_room_under_every_limit() {
    for limit in [256 << 10, 1 << 20, 16 << 20] {
        for size in [8, 5000, 20_000] {
            let mut ctx = limited(limit, Stress::Off);
            enter(&mut ctx, || {
                let list = Root::new(None);
                for _ in 0..3 {
                    exhaust(|| keep(&list, size, usize::MAX));
                    handle_exhaustion();
                    let handling = Root::new(None);
                    for size in [20, 2000, 20_000] {
                        keep(&handling, size, 20_000 / size);
                    }
                    list.set(None);
                    clear_stack();
                }
            });
            let beyond = ctx.heap_stats().heap_bytes.saturating_sub(limit as u64);
            assert!(beyond <= 256 << 10, "{limit}, {size}: {beyond}");
        }
    }
}

/// Who never drops anything does not go on for ever.
#[test]
fn room_for_handling_comes_to_an_end() {
    let mut ctx = limited(1 << 20, Stress::Off);
    enter(&mut ctx, || {
        let list = Root::new(None);
        for _ in 0..100 {
            exhaust(|| keep(&list, 100, usize::MAX));
            handle_exhaustion();
        }
    });
    let bytes = ctx.heap_stats().heap_bytes;
    assert!((1 << 20..=3 << 19).contains(&bytes), "{bytes}");
}

#[test]
fn memory_goes_back_to_the_system() {
    /// In a frame of its own, so that no word is left that refers to the list.
    #[inline(never)]
    fn fill(root: &Root<Option<Gc<Leaf>>>) {
        for i in 0..10_000_000 {
            let new = leaf(i);
            new.next.set(root.get());
            root.set(Some(new));
        }
    }
    /// Kilobytes of memory that the process occupies, where the system says so: pages have not the
    /// same size everywhere.
    fn resident() -> usize {
        let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok())
            .unwrap_or(0)
    }
    let mut ctx = limited(usize::MAX, Stress::Off);
    enter(&mut ctx, || {
        let root = Root::new(None);
        fill(&root);
        let full = resident();
        root.set(None);
        for _ in 0..3 {
            clear_stack();
            // SAFETY: the current context is alive.
            unsafe { (*Context::current()).collect() };
        }
        if full > 0 {
            assert!(resident() < full - (150 << 10), "{full} {}", resident());
        }
        for i in 0..1_000_000 {
            assert_eq!(leaf(i).id, i);
        }
    });
}

/// Overwrites what returned calls have left on the stack.
#[inline(never)]
fn clear_stack() {
    std::hint::black_box([0u64; 8192]);
}

#[test]
fn arrays_respect_the_limit() {
    let mut ctx = limited(4 << 20, Stress::Off);
    enter(&mut ctx, || {
        exhaust(|| _ = GcArray::<i64>::new(1 << 39, 0));
        exhaust(|| _ = GcArray::<i64>::new(1 << 20, 0));
        // Garbage of large objects is freed in time.
        for _ in 0..100 {
            assert_eq!(GcArray::<i64>::new(300_000, 1).len(), 300_000);
        }
        exhaust(|| {
            let all: GcArray<Cell<Option<GcArray<u8>>>> = GcArray::new(10_000, None);
            for i in 0..10_000 {
                all[i].set(Some(GcArray::new(1000, 0)));
            }
        });
        assert_eq!(GcArray::<u8>::new(1000, 1)[999], 1);
    });
}

#[test]
fn a_fragmented_heap_still_serves_medium_objects_at_the_limit() {
    let mut ctx = limited(2 << 20, Stress::Off);
    enter(&mut ctx, || {
        // Every other line survives in a part of the heap; then the limit is reached with medium
        // garbage.
        let keep: GcArray<Cell<Option<Gc<Leaf>>>> = GcArray::new(2000, None);
        for i in 0..20_000 {
            let new = leaf(i);
            if i % 10 == 0 {
                keep[i as usize / 10].set(Some(new));
            }
        }
        for i in 0..20_000 {
            assert_eq!(GcArray::<u8>::new(200 + i % 5000, 0).len(), 200 + i % 5000);
        }
        for i in 0..2000 {
            assert_eq!(keep[i].get().unwrap().id, i as i64 * 10);
        }
    });
}

#[test]
fn no_room_at_all() {
    for stress in Stress::KINDS {
        let mut ctx = limited(1000, stress);
        enter(&mut ctx, || exhaust(|| _ = leaf(1)));
        // SAFETY: the context is alive and the sizes are those of the class.
        unsafe {
            let word = class_word(Leaf::descr());
            assert!(alloc_struct(&mut *ctx, Leaf::descr().size, word).is_null());
            let array = class_word(array_class::<i64, ()>());
            assert!(alloc_array(&mut *ctx, array, 8, 1).is_null());
            assert!(alloc_array(&mut *ctx, array, 8, u64::MAX).is_null());
            assert_eq!(vd_has_room(&mut *ctx, 8, 1), 0);
            assert_eq!(vd_has_room(&mut *ctx, 8, u64::MAX), 0);
            assert!(vd_alloc_array(&mut *ctx, array as u32 as u64, 8, 1 << 50).is_null());
            assert!(!vd_alloc_slow(&mut *ctx, 24, word as u32 as u64).is_null());
            assert!(ctx.is_exhausted());
        }
    }
}

/// Makes objects as compiled code does, until the heap is exhausted and this many objects more.
fn exceed(ctx: &mut Context, objects: u64) -> Vec<Root<Gc<Leaf>>> {
    let word = class_word(Leaf::descr()) as u32 as u64;
    let mut kept = Vec::new();
    let mut beyond = 0;
    while beyond < objects {
        beyond += u64::from(ctx.is_exhausted());
        // SAFETY: the size and the class are those of a leaf, in whose fields zeros are allowed.
        let object = unsafe {
            let object = vd_alloc_slow(ctx, u64::from(Leaf::descr().size), word);
            Gc::<Leaf>::from_word(object.expose_provenance() as u64)
        };
        kept.push(Root::new(object));
    }
    kept
}

#[test]
fn compiled_code_goes_beyond_the_limit_and_native_code_is_told() {
    for (limit, objects, stress) in [
        (1 << 20, 10_000, Stress::Off),
        (64 << 10, 1500, Stress::Young),
    ] {
        let mut ctx = limited(limit, stress);
        ctx.set_stack_limit(1000);
        let context = &raw mut *ctx;
        enter(&mut ctx, || {
            // SAFETY: the context lives until the end of the test, and is not borrowed now.
            let ctx = unsafe { &mut *context };
            let kept = exceed(ctx, objects);
            assert!(ctx.heap_stats().heap_bytes > limit as u64);
            assert_eq!(
                ctx.stack_limit,
                usize::MAX,
                "calls of the portal come to the engine"
            );
            assert!(ctx.stays_exhausted());
            exhaust(|| _ = leaf(1));
            // SAFETY: the context is current.
            assert_eq!(unsafe { vd_has_room(ctx, 8, 1000) }, 0);
            ctx.set_stack_limit(2000);
            assert_eq!((ctx.own_stack_limit(), ctx.stack_limit), (2000, usize::MAX));
            drop(kept);
            assert!(ctx.is_exhausted() && !ctx.stays_exhausted());
            assert_eq!(ctx.stack_limit, 2000);
            // SAFETY: the context is current.
            assert_eq!(unsafe { vd_has_room(ctx, 8, 1000) }, 1);
            assert_eq!(leaf(1).id, 1);
        });
    }
}

#[test]
fn room_is_made_by_collecting() {
    let mut ctx = limited(1 << 20, Stress::Off);
    let context = &raw mut *ctx;
    enter(&mut ctx, || {
        // SAFETY: the context lives until the end of the test, and is not borrowed now.
        let has_room = |len: u64| unsafe { vd_has_room(context, 8, len) == 1 };
        for _ in 0..20 {
            for len in [1000, 1 << 14, 1 << 15] {
                assert!(has_room(len), "{len}");
                assert_eq!(GcArray::<i64>::new(len as usize, 0).len(), len as usize);
            }
        }
        let half = Root::new(GcArray::<i64>::new(1 << 16, 0));
        assert!(!has_room(1 << 16), "the blocks of small objects count too");
        assert!(has_room(1 << 13));
        assert_eq!(half.get().len(), 1 << 16);
    });
}

#[test]
fn a_thousand_heaps_one_after_the_other() {
    for i in 0..1000 {
        let mut ctx = limited(
            usize::MAX,
            [Stress::Young, Stress::All, Stress::Off][(i as usize % 100).min(2)],
        );
        enter(&mut ctx, || {
            let first = leaf(i);
            for j in 0..50 {
                leaf(j);
            }
            GcArray::<u8>::new(100_000, 1);
            assert_eq!(first.id, i);
        });
    }
}

#[test]
fn a_thousand_heaps_at_once() {
    let mut heaps: Vec<_> = (0..1000)
        .map(|_| limited(usize::MAX, Stress::Off))
        .collect();
    let mut objects = Vec::new();
    for (i, ctx) in heaps.iter_mut().enumerate() {
        let root = enter(ctx, || Root::new(leaf(i as i64)));
        ctx.shadow_alloc(4);
        ctx.collect();
        objects.push(root);
    }
    for (i, root) in objects.iter().enumerate() {
        assert_eq!(root.get().id, i as i64);
    }
}

#[test]
fn threads_have_their_own_heaps() {
    let threads: Vec<_> = (0..8)
        .map(|t| {
            std::thread::spawn(move || {
                let stress = match t {
                    0 => Stress::All,
                    4 => Stress::Young,
                    _ => Stress::Off,
                };
                let mut ctx = limited(16 << 20, stress);
                enter(&mut ctx, || {
                    let mut list = None;
                    for i in 0..if t % 4 == 0 { 300 } else { 100_000 } {
                        let new = leaf(i * t);
                        if i % 10 == 0 {
                            new.next.set(list);
                            list = Some(new);
                        }
                    }
                    let mut count = 0;
                    while let Some(l) = list {
                        assert_eq!(l.id % t.max(1), 0);
                        list = l.next.get();
                        count += 1;
                    }
                    count
                })
            })
        })
        .collect();
    for (t, thread) in threads.into_iter().enumerate() {
        let expected = if t % 4 == 0 { 30 } else { 10_000 };
        assert_eq!(thread.join().unwrap(), expected);
    }
}

#[test]
fn heaps_nest_and_each_sees_the_whole_stack() {
    let (mut a, mut b) = (
        limited(usize::MAX, Stress::All),
        limited(usize::MAX, Stress::Young),
    );
    let a_ptr: *mut Context = &mut *a;
    // SAFETY: both contexts outlive the calls.
    unsafe {
        Context::enter(a_ptr, || {
            let in_a = leaf(1);
            let in_b = enter(&mut b, || {
                let in_b = leaf(2);
                // Back into the first, whose references are in frames on both sides.
                let second_in_a = Context::enter(a_ptr, || {
                    leaf(3);
                    leaf(4)
                });
                leaf(5);
                assert_eq!((in_b.id, second_in_a.id), (2, 4));
                assert_ne!(Context::current(), a_ptr);
                in_b
            });
            leaf(6);
            assert_eq!((in_a.id, in_b.id), (1, 2));
            assert_eq!(Context::current(), a_ptr);
        });
    }
    assert!(Context::current().is_null());
}

#[test]
fn a_panic_leaves_the_context_as_it_was() {
    let (mut a, mut b) = (
        limited(usize::MAX, Stress::Off),
        limited(usize::MAX, Stress::Off),
    );
    let a_ptr: *mut Context = &mut *a;
    enter(&mut a, || {
        let result = catch_unwind(AssertUnwindSafe(|| enter(&mut b, || panic!("inside"))));
        assert!(result.is_err());
        assert_eq!(Context::current(), a_ptr);
        assert_eq!(leaf(1).id, 1);
    });
    assert!(Context::current().is_null());
    enter(&mut b, || assert_eq!(leaf(1).id, 1));
}

#[test]
fn references_between_two_visits_need_a_root() {
    let mut ctx = limited(usize::MAX, Stress::All);
    let root = enter(&mut ctx, || Root::new(leaf(1)));
    enter(&mut ctx, || {
        leaf(2);
        assert_eq!(root.get().id, 1);
    });
    drop(ctx);
    assert!(catch_unwind(AssertUnwindSafe(|| root.get())).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| root.set(root.get()))).is_err());
    drop(root);
}

#[test]
fn a_heap_entered_on_another_thread_is_refused() {
    struct Send(*mut Context);
    // SAFETY: the other thread only tries to enter the context.
    unsafe impl std::marker::Send for Send {}
    let mut ctx = limited(usize::MAX, Stress::Off);
    let ptr = Send(&mut *ctx);
    enter(&mut ctx, || {
        let result = std::thread::spawn(move || {
            let ptr = ptr;
            // SAFETY: the context is alive, as the spawning thread joins this one.
            unsafe { Context::enter(ptr.0, || ()) }
        })
        .join();
        let message = *result.unwrap_err().downcast::<&str>().unwrap();
        assert_eq!(message, "this VM is entered on another thread");
    });
}

#[test]
fn an_empty_heap_costs_next_to_nothing() {
    let ctx = limited(usize::MAX, Stress::Off);
    let stats = ctx.heap_stats();
    assert_eq!(stats, HeapStats::default());
    assert!(size_of_val(&*ctx) < 12 << 10);
    assert!(ctx.cursor.is_null() && ctx.limit.is_null());
}

#[test]
fn the_limit_as_a_value() {
    let mut ctx = limited(1 << 20, Stress::Off);
    enter(&mut ctx, || {
        let array = |len| GcArray::<i64>::try_new(len, 7);
        assert_eq!(array(1000).map(|a| (a.len(), a[999])), Some((1000, 7)));
        assert!(array(1 << 20).is_none() && array(usize::MAX).is_none());
        let mut list = None;
        let mut len = 0;
        while let Some(new) = Gc::try_new(Leaf {
            id: len,
            next: Cell::new(list),
        }) {
            list = Some(new);
            len += 1;
        }
        assert!((20_000..44_000).contains(&len), "{len}");
        let ids = std::iter::successors(list, |leaf| leaf.next.get()).map(|leaf| leaf.id);
        assert!(ids.eq((0..len).rev()));
    });
}
