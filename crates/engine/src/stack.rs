//! How far the native stack may be used. In: the thread's stack, or a configured size. Out: a limit, and the panic with
//! the payload [`StackExhausted`] once the stack has grown past it, so that runaway recursion of the guest program ends in
//! a panic that can be caught, not in a signal. Invariant: below the limit there is room for the deepest call chain of
//! the runtime itself (tracing, optimising, compiling, collecting).

/// What is kept free for the runtime below the limit, if the stack is large enough.
const RESERVE: usize = 256 << 10;

/// The payload of the panic when guest code has recursed too deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackExhausted;

impl std::fmt::Display for StackExhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the guest program has recursed so deeply that the native stack is used up")
    }
}

impl std::error::Error for StackExhausted {}

/// An address in the current frame. Stacks grow downwards on every machine that has a backend.
#[inline(never)]
pub(crate) fn here() -> usize {
    let marker = 0u8;
    &raw const marker as usize
}

/// The address that the stack must stay above: `size` bytes from here, or what the thread has.
pub(crate) fn limit(size: Option<usize>) -> usize {
    let bottom = thread_bottom();
    let wanted = size.map_or(0, |size| here().saturating_sub(size));
    let room = here().saturating_sub(bottom);
    wanted.max(bottom + RESERVE.min(room / 4))
}

thread_local! {
    static BOTTOM: std::cell::OnceCell<usize> = const { std::cell::OnceCell::new() };
}

/// The lowest address of this thread's stack; asked once per thread, since the answer takes a system call.
fn thread_bottom() -> usize {
    BOTTOM.with(|bottom| *bottom.get_or_init(ask_thread_bottom))
}

#[cfg(target_os = "linux")]
fn ask_thread_bottom() -> usize {
    let mut attr = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut address = std::ptr::null_mut();
    let mut size = 0;
    // SAFETY: `pthread_getattr_np` initialises `attr` when it answers 0; only then is it read and destroyed.
    let known = unsafe {
        libc::pthread_getattr_np(libc::pthread_self(), attr.as_mut_ptr()) == 0 && {
            let found = libc::pthread_attr_getstack(attr.as_ptr(), &mut address, &mut size) == 0;
            libc::pthread_attr_destroy(attr.as_mut_ptr());
            found
        }
    };
    if known {
        address as usize
    } else {
        guess_thread_bottom()
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_thread_bottom() -> usize {
    guess_thread_bottom()
}

/// Without an answer from the system: the smallest stack that threads usually get.
fn guess_thread_bottom() -> usize {
    here().saturating_sub(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_below_us_and_a_configured_one_is_nearer() {
        let whole = limit(None);
        let small = limit(Some(64 << 10));
        assert!(whole < small && small < here(), "{whole:#x} {small:#x}");
        assert!(here() - small <= 65 << 10);
    }

    #[test]
    fn every_thread_has_its_own() {
        let ours = limit(None);
        let theirs = std::thread::spawn(|| limit(None)).join().unwrap();
        assert_ne!(ours, theirs);
    }

    #[test]
    fn a_small_stack_keeps_a_quarter_in_reserve() {
        let room = std::thread::Builder::new()
            .stack_size(128 << 10)
            .spawn(|| here() - limit(None))
            .unwrap()
            .join()
            .unwrap();
        assert!((32 << 10..128 << 10).contains(&room), "{room}");
    }
}
