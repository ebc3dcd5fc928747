//! The files of the templates, from the folder `templates`. A template has the files of the folders
//! that it builds on, and its own.
//!
//! A file may have parts that not all of its readers have, between marks in comments:
//!
//! ```text
//! // IN objects
//! let mut params = before.to_vec();
//! // ELSE let mut params = Vec::new();
//! // OUT
//! ```
//!
//! The tutorial reads the files as they are, with everything that is between marks; `book` is for
//! it alone. Marks nest.

use std::collections::BTreeMap;

/// A template for a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Template {
    /// Integer variables, `while`, `if` and `print`; bytecode with registers.
    Minimal,
    /// Values of dynamic types, functions, and closures.
    Dynamic,
    /// The same, and classes: fields by shapes, methods by promotion of shapes.
    Objects,
}

/// Files of a folder with their texts.
type Files = &'static [(&'static str, &'static str)];

macro_rules! files {
    ($folder:literal: $($file:literal,)*) => {
        &[$(($file, include_str!(concat!("../../templates/", $folder, "/", $file))),)*]
    };
}

const COMMON: Files = files! { "common":
    "Cargo.toml.in",
    "benches/ratio.rs",
    "build.rs",
    "gitignore",
    "src/main.rs",
    "src/output.rs",
    "tests/common/mod.rs",
    "tests/fuzz/main.rs",
};

const MINIMAL: Files = files! { "minimal":
    "README.md",
    "programs/primes.mylang",
    "programs/sum.mylang",
    "src/compiler.rs",
    "src/interpreter.rs",
    "src/lexer.rs",
    "src/lib.rs",
    "src/opcode.rs",
    "src/parser.rs",
    "tests/compiled.rs",
    "tests/fuzz/program.rs",
    "tests/programs.rs",
};

const DYNAMIC: Files = files! { "dynamic":
    "README.md",
    "programs/closures.mylang",
    "programs/fib.mylang",
    "programs/mandelbrot.mylang",
    "src/arith.rs",
    "src/ast.rs",
    "src/compiler.rs",
    "src/fault.rs",
    "src/interpreter.rs",
    "src/lexer.rs",
    "src/lib.rs",
    "src/load.rs",
    "src/opcode.rs",
    "src/parser.rs",
    "src/value.rs",
    "tests/compiled.rs",
    "tests/fuzz/program.rs",
    "tests/programs.rs",
};

const OBJECTS: Files = files! { "objects":
    "README.md",
    "programs/receivers.mylang",
    "programs/vectors.mylang",
    "src/object.rs",
    "tests/objects.rs",
};

impl Template {
    /// Its files, by their paths.
    pub fn files(self) -> BTreeMap<&'static str, String> {
        let (folders, parts): (&[Files], &[&str]) = match self {
            Template::Minimal => (&[COMMON, MINIMAL], &[]),
            Template::Dynamic => (&[COMMON, DYNAMIC], &[]),
            Template::Objects => (&[COMMON, DYNAMIC, OBJECTS], &["objects"]),
        };
        let files = folders.iter().copied().flatten();
        files
            .map(|&(path, text)| (path, with(text, parts)))
            .collect()
    }

    /// One of its programs.
    pub fn program(self) -> &'static str {
        match self {
            Template::Minimal => "sum",
            Template::Dynamic => "fib",
            Template::Objects => "vectors",
        }
    }
}

/// A text with these parts, without marks.
fn with(text: &str, parts: &[&str]) -> String {
    let mut out = String::new();
    // For each part around a line whether it is among `parts`.
    let mut inside = Vec::new();
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        if let Some(part) = code.strip_prefix("// IN ") {
            inside.push(parts.contains(&part.trim_end()));
        } else if code.trim_end() == "// OUT" {
            inside.pop();
        } else if let Some(other) = code.strip_prefix("// ELSE ") {
            if let Some((false, around)) = inside.split_last()
                && !around.contains(&false)
            {
                out += &line[..line.len() - code.len()];
                out += other;
            }
        } else if !code.starts_with("// ANCHOR") && !inside.contains(&false) {
            out += line;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn below(folder: &Path, path: &str, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder.join(path)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = format!("{path}{}", entry.file_name().display());
            match entry.path().is_dir() {
                true => below(folder, &format!("{name}/"), found),
                false => found.push(name),
            }
        }
    }

    #[test]
    fn parts_are_left_out() {
        let text =
            "a\n // IN x\nb\n// IN y\nc\n// ELSE d\n// OUT\n // ELSE e\n// OUT\n// ANCHOR: f\n";
        assert_eq!(with(text, &["x", "y"]), "a\nb\nc\n");
        assert_eq!(with(text, &["x"]), "a\nb\nd\n");
        assert_eq!(with(text, &["y"]), "a\n e\n");
    }

    #[test]
    fn no_mark_is_left() {
        for template in [Template::Dynamic, Template::Objects] {
            for (path, text) in template.files() {
                let left = ["// IN ", "// ELSE ", "// OUT"].map(|mark| text.contains(mark));
                assert_eq!(left, [false; 3], "{path}");
            }
        }
    }

    #[test]
    fn no_file_is_forgotten() {
        let folders = [
            ("common", COMMON),
            ("minimal", MINIMAL),
            ("dynamic", DYNAMIC),
            ("objects", OBJECTS),
        ];
        for (name, files) in folders {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
            let mut found = Vec::new();
            below(&folder.join(name), "", &mut found);
            found.sort();
            let listed: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
            assert_eq!(listed, found, "{name}");
        }
    }
}
