//! Random loops on objects that other code may look at, with heaps and inputs for them. The inputs
//! lead to objects of the classes that the loop begins with guards for, so that it gets to its
//! calls.

use crate::FUEL;
use crate::generate::{LINKS, Rng, Writer};
use crate::model::{Machine, STACK_LEN};
use verdigris_ops::{Descrs, Ty};

/// The classes of the first objects of [`frames_machine`], to which the inputs of [`random_frames`]
/// lead.
const FRAMES: [&str; 3] = ["Node", "Pair", "Stack"];

/// A loop that is busy with a node, a pair and a stack, and calls what may look at them.
pub fn random_frames(seed: u64) -> String {
    let mut w = Writer::new(seed, &[Ty::Int, Ty::Int, Ty::Ref, Ty::Ref, Ty::Ref]);
    let test = w.def_int("int_gt(i0, 0)");
    w.guard(&format!("guard_true(i{test})"));
    for (n, class) in FRAMES.into_iter().enumerate() {
        w.guarded_class(2 + n, class);
    }
    for _ in 0..3 + w.rng.below(16) {
        w.frame_step();
    }
    let count = w.def_int("int_sub(i0, 1)");
    let second = w.passed_on();
    w.line(&format!("close(i{count}, {second}, p2, p3, p4)"));
    w.text
}

impl Writer {
    fn frame_step(&mut self) {
        if self.can_repeat() && self.rng.below(6) == 0 {
            return self.again();
        }
        match self.rng.below(12) {
            10 | 11 => {
                if !self.classes.iter().any(|known| known.1 == LINKS) {
                    self.allocate(LINKS);
                }
                self.links();
            }
            0 | 1 => {
                let (p, value) = (self.of_class("Node"), self.int());
                self.line(&format!("setfield_i({p}, {value}) Node.value"));
            }
            2 => {
                let p = self.of_class("Node");
                self.def_int(&format!("getfield_i({p}) Node.value"));
            }
            3 => {
                let (p, value) = (self.of_class("Pair"), self.any_ref());
                self.line(&format!("setfield_r({p}, {value}) Pair.first"));
            }
            4 => {
                let p = self.of_class("Stack");
                let (i, value) = (self.index(&p, "Stack"), self.any_ref());
                self.line(&format!("setitem_r({p}, {i}, {value}) Stack"));
            }
            5 => {
                let p = self.of_class("Pair");
                self.def_ref(&format!("getfield_r({p}) Pair.first"));
            }
            6 => {
                let class = self.rng.pick(&["Node", "Int", "Pair"]);
                self.allocate(class);
            }
            7 => {
                let a = self.any_ref();
                self.called(&format!("call({a}) show"));
            }
            8 => {
                self.line("call() touch");
                self.guard("guard_no_panic()");
            }
            _ => self.integers(),
        }
    }
}

/// A heap and the inputs of [`random_frames`].
pub fn frames_machine(descrs: &Descrs, seed: u64) -> (Machine, Vec<u64>) {
    let mut rng = Rng(seed.wrapping_mul(0xD134_2543_DE82_EF95) | 1);
    let mut m = Machine {
        fuel: FUEL,
        ..Machine::default()
    };
    for class in FRAMES {
        m.add(
            descrs,
            descrs.class_by_name(class).expect("declared"),
            STACK_LEN,
        );
    }
    m.initial = FRAMES.len();
    for (object, refs) in [(0, 1), (1, 2), (2, STACK_LEN)] {
        for word in 0..refs {
            m.objects[object].words[word] = rng.below(1 + FRAMES.len()) as u64;
        }
    }
    m.objects[0].words[1] = rng.below(4) as u64;
    let inputs = vec![rng.below(9) as u64, rng.below(8) as u64, 1, 2, 3];
    (m, inputs)
}
