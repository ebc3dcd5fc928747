//! The labels of the trace that is compiled, and their contracts.
//!
//! At a label its parameters are where its contract says, and nothing else is anywhere. The code
//! that gets there first decides the contract, so that an entry flows into its loop without a move.

use crate::asm::Asm;
use crate::asm::operands::Label;
use crate::liveness::{NEVER, ValueTable};
use crate::locations::{Loc, ValueLoc};
use crate::lower::links::Links;
use crate::regalloc::slots::Slots;
use crate::registers::{preferred, registers, threaded_convention};
use verdigris_backend::Section;
use verdigris_ops::Ty;
use verdigris_trace::{OptimisedTrace, TargetId, ValRef};

/// How many general and vector registers a contract may fill; operations need some too.
const MOST: [u32; 2] = [10, 13];

/// A label of the trace that is compiled.
pub(crate) struct TraceLabel {
    pub(crate) target: TargetId,
    pub(crate) label: Label,
    /// Empty until it is decided, if there are parameters.
    pub(crate) contract: Vec<Loc>,
    pub(crate) is_decided: bool,
    /// Which section it starts.
    pub(crate) section: usize,
}

#[derive(Default)]
pub(crate) struct TraceLabels {
    pub(crate) list: Vec<TraceLabel>,
    /// The section that the value table has been prepared for.
    prepared: Option<usize>,
}

impl TraceLabels {
    pub(crate) fn new(sections: &[Section<'_>], asm: &mut Asm) -> TraceLabels {
        let sections = sections.iter().enumerate();
        let list = sections.filter_map(|(n, section)| {
            Some(TraceLabel {
                target: section.label?,
                label: asm.new_label(),
                contract: Vec::new(),
                is_decided: section.params.is_empty(),
                section: n,
            })
        });
        TraceLabels {
            list: list.collect(),
            prepared: None,
        }
    }

    pub(crate) fn find(&self, target: TargetId) -> Option<usize> {
        self.list.iter().position(|label| label.target == target)
    }

    /// Prepares the value table for a section that begins, if that has not been done.
    pub(crate) fn prepare(&mut self, n: usize, section: &Section<'_>, values: &mut ValueTable) {
        if self.prepared.take() != Some(n) {
            values.prepare(section);
        }
    }

    /// Decides the contract of a label. `from`: where the code that jumps there has the arguments;
    /// none if the label's own section begins.
    pub(crate) fn decide(
        &mut self,
        label: usize,
        links: &Links<'_>,
        sections: &[Section<'_>],
        values: &mut ValueTable,
        from: Option<&[ValueLoc]>,
    ) {
        let label = &mut self.list[label];
        let n = label.section;
        let params = sections[n].params;
        label.is_decided = true;
        if links.is_threaded && n == 0 {
            label.contract = threaded_convention(params.iter().map(|&v| links.trace.types[v]));
            return;
        }
        if self.prepared != Some(n) && from.is_some() {
            values.prepare(&sections[n]);
            self.prepared = Some(n);
        }
        label.contract = contract(links.trace, params, values, from);
    }
}

/// A contract in which the parameters that are used first are in registers, if possible where they
/// come from.
fn contract(
    trace: &OptimisedTrace,
    params: &[ValRef],
    values: &mut ValueTable,
    from: Option<&[ValueLoc]>,
) -> Vec<Loc> {
    let first_call = values.next_call(0);
    let mut order: Vec<usize> = (0..params.len()).collect();
    order.sort_by_key(|&n| values.map[params[n]].next);
    let mut contract = vec![Loc::NONE; params.len()];
    let (mut taken, mut slots) = (0u32, Slots::default());
    let mut left = MOST;
    let mut undecided = Vec::new();
    for n in order {
        let value = &values.map[params[n]];
        if value.death == 0 {
            continue;
        }
        let is_float = match trace.types[params[n]] {
            Ty::Float => true,
            Ty::Word => value.wants_xmm,
            _ => false,
        };
        let from = match from.map(|from| from[n]) {
            Some(ValueLoc::At(loc)) => loc,
            _ => Loc::NONE,
        };
        let is_register = from.is_some() && !from.is_slot();
        let left = &mut left[usize::from(is_float)];
        if *left == 0 || (value.next == NEVER && !is_register) {
            undecided.push((n, None, from));
            continue;
        }
        *left -= 1;
        if is_register && from.is_xmm() == is_float && taken & 1 << from.0 == 0 {
            taken |= 1 << from.0;
            contract[n] = from;
        } else {
            undecided.push((n, Some(is_float), from));
        }
    }
    for &(n, is_float, from) in &undecided {
        contract[n] = match is_float {
            Some(is_float) => {
                let crosses_call = values.map[params[n]].death > first_call;
                let loc = preferred(registers(is_float) & !taken, crosses_call);
                taken |= 1 << loc.0;
                loc
            }
            None if from.is_slot() && !slots.is_used(from) => {
                slots.claim(from);
                from
            }
            None => continue,
        };
    }
    for (n, is_float, _) in undecided {
        if is_float.is_none() && !contract[n].is_some() {
            contract[n] = slots.take();
        }
    }
    contract
}

/// The contract for values that a guard passes to a label first: a value stays where it is, and one
/// that is known, or is two parameters, gets a slot.
pub(crate) fn contract_in_place(places: &[ValueLoc]) -> Vec<Loc> {
    let (mut registers, mut slots) = (0u32, Slots::default());
    let mut claim = |place: &ValueLoc| match *place {
        ValueLoc::At(loc) if loc.is_slot() && !slots.is_used(loc) => {
            slots.claim(loc);
            loc
        }
        ValueLoc::At(loc) if !loc.is_slot() && registers & 1 << loc.0 == 0 => {
            registers |= 1 << loc.0;
            loc
        }
        ValueLoc::At(_) | ValueLoc::Const(_) => Loc::NONE,
    };
    let mut contract: Vec<Loc> = places.iter().map(&mut claim).collect();
    for loc in contract.iter_mut().filter(|loc| !loc.is_some()) {
        *loc = slots.take();
    }
    contract
}
