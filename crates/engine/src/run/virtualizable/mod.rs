//! Virtualizable objects, whose fields compiled code keeps in registers.

pub(crate) mod access;
pub(crate) mod copy_tables;
pub(crate) mod owners;
