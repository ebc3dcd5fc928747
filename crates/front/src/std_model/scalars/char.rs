//! What `char` has besides ASCII. In: characters and numbers. Out: a function for each method.
//! Invariant: what needs tables is called, and ASCII does not need them.

type T = char;

fn code(x: T) -> u32 {
    x as u32
}
fn of_code(x: u32) -> T {
    op::char(x)
}

pub struct CharTryFromError;
pub struct TryFromCharError;

fn is_scalar(x: u32) -> bool {
    x < 0xD800 || (x > 0xDFFF && x < 0x11_0000)
}
pub fn from_u32(x: u32) -> Option<T> {
    if is_scalar(x) { Some(op::char(x)) } else { None }
}
pub fn try_from_code(x: u32) -> Result<T, CharTryFromError> {
    if is_scalar(x) { Ok(op::char(x)) } else { Err(CharTryFromError) }
}
pub fn try_into_u8(x: T) -> Result<u8, TryFromCharError> {
    if code(x) < 256 { Ok(code(x) as u8) } else { Err(TryFromCharError) }
}
pub fn try_into_u16(x: T) -> Result<u16, TryFromCharError> {
    if code(x) < 65536 { Ok(code(x) as u16) } else { Err(TryFromCharError) }
}
pub fn from_digit(x: u32, radix: u32) -> Option<T> {
    if radix > 36 {
        panic!("from_digit: radix is too high (maximum 36)");
    }
    if x >= radix {
        return None;
    }
    Some(op::char(if x < 10 { x + 48 } else { x + 87 }))
}
pub fn to_digit(x: T, radix: u32) -> Option<u32> {
    if radix < 2 || radix > 36 {
        panic!("to_digit: invalid radix -- radix must be in the range 2 to 36 inclusive");
    }
    let digit = code(x) - 48;
    let letter = (code(x) | 32) - 97;
    let value = if digit < 10 {
        digit
    } else if letter < 26 {
        letter + 10
    } else {
        36
    };
    if value < radix { Some(value) } else { None }
}
pub fn is_digit(x: T, radix: u32) -> bool {
    to_digit(x, radix).is_some()
}
pub fn len_utf8(x: T) -> usize {
    if code(x) < 0x80 {
        1
    } else if code(x) < 0x800 {
        2
    } else if code(x) < 0x1_0000 {
        3
    } else {
        4
    }
}
pub fn len_utf16(x: T) -> usize {
    if code(x) < 0x1_0000 { 1 } else { 2 }
}
pub fn is_whitespace(x: T) -> bool {
    if code(x) < 128 { code(x) == 32 || (code(x) > 8 && code(x) < 14) } else { unicode_whitespace(x) }
}
pub fn is_alphabetic(x: T) -> bool {
    if code(x) < 128 { is_letter(x) } else { unicode_alphabetic(x) }
}
pub fn is_numeric(x: T) -> bool {
    if code(x) < 128 { is_ascii_digit(x) } else { unicode_numeric(x) }
}
pub fn is_alphanumeric(x: T) -> bool {
    is_alphabetic(x) || is_numeric(x)
}
pub fn is_uppercase(x: T) -> bool {
    if code(x) < 128 { is_ascii_uppercase(x) } else { unicode_uppercase(x) }
}
pub fn is_lowercase(x: T) -> bool {
    if code(x) < 128 { is_ascii_lowercase(x) } else { unicode_lowercase(x) }
}
pub fn is_control(x: T) -> bool {
    code(x) < 32 || (code(x) > 126 && code(x) < 160)
}
#[elidable]
fn unicode_whitespace(x: T) -> bool {}
#[elidable]
fn unicode_alphabetic(x: T) -> bool {}
#[elidable]
fn unicode_numeric(x: T) -> bool {}
#[elidable]
fn unicode_uppercase(x: T) -> bool {}
#[elidable]
fn unicode_lowercase(x: T) -> bool {}
