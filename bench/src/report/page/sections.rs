//! The sections of the page. In: the records. Out: for each suite a section with what it is about,
//! charts, and a table of all its figures. Invariant: no record is left out of the tables.

use crate::measure::record::Record;
use crate::report::page::chart::Charts;
use crate::report::page::html::{details, escape, megabytes, paragraph, table, time};
use crate::report::page::suites::inside;

/// The subject of a suite.
struct About {
    suite: &'static str,
    title: &'static str,
    text: &'static str,
}

const SUITES: [About; 30] = [
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
        suite: "entries",
        title: "Calls from native code into the guest",
        text: "Native code calls a guest function again and again: one that returns at once, and one with a short loop. The frame and the boxed number that each call allocates are in both times.",
    },
    About {
        suite: "regions",
        title: "Ways through a loop",
        text: "Loops whose iterations take one of two or of nine ways, by the bits of a random number: with a bridge for each guard, as the engine compiles them, and as one region, on both backends, beside Rust. With 20 values more that go around.",
    },
    About {
        suite: "heap",
        title: "The heap",
        text: "In compiled code: nodes of 24 bytes that are made in chains of 64, between others that live, references stored in old nodes, and numbers stored in them. Collections: of everything with a tree of 537 MB, of the young generation with 64 MB, 50,000 roots and 10,000 weak references, and of ten times as much garbage as lives.",
    },
    About {
        suite: "activations",
        title: "Where frames are",
        text: "One language with five interpreters that differ in nothing but where frames are: registers in an array for each call, the same with arrays that are used again, frames on the heap and one activation of the interpreter, frames at which others may look, and one long stack. Loops without calls, with a call of a small function, of one with a hundred registers, and of a native function; recursion, and recursion 5,000 calls deep.",
    },
    About {
        suite: "lua",
        title: "Programs in Lua",
        text: "The core of Lua on Verdigris, PUC Lua and LuaJIT run the same files: the interpreter alone, the first iteration in a process, and a later one.",
    },
    About {
        suite: "python",
        title: "Programs in Python",
        text: "Python on Verdigris, CPython and PyPy run the same files: the interpreter alone, the first iteration in a process, and a later one.",
    },
    About {
        suite: "registers",
        title: "What a register costs",
        text: "Loops in Lua that write n registers in every turn, and turn so often that all of them write as many. Of the locals only the last is read; what is carried lives from turn to turn.",
    },
    About {
        suite: "programs",
        title: "Every program in the repository",
        text: "How many times as fast as the interpreter each program is: in the first run of a new VM, with everything that compilation costs, and in a later run. These runs are short, a few milliseconds, as tests are; left of the line the JIT does not pay. Programs that end in errors are left out.",
    },
    About {
        suite: "specialise",
        title: "The second compiler",
        text: "Programs of five languages with the interpreter alone, with the tracer, with the second compiler, which evaluates the interpreter partially, and with both: the first run in a new VM, and a later one.",
    },
    About {
        suite: "ways",
        title: "Where tracing alone does badly",
        text: "Programs whose loops take other ways each time, from a new VM to its end: a branch by a random number, fifty branches in a row, an interpreter in the guest language, recursion over trees, calls of one method of objects of many classes, and straight code that runs twenty times.",
    },
    About {
        suite: "growth",
        title: "What the second compiler costs",
        text: "Generated loops of growing length, straight and with places where two ways meet: seconds of specialising and optimising, and of the backend, for each guest instruction. A line that stays level means that code of twice the length takes twice as long.",
    },
    About {
        suite: "warmup",
        title: "Warm-up",
        text: "Complete runs of small programs one after the other, from the first in a new VM on: each curve is the median of several VMs. The ring marks the first iteration that is within a tenth of the final level, with the next ones. The cost is what the iterations before took beyond that level, in iterations of the final level.",
    },
    About {
        suite: "tiers-curves",
        title: "Warm-up with each compiler alone",
        text: "Small programs of five languages from a new VM on, once with the interpreter alone, once as threaded code, once by tracing alone, once by partial evaluation alone, and once as it is by default, where tracing comes first and partial evaluation is for what does not suit it. Nothing else differs, so that the limit on what compiling may cost is there in all of them.",
    },
    About {
        suite: "tiers-paper",
        title: "Levels: figures 4 to 7 of the 2022 paper",
        text: "The paper's programs in TLA, each function on the level that its calls name: interpreted, baseline, which is partial evaluation here and threaded code in the paper, or tracing. The paper's baseline calls the interpreter's handlers and ours does not, so it is faster here, and its code is larger. Nothing limits what may be compiled.",
    },
    About {
        suite: "tiers-slower",
        title: "What the JIT costs where it gains nothing",
        text: "Every program with a hundredth and a tenth of its usual size, from a new VM to its end: with the JIT as it is by default, and without one.",
    },
    About {
        suite: "tiers-warm",
        title: "How soon programs are fast",
        text: "The time from a new VM on until an iteration takes at most twice as long as those at the end, and the time of an iteration at the end: by default, and by tracing alone without a limit on what compiling may cost.",
    },
    About {
        suite: "tiers-costs",
        title: "What threaded code costs",
        text: "Generated loops of growing length that run as threaded code: seconds for each guest instruction until it has its code. The code of an instruction is compiled once; a place that has the same instruction needs only a record, so the longer the loop, the less each place costs.",
    },
    About {
        suite: "compile",
        title: "What compilation costs",
        text: "Processor time for each recorded operation of hot loops in TLC: tracing, optimising, and the backend that makes machine code.",
    },
    About {
        suite: "layered",
        title: "Code for a host that compiles it once more",
        text: "Programs in TLC, the three of the 2009 paper first: interpreted, as our own machine code, by the host that interprets methods, and as CIL that Mono compiles in the same process. `cil-compiling` is what making and compiling methods takes.",
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
        "luajit-cold" => "LuaJIT, first",
        "pypy" => "PyPy",
        "pypy-cold" => "PyPy, first",
        "cpython" => "CPython",
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
