//! The target machine: Cranelift's description of the host, made once per backend, since making one
//! costs more than compiling a small trace.
//!
//! Why these settings (measured on x86-64): our optimiser has done what `opt_level=speed` would do,
//! which besides duplicates pure chains into every exit; the single-pass register allocator makes
//! loops 1.5 to 2 times slower; tail calls need frame pointers; the pinned register holds the
//! context.

use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use target_lexicon::Triple;
use verdigris_backend::BackendError;

const SETTINGS: [(&str, &str); 10] = [
    ("opt_level", "none"),
    ("regalloc_algorithm", "backtracking"),
    ("preserve_frame_pointers", "true"),
    ("enable_pinned_reg", "true"),
    ("is_pic", "false"),
    // For the journal. It is about instructions that are there anyway.
    ("unwind_info", "true"),
    // Where blocks start, so that loops can be aligned.
    ("machine_code_cfg_info", "true"),
    // Only frames larger than a guard page pay for this.
    ("enable_probestack", "true"),
    ("probestack_strategy", "inline"),
    (
        "enable_verifier",
        if cfg!(debug_assertions) {
            "true"
        } else {
            "false"
        },
    ),
];

/// The description of the host. x86-64 needs SSE4.1: without it Cranelift rounds doubles by calls
/// of the C library, with which code here is not linked.
pub(crate) fn host() -> Result<OwnedTargetIsa, BackendError> {
    let unusable =
        |why: String| BackendError(format!("Cranelift cannot be used on this machine: {why}"));
    #[cfg(target_arch = "x86_64")]
    if !is_x86_feature_detected!("sse4.1") {
        return Err(unusable("it has no SSE4.1".to_owned()));
    }
    let mut flags = settings::builder();
    for (name, value) in SETTINGS {
        flags
            .set(name, value)
            .map_err(|e| unusable(e.to_string()))?;
    }
    let mut builder = isa::lookup(Triple::host()).map_err(|e| unusable(e.to_string()))?;
    for name in features() {
        builder.enable(name).map_err(|e| unusable(e.to_string()))?;
    }
    builder
        .finish(settings::Flags::new(flags))
        .map_err(|e| unusable(e.to_string()))
}

/// The optional instructions that the host has.
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut feature = |present: bool, name| {
        if present {
            found.push(name);
        }
    };
    feature(is_x86_feature_detected!("sse3"), "has_sse3");
    feature(is_x86_feature_detected!("ssse3"), "has_ssse3");
    feature(is_x86_feature_detected!("sse4.1"), "has_sse41");
    feature(is_x86_feature_detected!("sse4.2"), "has_sse42");
    feature(is_x86_feature_detected!("popcnt"), "has_popcnt");
    feature(is_x86_feature_detected!("avx"), "has_avx");
    feature(is_x86_feature_detected!("avx2"), "has_avx2");
    feature(is_x86_feature_detected!("fma"), "has_fma");
    feature(is_x86_feature_detected!("bmi1"), "has_bmi1");
    feature(is_x86_feature_detected!("bmi2"), "has_bmi2");
    feature(is_x86_feature_detected!("lzcnt"), "has_lzcnt");
    found
}

/// The optional instructions that the host has: none that matter here.
#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}
