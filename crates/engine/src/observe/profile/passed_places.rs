//! The places that a profiled run has come to. In: greens with their hash. Out: the number of the
//! place. Invariants: greens have one number, which they keep; the objects among those that have
//! one are pinned.

use crate::code::roots::Pins;
use crate::observe::profile::code_map::PlaceId;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use verdigris_ops::Ty;

/// The most places that are told apart, for guest programs that make code again and again: their
/// objects stay alive.
const MOST: usize = 1 << 16;

/// How many greens that were passed recently are kept by their hash, and how many words each has at
/// most.
const RECENT: usize = 1 << 8;
const RECENT_WORDS: usize = 4;

/// Greens that were passed recently, and their place, if there are any.
#[derive(Clone, Copy, Default)]
struct Recent {
    greens: [u64; RECENT_WORDS],
    place: Option<PlaceId>,
}

/// All places.
struct Table {
    greens: Vec<Box<[u64]>>,
    known: FxHashMap<Box<[u64]>, PlaceId>,
    pins: Pins,
}

/// The numbers of places.
pub(crate) struct Passed {
    /// The number of the first one.
    first: usize,
    /// That of all that are too many.
    others: PlaceId,
    /// Which of the greens are objects.
    are_objects: Box<[bool]>,
    table: RefCell<Table>,
    recent: Box<[Cell<Recent>]>,
}

impl Passed {
    /// None yet; `types` are those of the greens. The first one has the number `first`, and all
    /// that are too many have `others`.
    pub(crate) fn new(types: &[Ty], first: usize, others: PlaceId, pins: Pins) -> Passed {
        Passed {
            first,
            others,
            are_objects: types.iter().map(|ty| *ty == Ty::Ref).collect(),
            table: RefCell::new(Table {
                greens: Vec::new(),
                known: FxHashMap::default(),
                pins,
            }),
            recent: vec![Cell::default(); RECENT].into_boxed_slice(),
        }
    }

    /// How many greens a place has.
    pub(crate) fn greens(&self) -> usize {
        self.are_objects.len()
    }

    /// The number of the place with these greens, if it was passed recently. `hash` is theirs.
    #[inline]
    fn recent(&self, hash: u64, greens: &[u64]) -> Option<PlaceId> {
        let recent = self.recent[hash as usize % RECENT].get();
        let is_it =
            greens.len() <= RECENT_WORDS && greens.iter().zip(&recent.greens).all(|(a, b)| a == b);
        recent.place.filter(|_| is_it)
    }

    /// The number of the place with these greens, whose objects live. `hash` is theirs.
    pub(crate) fn number(&self, hash: u64, greens: &[u64]) -> PlaceId {
        if let Some(place) = self.recent(hash, greens) {
            return place;
        }
        let mut table = self.table.borrow_mut();
        let known = table.known.get(greens).copied();
        let place = match known {
            Some(place) => place,
            None if table.greens.len() == MOST => return self.others,
            None => {
                let place = (self.first + table.greens.len()) as PlaceId;
                for (&word, &is_object) in greens.iter().zip(&self.are_objects) {
                    if is_object {
                        table.pins.add(word);
                    }
                }
                table.greens.push(greens.into());
                table.known.insert(greens.into(), place);
                place
            }
        };
        if greens.len() <= RECENT_WORDS {
            let mut recent = Recent {
                greens: [0; RECENT_WORDS],
                place: Some(place),
            };
            recent.greens[..greens.len()].copy_from_slice(greens);
            self.recent[hash as usize % RECENT].set(recent);
        }
        place
    }

    /// The greens of all, in the order of their numbers.
    pub(crate) fn all(&self) -> Vec<Box<[u64]>> {
        self.table.borrow().greens.clone()
    }
}
