//! Every function of the suite means the same in all forms that the translator has: typed tree, flow graph, jitcode. In:
//! the sources of the suite, pairs of numbers. Out: four results for each pair, one of them by rustc's code.
//!
//! The interpreters of the forms are those that the translator is tested with on random programs. They do not know what
//! functions compute that are called, not traced; pairs for which one is called are left to the other tests.

#[path = "../../crates/build/tests/semantics/code.rs"]
mod code;
#[path = "../../crates/build/tests/semantics/graphs.rs"]
mod graphs;
#[path = "../../crates/build/tests/semantics/native.rs"]
mod native;
#[path = "../../crates/build/tests/semantics/world.rs"]
mod world;

use conformance::harness::{self, Outcome, all_inputs};
use conformance::{AREAS, jit_program};
use std::collections::BTreeSet;
use std::panic::catch_unwind;
use verdigris::{Options, Vm};
use verdigris_front::tast;
use world::World;

/// A portal that calls a function once.
const PORTAL: &str = "
#[portal]
fn once(area: i64, case: i64, a: i64, b: i64) -> i64 {
    loop {
        merge_point!(greens = [area, case], reds = [a, b]);
        return run(area, case, a, b);
    }
}
";

/// The suite with that portal instead of its own.
fn sources() -> Vec<(String, String)> {
    let read = |name: &str| {
        let path = conformance_tables::sources().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let root = read("lib.rs");
    assert!(root.contains("#[portal]\n"), "the root has a portal");
    let root = root.replace("#[portal]\n", "") + PORTAL;
    let mut sources = vec![("src/lib.rs".to_string(), root)];
    for entry in std::fs::read_dir(conformance_tables::sources()).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".rs") && name != "lib.rs" {
            sources.push((format!("src/{name}"), read(&name)));
        }
    }
    sources
}

/// Runs something whose panics are expected.
fn quietly<T>(f: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = f();
    std::panic::set_hook(hook);
    result
}

/// What an interpreter found, as rustc's code would say it.
fn outcome(run: world::Outcome) -> Option<Outcome> {
    match run {
        world::Outcome::Returned(word) => Some(Outcome::Value(word as i64)),
        world::Outcome::Panicked(message) => Some(Outcome::Panic(message)),
        world::Outcome::TooLong => None,
    }
}

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

    let vm = Vm::new(jit_program(), Options::parse("off").expect("parses")).expect("a VM");
    let inputs = all_inputs(200);
    let (mut compared, mut called, mut wrong) = (0, 0, Vec::new());
    let mut beyond = BTreeSet::new();
    for (area, (area_name, cases)) in AREAS.iter().enumerate() {
        for (case, case_name) in cases.iter().enumerate() {
            let want = quietly(|| harness::native(&vm, area, case, &inputs));
            for (&(a, b), want) in inputs.iter().zip(want) {
                let args = [area as i64, case as i64, a, b].map(|x| x as u64);
                let forms = quietly(|| catch_unwind(|| run(&source, &graphs, &unit, &args)));
                let name = format!("{area_name}::{case_name}");
                match forms {
                    Err(_) => {
                        beyond.insert(name);
                        break;
                    }
                    Ok(None) => called += 1,
                    Ok(Some(forms)) => {
                        compared += 1;
                        for (form, got) in forms.into_iter().filter(|f| f.1.as_ref() != Some(&want))
                        {
                            wrong.push(format!(
                                "{name}({a}, {b}): {want:?}, but the {form} gives {got:?}"
                            ));
                        }
                    }
                }
            }
        }
    }
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

/// A run in each form; none if the function calls what is not traced. Panics if an interpreter does not know an operation:
/// their heap consists of words, and holds no values that are made of several.
fn run(
    source: &tast::Program,
    graphs: &verdigris_graph::Program,
    unit: &verdigris_jitcode::Unit,
    args: &[u64],
) -> Option<[(&'static str, Option<Outcome>); 3]> {
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
