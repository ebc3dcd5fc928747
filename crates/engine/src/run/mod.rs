//! Entering compiled code, leaving it, and what interrupts it.

pub(crate) mod callees;
pub(crate) mod context_hooks;
pub(crate) mod deopt;
pub(crate) mod enter;
pub(crate) mod exhaustion;
pub(crate) mod interrupt;
pub(crate) mod invalidate;
pub(crate) mod reports;
pub(crate) mod sampling;
pub(crate) mod stack;
pub(crate) mod stack_headroom;
pub(crate) mod switch;
pub(crate) mod virtualizable;
