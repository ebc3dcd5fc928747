//! The heap: objects and their classes, the execution context of a VM, the collector, and the
//! execution of data operations.
//!
//! In: heap classes described by static [`ClassDescr`]s (the attribute macros make them through
//! [`gc_class!`] and [`gc_object!`]), and allocations from native code ([`Gc::new`]), from the
//! interpreting stages ([`exec_data`]) and from compiled code ([`vd_alloc_slow`]). Out: objects
//! that never move, and are freed when nothing refers to them.
//!
//! Invariants:
//! * One heap per [`Context`], any number of contexts; no state of the process but who has which
//!   addresses.
//! * The memory from [`Context::cursor`] to [`Context::limit`] is zero.
//! * An object's header is written before anything that can collect.
//! * Behind every store of a reference to a cell is the write [`barrier`], unless the object is
//!   new, or the reference null or pinned.
//! * References are found in heap objects precisely by descriptor, and conservatively in the native
//!   stack, registers, the shadow stack, the exit buffer and pinned words. A reference anywhere
//!   else (a `Vec`, a `Box`, a `static`) does not keep its object alive: use a [`Root`] there.
//!
//! Source of the block and line structure: "Immix: A Mark-Region Garbage Collector" (Blackburn and
//! McKinley, 2008), without the copying; `mark_region.rs` says what the generations are from.

#![warn(missing_docs)]
#![warn(clippy::undocumented_unsafe_blocks)]

#[cfg(not(all(unix, target_pointer_width = "64", target_endian = "little")))]
compile_error!("verdigris-heap runs on 64-bit little-endian Unix systems");

mod activations;
mod alloc;
mod array;
mod call;
mod check;
mod chunk;
mod collector;
mod components;
mod context;
mod descr;
pub mod detector;
mod enter;
mod exec;
mod exhaustion;
mod finalize;
mod gc;
mod large;
mod lent;
mod link;
mod location;
mod macros;
mod mark;
mod mark_region;
mod noted;
mod pacing;
mod pages;
mod quasi;
mod refs;
mod register;
mod root;
mod root_vec;
mod shadow;
mod signals;
mod slab;
mod slot;
mod space;
mod stack;
mod stack_exhausted;
mod stored;
mod tier;
mod touches;
mod value;
mod virtualizable;
mod weak;
mod word;

pub use activations::Activations;
pub use alloc::{
    alloc_array, alloc_array_beyond, alloc_struct, alloc_struct_beyond, vd_alloc_array,
    vd_alloc_slow,
};
pub use array::{GcArray, MAX_ARRAY_LEN, array_class, array_part};
pub use call::{FnDescr, MAX_WORDS, ResidualFn};
pub use collector::{HeapStats, RootVisitor, Scope, Survivors};
pub use components::{
    Category, HasLayout, MAX_PARTS, Parts, PartsLayout, Receive, Shape, Slots, put, take,
    unknown_variant,
};
pub use context::{Context, EXIT_WORDS, HeapOptions, Stress, collect_garbage, with_heap};
pub use descr::{
    ARRAY_ITEMS_OFFSET, ARRAY_LEN_OFFSET, ClassDescr, FieldDescr, FieldRefs, Header, ItemDescr,
    WordKind, class_of_word, class_word, class_word_of, unknown_class,
};
pub use detector::Detector;
pub use enter::{
    Entered, Pass, PortalFrame, Start, State, StateShape, Words, can_enter, enter_function,
};
pub use exec::{
    Panicked, exec_call, exec_data, exec_data_beyond, result_word, set_field, set_item,
    store as store_word, vd_fill_array, vd_fill_old_array,
};
pub use exhaustion::{HeapExhausted, handle_exhaustion, vd_has_room};
pub use finalize::FinalQueue;
pub use gc::{
    AnyObject, Gc, GcBox, GcClass, UniqueClass, record_exact_class, struct_class, unique_class,
};
pub use lent::{Address, Lend, Lent, LentMut, address, address_mut};
pub use link::{LinkError, link, link_types};
pub use location::{Location, check_location};
pub use mark_region::SMALL_MAX;
pub use quasi::{Quasi, Watches, vd_invalidate};
pub use refs::RefPlace;
pub use register::Register;
pub use root::Root;
pub use root_vec::RootVec;
pub use signals::{COUNTER_SLOTS, Signals};
pub use slot::Slot;
pub use space::{CARD_SHIFT, barrier};
pub use stack::thread_stack;
pub use stack_exhausted::StackExhausted;
pub use stored::{Joined, NO_BYTES, Room, Stored, words};
pub use tier::{Tier, check_tier};
pub use touches::{CheckTouched, Touched};
pub use value::{
    MemOf, Pick, RawWord, of_words, put_at, put_words, same_bytes, take_at, take_words, words_of,
};
pub use virtualizable::{
    Access, KEPT_BIT, Suspended, Virtualizable, mark_kept, object_end, vd_reclaim,
};
pub use weak::{Weak, WeakHolder, weak_attach, weak_attached};
pub use word::{Abi, Cell, Field, GcRef, Word, hash_greens};
