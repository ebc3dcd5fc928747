//! The book is whole. In: its chapters. Invariants under test: every chapter is in
//! the summary, every include names a file and an anchor that exist, every link leads somewhere,
//! and every block of Rust is code that is compiled.

use expect_test::expect;
use std::path::Path;

#[test]
fn the_book_is_whole() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
    let count = book::chapters(&folder).len();
    assert!(count > 10, "only {count} chapters were found");
    let faults = book::faults(&folder);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every kind of fault is found.
#[test]
fn faults_are_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty");
    expect![[r#"
        left_out.md: not in SUMMARY.md
        SUMMARY.md: there is no chapter missing.md
        faulty.md:9: `nowhere.md` leads nowhere
        faulty.md:9: `left_out.md#right`: no such heading there
        faulty.md:9: `../book.rs` leads out of the book: name the file by its path, in backticks
        faulty.md:12: Rust is included from a file that is compiled, not written here
        faulty.md:15: a block of Rust says `rust` and nothing else
        faulty.md:16: code.txt has no anchor `bad` with an end
        faulty.md:19: a block says its language, `text` if it has none
        faulty.md:20: code.txt: nothing is in `empty`
        faulty.md:21: code.txt has no anchor `open` with an end
        faulty.md:22: none.txt: No such file or directory (os error 2)
        faulty.md:23: `{{#include FILE:ANCHOR}}` is all that is known here, alone in its line
        faulty.md:26: this block has no end
        folder/README.md: mdBook makes `index.html` of it and leaves links to it as they are, so it is called `index.md`
    "#]]
    .assert_eq(
        &(book::faults(&folder).join("\n") + "\n").replace(&format!("{}/", folder.display()), ""),
    );
}
