//! The command. In: command lines. Out: standard output, standard error, exit status. Invariant
//! under test: what goes wrong is said in one line per fault with status 1 (faulty program or file)
//! or 2 (faulty command line), never by a crash.

use expect_test::{Expect, expect};
use std::fs;
use std::path::PathBuf;
use std::process::Output;
use tempfile::TempDir;
use verdigris_testing::command;

/// A folder with a program in it.
struct Folder(TempDir);

impl Folder {
    fn with(source: &str) -> Folder {
        let folder = Folder(TempDir::new().expect("there is a place for temporary files"));
        folder.write("p.om", source.as_bytes());
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("the file can be written");
    }

    /// Runs `objmodel` in the folder.
    fn objmodel(&self, args: &[&str]) -> Output {
        let mut command = command(env!("CARGO_BIN_EXE_objmodel"));
        command.args(args).current_dir(self.0.path());
        command.output().expect("objmodel can be started")
    }

    /// Runs `objmodel`, which must succeed; gives what it printed.
    fn ok(&self, args: &[&str]) -> String {
        let output = self.objmodel(args);
        assert!(output.status.success(), "{args:?}: {output:?}");
        text(&output.stdout)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// Standard output, standard error and status of a program that fails.
fn check_failure(source: &str, args: &[&str], expected: Expect) {
    let folder = Folder::with(source);
    let output = folder.objmodel(args);
    let status = output.status.code().expect("no signal ended it");
    expected.assert_eq(&format!(
        "{}{}status {status}\n",
        text(&output.stdout),
        text(&output.stderr)
    ));
}

const COUNT: &str = "args n; while n > 0 { n = n - 1; } print n;";

#[test]
fn arguments_may_be_negative_and_missing() {
    let folder = Folder::with("args a, b, c; print a, b, c;");
    let args = ["run", "p.om", "-5", "-9223372036854775808"];
    assert_eq!(folder.ok(&args), "-5 -9223372036854775808 0\n");
    let args = ["run", "--jit", "off", "--stage", "maps", "p.om", "7"];
    assert_eq!(folder.ok(&args), "7 0 0\n");
}

#[test]
fn every_stage_can_be_chosen() {
    let folder = Folder::with("class C { x = 1; } c = new C; c.y = 2; print c.x, c.y, c, C;");
    for stage in ["dict", "maps", "versions"] {
        for jit in ["off", "threshold=1", "backend=oracle"] {
            let args = ["run", "--stage", stage, "--jit", jit, "p.om"];
            assert_eq!(folder.ok(&args), "1 2 <C> <class C>\n");
        }
    }
}

#[test]
fn statistics_are_one_json_object() {
    let folder = Folder::with(COUNT);
    let output = folder.objmodel(&["run", "p.om", "100000", "--stats=json"]);
    assert_eq!(text(&output.stdout), "0\n");
    let stats: serde_json::Value = serde_json::from_slice(&output.stderr).expect("it is JSON");
    assert_eq!(text(&output.stderr).lines().count(), 1);
    assert!(stats["loops"].as_u64() >= Some(1), "{stats}");
    let output = folder.objmodel(&["run", "p.om", "100000", "--stats"]);
    let table = text(&output.stderr);
    assert!(table.contains("loop at p.om:"), "{table}");
}

#[test]
fn figures_show_the_three_guards_and_the_table() {
    let printed = Folder::with("").ok(&["figures"]);
    let entry = printed
        .split("--- versions: optimised, entry ---")
        .nth(1)
        .and_then(|rest| rest.split("---").next())
        .expect("the section is there");
    assert_eq!(entry.matches("guard_value(").count(), 3, "{entry}");
    assert!(printed.contains("stage     trace         operations     dict_get"));
}

#[test]
fn listings_show_lines_names_and_constants() {
    let folder = Folder::with(
        "args n;\nclass C {\n    def go(k) { return k + 1; }\n}\nc = new C;\nwhile n and not c.go(n) {\n    print \"a\", n;\n}\n",
    );
    expect![[r#"
        the main program(n): 5 slots
            3      0  CONST class C
                   3  CONST function C.go
                   6  SETATTR go
            5      9  CONST class C
                  12  INSTANTIATE
                  13  STORE c
            6     15  LOAD n
                  17  JUMP_IF_FALSE_OR_POP -> 29
                  20  LOAD c
                  22  LOAD n
                  24  SEND go /1
                  28  NOT
                  29  JUMP_IF_FALSE -> 42
            7     32  CONST "a"
                  35  LOAD n
                  37  PRINT /2
                  39  LOOP -> 15
                  42  NIL
                  43  RETURN
        C.go(k): 4 slots
            3     44  LOAD k
                  46  CONST 1
                  49  ADD
                  50  RETURN
                  51  NIL
                  52  RETURN
    "#]]
    .assert_eq(&folder.ok(&["disasm", "p.om"]));
}

#[test]
fn errors_of_programs_name_line_and_column() {
    let run = &["run", "p.om"];
    check_failure(
        "print 3;\nprint 1 - nil;",
        run,
        expect![[r#"
        3
        p.om:2:9: `-` is not defined for an integer and nil
        status 1
    "#]],
    );
    check_failure(
        "x = -\"a\";",
        run,
        expect![[r#"
        p.om:1:5: `-` is not defined for a text
        status 1
    "#]],
    );
    check_failure(
        "class C { } print (new C).x;",
        run,
        expect![[r#"
        p.om:1:26: an instance of `C` has no attribute `x`
        status 1
    "#]],
    );
    check_failure(
        "class C { } C.m(1);",
        run,
        expect![[r#"
        p.om:1:14: the class `C` has no attribute `m`
        status 1
    "#]],
    );
    check_failure(
        "x = 1; print x.y;",
        run,
        expect![[r#"
        p.om:1:15: an integer has no attributes, so it has no `y`
        status 1
    "#]],
    );
    check_failure(
        "x = nil; x.y = 1;",
        run,
        expect![[r#"
        p.om:1:10: nil has no attributes, so it has no `y`
        status 1
    "#]],
    );
    check_failure(
        "def f() { } f.go();",
        run,
        expect![[r#"
        p.om:1:14: the function `f` has no attributes, so it has no `go`
        status 1
    "#]],
    );
    check_failure(
        "x = 5; x();",
        run,
        expect![[r#"
        p.om:1:9: an integer is no function and cannot be called
        status 1
    "#]],
    );
    check_failure(
        "class C { a = 1; } c = new C; c.a(2);",
        run,
        expect![[r#"
        p.om:1:32: an integer is no function and cannot be called
        status 1
    "#]],
    );
    check_failure(
        "x = 1; print new x;",
        run,
        expect![[r#"
        p.om:1:14: an integer is no class and has no instances
        status 1
    "#]],
    );
    check_failure(
        "class C { } print new C(1);",
        run,
        expect![[r#"
        p.om:1:19: an instance of `C` has no attribute `init`
        status 1
    "#]],
    );
    check_failure(
        "def f(a) { } f();",
        run,
        expect![[r#"
        p.om:1:15: `f` takes 1 argument, it was given 0
        status 1
    "#]],
    );
    check_failure(
        "print 1 % 0;",
        run,
        expect![[r#"
        p.om:1:9: division by zero
        status 1
    "#]],
    );
    check_failure(
        "print 1;",
        &["run", "p.om", "5"],
        expect![[r#"
        p.om: the program takes 0 arguments, it was given 1
        status 1
    "#]],
    );
}

#[test]
fn runaway_programs_end_cleanly() {
    let recursion = "def f() { return f(); }\nf();";
    check_failure(
        recursion,
        &["run", "p.om"],
        expect![[r#"
        p.om:1:19: runaway recursion: more than 100000 frames
        status 1
    "#]],
    );
    let args = ["run", "p.om", "--max-depth", "7", "--jit", "threshold=1"];
    check_failure(
        recursion,
        &args,
        expect![[r#"
        p.om:1:19: runaway recursion: more than 7 frames
        status 1
    "#]],
    );
    let growing = "class N { } l = nil; while 1 { n = new N; n.next = l; l = n; }";
    for stage in ["dict", "maps", "versions"] {
        for jit in [
            "off,heap_limit=4m",
            "threshold=7,heap_limit=4m",
            "heap_limit=4m,threshold=7,backend=oracle",
        ] {
            check_failure(
                growing,
                &["run", "p.om", "--stage", stage, "--jit", jit],
                expect![[r#"
                    p.om: the guest program has used up its heap
                    status 1
                "#]],
            );
        }
    }
}

#[test]
fn faulty_command_lines_and_files() {
    let folder = Folder::with("print 1;");
    for args in [
        &["run"] as &[&str],
        &["run", "p.om", "x"],
        &["run", "p.om", "--jit", "bogus=1"],
        &["run", "p.om", "--stage", "hash"],
        &["run", "p.om", "--max-depth", "0"],
    ] {
        let output = folder.objmodel(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    let output = folder.objmodel(&["run", "missing.om"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).starts_with("missing.om: "),
        "{output:?}"
    );
    folder.write("bad.om", b"print \xff;");
    let output = folder.objmodel(&["run", "bad.om"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).starts_with("bad.om: not a text"),
        "{output:?}"
    );
}
