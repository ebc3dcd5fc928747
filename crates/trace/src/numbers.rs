//! Resume data as numbers, kept for guards that have not failed yet: most never do.
//!
//! A reader asks for the numbers in the order in which they were written. Neighbouring guards write
//! what they have in common as the same numbers in the same group, so that the storage can leave
//! out what the guard before said too. Source: RPython's `resume.py`.

use crate::resume::{ItemWord, PendingStore, Resume, Src, VirtualInfo, VirtualKind};
use crate::value::{Const, ValRef};
use verdigris_ops::{ClassId, FieldId};

/// Numbers in groups.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Numbers {
    numbers: Vec<u64>,
    /// Where each group ends.
    ends: Vec<u32>,
}

impl Numbers {
    /// Room for so many numbers.
    pub fn with_capacity(numbers: usize) -> Numbers {
        Numbers {
            numbers: Vec::with_capacity(numbers),
            ends: Vec::with_capacity(16),
        }
    }

    /// Forgets the numbers, but keeps their memory.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
    }

    /// Adds a number to the last group.
    #[inline]
    pub fn put(&mut self, number: u64) {
        self.numbers.push(number);
    }

    /// Adds a number that may be negative: small ones stay small.
    #[inline]
    pub fn put_signed(&mut self, number: i64) {
        self.put(zigzag(number));
    }

    /// Adds a constant.
    pub fn put_const(&mut self, constant: Const) {
        match constant {
            Const::Int(word) => {
                self.put(0);
                self.put_signed(word);
            }
            Const::Ref(word) => {
                self.put(1);
                self.put(word);
            }
            Const::Float(bits) => {
                self.put(2);
                self.put(bits);
            }
        }
    }

    /// Ends a group.
    #[inline]
    pub fn end_group(&mut self) {
        self.ends.push(self.numbers.len() as u32);
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.ends.len()
    }

    /// A group; one that is not there is empty.
    #[inline]
    pub fn group(&self, n: usize) -> &[u64] {
        let Some(&end) = self.ends.get(n) else {
            return &[];
        };
        let start = match n {
            0 => 0,
            _ => self.ends[n - 1],
        };
        &self.numbers[start as usize..end as usize]
    }

    /// Reads the numbers from the first on.
    pub fn read(&self) -> NumberReader<'_> {
        NumberReader {
            all: self,
            at: 0,
            group: 0,
        }
    }
}

fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Reads numbers, group by group. Its methods are the opposites of those of [`Numbers`].
///
/// They panic if there are no more numbers in the group, or none of this kind: the code that writes
/// and the code that reads must agree.
pub struct NumberReader<'n> {
    all: &'n Numbers,
    at: usize,
    group: usize,
}

impl NumberReader<'_> {
    fn end(&self) -> usize {
        let end = self.all.ends.get(self.group);
        end.map_or(self.all.numbers.len(), |&end| end as usize)
    }

    /// Whether the group has more numbers.
    pub fn has_more(&self) -> bool {
        self.at < self.end()
    }

    /// Starts the next group.
    pub fn end_group(&mut self) {
        assert!(!self.has_more(), "what has been written is read");
        self.group += 1;
    }

    /// A number.
    pub fn get(&mut self) -> u64 {
        assert!(self.has_more(), "what is read has been written");
        self.at += 1;
        self.all.numbers[self.at - 1]
    }

    /// A number that may be negative.
    pub fn get_signed(&mut self) -> i64 {
        unzigzag(self.get())
    }

    /// A constant.
    pub fn get_const(&mut self) -> Const {
        match self.get() {
            0 => Const::Int(self.get_signed()),
            1 => Const::Ref(self.get()),
            _ => Const::Float(self.get()),
        }
    }
}

// The kinds of sources, in the low bits. What follows other constants is their word.
const FAIL: u64 = 0;
const VIRTUAL: u64 = 1;
const SMALL: u64 = 2;
const OTHER: u64 = 3;
const KIND_BITS: u32 = 2;
// Which other constants.
const INT: u64 = 0;
const REF: u64 = 1;

/// Writes sources. A fail argument is named as in its trace: so it is the same number for all
/// guards that hand it over. Its place among the fail arguments follows from the order in which
/// they are mentioned.
struct SrcWriter<'r, 'o> {
    fail_args: &'r [ValRef],
    out: &'o mut Numbers,
    /// How many fail arguments have been mentioned, each behind those with lower numbers.
    mentioned: usize,
    /// Whether that is so.
    in_order: bool,
}

impl SrcWriter<'_, '_> {
    #[inline]
    fn put(&mut self, src: Src) {
        let number = match src {
            Src::Fail(n) => {
                let n = usize::from(n);
                self.in_order &= n <= self.mentioned;
                self.mentioned = self.mentioned.max(n + 1);
                u64::from(self.fail_args[n].as_u32()) << KIND_BITS | FAIL
            }
            Src::Virtual(n) => u64::from(n) << KIND_BITS | VIRTUAL,
            Src::Const(constant) => {
                let kind = match constant {
                    Const::Int(word) => {
                        let number = zigzag(word);
                        if number >> (u64::BITS - KIND_BITS) == 0 {
                            return self.out.put(number << KIND_BITS | SMALL);
                        }
                        INT
                    }
                    Const::Ref(_) => REF,
                    Const::Float(_) => REF + 1,
                };
                self.out.put(kind << KIND_BITS | OTHER);
                constant.word()
            }
        };
        self.out.put(number);
    }
}

/// Reads sources, and finds out the fail arguments.
struct SrcReader<'i, 'n> {
    input: &'i mut NumberReader<'n>,
    fail_args: Vec<ValRef>,
}

impl SrcReader<'_, '_> {
    fn get(&mut self) -> Src {
        let number = self.input.get();
        let rest = number >> KIND_BITS;
        match number & ((1 << KIND_BITS) - 1) {
            FAIL => Src::Fail(self.fail_arg(ValRef::from_u32(rest as u32))),
            VIRTUAL => Src::Virtual(rest as u16),
            SMALL => Src::Const(Const::Int(unzigzag(rest))),
            _ => {
                let word = self.input.get();
                Src::Const(match rest {
                    INT => Const::Int(word as i64),
                    REF => Const::Ref(word),
                    _ => Const::Float(word),
                })
            }
        }
    }

    fn fail_arg(&mut self, value: ValRef) -> u16 {
        let known = self.fail_args.iter().position(|&v| v == value);
        let n = known.unwrap_or_else(|| {
            self.fail_args.push(value);
            self.fail_args.len() - 1
        });
        n as u16
    }

    /// A number of things.
    fn list<T>(&mut self, count: u64, mut read: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..count).map(|_| read(self)).collect()
    }

    /// All things of a group.
    fn group<T>(&mut self, mut read: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut all = Vec::new();
        while self.input.has_more() {
            all.push(read(self));
        }
        self.input.end_group();
        all
    }
}

impl Resume {
    /// Writes it, in [`Resume::GROUPS`] groups.
    pub fn write(&self, out: &mut Numbers) {
        let mut writer = SrcWriter {
            fail_args: &self.fail_args,
            out,
            mentioned: 0,
            in_order: true,
        };
        // From the outermost on: those are the same for longest.
        for frame in self.frames.iter().rev() {
            writer.out.put(u64::from(frame.code));
            writer.out.put(u64::from(frame.pc));
            writer.out.put(frame.regs.len() as u64);
            for &(reg, src) in frame.regs {
                writer.out.put(u64::from(reg));
                writer.put(src);
            }
        }
        writer.out.end_group();
        for store in &self.pending {
            match *store {
                PendingStore::Field { field, .. } => {
                    writer.out.put(u64::from(field.as_u32()) << 1);
                }
                PendingStore::Item { class, index, .. } => {
                    writer.out.put(u64::from(class.as_u32()) << 1 | 1);
                    writer.out.put(u64::from(index));
                }
            }
            store.srcs().into_iter().for_each(|src| writer.put(src));
        }
        writer.out.end_group();
        self.kept.iter().for_each(|&src| writer.put(src));
        writer.out.end_group();
        for info in &self.virtuals {
            write_virtual(&mut writer, info);
        }
        writer.out.end_group();
        // The fail arguments that nothing said so far implies, mostly none; all of them if they
        // have another order.
        let (in_order, mentioned) = (writer.in_order, writer.mentioned);
        let rest = match in_order {
            true => &self.fail_args[mentioned..],
            false => &self.fail_args[..],
        };
        out.put(u64::from(in_order));
        let rest = rest.iter().map(|value| u64::from(value.as_u32()));
        rest.for_each(|value| out.put(value));
        out.end_group();
    }

    /// The number of groups of a guard's resume data.
    pub const GROUPS: usize = 5;

    /// Reads it again.
    pub fn read(input: &mut NumberReader<'_>) -> Resume {
        let mut resume = Resume::default();
        let mut reader = SrcReader {
            input,
            fail_args: Vec::new(),
        };
        reader.group(|r| {
            let [code, pc, regs] = std::array::from_fn(|_| r.input.get());
            let regs = r.list(regs, |r| (r.input.get() as u16, r.get()));
            resume.frames.push_inner(code as u32, pc as u32, regs);
        });
        resume.pending = reader.group(read_pending);
        resume.kept = reader.group(SrcReader::get);
        resume.virtuals = reader.group(read_virtual);
        let in_order = reader.input.get() == 1;
        let rest = reader.group(|r| ValRef::from_u32(r.input.get() as u32));
        match in_order {
            true => reader.fail_args.extend(rest),
            false => {
                let place = |value| rest.iter().position(|&v| v == value);
                let places: Vec<u16> = (reader.fail_args.iter())
                    .map(|&value| place(value).expect("all are listed") as u16)
                    .collect();
                resume.for_each_src(|src| {
                    if let Src::Fail(n) = src {
                        *n = places[usize::from(*n)];
                    }
                });
                reader.fail_args = rest;
            }
        }
        resume.fail_args = reader.fail_args;
        resume
    }
}

fn read_pending(reader: &mut SrcReader<'_, '_>) -> PendingStore {
    let place = reader.input.get();
    let number = (place >> 1) as u32;
    let index = (place & 1 == 1).then(|| reader.input.get() as u32);
    let (object, value) = (reader.get(), reader.get());
    match index {
        None => PendingStore::Field {
            object,
            field: FieldId::from_u32(number),
            value,
        },
        Some(index) => PendingStore::Item {
            array: object,
            class: ClassId::from_u32(number),
            index,
            value,
        },
    }
}

fn write_virtual(writer: &mut SrcWriter<'_, '_>, info: &VirtualInfo) {
    writer.out.put(u64::from(info.class.as_u32()));
    match &info.kind {
        VirtualKind::Struct { fields } => {
            writer.out.put((fields.len() as u64) << 1);
            for &(field, value) in fields {
                writer.out.put(u64::from(field.as_u32()));
                writer.put(value);
            }
        }
        VirtualKind::Array { len, words } => {
            writer.out.put((words.len() as u64) << 1 | 1);
            writer.out.put(u64::from(*len));
            for word in words {
                writer.out.put(u64::from(word.index));
                writer.out.put(u64::from(word.class.as_u32()));
                writer.put(word.value);
            }
        }
    }
}

fn read_virtual(reader: &mut SrcReader<'_, '_>) -> VirtualInfo {
    let class = ClassId::from_u32(reader.input.get() as u32);
    let count = reader.input.get();
    let kind = match count & 1 {
        0 => VirtualKind::Struct {
            fields: reader.list(count >> 1, |r| {
                (FieldId::from_u32(r.input.get() as u32), r.get())
            }),
        },
        _ => VirtualKind::Array {
            len: reader.input.get() as u32,
            words: reader.list(count >> 1, |r| ItemWord {
                index: r.input.get() as u32,
                class: ClassId::from_u32(r.input.get() as u32),
                value: r.get(),
            }),
        },
    };
    VirtualInfo { class, kind }
}

#[cfg(test)]
mod tests {
    use super::{NumberReader, Numbers, unzigzag, zigzag};
    use crate::value::Const;

    #[test]
    fn small_numbers_stay_small() {
        for (number, written) in [(0, 0), (-1, 1), (1, 2), (i64::MIN, u64::MAX)] {
            assert_eq!(zigzag(number), written);
            assert_eq!(unzigzag(written), number);
        }
    }

    #[test]
    fn groups_are_parts_of_one_row() {
        let mut numbers = Numbers::default();
        numbers.put_const(Const::Int(-3));
        numbers.end_group();
        numbers.end_group();
        numbers.put_const(Const::Ref(1 << 40));
        numbers.put_signed(4);
        numbers.end_group();
        assert_eq!(numbers.groups(), 3);
        assert_eq!(numbers.group(0), [0, 5]);
        assert!(numbers.group(1).is_empty() && numbers.group(3).is_empty());
        let mut reader: NumberReader<'_> = numbers.read();
        assert_eq!(reader.get_const(), Const::Int(-3));
        reader.end_group();
        assert!(!reader.has_more());
        reader.end_group();
        assert_eq!(reader.get_const(), Const::Ref(1 << 40));
        assert_eq!(reader.get_signed(), 4);
    }
}
