//! The optimiser from outside: recorded traces as text in, what is left of them out.
//!
//! What is done to one loop: [`passes`], [`virtuals`], [`value_arrays`], [`heap`], [`effects`],
//! [`results`], [`readonly`], [`quasi`], [`kept`], [`words`], [`bounds`], [`strengthen`],
//! [`promotion`], [`orders`]. Around a loop: [`peel`], [`loop_bounds`], [`variants`]. Between
//! traces: [`bridges`], [`short_preamble`]. All together: [`worked_examples`] of the papers,
//! [`limits`], and generated traces in [`random`] and [`arrivals`].

mod arrivals;
mod bounds;
mod bridges;
mod common;
mod cut;
mod effects;
mod heap;
mod kept;
mod limits;
mod loop_bounds;
mod orders;
mod passes;
mod peel;
mod promotion;
mod quasi;
mod random;
mod readonly;
mod residual;
mod results;
mod short_preamble;
mod strengthen;
mod value_arrays;
mod variants;
mod virtuals;
mod ways_in;
mod words;
mod worked_examples;
