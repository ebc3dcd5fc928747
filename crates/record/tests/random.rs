//! Random guest programs: traced, bridged, and with guards that fail although they hold, they do
//! what the blackhole interpreter alone does.

use crate::support::jit::{Jit, Options, reference};
use crate::support::{Guest, OPS, assemble, on_heap, take_log, unit};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::collections::HashMap;
use verdigris_record::TraceLimits;

/// The result of a run.
#[derive(PartialEq, Debug)]
struct Effects {
    outcome: String,
    slots: String,
    log: Vec<String>,
}

const FUEL: u64 = 60;

fn interpret(code: &[i64], acc: i64) -> Effects {
    on_heap(false, |ctx| {
        take_log();
        let guest = Guest::new(code);
        let state = [guest.greens(0), guest.reds(acc, FUEL)].concat();
        let outcome = reference(ctx, unit(), state);
        Effects {
            outcome,
            slots: guest.show(),
            log: take_log(),
        }
    })
}

fn jit(
    code: &[i64],
    acc: i64,
    options: Options,
    stress: bool,
    seed: u64,
) -> (Effects, HashMap<&'static str, u32>) {
    on_heap(stress, |ctx| {
        take_log();
        let unit = unit();
        let guest = Guest::new(code);
        let state = [guest.greens(0), guest.reds(acc, FUEL)].concat();
        let jit = Jit::new(ctx, unit, options, seed);
        let outcome = jit.run(state);
        let effects = Effects {
            outcome,
            slots: guest.show(),
            log: take_log(),
        };
        (effects, jit.stats.take())
    })
}

const OPTIONS: Options = Options {
    threshold: 2,
    bridge_after: 1,
    force: 0,
    disturb: false,
    limits: TraceLimits {
        keep_origins: false,
        keep_activations: false,
        check_hints: false,
        heap_cache: true,
        trace_limit: 400,
        cut_traces: false,
        step_limit: 20_000,
        depth_limit: 6,
        live_limit: 1000,
        has_made_objects: false,
        generalise: false,
        promote: true,
        inline: true,
        interruptible: false,
    },
};

/// A guest program of up to 12 instructions whose jumps stay inside, mostly.
fn program() -> impl Strategy<Value = Vec<i64>> {
    let op = (0..OPS.len(), -3_i64..12, 0_i64..6);
    prop::collection::vec(op, 3..12).prop_map(|ops| {
        let len = ops.len() as i64;
        let mut code = Vec::new();
        for (op, small, place) in ops {
            let operand = match OPS[op] {
                "jump" => 2 * (place.min(len)),
                "cjump" => 2 * (place % (len - 2).max(1)),
                "const" | "log" | "mix" => small,
                "mask" => [1, 3, 7, 255, -1, 6][place as usize],
                _ => place % 4,
            };
            code.extend([op as i64, operand]);
        }
        // Most programs loop.
        code.extend(assemble("const 1; jump 0"));
        code
    })
}

fn quiet_panics() {
    use std::sync::Once;
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let from_guest = info.payload_as_str().is_some_and(|text| {
                ["attempt", "index out", "the log", "mixed", "illegal"]
                    .iter()
                    .any(|p| text.starts_with(p))
            });
            if !from_guest {
                hook(info);
            }
        }));
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tracing_changes_nothing(
        code in program(),
        acc in -2_i64..9,
        seed: u64,
        threshold in 0_u32..4,
        bridge_after in 0_u32..4,
        force in prop_oneof![Just(0_u64), Just(2), Just(7), Just(40)],
        disturb: bool,
        heap_cache: bool,
        cut in prop::option::of(3_usize..60),
    ) {
        quiet_panics();
        let expected = interpret(&code, acc);
        let (cut_traces, trace_limit) = (cut.is_some(), cut.unwrap_or(400));
        let limits = TraceLimits { heap_cache, cut_traces, trace_limit, ..OPTIONS.limits };
        let options = Options { threshold, bridge_after, force, disturb, limits };
        let (effects, _) = jit(&code, acc, options, false, seed);
        prop_assert_eq!(&effects, &expected, "{:?}", options);
    }

    #[test]
    fn the_collector_sees_everything(code in program(), acc in -2_i64..9, seed: u64, disturb: bool) {
        quiet_panics();
        let expected = interpret(&code, acc);
        let options = Options { force: 20, disturb, ..OPTIONS };
        let (effects, _) = jit(&code, acc, options, true, seed);
        prop_assert_eq!(&effects, &expected);
    }
}

/// Every guard of a trace is made to fail once: rebuilding and the blackhole reach what the trace
/// would have reached.
#[test]
fn every_guard_can_fail() {
    quiet_panics();
    let programs = [
        "add 0; bump 2; store 1; sub 2; classify 0; rec 0; fadd 0; mask 255; jump 0",
        "log 2; mask 15; promote 0; observe 2; storebox 3; bump 3; add 3; const 1; jump 0",
        // The object in slot 0 changes its class all the time.
        "add 0; log 0; const 1; bump 2; add 2; mask 1; jump 22; const 3; storebox 0; const 1; jump 0; const 2; store 0; \
         const 1; jump 0",
        // A constant object whose contents change, one that does not, and one that is a new one
        // every time.
        "fix 2; bump 2; mask 63; fix 3; observe 2; const 1; jump 0",
        "fix 0; mask 7; store 0; fix 0; log 1; mask 3; storebox 1; fix 1; const 1; jump 0",
        "mask 7; log 9; add 3; bump 3; const 1; jump 0",
        "const 3; store 0; const 1; nil 1; add 3; bump 0; const 2; cjump 4; const 1; jump 0",
    ];
    let mut stats = HashMap::new();
    for text in programs {
        let code = assemble(text);
        let expected = interpret(&code, 1);
        for seed in 1..120 {
            let options = Options {
                force: 9,
                disturb: seed % 2 == 0,
                bridge_after: 1000,
                ..OPTIONS
            };
            let (effects, new) = jit(&code, 1, options, seed % 16 == 0, seed);
            assert_eq!(effects, expected, "{text}, seed {seed}");
            new.into_iter()
                .for_each(|(what, n)| *stats.entry(what).or_insert(0) += n);
        }
    }
    for what in ["loop", "forced", "virtual", "delayed"] {
        assert!(
            stats.get(what).is_some_and(|&n| n > 50),
            "{what} in {stats:?}"
        );
    }
}

/// The random programs above reach every part of the tracer.
#[test]
fn the_programs_cover_the_tracer() {
    quiet_panics();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut stats = HashMap::new();
    for seed in 1..400 {
        let code = program().new_tree(&mut runner).unwrap().current();
        let (_, new) = jit(
            &code,
            5,
            Options {
                force: 15,
                threshold: seed as u32 % 3,
                ..OPTIONS
            },
            false,
            seed,
        );
        new.into_iter()
            .for_each(|(what, n)| *stats.entry(what).or_insert(0) += n);
    }
    for what in [
        "loop", "cut", "jump", "finish", "abort", "bridge", "failed", "forced",
    ] {
        assert!(
            stats.get(what).is_some_and(|&n| n >= 10),
            "{what} in {stats:?}"
        );
    }
}
