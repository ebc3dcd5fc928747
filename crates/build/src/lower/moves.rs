//! Orders parallel moves so that no source is overwritten before it is read. Cycles go through a
//! scratch register.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use verdigris_graph::GraphConst;
use verdigris_jitcode::Reg;

/// Where a moved word comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveSource {
    /// A register.
    Reg(Reg),
    /// A constant.
    Const(GraphConst),
}

/// Orders the moves. `scratch` gives a register that holds nothing, of the type of the given one.
pub fn sequence(
    moves: Vec<(Reg, MoveSource)>,
    mut scratch: impl FnMut(Reg) -> Reg,
) -> Vec<(Reg, MoveSource)> {
    let mut pending: Vec<(Reg, MoveSource)> = moves;
    pending.retain(|&(dst, src)| src != MoveSource::Reg(dst));
    let mut readers: FxHashMap<Reg, Vec<usize>> = FxHashMap::default();
    let mut writer: FxHashMap<Reg, usize> = FxHashMap::default();
    for (n, &(dst, src)) in pending.iter().enumerate() {
        writer.insert(dst, n);
        if let MoveSource::Reg(reg) = src {
            readers.entry(reg).or_default().push(n);
        }
    }
    let mut unread: FxHashMap<Reg, usize> = readers.iter().map(|(r, l)| (*r, l.len())).collect();
    let is_ready = |n: &usize| !readers.contains_key(&pending[*n].0);
    let mut ready: BTreeSet<usize> = (0..pending.len()).filter(is_ready).collect();
    let mut left: BTreeSet<usize> = (0..pending.len()).collect();
    let mut out = Vec::new();
    while let Some(&first) = left.first() {
        let Some(next) = ready.pop_first() else {
            // Only cycles are left: the first one's destination is saved, and read from there.
            let dst = pending[first].0;
            let saved = scratch(dst);
            out.push((saved, MoveSource::Reg(dst)));
            for &n in &readers[&dst] {
                pending[n].1 = MoveSource::Reg(saved);
            }
            ready.insert(first);
            continue;
        };
        left.remove(&next);
        let (dst, src) = pending[next];
        out.push((dst, src));
        if let MoveSource::Reg(reg) = src
            && let Some(count) = unread.get_mut(&reg)
        {
            *count -= 1;
            if *count == 0
                && let Some(&n) = writer.get(&reg)
            {
                ready.insert(n);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COUNT: u16 = 8;

    proptest! {
        #[test]
        fn sequences_do_what_parallel_moves_do(sources in prop::collection::vec(0..COUNT + 2, 0..8)) {
            let moves: Vec<(Reg, MoveSource)> = sources
                .iter()
                .enumerate()
                .map(|(dst, &src)| {
                    let src = match src {
                        src if src < COUNT => MoveSource::Reg(Reg(src)),
                        src => MoveSource::Const(GraphConst::Int(i64::from(src) * 100)),
                    };
                    (Reg(dst as u16), src)
                })
                .collect();
            let value = |regs: &[i64], src| match src {
                MoveSource::Reg(r) => regs[usize::from(r.0)],
                MoveSource::Const(c) => c.word() as i64,
            };
            // The last register is the scratch register.
            let start: Vec<i64> = (0..=i64::from(COUNT)).collect();
            let mut want = start.clone();
            for &(dst, src) in &moves {
                want[usize::from(dst.0)] = value(&start, src);
            }
            let mut got = start.clone();
            for (dst, src) in sequence(moves, |_| Reg(COUNT)) {
                got[usize::from(dst.0)] = value(&got, src);
            }
            let count = usize::from(COUNT);
            prop_assert_eq!(&got[..count], &want[..count]);
        }
    }
}
