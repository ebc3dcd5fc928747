//! Keeps the code memory of parent and child apart after a `fork`: it is mapped shared, so both
//! would write to it. The child gets a copy at the same addresses.
//!
//! The copy is made before the process forks: later, the parent may have changed what the child is
//! about to copy. Only the thread that forks lives on in the child, and code memory belongs to one
//! thread, so its memory is all there is to copy.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Once;

/// Memory mapped at two addresses.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Mapped {
    pub(crate) writable: *mut u8,
    pub(crate) executable: *mut u8,
    pub(crate) len: usize,
}

thread_local! {
    /// The code memory of this thread.
    static MAPPED: RefCell<Vec<Mapped>> = const { RefCell::new(Vec::new()) };
    /// While the process divides: copies of it.
    static COPIES: RefCell<Vec<(Mapped, OwnedFd)>> = const { RefCell::new(Vec::new()) };
}

/// From now on the memory is copied when this thread forks.
///
/// # Safety
/// It is mapped shared, for writing and for executing, until [`forget`].
pub(crate) unsafe fn note(mapped: Mapped) {
    static HANDLERS: Once = Once::new();
    // SAFETY: the handlers are functions that never go away. Without memory for the list of
    // handlers, forking is what it was.
    HANDLERS.call_once(|| unsafe {
        libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child));
    });
    MAPPED.with_borrow_mut(|all| all.push(mapped));
}

/// The memory is about to be unmapped.
pub(crate) fn forget(mapped: Mapped) {
    // When a thread ends, the list may have gone first.
    let _ = MAPPED.try_with(|all| all.borrow_mut().retain(|m| *m != mapped));
}

/// Anonymous memory as a file.
pub(crate) fn file(len: usize) -> std::io::Result<OwnedFd> {
    use std::os::fd::FromRawFd;
    // SAFETY: the name is a C string, and the call has no other precondition.
    let fd = unsafe { libc::memfd_create(c"verdigris-code".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: the descriptor is open and has no other owner.
    let file = unsafe { OwnedFd::from_raw_fd(fd) };
    // SAFETY: the descriptor is open.
    if unsafe { libc::ftruncate(file.as_raw_fd(), len as libc::off_t) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(file)
}

/// Copies code.
fn copy(mapped: &Mapped) -> std::io::Result<OwnedFd> {
    let file = file(mapped.len)?;
    let mut done = 0;
    while done < mapped.len {
        // SAFETY: the memory is mapped, and as long as that.
        let written = unsafe {
            let rest = mapped.writable.add(done).cast();
            libc::pwrite(
                file.as_raw_fd(),
                rest,
                mapped.len - done,
                done as libc::off_t,
            )
        };
        match usize::try_from(written) {
            Ok(bytes) => done += bytes,
            Err(_) => {
                let error = std::io::Error::last_os_error();
                if error.kind() != std::io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
    Ok(file)
}

/// In front of a `fork`. A copy that cannot be made is missed by the child.
extern "C" fn before() {
    let _ = MAPPED.try_with(|all| {
        let all = all.borrow();
        let copies = all.iter().map_while(|m| Some((*m, copy(m).ok()?)));
        let copies = copies.collect();
        let _ = COPIES.try_with(|c| c.replace(copies));
    });
}

/// Behind it, in the parent.
extern "C" fn in_parent() {
    let _ = COPIES.try_with(|copies| copies.borrow_mut().clear());
}

/// Behind it, in the child: maps the copies where the memory was. Calls only what may be called in
/// the child of a process with threads.
extern "C" fn in_child() {
    let _ = MAPPED.try_with(|all| {
        let _ = COPIES.try_with(|copies| {
            let mut copies = copies.borrow_mut();
            let whole = copies.len() == all.borrow().len();
            let mapped = |(m, file): &(Mapped, OwnedFd)| {
                map(m.writable, m.len, libc::PROT_READ | libc::PROT_WRITE, file)
                    && map(m.executable, m.len, libc::PROT_READ | libc::PROT_EXEC, file)
            };
            if !whole || !copies.iter().all(mapped) {
                give_up();
            }
            copies.clear();
        });
    });
}

/// Maps a copy over what is there.
fn map(at: *mut u8, len: usize, protection: libc::c_int, file: &OwnedFd) -> bool {
    // SAFETY: the addresses are those of code memory of this thread, of the same length, and the
    // copy holds what they held.
    let start = unsafe {
        libc::mmap(
            at.cast(),
            len,
            protection,
            libc::MAP_SHARED | libc::MAP_FIXED,
            file.as_raw_fd(),
            0,
        )
    };
    start == at.cast()
}

/// Parent and child would write to the same code.
fn give_up() -> ! {
    const MESSAGE: &[u8] = b"verdigris: the system has no memory or no file descriptors for the machine code of a forked process, which cannot go on; fork \
        before anything is compiled, or run with backend=oracle or without the JIT\n";
    // SAFETY: writes a constant, and ends the process.
    unsafe {
        libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
        libc::abort()
    }
}
