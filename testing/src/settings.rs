//! The settings of the JIT that a program is tested under. Names with parameters.
//! Invariant: every part of the system that can be left out or forced to work is so under some
//! setting.

use std::sync::LazyLock;
use verdigris::{BackendKind, Options};

/// A way to run a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// The parameters of the JIT, as [`Options::parse`] takes them.
    pub jit: &'static str,
    /// Whether programs run many times slower than otherwise.
    pub slow: bool,
}

impl Setting {
    const fn new(name: &'static str, jit: &'static str) -> Setting {
        let slow = false;
        Setting { name, jit, slow }
    }

    const fn slow(name: &'static str, jit: &'static str) -> Setting {
        let slow = true;
        Setting { name, jit, slow }
    }

    /// Whether code is hot when it is by default, after more than a thousand turns.
    pub fn is_late(&self) -> bool {
        !self.slow && !self.jit.contains("threshold=")
    }

    /// The options of a VM.
    pub fn options(&self) -> Options {
        let options = Options::parse(self.jit).and_then(Options::with_env);
        let options = options.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        // The portal's `location` is called under all settings.
        options.keep_places(true)
    }
}

/// Without the JIT: the setting that says what is right.
pub const PLAIN: Setting = Setting::new("interpreted", "off");

/// The settings under which every program must do the same: [`TABLE`], without those of a backend
/// that needs what is not installed.
pub static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let mono = BackendKind::parse("cil")
        .and_then(|kind| kind.create().map_err(|error| error.0))
        .map_err(|error| eprintln!("the tests go without some settings: {error}"));
    let table = TABLE.iter().copied();
    table
        .filter(|setting| mono.is_ok() || !setting.jit.contains("backend=cil"))
        .collect()
});

/// Starting a machine whose every allocation collects takes a second, so most of the stressed ones
/// collect at some.
const TABLE: &[Setting] = &[
    PLAIN,
    Setting::new("defaults", ""),
    Setting::new("eager", "threshold=1,function_threshold=1"),
    Setting::new(
        "eager bridges",
        "threshold=1,function_threshold=1,trace_eagerness=1",
    ),
    Setting::new(
        "early, many versions",
        "threshold=3,function_threshold=5,trace_eagerness=2,max_retrace_guards=1000000",
    ),
    Setting::new(
        "later",
        "threshold=7,function_threshold=2,trace_eagerness=3",
    ),
    Setting::new(
        "one version",
        "threshold=3,function_threshold=3,trace_eagerness=2,retrace_limit=0",
    ),
    Setting::new(
        "oracle",
        "threshold=3,function_threshold=3,trace_eagerness=2,backend=oracle",
    ),
    Setting::new(
        "layered",
        "threshold=3,function_threshold=3,trace_eagerness=1,backend=layered",
    ),
    Setting::new(
        "cil",
        "threshold=3,function_threshold=3,trace_eagerness=2,backend=cil",
    ),
    Setting::new(
        "specialised",
        "threshold=1,function_threshold=1,trace_eagerness=1,compiler=specialising",
    ),
    Setting::new(
        "specialised, failing guards",
        "threshold=2,function_threshold=2,trace_eagerness=1,compiler=specialising,fail_guards=1",
    ),
    Setting::new(
        "specialised, folding alone",
        "threshold=2,function_threshold=2,trace_eagerness=2,compiler=specialising,enable_opts=fold",
    ),
    Setting::new(
        "specialised, forgetful, interruptible",
        "threshold=2,trace_eagerness=1,compiler=specialising,loop_longevity=1,code_budget=4k,interruptible=1",
    ),
    Setting::slow(
        "specialised, stressed",
        "threshold=2,function_threshold=2,trace_eagerness=2,compiler=specialising,stress=sparse",
    ),
    Setting::new(
        "specialised, traced bridges, oracle",
        "threshold=3,function_threshold=3,trace_eagerness=2,compiler=both,backend=oracle",
    ),
    Setting::new(
        "threaded",
        "threshold=1,function_threshold=1,compiler=threaded",
    ),
    Setting::new(
        "threaded, failing guards",
        "threshold=2,function_threshold=3,compiler=threaded,fail_guards=1",
    ),
    Setting::new(
        "threaded, folding alone, interruptible",
        "threshold=3,function_threshold=2,arm_eagerness=1,compiler=threaded,enable_opts=fold,interruptible=1",
    ),
    Setting::slow(
        "threaded, oracle",
        "threshold=3,function_threshold=2,arm_eagerness=1,compiler=threaded,backend=oracle",
    ),
    Setting::slow(
        "threaded, layered, failing guards, forgetful",
        "threshold=2,function_threshold=3,compiler=threaded,fail_guards=1,loop_longevity=2,backend=layered",
    ),
    Setting::slow(
        "threaded, stressed",
        "threshold=2,function_threshold=2,arm_eagerness=1,compiler=threaded,stress=sparse",
    ),
    Setting::new(
        "threaded first",
        "threshold=9,function_threshold=7,thread_threshold=2,trace_eagerness=2",
    ),
    Setting::new(
        "threaded first, random tiers, forgetful",
        "threshold=5,function_threshold=5,thread_threshold=1,trace_eagerness=2,max_bridges=2,loop_longevity=2,code_budget=24k,shuffle_tiers=4",
    ),
    Setting::new(
        "random tiers",
        "threshold=2,function_threshold=2,trace_eagerness=2,shuffle_tiers=1",
    ),
    Setting::new(
        "random tiers, interruptible, forgetful, oracle",
        "threshold=3,function_threshold=3,trace_eagerness=1,shuffle_tiers=2,interruptible=1,loop_longevity=3,backend=oracle",
    ),
    Setting::slow(
        "random tiers, stressed",
        "threshold=2,function_threshold=3,trace_eagerness=1,shuffle_tiers=3,stress=sparse,fail_guards=1",
    ),
    Setting::new(
        "no optimiser",
        "threshold=3,function_threshold=3,trace_eagerness=2,enable_opts=none",
    ),
    Setting::slow(
        "oracle, no optimiser",
        "threshold=7,function_threshold=7,trace_eagerness=3,backend=oracle,enable_opts=none",
    ),
    Setting::new(
        "not peeled",
        "threshold=5,function_threshold=5,trace_eagerness=7,enable_opts=all-peel",
    ),
    Setting::new(
        "failing guards",
        "threshold=2,function_threshold=2,trace_eagerness=1,fail_guards=1",
    ),
    Setting::new(
        "failing guards, few bridges",
        "threshold=7,function_threshold=7,trace_eagerness=3,fail_guards=1",
    ),
    Setting::slow(
        "failing guards, oracle",
        "threshold=3,function_threshold=3,trace_eagerness=1,fail_guards=1,backend=oracle",
    ),
    Setting::new(
        "failing guards, no optimiser",
        "threshold=7,function_threshold=7,fail_guards=1,enable_opts=none",
    ),
    Setting::slow(
        "failing guards, oracle, no optimiser",
        "threshold=2,function_threshold=2,trace_eagerness=1,fail_guards=1,backend=oracle,enable_opts=none",
    ),
    Setting::new(
        "short traces",
        "threshold=3,function_threshold=3,trace_eagerness=2,trace_limit=100,max_invalidations=0",
    ),
    Setting::slow(
        "checked hints",
        "threshold=3,function_threshold=2,trace_eagerness=2,max_invalidations=2,check_hints=1",
    ),
    Setting::new(
        "never inlined",
        "threshold=3,function_threshold=2,trace_eagerness=2,max_unroll_recursion=0",
    ),
    Setting::slow(
        "hardly inlined, failing guards",
        "threshold=5,function_threshold=3,trace_eagerness=1,max_unroll_recursion=2,fail_guards=1",
    ),
    Setting::new(
        "forgetful, interruptible",
        "threshold=2,trace_eagerness=1,loop_longevity=1,code_budget=4k,interruptible=1",
    ),
    Setting::slow("stress, interpreted", "off,stress=1"),
    Setting::slow(
        "stress, checked hints",
        "threshold=2,function_threshold=2,trace_eagerness=2,stress=sparse,check_hints=1",
    ),
    Setting::slow(
        "stress",
        "threshold=2,function_threshold=2,trace_eagerness=2,stress=1",
    ),
    Setting::slow(
        "stress, oracle",
        "threshold=2,function_threshold=2,trace_eagerness=2,stress=1,backend=oracle",
    ),
    Setting::slow(
        "young stress, layered, specialised, interruptible",
        "threshold=2,function_threshold=2,trace_eagerness=2,compiler=both,stress=young,interruptible=1,backend=layered",
    ),
    Setting::slow(
        "stress, cil",
        "threshold=2,function_threshold=2,trace_eagerness=3,stress=sparse,backend=cil",
    ),
    Setting::slow(
        "young stress, cil, failing guards, forgetful",
        "threshold=3,function_threshold=3,trace_eagerness=2,stress=young,fail_guards=1,loop_longevity=2,backend=cil",
    ),
    Setting::slow(
        "specialised, cil, interruptible",
        "threshold=3,function_threshold=2,trace_eagerness=2,compiler=specialising,interruptible=1,backend=cil",
    ),
    Setting::slow(
        "threaded, cil",
        "threshold=3,function_threshold=3,arm_eagerness=1,compiler=threaded,backend=cil",
    ),
    Setting::slow(
        "young stress",
        "threshold=2,function_threshold=2,trace_eagerness=2,stress=young",
    ),
    Setting::slow(
        "young stress, failing guards, many versions",
        "threshold=3,function_threshold=2,trace_eagerness=1,stress=young,fail_guards=1,max_retrace_guards=1000000",
    ),
    Setting::slow(
        "stress, failing guards",
        "threshold=2,function_threshold=2,trace_eagerness=2,stress=sparse,fail_guards=1",
    ),
    #[cfg(target_arch = "x86_64")]
    Setting::new(
        "cranelift",
        "threshold=2,function_threshold=2,trace_eagerness=1,backend=cranelift",
    ),
    #[cfg(target_arch = "x86_64")]
    Setting::new("cranelift, defaults", "backend=cranelift"),
    #[cfg(target_arch = "x86_64")]
    Setting::new(
        "cranelift, failing guards, many versions",
        "threshold=3,function_threshold=2,trace_eagerness=4,max_retrace_guards=1000000,fail_guards=1,backend=cranelift",
    ),
    #[cfg(target_arch = "x86_64")]
    Setting::new(
        "cranelift, no optimiser",
        "threshold=3,function_threshold=3,trace_eagerness=2,enable_opts=none,backend=cranelift",
    ),
    #[cfg(target_arch = "x86_64")]
    Setting::slow(
        "cranelift, forgetful, interruptible",
        "threshold=2,trace_eagerness=1,loop_longevity=1,code_budget=16k,interruptible=1,backend=cranelift",
    ),
    #[cfg(target_arch = "x86_64")]
    Setting::slow(
        "stress, cranelift",
        "threshold=2,function_threshold=2,trace_eagerness=2,stress=sparse,backend=cranelift",
    ),
    #[cfg(target_arch = "x86_64")]
    Setting::slow(
        "young stress, cranelift, failing guards",
        "threshold=2,function_threshold=2,trace_eagerness=3,stress=young,fail_guards=1,backend=cranelift",
    ),
];

/// Each pass of the optimiser left out, or alone: for languages whose loops are about the
/// optimiser.
pub const PASSES: &[Setting] = &[
    Setting::new(
        "virtuals alone",
        "threshold=2,function_threshold=2,enable_opts=virtuals",
    ),
    Setting::new(
        "virtuals alone, failing guards",
        "threshold=2,function_threshold=2,enable_opts=virtuals,fail_guards=1,trace_eagerness=2",
    ),
    Setting::slow(
        "virtuals alone, stress",
        "threshold=2,function_threshold=2,trace_eagerness=2,stress=sparse,fail_guards=1,enable_opts=virtuals",
    ),
    Setting::new(
        "no folding",
        "threshold=2,function_threshold=2,trace_eagerness=3,enable_opts=all-fold",
    ),
    Setting::new(
        "no sharing",
        "threshold=2,function_threshold=2,trace_eagerness=3,enable_opts=all-pure",
    ),
    Setting::new(
        "no guards removed",
        "threshold=2,function_threshold=2,trace_eagerness=3,enable_opts=all-guards",
    ),
    Setting::new(
        "no heap cache",
        "threshold=2,function_threshold=2,trace_eagerness=3,enable_opts=all-heap_cache",
    ),
    Setting::new(
        "no virtuals",
        "threshold=2,function_threshold=2,trace_eagerness=3,enable_opts=all-virtuals",
    ),
    Setting::new(
        "no heap knowledge",
        "threshold=2,function_threshold=2,trace_eagerness=3,enable_opts=all-heap",
    ),
    Setting::new(
        "nothing kept",
        "threshold=2,function_threshold=2,trace_eagerness=3,enable_opts=all-virtualizable",
    ),
];
