//! What characters beyond ASCII are to the methods of strings. In: characters. Out: whether they
//! are digits, and their folded case. Invariant: what is a decimal is a digit, and what is a digit
//! is numeric.
//!
//! Source: the Unicode character database, 14.0, as CPython 3.11 has it: `UnicodeData.txt` for
//! digits, `Unihan_NumericValues.txt` for ideographs.

/// The digits zero of scripts that have ten digits in a row.
const ZEROS: &[u32] = &[
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
    0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// Digits that are no decimals: from which to which.
const DIGITS: &[(u32, u32)] = &[
    (0xb2, 0xb3),
    (0xb9, 0xb9),
    (0x1369, 0x1371),
    (0x19da, 0x19da),
    (0x2070, 0x2070),
    (0x2074, 0x2079),
    (0x2080, 0x2089),
    (0x2460, 0x2468),
    (0x2474, 0x247c),
    (0x2488, 0x2490),
    (0x24ea, 0x24ea),
    (0x24f5, 0x24fd),
    (0x24ff, 0x24ff),
    (0x2776, 0x277e),
    (0x2780, 0x2788),
    (0x278a, 0x2792),
    (0x10a40, 0x10a43),
    (0x10e60, 0x10e68),
    (0x11052, 0x1105a),
    (0x1f100, 0x1f10a),
];

/// Ideographs that are numbers.
const NUMBERS: &[(u32, u32)] = &[
    (0x3405, 0x3405),
    (0x3483, 0x3483),
    (0x382a, 0x382a),
    (0x3b4d, 0x3b4d),
    (0x4e00, 0x4e00),
    (0x4e03, 0x4e03),
    (0x4e07, 0x4e07),
    (0x4e09, 0x4e09),
    (0x4e5d, 0x4e5d),
    (0x4e8c, 0x4e8c),
    (0x4e94, 0x4e94),
    (0x4e96, 0x4e96),
    (0x4ebf, 0x4ec0),
    (0x4edf, 0x4edf),
    (0x4ee8, 0x4ee8),
    (0x4f0d, 0x4f0d),
    (0x4f70, 0x4f70),
    (0x5104, 0x5104),
    (0x5146, 0x5146),
    (0x5169, 0x5169),
    (0x516b, 0x516b),
    (0x516d, 0x516d),
    (0x5341, 0x5341),
    (0x5343, 0x5345),
    (0x534c, 0x534c),
    (0x53c1, 0x53c4),
    (0x56db, 0x56db),
    (0x58f1, 0x58f1),
    (0x58f9, 0x58f9),
    (0x5e7a, 0x5e7a),
    (0x5efe, 0x5eff),
    (0x5f0c, 0x5f0e),
    (0x5f10, 0x5f10),
    (0x62fe, 0x62fe),
    (0x634c, 0x634c),
    (0x67d2, 0x67d2),
    (0x6f06, 0x6f06),
    (0x7396, 0x7396),
    (0x767e, 0x767e),
    (0x8086, 0x8086),
    (0x842c, 0x842c),
    (0x8cae, 0x8cae),
    (0x8cb3, 0x8cb3),
    (0x8d30, 0x8d30),
    (0x9621, 0x9621),
    (0x9646, 0x9646),
    (0x964c, 0x964c),
    (0x9678, 0x9678),
    (0x96f6, 0x96f6),
    (0xf96b, 0xf96b),
    (0xf973, 0xf973),
    (0xf978, 0xf978),
    (0xf9b2, 0xf9b2),
    (0xf9d1, 0xf9d1),
    (0xf9d3, 0xf9d3),
    (0xf9fd, 0xf9fd),
    (0x20001, 0x20001),
    (0x20064, 0x20064),
    (0x200e2, 0x200e2),
    (0x20121, 0x20121),
    (0x2092a, 0x2092a),
    (0x20983, 0x20983),
    (0x2098c, 0x2098c),
    (0x2099c, 0x2099c),
    (0x20aea, 0x20aea),
    (0x20afd, 0x20afd),
    (0x20b19, 0x20b19),
    (0x22390, 0x22390),
    (0x22998, 0x22998),
    (0x23b1b, 0x23b1b),
    (0x2626d, 0x2626d),
    (0x2f890, 0x2f890),
];

/// Whether a character is a digit of a decimal number.
pub fn is_decimal(c: char) -> bool {
    decimal(c).is_some()
}

/// The value of a digit of a decimal number.
pub fn decimal(c: char) -> Option<u32> {
    let code = u32::from(c);
    let before = ZEROS.partition_point(|&zero| zero <= code);
    let value = code - ZEROS.get(before.checked_sub(1)?)?;
    (value < 10).then_some(value)
}

/// Whether a character is a digit of any kind.
pub fn is_digit(c: char) -> bool {
    is_decimal(c) || is_in(DIGITS, c)
}

/// Whether a character is a number of any kind.
pub fn is_numeric(c: char) -> bool {
    c.is_numeric() || is_in(NUMBERS, c)
}

/// Whether a character is a letter. Rust counts numbers and signs that are written with letters.
pub fn is_letter(c: char) -> bool {
    let is_sign = matches!(u32::from(c), 0x24b6..0x24ea | 0x1f130..0x1f18a);
    c.is_alphabetic() && !c.is_numeric() && !is_sign
}

fn is_in(ranges: &[(u32, u32)], c: char) -> bool {
    let code = u32::from(c);
    let before = ranges.partition_point(|&(first, _)| first <= code);
    before > 0 && code <= ranges[before - 1].1
}

/// A text in which characters that differ in case alone are the same.
pub fn folded(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // It is no `i` in another case, and Cherokee folds to capitals.
            '\u{131}' => made.push(c),
            '\u{13a0}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}' => made.extend(c.to_uppercase()),
            _ => {
                let upper = c.to_lowercase().flat_map(char::to_uppercase);
                made.extend(upper.flat_map(char::to_lowercase));
            }
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::{decimal, folded, is_decimal, is_digit, is_numeric};

    #[test]
    fn kinds_of_numbers_are_within_each_other() {
        for c in ['7', '\u{663}', '\u{1d7ff}'] {
            assert!(is_decimal(c) && is_digit(c) && is_numeric(c));
        }
        assert!(!is_decimal('\u{b2}') && is_digit('\u{b2}'));
        assert!(!is_digit('\u{bd}') && is_numeric('\u{bd}'));
        assert!(is_numeric('\u{4e09}') && !is_numeric('x'));
        assert_eq!(decimal('\u{669}'), Some(9));
    }

    #[test]
    fn case_is_folded() {
        assert_eq!(
            folded("Stra\u{df}e \u{1e9e} \u{3a3}\u{3c2} \u{fb01}"),
            "strasse ss \u{3c3}\u{3c3} fi"
        );
        assert_eq!(folded("\u{131}\u{130}"), "\u{131}i\u{307}");
    }
}
