//! The jitcodes of a unit, each read from its bytes at its first use: most programs of a language
//! need few functions of its interpreter.

use crate::code::{CodeId, JitCode};
use cranelift_entity::PrimaryMap;
use std::fmt;
use std::ops::{Index, IndexMut};
use std::sync::OnceLock;

/// All jitcodes of a [`crate::Unit`], in the order of their numbers.
#[derive(Clone, Default)]
pub struct Codes {
    all: PrimaryMap<CodeId, Entry>,
}

/// A jitcode, or the bytes that it is read from.
#[derive(Clone)]
struct Entry {
    code: OnceLock<JitCode>,
    bytes: &'static [u8],
}

impl Entry {
    #[inline]
    fn get(&self) -> &JitCode {
        match self.code.get() {
            Some(code) => code,
            None => self.read(),
        }
    }

    /// # Panics
    /// If the bytes are no jitcode. Those of a unit have a checksum and the number of the format.
    #[cold]
    fn read(&self) -> &JitCode {
        self.code.get_or_init(|| {
            postcard::from_bytes(self.bytes).expect("what has the checksum of a unit is one")
        })
    }
}

impl Codes {
    /// No jitcodes.
    pub fn new() -> Codes {
        Codes::default()
    }

    /// Adds a jitcode.
    pub fn push(&mut self, code: JitCode) -> CodeId {
        self.all.push(Entry {
            code: code.into(),
            bytes: &[],
        })
    }

    /// Adds a jitcode that has been serialised.
    pub(crate) fn push_bytes(&mut self, bytes: &'static [u8]) {
        let code = OnceLock::new();
        self.all.push(Entry { code, bytes });
    }

    /// The jitcode of a number, if there is one.
    pub fn get(&self, id: CodeId) -> Option<&JitCode> {
        self.all.get(id).map(Entry::get)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The jitcodes, all of which are read.
    pub fn values(&self) -> impl Iterator<Item = &JitCode> + Clone {
        self.all.values().map(Entry::get)
    }

    /// The jitcodes with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (CodeId, &JitCode)> {
        self.all.iter().map(|(id, entry)| (id, entry.get()))
    }

    /// How many have been read.
    pub fn read(&self) -> usize {
        let entries = self.all.values();
        entries.filter(|entry| entry.code.get().is_some()).count()
    }
}

impl Index<CodeId> for Codes {
    type Output = JitCode;

    #[inline]
    fn index(&self, id: CodeId) -> &JitCode {
        self.all[id].get()
    }
}

impl IndexMut<CodeId> for Codes {
    fn index_mut(&mut self, id: CodeId) -> &mut JitCode {
        let entry = &mut self.all[id];
        entry.get();
        entry.code.get_mut().expect("it has just been read")
    }
}

impl FromIterator<JitCode> for Codes {
    fn from_iter<I: IntoIterator<Item = JitCode>>(codes: I) -> Codes {
        let mut all = Codes::new();
        for code in codes {
            all.push(code);
        }
        all
    }
}

impl PartialEq for Codes {
    fn eq(&self, other: &Codes) -> bool {
        self.values().eq(other.values())
    }
}

impl fmt::Debug for Codes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
