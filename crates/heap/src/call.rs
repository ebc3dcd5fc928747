//! Calls of Rust functions from traced code. In: a Rust function whose parameters and result are words. Out: its thunks in the C
//! calling convention. Invariant: no panic unwinds into compiled code: it is kept in the current context.

use crate::{Abi, Context, Word};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_ops::Ty;

/// A Rust function that traced code can call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FnDescr {
    /// Its name, with or without its path.
    pub name: &'static str,
    /// The types of its parameters.
    pub params: &'static [Ty],
    /// The type of its result, if it has one.
    pub ret: Option<Ty>,
    /// Its address.
    pub target: usize,
    /// `unsafe extern "C" fn(target, a, b, ..) -> r` that calls it with words and doubles.
    pub thunk: usize,
    /// `unsafe extern "C" fn(target, args: *const u64) -> u64` that calls it with words in memory.
    pub invoke: usize,
}

impl FnDescr {
    /// Describes a function. A function's name alone has a type of its own and must be cast:
    /// `FnDescr::new("f", f as fn(i64, Gc<Foo>) -> f64)`.
    pub fn new<F: ResidualFn>(name: &'static str, f: F) -> FnDescr {
        FnDescr {
            name,
            params: F::PARAMS,
            ret: F::RET,
            target: f.target(),
            thunk: F::thunk(),
            invoke: F::invoke(),
        }
    }
}

/// A function pointer whose parameters and result are words: `fn(A, ..) -> R` with up to ten parameters, or `-> !`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that traced code can call",
    note = "parameters (at most ten) and the result must be words: integers, `bool`, `char`, `f64`, `()`, and references to heap objects"
)]
pub trait ResidualFn: Copy + sealed::Sealed {
    /// The types of the parameters.
    const PARAMS: &'static [Ty];
    /// The type of the result, if there is one.
    const RET: Option<Ty>;
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

macro_rules! residual_fns {
    ($( ($($param:ident $index:literal),*) )*) => {$(
        impl<$($param: Word,)* R: Word> sealed::Sealed for fn($($param),*) -> R {}

        impl<$($param: Word,)* R: Word> ResidualFn for fn($($param),*) -> R {
            const PARAMS: &'static [Ty] = &[$($param::KIND.ty),*];
            const RET: Option<Ty> = if R::KIND.size == 0 { None } else { Some(R::KIND.ty) };

            fn target(self) -> usize {
                self as usize
            }

            fn thunk() -> usize {
                #[allow(non_snake_case, clippy::too_many_arguments)]
                unsafe extern "C" fn thunk<$($param: Word,)* R: Word>(
                    target: usize $(, $param: $param::Abi)*
                ) -> R::Abi {
                    // SAFETY: the caller passes the address of a function of this type, and words of its parameter types.
                    guarded(|| unsafe {
                        let target: fn($($param),*) -> R = std::mem::transmute(target);
                        target($($param::from_abi($param)),*).to_abi()
                    })
                }
                thunk::<$($param,)* R> as *const () as usize
            }

            fn invoke() -> usize {
                #[allow(unused_variables)]
                unsafe extern "C" fn invoke<$($param: Word,)* R: Word>(target: usize, args: *const u64) -> u64 {
                    // SAFETY: as in `thunk`, with as many words in memory as there are parameters.
                    guarded(|| unsafe {
                        let target: fn($($param),*) -> R = std::mem::transmute(target);
                        target($($param::from_word(args.add($index).read())),*).to_word()
                    })
                }
                invoke::<$($param,)* R> as *const () as usize
            }
        }

        impl<$($param: Word,)*> sealed::Sealed for fn($($param),*) -> ! {}

        impl<$($param: Word,)*> ResidualFn for fn($($param),*) -> ! {
            const PARAMS: &'static [Ty] = &[$($param::KIND.ty),*];
            const RET: Option<Ty> = None;

            fn target(self) -> usize {
                self as usize
            }

            fn thunk() -> usize {
                #[allow(non_snake_case, clippy::too_many_arguments)]
                unsafe extern "C" fn thunk<$($param: Word,)*>(target: usize $(, $param: $param::Abi)*) -> u64 {
                    // SAFETY: as for functions that return.
                    guarded(|| unsafe {
                        let target: fn($($param),*) -> ! = std::mem::transmute(target);
                        target($($param::from_abi($param)),*)
                    })
                }
                thunk::<$($param,)*> as *const () as usize
            }

            fn invoke() -> usize {
                #[allow(unused_variables)]
                unsafe extern "C" fn invoke<$($param: Word,)*>(target: usize, args: *const u64) -> u64 {
                    // SAFETY: as for functions that return.
                    guarded(|| unsafe {
                        let target: fn($($param),*) -> ! = std::mem::transmute(target);
                        target($($param::from_word(args.add($index).read())),*)
                    })
                }
                invoke::<$($param,)*> as *const () as usize
            }
        }
    )*};
}

residual_fns! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
}
