//! Circles of imports: files of one package that need each other. None of them can be read, or
//! changed, without all the others.

use crate::modules::{Import, Modules};
use crate::repository::root;
use std::collections::{BTreeMap, BTreeSet};

/// The imports between the files of a package, given by its folder (`crates/opt/`).
pub fn imports(package: &str) -> Vec<Import> {
    let roots = ["src/lib.rs", "src/main.rs"].map(|file| format!("{package}{file}"));
    let roots = roots.iter().filter(|file| root().join(file).exists());
    roots
        .flat_map(|file| Modules::read(file).imports())
        .collect()
}

/// The circles among imports: the strongly connected files, if there is more than one. The largest
/// circle comes first, and files are sorted. (Tarjan 1972.)
pub fn circles(imports: &[Import]) -> Vec<Vec<String>> {
    let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for import in imports {
        graph.entry(&import.from).or_default().insert(&import.to);
        graph.entry(&import.to).or_default();
    }
    let mut search = Search {
        graph: &graph,
        numbers: BTreeMap::new(),
        stack: Vec::new(),
        circles: Vec::new(),
    };
    for file in graph.keys() {
        if !search.numbers.contains_key(file) {
            search.visit(file);
        }
    }
    let mut circles = search.circles;
    circles.sort_by_key(|circle| (std::cmp::Reverse(circle.len()), circle.clone()));
    circles
}

/// The folder that all files of a circle lie in, directly or below.
pub fn folder_of(circle: &[String]) -> &str {
    let first = circle.first().map_or("", String::as_str);
    let slashes = first.match_indices('/').map(|(at, _)| at + 1).rev();
    let folders = slashes.map(|end| &first[..end]);
    let mut shared = folders.filter(|folder| circle.iter().all(|file| file.starts_with(folder)));
    shared.next().unwrap_or("")
}

struct Search<'a> {
    graph: &'a BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The number of each file that has been reached: later ones have higher numbers.
    numbers: BTreeMap<&'a str, usize>,
    /// The files whose circle is not complete.
    stack: Vec<&'a str>,
    circles: Vec<Vec<String>>,
}

impl<'a> Search<'a> {
    /// Visits what a file leads to. Returns the lowest number on the stack that it leads back to.
    fn visit(&mut self, file: &'a str) -> usize {
        let number = self.numbers.len();
        self.numbers.insert(file, number);
        self.stack.push(file);
        let mut lowest = number;
        for &next in &self.graph[file] {
            if !self.numbers.contains_key(next) {
                lowest = lowest.min(self.visit(next));
            } else if self.stack.contains(&next) {
                lowest = lowest.min(self.numbers[next]);
            }
        }
        if lowest == number {
            let start = self.stack.iter().position(|f| *f == file);
            let circle = self.stack.split_off(start.unwrap_or_default());
            if circle.len() > 1 {
                let mut circle: Vec<String> = circle.into_iter().map(str::to_string).collect();
                circle.sort();
                self.circles.push(circle);
            }
        }
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arrows: &[(&str, &str)]) -> Vec<Vec<String>> {
        let imports = arrows.iter().map(|(from, to)| Import {
            from: from.to_string(),
            to: to.to_string(),
            path: String::new(),
        });
        circles(&imports.collect::<Vec<_>>())
    }

    #[test]
    fn circles_are_found() {
        assert!(of(&[("a", "b"), ("b", "c"), ("a", "c")]).is_empty());
        assert_eq!(of(&[("a", "b"), ("b", "a"), ("c", "a")]), [["a", "b"]]);
        let two = of(&[
            ("a", "b"),
            ("b", "c"),
            ("c", "a"),
            ("c", "d"),
            ("d", "e"),
            ("e", "d"),
        ]);
        assert_eq!(two, [vec!["a", "b", "c"], vec!["d", "e"]]);
    }

    #[test]
    fn a_circle_has_a_folder() {
        let circle = |files: &[&str]| files.iter().map(|f| f.to_string()).collect::<Vec<_>>();
        assert_eq!(folder_of(&circle(&["s/a/x.rs", "s/a/y/z.rs"])), "s/a/");
        assert_eq!(folder_of(&circle(&["s/a/x.rs", "s/b/x.rs"])), "s/");
    }
}
