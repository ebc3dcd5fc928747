//! The size of a trace's frame, which is known when all its code has been made.

use crate::asm::Asm;
use crate::lower::links::Outcome;
use verdigris_backend::{BackendError, MAX_FRAME};

/// The room that the frame must have, and the instructions that set its size.
#[derive(Default)]
pub(crate) struct FrameLayout {
    /// Words at the end of the frame for arguments.
    arguments: u32,
    /// Bytes that code which is jumped to or comes in front needs.
    min_size: u32,
    /// Offsets of instructions that name the size.
    fixups: Vec<u32>,
}

impl FrameLayout {
    /// Makes room for these many arguments on the stack.
    pub(crate) fn pass_on_stack(&mut self, words: usize) {
        self.arguments = self.arguments.max(words as u32);
    }

    pub(crate) fn at_least(&mut self, bytes: u32) {
        self.min_size = self.min_size.max(bytes);
    }

    /// Emits the instruction that sets the stack pointer for this frame.
    pub(crate) fn set(&mut self, asm: &mut Asm) {
        self.fixups.push(asm.set_frame());
    }

    /// Decides the size and writes it into the code.
    ///
    /// # Errors
    /// If it exceeds [`MAX_FRAME`].
    pub(crate) fn finish(&self, slots: usize, asm: &mut Asm) -> Outcome<u32> {
        let mut size = (8 * (slots as u32 + self.arguments)).max(self.min_size);
        // At calls the stack pointer is a multiple of 16; the frame pointer is 8 behind one.
        if size % 16 != 8 {
            size += 8;
        }
        if size as usize > MAX_FRAME {
            return Err(BackendError(format!(
                "the code would take {size} bytes of the native stack, more than {MAX_FRAME}: lower trace_limit"
            )));
        }
        for &at in &self.fixups {
            asm.patch(at, -(size as i32));
        }
        Ok(size)
    }
}
