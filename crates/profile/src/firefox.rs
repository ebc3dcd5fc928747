//! The file for the Firefox Profiler. In: a profile. Out: JSON in its "processed profile" format:
//! one thread, a category for each activity, and markers for what happened to code meanwhile.
//! Invariant: functions are told apart by name and file, lines are the frames' own, so that the
//! page can add up both.
//!
//! There is a crate for the format, `fxprof-processed-profile`, but it knows native addresses and
//! labels, and no lines. Source: `docs-developer` in the repository of the Firefox Profiler, and
//! the definitions of the types there; version 55 of the format, from which the page brings a file
//! up to date.

use crate::model::{MarkKind, Profile, ProfileFrame};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::{Duration, UNIX_EPOCH};
use verdigris_report::Activity;

/// The version of the format.
const VERSION: u32 = 55;

/// The name of what our markers have.
const SCHEMA: &str = "Verdigris";

/// The strings of the thread.
#[derive(Default)]
struct Strings {
    all: Vec<String>,
    known: HashMap<String, usize>,
}

impl Strings {
    fn index(&mut self, text: &str) -> usize {
        if let Some(&index) = self.known.get(text) {
            return index;
        }
        self.all.push(text.to_owned());
        self.known.insert(text.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The page's colour of a activity.
fn colour(activity: Activity) -> &'static str {
    match activity {
        Activity::Interpreter => "yellow",
        Activity::Traces => "green",
        Activity::Specialised => "blue",
        Activity::Threaded => "lightblue",
        Activity::Leaving => "orange",
        Activity::Tracing => "purple",
        Activity::Optimising => "magenta",
        Activity::Compiling => "red",
        Activity::Collecting => "brown",
    }
}

/// The category of a activity: an index. The first one is for what is none.
fn category(activity: Activity) -> usize {
    1 + Activity::ALL
        .iter()
        .position(|t| *t == activity)
        .unwrap_or(0)
}

fn categories() -> Vec<Value> {
    let of = |name: &str, colour: &str| json!({"name": name, "color": colour, "subcategories": ["Other"]});
    let activities = Activity::ALL.map(|activity| of(activity.name(), colour(activity)));
    std::iter::once(of("Other", "grey"))
        .chain(activities)
        .collect()
}

/// Columns of functions and of frames.
#[derive(Default)]
struct Tables {
    strings: Strings,
    functions: HashMap<(usize, Option<usize>), usize>,
    names: Vec<usize>,
    files: Vec<Option<usize>>,
    are_guest: Vec<bool>,
    frames: HashMap<ProfileFrame, usize>,
    of_function: Vec<usize>,
    in_category: Vec<usize>,
    in_line: Vec<Option<u32>>,
}

impl Tables {
    fn frame(&mut self, profile: &Profile, frame: ProfileFrame) -> usize {
        if let Some(&index) = self.frames.get(&frame) {
            return index;
        }
        let place = profile.place(frame);
        let name = self.strings.index(place.function_name());
        let file = place.file.as_deref().map(|file| self.strings.index(file));
        let next = self.names.len();
        let function = *self.functions.entry((name, file)).or_insert(next);
        if function == next {
            self.names.push(name);
            self.files.push(file);
            self.are_guest.push(frame.activity.is_guest());
        }
        self.of_function.push(function);
        self.in_category.push(category(frame.activity));
        self.in_line.push(place.line);
        self.frames.insert(frame, self.of_function.len() - 1);
        self.of_function.len() - 1
    }

    fn function_table(&self) -> Value {
        let len = self.names.len();
        json!({
            "length": len,
            "name": self.names,
            "isJS": vec![false; len],
            "relevantForJS": self.are_guest,
            "resource": vec![-1; len],
            "fileName": self.files,
            "lineNumber": vec![Value::Null; len],
            "columnNumber": vec![Value::Null; len],
        })
    }

    fn frame_table(&self) -> Value {
        let len = self.of_function.len();
        json!({
            "length": len,
            "address": vec![-1; len],
            "inlineDepth": vec![0; len],
            "category": self.in_category,
            "subcategory": vec![0; len],
            "func": self.of_function,
            "nativeSymbol": vec![Value::Null; len],
            "innerWindowID": vec![0; len],
            "line": self.in_line,
            "column": vec![Value::Null; len],
        })
    }
}

fn samples(profile: &Profile) -> Value {
    let samples = &profile.samples;
    let mut before = Duration::ZERO;
    let deltas: Vec<f64> = (samples.iter())
        .map(|sample| {
            millis(
                sample
                    .at
                    .saturating_sub(std::mem::replace(&mut before, sample.at)),
            )
        })
        .collect();
    let stack = |sample: &crate::Sample| sample.stack.map(Profile::index);
    let micros = |sample: &crate::Sample| sample.cpu.map(|cpu| cpu.as_micros() as u64);
    json!({
        "length": samples.len(),
        "weightType": "samples",
        "stack": samples.iter().map(stack).collect::<Vec<_>>(),
        "timeDeltas": deltas,
        "weight": samples.iter().map(|s| s.weight).collect::<Vec<_>>(),
        "threadCPUDelta": samples.iter().map(micros).collect::<Vec<_>>(),
    })
}

/// The columns of the markers.
#[derive(Default)]
struct Markers {
    category: Vec<usize>,
    data: Vec<Value>,
    name: Vec<usize>,
    phase: Vec<u32>,
    start: Vec<f64>,
    end: Vec<Option<f64>>,
}

/// The phases of a marker in the format: a moment, and an interval.
const MOMENT: u32 = 0;
const INTERVAL: u32 = 1;

impl Markers {
    /// Adds a marker; without an end, it is a moment.
    fn add(
        &mut self,
        (name, title): (usize, usize),
        category: usize,
        start: Duration,
        end: Option<Duration>,
    ) {
        self.category.push(category);
        self.data.push(json!({"type": SCHEMA, "title": title}));
        self.name.push(name);
        self.phase
            .push(if end.is_some() { INTERVAL } else { MOMENT });
        self.start.push(millis(start));
        self.end.push(end.map(millis));
    }

    fn table(self) -> Value {
        json!({
            "length": self.name.len(),
            "category": self.category,
            "data": self.data,
            "name": self.name,
            "phase": self.phase,
            "startTime": self.start,
            "endTime": self.end,
        })
    }
}

/// Markers for code that was made, for what else happened, and for collections, as far as samples
/// saw them.
fn markers(profile: &Profile, strings: &mut Strings) -> Value {
    let mut markers = Markers::default();
    let ended = profile.samples.last().map(|sample| sample.at);
    for made in &profile.made {
        let names = (strings.index("compiled"), strings.index(&made.title));
        let start = made.at.saturating_sub(made.took);
        markers.add(names, category(Activity::Compiling), start, Some(made.at));
    }
    for mark in &profile.marks {
        let names = (strings.index(mark.kind.name()), strings.index(&mark.title));
        let until = match mark.kind {
            // It waits still.
            MarkKind::Waits => mark.until.or(ended),
            _ => mark.until,
        };
        let of = match mark.kind {
            MarkKind::Waits | MarkKind::Rests => Activity::Interpreter,
            MarkKind::Tier | MarkKind::GivenUp | MarkKind::Freed => Activity::Compiling,
        };
        markers.add(names, category(of), mark.at, until);
    }
    for (start, end) in collections(profile) {
        let name = strings.index("collection");
        markers.add(
            (name, name),
            category(Activity::Collecting),
            start,
            Some(end),
        );
    }
    markers.table()
}

/// When the collector was at work: from the sample before the first that has seen it to the last.
fn collections(profile: &Profile) -> Vec<(Duration, Duration)> {
    let mut found: Vec<(Duration, Duration)> = Vec::new();
    let (mut before, mut goes_on) = (Duration::ZERO, false);
    for sample in &profile.samples {
        let collects = sample.activity == Activity::Collecting;
        match (collects, goes_on, found.last_mut()) {
            (true, true, Some((_, end))) => *end = sample.at,
            (true, ..) => found.push((before, sample.at)),
            (false, ..) => {}
        }
        (before, goes_on) = (sample.at, collects);
    }
    found
}

impl Profile {
    /// The profile in the "processed profile" format of the Firefox Profiler.
    pub fn firefox(&self) -> Value {
        let mut tables = Tables::default();
        let (mut prefixes, mut frames) = (Vec::new(), Vec::new());
        for (outer, frame) in self.stacks() {
            prefixes.push(outer);
            frames.push(tables.frame(self, frame));
        }
        let markers = markers(self, &mut tables.strings);
        let began = self.began.duration_since(UNIX_EPOCH).unwrap_or_default();
        let ended = self.samples.last().map_or(0.0, |sample| millis(sample.at));
        let thread = json!({
            "name": "guest program",
            "isMainThread": true,
            "processType": "default",
            "processName": "verdigris",
            "processStartupTime": 0.0,
            "processShutdownTime": ended,
            "registerTime": 0.0,
            "unregisterTime": ended,
            "pausedRanges": [],
            "showMarkersInTimeline": true,
            "pid": std::process::id().to_string(),
            "tid": std::process::id().to_string(),
            "frameTable": tables.frame_table(),
            "funcTable": tables.function_table(),
            "stackTable": {"length": frames.len(), "prefix": prefixes, "frame": frames},
            "samples": samples(self),
            "markers": markers,
            "nativeSymbols": {"length": 0, "address": [], "functionSize": [], "libIndex": [], "name": []},
            "resourceTable": {"length": 0, "lib": [], "name": [], "host": [], "type": []},
            "stringArray": tables.strings.all,
        });
        json!({
            "meta": {
                "categories": categories(),
                "debug": false,
                "extensions": {"length": 0, "baseURL": [], "id": [], "name": []},
                "interval": self.interval.map_or(1.0, millis),
                "markerSchema": [{
                    "name": SCHEMA,
                    "display": ["marker-chart", "marker-table", "timeline-overview"],
                    "chartLabel": "{marker.data.title}",
                    "tooltipLabel": "{marker.data.title}",
                    "tableLabel": "{marker.data.title}",
                    "fields": [{"key": "title", "label": "What", "format": "unique-string", "searchable": true}],
                }],
                "preprocessedProfileVersion": VERSION,
                "processType": 0,
                "product": "Verdigris",
                "sampleUnits": {"time": "ms", "eventDelay": "ms", "threadCPUDelta": "µs"},
                "startTime": millis(began),
                "symbolicated": true,
                "sourceCodeIsNotOnSearchfox": true,
                // There are stacks.
                "stackwalk": 1,
                "usesOnlyOneStackType": true,
                // Of another format, and not looked at.
                "version": 24,
            },
            "libs": [],
            "pages": [],
            "profilerOverhead": [],
            "counters": [],
            "threads": [thread],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mark;
    use crate::table::tests::profile;

    #[test]
    fn the_columns_of_each_table_are_of_one_length_and_refer_to_what_there_is() {
        let json = profile().firefox();
        let thread = &json["threads"][0];
        let strings = thread["stringArray"].as_array().unwrap().len();
        for table in [
            "frameTable",
            "funcTable",
            "stackTable",
            "samples",
            "markers",
        ] {
            let table = thread[table].as_object().unwrap();
            let len = table["length"].as_u64().unwrap() as usize;
            assert!(len > 0);
            for (name, column) in table {
                if let Some(column) = column.as_array() {
                    assert_eq!(column.len(), len, "{name}");
                }
            }
        }
        let below = |column: &Value, len: usize| {
            let column = column.as_array().unwrap().iter();
            column.filter_map(Value::as_u64).all(|n| (n as usize) < len)
        };
        let length = |table: &str| thread[table]["length"].as_u64().unwrap() as usize;
        assert!(below(&thread["funcTable"]["name"], strings));
        assert!(below(&thread["funcTable"]["fileName"], strings));
        assert!(below(&thread["frameTable"]["func"], length("funcTable")));
        assert!(below(&thread["stackTable"]["frame"], length("frameTable")));
        assert!(below(&thread["samples"]["stack"], length("stackTable")));
        let categories = json["meta"]["categories"].as_array().unwrap().len();
        assert!(below(&thread["frameTable"]["category"], categories));
        // A prefix comes before what is in it.
        for (n, prefix) in thread["stackTable"]["prefix"]
            .as_array()
            .unwrap()
            .iter()
            .enumerate()
        {
            assert!(prefix.as_u64().is_none_or(|prefix| (prefix as usize) < n));
        }
    }

    #[test]
    fn lines_are_of_frames_and_files_of_functions() {
        let json = profile().firefox();
        let thread = &json["threads"][0];
        // `hot` has two lines, and is one function.
        let names = thread["funcTable"]["name"].as_array().unwrap();
        let hot = |n: &&Value| thread["stringArray"][n.as_u64().unwrap() as usize] == "hot";
        assert_eq!(names.iter().filter(hot).count(), 1);
        let lines = thread["frameTable"]["line"].as_array().unwrap();
        assert!(lines.contains(&json!(3)) && lines.contains(&json!(4)));
        assert_eq!(thread["samples"]["weight"], json!([6, 2, 1, 1]));
        assert_eq!(thread["samples"]["timeDeltas"], json!([1.0, 6.0, 2.0, 1.0]));
        // Code, and the collection between two samples.
        assert_eq!(thread["markers"]["startTime"], json!([6.0, 7.0]));
        assert_eq!(thread["markers"]["endTime"], json!([8.0, 9.0]));
    }

    #[test]
    fn what_happens_has_a_marker() {
        let mut profile = profile();
        let mark = |kind, until: Option<u64>| Mark {
            kind,
            title: "header 7".to_owned(),
            at: Duration::from_millis(2),
            until: until.map(Duration::from_millis),
        };
        let waits = MarkKind::Waits;
        profile.marks = vec![
            mark(waits, Some(4)),
            mark(waits, None),
            mark(MarkKind::Rests, None),
        ];
        let json = profile.firefox();
        let markers = &json["threads"][0]["markers"];
        assert_eq!(markers["phase"], json!([1, 1, 1, 0, 1]));
        assert_eq!(markers["endTime"], json!([8.0, 4.0, 10.0, null, 9.0]));
    }
}
