//! The paper's figures from this JIT. In: a kind of number. Out: the traces of `f`'s loop for it,
//! as text with counts. Invariant: nothing is written down here that the JIT has not compiled a
//! moment ago.

use crate::machine::Machine;
use crate::number::Number;
use std::fmt::Write;
use verdigris::{KeptTrace, Options, TraceText};

/// The loop of `f` in its stages.
pub struct Loop {
    /// As recorded: figure 2.
    pub recorded: TraceText,
    /// After allocation removal alone: figure 4.
    pub without_allocations: TraceText,
    /// After everything: the first iterations, which establish what the body assumes.
    pub entry: TraceText,
    /// After everything: the loop itself.
    pub body: TraceText,
}

impl Loop {
    /// Compiles the loop for `f(y)`, which must go round a few times.
    ///
    /// # Errors
    /// If the loop was not compiled.
    pub fn compile(y: Number) -> Result<Loop, String> {
        // The paper's traces have everything that the interpreter does.
        let all = compile(y, "all-heap_cache")?;
        let removed = compile(y, "virtuals")?;
        let not_peeled = "allocation removal alone does not peel the loop, and everything does";
        let [without_allocations] = <[_; 1]>::try_from(removed.sections).map_err(|_| not_peeled)?;
        let [entry, body] = <[_; 2]>::try_from(all.sections).map_err(|_| not_peeled)?;
        Ok(Loop {
            recorded: all.recorded,
            without_allocations,
            entry,
            body,
        })
    }

    /// The traces in the order of the work, each with a name and a sentence on it.
    fn stages(&self) -> [(&'static str, &'static str, &TraceText); 4] {
        [
            (
                "recorded",
                "One iteration as the interpreter ran it: every number is a box, every method call begins with a check of the \
                 receiver's class (figure 2, which lacks the question whether the heap is used up).",
                &self.recorded,
            ),
            (
                "allocations removed",
                "After allocation removal alone: what lives and dies within the iteration is gone; the two boxes that the next \
                 iteration gets are made at the jump (figure 4, with the same question).",
                &self.without_allocations,
            ),
            (
                "entry",
                "After everything, the way into the loop: classes are checked and boxes are opened here, once.",
                &self.entry,
            ),
            (
                "body",
                "After everything, the loop: the boxes are left out across iterations too, and a guard that fails makes them.",
                &self.body,
            ),
        ]
    }
}

/// The one trace of a run with these passes of the optimiser.
fn compile(y: Number, enable_opts: &str) -> Result<KeptTrace, String> {
    // The first iteration of a run with floats adds an integer: the counter must let it pass.
    let jit = format!("threshold=3,compile_allowance=off,enable_opts={enable_opts}");
    let options = Options::parse(&jit).map_err(|error| error.to_string())?;
    let machine = Machine::new(options.keep_traces(true))?;
    machine.run(y)?;
    let mut traces = machine.vm().traces();
    match traces.pop() {
        Some(trace) if traces.is_empty() => Ok(trace),
        _ => Err(format!("f({y}) has not compiled its loop, and only that")),
    }
}

/// A column of the table: its name, and what it counts.
type Column = (&'static str, fn(&TraceText) -> usize);

const COLUMNS: &[Column] = &[
    ("new", |t| t.count_all("new")),
    ("guard_class", |t| t.count("guard_class")),
    ("reads", TraceText::reads),
    ("writes", TraceText::writes),
    ("int_add", |t| t.count("int_add")),
    ("float_add", |t| t.count("float_add")),
    ("comparisons", |t| t.count("int_gt") + t.count("float_gt")),
    ("guards", |t| t.count_all("guard_")),
    ("all", TraceText::total),
];

/// The figures for integers and for floats.
///
/// # Errors
/// If a loop was not compiled.
pub fn print() -> Result<String, String> {
    let integers = Loop::compile(Number::Integer(10))?;
    let floats = Loop::compile(Number::Float(10.5))?;
    let mut out = String::new();
    for (title, y) in [("Integers", integers), ("Floats", floats)] {
        section(&mut out, title, &y).expect("a String takes any text");
    }
    Ok(out)
}

fn section(out: &mut String, title: &str, y: &Loop) -> std::fmt::Result {
    writeln!(out, "# {title}\n")?;
    for (name, sentence, trace) in y.stages() {
        writeln!(out, "## {title}: {name}\n\n{sentence}\n")?;
        for line in trace.text.lines() {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "\n{}\n", counts(trace))?;
    }
    table(out, y)
}

/// The counts of a trace in a line, without those that are zero.
fn counts(trace: &TraceText) -> String {
    let counts = COLUMNS.iter().map(|(name, count)| (name, count(trace)));
    let shown: Vec<String> = counts
        .filter(|(_, count)| *count != 0)
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    shown.join(", ")
}

fn table(out: &mut String, y: &Loop) -> std::fmt::Result {
    write!(out, "{:20}", "operations")?;
    for (name, _) in COLUMNS {
        write!(out, "  {name}")?;
    }
    writeln!(out)?;
    for (name, _, trace) in y.stages() {
        write!(out, "{name:20}")?;
        for (column, count) in COLUMNS {
            write!(out, "  {:>width$}", count(trace), width = column.len())?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}
