//! From finished sections to a trace: exits, dead code, assembly.

pub(crate) mod assemble;
pub(crate) mod dce;
pub(crate) mod guard_outcomes;
pub(crate) mod knowledge_codec;
pub(crate) mod resume;
