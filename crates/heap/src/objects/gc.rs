//! References to heap structs. A `Gc` on the stack, in a register, in a heap object or in a `Root`
//! keeps its object alive and in place; one in malloc memory or in a static does not.

use crate::context::current::current_or_panic;
use crate::context::payloads::HeapExhausted;
use crate::layout::descr::{ClassDescr, Header, class_address, class_word, class_word_of};
use crate::layout::word::{GcRef, REF, Word, WordKind};
use crate::objects::alloc::struct_fast;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// A struct that can live on the heap. Implemented by `#[gc]` (through [`crate::gc_class!`]).
///
/// # Safety
/// The descriptor lists every field of the struct as it lies in [`GcBox`]; the struct has no
/// `Drop`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a heap class",
    label = "not a heap class",
    note = "write `#[gc]` on the struct"
)]
pub unsafe trait GcClass: Sized + 'static {
    /// The class. Of a struct with parameters, different calls may give descriptors with equal
    /// contents and different addresses.
    fn descr() -> &'static ClassDescr;
}

/// A heap class whose objects can be recognised by their headers. Implemented by `#[gc]` on structs
/// without parameters.
///
/// # Safety
/// [`GcClass::descr`] always gives the same static.
#[diagnostic::on_unimplemented(
    message = "objects of `{Self}` cannot be told from others, so it cannot be a variant of an `#[object]`",
    label = "not a class that can be recognised",
    note = "a `#[gc]` struct with type parameters has no unique class: write a struct without parameters that has the \
            object as a field, as in `#[gc] struct Ints {{ list: Gc<List<i64>> }}`"
)]
pub unsafe trait UniqueClass: GcClass {}

/// The descriptor that all objects of the class name in their headers.
#[inline(always)]
pub fn unique_class<T: UniqueClass>() -> &'static ClassDescr {
    T::descr()
}

/// Tells the JIT the class of an object, so that compiled code has no guard for it:
/// `unsafe { record_exact_class::<IntObj>(obj) }`, in front of a `match` on `obj.kind()`, say.
///
/// Right where the guest program's own structure, which the JIT does not see, leaves no other
/// class. The interpreter, and the parameter `check_hints=1` in compiled code, find out whether it
/// is true.
///
/// # Safety
/// The object has this class, each time. Compiled code relies on it, and would take an object of
/// another class for one of this.
///
/// # Panics
/// In the interpreter, if the object has another class.
#[inline]
#[track_caller]
pub unsafe fn record_exact_class<C: UniqueClass>(object: impl GcRef) {
    // SAFETY: a reference is that of a live object.
    let word = unsafe { class_word_of(object.to_word()) };
    assert!(
        word == class_word(C::descr()),
        "record_exact_class: the object is not a `{}`",
        C::descr().name
    );
}

/// The class of a struct; see [`GcClass::descr`].
#[inline(always)]
pub fn struct_class<T: GcClass>() -> &'static ClassDescr {
    T::descr()
}

/// A struct on the heap.
#[derive(Debug)]
#[repr(C)]
pub struct GcBox<T> {
    /// Class and collector bits.
    pub header: Header,
    /// The struct.
    pub value: T,
}

/// A reference to a struct on the heap.
///
/// Heaps belong to threads:
/// ```compile_fail,E0277
/// # struct Foo;
/// # verdigris_heap::gc_class! { Foo {} }
/// let foo = verdigris_heap::Gc::new(Foo);
/// std::thread::spawn(move || { let foo = foo; });
/// ```
/// Nor in a `static`, which the collector does not see:
/// ```compile_fail,E0277
/// # struct Foo;
/// # verdigris_heap::gc_class! { Foo {} }
/// static FOO: std::sync::OnceLock<verdigris_heap::Gc<Foo>> = std::sync::OnceLock::new();
/// ```
/// What is no class cannot be on the heap:
/// ```compile_fail,E0277
/// struct Plain { text: String }
/// verdigris_heap::Gc::new(Plain { text: String::new() });
/// ```
/// A plain field does not change:
/// ```compile_fail,E0594
/// # struct Foo { x: i64 }
/// # verdigris_heap::gc_class! { Foo { x: i64 } }
/// fn change(foo: verdigris_heap::Gc<Foo>) { foo.x = 1; }
/// ```
/// A reference stays inside of `Vm::enter`, also in a value of several parts: nothing keeps its
/// object alive outside. A [`Root`](crate::Root) may leave.
/// ```compile_fail,E0277
/// # struct Foo { x: i64 }
/// # verdigris_heap::gc_class! { Foo { x: i64 } }
/// # use verdigris_heap::{Gc, with_heap};
/// let foo = with_heap(Default::default(), || Some((1, Gc::new(Foo { x: 1 }))));
/// ```
/// ```compile_fail,E0277
/// # struct Foo { x: i64 }
/// # verdigris_heap::gc_class! { Foo { x: i64 } }
/// # use verdigris_heap::{Gc, with_heap};
/// let foos = with_heap(Default::default(), || vec![Gc::new(Foo { x: 1 })]);
/// ```
#[repr(transparent)]
pub struct Gc<T>(NonNull<GcBox<T>>);

/// Implemented by nothing, and without a name outside of this crate. Its message appears when a
/// reference is about to leave the VM.
#[diagnostic::on_unimplemented(
    message = "a reference to a heap object cannot leave the VM",
    label = "this is, or holds, a reference to an object that may be freed when the VM has been left",
    note = "the collector looks neither at what is outside of `Vm::enter`, nor into Rust's own heap: keep the object in a `Root` or `RootVec`, which may leave, or give back what is in it"
)]
pub trait Outside {}

// What leaves a VM must be `Unpin`, as nearly every type is. References are made the exception:
// nothing pins them, but no other trait spreads from parts to the whole by itself.
impl<T: Outside> Unpin for Gc<T> {}

impl<T> Clone for Gc<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Gc<T> {}

impl<T> Deref for Gc<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the object is alive since this reference exists. Compiled code writes to its
        // cells only.
        unsafe { &(*self.0.as_ptr()).value }
    }
}

impl<T: GcClass> Gc<T> {
    /// Puts a value on the current heap.
    ///
    /// # Panics
    /// With [`HeapExhausted`] as payload at the heap limit; with a message if no VM is entered on
    /// this thread.
    #[inline]
    pub fn new(value: T) -> Gc<T> {
        match Gc::allocate() {
            Some(object) => Gc::fill(object, value),
            None => HeapExhausted::raise(),
        }
    }

    /// Puts a value on the current heap, or returns `None` at the heap limit: for a guest that can
    /// do with less. Not for traced code, which learns of the limit at its guards alone; a function
    /// marked `#[opaque]` can call it.
    ///
    /// # Panics
    /// With a message if no VM is entered on this thread.
    #[inline]
    pub fn try_new(value: T) -> Option<Gc<T>> {
        match Gc::allocate() {
            Some(object) => Some(Gc::fill(object, value)),
            None => HeapExhausted::answer(),
        }
    }

    /// Memory for an object, with its header. Values that will go there are on the stack or in
    /// registers while a collection may happen.
    #[inline(always)]
    fn allocate() -> Option<NonNull<GcBox<T>>> {
        let word = class_word(T::descr());
        // SAFETY: the size is the class's.
        let object = unsafe { struct_fast(current_or_panic(), size_of::<GcBox<T>>(), word) };
        NonNull::new(object.cast())
    }

    #[inline(always)]
    fn fill(object: NonNull<GcBox<T>>, value: T) -> Gc<T> {
        // SAFETY: `object` is fresh memory of that size and alignment.
        unsafe { (&raw mut (*object.as_ptr()).value).write(value) };
        Gc(object)
    }
}

impl<T> Gc<T> {
    /// Whether both are the same object.
    #[inline(always)]
    pub fn ptr_eq(a: Gc<T>, b: Gc<T>) -> bool {
        a.0 == b.0
    }

    /// The reference without its class.
    #[inline(always)]
    pub fn erase(gc: Gc<T>) -> AnyObject {
        AnyObject(gc.0.cast(), PhantomData)
    }
}

/// Identity.
impl<T> PartialEq for Gc<T> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Gc<T> {}

/// The address only: objects may be cyclic.
impl<T> fmt::Debug for Gc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gc({:p})", self.0)
    }
}

// SAFETY: transparent over a pointer to the object; `KIND` says so.
unsafe impl<T: GcClass> Word for Gc<T> {
    const KIND: WordKind = REF;
    type Abi = u64;
    #[inline(always)]
    fn to_word(self) -> u64 {
        self.0.as_ptr().expose_provenance() as u64
    }
    #[inline(always)]
    unsafe fn from_word(word: u64) -> Self {
        // SAFETY: the caller promises a word made by `to_word`, so not 0.
        Gc(unsafe { pointer(word) })
    }
}

// SAFETY: transparent over `NonNull`.
unsafe impl<T: GcClass> GcRef for Gc<T> {}

/// The pointer of a reference's word.
///
/// # Safety
/// The word is not 0.
#[inline(always)]
pub(crate) unsafe fn pointer<T>(word: u64) -> NonNull<T> {
    // SAFETY: the caller's promise.
    unsafe { NonNull::new_unchecked(std::ptr::with_exposed_provenance_mut(word as usize)) }
}

/// A reference to an object of any class: what the pointers of `#[object]` enums hold.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct AnyObject(NonNull<Header>, PhantomData<Gc<()>>);

impl AnyObject {
    /// Whether the object's header names this class.
    #[inline(always)]
    pub fn has_class(self, class: &'static ClassDescr) -> bool {
        // SAFETY: the object is alive since this reference exists. The class never changes.
        let word = unsafe { (*self.0.as_ptr()).class };
        // Addresses are compared, not words: then a chain of tests converts the word once.
        std::ptr::addr_eq(class_address(word), class)
    }

    /// The object as one of a known class.
    ///
    /// # Safety
    /// The object has the class `T`.
    #[inline(always)]
    pub unsafe fn assume_class<T: GcClass>(self) -> Gc<T> {
        Gc(self.0.cast())
    }
}

impl fmt::Debug for AnyObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:p}", self.0)
    }
}

// SAFETY: transparent over a pointer to an object.
unsafe impl Word for AnyObject {
    const KIND: WordKind = REF;
    type Abi = u64;
    #[inline(always)]
    fn to_word(self) -> u64 {
        self.0.as_ptr().expose_provenance() as u64
    }
    #[inline(always)]
    unsafe fn from_word(word: u64) -> Self {
        // SAFETY: the caller promises a word made by `to_word`, so not 0.
        AnyObject(unsafe { pointer(word) }, PhantomData)
    }
}

// SAFETY: transparent over `NonNull`.
unsafe impl GcRef for AnyObject {}
