//! Descriptors of Rust functions that traced code calls, with their thunks in the C calling
//! convention.
//!
//! No panic unwinds into compiled code: the thunk keeps it in the current context. The second and
//! further words of a result are in the context when a thunk returns, and nothing runs in between.

use crate::context::Context;
use crate::context::state::Words;
use crate::layout::parts::{MAX_PARTS, Parts};
use crate::layout::word::{Abi, WordKind};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_ops::Ty;

/// A Rust function that traced code can call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FnDescr {
    /// Its name, with or without its path.
    pub name: &'static str,
    /// The types of the components of its parameters.
    pub params: &'static [Ty],
    /// The types of the components of its result.
    pub ret: &'static [Ty],
    /// Its address.
    pub target: usize,
    /// `unsafe extern "C" fn(target, a, b, ..) -> r` that calls it with words and doubles; 0 if a
    /// parameter is not a single word, or the result is one word of a value that could have
    /// several.
    pub thunk: usize,
    /// `unsafe extern "C" fn(target, args: *const u64) -> u64` that calls it with words in memory.
    /// Of several words of the result, both thunks return the first as `u64` and leave the others
    /// in [`Context::results`].
    pub invoke: usize,
}

impl FnDescr {
    /// Describes a function. A function's name alone has a type of its own and must be cast:
    /// `FnDescr::new("f", f as fn(i64, Gc<Foo>) -> f64)`.
    pub fn new<F: ResidualFn>(name: &'static str, f: F) -> FnDescr {
        FnDescr {
            name,
            params: F::TYPES.params(),
            ret: F::TYPES.ret(),
            target: f.target(),
            thunk: if F::TYPES.direct { F::thunk() } else { 0 },
            invoke: F::invoke(),
        }
    }

    /// Describes the way into a portal at its merge point, if there is one.
    pub fn runner<R: Parts>(name: &'static str, f: Option<fn(Words) -> R>) -> FnDescr {
        FnDescr {
            name,
            params: &[],
            ret: <fn() -> R as ResidualFn>::TYPES.ret(),
            target: f.map_or(0, |f| f as usize),
            thunk: 0,
            invoke: invoke_runner::<R> as *const () as usize,
        }
    }
}

/// Calls a portal from its merge point on.
///
/// # Safety
/// `target` is a `fn(Words) -> R`, and the words are a state of its merge point.
unsafe extern "C" fn invoke_runner<R: Parts>(target: usize, state: *const u64) -> u64 {
    // SAFETY: the caller's promise.
    guarded(|| unsafe {
        let target: fn(Words) -> R = std::mem::transmute(target);
        give(target(Words::new(state)))
    })
}

/// The most words of a function's parameters.
pub const MAX_WORDS: usize = 64;

/// The types of a function's parameters and result in components.
#[derive(Clone, Copy)]
pub struct Types {
    params: [Ty; MAX_WORDS],
    params_len: usize,
    ret: [Ty; MAX_PARTS],
    ret_len: usize,
    /// Whether the function has a thunk with its parameters in registers.
    direct: bool,
}

impl Types {
    /// From the components of each parameter, those of the result, and whether all of them are
    /// passed in registers.
    ///
    /// # Panics
    /// If the parameters have more than [`MAX_WORDS`]: at compile time.
    const fn new(params: &[&[WordKind]], ret: &[WordKind], direct: bool) -> Types {
        let mut types = Types {
            params: [Ty::Int; MAX_WORDS],
            params_len: 0,
            ret: [Ty::Int; MAX_PARTS],
            ret_len: ret.len(),
            direct,
        };
        let mut param = 0;
        while param < params.len() {
            let mut part = 0;
            while part < params[param].len() {
                assert!(
                    types.params_len < MAX_WORDS,
                    "the parameters of a function that traced code calls have at most 64 words: pass some in a #[gc] struct"
                );
                types.params[types.params_len] = params[param][part].ty;
                types.params_len += 1;
                part += 1;
            }
            param += 1;
        }
        let mut part = 0;
        while part < ret.len() {
            types.ret[part] = ret[part].ty;
            part += 1;
        }
        types
    }

    const fn params(&'static self) -> &'static [Ty] {
        self.params.split_at(self.params_len).0
    }

    const fn ret(&'static self) -> &'static [Ty] {
        self.ret.split_at(self.ret_len).0
    }
}

/// A function pointer whose parameters and result are values of words: `fn(A, ..) -> R` with up to
/// ten parameters, or `-> !`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that traced code can call",
    note = "parameters (at most ten) and the result must be made of words: integers, `bool`, `char`, `f64`, `()`, references to heap objects, types marked `#[value]`, and tuples, `Option`s and `Result`s of these"
)]
pub trait ResidualFn: Copy + sealed::Sealed {
    /// The types of the parameters and of the result.
    #[doc(hidden)]
    const TYPES: &'static Types;
    /// The function's address.
    fn target(self) -> usize;
    /// The address of the thunk with parameters in registers.
    fn thunk() -> usize;
    /// The address of the thunk with parameters in memory.
    fn invoke() -> usize;
}

mod sealed {
    pub trait Sealed {}
}

/// Runs a call from traced code; keeps its panic in the current context.
#[inline(always)]
fn guarded<A: Abi>(call: impl FnOnce() -> A) -> A {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result,
        Err(payload) => {
            keep_panic(payload);
            A::ZERO
        }
    }
}

#[cold]
#[inline(never)]
fn keep_panic(payload: Box<dyn Any + Send>) {
    let ctx = Context::current();
    assert!(
        !ctx.is_null(),
        "traced code runs only while its VM is entered"
    );
    // SAFETY: the current context is alive.
    unsafe { (*ctx).set_payload(payload) }
}

/// The first word of a result, 0 if it has none; leaves the others in the current context.
#[inline(always)]
fn give<R: Parts>(value: R) -> u64 {
    let mut words = [0; MAX_PARTS];
    value.store(&mut words);
    if const { R::KINDS.len() > 1 } {
        // SAFETY: traced code runs only while its VM is entered, and the current context is alive.
        let results = unsafe { &mut (*Context::current()).results };
        for n in 1..R::KINDS.len() {
            // Volatile, so that no two words are copied at once: see [`Parts::store`].
            // SAFETY: it is a word of the context.
            unsafe { (&raw mut results[n]).write_volatile(words[n]) };
        }
    }
    words[0]
}

/// The next parameter, from words in memory.
///
/// # Safety
/// There are as many words as the type has components, and they are the components of a value.
#[inline(always)]
unsafe fn take<P: Parts>(args: &mut *const u64) -> P {
    let len = const { P::KINDS.len() };
    // SAFETY: the caller's promise.
    unsafe {
        let words = std::slice::from_raw_parts(*args, len);
        *args = args.add(len);
        P::load(words)
    }
}

macro_rules! residual_fns {
    ($( ($($param:ident),*) )*) => {$(
        impl<$($param: Parts,)* R: Parts> sealed::Sealed for fn($($param),*) -> R {}

        impl<$($param: Parts,)* R: Parts> ResidualFn for fn($($param),*) -> R {
            const TYPES: &'static Types = &Types::new(
                &[$($param::KINDS),*],
                R::KINDS,
                // A single word comes back in the register of its type, several words do not.
                (R::DIRECT || R::KINDS.len() != 1) $(&& $param::DIRECT)*,
            );

            fn target(self) -> usize {
                self as usize
            }

            fn thunk() -> usize {
                #[allow(non_snake_case, clippy::too_many_arguments)]
                unsafe extern "C" fn thunk<$($param: Parts,)* R: Parts>(
                    target: usize $(, $param: $param::Abi)*
                ) -> R::Abi {
                    // SAFETY: the caller passes the address of a function of this type, and words
                    // of its parameter types.
                    guarded(|| unsafe {
                        let target: fn($($param),*) -> R = std::mem::transmute(target);
                        R::Abi::from_word(give(target($($param::load(&[$param.to_word()])),*)))
                    })
                }
                thunk::<$($param,)* R> as *const () as usize
            }

            fn invoke() -> usize {
                #[allow(unused_variables, unused_mut, non_snake_case)]
                unsafe extern "C" fn invoke<$($param: Parts,)* R: Parts>(target: usize, mut args: *const u64) -> u64 {
                    // SAFETY: as in `thunk`, with as many words in memory as the parameters have.
                    guarded(|| unsafe {
                        let target: fn($($param),*) -> R = std::mem::transmute(target);
                        $( let $param = take::<$param>(&mut args); )*
                        give(target($($param),*))
                    })
                }
                invoke::<$($param,)* R> as *const () as usize
            }
        }

        impl<$($param: Parts,)*> sealed::Sealed for fn($($param),*) -> ! {}

        impl<$($param: Parts,)*> ResidualFn for fn($($param),*) -> ! {
            const TYPES: &'static Types = &Types::new(&[$($param::KINDS),*], &[], true $(&& $param::DIRECT)*);

            fn target(self) -> usize {
                self as usize
            }

            fn thunk() -> usize {
                #[allow(non_snake_case, clippy::too_many_arguments)]
                unsafe extern "C" fn thunk<$($param: Parts,)*>(target: usize $(, $param: $param::Abi)*) -> u64 {
                    // SAFETY: as for functions that return.
                    guarded(|| unsafe {
                        let target: fn($($param),*) -> ! = std::mem::transmute(target);
                        target($($param::load(&[$param.to_word()])),*)
                    })
                }
                thunk::<$($param,)*> as *const () as usize
            }

            fn invoke() -> usize {
                #[allow(unused_variables, unused_mut, non_snake_case)]
                unsafe extern "C" fn invoke<$($param: Parts,)*>(target: usize, mut args: *const u64) -> u64 {
                    // SAFETY: as for functions that return.
                    guarded(|| unsafe {
                        let target: fn($($param),*) -> ! = std::mem::transmute(target);
                        $( let $param = take::<$param>(&mut args); )*
                        target($($param),*)
                    })
                }
                invoke::<$($param,)*> as *const () as usize
            }
        }
    )*};
}

residual_fns! {
    ()
    (A)
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H)
    (A, B, C, D, E, F, G, H, I)
    (A, B, C, D, E, F, G, H, I, J)
}
