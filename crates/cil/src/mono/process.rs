//! What starting Mono would change in the process, and must not.
//!
//! * Mono handles `SIGSEGV` and other signals, to throw exceptions. What it calls for them is taken
//!   away again: methods throw nothing, and the program has handlers of its own. The signals by
//!   which Mono stops its own threads stay its own.
//! * By default, the methods that Mono compiles ask at each loop whether a collection of Mono's
//!   waits for them, which only threads do that are attached. With the policy of suspension
//!   `preemptive` they do not ask. It is only known from the environment.

#![allow(unsafe_code)]

use libc::{c_char, c_int, sigaction, sigset_t};
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;

/// The variable that says how Mono stops threads.
const POLICY: &CStr = c"MONO_THREADS_SUSPEND";
const PREEMPTIVE: &str = "preemptive";

/// The signals that a program may handle, up to those that have no names.
const NAMED: std::ops::Range<c_int> = 1..32;
/// Signals that a thread sends to itself when something goes wrong.
const OWN: [c_int; 6] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGABRT,
    libc::SIGTRAP,
];

unsafe extern "C" {
    /// The environment, as the C library has it.
    static mut environ: *const *const c_char;
}

/// Starts Mono by `start`, so that nothing of the process has changed behind it.
pub(super) fn unchanged<R>(start: impl FnOnce() -> R) -> R {
    hide_from_signals();
    let handlers: Vec<(c_int, sigaction)> = NAMED.filter_map(|n| Some((n, handler(n)?))).collect();
    let started = with_policy(start);
    for (signal, handler) in handlers {
        // SAFETY: the handler is the one that the signal had.
        unsafe { sigaction(signal, &raw const handler, std::ptr::null_mut()) };
    }
    started
}

/// What handles a signal.
fn handler(signal: c_int) -> Option<sigaction> {
    let mut handler = MaybeUninit::uninit();
    // SAFETY: without a new handler the call only writes the present one.
    let result = unsafe { sigaction(signal, std::ptr::null(), handler.as_mut_ptr()) };
    // SAFETY: a call that succeeds has written it.
    (result == 0).then(|| unsafe { handler.assume_init() })
}

/// Signals to the process go to other threads than this one and those that it starts.
fn hide_from_signals() {
    let mut blocked = MaybeUninit::<sigset_t>::uninit();
    // SAFETY: the set is made before it is used; all numbers are those of signals.
    unsafe {
        libc::sigemptyset(blocked.as_mut_ptr());
        for signal in NAMED.filter(|signal| !OWN.contains(signal)) {
            libc::sigaddset(blocked.as_mut_ptr(), signal);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, blocked.as_ptr(), std::ptr::null_mut());
    }
}

/// Calls `start` with the policy in the environment.
///
/// The list of variables is replaced by a longer one, which is never freed, and not changed: other
/// threads that read it at the same time see the one or the other.
fn with_policy<R>(start: impl FnOnce() -> R) -> R {
    let policy = format!("{}={PREEMPTIVE}", POLICY.to_string_lossy());
    let policy = CString::new(policy)
        .expect("it has no zero in it")
        .into_raw();
    // SAFETY: the list ends with null. Code that changes it while another thread reads it breaks a
    // promise of its own.
    let before = unsafe { environ };
    let mut variables = vec![policy.cast_const()];
    let mut next = before;
    // SAFETY: as above; strings of the list end with zero.
    unsafe {
        while !next.is_null() && !(*next).is_null() {
            let name = CStr::from_ptr(*next).to_bytes();
            let is_policy = name
                .strip_prefix(POLICY.to_bytes())
                .is_some_and(|rest| rest.first() == Some(&b'='));
            if !is_policy {
                variables.push(*next);
            }
            next = next.add(1);
        }
    }
    variables.push(std::ptr::null());
    let variables: &'static [*const c_char] = variables.leak();
    // SAFETY: the new list lives for ever.
    unsafe { environ = variables.as_ptr() };
    let result = start();
    // SAFETY: the old list is as it was, unless the environment has been changed meanwhile, and
    // then there is another one already.
    unsafe {
        if environ == variables.as_ptr() {
            environ = before;
        }
    }
    result
}
