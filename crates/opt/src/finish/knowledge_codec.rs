//! [`GuardKnowledge`] as numbers, to be kept with resume data. A value of which nothing is known
//! costs one number at most.

use crate::bounds::IntBound;
use crate::state::knowledge::{GuardKnowledge, KnownState};
use crate::state::label::{Fact, Sid, StateNode, StatePure, StateSlot, StateValue, VirtualState};
use std::rc::Rc;
use verdigris_ops::{ClassId, DataOp, FieldId, FnId, HeapSlot, Ty};
use verdigris_trace::{Descr, NumberReader, Numbers, Opcode, ValRef};

impl GuardKnowledge {
    /// How many groups of numbers encode the knowledge at a guard.
    pub const GROUPS: usize = 3;

    /// Writes the knowledge in at most [`GuardKnowledge::GROUPS`] groups. `fail_args` are those of
    /// the guard; they are named as in the trace, so that a value is encoded alike at all guards
    /// that hand it over.
    ///
    /// # Panics
    /// If they are those of another guard.
    pub fn write(&self, fail_args: &[ValRef], out: &mut Numbers) {
        let flag = |n: u32, holds: bool| u64::from(holds) << n;
        out.put(
            flag(0, self.known.is_some())
                | flag(1, self.place.is_some())
                | flag(2, self.has_made_objects),
        );
        self.place
            .into_iter()
            .for_each(|place| out.put(place.into()));
        let Some(KnownState { state, .. }) = self.known.as_deref() else {
            return out.end_group();
        };
        debug_assert!(state.delayed.is_empty() && state.zeros.is_empty());
        assert_eq!(
            state.roots.len(),
            fail_args.len(),
            "facts are of their guard"
        );
        let others = Others::of(state);
        for (&root, &name) in state.roots.iter().zip(fail_args) {
            let StateNode::Value(value) = state.node(root) else {
                unreachable!("a fail argument is a value");
            };
            // Mostly only its type is known, which the trace has.
            if flags(value) != 0 {
                out.put(u64::from(name.as_u32()) << FLAG_BITS | flags(value));
                put_value(out, value);
            }
        }
        out.end_group();
        for &s in &others.sids {
            match state.node(s) {
                StateNode::Const(constant) => {
                    out.put(0);
                    out.put_const(*constant);
                }
                StateNode::Value(value) => {
                    out.put((value.ty as u64) << FLAG_BITS | flags(value) | IS_VALUE);
                    put_value(out, value);
                }
                StateNode::Virtual { .. } => unreachable!("of virtuals nothing is said"),
            }
        }
        out.end_group();
        let sid = |s: Sid| match others.standings[s.0 as usize] {
            Standing::Root(n) => u64::from(fail_args[n].as_u32()) << 1,
            Standing::Other(n) => (n as u64) << 1 | 1,
        };
        for fact in &state.facts {
            put_fact(out, fact, sid);
        }
        out.end_group();
    }

    /// Reads what [`GuardKnowledge::write`] wrote. `ty` gives the types of the trace's values.
    ///
    /// # Panics
    /// If the fail arguments are those of another guard.
    pub fn read(
        input: &mut NumberReader<'_>,
        fail_args: &[ValRef],
        ty: impl Fn(ValRef) -> Ty,
    ) -> GuardKnowledge {
        let flags = input.get();
        let place = (flags & 2 != 0).then(|| input.get() as u32);
        let has_made_objects = flags & 4 != 0;
        if flags & 1 == 0 {
            return GuardKnowledge {
                known: None,
                place,
                has_made_objects,
            };
        }
        let mut state =
            VirtualState::generic(&fail_args.iter().map(|&v| ty(v)).collect::<Vec<_>>());
        let root = |name: u64| {
            let at = fail_args.iter().position(|v| u64::from(v.as_u32()) == name);
            at.expect("facts are of their guard")
        };
        while input.has_more() {
            let number = input.get();
            let n = root(number >> FLAG_BITS);
            let flags = number & (IS_VALUE - 1);
            state.nodes[n] = StateNode::Value(get_value(input, ty(fail_args[n]), flags, true));
        }
        input.end_group();
        while input.has_more() {
            let number = input.get();
            state.nodes.push(match number {
                0 => StateNode::Const(input.get_const()),
                _ => {
                    let ty = Ty::ALL[(number >> FLAG_BITS) as usize];
                    StateNode::Value(get_value(input, ty, number, false))
                }
            });
        }
        input.end_group();
        let sid = |number: u64| {
            let n = match number & 1 {
                0 => root(number >> 1),
                _ => fail_args.len() + (number >> 1) as usize,
            };
            Sid(n as u32)
        };
        while input.has_more() {
            let fact = get_fact(input, sid);
            state.facts.push(fact);
        }
        input.end_group();
        GuardKnowledge {
            known: Some(Rc::new(KnownState {
                state,
                sources: Vec::new(),
                assumed: Vec::new(),
            })),
            place,
            has_made_objects,
        }
    }
}

/// The nodes of a state that are not fail arguments: constants and phantoms.
struct Others {
    sids: Vec<Sid>,
    /// The role of each node.
    standings: Vec<Standing>,
}

#[derive(Clone, Copy)]
enum Standing {
    /// A fail argument.
    Root(usize),
    /// One of the others.
    Other(usize),
}

impl Others {
    fn of(state: &VirtualState) -> Others {
        let mut standings = vec![Standing::Other(0); state.nodes.len()];
        for (n, root) in state.roots.iter().enumerate() {
            standings[root.0 as usize] = Standing::Root(n);
        }
        let mut sids = Vec::new();
        for (s, standing) in (0..).map(Sid).zip(&mut standings) {
            if let Standing::Other(n) = standing {
                *n = sids.len();
                sids.push(s);
            }
        }
        Others { sids, standings }
    }
}

// Flags: what is known of a value.
const NONNULL: u64 = 1;
const HAS_CLASS: u64 = 2;
const HAS_BOUND: u64 = 4;
/// Above them, for nodes that are not fail arguments: the node is a value and not a constant.
const IS_VALUE: u64 = 8;
const FLAG_BITS: u32 = 4;

fn flags(value: &StateValue) -> u64 {
    let flag = |holds: bool, flag: u64| if holds { flag } else { 0 };
    flag(value.nonnull, NONNULL)
        | flag(value.class.is_some(), HAS_CLASS)
        | flag(value.bound != IntBound::TOP, HAS_BOUND)
}

fn put_value(out: &mut Numbers, value: &StateValue) {
    if let Some(class) = value.class {
        out.put(u64::from(class.as_u32()));
    }
    if value.bound != IntBound::TOP {
        put_bound(out, value.bound);
    }
}

fn get_value(input: &mut NumberReader<'_>, ty: Ty, flags: u64, needed: bool) -> StateValue {
    StateValue {
        ty,
        class: (flags & HAS_CLASS != 0).then(|| ClassId::from_u32(input.get() as u32)),
        nonnull: flags & NONNULL != 0,
        bound: match flags & HAS_BOUND {
            0 => IntBound::TOP,
            _ => get_bound(input),
        },
        needed,
    }
}

// The kinds of facts.
const FIELD: u64 = 0;
const ITEM: u64 = 1;
const RESULT: u64 = 2;

fn put_fact(out: &mut Numbers, fact: &Fact, sid: impl Fn(Sid) -> u64) {
    match fact {
        Fact::Holds(StateSlot { slot, base, value }) => {
            match *slot {
                HeapSlot::Field(field) => {
                    out.put(FIELD);
                    out.put(u64::from(field.as_u32()));
                }
                HeapSlot::Item(class, index) => {
                    out.put(ITEM);
                    out.put(u64::from(class.as_u32()));
                    out.put(u64::from(index));
                }
            }
            out.put(sid(*base));
            out.put(sid(*value));
        }
        Fact::Result(StatePure {
            opcode,
            descr,
            args,
            result,
        }) => {
            out.put(RESULT);
            match opcode {
                Opcode::Data(op) => {
                    out.put(*op as u64 + 1);
                    out.put(u64::from(descr.raw()));
                }
                // Otherwise it is an elidable call.
                _ => {
                    out.put(0);
                    out.put(u64::from(descr.function().as_u32()));
                }
            }
            out.put(args.len() as u64);
            args.iter().for_each(|&arg| out.put(sid(arg)));
            out.put(sid(*result));
        }
    }
}

fn get_fact(input: &mut NumberReader<'_>, sid: impl Fn(u64) -> Sid) -> Fact {
    let slot = match input.get() {
        FIELD => HeapSlot::Field(FieldId::from_u32(input.get() as u32)),
        ITEM => {
            let class = ClassId::from_u32(input.get() as u32);
            HeapSlot::Item(class, input.get() as u32)
        }
        _ => {
            let (opcode, raw) = (input.get(), input.get() as u32);
            let (opcode, descr) = match opcode {
                0 => (Opcode::Call, FnId::from_u32(raw).into()),
                op => {
                    let op = DataOp::ALL[op as usize - 1];
                    (Opcode::Data(op), Descr::of_data(op, raw))
                }
            };
            let args = input.get();
            return Fact::Result(StatePure {
                opcode,
                descr,
                args: (0..args).map(|_| sid(input.get())).collect(),
                result: sid(input.get()),
            });
        }
    };
    Fact::Holds(StateSlot {
        slot,
        base: sid(input.get()),
        value: sid(input.get()),
    })
}

fn put_bound(out: &mut Numbers, bound: IntBound) {
    let IntBound {
        lo,
        hi,
        zeros,
        ones,
    } = bound;
    match bound {
        IntBound::NATURAL => out.put(0),
        IntBound::BOOL => out.put(1),
        _ if bound == IntBound::interval(lo, hi) => {
            out.put(2);
            out.put_signed(lo);
            out.put_signed(hi);
        }
        _ => {
            out.put(3);
            out.put_signed(lo);
            out.put_signed(hi);
            out.put(zeros);
            out.put(ones);
        }
    }
}

fn get_bound(input: &mut NumberReader<'_>) -> IntBound {
    match input.get() {
        0 => IntBound::NATURAL,
        1 => IntBound::BOOL,
        2 => IntBound::interval(input.get_signed(), input.get_signed()),
        _ => IntBound {
            lo: input.get_signed(),
            hi: input.get_signed(),
            zeros: input.get(),
            ones: input.get(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;
    use verdigris_trace::Const;

    fn value(ty: Ty, class: Option<u32>, bound: IntBound, needed: bool) -> StateNode {
        StateNode::Value(StateValue {
            ty,
            class: class.map(ClassId::from_u32),
            nonnull: class.is_some(),
            bound,
            needed,
        })
    }

    fn facts(state: VirtualState) -> GuardKnowledge {
        GuardKnowledge {
            known: Some(Rc::new(KnownState {
                state,
                sources: Vec::new(),
                assumed: Vec::new(),
            })),
            place: None,
            has_made_objects: false,
        }
    }

    /// What is read of a state that has been written, with the numbers that it is written as.
    fn round_trip(state: VirtualState) -> (VirtualState, Numbers) {
        let names = state.roots.iter().enumerate();
        let (names, types): (Vec<ValRef>, Vec<Ty>) = names
            .map(|(n, &root)| match state.node(root) {
                StateNode::Value(value) => (ValRef::from_u32(7 * n as u32 + 1), value.ty),
                other => panic!("{other:?} is no fail argument"),
            })
            .unzip();
        let mut numbers = Numbers::default();
        facts(state).write(&names, &mut numbers);
        assert_eq!(numbers.groups(), GuardKnowledge::GROUPS);
        let ty = |value: ValRef| types[value.as_u32() as usize / 7];
        let read = GuardKnowledge::read(&mut numbers.read(), &names, ty);
        let known = read.known.expect("something was known");
        (known.state.clone(), numbers)
    }

    fn some_nodes() -> Vec<StateNode> {
        let odd = IntBound {
            lo: 3,
            hi: 9,
            zeros: !0xf,
            ones: 1,
        };
        let some = [-1, 0, 1, 2, 255, i64::MAX];
        let intervals = some.iter().flat_map(|&lo| some.map(|hi| (lo, hi)));
        let intervals = intervals.filter(|(lo, hi)| lo <= hi);
        let intervals = intervals.map(|(lo, hi)| IntBound::interval(lo, hi));
        let bounds = intervals.chain([odd, IntBound::TOP, IntBound::NATURAL, IntBound::BOOL]);
        let ints = bounds.map(|bound| value(Ty::Int, None, bound, true));
        let others = [
            value(Ty::Ref, Some(3), IntBound::TOP, true),
            value(Ty::Word, None, IntBound::TOP, false),
            value(Ty::Int, None, odd, false),
            StateNode::Const(Const::Float(1 << 62)),
        ];
        ints.chain(others).collect()
    }

    fn some_facts(last: Sid) -> Vec<Fact> {
        vec![
            Fact::Holds(StateSlot {
                slot: HeapSlot::Item(ClassId::from_u32(4), 900),
                base: Sid(2),
                value: last,
            }),
            Fact::Result(StatePure {
                opcode: Opcode::Data(DataOp::IntSub),
                descr: Descr::None,
                args: smallvec![Sid(3), last],
                result: Sid(1),
            }),
            Fact::Result(StatePure {
                opcode: Opcode::Call,
                descr: Descr::Fn(FnId::from_u32(7)),
                args: smallvec![],
                result: Sid(1),
            }),
        ]
    }

    #[test]
    fn what_is_read_was_written() {
        let nodes = some_nodes();
        let count = nodes.len() as u32;
        let state = VirtualState {
            roots: (0..count - 3).map(Sid).collect(),
            facts: some_facts(Sid(count - 1)),
            nodes,
            ..VirtualState::default()
        };
        assert_eq!(round_trip(state.clone()).0, state);
    }

    #[test]
    fn a_guarded_value_that_is_known_is_no_fail_argument() {
        let mut nodes = some_nodes();
        let count = nodes.len() as u32;
        nodes[0] = StateNode::Const(Const::Int(1));
        let state = VirtualState {
            roots: (1..count - 3).map(Sid).collect(),
            facts: some_facts(Sid(0)),
            nodes,
            ..VirtualState::default()
        };
        let (read, numbers) = round_trip(state);
        // It stands behind the fail arguments now; what is said is the same.
        assert_eq!(
            read.nodes[read.roots.len()],
            StateNode::Const(Const::Int(1))
        );
        assert_eq!(round_trip(read).1, numbers);
    }

    #[test]
    fn nothing_is_read_as_nothing() {
        let mut numbers = Numbers::default();
        GuardKnowledge::default().write(&[], &mut numbers);
        let read = GuardKnowledge::read(&mut numbers.read(), &[], |_| Ty::Int);
        assert!(read.known.is_none());
    }
}
