//! The colours of one function for given colours of its arguments.
//!
//! Colours only ever go up. The cause of a value went up before it, so causes lead to an origin.

use super::flow::Flow;
use super::steps::PassStep;
use crate::colour::Colour;
use crate::input::ColourInput;
use cranelift_entity::{SecondaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};
use verdigris_front::tast::FuncId;
use verdigris_graph::{BlockId, Graph, Term, Val, ValueId};

/// A specialisation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpecId(u32);
entity_impl!(SpecId, "spec");

/// Block parameters that are green on demand although a red chooses among their values.
pub type Forced = FxHashSet<(FuncId, ValueId)>;

/// Why a value is not green.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Its definition cannot be known: a load of something that changes, a new object, a red of
    /// the merge point.
    Origin,
    /// The value that it is computed from, or that an edge passes.
    From(ValueId),
    /// The argument of this number.
    Argument(usize),
    /// The callee's result of this number; the call stands there.
    Result(SpecId, usize, (BlockId, usize)),
    /// It is one of several values, and the end of this block chooses.
    Chosen(BlockId),
}

/// A function, specialised.
pub struct Spec {
    /// The function.
    pub func: FuncId,
    /// The colours of its arguments.
    pub key: Vec<Colour>,
    /// The colours of its values.
    pub colours: SecondaryMap<ValueId, Colour>,
    /// Why they are so.
    pub causes: SecondaryMap<ValueId, Option<Cause>>,
    /// The colours of its results.
    pub results: Vec<Colour>,
    /// The callees of its calls.
    pub calls: FxHashMap<(BlockId, usize), SpecId>,
    /// A call of it, if it is not the portal.
    pub origin: Option<(SpecId, BlockId, usize)>,
}

impl Spec {
    /// Nothing is known yet.
    pub fn new(func: FuncId, key: Vec<Colour>, results: usize) -> Spec {
        Spec {
            func,
            key,
            colours: SecondaryMap::new(),
            causes: SecondaryMap::new(),
            results: vec![Colour::Green; results],
            calls: FxHashMap::default(),
            origin: None,
        }
    }

    /// The colour of an operand.
    pub fn colour(&self, val: Val) -> Colour {
        val.value().map_or(Colour::Green, |v| self.colours[v])
    }

    fn raise(&mut self, value: ValueId, colour: Colour, cause: Cause) -> bool {
        let higher = colour > self.colours[value];
        if higher {
            self.colours[value] = colour;
            self.causes[value] = Some(cause);
        }
        higher
    }

    fn raise_from(&mut self, value: ValueId, args: impl Iterator<Item = ValueId>) -> bool {
        let mut changed = false;
        for arg in args {
            changed |= self.raise(value, self.colours[arg], Cause::From(arg));
        }
        changed
    }
}

/// Gives the colours of callees.
pub trait CalleeColours {
    /// The callee for these colours of the arguments, and the colours of its results.
    fn callee(&mut self, callee: FuncId, key: Vec<Colour>) -> (SpecId, &[Colour]);
}

/// The inputs of a pass over a function.
pub struct FunctionPass<'a> {
    /// The program.
    pub input: &'a ColourInput<'a>,
    /// The function's graph.
    pub graph: &'a Graph,
    /// Its shape.
    pub flow: &'a Flow,
    /// The values that demands have made green although a red chooses among them.
    pub forced: &'a Forced,
}

impl FunctionPass<'_> {
    /// Goes through the blocks once; returns whether anything changed.
    pub fn run(&self, spec: &mut Spec, calls: &mut impl CalleeColours) -> bool {
        let mut changed = false;
        for &step in &self.flow.steps.list {
            changed |= match step {
                PassStep::Params(block) => self.params(spec, block),
                PassStep::From(dst, first, end) => {
                    let operands = self.flow.steps.operands(first..end).iter();
                    spec.raise_from(dst, operands.copied())
                }
                PassStep::Unknown(dst) => spec.raise(dst, Colour::Red, Cause::Origin),
                PassStep::Call(callee, block, n) => {
                    let at = (block, n as usize);
                    let args = self.flow.call_args(self.graph, block, at.1);
                    let key = args.map(|a| spec.colour(a)).collect();
                    let (id, results) = calls.callee(callee, key);
                    spec.calls.insert(at, id);
                    self.results(spec, at, results, id)
                }
            };
        }
        let results = self.flow.results.iter().map(|&v| spec.colour(v));
        let results: Vec<Colour> = results.collect();
        changed |= results != spec.results;
        spec.results = results;
        changed
    }

    fn results(
        &self,
        spec: &mut Spec,
        at: (BlockId, usize),
        results: &[Colour],
        callee: SpecId,
    ) -> bool {
        let dsts = &self.graph.blocks[at.0].ops[at.1].dsts;
        let dsts = dsts.iter().enumerate().map(|(n, &dst)| (dst, n));
        let views = self.flow.views.call_results.get(&at).into_iter().flatten();
        let mut changed = false;
        for (dst, n) in dsts.chain(views.copied()) {
            // A function that does not return has no results, and its callers need none.
            let colour = results.get(n).copied().unwrap_or_default();
            changed |= spec.raise(dst, colour, Cause::Result(callee, n, at));
        }
        changed
    }

    fn params(&self, spec: &mut Spec, block: BlockId) -> bool {
        let params = &self.graph.blocks[block].params;
        let mut changed = false;
        if block == self.graph.entry {
            for (n, &param) in params.iter().chain(&self.flow.views.params).enumerate() {
                let cause = match spec.func == self.input_portal() {
                    true => Cause::Origin,
                    false => Cause::Argument(n),
                };
                changed |= spec.raise(param, spec.key[n], cause);
            }
        } else if let Term::MergePoint { greens, .. } = self.graph.blocks[block].term {
            for &param in &params[greens..] {
                changed |= spec.raise(param, Colour::Red, Cause::Origin);
            }
        } else {
            for (n, &param) in params.iter().enumerate() {
                changed |= self.join(spec, block, param, self.flow.passed(block, n));
            }
            for &view in &self.flow.views.at[block] {
                changed |= self.join(spec, block, view, &self.flow.views.sources[view]);
            }
        }
        changed
    }

    fn input_portal(&self) -> FuncId {
        self.input.source.portal
    }

    /// A parameter that is one of these values.
    fn join(&self, spec: &mut Spec, block: BlockId, param: ValueId, args: &[Val]) -> bool {
        let values = args.iter().filter_map(|arg| arg.value());
        let mut changed = spec.raise_from(param, values);
        let same = args
            .iter()
            .all(|a| *a == args[0] || *a == Val::Value(param));
        if same || self.forced.contains(&(spec.func, param)) {
            return changed;
        }
        for &chooser in &self.flow.choosers[block] {
            let condition = self.graph.blocks[chooser].term.operands();
            if condition.iter().any(|&c| !spec.colour(c).is_green()) {
                changed |= spec.raise(param, Colour::Chosen, Cause::Chosen(chooser));
            }
        }
        changed
    }
}
