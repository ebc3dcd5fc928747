//! The virtual machine as embedders see it: a heap with a JIT, in which guest code runs.
//!
//! Invariant: VMs share nothing; dropping one frees its heap and its code.

use crate::engine::Engine;
use crate::errors::VmError;
use crate::observe::log::{Log, ReportFile};
use crate::observe::observers::Observers;
use crate::observe::profile::state::Profiled;
use crate::observe::trace_text::KeptTrace;
use crate::params::Options;
use crate::program::{LinkedProgram, Portal, Program};
use crate::run::exhaustion::ExhaustedError;
use crate::run::interrupt::{InterruptHandle, Interrupted};
use crate::run::reports::{Answer, RunReports};
use crate::run::stack;
use crate::threaded_code::calls::{record_of, run_thread};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;
use verdigris_explain::Report;
use verdigris_heap::{Context, StackExhausted, detector};
use verdigris_profile::Profile;
use verdigris_replay::RecordingSettings;
use verdigris_report::LogStage;
use verdigris_report::Stats;

/// Why guest code was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoppedError {
    /// The heap has reached its limit.
    HeapExhausted,
    /// The guest program has recursed too deeply for the native stack.
    StackExhausted,
    /// [`InterruptHandle::interrupt`] has been called. Nothing is broken: the VM can be entered
    /// again.
    Interrupted,
}

impl fmt::Display for StoppedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoppedError::HeapExhausted => f.write_str("the guest program has used up its heap"),
            StoppedError::StackExhausted => StackExhausted.fmt(f),
            StoppedError::Interrupted => Interrupted.fmt(f),
        }
    }
}

impl std::error::Error for StoppedError {}

/// A virtual machine: an interpreter, its heap, and its JIT. Any number of them can exist; one
/// belongs to one thread.
pub struct Vm {
    // The engine unpins what it has pinned when it is dropped, so it comes before the context.
    pub(crate) engine: Rc<Engine>,
    ctx: OwnedContext,
    native_stack: Option<usize>,
    /// The file for the report when the VM is dropped.
    report: RefCell<Option<ReportFile>>,
    /// Whether the log has its end.
    has_finished: Cell<bool>,
}

impl Drop for Vm {
    fn drop(&mut self) {
        // SAFETY: the context is alive and is dropped next.
        unsafe {
            if (*self.ctx.0).has_coroutines() && !self.engine.is_entered() {
                Context::enter(self.ctx.0, || Context::unwind_coroutines(self.ctx.0));
            }
        }
        self.finish();
    }
}

/// A context that compiled code and guest code point to as well.
struct OwnedContext(*mut Context);

impl Drop for OwnedContext {
    fn drop(&mut self) {
        // SAFETY: the pointer comes from a box that nothing else owns.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

impl Vm {
    /// A virtual machine for a program.
    ///
    /// # Errors
    /// If the program or the options make no sense; see [`VmError`].
    pub fn new(program: Program, options: Options) -> Result<Vm, VmError> {
        let _own = detector::own();
        let interpreter = program;
        let log = Log::parse(options.log.as_deref().unwrap_or_default())?;
        let report = options.explain_file.as_deref().map(ReportFile::open);
        let report = report.transpose()?;
        if options.jit.on && options.jit.compiler.needs_green_dispatch() {
            interpreter.check_dispatch()?;
        }
        let mut program = LinkedProgram::new(&interpreter)?;
        let backend = options.jit.backend.create()?;
        let ctx = OwnedContext(Box::into_raw(Context::new(options.heap_options())));
        if let Some(bytes) = options.coroutine_stack {
            // SAFETY: the context is alive and not in use yet.
            unsafe { (*ctx.0).set_coroutine_stack(bytes) };
        }
        let threading = [record_of as *const (), run_thread as *const ()];
        program.set_threading(ctx.0, threading.map(|function| function as usize));
        let program = Rc::new(program);
        let mut observers =
            Observers::new(ctx.0, Rc::clone(&program), log, options.jit.check_hints);
        if let Some(file) = options.record {
            let setting = RecordingSettings {
                unit: &program.unit,
                parameters: &options.jit.to_string(),
                passes: &options.jit.enable_opts.to_string(),
                backend: backend.name(),
                fails_guards: options.jit.fail_guards,
            };
            observers.record(&file, &setting)?;
        }
        observers.log_program(interpreter.graphs());
        observers.hooks = options.hooks;
        if options.keep_places || observers.log.wants(LogStage::Stats) {
            observers.keep_places();
        }
        if options.keep_traces {
            observers.keep_traces();
        }
        if options.explain || report.is_some() {
            observers.keep_explanations();
        }
        let jitdump = options.jit.jitdump.clone();
        let (perf_map, gdb) = (options.jit.perf_map, options.jit.gdb);
        // SAFETY: the engine is dropped before the context.
        let mut engine = unsafe {
            Engine::new(
                ctx.0,
                program,
                options.jit,
                observers,
                backend,
                options.clock,
            )
        };
        if let Some(profiling) = options.profile {
            let pins = engine.code.pin_greens(&[]);
            engine.begin_profile(profiling, pins)?;
        }
        if jitdump.is_some() || perf_map || gdb {
            let observers = &mut engine.observers;
            observers.inspect(jitdump.as_deref(), perf_map, gdb)?;
        }
        engine.begin_journal();
        let engine = Rc::new(engine);
        // SAFETY: the context is alive and not in use yet.
        unsafe { engine.attach() };
        Ok(Vm {
            engine,
            ctx,
            native_stack: options.native_stack,
            report: RefCell::new(report),
            has_finished: Cell::new(false),
        })
    }

    /// Runs `f` with this VM as the current one: objects that it makes live in the VM's heap, and a
    /// portal that it calls is compiled by the VM's JIT. Can be nested.
    ///
    /// The result holds no references to objects: outside nothing keeps these alive. So references
    /// are not `Unpin`, nor is anything with one in it, a `Vec` of them included; other types are,
    /// except for what has to stay where it is, such as the future of an `async` block: `Box::pin`
    /// it. A [`Root`](verdigris_heap::Root) may leave, and says in the next `enter` what it refers
    /// to. What is behind a `Box`, an `Rc` or a reference the compiler does not see.
    ///
    /// ```compile_fail,E0277
    /// # fn result(vm: &verdigris_engine::Vm) {
    /// let array = vm.enter(|| verdigris_heap::GcArray::<i64>::new(3, 0));
    /// # }
    /// ```
    /// ```
    /// # fn result(vm: &verdigris_engine::Vm) {
    /// let array = vm.enter(|| verdigris_heap::Root::new(verdigris_heap::GcArray::<i64>::new(3, 0)));
    /// vm.enter(|| array.get().len());
    /// # }
    /// ```
    /// # Panics
    /// If `f` does, and with a message if the guest program uses up its heap or the native stack,
    /// or is interrupted; [`Vm::try_enter`] answers an error then.
    pub fn enter<R: Unpin>(&self, f: impl FnOnce() -> R) -> R {
        if self.engine.is_entered() {
            // The outermost call reports it.
            return self.enter_quietly(f);
        }
        match self.try_enter(f) {
            Ok(result) => result,
            Err(stopped) => panic!("{stopped}"),
        }
    }

    /// As [`Vm::enter`], with an error if the guest program uses up its heap or the native stack,
    /// or is interrupted. Other panics pass through. The guest's heap is as the program left it,
    /// and the VM can be entered again; only if the system refuses memory in the middle of compiled
    /// code, where stores may be lost with it, does the VM stay stopped.
    ///
    /// # Errors
    /// Why the guest program was stopped.
    pub fn try_enter<R: Unpin>(&self, f: impl FnOnce() -> R) -> Result<R, StoppedError> {
        catch_unwind(AssertUnwindSafe(|| self.enter_quietly(f))).map_err(|payload| {
            match ExhaustedError::of(&*payload) {
                Some(ExhaustedError::Heap) => {
                    self.engine.give_way();
                    StoppedError::HeapExhausted
                }
                Some(ExhaustedError::Stack) => StoppedError::StackExhausted,
                None if payload.is::<Interrupted>() => StoppedError::Interrupted,
                None => resume_unwind(payload),
            }
        })
    }

    /// A handle that stops guest code of this VM from another thread, for time limits and Ctrl-C.
    /// [`Vm::try_enter`] returns [`StoppedError::Interrupted`] then. Loops stop at their next back
    /// edge, recursion at the next call of the portal; an opaque function that does not return is
    /// not stopped.
    ///
    /// Compiled loops check for interrupts from the first call of this on. Code that was compiled
    /// before is freed, unless it runs.
    pub fn interrupt_handle(&self) -> InterruptHandle {
        let _own = detector::own();
        self.engine.make_interruptible();
        InterruptHandle::new(Arc::clone(&self.engine.run.signals))
    }

    /// From now on an interrupt does not stop the guest program: it calls `action` where it would
    /// have stopped, at a back edge or a call of the portal, and the program goes on; with `None`
    /// it stops again. So a guest language makes an error of its own of an interrupt: the action
    /// writes a [`Quasi`](verdigris_heap::Quasi) field that its portal reads there, which compiled
    /// code takes for a constant until then.
    ///
    /// The action runs between two steps of the VM. It writes what there is: it makes no object of
    /// the guest's heap and calls nothing of the guest program.
    pub fn on_interrupt(&self, action: Option<Rc<dyn Fn()>>) {
        let _own = detector::own();
        self.engine.run.on_interrupt.replace(action);
    }

    /// From now on [`InterruptHandle::ask`] makes the VM call `answer` at the guest program's next
    /// back edge or call of the portal, with what there is to report so far; the program goes on.
    ///
    /// The function runs between two steps of the VM. It makes no object of the guest's heap and
    /// calls nothing of the guest program.
    pub fn on_question(&self, answer: Option<Answer>) {
        let _own = detector::own();
        let answer = answer.map(|answer| -> Rc<dyn Fn(&Engine)> {
            Rc::new(move |engine: &Engine| answer(&RunReports::new(engine)))
        });
        self.engine.run.on_question.replace(answer);
    }

    /// Withdraws a pending interrupt: for one that came when the guest program had just ended.
    pub fn clear_interrupt(&self) {
        let counters = self.engine.native_counters();
        self.engine.run.signals.take(counters);
    }

    /// Panics with the payload [`HeapExhausted`](verdigris_heap::HeapExhausted), [`StackExhausted`]
    /// or [`Interrupted`] if that is what happens.
    pub(crate) fn enter_quietly<R>(&self, f: impl FnOnce() -> R) -> R {
        self.engine.observers.check_hook();
        self.engine.check_heap();
        let _limit = StackLimit::set(&self.engine, self.native_stack);
        let _sampled = self.engine.observers.profiled.as_ref().map(Profiled::run);
        // SAFETY: the context lives as long as we do, on this thread.
        unsafe { Context::enter(self.ctx.0, f) }
    }

    /// Statistics of the VM so far.
    pub fn stats(&self) -> Stats {
        self.engine.stats()
    }

    /// Why the guest program is slow, as far as it has run; nothing unless [`Options::explain`] or
    /// [`Options::explain_file`] asks for it.
    pub fn explain(&self) -> Option<Report> {
        let _own = detector::own();
        RunReports::new(&self.engine).explain()
    }

    /// Writes what a VM writes when it is dropped, the end of the log and the report's file, if it
    /// has not been written: for a process that ends without dropping it.
    pub fn finish(&self) {
        if self.has_finished.replace(true) {
            return;
        }
        let engine = &self.engine;
        engine.observers.tell_end();
        (engine.observers).log_stats(|| engine.stats());
        if let (Some(file), Some(report)) = (self.report.take(), self.explain()) {
            file.write(&report.to_json());
        }
    }

    /// Where the time of the guest program has gone so far; nothing unless [`Options::profile`]
    /// asks for it. Calls the portal's `location` function now.
    pub fn profile(&self) -> Option<Profile> {
        let _own = detector::own();
        self.engine.observers.profiled.as_ref()?;
        if self.engine.is_entered() {
            return RunReports::new(&self.engine).profile();
        }
        let _limit = StackLimit::set(&self.engine, self.native_stack);
        // SAFETY: as in `enter_quietly`.
        unsafe { Context::enter(self.ctx.0, || self.engine.observers.profile()) }
    }

    /// The traces compiled so far, in the order of their compilation; none unless
    /// [`Options::keep_traces`] asks for them.
    pub fn traces(&self) -> Vec<KeptTrace> {
        let _own = detector::own();
        self.engine.observers.kept_traces()
    }
}

/// The limit of the native stack for the time of an `enter`.
struct StackLimit<'a>(&'a Engine, usize);

impl<'a> StackLimit<'a> {
    fn set(engine: &'a Engine, size: Option<usize>) -> StackLimit<'a> {
        StackLimit(engine, engine.set_stack_limit(size))
    }
}

impl Drop for StackLimit<'_> {
    fn drop(&mut self) {
        self.0.replace_stack_limit(self.1);
    }
}

/// Panics with the payload [`StackExhausted`] if the current VM's native stack is used up, with
/// [`HeapExhausted`](verdigris_heap::HeapExhausted) if its heap is, and with `Interrupted` if an
/// interrupt is pending. Portals do this at their start, so that runaway recursion of a guest
/// program ends in a panic. An opaque function that recurses without a call of the portal should
/// call this, as often as it calls itself.
#[inline]
pub fn check_stack() {
    with_engine(Engine::check_call);
}

/// The bytes of the native stack that the current VM's guest code may still use; all there is if no
/// VM is entered. For functions of the embedder that guest code calls, which may need more than
/// what guest code leaves free, and can answer an error in time.
#[inline]
pub fn stack_room() -> usize {
    let mut room = usize::MAX;
    with_engine(|engine| {
        // SAFETY: the context outlives the engine.
        let limit = unsafe { (*engine.ctx).own_stack_limit() };
        room = stack::here().saturating_sub(limit);
    });
    room
}

/// The first call of every portal: as [`check_stack`], and panics if the current VM was made for
/// another portal's program.
#[inline]
pub fn enter_portal(portal: &'static Portal) {
    with_engine(|engine| {
        engine.program.check_portal(portal);
        engine.check_call();
    });
}

/// Whether compiled code calls the portal: [`interpret_within`] does it then.
#[inline]
pub fn is_within_code() -> bool {
    let mut is_within = false;
    with_engine(|engine| is_within = engine.clock.is_running());
    is_within
}

/// Calls the portal for compiled code: its time is the interpreter's.
#[cold]
#[inline(never)]
pub fn interpret_within<R>(portal: impl FnOnce() -> R) -> R {
    let mut within = std::ptr::null::<Engine>();
    with_engine(|engine| within = engine);
    // SAFETY: the engine of the current context lives as long as guest code runs in it.
    let engine = unsafe { within.as_ref() };
    let is_watched = engine.is_some_and(|engine| !engine.run.is_unwatched);
    let _within = engine.map(|engine| engine.clock.interpret(stack::here(), is_watched));
    portal()
}

/// Takes a sample of the current VM now, if it is profiled ([`Options::profile`]), as if the clock
/// had ticked: for events of interest, and for tests.
pub fn take_sample() {
    with_engine(|engine| {
        if let Some(profiled) = &engine.observers.profiled {
            profiled.sample();
        }
    });
}

#[inline(always)]
fn with_engine(f: impl FnOnce(&Engine)) {
    let ctx = Context::current();
    if ctx.is_null() {
        return;
    }
    // SAFETY: a current context is alive, and so is its engine if it has one.
    unsafe {
        if let Some(engine) = (*ctx).engine.cast::<Engine>().as_ref() {
            f(engine);
        }
    }
}

impl Engine {
    #[inline(always)]
    fn check_call(&self) {
        self.check_room();
        if self.run.signals.is_raised() {
            self.poll();
        }
    }
}
