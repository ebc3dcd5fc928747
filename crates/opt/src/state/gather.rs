//! Short lists of operands.

use smallvec::{Array, SmallVec};

/// Collects a few items. The compiler inlines this where it does not inline `collect`, whose call
/// costs more than most of the items.
#[inline]
pub(crate) fn gather<A: Array>(items: impl IntoIterator<Item = A::Item>) -> SmallVec<A> {
    let mut all = SmallVec::new();
    for item in items {
        all.push(item);
    }
    all
}
