//! Whether the suite notices a translator that misreads its source. In: the ways in which the front
//! end can be broken, the functions of the suite. Out: for each way a function that means something
//! else then, and how long it took to find it. Invariant: nothing but the comparison with rustc's
//! code tells; a way that the translator refuses itself does not count.

#[path = "../../crates/build/tests/semantics/native.rs"]
mod native;
mod support;
#[path = "../../crates/build/tests/semantics/world.rs"]
mod world;

use conformance::harness::{self, some_inputs};
use conformance::{AREAS, jit_program};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;
use support::{outcome, quietly, sources};
use verdigris::{Options, Vm};
use verdigris_front::{Sabotage, tast};
use verdigris_testing::for_each;
use world::World;

#[test]
fn misread_sources_are_noticed() {
    let sources = sources();
    let texts: Vec<(&str, &str)> = sources.iter().map(|(p, t)| (&**p, &**t)).collect();
    let silent = Mutex::new(Vec::new());
    quietly(|| {
        for_each(Sabotage::ALL, |&way| {
            let start = Instant::now();
            Sabotage::choose(Some(way));
            let misread = verdigris_front::check_source(&texts);
            Sabotage::choose(None);
            let found = match &misread {
                Ok(program) => first_difference(program),
                Err(diagnostics) => Err(format!("refused: {diagnostics}")),
            };
            let (name, seconds) = (way.name(), start.elapsed().as_secs_f64());
            match found {
                Ok(difference) => println!("{name:16} {seconds:5.1} s  {difference}"),
                Err(why) => silent
                    .lock()
                    .expect("no panic")
                    .push(format!("{name}: {why}")),
            }
        });
    });
    let silent = silent.into_inner().expect("no panic");
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// The first function that a typed tree gives another meaning than rustc does.
fn first_difference(program: &tast::TypedProgram) -> Result<String, String> {
    let vm = Vm::new(jit_program(), Options::parse("off").expect("parses")).expect("a VM");
    let inputs = some_inputs(8);
    for (area, (area_name, cases)) in AREAS.iter().enumerate() {
        for (case, case_name) in cases.iter().enumerate() {
            let want = harness::native(&vm, area, case, &inputs);
            for (&(a, b), want) in inputs.iter().zip(want) {
                let args = [area as i64, case as i64, a, b].map(|x| x as u64);
                let mut world = World::new(&program.descrs);
                world.without_calls = true;
                let run = AssertUnwindSafe(|| native::run(program, &mut world, &args));
                // The interpreter does not know the function's operations.
                let Ok(run) = catch_unwind(run) else { break };
                let got = outcome(run);
                if !world.called && got.as_ref() != Some(&want) {
                    let function = format!("{area_name}::{case_name}");
                    return Ok(format!("{function}({a}, {b}): {want:?}, not {got:?}"));
                }
            }
        }
    }
    Err("no function means something else".to_string())
}

/// The comparison finds nothing where nothing is broken.
#[test]
fn the_translator_itself_is_right() {
    let sources = sources();
    let texts: Vec<(&str, &str)> = sources.iter().map(|(p, t)| (&**p, &**t)).collect();
    let program = verdigris_front::check_source(&texts).unwrap_or_else(|e| panic!("{e}"));
    let found = quietly(|| first_difference(&program));
    assert!(found.is_err(), "{found:?}");
}
