//! A machine that makes nodes and links them, to measure the heap with. In: a program, and nodes
//! that have been there before. Out: a number that depends on them. Invariant: a node has 24 bytes,
//! the least that an object with a number and a reference can have.

#![forbid(unsafe_code)]

use verdigris::prelude::*;

verdigris::include_jit!();

/// A node of a chain.
#[gc]
pub struct Node {
    pub value: Cell<i64>,
    pub next: Cell<Option<Gc<Node>>>,
}

/// A node of a tree, which no program makes.
#[gc]
pub struct Tree {
    pub value: i64,
    pub left: Option<Gc<Tree>>,
    pub right: Option<Gc<Tree>>,
}

/// A program with the nodes that it finds.
#[gc]
pub struct World {
    pub code: GcArray<u8>,
    /// As many as a power of two.
    pub nodes: GcArray<Gc<Node>>,
}

/// Makes a node with the number of the turn, in front of the chain.
pub const MAKE: u8 = 0;
/// Drops the chain in each turn whose number is divisible by 2 to the power of `n`.
pub const DROP: u8 = 1;
/// Links the node of this turn with the one that is `n` further.
pub const LINK: u8 = 2;
/// Stores the number of the turn in its node.
pub const COUNT: u8 = 3;
/// Goes back to the start unless all turns are done.
pub const LOOP: u8 = 4;
/// Returns.
pub const STOP: u8 = 5;

/// A number that depends on the chain, on the first nodes that were there before, and on what they
/// are linked with.
#[opaque]
fn sum(world: Gc<World>, chain: Option<Gc<Node>>) -> i64 {
    let mut sum = 0i64;
    let mut add = |value: i64| sum = sum.wrapping_mul(31).wrapping_add(value);
    let mut rest = chain;
    while let Some(node) = rest {
        add(node.value.get());
        rest = node.next.get();
    }
    for n in 0..world.nodes.len().min(1024) {
        let node = world.nodes[n];
        add(node.value.get());
        add(node.next.get().map_or(-1, |next| next.value.get()));
    }
    sum
}

/// Where a place is, for people.
fn location(pc: usize, _world: Gc<World>) -> Location {
    Location::new().offset(pc)
}

/// Runs a program for some turns.
#[portal(location = location)]
pub fn run(world: Gc<World>, turns: i64) -> i64 {
    let mut pc: usize = 0;
    let mut chain: Option<Gc<Node>> = None;
    let mut left = turns;
    loop {
        merge_point!(greens = [pc, world], reds = [chain, left]);
        let op = world.code[pc];
        let n = world.code[pc + 1];
        pc += 2;
        match op {
            MAKE => {
                chain = Some(Gc::new(Node {
                    value: Cell::new(left),
                    next: Cell::new(chain),
                }));
            }
            DROP => {
                if left & ((1 << n) - 1) == 0 {
                    chain = None;
                }
            }
            LINK => {
                let last = world.nodes.len() - 1;
                let next = world.nodes[(left as usize).wrapping_add(n as usize) & last];
                world.nodes[left as usize & last].next.set(Some(next));
            }
            COUNT => {
                let last = world.nodes.len() - 1;
                world.nodes[left as usize & last].value.set(left);
            }
            LOOP => {
                left -= 1;
                if left > 0 {
                    pc = 0;
                    can_enter_jit!();
                }
            }
            STOP => return sum(world, chain),
            _ => panic!("no such operation"),
        }
    }
}

/// A world with this program and this many nodes, of which each lies behind `apart` others that
/// nothing refers to any more.
///
/// # Panics
/// If `nodes` is no power of two.
pub fn world(code: &[u8], nodes: usize, apart: usize) -> Gc<World> {
    assert!(nodes.is_power_of_two(), "{nodes} is no power of two");
    let node = |value| {
        Gc::new(Node {
            value: Cell::new(value),
            next: Cell::new(None),
        })
    };
    let kept = RootVec::new();
    for n in 0..nodes {
        for _ in 0..apart {
            node(-1);
        }
        kept.push(node(n as i64));
    }
    Gc::new(World {
        code: GcArray::from_slice(code),
        nodes: kept.to_array(),
    })
}

/// A complete tree: `2.pow(depth + 1) - 1` nodes, numbered in the order in which they are made.
pub fn tree(depth: u32) -> Gc<Tree> {
    fn grow(depth: u32, count: &mut i64) -> Gc<Tree> {
        let (left, right) = match depth {
            0 => (None, None),
            _ => (Some(grow(depth - 1, count)), Some(grow(depth - 1, count))),
        };
        *count += 1;
        Gc::new(Tree {
            value: *count,
            left,
            right,
        })
    }
    grow(depth, &mut 0)
}

/// The interpreter as the JIT sees it.
pub fn program() -> verdigris::Program {
    jit::program()
}
