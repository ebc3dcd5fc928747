//! The dialogue, and Ctrl-C. In: lines, signals. Out: standard output, standard error, exit status.
//! Invariant under test: what is typed is read, run and shown as `python3 -i` does it; an interrupt
//! is a `KeyboardInterrupt` of the program where it is, with and without the JIT.

use expect_test::{Expect, expect};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use verdigris_testing::command;

const PYTHON: &str = env!("CARGO_BIN_EXE_verdigris-python");

/// A command whose streams are pipes.
fn piped(args: &[&str]) -> Child {
    let mut command = command(PYTHON);
    command.args(args).stdin(Stdio::piped());
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the command can be started")
}

/// What is said to lines.
fn check(args: &[&str], lines: &str, expected: Expect) {
    let mut child = piped(args);
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(lines.as_bytes()).expect("it reads them");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    let status = output.status.code();
    expected.assert_eq(&format!("{out}---\n{errors}---\nstatus {status:?}\n"));
}

#[test]
fn values_of_expressions_are_shown_and_kept() {
    let lines = "\
x = 5
x * 2
None
_ + 1
'text'
_
for i in range(2): i

import sys
sys.displayhook = lambda value: print('shown', value)
3
";
    check(
        &["-i", "-q"],
        lines,
        expect![[r#"
            10
            11
            'text'
            'text'
            0
            1
            shown 3
            ---
            >>> >>> >>> >>> >>> >>> >>> ... >>> >>> >>> >>> 
            ---
            status Some(0)
        "#]],
    );
}

#[test]
fn statements_have_as_many_lines_as_they_need() {
    let lines = "\
def f(x):
    # a comment

f
class C:
    def g(self):
        return 1

C().g()
x = (1,
  2)
x
'''a
b'''
1 + \\
  2
async def h(): return 4

@callable
def decorated(): pass

decorated
# nothing
";
    check(
        &["-i", "-q"],
        lines,
        expect![[r#"
            1
            (1, 2)
            'a\nb'
            3
            True
            ---
            >>> ... ...   File "<stdin>", line 1
                def f(x):
                         ^
            IndentationError: Expected an indented block after function definition
            >>> Traceback (most recent call last):
              File "<stdin>", line 1, in <module>
            NameError: name 'f' is not defined
            >>> ... ... ... >>> >>> ... >>> >>> ... >>> ... >>> ... >>> ... ... >>> >>> >>> 
            ---
            status Some(0)
        "#]],
    );
}

#[test]
fn errors_are_shown_and_it_goes_on() {
    let lines = "\
def f(): return 1 // 0

f()
y = = 2
raise SystemExit
'not this'
";
    check(
        &["-i", "-q"],
        lines,
        expect![[r#"
            ---
            >>> ... >>> Traceback (most recent call last):
              File "<stdin>", line 1, in <module>
              File "<stdin>", line 1, in f
            ZeroDivisionError: integer division or modulo by zero
            >>>   File "<stdin>", line 1
                y = = 2
                    ^
            SyntaxError: Expected an expression
            >>> ---
            status Some(0)
        "#]],
    );
    check(
        &["-i", "-q"],
        "exit\nquit\nexit(4)\n",
        expect![[r#"
            Use exit() or Ctrl-D (i.e. EOF) to exit
            Use quit() or Ctrl-D (i.e. EOF) to exit
            ---
            >>> >>> >>> ---
            status Some(4)
        "#]],
    );
    check(
        &["-i", "-q"],
        "import sys\nsys.ps1 = '# '\nsys.exit('why')\n",
        expect![[r#"
            ---
            >>> >>> # why
            ---
            status Some(1)
        "#]],
    );
}

#[test]
fn it_begins_behind_a_program() {
    check(
        &["-q", "-i", "-c", "x = 5\n1 // 0", "a"],
        "x\nimport sys; sys.argv\n",
        expect![[r#"
            5
            ['-c', 'a']
            ---
            Traceback (most recent call last):
              File "<string>", line 2, in <module>
            ZeroDivisionError: integer division or modulo by zero
            >>> >>> >>> 
            ---
            status Some(0)
        "#]],
    );
}

/// Waits until a line says a word.
fn wait_for(out: &mut BufReader<ChildStdout>, word: &str) {
    let mut line = String::new();
    while !line.contains(word) {
        line.clear();
        let read = out.read_line(&mut line).expect("it says something");
        assert!(read > 0, "it ends before it says {word}");
    }
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("there is `kill`").success());
}

/// What a program says that is interrupted when it has said that it is ready, and its status.
fn interrupted(jit: &str, text: &str) -> (String, String, Option<i32>) {
    let mut child = piped(&["--jit", jit, "-c", text]);
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    wait_for(&mut out, "ready");
    interrupt(&child);
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (rest, errors, output.status.code())
}

#[test]
fn an_interrupt_is_an_exception_of_the_program() {
    // Loops are compiled before they say that they are ready.
    let caught = "
def loop():
    turns = 0
    try:
        while True:
            turns += 1
            if turns == 5000:
                print('ready', flush=True)
    except KeyboardInterrupt as error:
        return repr(error)
    finally:
        print('finally')
print(loop())
";
    let calls = "
def leaf(n):
    if n == 5000:
        print('ready', flush=True)
    return n + 1
n = 0
try:
    while True:
        n = leaf(n)
except KeyboardInterrupt:
    print('interrupted')
";
    let sleeping = "
import time
try:
    print('ready', flush=True)
    time.sleep(1000)
except KeyboardInterrupt:
    print('woken')
";
    let tasks = "
import asyncio
async def main():
    try:
        print('ready', flush=True)
        await asyncio.sleep(1000)
    finally:
        print('cancelled')
try:
    asyncio.run(main())
except KeyboardInterrupt:
    print('interrupted')
";
    for jit in ["off", "threshold=3", "threshold=100000"] {
        let jit = format!("{jit},interruptible=1");
        let said = |text: &str| interrupted(&jit, text);
        let fine = |out: &str| (out.to_string(), String::new(), Some(0));
        assert_eq!(
            said(caught),
            fine("finally\nKeyboardInterrupt()\n"),
            "{jit}"
        );
        assert_eq!(said(calls), fine("interrupted\n"), "{jit}");
        assert_eq!(said(sleeping), fine("woken\n"), "{jit}");
        assert_eq!(said(tasks), fine("cancelled\ninterrupted\n"), "{jit}");
        let (out, errors, status) = said("print('ready', flush=True)\nwhile True: pass\n");
        let expected = "Traceback (most recent call last):\n  File \"<string>\", line 2, in <module>\n\
                        KeyboardInterrupt\n";
        assert_eq!(
            (out.as_str(), errors.as_str(), status),
            ("", expected, Some(130))
        );
    }
}

#[test]
fn an_interrupt_ends_what_runs_in_a_dialogue() {
    let mut child = piped(&["-i", "-q"]);
    let mut input = child.stdin.take().expect("a pipe");
    // It is said in the loop: a signal before that counts for nothing.
    let lines = "x = 5\nwhile True:\n    if x == 5: x = print('ready', flush=True)\n\n";
    input.write_all(lines.as_bytes()).expect("it reads them");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    wait_for(&mut out, "ready");
    interrupt(&child);
    input.write_all(b"'still', x\n").expect("it reads them");
    drop(input);
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    assert_eq!(rest, "('still', None)\n");
    let mut said = String::new();
    let mut errors = child.stderr.take().expect("a pipe");
    errors.read_to_string(&mut said).expect("text");
    assert!(said.contains("KeyboardInterrupt"), "{said}");
    assert!(child.wait().expect("it ends").success());
}
