//! Other systems. In: the sources in `peers/`, and what is installed. Out: commands that run a
//! benchmark and time it themselves (processor time), so that their start-up is not measured.
//! Invariant: a system that is not installed, or does not compile its source, is left out with a
//! word on standard error; it never fails the benchmark.

pub mod rust;

use crate::measure::child::{self, Finished};
use crate::measure::document::first_line;
use crate::measure::interleave::{Contestant, Run, single};
use crate::measure::record::Record;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A system that runs the benchmarks in another process.
pub struct Peer {
    /// Its name in the records.
    pub system: &'static str,
    program: Vec<String>,
    /// The largest argument that it is run with: interpreters would take minutes for more.
    largest: i64,
}

/// The peers that are installed, and the folder in which their programs are.
pub struct Peers {
    /// The peers.
    pub list: Vec<Peer>,
    _folder: TempDir,
}

/// What the peers are made of: name, source, its file name, the command that compiles it, the
/// command that runs it.
struct Recipe {
    system: &'static str,
    source: &'static str,
    file: &'static str,
    compile: &'static [&'static [&'static str]],
    run: &'static [&'static [&'static str]],
    /// The command that prints its version.
    version: &'static [&'static str],
    largest: i64,
    /// A benchmark, an argument, and the result that shows that it works.
    check: (&'static str, i64, i64),
}

const FACTORIAL: (&str, i64, i64) = ("factorial", 5, 120);

/// The programs of TLA in C. Their loops need words to the compiler, so they have a file of their
/// own.
const TLA: Recipe = Recipe {
    system: "c",
    source: include_str!("../../peers/tla.c"),
    file: "tla.c",
    compile: &[
        &["gcc", "-O2", "-o", "tla-c", "tla.c"],
        &["cc", "-O2", "-o", "tla-c", "tla.c"],
    ],
    run: &[&["./tla-c"]],
    version: &["cc", "--version"],
    largest: i64::MAX,
    check: ("fib", 10, 55),
};

/// The nodes and trees of the suite `heap`. All collectors are those that do not work beside the
/// program.
const HEAP: &[Recipe] = &[
    Recipe {
        system: "luajit",
        source: include_str!("../../peers/heap.lua"),
        file: "heap.lua",
        compile: &[],
        run: &[&["luajit", "heap.lua"]],
        version: &["luajit", "-v"],
        largest: i64::MAX,
        check: TREE,
    },
    Recipe {
        system: "java",
        source: include_str!("../../peers/Heap.java"),
        file: "Heap.java",
        compile: &[&["javac", "Heap.java"]],
        run: &[&["java", "-XX:+UseSerialGC", "-Xmx4g", "-cp", ".", "Heap"]],
        version: &["java", "--version"],
        largest: i64::MAX,
        check: TREE,
    },
    Recipe {
        system: "node",
        source: include_str!("../../peers/heap.js"),
        file: "heap.js",
        compile: &[],
        run: &[&[
            "node",
            "--expose-gc",
            "--single-threaded-gc",
            "--max-old-space-size=4000",
            "heap.js",
        ]],
        version: &["node", "--version"],
        largest: i64::MAX,
        check: TREE,
    },
];

const TREE: (&str, i64, i64) = ("trees", 3, 15);

const RECIPES: &[Recipe] = &[
    Recipe {
        system: "c",
        source: include_str!("../../peers/peer.c"),
        file: "peer.c",
        compile: &[
            &["gcc", "-O2", "-o", "peer-c", "peer.c"],
            &["cc", "-O2", "-o", "peer-c", "peer.c"],
        ],
        run: &[&["./peer-c"]],
        version: &["cc", "--version"],
        largest: i64::MAX,
        check: FACTORIAL,
    },
    Recipe {
        system: "csharp",
        source: include_str!("../../peers/peer.cs"),
        file: "peer.cs",
        compile: &[
            &["mcs", "-optimize+", "-out:peer.exe", "peer.cs"],
            &["csc", "-optimize+", "-out:peer.exe", "peer.cs"],
        ],
        run: &[&["mono", "peer.exe"]],
        version: &["mono", "--version"],
        largest: i64::MAX,
        check: FACTORIAL,
    },
    Recipe {
        system: "java",
        source: include_str!("../../peers/Peer.java"),
        file: "Peer.java",
        compile: &[&["javac", "Peer.java"]],
        run: &[&["java", "-cp", ".", "Peer"]],
        version: &["java", "--version"],
        largest: i64::MAX,
        check: FACTORIAL,
    },
    Recipe {
        system: "luajit",
        source: include_str!("../../peers/peer.lua"),
        file: "peer.lua",
        compile: &[],
        run: &[&["luajit", "peer.lua"]],
        version: &["luajit", "-v"],
        largest: i64::MAX,
        check: FACTORIAL,
    },
    Recipe {
        system: "pypy",
        source: include_str!("../../peers/peer.py"),
        file: "peer.py",
        compile: &[],
        run: &[&["pypy3", "peer.py"], &["pypy", "peer.py"]],
        version: &["pypy3", "--version"],
        largest: i64::MAX,
        check: FACTORIAL,
    },
    Recipe {
        system: "node",
        source: include_str!("../../peers/peer.js"),
        file: "peer.js",
        compile: &[],
        run: &[&["node", "peer.js"], &["nodejs", "peer.js"]],
        version: &["node", "--version"],
        largest: i64::MAX,
        check: FACTORIAL,
    },
    Recipe {
        system: "lua",
        source: include_str!("../../peers/peer.lua"),
        file: "peer.lua",
        compile: &[],
        run: &[&["lua5.4", "peer.lua"], &["lua", "peer.lua"]],
        version: &["lua5.4", "-v"],
        largest: 10_000_000,
        check: FACTORIAL,
    },
];

impl Peers {
    /// The systems that run the benchmarks of the 2009 paper: compiles what has to be, and tries
    /// what is there.
    ///
    /// # Errors
    /// If there is no place for temporary files.
    pub fn find() -> Result<Peers, String> {
        Peers::of(RECIPES.iter())
    }

    /// Those that run the programs of TLA.
    ///
    /// # Errors
    /// As [`Peers::find`].
    pub fn for_tla() -> Result<Peers, String> {
        let others = RECIPES.iter().filter(|recipe| recipe.system != TLA.system);
        Peers::of([&TLA].into_iter().chain(others))
    }

    /// Those that run what the suite `heap` measures.
    ///
    /// # Errors
    /// As [`Peers::find`].
    pub fn for_heap() -> Result<Peers, String> {
        Peers::of(HEAP.iter())
    }

    /// Those that run a benchmark with this argument.
    pub fn contestants<'a>(&'a self, benchmark: &'a str, n: i64) -> Vec<Contestant<'a>> {
        let able = self.list.iter().filter(|peer| n <= peer.largest);
        able.map(|peer| single(peer.system, move || peer.run(benchmark, n)))
            .collect()
    }

    fn of(recipes: impl Iterator<Item = &'static Recipe>) -> Result<Peers, String> {
        let folder =
            TempDir::new().map_err(|error| format!("no folder for temporary files: {error}"))?;
        let prepare = |recipe| prepare(recipe, folder.path());
        let list = recipes.filter_map(prepare).collect();
        Ok(Peers {
            list,
            _folder: folder,
        })
    }
}

/// The versions of the systems that these records are of.
pub fn versions(records: &[Record]) -> BTreeMap<String, String> {
    let version = |recipe: &Recipe| {
        let measured = records.iter().any(|record| record.system == recipe.system);
        let (program, args) = recipe.version.split_first().filter(|_| measured)?;
        let version = first_line(program, args)?;
        // Without the name of its author.
        let version = version.split(" Copyright").next().unwrap_or(&version);
        let version = version.trim_end_matches([' ', '-']);
        Some((recipe.system.to_string(), version.to_string()))
    };
    RECIPES.iter().filter_map(version).collect()
}

fn prepare(recipe: &Recipe, folder: &Path) -> Option<Peer> {
    fs::write(folder.join(recipe.file), recipe.source).ok()?;
    let compiled = recipe.compile.is_empty()
        || recipe
            .compile
            .iter()
            .any(|command| succeeds(command, folder));
    if !compiled {
        eprintln!("bench: {} is left out: no compiler for it", recipe.system);
        return None;
    }
    let found = recipe.run.iter().find_map(|command| {
        let mut program: Vec<String> = command.iter().map(|word| word.to_string()).collect();
        for word in &mut program {
            if folder.join(&*word).exists() {
                *word = folder.join(&*word).display().to_string();
            }
        }
        let peer = Peer {
            system: recipe.system,
            program,
            largest: recipe.largest,
        };
        let (benchmark, n, result) = recipe.check;
        peer.run(benchmark, n)
            .is_ok_and(|run| run.result == Some(result.to_string()))
            .then_some(peer)
    });
    if found.is_none() {
        eprintln!("bench: {} is left out: not installed", recipe.system);
    }
    found
}

fn succeeds(command: &[&str], folder: &Path) -> bool {
    let mut process = Command::new(command[0]);
    process.args(&command[1..]).current_dir(folder);
    process
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    process.status().is_ok_and(|status| status.success())
}

impl Peer {
    /// Runs a benchmark.
    ///
    /// # Errors
    /// If the process fails, or does not print what it should.
    pub fn run(&self, benchmark: &str, n: i64) -> Result<Run, String> {
        let finished = self.finish(benchmark, n)?;
        let text = &finished.stdout;
        parse(text).ok_or_else(|| {
            let system = self.system;
            format!("{system}: {benchmark} {n}: unexpected output {text:?}")
        })
    }

    /// The whole life of a process that runs a benchmark, start-up included.
    ///
    /// # Errors
    /// If it fails.
    pub fn finish(&self, benchmark: &str, n: i64) -> Result<Finished, String> {
        let mut command = Command::new(&self.program[0]);
        command.args(&self.program[1..]);
        command.args([benchmark, &n.to_string()]);
        let finished = child::finish(&mut command);
        finished.map_err(|error| format!("{}: {error}", self.system))
    }
}

/// Seconds and the result, or `-` if the system cannot represent it.
fn parse(text: &str) -> Option<Run> {
    let (seconds, result) = text.trim().split_once(' ')?;
    Some(Run {
        seconds: seconds.parse().ok()?,
        result: match result {
            "-" => None,
            number => Some(number.parse::<i64>().ok()?.to_string()),
        },
        max_rss: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_that_are_installed_compute_the_right_results() {
        let peers = Peers::find().expect("there is a place for temporary files");
        for peer in &peers.list {
            for (benchmark, n) in [
                ("fibonacci", 50),
                ("accumulator", 1000),
                ("accumulator", -1000),
                ("factorial", 9),
            ] {
                let run = peer
                    .run(benchmark, n)
                    .unwrap_or_else(|error| panic!("{error}"));
                let expected = rust::run(benchmark, n).to_string();
                assert_eq!(run.result, Some(expected), "{}", peer.system);
            }
        }
    }

    #[test]
    fn output_that_is_none_is_refused() {
        let run = |result: Option<&str>| {
            Some(Run {
                seconds: 0.5,
                result: result.map(str::to_string),
                max_rss: None,
            })
        };
        assert_eq!(parse("0.5 7\n"), run(Some("7")));
        assert_eq!(parse("0.5 -\n"), run(None));
        assert_eq!(parse("7\n"), None);
        assert_eq!(parse("0.5 seven\n"), None);
    }
}
