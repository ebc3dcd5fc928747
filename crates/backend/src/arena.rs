//! Memory for machine code, freed piece by piece.
//!
//! No address is ever both writable and executable: every chunk is mapped twice, once for each.
//! Free memory holds trapping instructions, so a stale jump stops at once. Executable memory lies
//! close together, so that code can jump by a distance of 32 bits, unless the system refuses so
//! many addresses.

#![allow(unsafe_code)]

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
use crate::forked::{self, Mapped};
use crate::interface::BackendError;
use crate::journal::{CodeEvent, MachineCode};
use std::cell::RefCell;
use std::rc::Rc;
#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

/// The usual size of a chunk; a larger piece gets a chunk of its own.
const CHUNK: usize = 256 << 10;

/// Pieces start and end at multiples of this: the line of code that processors decode and cache at
/// a time.
const ALIGN: usize = 64;

/// How many addresses are reserved for executable memory: more than any program compiles, and less
/// than a jump can span.
const NEAR: usize = 1 << 30;

/// Code memory. Clones share it.
#[derive(Clone, Default)]
pub struct CodeArena {
    memory: Rc<RefCell<Memory>>,
}

#[derive(Default)]
struct Memory {
    chunks: Vec<Chunk>,
    /// Where executable memory goes; nothing before the first chunk, and if the system refuses.
    near: Option<Near>,
    /// The journal, if there is one.
    journal: Option<Vec<CodeEvent>>,
}

/// A piece of code memory, freed when dropped. No activation may be executing it then.
pub struct CodeBlock {
    arena: CodeArena,
    chunk: u32,
    offset: usize,
    len: usize,
    /// How far the code is from the start.
    pad: usize,
    address: usize,
}

impl CodeArena {
    /// Copies code into executable memory, with the instruction at offset `hot` at the beginning of
    /// a line: a loop in one line less can take half the time.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn place(&self, code: &[u8], hot: usize) -> Result<CodeBlock, BackendError> {
        let piece = self.take(code.len(), hot, 0)?;
        piece.write(0, code);
        Ok(piece)
    }

    /// Executable memory for so much code and room behind it, in which the instruction at offset
    /// `hot` will begin a line. It traps until it is written.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn take(&self, code: usize, hot: usize, room: usize) -> Result<CodeBlock, BackendError> {
        let pad = hot.next_multiple_of(ALIGN) - hot;
        let len = (pad + code + room).next_multiple_of(ALIGN).max(ALIGN);
        let (chunk, offset) = self.reserve(len)?;
        let memory = self.memory.borrow();
        let home = &memory.chunks[chunk as usize].memory;
        let address = home.code_address(offset + pad);
        drop(memory);
        Ok(CodeBlock {
            arena: self.clone(),
            chunk,
            offset,
            len,
            pad,
            address,
        })
    }

    /// Bytes in pieces that have not been freed.
    pub fn used_bytes(&self) -> usize {
        (self.memory.borrow().chunks.iter())
            .map(Chunk::used_bytes)
            .sum()
    }

    /// Starts a journal.
    pub fn keep_journal(&self) {
        self.memory.borrow_mut().journal.get_or_insert_default();
    }

    /// Whether there is a journal.
    pub fn keeps_journal(&self) -> bool {
        self.memory.borrow().journal.is_some()
    }

    /// Notes code in the journal, if there is one.
    pub fn note(&self, code: impl FnOnce() -> MachineCode) {
        if self.keeps_journal() {
            let made = CodeEvent::Made(Box::new(code()));
            let journal = &mut self.memory.borrow_mut().journal;
            journal.get_or_insert_default().push(made);
        }
    }

    /// Takes the events from the journal.
    pub fn take_journal(&self) -> Vec<CodeEvent> {
        let journal = &mut self.memory.borrow_mut().journal;
        journal.as_mut().map_or(Vec::new(), std::mem::take)
    }

    fn reserve(&self, len: usize) -> Result<(u32, usize), BackendError> {
        let mut memory = self.memory.borrow_mut();
        let Memory { chunks, near, .. } = &mut *memory;
        for (n, chunk) in chunks.iter_mut().enumerate() {
            if let Some(offset) = chunk.take(len) {
                return Ok((n as u32, offset));
            }
        }
        let size = len.max(CHUNK).next_multiple_of(CHUNK);
        if near.is_none() && chunks.is_empty() {
            *near = Near::reserve();
        }
        let at = near.as_mut().and_then(|near| near.take(size));
        let mut chunk = Chunk {
            memory: DoubleMapping::new(size, at)?,
            free: vec![(0, size)],
            fresh: 0,
        };
        let offset = chunk
            .take(len)
            .expect("a new chunk has room for its first piece");
        chunks.push(chunk);
        Ok((chunks.len() as u32 - 1, offset))
    }
}

impl CodeBlock {
    /// Where the code can be called.
    pub fn address(&self) -> usize {
        self.address
    }

    /// The size in memory.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Writes code, or data among it, so far behind the address. A caller that changes instructions
    /// makes sure that none of them is being executed, and calls [`serialise`] behind it.
    ///
    /// # Panics
    /// If the piece is too small.
    pub fn write(&self, at: usize, code: &[u8]) {
        assert!(self.pad + at + code.len() <= self.len);
        let memory = self.arena.memory.borrow();
        let home = &memory.chunks[self.chunk as usize].memory;
        home.write(self.offset + self.pad + at, code);
        home.synchronise(self.offset, self.len);
    }
}

impl Drop for CodeBlock {
    fn drop(&mut self) {
        let mut memory = self.arena.memory.borrow_mut();
        let chunk = &mut memory.chunks[self.chunk as usize];
        chunk.memory.poison(self.offset, self.len);
        chunk.memory.synchronise(self.offset, self.len);
        chunk.give_back(self.offset, self.len);
        if let Some(journal) = &mut memory.journal {
            journal.push(CodeEvent::Freed(self.address));
        }
    }
}

/// Makes this thread execute instructions as they have been changed: the processor may have fetched
/// them before, from another address than they were written to.
///
/// Processors that have an instruction for that take 30 ns. `cpuid` does it on all of them, but a
/// virtual machine takes tens of microseconds for it.
pub fn serialise() {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        static HAS_SERIALIZE: LazyLock<bool> =
            LazyLock::new(|| __cpuid(0).eax >= 7 && __cpuid_count(7, 0).edx & 1 << 14 != 0);
        match *HAS_SERIALIZE && cfg!(not(miri)) {
            // SAFETY: the processor has the instruction, which changes no register and no memory.
            true => unsafe { std::arch::asm!("serialize", options(nostack, preserves_flags)) },
            false => drop(std::hint::black_box(__cpuid(0))),
        }
    }
}

struct Chunk {
    memory: DoubleMapping,
    /// Free ranges (start, length), in order, never adjacent.
    free: Vec<(usize, usize)>,
    /// From here on no memory has been taken yet, nor touched: all in front of it that is no code
    /// traps.
    fresh: usize,
}

impl Chunk {
    fn take(&mut self, len: usize) -> Option<usize> {
        let n = self.free.iter().position(|&(_, size)| size >= len)?;
        let (start, size) = self.free[n];
        if size == len {
            self.free.remove(n);
        } else {
            self.free[n] = (start + len, size - len);
        }
        let end = start + len;
        if end > self.fresh {
            self.memory.poison(self.fresh, end - self.fresh);
            self.fresh = end;
        }
        Some(start)
    }

    fn give_back(&mut self, start: usize, len: usize) {
        let n = self.free.partition_point(|&(s, _)| s < start);
        self.free.insert(n, (start, len));
        self.merge_with_next(n);
        if n > 0 {
            self.merge_with_next(n - 1);
        }
    }

    fn merge_with_next(&mut self, n: usize) {
        if let (Some(&(start, len)), Some(&(next, more))) = (self.free.get(n), self.free.get(n + 1))
            && start + len == next
        {
            self.free[n].1 = len + more;
            self.free.remove(n + 1);
        }
    }

    fn used_bytes(&self) -> usize {
        self.memory.len - self.free.iter().map(|f| f.1).sum::<usize>()
    }
}

/// Addresses for executable memory.
struct Near {
    start: *mut u8,
    used: usize,
}

impl Near {
    #[cfg(unix)]
    fn reserve() -> Option<Near> {
        // SAFETY: a new mapping without access at an address that the system chooses.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                NEAR,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        (start != libc::MAP_FAILED).then_some(Near {
            start: start.cast(),
            used: 0,
        })
    }

    #[cfg(not(unix))]
    fn reserve() -> Option<Near> {
        None
    }

    /// The next addresses.
    fn take(&mut self, len: usize) -> Option<*mut u8> {
        let at = self.used;
        self.used = at.checked_add(len).filter(|&end| end <= NEAR)?;
        Some(self.start.wrapping_add(at))
    }
}

#[cfg(unix)]
impl Drop for Near {
    fn drop(&mut self) {
        // SAFETY: the addresses were reserved by `reserve`; the chunks that lie there are not in
        // use any more.
        unsafe { libc::munmap(self.start.cast(), NEAR) };
    }
}

/// Anonymous memory mapped at two addresses.
struct DoubleMapping {
    writable: *mut u8,
    executable: *mut u8,
    len: usize,
    /// Whether the executable mapping has addresses that are given back with all others.
    is_near: bool,
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
impl DoubleMapping {
    /// The executable mapping goes to the given addresses, if there are any, which must be unused.
    fn new(len: usize, at: Option<*mut u8>) -> Result<DoubleMapping, BackendError> {
        let failed = |what: &str| {
            let why = std::io::Error::last_os_error();
            BackendError(format!(
                "no memory for machine code ({what}: {why}); run with backend=oracle or without the JIT"
            ))
        };
        let file = forked::file(len).map_err(|why| {
            BackendError(format!(
                "no memory for machine code ({why}); run with backend=oracle or without the JIT"
            ))
        })?;
        let writable = map(&file, None, len, libc::PROT_READ | libc::PROT_WRITE)
            .ok_or_else(|| failed("mmap for writing"))?;
        let Some(executable) = map(&file, at, len, libc::PROT_READ | libc::PROT_EXEC) else {
            let error = failed("mmap for executing");
            // SAFETY: the mapping was made above and has no users.
            unsafe { libc::munmap(writable.cast(), len) };
            return Err(error);
        };
        let mapped = Mapped {
            writable,
            executable,
            len,
        };
        // SAFETY: both mappings are there until they are dropped.
        unsafe { forked::note(mapped) };
        Ok(DoubleMapping {
            writable,
            executable,
            len,
            is_near: at.is_some(),
        })
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
fn map(
    file: &std::os::fd::OwnedFd,
    at: Option<*mut u8>,
    len: usize,
    protection: libc::c_int,
) -> Option<*mut u8> {
    use std::os::fd::AsRawFd;
    let (start, fixed) = match at {
        Some(at) => (at, libc::MAP_FIXED),
        None => (std::ptr::null_mut(), 0),
    };
    // SAFETY: a new shared mapping of an open file, at addresses that are reserved for it or that
    // the system chooses.
    let start = unsafe {
        libc::mmap(
            start.cast(),
            len,
            protection,
            libc::MAP_SHARED | fixed,
            file.as_raw_fd(),
            0,
        )
    };
    (start != libc::MAP_FAILED).then_some(start.cast())
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
impl DoubleMapping {
    fn new(_len: usize, _at: Option<*mut u8>) -> Result<DoubleMapping, BackendError> {
        Err(BackendError(
            "machine code needs memfd_create (Linux, Android, FreeBSD); run with backend=oracle or without the JIT"
                .to_owned(),
        ))
    }
}

impl DoubleMapping {
    fn write(&self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= self.len);
        // SAFETY: the range lies in the writable mapping, into which no reference exists, and which
        // `bytes`, a Rust slice, cannot overlap.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.writable.add(offset), bytes.len());
        }
    }

    /// Fills a range with trapping instructions: `int3` on x86, `udf` (zeros) elsewhere.
    fn poison(&self, offset: usize, len: usize) {
        assert!(offset + len <= self.len);
        let byte = if cfg!(target_arch = "x86_64") {
            0xcc
        } else {
            0
        };
        // SAFETY: the range lies in the writable mapping, into which no reference exists.
        unsafe { std::ptr::write_bytes(self.writable.add(offset), byte, len) };
    }

    fn code_address(&self, offset: usize) -> usize {
        self.executable.expose_provenance() + offset
    }

    /// Makes written code visible to instruction fetch. x86 does that by itself.
    #[cfg(not(target_arch = "aarch64"))]
    fn synchronise(&self, _offset: usize, _len: usize) {}

    /// Makes written code visible to instruction fetch: cleans the data cache by the address that
    /// was written, then invalidates the instruction cache by the address that is executed. The
    /// caches' line sizes are in `ctr_el0`.
    #[cfg(target_arch = "aarch64")]
    fn synchronise(&self, offset: usize, len: usize) {
        use std::arch::asm;
        let written = self.writable.addr() + offset;
        let executed = self.executable.addr() + offset;
        // SAFETY: cache maintenance by address on mapped memory changes no memory that Rust sees.
        unsafe {
            let types: u64;
            asm!("mrs {}, ctr_el0", out(reg) types, options(nomem, nostack));
            let data_line = 4usize << ((types >> 16) & 15);
            let code_line = 4usize << (types & 15);
            for line in (written & !(data_line - 1)..written + len).step_by(data_line) {
                asm!("dc cvau, {}", in(reg) line, options(nostack));
            }
            asm!("dsb ish", options(nostack));
            for line in (executed & !(code_line - 1)..executed + len).step_by(code_line) {
                asm!("ic ivau, {}", in(reg) line, options(nostack));
            }
            asm!("dsb ish", "isb", options(nostack));
        }
    }
}

#[cfg(unix)]
impl Drop for DoubleMapping {
    fn drop(&mut self) {
        #[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
        forked::forget(Mapped {
            writable: self.writable,
            executable: self.executable,
            len: self.len,
        });
        // SAFETY: both mappings were made by `new`, and they are not executed or written any more.
        unsafe {
            libc::munmap(self.writable.cast(), self.len);
            if !self.is_near {
                libc::munmap(self.executable.cast(), self.len);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::CodeKind;

    #[test]
    fn pieces_do_not_overlap_and_are_reused() {
        let arena = CodeArena::default();
        let first = arena.place(&[1; 40], 0).unwrap();
        let second = arena.place(&[2; 10], 0).unwrap();
        assert_eq!((first.len(), second.len()), (64, 64));
        assert_eq!(second.address(), first.address() + 64);
        assert_eq!(arena.used_bytes(), 128);
        let freed = first.address();
        drop(first);
        assert_eq!(arena.used_bytes(), 64);
        let third = arena.place(&[3; 64], 0).unwrap();
        assert_eq!(third.address(), freed);
    }

    #[test]
    fn the_journal_says_what_is_made_and_freed() {
        let arena = CodeArena::default();
        let code = |piece: &CodeBlock| MachineCode {
            what: CodeKind::Entry,
            address: piece.address(),
            bytes: vec![0xC3],
            room: 0,
            frames: Vec::new(),
            below: None,
            ops: Vec::new(),
        };
        let early = arena.place(&[0xC3], 0).unwrap();
        arena.note(|| unreachable!("there is no journal"));
        assert_eq!(arena.take_journal(), []);
        arena.keep_journal();
        let late = arena.place(&[0xC3], 0).unwrap();
        arena.note(|| code(&late));
        let made = CodeEvent::Made(Box::new(code(&late)));
        assert_eq!(arena.take_journal(), [made]);
        let freed = [early.address(), late.address()].map(CodeEvent::Freed);
        drop(early);
        drop(late);
        assert_eq!(arena.take_journal(), freed);
    }

    #[test]
    fn what_is_hot_begins_a_line() {
        let arena = CodeArena::default();
        for hot in [0, 1, 24, 63, 64, 100] {
            let piece = arena.place(&[0x90; 120], hot).unwrap();
            assert_eq!((piece.address() + hot) % ALIGN, 0, "{hot}");
        }
    }

    #[test]
    fn freed_neighbours_merge() {
        let arena = CodeArena::default();
        let mut pieces: Vec<CodeBlock> = (0..8)
            .map(|_| arena.place(&[0x90; 32], 0).unwrap())
            .collect();
        let start = pieces[2].address();
        for n in [4, 2, 3] {
            pieces.remove(if n == 3 { 2 } else { n });
        }
        let merged = arena.place(&[0x90; 96], 0).unwrap();
        assert_eq!(merged.address(), start);
        assert_eq!(arena.memory.borrow().chunks.len(), 1);
    }

    #[test]
    fn free_memory_is_poisoned_and_grows_in_chunks() {
        let arena = CodeArena::default();
        let large = arena.place(&vec![0x90; CHUNK + 1], 0).unwrap();
        let small = arena.place(&[0x90; 1], 0).unwrap();
        assert_eq!(arena.used_bytes(), large.len() + small.len());
        let offset = small.offset;
        let chunk = small.chunk as usize;
        let read = |n: usize| {
            let memory = arena.memory.borrow();
            // SAFETY: the byte lies in the mapping.
            unsafe { *memory.chunks[chunk].memory.executable.add(n) }
        };
        assert_eq!(read(offset), 0x90);
        drop(small);
        if cfg!(target_arch = "x86_64") {
            assert_eq!(read(offset), 0xcc);
        }
    }
}
