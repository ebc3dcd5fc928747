//! Where the time of a program goes, as `--profile` writes it. In: a program of two functions, of
//! which one does twice the work of the other. Out: the file for the Firefox Profiler, and the
//! table. Invariants under test: both functions and what they are executed by are there, with the
//! JIT and without; nothing runs if the file cannot be written.

use serde_json::Value;
use verdigris_testing::said;

const LUA: &str = env!("CARGO_BIN_EXE_verdigris-lua");

/// `double` has twice the turns of `single`.
const TEXT: &str = "local function turns(n)
  local s = 0
  for i = 1, n do s = s + i % 7 end
  return s
end
local function double(n) return turns(2 * n) + 0 end
local function single(n)
  local s = 0
  for i = 1, n do s = s + i % 7 end
  return s
end
local function deep(n, m) if n == 0 then return double(m) + single(m) end return deep(n - 1, m) + 0 end
local n, m = tonumber(arg[1]), tonumber(arg[2])
for i = 1, n do deep(5, m) end
print('done')";

/// The JSON and the table of a run.
fn profile(args: &[&str]) -> (Value, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.json").display().to_string();
    let options = ["--profile", &file, "--profile-interval", "200"];
    let args = [&options, args].concat();
    let (out, table, status) = said(LUA, &args);
    assert_eq!((out.as_str(), status), ("done", Some(0)), "{table}");
    let text = std::fs::read(&file).expect("it was written");
    (serde_json::from_slice(&text).expect("it is JSON"), table)
}

/// The frames of a sample, innermost first: the number of the function, and the category.
type Frames<'a> = Vec<(usize, &'a str)>;

/// The names of the functions, and the samples.
fn samples(json: &Value) -> (Vec<&str>, Vec<Frames<'_>>) {
    let thread = &json["threads"][0];
    let index = |value: &Value| value.as_u64().map(|n| n as usize);
    let column = |table: &str, name: &str, n: usize| index(&thread[table][name][n]);
    let strings = thread["stringArray"].as_array().expect("strings");
    let names = thread["funcTable"]["name"]
        .as_array()
        .expect("functions")
        .iter();
    let names: Vec<&str> = names
        .map(|name| strings[index(name).unwrap()].as_str().unwrap())
        .collect();
    let stacks = thread["samples"]["stack"]
        .as_array()
        .expect("samples")
        .iter();
    let frames = stacks.map(|stack| {
        let mut frames = Vec::new();
        let mut next = index(stack);
        while let Some(stack) = next {
            let frame = column("stackTable", "frame", stack).unwrap();
            let function = column("frameTable", "func", frame).unwrap();
            let category = column("frameTable", "category", frame).unwrap();
            let category = json["meta"]["categories"][category]["name"]
                .as_str()
                .unwrap();
            frames.push((function, category));
            next = column("stackTable", "prefix", stack);
        }
        frames
    });
    let frames = frames.collect();
    (names, frames)
}

/// How many samples have a function in them, in this category.
fn with(samples: &(Vec<&str>, Vec<Frames<'_>>), name: &str, category: Option<&str>) -> usize {
    let (names, samples) = samples;
    let is_it = |&(function, of): &(usize, &str)| {
        names[function] == name && category.is_none_or(|category| of == category)
    };
    let samples = samples.iter();
    samples.filter(|frames| frames.iter().any(is_it)).count()
}

/// Whether there are samples of both functions, and more of the one with twice the work.
fn is_enough(json: &Value) -> bool {
    let samples = samples(json);
    let [double, single] = ["double", "single"].map(|name| with(&samples, name, None));
    double > single && single > 0
}

#[test]
fn both_functions_and_their_tiers_are_seen() {
    for (jit, n, m, tier) in [
        ("on", 60, "100000", "traces"),
        ("off", 6, "20000", "interpreter"),
    ] {
        // The faster the machine, the fewer samples: the program runs for longer until there are
        // enough.
        let profiles = (0..8).map(|twice| {
            let n = n << twice;
            let given = format!("arg = {{{n}, {m}}}");
            profile(&["--jit", jit, "-e", &given, "-e", TEXT])
        });
        let mut profiles = profiles.skip_while(|(json, _)| !is_enough(json));
        let (json, table) = profiles.next().expect("both functions are seen");
        assert!(json["meta"]["preprocessedProfileVersion"].is_u64());
        let samples = samples(&json);
        let with = |name: &str, category| with(&samples, name, category);
        let (names, samples) = &samples;
        assert!(
            with("turns", Some(tier)) > 0 && with("single", Some(tier)) > 0,
            "{jit}\n{table}"
        );
        assert!(
            table.contains(tier) && table.contains("  total  function"),
            "{jit}\n{table}"
        );
        if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            let deep = names
                .iter()
                .position(|name| *name == "deep")
                .expect("it is there");
            let depth = |frames: &Vec<(usize, &str)>| frames.iter().filter(|f| f.0 == deep).count();
            assert_eq!(samples.iter().map(depth).max(), Some(6), "{jit}\n{table}");
        }
        let made = json["threads"][0]["markers"]["length"].as_u64();
        assert_eq!(made > Some(0), jit == "on", "{made:?}");
    }
}

#[test]
fn nothing_runs_if_the_file_cannot_be_written() {
    let args = ["--profile", "/no/such/folder/out.json", "-e", "print('no')"];
    let (out, message, status) = said(LUA, &args);
    assert_eq!((out.as_str(), status), ("", Some(1)));
    let expected = "verdigris-lua: cannot write the profile /no/such/folder/out.json: ";
    assert!(message.starts_with(expected), "{message}");
    let args = [
        "--profile",
        "-",
        "--profile-interval",
        "0",
        "-e",
        "print('no')",
    ];
    assert_eq!(said(LUA, &args).2, Some(2));
}

#[test]
fn the_error_of_a_program_comes_behind_its_profile() {
    let text = "local s = 0 for i = 1, 3000000 do s = s + i % 7 end error('no')";
    let (out, message, status) = said(LUA, &["--profile", "-", "-e", text]);
    assert_eq!((out.as_str(), status), ("", Some(1)));
    assert!(message.contains("main chunk"), "{message}");
    assert!(
        message.contains("verdigris-lua: (command line):1: no\nstack traceback:"),
        "{message}"
    );
}
