//! Finds allocations that can be done at once: objects of constant size with nothing between them
//! that may collect or leave, together small enough for the space in front of the cursor. Source:
//! RPython's rewriting of `new` for its nursery.

use crate::barriers::stays;
use smallvec::SmallVec;
use verdigris_heap::INLINE_MAX;
use verdigris_ops::{DataOp, Descrs, SlotLayout};
use verdigris_trace::{Const, Opcode, OptimisedOp, OptimisedOps, ValRef};

/// How many bytes are allocated at once at most.
const MOST: u32 = INLINE_MAX as u32;

/// Items of an array that has just been made that are filled by one store each.
pub const MOST_STORES: i64 = 32;

/// An object of constant size that is to be allocated.
#[derive(Clone, Copy, Debug)]
pub struct AllocationShape {
    /// Its bytes.
    pub size: u32,
    /// The word in its header.
    pub class_word: i32,
    /// The length of an array.
    pub len: Option<i64>,
}

/// The objects of the first of these operations and of those behind it, at most so many; none if
/// the first one makes no small object.
pub fn group(
    descrs: &Descrs,
    ops: OptimisedOps<'_>,
    most: usize,
) -> SmallVec<[(ValRef, AllocationShape); 4]> {
    let (mut group, mut total) = (SmallVec::new(), 0);
    for op in ops.iter() {
        match (shape(descrs, op), op.result(), op.opcode()) {
            (Some(shape), Some(result), _) if total + shape.size <= MOST && group.len() < most => {
                total += shape.size;
                group.push((result, shape));
            }
            (None, _, Opcode::MergePoint) => {}
            (None, _, Opcode::Data(data)) if !group.is_empty() && stays(data) => {}
            _ => break,
        }
    }
    group
}

/// The length of an array that an operation makes, if it is constant.
pub fn constant_len(op: OptimisedOp<'_>) -> Option<i64> {
    match op.args().constant(0)? {
        Const::Int(len) => Some(len),
        _ => None,
    }
}

/// The object that an operation makes, if its size is constant and small.
pub fn shape(descrs: &Descrs, op: OptimisedOp<'_>) -> Option<AllocationShape> {
    let len = match op.opcode() {
        Opcode::Data(DataOp::New) => None,
        Opcode::Data(DataOp::NewArray) => Some(constant_len(op)?),
        _ => return None,
    };
    let class = op.class();
    let info = &descrs.classes[class];
    let size = match len {
        None => info.size.checked_next_multiple_of(8),
        Some(len) => array_size(info.size, len, descrs.item(class).1),
    }?;
    (size <= MOST).then_some(AllocationShape {
        size,
        class_word: info.word,
        len,
    })
}

/// Bytes of an array with this many items.
fn array_size(start: u32, len: i64, layout: SlotLayout) -> Option<u32> {
    let items = u32::try_from(len).ok()?.checked_mul(layout.stride)?;
    items.checked_add(start)?.checked_next_multiple_of(8)
}
