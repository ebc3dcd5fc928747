//! GDB's interface for code that is made at run time: a list of object files in memory, which GDB
//! finds by name, and a function in which it stops when the list changes. A file is in the list,
//! and does not move, while its [`Registration`] lives. The list belongs to the process and changes
//! under a lock.
//!
//! Without a debugger this costs a list and a call of an empty function. Source: the GDB manual,
//! "JIT Compilation Interface". LLDB reads the same.

#![allow(unsafe_code)]

use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// An object file in the list.
#[repr(C)]
struct Entry {
    next: *mut Entry,
    previous: *mut Entry,
    image: *const u8,
    size: u64,
}

/// The descriptor that GDB reads when it stops in [`__jit_debug_register_code`].
#[repr(C)]
pub struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut Entry,
    first: *mut Entry,
}

const REGISTER: u32 = 1;
const UNREGISTER: u32 = 2;

/// The list. GDB looks for this name.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mut __jit_debug_descriptor: Descriptor = Descriptor {
    version: 1,
    action: 0,
    relevant: null_mut(),
    first: null_mut(),
};

/// The list changes under this lock.
static LOCK: Mutex<()> = Mutex::new(());

/// GDB stops here when the list has changed.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __jit_debug_register_code() {
    // Calls of an empty function would be optimised away.
    std::hint::black_box(&raw const __jit_debug_descriptor);
}

/// An object file that GDB knows.
pub(crate) struct Registration {
    entry: *mut Entry,
    /// The entry's file, in a buffer that does not move with this.
    _image: Box<[u8]>,
}

impl Registration {
    /// Lets GDB know an object file.
    pub(crate) fn new(image: Vec<u8>) -> Registration {
        let image = image.into_boxed_slice();
        let entry = Box::into_raw(Box::new(Entry {
            next: null_mut(),
            previous: null_mut(),
            image: image.as_ptr(),
            size: image.len() as u64,
        }));
        let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the list is read and written under the lock alone; its entries are alive, for
        // they leave it before they are freed.
        unsafe {
            let list = &raw mut __jit_debug_descriptor;
            let second = (*list).first;
            (*entry).next = second;
            if !second.is_null() {
                (*second).previous = entry;
            }
            (*list).first = entry;
            announce(list, REGISTER, entry);
        }
        Registration {
            entry,
            _image: image,
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: as above; the entry is in the list, was made from a box, and nothing else refers
        // to it once GDB has been told.
        unsafe {
            let list = &raw mut __jit_debug_descriptor;
            let Entry { next, previous, .. } = *self.entry;
            match previous.is_null() {
                true => (*list).first = next,
                false => (*previous).next = next,
            }
            if !next.is_null() {
                (*next).previous = previous;
            }
            announce(list, UNREGISTER, self.entry);
            drop(Box::from_raw(self.entry));
        }
    }
}

/// Tells GDB of a change of an entry.
///
/// # Safety
/// The caller has the lock; `list` is the list, and the entry is alive.
unsafe fn announce(list: *mut Descriptor, action: u32, entry: *mut Entry) {
    // SAFETY: the caller's promise.
    unsafe {
        (*list).relevant = entry;
        (*list).action = action;
        __jit_debug_register_code();
        // A debugger that attaches later finds no trace of the entry.
        (*list).relevant = null_mut();
        (*list).action = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of these sizes that are in the list, in its order. Other tests have files in it
    /// too.
    fn listed(sizes: &[u64]) -> Vec<u64> {
        let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        // SAFETY: the list is read under the lock, and its entries are alive.
        unsafe {
            let mut previous = null_mut();
            let list = &raw const __jit_debug_descriptor;
            let mut next = (*list).first;
            while !next.is_null() {
                assert_eq!((*next).previous, previous);
                found.push((*next).size);
                (previous, next) = (next, (*next).next);
            }
        }
        found.retain(|size| sizes.contains(size));
        found
    }

    #[test]
    fn files_leave_the_list_in_any_order() {
        let sizes = [100_001, 100_002, 100_003];
        let mut files: Vec<Registration> = (sizes.iter())
            .map(|&size| Registration::new(vec![0; size as usize]))
            .collect();
        assert_eq!(listed(&sizes), [100_003, 100_002, 100_001]);
        files.remove(1);
        assert_eq!(listed(&sizes), [100_003, 100_001]);
        files.pop();
        assert_eq!(listed(&sizes), [100_001]);
        files.clear();
        assert_eq!(listed(&sizes), []);
    }
}
