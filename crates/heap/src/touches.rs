//! What native code touches while it runs: which cells of the heap it reads and writes. In: a call.
//! Out: the objects that were there before it, with the places in them that it has looked at or
//! written. For checks of what functions are said to touch (`check_hints`).
//!
//! Cells note their accesses in builds with debug assertions; in others nothing is noted, and that
//! costs nothing. Invariant: what is reported was touched, in an object that was there before the
//! call; an object that the call has made is its own. If the heap is collected during the call
//! nobody can tell these apart afterwards, and nothing is reported.

use crate::collector::Scope;
use crate::{Context, class_word_of, detector};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use verdigris_ops::{FnInfo, FnKind};

/// More places of a call are not looked at.
const MOST: usize = 1 << 16;

/// So many calls of each function are looked at, and after that fewer and fewer.
const FIRST: u32 = 64;

/// A place that a call has touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The object, which was there before.
    pub object: u64,
    /// The word in its header.
    pub class: i32,
    /// Bytes from its start to the cell.
    pub offset: u32,
    /// Whether it was written; else it was read.
    pub written: bool,
}

/// What is wrong with what a call of a function has touched.
pub type CheckTouched =
    unsafe fn(ctx: *mut Context, info: &FnInfo, touched: &[Touched]) -> Option<String>;

/// The accesses of a call: addresses of cells, and whether they were written.
type Noted = BTreeSet<(usize, bool)>;

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static NOTED: RefCell<Noted> = const { RefCell::new(Noted::new()) };
}

/// Somebody reads or writes the cell at this address.
#[inline(always)]
pub(crate) fn note(cell: *const u8, written: bool) {
    if cfg!(debug_assertions) && IS_ON.get() {
        add(cell.addr(), written);
    }
}

#[cold]
#[inline(never)]
fn add(cell: usize, written: bool) {
    // Addresses in notes keep nothing alive.
    let _own = detector::own();
    NOTED.with_borrow_mut(|noted| {
        if noted.len() < MOST {
            noted.insert((cell, written));
        }
    });
}

/// Notes what is touched until it is dropped.
struct Noting;

impl Noting {
    fn begin() -> Noting {
        NOTED.with_borrow_mut(Noted::clear);
        IS_ON.set(true);
        Noting
    }
}

impl Drop for Noting {
    fn drop(&mut self) {
        IS_ON.set(false);
    }
}

/// Makes a call and has what it touches checked, if that is to be done. Answers what is wrong,
/// beside the result.
///
/// # Safety
/// `ctx` is the current context of this thread, and what `call` needs is where the collector finds
/// it.
pub(crate) unsafe fn checked<R>(
    ctx: *mut Context,
    info: &FnInfo,
    call: impl FnOnce() -> R,
) -> (R, Option<String>) {
    // SAFETY: the caller's promise; nobody refers to the context's fields while others run.
    unsafe {
        let check = (*ctx)
            .check_touched
            .filter(|_| !IS_ON.get() && declares(info.kind));
        let Some(check) = check.filter(|_| (*ctx).counts_as_checked(info)) else {
            return (call(), None);
        };
        // What is there now is old from now on.
        (*ctx).collect_quietly(Scope::Young);
        let before = collections(ctx);
        let noting = Noting::begin();
        let result = call();
        drop(noting);
        if collections(ctx) != before {
            return (result, None);
        }
        let _own = detector::own();
        let noted = NOTED.take();
        let mut touched: Vec<Touched> = (noted.into_iter())
            .filter_map(|(cell, written)| {
                let object = (*ctx).old_object_at(cell)?;
                Some(Touched {
                    object: object.addr() as u64,
                    class: class_word_of(object.expose_provenance() as u64),
                    offset: (cell - object.addr()) as u32,
                    written,
                })
            })
            .collect();
        // The same message for the same mistake.
        touched.sort_unstable_by_key(|t| (!t.written, t.class, t.offset));
        let wrong = check(ctx, info, &touched);
        (result, wrong)
    }
}

/// Whether a function of this kind is one of which somebody says what it touches, and cells tell.
/// Others are believed to compute something from what they read, which is compared. The portal's
/// words are not where the collector would find them while nothing is allocated.
fn declares(kind: FnKind) -> bool {
    cfg!(debug_assertions) && matches!(kind, FnKind::Opaque | FnKind::Conditional)
}

/// # Safety
/// The context is alive.
unsafe fn collections(ctx: *mut Context) -> u64 {
    // SAFETY: the caller's promise.
    let stats = unsafe { (*ctx).heap_stats() };
    stats.collections + stats.young_collections
}

/// How many calls of each function there were.
#[derive(Default)]
pub(crate) struct Calls(BTreeMap<*const FnInfo, u32>);

impl Calls {
    /// Counts a call; whether it is one of those that are looked at.
    pub(crate) fn count(&mut self, info: &FnInfo) -> bool {
        let calls = self.0.entry(info).or_insert(0);
        *calls = calls.saturating_add(1);
        *calls <= FIRST || calls.is_power_of_two()
    }
}
