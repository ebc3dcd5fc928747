//! TLA programs as guests. In: an image with arguments. Out: functions from options to runs.

use std::path::Path;
use tla::image::Image;
use tla::level::Level;
use tla::machine::{Machine, load, on_stack};
use verdigris::Options;
use verdigris_testing::Run;

/// How deep calls may be in tests, unless they say otherwise.
pub const DEPTH: i64 = 600;

/// A program that runs on a stack of its own.
pub fn guest(image: &Image, args: &[i64], max_depth: i64) -> impl Fn(Options) -> Run {
    guest_on(image, args, max_depth, Level::Any)
}

/// The same, with the program's first function on a level.
pub fn guest_on(
    image: &Image,
    args: &[i64],
    max_depth: i64,
    main: Level,
) -> impl Fn(Options) -> Run {
    move |options| {
        let run = || {
            let machine = Machine::new(options, max_depth).unwrap_or_else(|e| panic!("{e}"));
            let machine = machine.with_main_level(main);
            Run {
                outcome: machine.run(image, args).into(),
                stats: machine.vm().stats(),
                traces: machine.vm().traces(),
            }
        };
        on_stack(max_depth, run).expect("a stack")
    }
}

/// A program of the folder `programs`.
pub fn image(name: &str) -> Image {
    assembled(name, &text(name))
}

/// The same, with all that it calls for the tracer called on the lower level.
pub fn with_baseline_calls(name: &str) -> Image {
    assembled(name, &text(name).replace("CALL_JIT ", "CALL "))
}

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{name}.tla"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn assembled(name: &str, text: &str) -> Image {
    load(text, &format!("{name}.tla")).unwrap_or_else(|error| panic!("{error}"))
}
