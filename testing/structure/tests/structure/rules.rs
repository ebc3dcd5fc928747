//! Rules of the sources: which circles of imports there may be, that a public type's name stands
//! for one thing, and that comments can be read.

use std::collections::BTreeSet;
use structure::circles::{circles, folder_of, imports};
use structure::comments::{COLUMNS, comments};
use structure::names::ambiguous_types;
use structure::repository::{packages, read, root};

/// The circles of `circles.txt`: a paragraph each, of a reason behind `#` and of files.
fn natural() -> Vec<BTreeSet<String>> {
    let text = read(&root().join("testing/structure/circles.txt"));
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let files = paragraph.lines().filter(|line| !line.starts_with('#'));
        let files = files.map(str::trim).filter(|line| !line.is_empty());
        files.map(str::to_string).collect::<BTreeSet<_>>()
    });
    paragraphs.filter(|files| !files.is_empty()).collect()
}

#[test]
fn imports_make_no_new_circles() {
    let mut natural = natural();
    let mut new = Vec::new();
    // Examples, and what the book shows, are read whole.
    let is_read_whole = |package: &String| {
        ["examples/", "docs/"]
            .iter()
            .any(|folder| package.starts_with(folder))
    };
    for package in packages().into_iter().filter(|p| !is_read_whole(p)) {
        let imports = imports(&package);
        for circle in circles(&imports) {
            let files: BTreeSet<String> = circle.iter().cloned().collect();
            match natural.iter().position(|known| *known == files) {
                Some(at) => drop(natural.remove(at)),
                None => new.push(circle),
            }
        }
    }
    assert!(
        new.is_empty(),
        "files that need each other; move what they share below both of them \
         (`cargo run -p structure -- circles --arrows` shows the imports): {new:#?}"
    );
    assert!(
        natural.is_empty(),
        "these circles of testing/structure/circles.txt are gone; remove them: {natural:#?}"
    );
}

#[test]
fn natural_circles_lie_in_one_folder_and_have_a_reason() {
    for circle in natural() {
        let files: Vec<String> = circle.into_iter().collect();
        let folder = folder_of(&files);
        let is_in_one_room = !folder.ends_with("src/") || !folder.starts_with("crates/");
        assert!(is_in_one_room, "not in one folder: {files:?}");
    }
    let text = read(&root().join("testing/structure/circles.txt"));
    for paragraph in text.split("\n\n") {
        assert!(paragraph.starts_with('#'), "no reason: {paragraph}");
    }
}

#[test]
fn a_public_type_has_a_name_of_its_own() {
    let ambiguous = ambiguous_types();
    assert!(
        ambiguous.is_empty(),
        "public types of several crates that share a name; say in it what they are: {ambiguous:#?}"
    );
}

#[test]
fn comments_fit_and_say_who_does_what() {
    let mut wrong = Vec::new();
    let mut lines = 0;
    for comment in comments() {
        lines += 1;
        // The list of riddles itself.
        if comment.file.starts_with("testing/structure/") {
            continue;
        }
        let at = format!("{}:{}", comment.file, comment.line);
        if comment.is_wide() {
            wrong.push(format!("{at}: wider than {COLUMNS} columns"));
        }
        wrong.extend(comment.riddles().map(|riddle| format!("{at}: {riddle}")));
    }
    assert!(lines > 10_000, "only {lines} lines of comments were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
