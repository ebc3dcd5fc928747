//! The use of the heap by compiled code. In: programs of the machine with nodes. Out: nanoseconds
//! for each turn of a loop that makes a node of 24 bytes, links two nodes that are old, or stores a
//! number in one; the loop itself is in all of them. `make between` makes nodes in holes between
//! nodes that live, at a given distance. Invariant: our times are those of a second run in a
//! VM, in which nothing is compiled any more.

use crate::measure::interleave::{Contestant, Race, Run, least, rounds, single, timed};
use crate::measure::record::Record;
use crate::measure::text::{align, row};
use crate::peers::Peers;
use nodes::{COUNT, DROP, LINK, LOOP, MAKE, STOP};
use verdigris::{CollectScope, Options, Vm, collect_garbage};

/// Turns of a loop.
const TURNS: i64 = 20_000_000;

/// The interpreter makes so much fewer.
const FEWER: i64 = 10;

/// A loop: its name, what the others call it, its program, how many nodes there are before, and how
/// many garbage nodes were in front of each.
struct Loop {
    name: &'static str,
    peers: Option<&'static str>,
    code: &'static [u8],
    nodes: usize,
    apart: usize,
}

/// Makes chains of 64 nodes.
pub(super) const CHAINS: &[u8] = &[MAKE, 0, DROP, 6, LOOP, 0, STOP, 0];

const LOOPS: [Loop; 5] = [
    Loop {
        name: "make",
        peers: Some("make"),
        code: CHAINS,
        nodes: 1024,
        apart: 0,
    },
    Loop {
        name: "make between, 64 apart",
        peers: None,
        code: CHAINS,
        nodes: 1 << 16,
        apart: 63,
    },
    Loop {
        name: "make between, 16 apart",
        peers: None,
        code: CHAINS,
        nodes: 1 << 18,
        apart: 15,
    },
    Loop {
        name: "link",
        peers: Some("link"),
        code: &[LINK, 7, LOOP, 0, STOP, 0],
        nodes: 1024,
        apart: 0,
    },
    Loop {
        name: "count",
        peers: Some("count"),
        code: &[COUNT, 0, LOOP, 0, STOP, 0],
        nodes: 1024,
        apart: 0,
    },
];

/// The columns.
const SYSTEMS: [&str; 5] = ["interp", "jit-warm", "luajit", "java", "node"];

/// Measures and prints the table.
pub(super) fn run(
    runs: u32,
    jit: &Options,
    peers: &Peers,
    quick: bool,
) -> Result<Vec<Record>, String> {
    let turns = if quick { TURNS / 1000 } else { TURNS };
    let race = |this: &'static Loop| {
        let mut contestants: Vec<Contestant> = vec![
            single("interp", move || {
                let off = Options::parse("off").map_err(|error| error.to_string())?;
                Ok(measured(this, turns / FEWER, off)?.scaled(FEWER as f64))
            }),
            single("jit-warm", move || measured(this, turns, jit.clone())),
        ];
        if let Some(name) = this.peers {
            contestants.extend(peers.contestants(name, turns));
        }
        Race::new(this.name, turns, contestants)
    };
    let records = rounds("heap", runs, LOOPS.iter().map(race).collect())?;
    let mut heading = row(["ns for each turn"]);
    heading.extend(SYSTEMS.map(str::to_string));
    let mut rows = vec![heading];
    for of in records.chunk_by(|a, b| a.benchmark == b.benchmark) {
        let mut cells = vec![of[0].benchmark.clone()];
        cells.extend(SYSTEMS.map(|system| {
            let nanoseconds = |seconds: f64| format!("{:.2}", seconds * 1e9 / turns as f64);
            least(of, system).map_or("-".to_string(), nanoseconds)
        }));
        rows.push(cells);
    }
    println!("{}", align(&rows));
    Ok(records)
}

/// The second run in a VM of its own. The others have another sum, of fewer nodes.
fn measured(this: &Loop, turns: i64, options: Options) -> Result<Run, String> {
    let vm = Vm::new(nodes::program(), options).map_err(|error| error.to_string())?;
    vm.enter(|| {
        let world = nodes::world(this.code, this.nodes, this.apart);
        nodes::run(world, turns / 10);
        collect_garbage(CollectScope::All);
        let run = timed(|| Ok(nodes::run(world, turns)))?;
        Ok(Run {
            result: None,
            ..run
        })
    })
}
