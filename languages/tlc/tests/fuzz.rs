//! Random programs. In: random well-formed programs with a hot loop. Out: the same outcome with and without JIT.
//! Invariant under test: whatever a loop does (types that change, errors in the middle, escaping objects, nested calls),
//! compiled code, bridges and deoptimisation agree with the interpreter.

mod common;

use common::generate::{Expr, expr, program};
use common::{guest, printed, used_up};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tlc::image::Image;
use verdigris::Options;
use verdigris_testing::{Run, SETTINGS, agree_under};

/// The program on a small heap.
fn small(image: &Image, turns: &[i64]) -> impl Fn(Options) -> Run {
    move |mut options| {
        options.jit.heap_limit = Some(4 << 20);
        guest(image, turns, 200)(options)
    }
}

fn options(jit: &str) -> Options {
    Options::parse(jit).unwrap_or_else(|error| panic!("{jit}: {error}"))
}

/// The generator makes programs that are worth running: many get to their end, and many have bridges.
#[test]
fn random_programs_reach_compiled_code() {
    let mut runner = TestRunner::deterministic();
    let (mut programs, mut ended, mut bridged) = (0, 0, 0);
    for _ in 0..300 {
        let body = expr()
            .new_tree(&mut runner)
            .expect("nothing is filtered")
            .current();
        let Some(image) = program(&body) else {
            continue;
        };
        let run = small(&image, &[60])(options("threshold=3,trace_eagerness=2"));
        programs += 1;
        ended += u32::from(run.outcome.error.is_none());
        bridged += u32::from(run.stats.bridges > 0);
    }
    assert!(
        ended * 5 > programs,
        "{ended} of {programs} programs ended without an error"
    );
    assert!(
        bridged * 20 > programs,
        "{bridged} of {programs} programs had bridges"
    );
}

#[test]
fn a_simple_body_runs_to_its_end() {
    let body = Expr::Binary("ADD", Box::new(Expr::Last), Box::new(Expr::Counter));
    let image = program(&body).expect("it assembles");
    let run = small(&image, &[10])(options("off"));
    assert_eq!(printed(run.outcome), "[<object a=1 b=0>, 45, 0]\n45\n");
}

proptest! {
    // `PROPTEST_CASES=20000` makes a campaign of it.
    #![proptest_config(ProptestConfig { max_global_rejects: 1_000_000, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_do_not_depend_on_the_jit(body in expr(), setting in prop::sample::select(&SETTINGS[1..])) {
        let Some(image) = program(&body) else { return Err(TestCaseError::reject("a branch is too long")) };
        if let Err(difference) = agree_under([&setting], small(&image, &[60])) {
            // How much is allocated does depend on the JIT.
            let [expected, found] = [&difference.expected, &difference.found];
            prop_assume!(![expected, found].iter().any(|o| used_up(o.error.as_deref())));
            return Err(TestCaseError::fail(difference.to_string()));
        }
    }

    #[test]
    fn random_bytes_never_crash(code in prop::collection::vec(prop_oneof![9 => 0..36u8, 1 => any::<u8>()], 0..30)) {
        // Without backward branches and calls, so that every program ends.
        let ends = |byte: &u8| ![18, 19, 20, 31, 35].contains(byte);
        let image = Image { code: code.into_iter().filter(ends).collect(), file: "bytes".to_string(), ..Image::default() };
        let text = printed(small(&image, &[3])(options("threshold=1")).outcome);
        prop_assert!(text.contains("bytes: pc ") || !text.contains("status"), "{}", text);
    }
}
