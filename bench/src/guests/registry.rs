//! The registry of the languages and examples: one entry of [`LANGUAGES`] for each.

use crate::guests::program::Program;
use crate::guests::{examples, languages};
use objmodel::machine::Stage;

/// A language, and which of its programs the suites pick.
pub struct Language {
    /// Its programs are `name/..`.
    pub name: &'static str,
    programs: fn() -> Result<Vec<Program>, String>,
    /// Programs for `warmup`, with an argument so small that one iteration gets nothing hot.
    warmup: &'static [(&'static str, i64)],
    /// Programs for `memory`, with their argument.
    memory: &'static [(&'static str, i64)],
    /// Programs for the curves of each compiler, with an argument for which the interpreter takes
    /// about half a millisecond, and one for quick runs. If there are any, `specialise` compares
    /// the compilers on all programs of the language.
    curves: &'static [(&'static str, [i64; 2])],
}

/// The defaults of an entry.
const NOTHING: Language = Language {
    name: "",
    programs: || Ok(Vec::new()),
    warmup: &[],
    memory: &[],
    curves: &[],
};

const LANGUAGES: [Language; 17] = [
    Language {
        name: "tlc",
        programs: languages::tlc,
        warmup: &[
            ("factorial", 200),
            ("objects", 200),
            ("mandelbrot", 8),
            ("sort_in_place", 20),
        ],
        memory: &[
            ("accumulator", 1_000_000),
            ("objects", 200_000),
            ("linked_queue", 200_000),
        ],
        curves: &[
            ("factorial", [10_000, 200]),
            ("mandelbrot", [20, 4]),
            ("sort_in_place", [120, 20]),
        ],
    },
    Language {
        name: "tla",
        programs: languages::tla,
        warmup: &[("fib", 10), ("callabit_tracing", 20), ("collatz", 20)],
        memory: &[("fib", 25)],
        curves: &[
            ("loopabit", [150, 20]),
            ("fib", [18, 8]),
            ("collatz", [800, 20]),
        ],
    },
    Language {
        name: "boxes",
        programs: languages::boxes,
        warmup: &[("integer", 200)],
        memory: &[("integer", 1_000_000)],
        ..NOTHING
    },
    Language {
        name: "objmodel-dict",
        programs: || languages::objmodel(Stage::Dict),
        warmup: &[("bank", 100)],
        ..NOTHING
    },
    Language {
        name: "objmodel-maps",
        programs: || languages::objmodel(Stage::Maps),
        ..NOTHING
    },
    Language {
        name: "objmodel-versions",
        programs: || languages::objmodel(Stage::Versions),
        warmup: &[("bank", 100), ("shapes", 100)],
        memory: &[("shapes", 50_000)],
        curves: &[
            ("bank", [1500, 100]),
            ("shapes", [2000, 100]),
            ("sieve", [2000, 50]),
        ],
    },
    Language {
        name: "counter",
        programs: examples::counter,
        ..NOTHING
    },
    Language {
        name: "values",
        programs: examples::values,
        ..NOTHING
    },
    Language {
        name: "calculator",
        programs: examples::calculator,
        ..NOTHING
    },
    Language {
        name: "stackvm",
        programs: examples::stackvm,
        memory: &[("lists", 500)],
        curves: &[
            ("sum", [15_000, 200]),
            ("fibonacci", [18, 8]),
            ("strings", [3000, 100]),
        ],
        ..NOTHING
    },
    Language {
        name: "calls",
        programs: examples::calls,
        ..NOTHING
    },
    Language {
        name: "collections",
        programs: examples::collections,
        warmup: &[("map-get", 200), ("map-new", 200)],
        memory: &[("map-new", 200_000)],
        ..NOTHING
    },
    Language {
        name: "globals",
        programs: examples::globals,
        warmup: &[("calls", 200)],
        ..NOTHING
    },
    Language {
        name: "nodes",
        programs: examples::nodes,
        ..NOTHING
    },
    Language {
        name: "frames",
        programs: examples::frames,
        warmup: &[("calls", 200)],
        ..NOTHING
    },
    Language {
        name: "activations",
        programs: examples::activations,
        ..NOTHING
    },
    Language {
        name: "lending",
        programs: examples::lending,
        warmup: &[("boxes", 200)],
        ..NOTHING
    },
];

/// All programs, language by language.
///
/// # Errors
/// If one cannot be read.
pub fn all() -> Result<Vec<Program>, String> {
    let languages: Result<Vec<Vec<Program>>, String> = LANGUAGES
        .iter()
        .map(|language| (language.programs)())
        .collect();
    Ok(languages?.into_iter().flatten().collect())
}

/// The program of this name, such as `tlc/factorial`.
///
/// # Errors
/// If there is none.
pub fn find(name: &str) -> Result<Program, String> {
    let unknown = || format!("there is no program `{name}`");
    let (prefix, _) = name.split_once('/').ok_or_else(unknown)?;
    let language = LANGUAGES.iter().find(|language| language.name == prefix);
    let language = language.ok_or_else(unknown)?;
    let mut programs = (language.programs)()?.into_iter();
    programs
        .find(|program| program.name == name)
        .ok_or_else(unknown)
}

/// A program's name, and the sizes that a suite runs it with.
pub type Picked<T> = (String, T);

fn picked<T: Copy>(list: fn(&Language) -> &'static [(&'static str, T)]) -> Vec<Picked<T>> {
    let of = |language: &Language| {
        let name = language.name;
        let full = move |&(program, size): &(&str, T)| (format!("{name}/{program}"), size);
        list(language).iter().map(full).collect::<Vec<_>>()
    };
    LANGUAGES.iter().flat_map(of).collect()
}

/// The programs of the suite `warmup`.
pub fn warmup() -> Vec<Picked<i64>> {
    picked(|language| language.warmup)
}

/// The programs of the suite `memory`.
pub fn memory() -> Vec<Picked<i64>> {
    picked(|language| language.memory)
}

/// The programs for curves, with their usual and their quick sizes.
pub fn curves() -> Vec<Picked<[i64; 2]>> {
    picked(|language| language.curves)
}

/// The languages on whose programs the compilers are compared.
pub fn compared() -> impl Iterator<Item = &'static str> {
    let compared = LANGUAGES
        .iter()
        .filter(|language| !language.curves.is_empty());
    compared.map(|language| language.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_their_names() {
        assert_eq!(find("boxes/float").map(|p| p.args), Ok(vec![20_000]));
        for name in ["boxes/double", "boxes", "cobol/hello"] {
            let error = find(name).err().expect("there is none");
            assert_eq!(error, format!("there is no program `{name}`"));
        }
    }

    #[test]
    fn programs_that_suites_pick_exist() {
        for (name, _) in [warmup(), memory()].concat() {
            assert!(find(&name).is_ok(), "{name}");
        }
        for (name, [usual, quick]) in curves() {
            assert!(find(&name).is_ok() && 0 < quick && quick < usual, "{name}");
        }
    }

    #[test]
    fn every_example_gets_hot() {
        let languages = LANGUAGES.iter();
        for example in languages.skip_while(|language| language.name != "counter") {
            let programs = (example.programs)().expect("its programs are there");
            assert!(!programs.is_empty(), "{}", example.name);
            for program in programs {
                let stats = program.stats("threshold=20").expect("there is a VM");
                assert!(stats.traces > 0, "{}: {stats:?}", program.name);
            }
        }
    }
}
