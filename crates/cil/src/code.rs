//! The code of a method: CIL instructions as bytes, with labels, and how deep they use the stack.
//! In come instructions in order, out come the bytes of a body. Source of the encoding: ECMA-335,
//! partition III.
//!
//! Invariant: the stack of the evaluation is empty at labels.

use crate::instructions::Op;

/// A body: what Mono makes a method of.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Body {
    /// The instructions.
    pub(crate) code: Vec<u8>,
    /// How many values the stack of the evaluation holds at most.
    pub(crate) max_stack: usize,
    /// The types of the local variables.
    pub(crate) locals: Vec<Kind>,
    /// The signatures that `calli` refers to, by the numbers that [`signature_token`] has tokens
    /// for.
    pub(crate) signatures: Vec<Signature>,
}

/// A type of the CLI that values have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    /// `int32`.
    Short,
    /// `int64`.
    Int,
    /// `native int`.
    Address,
    /// `float64`.
    Float,
}

/// The signature of a function that is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Signature {
    pub(crate) params: Box<[Kind]>,
    pub(crate) ret: Option<Kind>,
}

/// The token of a signature by its number among a method's. `DynamicMethod` hands out odd tokens in
/// the order in which they are asked for.
pub(crate) fn signature_token(number: usize) -> u32 {
    2 * number as u32 + 1
}

/// A place in the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label(u32);

/// A place that refers to a label: where, and what the distance counts from.
struct Fixup {
    at: usize,
    base: usize,
    label: Label,
}

/// Code that is being written.
#[derive(Default)]
pub(crate) struct Code {
    bytes: Vec<u8>,
    labels: Vec<usize>,
    fixups: Vec<Fixup>,
    depth: usize,
    max_depth: usize,
}

/// The place of a label that is not bound yet.
const UNBOUND: usize = usize::MAX;

impl Code {
    /// A label, to be bound later.
    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() as u32 - 1)
    }

    /// Binds a label to this place.
    pub(crate) fn bind(&mut self, label: Label) {
        debug_assert_eq!(self.depth, 0, "the stack is empty at labels");
        self.labels[label.0 as usize] = self.bytes.len();
    }

    /// An instruction without an operand.
    pub(crate) fn op(&mut self, op: Op) {
        self.bytes.extend_from_slice(op.bytes());
        let pops = usize::from(op.pops);
        debug_assert!(self.depth >= pops, "{op:?} takes more than there is");
        self.depth -= pops;
        self.push(usize::from(op.pushes));
        if op.ends {
            self.depth = 0;
        }
    }

    /// Instructions without operands.
    pub(crate) fn ops(&mut self, ops: &[Op]) {
        ops.iter().for_each(|&op| self.op(op));
    }

    fn push(&mut self, count: usize) {
        self.depth += count;
        self.max_depth = self.max_depth.max(self.depth);
    }

    /// An instruction with the number of a variable.
    pub(crate) fn variable(&mut self, op: Op, number: u16) {
        self.op(op);
        self.bytes.extend(number.to_le_bytes());
    }

    /// A branch.
    pub(crate) fn branch(&mut self, op: Op, label: Label) {
        self.op(op);
        let at = self.bytes.len();
        self.bytes.extend([0; 4]);
        let base = at + 4;
        self.fixups.push(Fixup { at, base, label });
    }

    /// Goes to the label whose number is on the stack, or on if there is none.
    pub(crate) fn switch(&mut self, labels: &[Label]) {
        self.op(crate::instructions::SWITCH);
        self.bytes.extend((labels.len() as u32).to_le_bytes());
        let first = self.bytes.len();
        let base = first + 4 * labels.len();
        self.bytes.resize(base, 0);
        for (n, &label) in labels.iter().enumerate() {
            let at = first + 4 * n;
            self.fixups.push(Fixup { at, base, label });
        }
    }

    /// Pushes an `int32`.
    pub(crate) fn short(&mut self, value: i32) {
        self.op(crate::instructions::LDC_I4);
        self.bytes.extend(value.to_le_bytes());
    }

    /// Pushes an `int64`.
    pub(crate) fn int(&mut self, value: i64) {
        self.op(crate::instructions::LDC_I8);
        self.bytes.extend(value.to_le_bytes());
    }

    /// Pushes a `float64` by its bits.
    pub(crate) fn float(&mut self, bits: u64) {
        self.op(crate::instructions::LDC_R8);
        self.bytes.extend(bits.to_le_bytes());
    }

    /// Calls the function whose address is on the stack above its arguments.
    pub(crate) fn call(&mut self, signature: &Signature, token: u32) {
        self.op(crate::instructions::CALLI);
        self.bytes.extend(token.to_le_bytes());
        self.depth -= signature.params.len();
        self.push(usize::from(signature.ret.is_some()));
    }

    /// The bytes, with all labels in their places, and the depth of the stack.
    ///
    /// # Panics
    /// If a label that is referred to has not been bound.
    pub(crate) fn finish(mut self) -> (Vec<u8>, usize) {
        for Fixup { at, base, label } in self.fixups {
            let place = self.labels[label.0 as usize];
            assert_ne!(place, UNBOUND, "a label that is referred to has a place");
            let distance = place as i64 - base as i64;
            self.bytes[at..at + 4].copy_from_slice(&(distance as i32).to_le_bytes());
        }
        (self.bytes, self.max_depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::*;

    #[test]
    fn a_body_is_bytes() {
        let mut code = Code::default();
        let (top, out) = (code.label(), code.label());
        code.bind(top);
        code.op(LDARG_0);
        code.switch(&[out]);
        code.int(-2);
        code.op(POP);
        code.branch(BR, top);
        code.bind(out);
        code.short(7);
        code.op(RET);
        let (bytes, depth) = code.finish();
        let mut expected = vec![0x02, 0x45, 1, 0, 0, 0, 15, 0, 0, 0, 0x21];
        expected.extend((-2i64).to_le_bytes());
        expected.extend([0x26, 0x38, 0xe7, 0xff, 0xff, 0xff, 0x20, 7, 0, 0, 0, 0x2a]);
        assert_eq!((bytes, depth), (expected, 1));
    }
}
