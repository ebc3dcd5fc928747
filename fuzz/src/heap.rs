//! Everything reachable in a guest's heap, as text. In: values, and what a language says of each.
//! Out: lines in which every object has a number. Invariant: two heaps have one text if and only if
//! they have the same shape: sharing and cycles show, addresses do not.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write;

/// How a value looks.
pub enum Look<V> {
    /// Something without identity: its text says all.
    Plain(String),
    /// An object.
    Object {
        /// Its identity among all that are alive, such as its address.
        identity: String,
        /// Its type, and what it holds besides other values.
        label: String,
        /// The values that it holds, in an order that depends on the program alone.
        parts: Vec<V>,
    },
}

/// The objects that these values lead to, the nearest first: one line for the values, one for each
/// object.
pub fn describe<V: Copy>(roots: &[V], look: impl Fn(V) -> Look<V>) -> String {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut waiting: VecDeque<(String, Vec<V>)> = VecDeque::from([("heap".into(), roots.to_vec())]);
    let mut text = String::new();
    while let Some((label, parts)) = waiting.pop_front() {
        text.push_str(&label);
        for part in parts {
            let _ = match look(part) {
                Look::Plain(plain) => write!(text, " {plain}"),
                Look::Object {
                    identity,
                    label,
                    parts,
                } => {
                    let next = numbers.len();
                    let number = *numbers.entry(identity).or_insert(next);
                    if number == next {
                        waiting.push_back((format!("#{number} {label}"), parts));
                    }
                    write!(text, " #{number}")
                }
            };
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharing_and_cycles_show() {
        // Object n holds objects 2n and 2n + 1 modulo 4, and so itself or others twice.
        let look = |n: u32| match n {
            9 => Look::Plain("nine".to_string()),
            _ => Look::Object {
                identity: format!("at {n}"),
                label: format!("object{n}"),
                parts: vec![2 * n % 4, (2 * n + 1) % 4],
            },
        };
        assert_eq!(
            describe(&[9, 2, 2], look),
            "heap nine #0 #0\n#0 object2 #1 #2\n#1 object0 #1 #2\n#2 object1 #0 #3\n#3 object3 #0 #3\n"
        );
    }
}
