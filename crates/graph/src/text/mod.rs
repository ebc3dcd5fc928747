//! The text form of flow graphs: `parse(print_program(p)) == p` for every verified program in
//! canonical numbering.
//!
//! ```text
//! class Program { code: ref }
//! class GcArray<u8> [int]
//! graph run -> int in "src/main.rs" {
//! b0(r0 i1):
//!   goto b1(0 r0 i1)                      #13:5
//! b1(i2 r3 i4):
//!   merge_point (i2 r3) (i4) b2           #14:9
//! b2:
//!   r5 = getfield_r r3 Program.code       #15:18
//!   i6 = getitem_i r5 i2 GcArray<u8>      #15:18
//!   switch i6 [0: b1(0 r3 i4), else b3]   #16:9
//! b3:
//!   return i4                             #17:18
//! }
//! portal run
//! ```
//!
//! A value's name is the letter of its type and its number; the first block is the entry, and its
//! parameters are the function's. Text written by hand may number values and blocks in any way and
//! may leave out places and file.

mod parse;
mod print;

pub use parse::parse;
pub use print::{print, print_op, print_program, print_term, print_val};
