//! Heaps that are too small. In: programs whose calls keep frames. Out: what they do under limits
//! around what they need. Invariant under test: see `verdigris_testing::agree_at_the_limit`.

use crate::common::image;
use tla::machine::{Machine, on_stack};
use verdigris_testing::{Outcome, agree_at_the_limit, next};

const DEPTH: i64 = 2000;

#[test]
fn programs_end_well_with_too_little_memory() {
    let second = image("fib");
    let image = image("depth");
    agree_at_the_limit(|options| {
        let run = || {
            let machine = Machine::new(options, DEPTH).expect("a machine");
            let outcome = |image, arg| Outcome::from(machine.run(image, &[arg]));
            (outcome(&image, 1500), next(|| outcome(&second, 10)))
        };
        on_stack(DEPTH, run).expect("a stack")
    });
}
