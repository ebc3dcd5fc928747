//! The coroutines of a context, and what of them the collector looks at.
//!
//! A coroutine belongs to an object, its *holder*. While it is suspended, what its stacks refer to
//! lives as long as the holder; those of running coroutines, and of what has resumed them, are
//! roots. If nothing refers to the holder any more, the coroutine is *abandoned*: its stacks are
//! roots until it has been unwound.
//!
//! Invariant: a coroutine that has not run since the last collection refers to old objects only.

use crate::collector::{CollectScope, RootVisitor};
use crate::context::native_stack::{EnteredStack, STACK_RESERVE};
use crate::context::shadow_stack::{OwnedShadow, ShadowStack};
use crate::context::suspended::Suspended;
use crate::coroutine::stacks::StackPool;
use std::any::{Any, TypeId};
use std::cell::{Cell, UnsafeCell};
use std::ops::Range;
use std::ptr::null_mut;
use std::rc::Rc;

/// Coroutines that can be made before it is time to look for abandoned ones.
const MANY: usize = 1000;
/// Shadow stacks that are kept for coroutines to come.
const SPARE: usize = 8;

/// What a coroutine is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoroutineStatus {
    /// It waits to be resumed.
    Suspended,
    /// It runs.
    Running,
    /// It has resumed another one.
    Normal,
    /// It has ended.
    Dead,
}

/// What an engine keeps of a stack while another one runs.
#[derive(Default)]
pub struct EngineStack {
    /// Whether code has run on the stack.
    pub is_used: bool,
    /// Whatever the engine likes.
    pub words: [u64; 2],
    /// The same.
    pub more: Option<Box<dyn Any>>,
}

/// What belongs to a native stack.
pub(crate) struct StackState {
    pub(crate) entered: EnteredStack,
    pub(crate) suspended: *mut Suspended,
    pub(crate) shadow: OwnedShadow,
    pub(crate) engine: EngineStack,
}

/// What all coroutines have.
pub(crate) struct Head {
    pub(crate) number: u64,
    /// The address of the holder; 0 if the coroutine is abandoned.
    pub(crate) holder: Cell<u64>,
    pub(crate) status: Cell<CoroutineStatus>,
    /// Whether it ends at its next switch.
    pub(crate) unwinds: Cell<bool>,
    is_recent: Cell<bool>,
    /// The types of the values that it is given and gives.
    pub(crate) types: TypeId,
    /// The addresses of its native stack.
    pub(crate) stack: Range<usize>,
    /// Its own state while it is suspended; that of what has resumed it while it is not.
    pub(crate) state: UnsafeCell<StackState>,
    /// Where the native stack of that state begins.
    pub(crate) top: Cell<*const u64>,
    /// Where its own begins since it has yielded last.
    pub(crate) yielded: Cell<*const u64>,
    /// The coroutine that has resumed it.
    pub(crate) outer: Cell<*mut Head>,
    pub(crate) operations: &'static Operations,
}

/// What depends on the types of values.
pub(crate) struct Operations {
    /// Ends a suspended coroutine of the current context.
    pub(crate) unwind: unsafe fn(head: *mut Head) -> Unwound,
    /// Frees one that has ended, or will not.
    pub(crate) free: unsafe fn(head: *mut Head),
}

/// Whether a coroutine has panicked while it was unwound.
pub(crate) type Unwound = Result<(), Box<dyn Any + Send>>;

/// The coroutines of a context.
pub(crate) struct Coroutines {
    slots: Vec<(u32, *mut Head)>,
    free: Vec<u32>,
    /// The one that runs.
    pub(crate) running: *mut Head,
    /// Those that have run since the last collection.
    recent: Vec<u32>,
    /// Those to unwind.
    abandoned: Vec<u32>,
    /// How many have been made since the last collection.
    made: usize,
    alive: usize,
    /// How many there were after the last collection of everything.
    kept: usize,
    pub(crate) pool: Rc<StackPool>,
    shadows: Vec<OwnedShadow>,
    /// Those without memory that these have replaced.
    unused: Vec<OwnedShadow>,
}

impl Coroutines {
    /// None yet.
    pub(crate) fn new() -> Coroutines {
        Coroutines {
            slots: Vec::new(),
            free: Vec::new(),
            running: null_mut(),
            recent: Vec::new(),
            abandoned: Vec::new(),
            made: 0,
            alive: 0,
            kept: 0,
            pool: StackPool::new(),
            shadows: Vec::new(),
            unused: Vec::new(),
        }
    }

    /// The state of a stack that nothing has run on yet, like that of `resumer`.
    pub(crate) fn new_state(&self, stack: &Range<usize>, resumer: &EnteredStack) -> StackState {
        let limit = match resumer.limit {
            0 => 0,
            _ => stack.start + STACK_RESERVE,
        };
        StackState {
            entered: EnteredStack {
                base: resumer.base.on(stack.clone()),
                depth: 1,
                limit,
                ..EnteredStack::default()
            },
            suspended: null_mut(),
            shadow: Box::new(ShadowStack::on(stack.end - stack.start)),
            engine: EngineStack::default(),
        }
    }

    /// A number for another coroutine.
    pub(crate) fn reserve(&mut self) -> u64 {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, null_mut()));
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        slot.0 = slot.0.wrapping_add(1).max(1);
        u64::from(slot.0) << 32 | u64::from(index)
    }

    /// A coroutine with a number from [`Coroutines::reserve`].
    pub(crate) fn add(&mut self, head: *mut Head) {
        // SAFETY: the head is new.
        let index = unsafe { (*head).number } as u32;
        self.slots[index as usize].1 = head;
        self.made += 1;
        self.alive += 1;
        // SAFETY: as above.
        self.ran(unsafe { &*head });
    }

    /// The coroutine with a number, unless it has ended.
    #[inline]
    pub(crate) fn find(&self, number: u64) -> Option<*mut Head> {
        let &(generation, head) = self.slots.get(number as u32 as usize)?;
        (generation == (number >> 32) as u32 && !head.is_null()).then_some(head)
    }

    /// Forgets a coroutine that has ended.
    pub(crate) fn remove(&mut self, number: u64) {
        self.slots[number as u32 as usize].1 = null_mut();
        self.free.push(number as u32);
        self.alive -= 1;
    }

    /// The coroutine is about to run.
    #[inline]
    pub(crate) fn ran(&mut self, head: &Head) {
        if !head.is_recent.replace(true) {
            self.recent.push(head.number as u32);
        }
    }

    /// Whether so many have been made that it is time to look for abandoned ones, and where.
    pub(crate) fn due(&self) -> Option<CollectScope> {
        match self.made >= MANY + self.alive / 4 {
            true if self.alive >= MANY + 2 * self.kept => Some(CollectScope::All),
            true => Some(CollectScope::Young),
            false => None,
        }
    }

    /// The next to unwind.
    #[inline]
    pub(crate) fn next_abandoned(&mut self) -> Option<*mut Head> {
        while let Some(index) = self.abandoned.pop() {
            let head = self.slots[index as usize].1;
            // SAFETY: heads in slots are in use.
            if !head.is_null() && unsafe { (*head).holder.get() } == 0 {
                return Some(head);
            }
        }
        None
    }

    /// All that have not ended.
    pub(crate) fn all(&self) -> impl Iterator<Item = *mut Head> + '_ {
        let heads = self.slots.iter().map(|slot| slot.1);
        heads.filter(|head| !head.is_null())
    }

    /// A shadow stack that another coroutine has left, if there is one.
    #[inline]
    pub(crate) fn lend_shadow(&mut self, shadow: &mut OwnedShadow) {
        if !shadow.has_memory()
            && let Some(spare) = self.shadows.pop()
        {
            self.unused.push(std::mem::replace(shadow, spare));
        }
    }

    /// Takes a shadow stack back that nothing uses.
    #[inline]
    pub(crate) fn take_shadow(&mut self, shadow: &mut OwnedShadow, stack: &Range<usize>) {
        if shadow.has_memory() && shadow.mark() == 0 {
            let unused = self.unused.pop();
            let unused =
                unused.unwrap_or_else(|| Box::new(ShadowStack::on(stack.end - stack.start)));
            let shadow = std::mem::replace(shadow, unused);
            if self.shadows.len() < SPARE {
                self.shadows.push(shadow);
            }
        }
    }

    /// Visits what stacks refer to that are not the current one.
    ///
    /// # Safety
    /// All of them are in memory.
    pub(crate) unsafe fn visit(&self, visitor: &mut dyn RootVisitor, scope: CollectScope) {
        // SAFETY: the caller's promise; heads in slots are in use.
        unsafe {
            let mut head = self.running;
            while !head.is_null() {
                visitor.word((*head).holder.get());
                for (start, end) in (*head).ranges() {
                    visitor.words(start, end);
                }
                head = (*head).outer.get();
            }
            let mut suspended = |head: *mut Head| {
                if (*head).status.get() != CoroutineStatus::Suspended {
                    return;
                }
                let holder = (*head).holder.get();
                for (start, end) in (*head).ranges() {
                    match holder {
                        0 => visitor.words(start, end),
                        _ => visitor.held_words((*head).number as u32 as usize, holder, start, end),
                    }
                }
            };
            match scope {
                CollectScope::All => self.all().for_each(suspended),
                CollectScope::Young => {
                    for &index in &self.recent {
                        let head = self.slots[index as usize].1;
                        if !head.is_null() {
                            suspended(head);
                        }
                    }
                }
            }
        }
    }

    /// Marking is over: nothing refers to the holders of these any more.
    pub(crate) fn settle(&mut self, dead: &[usize], scope: CollectScope) {
        for &index in dead {
            // SAFETY: heads in slots are in use.
            unsafe { (*self.slots[index].1).holder.set(0) };
            self.abandoned.push(index as u32);
        }
        let mut recent = std::mem::take(&mut self.recent);
        // One that runs may store references on its stack at any time.
        recent.retain(|&index| {
            let head = self.slots[index as usize].1;
            // SAFETY: as above.
            match unsafe { head.as_ref() } {
                Some(head) if head.status.get() == CoroutineStatus::Suspended => {
                    head.is_recent.set(false);
                    false
                }
                Some(_) => true,
                None => false,
            }
        });
        self.recent = recent;
        self.made = 0;
        if scope == CollectScope::All {
            self.kept = self.alive - self.abandoned.len().min(self.alive);
        }
    }
}

impl Head {
    /// A coroutine that has not run yet: what it begins with lies from `top` on.
    pub(crate) fn new(
        number: u64,
        holder: u64,
        types: TypeId,
        (stack, top): (Range<usize>, usize),
        state: StackState,
        operations: &'static Operations,
    ) -> Head {
        Head {
            number,
            holder: Cell::new(holder),
            status: Cell::new(CoroutineStatus::Suspended),
            unwinds: Cell::new(false),
            is_recent: Cell::new(false),
            types,
            stack,
            state: UnsafeCell::new(state),
            top: Cell::new(std::ptr::with_exposed_provenance(top)),
            yielded: Cell::new(std::ptr::with_exposed_provenance(top)),
            outer: Cell::new(null_mut()),
            operations,
        }
    }

    /// The memory that belongs to its state.
    ///
    /// # Safety
    /// Nothing changes the state meanwhile.
    unsafe fn ranges(&self) -> [(*const u64, *const u64); 2] {
        // SAFETY: the caller's promise.
        let state = unsafe { &*self.state.get() };
        let shadow = state.shadow.words();
        let native = (self.top.get(), state.entered.base.end());
        [native, (shadow.start, shadow.end)]
    }
}
