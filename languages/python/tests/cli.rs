//! The command. In: command lines. Out: standard output, standard error, exit status. Invariant
//! under test: a program's own status is the command's; what is wrong with a program or a file is
//! said with status 1, and with a command line with 2.

use expect_test::{Expect, expect};
use std::fs;
use std::io::Write;
use std::process::Stdio;
use tempfile::TempDir;
use verdigris_testing::command;

/// What the command says about a program with these arguments.
fn check(text: &str, args: &[&str], expected: Expect) {
    let folder = TempDir::new().expect("there is a place for temporary files");
    fs::write(folder.path().join("p.py"), text).expect("the file can be written");
    let mut command = command(env!("CARGO_BIN_EXE_verdigris-python"));
    command.args(args).current_dir(folder.path());
    let output = command.output().expect("the command can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    let place = format!("{}/", folder.path().display());
    let errors = errors.replace(&place, "");
    let status = output.status.code();
    expected.assert_eq(&format!("{out}{errors}status {status:?}\n"));
}

#[test]
fn a_program_sees_its_arguments_and_chooses_its_status() {
    let text = "import sys\nprint(sys.argv)\nprint('e', file=sys.stderr)\nsys.exit(3)\n";
    check(
        text,
        &["p.py", "a", "--b"],
        expect![[r#"
        ['p.py', 'a', '--b']
        e
        status Some(3)
    "#]],
    );
}

#[test]
fn an_exception_is_shown_with_the_places_that_it_comes_through() {
    let text = "def f(x):\n    return 1 // x\n\n\nprint('before')\nf(0)\n";
    check(
        text,
        &["p.py"],
        expect![[r#"
        before
        Traceback (most recent call last):
          File "p.py", line 6, in <module>
            f(0)
          File "p.py", line 2, in f
            return 1 // x
        ZeroDivisionError: integer division or modulo by zero
        status Some(1)
    "#]],
    );
}

#[test]
fn syntax_errors_are_shown_in_their_line() {
    check(
        "x = 1\ny = = 2\n",
        &["p.py"],
        expect![[r#"
          File "p.py", line 2
            y = = 2
                ^
        SyntaxError: Expected an expression
        status Some(1)
    "#]],
    );
}

#[test]
fn what_is_not_there_yet_is_named() {
    check(
        "x = '\\ud800'\n",
        &["p.py"],
        expect![[r#"
          File "p.py", line 1
            x = '\ud800'
                ^^^^^^^^
        NotImplementedError: characters that are half of a surrogate pair are not supported yet
        status Some(1)
    "#]],
    );
    check(
        "print(eval('1'))\n",
        &["p.py"],
        expect![[r#"
            1
            status Some(0)
        "#]],
    );
    check(
        "class A(map): pass\n",
        &["p.py"],
        expect![[r#"
        Traceback (most recent call last):
          File "p.py", line 1, in <module>
            class A(map): pass
        NotImplementedError: a class that derives from 'map' is not supported yet
        status Some(1)
    "#]],
    );
}

#[test]
fn a_collection_ends_what_is_referred_to_weakly_alone() {
    let text = "\
import gc, weakref
class Node: pass
refs = []
def many(n):
    alive = 0
    for _ in range(n):
        node = Node()
        refs.append(weakref.ref(node))
        alive += refs[-1]() is node
    return alive
alive = many(1000)
gc.collect()
print(alive, sum(ref() is not None for ref in refs) < 500)
";
    check(
        text,
        &["--jit", "off", "p.py"],
        expect![[r#"
            1000 True
            status Some(0)
        "#]],
    );
}

#[test]
fn a_folder_of_cpython_has_its_modules() {
    check(
        "print(1)\n",
        &["--stdlib", "nowhere", "p.py"],
        expect![[r#"
            verdigris-python: no modules of CPython are in nowhere
            status Some(1)
        "#]],
    );
}

#[test]
fn groups_of_exceptions_are_shown_as_trees() {
    let text = "\
def f():
    raise ValueError('one')
try:
    f()
except ValueError as error:
    kept = error
inner = ExceptionGroup('inner', [KeyError(2), TypeError()])
raise ExceptionGroup('outer', [kept, inner])
";
    check(
        text,
        &["p.py"],
        expect![[r#"
          + Exception Group Traceback (most recent call last):
          |   File "p.py", line 8, in <module>
          |     raise ExceptionGroup('outer', [kept, inner])
          | ExceptionGroup: outer (2 sub-exceptions)
          +-+---------------- 1 ----------------
            | Traceback (most recent call last):
            |   File "p.py", line 4, in <module>
            |     f()
            |   File "p.py", line 2, in f
            |     raise ValueError('one')
            | ValueError: one
            +---------------- 2 ----------------
            | ExceptionGroup: inner (2 sub-exceptions)
            +-+---------------- 1 ----------------
              | KeyError: 2
              +---------------- 2 ----------------
              | TypeError
              +------------------------------------
        status Some(1)
    "#]],
    );
}

#[test]
fn files_are_written_and_read() {
    let text = "\
with open('made.txt', 'w') as file:
    print('one', file=file)
    print(file.write('two\\nthree'), file.writable(), file.closed)
with open('made.txt') as file:
    print([line for line in file], file.readable(), file.name)
with open('made.txt', 'a') as file:
    file.writelines([' and', ' more'])
print(open('made.txt').read().split())
try:
    open('made.txt', 'x')
except FileExistsError as error:
    print(error)
try:
    file.write('')
except ValueError as error:
    print(error)
print(open('made.txt').readline(), end='')
";
    check(
        text,
        &["p.py"],
        expect![[r#"
        9 True False
        ['one\n', 'two\n', 'three'] True made.txt
        ['one', 'two', 'three', 'and', 'more']
        [Errno 17] File exists: 'made.txt'
        I/O operation on closed file.
        one
        status Some(0)
    "#]],
    );
}

#[test]
fn packages_are_imported() {
    let folder = TempDir::new().expect("there is a place for temporary files");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        fs::write(path, text).expect("the file can be written");
    };
    write(
        "shapes/__init__.py",
        "from .round import area\nfrom . import flat\nname = 'shapes'\n",
    );
    write(
        "shapes/round.py",
        "from .flat import half\nPI = 3\ndef area(r): return half(2 * PI * r * r)\n",
    );
    write(
        "shapes/flat.py",
        "__all__ = ['half']\ndef half(x): return x // 2\ndef hidden(): pass\n",
    );
    write("shapes/deep/__init__.py", "from ..round import PI\n");
    write(
        "p.py",
        "\
import shapes, shapes.deep
from shapes import *
from shapes.flat import *
from shapes.deep import PI
print(shapes.area(3), area(1), half(9), name, PI, shapes.deep.__name__, shapes.flat.half is half)
print('hidden' in dir(shapes.flat), hasattr(shapes, 'nothing'))
try:
    from shapes import nothing
except ImportError as error:
    print(type(error).__name__)
",
    );
    let mut command = command(env!("CARGO_BIN_EXE_verdigris-python"));
    command.arg("p.py").current_dir(folder.path());
    let output = command.output().expect("the command can be started");
    let out = String::from_utf8_lossy(&output.stdout);
    expect![[r#"
        27 3 4 shapes 3 shapes.deep True
        True False
        ImportError
    "#]]
    .assert_eq(&out);
}

/// What the command says with these arguments about lines on standard input, in a folder with some
/// files.
fn said(args: &[&str], input: &str) -> String {
    let folder = TempDir::new().expect("there is a place for temporary files");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        fs::write(path, text).expect("the file can be written");
    };
    let shows = "import sys\nprint(__name__, sys.argv)\n";
    write("tool.py", shows);
    write("pack/__init__.py", "print('package')\n");
    write("pack/__main__.py", shows);
    write(
        "pack/part.py",
        "from . import other\nprint(__name__, other.x)\n1 // 0\n",
    );
    write("pack/other.py", "x = 3\n");
    write("exits.py", "import sys\nsys.exit('said')\n");
    let mut command = command(env!("CARGO_BIN_EXE_verdigris-python"));
    command.args(args).current_dir(folder.path());
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // One that reads nothing may have ended already.
    stdin.write_all(input.as_bytes()).ok();
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    let place = format!("{}/", folder.path().display());
    let status = output.status.code();
    format!("{out}{errors}status {status:?}\n").replace(&place, "")
}

#[test]
fn a_program_is_a_text_a_module_or_standard_input() {
    let shows = "import sys; print(__name__, sys.argv)";
    let ended = |out: &str| format!("{out}\nstatus Some(0)\n");
    let cases: &[(&[&str], &str, &str)] = &[
        (&["-c", shows, "a", "-b"], "", "__main__ ['-c', 'a', '-b']"),
        (&["-cprint(1 + 2)", "-i"], "", "3"),
        (&["-qEc", shows], "", "__main__ ['-c']"),
        (&["-", "a", "-c"], shows, "__main__ ['-', 'a', '-c']"),
        (&[], shows, "__main__ ['']"),
        (
            &["tool.py", "-c", "x"],
            "",
            "__main__ ['tool.py', '-c', 'x']",
        ),
        (&["--", "tool.py"], "", "__main__ ['tool.py']"),
        (
            &["--jit", "off", "-m", "tool", "-x"],
            "",
            "__main__ ['tool.py', '-x']",
        ),
        (
            &["-mpack", "y"],
            "",
            "package\n__main__ ['pack/__main__.py', 'y']",
        ),
        (&["-c", "print(1)\nquit()\nprint(2)"], "", "1"),
        (
            &["-V"],
            "",
            concat!("Python 3.11.0 (Verdigris ", env!("CARGO_PKG_VERSION"), ")"),
        ),
    ];
    for (args, input, expected) in cases {
        assert_eq!(said(args, input), ended(expected), "{args:?}");
    }
}

#[test]
fn what_fails_has_a_status() {
    let failed = |args: &[&str]| said(args, "");
    expect![[r#"
        package
        __main__ 3
        Traceback (most recent call last):
          File "pack/part.py", line 3, in <module>
            1 // 0
        ZeroDivisionError: integer division or modulo by zero
        status Some(1)
    "#]]
    .assert_eq(&failed(&["-m", "pack.part"]));
    expect![[r#"
        said
        status Some(1)
    "#]]
    .assert_eq(&failed(&["-m", "exits"]));
    expect![[r#"
        verdigris-python: No module named nowhere
        status Some(1)
    "#]]
    .assert_eq(&failed(&["-m", "nowhere"]));
    expect![[r#"
          File "<string>", line 1
            x = = 2
                ^
        SyntaxError: Expected an expression
        status Some(1)
    "#]]
    .assert_eq(&failed(&["-c", "x = = 2"]));
    assert_eq!(failed(&["-c", "raise SystemExit(7)"]), "status Some(7)\n");
    expect![[r#"
        Unknown option: -x
        usage: verdigris-python [OPTIONS] [-c TEXT | -m MODULE | FILE | -] [ARGUMENTS]
        Try `verdigris-python -h' for more information.
        status Some(2)
    "#]]
    .assert_eq(&failed(&["-x"]));
    expect![[r#"
        Argument expected for the -c option
        usage: verdigris-python [OPTIONS] [-c TEXT | -m MODULE | FILE | -] [ARGUMENTS]
        Try `verdigris-python -h' for more information.
        status Some(2)
    "#]]
    .assert_eq(&failed(&["-c"]));
    assert!(failed(&["-h"]).contains("Options of Python"));
}

#[test]
fn a_missing_file_is_named() {
    check(
        "",
        &["q.py"],
        expect![[r#"
        verdigris-python: q.py: No such file or directory (os error 2)
        status Some(1)
    "#]],
    );
}

#[test]
fn bytecode_is_printed() {
    let text = "def f(n):\n    while n > 0:\n        n -= 1\n    return n\n";
    check(
        text,
        &["--dis", "p.py"],
        expect![[r#"
        <module> (3 registers)
             1     0  CONST          0 Some(None)
                   1  CONST          1 Some(None)
                   2  FUNCTION       0 0 0
                   3  STORE_GLOBAL   0 f
                   4  CONST          0 Some(None)
                   5  RETURN         0

        f (2 registers)
             2     0  CONST          1 Some(Int(0))
                   1  UNLESS_GT      0 1 -> 5
             3     2  CONST          1 Some(Int(1))
                   3  INPLACE        0 0 - 1
             2     4  LOOP           -> 0
             4     5  RETURN         0
             1     6  CONST          1 Some(None)
                   7  RETURN         1
        status Some(0)
    "#]],
    );
}
