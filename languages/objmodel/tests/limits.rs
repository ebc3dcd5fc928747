//! Heaps that are too small. In: programs that keep objects. Out: what they do under limits around
//! what they need, in all models. Invariant under test: see
//! `verdigris_testing::agree_at_the_limit`.

use crate::common::image;
use objmodel::machine::{Machine, Stage};
use verdigris_testing::{Outcome, agree_at_the_limit, next};

#[test]
fn programs_end_well_with_too_little_memory() {
    let second = image("collatz");
    for (name, arg, stage) in [
        ("linked_list", 120, Stage::Dict),
        ("linked_list", 450, Stage::Maps),
        ("tree", 300, Stage::Versions),
    ] {
        let image = image(name);
        agree_at_the_limit(|options| {
            let machine = Machine::new(options, stage, 2000).expect("a machine");
            let outcome = |image, arg| {
                let done = machine.run(image, &[arg], true);
                let (output, error) = (done.output, done.error);
                Outcome { output, error }
            };
            (outcome(&image, arg), next(|| outcome(&second, 20)))
        });
    }
}
