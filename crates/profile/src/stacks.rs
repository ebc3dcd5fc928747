//! A profile for tools that want stacks and weights alone: folded stacks, a line for each, which
//! flame graphs are drawn from, and the format of speedscope.
//!
//! Sources: the README of Brendan Gregg's FlameGraph, and the schema of speedscope's file format
//! (<https://www.speedscope.app/file-format-schema.json>).

use crate::model::{Profile, ProfileFrame, Sample, StackId};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use verdigris_report::Activity;

/// What stands for samples outside of the guest program.
const OUTSIDE: &str = "(outside of the guest program)";

impl Profile {
    /// The stacks, outermost first, with their samples: `main (a.x:9);hot (a.x:3)_[j] 6`. What was
    /// compiled ends in `_[j]`, which flame graphs may have a colour for.
    pub fn folded(&self) -> String {
        let mut weights: BTreeMap<String, u64> = BTreeMap::new();
        for sample in &self.samples {
            let names: Vec<String> = self
                .outermost_first(sample)
                .map(|f| self.folded_name(f))
                .collect();
            let stack = match names.is_empty() {
                true => OUTSIDE.to_owned(),
                false => names.join(";"),
            };
            *weights.entry(stack).or_insert(0) += u64::from(sample.weight);
        }
        let mut text = String::new();
        for (stack, weight) in weights {
            // Writing to a string never fails.
            let _ = writeln!(text, "{stack} {weight}");
        }
        text
    }

    /// The profile in the format of speedscope.
    pub fn speedscope(&self) -> Value {
        let mut frames: Vec<Value> = Vec::new();
        let mut known: HashMap<ProfileFrame, usize> = HashMap::new();
        let mut stacks: HashMap<Option<StackId>, Vec<usize>> = HashMap::new();
        for sample in &self.samples {
            stacks.entry(sample.stack).or_insert_with(|| {
                let indices = self.outermost_first(sample).map(|frame| {
                    *known.entry(frame).or_insert_with(|| {
                        frames.push(self.speedscope_frame(frame));
                        frames.len() - 1
                    })
                });
                indices.collect()
            });
        }
        let each = self
            .interval
            .map_or(1.0, |interval| interval.as_secs_f64() * 1e3);
        let samples: Vec<&Vec<usize>> = self.samples.iter().map(|s| &stacks[&s.stack]).collect();
        let weights: Vec<f64> = (self.samples.iter())
            .map(|s| f64::from(s.weight) * each)
            .collect();
        json!({
            "$schema": "https://www.speedscope.app/file-format-schema.json",
            "exporter": concat!("verdigris ", env!("CARGO_PKG_VERSION")),
            "name": "guest program",
            "activeProfileIndex": 0,
            "shared": { "frames": frames },
            "profiles": [{
                "type": "sampled",
                "name": "guest program",
                "unit": if self.interval.is_some() { "milliseconds" } else { "none" },
                "startValue": 0.0,
                "endValue": weights.iter().sum::<f64>(),
                "samples": samples,
                "weights": weights,
            }],
        })
    }

    fn outermost_first(&self, sample: &Sample) -> impl Iterator<Item = ProfileFrame> + use<> {
        let frames: Vec<ProfileFrame> = self.frames(sample.stack).collect();
        frames.into_iter().rev()
    }

    /// The name of a frame in folded stacks, in which semicolons and line breaks mean something.
    fn folded_name(&self, frame: ProfileFrame) -> String {
        let place = self.place(frame);
        let mut name = place.function_name().to_owned();
        match (&place.file, place.line) {
            (Some(file), Some(line)) => name += &format!(" ({file}:{line})"),
            (Some(file), None) => name += &format!(" ({file})"),
            _ => {}
        }
        let name = name.replace(';', ",").replace(char::is_control, " ");
        let is_compiled = frame.activity.is_guest() && frame.activity != Activity::Interpreter;
        name + if is_compiled { "_[j]" } else { "" }
    }

    fn speedscope_frame(&self, frame: ProfileFrame) -> Value {
        let place = self.place(frame);
        let mut value = json!({ "name": place.function_name() });
        if let Some(file) = &place.file {
            value["file"] = json!(file);
        }
        if let Some(line) = place.line {
            value["line"] = json!(line);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use crate::table::tests::profile;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn stacks_are_folded() {
        expect![[r#"
            main (a.x:9);(tracing) 1
            main (a.x:9);hot (a.x:4)_[j] 2
            main (a.x:9);hot (a.x:4)_[j];(collecting) 1
            main (a.x:9);hot (a.x:4)_[j];hot (a.x:3)_[j] 6
        "#]]
        .assert_eq(&profile().folded());
    }

    #[test]
    fn names_do_not_end_stacks_and_lines() {
        let mut profile = profile();
        profile.places[0].function = Some("a;b\nc".to_owned());
        profile.samples[0].stack = None;
        let folded = profile.folded();
        assert!(folded.contains("a,b c (a.x:9);(tracing) 1\n"), "{folded}");
        assert!(
            folded.contains("(outside of the guest program) 6\n"),
            "{folded}"
        );
    }

    #[test]
    fn speedscope_has_weights_in_milliseconds() {
        let json = profile().speedscope();
        let sampled = &json["profiles"][0];
        assert_eq!(
            sampled["samples"],
            json!([[0, 1, 2], [0, 1], [0, 1, 3], [0, 4]])
        );
        assert_eq!(sampled["weights"], json!([6.0, 2.0, 1.0, 1.0]));
        assert_eq!(sampled["endValue"], json!(10.0));
        let frames = &json["shared"]["frames"];
        assert_eq!(frames[2], json!({"name": "hot", "file": "a.x", "line": 3}));
        assert_eq!(frames[4], json!({"name": "(tracing)"}));
    }
}
