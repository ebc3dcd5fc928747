//! Verdigris turns an interpreter written in plain Rust into a virtual machine with a just-in-time
//! compiler.
//!
//! You write the interpreter as you would anyway, put the values of your language on the heap of
//! this crate, and say in the interpreter's loop where in the guest program it is. A build script
//! translates the interpreter's source a second time, for the JIT: it then records what the
//! interpreter does for a hot loop *of the guest program*, optimises that and compiles it. The
//! semantics are those of your interpreter by construction.
//!
//! # An interpreter with a JIT
//!
//! `Cargo.toml`:
//!
//! ```toml
//! [dependencies]
//! verdigris-jit = "0.1" # `verdigris` is the name in Rust: the package of that name is another one
//! [build-dependencies]
//! verdigris-build = "0.1"
//! ```
//!
//! `build.rs`:
//!
//! ```text
//! fn main() {
//!     verdigris_build::translate("src/main.rs");
//! }
//! ```
//!
//! `src/main.rs`, a language whose programs add up numbers:
//!
//! ```no_run
//! use verdigris::prelude::*;
//!
//! # mod jit {
//! #     pub fn program() -> verdigris::Program {
//! #         unimplemented!()
//! #     }
//! # }
//! # const _: &str = stringify! {
//! verdigris::include_jit!();
//! # };
//!
//! #[gc]
//! struct Program {
//!     code: GcArray<u8>,
//! }
//!
//! #[portal]
//! fn run(program: Gc<Program>, mut counter: i64) -> i64 {
//!     let mut pc: usize = 0;
//!     let mut sum: i64 = 0;
//!     loop {
//!         merge_point!(greens = [pc, program], reds = [counter, sum]);
//!         let op = program.code[pc];
//!         pc += 1;
//!         match op {
//!             b'+' => sum += counter,
//!             b'-' => counter -= 1,
//!             b'?' => {
//!                 if counter > 0 {
//!                     pc = 0;
//!                     can_enter_jit!();
//!                 }
//!             }
//!             _ => return sum,
//!         }
//!     }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let vm = Vm::new(jit::program(), Options::default())?;
//!     let sum = vm.enter(|| {
//!         let code = GcArray::from_slice(b"+-?.");
//!         run(Gc::new(Program { code }), 1_000_000)
//!     });
//!     assert_eq!(sum, 500_000_500_000);
//!     Ok(())
//! }
//! ```
//!
//! # The parts
//!
//! * **The heap.** [`gc`](macro@gc) makes a struct a class. A plain field never changes after
//!   construction, a [`Cell`] does; the JIT relies on it. A [`Quasi`] is for fields that are hardly
//!   ever written: reading it costs nothing in compiled code, and writing it throws the code away
//!   that has read it. Registers of guest functions are an array of [`Register`]s, which are
//!   written without telling the collector. A [`Virtualizable`] is for the frames of the guest that
//!   other code looks at: compiled code keeps it in registers until then. [`Gc`] and [`GcArray`]
//!   are thin pointers that are copied freely. Keep them in locals, in other heap objects or in a
//!   [`Root`] or [`RootVec`]: the collector does not look into a `Vec`, a `Box` or a `static`.
//! * **Objects.** [`object`](macro@object) makes one pointer type out of a closed set of classes.
//!   Matching on its `kind()` is a check that the JIT can usually do once, before the loop.
//! * **Values.** Tuples, structs, enums, `Option` and `Result` are taken apart by the JIT and cost
//!   nothing where their variants are known. [`value`](macro@value) on a struct or enum lets it be
//!   at the merge point, and in a `Cell` on the heap.
//! * **The portal.** [`portal`](macro@portal) marks the function with the interpreter's loop.
//!   *Greens* are the variables that are constant at one position of the guest program, *reds* the
//!   others; together they are all that is alive at the merge point. `can_enter_jit!()` stands
//!   where the guest program jumps backwards, and continues at the merge point.
//! * **What the JIT sees.** Everything the portal calls is traced through, as long as it is in the
//!   subset of Rust that the translator reads; what is not gives an error at build time that says
//!   what to do instead. Often that is [`opaque`](macro@opaque): call it, do not look inside.
//!   [`elidable`](macro@elidable) promises in addition that equal arguments give equal results, and
//!   [`unroll_safe`](macro@unroll_safe) allows a loop in a traced function.
//!   [`advice`](macro@advice) says what the author of a slow guest program can do about a function.
//! * **Promotion.** [`promote`] makes the JIT compile the code behind it for the value that it
//!   sees.
//! * **Demands.** [`concrete`] makes the build fail, and say why, if a value does not follow from
//!   greens and promoted values.
//! * **The VM.** [`Vm::new`] makes a heap and a JIT, [`Vm::enter`] runs a closure on them. Any
//!   number of VMs can exist, one entered per thread at a time. [`Options::parse`] reads parameters
//!   as `threshold=7,backend=oracle` or `off`; `docs/book/src/reference/parameters.md` lists them.
//!   [`Vm::interrupt_handle`] stops guest code from another thread, [`protect`] catches the
//!   exhaustion of heap and stack for protected calls of the guest, and [`Hooks`] are told what the
//!   JIT does. A [`Coroutine`] runs guest code on a native stack of its own.

#![forbid(unsafe_code)]

// So that the paths of the expansions work in this crate too.
extern crate self as verdigris;

pub mod prelude;
#[doc(hidden)]
pub mod rt;

#[cfg(feature = "count")]
pub use rt::operations;

pub use verdigris_engine::{
    AbortReason, AbortStats, AbortedEvent, Allowance, BackendError, BackendKind, CodeKind,
    CodeStats, CollectorStats, CompiledEvent, Compiler, CompilerKind, CompilerStats,
    ExhaustedError, GuardFailures, Hooks, InterruptHandle, InvalidatedEvent, JitParams, JitSeconds,
    KeptTrace, LazyArms, LiveStats, LogError, NotCompiledError, OpCounts, Options, ParamError,
    Passes, Profiling, Program, RunReports, SharedHooks, SourcePos, SpecialisedStats,
    StackExhausted, Stats, StatsForm, StoppedError, TierStats, TraceText, Vm, VmError, check_stack,
    protect, stack_room, take_sample,
};
pub use verdigris_explain as explain;
pub use verdigris_heap::{
    ByteBuffer, Cell, CollectScope, Coroutine, CoroutineStatus, Detector, FinalQueue, Gc, GcArray,
    HasWeakEntries, HeapExhausted, HeapOptions, HeapStats, LinkError, Location, NoStackError,
    Quasi, Register, ReservingAllocator, ResumeError, Root, RootVec, Step, Stored, Stress, Tier,
    Virtualizable, Weak, WeakEntries, WeakTables, Weakness, Word, collect_garbage, memory_is_low,
    record_exact_class,
};
pub use verdigris_library::library;
pub use verdigris_library::library::{
    Bytes, HashSecret, Interner, Key, KeyObject, List, Map, Order, Str, StrBuilder, Symbol,
    WeakRef, identity_hash,
};
pub use verdigris_library::{concrete, is_constant, is_virtual, promote, we_are_jitted};
pub use verdigris_macros::{
    advice, conditional_call, elidable, elidable_promote, gc, look_inside_iff, loop_invariant,
    object, opaque, portal, readonly, rooted_elsewhere, unroll_safe, value,
};
pub use verdigris_profile as profile;

/// Defines the module `jit` with the function `program()`, which gives the translated interpreter
/// to [`Vm::new`]. It stands in the root of a crate whose build script calls
/// `verdigris_build::translate`. If the source has mistakes, it reports those outside of items with
/// attributes of Verdigris, which report their own.
#[macro_export]
macro_rules! include_jit {
    () => {
        #[doc(hidden)]
        mod jit {
            include!(concat!(env!("OUT_DIR"), "/verdigris.rs"));
            $crate::rt::mistakes!();
        }
    };
}

/// `merge_point!(greens = [..], reds = [..])`: the first statement of the interpreter's loop, in a
/// function marked [`portal`](macro@portal). It lists every variable that is alive there.
#[macro_export]
macro_rules! merge_point {
    ($($tokens:tt)*) => {
        ::core::compile_error!("merge_point! works only inside a function marked #[portal]")
    };
}

/// `can_enter_jit!()`: the guest program jumps backwards here, so compiled code may be entered.
/// Only in a function marked [`portal`](macro@portal), in the loop of its `merge_point!`, where it
/// always continues.
#[macro_export]
macro_rules! can_enter_jit {
    ($($tokens:tt)*) => {
        ::core::compile_error!("can_enter_jit! works only inside a function marked #[portal]")
    };
}
