//! What `EMBEDDING.md` shows is in the examples, which run.

use std::fs;
use std::path::Path;

/// Without indentation, and in one line: a page is narrower than code.
fn words(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn what_the_page_shows_is_in_the_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
    let examples = words(&(read("examples/tour.rs") + &read("examples/sandbox.rs")));
    let page = read("EMBEDDING.md");
    let shown: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    assert!(shown.len() >= 5);
    for part in shown {
        let code = part.strip_prefix("rust\n").expect("it is Rust");
        assert!(
            examples.contains(&words(code)),
            "not in the examples:\n{code}"
        );
    }
}
