//! Merge points: where paths at the same position in the guest program meet.
//!
//! A path waits at each merge point until no other path can go on. Then the paths of the first
//! position in the guest program continue together: one for each label, or the path itself if it is
//! alone. Positions are ordered by their greens, which suits bytecode: the arms of a branch stand
//! in front of their join. Where the order is wrong, a position gets one version more.
//!
//! A position is compiled at most [`SpecialiseLimits::versions`](crate::SpecialiseLimits) times for
//! particular shapes and once for everything else, so compilation ends.
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), section 2.6 and its
//! global merge points.

use crate::limits::LeaveReason;
use crate::portal::state;
use crate::specialiser::Specialiser;
use crate::state::frame::PathFrame;
use crate::state::merge_key::MergeKey;
use crate::state::merge_places::MergePlace;
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
    /// Executes a merge point.
    pub fn merge_point(&mut self, mut path: Path, greens: &[Reg], reds: &[Reg]) -> Flow {
        if self.stencil.is_some() {
            return self.thread(path, greens, reds);
        }
        if std::mem::take(&mut path.generalise) && path.frames.len() > 1 {
            return self.run_rest(path, greens, None, reds);
        }
        let mut words = Vec::with_capacity(greens.len());
        for &reg in greens {
            let value = path.reg(reg);
            match self.promoted(&mut path, value) {
                Err(Ended) => return ControlFlow::Break(PathEnd::Dead(path)),
                Ok(None) => return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Greens)),
                Ok(Some(constant)) => {
                    path.set(reg, Arg::Const(constant));
                    words.push(constant);
                }
            }
        }
        path.steps = 0;
        path.splits.clear();
        let starts = std::mem::take(&mut path.starts);
        let marked = std::mem::take(&mut path.pending);
        if path.frames.len() > 1 && !self.stays_inlined(&mut path, &words, marked) {
            return self.run_rest(path, greens, None, reds);
        }
        let passed: Rc<[Const]> = words.as_slice().into();
        path.top().first.get_or_insert_with(|| Rc::clone(&passed));
        path.from = self.number(path.top().greens.as_deref());
        path.top().greens = Some(passed);
        let is_header = marked || self.places.always;
        if starts {
            return ControlFlow::Continue(self.pass(path, greens, true));
        }
        if is_header && !self.builder.may_specialise(&words) {
            return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Tier));
        }
        if self.advance(&mut path).is_err() {
            return ControlFlow::Break(PathEnd::Dead(path));
        }
        path.name_constants();
        let key = MergeKey::of(&path, self.unit, words);
        let history = &self.history;
        let place = self.places.at(&key, |key| history.at(key));
        place.is_header |= is_header;
        place.join.come(path.from);
        (path.arrived, path.left_with) = (None, None);
        self.places.wait(key, path);
        ControlFlow::Break(PathEnd::Done)
    }

    /// A hash of the last position in an activation. Where every merge point may be a header, the
    /// start counts as a position: a loop is found by coming to a position from another one than
    /// the first time.
    fn number(&self, greens: Option<&[Const]>) -> Option<u64> {
        match greens {
            Some(greens) => Some(FxBuildHasher.hash_one(greens)),
            None => self.places.always.then_some(0),
        }
    }

    /// Whether an inlined activation of the portal stays inlined. A loop in it is better compiled
    /// alone, as in the tracer.
    fn stays_inlined(&mut self, path: &mut Path, words: &[Const], marked: bool) -> bool {
        if self.places.always || marked {
            return false;
        }
        if path.top().greens.is_some() {
            return true;
        }
        let portal = self.unit.portal;
        let (_, outer) = path.frames.split_last().expect("a path has a frame");
        let mut activations = outer.iter().filter(|frame| frame.code == portal);
        let recurs = |frame: &PathFrame| frame.may_have_begun(words);
        if activations.clone().count() > self.limits.inline_depth
            || activations.any(recurs)
            || self.operations > self.limits.inline_budget
        {
            return false;
        }
        let policy = self.unit.descrs.policies.can_never_inline;
        !policy.is_some_and(|policy| self.builder.predicate(policy, words))
            && self.builder.may_specialise(words)
    }

    /// Goes on behind a merge point.
    fn pass(&mut self, mut path: Path, greens: &[Reg], is_header: bool) -> Path {
        if is_header && self.limits.interruptible {
            let pc = path.pc();
            self.guard(&mut path, Opcode::GuardNoSignal, &[], Descr::None, pc);
        }
        let args: Vec<Arg> = greens.iter().map(|&reg| path.reg(reg)).collect();
        // Short, since each guard keeps it. A collision costs an exit.
        path.section.place = Some((FxBuildHasher.hash_one(&args) >> 44) as u32);
        path.section
            .trace
            .push(Opcode::MergePoint, &args, Descr::None);
        path.next();
        path
    }

    /// Continues the paths that wait at the first place. Returns false if none wait.
    pub fn meet(&mut self) -> bool {
        let Some((key, mut place)) = self.places.next() else {
            return false;
        };
        self.open(&key, &mut place);
        self.places.places.insert(key, place);
        true
    }

    /// Continues the paths that wait at a place.
    fn open(&mut self, key: &MergeKey, place: &mut MergePlace) {
        if key.is_within() {
            return self.open_within(key, place);
        }
        let (greens, reds) = state(self.unit);
        let mut waiting = std::mem::take(&mut place.waiting);
        // Where every merge point may be a header, most are none: one gets a label when code comes
        // back to it. A position passed from the same one each time needs none, unless it is passed
        // often; then one label serves all that follows.
        let is_often = place.join.passed >= self.limits.unlabelled_visits;
        let needs_label = place.join.is_join
            || is_often && waiting.iter().any(|path| !path.labelled)
            || place.is_header && !self.places.always;
        let is_long = |path: &Path| path.section.advanced() > self.limits.section_operations;
        if !place.has_labels()
            && !needs_label
            && waiting.len() == 1
            && let Some(path) = waiting.pop_if(|path| !is_long(path))
        {
            place.join.passed += 1;
            self.pending.passed.push((key.clone(), path.from));
            let path = self.pass(path, greens, place.is_header);
            return self.paths.push(path);
        }
        if place.has_labels() {
            waiting = self.look_for_memory(waiting);
        }
        // All have constants in the same slots.
        let slots = match waiting.first() {
            Some(path) => path.slots(self.unit, reds.iter().copied()),
            None => return,
        };
        self.lead(waiting, key, place, &slots);
    }

    /// Ends paths that wait at a place, whose values are in these slots: with a jump to the last
    /// label whose shape they have, or else to a new one, or to the one that assumes nothing.
    pub fn lead(
        &mut self,
        mut waiting: Vec<Path>,
        key: &MergeKey,
        place: &mut MergePlace,
        slots: &Slots,
    ) {
        for label in place.versions.iter().rev() {
            waiting = self.jump(waiting, slots, label);
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
                let label = self.go_on(&waiting[0], key, slots, place.is_header, shape);
                waiting = self.jump(waiting, slots, &label);
                place.versions.push(label);
            }
        }
        for path in waiting {
            let label = match place.any.take() {
                Some(label) => label,
                None => {
                    let any = LabelShape::any(&slots.types);
                    self.go_on(&path, key, slots, place.is_header, any)
                }
            };
            let label = place.any.insert(label);
            let values = slots.values(&path).into_iter();
            let values: Vec<(Arg, Ty)> = values.zip(slots.types.iter().copied()).collect();
            self.builder.jump_to_any(*path.section, &values, label);
        }
    }

    /// Checks for the end of memory on paths that may jump back and have made objects. A jump to a
    /// label that is made for it never closes a loop.
    pub fn look_for_memory(&mut self, paths: Vec<Path>) -> Vec<Path> {
        let mut rest = Vec::new();
        for mut path in paths {
            if std::mem::take(&mut path.allocates) {
                let pc = path.pc();
                self.guard(&mut path, Opcode::GuardNotExhausted, &[], Descr::None, pc);
            }
            match self.advance(&mut path) {
                Ok(()) => rest.push(path),
                Err(Ended) => self.end(path),
            }
        }
        rest
    }

    /// Ends the paths that can jump to a label; returns the others.
    fn jump(&mut self, paths: Vec<Path>, slots: &Slots, label: &Label) -> Vec<Path> {
        let mut rest = Vec::new();
        for path in paths {
            let values = slots.values(&path);
            if let Err(section) = self.builder.jump(path.section, &values, label) {
                rest.push(Path { section, ..path });
            }
        }
        rest
    }

    /// Starts a path behind a new label of this shape, where `like` is.
    fn go_on(
        &mut self,
        like: &Path,
        key: &MergeKey,
        slots: &Slots,
        is_header: bool,
        shape: LabelShape,
    ) -> Label {
        let (greens, _) = state(self.unit);
        let (label, section) = self.builder.label(shape, &slots.types);
        self.pending.labels.push((key.clone(), label.clone()));
        let inputs = section.trace.inputs.clone();
        let mut path = like.at_label(self.unit, Box::new(section));
        for (&(depth, reg), input) in slots.places.iter().zip(inputs) {
            path.frames[depth].regs[usize::from(reg.0)] = Arg::Ref(input);
        }
        let path = match key.is_within() {
            true => path.behind_join(like.section.place),
            false => self.pass(path, greens, is_header),
        };
        self.paths.push(path);
        label
    }
}
