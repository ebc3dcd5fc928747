//! How many characters a part of a pattern matches. In: a node, and how wide the groups before it
//! are. Out: the least and the greatest number. Invariant: numbers end at [`UNLIMITED`].

use super::tree::{NO_LIMIT, Node};

/// As many as there are.
pub const UNLIMITED: usize = u32::MAX as usize;

/// The least and the greatest width of a part.
pub fn of(node: &Node, groups: &[Option<(usize, usize)>]) -> (usize, usize) {
    match node {
        Node::Char(_) | Node::Set(_) | Node::Any { .. } => (1, 1),
        Node::Assert(_) | Node::Look { .. } | Node::Never => (0, 0),
        Node::Seq(parts) => {
            let all = parts.iter().map(|part| of(part, groups));
            all.fold((0, 0), |(low, high), (least, most)| {
                ((low + least).min(UNLIMITED), (high + most).min(UNLIMITED))
            })
        }
        Node::Alt(parts) => either(parts.iter().map(|part| of(part, groups))),
        Node::Group { body, .. } | Node::Plain(body) | Node::Atomic(body) => of(body, groups),
        Node::Repeat {
            body, least, most, ..
        } => {
            let (low, high) = of(body, groups);
            let low = low.saturating_mul(*least as usize).min(UNLIMITED);
            match *most == NO_LIMIT && high > 0 {
                true => (low, UNLIMITED),
                false => (low, high.saturating_mul(*most as usize).min(UNLIMITED)),
            }
        }
        Node::Back { group, .. } => match groups.get(*group) {
            Some(&Some(width)) => width,
            _ => (0, UNLIMITED),
        },
        Node::Cond { yes, no, .. } => {
            let no = no.as_ref().map_or((0, 0), |no| of(no, groups));
            either([of(yes, groups), no])
        }
    }
}

fn either(widths: impl IntoIterator<Item = (usize, usize)>) -> (usize, usize) {
    let mut all = widths.into_iter();
    let first = all.next().unwrap_or((0, 0));
    all.fold(first, |(low, high), (least, most)| {
        (low.min(least), high.max(most))
    })
}
