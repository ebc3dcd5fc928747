//! Allocation: the inline fast path, and the functions that the interpreting stages and compiled
//! code call. The header is written before anything that can collect. Compiled code gets null only
//! if the system has no memory either ([`crate::context::exhaustion`]).

use crate::collector::Bound;
use crate::context::Context;
use crate::layout::descr::{ARRAY_LEN_OFFSET, MAX_ARRAY_LEN, array_size};
use crate::memory::chunk::{MEDIUM_MAX, SMALL_MAX};

/// Takes memory off the current hole and writes the header.
///
/// # Safety
/// `ctx` is a live context.
#[inline(always)]
unsafe fn bump(ctx: *mut Context, size: usize, word: i32) -> Option<*mut u8> {
    // SAFETY: the caller's promise; the cursor never passes the limit, and below the limit is fresh
    // memory.
    unsafe {
        let object = (*ctx).cursor;
        if size > (*ctx).limit.addr() - object.addr() {
            return None;
        }
        (*ctx).cursor = object.wrapping_add(size);
        // Class word and bits in one store.
        object.cast::<u64>().write(word as u32 as u64);
        Some(object)
    }
}

/// A new object: [`alloc_struct`] to be inlined with a constant size.
///
/// # Safety
/// As [`alloc_struct`].
#[inline(always)]
pub(crate) unsafe fn struct_fast(ctx: *mut Context, size: usize, word: i32) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe {
        if size <= SMALL_MAX
            && let Some(object) = bump(ctx, size, word)
        {
            return object;
        }
        struct_slow(ctx, size, word)
    }
}

#[cold]
#[inline(never)]
unsafe fn struct_slow(ctx: *mut Context, size: usize, word: i32) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { (*ctx).allocate(size, word, Bound::Limit) }
}

/// A new array: [`alloc_array`] to be inlined with a constant item size.
///
/// # Safety
/// As [`alloc_array`]; the length is less than [`MAX_ARRAY_LEN`].
#[inline(always)]
pub(crate) unsafe fn array_fast(ctx: *mut Context, word: i32, item_size: u64, len: u64) -> *mut u8 {
    let size = array_size(item_size, len) as usize;
    // SAFETY: the caller's promise. The length is written before anything else can happen.
    unsafe {
        if size <= MEDIUM_MAX
            && let Some(object) = bump(ctx, size, word)
        {
            object.add(ARRAY_LEN_OFFSET).cast::<u64>().write(len);
            return object;
        }
        array_slow(ctx, word, size, len, Bound::Limit)
    }
}

#[cold]
#[inline(never)]
unsafe fn array_slow(ctx: *mut Context, word: i32, size: usize, len: u64, bound: Bound) -> *mut u8 {
    // SAFETY: the caller's promise. The length is written before anything else can happen.
    unsafe {
        let object = (*ctx).allocate(size, word, bound);
        if !object.is_null() {
            object.add(ARRAY_LEN_OFFSET).cast::<u64>().write(len);
        }
        object
    }
}

/// A new object with all fields zero, or null at the heap limit.
///
/// # Safety
/// `ctx` is a live context of this thread; `size` and `word` are those of a struct class.
pub unsafe fn alloc_struct(ctx: *mut Context, size: u32, word: i32) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { struct_fast(ctx, size as usize, word) }
}

/// A new array with all items zero, or null at the heap limit and for lengths from
/// [`MAX_ARRAY_LEN`].
///
/// # Safety
/// `ctx` is a live context of this thread; `word` and `item_size` are those of an array class.
pub unsafe fn alloc_array(ctx: *mut Context, word: i32, item_size: u32, len: u64) -> *mut u8 {
    if len >= MAX_ARRAY_LEN {
        return std::ptr::null_mut();
    }
    // SAFETY: the caller's promise.
    unsafe { array_fast(ctx, word, item_size as u64, len) }
}

/// [`alloc_struct`] for callers that cannot fail at the limit: the object lies beyond it
/// then, and the heap is exhausted. Null if the system has no memory.
///
/// # Safety
/// As [`alloc_struct`].
pub unsafe fn alloc_struct_beyond(ctx: *mut Context, size: u32, word: i32) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe {
        let small = (size as usize <= SMALL_MAX).then(|| bump(ctx, size as usize, word));
        match small.flatten() {
            Some(object) => object,
            None => vd_alloc_slow(ctx, u64::from(size), word as u32 as u64),
        }
    }
}

/// [`alloc_array`] in the same way. Null also for lengths from [`MAX_ARRAY_LEN`].
///
/// # Safety
/// As [`alloc_array`].
pub unsafe fn alloc_array_beyond(
    ctx: *mut Context,
    word: i32,
    item_size: u32,
    len: u64,
) -> *mut u8 {
    if len >= MAX_ARRAY_LEN {
        return std::ptr::null_mut();
    }
    let size = array_size(u64::from(item_size), len) as usize;
    // SAFETY: the caller's promise. The length is written before anything else can happen.
    unsafe {
        if size <= MEDIUM_MAX
            && let Some(object) = bump(ctx, size, word)
        {
            object.add(ARRAY_LEN_OFFSET).cast::<u64>().write(len);
            return object;
        }
        array_slow(ctx, word, size, len, Bound::None)
    }
}

/// [`alloc_struct_beyond`] for compiled code whose fast path has found no room; the class word is
/// in the low half.
///
/// # Safety
/// As [`alloc_struct`].
#[cold]
#[inline(never)]
pub unsafe extern "C" fn vd_alloc_slow(ctx: *mut Context, size: u64, class_word: u64) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { (*ctx).allocate(size as usize, class_word as i32, Bound::None) }
}

/// [`alloc_array_beyond`] for compiled code; the class word is in the low half.
///
/// # Safety
/// As [`alloc_array`].
pub unsafe extern "C" fn vd_alloc_array(
    ctx: *mut Context,
    class_word: u64,
    item_size: u64,
    len: u64,
) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { alloc_array_beyond(ctx, class_word as i32, item_size as u32, len) }
}
