//! Fields and items: plain cells, and those that the collector or compiled code treats differently.

pub(crate) mod access_log;
pub(crate) mod cell;
pub(crate) mod quasi;
pub(crate) mod register;
pub(crate) mod slot;
pub(crate) mod virtualizable;
