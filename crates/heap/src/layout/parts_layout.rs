//! How the variants of a type lie in its components, and in memory: computed at compile time from
//! the shapes of their fields, with the components numbered as the translator numbers them
//! (`crates/front/src/layout/mod.rs`).

use crate::layout::parts::{MAX_PARTS, Parts, Slots};
use crate::layout::refs::RefPlace;
use crate::layout::word::WordKind;
use verdigris_ops::Ty;

/// The most places of one value that may hold references.
const MAX_REFS: usize = 2 * MAX_PARTS;

/// What a type is made of, as [`Parts`] says it.
#[derive(Clone, Copy)]
pub struct PartShape {
    kinds: &'static [WordKind],
    refs: &'static [RefPlace],
    size: u32,
    align: u32,
    exact: bool,
}

impl PartShape {
    /// Of this type.
    pub const fn of<P: Parts>() -> PartShape {
        PartShape {
            kinds: P::KINDS,
            refs: P::REFS,
            size: P::SIZE,
            align: P::ALIGN,
            exact: P::EXACT,
        }
    }

    /// Whether a component is a word of a lean value.
    const fn has_words(&self) -> bool {
        let mut n = 0;
        while n < self.kinds.len() {
            if matches!(self.kinds[n].ty, Ty::Word) {
                return true;
            }
            n += 1;
        }
        false
    }

    /// The component at this byte, which a tag or a word has for itself.
    const fn component(&self, offset: u32) -> usize {
        let mut n = 0;
        while self.kinds[n].offset != offset {
            n += 1;
        }
        n
    }
}

impl RefPlace {
    /// The place in a value that has components of its own for each component of this one's:
    /// `slots`, from `at` on, 8 bytes each.
    const fn moved(mut self, shape: &PartShape, slots: &Slots, at: usize) -> RefPlace {
        self.offset = slots[at + shape.component(self.offset)] as u32 * 8;
        let mut n = 0;
        while n < self.len as usize {
            let part = shape.component(self.tests[n].offset);
            self.tests[n].offset = slots[at + part] as u32 * 8;
            n += 1;
        }
        self
    }
}

/// What a value of several components is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Category {
    /// Components one behind the other, 8 bytes each; variants share those of one scalar type.
    Shared,
    /// A struct whose memory is that of `repr(C)`.
    Record,
    /// An enum without fields: its tag, in as few bytes as it needs.
    Tag,
    /// An enum whose memory is that of `repr(u64)`: a tag, and words whose contents follow from it.
    Lean,
}

/// Carries the layout of a type of several variants or fields.
pub trait HasLayout {
    /// The fields of each variant.
    const SHAPES: &'static [&'static [PartShape]];
    /// The layout.
    const LAYOUT: &'static PartsLayout;
}

/// How the variants of a type lie in its components, and in memory.
#[derive(Clone, Copy)]
pub struct PartsLayout {
    category: Category,
    tagged: bool,
    exact: bool,
    kinds: [WordKind; MAX_PARTS],
    /// Whether a component belongs to one lean value alone.
    own: [bool; MAX_PARTS],
    len: usize,
    refs: [RefPlace; MAX_REFS],
    refs_len: usize,
    size: u32,
    align: u32,
    variants: usize,
}

const fn kind(ty: Ty, n: usize) -> WordKind {
    WordKind {
        ty,
        size: 8,
        signed: matches!(ty, Ty::Int),
        offset: n as u32 * 8,
    }
}

pub(crate) const INT: WordKind = kind(Ty::Int, 0);

const fn max(a: u32, b: u32) -> u32 {
    if a > b { a } else { b }
}

impl PartsLayout {
    /// No variants yet. `sound` says that Rust lays the type out as its category says, if its
    /// fields are exact.
    pub const fn new(category: Category, tagged: bool, sound: bool) -> PartsLayout {
        assert!(tagged || !matches!(category, Category::Tag | Category::Lean));
        PartsLayout {
            category,
            tagged,
            exact: sound && !matches!(category, Category::Shared),
            kinds: [INT; MAX_PARTS],
            own: [false; MAX_PARTS],
            len: tagged as usize,
            refs: [RefPlace::at(0); MAX_REFS],
            refs_len: 0,
            size: 0,
            align: 1,
            variants: 0,
        }
    }

    /// What a type marked `#[value]` is: of its variants, each with its fields.
    pub const fn of_value(tagged: bool, sound: bool, variants: &[&[PartShape]]) -> PartsLayout {
        let (mut fields, mut exact, mut n) = (false, sound, 0);
        while n < variants.len() {
            fields |= !variants[n].is_empty();
            let mut field = 0;
            while field < variants[n].len() {
                exact &= variants[n][field].exact;
                field += 1;
            }
            n += 1;
        }
        let category = match (tagged, fields) {
            (true, true) => Category::Lean,
            (true, false) => Category::Tag,
            (false, _) if exact => Category::Record,
            (false, _) => Category::Shared,
        };
        let mut layout = PartsLayout::new(category, tagged, exact);
        let mut n = 0;
        while n < variants.len() {
            layout = layout.variant(variants[n]);
            n += 1;
        }
        layout.finish()
    }

    /// With a variant that has these fields.
    ///
    /// # Panics
    /// If there are more than [`MAX_PARTS`] components.
    pub const fn variant(mut self, fields: &[PartShape]) -> PartsLayout {
        match self.category {
            Category::Shared => self.share(fields),
            Category::Record => self.join(fields),
            Category::Lean => self.overlay(fields),
            Category::Tag => {}
        }
        self.variants += 1;
        self
    }

    /// With its size, once all variants are known.
    pub const fn finish(mut self) -> PartsLayout {
        match self.category {
            Category::Shared => {
                self.size = self.len as u32 * 8;
                self.align = if self.len == 0 { 1 } else { 8 };
            }
            Category::Record => self.size = self.size.next_multiple_of(self.align),
            Category::Lean => self.align = 8,
            Category::Tag => {
                self.size = match self.variants {
                    ..=0x100 => 1,
                    0x101..=0x1_0000 => 2,
                    _ => 4,
                };
                self.align = self.size;
                self.kinds[0] = WordKind {
                    size: self.size as u8,
                    signed: false,
                    ..INT
                };
            }
        }
        self
    }

    const fn add(&mut self, kind: WordKind, own: bool) {
        assert!(self.len < MAX_PARTS, "a value has too many components");
        self.kinds[self.len] = kind;
        self.own[self.len] = own;
        self.len += 1;
    }

    const fn add_ref(&mut self, place: RefPlace) {
        assert!(self.refs_len < MAX_REFS, "a value has too many references");
        self.refs[self.refs_len] = place;
        self.refs_len += 1;
    }

    /// A variant that shares components with the others.
    const fn share(&mut self, fields: &[PartShape]) {
        let slots = self.shared_slots(fields, true);
        let (mut field, mut at) = (0, 0);
        while field < fields.len() {
            let shape = fields[field];
            let mut n = 0;
            while n < shape.refs.len() {
                // Bytes of the field become components of the whole.
                let place = shape.refs[n].moved(&shape, &slots, at);
                if !self.knows(&place) {
                    self.add_ref(place);
                }
                n += 1;
            }
            at += shape.kinds.len();
            field += 1;
        }
    }

    const fn knows(&self, place: &RefPlace) -> bool {
        let mut n = 0;
        while n < self.refs_len {
            if self.refs[n].same_place(place) && self.refs[n].same_tests(place, 0) {
                return true;
            }
            n += 1;
        }
        false
    }

    /// The components of a variant's fields; with `add` those are added that there are not yet.
    const fn shared_slots(&mut self, fields: &[PartShape], add: bool) -> Slots {
        let start = self.tagged as usize;
        let mut next = [start; 4];
        let mut slots = [0; MAX_PARTS];
        let (mut field, mut at) = (0, 0);
        while field < fields.len() {
            let own = fields[field].has_words();
            let mut part = 0;
            while part < fields[field].kinds.len() {
                let ty = fields[field].kinds[part].ty;
                let from = if own { self.len } else { next[ty as usize] };
                let slot = self.find(ty, from);
                if slot == self.len {
                    assert!(add, "all variants are known");
                    self.add(kind(ty, slot), own);
                }
                if !own {
                    next[ty as usize] = slot + 1;
                }
                slots[at] = slot;
                at += 1;
                part += 1;
            }
            field += 1;
        }
        slots
    }

    /// The first component of this type from `from` on that can be shared, or how many there are.
    const fn find(&self, ty: Ty, from: usize) -> usize {
        let mut slot = from;
        while slot < self.len {
            if self.kinds[slot].ty as u8 == ty as u8 && !self.own[slot] {
                return slot;
            }
            slot += 1;
        }
        self.len
    }

    /// The only variant of a struct.
    const fn join(&mut self, fields: &[PartShape]) {
        let offsets = self.offsets(fields);
        let mut field = 0;
        while field < fields.len() {
            let (shape, at) = (fields[field], offsets[field] as u32);
            let mut n = 0;
            while n < shape.kinds.len() {
                let kind = shape.kinds[n];
                let offset = kind.offset + at;
                self.add(WordKind { offset, ..kind }, false);
                n += 1;
            }
            let mut n = 0;
            while n < shape.refs.len() {
                self.add_ref(shape.refs[n].behind(at));
                n += 1;
            }
            self.size = at + shape.size;
            self.align = max(self.align, shape.align);
            field += 1;
        }
    }

    /// A variant of a lean value.
    const fn overlay(&mut self, fields: &[PartShape]) {
        let offsets = self.offsets(fields);
        let (mut field, mut end) = (0, 8);
        while field < fields.len() {
            let (shape, at) = (fields[field], offsets[field] as u32);
            end = at + shape.size;
            let mut n = 0;
            while n < shape.refs.len() {
                let place = shape.refs[n].behind(at).within(self.variants);
                self.merge(place);
                n += 1;
            }
            field += 1;
        }
        self.size = max(self.size, end.next_multiple_of(8));
        while (self.len as u32) * 8 < self.size {
            self.add(kind(Ty::Word, self.len), true);
        }
    }

    /// One more variant that has a reference at a place.
    const fn merge(&mut self, place: RefPlace) {
        let mut n = 0;
        while n < self.refs_len {
            if self.refs[n].same_place(&place) && self.refs[n].same_tests(&place, 1) {
                self.refs[n] = self.refs[n].or(&place);
                return;
            }
            n += 1;
        }
        self.add_ref(place);
    }

    /// Where the fields of a variant lie in memory, as in a C struct; behind the tag of a lean
    /// value.
    pub const fn offsets(&self, fields: &[PartShape]) -> Slots {
        let mut end = match self.category {
            Category::Lean => 8,
            _ => 0,
        };
        let (mut offsets, mut field) = ([0; MAX_PARTS], 0);
        while field < fields.len() {
            let at = u32::next_multiple_of(end, fields[field].align);
            offsets[field] = at as usize;
            end = at + fields[field].size;
            field += 1;
        }
        offsets
    }

    /// The components of the fields of a variant, of a type that is not lean.
    pub const fn slots(&self, variants: &[&[PartShape]], variant: usize) -> Slots {
        let mut layout = PartsLayout::new(Category::Shared, self.tagged, false);
        let (mut n, mut slots) = (0, [0; MAX_PARTS]);
        while n <= variant && !matches!(self.category, Category::Lean) {
            slots = layout.shared_slots(variants[n], true);
            n += 1;
        }
        slots
    }

    /// The components.
    pub const fn kinds(&'static self) -> &'static [WordKind] {
        self.kinds.split_at(self.len).0
    }

    /// The places that may hold references.
    pub const fn refs(&'static self) -> &'static [RefPlace] {
        self.refs.split_at(self.refs_len).0
    }

    /// How many components there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no components.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes in memory.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// The alignment in memory.
    pub const fn align(&self) -> u32 {
        self.align
    }

    /// Whether a value of Rust is these bytes.
    pub const fn exact(&self) -> bool {
        self.exact
    }

    /// Whether it is a tag and words.
    pub const fn is_lean(&self) -> bool {
        matches!(self.category, Category::Lean)
    }

    /// What the value is.
    pub const fn category(&self) -> Category {
        self.category
    }
}
