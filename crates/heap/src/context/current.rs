//! The context that is entered on a thread.

use crate::collector::CollectScope;
use crate::collector::options::HeapOptions;
use crate::context::Context;
use crate::context::claim::give_up_everything;
use crate::context::native_stack::{self, StackBase};
use crate::roots::table::RootTable;
use std::cell::Cell;
use std::ptr::null_mut;
use std::rc::Rc;

thread_local! {
    static CURRENT: Cell<*mut Context> = const { Cell::new(null_mut()) };
}

/// The context of the VM entered on this thread.
#[inline(always)]
pub(crate) fn current_or_panic() -> *mut Context {
    let ctx = Context::current();
    if ctx.is_null() {
        no_context()
    }
    ctx
}

/// Runs a function with a heap of its own and no JIT, which is freed in the end: for examples and
/// tests. The result holds no references.
pub fn with_heap<R: Unpin>(options: HeapOptions, f: impl FnOnce() -> R) -> R {
    let mut ctx = Context::new(options);
    let ctx = &raw mut *ctx;
    // SAFETY: the context lives until the end of this function, and `f` is given no references.
    unsafe {
        Context::enter(ctx, || {
            let result = f();
            Context::unwind_coroutines(ctx);
            result
        })
    }
}

/// Frees what nothing refers to in the heap of the VM that is entered on this thread, now instead
/// of when it is time for it: everything, or of what has been allocated since the last collection.
/// For a guest that can ask for that; otherwise the heap knows best. If everything is collected,
/// entries of [`WeakTables`](crate::WeakTables) are removed.
///
/// ```
/// use verdigris_heap::{CollectScope, collect_garbage, with_heap};
/// with_heap(Default::default(), || collect_garbage(CollectScope::All));
/// ```
///
/// # Panics
/// If no VM is entered on this thread, and as [`Context::collect`].
pub fn collect_garbage(scope: CollectScope) {
    // SAFETY: the context of the VM that is entered is alive, and nothing of it is borrowed.
    let ctx = unsafe { &mut *current_or_panic() };
    match scope {
        CollectScope::All => ctx.collect_and_remove(),
        CollectScope::Young => ctx.collect_young(),
    }
}

#[cold]
#[inline(never)]
fn no_context() -> ! {
    panic!("heap objects can only be made within `Vm::enter`: no VM is entered on this thread")
}

/// The table of the current VM.
///
/// # Panics
/// If no VM is entered on this thread, or if it is on another stack: references there are not
/// where the collector looks.
pub(crate) fn current_roots() -> Rc<RootTable> {
    // SAFETY: the current context is alive, and nothing of it is borrowed.
    unsafe {
        let ctx = &mut *current_or_panic();
        ctx.check_runs_here();
        ctx.roots().clone()
    }
}

impl Context {
    /// The context of the VM entered on this thread; null if there is none.
    #[inline(always)]
    pub fn current() -> *mut Context {
        CURRENT.get()
    }

    /// Runs `f` with `ctx` as the current context. May be nested, also with other contexts between.
    ///
    /// # Panics
    /// If the context is entered on another thread.
    ///
    /// # Safety
    /// `ctx` is a live context, and lives until this returns. References to objects of its heap
    /// that `f` is given lie on this thread's stack or are reachable from roots.
    #[inline(never)]
    pub unsafe fn enter<R>(ctx: *mut Context, f: impl FnOnce() -> R) -> R {
        // SAFETY: the caller's promise.
        let _entered = unsafe { EnteredContext::new(ctx, StackBase::here()) };
        f()
    }

    /// Runs `f` as if no VM were entered on this thread.
    pub fn outside<R>(f: impl FnOnce() -> R) -> R {
        struct Back(*mut Context);
        impl Drop for Back {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }
        let _back = Back(CURRENT.replace(null_mut()));
        f()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.stack.depth > 0 && std::ptr::eq(CURRENT.get(), self) {
            CURRENT.set(null_mut());
        }
        assert!(
            self.stack.depth == 0,
            "a context is dropped while it is entered"
        );
        self.abandon_coroutines();
        self.roots.close();
    }
}

/// The dynamic extent of one [`Context::enter`].
struct EnteredContext {
    ctx: *mut Context,
    previous: *mut Context,
}

impl EnteredContext {
    /// # Safety
    /// `ctx` outlives the value.
    unsafe fn new(ctx: *mut Context, base: StackBase) -> EnteredContext {
        // SAFETY: the caller's promise.
        let ctx_ref = unsafe { &mut *ctx };
        if ctx_ref.stack.depth == 0 {
            ctx_ref.stack.base = base;
            if std::mem::take(&mut ctx_ref.stack.has_dead_words) {
                ctx_ref.clear_dead_words();
            }
        } else {
            assert!(
                ctx_ref.stack.base.same_thread(&base),
                "this VM is entered on another thread"
            );
            if !ctx_ref.stack.base.holds(base.frame()) {
                native_stack::switched();
            }
        }
        let previous = CURRENT.get();
        if !previous.is_null() && previous != ctx {
            // Otherwise it would be current again, here, when it may have been left on its own
            // stack. SAFETY: it is entered, so it is alive.
            if !unsafe { (*previous).stack.base.holds(base.frame()) } {
                if ctx_ref.stack.depth == 0 {
                    ctx_ref.stack.base = StackBase::default();
                }
                native_stack::switched();
            }
            give_up_everything(previous);
        }
        // SAFETY: as above.
        unsafe { (*ctx).stack.depth += 1 };
        CURRENT.set(ctx);
        EnteredContext { ctx, previous }
    }
}

impl Drop for EnteredContext {
    fn drop(&mut self) {
        CURRENT.set(self.previous);
        // SAFETY: the context outlives this value.
        unsafe {
            (*self.ctx).stack.depth -= 1;
            if (*self.ctx).stack.depth == 0 {
                (*self.ctx).stack.base = StackBase::default();
            }
        }
    }
}
