//! Observers of the engine: log, statistics, explanations, profiles, recordings, hooks.

pub(crate) mod compile_log;
pub(crate) mod effect_check;
pub(crate) mod event;
pub(crate) mod event_counts;
pub(crate) mod events;
pub(crate) mod explain;
pub(crate) mod hint_check;
pub(crate) mod hook_calls;
pub(crate) mod hooks;
pub(crate) mod inspect;
pub(crate) mod location;
pub(crate) mod log;
pub(crate) mod log_rows;
pub(crate) mod observers;
pub(crate) mod origins;
pub(crate) mod place_counts;
pub(crate) mod places;
pub(crate) mod profile;
pub(crate) mod recording;
pub(crate) mod statistics;
pub(crate) mod trace_text;
