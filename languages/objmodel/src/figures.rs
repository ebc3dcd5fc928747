//! The figures of the 2011 paper on runtime feedback, measured. What the JIT
//! records and compiles for the paper's expression on each stage of the object model, and a table
//! of what is left. Invariant: every number is counted in a trace of this run.
//!
//! The expression is `inst.a + inst.b + inst.c`, in a hot loop: `a` is found in the instance, `b`
//! and `c` in its class. The recorded traces are figures 3, 5 and 7, the entry of the optimised
//! trace with versions is figure 8.

use crate::disasm::instruction_at;
use crate::image::Image;
use crate::machine::{MAX_DEPTH, Machine, Stage, load};
use std::fmt::Write;
use verdigris::{KeptTrace, Options, TraceText};

/// The program; its only loop computes the expression.
pub const PROGRAM: &str = "\
class Example {
    b = 41;
    c = 17;
}
inst = new Example;
inst.a = 1;
sum = 0;
i = 0;
while i < 3000 {
    sum = sum + (inst.a + inst.b + inst.c);
    i = i + 1;
}
print sum;
";

/// The traces of one stage.
pub struct Figure {
    /// The stage.
    pub stage: Stage,
    /// The program.
    pub image: Image,
    /// As recorded.
    pub recorded: TraceText,
    /// The part that runs once, when the loop is entered.
    pub entry: TraceText,
    /// The part that runs in each of the other iterations.
    pub body: TraceText,
}

/// Runs the program on each stage.
///
/// # Errors
/// If the JIT does not do what the figures are about.
pub fn measure() -> Result<Vec<Figure>, String> {
    let figures = Stage::ALL.map(measure_stage);
    figures.into_iter().collect()
}

fn measure_stage(stage: Stage) -> Result<Figure, String> {
    let image = load(PROGRAM.as_bytes(), "expression")?;
    // The paper's traces have everything that the interpreter does.
    let options = Options::parse("compile_allowance=off,enable_opts=all-heap_cache");
    let options = options
        .map_err(|error| error.to_string())?
        .keep_traces(true);
    let machine = Machine::new(options, stage, MAX_DEPTH)?;
    let outcome = machine.run(&image, &[], true);
    if outcome.to_string() != "177000\n" {
        return Err(format!("the program printed {outcome}"));
    }
    let traces = machine.vm().traces();
    let [
        KeptTrace {
            recorded, sections, ..
        },
    ] = traces.as_slice()
    else {
        return Err(format!("{} traces were compiled", traces.len()));
    };
    let [entry, body] = sections.as_slice() else {
        return Err(format!("the loop has {} sections", sections.len()));
    };
    Ok(Figure {
        stage,
        image,
        recorded: recorded.clone(),
        entry: entry.clone(),
        body: body.clone(),
    })
}

/// How many dictionaries are looked into.
pub fn lookups(trace: &TraceText) -> usize {
    trace.count_calls("dict_get")
}

/// How many guards check what an object model promoted: maps, classes, versions.
pub fn promotions(trace: &TraceText) -> usize {
    trace.count("guard_value")
}

/// The figures as text.
pub fn render(figures: &[Figure]) -> String {
    let mut out = format!("The program:\n\n{PROGRAM}\n{READING}");
    for figure in figures {
        for (title, trace) in [
            ("recorded", &figure.recorded),
            ("optimised, entry", &figure.entry),
            ("optimised, body", &figure.body),
        ] {
            let name = figure.stage.name();
            let _ = write!(
                out,
                "\n--- {name}: {title} ---\n\n{}",
                listing(trace, &figure.image)
            );
        }
    }
    table(&mut out, figures);
    out
}

const READING: &str = "\
The traces follow without what guards need when they fail, below the bytecode instructions that they come from. `ref(N)`
is a constant object. The loop is peeled: the entry runs once and checks what the body then assumes.
";

/// A trace without what guards need when they fail. The instruction of the program that an
/// operation belongs to stands above it.
pub fn listing(trace: &TraceText, image: &Image) -> String {
    let mut out = String::new();
    let mut instruction = None;
    // What belongs to a guard is indented.
    for line in trace.text.lines().filter(|line| !line.starts_with(' ')) {
        if let Some(pc) = merge_point(line) {
            instruction = Some(instruction_at(image, pc));
            continue;
        }
        if let Some(text) = instruction.take() {
            let _ = writeln!(out, "    # {text}");
        }
        let _ = writeln!(out, "{line}");
    }
    out
}

/// The pc of a line that begins an instruction.
fn merge_point(line: &str) -> Option<usize> {
    let greens = line.strip_prefix("merge_point(")?;
    greens.split(',').next()?.parse().ok()
}

fn table(out: &mut String, figures: &[Figure]) {
    let _ = write!(
        out,
        "\n--- what is left ---\n\n{:<10}{:<11}{:>13}{:>13}{:>14}{:>13}\n",
        "stage", "trace", "operations", "dict_get", "guard_value", "all guards"
    );
    for figure in figures {
        for (title, trace) in [
            ("recorded", &figure.recorded),
            ("entry", &figure.entry),
            ("body", &figure.body),
        ] {
            let _ = writeln!(
                out,
                "{:<10}{title:<11}{:>13}{:>13}{:>14}{:>13}",
                figure.stage.name(),
                trace.total(),
                lookups(trace),
                promotions(trace),
                trace.count_all("guard_")
            );
        }
    }
    out.push_str(EXPLANATION);
}

const EXPLANATION: &str = "
`dict_get` looks into a dictionary: five times in figure 3, twice in figure 5, never in figures 7 and 8. `guard_value` checks
that a promoted value is what it was: with versions the entry has three, for the map, the class and the version, as
figure 8. The other guards are the interpreter's: types of values, bounds of the frame's slots, the loop's condition,
and, where dictionaries are looked into, whether something was found and whether the call panicked. The body of the
loop with versions repeats none of the three: nothing in the loop can change what they checked.
";
