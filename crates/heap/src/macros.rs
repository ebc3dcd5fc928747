//! The declarative macros behind `#[gc]` and `#[object]`. In: an item's name, fields and variants.
//! Out: the `unsafe` implementations, checked for completeness at compile time. Invariant: every
//! use that compiles is sound, so a user's crate may forbid unsafe code.
//!
//! The syntax is fixed, since attribute macros expand to it:
//!
//! ```text
//! gc_class! { Foo { field: Type, other: Type } }
//!     After `struct Foo`, with *every* field in declaration order and its exact type; `Foo {}` for a unit struct, and
//!     `Foo { 0: Type }` for a tuple struct. A trailing comma is fine. Generates `impl GcClass for Foo`, and `UniqueClass`.
//!
//! gc_class! { generic [T: Stored, U: Word] Foo [T, U] { field: Type } }
//!     After `struct Foo<T: Stored, U: Word>`. Generates `GcClass` for all instances, but not `UniqueClass`.
//!
//! gc_class! { mistaken [T: Stored, U: Word] Foo [T, U] }
//!     After a struct of which something is wrong, which has been reported: the same implementations, but no field is looked at,
//!     and there are no objects. `[] Foo []` if there are no parameters.
//!
//! gc_object! { pub(crate) Obj, ObjKind { Int(IntObj), Nil(NilObj) } }
//!     After `enum ObjKind { Int(Gc<IntObj>), Nil(Gc<NilObj>) }`, with the classes without their `Gc`. The visibility
//!     (any, or none) and attributes such as `#[doc = ".."]` before it go to `struct Obj`. Generates
//!     `struct Obj` (Clone, Copy, Debug, and PartialEq by identity), `Word` and `GcRef` for it, `From<Gc<IntObj>>` for each
//!     variant, `From<ObjKind>`, `Obj::kind(self) -> ObjKind`, `Obj::ptr_eq(a: Obj, b: Obj) -> bool`.
//! ```

/// Makes a struct a heap class: `gc_class! { Foo { field: Type, other: Type } }` with every field.
/// What `#[gc]` expands to.
///
/// ```
/// struct Point { x: i64, y: verdigris_heap::Cell<f64> }
/// verdigris_heap::gc_class! { Point { x: i64, y: verdigris_heap::Cell<f64> } }
/// ```
///
/// Objects are freed without being dropped, so a class cannot have a `Drop`:
/// ```compile_fail,E0080
/// struct Noisy { x: i64 }
/// impl Drop for Noisy { fn drop(&mut self) {} }
/// verdigris_heap::gc_class! { Noisy { x: i64 } }
/// ```
/// A field cannot be left out, nor have another type:
/// ```compile_fail,E0027
/// struct Point { x: i64, y: i64 }
/// verdigris_heap::gc_class! { Point { x: i64 } }
/// ```
/// ```compile_fail,E0308
/// struct Point { x: i64 }
/// verdigris_heap::gc_class! { Point { x: u64 } }
/// ```
/// Nor can one hold what the collector does not know:
/// ```compile_fail,E0277
/// struct Point { x: &'static str }
/// verdigris_heap::gc_class! { Point { x: &'static str } }
/// ```
/// ```compile_fail,E0277
/// struct Point { list: Vec<i64> }
/// verdigris_heap::gc_class! { Point { list: Vec<i64> } }
/// ```
/// ```compile_fail,E0277
/// struct Point { next: Option<Box<i64>> }
/// verdigris_heap::gc_class! { Point { next: Option<Box<i64>> } }
/// ```
/// A cell of the standard library has no place for the collector's barrier:
/// ```compile_fail,E0277
/// struct Point { x: std::cell::Cell<i64> }
/// verdigris_heap::gc_class! { Point { x: std::cell::Cell<i64> } }
/// ```
/// A class with parameters cannot have a `Drop` either, which is found where it is used:
/// ```compile_fail,E0080
/// struct Noisy<T> { x: T }
/// impl<T> Drop for Noisy<T> { fn drop(&mut self) {} }
/// verdigris_heap::gc_class! { generic [T: verdigris_heap::Word] Noisy [T] { x: T } }
/// let noisy = verdigris_heap::Gc::new(Noisy { x: 1i64 });
/// ```
/// Its bounds must say that its fields can be on the heap:
/// ```compile_fail,E0277
/// struct Pair<T> { x: T }
/// verdigris_heap::gc_class! { generic [T: Copy] Pair [T] { x: T } }
/// ```
#[macro_export]
macro_rules! gc_class {
    (generic [$($bounds:tt)+] $class:ident [$($param:ident),+] $fields:tt) => {
        $crate::gc_class! { @check [$($bounds)+] $class ($class<$($param),+>) $fields }

        // SAFETY: the descriptor has the layout of `GcBox` of the class; `check` above proves that
        // it lists every field.
        unsafe impl<$($bounds)+> $crate::GcClass for $class<$($param),+> {
            #[inline(always)]
            fn descr() -> &'static $crate::ClassDescr {
                const { &$crate::gc_class! { @descr $class ($class<$($param),+>) (Some(::core::any::TypeId::of::<Self>())) $fields } }
            }
        }
    };
    ($class:ident $fields:tt) => {
        $crate::gc_class! { @check [] $class ($class) $fields }

        // SAFETY: the descriptor has the layout of `GcBox<$class>`; `check` above proves that it
        // lists every field.
        unsafe impl $crate::GcClass for $class {
            #[inline(always)]
            fn descr() -> &'static $crate::ClassDescr {
                static DESCR: $crate::ClassDescr = $crate::gc_class! { @descr $class ($class) (None) $fields };
                &DESCR
            }
        }

        // SAFETY: there are no parameters, so `descr` has one static.
        unsafe impl $crate::UniqueClass for $class {}
    };
    (mistaken [] $class:ident []) => {
        $crate::gc_class! { @mistaken [] ($class) }

        // SAFETY: `descr` never returns.
        unsafe impl $crate::UniqueClass for $class {}
    };
    (mistaken [$($bounds:tt)+] $class:ident [$($param:ident),+]) => {
        $crate::gc_class! { @mistaken [$($bounds)+] ($class<$($param),+>) }
    };
    (@mistaken [$($bounds:tt)*] ($self:ty)) => {
        // SAFETY: `descr` never returns, so that there is no object of the class.
        unsafe impl<$($bounds)*> $crate::GcClass for $self {
            fn descr() -> &'static $crate::ClassDescr {
                ::core::unreachable!()
            }
        }
    };
    // Every field is listed, and with its own type: the descriptor cannot miss a reference.
    (@check [$($bounds:tt)*] $class:ident ($self:ty) { $($field:tt : $ty:ty),* $(,)? }) => {
        const _: () = {
            #[allow(dead_code, clippy::all)]
            fn check<$($bounds)*>(object: &$self) {
                let $class { $($field: _),* } = object;
                $( let _: *const $ty = &raw const object.$field; )*
            }
        };
    };
    (@descr $class:ident ($self:ty) ($id:expr) { $($field:tt : $ty:ty),* $(,)? }) => {{
        assert!(
            !::core::mem::needs_drop::<$self>(),
            concat!("`", stringify!($class), "` is a heap class, and heap objects are never dropped: remove its `Drop`")
        );
        assert!(
            ::core::mem::align_of::<$self>() <= 8,
            concat!("`", stringify!($class), "` is a heap class and cannot be aligned to more than 8 bytes")
        );
        $crate::ClassDescr {
            name: stringify!($class),
            size: ::core::mem::size_of::<$crate::GcBox<$self>>() as u32,
            fields: &[$(
                $crate::FieldDescr {
                    name: stringify!($field),
                    offset: (::core::mem::offset_of!($crate::GcBox<$self>, value)
                        + ::core::mem::offset_of!($self, $field)) as u32,
                    kinds: <$ty as $crate::Field>::KINDS,
                    refs: <$ty as $crate::Field>::REFS,
                    immutable: <$ty as $crate::Field>::IMMUTABLE,
                    quasi: <$ty as $crate::Field>::QUASI,
                    virtualizable: {
                        assert!(
                            !<$ty as $crate::Field>::REGISTER,
                            "a `Register` is an item of an array, not a field: fields that change are `Cell`s"
                        );
                        <$ty as $crate::Field>::VIRTUALIZABLE
                    },
                },
            )*],
            refs: $crate::FieldRefs::NONE
                $(
                    .with(
                        ::core::mem::offset_of!($crate::GcBox<$self>, value) + ::core::mem::offset_of!($self, $field),
                        <$ty as $crate::Field>::REFS,
                    )
                )*,
            item: None,
            ty: $id,
        }
    }};
}

/// Makes a thin pointer for an enum of heap classes:
/// `gc_object! { pub Obj, ObjKind { Int(IntObj), Nil(NilObj) } }`. What `#[object]` expands to.
///
/// The variants must be those of the enum:
/// ```compile_fail,E0004
/// # use verdigris_heap::{Gc, gc_class, gc_object};
/// # struct IntObj; gc_class! { IntObj {} }
/// # struct NilObj; gc_class! { NilObj {} }
/// enum ObjKind { Int(Gc<IntObj>), Nil(Gc<NilObj>) }
/// gc_object! { Obj, ObjKind { Int(IntObj) } }
/// ```
/// Objects of a class with parameters cannot be told apart by their headers:
/// ```compile_fail,E0277
/// # use verdigris_heap::{Gc, Word, gc_class, gc_object};
/// # struct Pair<T: Word> { x: T } gc_class! { generic [T: Word] Pair [T] { x: T } }
/// enum ObjKind { Pair(Gc<Pair<i64>>) }
/// gc_object! { Obj, ObjKind { Pair(Pair<i64>) } }
/// ```
#[macro_export]
macro_rules! gc_object {
    ($(#[$attr:meta])* $vis:vis $obj:ident, $kind:ident { $($variant:ident($class:ty)),+ $(,)? }) => {
        $(#[$attr])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        $vis struct $obj($crate::AnyObject);

        // SAFETY: transparent over `AnyObject`, which is a word; only made from a `Gc` of one of
        // the variants.
        unsafe impl $crate::Word for $obj {
            const KIND: $crate::WordKind = <$crate::AnyObject as $crate::Word>::KIND;
            type Abi = u64;
            #[inline(always)]
            fn to_word(self) -> u64 {
                $crate::Word::to_word(self.0)
            }
            #[inline(always)]
            unsafe fn from_word(word: u64) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { <$crate::AnyObject as $crate::Word>::from_word(word) })
            }
        }

        $crate::received_by_value! { $obj }

        // SAFETY: transparent over `AnyObject`, which is non-null.
        unsafe impl $crate::GcRef for $obj {}

        $(
            impl ::core::convert::From<$crate::Gc<$class>> for $obj {
                #[inline(always)]
                fn from(gc: $crate::Gc<$class>) -> Self {
                    Self($crate::Gc::erase(gc))
                }
            }
        )+

        impl ::core::convert::From<$kind> for $obj {
            #[inline(always)]
            fn from(kind: $kind) -> Self {
                match kind {
                    $( $kind::$variant(gc) => <$obj as ::core::convert::From<$crate::Gc<$class>>>::from(gc), )+
                }
            }
        }

        /// Identity.
        impl ::core::cmp::PartialEq for $obj {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                Self::ptr_eq(*self, *other)
            }
        }

        impl ::core::cmp::Eq for $obj {}

        #[allow(dead_code)]
        impl $obj {
            /// The object as the class it has.
            #[inline(always)]
            pub fn kind(self) -> $kind {
                $(
                    if $crate::AnyObject::has_class(self.0, $crate::unique_class::<$class>()) {
                        // SAFETY: the header says that the object has this class.
                        return $kind::$variant(unsafe { $crate::AnyObject::assume_class(self.0) });
                    }
                )+
                $crate::unknown_class(stringify!($obj))
            }

            /// Whether both are the same object.
            #[inline(always)]
            pub fn ptr_eq(a: Self, b: Self) -> bool {
                $crate::Word::to_word(a.0) == $crate::Word::to_word(b.0)
            }
        }
    };
}
