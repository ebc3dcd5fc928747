//! Coroutines as users see them.

use crate::context::Context;
use crate::context::current::current_or_panic;
use crate::coroutine::stacks::CoroutineStack;
use crate::coroutine::switch::{
    CoroutineUnwound, end, end_abandoned, free, off_stack_of, on_stack_of, prepare,
};
use crate::coroutine::table::{CoroutineStatus, Head, Operations, Unwound};
use crate::detector;
use crate::layout::word::Word;
use crate::objects::gc::{Gc, GcClass};
use corosensei::{CoroutineResult, Yielder};
use std::any::{Any, TypeId};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What a coroutine is resumed with.
enum Signal<In> {
    Value(In),
    Unwind,
}

type Ended<Out> = Result<Out, Box<dyn Any + Send>>;
type Machine<In, Out> = corosensei::Coroutine<Signal<In>, Out, Ended<Out>, CoroutineStack>;

/// A coroutine with its types. The head comes first, so that its address is that of all.
#[repr(C)]
struct Typed<In, Out> {
    head: Head,
    machine: Machine<In, Out>,
    /// While it runs, or has run.
    yielder: *const Yielder<Signal<In>, Out>,
}

/// A coroutine: code that runs on a native stack of its own. It is resumed with a value and yields
/// another one, from within any number of calls, in native code and in code of the JIT alike.
///
/// It belongs to an object of the guest, which keeps [`Coroutine::number`] in a field. If nothing
/// refers to that object any more, the coroutine is unwound: values on its stack are dropped, as if
/// it had panicked. That happens where another coroutine is made or resumed, or with the VM.
///
/// A suspended coroutine costs the pages of its stack that it has touched, two for most, and half a
/// kilobyte. Recursion that is too deep for it ends as it does elsewhere, with
/// [`StackExhausted`](crate::StackExhausted).
///
/// ```
/// use verdigris_heap::{Cell, Coroutine, Gc, Step, gc_class, with_heap};
/// struct Generator { number: Cell<u64> }
/// gc_class! { Generator { number: Cell<u64> } }
/// with_heap(Default::default(), || {
///     let generator = Gc::new(Generator { number: Cell::new(0) });
///     let squares = Coroutine::<i64, i64>::new(generator, |first| {
///         let second = Coroutine::<i64, i64>::suspend(first * first);
///         second * second
///     });
///     generator.number.set(squares.expect("a stack").number());
///     let squares = Coroutine::<i64, i64>::from_number(generator.number.get());
///     assert!(matches!(squares.resume(3), Ok(Step::Yielded(9))));
///     assert!(matches!(squares.resume(4), Ok(Step::Returned(16))));
///     assert!(squares.resume(5).is_err());
/// });
/// ```
pub struct Coroutine<In, Out> {
    number: u64,
    types: PhantomData<fn(In) -> Out>,
}

/// How far a coroutine has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<Out> {
    /// It has yielded this value, and can be resumed.
    Yielded(Out),
    /// It has ended with this value.
    Returned(Out),
}

/// Why a coroutine was not resumed: it is not suspended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResumeError(pub CoroutineStatus);

impl fmt::Display for ResumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            CoroutineStatus::Dead => "the coroutine has ended",
            _ => "the coroutine is not suspended",
        })
    }
}

impl std::error::Error for ResumeError {}

/// The system has no more room for the stacks of coroutines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoStackError;

impl fmt::Display for NoStackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there are too many coroutines")
    }
}

impl std::error::Error for NoStackError {}

impl<In, Out> Clone for Coroutine<In, Out> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<In, Out> Copy for Coroutine<In, Out> {}

impl<In, Out> fmt::Debug for Coroutine<In, Out> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Coroutine").field(&self.number).finish()
    }
}

impl<In: Copy + 'static, Out: Copy + 'static> Coroutine<In, Out> {
    /// A coroutine that belongs to `holder` and runs `body` when it is first resumed.
    ///
    /// # Errors
    /// If the system has no more stacks.
    ///
    /// # Panics
    /// If no VM is entered on this thread.
    pub fn new<H: GcClass>(
        holder: Gc<H>,
        body: impl FnOnce(In) -> Out + 'static,
    ) -> Result<Coroutine<In, Out>, NoStackError> {
        let ctx = current_or_panic();
        // SAFETY: the current context is alive; nothing of it is borrowed while code of the guest
        // runs.
        unsafe {
            (*ctx).check_runs_here();
            end_abandoned(ctx);
            if let Some(scope) = (*ctx).coroutines.due() {
                (*ctx).collect_quietly(scope);
                end_abandoned(ctx);
            }
            let mut stack = (*ctx).coroutines.pool.take();
            if stack.is_none() {
                (*ctx).collect();
                end_abandoned(ctx);
                stack = (*ctx).coroutines.pool.take();
            }
            let stack = stack.ok_or(NoStackError)?;
            Ok(Coroutine::on(ctx, holder.to_word(), stack, body))
        }
    }

    /// # Safety
    /// `ctx` is the current context, and `holder` the address of an object.
    unsafe fn on<F: FnOnce(In) -> Out + 'static>(
        ctx: *mut Context,
        holder: u64,
        stack: CoroutineStack,
        body: F,
    ) -> Coroutine<In, Out> {
        let _own = detector::own();
        let usable = stack.usable();
        // The body lies at the upper end, with what the first switch needs.
        let top = usable.end
            - (size_of::<F>() + 1024)
                .next_multiple_of(16)
                .min(usable.len());
        // SAFETY: the caller's promise. The coroutine is freed by the address of its head.
        unsafe {
            let coroutines = &mut (*ctx).coroutines;
            let number = coroutines.reserve();
            let state = coroutines.new_state(&usable, &(*ctx).stack);
            let types = TypeId::of::<(In, Out)>();
            let operations = const { &operations::<In, Out>() };
            let head = Head::new(number, holder, types, (usable, top), state, operations);
            let typed = Box::into_raw(Box::<Typed<In, Out>>::new_uninit());
            let typed = typed.cast::<Typed<In, Out>>();
            let machine = Machine::with_stack(stack, move |yielder, signal| {
                (*typed).yielder = yielder;
                match signal {
                    Signal::Value(value) => {
                        let _guests = detector::guests();
                        catch_unwind(AssertUnwindSafe(|| body(value)))
                    }
                    Signal::Unwind => unreachable!("the body of an unused coroutine is dropped"),
                }
            });
            typed.write(Typed {
                head,
                machine,
                yielder: std::ptr::null(),
            });
            (*ctx).coroutines.add(typed.cast());
            Coroutine::from_number(number)
        }
    }

    /// The coroutine with this number.
    #[inline]
    pub fn from_number(number: u64) -> Coroutine<In, Out> {
        Coroutine {
            number,
            types: PhantomData,
        }
    }

    /// Its number, which is not 0 and, unlike the address of an object, never that of another one.
    #[inline]
    pub fn number(self) -> u64 {
        self.number
    }

    /// What it is doing.
    ///
    /// # Panics
    /// If no VM is entered on this thread.
    pub fn status(self) -> CoroutineStatus {
        let ctx = current_or_panic();
        // SAFETY: the current context is alive, and coroutines that are found are in use.
        unsafe {
            let head = (*ctx).coroutines.find(self.number);
            head.map_or(CoroutineStatus::Dead, |head| (*head).status.get())
        }
    }

    /// The coroutine that runs, if there is one, and it takes and gives values of these types.
    pub fn running() -> Option<Coroutine<In, Out>> {
        // SAFETY: a current context is alive, and so is what runs.
        let running = unsafe { Context::current().as_ref()?.coroutines.running.as_ref()? };
        let is_ours = running.types == TypeId::of::<(In, Out)>();
        is_ours.then(|| Coroutine::from_number(running.number))
    }

    /// Runs it until it yields or ends. It is given the value as the argument of its body, or as
    /// what [`Coroutine::suspend`] returns. A panic in it ends it and goes on here.
    ///
    /// # Errors
    /// If it is not suspended.
    ///
    /// # Panics
    /// If it does; if no VM is entered on this thread, if the coroutine's types are others, and
    /// with [`HeapExhausted`](crate::HeapExhausted) if objects that only compiled code knows have
    /// to be made, and there is no room.
    pub fn resume(self, value: In) -> Result<Step<Out>, ResumeError> {
        let ctx = current_or_panic();
        // SAFETY: the current context is alive; nothing of it is borrowed while code of the guest
        // runs. The types of the coroutine are checked.
        unsafe {
            end_abandoned(ctx);
            let head = self.suspended(ctx)?;
            prepare(ctx);
            let typed = head.cast::<Typed<In, Out>>();
            let machine = &raw mut (*typed).machine;
            let result = on_stack_of(ctx, head, || (*machine).resume(Signal::Value(value)));
            match result {
                CoroutineResult::Yield(value) => Ok(Step::Yielded(value)),
                CoroutineResult::Return(ended) => {
                    free(ctx, head);
                    match ended {
                        Ok(value) => Ok(Step::Returned(value)),
                        Err(payload) => resume_unwind(payload),
                    }
                }
            }
        }
    }

    /// Ends it: values on its stack are dropped. A panic meanwhile goes on here.
    ///
    /// # Errors
    /// If it is not suspended.
    ///
    /// # Panics
    /// As [`Coroutine::resume`].
    pub fn unwind(self) -> Result<(), ResumeError> {
        let ctx = current_or_panic();
        // SAFETY: as in `resume`.
        unsafe {
            let head = self.suspended(ctx)?;
            prepare(ctx);
            match end(ctx, head) {
                Ok(()) => Ok(()),
                Err(payload) => resume_unwind(payload),
            }
        }
    }

    /// # Safety
    /// `ctx` is the current context.
    unsafe fn suspended(self, ctx: *mut Context) -> Result<*mut Head, ResumeError> {
        // SAFETY: the caller's promise; coroutines that are found are in use.
        unsafe {
            let head = (*ctx).coroutines.find(self.number);
            let head = head.ok_or(ResumeError(CoroutineStatus::Dead))?;
            assert!(
                (*head).types == TypeId::of::<(In, Out)>(),
                "a coroutine takes and gives values of other types"
            );
            match (*head).status.get() {
                CoroutineStatus::Suspended => Ok(head),
                other => Err(ResumeError(other)),
            }
        }
    }

    /// Suspends the coroutine that runs, which [`Coroutine::resume`] gives this value. Returns what
    /// it is resumed with.
    ///
    /// # Panics
    /// If no coroutine of these types runs ([`Coroutine::running`]); with [`CoroutineUnwound`] if
    /// nothing refers to it any more; and as [`Coroutine::resume`].
    pub fn suspend(value: Out) -> In {
        let ctx = current_or_panic();
        // SAFETY: the current context is alive, and so is what runs. The types are checked.
        unsafe {
            let head = (*ctx).coroutines.running;
            let is_ours = !head.is_null() && (*head).types == TypeId::of::<(In, Out)>();
            assert!(is_ours, "no coroutine runs that gives such values");
            prepare(ctx);
            if (*head).unwinds.get() {
                resume_unwind(Box::new(CoroutineUnwound));
            }
            let yielder = (*head.cast::<Typed<In, Out>>()).yielder;
            match off_stack_of(head, || (*yielder).suspend(value)) {
                Signal::Value(value) => value,
                Signal::Unwind => resume_unwind(Box::new(CoroutineUnwound)),
            }
        }
    }
}

const fn operations<In: Copy + 'static, Out: Copy + 'static>() -> Operations {
    Operations {
        unwind: unwind::<In, Out>,
        free: free_typed::<In, Out>,
    }
}

/// Ends a suspended coroutine.
///
/// # Safety
/// As for [`end`]; it has these types.
unsafe fn unwind<In: Copy + 'static, Out: Copy + 'static>(head: *mut Head) -> Unwound {
    let ctx = Context::current();
    // SAFETY: the caller's promise.
    unsafe {
        let machine = &raw mut (*head.cast::<Typed<In, Out>>()).machine;
        if !(*machine).started() {
            // Drops the body, on this stack.
            return catch_unwind(AssertUnwindSafe(|| (*machine).force_unwind()));
        }
        loop {
            let result = on_stack_of(ctx, head, || (*machine).resume(Signal::Unwind));
            match result {
                CoroutineResult::Yield(_) => {}
                CoroutineResult::Return(Err(payload)) if !payload.is::<CoroutineUnwound>() => {
                    return Err(payload);
                }
                CoroutineResult::Return(_) => return Ok(()),
            }
        }
    }
}

/// Frees a coroutine that has ended, or whose values on the stack are not dropped.
///
/// # Safety
/// It is one with these types, and does not run.
unsafe fn free_typed<In, Out>(head: *mut Head) {
    // SAFETY: the caller's promise: it was a box.
    unsafe {
        let mut typed = Box::from_raw(head.cast::<Typed<In, Out>>());
        typed.machine.force_reset();
    }
}
