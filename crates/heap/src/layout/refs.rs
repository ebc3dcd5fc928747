//! Where references are in a value in memory: places, each with the tags that say whether a
//! reference is there. Such a place is null or the address of a live object. No collection may see
//! a tag without its words.

/// The most values that can be within each other.
const MAX_TESTS: usize = 4;

/// A place of a value that may hold a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefPlace {
    /// Bytes from the start of the value.
    pub offset: u32,
    /// What must hold for it to be one, outermost tag first.
    pub(super) tests: [TagTest; MAX_TESTS],
    pub(super) len: u8,
}

/// Whether a tag is one of several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TagTest {
    /// Bytes from the start of the value.
    pub(super) offset: u32,
    /// The tags, as bits.
    tags: [u64; 4],
}

impl TagTest {
    const NONE: TagTest = TagTest {
        offset: 0,
        tags: [0; 4],
    };

    /// # Safety
    /// A value with this tag is at the address.
    #[inline(always)]
    unsafe fn holds(&self, value: *mut u8) -> bool {
        // SAFETY: the caller's promise; tags have 8 bytes.
        let tag = unsafe { value.add(self.offset as usize).cast::<u64>().read() };
        let word = self.tags[(tag / 64 % 4) as usize];
        word >> (tag % 64) & 1 != 0
    }
}

impl RefPlace {
    /// A place that always holds a reference.
    pub const fn at(offset: u32) -> RefPlace {
        RefPlace {
            offset,
            tests: [TagTest::NONE; MAX_TESTS],
            len: 0,
        }
    }

    /// Whether it holds a reference whatever the value is.
    pub(crate) const fn is_certain(&self) -> bool {
        self.len == 0
    }

    /// The place, if it holds a reference.
    ///
    /// # Safety
    /// A value of the type that this belongs to is at the address.
    #[inline(always)]
    pub(crate) unsafe fn find(&self, value: *mut u8) -> Option<*mut u8> {
        for test in &self.tests[..usize::from(self.len)] {
            // SAFETY: the caller's promise.
            if !unsafe { test.holds(value) } {
                return None;
            }
        }
        Some(value.wrapping_add(self.offset as usize))
    }

    /// Where the tag is that decides alone whether the place holds a reference, and the tags that
    /// say so, as bits; a tag of more says no.
    pub(crate) fn only_test(&self) -> Option<(usize, u64)> {
        let test = self.tests[0];
        let few = self.len == 1 && test.tags[1..] == [0; 3];
        few.then_some((test.offset as usize, test.tags[0]))
    }

    /// The place in a value that has this one this many bytes from its start.
    pub(crate) const fn behind(mut self, bytes: u32) -> RefPlace {
        self.offset += bytes;
        let mut n = 0;
        while n < self.len as usize {
            self.tests[n].offset += bytes;
            n += 1;
        }
        self
    }

    /// The place in a lean value that has this one in its `variant`-th variant.
    pub(crate) const fn within(self, variant: usize) -> RefPlace {
        assert!(
            (self.len as usize) < MAX_TESTS,
            "values with references are nested too deeply"
        );
        assert!(
            variant < 256,
            "an enum with references has too many variants: it can have 256"
        );
        let mut place = self;
        let mut n = self.len as usize;
        while n > 0 {
            place.tests[n] = self.tests[n - 1];
            n -= 1;
        }
        let mut tags = [0; 4];
        tags[variant / 64] = 1 << (variant % 64);
        place.tests[0] = TagTest { offset: 0, tags };
        place.len += 1;
        place
    }

    pub(crate) const fn same_place(&self, other: &RefPlace) -> bool {
        self.offset == other.offset && self.len == other.len
    }

    /// Whether the tests from the `from`-th on are the same.
    pub(crate) const fn same_tests(&self, other: &RefPlace, from: usize) -> bool {
        let mut n = from;
        while n < self.len as usize {
            let (a, b) = (self.tests[n], other.tests[n]);
            let mut word = 0;
            while word < 4 {
                if a.tags[word] != b.tags[word] {
                    return false;
                }
                word += 1;
            }
            if a.offset != b.offset {
                return false;
            }
            n += 1;
        }
        true
    }

    /// The place with the outermost tags of both.
    pub(crate) const fn or(mut self, other: &RefPlace) -> RefPlace {
        let mut word = 0;
        while word < 4 {
            self.tests[0].tags[word] |= other.tests[0].tags[word];
            word += 1;
        }
        self
    }
}

/// How a store finds out that there is no reference in what it stores: by a word of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Filter {
    /// There are references only if the first word is one of these numbers: those of variants.
    Tags(u64),
    /// The only reference is the word that lies this many bytes from the start.
    Word(usize),
    /// There may always be one.
    Any,
    /// There never is.
    Nothing,
}

impl Filter {
    /// The filter for values with these places.
    pub(crate) const fn of(refs: &[RefPlace]) -> Filter {
        match refs {
            [] => return Filter::Nothing,
            [place] if place.len == 0 => return Filter::Word(place.offset as usize),
            _ => {}
        }
        let (mut tags, mut n) = (0, 0);
        while n < refs.len() {
            let outermost = refs[n].tests[0];
            let [low, 0, 0, 0] = outermost.tags else {
                return Filter::Any;
            };
            if refs[n].len == 0 || outermost.offset != 0 {
                return Filter::Any;
            }
            tags |= low;
            n += 1;
        }
        Filter::Tags(tags)
    }

    /// Whether a value in memory may refer to an object. If more is known of it when this is
    /// compiled, less is left.
    ///
    /// # Safety
    /// A value of the type that the filter is for is in `mem`.
    #[inline(always)]
    pub(crate) unsafe fn passes<M>(self, mem: &M) -> bool {
        let word = |offset: usize| {
            // SAFETY: the caller's promise: tags and references have 8 bytes.
            unsafe {
                (&raw const *mem)
                    .cast::<u8>()
                    .add(offset)
                    .cast::<u64>()
                    .read_unaligned()
            }
        };
        match self {
            Filter::Tags(tags) => tags.wrapping_shr(word(0) as u32) & 1 != 0,
            Filter::Word(offset) => word(offset) != 0,
            Filter::Any => true,
            Filter::Nothing => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::layout::parts::Parts;
    use crate::objects::gc::Gc;
    use crate::{gc_class, gc_value};

    struct Leaf;
    gc_class! { Leaf {} }

    #[derive(Clone, Copy)]
    #[allow(dead_code)]
    enum Inner {
        Nil,
        Int(i64),
        Leaf(Gc<Leaf>),
        Other(Gc<Leaf>),
    }
    gc_value! { Inner, true {
        0 => (Inner::Nil) {}
        1 => (Inner::Int(a)) { a: i64 }
        2 => (Inner::Leaf(a)) { a: Gc<Leaf> }
        3 => (Inner::Other(a)) { a: Gc<Leaf> }
    } }

    #[derive(Clone, Copy)]
    #[allow(dead_code)]
    enum Outer {
        One(u8, Inner),
        Two(Inner, Option<Gc<Leaf>>),
        Pair(Result<Inner, Gc<Leaf>>),
    }
    gc_value! { Outer, true {
        0 => (Outer::One(a, b)) { a: u8, b: Inner }
        1 => (Outer::Two(a, b)) { a: Inner, b: Option<Gc<Leaf>> }
        2 => (Outer::Pair(a)) { a: Result<Inner, Gc<Leaf>> }
    } }

    fn show<P: Parts>() -> String {
        let places = P::REFS.iter().map(|place| {
            let tests = place.tests[..usize::from(place.len)].iter();
            let tests = tests.map(|t| format!(" if {} in {:b}", t.offset, t.tags[0]));
            format!("{}{}\n", place.offset, tests.collect::<String>())
        });
        places.collect()
    }

    #[test]
    fn places_have_the_tags_that_make_them_references() {
        expect_test::expect![[r#"
            8 if 0 in 1100
        "#]]
        .assert_eq(&show::<Inner>());
        expect_test::expect![[r#"
            24 if 0 in 101 if 16 in 1100
            16 if 0 in 10 if 8 in 1100
            24 if 0 in 10
            32 if 0 in 100
        "#]]
        .assert_eq(&show::<Outer>());
        expect_test::expect![[r#"
            16 if 8 in 1100
            32
        "#]]
        .assert_eq(&show::<(i64, Inner, (bool, Gc<Leaf>))>());
    }
}
