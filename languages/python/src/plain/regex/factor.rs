//! Alternatives that begin alike. In: alternatives. Out: fewer ones, of which each begins with
//! another character. Invariant: those that begin with the same character keep their order, which
//! is all that decides between them; others exclude each other.

use super::tree::Node;
use std::collections::HashMap;

/// The alternatives with what they have in common once; `None` if there is nothing of the kind.
pub fn factored(parts: &[Node]) -> Option<Vec<Node>> {
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut groups: Vec<Vec<&[Node]>> = Vec::new();
    for part in parts {
        let own = nodes(part);
        let Some(&Node::Char(c)) = own.first() else {
            return None;
        };
        let place = *places.entry(c).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(own);
    }
    let is_shared = groups.len() < parts.len();
    is_shared.then(|| groups.iter().map(|group| together(group)).collect())
}

/// A part as nodes behind each other.
fn nodes(part: &Node) -> &[Node] {
    match part {
        Node::Seq(parts) => parts,
        _ => std::slice::from_ref(part),
    }
}

/// Alternatives that begin with the same character, as one.
fn together(group: &[&[Node]]) -> Node {
    let Some((first, others)) = group.split_first() else {
        return Node::Never;
    };
    if others.is_empty() {
        return Node::Seq(first.to_vec());
    }
    let shared = others.iter().fold(first.len(), |shared, other| {
        let pairs = first.iter().zip(*other).take(shared);
        pairs
            .take_while(|(a, b)| matches!(a, Node::Char(_)) && a == b)
            .count()
    });
    let mut all = first[..shared].to_vec();
    let rests = group.iter().map(|own| Node::Seq(own[shared..].to_vec()));
    all.push(Node::Alt(rests.collect()));
    Node::Seq(all)
}
