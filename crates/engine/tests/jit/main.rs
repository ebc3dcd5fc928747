//! The engine with all stages behind it, running a guest language: [`guest`]. Tests of policy
//! ([`behaviour`], [`recursion`], [`choice`], [`tiers`], [`promoted`], [`segments`], [`threads`]),
//! of limits ([`freed`], [`stacks`], [`interrupted`], [`coroutines`], [`switched`], [`forks`],
//! [`mapped`]), of compiling [`ahead`] and of [`arrays`], of observers ([`hooks`], [`located`],
//! [`profiled`], [`explained`], [`inspected`]), and [`random`] programs.

mod ahead;
mod arrays;
mod behaviour;
mod choice;
mod coroutines;
mod explained;
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
mod segments;
mod stacks;
mod switched;
mod threads;
mod tiers;
