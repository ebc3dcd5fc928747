//! Listings of machine code that can be compared across processes. In: a listing, and the words
//! that a recording names. Out: the same, with a name in the place of each address that is the
//! compiler's own: of its handlers, and of what it keeps beside the code. Invariant: two listings
//! become the same text only if the same instructions have the same words, and own addresses that
//! are equal to each other in one are in the other.

use rustc_hash::{FxHashMap, FxHashSet};

/// Addresses that a process may have; what lies below or above is a number.
const ADDRESSES: std::ops::Range<u64> = 1 << 32..1 << 47;

/// The listing that was recorded and the one that a replay has made, with names in the place of
/// addresses that are not among the known words. Which are is asked of those that were recorded: an
/// own address of the replay may be a word that the recording knows by chance, most of all in the
/// process that has made it, whose memory is used again.
pub(crate) fn named(recorded: &str, replayed: &str, known: &FxHashSet<u64>) -> [String; 2] {
    let [before, now] = [recorded, replayed].map(addresses);
    let own = |words: &[u64]| -> Vec<bool> { words.iter().map(|w| !known.contains(w)).collect() };
    let of_before = own(&before);
    let of_now = match before.len() == now.len() {
        true => of_before.clone(),
        // Other instructions: what belongs to what is not known.
        false => own(&now),
    };
    [
        with_names(recorded, &of_before),
        with_names(replayed, &of_now),
    ]
}

/// The addresses of a listing, in the order in which they come.
fn addresses(listing: &str) -> Vec<u64> {
    let mut found = Vec::new();
    for_each_word(listing, |part| {
        if let Part::Address(word) = part {
            found.push(word);
        }
    });
    found
}

/// A listing with names in the place of those of its addresses that are the compiler's own.
fn with_names(listing: &str, own: &[bool]) -> String {
    let mut names = FxHashMap::default();
    let mut text = String::with_capacity(listing.len());
    let mut own = own.iter();
    for_each_word(listing, |part| match part {
        Part::Text(other) => text.push_str(other),
        Part::Address(word) if *own.next().expect("each was asked about") => {
            let next = names.len();
            let name = names.entry(word).or_insert(next);
            text.push_str(&format!("own({name})"));
        }
        Part::Address(word) => text.push_str(&format!("{word:#x}")),
    });
    text
}

/// A part of a listing.
enum Part<'a> {
    /// A word that may be an address.
    Address(u64),
    /// Other text.
    Text(&'a str),
}

/// Goes through a listing.
fn for_each_word(listing: &str, mut look: impl FnMut(Part<'_>)) {
    let mut rest = listing;
    while let Some(at) = rest.find("0x") {
        let (before, number) = rest.split_at(at);
        look(Part::Text(before));
        let digits = &number[2..];
        let is_digit = |c: char| c.is_ascii_hexdigit();
        let end = digits.find(|c| !is_digit(c)).unwrap_or(digits.len());
        let word = u64::from_str_radix(&digits[..end], 16).ok();
        look(match word.filter(|word| ADDRESSES.contains(word)) {
            Some(word) => Part::Address(word),
            None => Part::Text(&number[..2 + end]),
        });
        rest = &digits[end..];
    }
    look(Part::Text(rest));
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
        .assert_eq(&named(listing, listing, &known)[1]);
    }

    #[test]
    fn an_own_address_may_be_a_known_word_by_chance() {
        let known = [0x7f00_0000_1000].into_iter().collect();
        let recorded = "mov rax, 0x55aa00001230\ncmp rax, 0x7f0000001000\n";
        let replayed = "mov rax, 0x7f0000001000\ncmp rax, 0x7f0000001000\n";
        let [before, now] = named(recorded, replayed, &known);
        assert_eq!(before, now);
        let other = "mov rax, 0x55aa00001230\ncmp rax, 0x7f0000001008\n";
        let [before, now] = named(recorded, other, &known);
        assert_ne!(before, now);
    }

    #[test]
    fn listings_with_other_instructions_are_named_each_by_itself() {
        let known = [0x7f00_0000_1000].into_iter().collect();
        let recorded = "call 0x55aa00001230\nret\n";
        let replayed = "mov rax, 0x7f0000001000\ncall 0x55aa00001238\nret 0x\n";
        expect![[r#"
            call own(0)
            ret

            mov rax, 0x7f0000001000
            call own(0)
            ret 0x
        "#]]
        .assert_eq(&named(recorded, replayed, &known).join("\n"));
    }
}
