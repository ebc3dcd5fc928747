//! What is compiled. In, out: the type. Invariant: its characters are as they were written.

/// A pattern to compile.
#[derive(Clone, Copy)]
pub struct Pattern<'a> {
    /// Its characters; those of bytes are their numbers.
    pub characters: &'a [u32],
    /// Whether it is for texts, and not for bytes.
    pub is_text: bool,
    /// What the caller wants; see [`super::flags`].
    pub flags: u32,
    /// How messages quote a name.
    pub quote: fn(&str) -> String,
    /// The character of a name in the Unicode database.
    pub named: fn(&str) -> Option<char>,
}
