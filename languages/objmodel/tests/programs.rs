//! Every program on every stage under its share of the settings. In: `programs/*.om` with `*.out`.
//! Out: the same text each time. Invariant under test: the stage of the object model, the JIT, its
//! backends, its optimiser, the collector and deoptimisation change nothing that a user of the
//! language can see, errors included.

use crate::common::{guest, printed};
use objmodel::image::Image;
use objmodel::machine::{MAX_DEPTH, Stage, load};
use std::path::Path;
use verdigris::Options;
use verdigris_testing::{
    FAST_SHARES, Outcome, Program, Run, Setting, agree_under, fast_settings, for_each, programs,
    replayed, slow_settings,
};

fn all() -> Vec<(Program, Image)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let programs = programs(&folder, "om", "#");
    assert!(programs.len() >= 20, "only {} programs", programs.len());
    let with_image = |program: Program| {
        let file = program.name.clone() + ".om";
        let image = load(program.source.as_bytes(), &file);
        (program, image.unwrap_or_else(|error| panic!("{error}")))
    };
    programs.into_iter().map(with_image).collect()
}

/// Checks a program under each of these settings on one of the stages, which is another one for
/// other programs. Gives what it prints.
fn agreed(
    program: &Program,
    image: &Image,
    args: &[i64],
    depth: i64,
    settings: &[&Setting],
) -> Outcome {
    let on = |stage| {
        let first = (program.number / FAST_SHARES + stage as usize) % Stage::ALL.len();
        let settings = settings
            .iter()
            .copied()
            .skip(first)
            .step_by(Stage::ALL.len());
        agree_under(settings, guest(image, args, stage, depth))
            .unwrap_or_else(|difference| panic!("{} on {stage:?}: {difference}", program.name))
    };
    let [dict, maps, versions] = Stage::ALL.map(on);
    assert_eq!(dict, maps, "{}", program.name);
    assert_eq!(dict, versions, "{}", program.name);
    dict
}

#[test]
fn every_program_prints_what_its_file_says() {
    for_each(&all(), |(program, image)| {
        let settings = fast_settings(program.number);
        let outcome = agreed(program, image, &program.args, MAX_DEPTH, &settings);
        assert_eq!(printed(outcome), program.expected, "{}", program.name);
    });
}

#[test]
fn the_heap_is_collected_at_every_allocation() {
    for_each(&all(), |(program, image)| {
        let settings = slow_settings(program.number);
        agreed(program, image, &program.small_args, 50, &settings);
    });
}

/// A program of the folder; its own arguments if there are none.
fn run(name: &str, args: &[i64], jit: &str, stage: Stage) -> Run {
    let (program, image) = all()
        .into_iter()
        .find(|(program, _)| program.name == name)
        .unwrap_or_else(|| panic!("there is no {name}"));
    let args = if args.is_empty() { &program.args } else { args };
    let options = Options::parse(jit).unwrap_or_else(|error| panic!("{jit}: {error}"));
    guest(&image, args, stage, MAX_DEPTH)(options)
}

#[test]
fn loops_are_compiled_and_run() {
    for name in ["expression", "counter", "shapes", "linked_list", "queue"] {
        for stage in Stage::ALL {
            let Run { stats, .. } = run(name, &[], "threshold=7", stage);
            assert!(stats.loops >= 1, "{name}: no loop was compiled: {stats:?}");
            assert!(stats.entries >= 1, "{name}: no code was entered: {stats:?}");
        }
    }
}

#[test]
fn calls_stay_in_compiled_code() {
    for stage in Stage::ALL {
        let Run { outcome, stats, .. } = run("counter", &[300_000], "", stage);
        assert_eq!(outcome.output, "300005 300006\n");
        let failures = stats.guard_failures.interpreter;
        assert!(failures <= 20, "{stage:?}: {stats:?}");
    }
}

#[test]
fn code_that_does_not_fit_is_not_made_again_and_again() {
    for stage in Stage::ALL {
        let jit = "threshold=2,trace_eagerness=1,loop_longevity=1,code_budget=4k";
        let Run { stats, .. } = run("error_recursion", &[], jit, stage);
        assert!(stats.traces <= 30, "{stage:?}: {stats:?}");
    }
}

#[test]
fn objects_that_live_for_one_iteration_are_not_made() {
    let allocated = |n: i64| {
        let run = run("boxed_numbers", &[n], "", Stage::Versions);
        run.stats.heap.allocated_bytes
    };
    let (few, many) = (allocated(10_000), allocated(110_000));
    assert!(many < few + 100_000, "{few} and {many} bytes");
}

#[test]
fn a_class_that_always_changes_is_compiled_too() {
    for stage in Stage::ALL {
        let Run { stats, .. } = run("class_changes_every_time", &[100_000], "", stage);
        let failures = stats.guard_failures.interpreter;
        assert!(stats.loops >= 1 && failures <= 1000, "{stage:?}: {stats:?}");
    }
}

#[test]
fn recordings_make_the_same_code() {
    for_each(&all(), |(program, image)| {
        replayed(
            program.number,
            &program.name,
            guest(image, &program.small_args, Stage::Versions, MAX_DEPTH),
        );
    });
}
