//! The execution context: what one VM has at run time.
//!
//! A context is boxed and never moves, since compiled code addresses its fields. It is entered on
//! one thread at a time. Everything that can refer to an object between two operations is visited
//! as a root.

pub(crate) mod activations;
pub(crate) mod allocation;
pub(crate) mod buffer;
pub(crate) mod call_sampler;
pub(crate) mod claim;
pub(crate) mod current;
pub(crate) mod exhaustion;
pub(crate) mod native_stack;
pub(crate) mod payloads;
pub(crate) mod shadow_stack;
pub(crate) mod signals;
pub(crate) mod state;
pub(crate) mod suspended;
pub(crate) mod watches;

use crate::collector::dedup_list::DedupList;
use crate::collector::mark_region::MarkRegion;
use crate::collector::options::{HeapOptions, Stress};
use crate::context::activations::Activations;
use crate::context::call_sampler::{Calls, Touched};
use crate::context::native_stack::EnteredStack;
use crate::context::payloads::HeapExhausted;
use crate::context::shadow_stack::ShadowStack;
use crate::context::signals::Signals;
use crate::context::state::{EntryKind, StateShape};
use crate::context::suspended::{Access, Suspended};
use crate::context::watches::Watches;
use crate::coroutine::table::{Coroutines, EngineStack};
use crate::detector;
use crate::layout::parts::MAX_PARTS;
use crate::memory::{address_space, reserve};
use crate::roots::table::RootTable;
use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use verdigris_ops::FnInfo;

/// Words in the exit buffer.
pub const EXIT_WORDS: usize = 1024;

/// The type of [`Context::can_enter`]: gets how the merge point was reached, the hash of the
/// greens, an address in the portal's frame, and the greens and reds as words. 0: go on
/// interpreting; 1: go on at the merge point with the words now in `state`; 2: return the value
/// whose words are at the start of `state`, which has room for them.
pub type CanEnter = unsafe fn(
    ctx: *mut Context,
    pass: EntryKind,
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

/// The type of [`Context::switch_stack`]: exchanges what the engine has of the current stack for
/// what it has kept of another.
pub type SwitchStack = unsafe fn(ctx: *mut Context, other: &mut EngineStack);

/// What is wrong with what a call of a function has touched.
pub type CheckTouched =
    unsafe fn(ctx: *mut Context, info: &FnInfo, touched: &[Touched]) -> Option<String>;

/// The type of [`Context::claim`]: gets an address within the object, and makes the heap hold what
/// is true of it.
pub type Claim =
    unsafe fn(ctx: *mut Context, address: u64, access: Access) -> Result<(), HeapExhausted>;

/// Words that keep their objects alive until they are unpinned.
#[derive(Default)]
struct Pins {
    counts: BTreeMap<u64, u32>,
    /// Those pinned since the last collection, also if they are no more: code may have stored them
    /// without a barrier.
    young: DedupList<u64>,
}

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
    /// The code that assumes what quasi-immutable fields hold.
    pub watches: Watches,
    /// What `signal` is a part of.
    signals: Arc<Signals>,
    payload: Option<Box<dyn Any + Send>>,
    /// A panic that waits until machine code has been left, which it could not unwind through.
    late_payload: Option<Box<dyn Any + Send>>,
    /// Checks what called functions touch; only in builds with debug assertions.
    pub check_touched: Option<CheckTouched>,
    checked_calls: Calls,
    /// Where native code notes activations of the portal, while the counters of calls are
    /// [`Signals::noted`].
    pub activations: Option<Rc<Activations>>,
    /// Whom a switch between native stacks tells.
    pub switch_stack: Option<SwitchStack>,
    pub(crate) stack: EnteredStack,
    pub(crate) heap: MarkRegion,
    stress: Stress,
    /// Allocations so far under [`Stress::Sparse`].
    counted: u32,
    pub(crate) shadow: Box<ShadowStack>,
    pub(crate) coroutines: Coroutines,
    roots: Rc<RootTable>,
    pins: Pins,
}

impl Context {
    /// A context with an empty heap.
    pub fn new(options: HeapOptions) -> Box<Context> {
        let _own = detector::own();
        reserve::renew_reserve();
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
            cards: address_space::card_of_zero(),
            stack_limit: 0,
            exhausted: 0,
            exits: [0; EXIT_WORDS],
            results: [0; MAX_PARTS],
            signals,
            payload: None,
            late_payload: None,
            check_touched: None,
            checked_calls: Calls::default(),
            activations: None,
            switch_stack: None,
            stack: EnteredStack::default(),
            heap: MarkRegion::new(options),
            stress: options.stress,
            counted: 0,
            shadow: Box::new(ShadowStack::new()),
            coroutines: Coroutines::new(),
            roots: RootTable::new(),
            pins: Pins::default(),
        })
    }

    /// Whether it is known that this address is on the stack that the context is entered on, and
    /// above its limit.
    #[inline(always)]
    pub fn has_stack_at(&self, address: usize) -> bool {
        self.stack.room.holds(address)
    }

    /// Panics if this is not the stack that the context is entered on.
    pub(crate) fn check_runs_here(&mut self) {
        if self.stack.base.is_left() {
            native_stack::switched();
        }
    }

    /// Panics if an address is not on the stack that the context is entered on.
    ///
    /// # Panics
    /// If the stacks have been switched.
    pub fn check_runs_at(&mut self, address: usize) {
        if !self.stack.base.holds(address) {
            native_stack::switched();
        }
        // More may be known of the stack than before.
        self.show_stack_limit();
    }

    /// What other threads may touch, and the counters of `can_enter_jit!`.
    #[inline(always)]
    pub fn signals(&self) -> &Arc<Signals> {
        &self.signals
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
        self.late_payload = Some(payload);
    }

    /// Whether a panic waits to go on ([`Context::take_late`]).
    #[inline]
    pub fn has_late(&self) -> bool {
        self.late_payload.is_some()
    }

    /// Takes a panic that machine code was in the way of.
    pub fn take_late(&mut self) -> Option<Box<dyn Any + Send>> {
        self.late_payload.take()
    }

    /// Zeroed memory that the collector scans conservatively, until [`Context::shadow_release`] of
    /// an earlier mark. For what is given back before guest code is called again, unless that asks
    /// [`Context::is_shadow_full`].
    ///
    /// # Panics
    /// With [`StackExhausted`](crate::StackExhausted) if there is no room.
    #[inline]
    pub fn shadow_alloc(&mut self, words: usize) -> *mut u64 {
        self.shadow.alloc(words)
    }

    /// The same for a frame, which leaves some memory to [`Context::shadow_alloc`].
    ///
    /// # Panics
    /// With [`StackExhausted`](crate::StackExhausted) if there is no room.
    #[inline]
    pub fn shadow_alloc_frame(&mut self, words: usize) -> *mut u64 {
        self.shadow.alloc_frame(words)
    }

    /// Whether there is room for frames of this many words.
    #[inline]
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
    #[inline]
    pub fn shadow_mark(&self) -> usize {
        self.shadow.mark()
    }

    /// Frees everything allocated on the shadow stack since the mark was taken.
    #[inline]
    pub fn shadow_release(&mut self, mark: usize) {
        self.shadow.release(mark);
    }

    /// Keeps the object that the word points to, if it does, alive until [`Context::unpin`];
    /// counted.
    pub fn pin(&mut self, word: u64) {
        let _own = detector::own();
        let count = self.pins.counts.entry(word).or_insert(0);
        *count += 1;
        if *count == 1 {
            self.pins.young.add(word);
        }
    }

    /// Undoes one [`Context::pin`] of the same word.
    ///
    /// # Panics
    /// If the word is not pinned.
    pub fn unpin(&mut self, word: u64) {
        let counts = &mut self.pins.counts;
        let count = counts
            .get_mut(&word)
            .expect("`unpin` of a word that is not pinned");
        *count -= 1;
        if *count == 0 {
            counts.remove(&word);
        }
    }
}
