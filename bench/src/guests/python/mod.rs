//! Programs in Python, which run in processes of their own, and the systems that run them.

pub mod programs;
pub mod systems;
