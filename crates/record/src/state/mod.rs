//! The tracer's tables.

pub(crate) mod frame;
pub(crate) mod headers;
pub(crate) mod heap_cache;
pub(crate) mod knowledge;
pub(crate) mod pins;
pub(crate) mod recorder;
pub(crate) mod value;
