//! The parts of the command `verdigris-python`: what the command line says, the order in which
//! things run, the dialogue.

pub mod arguments;
pub mod dialogue;
pub mod plan;
