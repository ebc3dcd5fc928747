//! Tables that say where kept words belong in memory, one for each `guard_not_forced`, made when
//! its code is compiled.
//!
//! Invariants: the words of one value belong together, so that no access finds half of one; a value
//! that refers to an object which has not been made is not stored in part either. An access does
//! not hash and does not allocate.

use std::ops::Range;
use verdigris_heap::ARRAY_ITEMS_OFFSET;
use verdigris_ops::{ClassId, Descrs, FieldId, SlotLayout, Ty};
use verdigris_trace::{PendingStore, Resume, Src};

/// The source of a word.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// A word of the record, by index.
    Kept(u32),
    Constant(u64),
}

impl Source {
    /// None for an object that has not been made.
    fn of(src: Src, kept_args: &[u16]) -> Option<Source> {
        match src {
            Src::Fail(n) => {
                let place = kept_args.binary_search(&n);
                Some(Source::Kept(place.expect("what is kept is recorded") as u32))
            }
            Src::Const(constant) => Some(Source::Constant(constant.word())),
            Src::Virtual(_) => None,
        }
    }

    fn word(self, words: &[u64]) -> u64 {
        match self {
            Source::Kept(n) => words[n as usize],
            Source::Constant(word) => word,
        }
    }
}

/// An object with kept places, and its values.
struct Object {
    source: Source,
    values: Range<usize>,
    /// The bytes from its first value to the end of its last.
    bytes: Range<u64>,
}

/// A kept value.
struct Value {
    /// Its bytes within the object, from the first kept word to the last.
    bytes: Range<u64>,
    words: Range<usize>,
    /// Whether it refers to no object that has not been made.
    is_real: bool,
    /// Its position in the order of the stores.
    order: usize,
}

/// A word of a value.
struct Word {
    offset: u64,
    layout: SlotLayout,
    ty: Ty,
    source: Source,
}

/// A store to do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Store {
    pub(crate) address: u64,
    pub(crate) layout: SlotLayout,
    pub(crate) ty: Ty,
    pub(crate) word: u64,
}

/// The kept places of a record.
#[derive(Default)]
pub(crate) struct CopyTable {
    objects: Vec<Object>,
    /// Those of one object ascend by address.
    values: Vec<Value>,
    words: Vec<Word>,
}

/// The values within some bytes of an object, as a range of all.
pub(crate) struct Found(Range<usize>);

/// A value while the table is built.
struct Draft {
    object: Source,
    whole: Whole,
    words: Vec<(Word, bool)>,
}

/// The identity of a value: a field, or a class and an index.
#[derive(PartialEq)]
enum Whole {
    Field(FieldId),
    Item(ClassId, u32),
}

impl CopyTable {
    /// The table for a guard whose record holds the fail arguments `kept_args`.
    pub(crate) fn of(descrs: &Descrs, resume: &Resume, kept_args: &[u16]) -> CopyTable {
        let mut drafts: Vec<Draft> = Vec::new();
        for store in &resume.pending {
            let [object, value] = store.srcs().map(|src| Source::of(src, kept_args));
            let object = object.expect("a delayed store is to an object that exists");
            let (whole, offset, layout, ty) = target(descrs, store);
            let (source, is_real) = (value.unwrap_or(Source::Constant(0)), value.is_some());
            let word = Word {
                offset: u64::from(offset),
                layout,
                ty,
                source,
            };
            let known = drafts.iter_mut().rev();
            let mut known = known.filter(|d| d.object == object && d.whole == whole);
            match known.next() {
                Some(draft) => draft.words.push((word, is_real)),
                None => drafts.push(Draft {
                    object,
                    whole,
                    words: vec![(word, is_real)],
                }),
            }
        }
        let kept = resume.kept.iter();
        let mut sources: Vec<Source> = kept.filter_map(|&src| Source::of(src, kept_args)).collect();
        for draft in &drafts {
            if !sources.contains(&draft.object) {
                sources.push(draft.object);
            }
        }
        let mut copies = CopyTable::default();
        let mut drafts: Vec<(usize, Draft)> = drafts.into_iter().enumerate().collect();
        drafts.sort_by_key(|(_, draft)| draft.words.iter().map(|w| w.0.offset).min());
        for source in sources {
            let start = copies.values.len();
            let own = |draft: &mut (usize, Draft)| draft.1.object == source;
            for (order, draft) in drafts.extract_if(.., own) {
                copies.add(order, draft);
            }
            let values = &copies.values[start..];
            let end = values.iter().map(|v| v.bytes.end).max().unwrap_or(0);
            let first = values.first().map_or(0, |v| v.bytes.start);
            copies.objects.push(Object {
                source,
                values: start..copies.values.len(),
                bytes: first..end,
            });
        }
        copies
    }

    fn add(&mut self, order: usize, draft: Draft) {
        let first = self.words.len();
        let is_real = draft.words.iter().all(|w| w.1);
        self.words.extend(draft.words.into_iter().map(|w| w.0));
        let words = &self.words[first..];
        let end = |w: &Word| w.offset + u64::from(w.layout.size);
        let bytes = words.iter().map(|w| w.offset).min()..words.iter().map(end).max();
        self.values.push(Value {
            bytes: bytes.start.unwrap_or(0)..bytes.end.unwrap_or(0),
            words: first..self.words.len(),
            is_real,
            order,
        });
    }

    /// The objects with kept places; several may be the same.
    pub(crate) fn objects(&self, words: &[u64]) -> impl Iterator<Item = u64> {
        self.objects.iter().map(|object| object.source.word(words))
    }

    /// The objects, by index and address, that may have kept places in these bytes.
    pub(crate) fn objects_at(
        &self,
        words: &[u64],
        bytes: &Range<u64>,
    ) -> impl Iterator<Item = (usize, u64)> {
        let objects = self.objects.iter().enumerate();
        let bases = objects.map(|(n, object)| (n, object, object.source.word(words)));
        bases.filter_map(|(n, object, base)| {
            let meets =
                bytes.start < base + object.bytes.end && base + object.bytes.start < bytes.end;
            meets.then_some((n, base))
        })
    }

    /// The values of the `n`-th object that overlap these bytes of it.
    pub(crate) fn values_in(&self, n: usize, bytes: Range<u64>) -> Found {
        let own = self.objects[n].values.clone();
        let values = &self.values[own.clone()];
        let start = values.partition_point(|v| v.bytes.end <= bytes.start);
        let end = values.partition_point(|v| v.bytes.start < bytes.end);
        Found(own.start + start..own.start + end.max(start))
    }

    /// Whether all these values are real.
    pub(crate) fn are_real(&self, found: &Found) -> bool {
        self.values[found.0.clone()].iter().all(|v| v.is_real)
    }

    /// Passes on the stores of these values.
    pub(crate) fn each_store(
        &self,
        found: Found,
        base: u64,
        words: &[u64],
        mut give: impl FnMut(Store),
    ) {
        for value in &self.values[found.0] {
            self.stores_of(value, base, words).for_each(&mut give);
        }
    }

    /// The stores of all real values, in the order that counts if two of the objects are the same.
    pub(crate) fn all_stores(&self, words: &[u64]) -> Vec<Store> {
        let objects = self.objects.iter();
        let values =
            objects.flat_map(|o| self.values[o.values.clone()].iter().map(move |v| (o, v)));
        let mut real: Vec<(&Object, &Value)> = values.filter(|(_, v)| v.is_real).collect();
        real.sort_by_key(|(_, value)| value.order);
        let stores = real.into_iter();
        stores
            .flat_map(|(o, value)| self.stores_of(value, o.source.word(words), words))
            .collect()
    }

    fn stores_of(&self, value: &Value, base: u64, words: &[u64]) -> impl Iterator<Item = Store> {
        let own = self.words[value.words.clone()].iter();
        own.map(move |word| Store {
            address: base + word.offset,
            layout: word.layout,
            ty: word.ty,
            word: word.source.word(words),
        })
    }
}

/// The value that a delayed store writes a word of, and the word's offset, layout and type.
fn target(descrs: &Descrs, store: &PendingStore) -> (Whole, u32, SlotLayout, Ty) {
    match *store {
        PendingStore::Field { field, .. } => {
            let info = &descrs.fields[field];
            let whole = Whole::Field(descrs.field_part(field).0);
            (whole, info.layout.offset, info.layout, info.ty)
        }
        PendingStore::Item { class, index, .. } => {
            let (ty, layout, _) = descrs.item(class);
            let offset = ARRAY_ITEMS_OFFSET as u32 + layout.offset + index * layout.stride;
            let whole = Whole::Item(descrs.item_part(class).0, index);
            (whole, offset, layout, ty)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use std::fmt::Write;
    use verdigris_trace::Opcode;

    const DESCRS: &str = "
        class Num { value: int imm }
        class Frame { pc: int virtualizable, tag: int virtualizable, top: ref virtualizable }
        array Regs { int virtualizable }
        array Regs#1 { ref virtualizable }
        fn look() opaque
    ";

    /// Checks the table for this resume data, whose record holds 100, 101, and so on.
    fn check(resume: &str, look: Range<u64>, expected: expect_test::Expect) {
        let mut descrs = verdigris_trace::parse_descrs(DESCRS).expect("the descriptors parse");
        for (n, name) in ["Frame.pc", "Frame.tag", "Frame.top"].iter().enumerate() {
            let field = descrs.field_by_name(name).expect("declared");
            descrs.fields[field].layout = layout(8 + 8 * n as u32, 0);
        }
        // The tag and the tagged word are one value.
        let first = descrs.field_by_name("Frame.tag").expect("declared");
        for index in 0..2 {
            let field = FieldId::from_u32(first.as_u32() + index);
            let part = verdigris_ops::Part {
                first,
                index,
                count: 2,
            };
            descrs.field_parts.insert(field, part);
        }
        for (n, name) in ["Regs", "Regs#1"].iter().enumerate() {
            let class = descrs.class_by_name(name).expect("declared");
            let kind = &mut descrs.classes[class].kind;
            if let verdigris_ops::ClassKind::Array { layout: own, .. } = kind {
                *own = layout(8 * n as u32, 16);
            }
        }
        let text = format!("[p0, p1, i2, p3]\ncall() look\nguard_not_forced() {resume}\nfinish()");
        let trace: verdigris_trace::OptimisedTrace =
            verdigris_trace::parse(&descrs, &text).unwrap_or_else(|e| panic!("{e:?}"));
        let guard = trace
            .ops()
            .iter()
            .find(|op| op.opcode() == Opcode::GuardNotForced);
        let resume = guard.and_then(|op| op.resume()).expect("resume data");
        let kept_args = resume.kept_args();
        let copies = CopyTable::of(&descrs, resume, &kept_args);
        let words: Vec<u64> = (100..100 + kept_args.len() as u64).collect();
        let mut text = String::new();
        for (n, base) in copies.objects(&words).enumerate() {
            let found = copies.values_in(n, look.clone());
            let real = copies.are_real(&found);
            let mut stores = Vec::new();
            let give = |s: Store| stores.push((s.address - base, s.word));
            copies.each_store(found, base, &words, give);
            writeln!(text, "{base}: {real} {stores:?}").expect("a string");
        }
        let all = copies.all_stores(&words);
        let all: Vec<_> = all.iter().map(|s| (s.address, s.word)).collect();
        writeln!(text, "all: {all:?}").expect("a string");
        expected.assert_eq(&text);
    }

    fn layout(offset: u32, stride: u32) -> SlotLayout {
        SlotLayout {
            offset,
            size: 8,
            signed: true,
            stride,
        }
    }

    #[test]
    fn half_a_value_brings_the_other_half() {
        let resume = "-> [p0, p1, i2, p3]
            p0.Frame.tag = 3
            p0.Frame.pc = i2
            p0.Frame.top = p3
            p1.Regs[2] = i2
            p1.Regs#1[2] = null
            p1.Regs[0] = 7
            keeps p0, p1
            @ 0:1 r0=p0";
        // The tag of `top`, and no registers.
        check(
            resume,
            16..24,
            expect![[r#"
            100: true [(16, 3), (24, 103)]
            101: true [(16, 7)]
            all: [(116, 3), (124, 103), (108, 102), (149, 102), (157, 0), (117, 7)]
        "#]],
        );
        // Its second word, and the last of register 0, of which only the first is kept.
        check(
            resume,
            24..32,
            expect![[r#"
            100: true [(16, 3), (24, 103)]
            101: true []
            all: [(116, 3), (124, 103), (108, 102), (149, 102), (157, 0), (117, 7)]
        "#]],
        );
        check(
            resume,
            48..56,
            expect![[r#"
            100: true []
            101: true [(48, 102), (56, 0)]
            all: [(116, 3), (124, 103), (108, 102), (149, 102), (157, 0), (117, 7)]
        "#]],
        );
    }

    #[test]
    fn what_has_not_been_made_is_not_there_in_part() {
        let resume = "-> [p0, i2]
            v0 = Num{value: i2}
            p0.Frame.tag = 3
            p0.Frame.top = v0
            p0.Frame.pc = i2
            keeps p0
            @ 0:1 r0=p0";
        check(
            resume,
            8..16,
            expect![[r#"
            100: true [(8, 101)]
            all: [(108, 101)]
        "#]],
        );
        check(
            resume,
            16..24,
            expect![[r#"
            100: false [(16, 3), (24, 0)]
            all: [(108, 101)]
        "#]],
        );
    }

    #[test]
    fn the_order_of_stores_counts_where_two_names_are_one_object() {
        let resume = "-> [p0, p1, i2]
            p0.Frame.pc = 1
            p1.Frame.pc = i2
            p0.Frame.tag = 2
            keeps p1, p0
            @ 0:1 r0=p0";
        check(
            resume,
            8..16,
            expect![[r#"
            101: true [(8, 102)]
            100: true [(8, 1)]
            all: [(108, 1), (109, 102), (116, 2)]
        "#]],
        );
    }
}
