//! Compact storage for the numbers of many guards.
//!
//! Invariant: decoding returns what was encoded.
//!
//! A guard of a real interpreter leads to eight frames of twenty registers: three kilobytes as the
//! optimiser's data structures. Its neighbour leads to the same frames but for the innermost, with
//! the same values but for one or two. So a guard is stored as the groups of numbers in which it
//! differs from an earlier one, and what is left out and put in there. For every other guard the
//! earlier one is the neighbour, for the rest one farther away (as in a Fenwick tree), so that
//! decoding reads a logarithmic number of guards.

use smallvec::SmallVec;
use verdigris_opt::GuardKnowledge;
use verdigris_trace::{Numbers, Resume};

/// The most groups of numbers that a guard has.
const GROUPS: usize = 1 + Resume::GROUPS + GuardKnowledge::GROUPS;

/// Most guards have fewer numbers.
const USUAL: usize = 256;

/// The encoded numbers of guards.
#[derive(Default)]
pub(crate) struct Packed {
    bytes: Vec<u8>,
}

/// Encodes the numbers of guards.
#[derive(Default)]
pub(crate) struct Packing {
    packed: Packed,
    /// The number of guards so far.
    count: usize,
    /// The path of guards that following ones can refer to: the last one, the one that it refers
    /// to, and so on.
    path: Vec<Ancestor>,
    /// Buffers for reuse.
    spare: Vec<Numbers>,
}

struct Ancestor {
    /// Which guard.
    number: usize,
    /// Where it starts.
    start: usize,
    numbers: Numbers,
}

impl Packing {
    /// Adds a guard, whose numbers `write` produces. Returns where it starts.
    pub(crate) fn add(&mut self, write: impl FnOnce(&mut Numbers)) -> u32 {
        let next = self.spare.pop();
        let mut next = next.unwrap_or_else(|| Numbers::with_capacity(USUAL));
        next.clear();
        write(&mut next);
        assert!(next.groups() <= GROUPS, "groups have bits in a mask");
        let number = self.count;
        // The lowest bit is cleared; the first guard has nothing before it.
        let base = number & number.wrapping_sub(1);
        while let Some(last) = self.path.pop_if(|last| last.number > base) {
            self.spare.push(last.numbers);
        }
        let bytes = &mut self.packed.bytes;
        let start = bytes.len();
        let nothing = Numbers::default();
        let (distance, base) = match self.path.last() {
            Some(base) => (start - base.start, &base.numbers),
            None => (0, &nothing),
        };
        put(bytes, distance as u64);
        let differs = |n: &usize| base.group(*n) != next.group(*n);
        let mut mask: u64 = (0..GROUPS).filter(differs).map(|n| 1 << n).sum();
        put(bytes, mask);
        while mask != 0 {
            let n = mask.trailing_zeros() as usize;
            put_changes(bytes, base.group(n), next.group(n));
            mask &= mask - 1;
        }
        self.path.push(Ancestor {
            number,
            start,
            numbers: next,
        });
        self.count += 1;
        start as u32
    }

    /// Finishes, in no more memory than needed, and leaves the buffers for the next trace.
    pub(crate) fn close(&mut self) -> Packed {
        self.count = 0;
        let used = self.path.drain(..).map(|ancestor| ancestor.numbers);
        self.spare.extend(used);
        let packed = Packed {
            bytes: self.packed.bytes.as_slice().into(),
        };
        self.packed.bytes.clear();
        packed
    }
}

impl Packed {
    /// Decodes the guard that starts there.
    pub(crate) fn numbers(&self, start: u32) -> Numbers {
        let mut path: SmallVec<[std::slice::Iter<'_, u8>; 16]> = SmallVec::new();
        let mut start = start as usize;
        loop {
            let mut bytes = self.bytes[start..].iter();
            let distance = get(&mut bytes) as usize;
            path.push(bytes);
            if distance == 0 {
                break;
            }
            start -= distance;
        }
        let [mut before, mut next] = [USUAL; 2].map(Numbers::with_capacity);
        while let Some(mut bytes) = path.pop() {
            next.clear();
            let mask = get(&mut bytes);
            for n in 0..GROUPS {
                let group = before.group(n);
                match mask >> n & 1 {
                    0 => group.iter().for_each(|&number| next.put(number)),
                    _ => get_changes(&mut bytes, group, |number| next.put(number)),
                }
                next.end_group();
            }
            std::mem::swap(&mut before, &mut next);
        }
        before
    }

    /// The size in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.bytes.len()
    }
}

/// The length of the common prefix.
fn same<'n>(pairs: impl Iterator<Item = (&'n u64, &'n u64)>) -> usize {
    pairs.take_while(|(x, y)| x == y).count()
}

/// Where two rows may agree again: numbers left out and numbers put in, most likely first. Two
/// equal numbers end a change.
const NEXT_AGREEMENT: [(usize, usize); 10] = [
    (1, 1),
    (2, 2),
    (0, 1),
    (1, 0),
    (0, 2),
    (2, 0),
    (3, 3),
    (0, 3),
    (3, 0),
    (4, 4),
];

/// Encodes `now` as changes to `before`, from which it differs. A change: the count of equal
/// numbers in front of it; how many are left out, how many put in, and whether it is the last one,
/// in one number; the numbers put in. What follows the last change is equal.
fn put_changes(bytes: &mut Vec<u8>, before: &[u64], now: &[u64]) {
    let stays = same(before.iter().zip(now));
    let (mut before, mut now) = (&before[stays..], &now[stays..]);
    let end = same(before.iter().rev().zip(now.iter().rev()));
    before = &before[..before.len() - end];
    now = &now[..now.len() - end];
    let mut stays = stays;
    loop {
        let (out, put_in) = change(before, now);
        let last = out == before.len() && put_in == now.len();
        put(bytes, stays as u64);
        put(
            bytes,
            (put_in.min(MANY) << 1 | out << 3) as u64 | u64::from(last),
        );
        if put_in >= MANY {
            put(bytes, (put_in - MANY) as u64);
        }
        now[..put_in].iter().for_each(|&number| put(bytes, number));
        if last {
            return;
        }
        (before, now) = (&before[out..], &now[put_in..]);
        stays = same(before.iter().zip(now));
        (before, now) = (&before[stays..], &now[stays..]);
    }
}

/// From this many numbers on, the count of numbers put in is stored separately.
const MANY: usize = 3;

/// How many numbers of `before` are left out, and how many of `now` put in, until the rows agree
/// for a while.
fn change(before: &[u64], now: &[u64]) -> (usize, usize) {
    let (mut out, mut put_in) = (0, 0);
    while out < before.len() && put_in < now.len() {
        let agrees = |&(a, b): &(usize, usize)| {
            let rows = (before.get(out + a..), now.get(put_in + b..));
            matches!(rows, (Some([x, y, ..]), Some([z, w, ..])) if x == z && y == w)
        };
        if let Some((a, b)) = NEXT_AGREEMENT.iter().copied().find(agrees) {
            return (out + a, put_in + b);
        }
        out += 1;
        put_in += 1;
    }
    (before.len(), now.len())
}

fn get_changes(
    bytes: &mut std::slice::Iter<'_, u8>,
    mut before: &[u64],
    mut next: impl FnMut(u64),
) {
    loop {
        let stays = get(bytes) as usize;
        before[..stays].iter().for_each(|&number| next(number));
        let change = get(bytes) as usize;
        let (last, out) = (change & 1 == 1, change >> 3);
        let put_in = match change >> 1 & MANY {
            MANY => MANY + get(bytes) as usize,
            few => few,
        };
        (0..put_in).for_each(|_| next(get(bytes)));
        before = &before[stays + out..];
        if last {
            return before.iter().for_each(|&number| next(number));
        }
    }
}

/// Encodes a number, seven bits in a byte, the low ones first; a set high bit says that more
/// follow.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn get(bytes: &mut std::slice::Iter<'_, u8>) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let byte = *bytes.next().expect("a number ends");
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::{Packing, get_changes, put_changes};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use verdigris_trace::Numbers;

    fn numbers(groups: &[&[u64]]) -> Numbers {
        let mut all = Numbers::default();
        for group in groups {
            group.iter().for_each(|&n| all.put(n));
            all.end_group();
        }
        all
    }

    fn read(numbers: &Numbers) -> Vec<Vec<u64>> {
        (0..3).map(|n| numbers.group(n).to_vec()).collect()
    }

    #[test]
    fn every_guard_is_found() {
        let long: Vec<u64> = (0..300).map(|n| n * n * n * n * n * n * n).collect();
        let mut shorter = long.clone();
        shorter.drain(100..200);
        let mut other = shorter.clone();
        (other[3], other[50], other[51]) = (0, 0, 0);
        other.drain(70..73);
        other.insert(90, 0);
        let some = [
            numbers(&[&[1, 2, 3], &[]]),
            numbers(&[&[1, 2, 3], &[], &[u64::MAX]]),
            numbers(&[&[1, 2, 2, 3]]),
            numbers(&[&[1, 2, 3], &long, &[0]]),
            numbers(&[&[], &other, &[0]]),
            numbers(&[&[], &shorter, &[0]]),
            numbers(&[&[], &long, &[0]]),
        ];
        let mut packing = Packing::default();
        let guards: Vec<&Numbers> = some.iter().cycle().take(100).collect();
        let starts: Vec<u32> = guards
            .iter()
            .map(|guard| packing.add(|out| out.clone_from(guard)))
            .collect();
        let packed = packing.close();
        for (&start, guard) in starts.iter().zip(guards) {
            assert_eq!(read(&packed.numbers(start)), read(guard), "{start}");
        }
    }

    #[test]
    fn what_is_the_same_costs_little() {
        let mut packing = Packing::default();
        let guard = numbers(&[&[1, 2, 3], &[7; 100]]);
        for _ in 0..100 {
            packing.add(|out| out.clone_from(&guard));
        }
        let first = 2 + (2 + 1 + 3) + (2 + 1 + 100);
        let rest = packing.close().memory() - first;
        // Each refers to an earlier one, and says that nothing differs.
        assert!((99 * 2..99 * 4).contains(&rest), "{rest}");
    }

    proptest! {
        #[test]
        fn changes_are_what_they_make(
            before in vec(0_u64..4, 0..40),
            now in vec(0_u64..4, 0..40),
        ) {
            prop_assume!(before != now);
            let mut bytes = Vec::new();
            put_changes(&mut bytes, &before, &now);
            let mut made = Vec::new();
            let mut rest = bytes.iter();
            get_changes(&mut rest, &before, |number| made.push(number));
            prop_assert_eq!(made, now);
            prop_assert!(rest.next().is_none());
        }
    }
}
