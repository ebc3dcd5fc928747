//! Other systems. In: the sources in `peers/`, and what is installed. Out: commands that run a benchmark and time it
//! themselves (processor time), so that their start-up is not measured. Invariant: a system that is not installed, or does not
//! compile its source, is left out with a word on standard error; it never fails the benchmark.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A system that runs the benchmarks in another process.
pub struct Peer {
    /// Its name in the records.
    pub system: &'static str,
    program: Vec<String>,
}

/// The peers that are installed, and the folder in which their programs are.
pub struct Peers {
    /// The peers.
    pub list: Vec<Peer>,
    _folder: TempDir,
}

/// What the peers are made of: name, source, its file name, the command that compiles it, the command that runs it.
struct Recipe {
    system: &'static str,
    source: &'static str,
    file: &'static str,
    compile: &'static [&'static [&'static str]],
    run: &'static [&'static [&'static str]],
    /// A benchmark, an argument, and the result that shows that it works.
    check: (&'static str, i64, i64),
}

const FACTORIAL: (&str, i64, i64) = ("factorial", 5, 120);

/// The programs of TLA in C.
const TLA: &[Recipe] = &[Recipe {
    system: "c",
    source: include_str!("../peers/tla.c"),
    file: "tla.c",
    compile: &[
        &["gcc", "-O2", "-o", "tla-c", "tla.c"],
        &["cc", "-O2", "-o", "tla-c", "tla.c"],
    ],
    run: &[&["./tla-c"]],
    check: ("fib", 10, 55),
}];

const RECIPES: &[Recipe] = &[
    Recipe {
        system: "c",
        source: include_str!("../peers/peer.c"),
        file: "peer.c",
        compile: &[
            &["gcc", "-O2", "-o", "peer-c", "peer.c"],
            &["cc", "-O2", "-o", "peer-c", "peer.c"],
        ],
        run: &[&["./peer-c"]],
        check: FACTORIAL,
    },
    Recipe {
        system: "csharp",
        source: include_str!("../peers/peer.cs"),
        file: "peer.cs",
        compile: &[
            &["mcs", "-optimize+", "-out:peer.exe", "peer.cs"],
            &["csc", "-optimize+", "-out:peer.exe", "peer.cs"],
        ],
        run: &[&["mono", "peer.exe"]],
        check: FACTORIAL,
    },
    Recipe {
        system: "luajit",
        source: include_str!("../peers/peer.lua"),
        file: "peer.lua",
        compile: &[],
        run: &[&["luajit", "peer.lua"]],
        check: FACTORIAL,
    },
    Recipe {
        system: "pypy",
        source: include_str!("../peers/peer.py"),
        file: "peer.py",
        compile: &[],
        run: &[&["pypy3", "peer.py"], &["pypy", "peer.py"]],
        check: FACTORIAL,
    },
    Recipe {
        system: "node",
        source: include_str!("../peers/peer.js"),
        file: "peer.js",
        compile: &[],
        run: &[&["node", "peer.js"], &["nodejs", "peer.js"]],
        check: FACTORIAL,
    },
];

impl Peers {
    /// The systems that run the benchmarks of the 2009 paper: compiles what has to be, and tries what is there.
    ///
    /// # Errors
    /// If there is no place for temporary files.
    pub fn find() -> Result<Peers, String> {
        Peers::of(RECIPES)
    }

    /// Those that run the programs of TLA.
    ///
    /// # Errors
    /// As [`Peers::find`].
    pub fn for_tla() -> Result<Peers, String> {
        Peers::of(TLA)
    }

    fn of(recipes: &'static [Recipe]) -> Result<Peers, String> {
        let folder =
            TempDir::new().map_err(|error| format!("no folder for temporary files: {error}"))?;
        let prepare = |recipe| prepare(recipe, folder.path());
        let list = recipes.iter().filter_map(prepare).collect();
        Ok(Peers {
            list,
            _folder: folder,
        })
    }
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
        };
        let (benchmark, n, result) = recipe.check;
        peer.run(benchmark, n)
            .is_ok_and(|run| run.result == Some(result))
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

/// One run of a benchmark.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Run {
    /// How much processor time it took.
    pub seconds: f64,
    /// What came out, if the system can represent it.
    pub result: Option<i64>,
}

impl Peer {
    /// Runs a benchmark.
    ///
    /// # Errors
    /// If the process fails, or does not print what it should.
    pub fn run(&self, benchmark: &str, n: i64) -> Result<Run, String> {
        let mut process = Command::new(&self.program[0]);
        process
            .args(&self.program[1..])
            .args([benchmark, &n.to_string()]);
        process.stdin(Stdio::null()).stderr(Stdio::null());
        let output = process
            .output()
            .map_err(|error| format!("{}: {error}", self.system))?;
        let text = String::from_utf8_lossy(&output.stdout);
        parse(&text).ok_or_else(|| {
            format!(
                "{}: {benchmark} {n}: unexpected output {text:?}",
                self.system
            )
        })
    }
}

fn parse(text: &str) -> Option<Run> {
    let (seconds, result) = text.trim().split_once(' ')?;
    Some(Run {
        seconds: seconds.parse().ok()?,
        result: match result {
            "-" => None,
            number => Some(number.parse().ok()?),
        },
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
                assert_eq!(
                    run.result,
                    Some(crate::rust_peer::run(benchmark, n)),
                    "{}",
                    peer.system
                );
            }
        }
    }

    #[test]
    fn output_that_is_none_is_refused() {
        assert_eq!(
            parse("0.5 7\n"),
            Some(Run {
                seconds: 0.5,
                result: Some(7)
            })
        );
        assert_eq!(
            parse("0.5 -\n"),
            Some(Run {
                seconds: 0.5,
                result: None
            })
        );
        assert_eq!(parse("7\n"), None);
    }
}
