//! The places where paths meet that paths have come to, and the paths that wait there.

use super::history::JoinLabels;
use super::merge_key::MergeKey;
use super::path::Path;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use verdigris_jitcode::{Insn, Unit};
use verdigris_ops::Ty;
use verdigris_opt::Label;
use verdigris_trace::Const;

/// A merge point at one position of the guest program, or a place within an instruction.
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
    /// Within an instruction: a path has waited there and gone on alone, without a label.
    pub passed_alone: bool,
    /// The label that assumes nothing.
    pub any: Option<Label>,
}

impl MergePlace {
    pub fn has_labels(&self) -> bool {
        self.any.is_some() || !self.versions.is_empty()
    }
}

/// The order of places: those within instructions first, by the instructions of the interpreter
/// that all frames are at; then merge points, by the integers among the greens of all activations.
/// Outermost first; then by the number of places known before.
pub(crate) type Order = (bool, Vec<i64>, usize);

/// The places that paths have come to.
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
        self.at(&MergeKey::start(greens), |_| JoinLabels::default())
            .any = Some(entry);
    }

    /// The place at a key. `outside` are the labels of other code.
    pub fn at(
        &mut self,
        key: &MergeKey,
        outside: impl FnOnce(&MergeKey) -> JoinLabels,
    ) -> &mut MergePlace {
        let number = self.places.len();
        self.places.entry(key.clone()).or_insert_with(|| {
            let mut join = outside(key);
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
        let integers = match key.is_within() {
            true => path.frames.iter().map(|frame| frame.pc.0.into()).collect(),
            false => {
                let frames = path.frames.iter().filter_map(|frame| frame.greens.clone());
                let greens: Vec<Const> = frames.flat_map(|greens| greens.to_vec()).collect();
                let integers = greens.iter().filter(|c| c.ty() == Ty::Int);
                integers.map(|c| c.word() as i64).collect()
            }
        };
        let place = self.at(&key, |_| JoinLabels::default());
        place.waiting.push(path);
        let order = (!key.is_within(), integers, place.number);
        self.open.insert(order, key);
    }

    /// Takes the first place where paths wait.
    pub fn next(&mut self) -> Option<(MergeKey, MergePlace)> {
        let (_, key) = self.open.pop_first()?;
        let place = self.places.get_mut(&key).map(std::mem::take)?;
        Some((key, place))
    }
}
