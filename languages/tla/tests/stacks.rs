//! Stacks of all sizes. In: programs that recurse further than any stack reaches. Out: what they
//! end with, and what the machine does next. Invariant under test: it is an error that says so,
//! under every setting, and no accident; the next program gives what it should.

use crate::common::image;
use tla::image::Image;
use tla::machine::{Machine, load};
use verdigris::Options;
use verdigris_testing::{SETTINGS, STACKS, Setting, for_each, on_stack, with_stacks};

/// The programs, with a small argument and the result.
const PROGRAMS: [(&str, i64, &str); 3] = [
    ("depth", 20, "20"),
    ("even_odd", 21, "0"),
    ("depth_of_loops", 20, "20"),
];

/// A program that is compiled where it ends, and then has no end on this stack; and then it has one
/// again.
fn check(images: &[Image], setting: &Setting, bytes: usize) {
    let mut options = setting.options();
    // A deep stack takes its time, to be scanned and to be unwound.
    options.native_stack = (bytes >= 1 << 20).then_some(128 << 10);
    let machine = Machine::new(options, i64::MAX).unwrap_or_else(|error| panic!("{error}"));
    for (image, (name, small, expected)) in images.iter().zip(PROGRAMS) {
        let at = format!("{name}, {}, {} kB", setting.name, bytes >> 10);
        let entered = machine.enter(image, |program| {
            for _ in 0..20 {
                program.run_to_int(&[small])?;
            }
            program.run_to_int(&[1 << 40])
        });
        let error = entered.expect_err(&at);
        assert!(
            error.ends_with("the native stack is used up"),
            "{at}: {error}"
        );
        assert_eq!(
            machine.run(image, &[small]),
            Ok(expected.to_string()),
            "{at}"
        );
    }
}

#[test]
fn too_deep_recursion_is_the_same_error_on_every_stack() {
    let images = PROGRAMS.map(|(name, ..)| image(name));
    let settings: Vec<_> = SETTINGS.iter().filter(|setting| !setting.slow).collect();
    for_each(&with_stacks(&settings), |&(setting, bytes)| {
        on_stack(bytes, || check(&images, setting, bytes));
    });
}

#[test]
fn collections_have_room_on_small_stacks() {
    let images = PROGRAMS.map(|(name, ..)| image(name));
    let settings: Vec<_> = SETTINGS.iter().filter(|setting| setting.slow).collect();
    for_each(&settings, |setting| {
        for &bytes in &STACKS[..2] {
            on_stack(bytes, || check(&images, setting, bytes));
        }
    });
}

/// Recursion on the level that is never compiled.
#[test]
fn interpreted_recursion_is_stopped() {
    let text = "main(1):\n CALL_NORMAL down\n EXIT\ndown(1):\n DUP\n CALL_NORMAL down\n RET 1\n";
    let image = load(text, "normal.tla").unwrap_or_else(|error| panic!("{error}"));
    for bytes in [64 << 10, 1 << 20] {
        on_stack(bytes, || {
            let options = Options::parse("threshold=3,function_threshold=3").expect("parameters");
            let machine = Machine::new(options, i64::MAX).unwrap_or_else(|error| panic!("{error}"));
            let error = machine.run(&image, &[1]).expect_err("there is no end");
            assert!(error.ends_with("the native stack is used up"), "{error}");
        });
    }
}

/// A stack that is as large as many calls need is used by them.
#[test]
fn a_large_stack_is_used() {
    let image = image("depth");
    on_stack(64 << 20, || {
        for params in [
            "off",
            "",
            "threshold=3,function_threshold=3,trace_eagerness=1",
        ] {
            let options = Options::parse(params).expect("parameters");
            let machine = Machine::new(options, i64::MAX).unwrap_or_else(|error| panic!("{error}"));
            let result = machine.run(&image, &[20_000]);
            assert_eq!(result.as_deref(), Ok("20000"), "{params}");
        }
    });
}
