//! What `u8` and `char` have as characters of ASCII. In: `T`, the type; `code` and `of_code`, to
//! its number and back. Out: a function for each method. Invariant: numbers wrap, so that one
//! comparison checks a range.

fn between(x: T, first: u32, last: u32) -> bool {
    code(x) - first <= last - first
}
fn is_letter(x: T) -> bool {
    (code(x) | 32) - 97 <= 25
}
pub fn is_ascii(x: T) -> bool {
    code(x) < 128
}
pub fn is_ascii_alphabetic(x: T) -> bool {
    is_letter(x)
}
pub fn is_ascii_uppercase(x: T) -> bool {
    between(x, 65, 90)
}
pub fn is_ascii_lowercase(x: T) -> bool {
    between(x, 97, 122)
}
pub fn is_ascii_digit(x: T) -> bool {
    between(x, 48, 57)
}
pub fn is_ascii_hexdigit(x: T) -> bool {
    is_ascii_digit(x) || (code(x) | 32) - 97 <= 5
}
pub fn is_ascii_alphanumeric(x: T) -> bool {
    is_ascii_digit(x) || is_letter(x)
}
pub fn is_ascii_graphic(x: T) -> bool {
    between(x, 33, 126)
}
pub fn is_ascii_punctuation(x: T) -> bool {
    is_ascii_graphic(x) && !is_ascii_alphanumeric(x)
}
pub fn is_ascii_control(x: T) -> bool {
    code(x) < 32 || code(x) == 127
}
/// Without the vertical tab.
pub fn is_ascii_whitespace(x: T) -> bool {
    code(x) == 32 || code(x) == 9 || code(x) == 10 || code(x) == 12 || code(x) == 13
}
pub fn to_ascii_uppercase(x: T) -> T {
    if is_ascii_lowercase(x) { of_code(code(x) - 32) } else { x }
}
pub fn to_ascii_lowercase(x: T) -> T {
    if is_ascii_uppercase(x) { of_code(code(x) + 32) } else { x }
}
pub fn eq_ignore_ascii_case(x: T, y: T) -> bool {
    to_ascii_lowercase(x) == to_ascii_lowercase(y)
}
