//! The native stack. In: nothing. Out: the range of memory that holds all native frames of a thread, and the registers spilled
//! to it. Invariant: every value that a caller of [`with_spilled_registers`] can still use is in the range above `top`.

use std::cell::Cell;
use std::ops::Range;

/// Calls `f` with a pointer to the callee-saved registers on the stack: all live registers of all callers are there or above.
#[inline(never)]
pub(crate) fn with_spilled_registers(f: &mut dyn FnMut(*const u64)) {
    let mut registers = Registers([0; REGISTERS]);
    spill(&mut registers);
    f(registers.0.as_ptr());
    // The registers must be in memory until the scan is over.
    std::hint::black_box(&registers);
}

#[repr(align(16))]
struct Registers([u64; REGISTERS]);

#[cfg(target_arch = "x86_64")]
const REGISTERS: usize = 6;

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn spill(to: &mut Registers) {
    // SAFETY: stores six registers to six words.
    unsafe {
        std::arch::asm!(
            "mov [{to}], rbx",
            "mov [{to} + 8], rbp",
            "mov [{to} + 16], r12",
            "mov [{to} + 24], r13",
            "mov [{to} + 32], r14",
            "mov [{to} + 40], r15",
            to = in(reg) to.0.as_mut_ptr(),
            options(nostack, preserves_flags),
        );
    }
}

#[cfg(target_arch = "aarch64")]
const REGISTERS: usize = 20;

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn spill(to: &mut Registers) {
    // SAFETY: stores twenty registers to twenty words. The low halves of v8 to v15 are callee-saved too, and compilers
    // move integers there.
    unsafe {
        std::arch::asm!(
            "stp x19, x20, [{to}]",
            "stp x21, x22, [{to}, #16]",
            "stp x23, x24, [{to}, #32]",
            "stp x25, x26, [{to}, #48]",
            "stp x27, x28, [{to}, #64]",
            "stp x29, x30, [{to}, #80]",
            "stp d8, d9, [{to}, #96]",
            "stp d10, d11, [{to}, #112]",
            "stp d12, d13, [{to}, #128]",
            "stp d14, d15, [{to}, #144]",
            to = in(reg) to.0.as_mut_ptr(),
            options(nostack, preserves_flags),
        );
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!(
    "verdigris-heap must know the callee-saved registers: add them for this architecture in stack.rs"
);

/// Where a context has been entered: a thread, and the outermost frame on its stack that can know heap objects.
#[derive(Clone, Copy, Default)]
pub(crate) struct StackBase {
    /// Identifies the thread; 0 if the context is not entered.
    thread: usize,
    /// An address in the frame of the outermost `enter`.
    frame: usize,
}

thread_local! {
    /// The bounds of the thread's stack, once known (its address identifies the thread).
    static BOUNDS: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

impl StackBase {
    /// The base for a context entered by the caller.
    #[inline(always)]
    pub(crate) fn here() -> StackBase {
        let frame = 0u64;
        StackBase {
            thread: BOUNDS.with(|b| (&raw const *b).addr()),
            frame: std::hint::black_box(&raw const frame).addr(),
        }
    }

    pub(crate) fn same_thread(&self, other: &StackBase) -> bool {
        self.thread == other.thread
    }

    /// The words from `top` to the end of the stack. That is the thread's whole stack, so that references which callers of
    /// `enter` hold are found too; on a stack that is not the thread's own, up to the frame of `enter`.
    pub(crate) fn range(&self, top: *const u64) -> Range<*const u64> {
        let sp = top.addr();
        let (low, high) = thread_bounds();
        let own = |address: usize| low <= address && address < high;
        let end = if own(sp) && (self.frame == 0 || own(self.frame)) {
            high
        } else if !own(sp) && !own(self.frame) && sp <= self.frame {
            self.frame
        } else {
            panic!(
                "the native stack was switched between `enter` and an allocation, and a conservative collector cannot see the \
                 other stack: enter the VM on the stack that its code runs on"
            )
        };
        top..std::ptr::with_exposed_provenance(end & !7)
    }
}

/// The lowest address of this thread's stack and the one behind the highest.
fn thread_bounds() -> (usize, usize) {
    if let Some(bounds) = BOUNDS.get() {
        return bounds;
    }
    let bounds = ask_bounds();
    BOUNDS.set(Some(bounds));
    bounds
}

/// The bytes of this thread's stack; 0 if they are not known.
pub(crate) fn thread_size() -> usize {
    let (low, high) = thread_bounds();
    high - low
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn ask_bounds() -> (usize, usize) {
    // SAFETY: as the manual page says; the attributes are initialised by the first call and destroyed once.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return (0, 0);
        }
        let (mut low, mut size) = (std::ptr::null_mut(), 0);
        let error = libc::pthread_attr_getstack(&attributes, &mut low, &mut size);
        libc::pthread_attr_destroy(&mut attributes);
        if error != 0 {
            return (0, 0);
        }
        (low.expose_provenance(), low.addr() + size)
    }
}

#[cfg(target_vendor = "apple")]
fn ask_bounds() -> (usize, usize) {
    // SAFETY: asks for the bounds of the running thread.
    unsafe {
        let thread = libc::pthread_self();
        let high = libc::pthread_get_stackaddr_np(thread);
        (
            high.addr() - libc::pthread_get_stacksize_np(thread),
            high.expose_provenance(),
        )
    }
}

/// Elsewhere the stack is scanned up to the frame of `enter`.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn ask_bounds() -> (usize, usize) {
    (0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_holds_the_frames_of_the_callers() {
        let local = 0u64;
        let address = std::hint::black_box(&raw const local);
        with_spilled_registers(&mut |top| {
            let range = StackBase::default().range(top);
            assert!(range.contains(&address));
            assert!(range.contains(&top));
        });
    }

    #[test]
    fn registers_are_spilled() {
        let mut seen = false;
        let secret = std::hint::black_box(0x5EC2_E700_1234_5678u64);
        with_spilled_registers(&mut |top| {
            let range = StackBase::default().range(top);
            let mut at = range.start;
            while at < range.end {
                // SAFETY: within the thread's stack.
                seen |= unsafe { at.read_volatile() } == secret;
                at = at.wrapping_add(1);
            }
        });
        assert!(seen);
        std::hint::black_box(secret);
    }
}
