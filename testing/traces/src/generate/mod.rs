//! Random loops and bridges over a small heap, as text that a verifier accepts: references are
//! guarded before they are followed, and indices before they are used. Whether the guards
//! contradict each other is left to chance. A seed means the same trace for ever.

mod integers;
mod lean;
mod steps;
mod variants;
mod writer;

pub use writer::{ARRIVAL, CLASSES, EDGES};
pub(crate) use writer::{LINKS, Writer};

use crate::FUEL;
use crate::model::{Machine, STACK_LEN};
pub(crate) use lean::Lean;
use verdigris_ops::{Descrs, Ty};
use writer::{LEANS, UNIONS};

/// A small generator of pseudo-random numbers (xorshift), so that failures repeat.
pub struct Rng(pub u64);

impl Rng {
    /// A number less than this one.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// A loop with inputs of the types int, int, ref, ref, ref, and a value: a tag and a word.
pub fn random_loop(seed: u64) -> String {
    let inputs = [
        Ty::Int,
        Ty::Int,
        Ty::Ref,
        Ty::Ref,
        Ty::Ref,
        Ty::Int,
        Ty::Word,
    ];
    let mut w = Writer::new(seed, &inputs);
    w.leans.push(Lean {
        tag: "i5".to_owned(),
        word: 6,
    });
    let test = w.def_int("int_gt(i0, 0)");
    w.guard(&format!("guard_true(i{test})"));
    for _ in 0..3 + w.rng.below(24) {
        w.step();
    }
    let count = w.def_int("int_sub(i0, 1)");
    w.end("close", &format!("i{count}"))
}

/// A bridge with these inputs (at least one integer and one reference) to a loop; some of the
/// inputs are words of values.
pub(crate) fn random_bridge(seed: u64, inputs: &[Ty], leans: Vec<Lean>, label: u32) -> String {
    let mut w = Writer::new(seed ^ 0x5555, inputs);
    w.leans = leans;
    w.pc = 1000;
    // What may be wrongly known of what the guard hands over.
    for _ in 0..w.rng.below(4) {
        let x = w.variable();
        let limit = w.rng.below(12) as i64 - 3;
        let op = w.rng.pick(&["int_lt", "int_ge", "int_eq", "uint_le"]);
        w.def_int(&format!("{op}({x}, {limit})"));
    }
    // Every other bridge gets to the loop for sure.
    let steps = match w.rng.below(2) {
        0 => 0,
        _ => w.rng.below(10),
    };
    for _ in 0..steps {
        w.step();
    }
    let count = w.rng.below(4).to_string();
    w.end(&format!("jump L{label}"), &count)
}

/// A heap and the inputs of a loop.
pub fn machine(descrs: &Descrs, seed: u64) -> (Machine, Vec<u64>) {
    let mut rng = Rng(seed.wrapping_mul(0xD134_2543_DE82_EF95) | 1);
    let mut m = Machine {
        fuel: FUEL,
        ..Machine::default()
    };
    let objects = 2 + rng.below(5);
    for _ in 0..objects {
        let class = match rng.below(8) {
            0 => UNIONS,
            1 => LEANS,
            2 => LINKS,
            _ => rng.pick(&CLASSES),
        };
        let class = descrs.class_by_name(class).expect("declared");
        m.add(descrs, class, STACK_LEN);
    }
    m.initial = objects;
    for i in 0..objects {
        let is_ref: Vec<bool> = match descrs.classes[m.objects[i].class].name.as_str() {
            "Int" => vec![false],
            "Pair" => vec![true, true],
            "Node" => vec![true, false],
            "Small" => vec![false, false],
            LINKS => [false, true].repeat(STACK_LEN),
            "Union" | "Unions" => {
                for value in m.objects[i].words.chunks_exact_mut(3) {
                    let (tag, whole, object) = (rng.below(4), rng.below(9), rng.below(objects + 1));
                    let whole = if [1, 2].contains(&tag) { whole } else { 0 };
                    let object = if [2, 3].contains(&tag) { object } else { 0 };
                    value.copy_from_slice(&[tag, whole, object].map(|word| word as u64));
                }
                continue;
            }
            "Lean" | "Leans" => {
                for value in m.objects[i].words.chunks_exact_mut(2) {
                    value.copy_from_slice(&lean(&mut rng, objects));
                }
                continue;
            }
            _ => vec![true; STACK_LEN],
        };
        for (j, is_ref) in is_ref.into_iter().enumerate() {
            let n = rng.below(objects + 1) as u64;
            m.objects[i].words[j] = if is_ref { n } else { n % 4 };
        }
    }
    let mut inputs = vec![rng.below(9) as u64, (rng.below(8) as i64 - 2) as u64];
    for input in &mut inputs {
        if rng.below(10) == 0 {
            *input = EDGES[rng.below(EDGES.len())] as u64;
        }
    }
    for _ in 0..3 {
        inputs.push(1 + rng.below(objects) as u64);
    }
    inputs.extend(lean(&mut rng, objects));
    (m, inputs)
}

/// A value: a tag, and a word that fits it.
fn lean(rng: &mut Rng, objects: usize) -> [u64; 2] {
    let tag = rng.below(5) as u64;
    let word = match tag {
        0 => 0xDEAD + rng.below(9) as u64,
        1 => rng.below(9) as u64,
        3 => rng.below(objects + 1) as u64,
        _ => (rng.below(9) as f64 * 0.5).to_bits(),
    };
    [tag, word]
}
