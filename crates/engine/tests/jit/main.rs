//! The engine with all stages behind it, running a guest language: [`guest`]. In: guest programs
//! and parameters. Out: that [`behaviour`] and [`recursion`] are as designed, that code can be made
//! [`ahead`] of any run, that [`arrays`] are recognised, that authors have a [`choice`] of
//! compilers, that processes can divide ([`forks`]), that [`coroutines`] are told apart, that code
//! is [`freed`], that it can be [`interrupted`], that values are [`promoted`], that [`hooks`] are
//! told, that reports say where code is [`located`], how code is [`mapped`], that a run can be
//! [`profiled`], that [`stacks`] are used up cleanly, that places run as [`threads`], that
//! [`tiers`] change, and that [`random`] programs mean the same whatever the JIT does.

mod ahead;
mod arrays;
mod behaviour;
mod choice;
mod coroutines;
mod forks;
mod freed;
mod guest;
mod hooks;
mod inspected;
mod interrupted;
mod located;
mod mapped;
mod profiled;
mod promoted;
mod random;
mod recursion;
mod stacks;
mod threads;
mod tiers;
