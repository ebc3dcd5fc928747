//! A process that dies leaves its case. In: a program that is killed by cases with a certain
//! instruction, whatever else they are. Out: a file with the smallest such case. Invariant: nothing
//! is lost, and who watches survives.

#![cfg(unix)]

use fuzz::campaign;
use fuzz::differ;
use fuzz::journal::Journal;
use fuzz::kept::Case;
use fuzz::registry;
use fuzz::supervise::{End, Supervisor};
use fuzz::tape;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

/// A program that is killed when it fuzzes, and when it tries a case with a multiplication.
fn deadly(folder: &Path) -> Supervisor {
    let program = folder.join("deadly");
    let text =
        "#!/bin/sh\nif [ \"$1\" = replay ]; then grep -q '^MUL' \"$2\" || exit 0; fi\nkill -9 $$\n";
    fs::write(&program, text).expect("it can be written");
    let permissions = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&program, permissions).expect("it can be run");
    Supervisor {
        program,
        folder: folder.to_path_buf(),
        shrinking: campaign::SHRINKING,
        replays_with: Vec::new(),
    }
}

/// A case of TLC with a multiplication, as the journal has it.
fn case() -> Case {
    let tlc = registry::named("lang tlc").expect("there is TLC");
    let tapes = (0..).map(|number| tape::bytes("supervised", 1, number));
    let mut long = tapes.filter(|tape| tlc.show(tape).matches("\nMUL").count() > 2);
    let tape = long.next().expect("multiplications are not rare")[differ::HEAD..].to_vec();
    let hex: String = tape.iter().map(|byte| format!("{byte:02x}")).collect();
    let field = |key: &str, value: &str| (key.to_string(), value.to_string());
    Case {
        comment: ";".to_string(),
        campaign: "lang tlc".to_string(),
        fields: vec![
            field("jit", "threshold=2,stress=1,heap_limit=4m"),
            field("args", "20"),
            field("tape", &hex),
        ],
        text: String::new(),
    }
}

#[test]
fn what_kills_a_process_is_found_and_shrunk() {
    let folder = tempfile::tempdir().expect("a folder");
    let supervisor = deadly(folder.path());
    let journal = Journal::new(folder.path(), 1, Duration::from_secs(9));
    journal.page(0).begins(case());
    let end = supervisor.run(&[]).expect("it can be run");
    let End::Killed(files) = end else {
        panic!("{end:?}");
    };
    let [file] = &files[..] else {
        panic!("{files:?}");
    };
    let small = Case::read(file).expect("it can be read");
    assert_eq!(small.text.matches("\nMUL").count(), 1, "{}", small.text);
    assert!(
        small.field("tape").is_some_and(|tape| tape.len() < 60),
        "{small:?}"
    );
    assert_eq!(small.field("jit"), Some("heap_limit=4m"));
    assert!(small.field("why").is_some_and(|why| why.contains("signal")));
}

#[test]
fn a_process_that_speaks_is_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let supervisor = Supervisor {
        program: env!("CARGO_BIN_EXE_fuzz").into(),
        folder: folder.path().to_path_buf(),
        shrinking: campaign::SHRINKING,
        replays_with: Vec::new(),
    };
    let said = |args: &[&str]| {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_string()).collect();
        supervisor.run(&args).expect("it can be run")
    };
    assert_eq!(said(&["show", "lang tlc"]), End::Said(0));
    assert_eq!(said(&["show", "lang none"]), End::Said(2));
    assert_eq!(said(&["lang", "none"]), End::Said(2));
    assert_eq!(said(&["replay", "no such file"]), End::Said(2));
}
