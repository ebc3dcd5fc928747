//! The command. In: command lines. Out: what it says. Invariant under test: output, messages and
//! statuses are what the README says.

use std::fs;
use verdigris_testing::said;

const LUA: &str = env!("CARGO_BIN_EXE_verdigris-lua");

fn out(text: &str) -> (String, String, Option<i32>) {
    (text.to_string(), String::new(), Some(0))
}

#[test]
fn a_text_runs_and_a_script_has_arguments() {
    assert_eq!(said(LUA, &["-e", "print(arg[1], #arg, ...)"]), out("-e\t2"));
    let script = format!("{}/programs/closures.lua", env!("CARGO_MANIFEST_DIR"));
    let shows = "print(arg[0]:match('[^/]*$'), #arg, arg[1], arg[2]) os.exit(0)";
    assert_eq!(
        said(LUA, &["-e", shows, &script, "a", "b"]),
        out("closures.lua\t2\ta\tb")
    );
}

#[test]
fn a_script_finds_its_modules() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::create_dir(folder.path().join("sub")).expect("a folder");
    fs::write(
        path("main.lua"),
        "local m = require('sub.m') print(m.x, require('sub.m') == m, ...)",
    )
    .expect("written");
    fs::write(path("sub/m.lua"), "print('loading', (...)) return {x = 5}").expect("written");
    assert_eq!(
        said(LUA, &[&path("main.lua"), "7"]),
        out("loading\tsub.m\n5\ttrue\t7")
    );
}

/// Compiled code has left what the function made when its loop ended. The second call is for the
/// native frames, where a dead word of the first one may lie until a call overwrites it.
#[test]
fn what_is_collected_is_gone() {
    let text = "local function fill(n) local t = {} for i = 1, n do t[i] = {i} end return #t end \
                fill(100000) local full = collectgarbage('count') fill(1) collectgarbage() print(collectgarbage('count') < full / 2)";
    for jit in ["", "off", "threshold=3"] {
        assert_eq!(said(LUA, &["--jit", jit, "-e", text]), out("true"), "{jit}");
    }
}

#[test]
fn errors_have_a_status() {
    let (_, message, status) = said(LUA, &["-e", "error('no')"]);
    assert_eq!(
        (message.as_str(), status),
        (
            "verdigris-lua: (command line):1: no\nstack traceback:\n\t[C]: in function 'error'\n\t\
             (command line):1: in main chunk\n\t[C]: in ?",
            Some(1)
        )
    );
    let (_, message, status) = said(LUA, &["/no/such/file.lua"]);
    assert!(
        message.starts_with("verdigris-lua: cannot open /no/such/file.lua: "),
        "{message}"
    );
    assert_eq!(status, Some(1));
    assert_eq!(said(LUA, &["--jit", "threshold=0", "x.lua"]).2, Some(2));
}

#[test]
fn statistics_are_one_object() {
    let (text, stats, status) = said(
        LUA,
        &["--stats=json", "-e", "for i = 1, 3000 do end print('done')"],
    );
    assert_eq!((text.as_str(), status), ("done", Some(0)));
    assert!(
        stats.starts_with('{') && stats.contains("\"loops\":1"),
        "{stats}"
    );
    let program = "local function f(n)\nfor i = 1, n do end\nend\nf(3000)";
    let (_, table, _) = said(LUA, &["--stats", "-e", program]);
    assert!(
        table.contains("trace 0: loop at (command line):2 in f ("),
        "{table}"
    );
}

#[test]
fn calls_may_be_as_deep_as_is_said() {
    let text = "local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end print(f(90)) print(pcall(f, 200))";
    let (text, _, _) = said(LUA, &["--max-depth", "100", "-e", text]);
    assert_eq!(text, "90\nfalse\t(command line):1: stack overflow");
}
