//! A profile as tables for people: shares by activity, and the functions and lines with most of the
//! samples. A function counts once for a sample, however often it is on the stack.

use crate::model::{Profile, ProfileFrame};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write;
use verdigris_report::{Activity, SourcePos};

/// The most rows of each list.
const MOST_ROWS: usize = 20;

/// The most characters of a name.
const MOST_CHARS: usize = 60;

/// The key of a row: function, file, line.
type Key<'a> = (&'a str, Option<&'a str>, Option<u32>);

/// The samples of a row.
#[derive(Default)]
struct Weights {
    in_it: u64,
    below: u64,
    by_activity: [u64; Activity::ALL.len()],
}

impl Profile {
    /// The profile as tables of at most twenty rows: shares of the samples, by function and by
    /// line. *Self* counts a function itself, with the VM's work for it; *total* also what it
    /// called.
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
        let activities = Activity::ALL.map(|activity| {
            let of = self.samples.iter().filter(|s| s.activity == activity);
            of.map(|s| u64::from(s.weight)).sum()
        });
        // Writing to a string never fails.
        let _ = writeln!(text, "{all} samples{every}: {}", shares(&activities, all));
        self.rows(&mut text, "function", all, |pos| {
            (pos.function_name(), pos.file.as_deref(), None)
        });
        if self.places.iter().any(|pos| pos.line.is_some()) {
            self.rows(&mut text, "line", all, |pos| {
                (pos.function_name(), pos.file.as_deref(), pos.line)
            });
        }
        text
    }

    fn rows(&self, text: &mut String, what: &str, all: u64, key: impl Fn(&SourcePos) -> Key<'_>) {
        // Places of the same key are one row.
        let mut rows: Vec<(&SourcePos, Weights)> = Vec::new();
        let mut known: HashMap<Key<'_>, usize> = HashMap::new();
        let of_place: Vec<usize> = (self.places.iter())
            .map(|place| match known.entry(key(place)) {
                Entry::Occupied(row) => *row.get(),
                Entry::Vacant(row) => {
                    rows.push((place, Weights::default()));
                    *row.insert(rows.len() - 1)
                }
            })
            .collect();
        let row_of = |frame: ProfileFrame| of_place[frame.place as usize];
        let mut seen = Vec::new();
        for sample in &self.samples {
            let weight = u64::from(sample.weight);
            let guest = self.frames(sample.stack).filter(|f| f.activity.is_guest());
            seen.clear();
            for (n, frame) in guest.enumerate() {
                let row = row_of(frame);
                if n == 0 {
                    rows[row].1.in_it += weight;
                    rows[row].1.by_activity[sample.activity as usize] += weight;
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
                .then_with(|| key(a_place).cmp(&key(b_place)))
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
                in_it => format!("  ({})", shares(&row.by_activity, in_it)),
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

/// The activities with samples, the most frequent first.
fn shares(by_activity: &[u64; Activity::ALL.len()], all: u64) -> String {
    let mut shares: Vec<(u64, Activity)> = (by_activity.iter().copied().zip(Activity::ALL))
        .filter(|(n, _)| *n > 0)
        .collect();
    shares.sort_by_key(|&(n, activity)| (std::cmp::Reverse(n), activity));
    let shares: Vec<String> = (shares.into_iter())
        .map(|(n, activity)| format!("{} {}", activity.name(), percent(n, all)))
        .collect();
    shares.join(", ")
}

fn function_name(pos: &SourcePos) -> String {
    match &pos.file {
        Some(file) => format!("{} ({})", shown(pos.function_name()), shown(file)),
        None => shown(pos.function_name()),
    }
}

fn line_name(pos: &SourcePos) -> String {
    match (&pos.file, pos.line) {
        (Some(file), Some(line)) => {
            format!("{}:{line} in {}", shown(file), shown(pos.function_name()))
        }
        (None, Some(line)) => format!("line {line} in {}", shown(pos.function_name())),
        _ => function_name(pos),
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
    use crate::model::{CompiledCode, Sample};
    use expect_test::expect;
    use std::time::Duration;

    /// A profile of ten samples: six and two in two lines of `hot`, which calls itself, one of a
    /// collection there, one of `main` while tracing.
    pub(crate) fn profile() -> Profile {
        let mut profile = Profile::new(Some(Duration::from_millis(1)));
        let place = |function: &str, line: Option<u32>| SourcePos {
            function: Some(function.to_owned()),
            file: line.map(|_| "a.x".to_owned()),
            line,
            ..SourcePos::default()
        };
        profile.places = vec![
            place("main", Some(9)),
            place("hot", Some(3)),
            place("hot", Some(4)),
            place("(tracing)", None),
            place("(collecting)", None),
        ];
        let frame = |place, activity| ProfileFrame { place, activity };
        let mut at = 0;
        let mut add = |frames: &[ProfileFrame], activity, weight: u32| {
            at += 1;
            let stack = profile.stack(frames.iter().copied());
            let sample = Sample {
                at: Duration::from_millis(at),
                cpu: None,
                weight,
                activity,
                stack,
            };
            profile.samples.push(sample);
            at += u64::from(weight) - 1;
        };
        let main = frame(0, Activity::Interpreter);
        let (three, four) = (frame(1, Activity::Traces), frame(2, Activity::Traces));
        add(&[main, four, three], Activity::Traces, 6);
        add(&[main, four], Activity::Traces, 2);
        let collecting = frame(4, Activity::Collecting);
        add(&[main, four, collecting], Activity::Collecting, 1);
        let tracing = frame(3, Activity::Tracing);
        add(&[main, tracing], Activity::Tracing, 1);
        profile.made.push(CompiledCode {
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
        assert_eq!(profile.self_share(|pos| pos.function_name() == "hot"), 0.9);
        assert_eq!(profile.self_share(|place| place.line == Some(3)), 0.6);
        assert_eq!(profile.total_share(|place| place.line == Some(4)), 0.9);
        assert_eq!(profile.share_of_activity(Activity::Tracing), 0.1);
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
