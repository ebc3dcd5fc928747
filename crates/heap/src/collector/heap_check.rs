//! The checks of a heap in stress mode. Each returns a message that names the field with the bad
//! reference: to memory that has been freed or to another VM's object, or to an object that a young
//! collection missed because it was stored without the barrier. They also find the objects that
//! Rust's own heap mentions.
//!
//! Nothing is changed, so a message is not the consequence of its own search.

use crate::collector::mark::{Candidates, array_len};
use crate::collector::{RootVisitor, Survivors};
use crate::detector;
use crate::layout::descr::{ARRAY_ITEMS_OFFSET, ClassDescr, class_of_object};
use crate::layout::refs::RefPlace;
use crate::memory::address_space;
use rustc_hash::{FxHashMap, FxHashSet};

/// Follows all references from these roots. Returns what is wrong with the first that leads out of
/// the heap.
///
/// # Safety
/// The roots are live objects of the heap that `heap` resolves addresses in, before marks are
/// cleared.
pub(crate) unsafe fn check_heap(heap: &mut Candidates<'_>, roots: &[*mut u8]) -> Option<String> {
    let mut seen: FxHashSet<*mut u8> = roots.iter().copied().collect();
    let mut work: Vec<*mut u8> = seen.iter().copied().collect();
    let mut wrong = None;
    while let Some(object) = work.pop() {
        // SAFETY: only live objects are put on the work list.
        let class = unsafe { class_of_object(object) };
        let look = |found: *mut u8, index: usize| {
            if seen.contains(&found) {
                return;
            }
            match heap.object_at(found.addr()) {
                Some(object) if object == found => {
                    seen.insert(found);
                    work.push(found);
                }
                _ => {
                    wrong = wrong
                        .take()
                        .or_else(|| Some(stray(class, index, found.addr())))
                }
            }
        };
        // SAFETY: as above.
        unsafe { each_reference(object, class, look) };
        if wrong.is_some() {
            break;
        }
    }
    wrong
}

/// Follows all references from these roots. Returns what is wrong with the first that leads to an
/// object that has not been reached.
///
/// # Safety
/// Marking is over, and nothing has been freed.
pub(crate) unsafe fn check_marked(roots: &[*mut u8], reached: &dyn Survivors) -> Option<String> {
    let is_live = |object: *mut u8| reached.is_live(object.addr() as u64);
    let mut seen: FxHashSet<*mut u8> = roots.iter().copied().collect();
    let mut work: Vec<*mut u8> = seen.iter().copied().collect();
    if let Some(&root) = work.iter().find(|&&root| !is_live(root)) {
        // SAFETY: roots are objects.
        let class = unsafe { class_of_object(root) };
        return Some(format!(
            "a `{}` that a root refers to has not been reached by a collection of the young generation",
            class.name
        ));
    }
    let mut wrong = None;
    while let Some(object) = work.pop() {
        // SAFETY: what objects that are reachable refer to has not been freed.
        let class = unsafe { class_of_object(object) };
        let look = |found: *mut u8, index: usize| {
            if !seen.insert(found) {
                return;
            }
            if is_live(found) {
                work.push(found);
            } else {
                wrong = wrong.take().or_else(|| Some(missed(class, index)));
            }
        };
        // SAFETY: as above.
        unsafe { each_reference(object, class, look) };
        if wrong.is_some() {
            break;
        }
    }
    wrong
}

/// Calls a function for each reference that an object holds, with the number of its field or item.
///
/// # Safety
/// `object` is a live object of this class.
unsafe fn each_reference(
    object: *mut u8,
    class: &ClassDescr,
    mut look: impl FnMut(*mut u8, usize),
) {
    let mut look_into = |refs: &[RefPlace], value: *mut u8, number: usize| {
        for place in refs {
            // SAFETY: the descriptor says that a value of this form is there.
            if let Some(place) = unsafe { place.find(value) } {
                // SAFETY: and that it holds a reference there.
                let found = unsafe { place.cast::<*mut u8>().read() };
                if !found.is_null() {
                    look(found, number);
                }
            }
        }
    };
    for (number, field) in class.fields.iter().enumerate() {
        let at = object.wrapping_add(field.offset as usize);
        look_into(field.refs, at, number);
    }
    if let Some(item) = class.item
        && !item.refs.is_empty()
    {
        // SAFETY: arrays have a length.
        let len = unsafe { array_len(object) } as usize;
        for n in 0..len {
            let at = ARRAY_ITEMS_OFFSET + n * item.stride;
            look_into(item.refs, object.wrapping_add(at), n);
        }
    }
}

/// The words on Rust's own heap that look like references and were there before the objects that
/// they would refer to: by their addresses.
///
/// A value is moved with all its bytes, also those between fields and of other variants; they hold
/// what the stack held, such as a reference to an object of a VM that is gone. Each allocation
/// under stress begins with a collection, which sees them while there is no object.
#[derive(Debug, Default)]
pub(crate) struct Leftovers(FxHashMap<usize, u64>);

impl Leftovers {
    /// The objects that the blocks of Rust's own heap mention, each once.
    pub(crate) fn mentioned(&mut self, heap: &mut Candidates<'_>) -> Vec<*mut u8> {
        heap.found.clear();
        let mut still = FxHashMap::default();
        // The memory for what is found is the collector's, and in no list that is being walked.
        detector::each_word(|place, word| {
            if !address_space::contains(word as usize) {
                return;
            }
            let before = heap.found.len();
            if self.0.get(&place) != Some(&word) {
                heap.word(word);
            }
            if heap.found.len() == before {
                still.insert(place, word);
            }
        });
        self.0 = still;
        let mut found = std::mem::take(&mut heap.found);
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The message about an object that only Rust's own heap refers to.
///
/// # Safety
/// It is an object.
pub(crate) unsafe fn kept_elsewhere(object: *mut u8) -> String {
    // SAFETY: the caller's promise.
    let class = unsafe { class_of_object(object) };
    format!(
        "a `{}` is kept only on Rust's own heap; use `RootVec` or `Root`: the collector does not look into a `Vec`, a `Box` or an `Rc`, and is about to free it",
        class.name
    )
}

fn place_name(class: &ClassDescr, index: usize) -> String {
    match class.fields.get(index) {
        Some(field) => format!("`{}.{}`", class.name, field.name),
        None => format!("item {index} of a `{}`", class.name),
    }
}

fn missed(class: &ClassDescr, index: usize) -> String {
    let place = place_name(class, index);
    format!(
        "{place} refers to an object that a collection of the young generation has not reached: the reference was stored without the write barrier"
    )
}

fn stray(class: &ClassDescr, index: usize, word: usize) -> String {
    let place = place_name(class, index);
    format!(
        "{place} holds {word:#x}, which is no object of this heap: the reference has been kept where the collector does not \
         look (a `Vec`, a `Box`, a `static`: use `Root` or `RootVec`), or it comes from another VM"
    )
}
