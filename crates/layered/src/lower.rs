//! Makes methods of the sections of a trace: as many as the host's limit wants, each with a block
//! for each of its sections, with links in the place of labels.

use crate::block_id::MethodBlockId;
use crate::dispatcher::Label;
use crate::method::{BlockEnd, DirectCall, Link, Method, MethodBlock};
use crate::numbers::{Lease, Numbers};
use crate::switch::{FirstTest, Switch};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;
use verdigris_backend::{BackendError, Env, Section, SectionEnd, direct_callee};
use verdigris_ops::Descrs;
use verdigris_trace::{Arg, GuardId, Opcode, OptimisedOp, OptimisedTrace, TargetId, ValRef};

/// A method that has not been made yet.
pub(crate) struct Draft {
    pub(crate) method: Method,
    pub(crate) lease: Rc<Lease>,
    /// The numbers in its external links.
    pub(crate) links: Vec<Rc<Lease>>,
}

/// What is known where a trace is lowered.
pub(crate) struct Lowering<'a> {
    pub(crate) env: &'a Env<'a>,
    pub(crate) descrs: &'a Rc<Descrs>,
    pub(crate) trace: &'a Rc<OptimisedTrace>,
    pub(crate) sections: &'a [Section<'a>],
    pub(crate) labels: &'a FxHashMap<TargetId, Label>,
    pub(crate) forced: bool,
}

/// Where the sections of a trace become blocks.
struct Plan {
    /// The sections of each method.
    methods: Vec<(Rc<Lease>, Range<usize>)>,
    /// The labels of the trace.
    own: FxHashMap<TargetId, (MethodBlockId, Rc<Lease>)>,
}

impl Lowering<'_> {
    /// The methods of the sections. The first block of the first one is the first section.
    ///
    /// # Errors
    /// If there are not enough numbers left for so many methods.
    pub(crate) fn methods(
        &self,
        numbers: &Numbers,
        most_operations: usize,
    ) -> Result<Vec<Draft>, BackendError> {
        let plan = self.plan(numbers, most_operations)?;
        let drafts = plan.methods.iter();
        Ok(drafts
            .map(|(lease, sections)| self.method(&plan, lease, sections.clone()))
            .collect())
    }

    fn plan(&self, numbers: &Numbers, most_operations: usize) -> Result<Plan, BackendError> {
        let mut plan = Plan {
            methods: Vec::new(),
            own: FxHashMap::default(),
        };
        let mut rest = 0..self.sections.len();
        while !rest.is_empty() {
            let end = self.method_end(&rest, most_operations);
            let lease = numbers
                .lease()
                .ok_or_else(|| BackendError("there are too many methods".into()))?;
            for (block, section) in (0..).zip(&self.sections[rest.start..end]) {
                let id = MethodBlockId::new(lease.number, block);
                let label = section.label.map(|label| (label, (id, Rc::clone(&lease))));
                plan.own.extend(label);
            }
            plan.methods.push((lease, rest.start..end));
            rest.start = end;
        }
        Ok(plan)
    }

    /// Where a method ends that begins with the first of these sections.
    fn method_end(&self, sections: &Range<usize>, most_operations: usize) -> usize {
        let mut operations = 0;
        let fits = |n: &usize| {
            operations += self.sections[*n].ops.len() + 1;
            *n == sections.start || operations <= most_operations
        };
        let count = sections.clone().take_while(fits).count();
        sections.start + count.min(usize::from(u16::MAX))
    }

    fn method(&self, plan: &Plan, lease: &Rc<Lease>, sections: Range<usize>) -> Draft {
        let mut linker = Linker {
            plan,
            labels: self.labels,
            lease,
            links: Vec::new(),
        };
        let (mut blocks, mut switches, mut sides) =
            (Vec::new(), FxHashMap::default(), FxHashMap::default());
        for section in &self.sections[sections] {
            for op in section.ops.iter().filter(|op| op.opcode().is_guard()) {
                if let Some(side) = op.side() {
                    sides.insert(side, linker.link(side));
                }
                let switch = op.guard().map(|guard| (guard, self.switch(op, guard)));
                switches.extend(switch);
            }
            blocks.push(MethodBlock {
                label: section.label,
                params: section.params.into(),
                ops: section.ops.range(),
                callees: self.callees(section),
                end: linker.end(&section.end),
            });
        }
        let links = linker.links;
        let method = Method {
            number: lease.number,
            trace: Rc::clone(self.trace),
            descrs: Rc::clone(self.descrs),
            blocks: blocks.into(),
            switches,
            sides,
        };
        Draft {
            method,
            lease: Rc::clone(lease),
            links,
        }
    }

    fn switch(&self, op: OptimisedOp<'_>, guard: GuardId) -> Rc<Switch> {
        let types = op.fail_args().iter().map(|&v| self.trace.types[v]);
        Switch::new(guard, types.collect(), self.forced)
    }

    fn callees(&self, section: &Section<'_>) -> Box<[Option<DirectCall>]> {
        let calls = section.ops.iter().filter(|op| op.opcode() == Opcode::Call);
        let callee = |op: OptimisedOp<'_>| {
            let info = &self.env.descrs.fns[op.function()];
            let (word, greens) = direct_callee(self.env.callees?, info, op.args())?;
            Some(DirectCall { word, greens })
        };
        calls.map(callee).collect()
    }
}

/// Makes links of labels, for one method.
struct Linker<'a> {
    plan: &'a Plan,
    labels: &'a FxHashMap<TargetId, Label>,
    lease: &'a Rc<Lease>,
    /// The numbers of other methods.
    links: Vec<Rc<Lease>>,
}

impl Linker<'_> {
    fn link(&mut self, target: TargetId) -> Link {
        let (block, lease) = match self.plan.own.get(&target) {
            Some((block, lease)) => (*block, lease),
            None => {
                let label = &self.labels[&target];
                (label.block, &label.method.lease)
            }
        };
        if block.method() == self.lease.number {
            return Link::Internal(block.block());
        }
        self.links.push(Rc::clone(lease));
        Link::External(block)
    }

    fn end(&mut self, end: &SectionEnd) -> BlockEnd {
        match end {
            SectionEnd::Jump(target, args) => {
                BlockEnd::Goto(self.link(*target), args.as_slice().into())
            }
            SectionEnd::Finish(values) => BlockEnd::Finish(values.as_slice().into()),
            SectionEnd::Thread(args) => BlockEnd::Thread(args.as_slice().into()),
            SectionEnd::Leave => BlockEnd::Leave,
        }
    }
}

/// The test that a bridge starts with: a `guard_value` on one of its inputs, if it does nothing
/// before.
pub(crate) fn first_test(method: &Method) -> Option<FirstTest> {
    let block = &method.blocks[0];
    let ops = method.trace.ops().slice(block.ops.clone());
    let op = { ops }
        .iter()
        .find(|op| op.opcode() != Opcode::MergePoint)?;
    if op.opcode() != Opcode::GuardValue {
        return None;
    }
    let Arg::Ref(tested) = op.arg(0) else {
        return None;
    };
    let is_tested = |input: &ValRef| *input == tested;
    Some(FirstTest {
        input: block.params.iter().position(is_tested)?,
        value: op.args().constant(1)?.word(),
        rest: (op.fail_args() == &*block.params)
            .then(|| op.guard().map(|guard| Rc::clone(&method.switches[&guard])))
            .flatten(),
    })
}
