//! The engine with all stages behind it, running a guest language: [`guest`]. In: guest programs and parameters. Out: that
//! [`behaviour`] and [`recursion`] are as designed, and that [`random`] programs mean the same whatever the JIT does.

mod behaviour;
mod guest;
mod random;
mod recursion;
