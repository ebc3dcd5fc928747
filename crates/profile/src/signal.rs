//! The handler of `SIGPROF`, which records registers and the top of the stack of its thread. It
//! takes no memory and no lock, and changes nothing that the interrupted code can see. It is
//! installed while an [`Installed`] lives; then the handler before it is restored.

#![allow(unsafe_code)]

use crate::ring::STACK_WORDS;
use crate::sampler::{Machine, SamplerError, Shared};
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::{null_mut, with_exposed_provenance};
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// The handler's output; null while there is no handler.
static SHARED: AtomicPtr<Shared> = AtomicPtr::new(null_mut());
/// The thread that is watched.
static THREAD: AtomicU64 = AtomicU64::new(0);
/// The end of its stack, and its size.
static STACK_END: AtomicUsize = AtomicUsize::new(0);
static STACK_SIZE: AtomicUsize = AtomicUsize::new(0);

/// The handler, in place.
pub(crate) struct Installed {
    shared: Arc<Shared>,
    thread: libc::pthread_t,
    before: libc::sigaction,
}

/// A timer that sends the signal to the thread that is watched.
pub(crate) struct Timer(libc::timer_t);

impl Timer {
    /// A timer for the thread that calls this.
    ///
    /// # Errors
    /// If the system has no more of them.
    pub(crate) fn start(_: &Installed, interval: Duration) -> Result<Timer, SamplerError> {
        let time = libc::timespec {
            tv_sec: interval.as_secs() as libc::time_t,
            tv_nsec: interval.subsec_nanos().into(),
        };
        let times = libc::itimerspec {
            it_interval: time,
            it_value: time,
        };
        let mut timer = MaybeUninit::uninit();
        // SAFETY: the structures are filled before they are read.
        unsafe {
            let mut event: libc::sigevent = std::mem::zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = libc::SIGPROF;
            event.sigev_notify_thread_id = libc::gettid();
            let done = libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, timer.as_mut_ptr());
            if done != 0 {
                let error = std::io::Error::last_os_error();
                return Err(SamplerError::NoTimer(error.to_string()));
            }
            let timer = timer.assume_init();
            libc::timer_settime(timer, 0, &times, null_mut());
            Ok(Timer(timer))
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: it was made, and is deleted once.
        unsafe { libc::timer_delete(self.0) };
    }
}

impl Installed {
    /// Puts the handler in place, for the thread that calls this, whose stack is there.
    ///
    /// # Errors
    /// If it is in place.
    pub(crate) fn new(shared: Arc<Shared>, stack: Range<usize>) -> Result<Installed, SamplerError> {
        let pointer = Arc::as_ptr(&shared).cast_mut();
        // SAFETY: no arguments.
        let thread = unsafe { libc::pthread_self() };
        // The handler does nothing before it is in place, and that comes last.
        (SHARED.compare_exchange(null_mut(), pointer, Ordering::AcqRel, Ordering::Acquire))
            .map_err(|_| SamplerError::AlreadyProfiled)?;
        THREAD.store(thread, Ordering::Relaxed);
        STACK_END.store(stack.end, Ordering::Relaxed);
        STACK_SIZE.store(stack.len(), Ordering::Relaxed);
        let mut before = MaybeUninit::uninit();
        // SAFETY: the structure is filled before it is used; the handler has the signature that
        // `SA_SIGINFO` asks for.
        let before = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            let done = libc::sigaction(libc::SIGPROF, &action, before.as_mut_ptr());
            assert_eq!(done, 0, "the signal exists");
            before.assume_init()
        };
        Ok(Installed {
            shared,
            thread,
            before,
        })
    }

    /// Takes a sample now.
    pub(crate) fn sample(&self) {
        // SAFETY: the thread lives: it is the one that calls this.
        unsafe { libc::pthread_kill(self.thread, libc::SIGPROF) };
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        // SAFETY: the structures are filled before they are read. The signal is kept away while
        // what was sent to this thread is thrown away: else it could come when the action before is
        // in place again, which may be to end the process.
        unsafe {
            let mut only = MaybeUninit::uninit();
            libc::sigemptyset(only.as_mut_ptr());
            libc::sigaddset(only.as_mut_ptr(), libc::SIGPROF);
            let only = only.assume_init();
            let mut mask = MaybeUninit::uninit();
            libc::pthread_sigmask(libc::SIG_BLOCK, &only, mask.as_mut_ptr());
            let now = libc::timespec {
                tv_sec: 0,
                tv_nsec: 0,
            };
            while libc::sigtimedwait(&only, null_mut(), &now) == libc::SIGPROF {}
            libc::sigaction(libc::SIGPROF, &self.before, null_mut());
            libc::pthread_sigmask(libc::SIG_SETMASK, mask.as_ptr(), null_mut());
        }
        let pointer = Arc::as_ptr(&self.shared).cast_mut();
        let is_ours = SHARED.swap(null_mut(), Ordering::AcqRel) == pointer;
        debug_assert!(is_ours, "there is one at a time");
    }
}

/// The signal handler, which may interrupt any code.
extern "C" fn handle(_: c_int, _: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the target lives until the handler has been removed.
    let Some(shared) = (unsafe { SHARED.load(Ordering::Acquire).as_ref() }) else {
        return;
    };
    // SAFETY: no arguments.
    let here = unsafe { libc::pthread_self() };
    if here != THREAD.load(Ordering::Relaxed) || !shared.is_running() {
        return;
    }
    // SAFETY: the system's promise for a handler with `SA_SIGINFO`.
    let registers = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let register = |n: c_int| registers[n as usize] as u64;
    let machine = Machine {
        pc: register(libc::REG_RIP),
        sp: register(libc::REG_RSP),
        fp: register(libc::REG_RBP),
    };
    let stack = stack_between(machine.sp, shared.stack_end());
    shared.note(processor_time(), Some(machine), stack);
}

/// The words of the stack of the thread that is watched, from its stack pointer to an address; none
/// if it runs on another stack.
fn stack_between(sp: u64, until: usize) -> impl Iterator<Item = u64> {
    let end = STACK_END.load(Ordering::Relaxed);
    let sp = (sp as usize).next_multiple_of(8);
    let is_there = end.wrapping_sub(sp) <= STACK_SIZE.load(Ordering::Relaxed);
    let words = match is_there {
        true => end.min(until).saturating_sub(sp) / 8,
        false => 0,
    };
    (0..words.min(STACK_WORDS)).map(move |n| {
        // SAFETY: the memory is in use by the interrupted thread: it lies between its stack pointer
        // and the end of its stack. It is read as plain bytes, while nothing writes it.
        unsafe { with_exposed_provenance::<u64>(sp + 8 * n).read_volatile() }
    })
}

/// The processor time of this thread.
fn processor_time() -> Option<Duration> {
    let mut time = MaybeUninit::uninit();
    // SAFETY: the structure is filled if the call succeeds; the handler may make it (POSIX, 2.4.3).
    let time = unsafe {
        match libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr()) {
            0 => time.assume_init(),
            _ => return None,
        }
    };
    Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}
