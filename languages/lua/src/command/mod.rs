//! The parts of the command `verdigris-lua`: what the command line says, the order in which things
//! run, the dialogue, the editing of lines, Ctrl-C.

pub mod arguments;
pub mod dialogue;
pub mod editor;
pub mod order;
