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

mod calls;
mod collector;
mod context;
mod coroutine;
pub mod detector;
mod fields;
mod layout;
mod macros;
mod memory;
mod objects;
mod roots;

pub use calls::enter::{PortalFrame, can_enter, enter_function};
pub use calls::exec::{
    Panicked, exec_call, exec_data, exec_data_beyond, result_word, set_field, set_item,
    store as store_word, vd_fill_array, vd_fill_old_array,
};
pub use calls::fn_descr::{FnDescr, MAX_WORDS, ResidualFn};
pub use calls::link::{LinkError, link, link_types};
pub use calls::location::{Location, check_location};
pub use calls::receive::Receive;
pub use calls::tier::{Tier, check_tier};
pub use collector::options::{HeapOptions, Stress};
pub use collector::{CollectScope, HeapStats, RootVisitor, Survivors};
pub use context::activations::Activations;
pub use context::buffer::ByteBuffer;
pub use context::call_sampler::Touched;
pub use context::current::{collect_garbage, with_heap};
pub use context::exhaustion::{handle_exhaustion, vd_has_room};
pub use context::native_stack::{STACK_RESERVE, running_stack, thread_stack};
pub use context::payloads::{HeapExhausted, StackExhausted};
pub use context::signals::{COUNTER_SLOTS, Signals};
pub use context::state::{Entered, EntryKind, Start, State, StateShape, Words, hash_greens};
pub use context::suspended::{Access, Suspended};
pub use context::watches::{WATCH_GROUPS, Watches};
pub use context::{CheckTouched, Context, EXIT_WORDS, SwitchStack};
pub use coroutine::handle::{Coroutine, NoStackError, ResumeError, Step};
pub use coroutine::stacks::DEFAULT_STACK;
pub use coroutine::switch::CoroutineUnwound;
pub use coroutine::table::{CoroutineStatus, EngineStack};
pub use detector::Detector;
pub use fields::cell::{Cell, Field};
pub use fields::quasi::{Quasi, vd_invalidate};
pub use fields::register::Register;
pub use fields::slot::Slot;
pub use fields::virtualizable::{KEPT_BIT, Virtualizable, mark_kept, object_end, vd_reclaim};
pub use layout::borrow::{Address, BorrowedArg, BorrowedArgMut, Lend, address, address_mut};
pub use layout::descr::{
    ARRAY_ITEMS_OFFSET, ARRAY_LEN_OFFSET, ClassDescr, FieldDescr, FieldRefs, Header, ItemDescr,
    MAX_ARRAY_LEN, class_of_word, class_word, class_word_of, unknown_class,
};
pub use layout::parts::{MAX_PARTS, Parts, Slots, put, take, unknown_variant};
pub use layout::parts_layout::{Category, HasLayout, PartShape, PartsLayout};
pub use layout::refs::RefPlace;
pub use layout::stored::{Joined, NO_BYTES, Room, Stored, words};
pub use layout::value::{
    MemOf, Pick, of_words, put_at, put_words, same_bytes, take_at, take_words, words_of,
};
pub use layout::word::{Abi, GcRef, RawWord, Word, WordKind};
pub use memory::address_space::{CARD_SHIFT, barrier};
pub use memory::chunk::INLINE_MAX;
pub use memory::reserve::{ReservingAllocator, memory_is_low};
pub use objects::alloc::{
    alloc_array, alloc_array_beyond, alloc_struct, alloc_struct_beyond, vd_alloc_array,
    vd_alloc_slow,
};
pub use objects::array::{GcArray, array_class, array_part};
pub use objects::gc::{
    AnyObject, Gc, GcBox, GcClass, UniqueClass, record_exact_class, struct_class, unique_class,
};
pub use roots::ephemerons::{HasWeakEntries, WeakEntries, Weakness};
pub use roots::finalize::FinalQueue;
pub use roots::root::Root;
pub use roots::root_vec::RootVec;
pub use roots::weak::{Weak, WeakHolder, weak_attach, weak_attached};
pub use roots::weak_tables::WeakTables;
