//! The ways between native code, the interpreting stages and compiled code: merge points, called
//! functions, data operations.

pub(crate) mod effect_check;
pub(crate) mod enter;
pub(crate) mod exec;
pub(crate) mod fn_descr;
pub(crate) mod link;
pub(crate) mod location;
pub(crate) mod receive;
pub(crate) mod tier;
