//! The text form of jitcode: `parse(print_unit(u)) == u` for every verified unit that has not been
//! linked.
//!
//! ```text
//! class Program { code: ref }
//! class GcArray<u8> [int]
//! fn fail(int) -> int opaque
//! code run(i0 r1 i2) -> int in "src/main.rs" {
//!   regs i0 r1 i2 r3 i4
//!     0: merge_point (i0 r1) (i2)           {i0 r1 i2} #14
//!     1: r3 = getfield_r r1 Program.code    {i0 r1 i2} #15
//!     2: i4 = getitem_i r3 i0 GcArray<u8>   {i0 i2 r3} #15
//!     3: switch i4 [0: @4, 1: @0, else @4]  {i0 i2 i4} #16
//!     4: i2 = call_fn fail(i2)              {i2} #17
//!     5: return i2                          {i2} #18
//! }
//! portal run @0
//! ```
//!
//! A register's name is the letter of its type and its number. Behind an instruction stand the
//! registers live at it and its line in the source. Text written by hand may leave out `regs`, all
//! the live sets (they are computed then), the lines, the pcs and `in "file"`; any word can be a
//! label (`loop: ...`, `goto @loop`).

mod parse;
mod print;

pub use parse::parse;
pub use print::{print, print_insn, print_unit};
