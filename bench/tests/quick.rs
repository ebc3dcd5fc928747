//! The command. In: every subcommand with `--quick`. Out: tables, and records in JSON. Invariant under test: they run, and the
//! records have the fields and systems that readers expect.

use serde_json::Value;
use std::process::Command;
use tempfile::TempDir;

/// The records of a subcommand, and what it printed.
fn quick(args: &[&str]) -> (Vec<Value>, String) {
    let folder = TempDir::new().expect("there is a place for temporary files");
    let json = folder.path().join("records.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
    command.args(args).arg("--quick").arg("--json").arg(&json);
    let output = command.output().expect("bench can be started");
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(&json).expect("the file is written");
    let records = serde_json::from_str(&text).expect("it is a JSON list");
    (
        records,
        String::from_utf8(output.stdout).expect("tables are UTF-8"),
    )
}

fn check(record: &Value) {
    for field in ["suite", "benchmark", "system"] {
        assert!(record[field].is_string(), "{field} in {record}");
    }
    for field in ["n", "seconds", "min", "max", "runs"] {
        assert!(record[field].is_number(), "{field} in {record}");
    }
    assert!(
        record["min"].as_f64() <= record["seconds"].as_f64(),
        "{record}"
    );
    assert!(
        record["seconds"].as_f64() <= record["max"].as_f64(),
        "{record}"
    );
}

fn has(records: &[Value], benchmark: &str, system: &str) -> bool {
    let this = |r: &&Value| r["benchmark"] == benchmark && r["system"] == system;
    records.iter().any(|r| this(&r))
}

#[test]
fn tables() {
    let (records, text) = quick(&["tables"]);
    records.iter().for_each(check);
    for benchmark in ["factorial", "fibonacci", "accumulator"] {
        for system in ["interp", "jit-cold", "jit-warm", "rust"] {
            assert!(has(&records, benchmark, system), "{benchmark} {system}");
        }
        assert!(text.contains(&format!("{benchmark} ")), "{text}");
    }
    assert!(text.contains("interp/jit-warm"), "{text}");
}

#[test]
fn compile() {
    let (records, text) = quick(&["compile"]);
    records.iter().for_each(check);
    for system in ["tracing", "optimising", "backend", "total"] {
        assert!(has(&records, "factorial", system), "{system}");
    }
    for kind in ["arithmetic", "objects", "guards"] {
        assert!(has(&records, kind, "optimising"), "{kind}");
    }
    assert!(text.contains("of twice the length"), "{text}");
}

#[test]
fn removed() {
    let (records, text) = quick(&["removed"]);
    records.iter().for_each(check);
    let count = |system: &str| {
        let this = |r: &&Value| r["benchmark"] == "total" && r["system"] == system;
        let record = records.iter().find(this);
        record.expect(system)["n"].as_i64().expect("a count")
    };
    for kind in ["new", "get/set", "guard", "all ops"] {
        let (before, after) = (
            count(&format!("{kind} before")),
            count(&format!("{kind} after")),
        );
        assert!(0 < after && after < before, "{kind}: {before} to {after}");
    }
    assert!(text.contains("total"), "{text}");
}

#[test]
fn library() {
    let (records, text) = quick(&["library"]);
    records.iter().for_each(check);
    for benchmark in ["push", "get-set", "map-get", "map-text", "builder"] {
        for system in ["jit-warm", "rust"] {
            assert!(has(&records, benchmark, system), "{benchmark} {system}");
        }
    }
    assert!(text.contains("jit/rust"), "{text}");
}

#[test]
fn tla() {
    let (records, text) = quick(&["tla"]);
    records.iter().for_each(check);
    for benchmark in ["fib", "callabit"] {
        for system in ["interp", "jit-cold", "jit-warm", "rust"] {
            assert!(has(&records, benchmark, system), "{benchmark} {system}");
        }
    }
    assert!(text.contains("jit/c"), "{text}");
}

#[test]
fn translate() {
    let (records, text) = quick(&["translate"]);
    records.iter().for_each(check);
    for phase in ["check", "graphs", "lowering", "total"] {
        assert!(has(&records, "interpreter", phase), "{phase}");
    }
    assert!(text.contains("of half"), "{text}");
}

/// Any command that succeeds stands in for `tlc`, which another package builds.
#[test]
fn startup() {
    let (records, _) = quick(&["startup", "--tlc", "/bin/true"]);
    records.iter().for_each(check);
    assert!(has(&records, "empty", "jit-cold"));
    assert!(
        records.iter().all(|r| r["max_rss"].as_u64() > Some(0)),
        "{records:?}"
    );
}
