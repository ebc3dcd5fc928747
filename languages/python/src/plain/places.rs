//! Places in a text: in bytes, and in characters. In: bytes of a text, a place of one kind. Out:
//! the place of the other kind. Invariant: it is looked for from the place that was asked for last,
//! so that going through a text takes time in proportion to its length.

/// How many bytes are counted at once.
const BLOCK: usize = 64;

/// Whether a byte continues a character.
fn is_inner(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// How many characters begin in these bytes, of which eight are looked at together.
fn count(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    let inner_of = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        (word >> 7 & !(word >> 6) & 0x0101_0101_0101_0101).count_ones() as usize
    };
    let inner: usize = words.iter().map(inner_of).sum();
    let inner_rest = rest.iter().filter(|&&byte| is_inner(byte)).count();
    bytes.len() - inner - inner_rest
}

/// The places of a text.
pub struct Places<'a> {
    text: &'a [u8],
    is_wide: bool,
    byte: usize,
    character: usize,
}

impl<'a> Places<'a> {
    /// The places of a text, in which characters may have several bytes.
    pub fn new(text: &'a [u8], is_wide: bool) -> Places<'a> {
        Places {
            text,
            is_wide,
            byte: 0,
            character: 0,
        }
    }

    /// Notes that a place is known already.
    pub fn know(&mut self, byte: usize, character: usize) {
        if byte <= self.text.len() {
            (self.byte, self.character) = (byte, character);
        }
    }

    /// The character that begins at a byte.
    pub fn character(&mut self, byte: usize) -> usize {
        if !self.is_wide {
            return byte;
        }
        if byte >= self.byte {
            self.character += count(&self.text[self.byte..byte]);
        } else {
            self.character -= count(&self.text[byte..self.byte]);
        }
        self.byte = byte;
        self.character
    }

    /// Where a character begins; the end of the text if there are not so many.
    pub fn byte(&mut self, character: usize) -> usize {
        if !self.is_wide {
            return character.min(self.text.len());
        }
        if character < self.character {
            (self.byte, self.character) = (0, 0);
        }
        let mut left = character - self.character;
        let mut at = self.byte;
        while let Some(block) = self.text.get(at..at + BLOCK) {
            let begun = count(block);
            if begun > left {
                break;
            }
            left -= begun;
            at += BLOCK;
        }
        // A block may end within a character.
        while at < self.text.len() && (left > 0 || is_inner(self.text[at])) {
            left -= usize::from(!is_inner(self.text[at]));
            at += 1;
        }
        (self.byte, self.character) = (at, character - left);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn places_are_found_in_any_order() {
        let text = "a\u{e9}\u{4e09}\u{1f600}".repeat(50);
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let mut places = Places::new(text.as_bytes(), true);
        for step in [1, 7, 93] {
            for n in 0..starts.len() {
                let character = n * step % starts.len();
                assert_eq!(places.byte(character), starts[character]);
                assert_eq!(places.character(starts[character]), character);
            }
        }
        assert_eq!(places.byte(1000), text.len());
        assert_eq!(places.character(text.len()), 200);
    }

    #[test]
    fn bytes_are_characters_of_others() {
        let mut places = Places::new(b"abc", false);
        assert_eq!((places.byte(2), places.byte(9)), (2, 3));
        assert_eq!(places.character(2), 2);
    }
}
