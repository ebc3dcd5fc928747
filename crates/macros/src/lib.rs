//! The attributes of Verdigris. In: the user's items. Out: the same items with the small glue that
//! must stand next to them: class descriptors, descriptions of called functions, and the portal
//! with its entry into compiled code. Use them through the crate `verdigris`; the paths in the
//! expansions start at `::verdigris`.
//!
//! Invariant: the expansions contain no `unsafe`, and an attribute that is used wrongly gives one
//! error per mistake, each at its token. The implementations are functions on `proc_macro2` token
//! streams, which the tests call.

#![forbid(unsafe_code)]

mod class;
mod diag;
mod function;
mod hints;
mod mistakes;
mod object;
mod portal;
#[cfg(test)]
mod tests;
mod text;
mod value;
mod visibility;

use proc_macro::TokenStream;

/// Makes a struct a class of heap objects.
///
/// A field whose type is a `Cell` can be changed, every other field is fixed when the object is
/// made, and the JIT relies on that. A field whose type is a `Quasi` can be changed too, but at a
/// price: the JIT relies on it until it is written. A `Virtualizable` field is a `Cell` that
/// compiled code may keep to itself until other code looks. Field types are the words: integers,
/// `bool`, `char`, `f64`, `()`, `Gc`, `GcArray`, object types, `Option`s of the last three, and
/// `Cell`s, `Quasi`s and `Virtualizable`s of all these. The fields need names.
///
/// ```text
/// #[gc]
/// struct Point { x: i64, y: Cell<i64> }
///
/// let p = Gc::new(Point { x: 1, y: Cell::new(2) });
/// p.y.set(p.x);
/// ```
///
/// The struct can have type parameters. Their bounds say that the fields can be on the heap:
/// `Stored` for what is in a `Cell`, `Word` for what is in a plain field. The classes of its
/// instances cannot be told apart by their objects, so they cannot be variants of an `#[object]`.
///
/// ```text
/// #[gc]
/// struct Node<T: Word> { value: T, next: Cell<Option<Gc<Node<T>>>> }
/// ```
#[proc_macro_attribute]
pub fn gc(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = class::expand(attr.into(), item.clone().into());
    let mistaken = class::mistaken(item.clone().into());
    diag::of_class(result, item.into(), mistaken).into()
}

/// Makes a thin pointer type out of an enum of heap classes.
///
/// ```text
/// #[object(Obj)]
/// enum ObjKind { Int(Gc<IntObj>), Nil(Gc<NilObj>) }
///
/// fn add(o: Obj) -> i64 {
///     match o.kind() { ObjKind::Int(i) => i.value, ObjKind::Nil(_) => 0 }
/// }
/// ```
///
/// `Obj` is one word, whatever it points to; `Obj::from(gc)` makes one, `kind()` reads the class
/// from the object's header, and `Obj::ptr_eq(a, b)` compares identities.
#[proc_macro_attribute]
pub fn object(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = object::expand(attr.into(), item.clone().into());
    diag::or_else(result, item.into()).into()
}

/// Lets a struct or enum that is held by value be a variable of the merge point, and be on the
/// heap.
///
/// The type must be `Copy`, and its fields are words, `Option`s and tuples of words, or types that
/// are marked too. Types that are only used between the two need no mark: traced code takes any
/// struct or enum apart.
///
/// ```text
/// #[value]
/// #[derive(Clone, Copy)]
/// enum Value { Nil, Int(i64), Float(f64), Obj(Gc<Obj>) }
///
/// #[gc]
/// struct Obj { slot: Cell<Value> }
/// ```
///
/// An enum with fields gets `#[repr(u64)]`, and is a tag of 8 bytes and its variants' fields behind
/// it; a struct gets `#[repr(C)]`; an enum without fields takes a byte. So native code, compiled
/// code and the collector find the same in a `Cell`, in a plain field and in an item, as in
/// `GcArray<Op>`. A type with a `#[repr]` of its own, with numbers of its own for the variants, or
/// with parts that are `Option`s of scalars, `Result`s or tuples is converted when it goes into a
/// `Cell`; in a plain field it holds no references then, and traced code reads it by a call, which
/// folds if the object is a constant.
#[proc_macro_attribute]
pub fn value(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = value::expand(attr.into(), item.clone().into());
    diag::or_else(result, item.into()).into()
}

/// Marks a function that the JIT calls and never looks into.
///
/// Its body may contain any Rust. Its parameters, ten at most, and its result are made of words
/// (see [`macro@gc`]): words themselves, `#[value]` types, and tuples, `Option`s and `Result`s of
/// these. A parameter may also be a reference to Rust data that traced code only hands on, as
/// `&str` or `&mut Output`.
///
/// It may be a function, or a method with `&self` in a class, or with `self` or `&self` in an
/// object or `#[value]` type. On a function in an `impl` that mentions neither `self` nor `Self`,
/// write `#[opaque(Self)]`.
///
/// What it may read and write in the heap is read off its source: `verdigris effects` shows it.
/// Where the source says more than is true, or nothing, the author can:
/// `#[opaque(reads(Table.used, Slots[]), writes())]`. `Class.field` is a field of all objects of a
/// class, `Class.*` are all fields of a class, and `Array[]` are the items of all arrays of a type,
/// which is written as in a signature. The author's word replaces what the source says; of
/// `reads(..)` and `writes(..)`, what is left out is read off the source. A place that is touched
/// and not named holds an old value or a new one by chance.
#[proc_macro_attribute]
pub fn opaque(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = function::expand("opaque", attr.into(), item.clone().into());
    diag::or_plain(result, item.into()).into()
}

/// Marks an [`macro@opaque`] function that does nothing unless its first parameter, a `bool`, is
/// true: compiled code tests that, and calls the function if it is, without leaving the trace
/// either way. It has no result, and is not in an `impl` block.
///
/// Right for what has to be done now and then in the middle of what is done always, as growing an
/// array.
///
/// ```text
/// #[conditional_call]
/// fn grow(full: bool, list: Gc<List>) { .. }
/// ```
#[proc_macro_attribute]
pub fn conditional_call(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = hints::expand_conditional(attr.into(), item.clone().into());
    diag::or_plain(result, item.into()).into()
}

/// Marks a function that gives the same result whenever it is called with the same arguments, and
/// has no other visible effect: the JIT calls it at most once for arguments that it knows.
/// Otherwise like [`macro@opaque`]. The parameter `check_hints=1` finds functions of which this is
/// not true.
#[proc_macro_attribute]
pub fn elidable(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = function::expand("elidable", attr.into(), item.clone().into());
    diag::or_plain(result, item.into()).into()
}

/// As [`macro@elidable`], and the arguments are promoted first (see `promote`): the call folds, and
/// compiled code is for the arguments that it was recorded with. `#[elidable_promote(shape, self)]`
/// promotes these alone.
///
/// Right for look-ups in what rarely changes at one place of the guest program, as the shape of an
/// object.
#[proc_macro_attribute]
pub fn elidable_promote(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = hints::expand_promote(attr.into(), item.clone().into());
    diag::or_plain(result, item.into()).into()
}

/// Marks a function that the JIT looks into if a predicate of its arguments holds, and calls if
/// not.
///
/// The predicate is a function with the same parameters that returns a `bool`, mostly made of
/// `is_constant` and `is_virtual`: its answer is asked for while a trace is recorded.
/// `#[look_inside_iff(few)] fn sum(items: GcArray<i64>, count: usize) -> i64`, with
/// `fn few(_items: GcArray<i64>, count: usize) -> bool { is_constant(count) }`: the loop in `sum`
/// is unrolled into the trace if the number of its turns is known, and the trace has one call if
/// not.
///
/// The body is in the subset of traced code; its loops are unrolled, as in a function that is
/// [`macro@unroll_safe`]. Parameters and result are as those of [`macro@opaque`] functions, apart
/// from references to sized data. In a function without `self` in an `impl`, name the predicate as
/// `Self::predicate`.
#[proc_macro_attribute]
pub fn look_inside_iff(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = hints::expand_look_inside(attr.into(), item.clone().into());
    diag::or_plain(result, item.into()).into()
}

/// Marks a function without parameters whose result does not change while a loop of the guest
/// program runs, and which has no other visible effect: a trace calls it once, before the loop, and
/// uses the result from then on, whatever the loop writes. Otherwise like [`macro@opaque`].
///
/// Right for what is set once and for all before the program runs, or changes at places only that
/// no loop survives.
#[proc_macro_attribute]
pub fn loop_invariant(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = hints::expand_loop_invariant(attr.into(), item.clone().into());
    diag::or_plain(result, item.into()).into()
}

/// Marks a function that only looks: called again with the same arguments it gives the same result,
/// as long as no mutable place has been written that it reads, and it has no other visible effect.
/// Otherwise like [`macro@opaque`].
///
/// Right for look-ups. The JIT calls it once for the same arguments, and before a loop instead of
/// in it, unless something in between writes to a field or array that its source reads. Where the
/// translator sees more reads than there are, say for a method which fields of its class it reads,
/// with the items of arrays in them: `#[readonly(index, keys)]`; or for any function, in the
/// notation of [`macro@opaque`], `#[readonly(reads(Table.index, Slots[]))]`. A result that is a new
/// object each time is not the same result.
///
/// A write to the heap that the function's source shows is an error (VD0062). What it does not
/// show, as in other crates, is trusted.
#[proc_macro_attribute]
pub fn readonly(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = function::expand("readonly", attr.into(), item.clone().into());
    diag::or_plain(result, item.into()).into()
}

/// Lets the JIT unroll the loops of a function into the traces that run through it. Right for loops
/// whose number of turns is small and fixed by the guest program.
#[proc_macro_attribute]
pub fn unroll_safe(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = function::expand_unroll_safe(attr.into(), item.clone().into());
    diag::or_else(result, item.into()).into()
}

/// Says what the author of a *guest* program can do when this function makes the program slow:
/// because it is called, because a guard in it fails, or because it promotes many values.
/// `verdigris explain` prints the words in front of what the interpreter's author could do.
///
/// `#[advice("objects of many shapes meet here: set the same fields in the same order")]` on a
/// function that promotes an object's shape. The words are about the guest language, and know
/// nothing of the interpreter. The attribute goes with any other one, and changes nothing of what
/// the function does.
#[proc_macro_attribute]
pub fn advice(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = function::expand_advice(attr.into(), item.clone().into());
    diag::or_else(result, item.into()).into()
}

/// Says of an item that the references to objects which it keeps where the collector does not look,
/// in a `Vec`, a `Box`, a `thread_local!`, are of objects that something else keeps alive for as
/// long: a `RootVec` beside it, an object of the heap, the stack. The translator refuses such items
/// otherwise (VD0069). The claim itself is not checked.
///
/// It is for functions, methods, `impl` blocks, structs, enums, traits, type aliases, constants,
/// statics, `thread_local!`s and modules that are written in place.
#[proc_macro_attribute]
pub fn rooted_elsewhere(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = function::expand_rooted_elsewhere(attr.into(), item.clone().into());
    diag::or_else(result, item.into()).into()
}

/// Marks the function with the interpreter's loop.
///
/// The body of that `loop` begins with `merge_point!(greens = [..], reds = [..])`. It lists every
/// variable that is alive there: the greens say where in the guest program the interpreter is (the
/// program and the position in it), the reds are the rest of its state. `can_enter_jit!()` stands
/// where the guest program jumps backwards; it always continues at the merge point. Without any
/// `can_enter_jit!`, every pass through the merge point counts.
///
/// A portal that calls itself is inlined into the traces of its callers, unless it recurses too
/// deeply or a trace gets too long. Two options change that, each with a function that takes the
/// greens, in their order, and returns a `bool`:
///
/// * `#[portal(can_never_inline = function)]`: an activation that begins with such greens is never
///   inlined but called.
/// * `#[portal(should_unroll_one_iteration = function)]`: an inlined activation that jumps
///   backwards to such greens goes on being inlined for one iteration more; without the option its
///   loop is called. Right for loops that mostly have one or two turns.
///
/// These functions are marked [`macro@elidable`] or [`macro@opaque`]: only the tracer calls them,
/// while it decides. They must not change what the program computes. A panic in one is the
/// program's.
///
/// `#[portal(tier = function)]` says which compiler may make the code of a place in the guest
/// program. The function takes the greens as well, and returns a `Tier`: `Any` leaves it to the
/// JIT's parameters, `Interpreter` means none, `Specialised` and `Traced` one of the two. It is any
/// function of that type outside of the portal: no part of traced code, and asked once for each
/// place. It must not change what the program can see; a panic in it is the program's.
///
/// `#[portal(location = function)]` says where in the guest program a place is, for people: the
/// function takes the greens and returns a `Location`. It is called when something is reported: for
/// the log, for profilers and debuggers, for hooks, for kept traces and for statistics that ask for
/// places; never by compiled code. It must not change what the program can see, nor call the
/// portal; if it panics, the report does without.
#[proc_macro_attribute]
pub fn portal(attr: TokenStream, item: TokenStream) -> TokenStream {
    let result = portal::expand(attr.into(), item.clone().into());
    let fallback = portal::fallback(item.clone().into());
    let plain = portal::plain(item.clone().into());
    diag::of_portal(result, item.into(), fallback, plain).into()
}

/// The mistakes of the translator that no attribute shows, and how many there are. Part of
/// `include_jit!`.
#[doc(hidden)]
#[proc_macro]
pub fn mistakes(_: TokenStream) -> TokenStream {
    mistakes::elsewhere(&mistakes::read()).into()
}
