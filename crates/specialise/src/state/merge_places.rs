//! The merge points that paths have come to.

use super::history::JoinLabels;
use super::path::Path;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use verdigris_jitcode::{CodeId, Insn, Pc, Unit};
use verdigris_ops::Ty;
use verdigris_opt::Label;
use verdigris_trace::Const;

/// A place of the guest program.
#[derive(Default)]
pub(crate) struct MergePlace {
    /// So many places were known before it.
    pub number: usize,
    /// The ways that wait there.
    pub waiting: Vec<Path>,
    /// The next one may come by a jump back.
    pub is_header: bool,
    /// What ways and other code do there, but for the labels.
    pub join: JoinLabels,
    pub versions: Vec<Label>,
    /// The label that takes everything.
    pub any: Option<Label>,
}

impl MergePlace {
    pub fn has_labels(&self) -> bool {
        self.any.is_some() || !self.versions.is_empty()
    }
}

/// Where the interpreter stands, and what is the same each time that it stands there.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Spot {
    /// The outer frames: function, call, and the values that are known among those that they still
    /// need.
    outer: Vec<(CodeId, Pc, Vec<Option<Const>>)>,
    /// The greens of the innermost frame's merge point.
    pub greens: Vec<Const>,
}

/// Where a spot comes in the guest program: the integers among the greens of all activations, the
/// outermost first, and how many places ways had come to before.
pub(crate) type Order = (Vec<i64>, usize);

/// The places of the guest program.
pub(crate) struct MergePlaces {
    pub places: FxHashMap<Spot, MergePlace>,
    /// Those where ways wait.
    open: BTreeMap<Order, Spot>,
    /// Every merge point is a loop's header.
    pub always: bool,
}

impl MergePlaces {
    /// No way has come anywhere.
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

    /// The code starts at the place with these greens, with a label that takes everything.
    pub fn start(&mut self, greens: Vec<Const>, entry: Label) {
        let outer = Vec::new();
        self.at(&Spot { outer, greens }, |_| JoinLabels::default())
            .any = Some(entry);
    }

    /// The place at a spot. `outside` is what other code does there.
    pub fn at(
        &mut self,
        spot: &Spot,
        outside: impl FnOnce(&[Const]) -> JoinLabels,
    ) -> &mut MergePlace {
        let number = self.places.len();
        self.places.entry(spot.clone()).or_insert_with(|| {
            let mut join = outside(&spot.key());
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

    /// A way waits at a place.
    pub fn wait(&mut self, spot: Spot, way: Path) {
        let frames = way.frames.iter().filter_map(|frame| frame.greens.clone());
        let greens: Vec<Const> = frames.flat_map(|greens| greens.to_vec()).collect();
        let integers = greens.iter().filter(|c| c.ty() == Ty::Int);
        let integers = integers.map(|c| c.word() as i64).collect();
        let place = self.at(&spot, |_| JoinLabels::default());
        place.waiting.push(way);
        let order = (integers, place.number);
        self.open.insert(order, spot);
    }

    /// The first place where ways wait, which are about to go on.
    pub fn next(&mut self) -> Option<(Spot, MergePlace)> {
        let (_, spot) = self.open.pop_first()?;
        let place = self.places.get_mut(&spot).map(std::mem::take)?;
        Some((spot, place))
    }
}

impl Spot {
    /// Where a way is that stands at a merge point with these greens.
    pub fn of(way: &Path, unit: &Unit, greens: Vec<Const>) -> Spot {
        let (_, outer) = way.frames.split_last().expect("a way has a frame");
        let outer = outer.iter().map(|frame| {
            let regs = frame.suspended_regs(unit).into_iter();
            let known = regs.map(|reg| frame.regs[usize::from(reg.0)].as_const());
            (frame.code, frame.pc, known.collect())
        });
        Spot {
            outer: outer.collect(),
            greens,
        }
    }

    /// What its labels are known by to other code: the greens, behind what stands for the calls
    /// that are inlined.
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
