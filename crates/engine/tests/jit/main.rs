//! The engine with all stages behind it, running a guest language: [`guest`]. In: guest programs and parameters. Out: that
//! [`behaviour`] and [`recursion`] are as designed, that code is [`freed`], and that [`random`] programs mean the same whatever the
//! JIT does.

mod behaviour;
mod freed;
mod guest;
mod random;
mod recursion;
