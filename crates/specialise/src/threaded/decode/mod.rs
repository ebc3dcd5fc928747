//! The values that differ between positions which share a stencil.
//!
//! While a stencil is made, a [`Decoder`] notes the operations on such values and the decisions by
//! them; it then does the same for the greens of other positions. A position whose greens satisfy
//! every decision has the same code, with other words in the record's holes. This is the
//! instruction decoder of the interpreter, found by partial evaluation.
//!
//! Source: the binding times of "Get Your Own Just-In-Time Specializing Compiler For Free" (2007),
//! section 2.1, with a third one between green and red: known when a position gets its code.

#[cfg(test)]
mod tests;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use verdigris_ops::{DataOp, Effect, FnId, Ty, eval};
use verdigris_opt::Host;
use verdigris_trace::Descr;

/// The index of the first green in a record, behind the code's address and a counter.
pub const GREENS: usize = 2;

/// A value that the greens of a position determine; the greens themselves are the first ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Green(u32);

/// An operand of a decoding step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DecodeInput {
    /// A value.
    Green(Green),
    /// A word.
    Word(u64),
}

/// A decision by a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DecodeTest {
    /// It is this word.
    Is(u64),
    /// It is none of these words.
    IsNot(Box<[u64]>),
    /// It is not 0, or it is.
    Holds(bool),
}

impl DecodeTest {
    fn accepts(&self, word: u64) -> bool {
        match self {
            DecodeTest::Is(wanted) => word == *wanted,
            DecodeTest::IsNot(others) => !others.contains(&word),
            DecodeTest::Holds(holds) => (word != 0) == *holds,
        }
    }
}

/// A value that a decoder branches on, and its word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Choice {
    /// One of the values that all decoders of an interpreter compute first.
    pub value: Green,
    /// The word.
    pub word: u64,
}

type Inputs = SmallVec<[DecodeInput; 3]>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Step {
    /// A data operation, which gives a value.
    Data(DataOp, Inputs, Descr),
    /// A call of an elidable function with this many results.
    Call(FnId, Inputs, usize),
    /// The number of an object's class.
    Class(DecodeInput),
    /// The position has other code if this does not hold.
    Expect(Green, DecodeTest),
}

/// A record slot for a successor, and the successor's greens.
type Successor = (usize, SmallVec<[DecodeInput; 4]>);

/// Computes the records of the positions that share a stencil.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    /// The types of all values.
    types: Vec<Ty>,
    steps: Vec<Step>,
    known: FxHashMap<Step, Green>,
    expected: FxHashSet<(Green, DecodeTest)>,
    /// The values that have a word of the record.
    holes: Vec<(Green, usize)>,
    successors: Vec<Successor>,
    /// Words of a record.
    len: usize,
}

/// The record of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Decoded {
    /// Words, with their index and type.
    pub holes: Vec<(usize, u64, Ty)>,
    /// For each word that holds the address of another record: its index, and that record's greens.
    pub successors: Vec<(usize, Vec<u64>)>,
}

impl Decoder {
    /// For greens of these types.
    pub(crate) fn new(greens: &[Ty]) -> Decoder {
        Decoder {
            types: greens.to_vec(),
            len: GREENS + greens.len(),
            holes: (0..greens.len())
                .map(|n| (Green(n as u32), GREENS + n))
                .collect(),
            ..Decoder::default()
        }
    }

    /// The value of a green.
    pub(crate) fn green(n: usize) -> Green {
        Green(n as u32)
    }

    /// The result of a data operation.
    pub(crate) fn data(&mut self, op: DataOp, args: &[DecodeInput], descr: Descr, ty: Ty) -> Green {
        self.step(Step::Data(op, args.into(), descr), &[ty])
    }

    /// The first result of a call; the others follow.
    pub(crate) fn call(&mut self, function: FnId, args: &[DecodeInput], types: &[Ty]) -> Green {
        self.step(Step::Call(function, args.into(), types.len()), types)
    }

    /// The `n`-th value behind another.
    pub(crate) fn behind(first: Green, n: usize) -> Green {
        Green(first.0 + n as u32)
    }

    /// The number of the class of an object.
    pub(crate) fn class(&mut self, object: DecodeInput) -> Green {
        self.step(Step::Class(object), &[Ty::Int])
    }

    fn step(&mut self, step: Step, types: &[Ty]) -> Green {
        if let Some(&known) = self.known.get(&step) {
            return known;
        }
        let first = Green(self.types.len() as u32);
        self.types.extend(types);
        self.known.insert(step.clone(), first);
        self.steps.push(step);
        first
    }

    /// Restricts the code to positions where this holds.
    pub(crate) fn expect(&mut self, value: Green, test: DecodeTest) {
        if self.expected.insert((value, test.clone())) {
            self.steps.push(Step::Expect(value, test));
        }
    }

    /// The word of the record that holds a value.
    pub(crate) fn hole(&mut self, value: Green) -> usize {
        match self.holes.iter().find(|hole| hole.0 == value) {
            Some(&(_, slot)) => slot,
            None => {
                self.holes.push((value, self.len));
                self.len += 1;
                self.len - 1
            }
        }
    }

    /// The word of the record that holds the address of the record for these greens.
    pub(crate) fn successor(&mut self, greens: &[DecodeInput]) -> usize {
        match self.successors.iter().find(|known| known.1[..] == *greens) {
            Some(&(slot, _)) => slot,
            None => {
                self.successors.push((self.len, greens.into()));
                self.len += 1;
                self.len - 1
            }
        }
    }

    /// How many words a record has.
    pub fn record_len(&self) -> usize {
        self.len
    }

    /// The first value that this decoder compares with a word, mostly the opcode, and its word for
    /// these greens. None if there is none, or if the decoder is not for the position.
    pub fn first_choice(&self, greens: &[u64], host: &mut dyn Host) -> Option<Choice> {
        let mut values = SmallVec::new();
        let value = self.run(greens, host, &mut values, true)??;
        let word = values[value.0 as usize];
        Some(Choice { value, word })
    }

    /// The first comparison of a value with a word, if there is one.
    pub fn chosen(&self) -> Option<Choice> {
        self.steps.iter().find_map(|step| match *step {
            Step::Expect(value, DecodeTest::Is(word)) => Some(Choice { value, word }),
            _ => None,
        })
    }

    /// The record of the position with these greens. None if it has other code.
    pub fn decode(&self, greens: &[u64], host: &mut dyn Host) -> Option<Decoded> {
        let mut values = SmallVec::new();
        self.run(greens, host, &mut values, false)?;
        let word = |value: Green| values[value.0 as usize];
        let holes = self.holes.iter();
        let holes = holes.map(|&(value, slot)| (slot, word(value), self.types[value.0 as usize]));
        let successors = self.successors.iter().map(|(slot, greens)| {
            let greens = greens.iter().map(|&input| match input {
                DecodeInput::Green(value) => word(value),
                DecodeInput::Word(word) => word,
            });
            (*slot, greens.collect())
        });
        Some(Decoded {
            holes: holes.collect(),
            successors: successors.collect(),
        })
    }

    /// Does the steps, all or up to the first comparison with a word, whose value it returns. None
    /// if a decision differs.
    fn run(
        &self,
        greens: &[u64],
        host: &mut dyn Host,
        values: &mut SmallVec<[u64; 32]>,
        until_choice: bool,
    ) -> Option<Option<Green>> {
        values.extend_from_slice(greens);
        for step in &self.steps {
            let words = |inputs: &[DecodeInput]| -> SmallVec<[u64; 4]> {
                let words = inputs.iter().map(|&input| match input {
                    DecodeInput::Green(value) => values[value.0 as usize],
                    DecodeInput::Word(word) => word,
                });
                words.collect()
            };
            match step {
                Step::Data(op, args, descr) => {
                    let args = words(args);
                    let word = match op.effect() {
                        Effect::Pure => eval(*op, &args)?,
                        _ => host.load(*op, &args, *descr),
                    };
                    values.push(word);
                }
                Step::Call(function, args, results) => {
                    let words = host.call(*function, &words(args))?;
                    debug_assert_eq!(words.len(), *results);
                    values.extend(words);
                }
                Step::Class(object) => {
                    let class = host.class_of(words(&[*object])[0])?;
                    values.push(u64::from(class.as_u32()));
                }
                Step::Expect(value, DecodeTest::Is(_)) if until_choice => {
                    return Some(Some(*value));
                }
                Step::Expect(value, test) if test.accepts(values[value.0 as usize]) => {}
                Step::Expect(..) => return None,
            }
        }
        Some(None)
    }
}
