//! Reports about an optimised trace. They do not change it.

pub(crate) mod find;
pub(crate) mod residual;
