//! References to Rust data outside of the heap, as words. Native code lends a reference for longer
//! than traced code runs; traced code hands its words on to the functions that it calls, and rustc
//! has checked what it does with it.
//!
//! Safe code can turn a reference into an [`Address`], from which there is no way back. A
//! [`BorrowedArg`] exists only in thunks, which make it of the words that traced code passes.

use crate::layout::parts::Parts;
use crate::layout::parts_layout::INT;
use crate::layout::refs::RefPlace;
use crate::layout::word::WordKind;

/// A type of which references are lent to traced code: any type without lifetimes, `str`, and
/// slices.
///
/// # Safety
/// `from_words` gives the pointer that `to_words` was given.
#[diagnostic::on_unimplemented(
    message = "a reference to `{Self}` cannot be lent to traced code",
    note = "put the value into a struct, and lend a reference to that"
)]
pub unsafe trait Lend: 'static {
    /// The words of a reference.
    const KINDS: &'static [WordKind];
    /// Writes the words of a pointer.
    fn to_words(this: *const Self, words: &mut [u64]);
    /// Reads the words of a pointer.
    fn from_words(words: &[u64]) -> *const Self;
}

// SAFETY: the address is the pointer.
unsafe impl<T: 'static> Lend for T {
    const KINDS: &'static [WordKind] = &[INT];
    #[inline(always)]
    fn to_words(this: *const T, words: &mut [u64]) {
        words[0] = this.expose_provenance() as u64;
    }
    #[inline(always)]
    fn from_words(words: &[u64]) -> *const T {
        std::ptr::with_exposed_provenance(words[0] as usize)
    }
}

// SAFETY: address and length are the pointer.
unsafe impl<T: 'static> Lend for [T] {
    const KINDS: &'static [WordKind] = &[INT, INT];
    #[inline(always)]
    fn to_words(this: *const [T], words: &mut [u64]) {
        words[0] = this.cast::<T>().expose_provenance() as u64;
        words[1] = this.len() as u64;
    }
    #[inline(always)]
    fn from_words(words: &[u64]) -> *const [T] {
        let start = std::ptr::with_exposed_provenance::<T>(words[0] as usize);
        std::ptr::slice_from_raw_parts(start, words[1] as usize)
    }
}

// SAFETY: as for the slice of its bytes.
unsafe impl Lend for str {
    const KINDS: &'static [WordKind] = <[u8] as Lend>::KINDS;
    #[inline(always)]
    fn to_words(this: *const str, words: &mut [u64]) {
        <[u8] as Lend>::to_words(this as *const [u8], words);
    }
    #[inline(always)]
    fn from_words(words: &[u64]) -> *const str {
        <[u8] as Lend>::from_words(words) as *const str
    }
}

/// The address of a value that has been lent, for variables of the merge point and results of
/// functions.
pub struct Address<T: ?Sized>(*const T);

/// The address of what a reference refers to.
#[inline(always)]
pub fn address<T: Lend + ?Sized>(reference: &T) -> Address<T> {
    Address(reference)
}

/// The address of what a reference refers to, which may be changed by way of it.
#[inline(always)]
pub fn address_mut<T: Lend + ?Sized>(reference: &mut T) -> Address<T> {
    Address(&raw mut *reference)
}

/// A shared reference in a thunk.
pub struct BorrowedArg<T: ?Sized>(*const T);

impl<T: ?Sized> BorrowedArg<T> {
    /// The reference.
    #[inline(always)]
    pub fn get(&self) -> &T {
        // SAFETY: made by `Parts::load`, whose caller promises the words of a reference that is
        // lent for the time of the call.
        unsafe { &*self.0 }
    }
}

/// A unique reference in a thunk.
pub struct BorrowedArgMut<T: ?Sized>(*const T);

impl<T: ?Sized> BorrowedArgMut<T> {
    /// The reference.
    #[inline(always)]
    pub fn get(&mut self) -> &mut T {
        // SAFETY: as for `BorrowedArg`, and unique meanwhile: rustc has checked the traced
        // code, which calls with it.
        unsafe { &mut *self.0.cast_mut() }
    }
}

macro_rules! pointers {
    ($($name:ident)*) => {$(
        impl<T: ?Sized> Clone for $name<T> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T: ?Sized> Copy for $name<T> {}

        // SAFETY: the components are the words of a pointer, and none of them is a reference to the
        // heap.
        unsafe impl<T: Lend + ?Sized> Parts for $name<T> {
            const KINDS: &'static [WordKind] = T::KINDS;
            const REFS: &'static [RefPlace] = &[];
            const SIZE: u32 = T::KINDS.len() as u32 * 8;
            const ALIGN: u32 = 8;
            const EXACT: bool = false;
            type Abi = u64;
            const DIRECT: bool = T::KINDS.len() == 1;
            const HAS_ZERO: bool = false;
            #[inline(always)]
            fn store(&self, words: &mut [u64]) {
                T::to_words(self.0, words);
            }
            #[inline(always)]
            unsafe fn load(words: &[u64]) -> Self {
                $name(T::from_words(words))
            }
        }
    )*};
}

pointers! { Address BorrowedArg BorrowedArgMut }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::parts::MAX_PARTS;

    fn words<P: Parts>(value: P) -> Vec<u64> {
        let mut words = [7; MAX_PARTS];
        value.store(&mut words);
        words[..P::KINDS.len()].to_vec()
    }

    #[test]
    fn references_come_back() {
        let text = String::from("text");
        let mut list = vec![1u16, 2, 3];
        // SAFETY: the words are those of references that are alive.
        unsafe {
            assert_eq!(
                BorrowedArg::<str>::load(&words(address(&text[1..]))).get(),
                "ext"
            );
            assert_eq!(
                BorrowedArg::<String>::load(&words(address(&text))).get(),
                "text"
            );
            assert_eq!(
                BorrowedArg::<[u16]>::load(&words(address(&list[1..]))).get(),
                [2, 3]
            );
            let given = words(address_mut(&mut list));
            BorrowedArgMut::<Vec<u16>>::load(&given).get().push(4);
        }
        assert_eq!(list, [1, 2, 3, 4]);
        assert_eq!(words(address(&text)).len(), 1);
        assert_eq!(words(address(&*text))[1], 4);
    }
}
