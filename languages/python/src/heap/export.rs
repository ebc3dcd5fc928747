//! Bytearrays that cannot be resized because something looks at their bytes. In: arrays, and the
//! objects that look at them. Out: whether there is one. Invariant: neither is kept by this: what
//! is gone looks at nothing.

use crate::heap::instance::Instance;
use verdigris::{List, WeakRef, prelude::*};

/// Something that looks at the bytes of an array.
#[gc]
pub struct Export {
    array: Gc<WeakRef<Gc<List<u8>>>>,
    view: Gc<WeakRef<Gc<Instance>>>,
}

/// All that look at arrays.
pub type Exports = Gc<List<Gc<Export>>>;

/// A view looks at an array from now on.
pub fn begin(all: Exports, array: Gc<List<u8>>, view: Gc<Instance>) {
    forget_dead(all);
    all.push(Gc::new(Export {
        array: WeakRef::new(array),
        view: WeakRef::new(view),
    }));
}

/// A view looks at nothing any more.
pub fn end(all: Exports, view: Gc<Instance>) {
    keep(all, |export| {
        let known = export.view.get();
        known.is_some_and(|known| !Gc::ptr_eq(known, view))
    });
}

/// Whether something looks at an array.
pub fn has(all: Exports, array: Gc<List<u8>>) -> bool {
    forget_dead(all);
    (0..all.len()).any(|n| {
        let known = all.at(n).array.get();
        known.is_some_and(|known| Gc::ptr_eq(known, array))
    })
}

fn forget_dead(all: Exports) {
    keep(all, |export| {
        export.array.get().is_some() && export.view.get().is_some()
    });
}

fn keep(all: Exports, is_kept: impl Fn(Gc<Export>) -> bool) {
    let mut count = 0;
    for n in 0..all.len() {
        let export = all.at(n);
        if is_kept(export) {
            all.set(count, export);
            count += 1;
        }
    }
    all.truncate(count);
}
