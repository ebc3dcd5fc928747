//! The sections of the page. In: the records. Out: for each suite a section with what it is about, charts, and a table of all its
//! figures. Invariant: no record is left out of the tables; a suite that is not known here has its bars all the same.

use crate::page::axis::Scale;
use crate::page::chart::{Bar, Charts, Group, Heading, Line};
use crate::page::html::{details, escape, megabytes, paragraph, table, three_digits, time, times};
use crate::record::{Record, Warmup};

/// What a suite is about.
struct About {
    suite: &'static str,
    title: &'static str,
    text: &'static str,
}

const SUITES: [About; 14] = [
    About {
        suite: "tables",
        title: "Loops: the tables of the 2009 paper",
        text: "TLC is a stack language with boxed integers and objects. The factorial multiplies, fibonacci adds, the accumulator calls a method of an object whose class is not known before. With n = 10 nothing gets hot: that is what it costs to have a JIT and not to need it.",
    },
    About {
        suite: "tla",
        title: "Calls: recursion in the interpreter",
        text: "In TLA a call of a guest function is a call of the interpreter. fib does nothing but recurse; callabit calls a function with a loop from a loop.",
    },
    About {
        suite: "methods",
        title: "Method calls in three object models",
        text: "The same programs in the three stages of the 2011 paper on runtime feedback: attributes in dictionaries, maps that promote classes, and versions of classes on top. The counter calls one method, the shapes are of three classes that answer the same calls. Rust uses trait objects.",
    },
    About {
        suite: "stackvm",
        title: "A stack machine with an enum of values",
        text: "Loops over integers, floats and lists, with the checks that the language prescribes: overflow, division by zero, bounds, types. Rust makes the same checks. The machine reads its program for each run, so compilation is included.",
    },
    About {
        suite: "library",
        title: "Lists, maps and builders of the library",
        text: "Loops that do one thing with a data structure of the library, which compiled code inlines, against the same loop over a Vec, a HashMap with an equally simple hash, or a String.",
    },
    About {
        suite: "frames",
        title: "Frames that others may look at",
        text: "Loops whose frames live in registers while nobody looks, with somebody who does not look, who asks where the functions are, and who reads a variable in every turn. With nothing kept, the frame is in memory at every call.",
    },
    About {
        suite: "programs",
        title: "Every program in the repository",
        text: "How many times as fast as the interpreter each program is: in the first run of a new VM, with everything that compilation costs, and in a later run. These runs are short, a few milliseconds, as tests are; left of the line the JIT does not pay. Programs that end in errors are left out.",
    },
    About {
        suite: "warmup",
        title: "Warm-up",
        text: "Complete runs of small programs one after the other, from the first in a new VM on: each curve is the median of several VMs. The ring marks the first iteration that is within a tenth of the final level, with the next ones. The cost is what the iterations before took beyond that level, in iterations of the final level.",
    },
    About {
        suite: "compile",
        title: "What compilation costs",
        text: "Processor time for each recorded operation of hot loops in TLC: tracing, optimising, and the backend that makes machine code.",
    },
    About {
        suite: "scaling",
        title: "How compilation grows with the length of a trace",
        text: "Generated loops of growing length. A line that stays level means that a trace of twice the length takes twice as long.",
    },
    About {
        suite: "removed",
        title: "What the optimiser removes",
        text: "Operations of all compiled traces of every program in the repository, as recorded and after optimisation, of all sections: a peeled loop has two, its first iteration and its body.",
    },
    About {
        suite: "translate",
        title: "Translation at build time",
        text: "What translating an interpreter adds to its build, by the lines of its source: generated interpreters of growing length.",
    },
    About {
        suite: "startup",
        title: "Start-up",
        text: "An empty program, from the start of the process to its end.",
    },
    About {
        suite: "memory",
        title: "Memory",
        text: "The largest resident set of a process that runs one program, interpreted and with the JIT; the accumulator in other systems as well.",
    },
];

/// A system as people call it.
pub fn full_name(system: &str) -> &str {
    match system {
        "interp" => "interpreter",
        "rust" => "Rust",
        "c" => "C",
        "csharp" => "C# (Mono)",
        "java" => "Java",
        "luajit" => "LuaJIT",
        "pypy" => "PyPy",
        "node" => "Node",
        "lua" => "Lua",
        other => other,
    }
}

/// All sections: the known suites in their order, then the others.
pub fn sections(charts: &mut Charts, records: &[Record]) -> String {
    let mut text = String::new();
    for about in &SUITES {
        let of_suite = of(records, about.suite);
        if !of_suite.is_empty() {
            let inside = paragraph(about.text) + &inside(charts, about.suite, &of_suite);
            text += &section(about.suite, about.title, &inside, &of_suite);
        }
    }
    let mut others: Vec<&str> = records.iter().map(|record| record.suite.as_str()).collect();
    others.retain(|suite| SUITES.iter().all(|about| about.suite != *suite));
    others.dedup();
    for suite in others {
        let of_suite = of(records, suite);
        let inside = inside(charts, suite, &of_suite);
        text += &section(suite, suite, &inside, &of_suite);
    }
    text
}

fn of<'a>(records: &'a [Record], suite: &str) -> Vec<&'a Record> {
    let records = records.iter();
    records.filter(|record| record.suite == suite).collect()
}

fn section(suite: &str, title: &str, inside: &str, records: &[&Record]) -> String {
    format!(
        "<section id=\"suite-{}\"><h2>{}</h2>\n{inside}{}</section>\n",
        escape(suite),
        escape(title),
        details("All figures", &figures(records))
    )
}

/// The charts of a suite, and the tables that say more than all figures do.
fn inside(charts: &mut Charts, suite: &str, records: &[&Record]) -> String {
    match suite {
        "programs" => programs(charts, records),
        "warmup" => warmup(charts, records),
        "compile" => phases(charts, records),
        "scaling" => scaling(charts, records),
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
        _ => by_size(charts, suite, records),
    }
}

/// A chart for each size that the benchmarks were run with; sizes that differ from benchmark to benchmark share one.
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

/// A line for each kind of loop: what an operation costs the optimiser, by the length of the trace.
fn scaling(charts: &mut Charts, records: &[&Record]) -> String {
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
            title: format!("{title} for each recorded operation"),
            description:
                "A line for each kind of loop, over the number of operations in the trace."
                    .to_string(),
            axis: "operations in the trace; both axes are logarithmic",
        };
        let scales = [Scale::Logarithmic; 2];
        charts.lines(&heading, [three_digits, time], scales, &lines)
    };
    [("optimising", "Optimising"), ("total", "All phases")]
        .iter()
        .map(chart)
        .collect()
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
    let lines = lines(
        records,
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

/// All that the records say but the single runs.
fn figures(records: &[&Record]) -> String {
    let header = [
        "benchmark",
        "n",
        "system",
        "median",
        "quartiles",
        "range",
        "runs",
        "memory",
        "count",
    ];
    let mut rows = vec![header.map(str::to_string).to_vec()];
    let none = || "–".to_string();
    rows.extend(records.iter().map(|record| {
        let pair = |low: f64, high: f64| format!("{} to {}", time(low), time(high));
        let mut cells = vec![
            record.benchmark.clone(),
            record.n.to_string(),
            record.system.clone(),
        ];
        cells.extend(match record.is_timed() {
            true => [
                time(record.seconds),
                pair(record.q1, record.q3),
                pair(record.min, record.max),
                record.samples.len().to_string(),
            ],
            false => [none(), none(), none(), none()],
        });
        cells.push(
            record
                .max_rss
                .map_or_else(none, |bytes| megabytes(bytes as f64)),
        );
        cells.push(record.count.map_or_else(none, |count| count.to_string()));
        cells
    }));
    table("All figures", &rows)
}
