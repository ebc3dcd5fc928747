//! What tests of the translator's forms share. In: the sources of the suite. Out: sources whose
//! portal calls one function once, and outcomes of the forms' interpreters as rustc's code would
//! give them.

use crate::world;
use conformance::harness::Outcome;

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
pub fn sources() -> Vec<(String, String)> {
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
pub fn quietly<T>(f: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = f();
    std::panic::set_hook(hook);
    result
}

/// What an interpreter found, as rustc's code would say it.
pub fn outcome(run: world::Outcome) -> Option<Outcome> {
    match run {
        world::Outcome::Returned(word) => Some(Outcome::Value(word as i64)),
        world::Outcome::Panicked(message) => Some(Outcome::Panic(message)),
        world::Outcome::TooLong => None,
    }
}
