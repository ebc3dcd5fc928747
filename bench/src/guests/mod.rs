//! The guest programs that are measured.

pub mod examples;
pub mod languages;
pub mod lua;
pub mod program;
pub mod registry;
