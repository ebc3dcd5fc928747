//! The files of the templates. Shared files are there once; a template's own file of the same path
//! replaces a shared one. A test checks that no file is forgotten here.

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
    "src/ast.rs",
    "src/compiler.rs",
    "src/fault.rs",
    "src/interpreter.rs",
    "src/lib.rs",
    "src/load.rs",
    "src/object.rs",
    "src/opcode.rs",
    "src/parser.rs",
    "src/value.rs",
    "tests/fuzz/program.rs",
    "tests/objects.rs",
};

impl Template {
    /// Its files, by their paths.
    pub fn files(self) -> BTreeMap<&'static str, &'static str> {
        let folders: &[Files] = match self {
            Template::Minimal => &[COMMON, MINIMAL],
            Template::Dynamic => &[COMMON, DYNAMIC],
            Template::Objects => &[COMMON, DYNAMIC, OBJECTS],
        };
        folders.iter().copied().flatten().copied().collect()
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
