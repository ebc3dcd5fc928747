//! Merge points: where the ways of one place of the guest program meet. In: ways that come to a
//! merge point. Out: ways that go on behind it: one for each label, or the way itself where no
//! other comes. Invariant: a place is compiled once for each shape of what comes there, at most
//! [`SpecialiseLimits::versions`](crate::SpecialiseLimits) times, and once for everything else; so code ends.
//!
//! A way waits at each merge point until no other way goes on. Then the ways of the place that
//! comes first in the guest program go on: those that have come there meanwhile meet. The order in
//! which the greens count is a good one for bytecode: the arms of a branch stand in front of where
//! they meet. Where it is not, a place has a version more.
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), section 2.6 and its
//! global merge points.

use crate::limits::LeaveReason;
use crate::portal::state;
use crate::specialiser::Specialiser;
use crate::state::frame::PathFrame;
use crate::state::merge_places::{MergePlace, Spot};
use crate::state::path::{Path, Slots};
use crate::step::flow::{Flow, PathEnd};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::ops::ControlFlow;
use std::rc::Rc;
use verdigris_jitcode::Reg;
use verdigris_ops::Ty;
use verdigris_opt::{Ended, Label, LabelShape};
use verdigris_trace::{Arg, Const, Descr, Opcode};

impl Specialiser<'_> {
    /// A way comes to a merge point.
    pub fn merge_point(&mut self, mut way: Path, greens: &[Reg], reds: &[Reg]) -> Flow {
        if self.threading.is_some() {
            return self.thread(way, greens, reds);
        }
        let mut words = Vec::with_capacity(greens.len());
        for &reg in greens {
            let value = way.reg(reg);
            match self.promoted(&mut way, value) {
                Err(Ended) => return ControlFlow::Break(PathEnd::Dead(way)),
                Ok(None) => return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Greens)),
                Ok(Some(constant)) => {
                    way.set(reg, Arg::Const(constant));
                    words.push(constant);
                }
            }
        }
        way.steps = 0;
        way.splits.clear();
        let starts = std::mem::take(&mut way.starts);
        let marked = std::mem::take(&mut way.pending);
        if way.frames.len() > 1 && !self.stays_inlined(&mut way, &words, marked) {
            return self.run_rest(way, greens, None, reds);
        }
        let passed: Rc<[Const]> = words.as_slice().into();
        way.top().first.get_or_insert_with(|| Rc::clone(&passed));
        way.from = self.number(way.top().greens.as_deref());
        way.top().greens = Some(passed);
        let is_header = marked || self.places.always;
        if starts {
            return ControlFlow::Continue(self.pass(way, greens, true));
        }
        if is_header && !self.builder.may_go_on_at(&words) {
            return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Tier));
        }
        if self.advance(&mut way).is_err() {
            return ControlFlow::Break(PathEnd::Dead(way));
        }
        way.name_constants();
        let spot = Spot::of(&way, self.unit, words);
        let history = &self.history;
        let place = self.places.at(&spot, |greens| history.at(greens));
        place.is_header |= is_header;
        place.join.come(way.from);
        way.arrived = None;
        self.places.wait(spot, way);
        ControlFlow::Break(PathEnd::Done)
    }

    /// A number for where a way has been last in an activation. Where every merge point may be a
    /// header, the start is a place as well: a loop is found by coming to a place from another one
    /// than the first time.
    fn number(&self, greens: Option<&[Const]>) -> Option<u64> {
        match greens {
            Some(greens) => Some(FxBuildHasher.hash_one(greens)),
            None => self.places.always.then_some(0),
        }
    }

    /// Whether an activation of the portal that is being inlined goes on in this code. A loop in it
    /// has iterations to come and is better compiled alone, as for the tracer.
    fn stays_inlined(&mut self, way: &mut Path, words: &[Const], marked: bool) -> bool {
        if self.places.always || marked {
            return false;
        }
        if way.top().greens.is_some() {
            return true;
        }
        let portal = self.unit.portal;
        let (_, outer) = way.frames.split_last().expect("a way has a frame");
        let mut activations = outer.iter().filter(|frame| frame.code == portal);
        let recurs = |frame: &PathFrame| frame.may_have_begun(words);
        if activations.clone().count() > self.limits.inlined
            || activations.any(recurs)
            || self.operations > self.limits.inlining
        {
            return false;
        }
        let policy = self.unit.descrs.policies.can_never_inline;
        !policy.is_some_and(|policy| self.builder.asks(policy, words))
            && self.builder.may_go_on_at(words)
    }

    /// Goes on behind a merge point.
    fn pass(&mut self, mut way: Path, greens: &[Reg], is_header: bool) -> Path {
        if is_header && self.limits.interruptible {
            let pc = way.pc();
            self.guard(&mut way, Opcode::GuardNoSignal, &[], Descr::None, pc);
        }
        let args: Vec<Arg> = greens.iter().map(|&reg| way.reg(reg)).collect();
        // It is kept at each guard, so it is a short number. Places that share one take each
        // other's arms for theirs, which costs an exit.
        way.section.place = Some((FxBuildHasher.hash_one(&args) >> 44) as u32);
        way.section
            .trace
            .push(Opcode::MergePoint, &args, Descr::None);
        way.next();
        way
    }

    /// Lets the ways go on that wait at the first place where there are any. False if there are
    /// none.
    pub fn meet(&mut self) -> bool {
        let Some((spot, mut place)) = self.places.next() else {
            return false;
        };
        self.open(&spot, &mut place);
        self.places.places.insert(spot, place);
        true
    }

    /// Lets the ways go on that wait at a place.
    fn open(&mut self, spot: &Spot, place: &mut MergePlace) {
        let (greens, reds) = state(self.unit);
        let mut waiting = std::mem::take(&mut place.waiting);
        // Where every merge point may be a header, most are none: one has a label when somebody has
        // come back. What is gone past from the same place each time needs none, unless it is
        // often; one label is enough then for all that follows.
        let is_often = place.join.passed >= self.limits.passes;
        let needs_label = place.join.is_join
            || is_often && waiting.iter().any(|way| !way.labelled)
            || place.is_header && !self.places.always;
        let is_long = |way: &Path| way.section.advanced() > self.limits.section;
        if !place.has_labels()
            && !needs_label
            && waiting.len() == 1
            && let Some(way) = waiting.pop_if(|way| !is_long(way))
        {
            place.join.passed += 1;
            self.pending.passed.push((spot.key(), way.from));
            let way = self.pass(way, greens, place.is_header);
            return self.ways.push(way);
        }
        if place.has_labels() {
            waiting = self.look_for_memory(waiting);
        }
        // They all have constants in the same places.
        let slots = match waiting.first() {
            Some(way) => way.slots(self.unit, reds),
            None => return,
        };
        for label in place.versions.iter().rev() {
            waiting = self.jump(waiting, &slots, label);
        }
        if place.versions.len() < self.limits.versions
            && let Some((first, others)) = waiting.split_first_mut()
        {
            let values = slots.values(first);
            let mut shape = match place.versions.last() {
                Some(Label { shape: last, .. }) => {
                    self.builder.join(&mut first.section, &values, last)
                }
                None => self.builder.shape(&mut first.section, &values),
            };
            for other in others {
                let values = slots.values(other);
                shape = self.builder.join(&mut other.section, &values, &shape);
            }
            if !shape.is_any(&slots.types) {
                let label = self.go_on(&waiting[0], spot, &slots, place.is_header, shape);
                waiting = self.jump(waiting, &slots, &label);
                place.versions.push(label);
            }
        }
        for way in waiting {
            let label = match place.any.take() {
                Some(label) => label,
                None => {
                    let any = LabelShape::any(&slots.types);
                    self.go_on(&way, spot, &slots, place.is_header, any)
                }
            };
            let label = place.any.insert(label);
            let values = slots.values(&way).into_iter();
            let values: Vec<(Arg, Ty)> = values.zip(slots.types.iter().copied()).collect();
            self.builder.jump_to_any(*way.section, &values, label);
        }
    }

    /// Ways are about to jump to code that exists, which may be a jump back. If nobody has made an
    /// object on any way there, nobody looks for the end of memory. A jump to a label that is made
    /// for it never closes a loop.
    fn look_for_memory(&mut self, ways: Vec<Path>) -> Vec<Path> {
        let mut rest = Vec::new();
        for mut way in ways {
            if std::mem::take(&mut way.allocates) {
                let pc = way.pc();
                self.guard(&mut way, Opcode::GuardNotExhausted, &[], Descr::None, pc);
            }
            match self.advance(&mut way) {
                Ok(()) => rest.push(way),
                Err(Ended) => self.end(way),
            }
        }
        rest
    }

    /// Ends the ways that can go on at a label; answers the others.
    fn jump(&mut self, ways: Vec<Path>, slots: &Slots, label: &Label) -> Vec<Path> {
        let mut rest = Vec::new();
        for way in ways {
            let values = slots.values(&way);
            if let Err(section) = self.builder.jump(way.section, &values, label) {
                rest.push(Path { section, ..way });
            }
        }
        rest
    }

    /// Lets a way go on behind a label of this shape, at the place where `like` is.
    fn go_on(
        &mut self,
        like: &Path,
        spot: &Spot,
        slots: &Slots,
        is_header: bool,
        shape: LabelShape,
    ) -> Label {
        let (greens, _) = state(self.unit);
        let (label, section) = self.builder.label(shape, &slots.types);
        self.pending.labels.push((spot.key(), label.clone()));
        let inputs = section.trace.inputs.clone();
        let mut way = like.at_label(self.unit, Box::new(section));
        for (&(depth, reg), input) in slots.places.iter().zip(inputs) {
            way.frames[depth].regs[usize::from(reg.0)] = Arg::Ref(input);
        }
        let way = self.pass(way, greens, is_header);
        self.ways.push(way);
        label
    }
}
