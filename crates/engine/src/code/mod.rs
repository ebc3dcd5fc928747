//! Tables of compiled code: places, trees of traces, guards, and the objects that they keep alive.

pub(crate) mod assumed;
pub(crate) mod cache;
pub(crate) mod callee_words;
pub(crate) mod entry_cache;
pub(crate) mod guard_info;
pub(crate) mod guards;
pub(crate) mod jit_cells;
pub(crate) mod packed;
pub(crate) mod promotions;
pub(crate) mod roots;
pub(crate) mod trace_id;
pub(crate) mod trees;
