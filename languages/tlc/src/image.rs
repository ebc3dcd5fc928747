//! A program as a file holds it. In: what the assembler made, or the bytes of a binary. Out: an
//! [`Image`], or its bytes. Invariant: `Image::decode(image.encode()) == image`; a decoded image
//! has unique, printable names and sorted tables, but its code bytes are unchecked: the interpreter
//! answers for any code.
//!
//! Layout of a binary, integers little-endian, strings and tables preceded by their length as
//! `u32`: the magic, file name, code bytes, names, classes (attributes as strings, methods as
//! string and pc), lines (pc, line), labels (string, pc).

use std::fmt;

/// The first bytes of a binary: no text file begins like this. The last one is the version of the
/// format.
pub const MAGIC: &[u8; 5] = b"\0TLC\x01";

/// The largest number that an operand can be.
const MAX_OPERAND: usize = i8::MAX as usize;

/// A class: what `NEW` makes an object of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Class {
    /// The names of its attributes.
    pub attributes: Vec<String>,
    /// The names of its methods and the pc at which each starts.
    pub methods: Vec<(String, u32)>,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Image {
    /// The source file, for messages.
    pub file: String,
    /// The code.
    pub code: Vec<u8>,
    /// The names that `GETATTR`, `SETATTR` and `SEND` refer to; no name twice.
    pub names: Vec<String>,
    /// The classes that `NEW` refers to.
    pub classes: Vec<Class>,
    /// Where the source line changes: the pc, and the line from there on (0 if unknown). Sorted by
    /// pc.
    pub lines: Vec<(u32, u32)>,
    /// Labels, sorted by pc.
    pub labels: Vec<(String, u32)>,
}

/// Why bytes are not a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodeError {
    /// Where in the file reading stopped.
    pub offset: usize,
    /// The message.
    pub message: String,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not a valid TLC binary: {} (byte {})",
            self.message, self.offset
        )
    }
}

/// Whether a word can name an attribute, method or label: it survives the assembler's splitting and
/// is no number.
pub fn is_name(word: &str) -> bool {
    let special = |c: char| c.is_whitespace() || c.is_control() || ",=/;#:\"".contains(c);
    !word.contains(special) && word.starts_with(|c: char| !c.is_ascii_digit() && !"+-.".contains(c))
}

impl Image {
    /// The source line of the instruction at `pc`, 0 if it is not known.
    pub fn line(&self, pc: usize) -> u32 {
        let behind = self
            .lines
            .partition_point(|&(start, _)| start as usize <= pc);
        match behind.checked_sub(1) {
            Some(index) => self.lines[index].1,
            None => 0,
        }
    }

    /// The names of the labels at `pc`.
    pub fn labels_at(&self, pc: usize) -> impl Iterator<Item = &str> {
        let first = self.labels.partition_point(|label| (label.1 as usize) < pc);
        let here = move |label: &&(String, u32)| label.1 as usize == pc;
        self.labels[first..]
            .iter()
            .take_while(here)
            .map(|(name, _)| name.as_str())
    }

    /// Whether a label or another line begins strictly between two pcs.
    pub fn is_split(&self, from: usize, to: usize) -> bool {
        let inside = |pc: u32| from < pc as usize && (pc as usize) < to;
        let label = self
            .labels
            .partition_point(|label| label.1 as usize <= from);
        let line = self.lines.partition_point(|line| line.0 as usize <= from);
        self.labels.get(label).is_some_and(|label| inside(label.1))
            || self.lines.get(line).is_some_and(|line| inside(line.0))
    }

    /// The names by the numbers that the loaded program has for them: those that instructions refer
    /// to, then, at numbers that no operand can have, those that only classes mention.
    pub fn symbols(&self) -> Vec<&str> {
        let mut symbols: Vec<&str> = self.names.iter().map(String::as_str).collect();
        symbols.resize(symbols.len().max(MAX_OPERAND + 1), "");
        for class in &self.classes {
            let methods = class.methods.iter().map(|(name, _)| name);
            for name in class.attributes.iter().chain(methods) {
                if !symbols.contains(&name.as_str()) {
                    symbols.push(name);
                }
            }
        }
        symbols
    }

    /// The bytes of the binary.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        out.bytes(self.file.as_bytes());
        out.bytes(&self.code);
        out.table(&self.names, |out, name| out.bytes(name.as_bytes()));
        out.table(&self.classes, |out, class| {
            out.table(&class.attributes, |out, name| out.bytes(name.as_bytes()));
            out.table(&class.methods, Writer::symbol);
        });
        out.table(&self.lines, |out, &(pc, line)| {
            out.number(pc);
            out.number(line);
        });
        out.table(&self.labels, Writer::symbol);
        out.0
    }

    /// Reads a binary.
    ///
    /// # Errors
    /// If the bytes are cut off, have bytes behind their end, or hold a table that
    /// [`Image::encode`] never writes.
    pub fn decode(bytes: &[u8]) -> Result<Image, DecodeError> {
        let mut input = Reader { bytes, offset: 0 };
        input.magic()?;
        let image = Image {
            file: input.string()?,
            code: input.bytes()?.to_vec(),
            names: input.table(4, Reader::name)?,
            classes: input.table(8, Reader::class)?,
            lines: input.table(8, |input| Ok((input.number()?, input.number()?)))?,
            labels: input.table(8, Reader::symbol)?,
        };
        if input.offset != bytes.len() {
            return input.error("there are bytes behind the end");
        }
        image.check().or_else(|message| input.error(message))?;
        Ok(image)
    }

    /// What decoding promises beyond the form of the single items.
    fn check(&self) -> Result<(), String> {
        unique("name", self.names.iter())?;
        for class in &self.classes {
            unique("attribute", class.attributes.iter())?;
            unique("method", class.methods.iter().map(|(name, _)| name))?;
        }
        unique("label", self.labels.iter().map(|(name, _)| name))?;
        if !self.lines.is_sorted_by(|a, b| a.0 < b.0) {
            return Err("the line table is not sorted".to_string());
        }
        if !self.labels.is_sorted_by(|a, b| a.1 <= b.1) {
            return Err("the label table is not sorted".to_string());
        }
        let size = self.code.len();
        match self.labels.iter().find(|(_, pc)| *pc as usize > size) {
            Some((name, pc)) => Err(format!("label `{name}` is at {pc}, behind the code")),
            None => Ok(()),
        }
    }
}

/// An error if a name occurs twice.
fn unique<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> Result<(), String> {
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(format!("{what} `{name}` is listed twice"));
        }
    }
    Ok(())
}

/// Appends to a binary.
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn length(&mut self, len: usize) {
        self.number(u32::try_from(len).expect("a TLC program fits in 4 GB"));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    fn symbol(&mut self, (name, pc): &(String, u32)) {
        self.bytes(name.as_bytes());
        self.number(*pc);
    }

    fn table<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Writer, &T)) {
        self.length(items.len());
        for item in items {
            each(self, item);
        }
    }
}

/// Reads a binary from the front.
struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, DecodeError> {
        Err(DecodeError {
            offset: self.offset,
            message: message.into(),
        })
    }

    fn magic(&mut self) -> Result<(), DecodeError> {
        match self.bytes.strip_prefix(MAGIC) {
            Some(_) => {
                self.offset = MAGIC.len();
                Ok(())
            }
            None => self.error("it does not begin with the magic bytes of this version"),
        }
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        match self.bytes[self.offset..].get(..len) {
            Some(bytes) => {
                self.offset += len;
                Ok(bytes)
            }
            None => self.error(format!("cut off: {len} more bytes belong here")),
        }
    }

    fn number(&mut self) -> Result<u32, DecodeError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let len = self.number()?;
        self.take(len as usize)
    }

    fn string(&mut self) -> Result<String, DecodeError> {
        let bytes = self.bytes()?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_string()),
            Err(_) => self.error("a string is not UTF-8"),
        }
    }

    fn name(&mut self) -> Result<String, DecodeError> {
        let name = self.string()?;
        if is_name(&name) {
            Ok(name)
        } else {
            self.error(format!("{name:?} is not a name"))
        }
    }

    fn symbol(&mut self) -> Result<(String, u32), DecodeError> {
        Ok((self.name()?, self.number()?))
    }

    fn class(&mut self) -> Result<Class, DecodeError> {
        Ok(Class {
            attributes: self.table(4, Reader::name)?,
            methods: self.table(8, Reader::symbol)?,
        })
    }

    /// A table whose items take at least `least` bytes each, so that an absurd length is an error
    /// before it is memory.
    fn table<T>(
        &mut self,
        least: usize,
        mut each: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let len = self.number()? as usize;
        if len > (self.bytes.len() - self.offset) / least {
            return self.error(format!("cut off: a table of {len} items belongs here"));
        }
        let mut items = Vec::with_capacity(len);
        for _ in 0..len {
            items.push(each(self)?);
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Image {
        Image {
            file: "some dir/a;b.tlc".to_string(),
            code: vec![28, 0, 31, 0, 1, 255],
            names: vec!["add".to_string(), "größe".to_string()],
            classes: vec![Class {
                attributes: vec!["x".to_string()],
                methods: vec![("add".to_string(), 5)],
            }],
            lines: vec![(0, 3), (2, 9)],
            labels: vec![("main".to_string(), 0), ("end".to_string(), 6)],
        }
    }

    #[test]
    fn binaries_round_trip() {
        let image = sample();
        assert_eq!(Image::decode(&image.encode()), Ok(image));
    }

    #[test]
    fn every_prefix_is_an_error() {
        let bytes = sample().encode();
        for len in 0..bytes.len() {
            assert!(Image::decode(&bytes[..len]).is_err(), "prefix of {len}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        let error = Image::decode(&longer).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "not a valid TLC binary: there are bytes behind the end (byte {})",
                bytes.len()
            )
        );
    }

    #[test]
    fn corrupt_bytes_never_panic() {
        let bytes = sample().encode();
        for index in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut corrupt = bytes.clone();
                corrupt[index] = value;
                if let Ok(image) = Image::decode(&corrupt) {
                    assert_eq!(image.encode(), corrupt);
                }
            }
        }
    }

    #[test]
    fn lines_are_found_by_pc() {
        let image = sample();
        assert_eq!([0, 1, 2, 5].map(|pc| image.line(pc)), [3, 3, 9, 9]);
        assert_eq!(Image::default().line(0), 0);
    }
}
