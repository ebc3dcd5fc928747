//! What `bool` has that takes a value or a closure, in the subset. In: a condition. Out: options.
//! Invariant: the closure is called if the condition holds.

fn then<T>(this: bool, f: impl FnOnce() -> T) -> Option<T> {
    if this { Some(f()) } else { None }
}

fn then_some<T>(this: bool, value: T) -> Option<T> {
    if this { Some(value) } else { None }
}
