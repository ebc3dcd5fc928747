//! Class descriptors and object headers. A class word is the distance of a static descriptor from
//! one static anchor, so it is never 0, and no table of classes or other state of the process
//! exists.

use crate::layout::refs::RefPlace;
use crate::layout::word::WordKind;
use std::any::TypeId;

/// A field of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldDescr {
    /// Its name in the struct.
    pub name: &'static str,
    /// Bytes from the start of the object, header included.
    pub offset: u32,
    /// Type and representation of each of its components, from the start of the field.
    pub kinds: &'static [WordKind],
    /// Where in the field references may be.
    pub refs: &'static [RefPlace],
    /// Whether it never changes after construction.
    pub immutable: bool,
    /// Whether it is a [`Quasi`](crate::Quasi).
    pub quasi: bool,
    /// Whether it is a [`Virtualizable`](crate::Virtualizable).
    pub virtualizable: bool,
}

/// The items of an array class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ItemDescr {
    /// Type and representation of each component of an item, from the start of the item.
    pub kinds: &'static [WordKind],
    /// Where in an item references may be.
    pub refs: &'static [RefPlace],
    /// Whether items never change after construction.
    pub immutable: bool,
    /// Whether items are [`Virtualizable`](crate::Virtualizable).
    pub virtualizable: bool,
    /// Whether items are [`Register`](crate::Register)s.
    pub register: bool,
    /// Which component accesses that name this descriptor mean; 0 in the class of an object.
    pub part: usize,
    /// Bytes from one item to the next.
    pub stride: usize,
}

/// A class of heap objects. Classes of structs without parameters are unique statics. Those of
/// arrays and of structs with parameters are constants of generic code, of which rustc makes as
/// many copies, with addresses of their own, as it likes: no code tests for them; `ty` identifies
/// the class of such an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassDescr {
    /// The struct's name without its path, or `GcArray`.
    pub name: &'static str,
    /// Bytes of an instance with its header; for arrays, bytes before the first item.
    pub size: u32,
    /// The fields (empty for arrays).
    pub fields: &'static [FieldDescr],
    /// Where in the fields references may be, as the collector likes to know it.
    pub refs: FieldRefs,
    /// The items, if it is an array class.
    pub item: Option<ItemDescr>,
    /// The type of the objects, if there may be more than one descriptor of it.
    pub ty: Option<TypeId>,
}

/// Where in an object of a class references may be. The same is in the descriptors of the fields,
/// but to walk those takes longer than all else that marking does with an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldRefs {
    /// Words that always hold a reference or null: the `n`-th bit means the `n`-th word from the
    /// start of the object, header included.
    pub(crate) plain: u64,
    /// There are others, which the descriptors of the fields tell.
    pub(crate) others: bool,
}

impl FieldRefs {
    /// No references.
    pub const NONE: FieldRefs = FieldRefs {
        plain: 0,
        others: false,
    };

    /// The same with those of a field that starts this many bytes from the start of the object.
    pub const fn with(mut self, offset: usize, refs: &[RefPlace]) -> FieldRefs {
        let mut n = 0;
        while n < refs.len() {
            let word = (offset + refs[n].offset as usize) / 8;
            if refs[n].is_certain() && word < 64 {
                self.plain |= 1 << word;
            } else {
                self.others = true;
            }
            n += 1;
        }
        self
    }
}

/// The first 8 bytes of every object.
#[derive(Debug)]
#[repr(C, align(8))]
pub struct Header {
    /// The class: see [`class_word`].
    pub class: i32,
    /// The collector's bits; 0 in a new small object.
    pub bits: u32,
}

/// The bits of [`Header::bits`]. The rest is kept for the collector.
pub(crate) mod bits {
    /// The object is a large object: it does not lie in a block.
    pub const LARGE: u32 = 1;
    /// A large object that the running collection has reached. (Others have their bit in the start
    /// bitmap.)
    pub const MARKED: u32 = 2;
    /// Suspended code may keep virtualizable places of the object to itself: see
    /// [`Suspended`](crate::Suspended).
    pub const KEPT: u32 = 4;
    /// An array that marking does not look into: its entries are weak, and the running collection
    /// may remove some.
    pub const HIDDEN: u32 = 8;
}

/// Byte offset of an array's length.
pub const ARRAY_LEN_OFFSET: usize = 8;
/// Byte offset of an array's first item.
pub const ARRAY_ITEMS_OFFSET: usize = 16;

/// Longer arrays are refused whatever the item size.
pub const MAX_ARRAY_LEN: u64 = 1 << 40;

/// Bytes of an array whose length is less than [`MAX_ARRAY_LEN`].
#[inline(always)]
pub(crate) fn array_size(item_size: u64, len: u64) -> u64 {
    (ARRAY_ITEMS_OFFSET as u64 + item_size * len).next_multiple_of(8)
}

/// The origin of class words. Not zero-sized, so that no descriptor has its address.
static ANCHOR: u64 = 0;

fn distance(descr: &'static ClassDescr) -> isize {
    (&raw const *descr).expose_provenance() as isize - (&raw const ANCHOR).addr() as isize
}

/// The word in the header of the objects of a class.
#[inline(always)]
pub fn class_word(descr: &'static ClassDescr) -> i32 {
    debug_assert!(class_word_fits(descr));
    distance(descr) as i32
}

/// Whether a class word can reach this descriptor: always, unless program and heap are different
/// shared libraries.
pub(crate) fn class_word_fits(descr: &'static ClassDescr) -> bool {
    i32::try_from(distance(descr)).is_ok()
}

/// The address of the descriptor that a class word means.
#[inline(always)]
pub(crate) fn class_address(word: i32) -> *const ClassDescr {
    let address = (&raw const ANCHOR)
        .addr()
        .wrapping_add_signed(word as isize);
    std::ptr::with_exposed_provenance(address)
}

/// The class of an object.
///
/// # Safety
/// `object` is a live object.
#[inline(always)]
pub(crate) unsafe fn class_of_object(object: *mut u8) -> &'static ClassDescr {
    // SAFETY: every object starts with a header that names a class.
    unsafe { class_of_word((*object.cast::<Header>()).class) }
}

/// The descriptor that a class word means.
///
/// # Safety
/// The word comes from [`class_word`] in this process.
#[inline(always)]
pub unsafe fn class_of_word(word: i32) -> &'static ClassDescr {
    let addr = (&raw const ANCHOR)
        .addr()
        .wrapping_add_signed(word as isize);
    // SAFETY: the word is the distance of a static descriptor, whose provenance `distance` has
    // exposed.
    unsafe { &*std::ptr::with_exposed_provenance::<ClassDescr>(addr) }
}

/// The class word in an object's header.
///
/// # Safety
/// `object` is the address of a live object.
#[inline(always)]
pub unsafe fn class_word_of(object: u64) -> i32 {
    // SAFETY: every object starts with a header.
    unsafe { (*(object as *const Header)).class }
}

/// The end of `kind()`: no class matched.
#[cold]
#[inline(never)]
pub fn unknown_class(object: &'static str) -> ! {
    panic!(
        "a `{object}` has a class that is none of its variants: the object has been freed. Keep \
         references to heap objects in locals, in other heap objects or in a `Root`, never in a `Vec`, `Box` or `static`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    static A: ClassDescr = ClassDescr {
        name: "A",
        size: 8,
        fields: &[],
        refs: FieldRefs::NONE,
        item: None,
        ty: None,
    };
    static B: ClassDescr = ClassDescr {
        name: "B",
        size: 16,
        fields: &[],
        refs: FieldRefs::NONE,
        item: None,
        ty: None,
    };

    #[test]
    fn class_words_are_invertible_and_not_zero() {
        for descr in [&A, &B] {
            let word = class_word(descr);
            assert_ne!(word, 0);
            // SAFETY: the word was just made.
            assert!(std::ptr::eq(unsafe { class_of_word(word) }, descr));
        }
        assert_ne!(class_word(&A), class_word(&B));
    }
}
