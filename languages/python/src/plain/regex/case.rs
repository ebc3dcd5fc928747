//! Which characters differ in case alone. In: characters. Out: those that are the same to a pattern
//! that ignores case. Invariant: this is an equivalence; two characters are the same if their lower
//! case is, or if the upper case of that is.
//!
//! Source: the case mappings of the standard library, which are Unicode's.

use std::sync::OnceLock;

/// Which cases are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// None.
    No,
    /// Those of the letters of ASCII.
    Ascii,
    /// Those of all letters.
    Unicode,
}

/// Beyond this there are no letters with a case.
const END: u32 = 0x1_e944;

/// Pairs that have an upper case of several characters together.
const SPECIAL: &[(u32, u32)] = &[(0x1fd3, 0x390), (0x1fe3, 0x3b0), (0xfb06, 0xfb05)];

/// The lower case of a character, if that is one character.
pub fn lower(c: u32, fold: Fold) -> u32 {
    match (fold, char::from_u32(c)) {
        (Fold::No, _) | (_, None) => c,
        (Fold::Ascii, Some(known)) => u32::from(known.to_ascii_lowercase()),
        (Fold::Unicode, Some(known)) => known.to_lowercase().next().map_or(c, u32::from),
    }
}

/// A character that stands for all that are the same.
fn key(c: u32) -> u32 {
    let small = lower(c, Fold::Unicode);
    if let Some(&(_, other)) = SPECIAL.iter().find(|&&(special, _)| special == small) {
        return other;
    }
    let Some(known) = char::from_u32(small) else {
        return small;
    };
    let mut capitals = known.to_uppercase();
    match (capitals.next(), capitals.next()) {
        (Some(capital), None) => lower(u32::from(capital), Fold::Unicode),
        _ => small,
    }
}

/// Characters with what stands for them, where that is another one; by character.
fn table() -> &'static [(u32, u32)] {
    static TABLE: OnceLock<Vec<(u32, u32)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let pairs = (0..END).map(|c| (c, key(c)));
        pairs.filter(|&(c, key)| c != key).collect()
    })
}

/// What is the same as a character of ASCII beside it.
fn same_as_ascii(c: u32) -> Vec<u32> {
    let Some(known) = char::from_u32(c).filter(char::is_ascii_alphabetic) else {
        return Vec::new();
    };
    let mut found = vec![if known.is_ascii_lowercase() {
        u32::from(known.to_ascii_uppercase())
    } else {
        u32::from(known.to_ascii_lowercase())
    }];
    match known.to_ascii_lowercase() {
        'i' => found.extend([0x130, 0x131]),
        'k' => found.push(0x212a),
        's' => found.push(0x17f),
        _ => {}
    }
    found
}

/// The characters that are the same as one, without itself.
pub fn same_as(c: u32, fold: Fold) -> Vec<u32> {
    match fold {
        Fold::No => Vec::new(),
        Fold::Ascii => {
            let mut found = same_as_ascii(c);
            found.truncate(1);
            found
        }
        Fold::Unicode if c < 0x80 => same_as_ascii(c),
        Fold::Unicode => {
            let own = key(c);
            let others = table().iter().filter(|&&(_, key)| key == own);
            let all = others.map(|&(other, _)| other).chain([own]);
            all.filter(|&other| other != c).collect()
        }
    }
}

/// The characters that are the same as one of these ranges; some may be in them.
pub fn same_as_ranges(ranges: &[(u32, u32)], fold: Fold) -> Vec<u32> {
    match fold {
        Fold::No => Vec::new(),
        _ if fold == Fold::Ascii || ranges.iter().all(|&(_, last)| last < 0x80) => {
            let near = ranges.iter().filter(|&&(first, _)| first < 0x80);
            let characters = near.flat_map(|&(first, last)| first..=last.min(0x7f));
            characters.flat_map(|c| same_as(c, fold)).collect()
        }
        _ => {
            let is_in = |c: u32| {
                let mut ranges = ranges.iter();
                ranges.any(|&(first, last)| (first..=last).contains(&c))
            };
            let known = |&&(c, key): &&(u32, u32)| is_in(c) || is_in(key);
            let mut keys: Vec<u32> = table().iter().filter(known).map(|&(_, key)| key).collect();
            keys.sort_unstable();
            keys.dedup();
            let is_same = |&&(_, key): &&(u32, u32)| keys.binary_search(&key).is_ok();
            let mut found: Vec<u32> = table().iter().filter(is_same).map(|&(c, _)| c).collect();
            found.extend(&keys);
            found
        }
    }
}
