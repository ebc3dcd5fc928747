//! What `Option` has, in the subset. In: options, values, closures. Out: options and values.
//! Invariants: closures are called where Rust calls them, once at most; where Rust gives a
//! reference to what is inside, the value is its value.

fn map<T, U>(this: Option<T>, f: impl FnOnce(T) -> U) -> Option<U> {
    match this {
        Some(x) => Some(f(x)),
        None => None,
    }
}

fn map_or<T, U>(this: Option<T>, other: U, f: impl FnOnce(T) -> U) -> U {
    match this {
        Some(x) => f(x),
        None => other,
    }
}

fn map_or_else<T, U>(this: Option<T>, other: impl FnOnce() -> U, f: impl FnOnce(T) -> U) -> U {
    match this {
        None => other(),
        Some(x) => f(x),
    }
}

fn inspect<T>(this: Option<T>, f: impl FnOnce(&T)) -> Option<T> {
    if let Some(x) = this {
        f(&x);
    }
    this
}

fn is_some_and<T>(this: Option<T>, f: impl FnOnce(T) -> bool) -> bool {
    match this {
        Some(x) => f(x),
        None => false,
    }
}

fn is_none_or<T>(this: Option<T>, f: impl FnOnce(T) -> bool) -> bool {
    match this {
        Some(x) => f(x),
        None => true,
    }
}

fn filter<T>(this: Option<T>, f: impl FnOnce(&T) -> bool) -> Option<T> {
    match this {
        Some(x) => if f(&x) { Some(x) } else { None },
        None => None,
    }
}

fn and<T, U>(this: Option<T>, other: Option<U>) -> Option<U> {
    match this {
        Some(_) => other,
        None => None,
    }
}

fn and_then<T, U>(this: Option<T>, f: impl FnOnce(T) -> Option<U>) -> Option<U> {
    match this {
        Some(x) => f(x),
        None => None,
    }
}

fn or<T>(this: Option<T>, other: Option<T>) -> Option<T> {
    match this {
        Some(x) => Some(x),
        None => other,
    }
}

fn or_else<T>(this: Option<T>, f: impl FnOnce() -> Option<T>) -> Option<T> {
    match this {
        Some(x) => Some(x),
        None => f(),
    }
}

fn xor<T>(this: Option<T>, other: Option<T>) -> Option<T> {
    match this {
        None => other,
        Some(x) => match other {
            None => Some(x),
            Some(_) => None,
        },
    }
}

fn zip<T, U>(this: Option<T>, other: Option<U>) -> Option<(T, U)> {
    match this {
        None => None,
        Some(x) => match other {
            None => None,
            Some(y) => Some((x, y)),
        },
    }
}

fn unzip<T, U>(this: Option<(T, U)>) -> (Option<T>, Option<U>) {
    match this {
        None => (None, None),
        Some((x, y)) => (Some(x), Some(y)),
    }
}

fn flatten<T>(this: Option<Option<T>>) -> Option<T> {
    match this {
        None => None,
        Some(inner) => inner,
    }
}

fn transpose<T, E>(this: Option<Result<T, E>>) -> Result<Option<T>, E> {
    match this {
        None => Ok(None),
        Some(Ok(x)) => Ok(Some(x)),
        Some(Err(e)) => Err(e),
    }
}

fn ok_or<T, E>(this: Option<T>, error: E) -> Result<T, E> {
    match this {
        Some(x) => Ok(x),
        None => Err(error),
    }
}

fn ok_or_else<T, E>(this: Option<T>, f: impl FnOnce() -> E) -> Result<T, E> {
    match this {
        Some(x) => Ok(x),
        None => Err(f()),
    }
}

fn unwrap_or<T>(this: Option<T>, other: T) -> T {
    match this {
        Some(x) => x,
        None => other,
    }
}

fn unwrap_or_else<T>(this: Option<T>, f: impl FnOnce() -> T) -> T {
    match this {
        Some(x) => x,
        None => f(),
    }
}

fn unwrap_or_default<T: Default>(this: Option<T>) -> T {
    match this {
        Some(x) => x,
        None => T::default(),
    }
}

fn take<T>(this: &mut Option<T>) -> Option<T> {
    let old = *this;
    *this = None;
    old
}

fn take_if<T>(this: &mut Option<T>, f: impl FnOnce(&T) -> bool) -> Option<T> {
    let old = *this;
    match old {
        Some(x) if f(&x) => {
            *this = None;
            old
        }
        _ => None,
    }
}

fn replace<T>(this: &mut Option<T>, value: T) -> Option<T> {
    let old = *this;
    *this = Some(value);
    old
}

fn insert<T>(this: &mut Option<T>, value: T) -> T {
    *this = Some(value);
    value
}

fn get_or_insert<T>(this: &mut Option<T>, value: T) -> T {
    match *this {
        Some(x) => x,
        None => {
            *this = Some(value);
            value
        }
    }
}

fn get_or_insert_with<T>(this: &mut Option<T>, f: impl FnOnce() -> T) -> T {
    match *this {
        Some(x) => x,
        None => {
            let value = f();
            *this = Some(value);
            value
        }
    }
}

fn get_or_insert_default<T: Default>(this: &mut Option<T>) -> T {
    match *this {
        Some(x) => x,
        None => {
            let value = T::default();
            *this = Some(value);
            value
        }
    }
}
