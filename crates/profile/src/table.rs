//! A profile for people. In: a profile. Out: what the VM was doing, and the functions and lines
//! with most of the samples, each with what they were executed by. Invariant: a function counts
//! once for a sample, however often it is on the stack.

use crate::model::{Frame, Place, Profile, Tier};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write;

/// The most rows of each list.
const MOST_ROWS: usize = 20;

/// The most characters of a name.
const MOST_CHARS: usize = 60;

/// A row before it is text: samples.
#[derive(Default)]
struct Row {
    in_it: u64,
    below: u64,
    by_tier: [u64; Tier::ALL.len()],
}

impl Profile {
    /// The profile as tables, of at most twenty rows each: shares of the samples, by function and
    /// by line. *Self* is for what happened in a function itself, in whatever it was executed by,
    /// what the VM did for it included; *total* also for what it called.
    pub fn table(&self) -> String {
        let all = self.weight();
        if all == 0 {
            return "no samples: the program was too short, or never came to a loop or call\n"
                .to_owned();
        }
        let mut text = String::new();
        let every = match self.interval {
            Some(interval) => format!(" of {:?} each", interval),
            None => String::new(),
        };
        let tiers = Tier::ALL.map(|tier| {
            let of = self.samples.iter().filter(|s| s.tier == tier);
            of.map(|s| u64::from(s.weight)).sum()
        });
        // Writing to a string never fails.
        let _ = writeln!(text, "{all} samples{every}: {}", shares(&tiers, all));
        self.rows(&mut text, "function", all, |place| {
            (place.function.clone(), place.file.clone(), None)
        });
        let has_lines = self.places.iter().any(|place| place.line.is_some());
        if has_lines {
            self.rows(&mut text, "line", all, |place| {
                (place.function.clone(), place.file.clone(), place.line)
            });
        }
        text
    }

    fn rows(
        &self,
        text: &mut String,
        what: &str,
        all: u64,
        key: impl Fn(&Place) -> (String, Option<String>, Option<u32>),
    ) {
        // Places of the same key are one row.
        let mut rows: Vec<(Place, Row)> = Vec::new();
        let mut known: HashMap<(String, Option<String>, Option<u32>), usize> = HashMap::new();
        let of_place: Vec<usize> = (self.places.iter())
            .map(|place| match known.entry(key(place)) {
                Entry::Occupied(row) => *row.get(),
                Entry::Vacant(row) => {
                    rows.push((place.clone(), Row::default()));
                    *row.insert(rows.len() - 1)
                }
            })
            .collect();
        let row_of = |frame: Frame| of_place[frame.place as usize];
        let mut seen = Vec::new();
        for sample in &self.samples {
            let weight = u64::from(sample.weight);
            let guest = self.frames(sample.stack).filter(|f| f.tier.is_guest());
            seen.clear();
            for (n, frame) in guest.enumerate() {
                let row = row_of(frame);
                if n == 0 {
                    rows[row].1.in_it += weight;
                    rows[row].1.by_tier[sample.tier as usize] += weight;
                }
                if !seen.contains(&row) {
                    seen.push(row);
                    rows[row].1.below += weight;
                }
            }
        }
        rows.retain(|(_, row)| row.below > 0);
        rows.sort_by(|(a_place, a), (b_place, b)| {
            (b.in_it, b.below)
                .cmp(&(a.in_it, a.below))
                .then_with(|| a_place.cmp(b_place))
        });
        let _ = writeln!(text, "\n  self   total  {what}");
        let more = rows.len().saturating_sub(MOST_ROWS);
        let is_line = what == "line";
        for (place, row) in rows.iter().take(MOST_ROWS) {
            let name = if is_line {
                line_name(place)
            } else {
                function_name(place)
            };
            let (own, total) = (percent(row.in_it, all), percent(row.below, all));
            let by = match row.in_it {
                0 => String::new(),
                in_it => format!("  ({})", shares(&row.by_tier, in_it)),
            };
            let _ = writeln!(text, "{own:>6}  {total:>6}  {name}{by}");
        }
        if more > 0 {
            let _ = writeln!(text, "                and {more} more");
        }
    }
}

fn percent(part: u64, all: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / all as f64)
}

/// The tiers that there are samples of, most of them first.
fn shares(by_tier: &[u64; Tier::ALL.len()], all: u64) -> String {
    let mut shares: Vec<(u64, Tier)> = (by_tier.iter().copied().zip(Tier::ALL))
        .filter(|(n, _)| *n > 0)
        .collect();
    shares.sort_by_key(|&(n, tier)| (std::cmp::Reverse(n), tier));
    let shares: Vec<String> = (shares.into_iter())
        .map(|(n, tier)| format!("{} {}", tier.name(), percent(n, all)))
        .collect();
    shares.join(", ")
}

fn function_name(place: &Place) -> String {
    match &place.file {
        Some(file) => format!("{} ({})", shown(&place.function), shown(file)),
        None => shown(&place.function),
    }
}

fn line_name(place: &Place) -> String {
    match (&place.file, place.line) {
        (Some(file), Some(line)) => format!("{}:{line} in {}", shown(file), shown(&place.function)),
        (None, Some(line)) => format!("line {line} in {}", shown(&place.function)),
        _ => function_name(place),
    }
}

/// A name of the guest program, in one line.
fn shown(name: &str) -> String {
    let mut text = String::new();
    for (n, c) in name.chars().enumerate() {
        if n == MOST_CHARS {
            text.push('…');
            break;
        }
        match c.is_control() {
            true => text.extend(c.escape_default()),
            false => text.push(c),
        }
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::{Made, Sample};
    use expect_test::expect;
    use std::time::Duration;

    /// A profile of ten samples: six and two in two lines of `hot`, which calls itself, one of a
    /// collection there, one of `main` while tracing.
    pub(crate) fn profile() -> Profile {
        let mut profile = Profile::new(Some(Duration::from_millis(1)));
        let place = |function: &str, line: Option<u32>| Place {
            function: function.to_owned(),
            file: line.map(|_| "a.x".to_owned()),
            line,
        };
        profile.places = vec![
            place("main", Some(9)),
            place("hot", Some(3)),
            place("hot", Some(4)),
            place("(tracing)", None),
            place("(collecting)", None),
        ];
        let frame = |place, tier| Frame { place, tier };
        let mut at = 0;
        let mut add = |frames: &[Frame], tier, weight: u32| {
            at += 1;
            let stack = profile.stack(frames.iter().copied());
            let sample = Sample {
                at: Duration::from_millis(at),
                cpu: None,
                weight,
                tier,
                stack,
            };
            profile.samples.push(sample);
            at += u64::from(weight) - 1;
        };
        let main = frame(0, Tier::Interpreter);
        let (three, four) = (frame(1, Tier::Traces), frame(2, Tier::Traces));
        add(&[main, four, three], Tier::Traces, 6);
        add(&[main, four], Tier::Traces, 2);
        let collecting = frame(4, Tier::Collecting);
        add(&[main, four, collecting], Tier::Collecting, 1);
        let tracing = frame(3, Tier::Tracing);
        add(&[main, tracing], Tier::Tracing, 1);
        profile.made.push(Made {
            title: "trace 0".to_owned(),
            at: Duration::from_millis(8),
            took: Duration::from_millis(2),
        });
        profile
    }

    #[test]
    fn shares_are_of_functions_and_of_lines() {
        expect![[r#"
            10 samples of 1ms each: traces 80.0 %, tracing 10.0 %, collecting 10.0 %

              self   total  function
            90.0 %  90.0 %  hot (a.x)  (traces 88.9 %, collecting 11.1 %)
            10.0 %  100.0 %  main (a.x)  (tracing 100.0 %)

              self   total  line
            60.0 %  60.0 %  a.x:3 in hot  (traces 100.0 %)
            30.0 %  90.0 %  a.x:4 in hot  (traces 66.7 %, collecting 33.3 %)
            10.0 %  100.0 %  a.x:9 in main  (tracing 100.0 %)
        "#]]
        .assert_eq(&profile().table());
    }

    #[test]
    fn shares_can_be_asked_for() {
        let profile = profile();
        assert_eq!(profile.self_share(|place| place.function == "hot"), 0.9);
        assert_eq!(profile.self_share(|place| place.line == Some(3)), 0.6);
        assert_eq!(profile.total_share(|place| place.line == Some(4)), 0.9);
        assert_eq!(profile.share_of_tier(Tier::Tracing), 0.1);
    }

    #[test]
    fn a_profile_without_samples_says_so() {
        let text = Profile::new(None).table();
        assert!(text.starts_with("no samples"), "{text}");
    }

    #[test]
    fn names_of_the_guest_stay_in_their_line() {
        assert_eq!(shown("a\nb"), "a\\nb");
        assert_eq!(shown(&"x".repeat(99)).chars().count(), MOST_CHARS + 1);
    }
}
