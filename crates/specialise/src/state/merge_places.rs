//! The merge points that paths have come to, and the paths that wait there.

use super::history::JoinLabels;
use super::path::Path;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use verdigris_jitcode::{CodeId, Insn, Pc, Unit};
use verdigris_ops::Ty;
use verdigris_opt::Label;
use verdigris_trace::Const;

/// A merge point at one position of the guest program.
#[derive(Default)]
pub(crate) struct MergePlace {
    /// How many places were known before it.
    pub number: usize,
    /// The paths that wait there.
    pub waiting: Vec<Path>,
    /// The next path may come by a jump back.
    pub is_header: bool,
    /// The history of paths and other code there, without the labels.
    pub join: JoinLabels,
    pub versions: Vec<Label>,
    /// The label that assumes nothing.
    pub any: Option<Label>,
}

impl MergePlace {
    pub fn has_labels(&self) -> bool {
        self.any.is_some() || !self.versions.is_empty()
    }
}

/// The position of the interpreter, and the constants that belong to it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct MergeKey {
    /// The outer frames: function, call, and the constants among the values that they still need.
    outer: Vec<(CodeId, Pc, Vec<Option<Const>>)>,
    /// The greens of the innermost frame's merge point.
    pub greens: Vec<Const>,
}

/// The order of positions: the integers among the greens of all activations, outermost first, then
/// the number of places known before.
pub(crate) type Order = (Vec<i64>, usize);

/// The merge points that paths have come to.
pub(crate) struct MergePlaces {
    pub places: FxHashMap<MergeKey, MergePlace>,
    /// Those where paths wait.
    open: BTreeMap<Order, MergeKey>,
    /// Every merge point is a loop's header.
    pub always: bool,
}

impl MergePlaces {
    /// No merge points.
    pub fn new(unit: &Unit) -> MergePlaces {
        let portal = &unit.portal().insns;
        let always = !portal.iter().any(|insn| matches!(insn, Insn::LoopHeader));
        MergePlaces {
            places: FxHashMap::default(),
            open: BTreeMap::new(),
            always,
        }
    }

    /// Whether every merge point may be a loop's header.
    pub fn is_always_header(&self) -> bool {
        self.always
    }

    /// Makes the code's entry the label that assumes nothing at its start.
    pub fn start(&mut self, greens: Vec<Const>, entry: Label) {
        let outer = Vec::new();
        self.at(&MergeKey { outer, greens }, |_| JoinLabels::default())
            .any = Some(entry);
    }

    /// The place at a key. `outside` are the labels of other code.
    pub fn at(
        &mut self,
        key: &MergeKey,
        outside: impl FnOnce(&[Const]) -> JoinLabels,
    ) -> &mut MergePlace {
        let number = self.places.len();
        self.places.entry(key.clone()).or_insert_with(|| {
            let mut join = outside(&key.key());
            let labels = std::mem::take(&mut join.labels).into_iter();
            let (any, versions): (Vec<Label>, Vec<Label>) =
                labels.partition(|label| label.shape.takes_anything());
            MergePlace {
                number,
                join,
                versions,
                any: any.into_iter().next(),
                ..MergePlace::default()
            }
        })
    }

    /// Makes a path wait at a place.
    pub fn wait(&mut self, key: MergeKey, path: Path) {
        let frames = path.frames.iter().filter_map(|frame| frame.greens.clone());
        let greens: Vec<Const> = frames.flat_map(|greens| greens.to_vec()).collect();
        let integers = greens.iter().filter(|c| c.ty() == Ty::Int);
        let integers = integers.map(|c| c.word() as i64).collect();
        let place = self.at(&key, |_| JoinLabels::default());
        place.waiting.push(path);
        let order = (integers, place.number);
        self.open.insert(order, key);
    }

    /// Takes the first place where paths wait.
    pub fn next(&mut self) -> Option<(MergeKey, MergePlace)> {
        let (_, key) = self.open.pop_first()?;
        let place = self.places.get_mut(&key).map(std::mem::take)?;
        Some((key, place))
    }
}

impl MergeKey {
    /// The key of a path at a merge point with these greens.
    pub fn of(path: &Path, unit: &Unit, greens: Vec<Const>) -> MergeKey {
        let (_, outer) = path.frames.split_last().expect("a path has a frame");
        let outer = outer.iter().map(|frame| {
            let regs = frame.suspended_regs(unit).into_iter();
            let known = regs.map(|reg| frame.regs[usize::from(reg.0)].as_const());
            (frame.code, frame.pc, known.collect())
        });
        MergeKey {
            outer: outer.collect(),
            greens,
        }
    }

    /// The key of its labels for other code: the inlined calls, then the greens.
    pub fn key(&self) -> Vec<Const> {
        let number = |n: u32| Const::new(Ty::Int, u64::from(n));
        let mut key = Vec::new();
        for (code, pc, known) in &self.outer {
            key.extend([number(code.as_u32()), number(pc.0)]);
            for constant in known {
                key.push(number(u32::from(constant.is_some())));
                key.extend(*constant);
            }
        }
        key.extend(&self.greens);
        key
    }
}
