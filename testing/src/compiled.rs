//! The code compiled for a guest program. In: a guest with a hot loop. Out: loops and their bodies
//! as text. Invariant: the text of a trace is read here and nowhere else in the tests.

use crate::run::Run;
use verdigris::{KeptTrace, Options, TraceText};

/// Runs a guest with these parameters of the JIT; the traces are kept. Compiling may take any time,
/// so that what is compiled depends on the guest alone.
///
/// # Panics
/// If there are no such parameters.
#[track_caller]
pub fn compiled(guest: impl Fn(Options) -> Run, jit: &str) -> Run {
    let separator = if jit.is_empty() { "" } else { "," };
    let timeless = match jit.contains("compile_allowance") {
        true => jit.to_string(),
        false => format!("{jit}{separator}compile_allowance=off"),
    };
    let options = Options::parse(&timeless).and_then(Options::with_env);
    let mut options = options.unwrap_or_else(|error| panic!("{jit}: {error}"));
    options.keep_traces = true;
    guest(options)
}

impl Run {
    /// The traces that close a loop of their own. The first one became hot first: of nested loops
    /// the innermost.
    pub fn loops(&self) -> Vec<&KeptTrace> {
        self.traces.iter().filter(|t| is_loop(t)).collect()
    }

    /// The body of the loop that became hot first.
    ///
    /// # Panics
    /// If no loop was compiled.
    #[track_caller]
    pub fn body(&self) -> &TraceText {
        let first = self.traces.iter().find(|t| is_loop(t));
        let Some(first) = first else {
            panic!("no loop was compiled: {:?}", self.stats)
        };
        first.sections.last().expect("a trace has a section")
    }

    /// The compiled code, in a few lines: counts, then for each loop the operations of its body. It
    /// does not name what a change of the optimiser changes beside them.
    pub fn summary(&self) -> String {
        let stats = &self.stats;
        let aborts: u64 = stats.aborts.values().sum();
        let mut text = format!(
            "loops {}, bridges {}, aborts {aborts}\n",
            stats.loops, stats.bridges
        );
        for body in self.loops().iter().filter_map(|t| t.sections.last()) {
            text += &(operations(body).join(" ") + "\n");
        }
        text
    }

    /// Checks that loops were compiled, at most one trace was given up, and the bodies of all loops
    /// together have at most this many operations, calls, allocations, and reads and writes of
    /// memory. No operations: no loop may be compiled.
    ///
    /// # Panics
    /// If it is otherwise.
    #[track_caller]
    pub fn holds_at_most(&self, name: &str, most: [usize; 4]) {
        let loops = self.loops();
        let mut found = [0; 4];
        for body in loops.iter().filter_map(|trace| trace.sections.last()) {
            let reads_and_writes = body.reads() + body.writes();
            let (calls, new) = (body.count_all("call"), body.count_all("new"));
            let counts = [operations(body).len(), calls, new, reads_and_writes];
            found = [0, 1, 2, 3].map(|n| found[n] + counts[n]);
        }
        let is_little = found.iter().zip(most).all(|(&found, most)| found <= most);
        let aborts: u64 = self.stats.aborts.values().sum();
        let is_compiled = loops.is_empty() == (most[0] == 0) && aborts <= 1;
        assert!(
            is_little && is_compiled,
            "{name}: {found:?}, {:?}",
            self.stats
        );
    }

    /// The compiled code, in one line: the counts of [`Run::summary`], and how many operations of
    /// each kind the bodies of all loops have together. For loops whose operations would be too
    /// many to list.
    pub fn digest(&self) -> String {
        let stats = &self.stats;
        let aborts: u64 = stats.aborts.values().sum();
        let bodies: Vec<&TraceText> = self
            .loops()
            .iter()
            .filter_map(|t| t.sections.last())
            .collect();
        let sum =
            |count: &dyn Fn(&TraceText) -> usize| bodies.iter().map(|b| count(b)).sum::<usize>();
        format!(
            "loops {}, other traces {}, bridges {}, aborts {aborts}: operations {}, guards {}, calls {}, new {}, reads {}, writes {}\n",
            stats.loops,
            stats.traces - stats.loops,
            stats.bridges,
            sum(&|body| operations(body).len()),
            sum(&|body| body.count_all("guard_")),
            sum(&|body| body.count_all("call")),
            sum(&|body| body.count_all("new")),
            sum(&TraceText::reads),
            sum(&TraceText::writes),
        )
    }
}

/// Whether the last section of a trace jumps to its own start.
fn is_loop(trace: &KeptTrace) -> bool {
    let last = trace.sections.last().map_or("", |s| &s.text);
    let label = last.lines().find_map(|line| line.strip_prefix("label "));
    let jump = last
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("jump "));
    let name = |line: &str| line.split('(').next().map(str::to_string);
    label.is_some() && label.and_then(name) == jump.and_then(name)
}

/// The operations of a trace in their order, each by its name, a jump with where it goes; without
/// labels and merge points, which do nothing.
pub fn operations(trace: &TraceText) -> Vec<&str> {
    let name = |line| {
        let operation = str::split_once(line, " = ").map_or(line, |(_, rest)| rest);
        operation.split('(').next().expect("a part")
    };
    lines(trace).map(name).collect()
}

/// The text of a trace without what guards need when they fail, and without merge points.
pub fn listing(trace: &TraceText) -> String {
    let label = trace.text.lines().find(|line| line.starts_with("label "));
    let lines = label.into_iter().chain(lines(trace));
    lines.map(|line| line.to_string() + "\n").collect()
}

/// The lines of a trace that are operations.
fn lines(trace: &TraceText) -> impl Iterator<Item = &str> {
    // The first line says what the trace is given; what belongs to a guard is indented.
    let rest = trace.text.lines().skip(1);
    rest.filter(|line| !line.is_empty() && !line.starts_with(' '))
        .filter(|line| !line.starts_with("label ") && !line.starts_with("merge_point("))
}
