//! Parameters of the JIT. In: the text a user gives (`--jit threshold=7,backend=oracle`), or fields
//! set by a program. Out: [`JitParams`] and [`Options`]. Invariant: every value of a parsed
//! [`JitParams`] lies in its documented range, so no later stage checks it again; a text that is
//! not understood is refused with what would have been.

mod allowance;
mod compiler;
mod keys;

pub use allowance::Allowance;
pub use compiler::{Compiler, LazyArms};

use crate::code::guard_info::GuardSite;
use crate::compile::backends::BackendKind;
use crate::observe::hooks::SharedHooks;
use crate::observe::profile::Profiling;
use crate::params::keys::KEYS;
use std::env::VarError;
use std::fmt;
use std::path::PathBuf;
use verdigris_heap::{HeapOptions, Stress};

/// When and how traces are made and compiled. The names follow RPython's where it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JitParams {
    /// Whether anything is traced or compiled at all.
    pub on: bool,
    /// A loop is traced when it has been passed this often.
    pub threshold: u32,
    /// A guest function is traced from its start when it has been called this often.
    pub function_threshold: u32,
    /// A loop or guest function that has been passed or called this often runs as threaded code
    /// until it is hot; 0: never.
    pub thread_threshold: u32,
    /// How many calls of one guest function are inlined in each other. One that recurses further is
    /// no longer inlined anywhere, but called.
    pub max_unroll_recursion: u32,
    /// A failing guard is continued by a bridge when it has failed this often.
    pub trace_eagerness: u32,
    /// An exit of code that was made by partial evaluation is continued by more of it when it has
    /// been taken this often.
    pub arm_eagerness: u32,
    /// A recorded trace longer than this is given up.
    pub trace_limit: usize,
    /// How much counters lose when a loop has become hot or the heap was collected, in thousandths.
    pub decay: u32,
    /// A loop or guard whose trace was given up this often is not tried again.
    pub max_aborts: u32,
    /// A loop or guard whose code was invalidated this often, because a quasi-immutable field was
    /// written, is compiled without such assumptions; 0: always.
    pub max_invalidations: u32,
    /// Versions that a loop may have beside its first, for values of other classes and shapes.
    pub retrace_limit: u32,
    /// A loop gets another version only as long as what was compiled for it has no more than so
    /// many guards for each version.
    pub max_retrace_guards: u32,
    /// A loop that has not been entered for this many traces is freed with its bridges, unless a
    /// loop that is still in use jumps to it; 0: never.
    pub loop_longevity: u32,
    /// Bytes of machine code above which loops are freed before more is compiled, those first that
    /// were not entered for longest; 0: none.
    pub code_budget: usize,
    /// Time that compiling, and leaving compiled code, may take beside the following shares of the
    /// time that the program has run.
    pub compile_allowance: Allowance,
    /// The share of the interpreter's time that compiling may take, in hundredths.
    pub compile_share: u32,
    /// The share of the time in compiled code that compiling may take, in hundredths.
    pub compile_gain: u32,
    /// Values of one promotion that get bridges, each of which tests one more.
    pub promotion_limit: u32,
    /// With so many bridges the code of a place, if it may be specialised, has more ways than
    /// traces suit.
    pub max_bridges: u32,
    /// Traces that may be under way at once, one in a residual call of another.
    pub max_trace_depth: u32,
    /// The optimiser's passes: `all`, `none`, or a list with `+` and `-`.
    pub enable_opts: String,
    /// What makes the code of hot loops and functions of the guest program.
    pub compiler: Compiler,
    /// Where partial evaluation ends until the guest program has gone one way or the other, and
    /// then compiles that one.
    pub lazy_arms: LazyArms,
    /// What compiles traces.
    pub backend: BackendKind,
    /// Whether compiled loops can be interrupted from the start, and not only since
    /// [`crate::Vm::interrupt_handle`].
    pub interruptible: bool,
    /// Whether every guard fails once although it holds (for tests of deoptimisation).
    pub fail_guards: bool,
    /// The seed of changes of tier at random (for tests of them); 0: there are none.
    pub shuffle_tiers: u32,
    /// Whether compiled code finds out again what it knows because of hints, and panics if that is
    /// not true: `#[elidable]`, `#[readonly]`, fields that are no `Cell`s.
    pub check_hints: bool,
    /// Collect at every allocation and poison what is freed; overrides [`HeapOptions::stress`] if
    /// given.
    pub stress: Option<Stress>,
    /// Bytes the heap may grow to; overrides [`HeapOptions::limit`] if given.
    pub heap_limit: Option<usize>,
    /// The folder in which `perf` finds what it needs to know of machine code, if it is to know.
    pub jitdump: Option<PathBuf>,
    /// Whether GDB is told of machine code.
    pub gdb: bool,
}

impl Default for JitParams {
    fn default() -> JitParams {
        JitParams {
            on: true,
            threshold: 1039,
            function_threshold: 1619,
            thread_threshold: 0,
            max_unroll_recursion: 7,
            trace_eagerness: 100,
            arm_eagerness: 2,
            trace_limit: 2000,
            decay: 40,
            max_aborts: 3,
            max_invalidations: 8,
            retrace_limit: 5,
            max_retrace_guards: 16,
            loop_longevity: 1000,
            code_budget: 0,
            compile_allowance: Allowance::Usual,
            compile_share: 5,
            compile_gain: 200,
            promotion_limit: 64,
            max_bridges: 150,
            max_trace_depth: 4,
            enable_opts: "all".to_string(),
            compiler: Compiler::default(),
            lazy_arms: LazyArms::default(),
            backend: BackendKind::default(),
            interruptible: false,
            fail_guards: false,
            shuffle_tiers: 0,
            check_hints: false,
            stress: None,
            heap_limit: None,
            jitdump: None,
            gdb: false,
        }
    }
}

/// Everything a VM can be told when it is made.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The JIT.
    pub jit: JitParams,
    /// The heap.
    pub heap: HeapOptions,
    /// What to log, in the syntax of the environment variable `VERDIGRIS_LOG`, which is used if
    /// this is `None`.
    pub log: Option<String>,
    /// The file to record what the JIT decides in, for `verdigris replay`. If this is `None`, the
    /// environment variable `VERDIGRIS_RECORD` names it.
    pub record: Option<PathBuf>,
    /// Bytes of the native stack that guest code may use. `None`: all that the thread has.
    pub native_stack: Option<usize>,
    /// Whether the VM keeps the text of every trace it compiles, for [`crate::Vm::traces`].
    pub keep_traces: bool,
    /// Whether the VM notes what it makes and gives up by place, for [`crate::Stats::locations`]
    /// and [`crate::Stats::given_up`].
    pub keep_places: bool,
    /// Whether the VM notes why the guest program is slow, for [`crate::Vm::explain`]. The
    /// environment variable `VERDIGRIS_EXPLAIN`, which names a file for the report, asks for it as
    /// well.
    pub explain: bool,
    /// How the VM notes where the time of the guest program goes, for [`crate::Vm::profile`], if it
    /// does. One VM of a process can at a time.
    pub profile: Option<Profiling>,
    /// What is called when the JIT has done something.
    pub hooks: Option<SharedHooks>,
    /// Gives the seconds that phases are measured with, as processor time; it must never go
    /// backwards. It is asked at most exits of compiled code, so one that takes a system call makes
    /// programs slower. `None`: wall time.
    pub clock: Option<fn() -> f64>,
}

impl Options {
    /// Options with parameters from a text, everything else by default.
    ///
    /// # Errors
    /// As [`JitParams::parse`].
    pub fn parse(text: &str) -> Result<Options, ParamError> {
        Ok(Options {
            jit: JitParams::parse(text)?,
            ..Options::default()
        })
    }

    /// The heap's options with what the parameters override.
    pub(crate) fn heap_options(&self) -> HeapOptions {
        let mut heap = self.heap;
        heap.stress = self.jit.stress.unwrap_or(heap.stress);
        heap.limit = self.jit.heap_limit.unwrap_or(heap.limit);
        heap
    }
}

/// Why a parameter text was refused; the message says what would have been accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamError(String);

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParamError {}

impl JitParams {
    /// Reads `key=value,key=value`; `off` and `on` stand alone. What is not mentioned keeps its
    /// default; the last of two values for one key counts.
    ///
    /// # Errors
    /// If a key is unknown or a value makes no sense; the message lists what does.
    pub fn parse(text: &str) -> Result<JitParams, ParamError> {
        let mut params = JitParams::default();
        params.set_all(text)?;
        Ok(params)
    }

    /// What the environment variable `VERDIGRIS_JIT` sets, in the syntax of [`JitParams::parse`],
    /// in place of what a program has chosen: for tools that start a language's command and do not
    /// know its options.
    pub(crate) fn set_from_env(&mut self) -> Result<(), ParamError> {
        let in_variable = |message| ParamError(format!("VERDIGRIS_JIT: {message}"));
        match std::env::var("VERDIGRIS_JIT") {
            Ok(text) => self.set_all(&text).map_err(|e| in_variable(e.to_string())),
            Err(VarError::NotPresent) => Ok(()),
            Err(error) => Err(in_variable(error.to_string())),
        }
    }

    fn set_all(&mut self, text: &str) -> Result<(), ParamError> {
        let mut items = text.split(',').map(str::trim).filter(|i| !i.is_empty());
        items.try_for_each(|item| self.set(item))
    }

    /// Reads one `key=value`, `off` or `on`.
    fn set(&mut self, item: &str) -> Result<(), ParamError> {
        let (name, value) = match (item, item.split_once('=')) {
            ("off" | "on", _) => {
                self.on = item == "on";
                return Ok(());
            }
            (_, Some((name, value))) => (name.trim(), value.trim()),
            (_, None) => return Err(refuse_word(item)),
        };
        let key = KEYS
            .iter()
            .find(|k| k.name == name)
            .ok_or_else(|| refuse_word(name))?;
        (key.set)(self, value).map_err(|reason| {
            ParamError(format!(
                "{name}={value}: {reason} ({name}: {}, {})",
                key.meaning, key.values
            ))
        })
    }

    /// Whether what follows an exit is compiled without a run.
    pub(crate) fn specialises_exit(&self, site: &GuardSite) -> bool {
        // Only what a run has found can be compared with what a hint promises.
        self.compiler.specialises_exits(site.maker, site.leaves) && !self.check_hints
    }

    /// Whether values that were set by hand are in their ranges.
    ///
    /// # Errors
    /// As [`JitParams::parse`].
    pub fn check(&self) -> Result<(), ParamError> {
        JitParams::parse(&self.to_string()).map(|_| ())
    }

    /// The accepted keys, one per line: for `--help`.
    pub fn help() -> String {
        let lines = KEYS
            .iter()
            .map(|k| format!("{}: {} ({})", k.name, k.meaning, k.values));
        let words = ["off, on: whether the JIT runs at all".to_string()];
        lines.chain(words).collect::<Vec<_>>().join("\n")
    }
}

/// As [`JitParams::parse`] takes it.
impl fmt::Display for JitParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.on { "on" } else { "off" })?;
        for key in KEYS {
            if let Some(value) = (key.show)(self) {
                write!(f, ",{}={value}", key.name)?;
            }
        }
        Ok(())
    }
}

/// The message for a word that is no key, or a key without a value.
fn refuse_word(word: &str) -> ParamError {
    let problem = match KEYS.iter().find(|k| k.name == word) {
        Some(key) => format!("{word} needs a value: {word}={}", key.values),
        None => format!("there is no JIT parameter {word:?}"),
    };
    ParamError(format!("{problem}; parameters:\n{}", JitParams::help()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn refused(text: &str, expected: Expect) {
        let message = JitParams::parse(text).unwrap_err().to_string();
        let backends = format!("backend: who runs traces ({})", BackendKind::NAMES);
        let message = message.replace(&backends, "backend: who runs traces (...)");
        expected.assert_eq(&message);
    }

    #[test]
    fn everything_can_be_set() {
        let text = "threshold=7, function_threshold=8,thread_threshold=2,max_unroll_recursion=2,trace_eagerness=3,arm_eagerness=4,trace_limit=100,decay=0,max_aborts=1,max_trace_depth=2,promotion_limit=8,max_bridges=9,retrace_limit=1,max_retrace_guards=40,max_invalidations=4,check_hints=1,loop_longevity=5,code_budget=64k,compile_allowance=9,compile_share=8,compile_gain=7,\
                    enable_opts=none,compiler=specialising,lazy_arms=all,backend=oracle,interruptible=1,fail_guards=1,shuffle_tiers=3,stress=1,heap_limit=64m,jitdump=/tmp/code,gdb=1,off";
        let expected = JitParams {
            on: false,
            threshold: 7,
            function_threshold: 8,
            max_unroll_recursion: 2,
            trace_eagerness: 3,
            arm_eagerness: 4,
            trace_limit: 100,
            decay: 0,
            max_aborts: 1,
            max_trace_depth: 2,
            promotion_limit: 8,
            max_bridges: 9,
            thread_threshold: 2,
            retrace_limit: 1,
            max_retrace_guards: 40,
            max_invalidations: 4,
            check_hints: true,
            loop_longevity: 5,
            code_budget: 64 << 10,
            compile_allowance: Allowance::Micros(9),
            compile_share: 8,
            compile_gain: 7,
            enable_opts: "none".to_string(),
            compiler: Compiler::Specialising,
            lazy_arms: LazyArms::All,
            backend: BackendKind::Oracle,
            interruptible: true,
            fail_guards: true,
            shuffle_tiers: 3,
            stress: Some(Stress::All),
            heap_limit: Some(64 << 20),
            jitdump: Some(PathBuf::from("/tmp/code")),
            gdb: true,
        };
        assert_eq!(JitParams::parse(text).as_ref(), Ok(&expected));
        assert_eq!(JitParams::parse(&expected.to_string()), Ok(expected));
    }

    #[test]
    fn values_set_by_hand_are_checked_too() {
        assert_eq!(JitParams::default().check(), Ok(()));
        let absurd = JitParams {
            decay: 5000,
            ..JitParams::default()
        };
        let message = absurd.check().unwrap_err().to_string();
        assert!(
            message.starts_with("decay=5000: more than 1000"),
            "{message}"
        );
    }

    /// The first, second and fourth column of the table in the documentation, and that each
    /// parameter is explained below it.
    #[test]
    fn the_documentation_lists_them() {
        let page = include_str!("../../../../docs/book/src/reference/parameters.md");
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        let documented: Vec<[&str; 3]> = rows
            .map(|row| {
                let columns: Vec<&str> = row.split('|').map(str::trim).collect();
                [columns[1].trim_matches('`'), columns[2], columns[4]]
            })
            .collect();
        let defaults = JitParams::default();
        let shown: Vec<String> = KEYS
            .iter()
            .map(|key| (key.show)(&defaults).unwrap_or("unset".to_string()))
            .collect();
        let keys: Vec<[&str; 3]> = KEYS
            .iter()
            .zip(&shown)
            .map(|(key, default)| [key.name, default, key.values])
            .collect();
        // The page is about builds for x86-64 with all backends.
        if BackendKind::ALL.len() == 3 {
            assert_eq!(documented, keys);
        }
        for key in KEYS {
            assert!(
                page.contains(&format!("* **`{}`**:", key.name)),
                "{}",
                key.name
            );
        }
    }

    #[test]
    fn nothing_means_the_defaults() {
        assert_eq!(JitParams::parse(""), Ok(JitParams::default()));
        assert_eq!(JitParams::parse("off,on"), Ok(JitParams::default()));
    }

    #[test]
    fn the_parameters_override_the_heap_options() {
        let options = Options::parse("stress=1,heap_limit=3m").unwrap();
        assert_eq!(options.heap_options().stress, Stress::All);
        assert_eq!(options.heap_options().limit, 3 << 20);
        let options = Options::default();
        assert_eq!(options.heap_options().limit, HeapOptions::default().limit);
    }

    #[test]
    fn absurd_values_are_refused_with_the_reason() {
        refused(
            "threshold=0",
            expect![
                "threshold=0: less than 1; a loop must be passed at least once, and one passed a billion times is hot (threshold: passes of a loop before it is traced, 1 to 1000000000)"
            ],
        );
        refused(
            "trace_limit=99999999999999999999999",
            expect![
                "trace_limit=99999999999999999999999: more than 1000000; a trace has at least one operation, and longer ones would take seconds to compile (trace_limit: operations after which a trace is given up, 1 to 1000000)"
            ],
        );
        refused(
            "decay=-1",
            expect![
                "decay=-1: not a whole number (decay: thousandths that counters lose now and then, 0 to 1000)"
            ],
        );
        refused(
            "fail_guards=yes",
            expect![
                "fail_guards=yes: neither 0 nor 1 (fail_guards: make every guard fail once, 0 or 1)"
            ],
        );
        refused(
            "heap_limit=5k",
            expect![
                "heap_limit=5k: less than 65536; a smaller heap cannot hold a program, a larger one no machine has (heap_limit: how far the heap may grow, 64k to 64t, in bytes or with k, m or g)"
            ],
        );
        refused(
            "heap_limit=99999999g",
            expect![
                "heap_limit=99999999g: more than 70368744177664; a smaller heap cannot hold a program, a larger one no machine has (heap_limit: how far the heap may grow, 64k to 64t, in bytes or with k, m or g)"
            ],
        );
    }

    #[test]
    fn unknown_words_list_the_known_ones() {
        refused(
            "treshold=7",
            expect![[r#"
                there is no JIT parameter "treshold"; parameters:
                threshold: passes of a loop before it is traced (1 to 1000000000)
                function_threshold: calls of a guest function before it is traced from its start (1 to 1000000000)
                thread_threshold: passes or calls before a loop or guest function runs as threaded code; 0: never (0 to 1000000000)
                max_unroll_recursion: calls of one guest function inlined in each other (0 to 100)
                trace_eagerness: failures of a guard before a bridge is traced (1 to 1000000000)
                arm_eagerness: times that specialised code is left at an exit before what follows is specialised (1 to 1000000000)
                trace_limit: operations after which a trace is given up (1 to 1000000)
                decay: thousandths that counters lose now and then (0 to 1000)
                max_aborts: failed attempts after which a loop or guard is left alone (1 to 1000)
                max_invalidations: invalidations after which a loop is compiled without assumptions about quasi-immutable fields (0 to 1000000)
                retrace_limit: versions of a loop for other shapes of values (0 to 1000)
                max_retrace_guards: guards for each version with which a loop may get another (0 to 1000000)
                loop_longevity: traces after which a loop that is not used is freed; 0: never (0 to 1000000000)
                code_budget: how much machine code there may be before some is freed; 0: any (0 to 64g, in bytes or with k, m or g)
                compile_allowance: microseconds that compiling may take before it has to wait; off: as many as it needs (usual, off, or 0 to 1000000000)
                compile_share: hundredths of the interpreter's time that compiling may take as well (0 to 1000)
                compile_gain: hundredths of the time in compiled code that compiling may take as well (0 to 1000)
                promotion_limit: arms of a promotion, one behind the other (0 to 1000000)
                max_bridges: bridges of a loop or function after which it is specialised and not traced any more (1 to 1000000000)
                max_trace_depth: traces under way at once, one within a call of another (1 to 64)
                enable_opts: the optimiser's passes (all, none, or passes joined with + and -)
                compiler: who makes the code of hot loops and functions (auto, tracing, specialising, both or threaded)
                lazy_arms: which arms are specialised when they are first taken, and not ahead (none, types or all)
                backend: who runs traces (...)
                interruptible: let compiled loops look for interrupts from the start (0 or 1)
                fail_guards: make every guard fail once (0 or 1)
                shuffle_tiers: seed of changes of tier at random; 0: there are none (0 to 1000000)
                check_hints: let compiled code panic when a hint turns out not to be true (0 or 1)
                stress: collect at every allocation, everything or most often what is young (0, 1 or young)
                heap_limit: how far the heap may grow (64k to 64t, in bytes or with k, m or g)
                jitdump: where perf finds what it needs to know of machine code (a folder)
                gdb: tell GDB of machine code (0 or 1)
                off, on: whether the JIT runs at all"#]],
        );
        let message = JitParams::parse("threshold").unwrap_err().to_string();
        assert!(message.starts_with("threshold needs a value"), "{message}");
        let message = JitParams::parse("backend=llvm").unwrap_err().to_string();
        assert!(message.contains(BackendKind::NAMES), "{message}");
    }
}
