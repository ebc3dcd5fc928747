//! The command. In: everything with `--quick`, once for all tests here. Out: tables, records in
//! JSON, a page, comparisons. Invariant under test: all suites run, the records have the fields and
//! systems that readers expect, and a browser shows the charts of the page.

mod browser;
mod command;
mod page;

use serde_json::Value;
use std::process::{Command, Output};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The files and output of `all --quick`.
struct Quick {
    folder: TempDir,
    document: Value,
    printed: String,
}

/// Any command that succeeds stands in for `tlc`, which another package builds.
static QUICK: LazyLock<Quick> = LazyLock::new(|| {
    let folder = TempDir::new().expect("there is a place for temporary files");
    let json = folder.path().join("quick.json");
    let json = json.to_str().expect("its name is UTF-8");
    let output = bench(&["all", "--quick", "--tlc", "/bin/true", "--json", json]);
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(json).expect("the file is written");
    Quick {
        folder,
        document: serde_json::from_str(&text).expect("it is JSON"),
        printed: String::from_utf8(output.stdout).expect("tables are UTF-8"),
    }
});

impl Quick {
    fn json(&self) -> String {
        let file = self.folder.path().join("quick.json");
        file.to_str().expect("its name is UTF-8").to_string()
    }

    fn records(&self) -> &[Value] {
        self.document["records"]
            .as_array()
            .expect("there is a list")
    }
}

fn bench(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
    command.args(args).output().expect("bench can be started")
}

/// The records of a suite, each of which has what every record has.
fn suite(name: &str) -> Vec<&'static Value> {
    let all = QUICK.records().iter();
    let records: Vec<&Value> = all.filter(|record| record["suite"] == name).collect();
    records.iter().for_each(|record| check(record));
    records
}

fn check(record: &Value) {
    for field in ["suite", "benchmark", "system"] {
        assert!(record[field].is_string(), "{field} in {record}");
    }
    let number = |field: &str| {
        let found = record[field].as_f64();
        found.unwrap_or_else(|| panic!("{field} in {record}"))
    };
    number("n");
    let values = ["min", "q1", "seconds", "q3", "max"].map(number);
    assert!(values.is_sorted(), "{record}");
    let length = |field: &str| record[field].as_array().map(Vec::len);
    let samples = length("samples");
    assert_eq!(samples.filter(|len| *len > 0), length("pace"), "{record}");
    let counted = record["count"].is_number();
    assert!(
        samples == Some(1) || (counted && samples == Some(0)),
        "{record}"
    );
}

/// Whether a suite has records of all these benchmarks and systems.
fn has(name: &str, benchmarks: &[&str], systems: &[&str]) {
    let records = suite(name);
    for benchmark in benchmarks {
        for system in systems {
            let this = |r: &&&Value| r["benchmark"] == *benchmark && r["system"] == *system;
            assert!(
                records.iter().any(|r| this(&r)),
                "{name} {benchmark} {system}"
            );
        }
    }
}

#[test]
fn the_machine_is_described() {
    let machine = &QUICK.document["machine"];
    for field in ["date", "build", "cpu", "platform"] {
        assert!(machine[field].is_string(), "{field} in {machine}");
    }
    assert_eq!(machine["quick"], true, "{machine}");
    assert!(machine["cores"].as_u64() > Some(0), "{machine}");
}

#[test]
fn suites_have_their_systems() {
    let loops = ["factorial", "fibonacci", "accumulator"];
    has(
        "tables",
        &loops,
        &[
            "interp",
            "jit-cold",
            "jit-warm",
            "specialising-cold",
            "specialising-warm",
            "rust",
        ],
    );
    let calls = ["fib", "callabit"];
    has("tla", &calls, &["interp", "jit-cold", "jit-warm", "rust"]);
    let methods = ["counter dict", "counter versions", "shapes maps"];
    has(
        "methods",
        &methods,
        &["interp", "jit-cold", "jit-warm", "rust"],
    );
    has(
        "stackvm",
        &["sum", "floats", "lists"],
        &["interp", "jit-cold", "rust"],
    );
    let collections = ["push", "get-set", "map-get", "map-text", "builder"];
    has(
        "library",
        &collections,
        &["interp", "jit-cold", "jit-warm", "rust"],
    );
    has(
        "frames",
        &["nobody looks", "a variable"],
        &["interp", "jit-cold", "nothing-kept"],
    );
    has(
        "entries",
        &["returns at once", "up to 15 turns"],
        &["interp", "jit-cold"],
    );
    has(
        "regions",
        &["1 guard", "8 guards, 20 values"],
        &["cranelift-apart", "cranelift-region", "rust"],
    );
    has(
        "heap",
        &["make", "link", "count", "trees", "garbage"],
        &["jit-warm"],
    );
    has(
        "activations",
        &["loop", "call", "fib", "deep", "native", "wide"],
        &[
            "recursive jit",
            "heap jit",
            "virtualizable jit",
            "shared interp",
        ],
    );
    has(
        "compile",
        &["factorial", "scheduler"],
        &["tracing", "optimising", "backend", "total", "guard bytes"],
    );
    has(
        "scaling",
        &["arithmetic", "objects", "guards"],
        &["optimising"],
    );
    has(
        "lua",
        &["fib", "methods", "varargs"],
        &["interp", "jit-cold", "jit-warm"],
    );
    has(
        "python",
        &["chaos", "strings", "trees"],
        &["interp", "jit-cold", "jit-warm", "loops", "code bytes"],
    );
    has("registers", &["locals", "carried"], &["interp", "jit-warm"]);
    has(
        "specialise",
        &["tlc/abs", "tla/ackermann", "lua/binary_trees"],
        &["interp", "tracing", "specialising", "both", "both-cold"],
    );
    has(
        "ways",
        &[
            "tlc/branch",
            "objmodel/fifty-ifs",
            "lua/interpreter",
            "tlc/trees",
            "objmodel/receivers",
            "lua/straight",
        ],
        &["interp", "tracing", "specialising", "both"],
    );
    has(
        "growth",
        &["tlc straight", "tlc joins", "lua straight", "lua joins"],
        &[
            "optimising",
            "backend",
            "code bytes",
            "operations",
            "labels",
        ],
    );
    has(
        "worst",
        &["tlc/abs", "lua/binary_trees", "lua/polymorphic0"],
        &[
            "interp",
            "tracing",
            "specialising",
            "both",
            "both code bytes",
            "both failures",
        ],
    );
    has(
        "translate",
        &["interpreter", "arms", "lets", "instances"],
        &["check", "graphs", "colours", "lowering", "total"],
    );
}

#[test]
fn changes_of_tier_have_their_tables() {
    has("tiers-slower", &["tlc/abs"], &["interp", "jit-cold"]);
    has(
        "tiers-paper",
        &["loop", "loopabit", "fib"],
        &[
            "interp first",
            "interp",
            "baseline first",
            "baseline compiling",
            "tracing operations",
            "tracing code bytes",
        ],
    );
    has(
        "tiers-paper",
        &["callabit"],
        &[
            "baseline-interp",
            "baseline-only",
            "baseline-tracing",
            "tracing-baseline",
            "tracing-only",
            "tracing-only code bytes",
        ],
    );
    has(
        "tiers-costs",
        &["tlc straight", "lua straight"],
        &["threaded", "stencils", "record bytes", "code bytes"],
    );
    has("tiers-warm", &["tlc/factorial"], &["defaults half"]);
    has("tiers-warm", &["lua/binary_trees"], &["tracing beginning"]);
    has(
        "tiers-curves",
        &[
            "tlc/factorial",
            "tla/loopabit",
            "objmodel-versions/bank",
            "stackvm/sum",
            "lua/fib",
        ],
        &["interp", "tracing", "specialising", "auto"],
    );
    for text in [
        "beyond, ms",
        "code bytes",
        "compile ms",
        "compared",
        "half/tracing",
        "end/tracing",
        "beginning/luajit",
        "with each compiler alone",
    ] {
        assert!(QUICK.printed.contains(text), "{text} in {}", QUICK.printed);
    }
}

/// The interpreter and the JIT of at least one program of each language and example.
#[test]
fn every_language_and_example_is_run() {
    let records = suite("programs");
    for language in [
        "tlc",
        "tla",
        "boxes",
        "objmodel-dict",
        "objmodel-maps",
        "objmodel-versions",
        "counter",
        "values",
        "calculator",
        "stackvm",
        "calls",
        "collections",
        "globals",
        "nodes",
        "frames",
        "activations",
        "lending",
    ] {
        for system in ["interp", "jit-cold"] {
            let this = |record: &&&Value| {
                let name = record["benchmark"]
                    .as_str()
                    .and_then(|name| name.split_once('/'));
                name.is_some_and(|name| name.0 == language) && record["system"] == system
            };
            assert!(
                records.iter().any(|record| this(&record)),
                "{language} {system}"
            );
        }
    }
}

#[test]
fn curves_have_their_iterations() {
    let curves = ["warmup", "tiers-curves"].map(suite);
    assert!(curves.iter().all(|records| !records.is_empty()));
    for record in curves.concat() {
        let curve = record["warmup"]["curve"]
            .as_array()
            .expect("it has a curve");
        assert_eq!(curve.len(), 12, "{record}");
        assert!(
            curve.iter().all(|seconds| seconds.as_f64() > Some(0.0)),
            "{record}"
        );
        assert!(record["warmup"]["cost"].is_number(), "{record}");
    }
}

#[test]
fn the_optimiser_removes_something_of_everything() {
    let records = suite("removed");
    let count = |system: &str| {
        let this = |r: &&&Value| r["benchmark"] == "total" && r["system"] == system;
        let record = records.iter().find(this);
        record.expect(system)["count"].as_u64().expect("a count")
    };
    for kind in ["new", "get/set", "guard", "all ops"] {
        let [before, after] = ["before", "after"].map(|when| count(&format!("{kind} {when}")));
        assert!(0 < after && after < before, "{kind}: {before} to {after}");
    }
}

#[test]
fn processes_have_memory() {
    for name in ["startup", "memory"] {
        let records = suite(name);
        assert!(!records.is_empty());
        for record in records {
            assert!(record["max_rss"].as_u64() > Some(100_000), "{record}");
        }
    }
}

#[test]
fn tables_are_printed() {
    for text in [
        "factorial ",
        "interp/jit-warm",
        "jit/c",
        "warm/rust",
        "jit/rust",
        "interp/warm",
        "cost in iterations",
        "of twice the length",
        "total",
        "of half",
        "geometric mean, all but lua",
        "where tracing alone does badly",
        "cut by limits",
        "RSS MB",
        "without a limit on compiling",
    ] {
        assert!(QUICK.printed.contains(text), "{text} in {}", QUICK.printed);
    }
}
