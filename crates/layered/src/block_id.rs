//! Block ids: which block of which method comes next. 32 bits: the number of the method above that
//! of the block. Source: section 6.3 of "Automatic Generation of JIT Compilers for Dynamic
//! Languages in .NET" (Ancona, Bolz, Cuni, Rigo, 2009).

use std::fmt;

/// The number of a method, which it has as long as it can be entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodNumber(u16);

impl MethodNumber {
    /// The engine, whose blocks leave the methods. No method has this number.
    pub const ENGINE: MethodNumber = MethodNumber(u16::MAX);
    /// The first number of a method. There is no method 0, so no block has the id 0.
    pub const FIRST: MethodNumber = MethodNumber(1);

    /// The number behind this one, if a method may have it.
    pub fn next(self) -> Option<MethodNumber> {
        Some(MethodNumber(self.0 + 1)).filter(|next| *next != MethodNumber::ENGINE)
    }

    /// Where the method stands in a table of all.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for MethodNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#06x}", self.0)
    }
}

impl fmt::Debug for MethodNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The id of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodBlockId(u32);

impl MethodBlockId {
    /// The portal returns; the words of its result are in the context's exit buffer.
    pub const FINISH: MethodBlockId = MethodBlockId(0xffff_0000);
    /// An allocation has found no memory.
    pub const OUT_OF_MEMORY: MethodBlockId = MethodBlockId(0xffff_0001);
    /// A guard leaves; its fail arguments are in the [`InputArgs`](crate::InputArgs), which also
    /// say which guard it is.
    pub const LEAVE: MethodBlockId = MethodBlockId(0xffff_ffff);

    /// A block of a method.
    pub fn new(method: MethodNumber, block: u16) -> MethodBlockId {
        MethodBlockId(u32::from(method.0) << 16 | u32::from(block))
    }

    /// The method that holds it.
    pub fn method(self) -> MethodNumber {
        MethodNumber((self.0 >> 16) as u16)
    }

    /// Its number within the method.
    pub fn block(self) -> u16 {
        self.0 as u16
    }

    /// The id as a word; never 0.
    pub fn word(self) -> u64 {
        u64::from(self.0)
    }

    /// The inverse of [`MethodBlockId::word`].
    pub fn from_word(word: u64) -> MethodBlockId {
        MethodBlockId(word as u32)
    }
}

impl fmt::Display for MethodBlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

impl fmt::Debug for MethodBlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_method_above_a_block() {
        let second = MethodNumber::FIRST.next().expect("there are more");
        let id = MethodBlockId::new(second, 3);
        assert_eq!(id.to_string(), "0x00020003");
        assert_eq!((id.method(), id.block()), (second, 3));
        assert_eq!(MethodBlockId::from_word(id.word()), id);
        assert_eq!(MethodBlockId::LEAVE.method(), MethodNumber::ENGINE);
    }
}
