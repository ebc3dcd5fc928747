//! Modules of an installed CPython, unmodified. In: `tests/stdlib/*.py` with `*.out`. Out: the same
//! text, with the modules of CPython's folder preferred, with those of the library preferred, and
//! in CPython. Invariant under test: what these modules ask of the language and of objects is
//! there. Where CPython 3.11 is not installed, nothing of that is tested, and the test says so.

use crate::common::{Case, cases, cpython, guest_with, name_of, program, said};
use std::fs;
use verdigris::Options;
use verdigris_python::stdlib::{self, StdlibChoice};
use verdigris_testing::{command, for_each};

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

fn run(text: &str, file: &str, folder: &str, modules: &StdlibChoice, jit: &str) -> String {
    let program = verdigris_python::machine::compile(text.as_bytes(), file);
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    let options = Options::parse(jit).expect("they are options");
    said(&guest_with(&program, folder, modules)(options).outcome)
}

/// Whether a module can be imported here.
fn is_there(name: &str, modules: &StdlibChoice) -> bool {
    let text = format!("import {name}\nprint('there')\n");
    run(&text, "test.py", "", modules, "off") == "there\n"
}

/// The ways in which a program can have the modules of CPython: its own are preferred, or ours.
fn ways() -> Option<[StdlibChoice; 2]> {
    let Some(modules) = stdlib::installed() else {
        eprintln!("left out: there is no python3 of version 3.11");
        return None;
    };
    Some([StdlibChoice::Preferred(modules), StdlibChoice::Fallback])
}

#[test]
fn modules_of_cpython_do_what_they_do_there() {
    let Some(ways) = ways() else {
        return;
    };
    let all = cases(FOLDER);
    assert!(all.len() >= 14, "only {} programs", all.len());
    let each = all
        .iter()
        .flat_map(|case| ways.iter().map(move |way| (case, way)));
    let each: Vec<(&Case, &StdlibChoice)> = each.collect();
    for_each(&each, |(case, modules)| {
        let name = name_of(&case.path);
        let missing: Vec<String> = needs(case)
            .into_iter()
            .filter(|needed| !is_there(needed, modules))
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
            let outcome = guest_with(&compiled, &folder, modules)(options).outcome;
            let how = format!("{name} with --jit '{jit}' and {modules:?}");
            assert_eq!(said(&outcome), case.expected, "{how}");
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
    let Some(ways) = ways() else {
        return;
    };
    for modules in &ways {
        let missing: Vec<&str> = LOADED
            .into_iter()
            .filter(|name| !is_there(name, modules))
            .collect();
        let missing = missing.join(", ");
        assert!(
            missing.is_empty(),
            "{missing} are not loaded with {modules:?}"
        );
    }
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
    let preferred = StdlibChoice::Preferred(modules.clone());
    assert_eq!(
        run(text, "test.py", "", &preferred, "off"),
        format!("{modules}/abc.py 1 <library/io.py>\n")
    );
    for ours in [StdlibChoice::Fallback, StdlibChoice::Off] {
        assert_eq!(
            run(text, "test.py", "", &ours, "off"),
            "<library/abc.py> 1 <library/io.py>\n"
        );
    }
}

#[test]
fn what_is_nowhere_else_comes_from_the_folder() {
    let Some(modules) = stdlib::found() else {
        eprintln!("left out: there is no CPython of version 3.11");
        return;
    };
    let text = "import argparse, sys\nprint(argparse.__file__, len(sys.path))\n";
    assert_eq!(
        run(text, "test.py", "", &StdlibChoice::Fallback, "off"),
        format!("{modules}/argparse.py 1\n")
    );
    let own = tempfile::tempdir().expect("there is room for files");
    fs::write(own.path().join("argparse.py"), "").expect("it can be written");
    let folder = own.path().display().to_string();
    assert_eq!(
        run(text, "test.py", &folder, &StdlibChoice::Fallback, "off"),
        format!("{folder}/argparse.py 1\n")
    );
}

/// A folder in place of a CPython is found by its `python3.11`, which is not run.
#[test]
fn a_module_that_cannot_be_loaded_has_nothing() {
    let root = tempfile::tempdir().expect("there is room for files");
    let modules = root.path().join("lib/python3.11");
    fs::create_dir_all(modules.join("unittest")).expect("it can be made");
    fs::create_dir(root.path().join("bin")).expect("it can be made");
    let files = [
        ("bin/python3.11", ""),
        ("lib/python3.11/os.py", ""),
        ("lib/python3.11/textwrap.py", "half = 1\nraise ValueError\n"),
        ("lib/python3.11/shlex.py", "raise SystemExit(3)\n"),
    ];
    for (file, text) in files {
        fs::write(root.path().join(file), text).expect("it can be written");
    }
    let text = "import textwrap, shlex\n\
                for _ in range(2): print(hasattr(textwrap, 'half'), hasattr(textwrap, 'dedent'))\n\
                hasattr(shlex, 'nothing')\n";
    let output = command(env!("CARGO_BIN_EXE_verdigris-python"))
        .args(["-c", text])
        .env("PATH", root.path().join("bin"))
        .env_remove("VERDIGRIS_PYTHON_STDLIB")
        .output()
        .expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed, "False True\nFalse True\n", "{output:?}");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

#[test]
fn a_module_that_is_not_found_is_said_as_in_cpython() {
    let text =
        "try:\n    import nosuch\nexcept ImportError as error:\n    print(error, error.name)\n";
    for modules in [StdlibChoice::Fallback, StdlibChoice::Off] {
        assert_eq!(
            run(text, "test.py", "", &modules, "off"),
            "No module named 'nosuch' nosuch\n"
        );
    }
    let said = run(
        "import argparse\n",
        "test.py",
        "",
        &StdlibChoice::Off,
        "off",
    );
    let line = "ModuleNotFoundError: No module named 'argparse'\n";
    assert!(said.ends_with(line), "{said}");
}

#[test]
fn why_a_module_is_not_there_is_noted_behind_the_traceback() {
    if stdlib::found().is_none() {
        eprintln!("left out: there is no CPython of version 3.11");
        return;
    }
    let said = run(
        "import sqlite3\n",
        "test.py",
        "",
        &StdlibChoice::Fallback,
        "off",
    );
    let end = "ModuleNotFoundError: No module named '_sqlite3'\n\
               note: CPython has '_sqlite3' in C, and it is not in this library\n";
    assert!(said.ends_with(end), "{said}");
}

#[test]
fn the_option_says_what_is_made_of_the_folder() {
    assert_eq!(stdlib::chosen(None), Ok(StdlibChoice::Fallback));
    assert_eq!(stdlib::chosen(Some("off")), Ok(StdlibChoice::Off));
    assert!(stdlib::chosen(Some("/nowhere")).is_err());
}

#[test]
fn a_folder_without_modules_is_said() {
    let error = stdlib::folder("/nowhere").expect_err("there is no such folder");
    assert_eq!(error, "no modules of CPython are in /nowhere");
}
