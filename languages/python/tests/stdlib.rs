//! Modules of an installed CPython, unmodified. In: `tests/stdlib/*.py` with `*.out`. Out: the same
//! text, with the modules of CPython's folder and in CPython. Invariant under test: what these
//! modules ask of the language and of objects is there. Where CPython 3.11 is not installed,
//! nothing is tested, and the test says so.

mod common;

use common::{Case, cases, cpython, guest_with, name_of, program, said};
use std::fs;
use verdigris::Options;
use verdigris_python::stdlib;
use verdigris_testing::for_each;

const FOLDER: &str = "tests/stdlib";

/// The modules that a program says it needs, in a line `# needs: a b`, beside the one that it is
/// about: they have parts that are not there in every state of this language.
fn needs(case: &Case) -> Vec<String> {
    let text = fs::read_to_string(&case.path).expect("it can be read");
    let line = text.lines().find_map(|line| line.strip_prefix("# needs: "));
    line.into_iter()
        .flat_map(|line| line.split(' ').map(str::to_string))
        .collect()
}

fn run(text: &str, file: &str, folder: &str, modules: &str, jit: &str) -> String {
    let program = verdigris_python::machine::compile(text.as_bytes(), file);
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    let options = Options::parse(jit).expect("they are options");
    said(&guest_with(&program, folder, modules)(options).outcome)
}

/// Whether a module can be imported here.
fn is_there(name: &str, modules: &str) -> bool {
    let text = format!("import {name}\nprint('there')\n");
    run(&text, "test.py", "", modules, "off") == "there\n"
}

#[test]
fn modules_of_cpython_do_what_they_do_there() {
    let Some(modules) = stdlib::installed() else {
        eprintln!("left out: there is no python3 of version 3.11");
        return;
    };
    let all = cases(FOLDER);
    assert!(all.len() >= 14, "only {} programs", all.len());
    let numbered: Vec<(usize, Case)> = all.into_iter().enumerate().collect();
    for_each(&numbered, |(_, case)| {
        let name = name_of(&case.path);
        let missing: Vec<String> = needs(case)
            .into_iter()
            .filter(|needed| !is_there(needed, &modules))
            .collect();
        if !missing.is_empty() {
            eprintln!("left out: {name}, which needs {}", missing.join(" and "));
            return;
        }
        let folder = case
            .path
            .parent()
            .expect("it is in a folder")
            .display()
            .to_string();
        for jit in ["off", "", "threshold=1"] {
            let compiled = program(&case.path);
            let options = Options::parse(jit).expect("they are options");
            let outcome = guest_with(&compiled, &folder, &modules)(options).outcome;
            assert_eq!(said(&outcome), case.expected, "{name} with --jit '{jit}'");
        }
    });
}

/// Modules that have no program of their own here: they are loaded.
const LOADED: [&str; 42] = [
    "ast",
    "base64",
    "bdb",
    "calendar",
    "cmd",
    "code",
    "colorsys",
    "configparser",
    "copy",
    "copyreg",
    "datetime",
    "difflib",
    "dis",
    "fnmatch",
    "getopt",
    "gettext",
    "glob",
    "graphlib",
    "html",
    "ipaddress",
    "json",
    "linecache",
    "numbers",
    "optparse",
    "pathlib",
    "pickle",
    "pprint",
    "queue",
    "reprlib",
    "sched",
    "shlex",
    "string",
    "threading",
    "timeit",
    "token",
    "tokenize",
    "traceback",
    "urllib.parse",
    "uuid",
    "warnings",
    "weakref",
    "xml.etree.ElementTree",
];

#[test]
fn modules_of_cpython_are_loaded() {
    let Some(modules) = stdlib::installed() else {
        eprintln!("left out: there is no python3 of version 3.11");
        return;
    };
    // Most of them import these, which are not there in every state of this language.
    for needed in ["re", "contextlib"] {
        if !is_there(needed, &modules) {
            eprintln!("left out: what needs {needed}");
            return;
        }
    }
    let missing: Vec<&str> = LOADED
        .into_iter()
        .filter(|name| !is_there(name, &modules))
        .collect();
    assert!(missing.is_empty(), "{} are not loaded", missing.join(", "));
}

#[test]
fn cpython_prints_the_same() {
    for case in cases(FOLDER) {
        if let Some(printed) = cpython(&case.path) {
            assert_eq!(printed, case.expected, "{}", name_of(&case.path));
        }
    }
}

#[test]
fn modules_of_the_folder_come_before_those_of_the_library() {
    let Some(modules) = stdlib::installed() else {
        eprintln!("left out: there is no python3 of version 3.11");
        return;
    };
    let text = "import abc, heapq, io\nprint(abc.__file__, heapq.heappop([1]), io.__file__)\n";
    assert_eq!(
        run(text, "test.py", "", &modules, "off"),
        format!("{modules}/abc.py 1 <library/io.py>\n")
    );
    assert_eq!(
        run(text, "test.py", "", "", "off"),
        "<library/abc.py> 1 <library/io.py>\n"
    );
}

#[test]
fn a_folder_without_modules_is_said() {
    let error = stdlib::folder("/nowhere").expect_err("there is no such folder");
    assert_eq!(error, "no modules of CPython are in /nowhere");
}
