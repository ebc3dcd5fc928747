//! What the optimiser knows, as tables with their own methods. Nothing here knows a pass or
//! [`Section`](crate::section::Section).

pub(crate) mod assumptions;
pub(crate) mod components;
pub(crate) mod contents;
pub(crate) mod exit_builder;
pub(crate) mod gather;
pub(crate) mod guard_table;
pub(crate) mod heap_table;
pub(crate) mod index_sums;
pub(crate) mod knowledge;
pub(crate) mod label;
pub(crate) mod label_paths;
pub(crate) mod label_ways;
pub(crate) mod node;
pub(crate) mod numbering;
pub(crate) mod op_symmetry;
pub(crate) mod order_table;
pub(crate) mod origins;
pub(crate) mod pure_table;
pub(crate) mod remarks;
pub(crate) mod variable_items;
