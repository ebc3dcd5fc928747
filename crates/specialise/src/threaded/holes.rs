//! Holes: constants of a stencil that differ between positions and are read from the record.

use super::decode::{DecodeInput, Decoder, Green};
use crate::state::frame::PathFrame;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use verdigris_jitcode::Reg;
use verdigris_trace::{Arg, Const, ValRef};

/// The holes of a path.
pub(crate) struct Holes {
    pub decoder: Rc<RefCell<Decoder>>,
    /// The record, in the path's trace.
    pub record: ValRef,
    /// The values that have been read from it.
    pub read: FxHashMap<Green, ValRef>,
}

impl Holes {
    /// Nothing has been read yet.
    pub fn new(decoder: Rc<RefCell<Decoder>>, record: ValRef) -> Holes {
        Holes {
            decoder,
            record,
            read: FxHashMap::default(),
        }
    }

    /// The holes in another section, in which these values are inputs.
    pub fn renamed(&self, new: &FxHashMap<ValRef, Arg>) -> Box<Holes> {
        let record = new.get(&self.record).and_then(|record| record.as_ref());
        let record = record.expect("the record is among the values of a path");
        Box::new(Holes::new(Rc::clone(&self.decoder), record))
    }

    /// The value of a register, read from the record if it is a hole.
    pub fn shown(&self, frame: &PathFrame, reg: Reg) -> Arg {
        let read = frame.source(reg).and_then(|source| self.read.get(&source));
        read.map_or(frame.regs[usize::from(reg.0)], |&value| Arg::Ref(value))
    }
}

impl PathFrame {
    /// The position-dependent value in a register, if it holds one.
    pub fn source(&self, reg: Reg) -> Option<Green> {
        self.sources.get(usize::from(reg.0)).copied().flatten()
    }

    /// Puts a position-dependent value into a register.
    pub fn set_from(&mut self, reg: Reg, value: Const, source: Green) {
        if self.sources.is_empty() {
            self.sources.resize(self.regs.len(), None);
        }
        self.regs[usize::from(reg.0)] = Arg::Const(value);
        self.sources[usize::from(reg.0)] = Some(source);
    }
}

/// A value in a register or behind an operand, and where it comes from.
#[derive(Clone, Copy)]
pub(crate) struct Sourced {
    pub value: Arg,
    pub source: Option<Green>,
}

impl Sourced {
    /// The decoder's input for it; none for a red.
    pub fn input(self) -> Option<DecodeInput> {
        match (self.source, self.value) {
            (Some(source), _) => Some(DecodeInput::Green(source)),
            (None, Arg::Const(constant)) => Some(DecodeInput::Word(constant.word())),
            (None, Arg::Ref(_)) => None,
        }
    }
}
