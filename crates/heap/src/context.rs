//! The execution context: what one VM has at run time. In: options. Out: allocation, roots, the
//! pending panic, the exit buffer. Invariants: a context is boxed and never moves, since compiled
//! code addresses its fields; it is entered on one thread at a time; everything that can refer to
//! an object between two operations is visited as a root.

use crate::activations::Activations;
use crate::collector::{Bump, Collector, RootVisitor, Scope};
use crate::exhaustion::Bound;
use crate::mark_region::MarkRegion;
use crate::noted::Noted;
use crate::root::RootTable;
use crate::shadow::ShadowStack;
use crate::signals::Signals;
use crate::stack::{self, StackBase, StackRoom};
use crate::touches::{Calls, CheckTouched};
use crate::virtualizable::{Claim, Suspended, give_up_everything};
use crate::{Header, HeapStats, MAX_PARTS, Pass, StateShape, Watches, detector, space};
use std::any::Any;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use verdigris_ops::FnInfo;

/// Words in the exit buffer.
pub const EXIT_WORDS: usize = 1024;

/// Parameters of a heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeapOptions {
    /// The most bytes that objects may take, in blocks of 32 KB; less than one block holds nothing.
    pub limit: usize,
    /// Whether to collect at every allocation.
    pub stress: Stress,
}

/// Collecting at every allocation, with freed memory overwritten with `0xDEADBEEF`, and now and
/// then a check of the whole heap: slow, finds references that the collector does not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stress {
    /// Collections when it is time.
    #[default]
    Off,
    /// Each collects everything.
    All,
    /// Most collect what has been allocated since the last one, so that stores without the write
    /// barrier are found.
    Young,
}

impl Stress {
    /// All of them.
    pub const KINDS: [Stress; 3] = [Stress::Off, Stress::All, Stress::Young];

    /// Whether every allocation collects.
    pub fn is_on(self) -> bool {
        self != Stress::Off
    }

    /// What it is called in parameters: `0`, `1` or `young`.
    pub fn name(self) -> &'static str {
        match self {
            Stress::Off => "0",
            Stress::All => "1",
            Stress::Young => "young",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Stress> {
        Stress::KINDS
            .into_iter()
            .find(|stress| stress.name() == name)
    }
}

impl Default for HeapOptions {
    fn default() -> Self {
        HeapOptions {
            limit: usize::MAX,
            stress: Stress::Off,
        }
    }
}

/// The type of [`Context::can_enter`]: gets how the merge point was reached, the hash of the
/// greens, an address in the portal's frame, and the greens and reds as words. 0: go on
/// interpreting; 1: go on at the merge point with the words now in `state`; 2: return the value
/// whose words are at the start of `state`, which has room for them.
pub type CanEnter = unsafe fn(
    ctx: *mut Context,
    pass: Pass,
    hash: u64,
    frame: usize,
    state: *mut u64,
    shape: &'static StateShape,
) -> u32;

/// The type of [`Context::finish_call`]: gets the exit (of the backend's type), and leaves the
/// words of the portal's result in [`Context::exits`], or a panic's payload in the context.
pub type FinishCall = unsafe fn(ctx: *mut Context, exit: *const c_void);

/// The type of [`Context::invalidate`]: these pieces of code must not run on.
pub type Invalidate = unsafe fn(ctx: *mut Context, codes: &[u32]);

/// The execution context of one VM. Public fields are addressed by compiled code or by the macros'
/// output.
#[repr(C)]
pub struct Context {
    /// Where the next small object goes.
    pub cursor: *mut u8,
    /// The end of the current hole; equal to `cursor` in stress mode.
    pub limit: *mut u8,
    /// 1 if a call from traced code has panicked and the payload waits to be taken.
    pub panicked: u64,
    /// Not 0: code that can choose between a fast and a slow path takes the slow one (stress mode).
    pub force_slow: u64,
    /// Not 0 there: compiled code that can be interrupted is left at the next header.
    pub signal: *const AtomicU64,
    /// The engine.
    pub engine: *mut c_void,
    /// What `can_enter_jit!` calls when a counter has run out.
    pub can_enter: Option<CanEnter>,
    /// The code that assumes what quasi-immutable fields hold.
    pub watches: Watches,
    /// What a write to such a field calls with the code to stop.
    pub invalidate: Option<Invalidate>,
    /// What the compiled code keeps to itself that has made the call which is running, if any.
    pub suspended: *mut Suspended,
    /// The state of the [`Suspended`] whose guard compiled code has been left at, if it has been.
    pub resumed: u64,
    /// Whom an access to a virtualizable place asks while code is suspended.
    pub claim: Option<Claim>,
    /// What compiled code calls when code that it has called was left otherwise than by its end.
    pub finish_call: Option<FinishCall>,
    /// Where the card of address 0 would be: compiled code writes 1 to the byte that is as far
    /// behind as the address of a store, shifted by [`CARD_SHIFT`](crate::CARD_SHIFT), says.
    pub cards: *mut u8,
    /// The address that the native stack must stay above: 0 while the VM is not entered, and above
    /// everything while the heap is exhausted.
    pub stack_limit: usize,
    /// Not 0: objects lie beyond the heap's limit, and compiled code is left at the next header
    /// ([`Context::is_exhausted`]).
    pub exhausted: u64,
    /// Where compiled code leaves the fail arguments of a guard. Scanned conservatively.
    pub exits: [u64; EXIT_WORDS],
    /// Where a called function leaves the second and the further words of its result, at their own
    /// indices. They are read directly behind the call. Scanned conservatively.
    pub results: [u64; MAX_PARTS],
    /// What `signal` is a part of.
    signals: Arc<Signals>,
    payload: Option<Box<dyn Any + Send>>,
    /// A panic that waits until machine code has been left, which it could not unwind through.
    late: Option<Box<dyn Any + Send>>,
    /// Who looks at what called functions touch, if somebody does; only in builds with debug
    /// assertions.
    pub check_touched: Option<CheckTouched>,
    checked_calls: Calls,
    /// Where native code notes activations of the portal, while the counters of calls are
    /// [`Signals::noted`].
    pub activations: Option<Rc<Activations>>,
    pub(crate) own_stack_limit: usize,
    /// Where native code surely has room on the stack that the context is entered on: nowhere while
    /// the heap is exhausted.
    pub(crate) stack_room: StackRoom,
    pub(crate) heap: MarkRegion,
    stress: Stress,
    shadow: ShadowStack,
    roots: Rc<RootTable>,
    pins: BTreeMap<u64, u32>,
    /// The words that have been pinned since the last collection, also if they are no more: code
    /// may have stored them without a barrier.
    young_pins: Noted<u64>,
    depth: usize,
    pub(crate) base: StackBase,
}

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
    // SAFETY: the context lives until the end of this function, and `f` is given no references.
    unsafe { Context::enter(&mut *ctx, f) }
}

/// Frees what nothing refers to in the heap of the VM that is entered on this thread, now instead
/// of when it is time for it: everything, or of what has been allocated since the last collection.
/// For a guest that can ask for that; otherwise the heap knows best.
///
/// ```
/// use verdigris_heap::{Scope, collect_garbage, with_heap};
/// with_heap(Default::default(), || collect_garbage(Scope::All));
/// ```
///
/// # Panics
/// If no VM is entered on this thread, and as [`Context::collect`].
pub fn collect_garbage(scope: Scope) {
    // SAFETY: the context of the VM that is entered is alive, and nobody uses it at the same time.
    let ctx = unsafe { &mut *current_or_panic() };
    match scope {
        Scope::All => ctx.collect(),
        Scope::Young => ctx.collect_young(),
    }
}

#[cold]
#[inline(never)]
fn no_context() -> ! {
    panic!("heap objects can only be made within `Vm::enter`: no VM is entered on this thread")
}

impl Context {
    /// A context with an empty heap.
    pub fn new(options: HeapOptions) -> Box<Context> {
        let _own = detector::own();
        let signals = Arc::new(Signals::new());
        Box::new(Context {
            cursor: null_mut(),
            limit: null_mut(),
            panicked: 0,
            force_slow: u64::from(options.stress.is_on()),
            signal: signals.word(),
            engine: null_mut(),
            can_enter: None,
            watches: Watches::default(),
            invalidate: None,
            suspended: null_mut(),
            resumed: 0,
            claim: None,
            finish_call: None,
            cards: space::card_of_zero(),
            stack_limit: 0,
            exhausted: 0,
            exits: [0; EXIT_WORDS],
            results: [0; MAX_PARTS],
            signals,
            payload: None,
            late: None,
            check_touched: None,
            checked_calls: Calls::default(),
            activations: None,
            own_stack_limit: 0,
            stack_room: StackRoom::default(),
            heap: MarkRegion::new(options),
            stress: options.stress,
            shadow: ShadowStack::new(),
            roots: RootTable::new(),
            pins: BTreeMap::new(),
            young_pins: Noted::default(),
            depth: 0,
            base: StackBase::default(),
        })
    }

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
        let _entered = unsafe { Entered::new(ctx, StackBase::here()) };
        f()
    }

    /// Whether it is known that this address is on the stack that the context is entered on, and
    /// above its limit.
    #[inline(always)]
    pub fn has_stack_at(&self, address: usize) -> bool {
        self.stack_room.holds(address)
    }

    /// Panics if this is not the stack that the context is entered on.
    pub(crate) fn check_runs_here(&mut self) {
        if self.base.is_left() {
            stack::switched();
        }
    }

    /// Panics if an address is not on the stack that the context is entered on.
    ///
    /// # Panics
    /// If somebody has switched the stacks.
    pub fn check_runs_at(&mut self, address: usize) {
        if !self.base.holds(address) {
            stack::switched();
        }
        // More may be known of the stack than before.
        self.show_stack_limit();
    }

    /// What other threads may touch, and the counters of `can_enter_jit!`.
    #[inline(always)]
    pub fn signals(&self) -> &Arc<Signals> {
        &self.signals
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

    /// Stores the panic that a thunk has caught. The call has no results: they are zero.
    pub fn set_payload(&mut self, payload: Box<dyn Any + Send>) {
        self.panicked = 1;
        self.results = [0; MAX_PARTS];
        self.payload = Some(payload);
    }

    /// Takes the panic that a thunk has caught.
    pub fn take_payload(&mut self) -> Option<Box<dyn Any + Send>> {
        self.panicked = 0;
        self.payload.take()
    }

    /// Keeps a panic until machine code has been left.
    pub(crate) fn set_late(&mut self, payload: Box<dyn Any + Send>) {
        self.late = Some(payload);
    }

    /// Takes a panic that machine code was in the way of.
    pub fn take_late(&mut self) -> Option<Box<dyn Any + Send>> {
        self.late.take()
    }

    /// Zeroed memory that the collector scans conservatively, until [`Context::shadow_release`] of
    /// an earlier mark. For what is given back before guest code is called again, unless that asks
    /// [`Context::is_shadow_full`].
    ///
    /// # Panics
    /// With [`StackExhausted`](crate::StackExhausted) if there is no room.
    pub fn shadow_alloc(&mut self, words: usize) -> *mut u64 {
        self.shadow.alloc(words)
    }

    /// The same for a frame, which leaves some memory to [`Context::shadow_alloc`].
    ///
    /// # Panics
    /// With [`StackExhausted`](crate::StackExhausted) if there is no room.
    pub fn shadow_alloc_frame(&mut self, words: usize) -> *mut u64 {
        self.shadow.alloc_frame(words)
    }

    /// Whether there is room for frames of so many words.
    pub fn shadow_fits(&mut self, words: usize) -> bool {
        self.shadow.fits(words)
    }

    /// Whether so much of the shadow stack is in use that no guest code may be called: the rest is
    /// for what is under way.
    #[inline]
    pub fn is_shadow_full(&self) -> bool {
        self.shadow.is_full()
    }

    /// How much of the shadow stack is in use.
    pub fn shadow_mark(&self) -> usize {
        self.shadow.mark()
    }

    /// Frees everything allocated on the shadow stack since the mark was taken.
    pub fn shadow_release(&mut self, mark: usize) {
        self.shadow.release(mark);
    }

    /// Keeps the object that the word points to, if it does, alive until [`Context::unpin`];
    /// counted.
    pub fn pin(&mut self, word: u64) {
        let _own = detector::own();
        let count = self.pins.entry(word).or_insert(0);
        *count += 1;
        if *count == 1 {
            self.young_pins.add(word);
        }
    }

    /// Undoes one [`Context::pin`] of the same word.
    ///
    /// # Panics
    /// If the word is not pinned.
    pub fn unpin(&mut self, word: u64) {
        let count = self
            .pins
            .get_mut(&word)
            .expect("`unpin` of a word that is not pinned");
        *count -= 1;
        if *count == 0 {
            self.pins.remove(&word);
        }
    }

    /// Frees what nothing refers to.
    ///
    /// # Panics
    /// In stress mode, if a field is found to refer to something that is no object of this heap.
    #[inline(never)]
    pub fn collect(&mut self) {
        self.collect_quietly(Scope::All);
        if let Some(message) = self.take_stray() {
            panic!("{message}")
        }
    }

    #[inline(never)]
    pub(crate) fn collect_quietly(&mut self, scope: Scope) {
        let _own = detector::own();
        self.signals.set_collecting(true);
        stack::with_spilled_registers(&mut |top| self.collect_from(top, scope));
        self.signals.set_collecting(false);
    }

    /// Frees what nothing refers to of what has been allocated since the last collection, whatever
    /// it was. Takes time for what of that is live, for the registers of guest frames, and for
    /// where references have been stored, but not for the rest of the heap.
    ///
    /// # Panics
    /// As [`Context::collect`].
    #[inline(never)]
    pub fn collect_young(&mut self) {
        self.collect_quietly(Scope::Young);
        if let Some(message) = self.take_stray() {
            panic!("{message}")
        }
    }

    /// What the check of the heap has found in stress mode, once.
    pub(crate) fn take_stray(&mut self) -> Option<String> {
        self.heap.take_stray()
    }

    /// What the heap has done so far.
    pub fn heap_stats(&self) -> HeapStats {
        self.heap.stats(self.bump())
    }

    /// The object with this cell in it, if it was there at the last collection.
    pub(crate) fn old_object_at(&self, cell: usize) -> Option<*mut u8> {
        self.heap.old_object_at(cell)
    }

    /// Whether a call of this function is one of those whose accesses are checked.
    pub(crate) fn counts_as_checked(&mut self, info: &FnInfo) -> bool {
        self.checked_calls.count(info)
    }

    pub(crate) fn roots(&self) -> &Rc<RootTable> {
        &self.roots
    }

    fn bump(&self) -> Bump {
        Bump {
            cursor: self.cursor,
            limit: self.limit,
        }
    }

    fn set_bump(&mut self, bump: Bump) {
        self.cursor = bump.cursor;
        self.limit = bump.limit;
    }

    /// Collects with everything above `top` on the native stack as roots.
    fn collect_from(&mut self, top: *const u64, scope: Scope) {
        let mut bump = self.bump();
        let native = self.base.range(top);
        let (shadow, pins, roots) = (&self.shadow, &self.pins, &self.roots);
        let (exits, results, young_pins) = (&self.exits, &self.results, &self.young_pins);
        let activations = self.activations.as_deref().map(Activations::words);
        let mut visit = |visitor: &mut dyn RootVisitor, scope: Scope| {
            // SAFETY: the ranges are readable memory.
            unsafe {
                visitor.words(native.start, native.end);
                let shadow = shadow.words();
                visitor.words(shadow.start, shadow.end);
                let exits = exits.as_ptr_range();
                visitor.words(exits.start, exits.end);
                let results = results.as_ptr_range();
                visitor.words(results.start, results.end);
                if let Some(activations) = &activations {
                    visitor.words(activations.start, activations.end);
                }
            }
            match scope {
                Scope::Young => young_pins.iter().for_each(|word| visitor.word(word)),
                Scope::All => pins.keys().for_each(|&word| visitor.word(word)),
            }
            roots.visit(visitor);
        };
        (self.heap).collect(scope, &mut bump, &mut visit, &mut |survivors| {
            roots.settle(survivors, scope)
        });
        self.set_bump(bump);
        self.young_pins.clear();
        if self.is_exhausted() && scope == Scope::All && !self.heap.is_starved() {
            self.set_exhausted(false);
        }
    }

    /// Collects if it is time to before so many bytes are allocated; answers what.
    pub(crate) fn collect_if_due(&mut self, size: usize) -> Option<Scope> {
        let due = self.stress.is_on() || self.heap.due(size);
        let scope = due.then(|| self.heap.scope())?;
        self.collect_quietly(scope);
        Some(scope)
    }

    /// Allocates by the book: collects if it is time, and at the limit. Null if there is no room
    /// even then and the limit holds, if the system has no memory, if this is not the stack that
    /// the context is entered on, or if stress mode has found a stray reference: whoever asks
    /// cannot unwind, and [`HeapExhausted::raise`](crate::HeapExhausted::raise) knows why.
    pub(crate) fn allocate(&mut self, size: usize, word: i32, bound: Bound) -> *mut u8 {
        let _own = detector::own();
        if self.base.is_left() {
            self.heap.set_stray(stack::SWITCHED.to_owned());
            return null_mut();
        }
        let mut collected = self.collect_if_due(size);
        if bound == Bound::None && self.is_exhausted() {
            // It would be collected in vain each time.
            collected = Some(Scope::All);
        }
        loop {
            if self.heap.has_stray() {
                return null_mut();
            }
            let object = self.take(size, word, Bound::Limit);
            if !object.is_null() {
                return object;
            }
            if collected == Some(Scope::All) {
                break;
            }
            self.collect_quietly(Scope::All);
            collected = Some(Scope::All);
        }
        if bound == Bound::Limit {
            return null_mut();
        }
        self.set_exhausted(true);
        self.take(size, word, bound)
    }

    /// Takes memory for an object and writes its header; null if there is none.
    fn take(&mut self, size: usize, word: i32, bound: Bound) -> *mut u8 {
        let mut bump = self.bump();
        let object = self.heap.allocate(&mut bump, size, bound);
        self.set_bump(bump);
        let Some((object, bits)) = object else {
            return null_mut();
        };
        // SAFETY: fresh memory of at least a header's size.
        unsafe { object.cast::<Header>().write(Header { class: word, bits }) };
        object.as_ptr()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.depth > 0 && std::ptr::eq(CURRENT.get(), self) {
            CURRENT.set(null_mut());
        }
        assert!(self.depth == 0, "a context is dropped while it is entered");
        self.roots.close();
    }
}

/// The dynamic extent of one [`Context::enter`].
struct Entered {
    ctx: *mut Context,
    previous: *mut Context,
}

impl Entered {
    /// # Safety
    /// `ctx` outlives the value.
    unsafe fn new(ctx: *mut Context, base: StackBase) -> Entered {
        // SAFETY: the caller's promise.
        let ctx_ref = unsafe { &mut *ctx };
        if ctx_ref.depth == 0 {
            ctx_ref.base = base;
        } else {
            assert!(
                ctx_ref.base.same_thread(&base),
                "this VM is entered on another thread"
            );
            if !ctx_ref.base.holds(base.frame()) {
                stack::switched();
            }
        }
        let previous = CURRENT.get();
        if !previous.is_null() && previous != ctx {
            // Otherwise it would be current again, here, when somebody may have left it on its own
            // stack. SAFETY: it is entered, so it is alive.
            if !unsafe { (*previous).base.holds(base.frame()) } {
                if ctx_ref.depth == 0 {
                    ctx_ref.base = StackBase::default();
                }
                stack::switched();
            }
            give_up_everything(previous);
        }
        // SAFETY: as above.
        unsafe { (*ctx).depth += 1 };
        CURRENT.set(ctx);
        Entered { ctx, previous }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.previous);
        // SAFETY: the context outlives this value.
        unsafe {
            (*self.ctx).depth -= 1;
            if (*self.ctx).depth == 0 {
                (*self.ctx).base = StackBase::default();
            }
        }
    }
}
