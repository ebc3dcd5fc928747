//! The switch of a guard: where a guard that fails goes. It is data that the host holds, so that a
//! method stays as it was made while its switches grow. In go the arguments of the link, out comes
//! the id of the next block, which leaves to the engine as long as there is no arm.
//!
//! A bridge is an arm. If it starts with a `guard_value` on what it was given, its value is looked
//! for, and the arms that are attached to that guard later become arms of the first switch: so a
//! promotion that has seen many values is one search and not a chain of links. Invariant: an arm is
//! where the guards would lead one after the other. Source: class `IntLowLevelFlexSwitch` in
//! section 6.3 of the paper of 2009.

use crate::block_id::MethodBlockId;
use crate::input_args::InputArgs;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use verdigris_ops::Ty;
use verdigris_trace::GuardId;

/// The switch of a guard, and what else changes about the guard.
pub struct Switch {
    guard: GuardId,
    /// The types of the fail arguments.
    types: Box<[Ty]>,
    /// The guard has still to fail once although it holds.
    forced: Cell<bool>,
    /// Its trace has been invalidated.
    invalid: Cell<bool>,
    arms: RefCell<Vec<Arm>>,
    /// The argument that is searched for, if arms have values.
    subject: Cell<usize>,
    /// The switch that grows too when this one does, and the number of arms that precede.
    first: RefCell<Option<(Weak<Switch>, usize)>>,
}

struct Arm {
    /// For which it is; none if it is for any.
    value: Option<u64>,
    block: MethodBlockId,
    /// The switch of the guard on the value, if its arms are added behind this one.
    rest: Weak<Switch>,
}

/// A `guard_value` at the start of a bridge, which nothing precedes.
pub(crate) struct FirstTest {
    /// Which of the bridge's inputs it tests.
    pub input: usize,
    /// For this word.
    pub value: u64,
    /// The switch of the guard, if it passes on exactly the inputs.
    pub rest: Option<Rc<Switch>>,
}

impl Switch {
    /// The switch of a guard with fail arguments of these types. `forced` makes the guard fail once
    /// although it holds.
    pub(crate) fn new(guard: GuardId, types: Box<[Ty]>, forced: bool) -> Rc<Switch> {
        Rc::new(Switch {
            guard,
            types,
            forced: Cell::new(forced),
            invalid: Cell::new(false),
            arms: RefCell::default(),
            subject: Cell::new(0),
            first: RefCell::default(),
        })
    }

    /// The guard.
    pub fn guard(&self) -> GuardId {
        self.guard
    }

    /// The types of its fail arguments, which are the arguments of the link.
    pub fn types(&self) -> &[Ty] {
        &self.types
    }

    /// Whether the guard has to fail although it holds.
    pub fn is_forced(&self) -> bool {
        self.forced.get()
    }

    /// The guard has failed: it need not do so any more.
    pub fn has_failed(&self) {
        self.forced.set(false);
    }

    /// Whether the guard's trace has been invalidated; a `guard_not_invalidated` asks.
    pub fn is_invalid(&self) -> bool {
        self.invalid.get()
    }

    /// Where code finds whether the guard has to fail although it holds: the address of a byte that
    /// is 0 if it need not. Code that fails writes 0.
    pub fn forced_byte(&self) -> usize {
        self.forced.as_ptr().expose_provenance()
    }

    /// Where code finds whether the guard's trace has been invalidated: the address of a byte that
    /// is 0 if it has not.
    pub fn invalid_byte(&self) -> usize {
        self.invalid.as_ptr().expose_provenance()
    }

    pub(crate) fn invalidate(&self) {
        self.invalid.set(true);
    }

    /// The block that comes next, when these are the guard's fail arguments. If the guard leaves,
    /// they say so.
    pub fn next(&self, args: &InputArgs) -> MethodBlockId {
        let arms = self.arms.borrow();
        let Some(last) = arms.last() else {
            args.set_guard(self.guard);
            return MethodBlockId::LEAVE;
        };
        // One arm decides for itself.
        if arms.len() == 1 {
            return last.block;
        }
        let value = args
            .read(self.types.iter().copied())
            .nth(self.subject.get());
        let found = arms.iter().find(|arm| arm.value == value);
        // The last arm's own guard decides about all other values.
        found.unwrap_or(last).block
    }

    /// The arms: the values that they are for, none if any, and their blocks.
    #[cfg(test)]
    fn arms(&self) -> Vec<(Option<u64>, MethodBlockId)> {
        let arms = self.arms.borrow();
        arms.iter().map(|arm| (arm.value, arm.block)).collect()
    }

    /// Sends the guard to a bridge that starts with this block and this test.
    pub(crate) fn attach(self: &Rc<Switch>, block: MethodBlockId, test: Option<&FirstTest>) {
        self.detach();
        let first = self.first();
        if let Some((first, _)) = &first {
            self.push(block, None);
            first.push(block, test.filter(|test| test.input == first.subject.get()));
        } else {
            self.subject.set(test.map_or(0, |test| test.input));
            self.push(block, test);
        }
    }

    /// Lets the guard leave again.
    pub(crate) fn detach(&self) {
        self.truncate(0);
        if let Some((first, arms)) = self.first() {
            first.truncate(arms);
        }
    }

    fn first(&self) -> Option<(Rc<Switch>, usize)> {
        let first = self.first.borrow();
        let (first, arms) = first.as_ref()?;
        Some((first.upgrade()?, *arms))
    }

    fn push(self: &Rc<Switch>, block: MethodBlockId, test: Option<&FirstTest>) {
        let mut arms = self.arms.borrow_mut();
        let rest = test.and_then(|test| test.rest.as_ref());
        arms.push(Arm {
            value: test.map(|test| test.value),
            block,
            rest: rest.map_or_else(Weak::new, Rc::downgrade),
        });
        if let Some(rest) = rest {
            rest.first.replace(Some((Rc::downgrade(self), arms.len())));
        }
    }

    fn truncate(&self, len: usize) {
        let mut arms = self.arms.borrow_mut();
        let len = len.min(arms.len());
        for rest in arms.drain(len..).filter_map(|arm| arm.rest.upgrade()) {
            rest.first.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_id::MethodNumber;

    fn switch(guard: u32) -> Rc<Switch> {
        let types = [Ty::Ref, Ty::Int].into();
        Switch::new(GuardId::from_u32(guard), types, false)
    }

    fn block(n: u16) -> MethodBlockId {
        MethodBlockId::new(MethodNumber::FIRST, n)
    }

    fn test(value: u64, rest: &Rc<Switch>) -> FirstTest {
        FirstTest {
            input: 1,
            value,
            rest: Some(Rc::clone(rest)),
        }
    }

    fn next(switch: &Switch, value: u64) -> MethodBlockId {
        let args = InputArgs::default();
        args.reserve([Ty::Ref, Ty::Int]);
        args.write([(Ty::Ref, 9), (Ty::Int, value)]);
        switch.next(&args)
    }

    #[test]
    fn a_switch_leaves_until_it_has_an_arm() {
        let g0 = switch(0);
        let args = InputArgs::default();
        assert_eq!(g0.next(&args), MethodBlockId::LEAVE);
        assert_eq!(args.guard(), Some(GuardId::from_u32(0)));
        g0.attach(block(1), None);
        assert_eq!(next(&g0, 5), block(1));
        g0.detach();
        assert_eq!(next(&g0, 5), MethodBlockId::LEAVE);
    }

    #[test]
    fn arms_of_later_guards_are_found_at_once() {
        let [g0, g1, g2] = [switch(0), switch(1), switch(2)];
        g0.attach(block(1), Some(&test(10, &g1)));
        g1.attach(block(2), Some(&test(20, &g2)));
        g2.attach(block(3), None);
        let arms = [(Some(10), block(1)), (Some(20), block(2)), (None, block(3))];
        assert_eq!(g0.arms(), arms);
        assert_eq!(next(&g0, 10), block(1));
        assert_eq!(next(&g0, 20), block(2));
        assert_eq!(next(&g0, 30), block(3));
        // From the first bridge itself on it is a chain.
        assert_eq!(next(&g1, 20), block(2));
        assert_eq!(next(&g2, 30), block(3));
    }

    #[test]
    fn what_grew_behind_a_bridge_goes_with_it() {
        let [g0, g1, g2] = [switch(0), switch(1), switch(2)];
        g0.attach(block(1), Some(&test(10, &g1)));
        g1.attach(block(2), Some(&test(20, &g2)));
        g2.attach(block(3), None);
        g1.detach();
        assert_eq!(g0.arms(), [(Some(10), block(1))]);
        // The bridge is gone, so its guard has nothing to do with the first switch any more.
        g2.attach(block(4), None);
        assert_eq!(g0.arms(), [(Some(10), block(1))]);
        g0.attach(block(5), None);
        g1.attach(block(6), None);
        assert_eq!(g0.arms(), [(None, block(5))]);
    }

    #[test]
    fn a_test_of_another_value_ends_the_search() {
        let [g0, g1, g2] = [switch(0), switch(1), switch(2)];
        g0.attach(block(1), Some(&test(10, &g1)));
        let other = FirstTest {
            input: 0,
            ..test(20, &g2)
        };
        g1.attach(block(2), Some(&other));
        g2.attach(block(3), None);
        assert_eq!(g0.arms(), [(Some(10), block(1)), (None, block(2))]);
        assert_eq!(next(&g0, 20), block(2));
    }
}
