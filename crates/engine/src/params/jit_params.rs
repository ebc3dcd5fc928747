//! The parameters of the JIT, in one table: name, default, accepted values, meaning. The parser,
//! the printer, the setters, the messages and `docs/book/src/reference/parameters.md` agree with
//! it, and every value of a [`JitParams`] is in its range, however it was set.

use crate::compile::backends::BackendKind;
use crate::params::allowance::Allowance;
use crate::params::compiler::{Compiler, LazyArms};
use crate::params::value::{Values, bytes, in_range, number};
use std::fmt;
use std::path::PathBuf;
use verdigris_heap::Stress;
use verdigris_opt::Passes;
use verdigris_report::did_you_mean;

/// Why a parameter was refused; the message says what would have been accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamError(pub(super) String);

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParamError {}

/// A parameter.
struct Key {
    name: &'static str,
    meaning: &'static str,
    texts: &'static str,
    /// Sets the value that a text means.
    set: fn(&mut JitParams, &str) -> Result<(), String>,
    /// The value as `set` takes it, unless there is none.
    show: fn(&JitParams) -> Option<String>,
}

/// Numbers in a range, and the reason for it.
macro_rules! count {
    ($low:literal to $high:literal, $why:literal) => {
        Values {
            texts: concat!($low, " to ", $high),
            read: |text| {
                let value = number(text)?;
                in_range(value, $low, $high, $why)?;
                Ok(value as _)
            },
            check: |&value| in_range(value as u64, $low, $high, $why),
            show: |value| Some(value.to_string()),
        }
    };
}

/// The same for bytes, whose texts may have units.
macro_rules! byte_count {
    ($low:expr, $high:expr, $texts:literal, $why:literal) => {
        Values {
            texts: $texts,
            read: |text| {
                let value = bytes(text)?;
                in_range(value, $low, $high, $why)?;
                Ok(value as usize)
            },
            check: |&value| in_range(value as u64, $low, $high, $why),
            show: |value| Some(value.to_string()),
        }
    };
}

macro_rules! jit_params {
    ($( $(#[$doc:meta])* $name:ident, $set:ident: $ty:ty = $default:expr, $values:expr, $meaning:literal; )*) => {
        /// When and how code is made. The names follow RPython's where it has one.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct JitParams {
            pub(crate) on: bool,
            $( pub(crate) $name: $ty, )*
        }

        impl Default for JitParams {
            fn default() -> JitParams {
                JitParams { on: true, $( $name: $default, )* }
            }
        }

        /// All keys, in the order of the messages.
        const KEYS: &[Key] = &[$( {
            const VALUES: Values<$ty> = $values;
            Key {
                name: stringify!($name),
                meaning: $meaning,
                texts: VALUES.texts,
                set: |params, text| {
                    params.$name = (VALUES.read)(text)?;
                    Ok(())
                },
                show: |params| (VALUES.show)(&params.$name),
            }
        } ),*];

        impl JitParams {$(
            $(#[$doc])*
            pub fn $name(&self) -> $ty {
                ToOwned::to_owned(&self.$name)
            }

            #[doc = concat!("Sets [`JitParams::", stringify!($name), "`].")]
            ///
            /// # Errors
            /// If the value is not in the parameter's range.
            pub fn $set(&mut self, value: $ty) -> Result<&mut JitParams, ParamError> {
                const VALUES: Values<$ty> = $values;
                (VALUES.check)(&value).map_err(|reason| {
                    let shown = (VALUES.show)(&value).unwrap_or_default();
                    refuse(stringify!($name), &shown, &reason)
                })?;
                self.$name = value;
                Ok(self)
            }
        )*}
    };
}

const SOME_HEAP_LIMITS: Values<usize> = byte_count!(
    64 << 10,
    1 << 46,
    "64k to 64t, in bytes or with k, m or g",
    "a smaller heap cannot hold a program, a larger one no machine has"
);

const HEAP_LIMITS: Values<Option<usize>> = Values {
    texts: SOME_HEAP_LIMITS.texts,
    read: |text| (SOME_HEAP_LIMITS.read)(text).map(Some),
    check: |value| value.as_ref().map_or(Ok(()), SOME_HEAP_LIMITS.check),
    show: |value| value.as_ref().and_then(SOME_HEAP_LIMITS.show),
};

jit_params! {
    /// A loop is traced when it has been passed this often.
    threshold, set_threshold: u32 = 1039, count!(1 to 1000000000, "a loop must be passed at least once, and one passed a billion times is hot"), "passes of a loop before it is traced";
    /// A guest function is traced from its start when it has been called this often.
    function_threshold, set_function_threshold: u32 = 1619, count!(1 to 1000000000, "a function must be called at least once, and one called a billion times is hot"), "calls of a guest function before it is traced from its start";
    /// A loop or guest function that has been passed or called this often runs as threaded code
    /// until it is hot; 0: never.
    thread_threshold, set_thread_threshold: u32 = 0, count!(0 to 1000000000, "so often is never"), "passes or calls before a loop or guest function runs as threaded code; 0: never";
    /// How many calls of one guest function are inlined in each other. One that recurses further is
    /// no longer inlined anywhere, but called.
    max_unroll_recursion, set_max_unroll_recursion: u32 = 7, count!(0 to 100, "each level is a copy of the function in the trace"), "calls of one guest function inlined in each other";
    /// A failing guard is continued by a bridge when it has failed this often.
    trace_eagerness, set_trace_eagerness: u32 = 100, count!(1 to 1000000000, "a guard must fail at least once before there is anything to trace"), "failures of a guard before a bridge is traced";
    /// An exit of code that was made by partial evaluation is continued by more of it when it has
    /// been taken this often.
    arm_eagerness, set_arm_eagerness: u32 = 2, count!(1 to 1000000000, "code must be left at least once before it is known what follows"), "times that specialised code is left at an exit before what follows is specialised";
    /// A recorded trace longer than this is cut, or given up.
    trace_limit, set_trace_limit: usize = 2000, count!(1 to 1000000, "a trace has at least one operation, and longer ones would take seconds to compile"), "operations after which a trace is cut, or given up";
    /// Whether a trace that is too long is cut into several.
    cut_traces, set_cut_traces: bool = true, Values::plain(), "cut traces that are too long, instead of giving them up";
    /// How much counters lose when a loop has become hot or the heap was collected, in thousandths.
    decay, set_decay: u32 = 40, count!(0 to 1000, "it is a share in thousandths"), "thousandths that counters lose now and then";
    /// A loop or guard whose trace was given up this often is not tried again.
    max_aborts, set_max_aborts: u32 = 3, count!(1 to 1000, "each attempt costs a whole trace"), "failed attempts after which a loop or guard is left alone";
    /// A loop or guard whose code was invalidated this often, because a quasi-immutable field was
    /// written, is compiled without such assumptions; 0: always.
    max_invalidations, set_max_invalidations: u32 = 8, count!(0 to 1000000, "so many are as good as any"), "invalidations after which a loop is compiled without assumptions about quasi-immutable fields";
    /// Versions that a loop may have beside its first, for values of other classes and shapes.
    retrace_limit, set_retrace_limit: u32 = 5, count!(0 to 1000, "each version is a loop of its own"), "versions of a loop for other shapes of values";
    /// A loop gets another version only as long as what was compiled for it has no more than so
    /// many guards for each version.
    max_retrace_guards, set_max_retrace_guards: u32 = 16, count!(0 to 1000000, "so many no loop has"), "guards for each version with which a loop may get another";
    /// A loop that has not been entered for this many traces is freed with its bridges, unless a
    /// loop that is still in use jumps to it; 0: never.
    loop_longevity, set_loop_longevity: u32 = 1000, count!(0 to 1000000000, "so many traces no program makes"), "traces after which a loop that is not used is freed; 0: never";
    /// Bytes of machine code above which loops are freed before more is compiled, those first that
    /// were not entered for longest; 0: none.
    code_budget, set_code_budget: usize = 0, byte_count!(0, 64 << 30, "0 to 64g, in bytes or with k, m or g", "so much code no machine runs"), "how much machine code there may be before some is freed; 0: any";
    /// Time that compiling may take beside the following shares of the time that the program has
    /// run.
    compile_allowance, set_compile_allowance: Allowance = Allowance::Usual, Values::plain(), "microseconds that compiling may take before it has to wait; off: as many as it needs";
    /// The share of the interpreter's time that compiling may take, in hundredths.
    compile_share, set_compile_share: u32 = 20, count!(0 to 1000, "with so many there is hardly a limit"), "hundredths of the interpreter's time that compiling may take as well";
    /// The share of the time in compiled code that compiling may take, in hundredths.
    compile_gain, set_compile_gain: u32 = 200, count!(0 to 1000, "with so many there is hardly a limit"), "hundredths of the time in compiled code that compiling may take as well";
    /// Values of one promotion that get bridges, each of which tests one more.
    promotion_limit, set_promotion_limit: u32 = 64, count!(0 to 1000000, "each is compared with what comes"), "arms of a promotion, one behind the other";
    /// Values of one promotion that get bridges before what follows is compiled for any value.
    polymorphic_limit, set_polymorphic_limit: u32 = 8, count!(0 to 1000000, "each is compared with what comes"), "values of a promotion before what follows is compiled for any value";
    /// With this many bridges the code of a place, if it may be specialised, has more ways than
    /// traces suit.
    max_bridges, set_max_bridges: u32 = 150, count!(1 to 1000000000, "a guard must fail before it is known that there is another way, and so many bridges nothing has"), "bridges of a loop or function after which it is specialised and not traced any more";
    /// Traces that may be under way at once, one in a residual call of another.
    max_trace_depth, set_max_trace_depth: u32 = 4, count!(1 to 64, "each of them holds native stack and an unfinished trace"), "traces under way at once, one within a call of another";
    /// The optimiser's passes.
    enable_opts, set_enable_opts: Passes = Passes::all(), Values::plain(), "the optimiser's passes";
    /// What makes the code of hot loops and functions of the guest program.
    compiler, set_compiler: Compiler = Compiler::default(), Values::plain(), "who makes the code of hot loops and functions";
    /// Where partial evaluation ends until the guest program has gone one way or the other, and
    /// then compiles that one.
    lazy_arms, set_lazy_arms: LazyArms = LazyArms::default(), Values::plain(), "which arms are specialised when they are first taken, and not ahead";
    /// What compiles traces.
    backend, set_backend: BackendKind = BackendKind::default(), Values::plain(), "who runs traces";
    /// Whether compiled loops can be interrupted from the start, and not only since
    /// [`crate::Vm::interrupt_handle`].
    interruptible, set_interruptible: bool = false, Values::plain(), "let compiled loops look for interrupts from the start";
    /// Whether every guard fails once although it holds (for tests of deoptimisation).
    fail_guards, set_fail_guards: bool = false, Values::plain(), "make every guard fail once";
    /// The seed of changes of tier at random (for tests of them); 0: there are none.
    shuffle_tiers, set_shuffle_tiers: u32 = 0, count!(0 to 1000000, "so many seeds are enough"), "seed of changes of tier at random; 0: there are none";
    /// Whether compiled code finds out again what it knows because of hints, and panics if that is
    /// not true: `#[elidable]`, `#[readonly]`, fields that are no `Cell`s.
    check_hints, set_check_hints: bool = false, Values::plain(), "let compiled code panic when a hint turns out not to be true";
    /// Collect at every allocation and poison what is freed; overrides the option
    /// [`stress`](verdigris_heap::HeapOptions::stress) of the heap if given.
    stress, set_stress: Option<Stress> = None, Values::optional(), "collect at every allocation, everything or most often what is young";
    /// Bytes the heap may grow to; overrides the option
    /// [`limit`](verdigris_heap::HeapOptions::limit) of the heap if given.
    heap_limit, set_heap_limit: Option<usize> = None, HEAP_LIMITS, "how far the heap may grow";
    /// The folder in which `perf` finds what it needs to know of machine code, if it is to know.
    jitdump, set_jitdump: Option<PathBuf> = None, Values::optional(), "where perf finds what it needs to know of machine code";
    /// Whether the names of machine code are in the file where `perf` looks for them by itself.
    perf_map, set_perf_map: bool = false, Values::plain(), "write the names of machine code to /tmp/perf-PID.map, for perf";
    /// Whether GDB is told of machine code.
    gdb, set_gdb: bool = false, Values::plain(), "tell GDB of machine code";
}

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

    /// Whether anything is traced or compiled at all.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Turns the JIT on or off.
    pub fn turn(&mut self, on: bool) -> &mut JitParams {
        self.on = on;
        self
    }

    /// Changes what a text mentions.
    pub(super) fn set_all(&mut self, text: &str) -> Result<(), ParamError> {
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
        let key = key(name).ok_or_else(|| refuse_word(name))?;
        (key.set)(self, value).map_err(|reason| refuse(name, value, &reason))
    }

    /// The accepted keys, one per line: for `--help`.
    pub fn help() -> String {
        let lines = KEYS
            .iter()
            .map(|k| format!("{}: {} ({})", k.name, k.meaning, k.texts));
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

fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// The message for a value that a key does not take.
fn refuse(name: &str, value: &str, reason: &str) -> ParamError {
    let accepted = key(name).map_or(String::new(), |key| {
        format!(" ({name}: {}, {})", key.meaning, key.texts)
    });
    ParamError(format!("{name}={value}: {reason}{accepted}"))
}

/// The message for a word that is no key, or a key without a value: all keys are listed only if
/// none is near.
fn refuse_word(word: &str) -> ParamError {
    if let Some(key) = key(word) {
        return ParamError(format!("{word} needs a value: {word}={}", key.texts));
    }
    let known = KEYS.iter().map(|key| key.name).chain(["on", "off"]);
    let rest = match did_you_mean(word, known) {
        question if question.is_empty() => format!("; parameters:\n{}", JitParams::help()),
        question => question,
    };
    ParamError(format!("there is no JIT parameter {word:?}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use expect_test::{Expect, expect};

    fn refused(text: &str, expected: Expect) {
        let message = JitParams::parse(text).unwrap_err().to_string();
        let backends = format!("backend: who runs traces ({})", BackendKind::NAMES);
        let message = message.replace(&backends, "backend: who runs traces (...)");
        expected.assert_eq(&message);
    }

    #[test]
    fn everything_can_be_set() {
        let text = "threshold=7, function_threshold=8,thread_threshold=2,max_unroll_recursion=2,trace_eagerness=3,arm_eagerness=4,trace_limit=100,cut_traces=0,decay=0,max_aborts=1,max_trace_depth=2,promotion_limit=8,polymorphic_limit=6,max_bridges=9,retrace_limit=1,max_retrace_guards=40,max_invalidations=4,check_hints=1,loop_longevity=5,code_budget=64k,compile_allowance=9,compile_share=8,compile_gain=7,\
                    enable_opts=none,compiler=specialising,lazy_arms=all,backend=oracle,interruptible=1,fail_guards=1,shuffle_tiers=3,stress=1,heap_limit=64m,jitdump=/tmp/code,perf_map=1,gdb=1,off";
        let expected = JitParams {
            on: false,
            threshold: 7,
            function_threshold: 8,
            max_unroll_recursion: 2,
            trace_eagerness: 3,
            arm_eagerness: 4,
            trace_limit: 100,
            cut_traces: false,
            decay: 0,
            max_aborts: 1,
            max_trace_depth: 2,
            promotion_limit: 8,
            polymorphic_limit: 6,
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
            enable_opts: Passes::none(),
            compiler: Compiler::Specialising,
            lazy_arms: LazyArms::All,
            backend: BackendKind::Oracle,
            interruptible: true,
            fail_guards: true,
            shuffle_tiers: 3,
            stress: Some(Stress::All),
            heap_limit: Some(64 << 20),
            jitdump: Some(PathBuf::from("/tmp/code")),
            perf_map: true,
            gdb: true,
        };
        assert_eq!(JitParams::parse(text).as_ref(), Ok(&expected));
        assert_eq!(JitParams::parse(&expected.to_string()), Ok(expected));
    }

    #[test]
    fn values_set_by_hand_are_checked_too() {
        let mut params = JitParams::default();
        let message = params.set_decay(5000).unwrap_err().to_string();
        assert!(
            message.starts_with("decay=5000: more than 1000"),
            "{message}"
        );
        params.set_decay(7).unwrap().set_gdb(true).unwrap();
        assert_eq!((params.decay(), params.gdb()), (7, true));
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
            .map(|(key, default)| [key.name, default, key.texts])
            .collect();
        // The page is about builds for x86-64 with all backends.
        if BackendKind::ALL.len() == 5 {
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
        assert_eq!(
            options.heap_options().limit,
            verdigris_heap::HeapOptions::default().limit
        );
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
                "trace_limit=99999999999999999999999: more than 1000000; a trace has at least one operation, and longer ones would take seconds to compile (trace_limit: operations after which a trace is cut, or given up, 1 to 1000000)"
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
    fn unknown_words_lead_to_the_known_ones() {
        refused(
            "treshold=7",
            expect![[r#"there is no JIT parameter "treshold"; did you mean `threshold`?"#]],
        );
        refused(
            "threshold",
            expect!["threshold needs a value: threshold=1 to 1000000000"],
        );
        refused(
            "nonsense=7",
            expect![[r#"
                there is no JIT parameter "nonsense"; parameters:
                threshold: passes of a loop before it is traced (1 to 1000000000)
                function_threshold: calls of a guest function before it is traced from its start (1 to 1000000000)
                thread_threshold: passes or calls before a loop or guest function runs as threaded code; 0: never (0 to 1000000000)
                max_unroll_recursion: calls of one guest function inlined in each other (0 to 100)
                trace_eagerness: failures of a guard before a bridge is traced (1 to 1000000000)
                arm_eagerness: times that specialised code is left at an exit before what follows is specialised (1 to 1000000000)
                trace_limit: operations after which a trace is cut, or given up (1 to 1000000)
                cut_traces: cut traces that are too long, instead of giving them up (0 or 1)
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
                polymorphic_limit: values of a promotion before what follows is compiled for any value (0 to 1000000)
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
                stress: collect at every allocation, everything or most often what is young (0, 1, young or sparse)
                heap_limit: how far the heap may grow (64k to 64t, in bytes or with k, m or g)
                jitdump: where perf finds what it needs to know of machine code (a folder)
                perf_map: write the names of machine code to /tmp/perf-PID.map, for perf (0 or 1)
                gdb: tell GDB of machine code (0 or 1)
                off, on: whether the JIT runs at all"#]],
        );
        let message = JitParams::parse("backend=llvm").unwrap_err().to_string();
        assert!(message.contains(BackendKind::NAMES), "{message}");
    }
}
