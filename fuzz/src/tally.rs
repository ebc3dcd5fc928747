//! What a campaign has executed. In: counts, as things happen. Out: their sums, as text. Invariant:
//! counts only grow; adding two tallies loses nothing.

use std::collections::BTreeSet;
use std::fmt;

/// Counts by name, in the order in which the names came first.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    counts: Vec<(&'static str, u64)>,
    configurations: BTreeSet<String>,
}

impl Tally {
    /// Adds to a count.
    pub fn add(&mut self, name: &'static str, more: u64) {
        match self.counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += more,
            None => self.counts.push((name, more)),
        }
    }

    /// A count; 0 if nothing was added to it.
    pub fn get(&self, name: &str) -> u64 {
        let found = self.counts.iter().find(|(known, _)| *known == name);
        found.map_or(0, |(_, count)| *count)
    }

    /// Notes a configuration that something ran under.
    pub fn configuration(&mut self, text: String) {
        self.configurations.insert(text);
    }

    /// How many different configurations there were.
    pub fn configurations(&self) -> u64 {
        self.configurations.len() as u64
    }

    /// Adds another tally.
    pub fn absorb(&mut self, other: Tally) {
        for (name, count) in other.counts {
            self.add(name, count);
        }
        self.configurations.extend(other.configurations);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts = self.counts.clone();
        counts.push(("configurations", self.configurations()));
        let counts = counts.iter().map(|(name, count)| format!("{count} {name}"));
        f.write_str(&counts.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_add_up() {
        let mut a = Tally::default();
        a.add("programs", 2);
        a.configuration("x".to_string());
        let mut b = Tally::default();
        b.add("loops", 5);
        b.add("programs", 1);
        b.configuration("x".to_string());
        b.configuration("y".to_string());
        a.absorb(b);
        assert_eq!(a.to_string(), "3 programs, 5 loops, 2 configurations");
        assert_eq!((a.get("programs"), a.get("none")), (3, 0));
    }
}
