//! The keys of the parameters. In: the value of a key, as text. Out: the field set, or why not.
//! Invariant: one table; the parser, the printer, the messages and
//! `docs/book/src/reference/parameters.md` agree with it.

use crate::compile::backends::BackendKind;
use crate::params::{Allowance, Compiler, JitParams, LazyArms};
use verdigris_heap::Stress;
use verdigris_opt::Passes;

/// One accepted key: its name, the values it takes, and what it means.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) values: &'static str,
    pub(super) meaning: &'static str,
    pub(super) set: fn(&mut JitParams, &str) -> Result<(), String>,
    /// The value as `set` takes it, unless there is none.
    pub(super) show: fn(&JitParams) -> Option<String>,
}

/// An integer within a range, or the reason why not.
fn number(text: &str, low: u64, high: u64, why: &str) -> Result<u64, String> {
    let value: u64 = match text.parse() {
        Ok(value) => value,
        Err(_) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => u64::MAX,
        Err(_) => return Err("not a whole number".to_string()),
    };
    match value {
        v if v < low => Err(format!("less than {low}; {why}")),
        v if v > high => Err(format!("more than {high}; {why}")),
        v => Ok(v),
    }
}

/// `0` or `1`.
fn switch(text: &str) -> Result<bool, String> {
    match text {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err("neither 0 nor 1".to_string()),
    }
}

/// A number of bytes with an optional suffix `k`, `m` or `g`.
fn bytes(text: &str, low: u64, high: u64, why: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, unit) = match lower.as_bytes().last() {
        Some(b'k') => (&lower[..lower.len() - 1], 1u64 << 10),
        Some(b'm') => (&lower[..lower.len() - 1], 1 << 20),
        Some(b'g') => (&lower[..lower.len() - 1], 1 << 30),
        _ => (&lower[..], 1),
    };
    let count = number(digits, 0, u64::MAX, "").map_err(|_| "not a number of bytes".to_string())?;
    number(&count.saturating_mul(unit).to_string(), low, high, why)
}

/// The smallest heap that is worth starting with: two of the collector's blocks and room to work.
const MIN_HEAP: u64 = 64 << 10;
/// The largest heap that can be asked for: what fits an x86-64 address space with room to spare.
const MAX_HEAP: u64 = 1 << 46;

/// A key with a number in a range as its value, for the field of the same name.
macro_rules! count {
    ($name:ident, $low:literal to $high:literal, $meaning:literal, $why:literal) => {
        Key {
            name: stringify!($name),
            values: concat!($low, " to ", $high),
            meaning: $meaning,
            set: |p, v| {
                p.$name = number(v, $low, $high, $why)? as _;
                Ok(())
            },
            show: |p| Some(p.$name.to_string()),
        }
    };
}

/// A key that is on or off, for the field of the same name.
macro_rules! switch {
    ($name:ident, $meaning:literal) => {
        Key {
            name: stringify!($name),
            values: "0 or 1",
            meaning: $meaning,
            set: |p, v| {
                p.$name = switch(v)?;
                Ok(())
            },
            show: |p| Some(u8::from(p.$name).to_string()),
        }
    };
}

/// All keys, in the order of the messages.
pub(super) const KEYS: &[Key] = &[
    count!(threshold, 1 to 1000000000, "passes of a loop before it is traced", "a loop must be passed at least once, and one passed a billion times is hot"),
    count!(function_threshold, 1 to 1000000000, "calls of a guest function before it is traced from its start", "a function must be called at least once, and one called a billion times is hot"),
    count!(thread_threshold, 0 to 1000000000, "passes or calls before a loop or guest function runs as threaded code; 0: never", "so often is never"),
    count!(max_unroll_recursion, 0 to 100, "calls of one guest function inlined in each other", "each level is a copy of the function in the trace"),
    count!(trace_eagerness, 1 to 1000000000, "failures of a guard before a bridge is traced", "a guard must fail at least once before there is anything to trace"),
    count!(arm_eagerness, 1 to 1000000000, "times that specialised code is left at an exit before what follows is specialised", "code must be left at least once before it is known what follows"),
    count!(trace_limit, 1 to 1000000, "operations after which a trace is given up", "a trace has at least one operation, and longer ones would take seconds to compile"),
    count!(decay, 0 to 1000, "thousandths that counters lose now and then", "it is a share in thousandths"),
    count!(max_aborts, 1 to 1000, "failed attempts after which a loop or guard is left alone", "each attempt costs a whole trace"),
    count!(max_invalidations, 0 to 1000000, "invalidations after which a loop is compiled without assumptions about quasi-immutable fields", "so many are as good as any"),
    count!(retrace_limit, 0 to 1000, "versions of a loop for other shapes of values", "each version is a loop of its own"),
    count!(max_retrace_guards, 0 to 1000000, "guards for each version with which a loop may get another", "so many no loop has"),
    count!(loop_longevity, 0 to 1000000000, "traces after which a loop that is not used is freed; 0: never", "so many traces no program makes"),
    Key {
        name: "code_budget",
        values: "0 to 64g, in bytes or with k, m or g",
        meaning: "how much machine code there may be before some is freed; 0: any",
        set: |p, v| {
            p.code_budget = bytes(v, 0, 64 << 30, "so much code no machine runs")? as usize;
            Ok(())
        },
        show: |p| Some(p.code_budget.to_string()),
    },
    Key {
        name: "compile_allowance",
        values: Allowance::VALUES,
        meaning: "microseconds that compiling may take before it has to wait; off: as many as it needs",
        set: |p, v| {
            p.compile_allowance = Allowance::parse(v)?;
            Ok(())
        },
        show: |p| Some(p.compile_allowance.show()),
    },
    count!(compile_share, 0 to 1000, "hundredths of the interpreter's time that compiling may take as well", "with so many there is hardly a limit"),
    count!(compile_gain, 0 to 1000, "hundredths of the time in compiled code that compiling may take as well", "with so many there is hardly a limit"),
    count!(promotion_limit, 0 to 1000000, "arms of a promotion, one behind the other", "each is compared with what comes"),
    count!(max_bridges, 1 to 1000000000, "bridges of a loop or function after which it is specialised and not traced any more", "a guard must fail before it is known that there is another way, and so many bridges nothing has"),
    count!(max_trace_depth, 1 to 64, "traces under way at once, one within a call of another", "each of them holds native stack and an unfinished trace"),
    Key {
        name: "enable_opts",
        values: "all, none, or passes joined with + and -",
        meaning: "the optimiser's passes",
        set: |p, v| {
            Passes::parse(v)?;
            p.enable_opts = v.to_string();
            Ok(())
        },
        show: |p| Some(p.enable_opts.clone()),
    },
    Key {
        name: "compiler",
        values: Compiler::NAMES,
        meaning: "who makes the code of hot loops and functions",
        set: |p, v| {
            p.compiler = Compiler::parse(v)?;
            Ok(())
        },
        show: |p| Some(p.compiler.name().to_string()),
    },
    Key {
        name: "lazy_arms",
        values: LazyArms::NAMES,
        meaning: "which arms are specialised when they are first taken, and not ahead",
        set: |p, v| {
            p.lazy_arms = LazyArms::parse(v)?;
            Ok(())
        },
        show: |p| Some(p.lazy_arms.name().to_string()),
    },
    Key {
        name: "backend",
        values: BackendKind::NAMES,
        meaning: "who runs traces",
        set: |p, v| {
            p.backend = BackendKind::parse(v)?;
            Ok(())
        },
        show: |p| Some(p.backend.to_string()),
    },
    switch!(
        interruptible,
        "let compiled loops look for interrupts from the start"
    ),
    switch!(fail_guards, "make every guard fail once"),
    count!(shuffle_tiers, 0 to 1000000, "seed of changes of tier at random; 0: there are none", "so many seeds are enough"),
    switch!(
        check_hints,
        "let compiled code panic when a hint turns out not to be true"
    ),
    Key {
        name: "stress",
        values: "0, 1 or young",
        meaning: "collect at every allocation, everything or most often what is young",
        set: |p, v| {
            let stress = Stress::named(v).ok_or("neither 0, 1 nor `young`")?;
            p.stress = Some(stress);
            Ok(())
        },
        show: |p| p.stress.map(|stress| stress.name().to_string()),
    },
    Key {
        name: "heap_limit",
        values: "64k to 64t, in bytes or with k, m or g",
        meaning: "how far the heap may grow",
        set: |p, v| {
            let why = "a smaller heap cannot hold a program, a larger one no machine has";
            p.heap_limit = Some(bytes(v, MIN_HEAP, MAX_HEAP, why)? as usize);
            Ok(())
        },
        show: |p| p.heap_limit.map(|bytes| bytes.to_string()),
    },
    Key {
        name: "jitdump",
        values: "a folder",
        meaning: "where perf finds what it needs to know of machine code",
        set: |p, v| {
            if v.is_empty() {
                return Err("no folder".to_string());
            }
            p.jitdump = Some(v.into());
            Ok(())
        },
        show: |p| {
            p.jitdump
                .as_ref()
                .map(|folder| folder.display().to_string())
        },
    },
    switch!(gdb, "tell GDB of machine code"),
];
