//! What arrays have, in the subset. In: arrays, indices, items. Out: items, or other items in the
//! arrays. Invariant: panics have the messages of the standard library's slices.

pub trait Array<T> {
    fn is_empty(&self) -> bool;
    fn first(&self) -> Option<T>;
    fn last(&self) -> Option<T>;
    fn get(&self, at: usize) -> Option<T>;
    fn contains(&self, item: &T) -> bool;
    fn swap(&mut self, a: usize, b: usize);
    fn fill(&mut self, item: T);
    fn reverse(&mut self);
}

impl<T, const N: usize> Array<T> for [T; N] {
    fn is_empty(&self) -> bool {
        N == 0
    }
    fn first(&self) -> Option<T> {
        self.get(0)
    }
    fn last(&self) -> Option<T> {
        self.get(N.wrapping_sub(1))
    }
    fn get(&self, at: usize) -> Option<T> {
        if at < N { Some(self[at]) } else { None }
    }
    #[unroll_safe]
    fn contains(&self, item: &T) -> bool {
        for other in *self {
            if other == *item {
                return true;
            }
        }
        false
    }
    fn swap(&mut self, a: usize, b: usize) {
        let first = self[a];
        self[a] = self[b];
        self[b] = first;
    }
    fn fill(&mut self, item: T) {
        *self = [item; N];
    }
    #[unroll_safe]
    fn reverse(&mut self) {
        let old = *self;
        for at in 0..N {
            self[at] = old[N - 1 - at];
        }
    }
}
