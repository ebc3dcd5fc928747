//! The charts of what changes of tier cost and gain. In: the records of `tiers`. Out: curves over
//! the time since the start; the levels of the 2022 paper's programs with the paper's numbers
//! beside them; the programs that lose most, and those that get fast latest. Invariant: the tables
//! are those that the suite prints.

use crate::measure::record::Record;
use crate::report::page::axis::Scale;
use crate::report::page::chart::{Bar, Charts, Group, Heading, Line};
use crate::report::page::html::{paragraph, table, three_digits, time, times};
use crate::suites::tiers::compared::Measure::{self, Code, Compiling, Operations, Stable, Startup};
use crate::suites::tiers::compared::{self, COMPARED, LOOPS, MEAN, mean, said};
use crate::suites::tiers::{never_slower, paper, warm};

/// The charts of one of the suites whose names begin with `tiers-`.
pub fn inside(charts: &mut Charts, suite: &str, records: &[&Record]) -> String {
    let records: Vec<Record> = records.iter().map(|&record| record.clone()).collect();
    match suite {
        "tiers-paper" => of_paper(charts, &records),
        "tiers-slower" => slower(charts, &records),
        "tiers-warm" => latest(charts, &records),
        _ => curves(charts, &records),
    }
}

fn bar(name: &str, label: &str, value: f64) -> Bar {
    Bar {
        name: name.to_string(),
        label: label.to_string(),
        value,
        spread: None,
    }
}

/// The time of each iteration against when it ended.
fn curves(charts: &mut Charts, records: &[Record]) -> String {
    let mut text = String::from("<div class=\"pairs\">\n");
    let head = [
        "program",
        "system",
        "first",
        "final",
        "warm after",
        "warm at",
    ];
    let mut rows = vec![head.map(str::to_string).to_vec()];
    for group in records.chunk_by(|a, b| (&a.benchmark, a.n) == (&b.benchmark, b.n)) {
        let mut lines = Vec::new();
        for (record, warmup) in group.iter().filter_map(|r| Some((r, r.warmup.as_ref()?))) {
            let points = since_start(&warmup.curve);
            let none = || "–".to_string();
            let ended = warmup.reached.and_then(|at| points.get(at - 1));
            rows.push(vec![
                record.benchmark.clone(),
                record.system.clone(),
                warmup.curve.first().copied().map_or_else(none, time),
                time(record.seconds),
                ended.map_or_else(none, |point| time(point.0)),
                warmup.reached.map_or_else(none, |at| at.to_string()),
            ]);
            lines.push(Line {
                name: record.system.clone(),
                points,
                mark: None,
            });
        }
        let heading = Heading {
            title: format!("{}, n = {}", group[0].benchmark, group[0].n),
            description: "The time of each iteration against the time since the first one began, with each compiler alone. Lower is faster, and what ends further left took less time for all iterations.".to_string(),
            axis: "time since the start; both axes are logarithmic",
        };
        text += &charts.lines(&heading, [time, time], [Scale::Logarithmic; 2], &lines);
    }
    text + "</div>\n" + &table("When programs are warm, with each compiler alone", &rows)
}

/// For each iteration when it ended, and how long it took.
fn since_start(curve: &[f64]) -> Vec<(f64, f64)> {
    let mut end = 0.0;
    let points = curve.iter().map(|&seconds| {
        end += seconds;
        (end, seconds)
    });
    points.collect()
}

/// How fast the levels of the paper's programs are, what they make, and how that compares with what
/// the paper says.
fn of_paper(charts: &mut Charts, records: &[Record]) -> String {
    let mut text = String::new();
    for (at, measure, title) in [
        (0, Startup, "startup: the first run in a VM"),
        (1, Stable, "stable: a warm run"),
    ] {
        let heading = Heading {
            title: format!("Figures 5 and 6, {title}"),
            description: "A bar for each level of a program: how many times as fast as the interpreter it is; beside it what the paper says, where it says a number. Longer is faster.".to_string(),
            axis: "times as fast as the interpreter, logarithmic",
        };
        let groups = speeds(records, at, measure);
        text += &charts.bars(&heading, times, Scale::Logarithmic, &groups);
    }
    type Unit = fn(f64) -> String;
    let made: [(Measure, &str, Unit); 3] = [
        (Operations, "size of traces, in operations", three_digits),
        (Code, "size of machine code, in bytes", three_digits),
        (Compiling, "time for compiling", time),
    ];
    for (measure, title, unit) in made {
        let heading = Heading {
            title: format!("Figures 4 and 7, {title}"),
            description: "A bar for each level of a program. Shorter is less.".to_string(),
            axis: "logarithmic",
        };
        let groups = by_level(records, |name, level| measure.of(records, name, level));
        text += &charts.bars(&heading, unit, Scale::Logarithmic, &groups);
    }
    let heading = Heading {
        title: "What the paper compares: here, and in the paper".to_string(),
        description: "Two bars for each comparison: the quotient of what was measured here, and the paper's number. Quotients of several programs are geometric means.".to_string(),
        axis: "quotient, logarithmic",
    };
    let compared = COMPARED.iter().map(|(words, quotients, paper)| {
        let here = mean(records, quotients).map(|mean| bar("here", "here", mean));
        let paper = bar("paper", "paper", *paper);
        Group {
            label: words.to_string(),
            bars: here.into_iter().chain([paper]).collect(),
        }
    });
    let compared: Vec<Group> = compared.collect();
    text += &charts.bars(&heading, times, Scale::Logarithmic, &compared);
    text += &table("Levels", &paper::rows(records));
    text + &table("Levels against each other", &compared::rows(records))
}

/// How many times as fast as the interpreter each level is, and what the paper says of it.
fn speeds(records: &[Record], at: usize, measure: Measure) -> Vec<Group> {
    let with_paper = |bars: &mut Vec<Bar>, program: &str, level: &str| {
        let said = said(program, level, at);
        bars.extend(said.map(|said| bar("paper", &format!("{level}, paper"), said)));
    };
    let mut groups = by_level(records, |name, level| {
        let [interp, level] = ["interp", level].map(|level| measure.of(records, name, level));
        Some(interp? / level?)
    });
    for group in &mut groups {
        let bars = std::mem::take(&mut group.bars);
        for bar in bars.into_iter().filter(|bar| bar.name != "interp") {
            let level = bar.name.clone();
            group.bars.push(bar);
            with_paper(&mut group.bars, &group.label, &level);
        }
    }
    let mut means = Group {
        label: format!("geometric mean of {MEAN}"),
        bars: Vec::new(),
    };
    for level in ["baseline", "tracing"] {
        let quotients = LOOPS.map(|name| (measure, name, ["interp", level]));
        let here = mean(records, &quotients);
        means.bars.extend(here.map(|here| bar(level, level, here)));
        with_paper(&mut means.bars, MEAN, level);
    }
    groups.push(means);
    groups
}

/// A group for each program, with a bar for each level that has a value.
fn by_level(records: &[Record], value: impl Fn(&str, &str) -> Option<f64>) -> Vec<Group> {
    let group = |of: &[Record]| {
        let name = of[0].benchmark.as_str();
        let bars = paper::levels_of(of).filter_map(|level| {
            let value = value(name, level).filter(|value| *value > 0.0);
            value.map(|value| bar(level, level, value))
        });
        Group {
            label: name.to_string(),
            bars: bars.collect(),
        }
    };
    let groups = records.chunk_by(|a, b| a.benchmark == b.benchmark);
    groups.map(group).collect()
}

/// The programs whose JIT exceeds the interpreter's time most.
fn slower(charts: &mut Charts, records: &[Record]) -> String {
    let worst = never_slower::worst(records).into_iter();
    let group = |(_, of): (f64, &[Record])| Group {
        label: format!("{}, n = {}", of[0].benchmark, of[0].n),
        bars: (of.iter().map(|r| bar(&r.system, &r.system, r.min))).collect(),
    };
    let groups: Vec<Group> = worst.take(never_slower::LINES).map(group).collect();
    let heading = Heading {
        title: "The programs that lose most by the JIT, from a new VM on".to_string(),
        description: "Two bars for each program and size: the least time of the interpreter and of the JIT. The programs stand in the order of what the JIT takes beyond what nobody notices.".to_string(),
        axis: "processor time, logarithmic",
    };
    let chart = charts.bars(&heading, time, Scale::Logarithmic, &groups);
    let beyond = never_slower::beyond(records);
    chart
        + &table("What loses most", &never_slower::rows(records))
        + &paragraph(&format!(
            "Beyond: what the JIT takes above 1.05 times the interpreter's time; {beyond}."
        ))
}

/// How long programs take to become fast, and how fast they are then, by default against tracing
/// alone.
fn latest(charts: &mut Charts, records: &[Record]) -> String {
    let [(half, _), ..] = warm::RATIOS;
    let group = |of: &[Record]| {
        let bars = warm::RATIOS.into_iter().filter_map(|(name, systems)| {
            let quotient = warm::quotient(of, systems).filter(|quotient| *quotient > 0.0);
            let says_something = name != half || !warm::is_slow(of);
            (quotient.filter(|_| says_something)).map(|quotient| bar(name, name, quotient))
        });
        let mut bars: Vec<Bar> = bars.collect();
        // The value that is written is that of the last one, at the right end.
        bars.sort_by(|a, b| a.value.total_cmp(&b.value));
        // Only programs in Lua may have two sizes.
        let label = match of[0].benchmark.starts_with("lua/") {
            true => format!("{}, {}", of[0].benchmark, of[0].n),
            false => of[0].benchmark.clone(),
        };
        Group { label, bars }
    };
    let groups = warm::latest(records).into_iter().map(group);
    let groups: Vec<Group> = groups.filter(|group| !group.bars.is_empty()).collect();
    let heading = Heading {
        title: "By default, against tracing alone without a limit on compiling".to_string(),
        description: "A row for each program and size, with a dot for how long it takes to half of the speed at the end, if that is at least half of the speed of tracing, one for an iteration at the end, and in Lua one for the first second against LuaJIT. Left of the dashed line the default is faster.".to_string(),
        axis: "times as long, logarithmic",
    };
    charts.dots(&heading, times, &groups, 1.0)
        + &table("When programs are fast", &warm::rows(records))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_end_one_after_the_other() {
        let points = since_start(&[3.0, 2.0, 1.0]);
        assert_eq!(points, [(3.0, 3.0), (5.0, 2.0), (6.0, 1.0)]);
    }

    #[test]
    fn the_papers_number_stands_beside_the_level_that_it_is_about() {
        let record = |benchmark: &str, system: &str, seconds: f64| {
            Record::new("tiers-paper", benchmark, 9, system, &[seconds])
        };
        let records = [
            record("loop", "interp", 0.8),
            record("loop", "baseline", 0.4),
            record("loopabit", "interp", 0.8),
            record("loopabit", "baseline", 0.1),
            record("callabit", "interp", 0.8),
            record("callabit", "baseline-interp", 1.6),
        ];
        let shown: Vec<(String, Vec<(String, f64)>)> = speeds(&records, 1, Stable)
            .into_iter()
            .map(|group| {
                let bars = group.bars.into_iter().map(|bar| (bar.label, bar.value));
                (group.label, bars.collect())
            })
            .collect();
        let bar = |label: &str, value: f64| (label.to_string(), value);
        assert_eq!(
            shown,
            [
                ("loop".to_string(), vec![bar("baseline", 2.0)]),
                ("loopabit".to_string(), vec![bar("baseline", 8.0)]),
                (
                    "callabit".to_string(),
                    vec![
                        bar("baseline-interp", 0.5),
                        bar("baseline-interp, paper", 0.97)
                    ]
                ),
                (
                    "geometric mean of loop, loopabit".to_string(),
                    vec![
                        bar("baseline", 4.0),
                        bar("baseline, paper", 1.7),
                        bar("tracing, paper", 3.25)
                    ]
                ),
            ]
        );
    }
}
