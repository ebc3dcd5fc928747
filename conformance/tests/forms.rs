//! Every function of the suite means the same in all forms that the translator has: typed tree,
//! flow graph, jitcode. In: the sources of the suite, pairs of numbers. Out: four results for each
//! pair, one of them by rustc's code.
//!
//! The interpreters of the forms are those that the translator is tested with on random programs.
//! They do not know what functions compute that are called, not traced; pairs for which one is
//! called are left to the other tests.

#[path = "../../crates/build/tests/semantics/code.rs"]
mod code;
#[path = "../../crates/build/tests/semantics/graphs.rs"]
mod graphs;
#[path = "../../crates/build/tests/semantics/native.rs"]
mod native;
mod support;
#[path = "../../crates/build/tests/semantics/world.rs"]
mod world;

use conformance::harness::{self, Outcome, some_inputs};
use conformance::{AREAS, jit_program};
use std::collections::BTreeSet;
use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};
use std::sync::Mutex;
use support::{outcome, quietly, sources};
use verdigris::{Options, Vm};
use verdigris_front::tast;
use verdigris_testing::for_each;
use world::World;

#[test]
fn functions_mean_the_same_in_all_forms() {
    let sources = sources();
    let texts: Vec<(&str, &str)> = sources.iter().map(|(p, t)| (&**p, &**t)).collect();
    let source = verdigris_front::check_source(&texts).unwrap_or_else(|e| panic!("{e}"));
    let graphs = verdigris_graph::build(&source).unwrap_or_else(|e| panic!("{e:?}"));
    let unit = verdigris_build::lower(&graphs);
    verdigris_jitcode::verify(&unit).unwrap_or_else(|e| panic!("{e}"));
    let text = verdigris_graph::print_program(&graphs);
    assert_eq!(verdigris_graph::parse(&text).expect("parses"), graphs);
    let text = verdigris_jitcode::print_unit(&unit);
    assert_eq!(verdigris_jitcode::parse(&text).expect("parses"), unit);

    let inputs = some_inputs(60);
    let found = Mutex::new(Found::default());
    let areas: Vec<usize> = (0..AREAS.len()).collect();
    quietly(|| {
        for_each(&areas, |&area| {
            let inputs = inputs.as_slice();
            let run = |args: &[u64]| run(&source, &graphs, &unit, args);
            let of_area = compare(area, inputs, run);
            found.lock().expect("no check panics").add(of_area);
        });
    });
    let Found {
        compared,
        called,
        mut wrong,
        beyond,
    } = found.into_inner().expect("no check panics");
    println!("{compared} runs in four forms, {called} with calls out of the traced code");
    println!("beyond the interpreters: {beyond:?}");
    wrong.truncate(20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let functions: usize = AREAS.iter().map(|(_, cases)| cases.len()).sum();
    assert!(
        beyond.len() * 10 < functions,
        "the interpreters know too little"
    );
}

/// What the comparison of some functions found.
#[derive(Default)]
struct Found {
    /// Runs that were compared.
    compared: usize,
    /// Runs that called what is not traced.
    called: usize,
    /// Differences.
    wrong: Vec<String>,
    /// Functions that the interpreters do not know enough for.
    beyond: BTreeSet<String>,
}

impl Found {
    fn add(&mut self, other: Found) {
        self.compared += other.compared;
        self.called += other.called;
        self.wrong.extend(other.wrong);
        self.beyond.extend(other.beyond);
    }
}

/// Each function is given every fourth pair, others than its neighbours: among these are all edges,
/// on both sides, as long as their number is odd, and a mistake of a form shows in more than one
/// function.
const SHARE: usize = 4;

/// Compares the functions of an area: `run` gives what the forms give.
fn compare(
    area: usize,
    inputs: &[(i64, i64)],
    run: impl Fn(&[u64]) -> Option<Forms> + UnwindSafe + RefUnwindSafe,
) -> Found {
    let vm = Vm::new(jit_program(), Options::parse("off").expect("parses")).expect("a VM");
    let mut found = Found::default();
    let (area_name, cases) = AREAS[area];
    for (case, case_name) in cases.iter().enumerate() {
        let name = format!("{area_name}::{case_name}");
        let pairs = inputs.iter().skip(case % SHARE).step_by(SHARE);
        let inputs: Vec<(i64, i64)> = pairs.copied().collect();
        let want = harness::native(&vm, area, case, &inputs);
        for (&(a, b), want) in inputs.iter().zip(want) {
            let args = [area as i64, case as i64, a, b].map(|x| x as u64);
            let Ok(forms) = catch_unwind(|| run(&args)) else {
                found.beyond.insert(name);
                break;
            };
            let Some(forms) = forms else {
                found.called += 1;
                continue;
            };
            found.compared += 1;
            for (form, got) in forms.into_iter().filter(|f| f.1.as_ref() != Some(&want)) {
                let text = format!("{name}({a}, {b}): {want:?}, but the {form} gives {got:?}");
                found.wrong.push(text);
            }
        }
    }
    found
}

/// The forms by name, and what they give.
type Forms = [(&'static str, Option<Outcome>); 3];

/// A run in each form; none if the function calls what is not traced. Panics if an interpreter does
/// not know an operation: their heap consists of words, and holds no values that are made of
/// several.
fn run(
    source: &tast::TypedProgram,
    graphs: &verdigris_graph::GraphProgram,
    unit: &verdigris_jitcode::Unit,
    args: &[u64],
) -> Option<Forms> {
    let mut world = World::new(&source.descrs);
    world.without_calls = true;
    let tree = native::run(source, &mut world, args);
    if world.called {
        return None;
    }
    let graph = graphs::run(graphs, &mut World::new(&graphs.descrs), args);
    let code = code::run(unit, &mut World::new(&unit.descrs), args);
    Some(
        [("tree", tree), ("graph", graph), ("jitcode", code)]
            .map(|(form, run)| (form, outcome(run))),
    )
}

/// Names are what others find a function by.
#[test]
fn names_are_unique_in_their_areas() {
    for (area, cases) in AREAS {
        let names: BTreeSet<&&str> = cases.iter().collect();
        assert_eq!(names.len(), cases.len(), "{area}");
    }
    conformance_tables::check().unwrap_or_else(|e| panic!("{e}"));
}
