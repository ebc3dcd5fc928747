//! The charts of each suite. In: its records. Out: charts, and tables that say more than those of
//! all figures. Invariant: a suite that is not known here has its bars all the same.

use crate::measure::record::{Record, Warmup};
use crate::report::page::axis::Scale;
use crate::report::page::chart::{Bar, Charts, Group, Heading, Line};
use crate::report::page::html::{megabytes, table, three_digits, time, times};
use crate::report::page::tiers;

/// The charts of a suite, and the tables that say more than all figures do.
pub fn inside(charts: &mut Charts, suite: &str, records: &[&Record]) -> String {
    match suite {
        "programs" => programs(charts, records),
        "warmup" => warmup(charts, records),
        "compile" => phases(charts, records),
        "scaling" => by_length(
            charts,
            records,
            [
                "recorded operation",
                "operations in the trace; both axes are logarithmic",
            ],
            &[("optimising", "Optimising"), ("total", "All phases")],
        ),
        "growth" => by_length(
            charts,
            records,
            [
                "guest instruction",
                "guest instructions in the loop; both axes are logarithmic",
            ],
            &[
                ("optimising", "Specialising and optimising"),
                ("backend", "The backend"),
            ],
        ),
        "tiers-costs" => by_length(
            charts,
            records,
            [
                "guest instruction",
                "guest instructions that run as threaded code; both axes are logarithmic",
            ],
            &[("threaded", "All that is done for it")],
        ),
        "removed" => removed(charts, records),
        "translate" => translate(charts, records),
        "startup" => {
            bars(
                charts,
                records,
                "start-up of an empty program",
                Scale::Linear,
            ) + &memory(charts, records)
        }
        "memory" => memory(charts, records),
        "tiers-curves" | "tiers-paper" | "tiers-slower" | "tiers-warm" => {
            tiers::inside(charts, suite, records)
        }
        _ => by_size(charts, suite, records),
    }
}

/// A chart for each size that the benchmarks were run with; sizes that differ from benchmark to
/// benchmark share one.
fn by_size(charts: &mut Charts, suite: &str, records: &[&Record]) -> String {
    let mut sizes: Vec<i64> = records.iter().map(|record| record.n).collect();
    sizes.sort();
    sizes.dedup();
    let everywhere = |n: &i64| {
        records.iter().all(|r| {
            records
                .iter()
                .any(|o| o.benchmark == r.benchmark && o.n == *n)
        })
    };
    if sizes.len() < 2 || !sizes.iter().all(everywhere) {
        return bars(charts, records, suite, Scale::Logarithmic);
    }
    let chart = |n: &i64| {
        let of_size: Vec<&Record> = records.iter().copied().filter(|r| r.n == *n).collect();
        bars(
            charts,
            &of_size,
            &format!("{suite}, n = {n}"),
            Scale::Logarithmic,
        )
    };
    sizes.iter().rev().map(chart).collect()
}

/// Benchmarks in the order in which they come first, with their sizes.
fn benchmarks(records: &[&Record]) -> Vec<(String, i64)> {
    let mut found: Vec<(String, i64)> = Vec::new();
    for record in records {
        let this = (record.benchmark.clone(), record.n);
        if !found.contains(&this) {
            found.push(this);
        }
    }
    found
}

/// Groups of bars by benchmark, with what a record says.
fn groups(records: &[&Record], bar: impl Fn(&Record) -> Option<Bar>) -> Vec<Group> {
    let group = |(benchmark, n): (String, i64)| {
        let of = records
            .iter()
            .filter(|r| r.benchmark == benchmark && r.n == n);
        let bars = of.filter_map(|record| bar(record)).collect();
        let label = if n == 0 {
            benchmark
        } else {
            format!("{benchmark}, n = {n}")
        };
        Group { label, bars }
    };
    let all = benchmarks(records).into_iter().map(group);
    all.filter(|group| !group.bars.is_empty()).collect()
}

fn timed_bar(record: &Record) -> Option<Bar> {
    record.is_timed().then(|| Bar {
        name: record.system.clone(),
        label: record.system.clone(),
        value: record.seconds,
        spread: Some((record.q1, record.q3)),
    })
}

fn bars(charts: &mut Charts, records: &[&Record], title: &str, scale: Scale) -> String {
    let heading = Heading {
        title: format!("Processor time: {title}"),
        description: "A bar for each system, by benchmark: the median, with whiskers from the first to the third quartile. Shorter is faster.".to_string(),
        axis: match scale {
            Scale::Linear => "processor time",
            Scale::Logarithmic => "processor time, logarithmic",
        },
    };
    charts.bars(&heading, time, scale, &groups(records, timed_bar))
}

/// A chart for each language: how many times as fast as the interpreter.
fn programs(charts: &mut Charts, records: &[&Record]) -> String {
    let language = |record: &Record| record.benchmark.split('/').next().unwrap_or("").to_string();
    let mut languages: Vec<String> = records.iter().map(|record| language(record)).collect();
    languages.dedup();
    let chart = |name: &String| {
        let of: Vec<&Record> = records
            .iter()
            .copied()
            .filter(|r| language(r) == *name)
            .collect();
        let speedup = |record: &Record| {
            let interp = of
                .iter()
                .find(|r| r.system == "interp" && r.benchmark == record.benchmark)?;
            (record.system != "interp" && record.seconds > 0.0).then(|| Bar {
                name: record.system.clone(),
                label: record.system.clone(),
                value: interp.seconds / record.seconds,
                spread: None,
            })
        };
        let mut groups = groups(&of, speedup);
        for group in &mut groups {
            let short = group.label.split(", n = ").next().unwrap_or("");
            group.label = short
                .split_once('/')
                .map_or(short, |name| name.1)
                .to_string();
        }
        let heading = Heading {
            title: format!("{name}: speed relative to its interpreter"),
            description: "A row for each program with a dot for the first run in a VM and one for a later run. Further right is faster; on the dashed line the JIT is as fast as the interpreter.".to_string(),
            axis: "times as fast as the interpreter, logarithmic",
        };
        charts.dots(&heading, times, &groups, 1.0)
    };
    languages.iter().map(chart).collect()
}

fn warmup(charts: &mut Charts, records: &[&Record]) -> String {
    let mut text = String::from("<div class=\"pairs\">\n");
    let mut rows = vec![
        [
            "program",
            "system",
            "first",
            "final",
            "warm at",
            "cost in iterations",
        ]
        .map(str::to_string)
        .to_vec(),
    ];
    for (benchmark, n) in benchmarks(records) {
        let of = records
            .iter()
            .filter(|r| r.benchmark == benchmark && r.n == n);
        let mut lines = Vec::new();
        for (record, warmup) in of.filter_map(|r| Some((r, r.warmup.as_ref()?))) {
            lines.push(curve(&record.system, warmup));
            rows.push(vec![
                benchmark.clone(),
                record.system.clone(),
                warmup.curve.first().copied().map_or("–".to_string(), time),
                time(record.seconds),
                warmup.reached.map_or("–".to_string(), |at| at.to_string()),
                format!("{:.1}", warmup.cost),
            ]);
        }
        let heading = Heading {
            title: format!("{benchmark}, n = {n}"),
            description: "The time of each iteration from the first on, interpreted and with the JIT. Lower is faster.".to_string(),
            axis: "iteration; time is logarithmic",
        };
        let scales = [Scale::Linear, Scale::Logarithmic];
        text += &charts.lines(&heading, [three_digits, time], scales, &lines);
    }
    text + "</div>\n" + &table("When programs are warm", &rows)
}

fn curve(system: &str, warmup: &Warmup) -> Line {
    let points = warmup.curve.iter().zip(1..);
    Line {
        name: system.to_string(),
        points: points
            .map(|(seconds, i)| (f64::from(i), *seconds))
            .collect(),
        mark: warmup
            .reached
            .filter(|at| *at > 1 && system != "interp")
            .map(|at| (at - 1, format!("warm at {at}"))),
    }
}

/// Seconds for an operation, by phase.
fn phases(charts: &mut Charts, records: &[&Record]) -> String {
    let heading = Heading {
        title: "Processor time for each recorded operation".to_string(),
        description: "A bar for each phase of compilation, by program: the median, with whiskers from the first to the third quartile.".to_string(),
        axis: "processor time for an operation",
    };
    let mut groups = groups(records, |record| {
        timed_bar(record).filter(|bar| bar.name != "total")
    });
    for group in &mut groups {
        let of = records
            .iter()
            .find(|r| group.label.starts_with(&format!("{}, n", r.benchmark)));
        if let Some(count) = of.and_then(|record| record.count) {
            group.label = group.label.split(", n").next().unwrap_or("").to_string()
                + &format!(", {count} operations");
        }
    }
    charts.bars(&heading, time, Scale::Linear, &groups)
}

/// A line for each kind of loop: what an operation or instruction costs in a phase, by the length
/// of what is compiled.
fn by_length(
    charts: &mut Charts,
    records: &[&Record],
    [unit, axis]: [&'static str; 2],
    systems: &[(&str, &str)],
) -> String {
    let chart = |(system, title): &(&str, &str)| {
        let of: Vec<&Record> = records
            .iter()
            .copied()
            .filter(|r| r.system == *system)
            .collect();
        let lines = lines(
            &of,
            |record| &record.benchmark,
            |record| (record.count.unwrap_or(0) as f64, record.seconds),
        );
        let heading = Heading {
            title: format!("{title} for each {unit}"),
            description: "A line for each kind of loop, over its length.".to_string(),
            axis,
        };
        let scales = [Scale::Logarithmic; 2];
        charts.lines(&heading, [three_digits, time], scales, &lines)
    };
    systems.iter().map(chart).collect()
}

fn lines(
    records: &[&Record],
    name: impl Fn(&Record) -> &String,
    point: impl Fn(&Record) -> (f64, f64),
) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for record in records {
        let name = name(record);
        let index = lines
            .iter()
            .position(|line| line.name == *name)
            .unwrap_or_else(|| {
                lines.push(Line {
                    name: name.clone(),
                    points: Vec::new(),
                    mark: None,
                });
                lines.len() - 1
            });
        lines[index].points.push(point(record));
    }
    lines
}

fn translate(charts: &mut Charts, records: &[&Record]) -> String {
    let heading = Heading {
        title: "Time to translate an interpreter".to_string(),
        description: "A line for each phase and for all of them, over the lines of the source."
            .to_string(),
        axis: "lines of source",
    };
    let interpreters: Vec<&Record> = records
        .iter()
        .copied()
        .filter(|r| r.benchmark == "interpreter")
        .collect();
    let lines = lines(
        &interpreters,
        |record| &record.system,
        |record| (record.n as f64, record.seconds),
    );
    charts.lines(&heading, [three_digits, time], [Scale::Linear; 2], &lines)
}

/// Counts of all programs by kind of operation, and a table of what is left of each program.
fn removed(charts: &mut Charts, records: &[&Record]) -> String {
    let side = |record: &Record| {
        let (kind, when) = record.system.rsplit_once(' ')?;
        Some((kind.to_string(), when.to_string(), record.count?))
    };
    let mut groups: Vec<Group> = Vec::new();
    for (kind, when, count) in records
        .iter()
        .filter(|r| r.benchmark == "total")
        .filter_map(|r| side(r))
    {
        if groups.last().is_none_or(|group| group.label != kind) {
            groups.push(Group {
                label: kind,
                bars: Vec::new(),
            });
        }
        let bar = Bar {
            label: when.clone(),
            name: when,
            value: count as f64,
            spread: None,
        };
        groups.last_mut().expect("there is one").bars.push(bar);
    }
    let heading = Heading {
        title: "Operations of all programs, before and after optimisation".to_string(),
        description:
            "Two bars for each kind of operation: how many were recorded, and how many are left."
                .to_string(),
        axis: "operations",
    };
    charts.bars(&heading, three_digits, Scale::Linear, &groups)
}

fn memory(charts: &mut Charts, records: &[&Record]) -> String {
    let heading = Heading {
        title: "Largest resident set".to_string(),
        description:
            "A bar for each system, by program: the largest amount of memory of the process."
                .to_string(),
        axis: "megabytes, logarithmic",
    };
    let bar = |record: &Record| {
        Some(Bar {
            name: record.system.clone(),
            label: record.system.clone(),
            value: record.max_rss? as f64,
            spread: None,
        })
    };
    charts.bars(
        &heading,
        megabytes,
        Scale::Logarithmic,
        &groups(records, bar),
    )
}
