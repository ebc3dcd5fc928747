//! The flags of patterns. In: bits, letters. Out: bits, and which do not go together. Invariant:
//! the bits are those of CPython's `re`.

use super::failure::{Failure, Parsed};

/// `T`: has no meaning.
pub const TEMPLATE: u32 = 1;
/// `I`: case does not matter.
pub const IGNORECASE: u32 = 2;
/// `L`: letters are those of the locale, which is that of C here.
pub const LOCALE: u32 = 4;
/// `M`: `^` and `$` are about lines.
pub const MULTILINE: u32 = 8;
/// `S`: `.` is any character.
pub const DOTALL: u32 = 16;
/// `U`: letters are those of Unicode.
pub const UNICODE: u32 = 32;
/// `X`: white space and comments count for nothing.
pub const VERBOSE: u32 = 64;
/// `DEBUG`: the pattern is shown.
pub const DEBUG: u32 = 128;
/// `A`: letters are those of ASCII.
pub const ASCII: u32 = 256;

/// Which letters are meant.
pub const KINDS: u32 = ASCII | LOCALE | UNICODE;
/// Those that are for a whole pattern only.
pub const WHOLE: u32 = DEBUG | TEMPLATE;

/// The bit of a letter.
pub fn of_letter(letter: u32) -> Option<u32> {
    Some(match char::from_u32(letter)? {
        'i' => IGNORECASE,
        'L' => LOCALE,
        'm' => MULTILINE,
        's' => DOTALL,
        'x' => VERBOSE,
        'a' => ASCII,
        't' => TEMPLATE,
        'u' => UNICODE,
        _ => return None,
    })
}

/// The flags with some turned on and off.
pub fn combined(flags: u32, on: u32, off: u32) -> u32 {
    let kept = if on & KINDS == 0 {
        flags
    } else {
        flags & !KINDS
    };
    (kept | on) & !off
}

/// The flags of a whole pattern.
///
/// # Errors
/// That some do not go together.
pub fn completed(flags: u32, is_text: bool) -> Parsed<u32> {
    let refuse = |message| Err(Failure::Flags(message));
    if is_text {
        if flags & LOCALE != 0 {
            return refuse("cannot use LOCALE flag with a str pattern");
        }
        if flags & ASCII != 0 && flags & UNICODE != 0 {
            return refuse("ASCII and UNICODE flags are incompatible");
        }
        return Ok(if flags & ASCII == 0 {
            flags | UNICODE
        } else {
            flags
        });
    }
    if flags & UNICODE != 0 {
        return refuse("cannot use UNICODE flag with a bytes pattern");
    }
    if flags & ASCII != 0 && flags & LOCALE != 0 {
        return refuse("ASCII and LOCALE flags are incompatible");
    }
    Ok(flags)
}
