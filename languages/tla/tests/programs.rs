//! Every program under its share of the settings. In: `programs/*.tla` with `*.out`. Out: the same
//! text each time. Invariant under test: the JIT, its backends, its optimiser, the collector and
//! deoptimisation change nothing that a user of TLA can see, errors included.
//!
//! A comment `hot: 22` in a program gives arguments for benchmarks.

use crate::common::{DEPTH, guest};
use std::path::Path;
use tla::image::Image;
use tla::machine::load;
use verdigris_testing::{
    Program, agree_under, fast_settings, for_each, programs, replayed, slow_settings,
};

fn all() -> Vec<(Program, Image)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let programs = programs(&folder, "tla", ";");
    assert!(programs.len() >= 21, "only {} programs", programs.len());
    let with_image = |program: Program| {
        let file = program.name.clone() + ".tla";
        let image = load(&program.source, &file);
        (program, image.unwrap_or_else(|error| panic!("{error}")))
    };
    programs.into_iter().map(with_image).collect()
}

#[test]
fn every_program_answers_what_its_file_says() {
    for_each(&all(), |(program, image)| {
        let settings = fast_settings(program.number);
        match agree_under(settings, guest(image, &program.args, DEPTH)) {
            Ok(outcome) => assert_eq!(format!("{outcome}\n"), program.expected, "{}", program.name),
            Err(difference) => panic!("{}: {difference}", program.name),
        }
    });
}

#[test]
fn the_heap_is_collected_at_every_allocation() {
    for_each(&all(), |(program, image)| {
        let settings = slow_settings(program.number);
        if let Err(difference) = agree_under(settings, guest(image, &program.small_args, 60)) {
            panic!("{}: {difference}", program.name);
        }
    });
}

#[test]
fn recordings_make_the_same_code() {
    for_each(&all(), |(program, image)| {
        replayed(
            program.number,
            &program.name,
            guest(image, &program.small_args, DEPTH),
        );
    });
}
