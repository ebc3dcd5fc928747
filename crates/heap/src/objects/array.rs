//! Arrays on the heap. The length never changes; items of a word type never change after
//! construction.

use crate::context::current::current_or_panic;
use crate::context::payloads::HeapExhausted;
use crate::fields::cell::Field;
use crate::layout::descr::{
    ARRAY_ITEMS_OFFSET, ClassDescr, FieldRefs, Header, ItemDescr, MAX_ARRAY_LEN, class_word,
};
use crate::layout::word::{GcRef, REF, Word, WordKind};
use crate::objects::alloc::array_fast;
use crate::objects::gc::{AnyObject, Outside, pointer};
use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;
use std::ptr::NonNull;

/// What every array starts with; the items follow.
#[repr(C)]
struct ArrayBox {
    header: Header,
    len: u64,
}

/// A reference to an array on the heap, of words or of [`crate::Cell`]s. The tag `K` makes a class
/// of its own: arrays with different tags are known to be different arrays.
#[repr(transparent)]
pub struct GcArray<T, K = ()>(NonNull<ArrayBox>, PhantomData<(*const T, *const K)>);

// As `Gc`: arrays stay inside of the VM too.
impl<T: Outside, K> Unpin for GcArray<T, K> {}

/// Carries the descriptor of an array class.
struct ArrayClass<T, K>(PhantomData<(T, K)>);

impl<T: Field, K: 'static> ArrayClass<T, K> {
    const DESCR: &'static ClassDescr = &ClassDescr {
        name: "GcArray",
        size: ARRAY_ITEMS_OFFSET as u32,
        fields: &[],
        refs: FieldRefs::NONE,
        item: Some(ItemDescr {
            kinds: {
                assert!(
                    !T::QUASI,
                    "a `Quasi` is a field of a `#[gc]` struct, not an item of an array: items that change are `Cell`s"
                );
                T::KINDS
            },
            refs: T::REFS,
            immutable: T::IMMUTABLE,
            virtualizable: T::VIRTUALIZABLE,
            register: T::REGISTER,
            part: 0,
            stride: size_of::<T>(),
        }),
        ty: Some(TypeId::of::<GcArray<T, K>>()),
    };
}

/// Carries the descriptor of one component of an array's items.
struct ArrayPart<T, K, const N: usize>(PhantomData<(T, K)>);

impl<T: Field, K: 'static, const N: usize> ArrayPart<T, K, N> {
    const DESCR: &'static ClassDescr = &ClassDescr {
        name: "GcArray",
        size: ARRAY_ITEMS_OFFSET as u32,
        fields: &[],
        refs: FieldRefs::NONE,
        item: Some(ItemDescr {
            kinds: T::KINDS,
            refs: T::REFS,
            immutable: T::IMMUTABLE,
            virtualizable: T::VIRTUALIZABLE,
            register: T::REGISTER,
            part: N,
            stride: size_of::<T>(),
        }),
        ty: None,
    };
}

/// The `N`-th component of the items of `GcArray<T, K>`, as a class that accesses name; no object
/// has it.
#[inline(always)]
pub fn array_part<T: Field, K: 'static, const N: usize>() -> &'static ClassDescr {
    ArrayPart::<T, K, N>::DESCR
}

/// The class of `GcArray<T, K>`. Different calls may give descriptors with equal contents and
/// different addresses.
#[inline(always)]
pub fn array_class<T: Field, K: 'static>() -> &'static ClassDescr {
    ArrayClass::<T, K>::DESCR
}

impl<T, K> Clone for GcArray<T, K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, K> Copy for GcArray<T, K> {}

impl<T: Field, K: 'static> GcArray<T, K> {
    /// An array of `len` items, all `fill`.
    ///
    /// # Panics
    /// With `capacity overflow` for absurd lengths; else as [`crate::Gc::new`].
    #[inline]
    pub fn new(len: usize, fill: T::Value) -> Self {
        Self::zeroed(len).filled(fill)
    }

    /// An array of `len` items, all `fill`, or `None` at the heap limit: for a guest that can do
    /// with less. Not for traced code, which learns of the limit at its guards alone; a function
    /// marked `#[opaque]` can call it.
    ///
    /// # Panics
    /// With a message if no VM is entered on this thread.
    #[inline]
    pub fn try_new(len: usize, fill: T::Value) -> Option<Self> {
        if len as u64 >= MAX_ARRAY_LEN {
            return None;
        }
        match Self::allocate(len) {
            Some(array) => Some(array.filled(fill)),
            None => HeapExhausted::answer(),
        }
    }

    #[inline(always)]
    fn filled(self, fill: T::Value) -> Self {
        // SAFETY: the items are fresh memory for as many values.
        unsafe {
            let items = self.items();
            for i in 0..self.len() {
                items.add(i).write(T::with_value(fill));
            }
        }
        self
    }

    /// An array with these items.
    ///
    /// # Panics
    /// As [`GcArray::new`].
    pub fn from_slice(values: &[T::Value]) -> Self {
        let array = Self::zeroed(values.len());
        for (i, &value) in values.iter().enumerate() {
            // SAFETY: the items are fresh memory for as many values.
            unsafe { array.items().add(i).write(T::with_value(value)) };
        }
        array
    }

    /// An array with the items of these slices, one behind the other.
    ///
    /// # Panics
    /// As [`GcArray::new`].
    pub fn concat(parts: &[&[T::Value]]) -> Self {
        let array = Self::zeroed(parts.iter().map(|part| part.len()).sum());
        let mut at = array.items();
        for part in parts {
            for (i, &value) in part.iter().enumerate() {
                // SAFETY: the items are fresh memory for as many values as all parts have.
                unsafe { at.add(i).write(T::with_value(value)) };
            }
            // SAFETY: as above.
            at = unsafe { at.add(part.len()) };
        }
        array
    }

    /// Fresh memory: header, length, and items of zero bytes.
    #[inline]
    pub(crate) fn zeroed(len: usize) -> Self {
        if len as u64 >= MAX_ARRAY_LEN {
            capacity_overflow()
        }
        match Self::allocate(len) {
            Some(array) => array,
            None => HeapExhausted::raise(),
        }
    }

    /// The same, or `None` at the heap limit.
    #[inline(always)]
    fn allocate(len: usize) -> Option<Self> {
        let word = class_word(array_class::<T, K>());
        // SAFETY: the item size is the class's, and the length is less than the most.
        let array =
            unsafe { array_fast(current_or_panic(), word, size_of::<T>() as u64, len as u64) };
        Some(GcArray(NonNull::new(array.cast())?, PhantomData))
    }

    /// The items as a slice.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        // SAFETY: the array is alive since this reference exists, and has been filled.
        unsafe { std::slice::from_raw_parts(self.items(), self.len()) }
    }
}

/// What is the same in traced code. Only plain items have it: what becomes of an item that can be
/// changed, the translator sees by an index or [`GcArray::as_slice`].
impl<T: Field<Value = T>, K: 'static> GcArray<T, K> {
    /// The items in order.
    #[inline(always)]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// An item, if there is one with this index.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.as_slice().get(index)
    }

    /// The first item, if there is any.
    #[inline(always)]
    pub fn first(&self) -> Option<&T> {
        self.as_slice().first()
    }

    /// The last item, if there is any.
    #[inline(always)]
    pub fn last(&self) -> Option<&T> {
        self.as_slice().last()
    }
}

impl<T, K> GcArray<T, K> {
    /// The number of items.
    #[inline(always)]
    pub fn len(&self) -> usize {
        // SAFETY: the array is alive since this reference exists. The length never changes.
        unsafe { (*self.0.as_ptr()).len as usize }
    }

    /// Whether there are no items.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether both are the same array.
    #[inline(always)]
    pub fn ptr_eq(a: Self, b: Self) -> bool {
        a.0 == b.0
    }

    /// The reference without its class.
    #[inline(always)]
    pub fn erase(array: Self) -> AnyObject {
        // SAFETY: an array is an object.
        unsafe { AnyObject::from_word(array.0.as_ptr().expose_provenance() as u64) }
    }

    #[inline(always)]
    fn items(&self) -> *mut T {
        self.0
            .as_ptr()
            .cast::<u8>()
            .wrapping_add(ARRAY_ITEMS_OFFSET)
            .cast()
    }
}

impl<T: Field, K: 'static> Index<usize> for GcArray<T, K> {
    type Output = T;
    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        &self.as_slice()[index]
    }
}

#[cold]
#[inline(never)]
fn capacity_overflow() -> ! {
    panic!("capacity overflow")
}

/// Identity.
impl<T, K> PartialEq for GcArray<T, K> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T, K> Eq for GcArray<T, K> {}

/// Address and length only: arrays may be cyclic.
impl<T, K> fmt::Debug for GcArray<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GcArray({:p}; {})", self.0, self.len())
    }
}

// SAFETY: transparent over a pointer to the array.
unsafe impl<T: Field, K: 'static> Word for GcArray<T, K> {
    const KIND: WordKind = REF;
    type Abi = u64;
    #[inline(always)]
    fn to_word(self) -> u64 {
        self.0.as_ptr().expose_provenance() as u64
    }
    #[inline(always)]
    unsafe fn from_word(word: u64) -> Self {
        // SAFETY: the caller promises a word made by `to_word`, so not 0.
        GcArray(unsafe { pointer(word) }, PhantomData)
    }
}

// SAFETY: transparent over `NonNull`.
unsafe impl<T: Field, K: 'static> GcRef for GcArray<T, K> {}
