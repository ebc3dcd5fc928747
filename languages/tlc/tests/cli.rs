//! The command. In: command lines. Out: standard output, standard error, exit status. Invariant
//! under test: what goes wrong is said in one line with status 1 (faulty program or file) or 2
//! (faulty command line), never by a crash.

use expect_test::{Expect, expect};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;
use verdigris_testing::command;

/// A folder with a program in it.
struct Folder(TempDir);

impl Folder {
    fn with(source: &str) -> Folder {
        let folder = Folder(TempDir::new().expect("there is a place for temporary files"));
        folder.write("p.tlc", source.as_bytes());
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("the file can be written");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("the file is there")
    }

    /// Runs `tlc` in the folder.
    fn tlc(&self, args: &[&str]) -> Output {
        tlc_in(self.0.path(), args)
    }

    /// Runs `tlc`, which must succeed; gives what it printed.
    fn ok(&self, args: &[&str]) -> String {
        let output = self.tlc(args);
        assert!(output.status.success(), "{args:?}: {output:?}");
        text(&output.stdout)
    }
}

fn tlc_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = command(env!("CARGO_BIN_EXE_tlc"));
    command.args(args).current_dir(folder);
    command.output().expect("tlc can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// Standard output, standard error and status of a program that fails.
fn check_failure(source: &str, args: &[&str], expected: Expect) {
    let folder = Folder::with(source);
    let output = folder.tlc(args);
    let status = output.status.code().expect("no signal ended it");
    expected.assert_eq(&format!(
        "{}{}status {status}\n",
        text(&output.stdout),
        text(&output.stderr)
    ));
}

const COUNT: &str = "PUSHARG\nloop:\nPUSH 1\nSUB\nPICK 0\nPUSH 0\nGT\nBR_COND loop\nRETURN\n";

#[test]
fn arguments_may_be_negative_and_more_than_one() {
    let folder = Folder::with("PUSHARG\nPUSHARGN 1\nSUB\nPUSHARGN 2\nCONS\nRETURN");
    let args = [
        "run",
        "p.tlc",
        "-5",
        "-9223372036854775808",
        "9223372036854775807",
    ];
    assert_eq!(
        folder.ok(&args),
        "(9223372036854775807 . 9223372036854775803)\n"
    );
    let folder = Folder::with("PUSHARG\nRETURN");
    assert_eq!(folder.ok(&["run", "p.tlc"]), "0\n");
    assert_eq!(
        folder.ok(&["run", "--jit", "off", "p.tlc", "-7", "--stats"]),
        "-7\n"
    );
}

#[test]
fn results_are_readable() {
    for (source, printed) in [
        ("NIL\nRETURN", "nil\n"),
        ("RETURN", ""),
        ("NIL\nPUSH 2\nCONS\nNIL\nCONS\nRETURN", "(nil 2)\n"),
        (
            "NEW b,a,m=x\nPICK 0\nPICK 0\nSETATTR a\nx: RETURN",
            "<object b=nil a=<object ...>>\n",
        ),
        (
            "NIL\nNEW a\nCONS\nNEW b\nCONS\nRETURN",
            "(<object b=nil> <object a=nil>)\n",
        ),
    ] {
        assert_eq!(
            Folder::with(source).ok(&["run", "p.tlc"]),
            printed,
            "{source}"
        );
    }
}

#[test]
fn text_and_binary_run_alike_and_disassemble_to_each_other() {
    let folder = Folder::with(
        "main:\n    PUSHARG\n    NEW x,double=double ; class\n    SWAP\n    SEND double/1\n    RETURN\n\n\ndouble:\n    PUSHARGN 1\n    PUSHARGN 1\n    ADD\n    RETURN\n",
    );
    folder.ok(&["asm", "p.tlc", "-o", "p.bin"]);
    assert_eq!(folder.ok(&["run", "p.tlc", "21"]), "42\n");
    assert_eq!(folder.ok(&["run", "p.bin", "21"]), "42\n");
    let listing = folder.ok(&["disasm", "p.bin"]);
    assert_eq!(folder.ok(&["disasm", "p.tlc"]), listing);
    folder.write("again.tlc", listing.as_bytes());
    folder.ok(&["asm", "again.tlc", "-o", "again.bin"]);
    assert_eq!(folder.read("again.bin"), folder.read("p.bin"));
}

#[test]
fn errors_keep_file_and_line_of_the_source_in_a_binary() {
    let folder = Folder::with("\n\nNIL\nCAR\nRETURN\n");
    folder.ok(&["asm", "p.tlc", "-o", "p.bin"]);
    for file in ["p.tlc", "p.bin"] {
        let output = folder.tlc(&["run", file]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            text(&output.stderr),
            "p.tlc:4: pc 1: type error: CAR is not defined for nil\n"
        );
    }
}

#[test]
fn a_truncated_binary_is_refused() {
    let folder = Folder::with(COUNT);
    folder.ok(&["asm", "p.tlc", "-o", "p.bin"]);
    let bytes = folder.read("p.bin");
    for len in 1..bytes.len() {
        folder.write("cut.bin", &bytes[..len]);
        let output = folder.tlc(&["run", "cut.bin"]);
        assert_eq!(output.status.code(), Some(1), "{len} bytes");
        assert_eq!(text(&output.stderr).lines().count(), 1, "{len} bytes");
    }
}

#[test]
fn statistics_are_one_json_object() {
    let folder = Folder::with(COUNT);
    let output = folder.tlc(&["run", "p.tlc", "100000", "--stats=json"]);
    assert_eq!(text(&output.stdout), "0\n");
    let stats: serde_json::Value = serde_json::from_slice(&output.stderr).expect("it is JSON");
    assert!(stats.is_object());
    assert_eq!(text(&output.stderr).lines().count(), 1);
    assert!(stats["loops"].as_u64() >= Some(1), "{stats}");
    let place = &stats["locations"][0]["location"];
    assert_eq!(place["file"], "p.tlc", "{stats}");
    assert_eq!(place["function"], "loop", "{stats}");
}

#[test]
fn statistics_are_a_table_for_people() {
    let folder = Folder::with(COUNT);
    let output = folder.tlc(&["run", "p.tlc", "100000", "--stats"]);
    let table = text(&output.stderr);
    assert!(table.starts_with("time by tier"), "{table}");
    assert!(
        table.contains("trace 0: loop at p.tlc:3 in loop (1, 1, ref)"),
        "{table}"
    );
    let output = folder.tlc(&["run", "p.tlc", "1", "--stats=csv"]);
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(
        message.contains(r#"there is no form "csv": table or json"#),
        "{message}"
    );
}

#[test]
fn errors_of_programs() {
    check_failure(
        "PUSH 3\nPRINT\nPUSH 1\nNIL\nSUB\nRETURN",
        &["run", "p.tlc"],
        expect![[r#"
            3
            p.tlc:5: pc 6: type error: SUB is not defined for an integer and nil
            status 1
        "#]],
    );
    check_failure(
        "SWAP",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:1: pc 0: stack underflow: SWAP needs 2 values on the stack, there are 0
            status 1
        "#]],
    );
    check_failure(
        "PUSH 5\nSEND go/0",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:2: pc 2: type error: an integer has no methods, so it cannot be sent `go`
            status 1
        "#]],
    );
    check_failure(
        "NEW m=far\nSEND m/1",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:1: label `far` is not defined
            status 1
        "#]],
    );
    check_failure(
        "NEW m=there\nSEND m/0\nthere:",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:2: pc 2: bad jump: SEND goes to pc 5, outside the code (0 to 5)
            status 1
        "#]],
    );
    check_failure(
        "PUSHARGN 2\nRETURN",
        &["run", "p.tlc", "5"],
        expect![[r#"
            p.tlc:1: pc 0: missing argument: PUSHARGN wants number 2, the frame was called with 1 (from 0)
            status 1
        "#]],
    );
    check_failure(
        "PICK -1\nRETURN",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:1: pc 0: corrupt bytecode: PICK cannot have the operand -1
            status 1
        "#]],
    );
    check_failure(
        "NEW 3\nRETURN",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:1: pc 0: corrupt bytecode: NEW cannot have the operand 3
            status 1
        "#]],
    );
    check_failure(
        "NEW a\nGETATTR 9\nRETURN",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:2: pc 2: unknown attribute: the object has no attribute number 9, which is not in the table of names
            status 1
        "#]],
    );
    check_failure(
        "NOP\nINVALID",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:2: pc 1: invalid opcode: INVALID
            status 1
        "#]],
    );
    check_failure(
        ".byte 77",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:1: pc 0: invalid opcode: 77
            status 1
        "#]],
    );
    check_failure(
        ".byte 31 0",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:1: pc 0: truncated bytecode: an operand of SEND is cut off
            status 1
        "#]],
    );
    check_failure(
        "BR 100",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:1: pc 0: bad jump: BR goes to pc 102, outside the code (0 to 2)
            status 1
        "#]],
    );
    check_failure(
        "PUSH 2\nPUSH 1\nCONS\nNIL\nADD\nRETURN",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:5: pc 6: type error: ADD is not defined for an integer and nil
            status 1
        "#]],
    );
    check_failure(
        "",
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc: pc 0: truncated bytecode: the program runs off the end of its code
            status 1
        "#]],
    );
}

#[test]
fn runaway_programs_end_cleanly() {
    let recursion = "f: CALL f\nRETURN";
    check_failure(
        recursion,
        &["run", "p.tlc"],
        expect![[r#"
            p.tlc:1: pc 0: runaway recursion: more than 100000 frames
            status 1
        "#]],
    );
    check_failure(
        recursion,
        &["run", "p.tlc", "--max-depth", "7", "--jit", "threshold=1"],
        expect![[r#"
            p.tlc:1: pc 0: runaway recursion: more than 7 frames
            status 1
        "#]],
    );
    let growing = "NIL\nloop:\nPUSH 1\nCONS\nBR loop";
    for jit in [
        "off,heap_limit=4m",
        "threshold=7,heap_limit=4m",
        "heap_limit=4m,threshold=7,backend=oracle",
    ] {
        check_failure(
            growing,
            &["run", "p.tlc", "--jit", jit],
            expect![[r#"
                p.tlc: the guest program has used up its heap
                status 1
            "#]],
        );
    }
    let full = "loop:\nPUSH 1\nBR loop";
    check_failure(
        full,
        &["run", "p.tlc", "--jit", "heap_limit=4m"],
        expect![[r#"
            p.tlc: the guest program has used up its heap
            status 1
        "#]],
    );
}

#[test]
fn deep_lists_print_and_compare_without_recursion() {
    let nest = "NIL\nPUSHARG\nloop:\nSWAP\nNIL\nSWAP\nCONS\nSWAP\nPUSH 1\nSUB\nPICK 0\nBR_COND loop\nPOP\n";
    let folder = Folder::with(&format!("{nest}PICK 0\nPICK 1\nEQ\nPRINT\nRETURN"));
    let printed = folder.ok(&["run", "p.tlc", "200000"]);
    assert_eq!(printed.len(), "1\n".len() + 200_000 * 2 + "nil\n".len());
}

#[test]
fn faulty_command_lines_and_files() {
    let folder = Folder::with("RETURN");
    for args in [
        &["run"] as &[&str],
        &["run", "p.tlc", "x"],
        &["run", "p.tlc", "--jit", "bogus=1"],
        &["run", "p.tlc", "--max-depth", "0"],
    ] {
        let output = folder.tlc(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    let output = folder.tlc(&["run", "missing.tlc"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).starts_with("missing.tlc: "),
        "{output:?}"
    );
    folder.write("bad.tlc", b"PUSH \xff");
    let output = folder.tlc(&["run", "bad.tlc"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).starts_with("bad.tlc: neither a TLC binary nor text"),
        "{output:?}"
    );
    let output = folder.tlc(&["asm", "p.tlc", "-o", "no/such/folder"]);
    assert_eq!(output.status.code(), Some(1));
}
