//! Configurations drawn at random: how a program is run. In: a tape. Out: parameters of the JIT,
//! and a variant of the language. Invariant: as text it is what `--jit` of every command takes, so
//! that a person can run what failed; it has the JIT on, and low thresholds, or nothing would be
//! compiled.

use fuzz_tape::Tape;
use std::fmt;
use std::sync::LazyLock;
use verdigris::{BackendKind, Options};
use verdigris_opt::Passes;

/// How to run a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The variant of the language.
    pub variant: String,
    /// Parameters of the JIT with their values.
    pub parameters: Vec<(String, String)>,
    /// Whether what the JIT decides is recorded, and the same code has to come of the recording
    /// alone.
    pub recorded: bool,
    /// Whether the amount of code is checked, see [`crate::growth`].
    pub bounded: bool,
}

/// A parameter that is drawn now and then: its name, in how many of 32 cases, and its values.
type Choice = (&'static str, usize, &'static [&'static str]);

/// The parameters of every configuration.
const ALWAYS: &[Choice] = &[
    ("threshold", 32, &["2", "1", "3", "4", "5", "7", "11", "19"]),
    (
        "function_threshold",
        28,
        &["2", "1", "3", "5", "9", "1000000"],
    ),
    ("trace_eagerness", 30, &["2", "1", "3", "4", "7"]),
];

/// The backends that are not the default.
const OTHER_BACKENDS: &[&str] = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
    &["oracle", "layered", "x64", "cil"]
} else if cfg!(target_arch = "x86_64") {
    &["oracle", "layered", "x64"]
} else {
    &["oracle", "layered"]
};

/// What some have.
const SOMETIMES: &[Choice] = &[
    ("backend", 14, OTHER_BACKENDS),
    (
        "compiler",
        8,
        &["specialising", "threaded", "specialising", "both"],
    ),
    ("thread_threshold", 6, &["1", "2", "3"]),
    ("lazy_arms", 16, &["none", "all"]),
    ("arm_eagerness", 8, &["1", "1", "3", "10"]),
    ("fail_guards", 8, &["1"]),
    (
        "shuffle_tiers",
        8,
        &["1", "2", "3", "4", "5", "6", "7", "8"],
    ),
    ("retrace_limit", 6, &["0", "1", "2", "30"]),
    ("max_retrace_guards", 6, &["1000000", "1000000", "0", "4"]),
    ("trace_limit", 4, &["100", "20", "50", "300", "1000"]),
    ("cut_traces", 4, &["0"]),
    ("max_unroll_recursion", 7, &["0", "1", "2", "3", "20"]),
    ("loop_longevity", 4, &["1", "2", "10", "0"]),
    ("code_budget", 4, &["16k", "24k", "40k", "96k"]),
    ("interruptible", 4, &["1"]),
    ("check_hints", 3, &["1"]),
    ("max_bridges", 3, &["1", "2", "5"]),
    ("promotion_limit", 3, &["0", "1", "3"]),
    ("max_invalidations", 4, &["0", "1", "2"]),
    ("max_aborts", 3, &["1", "2", "100"]),
    ("max_trace_depth", 3, &["1", "2"]),
    ("decay", 2, &["0", "500", "1000"]),
    ("stress", 2, &["1", "young"]),
    (
        LIMIT,
        4,
        &["64k", "96k", "129k", "200k", "260k", "400k", "1m"],
    ),
];

/// The value that is taken for one that was drawn: another backend for CIL, if there is no Mono.
fn installed(value: &'static str) -> &'static str {
    static HAS_MONO: LazyLock<bool> =
        LazyLock::new(|| BackendKind::parse("cil").is_ok_and(|kind| kind.create().is_ok()));
    match value {
        "cil" if !*HAS_MONO => "layered",
        value => value,
    }
}

/// The parameter that says how much memory there is.
const LIMIT: &str = "heap_limit";

/// Parameters so slow that only small programs are run with them.
const SLOW: &[&str] = &["stress", "check_hints"];

/// Bytes of a heap: little, so that it is collected often, and a program that eats it up ends soon.
pub const HEAP: &str = "heap_limit=4m";

impl Configuration {
    /// Draws a configuration, for a language with these variants.
    pub fn draw(tape: &mut Tape<'_>, variants: &[&str]) -> Configuration {
        let variant = tape.pick(variants).to_string();
        let mut parameters = Vec::new();
        for &(name, times, values) in ALWAYS.iter().chain(SOMETIMES) {
            if times == 32 || tape.chance(times, 32) {
                let value = installed(tape.pick(values));
                parameters.push((name.to_string(), value.to_string()));
            }
        }
        if tape.chance(11, 32) {
            parameters.push(("enable_opts".to_string(), passes(tape)));
        }
        // What depends on the clock cannot be tried again.
        parameters.push(("compile_allowance".to_string(), "off".to_string()));
        Configuration {
            variant,
            parameters,
            recorded: tape.chance(2, 32),
            bounded: false,
        }
    }

    /// Those of a `--jit` text. The usual limit of the heap is left out.
    pub fn parse(variant: &str, jit: &str) -> Configuration {
        let parameters = jit
            .split(',')
            .filter(|part| !part.is_empty() && *part != HEAP);
        let parameters = parameters.map(|part| match part.split_once('=') {
            Some((name, value)) => (name.to_string(), value.to_string()),
            None => (part.to_string(), String::new()),
        });
        Configuration {
            variant: variant.to_string(),
            parameters: parameters.collect(),
            recorded: false,
            bounded: false,
        }
    }

    /// With these parameters in place of others of the same names.
    pub fn with(mut self, parameters: &[(String, String)]) -> Configuration {
        self.parameters
            .retain(|(name, _)| parameters.iter().all(|(other, _)| other != name));
        self.parameters.extend_from_slice(parameters);
        self
    }

    /// As `--jit` takes it.
    pub fn jit(&self) -> String {
        let parts = self
            .parameters
            .iter()
            .map(|(name, value)| match &value[..] {
                "" => name.clone() + ",",
                _ => format!("{name}={value},"),
            });
        let parts: String = parts.collect();
        match self.has_little_memory() {
            true => parts.trim_end_matches(',').to_string(),
            false => parts + HEAP,
        }
    }

    /// Whether its heap is smaller than that of others, so that a program may use it up that
    /// otherwise does not.
    pub fn has_little_memory(&self) -> bool {
        self.parameters.iter().any(|(name, _)| name == LIMIT)
    }

    /// The options of a VM.
    ///
    /// # Errors
    /// If they make no sense.
    pub fn options(&self) -> Result<Options, String> {
        let options = Options::parse(&self.jit()).and_then(Options::with_env);
        let options = options.map_err(|error| format!("{}: {error}", self.jit()))?;
        // The portal's `location` is called, too.
        Ok(options.keep_places(true))
    }

    /// Whether programs run so slowly under it that only small ones are.
    pub fn is_slow(&self) -> bool {
        let slow = |(name, _): &(String, String)| SLOW.contains(&&name[..]);
        self.parameters.iter().any(slow)
    }

    /// Whether there is no JIT.
    pub fn is_off(&self) -> bool {
        self.parameters.iter().any(|(name, _)| name == "off")
    }

    /// Without the JIT, for a language with these variants: what is right.
    pub fn plain(variants: &[&str]) -> Configuration {
        Configuration::parse(variants[0], "off")
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.recorded {
            f.write_str("recorded, ")?;
        }
        if self.bounded {
            f.write_str("bounded, ")?;
        }
        match &self.variant[..] {
            "" => f.write_str(&self.jit()),
            variant => write!(f, "{variant}: {}", self.jit()),
        }
    }
}

/// The optimiser without some of its passes, or with some alone.
fn passes(tape: &mut Tape<'_>) -> String {
    let mut names = Vec::new();
    for _ in 0..1 + tape.below(4) {
        let name = tape.pick(Passes::NAMES);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match tape.below(5) {
        4 => format!("all+delayed={}", tape.below(8)),
        0 | 1 => format!("all-{}", names.join("-")),
        2 => names.join("+"),
        _ => "none".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fuzz_tape as tape;

    #[test]
    fn all_that_can_be_drawn_can_be_parsed() {
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..2000 {
            let bytes = tape::bytes("configurations", 1, number);
            let drawn = Configuration::draw(&mut Tape::new(&bytes), &["", "other"]);
            drawn.options().expect("it can be parsed");
            let again = Configuration::parse(&drawn.variant, &drawn.jit());
            let recorded = drawn.recorded;
            assert_eq!(Configuration { recorded, ..again }, drawn);
            seen.extend(recorded.then(|| "recorded".to_string()));
            seen.extend(drawn.parameters.into_iter().map(|(name, _)| name));
        }
        // And the passes, what all have, and whether it is recorded.
        assert_eq!(seen.len(), ALWAYS.len() + SOMETIMES.len() + 3, "{seen:?}");
    }

    #[test]
    fn the_smallest_is_short() {
        let smallest = Configuration::draw(&mut Tape::new(&[]), &[""]);
        let expected = "threshold=2,compile_allowance=off,heap_limit=4m";
        assert_eq!(smallest.to_string(), expected);
        assert_eq!(Configuration::plain(&[""]).jit(), "off,heap_limit=4m");
    }
}
