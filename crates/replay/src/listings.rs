//! Listings of machine code that can be compared across processes. In: a listing, and the words that a recording names. Out: the same, with a name in
//! the place of each address that is the compiler's own: of its handlers, and of what it keeps beside the code. Invariant: two
//! listings become the same text only if the same instructions have the same words, and own addresses that are equal to each other in
//! one are in the other.

use rustc_hash::{FxHashMap, FxHashSet};

/// Addresses that a process may have; what lies below or above is a number.
const ADDRESSES: std::ops::Range<u64> = 1 << 32..1 << 47;

/// A listing with names in the place of addresses that are not among the known words.
pub(crate) fn named(listing: &str, known: &FxHashSet<u64>) -> String {
    let mut names = FxHashMap::default();
    let mut text = String::with_capacity(listing.len());
    let mut rest = listing;
    while let Some(at) = rest.find("0x") {
        let (before, number) = rest.split_at(at);
        text.push_str(before);
        let digits = &number[2..];
        let is_digit = |c: char| c.is_ascii_hexdigit();
        let end = digits.find(|c| !is_digit(c)).unwrap_or(digits.len());
        let word = u64::from_str_radix(&digits[..end], 16).ok();
        let own = word.filter(|word| ADDRESSES.contains(word) && !known.contains(word));
        match own {
            Some(word) => {
                let next = names.len();
                let name = names.entry(word).or_insert(next);
                text.push_str(&format!("own({name})"));
            }
            None => text.push_str(&number[..2 + end]),
        }
        rest = &digits[end..];
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn own_addresses_get_names_and_known_words_stay() {
        let known = [0x7f00_0000_1000].into_iter().collect();
        let listing = "mov rax, 0x7f0000001000
mov rcx, 0x55aa00001230
cmp rax, 0x10
mov rdx, 0x55aa00001238
call 0x55aa00001230
mov rsi, 0x4008000000000000
";
        expect![[r#"
            mov rax, 0x7f0000001000
            mov rcx, own(0)
            cmp rax, 0x10
            mov rdx, own(1)
            call own(0)
            mov rsi, 0x4008000000000000
        "#]]
        .assert_eq(&named(listing, &known));
        assert_eq!(named("0x", &known), "0x");
    }
}
