//! Labels: the states that code behind them assumes, and how sections get there.

pub(crate) mod enter;
pub(crate) mod export;
pub(crate) mod generalise_constants;
pub(crate) mod guard_knowledge;
pub(crate) mod label_join;
pub(crate) mod peel;
pub(crate) mod shape;
pub(crate) mod short_preamble;
pub(crate) mod split;
