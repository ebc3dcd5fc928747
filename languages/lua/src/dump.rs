//! Functions as bytes, for `string.dump`, and back. In: a function of a program, or bytes. Out: the
//! same as bytes, or what it is compiled from.
//!
//! The bytes are the text of the function's chunk and its place in it, and reading them compiles
//! the text again. So there is no code to verify, and bytes of one version of the compiler are good
//! for another. Invariant: bytes that are not those of a dumped function are refused with a reason.
//!
//! Source: Lua 5.4 reference manual, section 6.4 (`string.dump`).

use crate::compile::Code;
use crate::value::Proto;
use verdigris::prelude::*;

/// The first byte of a dumped function. Texts never begin with it.
pub const FIRST: u8 = 0x1b;
const SIGNATURE: &[u8] = b"\x1bVdLua";
const VERSION: u8 = 1;
/// The signature, the version, the flags, the place, the lengths of the name and of the text.
const HEADER: usize = SIGNATURE.len() + 1 + 1 + 4 + 8 + 8;
const CHECKSUM: usize = 4;

/// What a function is compiled from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dumped<'a> {
    /// The name of its chunk, with the mark of what it is.
    pub name: &'a [u8],
    /// The text of its chunk.
    pub text: &'a [u8],
    /// Its number among the functions of the chunk, in the order in which they begin.
    pub place: u32,
    /// Whether it has lost its lines and its names.
    pub stripped: bool,
}

impl<'a> Dumped<'a> {
    /// The bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER + self.name.len() + self.text.len() + CHECKSUM);
        out.extend(SIGNATURE);
        out.extend([VERSION, self.stripped.into()]);
        out.extend(self.place.to_le_bytes());
        for part in [self.name, self.text] {
            out.extend((part.len() as u64).to_le_bytes());
        }
        out.extend(self.name);
        out.extend(self.text);
        out.extend(crc32fast::hash(&out).to_le_bytes());
        out
    }

    /// What bytes say that [`Dumped::write`] wrote.
    ///
    /// # Errors
    /// If they are others: what is wrong with them, in the reference's words.
    pub fn read(bytes: &'a [u8]) -> Result<Dumped<'a>, &'static str> {
        let signature = &bytes[..SIGNATURE.len().min(bytes.len())];
        if !SIGNATURE.starts_with(signature) {
            return Err("not a binary chunk");
        }
        match bytes.get(SIGNATURE.len()) {
            Some(&VERSION) => {}
            Some(_) => return Err("version mismatch"),
            None => return Err("truncated chunk"),
        }
        let (header, rest) = bytes.split_at_checked(HEADER).ok_or("truncated chunk")?;
        let number = |from: usize, len: usize| {
            let mut word = [0; 8];
            word[..len].copy_from_slice(&header[from..from + len]);
            u64::from_le_bytes(word)
        };
        let at = SIGNATURE.len() + 1;
        let (flags, place) = (header[at], number(at + 1, 4) as u32);
        let (name, text) = (number(at + 5, 8), number(at + 13, 8));
        let size = name.checked_add(text).ok_or("corrupted chunk")?;
        let whole = size.saturating_add(CHECKSUM as u64);
        if whole > rest.len() as u64 {
            return Err("truncated chunk");
        }
        let (said, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        if whole < rest.len() as u64 || sum != crc32fast::hash(said).to_le_bytes() {
            return Err("corrupted chunk");
        }
        let (name, text) = rest[..size as usize].split_at(name as usize);
        Ok(Dumped {
            name,
            text,
            place,
            stripped: flags != 0,
        })
    }
}

/// A function as bytes, without its lines and names if that is wanted. None if it has no text: it
/// is one of the library's.
pub fn dump(proto: Gc<Proto>, strip: bool) -> Option<Vec<u8>> {
    let chunk = proto.chunk?;
    let stripped = strip || chunk.stripped;
    let name = proto.source;
    let dumped = Dumped {
        name: if stripped { b"=?" } else { name.as_bytes() },
        text: chunk.text.as_bytes(),
        place: (proto.number as i64 - chunk.first) as u32,
        stripped,
    };
    Some(dumped.write())
}

/// The function with this number, in the order in which functions begin.
pub fn function_at(code: Code, place: u32) -> Option<Code> {
    let mut left = place;
    let mut open = vec![code];
    while let Some(mut code) = open.pop() {
        if left == 0 {
            return Some(code);
        }
        left -= 1;
        open.extend(std::mem::take(&mut code.protos).into_iter().rev());
    }
    None
}

/// Takes the lines and the names of variables of a function and of those in it. What messages call
/// fields is in the code, so these stay.
pub fn strip(code: &mut Code) {
    code.lines.fill(0);
    for name in &mut code.names {
        if name.starts_with("local '") || name.starts_with("upvalue '") {
            name.clear();
        } else if let Some(global) = name.strip_prefix("global ") {
            *name = format!("field {global}");
        }
    }
    code.locals.clear();
    code.local_names.clear();
    // The environment is found by its name.
    let names = code.value_names.iter_mut().chain(&mut code.shared_names);
    for name in names.filter(|name| *name != "_ENV") {
        *name = "(no name)".to_string();
    }
    code.protos.iter_mut().for_each(strip);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;

    const EXAMPLE: Dumped<'_> = Dumped {
        name: b"@a.lua",
        text: b"return 1",
        place: 3,
        stripped: true,
    };

    #[test]
    fn what_is_written_is_read() {
        let bytes = EXAMPLE.write();
        assert_eq!(Dumped::read(&bytes), Ok(EXAMPLE));
    }

    #[test]
    fn no_other_bytes_are_read() {
        let bytes = EXAMPLE.write();
        for len in 0..bytes.len() {
            assert_eq!(Dumped::read(&bytes[..len]), Err("truncated chunk"), "{len}");
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut wrong = bytes.clone();
                wrong[at] ^= 1 << bit;
                assert!(Dumped::read(&wrong).is_err(), "bit {bit} of byte {at}");
            }
        }
        let longer = [&bytes[..], b" "].concat();
        assert_eq!(Dumped::read(&longer), Err("corrupted chunk"));
        assert_eq!(Dumped::read(b"\x1bLuaT"), Err("not a binary chunk"));
        let mut other = bytes.clone();
        other[SIGNATURE.len()] = 9;
        assert_eq!(Dumped::read(&other), Err("version mismatch"));
    }

    #[test]
    fn functions_are_numbered_as_they_begin() {
        let text = b"local function a() return function() end end\nfunction b() end";
        let code = compile::text(text, "t", false).expect("it compiles");
        let name = |place| function_at(code.clone(), place).map(|code| code.name);
        let names = [0, 1, 2, 3, 4].map(name);
        let names = names.each_ref().map(Option::as_deref);
        assert_eq!(names, [Some("t"), Some("a"), Some(""), Some("b"), None]);
    }
}
