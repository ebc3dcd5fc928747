//! Collections. In: trees, and nodes that die. Out: how long it takes to collect everything with
//! 500 MB that live, and the young generation with 64 MB that live, many roots and weak references;
//! and what it takes to collect ten times as much garbage as lives. Invariant: where the other
//! systems collect a tree too, it has as many nodes.

use super::stores::CHAINS;
use crate::measure::clock::cpu_seconds;
use crate::measure::interleave::{Contestant, Run, least, race, single};
use crate::measure::record::Record;
use crate::measure::text::{align, row};
use crate::peers::Peers;
use nodes::Node;
use verdigris::{Cell, CollectScope, Gc, Options, Root, RootVec, Vm, Weak, collect_garbage};

/// The tree that lives while everything is collected: 2 to the power of 24 nodes of 32 bytes.
const LARGE: u32 = 23;
/// The tree that lives while the young generation is: 64 MB.
const MEDIUM: u32 = 20;
/// The tree and the nodes that live while garbage is made: 17 MB and 3 MB, and an array of 1 MB.
const SMALL: u32 = 18;
const SMALL_NODES: usize = 1 << 17;
/// How many times as many bytes of garbage there are.
const TIMES: i64 = 10;
/// Bytes of a node of a tree, and of a chain.
const TREE_NODE: i64 = 32;
const NODE: i64 = 24;
/// Objects in roots, and weak references to objects.
const ROOTS: usize = 50_000;
const WEAK: usize = 10_000;
/// Nodes that are made between two collections of the young generation: 3.6 MB, so that none
/// happens before.
const YOUNG: i64 = 150_000;
/// How many are measured.
const COLLECTIONS: usize = 50;

/// Measures and prints the table.
pub(super) fn run(
    runs: u32,
    jit: &Options,
    peers: &Peers,
    quick: bool,
) -> Result<Vec<Record>, String> {
    let smaller = if quick { 12 } else { 0 };
    let runs = runs.min(3);
    let large = LARGE - smaller;
    let mut contestants: Vec<Contestant> = vec![single("jit-warm", || everything(large, jit))];
    contestants.extend(peers.contestants("trees", i64::from(large)));
    let mut records = race("heap", "trees", i64::from(large), runs, contestants)?;
    let depth = MEDIUM - smaller;
    for (name, every) in [("young, none lives", 0), ("young, a tenth lives", 10)] {
        let contestant: Contestant = Box::new(|| {
            let [median, longest] = young(depth, every, jit)?;
            Ok(vec![("median", median), ("longest", longest)])
        });
        records.extend(race(
            "heap",
            name,
            i64::from(depth),
            runs,
            vec![contestant],
        )?);
    }
    let small = SMALL - smaller;
    let nodes = SMALL_NODES >> smaller;
    let contestant = single("jit-warm", || garbage(small, nodes, jit));
    let n = i64::from(small);
    records.extend(race("heap", "garbage", n, runs, vec![contestant])?);
    print(&records, large, live(small, nodes));
    Ok(records)
}

fn print(records: &[Record], large: u32, live: i64) {
    let mut rows = vec![row(["collection", "system", "ms"])];
    for record in records {
        rows.push(vec![
            record.benchmark.clone(),
            record.system.clone(),
            format!("{:.2}", record.min * 1e3),
        ]);
    }
    println!("{}", align(&rows));
    let of = |name: &str| {
        let of: Vec<Record> = records
            .iter()
            .filter(|r| r.benchmark == name)
            .cloned()
            .collect();
        least(&of, "jit-warm").unwrap_or(f64::NAN)
    };
    let count = (1i64 << (large + 1)) - 1;
    println!(
        "trees: everything is collected, {} MB of {count} nodes live: {:.1} ns for each",
        (count * TREE_NODE) / 1_000_000,
        of("trees") * 1e9 / count as f64,
    );
    println!(
        "young: {YOUNG} nodes since the last collection; {ROOTS} roots and {WEAK} weak references, {COLLECTIONS} collections"
    );
    println!(
        "garbage: what it takes to collect {} MB of it while {} MB live: {:.1} % of a second",
        TIMES * live / 1_000_000,
        live / 1_000_000,
        of("garbage") * 100.0,
    );
}

/// A VM.
fn vm(jit: &Options) -> Result<Vm, String> {
    Vm::new(nodes::program(), jit.clone()).map_err(|error| error.to_string())
}

fn run_of(seconds: f64) -> Run {
    Run {
        seconds,
        result: None,
        max_rss: None,
    }
}

/// Collects everything once with a large tree.
fn everything(depth: u32, jit: &Options) -> Result<Run, String> {
    let vm = vm(jit)?;
    vm.enter(|| {
        let tree = nodes::tree(depth);
        collect_garbage(CollectScope::All);
        let begin = cpu_seconds();
        collect_garbage(CollectScope::All);
        let seconds = cpu_seconds() - begin;
        Ok(Run {
            result: Some(tree.value.to_string()),
            ..run_of(seconds)
        })
    })
}

/// Collects the young generation again and again, of which each `every`-th node lives until the
/// next collection but one; the median and the longest.
fn young(depth: u32, every: i64, jit: &Options) -> Result<[Run; 2], String> {
    let vm = vm(jit)?;
    vm.enter(|| {
        let tree = nodes::tree(depth);
        let node = |value| {
            Gc::new(Node {
                value: Cell::new(value),
                next: Cell::new(None),
            })
        };
        let roots: Vec<Root<Gc<Node>>> = (0..ROOTS as i64).map(|n| Root::new(node(n))).collect();
        let weak: Vec<Weak<Gc<Node>>> = roots
            .iter()
            .take(WEAK)
            .map(|r| Weak::new(r.get()))
            .collect();
        let mut seconds = Vec::new();
        let mut kept = [RootVec::new(), RootVec::new()];
        collect_garbage(CollectScope::All);
        for _ in 0..COLLECTIONS {
            kept.swap(0, 1);
            kept[0].clear();
            for n in 0..YOUNG {
                let node = node(n);
                if every > 0 && n % every == 0 {
                    kept[0].push(node);
                }
            }
            let begin = cpu_seconds();
            collect_garbage(CollectScope::Young);
            seconds.push(cpu_seconds() - begin);
        }
        if weak.iter().any(|weak| weak.get().is_none()) || tree.left.is_none() {
            return Err("something that lives was freed".to_string());
        }
        seconds.sort_by(f64::total_cmp);
        let [median, longest] = [seconds.len() / 2, seconds.len() - 1].map(|n| run_of(seconds[n]));
        Ok([median, longest])
    })
}

/// Bytes of a tree and nodes, with the array of the nodes.
fn live(depth: u32, nodes: usize) -> i64 {
    (1 << (depth + 1)) * TREE_NODE + nodes as i64 * (NODE + 8)
}

/// What the collections take while compiled code makes ten times as much garbage as lives.
fn garbage(depth: u32, nodes: usize, jit: &Options) -> Result<Run, String> {
    let vm = vm(jit)?;
    let turns = TIMES * live(depth, nodes) / NODE;
    vm.enter(|| {
        let tree = nodes::tree(depth);
        let world = nodes::world(CHAINS, nodes, 0);
        collect_garbage(CollectScope::All);
        nodes::run(world, turns / 10);
        let before = vm.stats().heap.seconds;
        nodes::run(world, turns);
        let seconds = vm.stats().heap.seconds - before;
        match tree.left {
            Some(_) => Ok(run_of(seconds)),
            None => Err("the tree is gone".to_string()),
        }
    })
}
