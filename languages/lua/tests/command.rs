//! The command as the original has it. In: command lines, the environment, lines for the dialogue,
//! Ctrl-C. Out: output, messages, status, here and under `lua5.4`. Invariant under test: they are
//! the same, the names of the programs and banners excepted. If the system has no `lua5.4`, only
//! what these tests expect themselves is tested, and they say so.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const OURS: &str = env!("CARGO_BIN_EXE_verdigris-lua");
const ORIGINAL: &str = "lua5.4";

/// What a command has said: output, messages, status.
type Said = (String, String, Option<i32>);

/// A folder with the files of the tests.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [
        ("args.lua", "print(arg[0], arg[1], arg[-1], #arg, ...)"),
        ("fails.lua", "local function q() error('in it') end q()"),
        ("wrong.lua", "x = = 1"),
        (
            "m.lua",
            "local m = {} function m.fails() error('in m') end print((...)) return m",
        ),
        ("bad.lua", "error('not loaded')"),
        ("bang.lua", "#!/usr/bin/lua\nprint('ran')"),
        ("tracebacks.lua", include_str!("command/tracebacks.lua")),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("TERM", "dumb");
    for name in ["LUA_INIT", "LUA_INIT_5_4", "LUA_PATH", "LUA_PATH_5_4"] {
        command.env_remove(name);
    }
    command
}

/// Runs a command with this input. `None` if there is no such command.
fn said(mut command: Command, input: &str) -> Option<Said> {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.stderr(Stdio::piped()).spawn().ok()?;
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that reads nothing may have ended.
    stdin.write_all(input.as_bytes()).ok();
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (out, errors) = (text(output.stdout), text(output.stderr));
    Some((out, neutral(&errors), output.status.code()))
}

/// Messages without what has to differ: the program's name, and files that there cannot be here.
fn neutral(messages: &str) -> String {
    let lines = messages.lines().map(|line| {
        let rest = line.strip_prefix("verdigris-lua: ");
        rest.or(line.strip_prefix("lua5.4: ")).unwrap_or(line)
    });
    let lines = lines.filter(|line| !line.ends_with(".so'"));
    lines.collect::<Vec<&str>>().join("\n")
}

#[track_caller]
fn same_in(environment: &[(&str, &str)], args: &[&str], input: &str) -> Said {
    let folder = folder();
    let run = |program: &str| {
        let mut command = command(program, folder.path());
        command.args(args).envs(environment.iter().copied());
        said(command, input)
    };
    let ours = run(OURS).expect("the command runs");
    match run(ORIGINAL) {
        Some(original) => assert_eq!(ours, original, "{args:?}"),
        None => eprintln!("skipped: there is no lua5.4"),
    }
    ours
}

#[track_caller]
fn same(args: &[&str]) -> Said {
    same_in(&[], args, "")
}

#[test]
fn options_do_what_they_do_in_the_original() {
    let cases: &[&[&str]] = &[
        &["-e", "print(1)", "-e", "print(2)"],
        &["-eprint(2)", "-l", "m", "-e", "print(m ~= nil)", "args.lua"],
        &["-e", "x = 1", "args.lua", "a", "b"],
        &["-E", "args.lua", "-v", "--", "-"],
        &["--", "args.lua", "a"],
        &["-l", "s=string", "-e", "print(s.rep('x', 3))"],
        &["-ls=string", "-e", "print(s == string)"],
        &["-l", "m", "-e", "m.fails()"],
        &["-W", "-e", "warn('w', 1)"],
        &["-e", "warn('w')"],
        &["-E", "-e", "print(1)"],
        &["-e", "print(#arg, arg[1], arg[2])"],
        &["bang.lua"],
        &["--"],
        &["-e", "arg = {'x', 'y'}", "-e", "print(...)"],
        &["-e", "os.exit(7)"],
        &["-e", "os.exit(false, true)"],
        &["-e", "io.stdout:write('no end')"],
    ];
    for args in cases {
        same(args);
    }
    let folder = folder();
    let mut ours = command(OURS, folder.path());
    ours.args(["args.lua", "a"]);
    let (out, ..) = said(ours, "").expect("the command runs");
    assert_eq!(out, format!("args.lua\ta\t{OURS}\t1\ta\n"));
}

#[test]
fn errors_are_told_as_in_the_original() {
    let cases: &[&[&str]] = &[
        &["no/such.lua"],
        &["."],
        &["wrong.lua"],
        &["fails.lua"],
        &["-e", "x = = 1"],
        &["-e", "error('no')", "args.lua"],
        &["-e", "error()"],
        &["-e", "error({})"],
        &["-e", "error(42)"],
        &[
            "-e",
            "error(setmetatable({}, {__tostring = function() return 'an object' end}))",
        ],
        &["-e", "error('no place', 0)"],
        &[
            "-e",
            "local x <close> = setmetatable({}, {__close = function(_, e) print(e) end}) local y = nil + 1",
        ],
        &["-l", "none"],
        &["-l", "bad"],
        &["-e", "require 'bad'"],
        &["-e", "dofile('fails.lua')"],
        &["-e", "assert(false)"],
        &["-e", "assert(nil, 'said')"],
        &["-e", "string.rep()"],
        &["-e", "io.stdout:write({})"],
        &["-e", "undefined()"],
        &["tracebacks.lua", "methods"],
        &["tracebacks.lua", "operators"],
        &["tracebacks.lua", "sort"],
        &["tracebacks.lua", "gsub"],
        &["tracebacks.lua", "deep"],
        &["tracebacks.lua", "print"],
        &["tracebacks.lua", "iterator"],
        &["tracebacks.lua", "varargs"],
        &["tracebacks.lua", "rethrown"],
    ];
    for args in cases {
        let (_, message, status) = same(args);
        assert!(!message.is_empty() && status == Some(1), "{args:?}");
    }
    let (_, message, _) = same(&["fails.lua"]);
    assert_eq!(
        message,
        "fails.lua:1: in it\nstack traceback:\n\t[C]: in function 'error'\n\tfails.lua:1: in local 'q'\n\t\
         fails.lua:1: in main chunk\n\t[C]: in ?"
    );
}

#[test]
fn the_frames_of_a_deep_error_are_cut() {
    let text = "local function f(n) if n == 0 then error('end') end return 1 + f(n - 1) end f(tonumber(arg[1]))";
    let folder = folder();
    std::fs::write(folder.path().join("deep.lua"), text).expect("written");
    for depth in ["17", "18", "19", "20", "21", "100", "50000"] {
        let run = |program: &str| {
            let mut command = command(program, folder.path());
            command.args(["deep.lua", depth]);
            said(command, "")
        };
        let ours = run(OURS).expect("the command runs");
        assert_eq!(ours.2, Some(1));
        if let Some(original) = run(ORIGINAL) {
            assert_eq!(ours, original, "{depth}");
        }
    }
}

#[test]
fn a_faulty_command_line_says_what_is_wrong() {
    for args in [["-x"], ["-e"], ["-l"], ["-i2"], ["-vv"], ["-Ex"], ["--foo"]] {
        let folder = folder();
        let run = |program: &str| {
            let mut command = command(program, folder.path());
            command.args(args);
            let (out, message, status) = said(command, "")?;
            let first = message.lines().next().unwrap_or("").to_string();
            Some((out, first, status))
        };
        let ours = run(OURS).expect("the command runs");
        assert_eq!(ours.2, Some(1), "{args:?}");
        if let Some(original) = run(ORIGINAL) {
            assert_eq!(ours, original, "{args:?}");
        }
    }
}

#[test]
fn the_environment_has_its_say() {
    let cases: &[&[(&str, &str)]] = &[
        &[("LUA_INIT", "print('init')")],
        &[
            ("LUA_INIT", "print('init')"),
            ("LUA_INIT_5_4", "print('5.4')"),
        ],
        &[("LUA_INIT", "@bang.lua")],
        &[("LUA_INIT", "@none.lua")],
        &[("LUA_INIT", "error('x')")],
        &[("LUA_INIT_5_4", "syn tax")],
        &[("LUA_PATH", "here/?.lua;;")],
    ];
    for environment in cases {
        same_in(environment, &["-e", "print(package.path)"], "");
        same_in(environment, &["-E", "-e", "print(package.path)"], "");
    }
}

#[test]
fn standard_input_is_a_script() {
    let text = "print(arg[0] ~= nil, ...) local x = 5\nprint(x)";
    assert_eq!(same_in(&[], &["-", "a"], text).0, "true\ta\n5\n");
    same_in(&[], &[], text);
    let failed = said(command(OURS, folder().path()), "error('no')").expect("the command runs");
    assert_eq!(failed.2, Some(1));
    same_in(&[], &["-e", "print(1)"], text);
}

/// The lines of a dialogue: what follows the banner, and what goes to standard error.
fn dialogue(program: &str, input: &str) -> Option<Said> {
    let folder = folder();
    let mut command = command(program, folder.path());
    command.arg("-i");
    let (out, errors, status) = said(command, input)?;
    let (_banner, rest) = out.split_once('\n').expect("a banner");
    Some((rest.to_string(), errors, status))
}

#[track_caller]
fn same_dialogue(input: &str) -> Said {
    let ours = dialogue(OURS, input).expect("the command runs");
    match dialogue(ORIGINAL, input) {
        Some(original) => assert_eq!(ours, original, "{input}"),
        None => eprintln!("skipped: there is no lua5.4"),
    }
    ours
}

#[test]
fn a_dialogue_is_that_of_the_original() {
    same_dialogue(include_str!("command/dialogue.txt"));
    let (out, errors, _) = dialogue(OURS, "x = 1\nprint(\n").expect("the command runs");
    assert_eq!(out, "> x = 1\n> print(\n>> > \n");
    assert_eq!(errors, "stdin:1: unexpected symbol near <eof>");
    same_dialogue("");
    same_dialogue("os.exit(3)\n1\n");
    same_dialogue("print = nil\n1\n2 .. {}\n");
    let (out, ..) = dialogue(OURS, "io.read()\nthis line\n1\n").expect("the command runs");
    assert_eq!(out, "> io.read()\nthis line\n> 1\n1\n> \n");
    let (out, errors, status) = same_dialogue("1 + 1\n=2,3\nlocal a = 1\na\nerror('no')");
    assert_eq!(
        out,
        "> 1 + 1\n2\n> =2,3\n2\t3\n> local a = 1\n> a\nnil\n> error('no')\n> \n"
    );
    assert!(
        errors.starts_with("stdin:1: no\nstack traceback:\n"),
        "{errors}"
    );
    assert_eq!(status, Some(0));
}

/// Starts a program that says when it is ready.
fn started(program: &str, folder: &Path, args: &[&str]) -> Option<(Child, BufReader<impl Read>)> {
    let mut command = command(program, folder);
    let piped = command.args(args).stdin(Stdio::piped());
    let mut child = piped
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    wait_for(&mut out, "ready");
    Some((child, out))
}

fn wait_for(out: &mut impl BufRead, word: &str) {
    let mut line = String::new();
    while !line.contains(word) {
        line.clear();
        let read = out.read_line(&mut line).expect("it says something");
        assert!(read > 0, "it ends before it says {word}");
    }
}

/// Waits until a child has had the processor for so many ticks more, however busy the machine is.
fn wait_until_it_worked(child: &Child, ticks: u64) {
    let file = format!("/proc/{}/stat", child.id());
    let worked = || -> u64 {
        let stat = std::fs::read_to_string(&file).expect("it runs");
        // Behind the name, which may have spaces, 11 fields come before its user time.
        let (_, fields) = stat.rsplit_once(')').expect("a name");
        let user = fields.split_whitespace().nth(11).expect("its user time");
        user.parse().expect("a number")
    };
    let start = worked();
    while worked() < start + ticks {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("there is `kill`").success());
}

fn interrupted(program: &str, args: &[&str]) -> Option<Said> {
    let folder = folder();
    let (child, mut out) = started(program, folder.path(), args)?;
    // What says so ends before the signal comes.
    wait_until_it_worked(&child, 5);
    interrupt(&child);
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    Some((rest, neutral(&errors), output.status.code()))
}

#[test]
fn an_interrupt_is_an_error_where_the_program_is() {
    // The program is where it is interrupted before it says so.
    let ready = "local turns = 0 local function turn() turns = turns + 1 \
                 if turns == 3000 then io.stdout:write('ready\\n') io.stdout:flush() end end";
    let loops = "local function f(n) while true do if n <= 3000 then turn() end n = n + 1 end end \
                 local function g() f(1) g() end g()";
    let calls = "local f local function g() if turns < 3000 then turn() end return f() end \
                 f = function() return g() end f()";
    let inner = "local ok, e = pcall(function() while true do if turns < 3000 then turn() end end end) \
                 print(ok, e) error('then')";
    let coroutine = "print(coroutine.resume(coroutine.create(function() \
                     for i = 1, math.huge do if i <= 3000 then turn() end end end)))";
    // Which of two functions is interrupted is a matter of chance, and the original interrupts the
    // main thread alone.
    let cases = [
        (loops, true),
        (calls, false),
        (inner, true),
        (coroutine, false),
    ];
    for (text, is_compared) in cases {
        let text = format!("{ready}\n{text}");
        let original = match is_compared {
            true => interrupted(ORIGINAL, &["-e", &text]),
            false => None,
        };
        for jit in [
            "off",
            "threshold=3",
            "threshold=100000",
            "compiler=threaded",
        ] {
            let jit = format!("{jit},interruptible=1");
            let ours = interrupted(OURS, &["--jit", &jit, "-e", &text]).expect("the command runs");
            assert!(format!("{ours:?}").contains("interrupted!"), "{ours:?}");
            if let Some(original) = &original {
                assert_eq!(&ours, original, "{jit}: {text}");
            }
        }
    }
}

#[test]
fn an_interrupt_ends_what_runs_in_a_dialogue() {
    let folder = folder();
    let lines =
        "io.stdout:write('ready\\n') io.stdout:flush() while true do end\n'still ' .. 'here'\n";
    let mut command = command(OURS, folder.path());
    let piped = command
        .arg("-i")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = piped.stderr(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(lines.as_bytes()).expect("written");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    // The line is repeated before it runs.
    wait_for(&mut out, "io.stdout");
    wait_for(&mut out, "ready");
    interrupt(&child);
    drop(input);
    wait_for(&mut out, "still here");
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.starts_with("interrupted!\nstack traceback:\n\tstdin:1: in main chunk"),
        "{errors}"
    );
    assert!(output.status.success());
}
