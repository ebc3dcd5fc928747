//! From a hot place to installed code: record or specialise, optimise, compile, install.

pub(crate) mod aot;
pub(crate) mod backends;
pub(crate) mod install;
pub(crate) mod optimiser_host;
pub(crate) mod pipeline;
pub(crate) mod record;
pub(crate) mod specialise;
pub(crate) mod target;
