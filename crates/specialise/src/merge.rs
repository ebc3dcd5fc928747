//! Merge points: where the ways of one place of the guest program meet. In: ways that come to a merge point. Out: ways that go on behind
//! it: one for each label, or the way itself where no other comes. Invariant: a place is compiled once for each shape of what
//! comes there, at most [`Limits::versions`](crate::Limits) times, and once for everything else; so code ends.
//!
//! A way waits at each merge point until no other way goes on. Then the ways of the place that comes first in the guest program go
//! on: those that have come there meanwhile meet. The order in which the greens count is a good one for bytecode: the arms of a
//! branch stand in front of where they meet. Where it is not, a place has a version more.
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), section 2.6 and its global merge points.

use crate::frames::Frame;
use crate::step::{End, Flow};
use crate::way::Way;
use crate::{Specialiser, Why, state, types};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use verdigris_jitcode::{Insn, Reg, Unit};
use verdigris_ops::Ty;
use verdigris_opt::{Ended, Label, Shape};
use verdigris_trace::{Arg, Const, Descr, Opcode};

/// A place of the guest program.
#[derive(Default)]
struct Place {
    /// The ways that wait there.
    waiting: Vec<Way>,
    /// The next one may come by a jump back.
    is_header: bool,
    /// A way has gone on there without a label.
    is_passed: bool,
    /// Other code has labels there.
    is_outside: bool,
    versions: Vec<Label>,
    /// The label that takes everything.
    any: Option<Label>,
}

/// The places of the guest program, in their order there; those with objects among their greens in the order in which ways came there.
pub(crate) struct Places {
    places: BTreeMap<(Vec<i64>, usize), Place>,
    /// The greens of each.
    greens: Vec<Vec<Const>>,
    /// Every merge point is a loop's header.
    always: bool,
}

impl Places {
    /// No way has come anywhere.
    pub fn new(unit: &Unit) -> Places {
        let portal = &unit.portal().insns;
        let always = !portal.iter().any(|insn| matches!(insn, Insn::LoopHeader));
        Places {
            places: BTreeMap::new(),
            greens: Vec::new(),
            always,
        }
    }

    /// The code starts at the place with these greens, with a label that takes everything.
    pub fn start(&mut self, greens: Vec<Const>, entry: Label) {
        self.at(greens, |_| Vec::new()).any = Some(entry);
    }

    /// The place with these greens. `labels` are those that other code has there.
    fn at(
        &mut self,
        greens: Vec<Const>,
        labels: impl FnOnce(&[Const]) -> Vec<Label>,
    ) -> &mut Place {
        let known = self.greens.iter().position(|known| *known == greens);
        let number = known.unwrap_or(self.greens.len());
        let integers = greens.iter().filter(|c| c.ty() == Ty::Int);
        let order = integers.map(|c| c.word() as i64).collect();
        let place = self.places.entry((order, number)).or_default();
        if known.is_none() {
            place.versions = labels(&greens);
            place.is_outside = !place.versions.is_empty();
            self.greens.push(greens);
        }
        place
    }
}

impl Specialiser<'_> {
    /// A way comes to a merge point.
    pub fn merge_point(&mut self, mut way: Way, greens: &[Reg], reds: &[Reg]) -> Flow {
        let mut words = Vec::with_capacity(greens.len());
        for &reg in greens {
            let value = way.reg(reg);
            match self.promoted(&mut way, value) {
                Err(Ended) => return ControlFlow::Break(End::Dead(way)),
                Ok(None) => return ControlFlow::Break(End::Leave(way, Why::Greens)),
                Ok(Some(constant)) => {
                    way.set(reg, Arg::Const(constant));
                    words.push(constant);
                }
            }
        }
        way.steps = 0;
        way.splits.clear();
        if way.frames.len() > 1 {
            way.pending = false;
            return self.run_rest(way, greens, reds);
        }
        let starts = std::mem::take(&mut way.starts);
        let is_header = std::mem::take(&mut way.pending) || self.places.always;
        if starts {
            return ControlFlow::Continue(self.pass(way, greens, true));
        }
        let draft = &self.draft;
        let place = self.places.at(words.clone(), |greens| draft.labels(greens));
        place.is_header |= is_header;
        // Code that makes no objects itself does not look for the end of memory at its headers.
        if (is_header || place.is_outside) && std::mem::take(&mut way.allocates) {
            let pc = way.pc();
            self.guard(&mut way, Opcode::GuardNotExhausted, &[], Descr::None, pc);
        }
        if self.advance(&mut way).is_err() {
            return ControlFlow::Break(End::Dead(way));
        }
        way.arrived = None;
        let place = self.places.at(words, |_| Vec::new());
        place.waiting.push(way);
        ControlFlow::Break(End::Done)
    }

    /// Goes on behind a merge point.
    fn pass(&mut self, mut way: Way, greens: &[Reg], is_header: bool) -> Way {
        if is_header && self.limits.interruptible {
            let pc = way.pc();
            self.guard(&mut way, Opcode::GuardNoSignal, &[], Descr::None, pc);
        }
        let args: Vec<Arg> = greens.iter().map(|&reg| way.reg(reg)).collect();
        way.strand
            .trace
            .push(Opcode::MergePoint, &args, Descr::None);
        way.next();
        way
    }

    /// Lets the ways go on that wait at the first place where there are any. False if there are none.
    pub fn meet(&mut self) -> bool {
        let places = self.places.places.iter_mut();
        let mut open = places.filter(|(_, place)| !place.waiting.is_empty());
        let Some((key, place)) = open.next() else {
            return false;
        };
        let key = key.clone();
        let mut place = std::mem::take(place);
        self.open(&mut place);
        self.places.places.insert(key, place);
        true
    }

    /// Lets the ways go on that wait at a place.
    fn open(&mut self, place: &mut Place) {
        let unit = self.unit;
        let (greens, reds) = state(unit);
        let types = types(unit, reds);
        let mut waiting = std::mem::take(&mut place.waiting);
        let is_new = place.versions.is_empty() && place.any.is_none();
        // Where every merge point may be a header, most are none: one has a label when somebody has come back.
        let needs_label = place.is_passed || place.is_header && !self.places.always;
        if is_new
            && !needs_label
            && waiting.len() == 1
            && let Some(way) = waiting.pop()
        {
            place.is_passed = true;
            let way = self.pass(way, greens, place.is_header);
            return self.ways.push(way);
        }
        for label in place.versions.iter().rev() {
            waiting = self.jump(waiting, reds, label);
        }
        if place.versions.len() < self.limits.versions
            && let Some((first, others)) = waiting.split_first_mut()
        {
            let mut shape = match place.versions.last() {
                Some(Label { shape: last, .. }) => {
                    self.draft
                        .join(&mut first.strand, &args(&first.frames, reds), last)
                }
                None => self
                    .draft
                    .shape(&mut first.strand, &args(&first.frames, reds)),
            };
            for other in others {
                shape = self
                    .draft
                    .join(&mut other.strand, &args(&other.frames, reds), &shape);
            }
            if !shape.is_any(&types) {
                let label = self.go_on(&waiting[0], greens, reds, place.is_header, shape);
                waiting = self.jump(waiting, reds, &label);
                place.versions.push(label);
            }
        }
        for way in waiting {
            let label = match place.any.take() {
                Some(label) => label,
                None => self.go_on(&way, greens, reds, place.is_header, Shape::any(&types)),
            };
            let label = place.any.insert(label);
            let values = args(&way.frames, reds)
                .into_iter()
                .zip(types.iter().copied());
            let values: Vec<(Arg, Ty)> = values.collect();
            self.draft.jump_to_any(*way.strand, &values, label);
        }
    }

    /// Ends the ways that can go on at a label; answers the others.
    fn jump(&mut self, ways: Vec<Way>, reds: &[Reg], label: &Label) -> Vec<Way> {
        let mut rest = Vec::new();
        for way in ways {
            let values = args(&way.frames, reds);
            if let Err(strand) = self.draft.jump(way.strand, &values, label) {
                rest.push(Way { strand, ..way });
            }
        }
        rest
    }

    /// The way behind a label of this shape, at the place where `like` is.
    fn go_on(
        &mut self,
        like: &Way,
        greens: &[Reg],
        reds: &[Reg],
        is_header: bool,
        shape: Shape,
    ) -> Label {
        let types = types(self.unit, reds);
        let (label, strand) = self.draft.label(shape, &types);
        let key: Vec<Const> = greens
            .iter()
            .filter_map(|&r| like.reg(r).as_const())
            .collect();
        self.draft.publish(&key, label.clone());
        let inputs = strand.trace.inputs.clone();
        let mut way = like.at_label(self.unit, Box::new(strand));
        for (&reg, input) in reds.iter().zip(inputs) {
            way.set(reg, Arg::Ref(input));
        }
        let way = self.pass(way, greens, is_header);
        self.ways.push(way);
        label
    }
}

/// The values of these registers of a way that waits at the portal's merge point.
fn args(frames: &[Frame], regs: &[Reg]) -> Vec<Arg> {
    let frame = frames.last().expect("a way has a frame");
    let values = regs.iter().map(|reg| frame.regs[usize::from(reg.0)]);
    values.collect()
}
