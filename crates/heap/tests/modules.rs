//! Inside the crate a name is imported from the file that defines it, not from the crate's root:
//! so the imports show which files depend on which.

use std::path::Path;

fn check(folder: &Path, wrong: &mut Vec<String>) {
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            check(&path, wrong);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source");
        let lines = text.lines().filter(|line| !line.trim().starts_with("//"));
        for line in lines.filter(|line| !line.contains("$crate::")) {
            let mut named = line.split("crate::").skip(1);
            if named.any(|rest| rest.starts_with(|c: char| c.is_uppercase())) {
                wrong.push(format!("{}: {line}", path.display()));
            }
        }
    }
}

#[test]
fn names_come_from_the_files_that_define_them() {
    let mut wrong = Vec::new();
    check(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut wrong,
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
