//! The native stack: its bounds, and the registers spilled to it. Every value that a caller of
//! [`with_spilled_registers`] can still use is in the range above `top`.

use std::cell::Cell;
use std::ops::Range;

/// Calls `f` with a pointer to the callee-saved registers on the stack: all live registers of all
/// callers are there or above.
#[inline(never)]
pub(crate) fn with_spilled_registers(f: &mut dyn FnMut(*const u64)) {
    let mut registers = Registers([0; REGISTERS]);
    spill(&mut registers);
    f(registers.0.as_ptr());
    // The registers must be in memory until the scan is over.
    std::hint::black_box(&registers);
}

/// Bytes below the stack pointer in which a switch to another stack keeps registers: a red zone,
/// and what the switch itself pushes.
const BELOW: usize = 256;

/// An address below everything that the caller and its callers have on the stack when the caller
/// switches to another one, in the same frame.
#[inline(always)]
pub(crate) fn below_switch() -> *const u64 {
    let pointer: usize;
    // SAFETY: reads a register.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        std::arch::asm!("mov {}, rsp", out(reg) pointer, options(nomem, nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        std::arch::asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    std::ptr::with_exposed_provenance((pointer - BELOW) & !7)
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
    // SAFETY: stores twenty registers to twenty words. The low halves of v8 to v15 are callee-saved
    // too, and compilers move integers there.
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
    "verdigris-heap must know the callee-saved registers: add them for this architecture in native_stack.rs"
);

/// The reserve below the limit of a native stack: a frame of the portal and of non-guest code that
/// it calls, or a frame of compiled code, and below that a failing guard, the blackhole
/// interpreter, a collection, the log, and unwinding.
pub const STACK_RESERVE: usize = 40 << 10;

/// Where a context has been entered: a thread, and the outermost frame on its stack that can know
/// heap objects.
#[derive(Clone, Copy, Default)]
pub(crate) struct StackBase {
    /// Identifies the thread; 0 if the context is not entered.
    thread: usize,
    /// An address in the frame of the outermost `enter`.
    frame: usize,
    /// The lowest address that is known to be on the same stack.
    low: usize,
    /// The distance of the highest one.
    span: usize,
}

/// The addresses of a stack from a limit on. One comparison finds out whether one is among them:
/// every call of a portal asks.
#[derive(Clone, Copy, Default)]
pub(crate) struct StackRoom {
    low: usize,
    /// The distance of the highest one; without any, `low` is above all addresses.
    span: usize,
}

/// The native stack that a context is entered on, or that of the coroutine which runs.
#[derive(Default)]
pub(crate) struct EnteredStack {
    pub(crate) base: StackBase,
    /// How often the context is entered.
    pub(crate) depth: usize,
    /// The address that the stack must stay above; 0 for nowhere.
    pub(crate) limit: usize,
    /// Where native code surely has room: nowhere while the heap is exhausted.
    pub(crate) room: StackRoom,
    /// The heap was exhausted since the stack was entered: what calls have left on it may be all
    /// that keeps objects alive for which there is no room.
    pub(crate) has_dead_words: bool,
}

impl StackRoom {
    #[inline(always)]
    pub(crate) fn holds(self, address: usize) -> bool {
        address.wrapping_sub(self.low) <= self.span
    }
}

thread_local! {
    /// The bounds of the thread's stack, once known (its address identifies the thread).
    static BOUNDS: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
    /// The bounds of the stack of the coroutine that runs; 0 without one.
    static RUNNING: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Bytes below a frame that [`StackBase::clear_below`] overwrites.
const CLEARED: usize = 256 << 10;
const CLEARED_AT_ONCE: usize = 4 << 10;

#[inline(never)]
fn clear(times: usize) {
    let words = [0u64; CLEARED_AT_ONCE / size_of::<u64>()];
    std::hint::black_box(&words);
    if times > 1 {
        clear(times - 1);
    }
    // The words stay on the stack during the call.
    std::hint::black_box(&words);
}

/// What is on the same stack as anything else, at least.
const PAGE: usize = 4 << 10;

impl StackBase {
    /// The base for a context entered by the caller.
    #[inline(always)]
    pub(crate) fn here() -> StackBase {
        let frame = 0u64;
        let frame = std::hint::black_box(&raw const frame).addr();
        let (low, high) = running_bounds();
        let (low, high) = match low <= frame && frame < high {
            true => (low, high),
            false => (frame & !(PAGE - 1), frame),
        };
        StackBase {
            thread: BOUNDS.with(|b| (&raw const *b).addr()),
            frame,
            low,
            span: high - low,
        }
    }

    /// Overwrites what earlier calls have left below this frame, as far as calls that are made next
    /// reach before they do much, if there is room for it.
    pub(crate) fn clear_below(&self) {
        if self.frame - self.low > 2 * CLEARED {
            clear(CLEARED / CLEARED_AT_ONCE);
        }
    }

    /// The base for a stack of a coroutine of the same thread, with these addresses.
    pub(crate) fn on(&self, stack: Range<usize>) -> StackBase {
        StackBase {
            thread: self.thread,
            // Not the highest address: more than these is never found to be on the stack.
            frame: stack.end - size_of::<u64>(),
            low: stack.start,
            span: stack.end - stack.start,
        }
    }

    /// Exchanges it for that of another stack of the same thread.
    #[inline]
    pub(crate) fn exchange(&mut self, other: &mut StackBase) {
        std::mem::swap(&mut self.frame, &mut other.frame);
        std::mem::swap(&mut self.low, &mut other.low);
        std::mem::swap(&mut self.span, &mut other.span);
    }

    /// Where the words end that the collector looks at.
    pub(crate) fn end(&self) -> *const u64 {
        std::ptr::with_exposed_provenance((self.low + self.span) & !7)
    }

    pub(crate) fn same_thread(&self, other: &StackBase) -> bool {
        self.thread == other.thread
    }

    /// Whether this code runs on another stack than the one that the context is entered on.
    #[inline]
    pub(crate) fn is_left(&mut self) -> bool {
        self.frame != 0 && !self.holds(here())
    }

    /// An address in the outermost frame.
    pub(crate) fn frame(&self) -> usize {
        self.frame
    }

    /// What is known to be on this stack and not below this limit.
    pub(crate) fn room_above(&self, limit: usize) -> StackRoom {
        let low = self.low.max(limit);
        match (self.low + self.span).checked_sub(low) {
            Some(span) => StackRoom { low, span },
            None => StackRoom {
                low: usize::MAX,
                span: 0,
            },
        }
    }

    /// Whether it is known that an address is on this stack, in a frame that the outermost `enter`
    /// has called, or on the thread's own.
    fn surely_holds(&self, address: usize) -> bool {
        address.wrapping_sub(self.low) <= self.span
    }

    /// Whether an address is on this stack. Of a stack that is not the thread's own the system
    /// knows only which memory can be accessed: stacks without a gap between them are one.
    pub(crate) fn holds(&mut self, address: usize) -> bool {
        if self.surely_holds(address) {
            return true;
        }
        // What is above the frame, or beyond the thread's own stack, never was.
        if address > self.frame || self.low + self.span != self.frame {
            return false;
        }
        self.low = start_of_memory(self.frame).min(self.low);
        self.span = self.frame - self.low;
        self.surely_holds(address)
    }

    /// The words from `top` to the end of the stack. That is the thread's whole stack, so that
    /// references which callers of `enter` hold are found too; on a stack that is not the thread's
    /// own, up to the frame of `enter`.
    pub(crate) fn range(&mut self, top: *const u64) -> Range<*const u64> {
        if self.frame == 0 {
            *self = StackBase {
                thread: 0,
                frame: 0,
                ..StackBase::here()
            };
        }
        if !self.holds(top.addr()) {
            switched();
        }
        top..self.end()
    }
}

/// The message after a switch of stacks.
pub(crate) const SWITCHED: &str = "the native stack was switched while a VM is entered on another one, which the collector cannot see: leave the VM before a coroutine is \
    resumed or suspended, or enter the VM on the stack that its code runs on, and run that to its end";

/// Panics after a switch of stacks.
#[cold]
#[inline(never)]
pub(crate) fn switched() -> ! {
    panic!("{SWITCHED}")
}

/// An address in the caller's frame, or below it.
#[inline(always)]
pub(crate) fn here() -> usize {
    let marker = 0u8;
    std::hint::black_box(&raw const marker).addr()
}

/// The lowest address from which on memory can be read and written up to this one; 0 if that
/// is not known.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn start_of_memory(address: usize) -> usize {
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else {
        return 0;
    };
    let mut before = 0..0;
    for line in maps.lines() {
        let mut words = line.split([' ', '-']);
        let mut number = || usize::from_str_radix(words.next()?, 16).ok();
        let (Some(start), Some(end)) = (number(), number()) else {
            continue;
        };
        if words.next().is_none_or(|may| !may.starts_with("rw")) {
            continue;
        }
        let start = if before.end == start {
            before.start
        } else {
            start
        };
        before = start..end;
        if before.contains(&address) {
            return start;
        }
    }
    0
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn start_of_memory(_: usize) -> usize {
    0
}

/// This thread's own stack, if the system says where that is.
pub fn thread_stack() -> Option<Range<usize>> {
    let (low, high) = thread_bounds();
    (high > 0).then_some(low..high)
}

/// The stack that the caller runs on: that of a coroutine, or this thread's own, if the system says
/// where that is.
pub fn running_stack() -> Option<Range<usize>> {
    let (low, high) = running_bounds();
    (high > 0).then_some(low..high)
}

fn running_bounds() -> (usize, usize) {
    match RUNNING.get() {
        (0, 0) => thread_bounds(),
        bounds => bounds,
    }
}

/// From now on this thread runs on the stack of a coroutine. Returns what is to be put back.
#[inline]
pub(crate) fn runs_on(stack: (usize, usize)) -> (usize, usize) {
    RUNNING.replace(stack)
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
    // SAFETY: as the manual page says; the attributes are initialised by the first call and
    // destroyed once.
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
    fn stacks_are_told_apart_by_what_lies_between_them() {
        let len = 8 * PAGE;
        // SAFETY: a new mapping, of which one page in the middle is made inaccessible, and which is
        // unmapped in the end.
        let memory = unsafe {
            let memory = libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANON,
                -1,
                0,
            );
            assert_ne!(memory, libc::MAP_FAILED);
            assert_eq!(
                libc::mprotect(memory.byte_add(3 * PAGE), PAGE, libc::PROT_NONE),
                0
            );
            memory.addr()
        };
        let frame = memory + 7 * PAGE + 100;
        let base = StackBase {
            thread: 1,
            frame,
            low: memory + 7 * PAGE,
            span: 100,
        };
        let on = |address: usize| {
            let mut base = base;
            base.holds(address)
        };
        let room = |limit: usize| base.room_above(limit);
        assert!(room(0).holds(frame) && room(0).holds(frame - 100) && !room(0).holds(frame - 101));
        assert!(room(frame - 10).holds(frame - 10) && !room(frame - 10).holds(frame - 11));
        let nowhere = [room(usize::MAX), room(frame + 1)];
        assert!(nowhere.iter().all(|r| !r.holds(frame) && !r.holds(0)));
        assert!(on(frame) && on(frame - 50) && on(frame - 200) && on(memory + 4 * PAGE));
        assert!(!on(frame + 8) && !on(memory + 3 * PAGE) && !on(memory + 8));
        let local = 0u64;
        assert!(!on((&raw const local).addr()));
        let mut own = StackBase::here();
        assert!(own.holds((&raw const local).addr()) && !own.holds(frame));
        // SAFETY: the mapping from above.
        unsafe { libc::munmap(std::ptr::with_exposed_provenance_mut(memory), len) };
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
