//! Register assignment for a graph with split edges.
//!
//! Values that are live at the same time have different registers, and a register has one type. In
//! SSA form it suffices to walk the dominator tree from the top and give every definition a
//! register that no live value has (Hack, "Register allocation for programs in SSA form"). A
//! parameter and its operands prefer one register, so that most edges need no moves.

use super::liveness::{Liveness, read_by_end};
use cranelift_entity::SecondaryMap;
use verdigris_graph::{Block, BlockId, Graph, ValueId};
use verdigris_jitcode::Reg;
use verdigris_ops::Ty;

/// The result.
pub struct RegAssignment {
    /// The register of each value that is defined in a reachable block.
    pub of: SecondaryMap<ValueId, Option<Reg>>,
    /// The types of the registers.
    pub types: Vec<Ty>,
}

impl RegAssignment {
    /// One more register.
    ///
    /// # Panics
    /// If a function needs more than 65535.
    pub fn add(&mut self, ty: Ty) -> Reg {
        let reg = u16::try_from(self.types.len()).expect("a frame has at most 65535 registers");
        self.types.push(ty);
        Reg(reg)
    }
}

/// Assigns registers.
pub fn allocate(graph: &Graph, live: &Liveness) -> RegAssignment {
    let mut allocator = Allocator {
        graph,
        live,
        registers: RegAssignment {
            of: SecondaryMap::new(),
            types: Vec::new(),
        },
        webs: Webs::new(graph),
        taken: Vec::new(),
        needed: Needed::default(),
    };
    // Reverse postorder visits every block after those that dominate it.
    for block in graph.reverse_postorder() {
        allocator.block(block);
    }
    allocator.registers
}

/// Values connected by edges and parameters, and the register that they would like to share.
struct Webs {
    parent: SecondaryMap<ValueId, Option<ValueId>>,
    wish: SecondaryMap<ValueId, Option<Reg>>,
}

impl Webs {
    fn new(graph: &Graph) -> Webs {
        let mut webs = Webs {
            parent: SecondaryMap::new(),
            wish: SecondaryMap::new(),
        };
        for id in graph.reverse_postorder() {
            for target in graph.blocks[id].term.targets() {
                let params = &graph.blocks[target.block].params;
                for (&param, arg) in params.iter().zip(&target.args) {
                    if let Some(v) = arg.value() {
                        let (a, b) = (webs.root(param), webs.root(v));
                        if a != b {
                            webs.parent[a] = Some(b);
                        }
                    }
                }
            }
        }
        webs
    }

    fn root(&mut self, mut v: ValueId) -> ValueId {
        while let Some(parent) = self.parent[v] {
            // Ways that are walked get shorter.
            if let Some(above) = self.parent[parent] {
                self.parent[v] = Some(above);
            }
            v = parent;
        }
        v
    }
}

struct Allocator<'a> {
    graph: &'a Graph,
    live: &'a Liveness,
    registers: RegAssignment,
    webs: Webs,
    /// Which registers hold a live value at the moment.
    taken: Vec<bool>,
    needed: Needed,
}

/// A set of values that is emptied at the cost of what was in it.
#[derive(Default)]
struct Needed {
    has: SecondaryMap<ValueId, bool>,
    added: Vec<ValueId>,
}

impl Needed {
    /// Adds a value; returns whether it is new.
    fn insert(&mut self, v: ValueId) -> bool {
        let new = !std::mem::replace(&mut self.has[v], true);
        if new {
            self.added.push(v);
        }
        new
    }

    fn remove(&mut self, v: ValueId) {
        self.has[v] = false;
    }

    fn clear(&mut self) {
        for v in self.added.drain(..) {
            self.has[v] = false;
        }
    }
}

impl Allocator<'_> {
    fn block(&mut self, id: BlockId) {
        self.taken.fill(false);
        for &v in &self.live.at_start[id] {
            let reg = self.registers.of[v].expect("defined in a dominating block");
            self.take(reg);
        }
        let block = &self.graph.blocks[id];
        let last = last_uses(block, &self.live.at_end[id], &mut self.needed);
        self.params(block);
        for &param in &last.unused_params {
            self.release(param);
        }
        for (op, dying) in block.ops.iter().zip(&last.dying) {
            for &v in &dying.before {
                self.release(v);
            }
            for &dst in &op.dsts {
                let wish = self.wish(dst);
                self.assign(dst, wish);
            }
            // Not before all have a register: the results of one call go to different ones.
            for &dst in &dying.results {
                self.release(dst);
            }
        }
    }

    /// Those whose wish can be granted come first, so that the others do not take it away.
    fn params(&mut self, block: &Block) {
        let mut rest = Vec::new();
        for &param in &block.params {
            match self.wish(param) {
                Some(reg) => self.assign(param, Some(reg)),
                None => rest.push(param),
            }
        }
        for param in rest {
            self.assign(param, None);
        }
    }

    fn wish(&mut self, v: ValueId) -> Option<Reg> {
        let root = self.webs.root(v);
        let wish = self.webs.wish[root]?;
        self.is_free(wish).then_some(wish)
    }

    fn is_free(&self, reg: Reg) -> bool {
        !self.taken.get(usize::from(reg.0)).is_some_and(|t| *t)
    }

    fn assign(&mut self, v: ValueId, wish: Option<Reg>) {
        let ty = self.graph.values[v];
        let reg = wish.unwrap_or_else(|| {
            let types = self.registers.types.iter().enumerate();
            let mut free = types
                .filter(|(_, t)| **t == ty)
                .map(|(n, _)| Reg(n as u16))
                .filter(|&r| self.is_free(r));
            match free.next() {
                Some(reg) => reg,
                None => self.registers.add(ty),
            }
        });
        self.registers.of[v] = Some(reg);
        let root = self.webs.root(v);
        self.webs.wish[root].get_or_insert(reg);
        self.take(reg);
    }

    fn take(&mut self, reg: Reg) {
        let index = usize::from(reg.0);
        if self.taken.len() <= index {
            self.taken.resize(index + 1, false);
        }
        self.taken[index] = true;
    }

    fn release(&mut self, v: ValueId) {
        if let Some(reg) = self.registers.of[v] {
            self.taken[usize::from(reg.0)] = false;
        }
    }
}

/// The values whose last use an operation is.
#[derive(Default)]
struct Dying {
    /// Operands that are not needed behind it.
    before: Vec<ValueId>,
    /// Results that are never used.
    results: Vec<ValueId>,
}

struct LastUses {
    unused_params: Vec<ValueId>,
    dying: Vec<Dying>,
}

fn last_uses(block: &Block, at_end: &[ValueId], live: &mut Needed) -> LastUses {
    live.clear();
    for v in at_end.iter().copied().chain(read_by_end(block)) {
        live.insert(v);
    }
    let mut dying: Vec<Dying> = Vec::new();
    for op in block.ops.iter().rev() {
        let mut now = Dying::default();
        for &dst in &op.dsts {
            if live.insert(dst) {
                now.results.push(dst);
            }
            live.remove(dst);
        }
        let args = op.args.iter().filter_map(|a| a.value());
        now.before.extend(args.filter(|&v| live.insert(v)));
        dying.push(now);
    }
    dying.reverse();
    let params = block.params.iter().copied();
    let unused_params = params.filter(|&p| live.insert(p)).collect();
    LastUses {
        unused_params,
        dying,
    }
}
