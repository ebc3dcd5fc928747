//! `verdigris replay` on recordings of TLC, in a process of its own.

use expect_test::{Expect, expect};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use tlc::machine::{MAX_DEPTH, Machine, load};
use verdigris::Options;

/// A folder with a recording in it.
struct Recorded {
    folder: TempDir,
}

impl Recorded {
    /// Of a program of TLC.
    fn new(program: &str, arg: i64, jit: &str) -> Recorded {
        let folder = tempfile::tempdir().expect("a folder");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages/tlc/programs");
        let text = std::fs::read(path.join(program)).expect("a program");
        let image = load(&text, program).unwrap_or_else(|error| panic!("{error}"));
        let recorded = Recorded { folder };
        let options = Options::parse(jit)
            .expect("parameters")
            .record(recorded.file());
        let machine = Machine::new(options, MAX_DEPTH).unwrap_or_else(|error| panic!("{error}"));
        machine.run(&image, &[arg], true);
        recorded
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("recording")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).expect("a recording")
    }

    /// What a replay says, without times, and whether it is content.
    fn replay(&self, args: &[&str]) -> (String, bool) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdigris"));
        let command = command.arg("replay").arg(self.file()).args(args);
        let output = command.output().expect("the tool runs");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).expect("text");
        let file = self.file().display().to_string();
        (
            masked(&text.replace(&file, "FILE")),
            output.status.success(),
        )
    }

    /// What a replay says of the recording when it is changed.
    fn refused(&self, change: impl FnOnce(&str) -> String, says: Expect) {
        let before = self.text();
        std::fs::write(self.file(), change(&before)).expect("written");
        let (text, is_content) = self.replay(&[]);
        assert!(!is_content, "{text}");
        says.assert_eq(&text);
        std::fs::write(self.file(), before).expect("written");
    }
}

/// The first lines, with one space where there are several.
#[cfg(target_arch = "x86_64")]
fn lines(text: &str, count: usize) -> String {
    let single = |line: &str| {
        let indent = if line.starts_with(' ') { " " } else { "" };
        let words: Vec<&str> = line.split_whitespace().collect();
        format!("{indent}{}\n", words.join(" "))
    };
    text.lines().take(count).map(single).collect()
}

/// Numbers in front of `us` are times.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    for line in text.lines() {
        let mut words: Vec<&str> = line.split(' ').collect();
        for n in 1..words.len() {
            if words[n].trim_end_matches(',') == "us" {
                words[n - 1] = "T";
            }
        }
        let starts = ["same", "differs", "lost", "-"];
        let is_row = starts.iter().any(|word| line.starts_with(word));
        if is_row {
            words.retain(|word| !word.is_empty());
        }
        masked += &words.join(" ");
        masked += "\n";
    }
    masked
}

const BRIDGES: &str = "threshold=3,trace_eagerness=2,compile_allowance=off";

#[cfg(target_arch = "x86_64")]
#[test]
fn another_process_makes_the_same_code() {
    let recorded = Recorded::new("objects.tlc", 40, BRIDGES);
    let (text, is_content) = recorded.replay(&[]);
    assert!(is_content, "{text}");
    expect![[r#"
        trace    code     bytes  optimising  compiling
        same same 320 T us T us trace 0: loop at (43, 4, ref)
        same - - T us T us trace 1: bridge from g1 of trace 0
        same same 320 T us T us trace 2: another version of the loop at (43, 4, ref)
        same same 512 T us T us trace 3: bridge from g1 of trace 0
        same same 576 T us T us trace 4: bridge from g22 of trace 2
        same same 512 T us T us trace 5: bridge from g13 of trace 2
        same same 576 T us T us trace 6: bridge from g10 of trace 0
        7 pieces, 7 the same, 0 different, 0 lost (x64); optimising T us, compiling T us
    "#]]
    .assert_eq(&text);
}

#[test]
fn so_does_partial_evaluation_and_threaded_code() {
    for jit in [
        "threshold=2,function_threshold=2,trace_eagerness=2,compiler=both",
        "threshold=1,function_threshold=1,thread_threshold=1,trace_eagerness=1,fail_guards=1",
        "threshold=1,trace_eagerness=1,enable_opts=fold",
    ] {
        let recorded = Recorded::new("objects.tlc", 40, jit);
        let (text, is_content) = recorded.replay(&["--repeat", "0"]);
        assert!(is_content && text.lines().count() > 3, "{jit}:\n{text}");
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn what_other_passes_make_is_shown() {
    let recorded = Recorded::new("factorial.tlc", 20, "threshold=3");
    let (text, is_content) = recorded.replay(&["--enable-opts", "all-guards"]);
    assert!(!is_content);
    expect![[r#"
        trace code bytes optimising compiling
        differs differs 384 T us T us trace 0: loop at (3, 2, ref)
         trace: --- recorded
         +++ replayed
         @@ -3,68 +3,134 @@
    "#]]
    .assert_eq(&lines(&text, 5));
    assert!(text.contains("    -guard_true(i4) g0\n"), "{text}");
    assert!(text.contains("    +guard_true(i3) g0\n"), "{text}");
    let (text, is_content) = recorded.replay(&["--enable-opts", "all-gards"]);
    assert!(!is_content && text.starts_with("error: "), "{text}");
}

#[test]
fn another_backend_makes_other_code() {
    let recorded = Recorded::new("factorial.tlc", 20, "threshold=3");
    let (text, is_content) = recorded.replay(&["--backend", "oracle"]);
    assert!(is_content, "{text}");
    assert!(text.contains("made by another backend"), "{text}");
}

#[test]
fn what_is_no_recording_is_refused_with_its_line() {
    let recorded = Recorded::new("factorial.tlc", 20, "threshold=3");
    recorded.refused(
        |_| "fast as light\n".to_string(),
        expect![[r#"
            error: FILE: line 1: a recording begins with `verdigris recording 2`
        "#]],
    );
    recorded.refused(
        |_| String::new(),
        expect![[r#"
            error: FILE: line 1: a recording begins with `verdigris recording 2`
        "#]],
    );
    recorded.refused(
        |text| text.replace("verdigris recording 2", "verdigris recording 7"),
        expect![[r#"
            error: FILE: line 1: the recording has format 7, and this version reads 2: replay it with the version that has recorded it
        "#]],
    );
    let line_of = |text: &str, word: &str| {
        let line = text.lines().position(|line| line.contains(word));
        line.expect("there is one") + 1
    };
    let at_line = |changed: String, line: usize, says: &str| {
        let before = recorded.text();
        std::fs::write(recorded.file(), changed).expect("written");
        let (text, is_content) = recorded.replay(&[]);
        std::fs::write(recorded.file(), before).expect("written");
        assert!(!is_content);
        let expected = format!("error: FILE: line {line}: ");
        assert!(
            text.starts_with(&expected) && text.contains(says),
            "{line}: {text}"
        );
    };
    let text = recorded.text();
    let at = text.find("guard_").expect("a guard");
    let cut = text[..at + 3].to_string();
    at_line(
        cut,
        line_of(&text, "guard_"),
        "the file ends within this line",
    );
    let worse = text.replacen("guard_", "gourd_", 1);
    at_line(worse, line_of(&text, "guard_"), "is not an operation");
    let worse = text.replacen("\ntitle ", "\ntitel ", 1);
    at_line(worse, line_of(&text, "title "), "says nothing of a piece");
    let worse = text.replacen("\nlabels 0", "\nlabels none", 1);
    at_line(worse, line_of(&text, "labels 0"), "expected a number");
    let hex = line_of(&text, "unit") + 1;
    let damaged: Vec<&str> = text.lines().collect();
    let flipped = damaged[hex].replace('0', "1");
    let damaged: Vec<&str> = (damaged.iter().enumerate())
        .map(|(n, line)| if n == hex { flipped.as_str() } else { line })
        .collect();
    at_line(damaged.join("\n") + "\n", hex - 1, "its checksum is wrong");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn what_was_given_is_enough() {
    let recorded = Recorded::new("factorial.tlc", 20, "threshold=3");
    // This is how a file ends whose optimiser did not come back.
    let text = recorded.text();
    let given = &text[..text.find("\nused ").expect("it was optimised") + 1];
    std::fs::write(recorded.file(), given).expect("written");
    let (text, is_content) = recorded.replay(&[]);
    assert!(!is_content);
    expect![[r#"
        trace code bytes optimising compiling
        differs differs 192 T us T us trace 0: loop at (3, 2, ref)
         when it was recorded: the optimiser did not come back
         trace: now the optimiser comes back:
         [p0, p1]
    "#]]
    .assert_eq(&lines(&text, 5));
}

#[test]
fn a_second_machine_has_a_file_of_its_own() {
    let recorded = Recorded::new("factorial.tlc", 20, "threshold=3");
    let options = Options::default().record(recorded.file());
    drop(Machine::new(options, MAX_DEPTH).unwrap_or_else(|error| panic!("{error}")));
    assert!(recorded.text().contains("\npiece 0 loop\n"));
    let second = std::fs::read_to_string(recorded.folder.path().join("recording.2"));
    assert!(!second.expect("a file").contains("\npiece "));
    let options = Options::default().record(recorded.folder.path().join("no/such/folder"));
    let error = Machine::new(options, MAX_DEPTH).err().expect("no file");
    assert!(
        error.to_string().contains("cannot write the recording"),
        "{error}"
    );
}
