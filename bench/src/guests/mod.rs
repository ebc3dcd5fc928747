//! The guest programs that are measured.

pub mod examples;
pub mod languages;
pub mod lua;
pub mod made;
pub mod program;
pub mod python;
pub mod registry;
